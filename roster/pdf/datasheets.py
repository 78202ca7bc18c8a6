"""What a player needs of a unit at the table: profile, weapons, abilities, boxes to tick. Pure: values in, values out.

Tables of a list are alike: which columns of a profile hold figures, and which hold words that stand beside a name, is
decided for all units of the list at once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from catalogue.definitions.infos import Phase
from roster.engine.report import EffectiveProfile, EffectiveRule, EffectiveSelection
from roster.pdf.listed_units import (
    MODEL,
    ListedUnit,
    compute_own_costs,
    count_units,
    divide_number,
    get_name,
    is_guest,
    walk_own,
)
from roster.pdf.model_lines import build_model_lines
from roster.pdf.paper_text import MINUS, describe_options, format_figure, split_paragraphs
from roster.pdf.profile_tables import get_type_key, is_text
from roster.pdf.reference import list_profiles, list_rules
from roster.pdf.shapes import (
    Ability,
    Datasheet,
    ModelLine,
    ProfileRow,
    ProfileTable,
    Track,
    WeaponRow,
    WeaponTable,
)
from roster.pdf.sheet_cards import group_alike_units
from roster.pdf.sheet_context import SheetContext
from roster.pdf.type.signs import PHASES

WOUNDS = ("W", "FOR", "Endurance", "Wounds", "HP", "Hit Points", "Structure")
"""The columns that say how much a model can take, as games call them."""
STRUCTURES = ("HULL", "WPNS", "MOV", "ENG")
"""The columns of vehicles that hold armour and structure, such as 33/7: the second figure is what can be ticked off."""
SHORT_HEADS = {"Save": "Sv", "Endurance": "END", "Change mode": "Change", "SV": "Sv", "LD": "Ld"}
NOT_AT_THE_TABLE = frozenset({"PTS", "Model type"})
"""Columns that say again what stands elsewhere: points in the corner, the type among the keywords."""
SAVES = ("Save", "Sv", "SV")
INVULNERABLE = "Inv"
NOTHING = "–"
DASHES = frozenset({"-", "–", "", MINUS})
FIVE = 5
MOST_BOXES = 120
"""Boxes of one unit: nobody ticks off more by hand."""
LONGEST_FIGURE = 7
"""Letters of the longest text in a column of figures."""
_ORDER = {phase: place for place, phase in enumerate(PHASES)}
"""Where abilities of a phase stand; those of which nothing is known come last."""
_STEP = re.compile(r"(\d+)\s*(?:-|–|to)\s*(\d+)\b")
_STRUCTURE = re.compile(r"\d+\s*/\s*\d+")
_ONLY_IN_THE_BOOK = re.compile(r"see the unit card\.?", re.IGNORECASE)
_INVULNERABLE = re.compile(
    r"(?:Invulnerable save (?:of )?(\d\+)|(?:An? )?(\d\+) invulnerable save)\s*[.;]?\s*", re.IGNORECASE
)
_ONCE = re.compile(
    r"\bonce\b(?! (?:a|per|each) (?:turn|round|phase))|\bone use\b|\blimited use\b", re.IGNORECASE
)
_ONCE_A_BATTLE = re.compile(r"\bonce (?:a|per) (?:battle|game)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?<![\w)])-(?=\d)")


def build_datasheets(units: Sequence[ListedUnit], context: SheetContext) -> Iterator[Datasheet]:
    """Yield the datasheets in the order in which their units first appear, equal units as one."""
    groups = group_alike_units(units)
    profiles = [profile for group in groups for profile in list_profiles(group[0].node)]
    columns = _plan_columns(profiles)
    for group in groups:
        sheet = _build_datasheet(group, columns, context)
        if sheet.profile or sheet.weapons or sheet.abilities or sheet.options or sheet.notes or sheet.tracks:
            yield sheet


@dataclass(slots=True)
class _Columns:
    """The columns of one type of profile: those of figures, those of words, those like 33/7 of armour and structure."""

    title: str
    figures: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    structure: list[str] = field(default_factory=list)
    wounds: str = ""
    is_steps: bool = False

    @property
    def is_profile(self) -> bool:
        """Whether these are profiles of models, not of what they carry."""
        return bool(self.wounds or self.structure)


def _plan_columns(profiles: Sequence[EffectiveProfile]) -> dict[str, _Columns]:
    """Return the columns of each type of profile that stands in tables."""
    by_type: dict[str, list[EffectiveProfile]] = {}
    for profile in profiles:
        if not is_text(profile):
            by_type.setdefault(get_type_key(profile), []).append(profile)
    return {key: _plan_type(group) for key, group in by_type.items()}


def _plan_type(profiles: Sequence[EffectiveProfile]) -> _Columns:
    columns = _Columns(title=profiles[0].type_name)
    values: dict[str, list[str]] = {}
    for profile in profiles:
        for characteristic in profile.characteristics:
            values.setdefault(characteristic.name, []).append(characteristic.value)
    for name, texts in values.items():
        if name in NOT_AT_THE_TABLE or all(text in DASHES for text in texts):
            continue
        if name in STRUCTURES and any(_STRUCTURE.fullmatch(text) for text in texts):
            columns.structure.append(name)
        elif _are_words(name, texts):
            columns.words.append(name)
        else:
            columns.figures.append(name)
    columns.wounds = next((name for name in WOUNDS if name in columns.figures), "")
    columns.is_steps = bool(columns.wounds) and all(_STEP.match(profile.name) for profile in profiles)
    return columns


def _are_words(name: str, texts: Iterable[str]) -> bool:
    if name.casefold() in ("type", "abilities", "special", "rules", "keywords", "kind"):
        return True
    return any(len(text) > LONGEST_FIGURE and any(map(str.isalpha, text)) for text in texts)


def _build_datasheet(
    group: list[ListedUnit], columns: dict[str, _Columns], context: SheetContext
) -> Datasheet:
    unit, count = group[0], sum(unit.count for unit in group)
    node, money = unit.node, context.money
    lines = build_model_lines(node, count, money)
    profiles = list_profiles(node)
    steps = [p for p in profiles if (plan := columns.get(get_type_key(p))) and plan.is_steps]
    models = [
        p
        for p in profiles
        if (plan := columns.get(get_type_key(p))) and plan.is_profile and not plan.is_steps
    ]
    abilities, in_book, invulnerable = _list_abilities(node, profiles)
    profile, more = _build_profiles(models, steps, columns, invulnerable)
    cost = divide_number(money.get_main_amount(compute_own_costs(node)), count_units(node))
    weapons = tuple(_build_weapons(node, columns, sum(line.number for line in lines)))
    return Datasheet(
        name=unit.name,
        data_name=node.name if unit.custom_name else "",
        type=unit.type,
        keywords=_list_keywords(node),
        count=count,
        cost=format_figure(cost) if money.types else "",
        host=", ".join(dict.fromkeys(get_name(one.host) for one in group if one.host)),
        models=sum(line.number for line in lines),
        commands=_find_title(node, context.command),
        profile=profile,
        more_profiles=more,
        weapons=weapons,
        abilities=abilities,
        in_book=in_book,
        options=_list_gear(node, weapons, context),
        tracks=tuple(_build_tracks(lines, models, steps, columns)),
        notes=unit.notes,
        marks=context.find_marks(node) or context.find_marks(unit.choice),
        citation=next(
            filter(None, (context.cite(p) for p in (node.citation, *(p.citation for p in profiles)) if p)), ""
        ),
    )


def _list_keywords(node: EffectiveSelection) -> tuple[str, ...]:
    shown = (c.custom_name or c.name for c in node.categories if not (c.primary or c.hidden))
    # <Dynasty> stands for a choice that was made or was not; it is no keyword by itself.
    return tuple(name for name in shown if not name.startswith("<"))


def _find_title(node: EffectiveSelection, command: str) -> str:
    titles = (c.name for part in walk_own(node) for c in part.categories if command and c.id == command)
    return next(titles, "")


def _list_gear(
    node: EffectiveSelection, weapons: Iterable[WeaponTable], context: SheetContext
) -> tuple[str, ...]:
    """Return what was chosen for a unit but what has a row among the weapons already."""
    rows = {row.name.casefold() for table in weapons for row in table.rows}
    starts = tuple(f"{name}," for name in rows)

    def is_listed(option: str) -> bool:
        name = option.partition(" +")[0].rpartition(" × ")[2].casefold()
        if all(part in rows for part in name.split(" and ")):
            return True
        return any(row.startswith(f"{name},") for row in rows) or name.startswith(starts)

    options = dict.fromkeys(describe_options(node, context.money))
    for part in walk_own(node):
        if part.type == MODEL:
            options |= dict.fromkeys(describe_options(part, context.money, node))
    return tuple(option for option in options if not is_listed(option))


def _list_abilities(
    node: EffectiveSelection, profiles: Iterable[EffectiveProfile]
) -> tuple[tuple[Ability, ...], tuple[str, ...], str]:
    """Return a unit's rules in words, the names of those that have none, and its invulnerable save."""
    abilities: dict[str, Ability] = {}
    in_book: dict[str, None] = {}
    invulnerable = ""
    # What matters only while a list is made is no help at the table.
    texts = [_read_rule(rule) for rule in list_rules(node) if rule.phase != Phase.LIST]
    texts += [
        Ability(profile.name, " ".join(c.value for c in profile.characteristics if c.value))
        for profile in profiles
        if is_text(profile)
    ]
    for ability in texts:
        text, save = _take_out_save(format_negatives(ability.text))
        invulnerable = invulnerable or save
        if save and not text:
            continue
        if not text or _ONLY_IN_THE_BOOK.fullmatch(text):
            in_book.setdefault(ability.name)
        else:
            words = _ONLY_IN_THE_BOOK.sub("", text) if _ONLY_IN_THE_BOOK.search(text) else text
            once = bool(_ONCE_A_BATTLE.search(words))
            abilities.setdefault(ability.name, replace(ability, text=words.strip(), is_once=once))
    ordered = sorted(abilities.values(), key=lambda ability: _ORDER.get(ability.phase, len(_ORDER)))
    return tuple(ordered), tuple(in_book), invulnerable


def _read_rule(rule: EffectiveRule) -> Ability:
    name = f"{rule.name} ({rule.parameter})" if rule.parameter else rule.name
    return Ability(name, " ".join(split_paragraphs(rule.description)), rule.phase)


def _take_out_save(text: str) -> tuple[str, str]:
    """Return a rule's text without its invulnerable save, and that save: it stands in the profile.

    >>> _take_out_save("5+ invulnerable save; wound rolls of 1 fail.")
    ('Wound rolls of 1 fail.', '5+')
    """
    match = _INVULNERABLE.match(text)
    if match is None:
        return text, ""
    rest = text[match.end() :]
    return rest[:1].upper() + rest[1:], match[1] or match[2]


def format_negatives(text: str) -> str:
    """Return a text with real minus signs, and inches as players write them.

    >>> format_negatives("AP -5 within 6″")
    'AP −5 within 6"'
    """
    return _NEGATIVE.sub(MINUS, text).replace("\N{DOUBLE PRIME}", '"')


def _build_profiles(
    models: Sequence[EffectiveProfile],
    steps: Sequence[EffectiveProfile],
    columns: dict[str, _Columns],
    invulnerable: str,
) -> tuple[ProfileTable | None, tuple[ProfileTable, ...]]:
    """Return the profile that a unit begins with, and further ones with other columns."""
    tables: list[ProfileTable] = []
    for key in dict.fromkeys(get_type_key(profile) for profile in models):
        group, plan = [p for p in models if get_type_key(p) == key], columns[key]
        tables.append(_build_profile_table(group, plan.figures, "" if not tables else plan.title))
        if plan.structure:
            tables.append(_build_profile_table(group, plan.structure, ""))
    # Of two editions of a profile one may say nothing.
    tables = [
        table for table in tables if any(c != NOTHING for row in table.rows for c in row.cells)
    ] or tables[:1]
    if not tables:
        return None, ()
    first = tables[0]
    if steps:
        first = _add_steps(first, steps, columns[get_type_key(models[0])])
    if invulnerable:
        rows = tuple(
            ProfileRow(
                row.label,
                (*row.cells, f"{invulnerable}+"),
                row.is_step,
                (*row.changed, False) if row.changed else (),
            )
            for row in first.rows
        )
        first = ProfileTable(first.title, (*first.heads, INVULNERABLE), rows)
    return first, tuple(tables[1:])


def _build_profile_table(
    profiles: Sequence[EffectiveProfile], heads: Sequence[str], title: str
) -> ProfileTable:
    """Return profiles as rows; equal ones are one row, and a row alone needs no label."""
    labels: dict[tuple[str, ...], list[str]] = {}
    for profile in profiles:
        labels.setdefault(_read_cells(profile, heads), []).append(profile.name)
    rows = tuple(
        ProfileRow(" / ".join(names) if len(labels) > 1 else "", cells) for cells, names in labels.items()
    )
    return ProfileTable(title, tuple(SHORT_HEADS.get(head, head) for head in heads), rows)


def _read_cells(profile: EffectiveProfile, heads: Iterable[str]) -> tuple[str, ...]:
    values = {c.name: c.value for c in profile.characteristics}
    return tuple(
        NOTHING if values.get(head, "") in DASHES else format_negatives(values[head]) for head in heads
    )


def _add_steps(table: ProfileTable, steps: Sequence[EffectiveProfile], plan: _Columns) -> ProfileTable:
    """Return the profile with its damage steps as rows below it, the wounds of each in the column of wounds."""
    place = plan.figures.index(plan.wounds)
    base = table.rows[0].cells
    rows: list[ProfileRow] = []
    for low, high, profile in _list_steps(steps):
        values = {c.name: c.value for c in profile.characteristics}
        cells = [
            format_negatives(values.get(head, "")) or base[index] for index, head in enumerate(plan.figures)
        ]
        cells[place] = f"{high}–{low}"
        changed = tuple(new != old for new, old in zip(cells, base, strict=True))
        rows.append(ProfileRow("", tuple(cells), True, changed))
    top = max(high for _, high, _ in _list_steps(steps)) + 1
    first = (*base[:place], f"{base[place]}–{top}", *base[place + 1 :])
    return ProfileTable(
        table.title, table.heads, (ProfileRow(table.rows[0].label, first), *rows, *table.rows[1:])
    )


def _list_steps(steps: Iterable[EffectiveProfile]) -> list[tuple[int, int, EffectiveProfile]]:
    """Return damage steps with the least and most wounds of each, the highest first."""
    found = []
    for profile in steps:
        if match := _STEP.match(profile.name):
            low, high = sorted((int(match[1]), int(match[2])))
            found.append((low, high, profile))
    return sorted(found, key=lambda step: -step[1])


def _build_weapons(
    node: EffectiveSelection, columns: dict[str, _Columns], models: int
) -> Iterator[WeaponTable]:
    """Yield what a unit carries, a table for each type of profile, shooting before what is used hand to hand."""
    numbers: dict[str, dict[tuple[str, tuple[str, ...], str], int]] = {}
    for part, is_counted in _walk_parts(node, node, is_counted=node.type == MODEL):
        inherited = (profile for category in part.categories for profile in category.profiles)
        for profile in (*part.profiles, *inherited):
            plan = columns.get(get_type_key(profile))
            if plan is None or plan.is_profile:
                continue
            words = (
                c.value for c in profile.characteristics if c.name in plan.words and c.value not in DASHES
            )
            beside = ", ".join(dict.fromkeys(_clean_words(word) for word in words))
            key = profile.name, _read_cells(profile, plan.figures), beside
            if not beside and all(cell == NOTHING for cell in key[1]):
                continue  # a name alone is no weapon to look up: it stands among what the unit carries
            rows = numbers.setdefault(get_type_key(profile), {})
            rows[key] = rows.get(key, 0) + (part.number if is_counted or part.number > 1 else 0)
    for type_key, rows in numbers.items():
        plan = columns[type_key]
        weapons = [
            WeaponRow(
                name,
                cells,
                _drop_repeated(beside, cells),
                number if 0 < number < models else 0,
                bool(_ONCE.search(beside)),
            )
            for (name, cells, beside), number in rows.items()
        ]
        weapons.sort(key=_is_hand_to_hand)
        yield WeaponTable(plan.title, tuple(plan.figures), tuple(weapons))


def _walk_parts(
    node: EffectiveSelection, unit: EffectiveSelection, *, is_counted: bool
) -> Iterator[tuple[EffectiveSelection, bool]]:
    """Yield what is in a unit, and whether its number is one of models."""
    yield node, is_counted and node is not unit
    for child in node.selections:
        if not is_guest(child, unit):
            yield from _walk_parts(child, unit, is_counted=is_counted or child.type == MODEL)


def _clean_words(text: str) -> str:
    words = _ONLY_IN_THE_BOOK.sub("more in the book", text)
    return format_negatives(words)


def _drop_repeated(beside: str, cells: Sequence[str]) -> str:
    """Return the words beside a weapon without one that a figure says too: Melee, where the range is Melee."""
    return ", ".join(word for word in beside.split(", ") if word not in cells)


def _is_hand_to_hand(weapon: WeaponRow) -> bool:
    words = {weapon.cells[0].casefold() if weapon.cells else "", *weapon.beside.casefold().split(", ")}
    return bool(words & {"melee", "cq", "cc", "close combat", "–"})


def _build_tracks(
    lines: Sequence[ModelLine],
    models: Sequence[EffectiveProfile],
    steps: Sequence[EffectiveProfile],
    columns: dict[str, _Columns],
) -> Iterator[Track]:
    """Yield boxes: one for each wound, with the damage steps; in fives where a model has a single wound."""
    structures = list(_list_structures(models, columns))
    if structures and sum(line.number for line in lines) == 1:
        yield from structures
        return
    if sum(line.number for line in lines) > MOST_BOXES:
        return
    for line in lines:
        wounds, label = _find_wounds(line.name, models, columns), line.name if len(lines) > 1 else ""
        if steps and line.number == 1:
            yield _build_stepped_track(wounds, steps)
        elif line.number * wounds > MOST_BOXES or wounds == 1:
            fives = tuple(min(FIVE, line.number - start) for start in range(0, line.number, FIVE))
            yield Track(label, fives, models=line.number > 1)
        else:
            yield Track(label, (wounds,) * line.number, models=line.number > 1)


def _list_structures(models: Iterable[EffectiveProfile], columns: dict[str, _Columns]) -> Iterator[Track]:
    for profile in models:
        for characteristic in profile.characteristics:
            if characteristic.name in columns[get_type_key(profile)].structure and _STRUCTURE.fullmatch(
                characteristic.value
            ):
                structure = int(characteristic.value.partition("/")[2])
                yield Track(characteristic.name, (structure,) if structure else ())


def _find_wounds(name: str, models: Sequence[EffectiveProfile], columns: dict[str, _Columns]) -> int:
    """Return the wounds of a model by the profile of its name, or else by the first one."""
    named = [profile for profile in models if profile.name == name]
    for profile in [*named, *models]:
        wounds = columns[get_type_key(profile)].wounds
        text = next((c.value for c in profile.characteristics if c.name == wounds), "")
        if text.isdecimal() and int(text):
            return int(text)
    return 1


def _build_stepped_track(wounds: int, steps: Sequence[EffectiveProfile]) -> Track:
    """Return the boxes of a model in groups that end where a damage step begins."""
    bounds = [high for _, high, _ in _list_steps(steps) if high < wounds]
    tops = (wounds, *bounds)
    return Track("", tuple(top - below for top, below in zip(tops, (*bounds, 0), strict=True)), tops)
