"""Compare a version with the publisher's printed points."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from catalogue.definitions.entries import EntryType
from catalogue.definitions.link_index import walk_entries
from catalogue.definitions.numbers import Number
from catalogue.documents.problems import Problems
from catalogue.formats.packs.load import make_plain, parse_document
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.leaders import fold_loosely
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from catalogue.models import Faction, PackVersion
from catalogue.services.rulesets import load_faction_ruleset
from roster.engine import edits
from roster.engine.edits import EditedRoster, Refused
from roster.engine.evaluation import Evaluation
from roster.engine.model_profiles import is_unit_entry
from roster.engine.nodes import SelectionNode
from roster.engine.tree import RosterTree

MOST_COPIES, MOST_MODELS = 10, 100
_RANGE = re.compile(r"[\[(]\s*(\d{1,4})\s*,")


class OfficialFileError(Exception):
    """The message names the unusable file and the reason."""


# ---- official files --------------------------------------------------------------------------------------------------


class OfficialCost(msgspec.Struct):
    models: int
    points: int


class OfficialPricing(msgspec.Struct):
    """The costs of a unit's first, second ... copy: `[1,2]`, or `[3,)` for all further copies."""

    range: str = "[1,)"
    costs: list[OfficialCost] = []

    @property
    def first(self) -> int:
        match = _RANGE.match(self.range)
        return int(match[1]) if match else 1


class OfficialUnit(msgspec.Struct, rename="camel"):
    name: str
    pricing: list[OfficialPricing] = []
    attach_to: list[str] = []


class OfficialEnhancement(msgspec.Struct):
    name: str
    points: int


class OfficialDetachment(msgspec.Struct):
    name: str
    enhancements: list[OfficialEnhancement] = []


class OfficialFaction(msgspec.Struct):
    """A faction's file; other keys are ignored."""

    name: str
    units: list[OfficialUnit]
    detachments: list[OfficialDetachment] = []


def read_official_points(path: Path) -> list[OfficialFaction]:
    """Read a file, or all `.yaml` files with units in a folder. Raises OfficialFileError."""
    if not path.exists():
        raise OfficialFileError(f"{path} is not there.")
    files = sorted((*path.glob("*.yaml"), *path.glob("*.yml"))) if path.is_dir() else [path]
    factions = [faction for file in files if (faction := _read_file(file, alone=not path.is_dir()))]
    if not factions:
        raise OfficialFileError(f"{path} has no .yaml file with units.")
    return factions


def _read_file(path: Path, *, alone: bool) -> OfficialFaction | None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OfficialFileError(f"{path.name} cannot be read: {error}.") from error
    problems = Problems()
    root = parse_document(text, path.name, problems)
    if root is None or problems.has_errors:
        first = problems.diagnostics[0]
        raise OfficialFileError(f"{path.name}, line {first.line}: {first.message}")
    plain: Any = make_plain(root)
    if not alone and (not isinstance(plain, dict) or "units" not in plain):
        return None
    try:
        return msgspec.convert(plain, OfficialFaction, strict=False)
    except msgspec.ValidationError as error:
        raise OfficialFileError(f"{path.name} is not of the form of official points: {error}.") from error


# ---- comparing -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PointDifference:
    """None means that one side lacks the subject."""

    faction: str
    subject: str
    what: str
    official: str | None
    data: str | None


@dataclass(slots=True)
class PointComparison:
    """`absent` are official factions that the data lacks."""

    differences: list[PointDifference]
    absent: list[str]
    units: int = 0
    prices: int = 0
    leaders: int = 0


def compare_points(version: PackVersion, factions: Sequence[OfficialFaction]) -> PointComparison:
    comparison = PointComparison([], [])
    official_names = {fold_loosely(unit.name) for faction in factions for unit in faction.units}
    unit_names = _index_unit_names(version)
    for official in factions:
        parts = _match_factions(official, unit_names)
        for faction, part in parts:
            ruleset = load_faction_ruleset(faction)
            catalogue = ruleset.find_catalogue(faction.faction_id)
            if catalogue:
                _FactionComparison(ruleset, catalogue, part, comparison).run(official_names)
        if not parts:
            comparison.absent.append(official.name)
    return comparison


def _index_unit_names(version: PackVersion) -> dict[Faction, set[str]]:
    return {
        faction: {fold_loosely(name) for name in faction.units.values_list("name", flat=True)}
        for faction in version.factions.all()
    }


def _match_factions(
    official: OfficialFaction, unit_names: Mapping[Faction, set[str]]
) -> list[tuple[Faction, OfficialFaction]]:
    """Return the factions of the data that a printed faction covers, each with its units.

    Without an equal name, take one with at least half of the units, then others for the rest: the data splits Space
    Marines into chapters.
    """
    folded = fold_loosely(official.name)
    for faction in unit_names:
        if folded in map(fold_loosely, _split_heading(faction.name)):
            return [(faction, official)]

    parts: list[tuple[Faction, OfficialFaction]] = []
    rest = official.units
    while rest:
        printed = {fold_loosely(unit.name) for unit in rest}
        faction, names = max(unit_names.items(), key=lambda pair: len(pair[1] & printed))
        share = len(names & printed)
        if not share or (not parts and share < len(printed) / 2):
            break
        here = [unit for unit in rest if fold_loosely(unit.name) in names]
        rest = [unit for unit in rest if fold_loosely(unit.name) not in names]
        # Chapters share the enhancements.
        detachments = [] if parts else official.detachments
        parts.append((faction, msgspec.structs.replace(official, units=here, detachments=detachments)))
    if parts and rest:
        faction, first = parts[0]
        parts[0] = faction, msgspec.structs.replace(first, units=[*first.units, *rest])
    return parts


def _split_heading(name: str) -> list[str]:
    parts = name.split(" - ")
    return [name, parts[-1]]


class _FactionComparison:
    def __init__(
        self, ruleset: Ruleset, catalogue: CompiledCatalogue, official: OfficialFaction, comparison: PointComparison
    ) -> None:
        self._ruleset = ruleset
        self._catalogue = catalogue
        self._official = official
        self._comparison = comparison
        self._roots: dict[str, CompiledOption] = {}
        for option in catalogue.distinct_roots:
            if option.hidden or not is_unit_entry(ruleset, option.entry):
                continue
            # A unit of the faction takes precedence over an imported one of the same name.
            self._roots.setdefault(fold_loosely(option.entry.name), option)

    def run(self, official_names: set[str]) -> None:
        for unit in self._official.units:
            option = self._roots.get(fold_loosely(unit.name))
            if option is None:
                self._add(unit.name, "unit", "printed", None)
                continue
            self._comparison.units += 1
            self._compare_prices(unit, option)
            self._compare_targets(unit, option)
        for folded, option in self._roots.items():
            if folded not in official_names:
                official_names.add(folded)
                self._add(option.entry.name, "unit", None, "in the data")
        for detachment in self._official.detachments:
            for enhancement in detachment.enhancements:
                self._compare_enhancement(detachment, enhancement)

    def _add(self, subject: str, what: str, official: str | None, data: str | None) -> None:
        self._comparison.differences.append(PointDifference(self._official.name, subject, what, official, data))

    def _compare_prices(self, unit: OfficialUnit, option: CompiledOption) -> None:
        for pricing in unit.pricing:
            for cost in pricing.costs:
                if not (1 <= pricing.first <= MOST_COPIES and 1 <= cost.models <= MOST_MODELS):
                    continue
                self._comparison.prices += 1
                # Some data also counts a pilot or a familiar as a model.
                models = cost.models if len(pricing.costs) > 1 else None
                price = self._price_unit(option, models, pricing.first)
                if price != cost.points:
                    step = f", from unit {pricing.first} on" if pricing.first > 1 else ""
                    self._add(unit.name, f"{cost.models} models{step}", str(cost.points), _write_price(price))

    def _price_unit(self, option: CompiledOption, models: int | None, place: int) -> Number | None:
        """Return the cost of the `place`-th copy, by default of the usual size; None if it cannot be built."""
        ruleset, points = self._ruleset, self._ruleset.points_type
        force_entry = next((force for force in self._catalogue.force_entries if not force.hidden), None)
        if points is None or force_entry is None:
            return None
        roster = edits.create_roster(ruleset).roster
        added = edits.add_force(ruleset, roster, force_entry.id, self._catalogue.catalogue.id)
        if isinstance(added, Refused):
            return None
        edited = edits.select(ruleset, added.roster, added.created[0], option.local_id)
        if isinstance(edited, Refused) or not edited.created:
            return None
        unit_id = edited.created[0]
        filled = edited.roster if models is None else self._fill_unit(edited.roster, unit_id, option, models)
        if filled is None:
            return None
        for _ in range(place - 1):
            copied = edits.duplicate_selection(ruleset, filled, unit_id)
            if isinstance(copied, Refused):
                return None
            filled, unit_id = copied.roster, copied.created[0]
        evaluation = Evaluation(ruleset, filled)
        node = evaluation.scopes.by_id.get(unit_id)
        return evaluation.costs.sum_selection(node).get(points.id, 0) if node else None

    def _fill_unit(self, roster: RosterTree, unit_id: str, unit: CompiledOption, models: int) -> RosterTree | None:
        missing = models - _count_models(Evaluation(self._ruleset, roster), unit_id)
        kinds = [
            option
            for option in unit.entry.contents.options
            if option.entry.target.type is EntryType.MODEL and not option.hidden
        ]
        for option in sorted(kinds, key=self._count_most, reverse=True):
            for _ in range(min(missing, self._count_most(option))):
                added: EditedRoster | Refused = edits.select(self._ruleset, roster, unit_id, option.local_id)
                if isinstance(added, Refused):
                    break
                roster = added.roster
            missing = models - _count_models(Evaluation(self._ruleset, roster), unit_id)
            if missing <= 0:
                break
        return roster if missing == 0 else None

    def _count_most(self, option: CompiledOption) -> int:
        most = self._ruleset.smallest.find_limits(option.entry).max
        return MOST_MODELS if most is None else int(most)

    def _compare_targets(self, unit: OfficialUnit, option: CompiledOption) -> None:
        roots = [root.entry for root in self._roots.values()]
        led = self._ruleset.leaders.list_led(option.entry, roots).get("", [])
        if not led and not unit.attach_to:
            return
        self._comparison.leaders += 1
        data = {fold_loosely(entry.name): entry.name for entry in led}
        official = {fold_loosely(name): name for name in unit.attach_to}
        for folded, name in official.items():
            if folded not in data:
                self._add(unit.name, f"may lead {name}", "yes", "no" if folded in self._roots else None)
        for folded, name in data.items():
            if folded not in official:
                self._add(unit.name, f"may lead {name}", "no", "yes")

    @cached_property
    def _prices_by_name(self) -> dict[str, set[Number]]:
        points = self._ruleset.points_type
        prices: dict[str, set[Number]] = {}
        for catalogue in self._catalogue.closure:
            for entry in walk_entries((*catalogue.entries, *catalogue.shared_entries)):
                costs = {cost.value for cost in entry.costs if points and cost.type_id == points.id}
                if costs:
                    prices.setdefault(fold_loosely(entry.name), set()).update(costs)
        return prices

    def _compare_enhancement(self, detachment: OfficialDetachment, enhancement: OfficialEnhancement) -> None:
        self._comparison.prices += 1
        # Some printed names end in a kind of enhancement: "Bell of Reeds (Upgrade)".
        bare = enhancement.name.removesuffix("(Upgrade)")
        prices = self._prices_by_name.get(fold_loosely(bare), set())
        # Several detachments may have an enhancement of that name.
        if enhancement.points not in prices:
            data = " or ".join(map(str, sorted(prices))) or None
            self._add(f"{enhancement.name} ({detachment.name})", "enhancement", str(enhancement.points), data)


def _count_models(evaluation: Evaluation, unit_id: str) -> int:
    unit = evaluation.scopes.by_id.get(unit_id)
    pending: list[tuple[SelectionNode, int]] = [(unit, 1)] if unit else []
    models = 0
    for node, around in pending:
        number = around * node.number
        if node.option and node.option.entry.target.type is EntryType.MODEL:
            models += number
        pending.extend((inner, number) for inner in node.members)
    return models


def _write_price(value: Number | None) -> str:
    return "has none of that size" if value is None else f"{value:g}"


def group_by_faction(differences: Iterable[PointDifference]) -> Iterator[tuple[str, list[PointDifference]]]:
    groups: dict[str, list[PointDifference]] = {}
    for difference in differences:
        groups.setdefault(difference.faction, []).append(difference)
    yield from groups.items()
