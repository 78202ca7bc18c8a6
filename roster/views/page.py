"""From the builder's model to the parts of its page."""

from collections.abc import Iterator, Mapping

from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import format_number
from roster.engine.report import EffectiveProfile, EffectiveRule, EffectiveSelection, PlaceKind, Violation
from roster.services.board import Board, DetachmentRow, UnitRow
from roster.services.changes import LIMIT
from roster.views.parts import Card, DetachmentParts, Head, Kinds, Limit, Page, Part, Row, Settings, key_of
from roster.views.said import Need, Sayer, Verdict, dom_id, is_lack

_FOLDER = "roster/builder/"


def page_of(board: Board, sayer: Sayer, verdict: Verdict, typed: Mapping[str, str] | None = None) -> Page:
    """All parts of the page for a board; `typed` is a form about the list that was refused."""
    points = board.points
    detachments = [_detachment(board, sayer, detachment) for detachment in board.detachments]
    offers = [
        _part(
            "g-" + (dom_id("c", offered.id) if offered.id else "none"),
            "picks.html#offered",
            offered,
            board.into,
        )
        for offered in board.offered
    ]
    names = [(detachment.id, detachment.name) for detachment in board.detachments]
    return Page(
        titles=_part(
            "titles",
            "top.html#titles",
            None,
            board.roster.name,
            points and points.limit,
            board.judged.overlay_name,
        ),
        notices=_part("notices", "notices.html#notices", None, *_notices(board)),
        ways=_part("ways", "ways.html#ways", None, board.roster.version_id, board.knows_decks),
        undo=_part("undo", "top.html#undo", None, board.can_undo, board.can_redo),
        shelf=_part("shelf", "picks.html#shelf", None, board.into, names, [o.name for o in board.offered]),
        picks=_part(
            "offers", "picks.html#offers", None, board.into, [offered.id for offered in board.offered]
        ),
        offers=offers,
        settings=_part(
            "settingsbody",
            "settings.html#settingsbody",
            _settings(
                board, typed if typed and typed.get("do") == "describe" and not typed.get("node") else {}
            ),
        ),
        order=_part("detachments", "detachments.html#detachments", None, [part.id for part in detachments]),
        detachments=detachments,
        kinds=_part("kinds", "kinds.html#kinds", _kinds(board)),
        verdict=_part("verdict", "verdict.html#verdict", verdict, points, board.verdict),
        dock=_part("dock", "dock.html#dock", None, verdict.word, verdict.short, points),
    )


def _part(part_id: str, template: str, shows: object, *also: object) -> Part:
    return Part(id=part_id, template=_FOLDER + template, shows=shows, key=key_of(shows, *also))


def _notices(board: Board) -> tuple[object, ...]:
    roster = board.roster
    return roster.taken_down, roster.aside, roster.version.game.current_id != roster.version_id


def _settings(board: Board, typed: Mapping[str, str]) -> Settings:
    tree = board.judged.tree
    return Settings(
        name=typed.get("name", board.roster.name),
        player=typed.get("player", tree.player),
        event=typed.get("event", tree.event),
        notes=typed.get("notes", tree.notes),
        rules=typed.get("rules", tree.overlay),
        limits=tuple(
            Limit(
                field=LIMIT + cost.type_id,
                name=cost.name,
                value=typed.get(
                    LIMIT + cost.type_id, "" if cost.limit is None else format_number(cost.limit)
                ),
            )
            for cost in board.totals
            if cost.limit is not None or cost == board.points
        ),
        typed=bool(typed),
    )


def _kinds(board: Board) -> Kinds:
    """What may be added; where there is room for the one detachment only, what it may be changed into."""
    top = [detachment for detachment in board.detachments if not detachment.depth]
    full = bool(board.forces) and all(force.blocked for force in board.forces)
    if len(top) != 1 or not full:
        return Kinds(forces=board.forces)
    others = tuple(force for force in board.forces if force.entry_id != top[0].entry_id)
    return Kinds(forces=others, instead=top[0])


def _detachment(board: Board, sayer: Sayer, detachment: DetachmentRow) -> Part:
    part_id = dom_id("d", detachment.id)
    head = Head(detachment=detachment, needs=_force_needs(sayer, detachment))
    shows = DetachmentParts(
        node=detachment.id,
        depth=detachment.depth,
        rows=dom_id("r", detachment.id),
        head=Part(
            id=dom_id("h", detachment.id),
            template=_FOLDER + "detachments.html#head",
            shows=head,
            key=_head_key(detachment, head),
        ),
        units=_rows(board, sayer, detachment),
    )
    return Part(id=part_id, template=_FOLDER + "detachments.html#detachment", shows=shows)


def _head_key(detachment: DetachmentRow, head: Head) -> str:
    d = detachment
    return key_of(d.name, d.entry_id, d.points, d.slots, d.notes, d.inside, head.needs)


def _force_needs(sayer: Sayer, detachment: DetachmentRow) -> tuple[Need, ...]:
    lacking = (v for v in detachment.violations if is_lack(v) and v.on.kind is not PlaceKind.SELECTION)
    return tuple(dict.fromkeys(sayer.need(v) for v in lacking))


def _rows(board: Board, sayer: Sayer, detachment: DetachmentRow) -> list[Part]:
    """The units type by type, within a type in the order that their owner gave them."""
    types = list(dict.fromkeys(unit.type for unit in detachment.units))
    units = sorted(detachment.units, key=lambda unit: (types.index(unit.type), unit.position))
    beside = dict(enumerate(units))
    return [
        _row(
            board, sayer, detachment, unit, _place(unit, beside.get(at - 1)), _place(unit, beside.get(at + 1))
        )
        for at, unit in enumerate(units)
    ]


def _place(unit: UnitRow, neighbour: UnitRow | None) -> int | None:
    """Where a unit goes to change places with its neighbour; None where that one is of another type."""
    return neighbour.position if neighbour is not None and neighbour.type == unit.type else None


def _row(
    board: Board, sayer: Sayer, detachment: DetachmentRow, unit: UnitRow, up: int | None, down: int | None
) -> Part:
    lacking = [v for v in unit.violations if _lacks(v)]
    opened = board.opened if board.opened and board.opened.node_id == unit.id else None
    row = Row(
        unit=unit,
        wrong=tuple(sayer.said(v) for v in unit.violations if _marks(v, detachment)),
        needs=tuple(dict.fromkeys(sayer.need(v) for v in lacking)),
        opened=opened,
        card=_card(board, unit.id) if opened else None,
        up=up,
        down=down,
    )
    return _part(dom_id("u", unit.id), "row.html", row)


def _marks(violation: Violation, detachment: DetachmentRow) -> bool:
    """Whether a breach is written on the units it is about: not where it is about every unit there is."""
    if violation.severity is not Severity.ERROR or _lacks(violation):
        return False
    culprits = {place.id for place in violation.cause if place.kind is PlaceKind.SELECTION}
    everybody = len(detachment.units) > 1 and culprits >= {unit.id for unit in detachment.units}
    return violation.on.kind is PlaceKind.SELECTION or not everybody


def _lacks(violation: Violation) -> bool:
    return is_lack(violation) and violation.on.kind is PlaceKind.SELECTION


def _card(board: Board, unit_id: str) -> Card | None:
    """Everything that stands on a unit and on what is inside it."""
    forces = list(board.judged.report.forces)
    while forces:
        force = forces.pop()
        forces.extend(force.forces)
        for selection in force.selections:
            if selection.id == unit_id:
                everything = list(_all(selection))
                return Card(profiles=_profiles(everything), rules=_rules(everything))
    return None


def _all(selection: EffectiveSelection) -> Iterator[EffectiveSelection]:
    yield selection
    for child in selection.selections:
        yield from _all(child)


def _profiles(selections: list[EffectiveSelection]) -> tuple[EffectiveProfile, ...]:
    every = (profile for selection in selections for profile in selection.profiles)
    telling = (p for p in every if any(figure.value for figure in p.characteristics))
    found = {(p.type_id, p.name, p.characteristics): p for p in telling}
    types = list(dict.fromkeys(profile.type_id for profile in found.values()))
    return tuple(sorted(found.values(), key=lambda profile: types.index(profile.type_id)))


def _rules(selections: list[EffectiveSelection]) -> tuple[EffectiveRule, ...]:
    found = {(rule.name, rule.parameter): rule for selection in selections for rule in selection.rules}
    return tuple(found.values())
