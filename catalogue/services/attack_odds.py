"""Odds of a weapon's attack by the plain dice of a game: hit, wound, and no save. Special rules are not counted."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from catalogue.services.unit_card import CardProfileTable

SIDES = 6
ROLL = re.compile(r"([2-6])\+")
NUMBER = re.compile(r"\d+")
STRENGTH = re.compile(r"(?:([+x×]) ?)?(\d+)", re.IGNORECASE)
AMOUNT = re.compile(r"(?:(\d*)D([36]))?\+?(\d*)", re.IGNORECASE)
PIERCE = re.compile(r"[-–]?(\d*)")
CERTAIN = "n/a"
"""A weapon with this skill hits without a roll."""
MOST_TOUGHNESS, NO_SAVE = 30, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponColumns:
    """The names of a game's weapon columns. A game with the columns of no entry of SYSTEMS has no calculator.

    Without a column of skills, the model's own apply, and its attacks if the weapon is for melee. Without a column of
    wound rolls, strength is compared with toughness.
    """

    attacks: str
    pierce: str
    damage: str
    skills: tuple[str, ...] = ()
    strength: str = ""
    wound: str = ""

    def fit(self, columns: Iterable[str]) -> bool:
        names = set(columns)
        required = {name for name in (self.attacks, self.pierce, self.damage, self.strength, self.wound) if name}
        return required <= names and (not self.skills or not names.isdisjoint(self.skills))


SYSTEMS = (
    # Warhammer 40,000, 10th and 11th edition
    WeaponColumns(attacks="A", skills=("BS", "WS"), strength="S", pierce="AP", damage="D"),
    # Age of Sigmar 4
    WeaponColumns(attacks="Atk", skills=("Hit",), wound="Wnd", pierce="Rnd", damage="Dmg"),
    # Warhammer 40,000, 9th edition
    WeaponColumns(attacks="Type", strength="S", pierce="AP", damage="D"),
)
WOUND_COLUMNS = ("W", "Health")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is shot at. A save of 7 is none."""

    toughness: int
    save: int


TYPICAL = (
    Target(toughness=3, save=5),
    Target(toughness=4, save=3),
    Target(toughness=5, save=2),
    Target(toughness=8, save=3),
    Target(toughness=12, save=2),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOdds:
    """Chances of one attack: that it hits, that it also wounds, and that it is not saved either.

    `damage` is the mean of all attacks together; None if the number of attacks or the damage is no amount.
    """

    name: str
    hit: Fraction
    wound: Fraction
    unsaved: Fraction
    damage: Fraction | None


def chance_of(least: int) -> Fraction:
    """Return the chance that a die shows at least so much: a 1 always fails, a 6 always succeeds."""
    return Fraction(SIDES + 1 - min(max(least, 2), SIDES), SIDES)


def chance_unsaved(save: int, pierce: int) -> Fraction:
    """Return the chance that a save fails. A 1 always fails, and nothing saves at 7."""
    needed = max(save, 2) + pierce
    return Fraction(min(needed - 1, SIDES), SIDES)


def find_wound_roll(strength: int, toughness: int) -> int:
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def mean_amount(text: str) -> Fraction | None:
    """Return the mean of "2", "D6", "2D3+1"; None if it is no amount."""
    match = AMOUNT.fullmatch(text.replace(" ", ""))
    if match is None or not text.strip():
        return None
    count, sides, more = match.groups()
    mean = Fraction(int(count or 1) * (int(sides) + 1), 2) if sides else Fraction(0)
    return mean + int(more or 0)


def list_attack_odds(tables: Iterable[CardProfileTable], target: Target) -> tuple[AttackOdds, ...]:
    """Return the odds of each weapon of a unit whose values are plain; nothing if the game has no such columns."""
    tables = tuple(tables)
    model = _read_model(tables)
    odds: dict[AttackOdds, None] = {}
    for table in tables:
        system = next((columns for columns in SYSTEMS if columns.fit(table.columns)), None)
        # A model's own table has attacks and strength, but no piercing.
        if system is None:
            continue
        for row in table.rows:
            values = dict(zip(table.columns, row.values, strict=True))
            result = _compute(row.name, values, system, model, target)
            if result:
                odds[result] = None
    return tuple(odds)


def is_by_toughness(tables: Iterable[CardProfileTable]) -> bool:
    systems = (next((system for system in SYSTEMS if system.fit(table.columns)), None) for table in tables)
    return any(system is not None and system.strength for system in systems)


def find_wounds(tables: Iterable[CardProfileTable]) -> int | None:
    """Return the wounds of a unit's models; None if they differ or have none."""
    numbers = set()
    for table in tables:
        if column := next((name for name in WOUND_COLUMNS if name in table.columns), None):
            numbers |= {row.values[table.columns.index(column)] for row in table.rows}
    wounds = numbers.pop() if len(numbers) == 1 else ""
    return int(wounds) if NUMBER.fullmatch(wounds) and int(wounds) else None


def _read_model(tables: Iterable[CardProfileTable]) -> Mapping[str, str]:
    """Return the figures of the unit's model; nothing if its models differ."""
    rows = [
        dict(zip(table.columns, row.values, strict=True))
        for table in tables
        if {"WS", "BS", "S", "A", "W"} <= set(table.columns)
        for row in table.rows
    ]
    return rows[0] if rows and all(row == rows[0] for row in rows) else {}


def _compute(
    name: str, values: Mapping[str, str], system: WeaponColumns, model: Mapping[str, str], target: Target
) -> AttackOdds | None:
    attacks, skill = values[system.attacks], ""
    if system.skills:
        skill = next((values[column] for column in system.skills if values.get(column)), "")
    else:
        is_melee = "melee" in attacks.casefold()
        skill = model.get("WS" if is_melee else "BS", "")
        attacks = model.get("A", "") if is_melee else attacks.split()[-1] if attacks.split() else ""
    hit = Fraction(1) if skill.casefold() == CERTAIN else _read_chance(skill)
    if system.wound:
        wound = _read_chance(values[system.wound])
    else:
        strength = read_strength(values[system.strength], model.get("S", ""))
        wound = chance_of(find_wound_roll(strength, target.toughness)) if strength else None
    pierce = PIERCE.fullmatch(values[system.pierce].strip())
    if hit is None or wound is None or pierce is None:
        return None
    unsaved = chance_unsaved(target.save, int(pierce[1] or 0))
    number, damage = mean_amount(attacks), mean_amount(values[system.damage])
    total = hit * wound * unsaved * number * damage if number is not None and damage is not None else None
    return AttackOdds(name=name, hit=hit, wound=hit * wound, unsaved=hit * wound * unsaved, damage=total)


def _read_chance(text: str) -> Fraction | None:
    match = ROLL.fullmatch(text.strip())
    return chance_of(int(match[1])) if match else None


def read_strength(text: str, own: str) -> int | None:
    """Return a weapon's strength: "5", or by its user's: "User", "+1", "x2". None if it is neither."""
    strength = int(own) if NUMBER.fullmatch(own) else None
    if text.strip().casefold() == "user":
        return strength
    match = STRENGTH.fullmatch(text.strip())
    if match is None:
        return None
    sign, number = match[1], int(match[2])
    if not sign:
        return number
    if strength is None:
        return None
    return strength + number if sign == "+" else strength * number
