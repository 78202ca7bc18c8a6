"""Archives of community data, read once per process, because reading takes seconds."""

from functools import lru_cache
from pathlib import Path

from catalogue.formats.battlescribe.reader import ReadResult, read_path
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.services.community_import import ImportOutcome, store_import
from tests.stored_readings import read_stored


# Two at a time: each takes some hundred megabytes.
@lru_cache(maxsize=2)
def read_archive(path: Path) -> ReadResult:
    """Return the result of `read_path` for an archive of the shared folder, which tests must not change."""
    return read_stored(f"archive-{path.parent.name}-{path.stem}", [path], lambda: read_path(path))


def read_rules(path: Path, game: int = 0) -> Ruleset:
    """Compile one of the games of an archive, which usually has only one."""
    games = read_archive(path).games
    assert game < len(games), path
    return compile_ruleset(games[game].data)


def import_archive(path: Path) -> ImportOutcome:
    """Import an archive as `import_path` does into a site without community games."""
    return store_import(path.name, read_archive(path), hold=False)
