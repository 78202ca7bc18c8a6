import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0017_private_games"), ("club", "0002_clubs")]

    operations = [
        migrations.CreateModel(
            name="GameStatistics",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("counted", models.DateTimeField()),
                ("public_lists", models.PositiveIntegerField()),
                ("event_lists", models.PositiveIntegerField()),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="statistics",
                        to="catalogue.gamesystem",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SliceStatistics",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source", models.CharField(choices=[("public", "Public lists"), ("events", "Events")], max_length=10)),
                ("kind", models.CharField(max_length=10)),
                ("value", models.CharField(blank=True, max_length=200)),
                ("label", models.CharField(blank=True, max_length=200)),
                ("place", models.PositiveIntegerField()),
                ("players", models.PositiveIntegerField()),
                ("lists", models.PositiveIntegerField()),
                ("games", models.PositiveIntegerField(default=0)),
                ("folded", models.PositiveIntegerField(default=0)),
                ("others", models.PositiveIntegerField(default=0)),
                (
                    "statistics",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="slices", to="club.gamestatistics"
                    ),
                ),
            ],
            options={"ordering": ("statistics", "source", "place")},
        ),
        migrations.CreateModel(
            name="FactionStatistics",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("faction_id", models.CharField(max_length=200)),
                ("name", models.CharField(max_length=200)),
                ("emblem", models.CharField(blank=True, max_length=40)),
                ("place", models.PositiveIntegerField()),
                ("players", models.PositiveIntegerField()),
                ("won", models.JSONField(null=True)),
                ("report", models.JSONField()),
                (
                    "slice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="factions", to="club.slicestatistics"
                    ),
                ),
            ],
            options={"ordering": ("slice", "place")},
        ),
        migrations.AddConstraint(
            model_name="slicestatistics",
            constraint=models.UniqueConstraint(
                fields=("statistics", "source", "kind", "value"), name="one_count_per_slice"
            ),
        ),
        migrations.AddConstraint(
            model_name="factionstatistics",
            constraint=models.UniqueConstraint(fields=("slice", "faction_id"), name="one_count_per_faction"),
        ),
    ]
