import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalogue", "0017_private_games"),
        ("club", "0008_club_nights"),
        ("events", "0012_homebrew"),
        ("roster", "0036_homebrew_revision"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="season", name="limit", field=models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.AddField(
            model_name="season",
            name="reveal",
            field=models.CharField(
                choices=[
                    ("both", "Once both players have chosen"),
                    ("chosen", "As soon as a player has chosen"),
                    ("played", "Once the result counts"),
                ],
                db_default="both",
                default="both",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="season", name="rules_untold", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.CreateModel(
            name="SeasonHomebrew",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=100)),
                ("name", models.CharField(max_length=100)),
                ("number", models.PositiveIntegerField()),
                ("document", models.TextField()),
                ("content_hash", models.CharField(max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "origin",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="roster.homebrewversion",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="homebrews", to="club.season"
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.CreateModel(
            name="ChosenList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rules_hash", models.CharField(blank=True, max_length=64)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("unreadable", "Unreadable"),
                            ("illegal", "Illegal"),
                            ("incomplete", "Incomplete"),
                            ("as-read", "Legal as far as read"),
                            ("by-rules", "Legal by house rules"),
                            ("legal", "Legal"),
                        ],
                        max_length=10,
                    ),
                ),
                ("points", models.CharField(blank=True, max_length=40)),
                ("violations", models.PositiveIntegerField(default=0)),
                ("unchecked", models.PositiveIntegerField(default=0)),
                ("report", models.JSONField(default=dict)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=100)),
                ("document", models.TextField()),
                ("faction_id", models.CharField(max_length=200)),
                ("faction", models.CharField(max_length=200)),
                ("units", models.JSONField(default=list)),
                ("limit", models.PositiveIntegerField(default=0)),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lists", to="club.meeting"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="club.seasonplayer"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogue.packversion",
                    ),
                ),
                (
                    "homebrew",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="club.seasonhomebrew",
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.AddField(
            model_name="season",
            name="homebrew",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="club.seasonhomebrew",
            ),
        ),
        migrations.CreateModel(
            name="SeasonEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("agreed", models.DateTimeField(blank=True, null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "event",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="events.event"),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="club.season"
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [models.UniqueConstraint(fields=("season", "event"), name="one_season_event")],
            },
        ),
        migrations.AddConstraint(
            model_name="seasonhomebrew",
            constraint=models.UniqueConstraint(fields=("season", "key"), name="one_homebrew_per_season"),
        ),
        migrations.AddConstraint(
            model_name="chosenlist",
            constraint=models.UniqueConstraint(fields=("meeting", "player"), name="one_list_per_player"),
        ),
    ]
