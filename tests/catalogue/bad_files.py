"""Files that are broken or mean harm, as somebody may send them: name, bytes, code of the error, file it names."""

import io
import stat
import zipfile
from typing import NamedTuple

from tests.catalogue.battlescribe_files import GAME, POND, game_files, packed, unit

MIB = 1024 * 1024
SHARED = "<sharedSelectionEntries>%s</sharedSelectionEntries>"
LINK = '<entryLinks><entryLink id="l-%s" name="" targetId="%s" type="selectionEntry"/></entryLinks>'


class Bad(NamedTuple):
    """A file called `name`; what is wrong with it is said by `code`, about the file or member `place`."""

    name: str
    data: bytes
    code: str
    place: str


def _circle() -> str:
    def entry(ident: str, target: str) -> str:
        return f'<selectionEntry id="{ident}" name="{ident}" type="model">{LINK % (ident, target)}</selectionEntry>'

    return SHARED % (entry("hen", "egg") + entry("egg", "hen"))


def _linked() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("pond.cat")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


def _locked() -> bytes:
    data = bytearray(packed(game_files()))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    return bytes(data)


def _pond(text: str | bytes, code: str) -> Bad:
    return Bad("ducks.zip", packed({"ducks.gst": GAME % "", "pond.cat": text}), code, "ducks.zip/pond.cat")


_GROWING = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">'

BAD = {
    "entity-bomb": _pond(f"<!DOCTYPE c [{_GROWING}]><catalogue>&c;</catalogue>", "doctype"),
    "doctype": _pond("<?xml version='1.0'?>\n<!DOCTYPE catalogue><catalogue/>", "doctype"),
    "external-entity": _pond(
        '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><catalogue id="c" name="&x;"/>', "doctype"
    ),
    "half": _pond("<catalogue", "malformed-xml"),
    "a-million-deep": Bad("pond.cat", b"<catalogue>" + b"<a>" * 1_000_000, "too-deep", "pond.cat"),
    "duplicate-ids": _pond(POND % (unit() + unit()), "duplicate-definition"),
    "circle-of-links": _pond(POND % _circle(), "link-cycle"),
    "zip-bomb": _pond(POND % (" " * 20 * MIB), "zip-bomb"),
    "bomb-in-a-packed-file": Bad(
        "ducks.zip",
        packed({"ducks.gst": GAME % "", "pond.catz": packed({"pond.cat": b" " * 20 * MIB})}),
        "zip-bomb",
        "ducks.zip/pond.catz/pond.cat",
    ),
    "climbing": Bad("ducks.zip", packed({"../ducks.gst": GAME % ""}), "climbing-path", "ducks.zip"),
    "link-to-a-file": Bad("ducks.zip", _linked(), "symlink", "ducks.zip/pond.cat"),
    "password": Bad("ducks.zip", _locked(), "encrypted", "ducks.zip/ducks.gst"),
    "truncated": Bad("ducks.zip", packed(game_files())[:-30], "broken-archive", "ducks.zip"),
    "no-archive": Bad("ducks.zip", b"quack", "broken-archive", "ducks.zip"),
    "empty": Bad("ducks.zip", b"", "empty-file", "ducks.zip"),
    "no-game-system": Bad("pond.cat", (POND % unit()).encode(), "no-game-system", "pond.cat"),
    "a-roster": Bad("ducks.gst", b"<roster/>", "wrong-root", "ducks.gst"),
    "a-picture": Bad("ducks.png", b"quack", "unknown-file-type", "ducks.png"),
}
