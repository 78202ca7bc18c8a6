"""Cases of The Edge: Dawnfall: squads, a deck of cards, a banner and a shrine; and who meets whom."""

from collections.abc import Iterator

from roster.engine.plan import GamePlan
from roster.engine.tree import Force, Roster, Selection
from tests.cases.translating import Node, Translator

FORMATS = {"two-player": "two-player", "deck-20": "two-player-20"}
MULTIPLAYER = "multiplayer"
"""The detachment of a mode, the optional modes counted for two players only."""


class Cases(Translator):
    """How fixtures and lists are written."""

    # ---- fixtures ------------------------------------------------------------------------------------------------

    def files(self) -> dict[str, Node]:
        squads = [self._squad(own, fixture) for own, fixture in self.fixtures["squads"].items()]
        files = self.by_faction(squads)
        for faction, file in files.items():
            file["units"] += [
                {"unit": f"{faction} {kind}", "id": f"{faction}-{kind}", "type": kind}
                for kind in ("banner", "shrine")
            ]
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

    def roster(self, case: Node) -> Roster:
        given, context = case["list"], case.get("context", {})
        if not given:
            return self._nobody(case, context)
        faction = given["faction"]
        force = Force(
            id="force",
            entry_id=_format(context),
            catalogue_id=faction,
            selections=(
                *(self._taken_squad(each, faction) for each in given.get("squads", ())),
                self._whole(f"{given.get('banner', faction)}-banner"),
                *(self._whole(f"{faction}-shrine") for _ in range(given.get("shrines", 1))),
                self._deck(given.get("deck", {}), faction),
            ),
        )
        return Roster(id=case["id"], name=case["title"], forces=(force,))

    def _nobody(self, case: Node, context: Node) -> Roster:
        """The list of a case that asks who meets whom: one of the first player's faction, with nothing in it."""
        faction = next(iter(context.get("players", ())), "")
        force = Force(id="force", entry_id=_format(context), catalogue_id=faction)
        return Roster(id=case["id"], name=case["title"], forces=(force,) if faction else ())

    def _whole(self, entry: str, selections: tuple[Selection, ...] = ()) -> Selection:
        return Selection(id=self.fresh(), entry_id=entry, name=entry, selections=selections)

    def _taken_squad(self, given: str | Node, faction: str) -> Selection:
        node: Node = given if isinstance(given, dict) else {"squad": given}
        option = self.option_of(faction, node["squad"])
        if option is None:
            return self._whole(node["squad"])
        number = node.get("models", self.fixtures["squads"][node["squad"]]["models"])
        return self._whole(node["squad"], tuple(self.models(option.template.layout, [number])))

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
        if own in players:
            players.remove(own)
        return GamePlan(mission=context.get("mode", ""), opponents=tuple(players))


def _format(context: Node) -> str:
    """The detachment that a list is: by how many play, and how large a deck two of them agreed."""
    mode = context.get("mode", "two-player")
    if mode not in FORMATS:
        return MULTIPLAYER
    agreed = [FORMATS[each] for each in context.get("optional", ()) if each in FORMATS]
    return agreed[0] if agreed else FORMATS[mode]
