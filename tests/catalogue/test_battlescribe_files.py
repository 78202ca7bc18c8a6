"""All forms of data: single files, packed files, archives, folders."""

import gc
from pathlib import Path

import pytest

from catalogue.formats.battlescribe.reader import ReadResult, read_bytes, read_path
from tests.catalogue.battlescribe_files import GAME, POND, game_files, packed, unit

SYSTEM = (GAME % "").encode()
CATALOGUE = (POND % unit()).encode()


def ids(result: ReadResult) -> set[str]:
    assert result.diagnostics == ()
    assert result.data is not None
    return {c.id for c in result.data.catalogues}


ARCHIVES = {
    "plain.zip": packed({"a.gst": SYSTEM, "b.cat": CATALOGUE}),
    "plain.bsr": packed({"a.gst": SYSTEM, "b.cat": CATALOGUE, "index.xml": "<index/>"}),
    "repository.zip": packed({"game-1.2/a.gst": SYSTEM, "game-1.2/b.cat": CATALOGUE, "game-1.2/README.md": "# Hello"}),
    "packed.zip": packed({"a.gstz": packed({"a.gst": SYSTEM}), "b.catz": packed({"odd name": CATALOGUE})}),
    "mixed.zip": packed({"a.gst": SYSTEM, "b.catz": CATALOGUE}),
    "UPPER.ZIP": packed({"A.GST": SYSTEM, "B.CAT": CATALOGUE}),
    "from-a-mac.zip": packed({"a.gst": SYSTEM, "b.cat": CATALOGUE, "__MACOSX/._b.cat": "\0\5\26\7"}),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives(name: str) -> None:
    assert ids(read_bytes(name, ARCHIVES[name])) == {"sys", "pond"}


@pytest.mark.parametrize(("name", "data"), [("a.gst", SYSTEM), ("a.gstz", packed({"a.gst": SYSTEM}))])
def test_single_files(name: str, data: bytes, tmp_path: Path) -> None:
    assert ids(read_bytes(name, data)) == {"sys"}
    (tmp_path / name).write_bytes(data)
    assert ids(read_path(tmp_path / name)) == {"sys"}


def test_folders(tmp_path: Path) -> None:
    inner = tmp_path / "data"
    inner.mkdir()
    (tmp_path / "a.gst").write_bytes(SYSTEM)
    (inner / "b.catz").write_bytes(packed({"b.cat": CATALOGUE}))
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "._a.gst").write_text("\0")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c.cat").write_text("<broken")
    assert ids(read_path(tmp_path)) == {"sys", "pond"}


def test_a_byte_order_mark() -> None:
    assert ids(read_bytes("a.gst", b"\xef\xbb\xbf" + SYSTEM)) == {"sys"}


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "iso-8859-15", "windows-1252"])
def test_the_encodings_of_old_editors(encoding: str) -> None:
    text = (POND % unit()).replace("UTF-8", encoding.upper()).replace("Duck", "Entchen für Émile")
    result = read_bytes("ducks.zip", packed({"a.gst": SYSTEM, "b.cat": text.encode(encoding)}))
    assert ids(result) == {"sys", "pond"}
    assert result.data
    assert result.data.catalogues[1].entries[0].name == "Entchen für Émile"


def test_blank_lines_above_it_all() -> None:
    assert ids(read_bytes("a.gst", b"\n \r\n" + SYSTEM)) == {"sys"}


def test_progress_ends_at_the_end() -> None:
    seen: list[tuple[int, int]] = []
    read_bytes("d.zip", packed(game_files()), progress=lambda done, total: seen.append((done, total)))
    assert len(seen) == 2
    assert seen[-1][0] == seen[-1][1]


def test_the_garbage_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    read_bytes("a.gst", SYSTEM)
    assert gc.isenabled()


def test_equal_files_give_equal_data() -> None:
    assert read_bytes("d.zip", ARCHIVES["plain.zip"]).data == read_bytes("e.zip", ARCHIVES["repository.zip"]).data
