import json

from django.db import migrations, models

SHOWN = 24


def write_limits_and_units(apps, schema_editor):
    """Write what documents say by themselves; models and emblems come with the next edit."""
    rosters = apps.get_model("roster", "Roster").objects
    for roster in (
        rosters.only("pk", "document", "version__points_id").select_related("version").iterator(chunk_size=500)
    ):
        document = json.loads(roster.document)
        rosters.filter(pk=roster.pk).update(
            limit=find_limit(document, roster.version.points_id),
            units=list(count_units(document.get("forces", ())))[:SHOWN],
        )


def find_limit(document, points_id):
    limits = (limit["value"] for limit in document.get("limits", ()) if limit["type_id"] == points_id)
    value = str(next(limits, "-1"))
    return "" if value.startswith("-") else value


def count_units(forces):
    for force in forces:
        for unit in force.get("selections", ()):
            yield unit.get("custom_name") or unit.get("name", ""), unit.get("number", 1), ""
        yield from count_units(force.get("forces", ()))


class Migration(migrations.Migration):
    dependencies = [("roster", "0013_move_play")]

    operations = [
        migrations.AddField(model_name="roster", name="limit", field=models.CharField(blank=True, max_length=40)),
        migrations.AddField(model_name="roster", name="units", field=models.JSONField(default=list, editable=False)),
        migrations.RunPython(write_limits_and_units, migrations.RunPython.noop),
    ]
