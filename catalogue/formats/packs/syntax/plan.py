"""What a pack lets a game plan settle."""

from dataclasses import dataclass, field

from catalogue.definitions.planning import PlanPart
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, NamedSyntax, Reference, RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPartSyntax(NamedSyntax):
    """One of the parts that games have in common: what it is called here, whom it is about, how many there may be."""

    part: PlanPart
    text: str = ""
    of: tuple[Reference, ...] = ()
    to: tuple[Reference, ...] = ()
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSyntax:
    """One of the answers to a question."""

    id: str
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSyntax(NamedSyntax):
    """A question of the game's own; `unknown` is the rule broken by an answer that it does not offer."""

    text: str = ""
    answers: tuple[AnswerSyntax, ...] = ()
    most: int = 1
    per_unit: bool = False
    of: tuple[Reference, ...] = ()
    missions: tuple[Reference, ...] = ()
    unknown: RuleText = NO_RULE_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanNumberSyntax(NamedSyntax):
    """A number that is settled for a game, in `unit`."""

    unit: str = ""
    text: str = ""


@dataclass(slots=True)
class PlanSyntax:
    """Everything that a pack lets a plan settle."""

    parts: list[PlanPartSyntax] = field(default_factory=list)
    questions: list[QuestionSyntax] = field(default_factory=list)
    numbers: list[PlanNumberSyntax] = field(default_factory=list)
