"""Store the content of a catalogue once, and what units are found by once for all factions that offer them.

Rows of units of community data that is not the current one, and those of its options, are deleted: nothing reads them.
"""

from typing import Any

from django.db import migrations

BATCH = 500


def share_contents(apps: Any, schema_editor: Any) -> None:
    document_model = apps.get_model("catalogue", "CatalogueDocument")
    body_model = apps.get_model("catalogue", "DocumentBody")
    seen: set[str] = set()
    for key, content_hash in list(document_model.objects.values_list("pk", "content_hash")):
        if content_hash not in seen:
            seen.add(content_hash)
            body = document_model.objects.values_list("body", flat=True).get(pk=key)
            body_model.objects.create(content_hash=content_hash, body=body)


def share_texts(apps: Any, schema_editor: Any) -> None:
    version_model = apps.get_model("catalogue", "PackVersion")
    option_model = apps.get_model("catalogue", "Option")
    unit_model = apps.get_model("catalogue", "UnitEntry")
    for version in version_model.objects.all():
        units = unit_model.objects.filter(faction__version=version)
        if version.source == "battlescribe":
            option_model.objects.filter(unit__faction__version=version).delete()
            if version.game.current_id != version.pk:
                units.delete()
                continue
        share_texts_of(apps, version, units)


def share_texts_of(apps: Any, version: Any, units: Any) -> None:
    text_model = apps.get_model("catalogue", "UnitText")
    texts: dict[tuple[str, str], Any] = {}
    changed = []
    for unit in units.only("pk", "terms", "search_text").iterator(chunk_size=BATCH):
        key = (unit.search_text, str(unit.terms))
        if key not in texts:
            texts[key] = text_model.objects.create(version=version, terms=unit.terms, search_text=unit.search_text)
        changed.append(unit_with_text(unit, texts[key]))
    units.model.objects.bulk_update(changed, ["texts"], batch_size=BATCH)


def unit_with_text(unit: Any, text: Any) -> Any:
    unit.texts = text
    return unit


def write_texts_back(apps: Any, schema_editor: Any) -> None:
    """Write what units are found by beside each of them again."""
    unit_model = apps.get_model("catalogue", "UnitEntry")
    with_texts = unit_model.objects.filter(texts__isnull=False).order_by("pk").select_related("texts")
    last = 0
    while units := list(with_texts.filter(pk__gt=last)[:BATCH]):
        for unit in units:
            unit.terms, unit.search_text = unit.texts.terms, unit.texts.search_text
        unit_model.objects.bulk_update(units, ["terms", "search_text"])
        last = units[-1].pk


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0010_shared_contents")]

    operations = [
        migrations.RunPython(share_contents, migrations.RunPython.noop),
        migrations.RunPython(share_texts, write_texts_back),
    ]
