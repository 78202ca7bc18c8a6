"""What a pack lets a game plan settle."""

from dataclasses import dataclass, field

from catalogue.definitions.planning import PlanPart
from catalogue.formats.packs.forms.base import SILENT, Form, Named, RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOfPlanForm(Form):
    """One of the parts that games have in common: what it is called here, whom it is about, how many there may be."""

    part: PlanPart
    text: str = ""
    of: tuple[Named, ...] = ()
    to: tuple[Named, ...] = ()
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerForm:
    """One of the answers to a question."""

    id: str
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionForm(Form):
    """A question of the game's own; `unknown` is the rule broken by an answer that it does not offer."""

    text: str = ""
    answers: tuple[AnswerForm, ...] = ()
    most: int = 1
    per_unit: bool = False
    of: tuple[Named, ...] = ()
    missions: tuple[Named, ...] = ()
    unknown: RuleText = SILENT


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberForm(Form):
    """A number that is settled for a game, in `unit`."""

    unit: str = ""
    text: str = ""


@dataclass(slots=True)
class PlanForms:
    """Everything that a pack lets a plan settle."""

    parts: list[PartOfPlanForm] = field(default_factory=list)
    questions: list[QuestionForm] = field(default_factory=list)
    numbers: list[NumberForm] = field(default_factory=list)
