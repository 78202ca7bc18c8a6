"""Objectives and their groups, stratagems, battle sizes, tokens and the quick reference."""

from catalogue.definitions.missions import (
    BattleSize,
    NamedFigure,
    Objective,
    ObjectiveGroup,
    ReferencePart,
    Scoring,
    Stratagem,
    Token,
)
from catalogue.documents.node import DocumentNode
from catalogue.documents.problems import MalformedValueError
from catalogue.formats.packs.parse.context import ParseContext
from catalogue.formats.packs.parse.missions import read_count, read_markers, refer
from catalogue.formats.packs.syntax.play import PlayKind

ACTS = ("keep", "swap category", "shift", "set to one")
LIMITS = ("battle", "round")


def read_group(item: DocumentNode, desk: ParseContext) -> ObjectiveGroup:
    """A class or category of objectives; those listed in it belong to it."""
    fields = item.fields("The objective group")
    own, name = desk.identity(fields, "group")
    desk.forms.play.places[PlayKind.GROUP, own] = item.where
    made = ObjectiveGroup(
        id=own,
        name=name,
        tagline=fields.text("tagline"),
        text=fields.text("text"),
        icon=fields.text("icon"),
        citation=desk.cite(fields, required=True),
    )
    inside = desk.inside(made.citation)
    desk.forms.play.objectives += [read_objective(each, inside, own) for each in fields.each("objectives")]
    fields.close()
    return made


def read_objective(item: DocumentNode, desk: ParseContext, group: str = "") -> Objective:
    """An objective: how it scores, its markers, its zone, what it brings along."""
    fields = item.fields("The objective")
    own, name = desk.identity(fields, "objective")
    fields.what = f"The objective “{name}”"
    markers, roll = fields.get("markers"), fields.get("roll")
    desk.forms.play.places[PlayKind.OBJECTIVE, own] = (roll or item).where
    made = Objective(
        id=own,
        name=name,
        group=group,
        roll=roll.read(read_count, 0) if roll else None,
        tagline=fields.text("tagline"),
        scores=tuple(_scoring(each, desk) for each in fields.each("scores")),
        markers=read_markers(markers, desk) if markers else None,
        zone=fields.text("zone"),
        setup=fields.text("setup"),
        special=fields.text("special"),
        replace=fields.text("replace if"),
        note=fields.text("note"),
        icon=fields.text("icon"),
        citation=desk.cite(fields, required=True),
    )
    if not made.scores:
        item.wrong("missing-key", f"{fields.what} does not say how it scores.", "Add `scores:`.")
    fields.close()
    return made


def _scoring(item: DocumentNode, desk: ParseContext) -> Scoring:
    """`{when, text, points, doubled}`; in place of one text, one for each battle size."""
    fields = item.fields("The way to score")
    text = fields.get("text")
    by_size = {}
    if text is not None and text.is_map:
        by_size = {refer(desk, PlayKind.SIZE, key): value.text() for key, value in text.pairs()}
    points = fields.need("points")
    made = Scoring(
        text="" if by_size or text is None else text.text(),
        when=fields.text("when"),
        points=points.text() if points else "",
        doubled=fields.text("doubled"),
        by_size=by_size,
    )
    fields.close()
    return made


def read_stratagem(item: DocumentNode, desk: ParseContext) -> Stratagem:
    """A stratagem: what it costs, when and how often, what it does."""
    fields = item.fields("The stratagem")
    own, name = desk.identity(fields, "stratagem")
    made = Stratagem(
        id=own,
        name=name,
        cost=fields.read("cost", read_count, 0),
        kind=fields.text("kind"),
        when=fields.text("when"),
        limit=fields.read("once per", lambda text: _word(text, LIMITS), ""),
        text=fields.text("text"),
        act=fields.read("act", lambda text: _word(text, ACTS), ""),
        citation=desk.cite(fields, required=True),
    )
    fields.close()
    return made


def read_size(item: DocumentNode, desk: ParseContext) -> BattleSize:
    """A battle size: `points`, `table: 44 x 60`, and figures with names of their own under `figures:`."""
    fields = item.fields("The battle size")
    own, name = desk.identity(fields, "size")
    points = fields.get("points")
    table = fields.read("table", read_table, None)
    made = BattleSize(
        id=own,
        name=name,
        points=points.read(read_count, 0) if points else None,
        width=table[0] if table else None,
        depth=table[1] if table else None,
        facts=facts(fields.get("figures")),
        citation=desk.cite(fields, required=True),
    )
    fields.close()
    return made


def read_token(item: DocumentNode, desk: ParseContext) -> Token:
    """A token: how many, how wide in millimetres, what stands on the faces of those that differ."""
    fields = item.fields("The token")
    own, name = desk.identity(fields, "token")
    made = Token(
        id=own,
        name=name,
        text=fields.text("text"),
        diameter=fields.read("diameter", read_count, 25),
        count=fields.read("count", read_count, 1),
        faces=tuple(each.text() for each in fields.texts("faces")),
        per_player=fields.flag("per player"),
        icon=fields.text("icon"),
        citation=desk.cite(fields, required=True),
    )
    fields.close()
    return made


def read_reference(item: DocumentNode, desk: ParseContext) -> ReferencePart:
    """A part of the quick reference: `says:` sentences, `rows:` names with what they are."""
    fields = item.fields("The part of the reference")
    own, name = desk.identity(fields, "part")
    made = ReferencePart(
        id=own,
        name=name,
        texts=tuple(each.text() for each in fields.each("says")),
        rows=facts(fields.get("rows")),
        citation=desk.cite(fields, required=True),
    )
    fields.close()
    return made


def facts(item: DocumentNode | None) -> tuple[NamedFigure, ...]:
    """`name: value` lines."""
    return tuple(
        NamedFigure(name=key.text(), value=value.text()) for key, value in (item.pairs() if item else ())
    )


def read_table(text: str) -> tuple[int, int]:
    """`44 x 60`: width and depth in inches."""
    width, _, depth = text.lower().replace("×", "x").partition("x")
    return read_count(width.strip()), read_count(depth.strip())


def _word(text: str, words: tuple[str, ...]) -> str:
    if text in words:
        return text.replace(" ", "-")
    raise MalformedValueError(f"“{text}” is none of the words meant here.", f"Write {' or '.join(words)}.")
