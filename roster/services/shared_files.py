"""Find the storage that a site's machines share for files that each could make again."""

from django.core.files.storage import InvalidStorageError, Storage, storages

SHARED = "shared"
"""The name in the setting `STORAGES`."""


def find_shared_storage() -> Storage | None:
    """Return None for a site of one machine, whose folders are enough."""
    try:
        return storages[SHARED]
    except InvalidStorageError:
        return None
