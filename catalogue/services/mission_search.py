"""Searching what games are played with: missions and objectives of all games, everything of one."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from catalogue.definitions.missions import (
    MissionDefinition,
    ObjectiveDefinition,
    ReferencePart,
    Special,
    Stratagem,
    Token,
)
from catalogue.models import Mission, Objective
from catalogue.services.play import Play
from catalogue.services.play_rows import collect_mission_words, collect_objective_words
from catalogue.services.search import split_words
from catalogue.services.texts import fold_text

MOST = 60


@dataclass(frozen=True, slots=True)
class PlaySearchResults:
    """What of a game has all words of a search."""

    missions: list[MissionDefinition]
    objectives: list[ObjectiveDefinition]
    specials: list[Special]
    stratagems: list[Stratagem]
    tokens: list[Token]
    reference: list[ReferencePart]

    def __bool__(self) -> bool:
        return any(
            (self.missions, self.objectives, self.specials, self.stratagems, self.tokens, self.reference)
        )


def search_play(play: Play, text: str) -> PlaySearchResults:
    """Return everything with all words of `text` somewhere in its own words; all there is for a blank one."""
    words = split_words(text)
    names = {objective.id: objective.name for objective in play.objectives.values()}

    def has(texts: Iterable[str]) -> bool:
        folded_text = fold_text(" ".join(texts))
        return all(word in folded_text for word in words)

    return PlaySearchResults(
        missions=[m for m in play.missions.values() if has(collect_mission_words(m, names))],
        objectives=[o for o in play.objectives.values() if has(collect_objective_words(o))],
        specials=[s for s in play.specials.values() if has((s.name, s.text))],
        stratagems=[s for s in play.stratagems.values() if has((s.name, s.text, s.when))],
        tokens=[t for t in play.tokens.values() if has((t.name, t.text))],
        reference=[r for r in play.reference.values() if has(_reference_words(r))],
    )


def _reference_words(part: ReferencePart) -> list[str]:
    return [part.name, *part.texts, *(word for row in part.rows for word in (row.name, row.value))]


def search_missions(text: str) -> QuerySet[Mission]:
    """Missions of all games' current versions that have all words of `text`."""
    missions = Mission.objects.filter(version__current_of__isnull=False).select_related("version__game")
    for word in split_words(text):
        missions = missions.filter(search_text__contains=word)
    return missions.order_by("version__game__name", "position")[:MOST]


def search_objectives(text: str) -> QuerySet[Objective]:
    """Objectives of all games' current versions that have all words of `text`."""
    objectives = Objective.objects.filter(version__current_of__isnull=False).select_related("version__game")
    for word in split_words(text):
        objectives = objectives.filter(search_text__contains=word)
    return objectives.order_by("version__game__name", "position")[:MOST]
