"""Build the model of a list that importers of Tabletop Simulator read.

Yellowscribe's importer pastes these texts into a table's scripts and pages, so no text may end a script's string or
begin a tag.
"""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from catalogue.definitions.emphasis import remove_marks
from roster.engine.model_profiles import LIFE, is_model_profile
from roster.engine.report import EffectiveProfile, EffectiveSelection, Report
from roster.pdf.datasheets import DASHES, RANGES, SAME_HEADS, SHORT_HEADS
from roster.pdf.listed_units import (
    ListedUnit,
    count_units,
    get_name,
    get_type_name,
    is_guest,
    list_keywords,
    list_models,
)
from roster.pdf.paper_text import choose_money
from roster.pdf.profile_tables import LONG, is_text
from roster.pdf.reference import FLAVOUR, list_part_profiles, name_rule
from roster.pdf.sheet_cards import is_counted, list_units

UI_HEIGHT, UI_WIDTH = "700", "1200"
"""The size of a datasheet on the table, as Yellowscribe suggests it."""
MELEE = "Melee"
NOTHING = "-"
PROFILE_HEADS = {"10e": ("m", "t", "sv", "w", "ld", "oc"), "9e": ("m", "ws", "bs", "s", "t", "w", "a", "ld", "sv")}
"""The columns of the importer's two datasheets. Its names for them are those of the games that it was made for."""
WEAPON_HEADS = {
    "range": RANGES,
    "type": ("Type",),
    "a": ("A", "Attacks"),
    "bsws": ("BS", "WS", "Skill"),
    "s": ("S", "Strength"),
    "ap": ("AP",),
    "d": ("D", "Damage"),
}
"""The columns of a weapon, and what games call them."""
WEAPON_RULES = ("Abilities", "Keywords", "Special Rules", "Special", "Rules", "Traits")
POWER_HEADS = {"warpCharge": "Warp Charge", "range": "Range", "details": "Details"}
CASTER_HEADS = {"cast": "Cast", "deny": "Deny", "known": "Powers Known"}
FACTION = "Faction: "
_SIGNS = str.maketrans(
    {
        "[": "(",
        "]": ")",
        "{": "(",
        "}": ")",
        '"': "'",
        "\\": "/",
        "<": "\N{FULLWIDTH LESS-THAN SIGN}",
        ">": "\N{FULLWIDTH GREATER-THAN SIGN}",
        "&": "\N{FULLWIDTH AMPERSAND}",
    }
)
_INCHES = re.compile(r'(?<=\d)"')
_NO_NAME = re.compile(r"[^a-z0-9]+")

Json = dict[str, Any]


def build_tabletop_army(report: Report, beside: Container[str] = ()) -> Json:
    """Build what Yellowscribe's `get_army_by_id` answers. Equal lists give equal documents.

    `report` must have its effective tree. `beside` are the categories of cards next to decks.
    """
    money = choose_money(report.costs)
    listed = [
        unit
        for unit in list_units(report.forces)
        if not unit.node.placeholder
        and is_counted(unit.node, money)
        and not any(category.primary and category.id in beside for category in unit.node.categories)
    ]
    has_control = any(
        characteristic.name == "OC"
        for unit in listed
        for part in unit.node.walk()
        for profile in part.profiles
        for characteristic in profile.characteristics
    )
    edition = "10e" if has_control else "9e"
    units: Json = {}
    for unit in listed:
        for number in range(unit.count):
            uuid = sha256(f"{unit.node.id} {number}".encode()).hexdigest()[:8]
            units[uuid] = _TabletopUnit(unit, edition).build_unit(uuid)
    return {
        "edition": edition,
        "order": list(units),
        "armyData": units,
        "uiHeight": UI_HEIGHT,
        "uiWidth": UI_WIDTH,
        "decorativeNames": "false",
        # Yellowscribe adds its own script. Without one, the importer needs a blank text.
        "baseScript": "",
    }


def clean_text(text: str, *, lines: bool = False) -> str:
    """Return a text that cannot leave its place in a script or a tag; `lines` keeps its lines.

    >>> print(clean_text('Grot "Snik" 6" [[Fast]] ${w}'))
    Grot 'Snik' 6'' ((Fast)) $(w)
    """
    plain = _INCHES.sub("''", remove_marks(text)).translate(_SIGNS)
    rows = (" ".join(re.sub(r"[\x00-\x1f\x7f]", " ", row).split()) for row in plain.splitlines())
    return ("\n" if lines else " ").join(filter(None, rows))


@dataclass
class _TabletopUnit:
    """`living` are the profiles with wounds; other tables describe models in words."""

    unit: ListedUnit
    edition: str
    abilities: dict[str, Json] = field(default_factory=dict)
    weapons: dict[str, Json] = field(default_factory=dict)
    profiles: dict[str, Json] = field(default_factory=dict)
    powers: dict[str, Json] = field(default_factory=dict)
    casters: dict[str, Json] = field(default_factory=dict)
    living: set[str] = field(default_factory=set)

    def build_unit(self, uuid: str) -> Json:
        node = self.unit.node
        models = list_models(node)
        heads = {id(model) for model in models}
        # What models share is written on each of them, as the importer has no place for it on the unit.
        shared = _Equipment()
        if id(node) not in heads:
            for part in _walk_outside(node, node, heads):
                self._add_part(shared, part, number=1)
        lines: dict[tuple[Any, ...], Json] = {}
        # A unit without models in the data is a model itself.
        for model in models or [node]:
            equipment = _Equipment()
            for part in _walk_outside(model, node, heads - {id(model)}) if models else ():
                self._add_part(equipment, part, number=max(round(part.number / max(model.number, 1)), 1))
            profiles = [*shared.profiles, *equipment.profiles]
            name = clean_text(get_name(model))
            # Some data lists a model's weapons on the unit as well.
            weapons = shared.weapons | equipment.weapons
            line: Json = {
                "name": name,
                "number": max(model.number // count_units(node), 1) if models else 1,
                "weapons": [{"name": weapon, "number": count} for weapon, count in weapons.items()],
                "abilities": list(shared.abilities | equipment.abilities),
            }
            if profiles:
                line["profileID"] = min(
                    profiles,
                    key=lambda profile_id: (
                        profile_id not in self.living,
                        self.profiles[profile_id]["name"] != name,
                        profile_id in shared.profiles,
                    ),
                )
            key = (name, str(line["weapons"]), str(line["abilities"]), line.get("profileID"))
            if key in lines:
                lines[key]["number"] += line["number"]
            else:
                lines[key] = line
        number = sum(line["number"] for line in lines.values())
        keywords = [name for name in dict.fromkeys([get_type_name(node), *list_keywords(node)]) if name]
        built = {
            "name": clean_text(node.name),
            "decorativeName": clean_text(self.unit.custom_name),
            "factionKeywords": [
                clean_text(name.removeprefix(FACTION)) for name in keywords if name.startswith(FACTION)
            ],
            "keywords": [clean_text(name) for name in keywords if not name.startswith(FACTION)],
            "abilities": self.abilities,
            "models": {
                "models": {f"{uuid}{place:08x}": line for place, line in enumerate(lines.values())},
                "totalNumberOfModels": number,
            },
            "modelProfiles": self.profiles,
            "weapons": self.weapons,
            "rules": [],
            "isSingleModel": number == 1,
            "uuid": uuid,
        }
        if self.powers or self.casters:
            built["psykerProfiles"] = list(self.casters.values())
            built["powersKnown"] = list(self.powers.values())
        return built

    def _add_part(self, carried: "_Equipment", part: EffectiveSelection, *, number: int) -> None:
        weapon_rules = ""
        for profile in list_part_profiles(part):
            values = {c.name: c.value.strip() for c in profile.characteristics}
            name = clean_text(profile.name.removeprefix("\N{BLACK RIGHTWARDS ARROWHEAD}"))
            if is_model_profile(profile):
                profile_id = self._keep_profile(name, values)
                if profile_id not in carried.profiles:
                    carried.profiles.append(profile_id)
            elif "Warp Charge" in values:
                self.powers[name] = {"name": name, **_read_heads(values, POWER_HEADS)}
            elif "Powers Known" in values:
                self.casters[name] = {"name": name, **_read_heads(values, CASTER_HEADS)}
            elif is_text(profile) or not _is_weapon(profile):
                self._keep_ability(carried, name, _join_texts(profile))
            elif any(value not in DASHES for value in values.values()):
                weapon = self._keep_weapon(name, values)
                carried.weapons[weapon] = carried.weapons.get(weapon, 0) + number
                weapon_rules += self.weapons[weapon]["abilities"].casefold()
        inherited = (rule for category in part.categories for rule in category.rules)
        for rule in (*part.rules, *inherited):
            # The row of a weapon names its rules already.
            if not rule.id.endswith(FLAVOUR) and clean_text(rule.name).casefold() not in weapon_rules:
                self._keep_ability(carried, clean_text(name_rule(rule)), rule.description)

    def _keep_ability(self, carried: "_Equipment", name: str, text: str) -> None:
        if name:
            self.abilities.setdefault(name, {"name": name, "desc": clean_text(text, lines=True)})
            carried.abilities[name] = None

    def _keep_profile(self, name: str, values: Mapping[str, str]) -> str:
        cells = {"name": name} | dict.fromkeys(PROFILE_HEADS[self.edition], NOTHING)
        for head, value in values.items():
            short = SAME_HEADS.get(head, SHORT_HEADS.get(head, head))
            key = "w" if head in LIFE else _NO_NAME.sub("", short.casefold())
            # The importer writes these keys as names of a script.
            if key and not key[0].isdigit() and len(value) <= LONG:
                cells[key] = clean_text(value) or NOTHING
        has_wounds = cells["w"] not in DASHES
        if not has_wounds:
            cells["w"] = "1"
        profile_id = next((key for key, profile_cells in self.profiles.items() if profile_cells == cells), "")
        if not profile_id:
            profile_id = f"p{len(self.profiles) + 1}"
            self.profiles[profile_id] = cells
        if has_wounds:
            self.living.add(profile_id)
        return profile_id

    def _keep_weapon(self, name: str, values: Mapping[str, str]) -> str:
        cells = {}
        rest = dict(values)
        for key, heads in WEAPON_HEADS.items():
            texts = [rest.pop(head) for head in heads if head in rest]
            cells[key] = next((clean_text(text) for text in texts if text not in DASHES), NOTHING)
        rules = [rest.pop(head) for head in WEAPON_RULES if head in rest]
        texts = [clean_text(text, lines=True) for text in rules if text not in DASHES]
        # Columns that the importer does not know.
        texts += [f"{clean_text(head)} {clean_text(value)}" for head, value in rest.items() if value not in DASHES]
        if cells["range"] == NOTHING:
            cells["range"] = MELEE
        cells["abilities"] = cells["shortAbilities"] = ", ".join(texts) or NOTHING
        # Profiles of one name may differ: one to shoot and one to fight with, or of two models.
        kind = "melee" if cells["range"].casefold() == "melee" else "ranged"
        labels = [name, f"{name} ({kind})", *(f"{name} ({kind} {number})" for number in range(2, 9))]
        for label in labels:
            if self.weapons.setdefault(label, {"name": label, **cells}) == {"name": label, **cells}:
                return label
        return labels[-1]


@dataclass
class _Equipment:
    """What a model has. `profiles` are ids."""

    weapons: dict[str, int] = field(default_factory=dict)
    abilities: dict[str, None] = field(default_factory=dict)
    profiles: list[str] = field(default_factory=list)


def _walk_outside(
    node: EffectiveSelection, unit: EffectiveSelection, stops: Container[int]
) -> Iterator[EffectiveSelection]:
    """Yield a selection and its parts, leaving out models in `stops` and parts that are units themselves."""
    yield node
    for child in node.selections:
        if id(child) not in stops and not is_guest(child, unit):
            yield from _walk_outside(child, unit, stops)


def _is_weapon(profile: EffectiveProfile) -> bool:
    heads = {characteristic.name for characteristic in profile.characteristics}
    return "weapon" in profile.type_name.casefold() or not heads.isdisjoint(RANGES)


def _read_heads(values: Mapping[str, str], heads: Mapping[str, str]) -> dict[str, str]:
    return {key: clean_text(values.get(head, "")) or NOTHING for key, head in heads.items()}


def _join_texts(profile: EffectiveProfile) -> str:
    filled = [c for c in profile.characteristics if c.value not in DASHES]
    if len(filled) == 1:
        return filled[0].value
    return "\n".join(f"{c.name}: {c.value}" for c in filled)
