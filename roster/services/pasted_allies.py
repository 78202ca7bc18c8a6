"""Put units of a pasted list into forces below a heading, or into other factions' forces."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from catalogue.definitions.entries import ForceEntry
from catalogue.graph.ruleset import CompiledCatalogue
from catalogue.models import Faction, UnitEntry
from roster.formats.list_text import simplify_name
from roster.formats.text.force_fit import choose_force_entry
from roster.formats.text.names import NameLookup
from roster.formats.text.pasted import ItemRole, PastedList, PastedSection, PastedUnit, Reading
from roster.formats.text.resolve import ListResolver, ResolvedForce, ResolvedUnit
from roster.formats.text.unit_filler import ResolvedName
from roster.services.rulesets import load_ruleset

MAX_ALLIES = 3
"""Other factions of a game that are searched for unknown units."""
_NUMBERED = re.compile(r"\s*#?\d+$")
_OWNED = re.compile(r"^\S+['’]s\s+")


def load_faction_book(faction: Faction) -> CompiledCatalogue | None:
    return load_ruleset(faction.version, faction.faction_id).find_catalogue(faction.faction_id)


class InnerForces:
    """Finds units below the heading of a force inside the list's own force.

    A heading names the kind of force (`Regiment 1`, `Allies`) or a faction (`Regiments of Renown`), below which a unit
    line may name the force: `The Scarlet Jury (300)`.
    """

    def __init__(self, pasted: PastedList, faction: Faction, entry: ForceEntry, choices: Mapping[str, str]) -> None:
        self._pasted = pasted
        self._faction = faction
        self._choices = choices
        self._entry = entry
        self._kinds = NameLookup((kind.name, kind) for kind in entry.forces)
        others = faction.version.factions.exclude(pk=faction.pk)
        named = [(name, other) for other in others for name in (other.name, other.heading)]
        self._factions = NameLookup(named)

    def take_units(self, units: list[ResolvedUnit]) -> list[ResolvedForce]:
        """Return the inner forces; their units are resolved again and replaced in `units`."""
        forces: list[ResolvedForce] = []
        kind: ForceEntry | None = None
        sections = self._pasted.sections
        taken = 0
        heading = self._find_own_heading()
        for number, section in enumerate(sections, 1):
            # Headings of slots below a force belong to it.
            if section.line < taken or section is heading:
                continue
            end = next((one.line for one in sections[number:] if one.heads_force or not section.heads_force), None)
            places = [place for place, unit in enumerate(units) if _is_below(unit, section, end)]
            faction = self._factions.find(section.name).certain
            if faction is None:
                kind = self._find_kind(section.name)
                if kind and section.heads_force and places:
                    taken = end or len(self._pasted.lines) + section.line
                if kind and places:
                    forces.append(self._build_force(kind, self._guess_faction(units, places), units, places))
                    kind = None
            elif kind and places:
                # `Allies` is a separate heading above the name of the faction.
                forces.append(self._build_force(kind, faction, units, places))
                kind = None
            else:
                forces += self._split_faction(faction, units, places)
        return forces

    def _find_own_heading(self) -> PastedSection | None:
        force_name = simplify_name(self._entry.name)
        for section in self._pasted.sections:
            # `Patrol (Marsh Folk)` also names the faction.
            if force_name in map(simplify_name, (section.name, section.name.partition(" (")[0])):
                return section
        return None

    def _find_kind(self, heading: str) -> ForceEntry | None:
        plain = _NUMBERED.sub("", heading)
        for name in (heading, plain, _OWNED.sub("", plain)):
            match = self._kinds.find(name)
            # Some data misspells names of forces.
            if match.reading is not Reading.UNREAD and len(name) > 3:
                return match.value
        return None

    def _guess_faction(self, units: Sequence[ResolvedUnit], places: Sequence[int]) -> Faction:
        unread = _list_unread(units[place] for place in places)
        return (find_ally(self._faction, unread) or self._faction) if unread else self._faction

    def _build_force(
        self, kind: ForceEntry, faction: Faction, units: list[ResolvedUnit], places: Sequence[int]
    ) -> ResolvedForce:
        book = None if faction.pk == self._faction.pk else load_faction_book(faction)
        if book is not None:
            resolver = ListResolver(book, self._choices)
            resolved = resolver.resolve_units(self._pasted, [units[place].pasted for place in places])
            for place, unit in zip(places, resolved, strict=True):
                units[place] = unit
        return ResolvedForce(kind, faction.faction_id, [units[place] for place in places])

    def _split_faction(
        self, faction: Faction, units: list[ResolvedUnit], places: Sequence[int]
    ) -> Iterator[ResolvedForce]:
        kind, inside = None, list[int]()
        for place in places:
            pasted = units[place].pasted
            named = self._kinds.find(pasted.name).certain
            if named is None:
                inside.append(place)
                continue
            if kind:
                yield self._build_force(kind, faction, units, inside)
            kind, inside = named, []
            name = ResolvedName(pasted.line, pasted.name, named.name, Reading.UNDERSTOOD)
            units[place] = ResolvedUnit(pasted, None, [name])
            for member in self._list_members(pasted, faction):
                inside.append(len(units))
                units.append(ResolvedUnit(member, None))
        if kind:
            yield self._build_force(kind, faction, units, inside)

    def _list_members(self, named: PastedUnit, faction: Faction) -> list[PastedUnit]:
        book = load_faction_book(faction)
        if book is None:
            return []
        resolver = ListResolver(book, self._choices)
        members: list[PastedUnit] = []
        for item in named.items:
            if not members or resolver.recognize(item.name) is Reading.UNDERSTOOD:
                count = item.count if item.counted else None
                members.append(PastedUnit(item.name, item.line, count=count, items=list(item.items)))
            else:
                # An option of the unit above, or a part of every such force.
                members[-1].items.append(replace(item, role=ItemRole.NOTE))
        return members


def _is_below(unit: ResolvedUnit, section: PastedSection, end: int | None) -> bool:
    return unit.pasted.line > section.line and (end is None or unit.pasted.line < end)


def _list_unread(units: Iterable[ResolvedUnit]) -> set[str]:
    return {unit.pasted.name for unit in units if unit.names and unit.names[0].reading is Reading.UNREAD}


def resolve_allies(
    pasted: PastedList, faction: Faction, units: list[ResolvedUnit], choices: Mapping[str, str]
) -> Iterator[ResolvedForce]:
    """Find unknown units in the game's other factions, and replace them in `units`."""
    # One ally at a time: the next one needs only what is left.
    for _ in range(MAX_ALLIES):
        unread = _list_unread(units)
        ally = find_ally(faction, unread)
        book = load_faction_book(ally) if ally else None
        if ally is None or book is None:
            return
        places = [place for place, unit in enumerate(units) if unit.pasted.name in unread]
        resolved = ListResolver(book, choices).resolve_units(pasted, [units[place].pasted for place in places])
        for place, unit in zip(places, resolved, strict=True):
            if unit.names[0].reading is Reading.UNDERSTOOD:
                units[place] = unit

        joined = [unit for unit in units if unit in resolved]
        entry = choose_force_entry(book, pasted, joined, faction.version.points_id) if joined else None
        if entry is None:
            return
        yield ResolvedForce(entry, ally.faction_id, joined)


def find_ally(faction: Faction, unknown: set[str]) -> Faction | None:
    if not unknown:
        return None
    others = faction.version.factions.exclude(pk=faction.pk)
    rows = UnitEntry.objects.filter(faction__in=others, name__in=unknown, hidden=False)
    counts = Counter(rows.values_list("faction_id", flat=True))
    return others.get(pk=counts.most_common(1)[0][0]) if counts else None
