"""Build a game plan from a list document."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.graph.ruleset import Ruleset
from roster.engine.plan import Answer, GamePlan, Join, Ride, get_missions, get_planning
from roster.formats.list_document.document import ListedPlan
from roster.formats.list_document.nodes import UnreadableError
from roster.formats.list_document.resolver import UnitReferences
from roster.formats.list_document.values import (
    Candidate,
    Text,
    build_text_error,
    is_called,
    list_identified,
    resolve_name,
)
from roster.formats.list_text import clean_text, simplify_name

Resolved = TypeVar("Resolved")
Answers = Iterable[tuple[Text, tuple[Text, ...]]]


def build_plan(ruleset: Ruleset, listed: ListedPlan, references: UnitReferences) -> GamePlan:
    """Build a game plan without checking answers. Raises UnreadableError.

    Exact documents may contain unknown names, which the engine reports.
    """
    return PlanResolver(ruleset, references).resolve_plan(listed)


class PlanResolver:
    def __init__(self, ruleset: Ruleset, references: UnitReferences) -> None:
        self.ruleset = ruleset
        self.references = references
        self.planning = get_planning(ruleset)

    def resolve_plan(self, listed: ListedPlan) -> GamePlan:
        # A ref and a name may mean the same unit.
        _check_once(self._resolve_units(who for who, _ in listed.joins))
        _check_once(self._resolve_units(who for who, _ in listed.aboard))
        _check_once((name, self._find_number(name)) for name, _ in listed.numbers)

        resolve_one, resolve_all = self.references.resolve_one, self.references.resolve_all
        mission = self._look_up(listed.mission, list_identified(get_missions(self.ruleset)), "unknown-mission")
        sides = list_identified(mission.sides) if mission else []
        side = self._look_up(listed.side, sides, "unknown-side") if sides else None
        joins = [Join(character_id=resolve_one(who), host_id=resolve_one(host)) for who, host in listed.joins]
        rides: list[Ride] = []
        for passengers, transport in listed.aboard:
            for unit_id in resolve_all(passengers):
                rides.append(Ride(passenger_id=unit_id, transport_id=resolve_one(transport)))
        reserves = tuple(unit_id for _, unit_id in self._resolve_units(listed.reserves))
        commander_id = resolve_one(listed.commander) if listed.commander else ""
        answers = list(self._resolve_answers(listed.choices, ""))
        for unit, unit_answers in listed.units:
            for unit_id in resolve_all(unit):
                answers += self._resolve_answers(unit_answers, unit_id)
        return GamePlan(
            mission=mission.id if mission else listed.mission.value,
            side=side.id if side else listed.side.value,
            opponents=tuple(map(self._find_faction, listed.opponents)),
            allies=tuple(map(self._find_faction, listed.allies)),
            joins=tuple(joins),
            rides=tuple(rides),
            reserves=reserves,
            commander_id=commander_id,
            objective=listed.objective,
            answers=tuple(answers),
            numbers={self._find_number(name): value for name, value in listed.numbers},
            notes=listed.notes,
        )

    def _resolve_units(self, given: Iterable[Text]) -> Iterator[tuple[Text, str]]:
        for name in given:
            for unit_id in self.references.resolve_all(name):
                yield name, unit_id

    def _look_up(self, given: Text, candidates: Sequence[Candidate[Resolved]], code: str) -> Resolved | None:
        if not given:
            return None
        try:
            return resolve_name(given, candidates, code)
        except UnreadableError:
            if self.references.lenient:
                return None
            raise

    def _find_faction(self, given: Text) -> str:
        for catalogue in self.ruleset.data.catalogues:
            if catalogue.kind is CatalogueKind.FACTION and is_called(catalogue, given):
                return catalogue.id
        return given.value

    def _resolve_answers(self, given: Answers, unit_id: str) -> Iterator[Answer]:
        questions = list_identified(self.planning.questions)
        for name, answers in given:
            question = self._look_up(name, questions, "unknown-question")
            options = question.options if question else ()
            for answer in answers:
                # The engine reports answers that are not offered.
                option_id = next((option.id for option in options if is_called(option, answer)), answer.value)
                yield Answer(question=question.id if question else name.value, option=option_id, unit_id=unit_id)

    def _find_number(self, given: Text) -> str:
        ids = [n.id for n in self.planning.numbers if given.value in (n.id, n.name)]
        return ids[0] if ids else "-".join(simplify_name(clean_text(given.value)).split())


def _check_once(named: Iterable[tuple[Text, str]]) -> None:
    answered: set[str] = set()
    for given, answered_id in named:
        if answered_id in answered:
            raise build_text_error("named-twice", given)
        answered.add(answered_id)
