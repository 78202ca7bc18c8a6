from typing import Any

import zstandard
from django.db import migrations, models

LONGEST = 16 * 2**20


def write_texts_back(apps: Any, schema_editor: Any) -> None:
    """Write each packed document as text again, list by list: else the version before would have lost them."""
    revisions = apps.get_model("roster", "RosterRevision").objects.order_by("number")
    packed = revisions.filter(packed__isnull=False)
    for roster in packed.order_by("roster").values_list("roster", flat=True).distinct():
        base, whole = 0, ""
        for key, number in packed.filter(roster=roster).values_list("pk", "base"):
            # What others are stored as differences from comes before them, and is text by then.
            if number != base:
                base, whole = number, revisions.get(roster=roster, number=number).text if number else ""
            text = unpack_text(bytes(revisions.values_list("packed", flat=True).get(pk=key)), whole)
            revisions.filter(pk=key).update(text=text)


def unpack_text(packed: bytes, base: str) -> str:
    known = zstandard.ZstdCompressionDict(base.encode(), dict_type=zstandard.DICT_TYPE_RAWCONTENT) if base else None
    return zstandard.ZstdDecompressor(dict_data=known).decompress(packed, max_output_size=LONGEST).decode()


class Migration(migrations.Migration):
    dependencies = [("roster", "0015_player_names")]

    operations = [
        # The column stays as it is, so that a server of the version before goes on writing to it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="rosterrevision", name="document"),
                migrations.AddField(
                    model_name="rosterrevision",
                    name="text",
                    field=models.TextField(db_column="document", blank=True),
                    preserve_default=False,
                ),
            ]
        ),
        migrations.AlterField(
            model_name="rosterrevision",
            name="text",
            field=models.TextField(blank=True, db_column="document", db_default=""),
        ),
        migrations.AddField(model_name="rosterrevision", name="packed", field=models.BinaryField(null=True)),
        migrations.AddField(
            model_name="rosterrevision", name="base", field=models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.RunPython(migrations.RunPython.noop, write_texts_back),
    ]
