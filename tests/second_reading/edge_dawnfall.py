"""A second reading of The Edge: Dawnfall (rulebook 1.16)."""

from collections import Counter
from collections.abc import Callable
from functools import cached_property

from catalogue.formats.packs.syntax.scalars import make_id
from tests.second_reading.edge_dawnfall_changes import changes
from tests.second_reading.reading import (
    Document,
    Figures,
    Reading,
    count_of,
    detachments_of,
    every_part,
    id_of,
    parts_of,
    units_of,
)

Unit = Document | str

SQUADS_OF_TWO_PLAYERS = 5
SQUADS_OF_MORE = 4
DECK_OF_TWO_PLAYERS = 25
SHORTER_DECK = 20
DECK_OF_MORE = 15

PLAYERS = {"two-players": 2, "ffa-3": 3, "ffa-4": 4, "team": 4}
FOR_TWO = {"two-player": DECK_OF_TWO_PLAYERS, "two-player-20": SHORTER_DECK}
FOR_MORE = "multiplayer"
WAYS = {*FOR_TWO, FOR_MORE}
"""The kinds of list parts. Units outside these parts are for no game."""


class Part:
    def __init__(self, written: Document, faction: str, figures: Figures) -> None:
        self.figures = figures
        self.kind: str = written.get("detachment", "")
        self.faction: str = written.get("catalogue", faction)
        self.units = [unit for unit in units_of(written) for _ in range(count_of(unit))]

    def all_of(self, kind: str) -> list[Unit]:
        return [unit for unit in self.units if kind in self.figures.categories(id_of(unit))]

    @cached_property
    def squads(self) -> list[Unit]:
        return self.all_of("squad")

    @cached_property
    def cards(self) -> Counter[str]:
        """The number of each action card, by id, in any place."""
        cards: Counter[str] = Counter()
        for unit in self.units:
            cards += cards_in(unit, self.figures)
        return cards

    def is_foreign(self, part_id: str) -> bool:
        return self.figures.faction(part_id) != self.faction


class Side:
    """What one player brings to a match."""

    def __init__(self, document: Document, figures: Figures) -> None:
        self.figures = figures
        self.faction: str = document.get("faction", "")
        self.parts = [Part(written, self.faction, figures) for written in detachments_of(document)]
        self.kinds = {part.kind for part in self.parts}
        self.ways = [part for part in self.parts if part.kind in WAYS]
        self.squads = [squad for part in self.parts for squad in part.squads]
        self.decks = [deck for part in self.parts for deck in part.all_of("deck")]
        self.deployment_cards = [card for part in self.parts for card in part.all_of("deployment")]
        self.cards = sum((part.cards for part in self.parts), Counter[str]())
        plan = document.get("plan") or {}
        self.mission: str = plan.get("mission", "")
        self.opponents: list[str] = plan.get("opponents", [])
        self.partners: list[str] = plan.get("allies", [])

    def printed(self, unit: Unit) -> Document:
        return self.figures.written[self.figures.name(id_of(unit))]


def cards_in(unit: Unit, figures: Figures) -> Counter[str]:
    cards: Counter[str] = Counter()
    for option in parts_of(unit):
        for card, number in every_part(option):
            if figures.printed_card(card):
                cards[card] += number
    return cards


# ---- 5: choose factions --------------------------------------------------------------------------------------------


def mixes_factions(side: Side) -> bool:
    """Game setup 5: all elements are of one faction, named by the list and its parts."""
    return any(
        side.figures.faction(element) != faction
        for part in side.parts
        for element in [*map(id_of, part.units), *part.cards]
        for faction in (side.faction, part.faction)
    )


def shares_a_faction(side: Side) -> bool:
    """Game setup 5: later players choose from the factions that are left."""
    taken = [name for name in (side.faction, *side.opponents, *side.partners) if name in side.figures.units]
    return len(set(taken)) < len(taken)


# ---- one way to play -----------------------------------------------------------------------------------------------


def is_for_several_ways_to_play(side: Side) -> bool:
    """Game setup, multiplayer frames: the numbers are those of a single way to play."""
    return len(side.ways) > 1


# ---- 6 and 11: banner and shrine -----------------------------------------------------------------------------------


def lacks_its_banner(side: Side) -> bool:
    """Game setup 6 and Banner card: a single banner, the faction's."""
    return _is_not_one_of_its_faction(side, "banner")


def lacks_its_shrine(side: Side) -> bool:
    """Game setup 5 and 11: a single shrine, the faction's."""
    return _is_not_one_of_its_faction(side, "shrine")


def _is_not_one_of_its_faction(side: Side, kind: str) -> bool:
    is_one_each = all(len(part.all_of(kind)) == 1 for part in side.ways)
    return not is_one_each or any(part.is_foreign(id_of(unit)) for part in side.parts for unit in part.all_of(kind))


# ---- 7: choose squads ----------------------------------------------------------------------------------------------


def has_no_squad(side: Side) -> bool:
    """End of the game: a player without models loses at once."""
    return not side.squads


def has_a_sixth_squad(side: Side) -> bool:
    """Game setup 7: up to five squads in a match of two players."""
    return any(part.kind in FOR_TWO and len(part.squads) > SQUADS_OF_TWO_PLAYERS for part in side.parts)


def has_a_fifth_squad_among_many(side: Side) -> bool:
    """Game setup 7, multiplayer: four squads each, whatever the list was made for."""
    return _brings_two_player_list_among_many(side, len(side.squads) > SQUADS_OF_MORE) or any(
        part.kind == FOR_MORE and len(part.squads) > SQUADS_OF_MORE for part in side.parts
    )


def _brings_two_player_list_among_many(side: Side, is_too_large: bool) -> bool:
    return PLAYERS.get(side.mission, 2) > 2 and bool(side.kinds & FOR_TWO.keys()) and is_too_large


def takes_a_card_too_often(side: Side) -> bool:
    """Squad card: squad and deployment cards are limited to the copies that the faction has."""
    chosen = Counter(map(id_of, [*side.squads, *side.deployment_cards]))
    return any(number > side.printed(unit)["limit"]["roster"] for unit, number in chosen.items())


def is_not_at_full_strength(side: Side) -> bool:
    """Squad card, model count, and game setup 13: exactly the models of the dots on the card."""
    return any(
        _options(squad)[f"{id_of(squad)}/{make_id(model['model'])}"] != model["count"]
        for squad in side.squads
        for model in side.printed(squad)["models"]
    )


def _options(unit: Unit) -> Counter[str]:
    options: Counter[str] = Counter()
    for option in parts_of(unit):
        options[id_of(option)] += count_of(option)
    return options


# ---- 9: prepare action decks ---------------------------------------------------------------------------------------


def is_no_deck_of_25(side: Side) -> bool:
    """Game setup 9: one deck of 25 cards for two players, unless they agreed on another size. A deck of another faction
    counts as foreign, not as a second deck.
    """
    is_made_for_more = side.mission == "two-players" and FOR_MORE in side.kinds
    return (
        any(number > 1 for number in Counter(map(id_of, side.decks)).values())
        or _has_another_number_of_cards(side, "two-player", DECK_OF_TWO_PLAYERS)
        or (is_made_for_more and side.cards.total() != DECK_OF_TWO_PLAYERS)
    )


def is_no_deck_of_20(side: Side) -> bool:
    """Optional game modes, 20 cards: instead of 25, if the players agreed on it."""
    return _has_another_number_of_cards(side, "two-player-20", SHORTER_DECK)


def is_no_deck_of_15(side: Side) -> bool:
    """Game setup 9, multiplayer: 15 cards each, whatever the list was made for."""
    return _brings_two_player_list_among_many(side, side.cards.total() != DECK_OF_MORE) or _has_another_number_of_cards(
        side, FOR_MORE, DECK_OF_MORE
    )


def _has_another_number_of_cards(side: Side, kind: str, number: int) -> bool:
    return any(part.kind == kind and part.cards.total() != number for part in side.parts)


def has_a_card_of_an_absent_squad(side: Side) -> bool:
    """Game setup 9: no card with the lower action of a squad that is not in the army."""
    present = {side.figures.name(id_of(squad)).lower() for squad in side.squads}
    bound = [side.figures.printed_card(card).get("needs") for card in side.cards]
    bound += [side.printed(card).get("only when") for card in side.deployment_cards]
    return any(squad and squad.lower() not in present for squad in bound)


def has_too_many_copies(side: Side) -> bool:
    """Game components and game setup 9: a deck is made from one set of the faction's cards."""
    return any(
        number > side.figures.printed_card(card)["copies"]
        for deck in side.decks
        for card, number in cards_in(deck, side.figures).items()
    )


def has_a_foreign_card(side: Side) -> bool:
    """Game setup 9: the deck and its cards are the faction's."""
    return any(part.is_foreign(each) for part in side.parts for each in [*part.cards, *map(id_of, part.all_of("deck"))])


# ---- the players of a match ----------------------------------------------------------------------------------------


def is_the_wrong_number_of_players(side: Side) -> bool:
    """Game setup, multiplayer frames: two; three or four each for themselves; four in teams."""
    players = 1 + len(side.opponents) + len(side.partners)
    if side.mission == "two-players":
        return players > PLAYERS[side.mission]
    return side.mission in PLAYERS and players != PLAYERS[side.mission]


def is_in_the_wrong_team(side: Side) -> bool:
    """Game setup, multiplayer frames: partners only in team play, in pairs. If no player is named yet, nothing else is
    wrong.
    """
    if side.mission == "team":
        return bool(side.opponents or side.partners) and len(side.partners) != 1
    return side.mission in PLAYERS and bool(side.partners)


RULES: dict[str, Callable[[Side], bool]] = {
    "ed-match-modes": is_for_several_ways_to_play,
    "ed-single-faction": mixes_factions,
    "ed-match-distinct-factions": shares_a_faction,
    "ed-banner": lacks_its_banner,
    "ed-shrine": lacks_its_shrine,
    "ed-squads-min": has_no_squad,
    "ed-squads-max": has_a_sixth_squad,
    "ed-squads-max-multiplayer": has_a_fifth_squad_among_many,
    "ed-squad-physical-card": takes_a_card_too_often,
    "ed-squad-full-strength": is_not_at_full_strength,
    "ed-deck-size": is_no_deck_of_25,
    "ed-deck-size-20": is_no_deck_of_20,
    "ed-deck-size-multiplayer": is_no_deck_of_15,
    "ed-deck-lower-action-squad": has_a_card_of_an_absent_squad,
    "ed-deck-physical-copies": has_too_many_copies,
    "ed-deck-faction": has_a_foreign_card,
    "ed-match-player-count": is_the_wrong_number_of_players,
    "ed-match-teams": is_in_the_wrong_team,
}


def broken_rules(document: Document, figures: Figures) -> set[str]:
    side = Side(document, figures)
    return {rule for rule, is_broken in RULES.items() if is_broken(side)}


READING = Reading(
    pack="edge-dawnfall",
    covers=frozenset(RULES),
    broken_rules=broken_rules,
    changes=changes,
    left_out={
        "ed-squads-fewer": "advice: warns, breaks nothing",
        "ed-deck-enhancement-advice": "advice: warns, breaks nothing",
        "ed-deck-feasible": "Asks what an unfinished deck can be filled with; in a finished one it is short.",
    },
)
