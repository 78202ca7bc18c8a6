"""Find storages other than the default one."""

from django.core.files.storage import InvalidStorageError, Storage, default_storage, storages

SHARED, PATIENT = "shared", "patient"
"""Names in the setting `STORAGES`."""


def find_shared_storage() -> Storage | None:
    """Find the storage that a site's machines share for files that each could make again.

    Return None for a site of one machine, whose folders are enough.
    """
    try:
        return storages[SHARED]
    except InvalidStorageError:
        return None


def find_patient_storage() -> Storage:
    """Return the default storage, with longer waits for an answer if the storage is on another machine.

    Only for commands: a request would hold its thread.
    """
    try:
        return storages[PATIENT]
    except InvalidStorageError:
        return default_storage
