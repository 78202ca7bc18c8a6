import zlib
from typing import Any

import zstandard
from django.db import migrations


def pack_by_zlib(apps: Any, schema_editor: Any) -> None:
    """Pack each document as the version before does: else it could not read them."""
    bodies = apps.get_model("catalogue", "DocumentBody").objects
    # One by one: a game of many files takes a hundred megabytes unpacked.
    for key in list(bodies.values_list("pk", flat=True)):
        row = bodies.filter(pk=key)
        packed = bytes(row.values_list("body", flat=True).get())
        if packed.startswith(zstandard.FRAME_HEADER):
            row.update(body=zlib.compress(zstandard.ZstdDecompressor().decompress(packed), 3))


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0014_job_language")]

    # What is there stays as it is, so that a server of the version before goes on reading it.
    operations = [migrations.RunPython(migrations.RunPython.noop, pack_by_zlib)]
