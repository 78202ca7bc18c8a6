from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0006_private_notes")]

    operations = [
        migrations.AddField(
            model_name="gameside", name="rank", field=models.PositiveSmallIntegerField(blank=True, null=True)
        )
    ]
