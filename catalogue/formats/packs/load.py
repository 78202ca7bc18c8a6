"""The door: a folder with a pack in it becomes a pack, its definitions and everything found wrong."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from catalogue.documents.node import MappingReader
from catalogue.documents.problems import Problems, SourceLine
from catalogue.documents.section import read_section
from catalogue.formats.packs.compile.data_set import compile_data_set
from catalogue.formats.packs.pack import LoadedPack, Pack
from catalogue.formats.packs.parse.context import ParseContext
from catalogue.formats.packs.parse.pack_folder import PackFolder
from catalogue.formats.packs.parse.worked_lists import add_worked_lists
from catalogue.formats.packs.syntax.pack import FileSyntax, PackFileSyntax, PackSyntax
from catalogue.formats.packs.syntax.rules import InventoryRuleSyntax

PACK_FILE = "pack.yaml"
LISTS = "lists"
UNITS = "units"
PROOFS = "proofs"
"""Holds lists of invented units under the pack's own rules, `proofs/*.yaml`, and those units, `proofs/units`."""
REAL = "real"
"""Inside `proofs`: lists of the pack's own units that show a rule and that nobody would play."""
SHIPPED = Path(__file__).resolve().parents[2] / "packs"


def find_packs(root: Path = SHIPPED) -> tuple[Path, ...]:
    """Return the folders below `root`, itself included, that hold a pack.yaml."""
    return tuple(sorted(file.parent for file in root.rglob(PACK_FILE)))


def find_pack(pack_id: str, root: Path = SHIPPED) -> Path | None:
    """Return the folder below `root` with the pack of that id; None where there is none."""
    for path in find_packs(root):
        tree = PackFolder(path, Problems()).read_tree(path / PACK_FILE)
        identity = MappingReader(tree, "The pack").get("pack") if tree is not None else None
        if identity is not None and identity.read_text() == pack_id:
            return path
    return None


def read_pack(path: Path, instead: Path | None = None) -> LoadedPack:
    """Read the pack in the folder `path`. Never raises over what the files hold; see `LoadedPack.diagnostics`.

    With `instead`, the files of that folder are read in place of the pack's own units, by the same organisation and
    rules; they may name factions of their own.
    """
    problems = Problems()
    folder = PackFolder(path, problems)
    head = path / PACK_FILE
    if not head.is_file():
        hint = f"Give the folder of a pack, which holds a {PACK_FILE}."
        problems.add(SourceLine(str(path)), "no-pack", f"There is no {PACK_FILE} here.", hint)
        return LoadedPack(pack=None, data=None, diagnostics=problems.diagnostics)
    context = ParseContext(PackSyntax())
    syntax: PackSyntax = context.declared
    pack = _read_head(folder, head, context)
    skipped = {LISTS, PROOFS, *([UNITS] if instead else [])}
    for file in folder.list_files():
        if file != head and not skipped & set(file.relative_to(path).parts):
            _read_file(folder, file, context)
    if instead:
        guests = PackFolder(instead, problems)
        for file in guests.list_files():
            _read_file(guests, file, context)
    # Names are looked up once every file can be read: else whatever a broken file holds would be reported as missing.
    data = compile_data_set(syntax, pack, problems) if pack and not problems.unread else None
    if pack and not instead:
        pack = add_worked_lists(folder, LISTS, pack)
    if problems.has_errors:
        return LoadedPack(pack=None, data=None, diagnostics=problems.diagnostics)
    return LoadedPack(
        pack=pack,
        data=data,
        diagnostics=problems.diagnostics,
        rule_places=_find_rule_places(syntax.inventory),
    )


def _find_rule_places(inventory: Iterable[InventoryRuleSyntax]) -> dict[str, tuple[str, int]]:
    places = {}
    for rule in inventory:
        places[rule.id] = (rule.where.file, rule.where.line)
        for clause in rule.clauses:
            places[f"{rule.id}/{clause.id}"] = (clause.where.file, clause.where.line)
    return places


def _read_head(folder: PackFolder, head: Path, context: ParseContext) -> Pack | None:
    tree = folder.read_tree(head)
    if tree is None:
        return None
    syntax = read_section(PackFileSyntax, tree, replace(context, file=str(head)))
    notice = folder.path / "NOTICE"
    text = folder.read_text(notice) if notice.is_file() else None
    if not text:
        hint = "Add a file NOTICE that says whose game it is and that the pack is unofficial."
        folder.problems.add(SourceLine(str(folder.path)), "no-notice", "The pack has no NOTICE.", hint)
    return syntax.make_pack(text or "")


def _read_file(folder: PackFolder, file: Path, context: ParseContext) -> None:
    tree = folder.read_tree(file)
    if tree is not None:
        read_section(FileSyntax, tree, replace(context, file=str(file)))
