"""Broken and malicious files give a clear error with file and place, and nothing is imported."""

import io
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.formats.battlescribe.limits import LIMITS, MIB
from catalogue.formats.battlescribe.reader import ReadResult, read_bytes, read_path
from tests.catalogue.battlescribe_files import GAME, POND, game_files, packed, read_entry, read_game, unit

LINK = '<entryLinks><entryLink id="%s" name="%s" targetId="%s" type="selectionEntry"/></entryLinks>'


def only_error(result: ReadResult) -> Diagnostic:
    assert result.data is None
    (error,) = [found for found in result.diagnostics if found.level is Level.ERROR]
    assert error.message
    return error


def error_in(pond: str | bytes) -> Diagnostic:
    return only_error(read_bytes("ducks.zip", packed({"ducks.gst": GAME % "", "pond.cat": pond})))


HARMFUL = {
    "doctype": ("<?xml version='1.0'?>\n<!DOCTYPE catalogue>\n<catalogue/>", "doctype", 2),
    "external-entity": (
        '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><catalogue id="c" name="&x;"/>',
        "doctype",
        1,
    ),
    "entity-bomb": (
        '<!DOCTYPE c [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><catalogue>&c;</catalogue>',
        "doctype",
        1,
    ),
    "doctype-in-utf-16": ("<!DOCTYPE x><catalogue/>".encode("utf-16"), "doctype", 1),
    "doctype-in-utf-16-that-does-not-say-so": (
        "<?xml version='1.0'?><!DOCTYPE x><catalogue/>".encode("utf-16-le"),
        "doctype",
        1,
    ),
    "doctype-behind-a-comment": ("\ufeff<!-- <a> -->\n<?note <b> ?>\n<!DOCTYPE x><catalogue/>", "doctype", 3),
}
BROKEN = {
    "empty": ("", "empty-file", 0),
    "blank": (" \n ", "empty-file", 0),
    "cut-short": ("<catalogue id='x'>\n<selectionEntries>", "malformed-xml", 2),
    "doctype-inside": ("<catalogue>\n<!DOCTYPE x></catalogue>", "malformed-xml", 2),
    "no-xml": ("quack", "malformed-xml", 1),
    "wrong-root": ("<roster/>", "wrong-root", 1),
    "web-page": ("<html/>", "wrong-root", 1),
    "half-utf-16": (b"\xff\xfe<\x00c", "wrong-encoding", 1),
    "not-utf-8": (b"<catalogue>\n<a b='\xe4'/></catalogue>", "wrong-encoding", 2),
    "utf-7": ("<?xml version='1.0' encoding='UTF-7'?><catalogue/>", "wrong-encoding", 1),
}
ODD = {
    "bad-number": (POND % unit('<costs><cost name="c" typeId="pts" value="many"/></costs>'), "bad-number", 6),
    "endless-number": (POND % unit('<costs><cost typeId="pts" value="1e999999999"/></costs>'), "bad-number", 6),
    "no-number": (POND % unit('<costs><cost typeId="pts" value="NaN"/></costs>'), "bad-number", 6),
    "missing-id": (
        POND % unit('<selectionEntries><selectionEntry name="E" type="model"/></selectionEntries>'),
        "missing-id",
        6,
    ),
    "long-id": (
        POND % unit(f'<selectionEntries><selectionEntry id="{"e" * 201}" name="E" type="model"/></selectionEntries>'),
        "long-id",
        6,
    ),
    "control-characters": (POND % unit().replace("Duck", "Du\x1ack&#x1B;"), "control-characters", 5),
}


@pytest.mark.parametrize(("text", "code", "line"), HARMFUL.values(), ids=HARMFUL)
def test_what_means_harm_refuses_everything(text: str | bytes, code: str, line: int) -> None:
    error = error_in(text)
    assert (error.code, error.file, error.line) == (code, "ducks.zip/pond.cat", line)


@pytest.mark.parametrize(("text", "code", "line"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_read_is_left_out(text: str | bytes, code: str, line: int) -> None:
    data, flaw = left_out_of(text)
    assert (flaw.code, flaw.file, flaw.line) == (code, "ducks.zip/pond.cat", line)
    assert [catalogue.id for catalogue in data.catalogues] == ["sys"]


@pytest.mark.parametrize(("text", "code", "line"), ODD.values(), ids=ODD)
def test_what_is_odd_in_a_file_leaves_the_rest(text: str | bytes, code: str, line: int) -> None:
    data, flaw = left_out_of(text)
    assert (flaw.code, flaw.file, flaw.line) == (code, "ducks.zip/pond.cat", line)
    assert [catalogue.entries[0].id for catalogue in data.catalogues[1:]] == ["duck"]


def left_out_of(pond: str | bytes) -> tuple[DataSet, Diagnostic]:
    """Return the data of a game with a catalogue of this text, and its only finding."""
    result = read_bytes("ducks.zip", packed({"ducks.gst": GAME % "", "pond.cat": pond}))
    assert result.data is not None
    (found,) = result.diagnostics
    assert found.level is not Level.ERROR
    return result.data, found


def test_a_text_may_speak_of_a_doctype() -> None:
    rule = '<rules><rule id="r" name="R"><description><![CDATA[<!DOCTYPE x>]]></description></rule></rules>'
    assert read_entry(rule).infos[0].description == "<!DOCTYPE x>"


def test_thousands_of_definitions_and_links_of_one_id_end_soon() -> None:
    entries = '<selectionEntry id="twin" name="Twin" type="model"/>' * 20_000
    links = "".join(
        f'<entryLink id="l{number}" name="" targetId="twin" type="selectionEntry"/>' for number in range(20_000)
    )
    game = f"<selectionEntries>{entries}</selectionEntries><entryLinks>{links}</entryLinks>"
    result = read_bytes("ducks.gst", (GAME % game).encode())
    assert [found.code for found in result.diagnostics] == ["duplicate-definition"]
    assert result.data is not None
    # Comparing each link with each definition would take too long for a test.
    ids = [entry.id for entry in result.data.game_system.entries]
    assert len(set(ids)) == len(ids) == 40_000
    assert {entry.target_id for entry in result.data.game_system.entries if entry.target_id} == {"twin"}


def test_thousands_of_containers_of_one_kind_are_one() -> None:
    rules = "".join(f'<rules><rule id="r{number}" name="R"/></rules>' for number in range(20_000))
    result = read_bytes("ducks.gst", (GAME % rules).encode())
    assert result.data is not None
    assert [rule.id for rule in result.data.game_system.infos] == [f"r{number}" for number in range(20_000)]


def test_a_million_deep_tree_ends_early_in_little_memory(tmp_path: Path) -> None:
    deep = tmp_path / "deep.cat"
    deep.write_bytes(b"<catalogue>" + b"<a>" * 1_000_000)
    flat = tmp_path / "flat.cat"
    flat.write_text("<catalogue/>")
    ended, peak = read_apart(deep)
    _, usual = read_apart(flat)
    assert ended == "too-deep"
    assert peak - usual < 32 * MIB


def read_apart(path: Path) -> tuple[str, int]:
    """Read a file in a separate process: return the code of its first finding and the peak memory in bytes."""
    program = """
import sys
from pathlib import Path
from catalogue.formats.battlescribe.reader import read_path
from tests.peak_memory import read_peak_memory
found = read_path(Path(sys.argv[1])).diagnostics[0].code
print(found, read_peak_memory())
"""
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    code, peak = done.stdout.split()
    return code, int(peak)


def test_deeply_nested_definitions() -> None:
    nested = ""
    for number in range(80):
        entry = f'<selectionEntry id="e{number}" name="" type="model">{nested}</selectionEntry>'
        nested = f"<selectionEntries>{entry}</selectionEntries>"
    assert error_in(POND % nested).code == "too-deep"


def test_more_elements_than_any_game_has() -> None:
    limits = replace(LIMITS, marks=1000)
    text = POND % unit("<comment/>" * 1000)
    error = only_error(read_bytes("d.zip", packed({"ducks.gst": GAME % "", "pond.cat": text}), limits=limits))
    assert (error.code, error.file) == ("too-large", "d.zip/pond.cat")


def read_cut(pond: str, code: str) -> tuple[Catalogue, Diagnostic]:
    """Read a catalogue whose links are cut: return what is left of it and the first finding."""
    result = read_game(pond)
    assert result.data is not None
    assert {found.code for found in result.diagnostics} == {code}
    return result.data.catalogues[1], result.diagnostics[0]


def test_a_circle_of_links_is_cut() -> None:
    shared = "<sharedSelectionEntries>%s</sharedSelectionEntries>"
    entry = '\n<selectionEntry id="%s" name="%s" type="model">%s</selectionEntry>'
    hen = entry % ("hen", "Hen", LINK % ("l1", "Egg", "egg"))
    egg = entry % ("egg", "Egg", LINK % ("l2", "Hen", "hen"))
    pond, flaw = read_cut(shared % (hen + egg), "link-cycle")
    assert flaw.line == 5
    assert "Hen > Egg > Hen" in flaw.message or "Egg > Hen > Egg" in flaw.message
    assert sum(len(entry.entries) for entry in pond.shared_entries) == 1
    assert [unchecked.code for unchecked in pond.unchecked] == ["link-cycle"]


def test_circles_across_files_are_cut() -> None:
    shared = "<sharedSelectionEntries>%s</sharedSelectionEntries>"
    entry = '<selectionEntry id="%s" name="%s" type="model">%s</selectionEntry>'
    files = game_files(shared % (entry % ("hen", "Hen", LINK % ("l1", "Egg", "egg"))))
    egg = shared % (entry % ("egg", "Egg", LINK % ("l2", "Hen", "hen") + LINK % ("l3", "Egg", "egg")))
    files["barn.cat"] = (POND % egg).replace('id="pond"', 'id="barn"')
    result = read_bytes("ducks.zip", packed(files))
    assert result.data is not None
    assert {found.code for found in result.diagnostics} == {"link-cycle"}
    links = [len(entry.entries) for catalogue in result.data.catalogues for entry in catalogue.shared_entries]
    assert sum(links) == 1


def test_a_circle_of_texts_is_cut() -> None:
    group = """<sharedInfoGroups><infoGroup id="g" name="Ways"><infoLinks>
      <infoLink id="l" name="Ways" targetId="g" type="infoGroup"/></infoLinks></infoGroup></sharedInfoGroups>"""
    pond, _ = read_cut(group, "link-cycle")
    assert [info.infos for info in pond.shared_infos] == [()]


def test_a_long_chain_of_links_is_cut() -> None:
    entry = '<selectionEntry id="e%d" name="E%d" type="model">%s</selectionEntry>'
    chain = "".join(entry % (n, n, LINK % (f"l{n}", "", f"e{n + 1}")) for n in range(3000))
    pond, _ = read_cut(
        f"<sharedSelectionEntries>{chain}{entry % (3000, 3000, '')}</sharedSelectionEntries>", "deep-links"
    )
    assert 2900 < sum(len(entry.entries) for entry in pond.shared_entries) < 3000


def test_every_broken_file_is_named() -> None:
    result = read_bytes("d.zip", packed({"a.cat": "<", "b.cat": "", "ducks.gst": GAME % ""}))
    assert [(found.file, found.code) for found in result.diagnostics] == [
        ("d.zip/a.cat", "malformed-xml"),
        ("d.zip/b.cat", "empty-file"),
    ]
    assert result.data is not None


def test_a_catalogue_without_a_game_system_is_refused() -> None:
    assert only_error(read_bytes("pond.cat", (POND % "").encode())).code == "no-game-system"


def test_several_game_systems_are_several_games() -> None:
    drakes = (GAME % "").replace('id="sys"', 'id="other"')
    lake = (POND % "").replace('id="pond"', 'id="lake"').replace('gameSystemId="sys"', 'gameSystemId="other"')
    lost = (POND % "").replace('id="pond"', 'id="lost"').replace('gameSystemId="sys"', 'gameSystemId="none"')
    files = game_files() | {"drakes.gst": drakes, "lake.cat": lake, "lost.cat": lost}
    result = read_bytes("d.zip", packed(files))
    assert [sorted(c.id for c in game.data.catalogues) for game in result.games] == [["lake", "other"], ["pond", "sys"]]
    assert [(found.code, found.file) for found in result.diagnostics] == [("no-game-system", "d.zip/lost.cat")]


@pytest.mark.parametrize(("revision", "kept"), [("8", "d.zip/again.cat"), ("6", "d.zip/pond.cat")])
def test_of_two_files_with_one_id_the_higher_revision_wins(revision: str, kept: str) -> None:
    again = (POND % "").replace('revision="7"', f'revision="{revision}"')
    result = read_bytes("d.zip", packed(game_files() | {"again.cat": again}))
    (flaw,) = result.diagnostics
    assert (flaw.code, flaw.level) == ("duplicate-catalogue", Level.FLAW)
    assert kept in flaw.message
    assert result.data is not None
    assert {c.id: c.revision for c in result.data.catalogues} == {"sys": "3", "pond": max(revision, "7")}


def test_forgotten_copies_are_passed_over() -> None:
    files = game_files() | {"Backups/old.cat": POND % "", "Backups/old.gst": "<broken"}
    result = read_bytes("d.zip", packed(files))
    assert [found.code for found in result.diagnostics] == ["backup", "backup"]
    assert result.data is not None
    assert len(result.data.catalogues) == 2


def test_nothing_to_read(tmp_path: Path) -> None:
    assert only_error(read_bytes("d.zip", packed({"readme.txt": "hello"}))).code == "nothing-to-read"
    assert only_error(read_bytes("d.zip", b"")).code == "empty-file"
    assert only_error(read_bytes("d.txt", b"hello")).code == "unknown-file-type"
    assert only_error(read_path(tmp_path)).code == "nothing-to-read"
    assert only_error(read_path(tmp_path / "absent.zip")).code == "unreadable"


@pytest.mark.parametrize("keep", [10, 200, -30])
def test_a_truncated_archive(keep: int) -> None:
    assert only_error(read_bytes("d.zip", packed(game_files())[:keep])).code == "broken-archive"


def test_a_damaged_member() -> None:
    data = bytearray(packed(game_files(), zipfile.ZIP_STORED))
    at = data.index(b"The Pond")
    data[at : at + 3] = b"abc"
    result = read_bytes("d.zip", bytes(data))
    assert [(found.code, found.file) for found in result.diagnostics] == [("broken-archive", "d.zip/pond.cat")]
    assert result.data is not None


@pytest.mark.parametrize("name", ["../pond.cat", "/pond.cat", "a/../../pond.cat", "..\\pond.cat", "C:\\pond.cat"])
def test_a_path_that_climbs(name: str) -> None:
    error = only_error(read_bytes("d.zip", packed({"ducks.gst": GAME % "", name: POND % ""})))
    assert error.code == "climbing-path"


def test_a_zip_bomb() -> None:
    bomb = POND % (" " * 20 * MIB)
    error = only_error(read_bytes("d.zip", packed({"pond.cat": bomb})))
    assert (error.code, error.file) == ("zip-bomb", "d.zip/pond.cat")


def test_a_bomb_that_lies_about_its_size() -> None:
    data = bytearray(packed({"pond.cat": b" " * 2 * MIB}))
    real = (2 * MIB).to_bytes(4, "little")
    while real in data:
        at = data.index(real)
        data[at : at + 4] = (100).to_bytes(4, "little")
    assert only_error(read_bytes("d.zip", bytes(data))).code in {"broken-archive", "zip-bomb"}


def test_a_bomb_inside_a_packed_file_inside_an_archive() -> None:
    inner = packed({"pond.cat": b" " * 20 * MIB})
    error = only_error(read_bytes("d.zip", packed({"pond.catz": inner})))
    assert (error.code, error.file) == ("zip-bomb", "d.zip/pond.catz/pond.cat")


def test_too_much_in_all() -> None:
    limits = replace(LIMITS, total_bytes=500)
    assert only_error(read_game(unit("<comment/>"), limits=limits)).code == "too-large"
    limits = replace(LIMITS, file_bytes=200)
    assert {d.code for d in read_game(unit("<comment/>"), limits=limits).diagnostics} == {"too-large"}
    limits = replace(LIMITS, archive_bytes=10)
    assert only_error(read_bytes("d.zip", packed(game_files()), limits=replace(limits, members=1))).code


def test_more_elements_than_fit_into_the_memory_are_refused_in_any_form() -> None:
    limits = replace(LIMITS, total_marks=100)
    assert only_error(read_game(unit("<comment/>" * 100), limits=limits)).code == "too-large"


def test_ids_that_differ_by_case_are_two() -> None:
    inside = '<selectionEntries><selectionEntry id="%s" name="%s" type="upgrade"/></selectionEntries>'
    result = read_game(unit(inside % ("bill", "Bill") + inside % ("BILL", "Beak")))
    assert result.diagnostics == ()
    assert result.data is not None
    assert [entry.id for entry in result.data.catalogues[1].entries[0].entries] == ["bill", "BILL"]


def test_many_elements_take_little_memory(tmp_path: Path) -> None:
    flat = tmp_path / "flat.cat"
    flat.write_text("<catalogue/>")
    _, usual = read_apart(flat)
    wide = tmp_path / "wide.gst"
    wide.write_text(
        '<gameSystem id="s"><sharedRules>' + '<rule id="a" x="y"/>' * 200_000 + "</sharedRules></gameSystem>"
    )
    _, peak = read_apart(wide)
    assert peak - usual < 300 * MIB


def test_too_many_files() -> None:
    many = packed({f"{number}.cat": "" for number in range(11)})
    assert only_error(read_bytes("d.zip", many, limits=replace(LIMITS, files=10))).code == "too-many-files"
    assert only_error(read_bytes("d.zip", many, limits=replace(LIMITS, members=10))).code == "too-many-files"
    assert only_error(read_bytes("d.zip", many, limits=replace(LIMITS, directory_bytes=100))).code == "too-many-files"


def test_links_to_other_files_in_archives() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("pond.cat")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert only_error(read_bytes("d.zip", buffer.getvalue())).code == "symlink"


def test_links_to_other_files_in_folders(tmp_path: Path) -> None:
    (tmp_path / "ducks.gst").write_text(GAME % "")
    (tmp_path / "pond.cat").symlink_to("/etc/passwd")
    error = only_error(read_path(tmp_path))
    assert (error.code, error.file) == ("symlink", f"{tmp_path.name}/pond.cat")


def test_a_password() -> None:
    data = bytearray(packed({"ducks.gst": GAME % ""}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    assert only_error(read_bytes("d.zip", bytes(data))).code == "encrypted"
