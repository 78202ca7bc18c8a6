from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0007_kept")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="doubled",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        )
    ]
