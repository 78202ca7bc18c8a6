from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("club", "0005_players")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="map",
            field=models.TextField(blank=True, default="", db_default="", max_length=20000),
        ),
        migrations.AddField(
            model_name="meeting",
            name="stake",
            field=models.CharField(blank=True, default="", db_default="", max_length=100),
        ),
        # Choices are no part of the database.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="season",
                    name="ladder",
                    field=models.CharField(
                        choices=[("points", "Points"), ("elo", "Elo rating"), ("supply", "Supply of held places")],
                        default="points",
                        max_length=10,
                    ),
                )
            ]
        ),
    ]
