"""From the plan in a list document to a game plan: ids and names looked up in the list and in the game's data."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.missions import Mission
from catalogue.definitions.planning import PlanQuestion
from catalogue.graph.ruleset import Ruleset
from roster.engine.plan import Answer, GamePlan, Join, Ride, get_missions, get_planning
from roster.formats.list_document.candidates import Candidate, meant
from roster.formats.list_document.document import ListedPlan, Text
from roster.formats.list_document.nodes import Unreadable, UnreadableError
from roster.formats.list_document.unit_references import Handles
from roster.formats.list_text import clean_text, folded

Found = TypeVar("Found")
Answers = Iterable[tuple[Text, tuple[Text, ...]]]


def build_plan(ruleset: Ruleset, listed: ListedPlan, handles: Handles) -> GamePlan:
    """The game plan that a document stands for; raises UnreadableError.

    Names of missions, questions and units have to mean something, unless the document is exact: then what they meant
    may be gone, and the engine says so. Answers are judged as they are given.
    """
    return Reading(ruleset, handles).plan(listed)


class Reading:
    """What a plan's words mean by the rules of a game."""

    def __init__(self, ruleset: Ruleset, handles: Handles) -> None:
        self.ruleset = ruleset
        self.handles = handles
        self.planning = get_planning(ruleset)

    def plan(self, listed: ListedPlan) -> GamePlan:
        handles = self.handles
        mission = self.mission(listed.mission)
        _check_once((who, own) for who, _ in listed.joins for own in handles.several(who))
        _check_once((who, own) for who, _ in listed.aboard for own in handles.several(who))
        _check_once((name, self.number(name)) for name, _ in listed.numbers)
        return GamePlan(
            mission=mission.id if mission else listed.mission.value,
            side=self.side(listed.side, mission),
            opponents=tuple(self.faction(given) for given in listed.opponents),
            allies=tuple(self.faction(given) for given in listed.allies),
            joins=tuple(
                Join(character_id=handles.one(who), host_id=handles.one(whom)) for who, whom in listed.joins
            ),
            rides=tuple(
                Ride(passenger_id=own, transport_id=handles.one(inside))
                for who, inside in listed.aboard
                for own in handles.several(who)
            ),
            reserves=tuple(own for given in listed.reserves for own in handles.several(given)),
            commander_id=handles.one(listed.commander) if listed.commander else "",
            objective=listed.objective,
            answers=(*self.answers(listed.choices), *self.unit_answers(listed)),
            numbers={self.number(name): value for name, value in listed.numbers},
            notes=listed.notes,
        )

    def mission(self, given: Text) -> Mission | None:
        known = [Candidate(m, (m.id,), m.name) for m in get_missions(self.ruleset)]
        return self.lookup(given, known, "unknown-mission")

    def side(self, given: Text, mission: Mission | None) -> str:
        known = [Candidate(s.id, (s.id,), s.name) for s in (mission.sides if mission else ())]
        return (self.lookup(given, known, "unknown-side") if known else None) or given.value

    def lookup(self, given: Text, known: Sequence[Candidate[Found]], code: str) -> Found | None:
        """What is meant; None for nothing, and in an exact document for what is not there."""
        if not given:
            return None
        try:
            return meant(given, known, code)
        except UnreadableError:
            if self.handles.lenient:
                return None
            raise

    def faction(self, given: Text) -> str:
        """The id of a faction, if it is one of this data: else whatever the players call it."""
        catalogues = [c for c in self.ruleset.data.catalogues if c.kind is CatalogueKind.FACTION]
        named = (c.id for c in catalogues if given.value == c.id or folded(given.value) == folded(c.name))
        return next(named, given.value)

    def unit_answers(self, listed: ListedPlan) -> Iterator[Answer]:
        for given, answers in listed.units:
            for own in self.handles.several(given):
                yield from self.answers(answers, own)

    def answers(self, given: Answers, unit_id: str = "") -> Iterator[Answer]:
        known = [Candidate(q, (q.id,), q.name) for q in self.planning.questions]
        for asked, options in given:
            question = self.lookup(asked, known, "unknown-question")
            for option in options:
                yield Answer(
                    question=question.id if question else asked.value,
                    option=_option(question, option),
                    unit_id=unit_id,
                )

    def number(self, given: Text) -> str:
        known = [n.id for n in self.planning.numbers if given.value in (n.id, n.name)]
        return known[0] if known else "-".join(folded(clean_text(given.value)).split())


def _check_once(named: Iterable[tuple[Text, str]]) -> None:
    """Refuse a second answer to what is asked once: nobody joins two units, be it under two names."""
    answered: set[str] = set()
    for given, own in named:
        if own in answered:
            raise UnreadableError(Unreadable("named-twice", given.line, given.column, given.value[:100]))
        answered.add(own)


def _option(question: PlanQuestion | None, given: Text) -> str:
    """The id of an answer; one that nobody offered stays as it is, for the rules to judge."""
    options = question.options if question else ()
    plain = folded(given.value)
    return next((o.id for o in options if given.value == o.id or plain == folded(o.name)), given.value)
