"""Revisions say by which data they were judged and what came of it."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, OuterRef, Subquery


def pin(apps, schema_editor):
    """Until now a list had one version for ever; what its newest state came to stands beside it."""
    roster = apps.get_model("roster", "Roster")
    revisions = apps.get_model("roster", "RosterRevision").objects
    own = roster.objects.filter(pk=OuterRef("roster_id"))
    revisions.update(version_id=Subquery(own.values("version_id")[:1]))
    shown = own.filter(head=OuterRef("number"))
    revisions.filter(number=F("roster__head")).update(
        points=Subquery(shown.values("points")[:1]),
        verdict=Subquery(shown.values("verdict")[:1]),
        violations=Subquery(shown.values("violations")[:1]),
    )


VERDICTS = [("legal", "legal"), ("incomplete", "incomplete"), ("illegal", "illegal")]


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0001_initial"), ("roster", "0003_ownership")]

    operations = [
        migrations.AddField("roster", "aside", models.PositiveIntegerField(default=0)),
        migrations.AddField("rosterrevision", "aside", models.BooleanField(default=False)),
        migrations.AddField("rosterrevision", "points", models.CharField(default="0", max_length=40)),
        migrations.AddField(
            "rosterrevision",
            "verdict",
            models.CharField(blank=True, default="", choices=VERDICTS, max_length=10),
            preserve_default=False,
        ),
        migrations.AddField("rosterrevision", "violations", models.PositiveIntegerField(default=0)),
        migrations.AddField(
            "rosterrevision",
            "version",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="revisions",
                to="catalogue.packversion",
            ),
        ),
        migrations.CreateModel(
            name="RevisionName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100)),
                (
                    "revision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="named", to="roster.rosterrevision"
                    ),
                ),
            ],
        ),
        migrations.RunPython(pin, migrations.RunPython.noop),
    ]
