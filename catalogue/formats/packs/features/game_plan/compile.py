"""Compile the parts of a game plan, and the wording for unknown names."""

from collections.abc import Iterator

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.planning import Planning, PlanNumber, PlanOption, PlanPartEntry, PlanQuestion
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import collect_by_name
from catalogue.formats.packs.compile.rules import build_rule_words
from catalogue.formats.packs.features.game_plan.syntax import QuestionSyntax
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT
from catalogue.formats.packs.syntax.scalars import make_id

WHO = ("type", "keyword", "set", "unit")
LOST = {"planned unit": "units", "planned mission": "mission", "planned side": "side"}


def build_planning(context: CompileContext) -> Planning:
    plan, index = context.pack.plan, context.index
    return Planning(
        parts=tuple(
            PlanPartEntry(
                part=syntax.part,
                name=syntax.name,
                text=syntax.text,
                of=tuple(index.find_ids(syntax.of, *WHO)),
                to=tuple(index.find_ids(syntax.to, *WHO)),
                most=syntax.most,
                citation=syntax.cite,
            )
            for syntax in plan.parts
        ),
        questions=tuple(_build_question(syntax, context) for syntax in plan.questions),
        numbers=tuple(
            PlanNumber(id=syntax.id, name=syntax.name, unit=syntax.unit, text=syntax.text, citation=syntax.cite)
            for syntax in plan.numbers
        ),
    )


def build_plan_rule_words(context: CompileContext) -> Iterator[RuleWords]:
    for name, what in LOST.items():
        if name in context.pack.texts:
            yield build_rule_words(RuleCode.UNKNOWN_PLANNED, context.pack.texts[name], what)
    for syntax in context.pack.plan.questions:
        if syntax.unknown is not NO_RULE_TEXT:
            yield build_rule_words(RuleCode.UNKNOWN_PLANNED, syntax.unknown, syntax.id)


def _build_question(question: QuestionSyntax, context: CompileContext) -> PlanQuestion:
    ids = collect_by_name(context.pack.missions)
    missions = []
    for name in question.missions:
        if make_id(name.text) in ids:
            missions.append(ids[make_id(name.text)])
        else:
            message = f"The pack has no mission “{name.text}”."
            context.problems.add_unknown(name.where, name.text, ids, message, "Add it under `missions:`.")
    return PlanQuestion(
        id=question.id,
        name=question.name,
        text=question.text,
        options=tuple(PlanOption(id=a.id, name=a.name, text=a.text) for a in question.answers),
        most=question.most,
        per_unit=question.per_unit,
        of=tuple(context.index.find_ids(question.of, *WHO)),
        missions=tuple(missions),
        citation=question.cite,
    )
