from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0005_game_seed")]

    operations = [
        migrations.AddField(
            model_name="gameside",
            name="private_notes",
            field=models.TextField(blank=True, default="", db_default="", max_length=2000),
        )
    ]
