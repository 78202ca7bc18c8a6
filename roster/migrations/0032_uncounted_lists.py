from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("roster", "0031_clubs")]

    operations = [
        migrations.AddField(
            model_name="roster", name="is_uncounted", field=models.BooleanField(db_default=False, default=False)
        )
    ]
