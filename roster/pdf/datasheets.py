"""Build a unit's profile, weapons, abilities and boxes from the report.

All units of a list are planned together, so that their tables have the same columns.
"""

import operator
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse
from typing import NamedTuple

from catalogue.definitions.emphasis import remove_marks
from catalogue.definitions.groups import group_by
from catalogue.definitions.infos import Phase
from catalogue.definitions.numbers import Number
from roster.engine.model_profiles import LIFE, is_model_table
from roster.engine.report import EffectiveProfile, EffectiveSelection
from roster.engine.tree import copy_with
from roster.pdf.joined_units import write_seams
from roster.pdf.listed_units import (
    MODEL,
    ListedUnit,
    compute_own_costs,
    count_units,
    divide_number,
    find_title,
    is_guest,
    list_bonds,
    list_keywords,
    walk_own,
    write_own_notes,
)
from roster.pdf.model_lines import build_model_lines
from roster.pdf.paper_text import MINUS, describe_options, split_paragraphs
from roster.pdf.profile_tables import LONG, get_type_key, is_text, read_values
from roster.pdf.reference import list_part_profiles, list_profiles, list_rules, name_rule
from roster.pdf.shapes import Ability, Datasheet, ModelLine, ProfileRow, ProfileTable, Track, WeaponRow, WeaponTable
from roster.pdf.sheet_cards import count_group, find_citation, format_own_cost, group_alike_units, name_hosts
from roster.pdf.sheet_context import SheetContext
from roster.pdf.type.signs import PHASES
from roster.wording import cards as words

REMAINING = ("Remaining W", "Remaining Wounds", "Wounds Remaining")
"""Columns with the wounds at which a damage step starts or ends."""
SAME_HEADS = {"Movement": "M", "Move": "M", "Attacks": "A", "Strength": "S", "Toughness": "T", "Leadership": "Ld"}
STRUCTURES = ("HULL", "WPNS", "MOV", "ENG")
"""Columns such as 33/7: armour, and structure with boxes."""
SHORT_HEADS = {
    "Save": "Sv",
    "Endurance": "END",
    "Change mode": "Change",
    "SV": "Sv",
    "LD": "Ld",
    "INV": "Inv",
    "InSv": "Inv",
}
STORES = ("Might", "Will", "Fate")
"""Resources that a model spends during a game."""
KEYWORDS = frozenset({"keywords", "traits"})
TIMINGS = ("Timing", "Trigger")
BESIDE_TIMING = ("Casting Value", "Chanting Value", "Cost")
"""Printed next to the timing."""
NOT_PRINTED = frozenset({"Color", "Type", "Parent Node", "Keywords", "Summary", *TIMINGS, *BESIDE_TIMING})
"""Columns that are printed elsewhere or only used by programs."""
LONGEST_FACT = 24
"""The most characters of a fact about a unit, such as its base size."""
LONGEST_TIMING = 110
"""The most characters of a timing in a band."""
NOT_AT_THE_TABLE = frozenset({"PTS", "Model type", "Unit Size"})
"""Columns that repeat points, type or the number of models."""
SAVES = ("Save", "Sv", "SV")
RANGES = ("Range", "R", "RNG", "Rng", "Rng.")
SHOOTING, FIGHTING = "\N{POSITION INDICATOR}", "\N{CROSSED SWORDS}"
"""Signs before the names of weapons in Kill Team."""
INVULNERABLE, WARD = "Inv", "Ward"
SHIELDS = (INVULNERABLE, WARD)
NOTHING = "–"
NO_HEADS: Mapping[str, str] = {}
DASHES = frozenset({"-", "–", "", MINUS})
FIVE = 5
LONGEST_INITIALS = 3
MOST_BOXES = 120
LONGEST_FIGURE = 7
"""The most characters of a text in a column of figures."""
RULE_HEADS = frozenset({"Description", "Effect", "Ability", "Abilities", "Rule", "Rules", "Special Rules"})
"""Columns that hold rules, even if these are short."""
_ORDER = {phase: place for place, phase in enumerate(PHASES)}
_MOUNT = re.compile(r"[-–—]|\(\+(\d{1,2})\)")
"""The value of a mount without wounds, or with wounds added to its rider's."""
_STEP = re.compile(r"(\d{1,3})\s*(?:-|–|to)\s*(\d{1,3})\b")
_DAMAGED = re.compile(r"Damaged:?\s+(\d+\s*[-–]\s*\d+)\s+wounds remaining", re.IGNORECASE)
_STRUCTURE = re.compile(r"\d{1,3}\s*/\s*\d{1,3}")
_ONLY_IN_THE_BOOK = re.compile(r"see the unit card\.?", re.IGNORECASE)
_INVULNERABLE = re.compile(
    r"(?:Invulnerable save (?:of )?(\d\+)|(?:An? )?(\d\+) invulnerable save)\s*[.;]?\s*", re.IGNORECASE
)
_HAS_SAVE = re.compile(
    r"(?:[^.;:,\n]{1,60}\b(?:has|have) )?(?:an? )?(\d\+) (invulnerable|ward)(?: save)?s?(?:[.;]\s*|\s*$)", re.IGNORECASE
)
_CONDITIONAL_SAVE = re.compile(r"(\d\+) (invulnerable|ward)", re.IGNORECASE)
_SAVE_BY_NAME = re.compile(r"(invulnerable|ward)(?: save)?s?\W*(\d\+)\W*", re.IGNORECASE)
"""For example "Ward (5+)"."""
_TOUGH = re.compile(r"\b(Tough)\s*\((\d{1,3})\)")
_PARAMETER = re.compile(r"[\s-]*(?:\(.*|\d.*|\bX|\bx\+?)$")
"""For example "Blast (3)", "Rapid Fire 1", "Anti-X", "Lethal x+"."""
_ONCE = re.compile(r"\bonce\b(?! (?:a|per|each) (?:turn|round|phase))|\bone use\b|\blimited use\b", re.IGNORECASE)
_ONCE_A_BATTLE = re.compile(r"\bonce (?:a|per) (?:battle|game)\b", re.IGNORECASE)
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_BETWEEN = re.compile(r"[,;\n]")
_SHORT_ITEM = re.compile(r"[■•▪-] ?[^.:;]{1,40}")
_ITEM_OR_COLON = re.compile(r":$|[■•▪-] ?[^.:;]{1,40}$")
_NEGATIVE = re.compile(r"(?<![\w)])-(?=\d)")


def build_datasheets(units: Sequence[ListedUnit], context: SheetContext) -> Iterator[Datasheet]:
    pairs = [pair for pair in pair_datasheets(units, context) if pair[1].says_something or pair[1].tracks]
    seams = write_seams(pairs, context)
    for place, (_group, sheet) in enumerate(pairs):
        yield replace(sheet, seam=seams.get(place, ""))


def pair_datasheets(
    units: Sequence[ListedUnit], context: SheetContext
) -> Iterator[tuple[Sequence[ListedUnit], Datasheet]]:
    groups = group_alike_units(units)
    # Plan the columns for all units, so that the cards of a list agree.
    profiles = [profile for group in groups for profile in list_profiles(group[0].node)]
    columns = _plan_columns(profiles)
    for group in groups:
        yield group, _build_datasheet(group, columns, context)


@dataclass(slots=True)
class _Columns:
    title: str
    figures: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    structure: list[str] = field(default_factory=list)
    wounds: str = ""
    is_steps: bool = False
    is_of_models: bool = False
    is_ability: bool = False

    @property
    def is_profile(self) -> bool:
        return self.is_of_models and not self.is_steps

    @property
    def is_weapon(self) -> bool:
        return not (self.is_profile or self.is_steps or self.is_ability)

    def choose_place(self, name: str, texts: Sequence[str]) -> list[str]:
        if name in STRUCTURES and any(map(_STRUCTURE.fullmatch, texts)):
            return self.structure
        # By name first: few units may have only short words in such a column.
        if name.casefold() in ("type", "abilities", "special", "rules", "special rules", "keywords", "traits", "kind"):
            return self.words
        if name in RANGES:
            return self.figures
        has_words = any(len(text) > LONGEST_FIGURE and any(map(str.isalpha, text)) for text in texts)
        return self.words if has_words else self.figures


def _plan_columns(profiles: Sequence[EffectiveProfile]) -> dict[str, _Columns]:
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
        plan.wounds = next((name for name in LIFE if name in plan.figures), "")
        plan.is_of_models = bool(plan.structure) or is_model_table(plan.title, values)
        # Damage steps are rows named after the remaining wounds, or rows with a column for them.
        is_named_by_range = bool(plan.wounds) and all(_STEP.match(profile.name) for profile in group)
        plan.is_steps = is_named_by_range or any(map(_read_named_step, group))
        # Tables of words only are read one by one, like rules.
        has_long = any(len(text) > LONG for texts in values.values() for text in texts)
        is_in_words = not plan.figures and has_long and not plan.is_of_models
        plan.is_ability = is_in_words or any(name in (*TIMINGS, "Color") for name in values)
    return plans


def _build_datasheet(group: list[ListedUnit], columns: dict[str, _Columns], context: SheetContext) -> Datasheet:
    unit, count = group[0], count_group(group)
    node, money = unit.node, context.money
    profiles = list_profiles(node)
    models, steps = _divide_profiles(profiles, columns)
    model_lines = _leave_out_mounts(build_model_lines(node, count, money), models, columns)
    number = sum(line.number for line in model_lines)
    worth = divide_number(money.get_main_amount(compute_own_costs(node)), count_units(node))
    shared = worth - sum(line.cost * line.number for line in model_lines)
    share = divide_number(shared, max(number, 1))
    weapons = tuple(_build_weapons(node, columns, number, context))
    in_words = _list_abilities(node, profiles, columns, weapons, context)
    profile, more = _build_profiles(models, steps, columns, in_words.saves)
    keywords = dict.fromkeys(name for name in list_keywords(node) if not name.startswith("<"))
    keywords.update(dict.fromkeys(_list_words(models, columns, keywords=True).get("", ())))
    lines = {**_list_words(models, columns, keywords=False), **in_words.lines}
    lines = {label: names for label, names in lines.items() if list(names) != [unit.type]}
    keywords.update(dict.fromkeys(name for key in KEYWORDS for name in lines.pop(key.title(), ())))
    # Abilities that depend on remaining wounds are steps without figures.
    damaged = [
        copy_with(profile, name=match[1], characteristics=())
        for profile in profiles
        if (match := _DAMAGED.match(profile.name))
    ]
    return Datasheet(
        name=unit.name,
        data_name=node.name if unit.custom_name else "",
        type=unit.type,
        # <Dynasty> is a placeholder for a choice.
        keywords=tuple(keywords),
        count=count,
        cost=format_own_cost(node, money),
        host=name_hosts(group),
        models=number,
        model_worth=divide_number(worth, max(number, 1)),
        commands=find_title(node, context.command),
        profile=profile,
        more_profiles=more,
        weapons=weapons,
        abilities=tuple(in_words.abilities),
        in_book=tuple(in_words.in_book),
        lines=tuple((label, tuple(names)) for label, names in lines.items()),
        common=tuple(in_words.common),
        options=_list_gear(node, weapons, {name for names in lines.values() for name in names}, context),
        tracks=tuple(_build_tracks(model_lines, models, [*steps, *damaged], columns, share)),
        stores=tuple(_build_stores(models)),
        bonds=list_bonds(node),
        notes=write_own_notes(unit.choice, node),
        marks=context.find_marks(node) or context.find_marks(unit.choice),
        citation=find_citation(node, profiles, context),
        ids=tuple(dict.fromkeys(part.id for alike in group for part in (alike.node, alike.choice))),
    )


def _divide_profiles(
    profiles: Iterable[EffectiveProfile], columns: dict[str, _Columns]
) -> tuple[list[EffectiveProfile], list[EffectiveProfile]]:
    models: list[EffectiveProfile] = []
    steps: list[EffectiveProfile] = []
    heads: dict[str, str] = {}
    for profile, plan in _pair_with_plans(profiles, columns):
        if plan.is_steps:
            # The row that names the columns comes before the steps.
            heads = _read_step_heads(profile) or heads
            steps.append(_read_named_step(profile, heads) or profile)
        elif plan.is_profile:
            models.append(profile)
    return models, steps


def _pair_with_plans(
    profiles: Iterable[EffectiveProfile], columns: dict[str, _Columns]
) -> Iterator[tuple[EffectiveProfile, _Columns]]:
    for profile in profiles:
        if plan := columns.get(get_type_key(profile)):
            yield profile, plan


def _list_gear(
    node: EffectiveSelection, weapons: Iterable[WeaponTable], named: Iterable[str], context: SheetContext
) -> tuple[str, ...]:
    rows = {remove_sign(row.name).casefold() for table in weapons for row in table.rows}
    rows.update(name.casefold() for name in named)
    options = list(describe_options(node, context.money))
    for part in walk_own(node):
        if part.type == MODEL:
            options += describe_options(part, context.money, node)

    gear: dict[str, None] = {}
    for option in options:
        # Weapons in their table have no price and number.
        name = option.partition(" +")[0].rpartition(" × ")[2].casefold()
        # A weapon has a separate row, shares one with others, or has a row for each way to use it.
        is_weapon = all(part in rows for part in name.split(" and "))
        if not is_weapon and not any(_is_one_way(name, row) or _is_one_way(row, name) for row in rows):
            gear.setdefault(option)
    return tuple(gear)


def _is_one_way(weapon: str, name: str) -> bool:
    return name.startswith((f"{weapon},", f"{weapon} ("))


def name_weapons(tables: Iterable[WeaponTable]) -> list[str]:
    """Name each weapon once, without signs and ways to use it.

    >>> ways = ("⌖ Rail rifle (dart)", "⌖ Rail rifle (standard)", "⚔ Gun butt (heavy)", "Axe, swept")
    >>> name_weapons([WeaponTable("", (), tuple(WeaponRow(way, ()) for way in ways))])
    ['Rail rifle', 'Gun butt (heavy)', 'Axe']
    """
    names = [remove_sign(row.name).partition(",")[0] for table in tables for row in table.rows]
    ways = Counter(name.partition(" (")[0] for name in names)
    shorter = (name.partition(" (")[0] for name in names)
    return list(dict.fromkeys(short if ways[short] > 1 else name for name, short in zip(names, shorter, strict=True)))


def remove_sign(name: str) -> str:
    """Remove the sign for shooting or fighting from a weapon's name.

    >>> remove_sign("⌖ Bolt pistol")
    'Bolt pistol'
    """
    return name.lstrip(f"{SHOOTING}{FIGHTING}").lstrip()


@dataclass(slots=True)
class _Words:
    abilities: list[Ability] = field(default_factory=list)
    in_book: dict[str, None] = field(default_factory=dict)
    lines: dict[str, dict[str, None]] = field(default_factory=dict)
    common: list[Ability] = field(default_factory=list)
    saves: dict[str, str] = field(default_factory=dict)


def _list_abilities(
    node: EffectiveSelection,
    profiles: Sequence[EffectiveProfile],
    columns: dict[str, _Columns],
    weapons: Iterable[WeaponTable],
    context: SheetContext,
) -> _Words:
    in_words = _Words()
    for name in list_keywords(node):
        _read_named_save(name, in_words.saves)
    texts = [row.beside for table in weapons for row in table.rows]
    for profile, plan in _pair_with_plans(profiles, columns):
        if plan.is_profile:
            texts += [c.value for c in profile.characteristics]
    beside = " ".join(texts).casefold()

    abilities: dict[tuple[str, str], Ability] = {}
    for ability, label in _list_rules(node, profiles, columns, in_words, context):
        if _read_named_save(ability.name, in_words.saves) and not label:
            continue
        text, save = _take_out_save(format_negatives(ability.text))
        if (
            save is None
            and (match := _CONDITIONAL_SAVE.search(text))
            and match[2].casefold() in ability.name.casefold()
        ):
            # The text keeps the condition of the save.
            in_words.saves.setdefault(_find_shield(match[2]), f"{match[1]}*")
        if save:
            in_words.saves.setdefault(*save)
        # The profile now shows the save.
        if save and not text:
            continue
        if not text or _ONLY_IN_THE_BOOK.fullmatch(text):
            in_words.in_book.setdefault(ability.name)
            continue
        text = _ONLY_IN_THE_BOOK.sub("", text).strip()
        is_once = bool(_ONCE_A_BATTLE.search(f"{ability.timing} {text}"))
        ability = replace(ability, name=remove_marks(ability.name), text=text, is_once=is_once)
        if not label:
            abilities.setdefault((ability.name, text), ability)
            continue
        in_words.common.append(ability)
        # Skip names that a weapon's row or the profile already shows.
        base = _PARAMETER.sub("", ability.name).casefold()
        if not base or base not in beside:
            in_words.lines.setdefault(label, {}).setdefault(ability.name)
    in_words.abilities = sorted(abilities.values(), key=lambda ability: _ORDER.get(ability.phase, len(_ORDER)))
    return in_words


def _list_rules(
    node: EffectiveSelection,
    profiles: Iterable[EffectiveProfile],
    columns: dict[str, _Columns],
    in_words: _Words,
    context: SheetContext,
) -> Iterator[tuple[Ability, str]]:
    """Yield a unit's rules, labelled if they are shared; add names and short facts to `in_words`."""
    for rule in list_rules(node):
        # Rules for building a list are no help at the table.
        if rule.phase != Phase.LIST:
            ability = Ability(name_rule(rule), _join_lines(rule.description), rule.phase)
            yield ability, context.shared.get(rule.id, "")
    for profile in profiles:
        plan = columns.get(get_type_key(profile))
        label = profile.type_name if profile.id in context.shared else ""
        if plan and plan.is_ability:
            yield _read_ability(profile), label
        elif plan:
            long = [c.value for c in profile.characteristics if c.name in plan.words and len(c.value) > LONG]
            if plan.is_weapon and label and long:
                in_words.common.append(Ability(profile.name, "\n".join(map(_join_lines, long))))
        else:
            values = [c for c in profile.characteristics if c.value.strip()]
            text = " ".join(_join_lines(c.value) for c in values)
            if context.shared and not values:
                in_words.lines.setdefault(profile.type_name, {}).setdefault(profile.name)
            elif context.shared and _is_fact(values[0].name, text):
                in_words.lines.setdefault(values[0].name, {}).setdefault(text)
            else:
                yield Ability(profile.name, text), label


def _is_fact(head: str, text: str) -> bool:
    return len(text) <= LONGEST_FACT and head not in RULE_HEADS and not _HAS_SAVE.fullmatch(text)


def _join_lines(text: str) -> str:
    text = _BOLD.sub(_mark_lines, text)
    joined: list[str] = []
    for line in split_paragraphs(text):
        # Lists of names, such as the units that a leader may join, are one line.
        if joined and _SHORT_ITEM.fullmatch(line) and _ITEM_OR_COLON.search(joined[-1]):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return "\n".join(joined)


def _mark_lines(bold: re.Match[str]) -> str:
    if "\n" not in bold[1]:
        return bold[0]
    return "\n".join(f"**{line}**" for line in split_paragraphs(bold[1]))


def _read_ability(profile: EffectiveProfile) -> Ability:
    values = {c.name: _join_lines(c.value) for c in profile.characteristics if c.value.strip(" -–")}
    timing = next((values[name] for name in TIMINGS if name in values), "")
    beside = [f"{name.casefold()} {values[name]}" for name in BESIDE_TIMING if name in values]
    lines = [f"**{name.rstrip(':')}:** {text}" for name, text in values.items() if name not in NOT_PRINTED]
    if not timing and "Color" in values:
        timing = words.get_label("passive")
    # A band holds a phrase, not a paragraph.
    if len(timing) > LONGEST_TIMING:
        lines.insert(0, timing)
        timing = ""
    return Ability(
        profile.name,
        "\n".join(lines),
        timing=remove_marks(" · ".join(filter(None, (timing.replace("\n", " "), *beside)))),
        colour=values.get("Color", ""),
    )


def _read_named_save(name: str, saves: dict[str, str]) -> bool:
    match = _SAVE_BY_NAME.fullmatch(name)
    if match is None:
        return False
    saves.setdefault(_find_shield(match[1]), match[2])
    return True


def _find_shield(word: str) -> str:
    return INVULNERABLE if word.casefold() == "invulnerable" else WARD


def _list_words(
    models: Iterable[EffectiveProfile], columns: dict[str, _Columns], *, keywords: bool
) -> dict[str, dict[str, None]]:
    """List words by column, or with `keywords` only keywords, under ""."""
    columns_of_words: dict[str, dict[str, None]] = {}
    for profile in models:
        for characteristic in profile.characteristics:
            name = characteristic.name
            if name not in columns[get_type_key(profile)].words or characteristic.value in DASHES:
                continue
            if (name.casefold() in KEYWORDS) != keywords:
                continue
            texts = _BETWEEN.split(characteristic.value) if keywords else _divide_names(characteristic.value)
            for text in texts:
                columns_of_words.setdefault("" if keywords else name, {}).setdefault(remove_marks(text.strip()))
    return columns_of_words


def _divide_names(text: str) -> Sequence[str]:
    lines = split_paragraphs(format_negatives(text))
    return lines if all(len(line) <= LONGEST_FACT for line in lines) else ("\n".join(lines),)


def _take_out_save(text: str) -> tuple[str, tuple[str, str] | None]:
    """Split a rule into its text and its save.

    >>> _take_out_save("5+ invulnerable save; wound rolls of 1 fail.")
    ('Wound rolls of 1 fail.', ('Inv', '5+'))
    >>> _take_out_save("This model has a 4+ ward save.")
    ('', ('Ward', '4+'))
    """
    if match := _HAS_SAVE.match(text):
        save = _find_shield(match[2]), match[1]
    elif match := _INVULNERABLE.match(text):
        save = INVULNERABLE, match[1] or match[2]
    else:
        return text, None
    rest = text[match.end() :]
    return rest[:1].upper() + rest[1:], save


def format_negatives(text: str) -> str:
    """Use real minus signs and inch marks.

    >>> format_negatives("AP -5 within 6″")
    'AP −5 within 6"'
    """
    return _NEGATIVE.sub(MINUS, text).replace("\N{DOUBLE PRIME}", '"')


def _build_profiles(
    models: Sequence[EffectiveProfile],
    steps: Sequence[EffectiveProfile],
    columns: dict[str, _Columns],
    saves: Mapping[str, str],
) -> tuple[ProfileTable | None, tuple[ProfileTable, ...]]:
    tables: list[ProfileTable] = []
    for key, group in group_by(models, get_type_key).items():
        plan = columns[key]
        # Words alone make no table: they are lines below it.
        if plan.figures:
            tables.append(_build_profile_table(group, plan.figures, plan.title if tables else ""))
        if plan.structure:
            tables.append(_build_profile_table(group, plan.structure, ""))
    # One of two editions of a profile may be blank.
    with_figures = [table for table in tables if any(cell != NOTHING for row in table.rows for cell in row.cells)]
    tables = with_figures or tables[:1]
    if not tables:
        return None, ()

    # Add damage steps to the first profile, then saves as its last columns.
    first = tables[0]
    plan = next(plan for plan in (columns[get_type_key(profile)] for profile in models) if plan.figures)
    if steps and plan.wounds:
        first = _add_steps(first, steps, plan)
    for head, save in saves.items():
        if head in first.heads:
            continue
        cell = save.replace("+", "++") if head == INVULNERABLE else save
        rows = []
        for row in first.rows:
            changed = (*row.changed, False) if row.changed else ()
            rows.append(replace(row, cells=(*row.cells, cell), changed=changed))
        first = ProfileTable(first.title, (*first.heads, head), tuple(rows))
    return first, tuple(tables[1:])


def _build_profile_table(profiles: Sequence[EffectiveProfile], heads: Sequence[str], title: str) -> ProfileTable:
    labels: dict[tuple[str, ...], list[str]] = {}
    for profile in profiles:
        labels.setdefault(_read_cells(profile, heads), []).append(profile.name)
    rows = tuple(ProfileRow(" / ".join(names) if len(labels) > 1 else "", cells) for cells, names in labels.items())
    others = [len(head) > LONGEST_INITIALS for head in heads if head != "Save"]
    in_words = sum(others) > len(others) / 2
    # "Save" stays next to other words, such as Move and Wounds.
    short = [head if in_words and head == "Save" else SHORT_HEADS.get(head, head) for head in heads]
    return ProfileTable(title, tuple(short), rows)


def _read_cells(profile: EffectiveProfile, heads: Iterable[str]) -> tuple[str, ...]:
    values = read_values(profile)
    return tuple(NOTHING if values.get(head, "") in DASHES else format_negatives(values[head]) for head in heads)


def _add_steps(table: ProfileTable, steps: Sequence[EffectiveProfile], plan: _Columns) -> ProfileTable:
    index = plan.figures.index(plan.wounds)
    base = table.rows[0].cells
    whole = _read_figure(base[index])
    rows: list[ProfileRow] = []
    most = 0
    for low, high, profile in _list_steps(steps):
        values = read_values(profile)
        # A blank figure of a step is unchanged.
        figures = zip(plan.figures, base, strict=True)
        cells = [format_negatives(values.get(head, "")) or usual for head, usual in figures]
        if high >= whole:
            # In some games the first step is the unharmed model, whose profile leaves these figures blank.
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
    """Read column names from a row without wounds; {} for other rows.

    Some data names the columns of damage tables "Characteristic 1" and so on.
    """
    cells = {c.name: c.value.strip() for c in profile.characteristics}
    leaves_wounds_open = any(name in REMAINING and not text for name, text in cells.items())
    return {name: text for name, text in cells.items() if text} if leaves_wounds_open else {}


def _read_named_step(profile: EffectiveProfile, heads: Mapping[str, str] = NO_HEADS) -> EffectiveProfile | None:
    """Return a damage step named after its wounds, or None. `heads` are column names from another row."""
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
    lines = []
    for profile in steps:
        if match := _STEP.match(profile.name):
            low, high = sorted((int(match[1]), int(match[2])))
            lines.append((low, high, profile))
    return sorted(lines, key=lambda step: -step[1])


class _Weapon(NamedTuple):
    name: str
    cells: tuple[str, ...]
    beside: str

    @property
    def says_something(self) -> bool:
        return bool(self.beside) or any(cell != NOTHING for cell in self.cells)


def _build_weapons(
    node: EffectiveSelection, columns: dict[str, _Columns], models: int, context: SheetContext
) -> Iterator[WeaponTable]:
    # The number of each weapon by type of profile; 0 if the data does not count them.
    numbers_by_type: dict[str, dict[_Weapon, int]] = {}
    for part, is_counted in _walk_parts(node, node, is_counted=node.type == MODEL):
        # Outside models the data does not count, so a number of one means nothing.
        number = part.number if is_counted or part.number > 1 else 0
        for profile, plan in _pair_with_plans(list_part_profiles(part), columns):
            if not plan.is_weapon:
                continue
            values = [c.value for c in profile.characteristics if c.name in plan.words and c.value not in DASHES]
            # Shared texts are printed once for the list.
            if profile.id in context.shared:
                values = [value for value in values if len(value) <= LONG]
            texts = [format_negatives(_ONLY_IN_THE_BOOK.sub("more in the book", text)) for text in values]
            weapon = _Weapon(profile.name, _read_cells(profile, plan.figures), ", ".join(dict.fromkeys(texts)))
            if weapon.says_something:
                rows = numbers_by_type.setdefault(get_type_key(profile), {})
                rows[weapon] = rows.get(weapon, 0) + number

    for type_key, numbers in numbers_by_type.items():
        plan = columns[type_key]
        weapons = []
        for weapon, number in numbers.items():
            # Do not repeat a figure: no "Melee" if the range is Melee.
            beside = ", ".join(word for word in weapon.beside.split(", ") if word not in weapon.cells)
            # Show the number only if some models lack the weapon.
            weapon_number = number if 0 < number < models else 0
            weapons.append(
                WeaponRow(weapon.name, weapon.cells, beside, weapon_number, bool(_ONCE.search(weapon.beside)))
            )
        # The sort is stable, so the order of the data stays within each kind.
        if plan.figures and plan.figures[0] in RANGES:
            weapons.sort(key=_is_hand_to_hand)
        elif all(row.name.isdecimal() for row in weapons):
            weapons.sort(key=lambda row: int(row.name))
        else:
            weapons.sort(key=lambda row: row.name.startswith(FIGHTING))
        yield WeaponTable(plan.title, tuple(plan.figures), tuple(weapons))


def _walk_parts(
    node: EffectiveSelection, unit: EffectiveSelection, *, is_counted: bool
) -> Iterator[tuple[EffectiveSelection, bool]]:
    yield node, is_counted and node is not unit
    for child in node.selections:
        if not is_guest(child, unit):
            yield from _walk_parts(child, unit, is_counted=is_counted or child.type == MODEL)


def _is_hand_to_hand(weapon: WeaponRow) -> bool:
    texts = {weapon.cells[0].casefold() if weapon.cells else "", *weapon.beside.casefold().split(", ")}
    return bool(texts & {"melee", "cq", "cc", "close combat", "–"})


def _build_stores(models: Iterable[EffectiveProfile]) -> Iterator[Track]:
    for profile in models:
        for characteristic in profile.characteristics:
            number = _read_figure(characteristic.value)
            if characteristic.name in STORES and number:
                yield Track(characteristic.name, tuple(min(FIVE, number - start) for start in range(0, number, FIVE)))


def _build_tracks(
    lines: Sequence[ModelLine],
    models: Sequence[EffectiveProfile],
    steps: Sequence[EffectiveProfile],
    columns: dict[str, _Columns],
    share: Number,
) -> Iterator[Track]:
    """Yield boxes: one per wound, grouped by damage steps, or in fives if each model has one wound.

    `share` is each model's part of the unit's cost, without the costs of models.
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
    # Armour and structure replace wounds if there is a single model.
    if structures and number == 1:
        yield from structures
    elif number <= MOST_BOXES:
        for line in lines:
            wounds, life = _find_wounds(line.name, models, columns)
            # Steps apply to a single model; several models share no count of wounds.
            if steps and line.number == 1:
                # Groups of boxes end where a damage step begins.
                bounds = [high for _low, high, _profile in _list_steps(steps) if high < wounds]
                tops = (wounds, *bounds)
                groups = tuple(top - below for top, below in zip(tops, (*bounds, 0), strict=True))
                yield Track("", groups, tops, worth=line.cost + share)
            else:
                track = _build_plain_track(line.name if len(lines) > 1 else "", line.number, wounds, life)
                yield replace(track, number=line.number, worth=line.cost + share)


def _leave_out_mounts(
    lines: Sequence[ModelLine], models: Sequence[EffectiveProfile], columns: dict[str, _Columns]
) -> list[ModelLine]:
    mounts = {profile.name for profile in models if _MOUNT.fullmatch(_read_wounds(profile, columns))}
    riders = [line for line in lines if line.name not in mounts]
    return riders or list(lines)


def _build_plain_track(label: str, number: int, wounds: int, life: str) -> Track:
    groups = (wounds,) * number
    # With too many boxes for a card, tick off models instead of wounds.
    if wounds == 1 or number * wounds > MOST_BOXES:
        groups = tuple(min(FIVE, number - start) for start in range(0, number, FIVE))
    return Track(label, groups, models=number > 1, life=life)


def _find_wounds(name: str, models: Sequence[EffectiveProfile], columns: dict[str, _Columns]) -> tuple[int, str]:
    """Return the wounds of a model with its mount, and the word for wounds if it is unusual."""
    added = sum(int(match[1] or 0) for profile in models if (match := _MOUNT.fullmatch(_read_wounds(profile, columns))))
    for profile in sorted(models, key=lambda profile: profile.name != name):
        head = columns[get_type_key(profile)].wounds
        if wounds := _read_figure(_read_wounds(profile, columns)):
            return wounds + added, head if len(head) > LONGEST_INITIALS else ""
        for characteristic in profile.characteristics:
            if match := _TOUGH.search(characteristic.value):
                return int(match[2]), match[1]
    return 1, ""


def _read_wounds(profile: EffectiveProfile, columns: dict[str, _Columns]) -> str:
    head = columns[get_type_key(profile)].wounds
    return next((c.value.strip() for c in profile.characteristics if c.name == head), "")


def _read_figure(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= 3 else 0
