"""Cases of Maelstrom's Edge, 2nd edition: detachments of selections with add-ons, and game plans."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.graph.compiled_entry import ContainerOptions
from roster.engine.plan import GamePlan, Join
from roster.engine.tree import OUTSIDE, Force, Limit, RosterTree, Selection
from tests.cases.translator import Node, Translator
from tests.cases.words import UnknownWordError, Words

GROUPS = {"swaps": "Rifles", "third": "Third weapon or field", "upgrades": "Upgrades", "other": None, "options": None}
"""Keys of a selection for options, and the option groups of the shipped unit."""
SHIPPED = ("carries", "abilities", "options")
"""Keys that a fixture takes over from a unit of the pack."""


class Cases(Translator):
    """Translates fixtures and lists."""

    # ---- fixtures ------------------------------------------------------------------------------------------------

    def files(self) -> dict[str, Node]:
        units = [self._unit(own, fixture) for own, fixture in self.fixtures["units"].items()]
        addons = [self._addon(own, fixture) for own, fixture in self.fixtures.get("addons", {}).items()]
        return self.by_faction([*units, *addons])

    def _common(self, own: str, fixture: Node) -> Node:
        command = [f"Command ({fixture['command']})"] if "command" in fixture else []
        return {
            "unit": fixture["name"],
            "id": own,
            "faction": fixture["faction"],
            "type": fixture["type"],
            "points": fixture["points"],
            "command value": fixture.get("command", 0),
            "keywords": [fixture["model_type"], *fixture.get("designators", ())],
            "abilities": [*command, *(["Scout"] if fixture.get("scout") else [])],
            "options": [_option(name, terms) for name, terms in fixture.get("options", {}).items()],
        }

    def _unit(self, own: str, fixture: Node) -> Node:
        low, high = fixture["models"]
        unit = self._common(own, fixture) | {
            "models": [
                {
                    "model": fixture["name"],
                    "count": f"{low}-{high}" if low != high else low,
                    "points": fixture.get("extra_model", 0),
                }
            ],
            "allows": {_what(slot): f"{slot['min']}-{slot['max']}" for slot in fixture.get("slots", ())},
        }
        if fixture.get("multi"):
            unit["units"] = f"1-{fixture['multi']}"
        if "option_model" in fixture:
            unit |= {key: self.shipped[fixture["name"]][key] for key in SHIPPED}
        return unit

    def _addon(self, own: str, fixture: Node) -> Node:
        return self._common(own, fixture) | {
            "joins": {
                "units": fixture["hosts"],
                "up to": fixture["max_per_unit"],
                "within size": bool(fixture.get("normal_max")),
            }
        }

    # ---- lists ---------------------------------------------------------------------------------------------------

    def roster(self, case: Node) -> RosterTree:
        given, context = case["list"], case.get("context", {})
        limit = context.get("points_limit")
        faction = given.get("faction") or self._first_faction(given)
        forces = [self._force(detachment, faction) for detachment in given.get("detachments", ())]
        return RosterTree(
            id=case["id"],
            name=case["title"],
            limits=() if limit is None else (Limit(type_id="points", value=limit),),
            unshown=tuple(self._unshown(given.get("roster") or Words({}))),
            forces=(*forces, *self._outside(given, faction)),
        )

    def _unshown(self, given: Words) -> Iterator[str]:
        known = {make_id(name).replace("-", ""): make_id(name) for name in self.head["must show"]}
        for key in (key for key, shown in given.items() if not shown):
            plain = make_id(key.removeprefix("shows_")).replace("-", "").replace("_", "")
            found = [known[plain]] if plain in known else [own for name, own in known.items() if plain in name]
            if len(found) != 1:
                raise UnknownWordError(f"roster.{key}")
            yield found[0]

    def _first_faction(self, given: Node) -> str:
        units = [each for detachment in given.get("detachments", ()) for each in detachment["selections"]]
        own = next((_as_node(each)["unit"] for each in (*units, *given.get("loose_units", ()))), "")
        return str(self.fixtures["units"].get(own, {}).get("faction", next(iter(self.head["factions"]))))

    def _force(self, given: Node, faction: str) -> Force:
        own = given["name"]
        selections = tuple(
            self._selection(each, faction, f"{own}.{number}") for number, each in enumerate(given["selections"], 1)
        )
        return Force(
            id=own,
            entry_id=self.head["detachments"][0]["id"],
            catalogue_id=faction,
            custom_name=own,
            leader_id=selections[0].id if given.get("leader_fixed") and selections else "",
            selections=selections,
        )

    def _outside(self, given: Node, faction: str) -> Iterator[Force]:
        units = [_as_node(each) for each in given.get("loose_units", ())]
        addons = given.get("unplaced_addons", ())
        if units or addons:
            loose = [self._selection(each, faction, f"loose.{n}") for n, each in enumerate(units, 1)]
            alone = [self._alone(_as_node(each)["unit"]) for each in addons]
            yield Force(id="outside", entry_id=OUTSIDE, catalogue_id=faction, selections=(*loose, *alone))

    def _alone(self, unit: str) -> Selection:
        return Selection(id=self.fresh(), entry_id=unit, name=unit)

    def _selection(self, given: Any, faction: str, own: str) -> Selection:
        """Return a selection. If it cannot hold several units, the others are put inside the first."""
        given = _as_node(given)
        entry = given["unit"]
        fixture = self.fixtures["units"].get(entry)
        units = [_as_node(each) for each in given.get("units", [entry] * given.get("count", 1))]
        bodies = [self._body(given | each, faction) for each in units]
        if fixture and fixture.get("multi"):
            inside = [
                body if unit["unit"] == entry else self._whole(body, unit["unit"])
                for body, unit in zip(bodies, units, strict=True)
            ]
            return Selection(id=own, entry_id=entry, name=fixture["name"], selections=tuple(inside))
        first, *others = bodies or [self._alone(entry)]
        foreign = [self._whole(each, unit["unit"]) for each, unit in zip(others, units[1:], strict=True)]
        return Selection(id=own, entry_id=entry, name=first.name, selections=(*first.selections, *foreign))

    def _whole(self, body: Selection, entry: str) -> Selection:
        """Return a misplaced unit with the selection around it if its entry has one."""
        if body.entry_id == entry:
            return body
        return Selection(id=self.fresh(), entry_id=entry, name=body.name, selections=(body,))

    def _body(self, given: Node, faction: str) -> Selection:
        """Return a unit with models, options and add-ons, inside a selection if the entry has one."""
        entry = given["unit"]
        option = self.option_of(faction, entry)
        fixture = self.fixtures["units"].get(entry)
        if option is None or fixture is None:
            return self._alone(entry)
        inner = f"{entry}/unit" if fixture.get("multi") else entry
        body = option.entry.contents.find_option(inner) if fixture.get("multi") else option
        assert body is not None
        layout = body.entry.contents
        return Selection(
            id=self.fresh(),
            entry_id=inner,
            name=fixture["name"],
            selections=(
                *self.models(layout, [given.get("models", fixture["models"][0])]),
                *self._options(layout, given, inner),
                *self._addons(layout, _names(given.get("addons", ()))),
            ),
        )

    def _options(self, layout: ContainerOptions, given: Node, owner: str) -> Iterator[Selection]:
        for key, group in GROUPS.items():
            yield from self.options(layout, _names(given.get(key, ())), owner, group)
        countermeasures = given.get("countermeasures", 0)
        yield from self.options(layout, ["Defensive Countermeasures"] * countermeasures, owner)

    def _addons(self, layout: ContainerOptions, addons: Any) -> Iterator[Selection]:
        for own, number in Counter(addons).items():
            link = next((o for o in layout.options if o.entry.target.id == own and o.entry.link), None)
            if link is not None:
                yield self.taken(link, number)
            else:
                yield Selection(id=self.fresh(), entry_id=own, number=number, name=own)

    # ---- games ---------------------------------------------------------------------------------------------------

    def game(self, case: Node) -> GamePlan:
        given, context = case["list"], case.get("context", {})
        return GamePlan(
            mission=context.get("mission", ""),
            side=context.get("side", ""),
            joins=tuple(Join(character_id=join["character"], host_id=join["host"]) for join in given.get("joins", ())),
            reserves=tuple(given.get("reserves", ())),
            commander_id=given.get("commander") or "",
        )


def _what(slot: Node) -> str:
    return slot.get("unit") or slot.get("entry") or slot["type"]


def _option(name: str, terms: Node) -> Node:
    most = {"up to": terms["max"]} if terms.get("max", 1) > 1 else {}
    return {"option": name, "points": terms.get("points", 0), **most}


def _as_node(given: Any) -> Node:
    return given if isinstance(given, dict) else {"unit": given}


def _names(given: Any) -> list[str]:
    """Return names as often as they are taken; a single name needs no list."""
    if isinstance(given, str):
        return [given]
    return list(Counter(dict(given.items())).elements()) if isinstance(given, dict) else list(given)
