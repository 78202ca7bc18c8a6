import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import catalogue.models.base


class Migration(migrations.Migration):
    dependencies = [
        ("catalogue", "0017_private_games"),
        ("club", "0006_places"),
        ("play", "0007_rank_of_sides"),
        ("roster", "0035_house_rules_index"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="playerpage", name="shows_reports", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.CreateModel(
            name="BattleReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner_key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                ("taken_down", models.BooleanField(default=False)),
                (
                    "public_id",
                    models.CharField(
                        default=catalogue.models.base.new_public_id, editable=False, max_length=22, unique=True
                    ),
                ),
                ("link_id", models.CharField(editable=False, max_length=22, unique=True)),
                (
                    "visibility",
                    models.CharField(
                        choices=[("private", "private"), ("link", "by link"), ("public", "public")],
                        default="private",
                        max_length=10,
                    ),
                ),
                ("game_name", models.CharField(max_length=200)),
                ("name", models.CharField(max_length=100)),
                ("text", models.TextField(blank=True, max_length=20000)),
                ("mission_name", models.CharField(blank=True, max_length=200)),
                ("map_name", models.CharField(blank=True, max_length=200)),
                ("played", models.DateTimeField(default=django.utils.timezone.now)),
                ("ending", models.CharField(blank=True, max_length=20)),
                ("winner", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("rounds", models.PositiveSmallIntegerField(default=0)),
                ("moments", models.JSONField(default=list)),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="catalogue.gamesystem",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "played_game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="battle_reports",
                        to="play.game",
                    ),
                ),
            ],
            options={
                "ordering": ("-updated", "-pk"),
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("taken_down", False), ("visibility", "public")),
                        fields=["-updated"],
                        name="club_battlereport_public",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("owner__isnull", True), ("owner_key", ""), _connector="OR"),
                        name="club_battlereport_one_owner",
                    ),
                    models.UniqueConstraint(fields=("owner", "played_game"), name="one_report_of_a_game"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReportedSide",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                ("is_unnamed", models.BooleanField(default=False)),
                ("name", models.CharField(blank=True, max_length=40)),
                ("list_name", models.CharField(blank=True, max_length=100)),
                ("faction_name", models.CharField(blank=True, max_length=200)),
                ("score", models.IntegerField(default=0)),
                ("rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("points", models.JSONField(default=list)),
                ("held", models.IntegerField(default=0)),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sides", to="club.battlereport"
                    ),
                ),
                (
                    "roster",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="roster.roster",
                    ),
                ),
            ],
            options={
                "ordering": ("report", "place"),
                "constraints": [
                    models.UniqueConstraint(fields=("report", "place"), name="one_reported_side_per_place")
                ],
            },
        ),
        migrations.CreateModel(
            name="ReportPhoto",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content_hash", models.CharField(editable=False, max_length=64)),
                ("large", models.CharField(editable=False, max_length=200)),
                ("small", models.CharField(editable=False, max_length=200)),
                ("width", models.PositiveIntegerField(editable=False)),
                ("height", models.PositiveIntegerField(editable=False)),
                ("size", models.PositiveIntegerField(editable=False)),
                ("taken_down", models.BooleanField(default=False)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("caption", models.CharField(blank=True, max_length=200)),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="photos", to="club.battlereport"
                    ),
                ),
            ],
            options={"ordering": ("report", "pk")},
        ),
    ]
