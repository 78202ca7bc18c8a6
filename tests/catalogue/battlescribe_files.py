"""Tiny invented games as BattleScribe files."""

import io
import zipfile

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.entries import Entry
from catalogue.formats.battlescribe.limits import LIMITS, ReadLimits
from catalogue.formats.battlescribe.reader import ReadResult, read_bytes

GAME = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<gameSystem id="sys" name="Ducks and Drakes" revision="3" battleScribeVersion="2.03"
            xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
  <costTypes><costType id="pts" name="crumbs" defaultCostLimit="-1.0" hidden="false"/></costTypes>
  <categoryEntries><categoryEntry id="bird" name="Bird" hidden="false"/></categoryEntries>
  %s
</gameSystem>"""

POND = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<catalogue id="pond" name="The Pond" revision="7" battleScribeVersion="2.03" library="false"
           gameSystemId="sys" gameSystemRevision="3" xmlns="http://www.battlescribe.net/schema/catalogueSchema">
%s
</catalogue>"""


def packed(files: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of `files`, always with the same bytes, because they are in the names of tests."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = compression
            archive.writestr(info, text)
    return buffer.getvalue()


def game_files(pond: str = "", game: str = "") -> dict[str, str | bytes]:
    return {"ducks.gst": GAME % game, "pond.cat": POND % pond}


def read_game(pond: str = "", game: str = "", limits: ReadLimits = LIMITS) -> ReadResult:
    return read_bytes("ducks.zip", packed(game_files(pond, game)), limits=limits)


def read_pond(pond: str) -> Catalogue:
    """Return the catalogue with these contents, read without findings."""
    result = read_game(pond)
    assert result.diagnostics == ()
    assert result.data is not None
    return next(c for c in result.data.catalogues if c.id == "pond")


def read_entry(inside: str, attributes: str = "") -> Entry:
    return read_pond(unit(inside, attributes)).entries[0]


def unit(inside: str = "", attributes: str = "", ident: str = "duck") -> str:
    return f"""<selectionEntries>
  <selectionEntry id="{ident}" name="Duck" type="unit" {attributes}>
{inside}
  </selectionEntry>
</selectionEntries>"""


def codes(result: ReadResult) -> list[str]:
    return sorted(found.code for found in result.diagnostics)
