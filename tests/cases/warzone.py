"""Cases of Warzone Resurrection: squads in a chart, pairs, advisors, a deck, and the set-up of a game."""

from collections.abc import Iterator

from catalogue.formats.packs.syntax.scalars import make_id
from roster.engine.plan import Answer, GamePlan, Join, Ride
from roster.engine.tree import OUTSIDE, Force, Limit, RosterTree, Selection
from tests.cases.translator import Node, Translator
from tests.cases.words import UnknownWordError

FACTIONS = {"dark-legion": "dark-legion-algeroth", "imperial": "imperial-ministries-of-war"}
"""The cases' names of factions of which the pack has several."""
TYPES = {
    "character": "characters",
    "troop": "troops",
    "support": "support",
    "monster_light_vehicle": "light-vehicle",
    "heavy_vehicle": "heavy-vehicle",
}
MARKS = {"agent": "Cartel Agents", "doomtrooper": "Doomtrooper", "advisor": "Advisor"}
CARDS = {"s": "strategy-card", "t": "tactical-card", "g": "gear-card"}
SPECIAL, COMMANDERS, WHOLE, SERGEANT = "Special weapon", "Commander's weapon", "Squad upgrade", "Sergeant"
"""Options that every squad of the fixtures has."""
PAIR, DECK = "doomtrooper-pair", "megadeck"


class Cases(Translator):
    """Translates fixtures and lists."""

    # ---- fixtures ------------------------------------------------------------------------------------------------

    def files(self) -> dict[str, Node]:
        return self.by_faction(self._squad(own, fixture) for own, fixture in self.fixtures["squads"].items())

    def _squad(self, own: str, fixture: Node) -> Node:
        low, high = fixture["size"]
        row = {"LD": fixture["ld"], "SZ": fixture["sz"]}
        count = f"{low}-{high}" if low != high else low
        return {
            "unit": fixture["name"],
            "id": own,
            "faction": _faction(fixture["faction"]),
            "type": TYPES[fixture["slot"]],
            "keywords": [mark for key, mark in MARKS.items() if fixture.get(key)],
            "points": fixture["points"],
            "unique": fixture.get("unique", False),
            "abilities": list(self._abilities(fixture)),
            **({"joins": {"units": fixture["hosts"]}} if fixture.get("hosts") else {}),
            **({"options": _options()} if fixture["slot"] != "character" else {}),
            "models": [{"model": "Trooper", "count": count, "profile": row}],
        }

    def _abilities(self, fixture: Node) -> Iterator[str]:
        yield from (each.replace("-", " ").title() for each in fixture.get("deployment", ()))
        if leader := fixture.get("leader"):
            yield f"Leader ({leader['max']}/{self.fixtures['squads'][leader['squad']]['name']})"
        if "transport" in fixture:
            yield f"Transport ({fixture['transport']})"

    # ---- lists ---------------------------------------------------------------------------------------------------

    def roster(self, case: Node) -> RosterTree:
        given, context = case["list"], case.get("context", {})
        faction = _faction(given["faction"])
        squads = given.get("squads", ())
        made = {
            number: self._taken(number, squad, faction, squads)
            for number, squad in enumerate(squads, 1)
            if "joined" not in squad
        }
        free = (number for number, squad in enumerate(squads, 1) if "joined" in squad)
        lost = tuple(
            self._taken(n, squads[n - 1], faction, squads) for n in free if squads[n - 1]["joined"] not in made
        )
        cards = self._deck(given.get("deck") or {})
        deck = cards if context.get("megadeck") else ()
        force = Force(
            id="force",
            entry_id=context.get("chart", "standard"),
            catalogue_id=faction,
            leader_id=_called(given.get("commander"), squads),
            selections=(*made.values(), *deck),
        )
        loose = Force(id="loose", entry_id=OUTSIDE, catalogue_id=faction, selections=lost)
        return RosterTree(
            id=case["id"],
            name=case["title"],
            limits=(Limit(type_id="points", value=context.get("points_limit", -1)),),
            forces=(force, *((loose,) if lost else ())),
        )

    def _whole(self, own: str, entry: str, inside: tuple[Selection, ...] = ()) -> Selection:
        return Selection(id=own, entry_id=entry, name=entry, selections=inside)

    def _taken(self, number: int, squad: Node, faction: str, squads: list[Node]) -> Selection:
        own = str(number)
        if "pair" in squad:
            partners = enumerate(squad["pair"], 1)
            return self._whole(own, PAIR, tuple(self._single(f"{own}.{n}", each, faction) for n, each in partners))
        entry = squad["squad"]
        option = self.option_of(faction, entry)
        if option is None:
            return self._whole(own, entry)
        layout = option.entry.contents
        fixture = self.fixtures["squads"][entry]
        models = [squad.get("models", fixture["size"][0])]
        # A squad that has joined another cannot be a host.
        joining = enumerate(squads, 1) if "joined" not in squad else ()
        advisors = (n for n, each in joining if each.get("joined") == number)
        return self._whole(
            own,
            entry,
            (
                *self.models(layout, models),
                *self.options(layout, _chosen(squad, fixture["slot"]), entry),
                *(self._taken(n, squads[n - 1], faction, squads) for n in advisors),
            ),
        )

    def _single(self, own: str, entry: str, faction: str) -> Selection:
        option = self.option_of(faction, entry)
        models = self.models(option.entry.contents, [1]) if option else ()
        return self._whole(own, entry, tuple(models))

    def _deck(self, cards: Node) -> tuple[Selection, ...]:
        taken = (
            Selection(
                id=self.fresh(),
                entry_id=f"{DECK}/{CARDS.get(own[0], 'other-card')}",
                number=number,
                name=own,
                custom_name=own,
            )
            for own, number in cards.items()
            if number
        )
        return (self._whole(self.fresh(), DECK, tuple(taken)),)

    # ---- games ---------------------------------------------------------------------------------------------------

    def game(self, case: Node) -> GamePlan:
        context = case.get("context", {})
        squads = [(str(n), squad) for n, squad in enumerate(case["list"].get("squads", ()), 1)]
        opponent = context.get("opponent_faction")
        return GamePlan(
            mission=context.get("mission", ""),
            side=context.get("side", ""),
            opponents=(_faction(opponent),) if opponent else (),
            joins=tuple(
                Join(character_id=own, host_id=str(squad["attach"])) for own, squad in squads if "attach" in squad
            ),
            rides=tuple(
                Ride(passenger_id=own, transport_id=str(squad["aboard"])) for own, squad in squads if "aboard" in squad
            ),
            answers=tuple(_answers(context, squads)),
        )


def _faction(name: str) -> str:
    return FACTIONS.get(name, name)


def _options() -> list[Node]:
    return [
        {"option": SPECIAL, "keywords": ["Special"], "count": "any"},
        {"option": COMMANDERS, "keywords": ["Commander's"], "count": "any"},
        {"option": WHOLE, "keywords": ["Squad-wide"]},
        {"option": SERGEANT, "keywords": ["Own Commander"]},
    ]


def _chosen(squad: Node, own: str) -> Iterator[str]:
    """Return the options of a squad by name, as often as they are taken; those in `own` have a slot."""
    if squad.get("as", own) != own:
        yield f"As {TYPES[squad['as']].title()}"
    on_commander = int(bool(squad.get("commander_special")))
    yield from [SPECIAL] * (squad.get("special_weapons", 0) - on_commander)
    yield from [COMMANDERS] * (on_commander + squad.get("replaced_commander_options", 0))
    yield from [WHOLE] * int(bool(squad.get("squad_upgrade")))
    yield from [SERGEANT] * int(bool(squad.get("replaced_commander")))


def _called(name: str | None, squads: list[Node]) -> str:
    """Return the id of the first selection of a squad, alone or one of a pair; "" without a name."""
    if not name:
        return ""
    for number, squad in enumerate(squads, 1):
        if squad.get("squad", "") == name:
            return str(number)
        for place, each in enumerate(squad.get("pair", ()), 1):
            if each == name:
                return f"{number}.{place}"
    raise UnknownWordError(f"commander: {name}")


def _answers(context: Node, squads: list[tuple[str, Node]]) -> Iterator[Answer]:
    if "match_chart" in context:
        yield Answer(question="agreed-chart", option=make_id(context["match_chart"]))
    if context.get("tournament"):
        yield Answer(question="occasion", option="tournament")
    for own, squad in squads:
        if "deploy" in squad:
            yield Answer(question="deployment", option=make_id(squad["deploy"]), unit_id=own)
