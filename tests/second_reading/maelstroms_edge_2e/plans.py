"""Set-up of a force: commander, characters, reserves and tokens."""

from functools import cached_property
from typing import Any

from tests.second_reading.maelstroms_edge_2e.force import Force
from tests.second_reading.maelstroms_edge_entries import Unit

MODEL_TYPES = ("Infantry", "Bike", "Swarm", "Behemoth", "Vehicle")

COVER_EACH = 1
MOVE_EACH = 2
BONUS = 6
"""Deploy forces: tokens for each unit. Dug-in and Lightning Strike: the most that a D6 adds."""

NO_DEPLOYMENT = {("escalation", "attacker"), ("escalation", "defender")}
NO_RESERVES = {("night-raid", "defender")}
DUG_IN = {("the-last-stand", "defender")}
LIGHTNING_STRIKE: set[tuple[str, str]] = set()
"""Narrative mission pack #1: the side whose card has each special rule."""
SIDES = ("attacker", "defender")


# ---- the game plan -------------------------------------------------------------------------------------------------


class Plan:
    def __init__(self, force: Force) -> None:
        document = force.plan or {}
        self.document = document
        self.force = force
        self.mission = str(document.get("mission", ""))
        self.side = str(document.get("side", ""))
        self.by_ref = called(force)
        self.joins = [
            (guest, self.by_ref[whom])
            for who, whom in document.get("joins", {}).items()
            if whom in self.by_ref
            for guest in self.by_ref.get(who, ())
        ]
        """Who joins whom. If the plan does not say which of several units taken as one, any of them."""
        self.characters = [join for join in self.joins if join[0].has("keywords", "Character")]
        self.numbers: dict[str, Any] = document.get("numbers", {})

    def bound_by(self, cards: set[tuple[str, str]]) -> bool:
        """Narrative mission special rules: a rule on one side's card binds only that side."""
        sides = [self.side] if self.side in SIDES else SIDES
        return all((self.mission, side) in cards for side in sides)

    def host(self, unit: Unit) -> Unit | None:
        return next((hosts[0] for guest, hosts in self.joins if guest is unit), None)

    def waits(self, unit: Unit) -> bool:
        """Reserves; characters joining a unit: a character who has joined is with the unit."""
        reserves = [held for ref in self.document.get("reserves", ()) for held in self.by_ref.get(ref, ())]
        passed: list[Unit] = []
        while (host := self.host(unit)) is not None and unit not in passed:
            passed.append(unit)
            unit = host
        return unit in reserves

    @cached_property
    def deployed(self) -> list[Unit]:
        return [unit for unit in self.force.units if not self.waits(unit)]


def called(force: Force) -> dict[str, list[Unit]]:
    """Return each word's units in the plan: those with that name, and all that are taken as one."""
    words: dict[str, list[Unit]] = {}
    for selection in force.selections:
        whole = selection.part
        if isinstance(whole, dict) and "ref" in whole:
            words.setdefault(whole["ref"], []).extend(selection.units)
        for unit in selection.units:
            if unit.part is not whole and isinstance(unit.part, dict) and "ref" in unit.part:
                words.setdefault(unit.part["ref"], []).append(unit)
    return words


def names_a_wrong_commander(plan: Plan) -> bool:
    """Force commander: a model with Command in a command unit."""
    commander = plan.by_ref.get(plan.document.get("commander", ""), ())
    return any(unit.entry["type"] != "command" or not unit.has("abilities", "Command") for unit in commander)


def lets_others_join(plan: Plan) -> bool:
    """Characters joining a unit: only characters do."""
    return not all(guest.has("keywords", "Character") for guest, _ in plan.joins)


def joins_crowds(plan: Plan) -> bool:
    """Characters joining a unit: one to a unit; a joined character joins no other."""
    crowded = any(
        sum(set(map(id, others)) <= set(map(id, hosts)) for _, others in plan.joins) > len(hosts)
        for _, hosts in plan.joins
    )
    joined = [host for _, hosts in plan.joins for host in hosts]
    return crowded or any(guest in joined for guest, _ in plan.characters)


def joins_a_solo_unit(plan: Plan) -> bool:
    """Characters joining a unit; Solo: no character joins a unit with such a model or add-on."""
    return any(host.has("keywords", "Solo") for _, hosts in plan.characters for host in hosts)


def joins_a_solo_add_on(plan: Plan) -> bool:
    """Solo; Add-on models: an add-on is part of its unit."""
    return any(
        "Solo" in add_on.get("keywords", ())
        for _, hosts in plan.characters
        for host in hosts
        for add_on, _ in host.add_ons
    )


def joins_though_solo(plan: Plan) -> bool:
    """Solo: such a character joins no unit."""
    return any(guest.has("keywords", "Solo") for guest, _ in plan.characters)


def joins_another_type(plan: Plan) -> bool:
    """Characters joining a unit: never one of another model type."""
    return any(model_types(guest) != model_types(host) for guest, hosts in plan.characters for host in hosts)


def model_types(unit: Unit) -> set[str]:
    return {kind for kind in MODEL_TYPES if unit.has("keywords", kind)}


def deploys_despite_no_deployment(plan: Plan) -> bool:
    """No Deployment: all but those with Scout start in reserve."""
    return plan.bound_by(NO_DEPLOYMENT) and not all(unit.has("abilities", "Scout") for unit in plan.deployed)


def holds_back_despite_no_reserves(plan: Plan) -> bool:
    """No Reserves: no unit by choice."""
    return plan.bound_by(NO_RESERVES) and len(plan.deployed) < len(plan.force.units)


def deploys_with_too_many_tokens(plan: Plan) -> bool:
    """Deploy forces: Cover for each unit of the defender, On the Move twice for each of the attacker.

    Characters joining a unit: a joined character has no tokens of its own. Without a side, tokens are not checked.
    """
    units = sum(plan.host(unit) is None for unit in plan.deployed)
    per_unit = {"defender": (COVER_EACH, 0), "attacker": (0, MOVE_EACH)}.get(plan.side)
    if per_unit is None:
        return False
    cover = per_unit[0] * units + BONUS * plan.bound_by(DUG_IN)
    move = per_unit[1] * units + BONUS * plan.bound_by(LIGHTNING_STRIKE)
    return plan.numbers.get("cover-tokens", 0) > cover or plan.numbers.get("on-the-move-tokens", 0) > move


OF_THE_PLAN = {
    "me2-commander-eligible": names_a_wrong_commander,
    "me2-character-only": lets_others_join,
    "me2-character-one-per-unit": joins_crowds,
    "me2-character-solo-unit": joins_a_solo_unit,
    "me2-addon-solo-blocks-character": joins_a_solo_add_on,
    "me2-character-solo-self": joins_though_solo,
    "me2-character-model-type": joins_another_type,
    "me2-special-no-deployment": deploys_despite_no_deployment,
    "me2-special-no-reserves": holds_back_despite_no_reserves,
    "me2-deploy-tokens": deploys_with_too_many_tokens,
}
