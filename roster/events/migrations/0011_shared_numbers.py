from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0010_as_read")]

    operations = [
        migrations.AddField(
            model_name="event", name="shares_numbers", field=models.BooleanField(db_default=False, default=False)
        )
    ]
