"""Import community data from bytes, as the command does from a file."""

import tempfile
from pathlib import Path

from catalogue.services.community_import import ImportOutcome, import_path


def import_bytes(name: str, data: bytes, *, hold: bool = False) -> ImportOutcome:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return import_path(path, hold=hold)
