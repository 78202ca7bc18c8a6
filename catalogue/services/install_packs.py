"""Install changed packs from files into the database."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from catalogue.definitions.diagnostics import Diagnostic
from catalogue.formats.packs.load import read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.models import GameSystem, PackVersion
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version

READERS = ("definitions", "graph", "formats/packs", "models", "services")
"""The code that decides what is stored. If it changes, packs are read again."""


@dataclass(frozen=True, slots=True)
class PackInstallation:
    """`version` is None if the pack was refused, `reading` if its files were not read again."""

    path: Path
    version: PackVersion | None
    source_hash: str
    reading: LoadedPack | None = None

    @property
    def unchanged(self) -> bool:
        return self.reading is None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.reading.diagnostics if self.reading else ()


def install_pack(path: Path, *, hold: bool = False) -> PackInstallation:
    """Install a pack unless it is unchanged or has errors. `hold` delays publishing."""
    source_hash = hash_pack(path)
    existing = GameSystem.objects.filter(source_hash=source_hash).select_related("current__game").first()
    if existing:
        return PackInstallation(path, existing.shown_version, source_hash)
    reading = read_pack(path)
    if reading.pack is None or reading.data is None:
        return PackInstallation(path, None, source_hash, reading)
    version = install_version(GameInfo.from_pack(reading.pack, source_hash), reading.data, hold=hold)
    return PackInstallation(path, version, source_hash, reading)


def hash_pack(path: Path) -> str:
    """Return the SHA-256, in hex, of a pack's files and the code that reads them."""
    return sha256(hash_of_files(path, path.rglob("*")) + hash_of_code(READERS)).hexdigest()


@cache
def hash_of_code(parts: tuple[str, ...]) -> bytes:
    root = Path(__file__).resolve().parents[1]
    return hash_of_files(root, (file for part in parts for file in (root / part).rglob("*.py")))


def hash_of_files(root: Path, files: Iterable[Path]) -> bytes:
    """Return the SHA-256 digest of contents and paths below `root`."""
    whole = sha256()
    for file in sorted(file for file in files if file.is_file()):
        whole.update(str(file.relative_to(root)).encode())
        whole.update(sha256(file.read_bytes()).digest())
    return whole.digest()
