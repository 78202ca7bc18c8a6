from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

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

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PlaySearchResults:
    missions: list[MissionDefinition]
    objectives: list[ObjectiveDefinition]
    specials: list[Special]
    stratagems: list[Stratagem]
    tokens: list[Token]
    reference: list[ReferencePart]

    def __bool__(self) -> bool:
        return any((self.missions, self.objectives, self.specials, self.stratagems, self.tokens, self.reference))


def search_play(play: Play, text: str) -> PlaySearchResults:
    words = split_words(text)
    names = {objective.id: objective.name for objective in play.objectives.values()}
    return PlaySearchResults(
        missions=_select_matching(words, play.missions.values(), lambda mission: collect_mission_words(mission, names)),
        objectives=_select_matching(words, play.objectives.values(), collect_objective_words),
        specials=_select_matching(words, play.specials.values(), lambda special: (special.name, special.text)),
        stratagems=_select_matching(words, play.stratagems.values(), lambda act: (act.name, act.text, act.when)),
        tokens=_select_matching(words, play.tokens.values(), lambda token: (token.name, token.text)),
        reference=_select_matching(
            words,
            play.reference.values(),
            lambda part: [part.name, *part.texts, *(word for row in part.rows for word in (row.name, row.value))],
        ),
    )


def _select_matching(
    words: Sequence[str], items: Iterable[Item], list_texts: Callable[[Item], Iterable[str]]
) -> list[Item]:
    matching = []
    for item in items:
        folded_text = fold_text(" ".join(list_texts(item)))
        if all(word in folded_text for word in words):
            matching.append(item)
    return matching


def search_missions(text: str) -> QuerySet[Mission]:
    """Return the first `MOST` current missions that contain all words of `text`."""
    missions = Mission.objects.filter(version__current_of__isnull=False).select_related("version__game")
    for word in split_words(text):
        missions = missions.filter(search_text__contains=word)
    return missions.order_by("version__game__name", "position")[:MOST]


def search_objectives(text: str) -> QuerySet[Objective]:
    objectives = Objective.objects.filter(version__current_of__isnull=False).select_related("version__game")
    for word in split_words(text):
        objectives = objectives.filter(search_text__contains=word)
    return objectives.order_by("version__game__name", "position")[:MOST]
