"""`plan:` in a pack: what players settle for a game beside the list."""

from catalogue.definitions.planning import PlanPart
from catalogue.formats.packs.forms.base import SILENT
from catalogue.formats.packs.forms.plan import AnswerForm, NumberForm, PartOfPlanForm, PlanForms, QuestionForm
from catalogue.formats.packs.reading.desk import Desk, names
from catalogue.formats.packs.reading.items import Fields, Item
from catalogue.formats.packs.reading.rules import read_text
from catalogue.formats.packs.words import Range, read_range, slug

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


def read_plan(item: Item, desk: Desk, into: PlanForms) -> None:
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


def _part(item: Item, part: PlanPart, desk: Desk) -> PartOfPlanForm:
    """A name alone, or `{name, text, of, to, up to, cite}`."""
    if item.is_text:
        return PartOfPlanForm(id=part, name=item.text(), where=item.where, cite=desk.around, part=part)
    fields = item.fields(f"The part “{part}” of the plan")
    name = fields.need("name", "Add `name:`, what players call it.")
    form = PartOfPlanForm(
        id=part,
        name=name.text() if name else "",
        where=item.where,
        cite=desk.cite(fields),
        part=part,
        text=fields.text("text"),
        of=names(fields.texts("of")),
        to=names(fields.texts("to")),
        most=fields.read("up to", read_range, Range(0, None)).high,
    )
    fields.close()
    return form


def _question(item: Item, desk: Desk) -> QuestionForm:
    fields = item.fields("The question")
    own, name = desk.identity(fields, "question")
    fields.what = f"The question “{name}”"
    offered, unknown = fields.need("answers"), fields.get("unknown answer")
    of, per_unit = names(fields.texts("of")), fields.flag("per unit")
    form = QuestionForm(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields),
        text=fields.text("text"),
        answers=tuple(_answer(each) for each in _each(offered)),
        most=fields.read("up to", read_range, Range(0, 1)).high or 1,
        per_unit=per_unit or bool(of),
        of=of,
        missions=names(fields.texts("missions")),
        unknown=read_text(unknown, desk) if unknown else SILENT,
    )
    fields.close()
    return form


def _each(item: Item | None) -> list[Item]:
    if item is None:
        return []
    return item.texts() if item.is_text else item.each()


def _answer(item: Item) -> AnswerForm:
    """A name alone, or `{answer, id, text}`."""
    if item.is_text:
        return AnswerForm(id=slug(item.text()), name=item.text())
    fields = item.fields("The answer")
    given = fields.need("answer")
    name = given.text() if given else ""
    form = AnswerForm(id=fields.text("id", slug(name)), name=name, text=fields.text("text"))
    fields.close()
    return form


def _number(item: Item, desk: Desk) -> NumberForm:
    fields: Fields = item.fields("The number")
    own, name = desk.identity(fields, "number")
    form = NumberForm(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields),
        unit=fields.text("unit"),
        text=fields.text("text"),
    )
    fields.close()
    return form
