"""Shipped packs, read and compiled once per process: reading them anew took a fifth of the time of all tests."""

from functools import cache
from pathlib import Path

from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.game_info import GameInfo
from tests.installed_once import install_once
from tests.stored_readings import read_stored


@cache
def _read_once(path: Path, instead: Path | None) -> LoadedPack:
    name = "-".join((path.parent.name, path.name, instead.parent.name if instead else ""))
    files = [file for file in sorted(path.parent.rglob("*.*")) if file.is_file()]
    return read_stored(name, files, lambda: read_pack(path, instead))


def read_shipped(path: Path, instead: Path | None = None) -> LoadedPack:
    """Return the result of `read_pack` for a shipped pack, whose files no test changes."""
    assert SHIPPED in path.parents, f"{path} is no pack that ships"
    return _read_once(path, instead)


@cache
def _compile_once(path: Path, instead: Path | None) -> Ruleset:
    loaded = read_shipped(path, instead)
    assert loaded.data is not None, loaded.diagnostics
    return compile_ruleset(loaded.data)


def read_ruleset(path: Path, instead: Path | None = None) -> Ruleset:
    """Return the rules of a shipped pack, or with the units of another folder."""
    return _compile_once(path, instead)


def install_shipped(path: Path) -> PackVersion:
    """Install a shipped pack as the current version of its game, without reading its files again."""
    loaded = read_shipped(path)
    assert loaded.pack is not None
    assert loaded.data is not None
    return install_once(GameInfo.from_pack(loaded.pack), loaded.data)
