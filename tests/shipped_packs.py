"""The packs that ship, read and compiled once in a process: reading them anew took a fifth of the time of all tests.

What was read is stored in pytest's cache for the next process, until a file of the pack or the code that reads it is
another.
"""

import hashlib
import os
import pickle
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.game_info import GameInfo
from tests.installed_once import install_once

CODE = SHIPPED.parent
_folders: list[Path] = []
"""Where packs are stored that were read; empty without pytest's cache."""


def store_packs(config: pytest.Config) -> None:
    """Store the packs that this process reads in pytest's cache, if it has one."""
    stored = getattr(config, "cache", None)  # `-p no:cacheprovider` leaves the attribute out
    _folders[:] = [stored.mkdir("packs")] if stored is not None else []


@cache
def _read_once(path: Path, instead: Path | None) -> LoadedPack:
    if not _folders:
        return read_pack(path, instead)
    digest = hashlib.sha256(sys.version.encode())
    for file in (*_list_code(), *sorted(path.parent.rglob("*.*"))):
        if file.is_file():
            digest.update(f"{file}\n".encode() + file.read_bytes())
    name = "-".join((path.parent.name, path.name, instead.parent.name if instead else ""))
    stored = _folders[0] / f"{name}.pickle"
    if stored.exists():
        written = stored.read_bytes()
        if written.startswith(digest.digest()):
            return pickle.loads(written[digest.digest_size :])
    loaded = read_pack(path, instead)
    unfinished = stored.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(digest.digest() + pickle.dumps(loaded, pickle.HIGHEST_PROTOCOL))
    unfinished.replace(stored)
    return loaded


def _list_code() -> Iterator[Path]:
    return (file for file in sorted(CODE.rglob("*.py")) if SHIPPED not in file.parents)


def read_shipped(path: Path, instead: Path | None = None) -> LoadedPack:
    """Return what `read_pack` reads from a folder of a pack that ships, whose files no test changes."""
    assert SHIPPED in path.parents, f"{path} is no pack that ships"
    return _read_once(path, instead)


@cache
def _compile_once(path: Path, instead: Path | None) -> Ruleset:
    loaded = read_shipped(path, instead)
    assert loaded.data is not None, loaded.diagnostics
    return compile_ruleset(loaded.data)


def read_ruleset(path: Path, instead: Path | None = None) -> Ruleset:
    """Return the rules of a pack that ships, or those with the units of another folder."""
    return _compile_once(path, instead)


def install_shipped(path: Path) -> PackVersion:
    """Install a pack that ships as the current version of its game, without reading its files again."""
    loaded = read_shipped(path)
    assert loaded.pack is not None
    assert loaded.data is not None
    return install_once(GameInfo.from_pack(loaded.pack), loaded.data)
