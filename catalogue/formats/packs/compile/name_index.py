"""Which ids there are, what a name stands for, and what to say when it stands for nothing."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from catalogue.documents.problems import Problems, SourceLine, suggest_names
from catalogue.formats.packs.syntax.base import NamedSyntax, Reference
from catalogue.formats.packs.syntax.game import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax

UNITS = "units"
COMMANDER = "commander"
COMMANDS = "commands"
LEAVE = "leave"
MODELS = "models"
WEAPONS = "weapons"
KINDS = ("type", "faction", "cost", "keyword", "detachment", "unit", "set", "ability", "deck", "command")
"""What a noun may stand for, beside the parts of a unit."""
POINTS_OF_RULE = "each"
COUNTED = (MODELS, WEAPONS, UNITS, "detachments", "cards", "copies")
"""What can be counted in every game, besides all that has a name."""
MEND_NOUN = (
    "Write what is counted as in `at least 8 models`; docs/packs.md lists it under “Ways to write a value”."
)
MEND_ID = "Give one of them an `id:` of its own, or name the choice it stands in."


class Target(NamedTuple):
    """What a noun stands for: its kind (type, keyword, unit, part, cost, detachment, faction) and its id."""

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


def walk_parts(parts: Iterable[PartSyntax]) -> Iterator[PartSyntax]:
    """All parts, those inside parts included."""
    for part in parts:
        yield part
        yield from walk_parts(part.parts)


class NameIndex:
    """All names of one pack. Looking up a name that is not there is a finding with a suggestion."""

    def __init__(self, forms: PackSyntax, problems: Problems) -> None:
        self.forms = forms
        self.problems = problems
        self.units = {unit.id: unit for unit in forms.units}
        self.lists = {part.id: part for part in forms.lists}
        self.places: dict[str, int] = {}
        self._claimed: dict[str, SourceLine] = {}
        self._everywhere: dict[str, list[Target]] = {}
        self._inside: dict[str, dict[str, list[str]]] = {}
        self._enter_all()

    def walk_unit_parts(self, unit: UnitSyntax) -> Iterator[PartSyntax]:
        """All parts of a unit, those of the shared lists it uses included."""
        yield from self._walk_with_lists((*unit.models, *unit.options), set())

    def _walk_with_lists(self, parts: tuple[PartSyntax, ...], seen: set[str]) -> Iterator[PartSyntax]:
        """Parts, what is inside them, and the shared lists among them, each once."""
        for part in walk_parts(parts):
            yield part
            list_id = make_id(part.target.text) if part.kind == "list" and part.target else ""
            if list_id in self.lists and list_id not in seen:
                seen.add(list_id)
                yield from self._walk_with_lists((self.lists[list_id],), seen)

    def find_part(self, named: Reference, unit: UnitSyntax) -> str | None:
        """The id of the part that a unit calls by this name; None, and a finding, where there is not exactly one."""
        part_ids = self._find_parts_inside(named.text, unit)
        if len(part_ids) == 1:
            return part_ids[0]
        if part_ids:
            mend = "Write more of its id: " + " or ".join(part_ids) + "."
            self.problems.add(
                named.where, "ambiguous-name", f"“{named.text}” is more than one part here.", mend
            )
        else:
            known = [part.name for part in self.walk_unit_parts(unit)]
            message = f"The unit “{unit.name}” has no part “{named.text}”."
            self.problems.add(named.where, "unknown-name", message, suggest_names(named.text, known))
        return None

    def find_target(
        self, named: Reference, unit: UnitSyntax | None, kinds: tuple[str, ...] = ()
    ) -> Target | None:
        """What a noun stands for: first a part of the unit, then anything of the pack that is of one of `kinds`.

        Outside of a unit, as in a shared list, it may stand for a shared list too, by its id.
        """
        inside = self._find_parts_inside(named.text, unit) if unit and not kinds else []
        if unit and inside:
            shared = self._find_list_of_unit(unit, make_id(named.text))
            part_id = shared or self.find_part(named, unit)
            return Target("part", part_id) if part_id else None
        targets = [t for t in self._find_everywhere(_fold_noun(named.text)) if not kinds or t.kind in kinds]
        if targets:
            # A faction is asked for as an army; a keyword of that name is what is counted. Of two units with one name
            # that is meant whose id is made of it.
            return min(
                targets, key=lambda t: (t.kind == "faction", t.kind == "unit" and t.id != make_id(named.text))
            )
        if unit is None and not kinds and make_id(named.text) in self.lists:
            return Target("part", make_id(named.text))
        elsewhere = [] if kinds else self._find_parts_elsewhere(named.text)
        if len(elsewhere) == 1:
            return Target("part", elsewhere[0])
        near = kinds or tuple(kind for kind in KINDS if kind != "ability" or named.text.endswith(" ability"))
        known = [name for name, targets in self._everywhere.items() if targets[0].kind in near]
        if unit and not kinds:
            known += [make_id(part.name) for part in self.walk_unit_parts(unit)]
        what = " or ".join(kinds) or "thing"
        message = f"There is no {what} “{named.text}”." if named.text else "A name is missing here."
        mend = suggest_names(_fold_noun(named.text), known)
        if not kinds:
            mend = suggest_names(_fold_noun(named.text), [*known, *COUNTED]) or mend or MEND_NOUN
        self.problems.add(named.where, "unknown-name", message, mend)
        return None

    def _find_everywhere(self, name: str) -> list[Target]:
        """What is called so; “warlord keyword” is the keyword, where a part of the unit has its name."""
        keywords = self._everywhere.get(name.removesuffix("-keyword"), [])
        return self._everywhere.get(name) or [t for t in keywords if t.kind == "keyword"]

    def _find_list_of_unit(self, unit: UnitSyntax, list_id: str) -> str:
        """The shared list of exactly this id that a unit uses; blank where there is none."""
        return list_id if list_id in self.lists and self.lists[list_id] in self.walk_unit_parts(unit) else ""

    def name_noun(self, noun: str, unit: UnitSyntax | None) -> str:
        """The name of what a noun stands for, as people read it; the noun itself where that is nothing known."""
        wanted_id = _fold_noun(noun.removesuffix(" ability"))
        forms = self.forms
        named: tuple[NamedSyntax, ...] = (
            *forms.units,
            *forms.types.values(),
            *forms.keywords.values(),
            *forms.factions.values(),
        )
        parts = self.walk_unit_parts(unit) if unit else ()
        inside = (
            part.name for part in parts if wanted_id in (make_id(part.name), part.id.split("/")[-1], part.id)
        )
        everywhere = (form.name for form in named if wanted_id in (form.id, make_id(form.name)))
        return next(inside, "") or next(everywhere, "") or noun.removesuffix(" ability")

    def get_part_number(self, part: PartSyntax) -> int:
        """Where a part stands among those of its unit or shared list, from 1, as the pack prints them."""
        return self.places.get(part.id, 0)

    def claim_id(self, claimed_id: str, where: SourceLine, what: str) -> None:
        """Take an id; one that is taken already is a finding."""
        first = self._claimed.get(claimed_id)
        self._claimed.setdefault(claimed_id, where)
        if first is not None and claimed_id:
            message = f"The id “{claimed_id}” of {what} is taken on line {first.line} of {first.file}."
            self.problems.add(where, "duplicate-id", message, MEND_ID)

    def _find_parts_inside(self, name: str, unit: UnitSyntax) -> list[str]:
        by_tail = self._inside[unit.id]
        return by_tail.get(name) or by_tail.get(_fold_noun(name), [])

    def _find_parts_elsewhere(self, name: str) -> list[str]:
        """The parts of another unit that are called by its id, a slash and a name of theirs."""
        unit_id, _, part = _fold_noun(name).partition("/")
        return self._inside.get(unit_id, {}).get(part, [])

    def _enter_all(self) -> None:
        forms = self.forms
        for kind, names in (("type", forms.types), ("faction", forms.factions), ("cost", forms.costs)):
            for form in names.values():
                self._enter_name(form, Target(kind, form.id))
        for keyword in forms.keywords.values():
            self._enter_name(keyword, Target("keyword", make_keyword_id(keyword.id)))
        for detachment in forms.detachments:
            self._enter_name(detachment, Target("detachment", detachment.id))
        for unit in forms.units:
            self._enter_name(unit, Target("unit", unit.id))
            self._enter_parts(unit)
        if forms.command:
            self._enter_name(forms.command, Target("command", COMMANDER))
        for set_form in forms.sets:
            self._enter_name(set_form, Target("set", make_set_id(set_form.id)))
        for ability in forms.abilities:
            self._everywhere.setdefault(f"{ability.id}-ability", []).append(
                Target("ability", make_ability_id(ability.id))
            )
        for deck in forms.decks:
            self._enter_name(deck, Target("deck", deck.id))
        for shared in forms.lists:
            self._claim_parts((shared,))

    def _enter_name(self, form: NamedSyntax, target: Target) -> None:
        self.claim_id(target.id, form.where, f"“{form.name}”")
        for name in {_fold_noun(form.name), _fold_noun(form.id)}:
            self._everywhere.setdefault(name, []).append(target)

    def _claim_parts(self, parts: Iterable[PartSyntax]) -> None:
        for number, part in enumerate(walk_parts(parts), 1):
            self.claim_id(part.id, part.where, f"“{part.name}”")
            self.places[part.id] = number

    def _enter_parts(self, unit: UnitSyntax) -> None:
        self._claim_parts((*unit.models, *unit.options))
        by_tail = self._inside.setdefault(unit.id, {})
        for part in self.walk_unit_parts(unit):
            if part.kind != "list":
                for name in _list_tails(part):
                    if part.id not in by_tail.setdefault(name, []):
                        by_tail[name].append(part.id)


def _list_tails(part: PartSyntax) -> set[str]:
    """Every way to call a part: its name, and its id with less and less of the path."""
    pieces = part.id.split("/")
    return {make_id(part.name), *("/".join(pieces[start:]) for start in range(len(pieces)))}


def _fold_noun(text: str) -> str:
    """A name as it is looked up: an id, or a path of ids."""
    return "/".join(make_id(piece) for piece in text.split("/"))
