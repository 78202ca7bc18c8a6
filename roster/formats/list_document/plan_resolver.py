"""Build a game plan from the plan in a list document: look up ids and names in the list and in the game's data."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.missions import MissionDefinition
from catalogue.definitions.planning import PlanQuestion
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
    """Build the game plan that a document stands for; raises UnreadableError.

    Names of missions, questions and units have to mean something, unless the document is exact: then what they meant
    may be gone, and the engine says so. Answers are judged as they are given.
    """
    return PlanResolver(ruleset, references).resolve_plan(listed)


class PlanResolver:
    """What a plan's words mean by the rules of a game."""

    def __init__(self, ruleset: Ruleset, references: UnitReferences) -> None:
        self.ruleset = ruleset
        self.references = references
        self.planning = get_planning(ruleset)

    def resolve_plan(self, listed: ListedPlan) -> GamePlan:
        self._check_named_once(listed)
        mission = self._find_mission(listed.mission)
        return GamePlan(
            mission=mission.id if mission else listed.mission.value,
            side=self._find_side(listed.side, mission),
            opponents=tuple(map(self._find_faction, listed.opponents)),
            allies=tuple(map(self._find_faction, listed.allies)),
            joins=tuple(self._resolve_joins(listed)),
            rides=tuple(self._resolve_rides(listed)),
            reserves=tuple(unit_id for _, unit_id in self._resolve_units(listed.reserves)),
            commander_id=self.references.resolve_one(listed.commander) if listed.commander else "",
            objective=listed.objective,
            answers=(*self._resolve_answers(listed.choices), *self._resolve_unit_answers(listed)),
            numbers={self._find_number(name): value for name, value in listed.numbers},
            notes=listed.notes,
        )

    def _check_named_once(self, listed: ListedPlan) -> None:
        # One unit may be called by its ref and by its name.
        _check_once(self._resolve_units(who for who, _ in listed.joins))
        _check_once(self._resolve_units(who for who, _ in listed.aboard))
        _check_once((name, self._find_number(name)) for name, _ in listed.numbers)

    def _resolve_joins(self, listed: ListedPlan) -> Iterator[Join]:
        for character, host in listed.joins:
            character_id = self.references.resolve_one(character)
            yield Join(character_id=character_id, host_id=self.references.resolve_one(host))

    def _resolve_rides(self, listed: ListedPlan) -> Iterator[Ride]:
        for passengers, transport in listed.aboard:
            for unit_id in self.references.resolve_all(passengers):
                yield Ride(passenger_id=unit_id, transport_id=self.references.resolve_one(transport))

    def _resolve_units(self, given: Iterable[Text]) -> Iterator[tuple[Text, str]]:
        """Resolve names of units; one that means several units gives each of them."""
        for name in given:
            for unit_id in self.references.resolve_all(name):
                yield name, unit_id

    def _find_mission(self, given: Text) -> MissionDefinition | None:
        return self._look_up(given, list_identified(get_missions(self.ruleset)), "unknown-mission")

    def _find_side(self, given: Text, mission: MissionDefinition | None) -> str:
        known = list_identified(mission.sides) if mission else []
        side = self._look_up(given, known, "unknown-side") if known else None
        return side.id if side else given.value

    def _look_up(self, given: Text, known: Sequence[Candidate[Resolved]], code: str) -> Resolved | None:
        """Return what is meant; None for nothing, and in an exact document for what is not there."""
        if not given:
            return None
        try:
            return resolve_name(given, known, code)
        except UnreadableError:
            if self.references.lenient:
                return None
            raise

    def _find_faction(self, given: Text) -> str:
        """Return the id of a faction if it is one of this data, else whatever the players call it."""
        for catalogue in self.ruleset.data.catalogues:
            if catalogue.kind is CatalogueKind.FACTION and is_called(catalogue, given):
                return catalogue.id
        return given.value

    def _resolve_unit_answers(self, listed: ListedPlan) -> Iterator[Answer]:
        for given, answers in listed.units:
            for unit_id in self.references.resolve_all(given):
                yield from self._resolve_answers(answers, unit_id)

    def _resolve_answers(self, given: Answers, unit_id: str = "") -> Iterator[Answer]:
        known = list_identified(self.planning.questions)
        for asked, options in given:
            question = self._look_up(asked, known, "unknown-question")
            for option in options:
                yield Answer(
                    question=question.id if question else asked.value,
                    option=_find_answer(question, option),
                    unit_id=unit_id,
                )

    def _find_number(self, given: Text) -> str:
        known = [n.id for n in self.planning.numbers if given.value in (n.id, n.name)]
        return known[0] if known else "-".join(simplify_name(clean_text(given.value)).split())


def _check_once(named: Iterable[tuple[Text, str]]) -> None:
    """Refuse a second answer to what is asked once: nobody joins two units, be it under two names."""
    answered: set[str] = set()
    for given, answered_id in named:
        if answered_id in answered:
            raise build_text_error("named-twice", given)
        answered.add(answered_id)


def _find_answer(question: PlanQuestion | None, given: Text) -> str:
    """Return the id of an answer; one that nobody offered stays as it is, for the rules to judge."""
    options = question.options if question else ()
    return next((option.id for option in options if is_called(option, given)), given.value)
