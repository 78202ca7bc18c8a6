from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0005_game_seed")]

    operations = [
        migrations.AddField(
            model_name="gameside", name="rank", field=models.PositiveSmallIntegerField(blank=True, null=True)
        )
    ]
