"""The worked lists of a pack: list documents that state their own verdict."""

from typing import Any

import msgspec

from catalogue.documents.node import DocumentNode
from catalogue.formats.packs.pack import Pack, WorkedList
from catalogue.formats.packs.parse.pack_folder import PackFolder

VERDICTS = ("legal", "incomplete", "illegal")


def read_lists(folder: PackFolder, name: str, pack: Pack) -> Pack:
    """The pack with the lists in its folder `name`."""
    found = []
    for file in folder.files():
        if name in file.relative_to(folder.path).parts:
            tree = folder.tree(file)
            if tree is not None:
                found.append(_worked_list(tree, str(file.relative_to(folder.path))))
    return msgspec.structs.replace(pack, lists=tuple(found))


def _worked_list(tree: DocumentNode, file: str) -> WorkedList:
    """A list document with keys of its own: `expect`, `breaks`, `warns`, `keeps`, `total` and `why`."""
    fields = tree.fields("The worked list")
    expect = fields.need("expect", "Add `expect: legal`, `incomplete` or `illegal`.")
    verdict = expect.text() if expect else ""
    if expect and verdict not in VERDICTS:
        expect.wrong("wrong-form", f"“{verdict}” is not a verdict.", "Write legal, incomplete or illegal.")
    rules = tuple(item.text() for item in fields.texts("breaks"))
    if expect and bool(rules) != (verdict in VERDICTS[1:]):
        mend = "A legal list breaks nothing; any other names the rules it breaks under `breaks:`."
        expect.wrong("odd-verdict", f"The list is {verdict} but breaks {len(rules)} rules.", mend)
    total = fields.get("total")
    keeps = tuple(item.text() for item in fields.texts("keeps"))
    warns = tuple(item.text() for item in fields.texts("warns"))
    ours = ("expect", "breaks", "warns", "keeps", "why", "total")
    document = {key.text(): plain(value) for key, value in tree.pairs() if key.text() not in ours}
    return WorkedList(
        name=fields.text("name"),
        file=file,
        document=document,
        expect=verdict,
        rules=rules,
        warns=warns,
        keeps=keeps,
        points=total.number() if total else None,
        why=fields.text("why"),
    )


def plain(item: DocumentNode) -> Any:
    """The value as plain data: whole numbers become numbers, everything else stays text."""
    if item.is_map:
        return {key.text(): plain(value) for key, value in item.pairs()}
    if item.is_list:
        return [plain(value) for value in item.each()]
    text = item.text()
    return int(text) if text.removeprefix("-").isdigit() and len(text) < 12 else text
