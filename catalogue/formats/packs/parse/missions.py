"""Missions: what they ask of both players or of a side, their special rules, and the packs they are rolled in."""

from collections.abc import Iterator
from typing import Any

from catalogue.definitions.missions import (
    Aim,
    Draw,
    LabelledText,
    Markers,
    Mission,
    MissionPack,
    MissionSide,
    ScoreRow,
    ScoreSheet,
    Special,
)
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError
from catalogue.formats.packs.parse.context import ParseContext, named
from catalogue.formats.packs.syntax.play import PlayKind
from catalogue.formats.packs.syntax.scalars import make_id, read_parameter

EXTRA = ("more markers", "fewer points")
NAMED = ("double", "barred")
MOST_PLAYERS = 8
MOST_SIDES = 100


def read_mission(item: DocumentNode, desk: ParseContext) -> Mission:
    """A mission: name, pack, the die's results, what it asks, its sides, how objectives are drawn in it."""
    fields = item.fields("The mission")
    own, name = desk.identity(fields, "mission")
    fields.what = f"The mission “{name}”"
    results: tuple[int | None, int | None] = (None, None)
    low, high = fields.read("roll", read_roll, results)
    desk.forms.play.places[PlayKind.MISSION, own] = item.where
    draw = fields.get("draw")
    pack = fields.get("pack")
    if pack is not None:
        desk.forms.play.packed.append(named(pack))
    made = Mission(
        id=own,
        name=name,
        pack=pack.text() if pack else "",
        scoring=fields.text("scoring"),
        low=low,
        high=high,
        story=fields.text("story"),
        note=fields.text("note"),
        icon=fields.text("icon"),
        sides=_sides(fields, desk),
        draw=_draw(draw, desk) if draw is not None else None,
        players=fields.read("players", read_players, 2),
        score=_score_sheet(fields.get("score")),
        citation=desk.cite(fields, required=True),
        **_brief(fields, desk),
    )
    fields.close()
    return made


def read_special(item: DocumentNode, desk: ParseContext) -> Special:
    """A special rule of missions: its name, and what it does in our own words."""
    fields = item.fields("The special rule")
    own, name = desk.identity(fields, "special")
    made = Special(id=own, name=name, text=fields.text("text"), citation=desk.cite(fields, required=True))
    fields.close()
    return made


def read_mission_pack(item: DocumentNode, desk: ParseContext) -> MissionPack:
    """Missions that are rolled for together."""
    fields = item.fields("The mission pack")
    own, name = desk.identity(fields, "pack")
    desk.forms.play.places[PlayKind.PACK, own] = item.where
    made = MissionPack(
        id=own,
        name=name,
        die=fields.read("die", read_die, 6),
        text=fields.text("text"),
        score=_score_sheet(fields.get("score")),
        citation=desk.cite(fields, required=True),
    )
    fields.close()
    return made


def read_markers(item: DocumentNode, desk: ParseContext) -> Markers:
    """`{token, count, per player, text}`, or the name of the token alone, perhaps `refinery x4`."""
    if item.is_text:
        name, _, count = item.text().partition(" x")
        token = refer(desk, PlayKind.TOKEN, item.replaced(name))
        return Markers(token_id=token, count=item.replaced(count).read(read_count, 1) if count else 1)
    fields = item.fields("The markers")
    token_item = fields.need("token")
    made = Markers(
        token_id=refer(desk, PlayKind.TOKEN, token_item) if token_item else "",
        count=fields.read("count", read_count, 1),
        per_player=fields.flag("per player"),
        text=fields.text("text"),
    )
    fields.close()
    return made


def refer(desk: ParseContext, kind: PlayKind, item: DocumentNode) -> str:
    """The id that a name refers to, which is looked up once everything is read."""
    name = named(item)
    desk.forms.play.wanted.append((kind, name))
    return make_id(name.text)


def read_count(text: str) -> int:
    """A whole number."""
    if text.isascii() and text.isdigit() and len(text) < 6:
        return int(text)
    raise MalformedValueError(f"“{text}” is not a whole number.", "Write a number, as 4.", "bad-number")


def read_players(text: str) -> int:
    """How many play a mission."""
    number = read_count(text)
    if 1 <= number <= MOST_PLAYERS:
        return number
    raise MalformedValueError(f"{text} players cannot play.", f"Write 1 to {MOST_PLAYERS}.", "bad-number")


def read_die(text: str) -> int:
    """`D6`: how many sides it has."""
    if text[:1] in ("D", "d") and 1 <= (sides := read_count(text[1:])) <= MOST_SIDES:
        return sides
    raise MalformedValueError(f"“{text}” is not a die.", "Write D6 or D3.", "bad-number")


def read_roll(text: str) -> tuple[int | None, int | None]:
    """`3` or `3-4`."""
    low, _, high = text.partition("-")
    return read_count(low.strip()), read_count((high or low).strip())


def said(item: DocumentNode | None) -> tuple[LabelledText, ...]:
    """`label: text` lines; with points in brackets behind the label."""
    found = []
    for key, value in item.pairs() if item else ():
        label, points = read_parameter(key.text())
        found.append(LabelledText(label=label, text=value.text(), points=points))
    return tuple(found)


def _brief(fields: MappingReader, desk: ParseContext) -> dict[str, Any]:
    return {
        "tagline": fields.text("tagline"),
        "specials": tuple(refer(desk, PlayKind.SPECIAL, name) for name in fields.texts("specials")),
        "aims": _aims(fields.get("objectives"), desk),
        "markers": tuple(read_markers(each, desk) for each in fields.each("markers")),
        "maps": tuple(refer(desk, PlayKind.MAP, name) for name in fields.texts("deployment")),
        "total": fields.read("total", read_count, None),
        "turns": fields.read("turns", read_count, None),
        "said": said(fields.get("says")),
    }


def _aims(item: DocumentNode | None, desk: ParseContext) -> tuple[Aim, ...]:
    """`Primary: King of the Hill (5)`, or `Primary: {objective, points, zone}`."""
    found = []
    for key, value in item.pairs() if item else ():
        zone, place = "", value
        if value.is_map:
            fields = value.fields("The objective of the mission")
            zone, place = fields.text("zone"), fields.need("objective") or value
            fields.close()
        if place.is_text:
            name, points = read_parameter(place.text())
            own = refer(desk, PlayKind.OBJECTIVE, place.replaced(name))
            found.append(Aim(objective_id=own, label=key.text(), points=points, zone=zone))
    return tuple(found)


def _sides(fields: MappingReader, desk: ParseContext) -> tuple[MissionSide, ...]:
    """The sides of a mission that differ: a list of names, or each with its special rules or all that it asks."""
    item = fields.get("sides")
    if item is None or not item.is_map:
        only = item.texts() if item else []
        return tuple(MissionSide(id=make_id(name.text()), name=name.text()) for name in only)
    return tuple(_side(key.text(), value, desk) for key, value in item.pairs())


def _side(name: str, item: DocumentNode, desk: ParseContext) -> MissionSide:
    if not item.is_map:
        specials = tuple(refer(desk, PlayKind.SPECIAL, each) for each in item.texts())
        return MissionSide(id=make_id(name), name=name, specials=specials)
    fields = item.fields(f"The side “{name}”")
    made = MissionSide(id=make_id(name), name=name, icon=fields.text("icon"), **_brief(fields, desk))
    fields.close()
    return made


def _draw(item: DocumentNode, desk: ParseContext) -> Draw:
    fields = item.fields("`draw` of the mission")
    made = Draw(
        number=fields.read("number", read_count, 0),
        die=fields.read("die", read_die, 0),
        choose=fields.read("choose", read_count, 0),
        letters=tuple(each.text() for each in fields.texts("letters")),
        table=tuple(refer(desk, PlayKind.GROUP, each) for each in fields.texts("table")),
        each=fields.flag("one from each"),
        extra=fields.read("one more for", _one_of(EXTRA), ""),
        named=fields.read("opponent names", _one_of(NAMED), ""),
        secret=fields.read("secret category", read_count, 0),
        free=tuple(refer(desk, PlayKind.STRATAGEM, each) for each in fields.texts("free")),
    )
    fields.close()
    return made


def _score_sheet(item: DocumentNode | None) -> ScoreSheet | None:
    """`{turns, turn, columns, at most, rows, boxes}`; rows are `name: text`, boxes `name: number`."""
    if item is None:
        return None
    fields = item.fields("`score`")
    rows, boxes = fields.get("rows"), fields.get("boxes")
    made = ScoreSheet(
        turns=fields.read("turns", read_count, None),
        turn=fields.text("turn"),
        columns=tuple(each.text() for each in fields.texts("columns")),
        most=fields.read("at most", read_count, None),
        rows=(
            *(ScoreRow(name=key.text(), boxes=value.read(read_count, 0)) for key, value in _lines(boxes)),
            *(ScoreRow(name=key.text(), text=value.text()) for key, value in _lines(rows)),
        ),
    )
    fields.close()
    return made


def _lines(item: DocumentNode | None) -> Iterator[tuple[DocumentNode, DocumentNode]]:
    yield from item.pairs() if item else ()


def _one_of(words: tuple[str, ...]) -> Any:
    def read(text: str) -> str:
        if text in words:
            return make_id(text)
        raise MalformedValueError(
            f"“{text}” is none of the words meant here.", f"Write {' or '.join(words)}."
        )

    return read
