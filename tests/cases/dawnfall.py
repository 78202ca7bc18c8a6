"""Cases of The Edge: Dawnfall: squads, a deck of cards, banner and shrine; opponents."""

from collections.abc import Iterator

from roster.engine.plan import GamePlan
from roster.engine.tree import Force, RosterTree, Selection
from tests.cases.translator import Node, Translator
from tests.cases.words import one_of

TWO_PLAYERS = "two-player"
MULTIPLAYER = "multiplayer"
SHORT_DECK = "deck-20"
MODES = {TWO_PLAYERS: "two-players", "ffa-3": "ffa-3", "ffa-4": "ffa-4", "team": "team"}
"""The missions of the modes."""


class Cases(Translator):
    """Translates fixtures and lists."""

    # ---- fixtures ------------------------------------------------------------------------------------------------

    def files(self) -> dict[str, Node]:
        squads = [self._squad(own, fixture) for own, fixture in self.fixtures["squads"].items()]
        files = self.by_faction(squads)
        for faction in self.head["factions"]:
            files.setdefault(faction, {"faction": faction, "cite": self.head["cite"], "units": []})
        for faction, file in files.items():
            file["units"] += [
                {"unit": f"{faction} {kind}", "id": f"{faction}-{kind}", "type": kind} for kind in ("banner", "shrine")
            ]
            if faction not in [fixture["faction"] for fixture in self.fixtures["cards"].values()]:
                continue
            file["decks"] = [{"deck": f"{faction} deck", "id": f"{faction}-deck", "type": "deck"}]
            file["cards"] = [
                self._card(own, fixture)
                for own, fixture in self.fixtures["cards"].items()
                if fixture["faction"] == faction
            ]
        return files

    def _squad(self, own: str, fixture: Node) -> Node:
        return {
            "unit": fixture["name"],
            "id": own,
            "faction": fixture["faction"],
            "type": "squad",
            "limit": {"roster": fixture.get("cards", 1)},
            "models": [{"model": fixture["name"], "count": fixture["models"]}],
        }

    def _card(self, own: str, fixture: Node) -> Node:
        squads = [
            squad
            for squad, about in self.fixtures["squads"].items()
            if about["name"] == fixture["lower"] and about["faction"] == fixture["faction"]
        ]
        return {
            "card": own,
            "copies": fixture["copies"],
            **({"needs": squads} if squads else {}),
            **({"keywords": ["Enhancement"]} if fixture.get("enhancement") else {}),
        }

    # ---- lists ---------------------------------------------------------------------------------------------------

    def roster(self, case: Node) -> RosterTree:
        given, context = case["list"], case.get("context", {})
        if not given:
            return self._nobody(case, context)
        faction = given.get("faction") or self._faction_of(given["squads"][0])
        banner = given.get("banner", faction)
        force = Force(
            id="force",
            entry_id=_format(context),
            catalogue_id=faction,
            selections=(
                *(self._taken_squad(each, faction) for each in given.get("squads", ())),
                *([self._whole(f"{banner}-banner")] if banner else ()),
                *(self._whole(f"{faction}-shrine") for _ in range(given.get("shrines", 1) or 0)),
                self._deck(given.get("deck") or {}, faction),
            ),
        )
        return RosterTree(id=case["id"], name=case["title"], forces=(force,))

    def _nobody(self, case: Node, context: Node) -> RosterTree:
        faction = next(iter(context.get("players", ())), "")
        force = Force(id="force", entry_id=_format(context), catalogue_id=faction)
        return RosterTree(id=case["id"], name=case["title"], forces=(force,) if faction else ())

    def _whole(self, entry: str, selections: tuple[Selection, ...] = ()) -> Selection:
        return Selection(id=self.fresh(), entry_id=entry, name=entry, selections=selections)

    def _faction_of(self, given: str | Node) -> str:
        return str(self.fixtures["squads"][_as_node(given)["squad"]]["faction"])

    def _taken_squad(self, given: str | Node, faction: str) -> Selection:
        node = _as_node(given)
        option = self.option_of(faction, node["squad"])
        if option is None:
            return self._whole(node["squad"])
        number = node.get("models", self.fixtures["squads"][node["squad"]]["models"])
        return self._whole(node["squad"], tuple(self.models(option.entry.contents, [number])))

    def _deck(self, cards: Node, faction: str) -> Selection:
        return self._whole(f"{faction}-deck", tuple(self._cards(cards, faction)))

    def _cards(self, cards: Node, faction: str) -> Iterator[Selection]:
        for own, number in cards.items():
            deck = self.fixtures["cards"].get(own, {}).get("faction", faction)
            if number:
                yield Selection(id=self.fresh(), entry_id=f"{deck}-deck/{own}", number=number, name=own)

    # ---- games ---------------------------------------------------------------------------------------------------

    def game(self, case: Node) -> GamePlan:
        context = case.get("context", {})
        players = list(context.get("players", ()))
        own = case["list"].get("faction", next(iter(players), ""))
        seat = players.index(own) if own in players else 0
        others = [*players[seat:], *players[:seat]][own in players :]
        mission = MODES[_mode(context)]
        partners = others[1:2] if mission == "team" else []  # seated in turn: every second player is of one team
        opponents = [*others[:1], *others[2:]] if partners else others
        return GamePlan(mission=mission, opponents=tuple(opponents), allies=tuple(partners))


def _format(context: Node) -> str:
    """Return the kind of detachment, by the number of players and the agreed deck size."""
    optional = context.get("optional") or ()
    if _mode(context) != TWO_PLAYERS:
        return MULTIPLAYER
    return "two-player-20" if SHORT_DECK in optional else "two-player"


def _mode(context: Node) -> str:
    return one_of(context.get("mode", TWO_PLAYERS), tuple(MODES), "context.mode")


def _as_node(given: str | Node) -> Node:
    return given if isinstance(given, dict) else {"squad": given}
