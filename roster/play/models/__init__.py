from roster.play.models.games import Game, GameInvitation, GameOperation, GameSeat, GameSide
from roster.play.models.hands_and_decks import MOST_COPIES, DeckMission, MissionDeck, MissionDraw, ObjectiveHand

__all__ = [
    "MOST_COPIES",
    "DeckMission",
    "Game",
    "GameInvitation",
    "GameOperation",
    "GameSeat",
    "GameSide",
    "MissionDeck",
    "MissionDraw",
    "ObjectiveHand",
]
