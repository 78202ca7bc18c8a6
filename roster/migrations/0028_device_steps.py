from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("roster", "0027_photos")]

    operations = [
        migrations.AddField(
            model_name="rosterrevision",
            name="device_step",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=36),
        )
    ]
