from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0006_mail_by_address")]

    operations = [
        migrations.AddField(
            model_name="submission", name="kept", field=models.TextField(blank=True, db_default="", default="")
        )
    ]
