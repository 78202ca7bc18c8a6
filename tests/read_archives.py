"""Archives of community data, read once: tests of a game do not care how its files are read, which takes seconds."""

from functools import lru_cache
from pathlib import Path

from catalogue.formats.battlescribe.reader import ReadResult, read_path
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.services.community_import import ImportOutcome, store_import
from tests.stored_readings import read_stored


# Two at a time: each is some hundred megabytes.
@lru_cache(maxsize=2)
def read_archive(path: Path) -> ReadResult:
    """Return what `read_path` reads from an archive beside the project, which no test changes."""
    return read_stored(f"archive-{path.parent.name}-{path.stem}", [path], lambda: read_path(path))


def read_rules(path: Path) -> Ruleset:
    """Return the rules of the first game in an archive."""
    data = read_archive(path).data
    assert data is not None, path
    return compile_ruleset(data)


def import_archive(path: Path) -> ImportOutcome:
    """Import an archive as `import_path` does into a site without games of the community."""
    return store_import(path.name, read_archive(path), hold=False)
