"""The dice of an attack, game by game. The numbers are facts of the rulebooks; special rules are not counted.

A game is known by the columns of its tables. Games without dice here, and weapons with words for values, have no odds:
see docs/adr/0089-odds-by-the-columns.md.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

SIDES, MANY_SIDES = 6, 20
NEVER = 7
"""The number of a roll that no die of six sides reaches."""
ROLL = re.compile(r"([2-6])\+")
NUMBER = re.compile(r"(\d+)(?:\(\d+\))?")
AMOUNT = re.compile(r"(?:(\d*)D([36])\+?)?(\d*)", re.IGNORECASE)
BY_USER = re.compile(r"(?:user|cqa|[as])? ?(?:([-+x×]) ?(\d+))?", re.IGNORECASE)
PIERCE = re.compile(r"[-–]?(\d*)")
CERTAIN = "n/a"
"""A weapon of Warhammer 40,000 with this skill hits without a roll."""
SHOTS_OF_WARZONE = frozenset(("A", "H", "HG", "ML", "R", "S"))
"""Types of its weapons that shoot by Ranged Skill at a range in inches, without a template."""

Values = Mapping[str, str]
TargetValues = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRoll:
    """Chances that an attack hits, that it also wounds, and that it is not saved either.

    `wound` is None in games without that roll. `number` and `damage` are means of attacks and of damage per wound, None
    if not a number.
    """

    hit: Fraction
    wound: Fraction | None
    unsaved: Fraction
    number: Fraction | None
    damage: Fraction | None


Reader = Callable[[Values, Values, TargetValues], AttackRoll | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSystem:
    """`weapons` has the columns of the game's weapon tables, `model` the columns of its models, possibly "".

    `target` names the target's values that the dice depend on, `wounds` the column of a model's wounds, if known.
    """

    weapons: Mapping[str, Reader]
    model: str
    target: tuple[str, ...]
    wounds: str


def chance_of(least: int) -> Fraction:
    """Return the chance that a die shows at least `least`: a 1 always fails, and nothing reaches 7."""
    return Fraction(max(SIDES + 1 - max(least, 2), 0), SIDES)


def chance_of_low(most: int) -> Fraction:
    """Return the chance that a 20-sided die shows at most `most`: a 1 always succeeds, a 20 always fails."""
    return Fraction(min(max(most, 1), MANY_SIDES - 1), MANY_SIDES)


def read_number(text: str) -> int | None:
    """Read "4", or "2(4)" without its usual modifier."""
    match = NUMBER.fullmatch(text.strip())
    return int(match[1]) if match else None


def read_amount(text: str) -> Fraction | None:
    """Return the mean of "2", "D6", "2D3+1"; None for anything else."""
    match = AMOUNT.fullmatch(text.replace(" ", ""))
    if match is None or not text.strip():
        return None
    count, sides, more = match.groups()
    mean = Fraction(int(count or 1) * (int(sides) + 1), 2) if sides else Fraction(0)
    return mean + int(more or 0)


def read_by_user(text: str, users: str) -> int | None:
    """Read "5", or a value by the user's: "User", "S", "+1", "S+1", "x2". None for anything else."""
    text = text.strip()
    if (number := read_number(text)) is not None:
        return number
    match, base = BY_USER.fullmatch(text), read_number(users)
    if not text or match is None or base is None:
        return None
    sign, more = match[1], int(match[2] or 0)
    if sign == "+":
        return base + more
    if sign == "-":
        return base - more
    return base * more if sign else base


def read_pierce(text: str) -> int | None:
    match = PIERCE.fullmatch(text.strip())
    return int(match[1] or 0) if match else None


def read_chance(text: str) -> Fraction | None:
    match = ROLL.fullmatch(text.strip())
    return chance_of(int(match[1])) if match else None


def find_wound_roll(strength: int, toughness: int) -> int:
    """Return the roll to wound in Warhammer 40,000 since its 8th edition."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def find_old_wound_roll(strength: int, toughness: int, hopeless: int) -> int:
    """Return the roll to wound by difference. Strength lower by `hopeless` cannot wound."""
    if toughness - strength >= hopeless:
        return NEVER
    return min(max(4 + toughness - strength, 2), 6)


def find_combat_roll(attacker: int, defender: int) -> int:
    """Return the roll to hit by Weapon Skill in combat of The Old World."""
    if attacker > 2 * defender:
        return 2
    if attacker > defender:
        return 3
    return 5 if defender > 2 * attacker else 4


def find_versus_roll(attacker: int, defender: int) -> int:
    """Return the versus roll of Maelstrom's Edge, first edition."""
    if attacker >= 2 * defender:
        return 2
    if attacker > defender:
        return 3
    return 5 if defender >= 2 * attacker else 4


def _save(target: TargetValues, pierce: int) -> Fraction:
    """Return the chance of the better save: armour, less what pierces it, or invulnerable."""
    return chance_of(min(max(target["save"], 2) + pierce, target.get("invulnerable", NEVER)))


def _combine(
    hit: Fraction | None,
    wound: Fraction | None,
    saved: Fraction | None,
    number: Fraction | None,
    damage: Fraction | None,
) -> AttackRoll | None:
    if hit is None or wound is None or saved is None:
        return None
    return AttackRoll(hit=hit, wound=hit * wound, unsaved=hit * wound * (1 - saved), number=number, damage=damage)


def _roll_40k(
    weapon: Values, skill: str, strength: int | None, attacks: str, target: TargetValues
) -> AttackRoll | None:
    pierce = read_pierce(weapon["AP"])
    return _combine(
        Fraction(1) if skill.casefold() == CERTAIN else read_chance(skill),
        chance_of(find_wound_roll(strength, target["toughness"])) if strength else None,
        _save(target, pierce) if pierce is not None else None,
        read_amount(attacks),
        read_amount(weapon["D"]),
    )


def _roll_tenth(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    skill = weapon.get("BS") or weapon.get("WS", "")
    return _roll_40k(weapon, skill, read_number(weapon["S"]), weapon["A"], target)


def _roll_ninth(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    strength = read_by_user(weapon["S"], model["S"])
    if "melee" in weapon["Type"].casefold():
        return _roll_40k(weapon, model["WS"], strength, model["A"], target)
    # "Rapid Fire 2"
    attacks = weapon["Type"].split()[-1:]
    return _roll_40k(weapon, model["BS"], strength, "".join(attacks), target)


def _roll_sigmar(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    pierce = read_pierce(weapon["Rnd"])
    return _combine(
        read_chance(weapon["Hit"]),
        read_chance(weapon["Wnd"]),
        _save(target, pierce) if pierce is not None else None,
        read_amount(weapon["Atk"]),
        read_amount(weapon["Dmg"]),
    )


def _roll_old_world(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    is_combat = weapon["R"].strip().casefold() == "combat"
    if not is_combat and not weapon["R"].strip().rstrip('"″”').isdecimal():
        return None
    skill = read_number(model["WS" if is_combat else "BS"])
    strength = read_by_user(weapon["S"], model["S"])
    pierce = read_pierce(weapon["AP"])
    if not skill or strength is None or pierce is None:
        return None
    hit = find_combat_roll(skill, target["weapon_skill"]) if is_combat else min(SIDES + 1 - skill, SIDES)
    return _combine(
        chance_of(hit),
        chance_of(find_old_wound_roll(strength, target["toughness"], hopeless=6)),
        _save(target, pierce),
        # The number of shots is a special rule.
        read_amount(model["A"]) if is_combat else None,
        Fraction(1),
    )


def _roll_heresy(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    skill, strength, pierce = read_number(model["BS"]), read_number(weapon["RS"]), read_pierce(weapon["AP"])
    if not skill or not strength or pierce is None:
        return None
    # Armour that is no better than the weapon's AP does not help at all.
    save = NEVER if pierce and pierce <= target["save"] else target["save"]
    hit = Fraction(1) if skill >= 10 else chance_of(SIDES + 1 - skill)
    return _combine(
        hit,
        chance_of(find_old_wound_roll(strength, target["toughness"], hopeless=4)),
        _save({**target, "save": save}, 0),
        read_amount(weapon["FP"]),
        read_amount(weapon["D"]),
    )


def _roll_edge_first(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    skill, pierce = read_number(model["SKL"]), read_number(weapon["PEN"])
    if not skill or not pierce:
        return None
    hit = chance_of(find_versus_roll(skill, target["evasion"]))
    unsaved = hit * chance_of(find_versus_roll(pierce, target["armour_value"]))
    return AttackRoll(
        hit=hit, wound=None, unsaved=unsaved, number=read_amount(weapon["SHO"]), damage=read_amount(weapon["DAM"])
    )


def _roll_edge_second(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    pierce = read_number(weapon["PEN"])
    if not pierce:
        return None
    shots = read_amount(weapon["SHO"])
    if shots is None and (attacks := read_by_user(weapon["SHO"], model["CQA"])) is not None:
        shots = Fraction(attacks)
    hit, perfect = chance_of(target["evasion"]), chance_of(SIDES)
    # An armor roll of the weapon's PEN blocks a hit; a perfect strike is blocked by a 6 only.
    blocked, hardly_blocked = chance_of(pierce), min(chance_of(pierce), perfect)
    unsaved = (hit - perfect) * (1 - blocked) + perfect * (1 - hardly_blocked)
    return AttackRoll(hit=hit, wound=None, unsaved=unsaved, number=shots, damage=read_amount(weapon["DAM"]))


def _roll_warzone(weapon: Values, model: Values, target: TargetValues) -> AttackRoll | None:
    kind = weapon["TYPE"].strip()
    if kind == "CC":
        # The second number is the defence of the model itself.
        skill, bonus = read_number(model["CC"].partition("/")[0]), target["size"] - target["defence"]
        users, more = read_number(model.get("ST", "")), read_number(weapon["ST"].lstrip("+"))
        pierce = users + more if users is not None and more is not None else None
    elif kind in SHOTS_OF_WARZONE and weapon["R"].strip().isdecimal():
        skill, bonus, pierce = read_number(model["RS"]), target["size"], read_number(weapon["ST"])
    else:
        return None
    if skill is None or pierce is None:
        return None
    hit, perfect = chance_of_low(skill + bonus), chance_of_low(1)
    saved = chance_of_low(max(target["armour"] - pierce, target["impenetrable"]))
    # A power shot, which is a 1, allows no armour test.
    unsaved = perfect + (hit - perfect) * (1 - saved)
    return AttackRoll(hit=hit, wound=None, unsaved=unsaved, number=read_amount(weapon["ROA"]), damage=Fraction(1))


ARMOURED = ("toughness", "save", "invulnerable")
SYSTEMS = (
    # Warhammer 40,000, 10th and 11th edition
    AttackSystem(
        weapons={"A BS S AP D": _roll_tenth, "A WS S AP D": _roll_tenth}, model="", target=ARMOURED, wounds="W"
    ),
    # Warhammer 40,000, 8th and 9th edition, and Kill Team by the same dice
    AttackSystem(weapons={"Type S AP D": _roll_ninth}, model="WS BS S T W A", target=ARMOURED, wounds="W"),
    # Age of Sigmar, 4th edition
    AttackSystem(weapons={"Atk Hit Wnd Rnd Dmg": _roll_sigmar}, model="", target=("save",), wounds="Health"),
    # Warhammer: The Old World
    AttackSystem(
        weapons={"R S AP": _roll_old_world},
        model="WS BS S T W I A Ld",
        target=("weapon_skill", "toughness", "save"),
        wounds="W",
    ),
    # The Horus Heresy, 3rd edition: shooting
    AttackSystem(weapons={"FP RS AP D": _roll_heresy}, model="BS", target=ARMOURED, wounds="W"),
    # Maelstrom's Edge, second edition, whose units still print tables of the first
    AttackSystem(
        weapons={"SHO PEN DAM SUP": _roll_edge_second}, model="EVS SKL AV CQA FOR", target=("evasion",), wounds="FOR"
    ),
    # Maelstrom's Edge, first edition
    AttackSystem(
        weapons={"SHO PEN DAM Special": _roll_edge_first},
        model="EVS SKL AV MAS",
        target=("evasion", "armour_value"),
        wounds="",
    ),
    # Warzone: Resurrection
    AttackSystem(
        weapons={"R ST ROA TYPE": _roll_warzone},
        model="CC RS",
        target=("armour", "impenetrable", "size", "defence"),
        wounds="W",
    ),
)
