"""Unreadable and randomly broken files give findings, never an exception."""

from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogue.formats.packs.load import MAX_BYTES, SHIPPED, read_pack
from tests.catalogue.pack_files import read_files
from tests.extent import COMPLETE

pytestmark = pytest.mark.slow

EXAMPLE = SHIPPED / "reeds_and_rust" / "first"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("units:\n\t- unit: Frog\n", "tab", 2),
        ("units:\n- unit: Frog: 3\n", "bad-yaml", 2),
        ("units: [Frog\n", "bad-yaml", 2),
        ("cite: 'book\n\nunits: []\n", "bad-yaml", 1),
        ("cite: *nowhere\n", "bad-yaml", 1),
        ("\n", "empty-file", 1),
        ("# nothing but this\n", "empty-file", 1),
        ("cite: book\n---\ncite: book\n", "second-document", 3),
        ("units: &a [*a]\n", "cyclic-reference", 1),
        ("a: " + "[" * 60 + "]" * 60, "too-deep", 0),
        ("a: " + "[" * 5000 + "]" * 5000, "too-deep", 0),
        (
            "a: &a [1, 1, 1, 1, 1, 1]\n"
            + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 6)}]\n" for n in range(9)),
            "too-deep",
            0,
        ),
        ("x" * (MAX_BYTES + 1), "oversized-file", 0),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, text: str, code: str, line: int) -> None:
    diagnostics = read_files(tmp_path, {"more.yaml": text}).diagnostics
    assert [(d.code, Path(d.file).name, d.line) for d in diagnostics] == [(code, "more.yaml", line)]
    assert diagnostics[0].mend


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_bytes(b"cite: book\nunits: \xff\xfe")
    assert [(d.code, d.line) for d in read_files(tmp_path, {}).diagnostics] == [("unreadable-file", 2)]


def test_a_folder_without_a_pack(tmp_path: Path) -> None:
    assert [d.code for d in read_pack(tmp_path).diagnostics] == ["no-pack"]
    assert [d.code for d in read_pack(tmp_path / "nowhere").diagnostics] == ["no-pack"]


def test_a_pack_without_a_notice(tmp_path: Path) -> None:
    assert [d.code for d in read_files(tmp_path, {"NOTICE": ""}).diagnostics] == ["no-notice"]


def test_a_notice_keeps_its_paragraphs_but_not_the_breaks_of_its_lines(tmp_path: Path) -> None:
    pack = read_files(tmp_path, {"NOTICE": "A game of\nits makers.\n\nNot endorsed.\n"}).pack
    assert pack is not None
    assert pack.notice == "A game of its makers.\n\nNot endorsed."


def test_files_outside_the_pack_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("units: [broken")
    inside = tmp_path / "pack"
    inside.mkdir()
    (inside / "link.yaml").symlink_to(outside)
    assert read_files(inside, {}).diagnostics == ()


def values(node: object) -> list[tuple[object, object]]:
    """Yield every place in a tree of plain data, as a container and a key."""
    found: list[tuple[object, object]] = []
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in pairs:
        found.append((node, key))
        found += values(value)
    return found


FILES = ("pack.yaml", "gear.yaml", "units/marsh-compact.yaml", "units/iron-weir.yaml", "cards/tide-deck.yaml")
JUNK = st.sampled_from(
    ["", "x", "-1", "0", "1-0", "5-2", "at least", "no", "each", "[", "a in b in c", "2 x", "+ +", "é" * 40]
)
ODD = st.one_of(JUNK, st.just([]), st.just({}), st.just([[]]), st.just({"x": {"y": ["z"]}}), st.just([{"option": {}}]))


@settings(max_examples=80 if COMPLETE else 20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FILES), st.integers(0, 10_000), st.sampled_from(["put", "drop", "rename"]), ODD, JUNK)
def test_no_mistake_is_an_exception(tmp_path: Path, name: str, where: int, how: str, odd: object, junk: str) -> None:
    tree = yaml.load((EXAMPLE / name).read_text(), yaml.BaseLoader)
    container, key = (places := values(tree))[where % len(places)]
    if how == "put":
        container[key] = odd
    elif how == "drop":
        del container[key]
    elif isinstance(container, dict):
        container[junk] = container.pop(key)
    for file in FILES:
        text = yaml.safe_dump(tree, sort_keys=False) if file == name else (EXAMPLE / file).read_text()
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    reading = read_pack(tmp_path)
    assert all(d.message and d.file for d in reading.diagnostics)
    assert (reading.data is None) == bool(reading.errors)
