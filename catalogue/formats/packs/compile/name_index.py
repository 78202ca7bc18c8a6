"""Look up a pack's names, and suggest some for unknown ones."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from catalogue.documents.problems import Problems, SourceLine, suggest_names
from catalogue.formats.packs.features.commander import COMMANDER
from catalogue.formats.packs.syntax.base import NamedSyntax, Reference
from catalogue.formats.packs.syntax.decks import CardSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.rules import UNITS
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def walk_parts(parts: Iterable[PartSyntax]) -> Iterator[PartSyntax]:
    for part in parts:
        yield part
        yield from walk_parts(part.parts)


def walk_models(parts: Iterable[PartSyntax]) -> Iterator[PartSyntax]:
    return (part for part in walk_parts(parts) if part.kind == "model")


def get_type_id(unit: UnitSyntax) -> str:
    return make_id(unit.type.text) if unit.type else ""


def make_ids(references: Iterable[Reference]) -> set[str]:
    return {make_id(reference.text) for reference in references}


def list_keyword_ids(syntax: UnitSyntax | PartSyntax | CardSyntax) -> set[str]:
    return make_ids(syntax.keywords)


def list_names(syntax: NamedSyntax) -> set[str]:
    return {syntax.id, make_id(syntax.name)}


def is_part_called(part: PartSyntax, wanted_id: str) -> bool:
    """Return whether a part has the name, or an id that ends in it."""
    return wanted_id in (make_id(part.name), part.id.split("/")[-1])


def is_of_kind(unit: UnitSyntax, references: Iterable[Reference]) -> bool:
    kinds = list_keyword_ids(unit) | {get_type_id(unit)}
    return bool(kinds & make_ids(references))


# ---- the index ------------------------------------------------------------------------------------------------------

MODELS = "models"
WEAPONS = "weapons"
KINDS = ("type", "faction", "cost", "keyword", "detachment", "unit", "set", "ability", "deck", "command")
ALL_BUT_ABILITIES = tuple(kind for kind in KINDS if kind != "ability")
POINTS_OF_RULE = "each"
COUNTED = (MODELS, WEAPONS, UNITS, "detachments", "cards", "copies")
MEND_NOUN = "Write what is counted as in `at least 8 models`; docs/packs.md lists it under “Ways to write a value”."
MEND_ID = "Give one of them an `id:` of its own, or name the choice around it."


class Target(NamedTuple):
    """A noun's meaning: its kind (of `KINDS`, or "part") and id."""

    kind: str
    id: str


def make_keyword_id(slugged: str) -> str:
    return f"keyword/{slugged}"


def make_ability_id(slugged: str) -> str:
    return f"ability/{slugged}"


def make_set_id(slugged: str) -> str:
    return f"set/{slugged}"


def make_faction_category(faction: str) -> str:
    return f"faction/{faction}"


class NameIndex:
    def __init__(self, pack: PackSyntax, problems: Problems) -> None:
        self.pack = pack
        self.problems = problems
        self.units = {unit.id: unit for unit in pack.units}
        self.lists = {part.id: part for part in pack.lists}
        self._part_numbers: dict[str, int] = {}
        self._claimed: dict[str, SourceLine] = {}
        self._everywhere: dict[str, list[Target]] = {}
        self._inside: dict[str, dict[str, list[str]]] = {}
        self._enter_all()

    def walk_unit_parts(self, unit: UnitSyntax) -> Iterator[PartSyntax]:
        """Also yield the parts of the unit's shared lists."""
        yield from self._walk_with_lists((*unit.models, *unit.options), set())

    def _walk_with_lists(self, parts: tuple[PartSyntax, ...], seen: set[str]) -> Iterator[PartSyntax]:
        for part in walk_parts(parts):
            yield part
            shared = None
            if part.kind == "list" and part.target:
                shared = self.lists.get(make_id(part.target.text))
            # Shared lists may form a cycle, so open each once.
            if shared and shared.id not in seen:
                seen.add(shared.id)
                yield from self._walk_with_lists((shared,), seen)

    def find_part(self, named: Reference, unit: UnitSyntax) -> str | None:
        """Return the part's id, or report why there is not exactly one."""
        part_ids = self._find_parts_inside(named.text, unit)
        if len(part_ids) == 1:
            return part_ids[0]
        if part_ids:
            mend = "Write more of its id: " + " or ".join(part_ids) + "."
            self.problems.add(named.where, "ambiguous-name", f"“{named.text}” is more than one part here.", mend)
        else:
            names = [part.name for part in self.walk_unit_parts(unit)]
            message = f"The unit “{unit.name}” has no part “{named.text}”."
            self.problems.add(named.where, "unknown-name", message, suggest_names(named.text, names))
        return None

    def find_target(self, named: Reference, unit: UnitSyntax | None, kinds: tuple[str, ...] = ()) -> Target | None:
        """Return a noun's target, or report it.

        Parts of the unit, or outside of a unit shared lists, come before constructs of `kinds`. Without `kinds`, also
        parts of other units.
        """
        if not kinds:
            if unit and self._find_parts_inside(named.text, unit):
                list_id = make_id(named.text)
                if list_id in self.lists and self.lists[list_id] in self.walk_unit_parts(unit):
                    return Target("part", list_id)
                part_id = self.find_part(named, unit)
                return Target("part", part_id) if part_id else None
            # A keyword of the same name marks units, not the options of a list.
            if unit is None and make_id(named.text) in self.lists:
                return Target("part", make_id(named.text))
        target = self._choose_target(named.text, kinds) or self._find_foreign_part(named.text, kinds)
        if target is None:
            self._report_unknown(named, unit, kinds)
        return target

    def find_id(self, named: Reference | None, *kinds: str) -> str:
        """Report an unknown name and return ""."""
        target = self.find_target(named, None, kinds) if named else None
        return target.id if target else ""

    def find_ids(self, names: Iterable[Reference], *kinds: str) -> list[str]:
        """Report unknown names and leave them out."""
        found_ids = [self.find_id(name, *kinds) for name in names]
        return [found_id for found_id in found_ids if found_id]

    def _choose_target(self, text: str, kinds: tuple[str, ...]) -> Target | None:
        name = _fold_noun(text)
        targets = self._everywhere.get(name)
        if targets is None:
            # “warlord keyword” never means a part.
            keywords = self._everywhere.get(name.removesuffix("-keyword"), [])
            targets = [target for target in keywords if target.kind == "keyword"]
        targets = [target for target in targets if target.kind in (kinds or KINDS)]

        def rank_target(target: Target) -> tuple[bool, bool]:
            # A name shared by a faction and a keyword means the keyword, because factions are counted as armies. Of
            # units with the same name, prefer the unit whose id comes from the name.
            return target.kind == "faction", target.kind == "unit" and target.id != make_id(text)

        return min(targets, key=rank_target, default=None)

    def _find_foreign_part(self, text: str, kinds: tuple[str, ...]) -> Target | None:
        if kinds:
            return None
        unit_id, _, part = _fold_noun(text).partition("/")
        part_ids = self._inside.get(unit_id, {}).get(part, [])
        return Target("part", part_ids[0]) if len(part_ids) == 1 else None

    def _report_unknown(self, named: Reference, unit: UnitSyntax | None, kinds: tuple[str, ...]) -> None:
        noun = _fold_noun(named.text)
        if kinds:
            mend = suggest_names(noun, self._list_names_of(kinds))
        else:
            names = self._list_names_of(KINDS if named.text.endswith(" ability") else ALL_BUT_ABILITIES)
            names += [make_id(part.name) for part in self._walk_parts_of(unit)]
            # A noun unlike any name is usually a sentence.
            mend = suggest_names(noun, [*names, *COUNTED]) or suggest_names(noun, names) or MEND_NOUN
        what = " or ".join(kinds) or "thing"
        message = f"There is no {what} “{named.text}”." if named.text else "A name is missing here."
        self.problems.add(named.where, "unknown-name", message, mend)

    def _walk_parts_of(self, unit: UnitSyntax | None) -> Iterator[PartSyntax]:
        return self.walk_unit_parts(unit) if unit else iter(())

    def _list_names_of(self, kinds: tuple[str, ...]) -> list[str]:
        return [name for name, targets in self._everywhere.items() if targets[0].kind in kinds]

    def is_about_unit(self, references: Iterable[Reference], unit: UnitSyntax) -> bool:
        """Return whether a reference covers the unit. No references cover all units."""
        references = tuple(references)
        target_ids = {get_type_id(unit), unit.id, *map(make_keyword_id, list_keyword_ids(unit))}
        meant_ids = self.find_ids(references, "type", "keyword", "unit")
        return not references or not target_ids.isdisjoint(meant_ids)

    def name_noun(self, noun: str, unit: UnitSyntax | None) -> str:
        plain_noun = noun.removesuffix(" ability")
        wanted_id = _fold_noun(plain_noun)
        for part in self._walk_parts_of(unit):
            if wanted_id == part.id or is_part_called(part, wanted_id):
                return part.name or plain_noun
        pack = self.pack
        constructs: tuple[NamedSyntax, ...] = (
            *pack.units,
            *pack.types.values(),
            *pack.keywords.values(),
            *pack.factions.values(),
        )
        return next((syntax.name for syntax in constructs if wanted_id in list_names(syntax)), "") or plain_noun

    def get_part_number(self, part: PartSyntax) -> int:
        return self._part_numbers.get(part.id, 0)

    def claim_id(self, claimed_id: str, where: SourceLine, what: str) -> None:
        """Record an id, and report its second use."""
        first = self._claimed.get(claimed_id)
        self._claimed.setdefault(claimed_id, where)
        if first is not None and claimed_id:
            message = f"The id “{claimed_id}” of {what} is taken on line {first.line} of {first.file}."
            self.problems.add(where, "duplicate-id", message, MEND_ID)

    def _find_parts_inside(self, name: str, unit: UnitSyntax) -> list[str]:
        by_tail = self._inside[unit.id]
        return by_tail.get(name) or by_tail.get(_fold_noun(name), [])

    def _enter_all(self) -> None:
        pack = self.pack
        self._enter_names("type", pack.types.values())
        self._enter_names("faction", pack.factions.values())
        self._enter_names("cost", pack.costs.values())
        self._enter_names("keyword", pack.keywords.values(), make_keyword_id)
        self._enter_names("detachment", pack.detachments)
        for unit in pack.units:
            self._enter_name(unit, Target("unit", unit.id))
            self._enter_parts(unit)
        if pack.command:
            self._enter_name(pack.command, Target("command", COMMANDER))
        self._enter_names("set", pack.sets, make_set_id)
        for ability in pack.abilities:
            # Keywords and gear may have names of abilities.
            target = Target("ability", make_ability_id(ability.id))
            self._everywhere.setdefault(f"{ability.id}-ability", []).append(target)
        self._enter_names("deck", pack.decks)
        for shared in pack.lists:
            self._claim_parts((shared,))

    def _enter_names(
        self, kind: str, constructs: Iterable[NamedSyntax], make_target_id: Callable[[str], str] = str
    ) -> None:
        for construct in constructs:
            self._enter_name(construct, Target(kind, make_target_id(construct.id)))

    def _enter_name(self, construct: NamedSyntax, target: Target) -> None:
        self.claim_id(target.id, construct.where, f"“{construct.name}”")
        for name in {_fold_noun(construct.name), _fold_noun(construct.id)}:
            self._everywhere.setdefault(name, []).append(target)

    def _claim_parts(self, parts: Iterable[PartSyntax]) -> None:
        for number, part in enumerate(walk_parts(parts), 1):
            self.claim_id(part.id, part.where, f"“{part.name}”")
            self._part_numbers[part.id] = number

    def _enter_parts(self, unit: UnitSyntax) -> None:
        self._claim_parts((*unit.models, *unit.options))
        by_tail = self._inside.setdefault(unit.id, {})
        for part in self.walk_unit_parts(unit):
            for name in _list_tails(part) if part.kind != "list" else ():
                part_ids = by_tail.setdefault(name, [])
                if part.id not in part_ids:
                    part_ids.append(part.id)


def _list_tails(part: PartSyntax) -> set[str]:
    pieces = part.id.split("/")
    return {make_id(part.name), *("/".join(pieces[start:]) for start in range(len(pieces)))}


def _fold_noun(text: str) -> str:
    return "/".join(make_id(piece) for piece in text.split("/"))
