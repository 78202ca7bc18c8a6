"""Odds of a unit's weapons, and its points per wound."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalogue.services.attack_rolls import (
    ARMOURED,
    NEVER,
    SYSTEMS,
    AttackRoll,
    AttackSystem,
    Reader,
    Values,
    read_number,
)
from catalogue.services.unit_card import CardProfileTable, UnitCard

MOST_DIGITS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetValue:
    """`none` means that the target lacks it."""

    id: str
    label: str | Promise
    least: int
    most: int
    value: int
    none: int | None = None
    is_mistaken: bool = False


TARGET_VALUES = {
    value.id: value
    for value in (
        TargetValue(id="weapon_skill", label=_("Weapon skill"), least=1, most=10, value=4),
        TargetValue(id="toughness", label=_("Toughness"), least=1, most=30, value=4),
        TargetValue(id="save", label=_("Save"), least=2, most=NEVER, value=3, none=NEVER),
        TargetValue(id="invulnerable", label=_("Invulnerable save"), least=2, most=NEVER, value=NEVER, none=NEVER),
        TargetValue(id="evasion", label=_("Evasion"), least=2, most=6, value=4),
        TargetValue(id="armour_value", label=_("Armour value"), least=1, most=12, value=3),
        TargetValue(id="armour", label=_("Armour"), least=1, most=40, value=22),
        TargetValue(id="impenetrable", label=_("Impenetrable armour"), least=0, most=19, value=0, none=0),
        TargetValue(id="size", label=_("Size"), least=-1, most=8, value=0),
        TargetValue(id="defence", label=_("Defence in close combat"), least=0, most=12, value=3),
    )
}
TYPICAL = tuple(
    {"toughness": toughness, "save": save, "invulnerable": NEVER}
    for toughness, save in ((3, 5), (4, 3), (5, 2), (8, 3), (12, 2))
)
"""Targets of Warhammer 40,000, offered as links."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOdds:
    """`users` names its models if it differs by them; `damage` is the mean of all attacks, if known."""

    name: str
    users: str
    roll: AttackRoll
    damage: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOdds:
    """`typical` targets fit the requested values; `has_wounds` means that the game has rolls to wound."""

    weapons: tuple[AttackOdds, ...]
    target: tuple[TargetValue, ...]
    typical: tuple[Mapping[str, int], ...]
    has_wounds: bool
    points_per_wound: Decimal | None

    @property
    def chosen(self) -> Mapping[str, int]:
        return {value.id: value.value for value in self.target}

    @property
    def mistakes(self) -> tuple[TargetValue, ...]:
        return tuple(value for value in self.target if value.is_mistaken)


def build_odds(card: UnitCard, values_by_name: Mapping[str, str]) -> UnitOdds | None:
    """Return odds by the target's values as typed; None if no weapon has any."""
    for system in SYSTEMS:
        readers = [(table, read) for table in card.tables if (read := _find_reader(table, system))]
        models = _list_models(card.tables, system)
        if readers and models:
            break
    else:
        return None
    target = tuple(_read_value(TARGET_VALUES[name], values_by_name.get(name, "")) for name in system.target)
    values = {value.id: value.value for value in target}
    weapons: list[AttackOdds] = []
    for table, read in readers:
        for row in table.rows:
            weapon = dict(zip(table.columns, row.values, strict=True))
            users: dict[AttackRoll, list[str]] = {}
            for name, model in models:
                if roll := read(weapon, model, values):
                    users.setdefault(roll, []).append(name)
            # Name the models only if the weapon differs by its user.
            weapons += (_name_odds(row.name, names if len(users) > 1 else (), roll) for roll, names in users.items())
    if not weapons:
        return None
    return UnitOdds(
        weapons=tuple(dict.fromkeys(weapons)),
        target=target,
        typical=TYPICAL if system.target == ARMOURED else (),
        has_wounds=any(weapon.roll.wound is not None for weapon in weapons),
        points_per_wound=_find_price(card, system),
    )


def _find_reader(table: CardProfileTable, system: AttackSystem) -> Reader | None:
    names = set(table.columns)
    return next((read for columns, read in system.weapons.items() if names.issuperset(columns.split())), None)


def _list_models(tables: Iterable[CardProfileTable], system: AttackSystem) -> list[tuple[str, Values]]:
    """List models by name; one without values if the game's dice do not depend on them."""
    if not system.model:
        return [("", {})]
    return [
        (row.name, dict(zip(table.columns, row.values, strict=True)))
        for table in tables
        if set(table.columns).issuperset(system.model.split())
        for row in table.rows
    ]


def _name_odds(weapon: str, users: Iterable[str], roll: AttackRoll) -> AttackOdds:
    damage = None
    if roll.number is not None and roll.damage is not None:
        damage = roll.unsaved * roll.number * roll.damage
    return AttackOdds(name=weapon, users=", ".join(dict.fromkeys(users)), roll=roll, damage=damage)


def _read_value(value: TargetValue, typed: str) -> TargetValue:
    if not typed:
        return value
    sign = -1 if typed.startswith("-") else 1
    digits = typed.removeprefix("-")
    number = sign * int(digits) if digits.isdecimal() and len(digits) <= MOST_DIGITS else None
    if number is None or not value.least <= number <= value.most:
        return replace(value, is_mistaken=True)
    return replace(value, value=number)


def _find_price(card: UnitCard, system: AttackSystem) -> Decimal | None:
    """Return points per wound of the smallest unit; None if its wounds differ or are unknown."""
    wounds = {
        row.values[table.columns.index(system.wounds)]
        for table in card.tables
        if system.wounds in table.columns
        for row in table.rows
    }
    number = read_number(wounds.pop()) if len(wounds) == 1 else None
    points, models = card.unit.points, card.unit.models_min
    return points / (number * models) if number and points and models else None
