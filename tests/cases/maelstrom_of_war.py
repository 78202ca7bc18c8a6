"""Cases of Maelstrom of War: armies of detachments with stated prices, and the set-up of a battle."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from catalogue.formats.packs.syntax.scalars import make_id
from roster.engine.plan import Answer, GamePlan, Ride, get_planning
from roster.engine.tree import OUTSIDE, Force, Limit, RosterTree, Selection
from tests.cases.translator import Node, Translator
from tests.cases.words import one_of

FACTION = "army"
"""Cases name no faction: one has all datasheets."""
SIZES = {"incursion": (1000, 6), "strike-force": (2000, 12), "onslaught": (3000, 18)}
"""Points and command points of the battle sizes."""
HELD_BACK = ("reserve", "elsewhere")
EMBARKED = "embarked"
STATUS = ("table", *HELD_BACK, EMBARKED)
PLAIN = "categories"
"""The question for categories without letters."""


class Cases(Translator):
    """Translates fixtures and lists."""

    # ---- fixtures ------------------------------------------------------------------------------------------------

    def files(self) -> dict[str, Node]:
        units = [self._datasheet(own, fixture) for own, fixture in self.fixtures["datasheets"].items()]
        known = {*map(make_id, self.head["faction keywords"].values()), *self.head["faction keywords"]}
        used = dict.fromkeys(make_id(word) for unit in units for word in unit["keywords"])
        files = self.by_faction(units)
        files[FACTION]["faction keywords"] = {own: own for own in used if own not in known}
        return files

    def _datasheet(self, own: str, fixture: Node) -> Node:
        low, high = fixture["models"]
        return {
            "unit": fixture["title"],
            "id": own,
            "faction": FACTION,
            "type": make_id(fixture["role"]),
            "keywords": [self._keyword(word) for word in fixture["keywords"]],
            "models": [{"model": fixture["title"], "count": f"{low}-{high}" if low != high else low}],
            # A list states what a unit costs, as a number of options for one point each.
            "options": [
                {"option": "Point", "points": 1, "count": "any"},
                {"option": "Command point", "command points": 1, "count": "any"},
                {"option": "Warlord", "keywords": ["Warlord"]},
            ],
        }

    def _keyword(self, word: str) -> str:
        """Return the id of a faction keyword that has the same name as something else."""
        own = make_id(word)
        return own if f"{own}-keyword" not in self.head["faction keywords"] else f"{own}-keyword"

    # ---- lists ---------------------------------------------------------------------------------------------------

    def roster(self, case: Node) -> RosterTree:
        given, context = case["list"], case.get("context", {})
        numbers = count(1)
        detachments = given.get("detachments", ())
        upgrades = given.get("upgrades_used", ())
        forces = [self._force(f"detachment-{place}", each, given, numbers) for place, each in enumerate(detachments, 1)]
        if loose := given.get("loose_units", ()):
            units = tuple(self._unit(each, given, next(numbers)) for each in loose)
            forces.append(Force(id="loose", entry_id=OUTSIDE, catalogue_id=FACTION, selections=units))
        # It makes no difference which upgrade it is, and whose.
        terms = [dict(upgrade.items()) for upgrade in upgrades]
        written = all(each.get("on_roster", True) for each in terms)
        spent = given.get("cp_spent", sum(each.get("cp", 0) for each in terms))
        if "cp_spent" in given:
            # The total includes what detachments cost, which is not noted again.
            spent = max(0, spent - sum(self._cost(each) for each in detachments))
        return RosterTree(
            id=case["id"],
            name=case["title"],
            limits=tuple(_limits(context)),
            unshown=() if written else ("upgrades",),
            forces=(*forces, *self._spending(spent)),
        )

    def _cost(self, given: Node) -> int:
        """Return the command points of a kind of detachment, 0 if it holds the warlord."""
        kinds = {make_id(d["detachment"]): d.get("command points", 0) for d in self.head["detachments"]}
        return int(kinds.get(make_id(given.get("kind", "")), 0))

    def _spending(self, spent: int) -> Iterator[Force]:
        kind = next(d for d in self.head["detachments"] if d["slots"] == ["spending"])
        entry = "command-points-spent"
        option = self.option_of(FACTION, entry)
        if spent and option:
            taken = tuple(self.options(option.entry.contents, ["Command point"] * spent, entry))
            unit = Selection(id="spent", entry_id=entry, name=entry, selections=taken)
            yield Force(id="spending", entry_id=kind["id"], catalogue_id=FACTION, selections=(unit,))

    def _force(self, own: str, given: Node, army: Node, numbers: Iterator[int]) -> Force:
        kinds = {make_id(d["detachment"]): d["id"] for d in self.head["detachments"]}
        kind = kinds.get(make_id(given.get("kind", "")), "other")
        units = tuple(self._unit(each, army, next(numbers)) for each in given.get("units", ()))
        return Force(
            id=own, entry_id=kind, catalogue_id=FACTION, custom_name=str(given.get("name", "")), selections=units
        )

    def _unit(self, given: Any, army: Node, number: int) -> Selection:
        node: Node = given if isinstance(given, dict) else {"ds": given}
        entry = node["ds"]
        fixture, option = self.fixtures["datasheets"].get(entry), self.option_of(FACTION, entry)
        if fixture is None or option is None:
            return Selection(id=str(number), entry_id=entry, name=entry)
        layout = option.entry.contents
        warlord = army.get("warlord")
        names = ["Warlord"] if number in (warlord if isinstance(warlord, list) else [warlord]) else []
        names += ["Point"] * node.get("points", fixture["points"])
        return Selection(
            id=str(number),
            entry_id=entry,
            name=fixture["title"],
            selections=(
                *self.models(layout, [node.get("models", fixture["models"][0])]),
                *self.options(layout, names, entry),
            ),
        )

    # ---- games ---------------------------------------------------------------------------------------------------

    def game(self, case: Node) -> GamePlan:
        given, context = case["list"], case.get("context", {})
        mission = context.get("mission", "")
        units = [unit for each in given.get("detachments", ()) for unit in each.get("units", ())]
        status = [
            (str(number), unit, one_of(unit.get("status", "table"), STATUS, "status"))
            for number, unit in enumerate([*units, *given.get("loose_units", ())], 1)
            if isinstance(unit, dict)
        ]
        return GamePlan(
            mission=mission,
            reserves=tuple(number for number, _, where in status if where in HELD_BACK),
            rides=tuple(
                # An unnamed transport is one that the army does not have.
                Ride(passenger_id=number, transport_id=str(unit.get("in") or "not named"))
                for number, unit, where in status
                if where == EMBARKED
            ),
            answers=tuple(self._answers(given, mission)),
        )

    def _answers(self, given: Node, mission: str) -> Iterator[Answer]:
        """Return the categories of the list, by letters or without, and the secret one.

        An unknown letter counts as no letter.
        """
        categories = given.get("categories") or []
        lettered = isinstance(categories, dict)
        asked = {q.id for q in get_planning(self.ruleset).questions if mission in q.missions}
        for letter, chosen in categories.items() if lettered else [(PLAIN, each) for each in categories]:
            for each in chosen if isinstance(chosen, list) else [chosen]:
                if each:
                    own = make_id(str(letter))
                    yield Answer(question=own if own in asked else PLAIN, option=make_id(each))
        if given.get("overriding"):
            yield Answer(question="overriding", option=make_id(given["overriding"]))


def _limits(context: Node) -> Iterator[Limit]:
    """Return the limits of the battle size, none for an unknown size."""
    for type_id, value in zip(("points", "command-points"), SIZES.get(context.get("size", ""), ()), strict=False):
        yield Limit(type_id=type_id, value=value)
