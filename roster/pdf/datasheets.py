"""What a player needs of a unit at the table: profile, weapons, abilities, boxes to tick. Pure: values in, values out.

Tables of a list are alike: which columns of a profile hold figures, and which hold words that are beside a name, is
decided for all units of the list at once.
"""

import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse
from typing import NamedTuple

from catalogue.definitions.groups import group_by
from catalogue.definitions.infos import Phase
from catalogue.definitions.numbers import Number
from roster.engine.report import EffectiveProfile, EffectiveSelection
from roster.engine.tree import copy_with
from roster.pdf.listed_units import (
    MODEL,
    ListedUnit,
    compute_own_costs,
    count_units,
    divide_number,
    find_title,
    is_guest,
    list_keywords,
    walk_own,
)
from roster.pdf.model_lines import build_model_lines
from roster.pdf.paper_text import MINUS, describe_options, split_paragraphs
from roster.pdf.profile_tables import get_type_key, is_text, read_values
from roster.pdf.reference import list_part_profiles, list_profiles, list_rules, name_rule
from roster.pdf.shapes import Ability, Datasheet, ModelLine, ProfileRow, ProfileTable, Track, WeaponRow, WeaponTable
from roster.pdf.sheet_cards import count_group, find_citation, format_own_cost, group_alike_units, name_hosts
from roster.pdf.sheet_context import SheetContext
from roster.pdf.type.signs import PHASES

WOUNDS = ("W", "FOR", "Endurance", "Wounds", "HP", "Hit Points", "Structure")
"""The columns that say how much a model can take, as games call them."""
REMAINING = ("Remaining W", "Remaining Wounds", "Wounds Remaining")
"""The columns that say, in tables of their own, at how many wounds a damage step begins and ends."""
SAME_HEADS = {"Movement": "M", "Move": "M", "Attacks": "A", "Strength": "S", "Toughness": "T", "Leadership": "Ld"}
"""Heads of such tables that profiles have in short."""
STRUCTURES = ("HULL", "WPNS", "MOV", "ENG")
"""The columns of vehicles that hold armour and structure, such as 33/7: the second figure is what can be ticked off."""
SHORT_HEADS = {"Save": "Sv", "Endurance": "END", "Change mode": "Change", "SV": "Sv", "LD": "Ld"}
NOT_AT_THE_TABLE = frozenset({"PTS", "Model type"})
"""Columns that say again what stands elsewhere: points in the corner, the type among the keywords."""
SAVES = ("Save", "Sv", "SV")
INVULNERABLE = "Inv"
NOTHING = "–"
NO_HEADS: Mapping[str, str] = {}
DASHES = frozenset({"-", "–", "", MINUS})
FIVE = 5
MOST_BOXES = 120
"""Boxes of one unit: nobody ticks off more by hand."""
LONGEST_FIGURE = 7
"""Letters of the longest text in a column of figures."""
_ORDER = {phase: place for place, phase in enumerate(PHASES)}
"""Where abilities of a phase stand; those of which nothing is known come last."""
_MOUNT = re.compile(r"[-–—]|\(\+(\d{1,2})\)")
"""The wounds of a mount: none of its own, or more for its rider."""
_STEP = re.compile(r"(\d{1,3})\s*(?:-|–|to)\s*(\d{1,3})\b")
_DAMAGED = re.compile(r"Damaged:?\s+(\d+\s*[-–]\s*\d+)\s+wounds remaining", re.IGNORECASE)
"""An ability that holds at so many wounds left: its text says what changes, the boxes say when."""
_STRUCTURE = re.compile(r"\d{1,3}\s*/\s*\d{1,3}")
_ONLY_IN_THE_BOOK = re.compile(r"see the unit card\.?", re.IGNORECASE)
_INVULNERABLE = re.compile(
    r"(?:Invulnerable save (?:of )?(\d\+)|(?:An? )?(\d\+) invulnerable save)\s*[.;]?\s*", re.IGNORECASE
)
_ONCE = re.compile(r"\bonce\b(?! (?:a|per|each) (?:turn|round|phase))|\bone use\b|\blimited use\b", re.IGNORECASE)
_ONCE_A_BATTLE = re.compile(r"\bonce (?:a|per) (?:battle|game)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?<![\w)])-(?=\d)")


def build_datasheets(units: Sequence[ListedUnit], context: SheetContext) -> Iterator[Datasheet]:
    """Yield the datasheets in the order in which their units first appear, equal units as one."""
    for _, sheet in pair_datasheets(units, context):
        if sheet.says_something or sheet.tracks:
            yield sheet


def pair_datasheets(
    units: Sequence[ListedUnit], context: SheetContext
) -> Iterator[tuple[Sequence[ListedUnit], Datasheet]]:
    """Yield every datasheet with the equal units that it is of."""
    groups = group_alike_units(units)
    # Of all units at once: which columns hold words is the same on every card of a list.
    profiles = [profile for group in groups for profile in list_profiles(group[0].node)]
    columns = _plan_columns(profiles)
    for group in groups:
        yield group, _build_datasheet(group, columns, context)


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

    @property
    def is_weapon(self) -> bool:
        """Whether these are profiles of what models carry."""
        return not (self.is_profile or self.is_steps)

    def choose_place(self, name: str, texts: Sequence[str]) -> list[str]:
        """Return where a column belongs, by its name and what is in it."""
        if name in STRUCTURES and any(map(_STRUCTURE.fullmatch, texts)):
            return self.structure
        # By name first: in a list of few units such a column may hold only short words.
        if name.casefold() in ("type", "abilities", "special", "rules", "keywords", "kind"):
            return self.words
        has_words = any(len(text) > LONGEST_FIGURE and any(map(str.isalpha, text)) for text in texts)
        return self.words if has_words else self.figures


def _plan_columns(profiles: Sequence[EffectiveProfile]) -> dict[str, _Columns]:
    """Return the columns of each type of profile that is in tables."""
    plans: dict[str, _Columns] = {}
    for key, group in group_by(filterfalse(is_text, profiles), get_type_key).items():
        values: dict[str, list[str]] = {}
        for profile in group:
            for characteristic in profile.characteristics:
                values.setdefault(characteristic.name, []).append(characteristic.value)

        plan = plans[key] = _Columns(title=group[0].type_name)
        for name, texts in values.items():
            if name not in NOT_AT_THE_TABLE and not DASHES.issuperset(texts):
                plan.choose_place(name, texts).append(name)
        plan.wounds = next((name for name in WOUNDS if name in plan.figures), "")
        # Damage steps are rows named after the wounds that are left, or rows that say so in a column.
        is_named_by_range = bool(plan.wounds) and all(_STEP.match(profile.name) for profile in group)
        plan.is_steps = is_named_by_range or any(map(_read_named_step, group))
    return plans


def _build_datasheet(group: list[ListedUnit], columns: dict[str, _Columns], context: SheetContext) -> Datasheet:
    unit, count = group[0], count_group(group)
    node, money = unit.node, context.money
    profiles = list_profiles(node)
    models, steps = _divide_profiles(profiles, columns)
    lines = _leave_out_mounts(build_model_lines(node, count, money), models, columns)
    number = sum(line.number for line in lines)
    worth = divide_number(money.get_main_amount(compute_own_costs(node)), count_units(node))
    shared = worth - sum(line.cost * line.number for line in lines)
    share = divide_number(shared, max(number, 1))
    abilities, in_book, invulnerable = _list_abilities(node, profiles)
    profile, more = _build_profiles(models, steps, columns, invulnerable)
    weapons = tuple(_build_weapons(node, columns, number))
    # Abilities that hold at so many wounds left are steps named after these, without figures.
    damaged = [
        copy_with(profile, name=match[1], characteristics=())
        for profile in profiles
        if (match := _DAMAGED.match(profile.name))
    ]
    return Datasheet(
        name=unit.name,
        data_name=node.name if unit.custom_name else "",
        type=unit.type,
        # <Dynasty> stands for a choice that was made or was not; it is not a keyword by itself.
        keywords=tuple(name for name in list_keywords(node) if not name.startswith("<")),
        count=count,
        cost=format_own_cost(node, money),
        host=name_hosts(group),
        models=number,
        model_worth=divide_number(worth, max(number, 1)),
        commands=find_title(node, context.command),
        profile=profile,
        more_profiles=more,
        weapons=weapons,
        abilities=abilities,
        in_book=in_book,
        options=_list_gear(node, weapons, context),
        tracks=tuple(_build_tracks(lines, models, [*steps, *damaged], columns, share)),
        notes=unit.notes,
        marks=context.find_marks(node) or context.find_marks(unit.choice),
        citation=find_citation(node, profiles, context),
    )


def _divide_profiles(
    profiles: Iterable[EffectiveProfile], columns: dict[str, _Columns]
) -> tuple[list[EffectiveProfile], list[EffectiveProfile]]:
    """Return the profiles of models, then those of damage steps; weapons are neither."""
    models: list[EffectiveProfile] = []
    steps: list[EffectiveProfile] = []
    heads: dict[str, str] = {}
    for profile, plan in _pair_with_plans(profiles, columns):
        if plan.is_steps:
            # The row that names the columns is above the steps.
            heads = _read_step_heads(profile) or heads
            steps.append(_read_named_step(profile, heads) or profile)
        elif plan.is_profile:
            models.append(profile)
    return models, steps


def _pair_with_plans(
    profiles: Iterable[EffectiveProfile], columns: dict[str, _Columns]
) -> Iterator[tuple[EffectiveProfile, _Columns]]:
    """Yield the profiles that are in tables, with the columns of these."""
    for profile in profiles:
        # What has no columns is a rule in words.
        if plan := columns.get(get_type_key(profile)):
            yield profile, plan


def _list_gear(node: EffectiveSelection, weapons: Iterable[WeaponTable], context: SheetContext) -> tuple[str, ...]:
    """Return what was chosen for a unit and then for its models, except what has a row among the weapons already."""
    rows = {row.name.casefold() for table in weapons for row in table.rows}
    options = list(describe_options(node, context.money))
    for part in walk_own(node):
        if part.type == MODEL:
            options += describe_options(part, context.money, node)

    # A dictionary keeps the order in which the data has them, and each of them once.
    gear: dict[str, None] = {}
    for option in options:
        # Without its price and its number, as weapons are called in their table.
        name = option.partition(" +")[0].rpartition(" × ")[2].casefold()
        # A weapon has its row alone, together with others, or as one of its ways to be used.
        is_weapon = all(part in rows for part in name.split(" and "))
        if not is_weapon and not any(_is_one_way(name, row) or _is_one_way(row, name) for row in rows):
            gear.setdefault(option)
    return tuple(gear)


def _is_one_way(weapon: str, name: str) -> bool:
    """Whether a name is that of one of the ways to use a weapon: `Rifle, burst`."""
    return name.startswith(f"{weapon},")


def _list_abilities(
    node: EffectiveSelection, profiles: Iterable[EffectiveProfile]
) -> tuple[tuple[Ability, ...], tuple[str, ...], str]:
    """Return a unit's rules in words, the names of those that have none, and its invulnerable save."""
    # What matters only while a list is made is no help at the table.
    rules = [
        Ability(name_rule(rule), " ".join(split_paragraphs(rule.description)), rule.phase)
        for rule in list_rules(node)
        if rule.phase != Phase.LIST
    ]
    texts = [
        Ability(profile.name, " ".join(filter(None, (c.value for c in profile.characteristics))))
        for profile in profiles
        if is_text(profile)
    ]
    abilities: dict[str, Ability] = {}
    in_book: dict[str, None] = {}
    invulnerable = ""
    for ability in (*rules, *texts):
        text, save = _take_out_save(format_negatives(ability.text))
        invulnerable = invulnerable or save
        # All that it said is in the profile now.
        if save and not text:
            continue
        if not text or _ONLY_IN_THE_BOOK.fullmatch(text):
            in_book.setdefault(ability.name)
            continue
        words = _ONLY_IN_THE_BOOK.sub("", text).strip()
        is_once = bool(_ONCE_A_BATTLE.search(words))
        abilities.setdefault(ability.name, replace(ability, text=words, is_once=is_once))
    ordered = sorted(abilities.values(), key=lambda ability: _ORDER.get(ability.phase, len(_ORDER)))
    return tuple(ordered), tuple(in_book), invulnerable


def _take_out_save(text: str) -> tuple[str, str]:
    """Return a rule's text without its invulnerable save, and that save: it is in the profile.

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
    # A table for each type of profile, with one more for armour and structure.
    tables: list[ProfileTable] = []
    for key, group in group_by(models, get_type_key).items():
        plan = columns[key]
        tables.append(_build_profile_table(group, plan.figures, plan.title if tables else ""))
        if plan.structure:
            tables.append(_build_profile_table(group, plan.structure, ""))
    # Of two editions of a profile one may say nothing.
    with_figures = [table for table in tables if any(cell != NOTHING for row in table.rows for cell in row.cells)]
    tables = with_figures or tables[:1]
    if not tables:
        return None, ()

    # Other profiles and rules add to the first one: damage steps, then the invulnerable save as its last column.
    first = tables[0]
    plan = columns[get_type_key(models[0])]
    if steps and plan.wounds:
        first = _add_steps(first, steps, plan)
    if invulnerable:
        rows = []
        for row in first.rows:
            changed = (*row.changed, False) if row.changed else ()
            rows.append(replace(row, cells=(*row.cells, f"{invulnerable}+"), changed=changed))
        first = ProfileTable(first.title, (*first.heads, INVULNERABLE), tuple(rows))
    return first, tuple(tables[1:])


def _build_profile_table(profiles: Sequence[EffectiveProfile], heads: Sequence[str], title: str) -> ProfileTable:
    """Return profiles as rows; equal ones are one row, and a row alone needs no label."""
    labels: dict[tuple[str, ...], list[str]] = {}
    for profile in profiles:
        labels.setdefault(_read_cells(profile, heads), []).append(profile.name)
    rows = tuple(ProfileRow(" / ".join(names) if len(labels) > 1 else "", cells) for cells, names in labels.items())
    return ProfileTable(title, tuple(SHORT_HEADS.get(head, head) for head in heads), rows)


def _read_cells(profile: EffectiveProfile, heads: Iterable[str]) -> tuple[str, ...]:
    values = read_values(profile)
    return tuple(NOTHING if values.get(head, "") in DASHES else format_negatives(values[head]) for head in heads)


def _add_steps(table: ProfileTable, steps: Sequence[EffectiveProfile], plan: _Columns) -> ProfileTable:
    """Return the profile with its damage steps as rows below it, the wounds of each in the column of wounds."""
    index = plan.figures.index(plan.wounds)
    base = table.rows[0].cells
    whole = _read_figure(base[index])
    rows: list[ProfileRow] = []
    most = 0
    for low, high, profile in _list_steps(steps):
        values = read_values(profile)
        # What a step leaves blank is as in the profile itself.
        figures = zip(plan.figures, base, strict=True)
        cells = [format_negatives(values.get(head, "")) or usual for head, usual in figures]
        if high >= whole:
            # Of some games the first step is that of a model unharmed, and its profile leaves these figures open.
            base = tuple(cells)
            continue
        cells[index] = f"{high}–{low}"
        changed = tuple(map(operator.ne, cells, base))
        rows.append(ProfileRow("", tuple(cells), True, changed))
        most = max(most, high)
    wounds = f"{base[index]}–{most + 1}" if rows else base[index]
    first = (*base[:index], wounds, *base[index + 1 :])
    return ProfileTable(table.title, table.heads, (ProfileRow(table.rows[0].label, first), *rows, *table.rows[1:]))


def _read_step_heads(profile: EffectiveProfile) -> dict[str, str]:
    """Return what the columns of a damage table are called where a row of its own says so; nothing for other rows.

    Data for many units has one table whose columns are "Characteristic 1" and so on; the row without wounds names them.
    """
    cells = {c.name: c.value.strip() for c in profile.characteristics}
    leaves_wounds_open = any(name in REMAINING and not text for name, text in cells.items())
    return {name: text for name, text in cells.items() if text} if leaves_wounds_open else {}


def _read_named_step(profile: EffectiveProfile, heads: Mapping[str, str] = NO_HEADS) -> EffectiveProfile | None:
    """Return a damage step that says in a column when it holds as one named after that; None for other profiles.

    `heads` are the names of columns that the table itself has in a row.
    """
    wounds = next((c.value for c in profile.characteristics if c.name in REMAINING), "").strip()
    if not _STEP.match(wounds):
        return None
    figures = []
    for characteristic in profile.characteristics:
        if characteristic.name not in REMAINING:
            name = heads.get(characteristic.name, characteristic.name)
            figures.append(copy_with(characteristic, name=SAME_HEADS.get(name, name)))
    return copy_with(profile, name=wounds, characteristics=tuple(figures))


def _list_steps(steps: Iterable[EffectiveProfile]) -> list[tuple[int, int, EffectiveProfile]]:
    """Return damage steps with the least and most wounds of each, the highest first."""
    lines = []
    for profile in steps:
        if match := _STEP.match(profile.name):
            low, high = sorted((int(match[1]), int(match[2])))
            lines.append((low, high, profile))
    return sorted(lines, key=lambda step: -step[1])


class _Weapon(NamedTuple):
    """A weapon as its profile has it: equal ones are counted together."""

    name: str
    cells: tuple[str, ...]
    beside: str

    @property
    def says_something(self) -> bool:
        """Whether it is something to look up."""
        # A name alone is not: it stands among what the unit carries.
        return bool(self.beside) or any(cell != NOTHING for cell in self.cells)


def _build_weapons(node: EffectiveSelection, columns: dict[str, _Columns], models: int) -> Iterator[WeaponTable]:
    """Yield what a unit carries, a table for each type of profile, shooting before what is used hand to hand."""
    # How many of each weapon the unit carries, by type of profile; 0 if the data does not count them.
    numbers_by_type: dict[str, dict[_Weapon, int]] = {}
    for part, is_counted in _walk_parts(node, node, is_counted=node.type == MODEL):
        # Outside of models a number of one means nothing: the data does not count there.
        number = part.number if is_counted or part.number > 1 else 0
        for profile, plan in _pair_with_plans(list_part_profiles(part), columns):
            if not plan.is_weapon:
                continue
            words = [c.value for c in profile.characteristics if c.name in plan.words and c.value not in DASHES]
            texts = [format_negatives(_ONLY_IN_THE_BOOK.sub("more in the book", text)) for text in words]
            weapon = _Weapon(profile.name, _read_cells(profile, plan.figures), ", ".join(dict.fromkeys(texts)))
            if weapon.says_something:
                rows = numbers_by_type.setdefault(get_type_key(profile), {})
                rows[weapon] = rows.get(weapon, 0) + number

    for type_key, numbers in numbers_by_type.items():
        plan = columns[type_key]
        weapons = []
        for weapon, number in numbers.items():
            # Not Melee, if the range is Melee: a figure says that already.
            beside = ", ".join(word for word in weapon.beside.split(", ") if word not in weapon.cells)
            # The number shows only if not all models have the weapon.
            shown = number if 0 < number < models else 0
            weapons.append(WeaponRow(weapon.name, weapon.cells, beside, shown, bool(_ONCE.search(weapon.beside))))
        # The sort is stable: among each kind the order of the data stays.
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


def _is_hand_to_hand(weapon: WeaponRow) -> bool:
    words = {weapon.cells[0].casefold() if weapon.cells else "", *weapon.beside.casefold().split(", ")}
    return bool(words & {"melee", "cq", "cc", "close combat", "–"})


def _build_tracks(
    lines: Sequence[ModelLine],
    models: Sequence[EffectiveProfile],
    steps: Sequence[EffectiveProfile],
    columns: dict[str, _Columns],
    share: Number,
) -> Iterator[Track]:
    """Yield boxes: one for each wound, with the damage steps; in fives where a model has a single wound.

    `share` is each model's part of what the unit costs beside its models.
    """
    structures: list[Track] = []
    for profile in models:
        heads = columns[get_type_key(profile)].structure
        for characteristic in profile.characteristics:
            if characteristic.name in heads and _STRUCTURE.fullmatch(characteristic.value):
                structure = int(characteristic.value.partition("/")[2])
                worth = sum((line.cost for line in lines), share)
                structures.append(Track(characteristic.name, (structure,) if structure else (), worth=worth))

    number = sum(line.number for line in lines)
    # Armour and structure take the place of wounds if there is one model to tick them off for.
    if structures and number == 1:
        yield from structures
    elif number <= MOST_BOXES:
        for line in lines:
            wounds = _find_wounds(line.name, models, columns)
            # Steps tell how one model gets weaker; several of them share no count of wounds.
            if steps and line.number == 1:
                # The boxes are in groups that end where a damage step begins.
                bounds = [high for _, high, _ in _list_steps(steps) if high < wounds]
                tops = (wounds, *bounds)
                groups = tuple(top - below for top, below in zip(tops, (*bounds, 0), strict=True))
                yield Track("", groups, tops, worth=line.cost + share)
            else:
                track = _build_plain_track(line.name if len(lines) > 1 else "", line.number, wounds)
                yield replace(track, number=line.number, worth=line.cost + share)


def _leave_out_mounts(
    lines: Sequence[ModelLine], models: Sequence[EffectiveProfile], columns: dict[str, _Columns]
) -> list[ModelLine]:
    """Return the lines of models that can lose wounds: a mount whose profile has none is part of its rider."""
    mounts = {profile.name for profile in models if _MOUNT.fullmatch(_read_wounds(profile, columns))}
    riders = [line for line in lines if line.name not in mounts]
    return riders or list(lines)


def _build_plain_track(label: str, number: int, wounds: int) -> Track:
    """Return the boxes of so many models, those of a model together; in fives if each would be a box."""
    groups = (wounds,) * number
    # Too many boxes for a card: models are ticked off then, not their wounds.
    if wounds == 1 or number * wounds > MOST_BOXES:
        groups = tuple(min(FIVE, number - start) for start in range(0, number, FIVE))
    return Track(label, groups, models=number > 1)


def _find_wounds(name: str, models: Sequence[EffectiveProfile], columns: dict[str, _Columns]) -> int:
    """Return the wounds of a model by the profile of its name, or else by the first one, with those its mount adds."""
    added = sum(int(match[1] or 0) for profile in models if (match := _MOUNT.fullmatch(_read_wounds(profile, columns))))
    for profile in sorted(models, key=lambda profile: profile.name != name):
        if wounds := _read_figure(_read_wounds(profile, columns)):
            return wounds + added
    return 1


def _read_wounds(profile: EffectiveProfile, columns: dict[str, _Columns]) -> str:
    """Return what a profile says in the column of wounds, "" if it has none."""
    head = columns[get_type_key(profile)].wounds
    return next((c.value.strip() for c in profile.characteristics if c.name == head), "")


def _read_figure(text: str) -> int:
    """Return a whole figure of at most three digits; 0 for any other text."""
    return int(text) if text.isdecimal() and len(text) <= 3 else 0
