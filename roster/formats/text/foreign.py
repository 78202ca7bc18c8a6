"""Write lists in the layouts that events ask for: names, numbers and points.

The last line names the data, so that `foreign_reader` can read the same list back.
"""

from collections.abc import Container, Iterable, Iterator
from enum import StrEnum

from catalogue.definitions.entries import EntryType, ForceEntry
from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number, format_number
from catalogue.graph.compiled_entry import ContainerOptions
from catalogue.graph.ids import get_link_prefix, strip_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine.report import EffectiveForce, EffectiveSelection, Report, find_cost, find_primary
from roster.engine.stacks import group_equal, index_equal
from roster.engine.tree import OUTSIDE, Force, RosterTree, Selection, list_selections
from roster.formats.list_document.document import OUTSIDE_WORD
from roster.formats.list_document.resolver import list_force_entries
from roster.formats.text.outline import (
    CREATED,
    IN_PART,
    WARLORD,
    AutomaticSelections,
    ListOutline,
    OutlineBond,
    OutlineForce,
    OutlineItem,
    OutlineUnit,
    choose_mark,
    find_usual_kind,
    fold,
    label_association,
    mark_force,
    tidy,
    write_marked,
    write_named,
    write_row,
)
from roster.formats.text.own import WrittenHead
from roster.formats.text.words import (
    CONFIGURATION_WORDS,
    ENHANCEMENT_WORDS,
    WARLORD_WORDS,
    ClaimKey,
    find_claim_key,
    simplify_words,
)

FENCE = "+" * 47
CONFIGURATION = "Configuration"
NO_FORCE = "No detachment"
LIMIT_KEYS = frozenset(map(fold, ("Points limit", "Limits", "Rules", "Not shown")))
_OTHER_KEYS = "FACTION KEYWORD,TOTAL ARMY POINTS,WARLORD,ENHANCEMENT,NUMBER OF UNITS,SETTINGS"
HEAD_KEYS = LIMIT_KEYS | frozenset(map(fold, _OTHER_KEYS.split(",")))
"""The header of a WTC list uses these keys, so no setting may have them."""
_CHARACTERS = frozenset({"character", "characters", "epic hero"})


class TextLayout(StrEnum):
    OWN = "armybuilder"
    WTC = "wtc"
    NEW_RECRUIT = "new-recruit"
    BATTLESCRIBE = "battlescribe"


def write_foreign_text(
    layout: TextLayout,
    ruleset: Ruleset,
    roster: RosterTree,
    report: Report,
    head: WrittenHead,
    settings: Container[str] = (),
    *,
    is_partial: bool = False,
) -> str:
    """Write a list in another program's layout.

    `settings` are the ids of root selections that configure the list. If `is_partial`, the last line says that the text
    is incomplete.
    """
    outline = OutlineBuilder(ruleset, roster, report, head, settings).build_outline()
    outline.is_partial = is_partial
    lines = {
        TextLayout.WTC: _write_wtc,
        TextLayout.NEW_RECRUIT: _write_new_recruit,
        TextLayout.BATTLESCRIBE: _write_battlescribe,
    }[layout](outline)
    return "\n".join(lines).rstrip("\n") + f"\n\n{_write_footer(outline)}\n"


# ---- from a list to its outline --------------------------------------------------------------------------------------


class OutlineBuilder:
    def __init__(
        self, ruleset: Ruleset, roster: RosterTree, report: Report, head: WrittenHead, settings: Container[str]
    ) -> None:
        self._ruleset = ruleset
        self._roster = roster
        self._report = report
        self._head = head
        self._settings = settings
        self._keys = index_equal(roster)
        self._selections = {selection.id: selection for selection in list_selections(roster)}
        self._units: dict[str, OutlineUnit] = {}
        """By selection id, in the order of the text."""
        self._automatic = AutomaticSelections(ruleset)
        self._characters = 0

    def build_outline(self) -> ListOutline:
        head, cost_types = self._head, self._ruleset.binding.cost_types
        outline = ListOutline(head.game, head.version, head.faction, self._roster.name, self._roster.overlay)
        total = find_cost(self._report.costs, head.points_id)
        outline.total = total.value if total else 0
        outline.unshown = self._roster.unshown
        for type_id, value in head.limits.items():
            name = "" if type_id == head.points_id else tidy(cost_types[type_id].name)
            outline.limits[name] = None if isinstance(value, str) else value
        # In the order in which they were added: the automatic selections of a force depend on the others.
        forces = {force.id: force for force in self._report.forces}
        outline.forces = [self._build_force(force, forces[force.id], None, "") for force in self._roster.forces]
        if not self._chooses_detachments():
            outline.kinds = [force.name for force, _depth in walk_outline(outline.forces)]
        if len(self._roster.forces) == 1:
            (force,) = self._roster.forces
            catalogue = (
                self._ruleset.find_catalogue(force.catalogue_id) if force.catalogue_id == self._roster.of else None
            )
            usual = find_usual_kind(catalogue.force_entries) if catalogue else None
            outline.has_usual_kind = usual is not None and usual.id == force.entry_id and not force.forces
        # A unit may be attached to one further down.
        for selection_id, unit in self._units.items():
            unit.bonds = list(self._list_bonds(selection_id))
        return outline

    def _chooses_detachments(self) -> bool:
        """Return whether the game's detachments are options inside a force."""
        catalogue = self._ruleset.find_catalogue(self._roster.of)
        options = catalogue.root_options.options if catalogue else ()
        return any(find_claim_key(option.name) is ClaimKey.DETACHMENT for option in options)

    def _build_force(
        self, force: Force, effective: EffectiveForce, parent: ForceEntry | None, parent_id: str
    ) -> OutlineForce:
        catalogue = self._ruleset.find_catalogue(force.catalogue_id)
        compiled_force = catalogue.find_force(force.entry_id) if catalogue and force.entry_id else None
        entry = compiled_force.entry if compiled_force else None
        name = OUTSIDE_WORD if force.entry_id == OUTSIDE else entry.name if entry else force.name or effective.name
        outline = OutlineForce(tidy(name))
        if entry:
            outline.mark = mark_force(list_force_entries(catalogue, parent), entry)
        if force.catalogue_id != self._roster.of:
            outline.faction = tidy(effective.catalogue_name)
        contents = catalogue.root_options if catalogue else None
        inner_id, automatic = self._automatic.add_force(force.catalogue_id, force.entry_id, parent_id)
        coming = {selection.entry_id for selection in automatic}
        for unit in effective.selections:
            selection = self._selections[unit.id]
            item = self._build_item(selection, 1, contents, "", {unit.id: unit})
            if self._is_setting(unit):
                # An empty automatic setting tells the reader nothing.
                if item.items or selection.entry_id not in coming:
                    setting = self._build_item(selection, selection.number, contents, "", {}, with_brackets=True)
                    setting.name = tidy(setting.name)
                    outline.settings.append(setting)
                continue
            outline.units.append(self._build_unit(item, selection, unit, is_leading=unit.id in force.leading))
        inner = {child.id: child for child in effective.forces}
        outline.forces = [self._build_force(child, inner[child.id], entry, inner_id) for child in force.forces]
        # The reader takes automatic selections, unless the text gives the number 0.
        taken = {selection.entry_id for selection in force.selections}
        for selection in automatic:
            option = contents.find_at(selection.entry_id, selection.group_id) if contents else None
            if (
                contents
                and option
                and option.entry.target.type is EntryType.UPGRADE
                and selection.entry_id not in taken
            ):
                outline.settings.append(OutlineItem(tidy(option.name), 0, choose_mark(contents, option)))
        return outline

    def _is_setting(self, unit: EffectiveSelection) -> bool:
        if unit.id in self._settings:
            return True
        # Costs other than points, such as command points, belong to the force.
        is_free_upgrade = not self._get_points(unit) and all(part.type == "upgrade" for part in unit.walk())
        slot = find_primary(unit.categories)
        configures = slot is not None and simplify_words(slot.name) in CONFIGURATION_WORDS
        return is_free_upgrade and (configures or find_claim_key(unit.name) in (ClaimKey.DETACHMENT, ClaimKey.SIZE))

    def _build_unit(
        self, item: OutlineItem, selection: Selection, unit: EffectiveSelection, *, is_leading: bool
    ) -> OutlineUnit:
        item.count = selection.number
        if is_leading:
            item.items.insert(0, OutlineItem(WARLORD))
        item.items.sort(key=lambda inner: simplify_words(inner.name) not in WARLORD_WORDS)
        slot = find_primary(unit.categories)
        outline = OutlineUnit(item, self._get_points(unit), tidy(slot.name) if slot else "Other")
        if any(simplify_words(category.name) in _CHARACTERS for category in unit.categories):
            self._characters += 1
            outline.reference = f"Char{self._characters}"
        self._units[unit.id] = outline
        return outline

    def _build_item(
        self,
        selection: Selection,
        count: int,
        contents: ContainerOptions | None,
        start: str,
        derived: dict[str, EffectiveSelection],
        *,
        with_brackets: bool = False,
    ) -> OutlineItem:
        option, mark = None, ""
        if contents is not None:
            entry_id, group_id = (strip_link_prefix(start, text) for text in (selection.entry_id, selection.group_id))
            option = contents.find_at(entry_id, group_id)
            mark = choose_mark(contents, option) if option else ""
        name = option.name if option else selection.name or selection.entry_id
        item = OutlineItem(tidy(name, with_brackets=with_brackets), count)
        item.mark, item.custom_name = mark, selection.custom_name
        effective = derived.get(selection.id)
        if effective:
            item.is_model = effective.type == "model"
            item.points = self._get_points(effective)
            derived = {inner.id: inner for inner in effective.selections}
        if option and option.group:
            groups = (group.entry.name for group in option.groups)
            item.is_enhancement = not selection.selections and any(
                simplify_words(g) in ENHANCEMENT_WORDS for g in groups
            )
        inner_contents = option.entry.contents if option else None
        inner_start = get_link_prefix(selection.entry_id) if option else start
        for stack in group_equal(selection.selections, self._keys):
            number = sum(inner.number for inner in stack)
            inner_item = self._build_item(
                stack[0], number, inner_contents, inner_start, derived, with_brackets=with_brackets
            )
            item.items.append(inner_item)
        return item

    def _get_points(self, selection: EffectiveSelection) -> Number:
        cost = find_cost(selection.totals, self._head.points_id)
        return cost.value if cost else 0

    def _list_bonds(self, selection_id: str) -> Iterator[OutlineBond]:
        selection = self._selections[selection_id]
        for attachment in selection.attachments:
            target = self._units.get(attachment.to_id)
            if target is None:
                continue
            same = [other for other in self._units.values() if other.item.name == target.item.name]
            number = next(place for place, other in enumerate(same, 1) if other is target)
            associations = self._list_associations(selection)
            label = next(
                (name for association_id, name in associations[1:] if association_id == attachment.association_id), ""
            )
            yield OutlineBond(target.item.name, number, label)

    def _list_associations(self, selection: Selection) -> list[tuple[str, str]]:
        for force in self._report.walk_forces():
            catalogue = self._ruleset.find_catalogue(force.catalogue_id)
            if catalogue is None or all(unit.id != selection.id for unit in force.selections):
                continue
            option = catalogue.root_options.find_at(selection.entry_id, selection.group_id)
            if option:
                associations = self._ruleset.leaders.list_associations(option.entry)
                return [(one.id, label_association(one, place)) for place, one in enumerate(associations, 1)]
        return []


# ---- shared by the layouts -------------------------------------------------------------------------------------------


def _write_footer(outline: ListOutline) -> str:
    parts = [f"{CREATED} for {tidy(outline.game)}" if outline.game else CREATED]
    if outline.version:
        parts.append(f"data {outline.version}")
    if outline.is_partial:
        parts.append(IN_PART)
    return ", ".join(parts)


def walk_outline(forces: Iterable[OutlineForce], depth: int = 0) -> Iterator[tuple[OutlineForce, int]]:
    for force in forces:
        yield force, depth
        yield from walk_outline(force.forces, depth + 1)


def _name_force(force: OutlineForce, depth: int, faction: str = "") -> str:
    mark = f" {{{force.mark}}}" if force.mark else ""
    return "> " * depth + force.name + mark + (f" ({faction})" if faction else "")


def _list_limits(outline: ListOutline) -> Iterator[tuple[str, str]]:
    if "" in outline.limits:
        yield "Points limit", _write_limit(outline.limits[""])
    others = ", ".join(f"{name} {_write_limit(value)}" for name, value in outline.limits.items() if name)
    if others:
        yield "Limits", others
    if outline.rules:
        yield "Rules", outline.rules
    if outline.unshown:
        yield "Not shown", ", ".join(outline.unshown)


def _write_limit(value: Number | None) -> str:
    return "none" if value is None else format_number(value)


def _sum_points(units: Iterable[OutlineUnit]) -> str:
    return format_number(sum((unit.points for unit in units), 0))


def _append_row(start: str, row: str) -> str:
    return f"{start}: {row}" if row else start


def _write_bonds(unit: OutlineUnit) -> Iterator[str]:
    for bond in unit.bonds:
        number = f" #{bond.number}" if bond.number > 1 else ""
        yield f"  Attached to {bond.name}{number}" + (f" as {bond.label}" if bond.label else "")


def _list_models(unit: OutlineUnit) -> list[OutlineItem]:
    return [item for item in unit.item.items if item.is_model]


# ---- WTC-compact -----------------------------------------------------------------------------------------------------


def _write_wtc(outline: ListOutline) -> Iterator[str]:
    walked = list(walk_outline(outline.forces))
    units = [unit for force, _ in walked for unit in force.units]
    first = outline.forces[0].settings if outline.forces else []
    yield FENCE
    yield f"+ FACTION KEYWORD: {tidy(outline.faction)}"
    if outline.kinds:
        yield f"+ DETACHMENT: {', '.join(outline.kinds)}"
    yield from _write_wtc_settings(first)
    yield f"+ TOTAL ARMY POINTS: {format_number(outline.total)}pts"
    yield from (f"+ {key.upper()}: {value}" for key, value in _list_limits(outline))
    yield "+"
    yield from (f"+ WARLORD: {_refer(unit)}" for unit in units if _is_warlord(unit.item))
    enhancements = [(item, unit) for unit in units for item in unit.item.items if item.is_enhancement]
    for place, (item, unit) in enumerate(enhancements):
        yield f"{'&' if place else '+ ENHANCEMENT:'} {item.name} (on {_refer(unit)})"
    yield f"+ NUMBER OF UNITS: {len(units)}"
    yield FENCE
    for place, (force, depth) in enumerate(walked):
        yield ""
        if not outline.has_usual_kind:
            yield f"== {_name_force(force, depth, force.faction)} =="
        if place:
            yield from _write_wtc_settings(force.settings)
        for unit in force.units:
            yield from _write_wtc_unit(unit)


def _write_wtc_settings(settings: Iterable[OutlineItem]) -> Iterator[str]:
    """Write a line per setting. Settings without content, or named like another key, share the key SETTINGS."""
    others: list[OutlineItem] = []
    is_named = False
    for setting in settings:
        claim = find_claim_key(setting.name)
        key = setting.name.upper()
        if claim is ClaimKey.DETACHMENT and not is_named:
            key, is_named = "DETACHMENT", True
        if not setting.items or setting.mark or setting.count != 1 or fold(key) in HEAD_KEYS or "(" in key:
            others.append(setting)
        else:
            yield f"+ {key}: {write_row(setting.items)}"
    if others:
        yield f"+ SETTINGS: {write_row(others)}"


def _refer(unit: OutlineUnit) -> str:
    name = write_marked(unit.item.name, custom_name=unit.item.custom_name)
    return f"{unit.reference}: {name}" if unit.reference else name


def _is_warlord(item: OutlineItem) -> bool:
    return any(simplify_words(inner.name) in WARLORD_WORDS or _is_warlord(inner) for inner in item.items)


def _write_wtc_unit(unit: OutlineUnit) -> Iterator[str]:
    models = _list_models(unit)
    count = unit.item.count * (sum(model.count for model in models) or 1)
    name = write_marked(unit.item.name, unit.item.mark, unit.item.custom_name)
    start = f"{count}x {name} ({format_number(unit.points)} pts)"
    others = [item for item in unit.item.items if not item.is_model]
    inline = [item for item in others if not item.is_enhancement or item.count != 1]
    yield _append_row(f"{unit.reference}: {start}" if unit.reference else start, write_row(inline))
    for item in others:
        if item not in inline:
            option = write_marked(item.name, item.mark, item.custom_name)
            yield f"Enhancement: {option} (+{format_number(item.points)} pts)"
    for stack in group_by(models, lambda model: (model.name, model.mark, model.custom_name)).values():
        number = sum(model.count for model in stack)
        line = f"• {number}x {write_marked(stack[0].name, stack[0].mark, stack[0].custom_name)}"
        if len(stack) > 1:
            yield line
            yield from (f"    {part.count} with {write_row(part.items)}" for part in stack if part.items)
            continue
        row = write_row(stack[0].items)
        yield _append_row(line, f"{number} with {row}" if row and number > 1 else row)
    yield from _write_bonds(unit)


# ---- New Recruit and BattleScribe ------------------------------------------------------------------------------------


def _write_new_recruit(outline: ListOutline) -> Iterator[str]:
    total = f"[{format_number(outline.total)} pts]"
    yield f"{tidy(outline.faction)} - {tidy(outline.title) or 'List'} - {total}"
    yield ""
    for place, (force, depth) in enumerate(walk_outline(outline.forces or [OutlineForce(NO_FORCE)])):
        yield f"# ++ {_name_force(force, depth, force.faction)} ++ [{_sum_points(force.units)} pts]"
        if configuration := [*_write_configuration(force, () if place else _list_limits(outline))]:
            yield f"## {CONFIGURATION}"
            yield from configuration
            yield ""
        for slot, units in group_by(force.units, lambda unit: unit.section).items():
            yield f"## {slot} [{_sum_points(units)} pts]"
            for unit in units:
                models = _list_models(unit)
                start = f"{_write_start(unit)} [{format_number(unit.points)} pts]"
                row = write_row(item for item in unit.item.items if not item.is_model)
                yield f"{start}:" if models and not row else _append_row(start, row)
                for model in models:
                    name = write_marked(model.name, model.mark, model.custom_name)
                    yield _append_row(f"• {model.count}x {name}", write_row(model.items))
                yield from _write_bonds(unit)
            yield ""


def _write_battlescribe(outline: ListOutline) -> Iterator[str]:
    for place, (force, depth) in enumerate(walk_outline(outline.forces or [OutlineForce(NO_FORCE)])):
        faction = force.faction or tidy(outline.faction)
        yield f"++ {_name_force(force, depth, faction)} [{_sum_points(force.units)}pts] ++"
        if configuration := [*_write_configuration(force, () if place else _list_limits(outline))]:
            yield from ("", f"+ {CONFIGURATION} +", "", *configuration)
        slot = ""
        for unit in force.units:
            if unit.section != slot:
                slot = unit.section
                yield from ("", f"+ {slot} +")
            yield ""
            start = f"{_write_start(unit)} [{format_number(unit.points)}pts]"
            yield _append_row(start, write_row(item for item in unit.item.items if not item.is_model))
            for model in _list_models(unit):
                name = write_marked(model.name, model.mark, model.custom_name)
                # BattleScribe counts the equipment of all models together.
                yield _append_row(f". {model.count}x {name}", write_row(model.items, model.count))
            yield from _write_bonds(unit)
        yield ""
    yield f"++ Total: [{format_number(outline.total)}pts] ++"


def _write_configuration(force: OutlineForce, limits: Iterable[tuple[str, str]]) -> Iterator[str]:
    for setting in force.settings:
        name = write_named(setting.name, setting.count, setting.mark)
        yield _append_row(name, write_row(setting.items))
    yield from (f"{key}: {value}" for key, value in limits)


def _write_start(unit: OutlineUnit) -> str:
    return write_named(unit.item.name, unit.item.count, unit.item.mark, unit.item.custom_name)
