import json

from django.db import migrations, models

from catalogue.services.texts import fold_text

LENGTH = 400


def units_to_search_in(apps, schema_editor):
    rosters = apps.get_model("roster", "Roster").objects
    for roster in rosters.only("pk", "name", "document").iterator(chunk_size=500):
        words = " ".join(units_of(json.loads(roster.document).get("forces", ())))
        text = "\n".join((fold_text(roster.name), " ".join(dict.fromkeys(fold_text(words).split()))))
        rosters.filter(pk=roster.pk).update(search_text=text[:LENGTH].rstrip())


def units_of(forces):
    for force in forces:
        for unit in force.get("selections", ()):
            yield f"{unit.get('custom_name', '')} {unit.get('name', '')}"
        yield from units_of(force.get("forces", ()))


def names_alone(apps, schema_editor):
    rosters = apps.get_model("roster", "Roster").objects
    for roster in rosters.only("pk", "name").iterator():
        rosters.filter(pk=roster.pk).update(search_text=fold_text(roster.name)[:200])


class Migration(migrations.Migration):
    dependencies = [("roster", "0009_mission_decks")]

    operations = [
        migrations.AlterField(
            model_name="roster", name="search_text", field=models.CharField(blank=True, max_length=LENGTH)
        ),
        migrations.RunPython(units_to_search_in, names_alone),
    ]
