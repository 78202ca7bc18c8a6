"""Files in S3 object storage: docs/adr/0100. Used only if the environment names `S3_BUCKET`."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,  # noqa: A004 - of botocore, for a server that is gone
    HTTPClientError,
)
from django.core.files.base import File
from s3transfer.exceptions import RetriesExceededError
from storages.backends.s3 import S3Storage

from armybuilder.outage import Outage, StorageError

# A reader of a page waits for its photos, and a storage that hangs holds a thread for each.
CLIENT = Config(
    connect_timeout=2,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 2},
    # Storage from other makers does not support the checksums that Amazon introduced in 2025.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
# A backup fails as a whole if one file does.
PATIENT_CLIENT = CLIENT.merge(
    Config(connect_timeout=20, read_timeout=60, retries={"mode": "standard", "total_max_attempts": 5})
)


class ObjectStorage(S3Storage):  # type: ignore[misc]  # its library has no types
    """Raises OSError like a folder, so that callers need not know where files are; a StorageError if it fails. While it
    does not answer, most callers get the error at once.
    """

    client_config = CLIENT

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._outage = Outage("The object storage")

    def get_default_settings(self) -> dict[str, Any]:
        # The client retries already.
        once = TransferConfig(num_download_attempts=1)
        return {**super().get_default_settings(), "transfer_config": once}

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        with self._raise_os_errors():
            opened: File[bytes] = super()._open(name, mode)
            # Download now: by default the library downloads on the first read, outside this block.
            _ = opened.file
            return opened

    def _save(self, name: str, content: File[bytes]) -> str:
        with self._raise_os_errors():
            stored: str = super()._save(name, content)
            return stored

    def delete(self, name: str) -> None:
        with self._raise_os_errors():
            super().delete(name)

    def exists(self, name: str) -> bool:
        with self._raise_os_errors():
            return bool(super().exists(name))

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with self._raise_os_errors():
            folders, files = super().listdir(path)
            return folders, files

    def get_modified_time(self, name: str) -> datetime:
        with self._raise_os_errors():
            modified: datetime = super().get_modified_time(name)
            return modified

    @contextmanager
    def _raise_os_errors(self) -> Iterator[None]:
        if not self._outage.may_ask():
            raise StorageError("Object storage: it did not answer some seconds ago")
        try:
            yield
        except FileNotFoundError:
            self._outage.end()
            raise
        except ClientError as error:
            self._outage.end()
            kind = FileNotFoundError if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404 else StorageError
            raise kind(f"Object storage: {error}") from error
        except (HTTPClientError, ConnectionError, RetriesExceededError) as error:
            self._outage.begin(error)
            raise StorageError(f"Object storage: {error}") from error
        except BotoCoreError as error:
            raise StorageError(f"Object storage: {error}") from error
        self._outage.end()


class PatientObjectStorage(ObjectStorage):
    """Waits minutes for an answer."""

    client_config = PATIENT_CLIENT
