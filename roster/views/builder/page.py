"""The builder's page as fragments.

Each part has an id on the page, what it shows, and a key that is another one as soon as it shows something else. The
browser tells which parts it has and by which key; an answer to an edit holds the parts that differ, wherever in the
list a change had its effect, and nothing else.
"""

import sys
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import format_number
from catalogue.definitions.rule_codes import RuleCode
from roster import wording
from roster.engine.report import PlaceKind, Violation
from roster.engine.tree import copy_with
from roster.services.board import (
    Board,
    ChoiceGroup,
    DetachmentRow,
    ForceOffer,
    OfferCategory,
    OpenedUnit,
    OptionChoice,
    UnitOffer,
    UnitRow,
)
from roster.services.board.shapes import RowKind, Shape, SlotCounter
from roster.services.changes import LIMIT
from roster.services.faces import FactionFaces, UnitFace
from roster.templatetags.builder import make_dom_token
from roster.views.datasheet import SideSheet, build_selection_datasheet
from roster.views.verdict_presenter import (
    MissingItem,
    VerdictPresenter,
    VerdictRibbon,
    ViolationItem,
    is_missing,
    make_dom_id,
)

_FOLDER = "roster/builder/"
_ROW = _FOLDER + "row.html"

OptionItem = OptionChoice | ChoiceGroup


class Fragment(msgspec.Struct, kw_only=True, gc=False):
    """A piece of the page. `oob`: in an answer to an edit it takes the place of the piece that has its id."""

    id: str
    template: str
    shows: Any = None
    key: str = ""
    oob: bool = False

    __getitem__ = Shape.__getitem__

    @property
    def attributes(self) -> SafeString:
        """What its element says of it, as HTML: which piece it is, what it shows, whether it takes the place of one."""
        key = f' data-key="{self.key}"' if self.key else ""
        place = ' hx-swap-oob="outerMorph"' if self.oob else ""
        return SafeString(f'id="{escape(self.id)}"{key}{place}')


class DetachmentHead(Shape):
    """A detachment's name, figures and slots for units; `first` is what to begin with while it is empty.

    `menu_key` is the key of its menu, which hardly ever shows something else.
    """

    detachment: DetachmentRow
    menu_key: str
    slots: tuple[SlotCounter, ...] = ()
    first: str = ""

    @property
    def takes_units(self) -> bool:
        """Whether it is for units, and not only for other detachments inside it."""
        return bool(self.slots) or not self.detachment.inside


class DetachmentChoices(Shape):
    """The kinds of detachment to choose from: to add one, or to change the detachment `instead` into it."""

    forces: tuple[ForceOffer, ...]
    instead: DetachmentRow | None = None


class LimitField(Shape):
    """A field of the form for what is spent at most."""

    field: str
    name: str
    value: str


class ListSettings(Shape):
    """The form about the list itself. `typed`: its words were refused, and are kept to be mended."""

    name: str
    player: str
    event: str
    notes: str
    rules: str
    limits: tuple[LimitField, ...]
    typed: bool = False


class RowMarks(Shape):
    """What is marked on a unit: `wrong` are the violations it is to blame for, `needs` what it still lacks."""

    wrong: tuple[ViolationItem, ...]
    needs: tuple[MissingItem, ...]


class RowMoves(Shape):
    """Where a unit goes when it is moved up or down: its place among its siblings; None where there is no way."""

    unit_id: str
    up: int | None
    down: int | None


class RowLine(Shape):
    """A unit as its row shows it, closed or opened.

    `marks` and `moves` are fragments of their own: a change of one unit may mend or break a rule about many others, of
    which nothing else changes, and its neighbours may go where they could not. `type_emblem` is that of its type where
    it is the first, blank else: the name of the type is above it.
    """

    unit: UnitRow
    face: UnitFace
    type_emblem: str
    marks: Fragment
    moves: Fragment
    is_open: bool
    note: SideSheet | None

    @property
    def badge(self) -> int | None:
        """How many models it has, or how many there are of it, where it is more than one."""
        number = self.unit.models or self.unit.selection.number
        return number if number > 1 else None

    @property
    def state(self) -> str:
        """Return the classes of the row, each with a blank before it."""
        kind = {"unit": "", "setting": " setting", "note": " readme"}[self.unit.kind]
        return kind + (" open" if self.is_open else "")

    def compute_key(self) -> str:
        """Return the key of what the row shows beside its marks and moves."""
        unit = copy_with(self.unit, violations=(), position=0)
        return compute_key(unit, self.face, self.type_emblem, self.is_open)


class OpenedFragments(Shape):
    """What an opened unit shows, in pieces of which an answer holds those that changed."""

    unit: OpenedUnit
    head: Fragment
    card: Fragment
    items: list[Fragment]


class UnitFragments(Shape):
    """A row: its line and, where it is opened, the pieces of that."""

    row: RowLine
    opened: OpenedFragments | None = None

    @property
    def unit(self) -> UnitRow:
        return self.row.unit


class LaterRows(Shape):
    """What stands for `number` rows that come once they are scrolled to: then the page has `rows` of the whole list.

    `first` is the id that the first of them will have.
    """

    first: str
    number: int
    rows: int
    opened: None = None


class DetachmentFragments(Shape):
    """A detachment: `units` are its rows, the last of which may stand for those that come later."""

    node: str
    depth: int
    rows: str
    head: Fragment
    units: list[Fragment]
    inside: Fragment


class OfferedFragments(Shape):
    """What is on offer of one category; `units` are its lines."""

    category: OfferCategory
    head: Fragment
    units: list[Fragment]


class OfferedBlock(Shape):
    """What one more of a unit would break, when so many are taken; None where nothing is in its way."""

    blocked: Violation | None
    taken: int
    needs: str = ""

    @property
    def words(self) -> str:
        return wording.shorten_block(self.blocked, self.taken, self.needs) if self.blocked else ""

    @property
    def is_bar(self) -> bool:
        """Whether one more would break a rule that further picks cannot mend."""
        return self.blocked is not None and not self.blocked.mendable

    @property
    def is_dead_end(self) -> bool:
        """Whether one more would leave no way to a legal list."""
        return self.blocked is not None and self.blocked.code == RuleCode.NO_COMPLETION


class OfferLine(Shape):
    """A line of what is on offer; `id` is a short name of the unit for ids on the page.

    `why` says why it cannot be taken, or what it would ask for. It is a fragment of its own, as with each point that is
    spent it changes on many lines, of which nothing else does.
    """

    unit: UnitOffer
    id: str
    face: UnitFace
    why: Fragment


class BuilderPage(Shape):
    """All parts. `order` stands for the order of the detachments, `picks` for what is on offer and in which order."""

    titles: Fragment
    notices: Fragment
    strip: Fragment
    undo: Fragment
    shelf: Fragment
    picks: Fragment
    offers: list[Fragment]
    settings: Fragment
    order: Fragment
    detachments: list[Fragment]
    kinds: Fragment
    verdict: Fragment
    dock: Fragment

    @property
    def units(self) -> Iterator[tuple[str, list[Fragment]]]:
        """The id of each list of rows with its rows."""
        for part in self.detachments:
            yield part.shows.rows, part.shows.units

    @property
    def lines(self) -> Iterator["OfferLine"]:
        """The lines of what is on offer."""
        return (line.shows for part in self.offers for line in part.shows.units)

    @property
    def none_found(self) -> bool:
        """Whether the search leaves nothing of what is on offer."""
        return bool(self.offers) and not any(part.shows.units for part in self.offers)

    def find_control(self, node_id: str, option_id: str) -> str:
        """Return the id of the piece of a row where an option, or a group, of a node stands; else that of its row."""
        if option_id:
            for item in self.opened_items:
                if _holds_control(item.shows, node_id, option_id):
                    return item.id
        return make_dom_id("u", node_id) if node_id else ""

    @property
    def opened_items(self) -> Iterator[Fragment]:
        """The pieces of the row that is open."""
        opened = (row.shows.opened for _, rows in self.units for row in rows if row.shows.opened)
        return (item for parts in opened for item in parts.items)

    def find_row(self, node_id: str) -> Fragment | None:
        """Return the row of a unit."""
        rows = (row for _, rows in self.units for row in rows if isinstance(row.shows, UnitFragments))
        return next((row for row in rows if row.shows.unit.id == node_id), None)


@dataclass(slots=True)
class AddedRows:
    """New rows and where they go, as htmx writes it."""

    place: str
    rows: list[Fragment]


@dataclass(slots=True)
class FragmentChanges:
    """What an answer changes on the page: parts replaced, parts gone, rows put in."""

    whole: list[Fragment] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    added: list[AddedRows] = field(default_factory=list)


def compute_key(*shown: object) -> str:
    """Return a short text that differs when the values shown differ."""
    return f"{zlib.crc32(msgspec.json.encode(shown)):x}"


def _build_fragment(part_id: str, template: str, shows: object, *also: object) -> Fragment:
    return Fragment(id=part_id, template=_FOLDER + template, shows=shows, key=compute_key(shows, *also))


def read_client_keys(text: str) -> dict[str, str]:
    """Read what the browser has: "id.key id.key" in the order of the page. Anything else counts as nothing."""
    # Each edit says it of some two hundred parts: these signs go into a form as they are, and others as three.
    pairs = (piece.rpartition(".") for piece in text[:200_000].split(" "))
    return {part_id: key for part_id, _, key in pairs if part_id}


def diff_page(page: BuilderPage, have: Mapping[str, str], again: str = "") -> FragmentChanges:
    """Collect what the browser lacks. `again` is the id of a fragment to send even if it did not change."""
    diff = PageDiff(have, again)
    diff.put(page.titles, page.notices, page.strip, page.undo, page.shelf, page.settings, page.verdict, page.dock)
    diff.put_offers(page)
    if not diff.has_same(page.order):
        diff.send(page.order)
        return diff.changes
    diff.put(page.kinds)
    for detachment in page.detachments:
        diff.put_detachment(detachment)
    now = {row.id for _, rows in page.units for row in rows}
    diff.changes.gone = [part_id for part_id in have if part_id.startswith("u-") and part_id not in now]
    return diff.changes


class PageDiff:
    """Collects what a browser lacks of a page, from the largest parts to the smallest that differ.

    `have` are the keys of what it has; the fragment `again` is sent even if it did not change.
    """

    def __init__(self, have: Mapping[str, str], again: str = "") -> None:
        self._have = have
        self._again = again
        self.changes = FragmentChanges()

    def has_same(self, part: Fragment) -> bool:
        return self._have.get(part.id) == part.key

    def send(self, part: Fragment) -> None:
        part.oob = True
        self.changes.whole.append(part)

    def put(self, *parts: Fragment) -> None:
        """Send those of some parts that differ."""
        for part in parts:
            if part.id == self._again or not self.has_same(part):
                self.send(part)

    def put_offers(self, page: BuilderPage) -> None:
        if not self.has_same(page.picks):
            self.send(page.picks)
            return
        for part in page.offers:
            if not self.has_same(part):
                self.send(part)
                continue
            self.put(part.shows.head)
            for line in part.shows.units:
                # Where the line is the same, what is in its way may be another.
                self.put(line.shows.why if self.has_same(line) else line)

    def put_detachment(self, detachment: Fragment) -> None:
        shows: DetachmentFragments = detachment.shows
        if is_reordered([row.id for row in shows.units], self._have):
            self.send(detachment)
            return
        self.put(shows.head, shows.inside)
        self.add_rows(shows)
        for row in shows.units:
            if row.id in self._have:
                self._put_row(row)

    def _put_row(self, row: Fragment) -> None:
        """Send a row or, where it is the same but for the pieces of what is opened, those that changed."""
        self.put(row)
        if row.oob or not isinstance(row.shows, UnitFragments):
            return
        opened = row.shows.opened
        if opened:
            self.put(opened.head, opened.card, *opened.items)
        if not (opened and opened.head.oob):
            self.put(row.shows.row.marks, row.shows.row.moves)

    def add_rows(self, detachment: DetachmentFragments) -> None:
        """Put in the rows that are not there yet, in runs behind the rows that they follow."""
        place = f"afterbegin:#{detachment.rows}"
        run: AddedRows | None = None
        for row in detachment.units:
            if row.id in self._have:
                place, run = f"afterend:#{row.id}", None
            elif run is None:
                run = AddedRows(place, [row])
                self.changes.added.append(run)
            else:
                run.rows.append(row)


def diff_rows(page: BuilderPage, had: Collection[str]) -> FragmentChanges:
    """Collect the rows that a page lacks which has some of them, by their ids, and is the same but for that."""
    diff = PageDiff(dict.fromkeys(had, ""))
    for detachment in page.detachments:
        diff.add_rows(detachment.shows)
    now = {row.id for _, rows in page.units for row in rows}
    diff.changes.gone = [row_id for row_id in had if row_id not in now]
    return diff.changes


def is_reordered(rows: list[str], have: Mapping[str, str]) -> bool:
    here = set(rows)
    return [r for r in rows if r in have] != [r for r in have if r in here]


NOTHING: Mapping[str, Violation] = {}
ROWS_AT_ONCE = 60
"""A list of many more rows is shown with so many at first; each time its end is scrolled to, so many more come."""


class RowsInOrder(Shape):
    """The units of a detachment in the order of their rows; the first `shown` are on the page.

    `first` is the place in the whole list that the first one has.
    """

    units: tuple[UnitRow, ...]
    first: int
    shown: int

    @property
    def later(self) -> tuple[UnitRow, ...]:
        return self.units[self.shown :]

    @property
    def ids(self) -> list[str]:
        """The ids of the rows on the page, and of what stands for the others."""
        ids = [make_dom_id("u", unit.id) for unit in self.units[: self.shown]]
        return [*ids, self.later_id] if self.later else ids

    @property
    def later_id(self) -> str:
        return make_dom_id("u-later", self.later[0].id)


def order_rows(board: Board, shown: int, needed: Collection[str] = ()) -> list[RowsInOrder]:
    """Put the rows of all detachments in their order, and choose how many of them the page shows.

    As many as asked for and all down to the last one that is `needed`, by its id on the page; the rest as well where
    that is not much.
    """
    ordered = [_order_units(detachment) for detachment in board.detachments]
    shown = _count_shown([unit for units in ordered for unit in units], max(shown, ROWS_AT_ONCE), needed)
    rows, first = [], 0
    for units in ordered:
        rows.append(RowsInOrder(units=units, first=first, shown=max(0, min(len(units), shown - first))))
        first += len(units)
    return rows


def _count_shown(units: Sequence[UnitRow], shown: int, needed: Collection[str]) -> int:
    if needed:
        ids = (make_dom_id("u", unit.id) for unit in units[shown:])
        shown = max([shown, *(place for place, row_id in enumerate(ids, shown + 1) if row_id in needed)])
    # Half a page more is not worth a second request.
    return len(units) if len(units) <= shown + ROWS_AT_ONCE // 2 else shown


def build_page(
    board: Board,
    sayer: VerdictPresenter,
    verdict: VerdictRibbon,
    faces: FactionFaces,
    typed: Mapping[str, str] | None = None,
    dead_ends: Mapping[str, Violation] = NOTHING,
    rows: Iterable[RowsInOrder] | None = None,
) -> BuilderPage:
    """Build all fragments of the page for a board.

    `typed` is a form about the list that was refused; `dead_ends` are units on offer that lead nowhere, each with what
    it would break; `rows` are those of each detachment, all of them where nothing else is said.
    """
    detachments = _build_detachments(board, sayer, faces, rows or order_rows(board, sys.maxsize))
    offers = [_build_offered(board, faces, offered, dead_ends) for offered in board.offered]
    settings = _build_settings(board, _read_list_form(typed or {}))
    return BuilderPage(
        titles=_build_titles(board, settings),
        notices=_build_fragment("notices", "notices.html#notices", None, *_collect_notice_state(board)),
        strip=_build_fragment("strip", "verdict.html#strip", None, [item.sentence.headline for item in verdict.why]),
        undo=_build_fragment("undo", "top.html#undo", None, board.can_undo, board.can_redo),
        shelf=_build_shelf(board),
        picks=_build_fragment(
            "offers", "picks.html#offers", None, board.into, [offered.id for offered in board.offered]
        ),
        offers=offers,
        settings=_build_fragment("settingsbody", "settings.html#settingsbody", settings),
        order=_build_fragment("detachments", "detachments.html#detachments", None, [part.id for part in detachments]),
        detachments=detachments,
        kinds=_build_fragment("kinds", "kinds.html#kinds", _build_detachment_choices(board)),
        verdict=_build_fragment("verdict", "verdict.html#verdict", verdict, board.points, board.verdict),
        dock=_build_fragment("dock", "dock.html#dock", None, verdict.word, verdict.tally, board.points),
    )


def _build_detachments(
    board: Board, sayer: VerdictPresenter, faces: FactionFaces, rows: Iterable[RowsInOrder]
) -> list[Fragment]:
    return [
        _build_detachment(board, sayer, faces, detachment, in_order)
        for detachment, in_order in zip(board.detachments, rows, strict=True)
    ]


def _build_shelf(board: Board) -> Fragment:
    """Build the head of what is on offer: where it goes, and which kinds of it there are."""
    names = [(detachment.id, detachment.name) for detachment in board.detachments]
    return _build_fragment("shelf", "picks.html#shelf", None, board.into, names, [o.name for o in board.offered])


def _read_list_form(form: Mapping[str, str]) -> Mapping[str, str]:
    """Return a form that changes name and texts of the list itself; nothing of one about something in it."""
    is_about_list = form.get("do") == "describe" and not form.get("node")
    return form if is_about_list else {}


def _build_titles(board: Board, settings: ListSettings) -> Fragment:
    limit = board.points and board.points.limit
    shown = (board.roster.name, limit, board.judged.overlay_name, settings.name)
    return _build_fragment("titles", "top.html#titles", None, *shown)


def _build_offered(
    board: Board, faces: FactionFaces, offered: OfferCategory, dead_ends: Mapping[str, Violation]
) -> Fragment:
    part_id = "g-" + (make_dom_id("c", offered.id) if offered.id else "none")
    head = Fragment(
        id=f"h{part_id}",
        template=_FOLDER + "picks.html#offeredhead",
        shows=offered,
        key=compute_key(offered.name, offered.emblem, offered.slot),
    )
    units = [_build_offered_unit(faces, unit, dead_ends.get(unit.entry_id)) for unit in offered.units]
    return Fragment(
        id=part_id,
        template=_FOLDER + "picks.html#offered",
        shows=OfferedFragments(category=offered, head=head, units=units),
        key=compute_key(board.into, [unit.entry_id for unit in offered.units]),
    )


def _build_offered_unit(faces: FactionFaces, unit: UnitOffer, dead_end: Violation | None) -> Fragment:
    """Build a line of what is on offer; the key of what is in its way says nothing of dead ends.

    So lines that are grey stay grey after an edit, until it is known whether they still lead nowhere.
    """
    token = make_dom_token(unit.entry_id)
    block = OfferedBlock(blocked=unit.blocked, taken=unit.number, needs=unit.needs)
    why = _build_fragment(f"y-{token}", "picks.html#why", block)
    if dead_end:
        why.shows = OfferedBlock(blocked=dead_end, taken=unit.number)
    return Fragment(
        id=f"p-{token}",
        template=_FOLDER + "picks.html#line",
        shows=OfferLine(unit=unit, id=token, face=faces.find_face(unit.entry_id, unit.name), why=why),
        key=compute_key(unit.name, unit.points, unit.number, unit.note),
    )


def _collect_notice_state(board: Board) -> tuple[object, ...]:
    roster = board.roster
    return roster.taken_down, roster.aside, roster.version.game.current_id != roster.version_id


def _build_settings(board: Board, typed: Mapping[str, str]) -> ListSettings:
    tree = board.judged.tree
    return ListSettings(
        name=typed.get("name", board.roster.name),
        player=typed.get("player", tree.player),
        event=typed.get("event", tree.event),
        notes=typed.get("notes", tree.notes),
        rules=typed.get("rules", tree.overlay),
        limits=tuple(
            LimitField(
                field=LIMIT + cost.type_id,
                name=cost.name,
                value=typed.get(LIMIT + cost.type_id, "" if cost.limit is None else format_number(cost.limit)),
            )
            for cost in board.totals
            if cost.limit is not None or cost == board.points
        ),
        typed=bool(typed),
    )


def _build_detachment_choices(board: Board) -> DetachmentChoices:
    """Collect what may be added or, where there is room for one detachment only, what it may become."""
    top = [detachment for detachment in board.detachments if not detachment.depth]
    if len(top) != 1 or not _is_full(board):
        return DetachmentChoices(forces=board.forces)
    others = tuple(force for force in board.forces if force.entry_id != top[0].entry_id)
    return DetachmentChoices(forces=others, instead=top[0])


def _is_full(board: Board) -> bool:
    """Tell whether no kind of detachment may be added."""
    return bool(board.forces) and all(force.blocked for force in board.forces)


def _build_detachment(
    board: Board, sayer: VerdictPresenter, faces: FactionFaces, detachment: DetachmentRow, rows: RowsInOrder
) -> Fragment:
    part_id = make_dom_id("d", detachment.id)
    slots = _list_unit_slots(detachment)
    head = DetachmentHead(
        detachment=detachment,
        menu_key=_compute_menu_key(board, detachment),
        slots=slots,
        first="" if detachment.has_units else _choose_first(slots),
    )
    shows = DetachmentFragments(
        node=detachment.id,
        depth=detachment.depth,
        rows=make_dom_id("r", detachment.id),
        head=Fragment(
            id=make_dom_id("h", detachment.id),
            template=_FOLDER + "detachments.html#head",
            shows=head,
            key=_compute_head_key(detachment, head),
        ),
        units=_build_rows(board, sayer, faces, detachment, rows),
        inside=Fragment(
            id=make_dom_id("i", detachment.id),
            template=_FOLDER + "detachments.html#inside",
            shows=detachment,
            key=compute_key(detachment.inside, detachment.holds),
        ),
    )
    return Fragment(id=part_id, template=_FOLDER + "detachments.html#detachment", shows=shows)


def _list_unit_slots(detachment: DetachmentRow) -> tuple[SlotCounter, ...]:
    """List the slots of a detachment that are for units, not for its settings."""
    settled = _collect_category_ids(unit for unit in detachment.units if unit.kind != "unit")
    filled = _collect_category_ids(unit for unit in detachment.units if unit.kind == "unit")
    # A slot that holds both is one for units.
    return tuple(slot for slot in detachment.slots if slot.id not in settled - filled)


def _collect_category_ids(units: Iterable[UnitRow]) -> set[str]:
    return {category.id for unit in units for category in unit.selection.categories}


def _choose_first(slots: Iterable[SlotCounter]) -> str:
    """Say which slot of an empty detachment to begin with: the first that must be filled."""
    needed = next((slot.name for slot in slots if slot.min), "")
    return _("Start with %(slot)s.") % {"slot": needed} if needed else ""


def _compute_head_key(detachment: DetachmentRow, head: DetachmentHead) -> str:
    d = detachment
    return compute_key(
        d.name, d.entry_id, d.points, d.totals, head.slots, d.notes, d.has_units, bool(d.units), head.first
    )


def _compute_menu_key(board: Board, detachment: DetachmentRow) -> str:
    d = detachment
    kinds = [(force.entry_id, force.name) for force in board.forces]
    return compute_key(d.id, d.name, d.data_name, d.notes, d.entry_id, d.depth, kinds)


_KINDS: tuple[RowKind, ...] = ("setting", "note", "unit")
"""In this order they are in a detachment."""


def _order_units(detachment: DetachmentRow) -> tuple[UnitRow, ...]:
    """Put units in the order of their rows: type by type, within a type as their owner has them."""
    types = {type_name: at for at, type_name in enumerate(dict.fromkeys(unit.type for unit in detachment.units))}
    return tuple(sorted(detachment.units, key=lambda unit: (_KINDS.index(unit.kind), types[unit.type], unit.position)))


def _build_rows(
    board: Board, sayer: VerdictPresenter, faces: FactionFaces, detachment: DetachmentRow, rows: RowsInOrder
) -> list[Fragment]:
    """Build the rows that are shown, and what stands for the others."""
    units, built = rows.units, []
    for at, unit in enumerate(units[: rows.shown]):
        above = units[at - 1] if at else None
        below = units[at + 1] if at + 1 < len(units) else None
        opened = board.opened if board.opened and board.opened.node_id == unit.id else None
        line = _build_line(board, sayer, faces, detachment, unit, above, below, is_open=opened is not None)
        built.append(_build_row(line, opened))
    if rows.later:
        first, shown = make_dom_id("u", rows.later[0].id), rows.first + rows.shown
        later = LaterRows(first=first, number=len(rows.later), rows=shown + ROWS_AT_ONCE)
        built.append(_build_fragment(rows.later_id, "later.html", later))
    return built


def _find_swap_position(unit: UnitRow, neighbour: UnitRow | None) -> int | None:
    """Return where a unit goes to change places with its neighbour; None where that one has another type."""
    if neighbour is None or (neighbour.kind, neighbour.type) != (unit.kind, unit.type):
        return None
    return neighbour.position


def _build_line(
    board: Board,
    sayer: VerdictPresenter,
    faces: FactionFaces,
    detachment: DetachmentRow,
    unit: UnitRow,
    above: UnitRow | None,
    below: UnitRow | None,
    *,
    is_open: bool,
) -> RowLine:
    marked = [violation for violation in unit.violations if _is_marked_on_unit(violation, detachment)]
    missing = [violation for violation in unit.violations if _is_missing_in_unit(violation)]
    marks = RowMarks(
        wrong=tuple(map(sayer.describe_violation, marked)),
        needs=tuple(dict.fromkeys(map(sayer.describe_missing, missing))),
    )
    moves = RowMoves(unit_id=unit.id, up=_find_swap_position(unit, above), down=_find_swap_position(unit, below))
    return RowLine(
        unit=unit,
        face=faces.find_face(unit.selection.entry_id, unit.type),
        type_emblem=_find_type_emblem(board, unit) if _begins_type(unit, above) else "",
        marks=_build_fragment(make_dom_id("marks", unit.id), "row.html#marks", marks),
        moves=_build_fragment(make_dom_id("moves", unit.id), "acts.html#moves", moves),
        is_open=is_open,
        note=build_selection_datasheet(unit.selection) if unit.kind == "note" else None,
    )


def _build_row(row: RowLine, opened: OpenedUnit | None) -> Fragment:
    """Build a row, with all there is to choose if it is open."""
    part_id = make_dom_id("u", row.unit.id)
    if not opened:
        return Fragment(id=part_id, template=_ROW, shows=UnitFragments(row=row), key=row.compute_key())
    parts = _build_opened(row, opened)
    return Fragment(
        id=part_id, template=_ROW, shows=UnitFragments(row=row, opened=parts), key=_compute_opened_key(row, parts)
    )


def _build_opened(row: RowLine, opened: OpenedUnit) -> OpenedFragments:
    head = Fragment(
        id=make_dom_id("line", row.unit.id),
        template=_ROW + "#line",
        shows=UnitFragments(row=row),
        key=row.compute_key(),
    )
    card = build_selection_datasheet(row.unit.selection)
    return OpenedFragments(
        unit=opened,
        head=head,
        card=_build_fragment(make_dom_id("card", row.unit.id), "row.html#card", card),
        items=[_build_fragment(_name_item(item), "options.html#item", item) for item in opened.items],
    )


def _name_item(item: OptionItem) -> str:
    """Return the id of an option, or of a group of options, at the place where it stands."""
    inner = item.group_id if isinstance(item, ChoiceGroup) else item.entry_id
    return f"item-{make_dom_token(inner, item.node_id)}"


def _compute_opened_key(row: RowLine, parts: OpenedFragments) -> str:
    """Return a key for what an opened row shows beside its pieces, and for which pieces there are."""
    selection, opened = row.unit.selection, parts.unit
    return compute_key(
        row.type_emblem,
        row.state,
        [part.id for part in parts.items],
        opened.strays,
        opened.attachments,
        (selection.name, selection.custom_name, selection.notes),
    )


def _holds_control(item: OptionItem, node_id: str, option_id: str) -> bool:
    """Tell whether an option, or the group `option_id`, that is chosen in a node is in this item."""
    if isinstance(item, ChoiceGroup):
        is_asked = (item.node_id, item.group_id) == (node_id, option_id)
        return is_asked or any(_holds_control(inner, node_id, option_id) for inner in item.items)
    return (item.node_id, item.entry_id) == (node_id, option_id) or any(
        _holds_control(inner, node_id, option_id) for opened in item.inside for inner in opened.items
    )


def _begins_type(unit: UnitRow, above: UnitRow | None) -> bool:
    """Tell whether the name of its type is above a row."""
    return unit.kind != "note" and (above is None or (above.kind, above.type) != (unit.kind, unit.type))


def _find_type_emblem(board: Board, unit: UnitRow) -> str:
    """Return the emblem of a unit's type: the one that the data names, else one that suits its name."""
    primary = next((category.id for category in unit.selection.categories if category.primary), "")
    return board.judged.ruleset.find_category_emblem(primary, unit.type)


def _is_marked_on_unit(violation: Violation, detachment: DetachmentRow) -> bool:
    """Tell whether a violation is written on its units: not where it is about every unit there is."""
    if violation.severity is not Severity.ERROR or is_missing(violation):
        return False
    culprits = {place.id for place in violation.cause if place.kind is PlaceKind.SELECTION}
    everybody = len(detachment.units) > 1 and culprits >= {unit.id for unit in detachment.units}
    return violation.on.kind is PlaceKind.SELECTION or not everybody


def _is_missing_in_unit(violation: Violation) -> bool:
    return is_missing(violation) and violation.on.kind is PlaceKind.SELECTION
