"""Files in the default storage: a folder, or a bucket (docs/adr/0100)."""

from collections.abc import Collection, Iterator
from datetime import timedelta
from pathlib import PurePosixPath

from django.core.files.storage import Storage, default_storage
from django.db import transaction
from django.utils import timezone

NEW_FILE = timedelta(days=1)
"""A file this young may belong to a row that is not stored yet."""


def read_file(name: str) -> bytes:
    """Read a file; b"" if the storage has lost it. Raises OSError if the storage does not answer."""
    try:
        with default_storage.open(name) as opened:
            content: bytes = opened.read()
            return content
    except FileNotFoundError:
        return b""


def delete_after_commit(name: str) -> None:
    """Delete a file once the transaction is stored. If the storage fails, the file is unused and deleted later."""

    def delete() -> None:
        default_storage.delete(name)

    # Django logs a failure by the function's name, which a partial function lacks.
    transaction.on_commit(delete, robust=True)


def list_stored_files(folder: str, storage: Storage = default_storage) -> Iterator[str]:
    try:
        folders, _files = storage.listdir(folder)
    except FileNotFoundError:
        return
    for inner in folders:
        _folders, files = storage.listdir(f"{folder}/{inner}")
        yield from (str(PurePosixPath(folder, inner, name)) for name in files)


def delete_unused_files(folder: str, used: Collection[str]) -> int:
    """Delete files that no row names, left by crashes or a restored database; return the number.

    If nothing is used, delete nothing: the database is probably another one.
    """
    if not used:
        return 0
    deleted = 0
    until = timezone.now() - NEW_FILE
    for name in list_stored_files(folder):
        if name not in used and default_storage.get_modified_time(name) < until:
            default_storage.delete(name)
            deleted += 1
    return deleted
