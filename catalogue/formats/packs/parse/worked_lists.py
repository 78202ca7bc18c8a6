"""The worked lists of a pack: list documents that state their own verdict."""

from typing import Any

import msgspec

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.formats.packs.pack import Pack, WorkedList
from catalogue.formats.packs.parse.pack_folder import PackFolder

VERDICTS = ("legal", "incomplete", "illegal")
CLAIMS = ("expect", "breaks", "warns", "keeps", "why", "total")


def add_worked_lists(folder: PackFolder, name: str, pack: Pack) -> Pack:
    """Return the pack with the lists in its folder `name`."""
    worked_lists = []
    for file in folder.list_files():
        if name in file.relative_to(folder.path).parts:
            tree = folder.read_tree(file)
            if tree is not None:
                worked_lists.append(_read_worked_list(tree, str(file.relative_to(folder.path))))
    return msgspec.structs.replace(pack, lists=tuple(worked_lists))


def _read_worked_list(tree: DocumentNode, file: str) -> WorkedList:
    """Read a list document with keys of its own: `expect`, `breaks`, `warns`, `keeps`, `total` and `why`."""
    mapping = MappingReader(tree, "The worked list")
    rules = _read_texts(mapping, "breaks")
    total = mapping.get("total")
    document = {
        name.read_text(): make_plain(value)
        for name, value in tree.read_pairs()
        if name.read_text() not in CLAIMS
    }
    return WorkedList(
        name=mapping.read_text("name"),
        file=file,
        document=document,
        expect=_read_verdict(mapping, rules),
        rules=rules,
        warns=_read_texts(mapping, "warns"),
        keeps=_read_texts(mapping, "keeps"),
        points=total.read_number() if total is not None else None,
        why=mapping.read_text("why"),
    )


def _read_verdict(mapping: MappingReader, rules: tuple[str, ...]) -> str:
    expect = mapping.need("expect", "Add `expect: legal`, `incomplete` or `illegal`.")
    if expect is None:
        return ""
    verdict = expect.read_text()
    if verdict not in VERDICTS:
        expect.report("wrong-form", f"“{verdict}” is not a verdict.", "Write legal, incomplete or illegal.")
    if bool(rules) != (verdict in VERDICTS[1:]):
        hint = "A legal list breaks nothing; any other names the rules it breaks under `breaks:`."
        expect.report("odd-verdict", f"The list is {verdict} but breaks {len(rules)} rules.", hint)
    return verdict


def _read_texts(mapping: MappingReader, key: str) -> tuple[str, ...]:
    node = mapping.get(key)
    return tuple(item.read_text() for item in node.read_texts()) if node is not None else ()


def make_plain(node: DocumentNode) -> Any:
    """Return the value as plain data: whole numbers become numbers, everything else stays text."""
    if node.is_map:
        return {name.read_text(): make_plain(value) for name, value in node.read_pairs()}
    if node.is_list:
        return [make_plain(value) for value in node.read_each()]
    text = node.read_text()
    return int(text) if text.removeprefix("-").isdigit() and len(text) < 12 else text
