"""`plan:` in a pack: what players settle for a game beside the list."""

from catalogue.definitions.planning import PlanPart
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.formats.packs.parse.context import ParseContext, names
from catalogue.formats.packs.parse.rules import read_text
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT
from catalogue.formats.packs.syntax.plan import (
    AnswerSyntax,
    PlanNumberSyntax,
    PlanPartSyntax,
    PlanSyntax,
    QuestionSyntax,
)
from catalogue.formats.packs.syntax.scalars import CountRange, make_id, read_range

PARTS = {
    "mission": PlanPart.MISSION,
    "opponents": PlanPart.OPPONENTS,
    "allies": PlanPart.ALLIES,
    "commander": PlanPart.COMMANDER,
    "objective": PlanPart.OBJECTIVE,
    "joins": PlanPart.JOINS,
    "reserves": PlanPart.RESERVES,
    "aboard": PlanPart.RIDES,
}
"""The parts that games have in common, by the words that packs and list documents have for them."""


def read_plan(item: DocumentNode, desk: ParseContext, into: PlanSyntax) -> None:
    """The common parts by their names, `questions:` and `numbers:`."""
    fields = item.fields("The plan")
    desk = desk.inside(desk.cite(fields))
    for word, part in PARTS.items():
        given = fields.get(word)
        if given is not None:
            into.parts.append(_part(given, part, desk))
    into.questions += [_question(each, desk) for each in fields.each("questions")]
    into.numbers += [_number(each, desk) for each in fields.each("numbers")]
    fields.close()


def _part(item: DocumentNode, part: PlanPart, desk: ParseContext) -> PlanPartSyntax:
    """A name alone, or `{name, text, of, to, up to, cite}`."""
    if item.is_text:
        return PlanPartSyntax(id=part, name=item.text(), where=item.where, cite=desk.around, part=part)
    fields = item.fields(f"The part “{part}” of the plan")
    name = fields.need("name", "Add `name:`, what players call it.")
    form = PlanPartSyntax(
        id=part,
        name=name.text() if name else "",
        where=item.where,
        cite=desk.cite(fields),
        part=part,
        text=fields.text("text"),
        of=names(fields.texts("of")),
        to=names(fields.texts("to")),
        most=fields.read("up to", read_range, CountRange(0, None)).high,
    )
    fields.close()
    return form


def _question(item: DocumentNode, desk: ParseContext) -> QuestionSyntax:
    fields = item.fields("The question")
    own, name = desk.identity(fields, "question")
    fields.what = f"The question “{name}”"
    offered, unknown = fields.need("answers"), fields.get("unknown answer")
    of, per_unit = names(fields.texts("of")), fields.flag("per unit")
    form = QuestionSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields),
        text=fields.text("text"),
        answers=tuple(_answer(each) for each in _each(offered)),
        most=fields.read("up to", read_range, CountRange(0, 1)).high or 1,
        per_unit=per_unit or bool(of),
        of=of,
        missions=names(fields.texts("missions")),
        unknown=read_text(unknown, desk) if unknown else NO_RULE_TEXT,
    )
    fields.close()
    return form


def _each(item: DocumentNode | None) -> list[DocumentNode]:
    if item is None:
        return []
    return item.texts() if item.is_text else item.each()


def _answer(item: DocumentNode) -> AnswerSyntax:
    """A name alone, or `{answer, id, text}`."""
    if item.is_text:
        return AnswerSyntax(id=make_id(item.text()), name=item.text())
    fields = item.fields("The answer")
    given = fields.need("answer")
    name = given.text() if given else ""
    form = AnswerSyntax(id=fields.text("id", make_id(name)), name=name, text=fields.text("text"))
    fields.close()
    return form


def _number(item: DocumentNode, desk: ParseContext) -> PlanNumberSyntax:
    fields: MappingReader = item.fields("The number")
    own, name = desk.identity(fields, "number")
    form = PlanNumberSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields),
        unit=fields.text("unit"),
        text=fields.text("text"),
    )
    fields.close()
    return form
