"""The door: a folder with a pack in it becomes a pack, its definitions and everything found wrong."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import Problems, SourceLine, suggest_names
from catalogue.formats.packs.compile.data_set import compile_data_set
from catalogue.formats.packs.pack import LoadedPack, Pack
from catalogue.formats.packs.parse.cards import read_card, read_deck
from catalogue.formats.packs.parse.citations import CitationReader
from catalogue.formats.packs.parse.context import ParseContext
from catalogue.formats.packs.parse.declarations import read_faction_keywords, read_words
from catalogue.formats.packs.parse.game import read_organisation, read_pack_line
from catalogue.formats.packs.parse.infos import read_abilities, read_ability, read_names, read_weapon
from catalogue.formats.packs.parse.lists import read_lists
from catalogue.formats.packs.parse.overlays import read_overlay
from catalogue.formats.packs.parse.pack_folder import PackFolder
from catalogue.formats.packs.parse.parts import read_shared_list
from catalogue.formats.packs.parse.plan import read_plan
from catalogue.formats.packs.parse.play import read_play
from catalogue.formats.packs.parse.rulebook import read_inventory
from catalogue.formats.packs.parse.units import read_unit
from catalogue.formats.packs.syntax.base import InventoryRuleSyntax
from catalogue.formats.packs.syntax.game import PackSyntax

PACK_FILE = "pack.yaml"
LISTS = "lists"
UNITS = "units"
PROOFS = "proofs"
"""Holds lists of invented units under the pack's own rules, `proofs/*.yaml`, and those units, `proofs/units`."""
REAL = "real"
"""Inside `proofs`: lists of the pack's own units that show a rule and that nobody would play."""
SHIPPED = Path(__file__).resolve().parents[2] / "packs"


def find_packs(root: Path = SHIPPED) -> tuple[Path, ...]:
    """The folders below `root`, itself included, that hold a pack.yaml."""
    return tuple(sorted(file.parent for file in root.rglob(PACK_FILE)))


def find_pack(pack_id: str, root: Path = SHIPPED) -> Path | None:
    """The folder below `root` with the pack of that id; None where there is none."""
    for path in find_packs(root):
        tree = PackFolder(path, Problems()).tree(path / PACK_FILE)
        identity = tree.fields("The pack").get("pack") if tree is not None else None
        if identity is not None and identity.text() == pack_id:
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
        mend = f"Give the folder of a pack, which holds a {PACK_FILE}."
        problems.add(SourceLine(str(path)), "no-pack", f"There is no {PACK_FILE} here.", mend)
        return LoadedPack(pack=None, data=None, diagnostics=problems.found)
    desk = ParseContext(problems, CitationReader(), PackSyntax())
    pack = _read_head(folder, head, desk)
    skipped = {LISTS, PROOFS, *([UNITS] if instead else [])}
    for file in folder.files():
        if file != head and not skipped & set(file.relative_to(path).parts):
            _read_file(folder, file, desk)
    if instead:
        guests = PackFolder(instead, problems)
        for file in guests.files():
            _read_file(guests, file, desk)
    # Names are looked up once every file can be read: else whatever a broken file holds would be reported as missing.
    data = compile_data_set(desk.forms, pack, problems) if pack and not problems.unread else None
    if pack and not instead:
        pack = read_lists(folder, LISTS, pack)
    if problems.errors:
        return LoadedPack(pack=None, data=None, diagnostics=problems.found)
    return LoadedPack(
        pack=pack, data=data, diagnostics=problems.found, rule_places=_rule_places(desk.forms.inventory)
    )


def _rule_places(inventory: Iterable[InventoryRuleSyntax]) -> dict[str, tuple[str, int]]:
    places = {}
    for form in inventory:
        places[form.id] = (form.where.file, form.where.line)
        for clause in form.clauses:
            places[f"{form.id}/{clause.id}"] = (clause.where.file, clause.where.line)
    return places


def _read_head(folder: PackFolder, head: Path, desk: ParseContext) -> Pack | None:
    tree = folder.tree(head)
    if tree is None:
        return None
    fields = tree.fields("The pack")
    desk = replace(desk, file=str(head))
    books = read_words(fields, desk)
    desk = desk.inside(desk.cite(fields))
    read_organisation(fields, desk)
    notice = folder.path / "NOTICE"
    text = folder.text(notice) if notice.is_file() else None
    if not text:
        head_place = SourceLine(str(folder.path))
        mend = "Add a file NOTICE that says whose game it is and that the pack is unofficial."
        desk.problems.add(head_place, "no-notice", "The pack has no NOTICE.", mend)
    pack = read_pack_line(fields, desk, books, text or "")
    _read_sections(fields, desk)
    fields.close()
    return pack


def _read_file(folder: PackFolder, file: Path, desk: ParseContext) -> None:
    tree = folder.tree(file)
    if tree is None:
        return
    fields = tree.fields("The file")
    if factions := fields.get("factions"):
        read_names(factions, desk.forms.factions)
    read_faction_keywords(fields, desk)
    faction = fields.get("faction")
    desk = replace(
        desk.inside(desk.cite(fields)),
        file=str(file),
        faction=_faction(faction, desk),
        provisional=fields.text("provisional"),
    )
    _read_sections(fields, desk)
    fields.close()


def _faction(item: DocumentNode | None, desk: ParseContext) -> str:
    if item is None:
        return ""
    name = item.text()
    if name not in desk.forms.factions:
        mend = suggest_names(name, desk.forms.factions) or "Name it under `factions:` in pack.yaml."
        item.wrong("unknown-faction", f"The pack has no faction “{name}”.", mend)
    return name


def _read_sections(fields: MappingReader, desk: ParseContext) -> None:
    """What any file of a pack may hold."""
    forms = desk.forms
    forms.weapons += [read_weapon(item, desk) for item in fields.each("weapons")]
    for item in fields.each("abilities"):
        forms.abilities += read_abilities(item, desk)
    forms.abilities += [read_ability(item, desk, "gear") for item in fields.each("gear")]
    forms.units += [read_unit(item, desk) for item in fields.each("units")]
    forms.decks += [read_deck(item, desk) for item in fields.each("decks")]
    forms.cards += [read_card(item, desk) for item in fields.each("cards")]
    read_play(fields, desk)
    if plan := fields.get("plan"):
        read_plan(plan, desk, forms.plan)
    forms.overlays += [read_overlay(item, desk) for item in fields.each("overlays")]
    forms.inventory += [read_inventory(item, desk) for item in fields.each("inventory")]
    forms.lists += [read_shared_list(item, desk) for item in fields.each("lists")]
