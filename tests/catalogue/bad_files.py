"""Broken and malicious files: name, bytes, error code, file it names."""

import io
import stat
import zipfile
from typing import NamedTuple

from tests.catalogue.battlescribe_files import GAME, POND, game_files, packed, unit

MIB = 1024 * 1024


class Bad(NamedTuple):
    """A file `name` with the error `code` about the file or member `place`."""

    name: str
    data: bytes
    code: str
    place: str


def _linked() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("pond.cat")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


def _locked() -> bytes:
    data = bytearray(packed({"ducks.gst": GAME % ""}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    return bytes(data)


def _pond(text: str | bytes, code: str) -> Bad:
    return Bad("ducks.zip", packed({"ducks.gst": GAME % "", "pond.cat": text}), code, "ducks.zip/pond.cat")


_GROWING = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">'

BAD = {
    "half": Bad("ducks.gst", (GAME % "").encode()[:-30], "malformed-xml", "ducks.gst"),
    "half-of-it-in-json": Bad("ducks.json", b'{"gameSystem": {"id": "sys",', "malformed-json", "ducks.json"),
    "json-of-something-else": Bad("ducks.json", b'{"name": "ducks"}', "nothing-to-read", "ducks.json"),
    "deep-json": Bad("ducks.json", b'{"gameSystem": ' + b'{"a": ' * 100_000, "too-deep", "ducks.json"),
    "too-old": Bad("ducks.gst", (GAME % "").replace('"2.03"', '"1.15"').encode(), "old-format", "ducks.gst"),
    "entity-bomb": _pond(f"<!DOCTYPE c [{_GROWING}]><catalogue>&c;</catalogue>", "doctype"),
    "doctype": _pond("<?xml version='1.0'?>\n<!DOCTYPE catalogue><catalogue/>", "doctype"),
    "external-entity": _pond(
        '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><catalogue id="c" name="&x;"/>', "doctype"
    ),
    "a-million-deep": Bad("pond.cat", b"<catalogue>" + b"<a>" * 1_000_000, "too-deep", "pond.cat"),
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
