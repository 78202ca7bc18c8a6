import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("club", "0007_battle_reports")]

    operations = [
        migrations.CreateModel(
            name="ClubNight",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("starts", models.DateTimeField()),
                ("closes", models.DateTimeField(blank=True, null=True)),
                ("zone", models.CharField(default="UTC", max_length=60)),
                ("place", models.CharField(blank=True, max_length=100)),
                ("tables", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("paired", models.DateTimeField(blank=True, null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="nights", to="club.season"
                    ),
                ),
            ],
            options={
                "ordering": ("starts", "pk"),
                "indexes": [
                    models.Index(condition=models.Q(("paired", None)), fields=["closes"], name="club_nights_to_pair")
                ],
            },
        ),
        migrations.CreateModel(
            name="NightPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "night",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="players", to="club.clubnight"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="nights", to="club.seasonplayer"
                    ),
                ),
            ],
            options={
                "ordering": ("night", "pk"),
                "constraints": [models.UniqueConstraint(fields=("night", "player"), name="one_player_per_night")],
            },
        ),
        migrations.AddField(
            model_name="meeting",
            name="night",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="meetings",
                to="club.clubnight",
            ),
        ),
        migrations.AddField(model_name="meeting", name="until_before", field=models.DateField(blank=True, null=True)),
    ]
