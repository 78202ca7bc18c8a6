"""Slow readings, stored in pytest's cache until their files or our code change.

Of processes that need the same reading, the first reads and the others wait for what it stores.
"""

import fcntl
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from catalogue.formats.packs.load import SHIPPED

Reading = TypeVar("Reading")
CODE = SHIPPED.parent
_folders: list[Path] = []
"""Where readings are stored; empty without pytest's cache."""


def store_readings(config: pytest.Config) -> None:
    """Store the readings of this process in pytest's cache, if there is one."""
    stored = getattr(config, "cache", None)  # `-p no:cacheprovider` leaves the attribute out
    _folders[:] = [stored.mkdir("packs")] if stored is not None else []


def read_stored(name: str, files: Iterable[Path], read: Callable[[], Reading]) -> Reading:
    """Return what `read` makes of the files, from the cache if possible. The name is a file name."""
    if not _folders:
        return read()
    digest = hashlib.sha256(_hash_code())
    for file in files:
        digest.update(f"{file}\n".encode() + file.read_bytes())
    stored = _folders[0] / f"{name}.pickle"
    with stored.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stored.exists():
            written = stored.read_bytes()
            if written.startswith(digest.digest()):
                return pickle.loads(written[digest.digest_size :])
        reading = read()
        unfinished = stored.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(digest.digest() + pickle.dumps(reading, pickle.HIGHEST_PROTOCOL))
        unfinished.replace(stored)
        return reading


@cache
def _hash_code() -> bytes:
    digest = hashlib.sha256(sys.version.encode())
    for file in sorted(CODE.rglob("*.py")):
        if SHIPPED not in file.parents:
            digest.update(f"{file}\n".encode() + file.read_bytes())
    return digest.digest()
