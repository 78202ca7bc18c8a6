"""Read the texts that `foreign` wrote back into exactly the same lists.

Their last line names the data, so names are unambiguous. `parse` and `resolve` guess at all other texts.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from catalogue.definitions.entries import EntryType, ForceEntry
from catalogue.definitions.numbers import parse_number
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine.tree import Force, RosterTree, Selection
from roster.formats.list_document.build import BuiltList, build_list
from roster.formats.list_document.document import OUTSIDE_WORD, ListDocument, ListedForce, ListedItem, ListedLimit
from roster.formats.list_document.resolver import ForeignEntries, list_force_entries
from roster.formats.list_document.values import Text
from roster.formats.text.foreign import CONFIGURATION, FENCE, HEAD_KEYS, LIMIT_KEYS, NO_FORCE, walk_outline
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
    RowReader,
    find_marked,
    find_usual_kind,
    fold,
    label_association,
)
from roster.formats.text.shapes import clean_line
from roster.formats.text.words import ClaimKey, find_claim_key

_FOOTER = re.compile(rf"{CREATED}(?: for (?P<game>[^,]+))?(?:, data (?P<version>\w+))?(?P<part>, {IN_PART})?")
_NAME = r"(?P<name>[^{}\"]+?)(?: \{(?P<mark>[^{}]*)\})?(?: \"(?P<custom>[^\"]*)\")?"
_POINTS = r"(?P<points>-?[\d.]+)"
_WTC_UNIT = re.compile(rf"(?:(?P<ref>Char\d+): )?(?P<count>\d+)x {_NAME} \({_POINTS} pts\)(?:[:] (?P<row>.+))?")
_UNIT = re.compile(rf"(?:(?P<count>\d+)x )?{_NAME} \[{_POINTS} ?pts\]:?(?: (?P<row>.+))?")
_MODEL = re.compile(rf"[•.] (?P<count>\d+)x {_NAME}(?:[:] (?P<row>.+))?")
_PART = re.compile(r"(?P<count>\d+) with (?P<row>.+)")
_ENHANCEMENT = re.compile(rf"Enhancement: {_NAME} \(\+{_POINTS} pts\)")
_BOND = re.compile(r"Attached to (?P<name>.+?)(?: #(?P<number>\d+))?(?: as (?P<label>.+))?")
_CLAIM = re.compile(r"\+ (?P<key>[^:]+): (?P<value>.*)")
_CONFIGURED = re.compile(r"(?:(?P<count>\d+)x )?(?P<name>[^:{}]+?)(?: \{(?P<mark>[^{}]*)\})?(?:[:] (?P<row>.+))?")
_FORCE = r"(?P<depth>(?:> )*)(?P<name>.+?)"
_WTC_FORCE = re.compile(rf"== {_FORCE} ==")
_HASHED_FORCE = re.compile(rf"# \+\+ {_FORCE} \+\+ \[.*\]")
_PLUS_FORCE = re.compile(rf"\+\+ {_FORCE} \[[^\[\]]*pts\] \+\+")
_FACTION = re.compile(r"(?P<name>.+?) \((?P<faction>[^()]*)\)")
_MARKED = re.compile(r"(?P<name>.+?) \{(?P<mark>[^{}]*)\}")
_TITLE = re.compile(rf"(?P<title>.+) - \[{_POINTS} pts\]")
_TOTAL = re.compile(rf"\+\+ Total: \[{_POINTS}pts\] \+\+")
_SECTION = re.compile(r"## .+\[[^\[\]]*\]|\+ .+ \+")
_LIMIT = re.compile(r"(?P<name>.+) (?P<value>none|-?[\d.]+)")
OUR_MARKS = re.compile(r" \{[^{}]*\}")
"""Marks that only our texts write after names, to distinguish equal names."""
OUR_SIGNS = re.compile(OUR_MARKS.pattern + r"| \"[^\"]*\"(?= ?(?:$|[\[(:,)]))")
"""The marks, and custom names."""


def is_created_footer(line: str) -> bool:
    return line.startswith(CREATED) and _FOOTER.fullmatch(line) is not None


def read_outline(lines: Sequence[str]) -> ListOutline | None:
    """Read one list that `foreign` wrote; None if any line is different."""
    cleaned = [line for raw in lines if (line := clean_line(raw).expandtabs(4).strip())]
    end = next((place for place, line in enumerate(cleaned) if is_created_footer(line)), None)
    footer = _FOOTER.fullmatch(cleaned[end]) if end is not None else None
    if footer is None:
        return None
    reader = OutlineReader()
    try:
        for line in cleaned[:end]:
            reader.read_line(line)
        reader.close()
    except ValueError:
        return None
    outline = reader.outline
    outline.game, outline.version = footer["game"] or "", footer["version"] or ""
    outline.is_partial = footer["part"] is not None
    return outline


@dataclass(slots=True)
class OutlineReader:
    """Reads one text. `_read` methods return whether they take the line; ValueError for a broken line."""

    outline: ListOutline = field(default_factory=ListOutline)
    _open: list[OutlineForce] = field(default_factory=list)
    _stack: OutlineItem | None = None
    """The models that parts may follow; `count` is the number of models without a part."""
    _in_configuration: bool = False
    _is_grouped: bool = False
    """Whether equipment is counted for all models together, as in BattleScribe."""
    _counts_models: bool = False
    """Whether the number in front of a unit counts its models."""

    def read_line(self, line: str) -> None:
        is_read = (
            self._read_frame(line)
            or self._read_force(line)
            or self._read_claim(line)
            or self._read_configured(line)
            or self._read_inside(line)
            or self._read_unit(line)
        )
        if not is_read:
            raise ValueError(line)

    @property
    def _force(self) -> OutlineForce:
        if not self._open:
            self._open.append(OutlineForce())
            self.outline.forces.append(self._open[0])
        return self._open[-1]

    def _read_frame(self, line: str) -> bool:
        outline = self.outline
        if line in (FENCE, "+"):
            return True
        if total := _TOTAL.fullmatch(line):
            outline.total = parse_number(total["points"])
            return True
        if (title := _TITLE.fullmatch(line)) and not outline.forces:
            outline.faction, outline.total = title["title"], parse_number(title["points"])
            return True
        if line in (f"## {CONFIGURATION}", f"+ {CONFIGURATION} +"):
            self._in_configuration = True
            return True
        if _SECTION.fullmatch(line) and not line.startswith("++"):
            self._in_configuration = False
            return True
        return False

    def _read_force(self, line: str) -> bool:
        match = _WTC_FORCE.fullmatch(line) or _HASHED_FORCE.fullmatch(line) or _PLUS_FORCE.fullmatch(line)
        if match is None:
            return False
        self._in_configuration = False
        self._is_grouped = self._is_grouped or line.startswith("++")
        depth = len(match["depth"]) // 2
        force = OutlineForce(match["name"])
        if faction := _FACTION.fullmatch(force.name):
            force.name, force.faction = faction["name"], faction["faction"]
        if marked := _MARKED.fullmatch(force.name):
            force.name, force.mark = marked["name"], marked["mark"]
        head = self._open[0] if self._open else None
        if head and not head.name and not head.units:
            # The settings of the first force are in the head of the list, above its heading.
            head.name, head.faction, head.mark = force.name, force.faction, force.mark
            return True
        del self._open[depth:]
        (self._open[-1].forces if self._open else self.outline.forces).append(force)
        self._open.append(force)
        if self._is_grouped and not self.outline.faction:
            self.outline.faction = force.faction
        return True

    def _read_claim(self, line: str) -> bool:
        if line.startswith("& "):
            return True
        match = _CLAIM.fullmatch(line)
        if match is None:
            return False
        key, value = fold(match["key"]), match["value"]
        if key == fold("FACTION KEYWORD"):
            self.outline.faction = value
        elif key == fold("SETTINGS"):
            self._force.settings += RowReader(value).read_row()
        elif key in LIMIT_KEYS:
            self._add_limit(key, value)
        elif key not in HEAD_KEYS:
            # A list without a detachment setting names its kinds of force under this key.
            self._force.settings.append(OutlineItem(match["key"], items=RowReader(value).read_row()))
        return True

    def _read_configured(self, line: str) -> bool:
        # A slot may have the same name as the section.
        if _UNIT.fullmatch(line):
            self._in_configuration = False
        match = _CONFIGURED.fullmatch(line) if self._in_configuration else None
        if match is None:
            return False
        row = match["row"] or ""
        if fold(match["name"]) in LIMIT_KEYS and row:
            self._add_limit(fold(match["name"]), row)
            return True
        items = RowReader(row).read_row() if row else []
        setting = OutlineItem(match["name"], int(match["count"] or 1), match["mark"] or "", items=items)
        self._force.settings.append(setting)
        return True

    def _add_limit(self, key: str, value: str) -> None:
        if key == fold("Rules"):
            self.outline.rules = value
            return
        if key == fold("Not shown"):
            self.outline.unshown = tuple(value.split(", "))
            return
        for text in value.split(", ") if key == fold("Limits") else [value]:
            limit = _LIMIT.fullmatch(f"points {text}" if key != fold("Limits") else text)
            if limit is None:
                raise ValueError(text)
            name = "" if key != fold("Limits") else limit["name"]
            self.outline.limits[name] = None if limit["value"] == "none" else parse_number(limit["value"])

    def _read_inside(self, line: str) -> bool:
        units = self._open[-1].units if self._open else []
        if not units:
            return False
        unit = units[-1]
        if match := _MODEL.fullmatch(line):
            count, row = int(match["count"]), match["row"] or ""
            model = OutlineItem(match["name"], count, match["mark"] or "", match["custom"] or "", is_model=True)
            if part := _PART.fullmatch(row):
                row = part["row"]
            model.items = RowReader(row).read_row() if row else []
            if self._is_grouped:
                _divide(model.items, count)
            unit.item.items.append(model)
            self._stack = model
        elif part := _PART.fullmatch(line):
            # The models of a part are subtracted from the line above.
            stack, count = self._stack, int(part["count"])
            if stack is None or stack.count < count:
                raise ValueError(line)
            stack.count -= count
            items = RowReader(part["row"]).read_row()
            model = OutlineItem(stack.name, count, stack.mark, stack.custom_name, items, is_model=True)
            unit.item.items.append(model)
        elif match := _ENHANCEMENT.fullmatch(line):
            enhancement = OutlineItem(match["name"], 1, match["mark"] or "", match["custom"] or "")
            unit.item.items.append(enhancement)
        elif match := _BOND.fullmatch(line):
            unit.bonds.append(OutlineBond(match["name"], int(match["number"] or 1), match["label"] or ""))
        else:
            return False
        return True

    def _read_unit(self, line: str) -> bool:
        match = _WTC_UNIT.fullmatch(line) or _UNIT.fullmatch(line)
        if match is None:
            return False
        self._stack = None
        items = RowReader(match["row"]).read_row() if match["row"] else []
        item = OutlineItem(match["name"], int(match["count"] or 1), match["mark"] or "", match["custom"] or "", items)
        self._force.units.append(OutlineUnit(item, parse_number(match["points"])))
        self._counts_models = match.re is _WTC_UNIT
        return True

    def close(self) -> None:
        outline = self.outline
        if [force.name for force in outline.forces] == [NO_FORCE]:
            outline.forces.clear()
        for force, _depth in walk_outline(outline.forces):
            for unit in force.units:
                item = unit.item
                # Drop the line of a model whose models are all in parts.
                item.items = [inner for inner in item.items if inner.count or not inner.is_model]
                models = sum(inner.count for inner in item.items if inner.is_model)
                if models and self._counts_models:
                    _divide([item], models)


def _divide(items: Iterable[OutlineItem], count: int) -> None:
    for item in items:
        if item.count % count:
            raise ValueError(item.name)
        item.count //= count


# ---- from an outline to the list -------------------------------------------------------------------------------------


def resolve_outline(
    ruleset: Ruleset, outline: ListOutline, faction_id: str, *, game: str = "", version: str = ""
) -> ListDocument | None:
    """Return an exact list document; None if the data lacks a name."""
    try:
        return OutlineResolver(ruleset, outline, faction_id).build_document(game, version)
    except ValueError:
        return None


class OutlineResolver:
    def __init__(self, ruleset: Ruleset, outline: ListOutline, faction_id: str) -> None:
        self._ruleset = ruleset
        self._outline = outline
        self._faction_id = faction_id
        self._catalogues = {fold(one.name): one.id for one in ruleset.data.catalogues}
        self._units = [unit for force, _depth in walk_outline(outline.forces) for unit in force.units]
        self._automatic = AutomaticSelections(ruleset)
        self._refs: dict[int, str] = {}
        """By position in the list."""

    def build_document(self, game: str, version: str) -> ListDocument:
        outline, points = self._outline, self._ruleset.points_type
        limits = []
        for name, value in outline.limits.items():
            if name or points:
                limits.append(ListedLimit(type=Text(name or (points.id if points else "")), value=value))
        for unit in self._units:
            for bond in unit.bonds:
                place = self._find_place(bond)
                self._refs[place] = f"u{place + 1}"
        return ListDocument(
            game=Text(game),
            version=Text(version),
            faction=Text(self._faction_id),
            rules=Text(outline.rules),
            exact=True,
            stacked=True,
            name=outline.title,
            unshown=outline.unshown,
            limits=tuple(limits),
            detachments=tuple(self._build_force(force, None, "") for force in outline.forces),
        )

    def _find_place(self, bond: OutlineBond) -> int:
        places = [place for place, unit in enumerate(self._units) if fold(unit.item.name) == fold(bond.name)]
        if len(places) < bond.number:
            raise ValueError(bond.name)
        return places[bond.number - 1]

    def _build_force(self, force: OutlineForce, parent: ForceEntry | None, parent_id: str) -> ListedForce:
        catalogue_id = self._catalogues.get(fold(force.faction), "") if force.faction else self._faction_id
        catalogue = self._ruleset.find_catalogue(catalogue_id)
        if catalogue is None:
            raise ValueError(force.faction)
        is_outside = force.name == OUTSIDE_WORD
        entry = None if is_outside else self._find_kind(force, catalogue, parent)
        contents = catalogue.root_options
        items = [self._build_setting(setting, catalogue) for setting in force.settings]
        settings = [item for item in items if item is not None]
        units = [self._build_unit(unit, catalogue) for unit in force.units]
        inner_id = ""
        if entry:
            # The text leaves out empty automatic settings.
            entry_ids = {item.entry.value for item in (*settings, *units)}
            inner_id, automatic = self._automatic.add_force(catalogue_id, entry.id, parent_id)
            for selection in automatic:
                option = contents.find_at(selection.entry_id, selection.group_id)
                is_setting = option is not None and option.entry.target.type is EntryType.UPGRADE
                if option and is_setting and option.local_id not in entry_ids:
                    settings.append(ListedItem(entry=Text(option.local_id), options=()))
        return ListedForce(
            force=Text(entry.id if entry else OUTSIDE_WORD),
            outside=is_outside,
            catalogue=Text(catalogue_id),
            units=(*settings, *units),
            detachments=tuple(self._build_force(inner, entry, inner_id) for inner in force.forces),
        )

    def _find_kind(self, force: OutlineForce, catalogue: CompiledCatalogue, parent: ForceEntry | None) -> ForceEntry:
        kinds = list_force_entries(catalogue, parent)
        usual = find_usual_kind(kinds)
        if not force.name and usual:
            return usual
        called = [kind for kind in kinds if fold(kind.name) == fold(force.name)]
        place = int(force.mark) if force.mark.isdigit() else 1
        if len(called) < place:
            raise ValueError(force.name)
        return called[place - 1]

    def _build_setting(self, setting: OutlineItem, catalogue: CompiledCatalogue) -> ListedItem | None:
        contents = catalogue.root_options
        option = find_marked(contents, setting.name, setting.mark)
        if option is None and find_claim_key(setting.name) is ClaimKey.DETACHMENT:
            # `DETACHMENT` is the key for the detachment choice, whatever the game calls it.
            called = [one for one in contents.options if find_claim_key(one.name) is ClaimKey.DETACHMENT]
            if not called:
                return None
            knowing = (one for one in called if all(find_marked(one.entry.contents, i.name, "") for i in setting.items))
            option = next(knowing, called[0])
        if option is None:
            raise ValueError(setting.name)
        return self._build_item(setting, option)

    def _build_unit(self, unit: OutlineUnit, catalogue: CompiledCatalogue) -> ListedItem:
        option = find_marked(catalogue.root_options, unit.item.name, unit.item.mark)
        if option is None:
            return self._build_stranger(unit.item, catalogue)
        place = next(number for number, other in enumerate(self._units) if other is unit)
        return self._build_item(unit.item, option, self._refs.get(place, ""), tuple(self._list_attached(unit, option)))

    def _build_stranger(self, item: OutlineItem, catalogue: CompiledCatalogue) -> ListedItem:
        strangers = ForeignEntries(self._ruleset, catalogue)
        entry = strangers.find(item.name)
        if entry is None:
            return self._build_unknown(item)
        option = self._ruleset.find_misplaced_option(entry.id)
        if option is not None:
            listed = self._build_item(item, option)
            return replace(listed, entry=Text(entry.id), group=Text())
        return _list_placeholder(item, entry.id)

    def _build_unknown(self, item: OutlineItem) -> ListedItem:
        if not self._outline.is_partial:
            raise ValueError(item.name)
        return _list_placeholder(item, item.name)

    def _list_attached(self, unit: OutlineUnit, option: CompiledOption) -> Iterator[tuple[Text, tuple[Text, ...]]]:
        associations = self._ruleset.leaders.list_associations(option.entry)
        for bond in unit.bonds:
            names = (fold(label_association(one, place)) for place, one in enumerate(associations, 1))
            named = [one for one, name in zip(associations, names, strict=True) if name == fold(bond.label)]
            chosen = named or associations[:1]
            if not chosen or (bond.label and not named):
                raise ValueError(bond.label)
            yield Text(chosen[0].id), (Text(self._refs[self._find_place(bond)]),)

    def _build_item(
        self,
        item: OutlineItem,
        option: CompiledOption,
        ref: str = "",
        attached: tuple[tuple[Text, tuple[Text, ...]], ...] = (),
    ) -> ListedItem:
        contents = option.entry.contents
        inner: list[ListedItem] = []
        leads = False
        for child in item.items:
            # The brackets may be part of the name.
            whole = find_marked(contents, child.written, "") if child.items else None
            inner_option = whole or find_marked(contents, child.name, child.mark)
            if inner_option is None:
                if child.name == WARLORD:
                    leads = True
                else:
                    inner.append(self._build_unknown(child))
                continue
            inner.append(self._build_item(OutlineItem(child.name, child.count) if whole else child, inner_option))
        group = option.group
        return ListedItem(
            entry=Text(option.local_id),
            group=Text(group.local_id) if group else Text(),
            count=item.count,
            name=item.custom_name,
            leads=leads,
            ref=Text(ref),
            attached=attached,
            options=tuple(inner),
        )


def _list_placeholder(item: OutlineItem, entry: str) -> ListedItem:
    inner = tuple(_list_placeholder(child, child.name) for child in item.items)
    return ListedItem(entry=Text(entry), count=item.count, name=item.custom_name, options=inner)


# ---- comparison ------------------------------------------------------------------------------------------------------


def reads_back(ruleset: Ruleset, text: str, roster: RosterTree) -> bool:
    outline = read_outline(text.splitlines())
    document = resolve_outline(ruleset, outline, roster.of) if outline else None
    built = build_list(ruleset, document, roster.of) if document else None
    return isinstance(built, BuiltList) and describe_content(built.roster) == describe_content(roster)


def describe_content(roster: RosterTree) -> Hashable:
    """Return a list's content without order, ids and custom names."""
    names = {unit.id: unit.entry_id for force in _walk_forces(roster.forces) for unit in force.selections}
    limits = frozenset((limit.type_id, limit.value) for limit in roster.limits if limit.value >= 0)
    forces = _count(_describe_force(force, names) for force in roster.forces)
    return roster.overlay, frozenset(roster.unshown), limits, forces


def _count(parts: Iterable[Hashable]) -> Hashable:
    return frozenset(Counter(parts).items())


def _walk_forces(forces: Iterable[Force]) -> Iterator[Force]:
    for force in forces:
        yield force
        yield from _walk_forces(force.forces)


def _describe_force(force: Force, names: dict[str, str]) -> Hashable:
    units = ((_describe(unit, names), unit.id in force.leading) for unit in force.selections)
    inner = _count(_describe_force(child, names) for child in force.forces)
    return force.entry_id, force.catalogue_id, _count(units), inner


def _describe(selection: Selection, names: dict[str, str], *, is_inside: bool = False) -> Hashable:
    inside = Counter[Hashable]()
    for inner in selection.selections:
        inside[_describe(inner, names, is_inside=True)] += inner.number
    bonds = frozenset((bond.association_id, names.get(bond.to_id, bond.to_id)) for bond in selection.attachments)
    number = 1 if is_inside else selection.number
    return selection.entry_id, selection.group_id, number, bonds, frozenset(inside.items())
