"""Build the builder's page from a board as fragments."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.definitions.constraints import Severity
from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import format_number
from catalogue.services.lru import Lru
from roster import wording
from roster.engine.report import PlaceKind, Verdict, Violation, group_violations
from roster.engine.tree import copy_with
from roster.models import Roster
from roster.services.board import Board, ChoiceGroup, DetachmentRow, OfferCategory, OpenedUnit, SlotCounter, UnitRow
from roster.services.board.shapes import RowKind, Shape, list_other_costs
from roster.services.changes import LIMIT
from roster.services.faces import FactionFaces, UnitFace, load_faction
from roster.services.favourites import QUICK_UNITS, UnitHabits
from roster.services.photos import find_unit_photo
from roster.services.rulesets import OverlayOffer
from roster.templatetags.builder import (
    choose_detachment_title,
    describe_points_left,
    format_offer_price,
    label_detachment,
    make_dom_token,
    summarize_unit,
)
from roster.views.builder.fragments import Fragment
from roster.views.builder.shapes import (
    ClosedRow,
    DetachmentHead,
    DetachmentKinds,
    DetachmentList,
    DetachmentMenu,
    DetachmentPanel,
    InnerKinds,
    LaterRows,
    LimitField,
    ListNotices,
    ListSettings,
    ListTitles,
    Named,
    OfferBar,
    OfferBlock,
    OfferGroup,
    OfferHead,
    OfferLine,
    OfferList,
    OfferSearchFields,
    OfferShelf,
    OpenedRow,
    OptionItem,
    QuickOffer,
    QuickOffers,
    QuickSection,
    RowActs,
    RowLine,
    RowMark,
    RowMarks,
    RowMoves,
    RuleBox,
    StripItem,
    TodoStrip,
    TypeChip,
    UndoButtons,
    VerdictDock,
    VerdictPanel,
    ViolationCard,
)
from roster.views.datasheet import build_selection_datasheet
from roster.views.verdict_presenter import VerdictPresenter, VerdictRibbon, is_missing, make_dom_id

_FOLDER = "roster/builder/"
STRIP_ITEMS = 4
ROWS_AT_ONCE = 60
"""How many rows the page shows at first, and loads when the reader scrolls to the end."""
_KINDS: tuple[RowKind, ...] = ("setting", "note", "unit")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuilderPage:
    titles: Fragment
    notices: Fragment
    strip: Fragment
    undo: Fragment
    shelf: Fragment
    quick: Fragment
    picks: Fragment
    settings: Fragment
    order: Fragment
    verdict: Fragment
    dock: Fragment
    is_typed: bool

    __getitem__ = Shape.__getitem__

    @property
    def detachments(self) -> tuple[Fragment, ...]:
        shows: DetachmentList = self.order.shows
        return shows.detachments

    @property
    def kinds(self) -> Fragment:
        shows: DetachmentList = self.order.shows
        return shows.kinds

    @property
    def rows(self) -> Iterator[Fragment]:
        """The rows of all detachments, and the elements that load further rows."""
        return (row for part in self.detachments for row in part.shows.units)

    @property
    def lines(self) -> Iterator[OfferLine]:
        return (line.shows for group in self.picks.shows.groups for line in group.shows.units)

    def find_control(self, node_id: str, option_id: str) -> str:
        """Return the fragment id of a node's option or group, else of its row."""
        for row in self.rows if node_id else ():
            if isinstance(row.shows, OpenedRow) and (option_id or row.shows.unit_id != node_id):
                for item in row.shows.items:
                    if _holds_control(item.shows, node_id, option_id):
                        return item.id
        return make_dom_id("u", node_id) if node_id else ""

    def find_row(self, node_id: str) -> Fragment | None:
        row_id = make_dom_id("u", node_id)
        return next((row for row in self.rows if row.id == row_id), None)


def _holds_control(item: OptionItem, node_id: str, option_id: str) -> bool:
    if isinstance(item, ChoiceGroup):
        is_asked = (item.node_id, item.group_id) == (node_id, option_id)
        return is_asked or any(_holds_control(inner, node_id, option_id) for inner in item.items)
    if (item.node_id, item.entry_id) == (node_id, option_id):
        return True
    return any(
        (not option_id and opened.node_id == node_id)
        or any(_holds_control(inner, node_id, option_id) for inner in opened.items)
        for opened in item.inside
    )


class RowsInOrder(Shape):
    """The page has the first `row_count` units of a detachment. `first` is the first unit's position."""

    units: tuple[UnitRow, ...]
    first: int
    row_count: int

    @property
    def later(self) -> tuple[UnitRow, ...]:
        return self.units[self.row_count :]

    @property
    def ids(self) -> list[str]:
        ids = [make_dom_id("u", unit.id) for unit in self.units[: self.row_count]]
        return [*ids, self.later_id] if self.later else ids

    @property
    def later_id(self) -> str:
        return make_dom_id("u-later", self.later[0].id)


def order_units(detachment: DetachmentRow) -> tuple[UnitRow, ...]:
    types = {type_name: at for at, type_name in enumerate(dict.fromkeys(unit.type for unit in detachment.units))}
    return tuple(sorted(detachment.units, key=lambda unit: (_KINDS.index(unit.kind), types[unit.type], unit.position)))


def order_rows(board: Board, row_count: int, needed: Collection[str] = ()) -> list[RowsInOrder]:
    """Sort all detachments' rows. The page shows at least `row_count` of them, and all `needed` ids."""
    ordered = [order_units(detachment) for detachment in board.detachments]
    units = [unit for in_order in ordered for unit in in_order]
    row_count = max(row_count, ROWS_AT_ONCE)
    if needed:
        ids = (make_dom_id("u", unit.id) for unit in units[row_count:])
        row_count = max([row_count, *(place for place, row_id in enumerate(ids, row_count + 1) if row_id in needed)])
    # Half a page more is not worth a second request.
    if len(units) <= row_count + ROWS_AT_ONCE // 2:
        row_count = len(units)

    rows, first = [], 0
    for in_order in ordered:
        rows.append(RowsInOrder(units=in_order, first=first, row_count=max(0, min(len(in_order), row_count - first))))
        first += len(in_order)
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSources:
    """`typed` is a refused form about the list; `dead_ends` maps offered units to the rules that they would break.

    `starred` are tokens of all favourites, `habits` only units on offer.
    """

    board: Board
    presenter: VerdictPresenter
    verdict: VerdictRibbon
    with_deeds: bool
    faces: FactionFaces
    offered_faces: FactionFaces
    rows: Iterable[RowsInOrder]
    list_overlays: Callable[[], list[OverlayOffer]]
    typed: Mapping[str, str]
    dead_ends: Mapping[str, Violation]
    searched: OfferSearchFields
    instead: str
    habits: UnitHabits
    starred: Collection[str]


def build_page(sources: PageSources) -> BuilderPage:
    board, verdict = sources.board, sources.verdict
    settings = _build_settings(sources)
    often = Counter(unit.name for offered in board.offered for unit in offered.units)
    groups = tuple(_build_offer_group(sources, offered, often) for offered in board.offered)
    none_found = bool(groups) and not any(offered.units for offered in board.offered)
    builder = RowBuilder(board, sources.presenter)
    detachments = tuple(
        _build_detachment(board, builder, detachment, in_order)
        for detachment, in_order in zip(board.detachments, sources.rows, strict=True)
    )
    builder.keep()
    order = DetachmentList(
        detachments=detachments,
        depths=tuple(detachment.depth for detachment in board.detachments),
        kinds=Fragment("kinds", _FOLDER + "kinds.html#kinds", _build_kinds(board)),
    )
    roster = board.roster
    notices = ListNotices(
        is_taken_down=bool(roster.taken_down),
        is_kept_aside=bool(roster.aside),
        is_on_other_data=not roster.version.is_current,
    )
    dock = VerdictDock(state=verdict.state, word=verdict.word, tally=verdict.tally, points=board.points)
    return BuilderPage(
        titles=Fragment("titles", _FOLDER + "top.html#titles", _build_titles(sources, settings)),
        notices=Fragment("notices", _FOLDER + "notices.html#notices", notices),
        strip=_build_strip(verdict, roster),
        undo=Fragment("undo", _FOLDER + "top.html#undo", UndoButtons(can_undo=board.can_undo, can_redo=board.can_redo)),
        shelf=_build_shelf(sources, groups),
        quick=_build_quick(sources),
        picks=Fragment(
            "offers",
            _FOLDER + "picks.html#offers",
            OfferList(into=board.into, groups=groups, none_found=none_found, instead=sources.instead),
        ),
        # No edit changes the rules to choose from, and finding them takes a query.
        settings=Fragment(
            "settingsbody", _FOLDER + "settings.html#settingsbody", settings, unkeyed=sources.list_overlays
        ),
        order=Fragment("detachments", _FOLDER + "detachments.html#detachments", order),
        verdict=_build_verdict(sources),
        dock=Fragment("dock", _FOLDER + "dock.html#dock", dock),
        is_typed=settings.typed,
    )


def _build_titles(sources: PageSources, settings: ListSettings) -> ListTitles:
    board = sources.board
    roster, points, size = board.roster, board.points, ""
    if points is not None and points.limit is not None:
        # A limit with exactly one named size shows that name.
        limits = ((preset.name, preset.limits.get(points.type_id)) for preset in roster.version.read_presets())
        sizes = [name for name, limit in limits if limit == points.limit]
        limit = format_number(points.limit)
        size = f"{sizes[0]} {limit}" if len(sizes) == 1 else f"{limit} {points.name}"
    return ListTitles(
        name=roster.name,
        typed=settings.name,
        faction=sources.faces.name,
        game=str(roster.version.game),
        overlay=board.evaluated_list.overlay_name,
        size=size,
    )


def _build_strip(verdict: VerdictRibbon, roster: Roster) -> Fragment:
    """Omit the deeds from the key, because the page requests them after loading."""
    first_violations = verdict.why[:STRIP_ITEMS]
    items, with_deeds = [], []
    for violation in first_violations:
        item = StripItem(kind=violation.kind, headline=violation.sentence.headline)
        items.append(item)
        with_deeds.append(copy_with(item, deed=violation.deeds[0]) if violation.deeds else item)
    link_id = roster.link_id if verdict.state == Verdict.LEGAL.value else ""
    strip = TodoStrip(items=tuple(items), link_id=link_id)
    unkeyed = copy_with(strip, items=tuple(with_deeds))
    return Fragment("strip", _FOLDER + "verdict.html#strip", strip, unkeyed=unkeyed)


def _build_verdict(sources: PageSources) -> Fragment:
    board, verdict = sources.board, sources.verdict
    violations = []
    for item in verdict.why:
        box = Fragment(
            "",
            _FOLDER + "verdict.html#box",
            RuleBox(sentence=item.sentence, rule=item.rule, report=item.report),
            stored=True,
        )
        card = ViolationCard(violation=item, box=box, with_deeds=sources.with_deeds)
        violations.append(Fragment("", _FOLDER + "verdict.html#violation", card, stored=not item.deeds))
    panel = VerdictPanel(
        ribbon=copy_with(verdict, why=()),
        points=board.points,
        left=describe_points_left(board.points),
        violations=tuple(violations),
    )
    return Fragment("verdict", _FOLDER + "verdict.html#verdict", panel)


def _build_settings(sources: PageSources) -> ListSettings:
    board, typed = sources.board, sources.typed
    if typed.get("do") != "describe" or typed.get("node"):
        typed = {}
    tree = board.evaluated_list.tree
    limits = []
    for cost in board.totals:
        if cost.limit is not None or cost == board.points:
            current = "" if cost.limit is None else format_number(cost.limit)
            field = LIMIT + cost.type_id
            limits.append(LimitField(field=field, name=cost.name, value=typed.get(field, current)))
    return ListSettings(
        name=typed.get("name", board.roster.name),
        player=typed.get("player", tree.player),
        event=typed.get("event", tree.event),
        notes=typed.get("notes", tree.notes),
        rules=typed.get("rules", tree.overlay),
        limits=tuple(limits),
        typed=bool(typed),
    )


def _build_shelf(sources: PageSources, groups: Iterable[Fragment]) -> Fragment:
    """Keep the search out of the key, because edits do not change it."""
    board = sources.board
    shelf = OfferShelf(
        into=board.into,
        detachments=tuple(Named(id=row.id, name=choose_detachment_title(row)) for row in board.detachments),
        types=tuple(
            TypeChip(id=offered.id, name=offered.name, part=group.id)
            for offered, group in zip(board.offered, groups, strict=True)
        ),
        points=board.points.name if board.points else "",
    )
    return Fragment("shelf", _FOLDER + "picks.html#shelf", shelf, unkeyed=sources.searched)


def _build_quick(sources: PageSources) -> Fragment:
    """Build the sections above the offers, which edits do not change, so that lines stay in place."""
    units = {unit.entry_id: unit for offered in sources.board.offered for unit in offered.units}
    habits = sources.habits
    quick_parts = (
        ("starred", _("Favourites"), [entry_id for entry_id in habits.starred if entry_id in units][:QUICK_UNITS]),
        ("taken", _("Last taken"), [entry_id for entry_id in habits.taken if entry_id in units]),
    )
    sections = tuple(
        QuickSection(
            part=part,
            name=name,
            units=tuple(
                QuickOffer(
                    entry_id=entry_id,
                    token=make_dom_token(entry_id),
                    name=units[entry_id].name,
                    price=format_offer_price(units[entry_id]),
                    is_bar=OfferBlock(blocked=units[entry_id].blocked, taken=units[entry_id].number).is_bar,
                )
                for entry_id in entry_ids
            ),
        )
        for part, name, entry_ids in quick_parts
        if entry_ids
    )
    is_hidden = sources.searched != OfferSearchFields()
    starred = tuple(sorted(sources.starred))
    quick = QuickOffers(into=sources.board.into, sections=sections, starred=starred, is_hidden=is_hidden)
    return Fragment("quick", _FOLDER + "picks.html#quick", quick, is_keyed=False)


def _is_limit_shown(board: Board, blocked: Violation | None) -> bool:
    if board.points is None or blocked is None:
        return False
    return (blocked.counted_id, blocked.allowed) == (board.points.type_id, board.points.limit)


def _build_offer_group(sources: PageSources, offered: OfferCategory, often: Mapping[str, int]) -> Fragment:
    """Keep dead ends out of the keys of lines: lines stay grey until the solver has a new answer."""
    group_id = "g-" + (make_dom_id("c", offered.id) if offered.id else "none")
    head = OfferHead(name=offered.name, emblem=offered.emblem, slot=offered.slot)
    lines = []
    for unit in offered.units:
        token = make_dom_token(unit.entry_id)
        dead_end = sources.dead_ends.get(unit.entry_id)
        # The missing points already explain the bar.
        taken = 0 if unit.too_dear else unit.number
        block = OfferBlock(
            blocked=unit.blocked,
            taken=taken,
            too_dear=unit.too_dear,
            is_limit_shown=unit.too_dear and _is_limit_shown(sources.board, unit.blocked),
        )
        dead = OfferBlock(blocked=dead_end, taken=unit.number) if dead_end else None
        bar = OfferBar(is_bar=(dead or block).is_bar, is_dead_end=(dead or block).is_dead_end)
        face = sources.offered_faces.find_face(unit.entry_id, unit.name)
        # Several lines of one name say to which slot each belongs.
        note = " · ".join(filter(None, (offered.name, unit.note or face.about))) if often[unit.name] > 1 else unit.note
        line = OfferLine(
            entry_id=unit.entry_id,
            token=token,
            name=unit.name,
            full_name=f"{unit.name}, {offered.name}" if often[unit.name] > 1 and offered.name else unit.name,
            points=unit.points,
            price=format_offer_price(unit),
            number=unit.number,
            note=note,
            face=face,
            is_starred=token in sources.starred,
            # Its key does not show a dead end, so it cannot be shared.
            why=Fragment(f"y-{token}", _FOLDER + "picks.html#why", block, unkeyed=dead, is_shared=dead is None),
        )
        lines.append(Fragment(f"p-{token}", _FOLDER + "picks.html#line", line, unkeyed=bar, stored=True))
    group = OfferGroup(
        into=sources.board.into,
        type=offered.id,
        head=Fragment(f"h{group_id}", _FOLDER + "picks.html#offeredhead", head),
        units=tuple(lines),
    )
    return Fragment(group_id, _FOLDER + "picks.html#offered", group)


def _build_kinds(board: Board) -> DetachmentKinds:
    """Return detachments to add or, if there is room for only one, its possible kinds."""
    top = [detachment for detachment in board.detachments if not detachment.depth]
    is_full = bool(board.forces) and all(force.blocked for force in board.forces)
    if len(top) != 1 or not is_full:
        return DetachmentKinds(
            forces=board.forces, instead=None, is_first=not board.detachments, has_allies=board.has_allies
        )
    return DetachmentKinds(
        forces=tuple(force for force in board.forces if force.entry_id != top[0].entry_id),
        instead=Named(id=top[0].id, name=label_detachment(top[0].data_name)),
        is_first=False,
        has_allies=board.has_allies,
    )


class RowSource(Shape):
    """`marks` shows the violations instead of `unit`. `type_emblem` is set on the first row of a type. `up` and `down`
    are the positions to move to. `photo` is the address of the opened unit's photo.
    """

    unit: UnitRow
    type_emblem: str
    marks: RowMarks
    up: int | None
    down: int | None
    face: UnitFace
    opened: OpenedUnit | None
    photo: str


MOST_ROWS = 1_000
_kept_rows: Lru[tuple[str, str], dict[str, tuple[RowSource, Fragment]]] = Lru(MOST_ROWS, len)
"""The source and fragment of each row, by list and language."""


def forget_rows() -> None:
    _kept_rows.clear()


class RowBuilder:
    """Builds rows, reusing fragments with unchanged sources."""

    def __init__(self, board: Board, presenter: VerdictPresenter) -> None:
        self._board = board
        self._presenter = presenter
        self._key = (board.roster.public_id, get_language() or "")
        self._before = _kept_rows.find(self._key) or {}
        self._rows: dict[str, tuple[RowSource, Fragment]] = {}
        self._ordinals: dict[str, int] = {}
        units = [unit for detachment in board.detachments for unit in order_units(detachment)]
        # Counted by the data's names, so that renaming a unit does not change other rows.
        for alike in group_by(units, lambda unit: unit.selection.name).values():
            if len(alike) > 1:
                self._ordinals |= {unit.id: number for number, unit in enumerate(alike, 1)}

    def keep(self) -> None:
        if self._rows:
            _kept_rows.put(self._key, self._rows)

    def build(self, detachment: DetachmentRow, rows: RowsInOrder) -> tuple[Fragment, ...]:
        board, units, parts = self._board, rows.units, []
        everywhere = _find_violations_everywhere(board, detachment)
        faces = load_faction(board.roster.version_id, detachment.force.catalogue_id)
        for at, unit in enumerate(units[: rows.row_count]):
            above = units[at - 1] if at else None
            below = units[at + 1] if at + 1 < len(units) else None

            type_emblem = ""
            if unit.kind != "note" and not _is_alike(unit, above):
                category_id = unit.primary.id if unit.primary else ""
                type_emblem = board.evaluated_list.ruleset.find_category_emblem(category_id, unit.type)

            opened = board.opened if board.opened and board.opened.node_id == unit.id else None
            photo = find_unit_photo(board.roster, unit.id) if opened else None
            source = RowSource(
                unit=copy_with(unit, violations=()),
                type_emblem=type_emblem,
                marks=self._mark(unit, everywhere),
                up=above.position if above and _is_alike(unit, above) else None,
                down=below.position if below and _is_alike(unit, below) else None,
                face=faces.find_face(unit.selection.entry_id, unit.type),
                opened=opened,
                photo=reverse("roster:photo", args=[board.roster.link_id, photo.pk, "small"]) if photo else "",
            )
            before, row = self._before.get(unit.id, (None, None))
            if row is None or before != source:
                row = build_row(source)
            self._rows[unit.id] = source, row
            parts.append(row)

        if rows.later:
            first, row_count = make_dom_id("u", rows.later[0].id), rows.first + rows.row_count
            later = LaterRows(first=first, number=len(rows.later), rows=row_count + ROWS_AT_ONCE)
            parts.append(Fragment(rows.later_id, _FOLDER + "later.html", later))
        return tuple(parts)

    def _mark(self, unit: UnitRow, everywhere: Collection[int]) -> RowMarks:
        wrong, needs = [], []
        for group in group_violations(unit.violations):
            violation = group[0]
            if not is_missing(violation):
                if violation.severity is Severity.ERROR and id(violation) not in everywhere:
                    item = self._presenter.describe_violation(violation)
                    wrong.append(RowMark(id=item.id, kind=item.kind, headline=item.sentence.headline))
            elif violation.on.kind is PlaceKind.SELECTION:
                needs.append(self._presenter.describe_missing(violation, len(group)))
        ordinal = self._ordinals.get(unit.id)
        return RowMarks(unit_id=unit.id, ordinal=ordinal, wrong=tuple(wrong), needs=tuple(dict.fromkeys(needs)))


def _is_alike(unit: UnitRow, neighbour: UnitRow | None) -> bool:
    return neighbour is not None and (neighbour.kind, neighbour.type) == (unit.kind, unit.type)


def _find_violations_everywhere(board: Board, detachment: DetachmentRow) -> set[int]:
    """Return the ids of violations that name every unit and are therefore marked on none."""
    units = {unit.id for unit in detachment.units}
    if len(units) <= 1:
        return set()
    return {
        id(violation)
        for violation in board.violations
        if violation.on.kind is not PlaceKind.SELECTION
        and units <= {place.id for place in violation.cause if place.kind is PlaceKind.SELECTION}
    }


def build_row(source: RowSource) -> Fragment:
    unit, opened = source.unit, source.opened
    selection = unit.selection
    moves = RowMoves(unit_id=unit.id, up=source.up, down=source.down)
    acts = RowActs(
        unit_id=unit.id,
        leads=unit.leads,
        moves=Fragment(make_dom_id("moves", unit.id), _FOLDER + "acts.html#moves", moves),
    )
    number = unit.models or selection.number
    line = RowLine(
        unit_id=unit.id,
        kind=unit.kind,
        name=unit.name,
        summary=summarize_unit(unit),
        commands=unit.commands,
        leads=bool(unit.leads),
        is_placeholder=selection.placeholder,
        bonds=tuple(words for part in selection.walk() for words in wording.list_bond_words(part)),
        notes=selection.notes,
        points=unit.points if unit.kind == "unit" else None,
        has_deck=unit.is_deck,
        emblem=source.face.emblem,
        glance=source.face.glance,
        badge=number if number > 1 else None,
        is_open=opened is not None,
        note=build_selection_datasheet(selection) if unit.kind == "note" else None,
        marks=Fragment(make_dom_id("marks", unit.id), _FOLDER + "row.html#marks", source.marks),
        acts=Fragment("", _FOLDER + "acts.html", acts, stored=True),
    )
    row_id, shown_type = make_dom_id("u", unit.id), unit.type if source.type_emblem else ""
    if opened is None:
        closed = ClosedRow(kind=unit.kind, type=shown_type, type_emblem=source.type_emblem, line=line)
        return Fragment(row_id, _FOLDER + "row.html#closed", closed, stored=True)

    items = []
    for item in opened.items:
        inner = item.group_id if isinstance(item, ChoiceGroup) else item.entry_id
        items.append(Fragment(f"item-{make_dom_token(inner, item.node_id)}", _FOLDER + "options.html#item", item))
    card = build_selection_datasheet(selection)
    row = OpenedRow(
        kind=unit.kind,
        type=shown_type,
        type_emblem=source.type_emblem,
        unit_id=unit.id,
        name=selection.name,
        custom_name=selection.custom_name,
        notes=selection.notes,
        slug=source.face.slug,
        photo=source.photo,
        takes_photo=unit.kind == "unit" and settings.ARMYBUILDER["PHOTO_BYTES"] > 0,
        line=Fragment(make_dom_id("line", unit.id), _FOLDER + "row.html#opened_line", line),
        stats=Fragment(make_dom_id("stats", unit.id), _FOLDER + "row.html#stats", card.stats),
        card=Fragment(make_dom_id("card", unit.id), _FOLDER + "row.html#card", replace(card, stats=None)),
        strays=opened.strays,
        attachments=opened.attachments,
        items=tuple(items),
    )
    return Fragment(row_id, _FOLDER + "row.html#opened", row)


def _build_detachment(board: Board, builder: RowBuilder, detachment: DetachmentRow, rows: RowsInOrder) -> Fragment:
    inside = InnerKinds(
        node=detachment.id,
        forces=detachment.inside,
        holds=len(detachment.force.forces),
        has_allies=detachment.holds_allies,
    )
    panel = DetachmentPanel(
        depth=detachment.depth,
        rows=make_dom_id("r", detachment.id),
        head=_build_detachment_head(board, detachment),
        units=builder.build(detachment, rows),
        inside=Fragment(make_dom_id("i", detachment.id), _FOLDER + "detachments.html#inside", inside),
    )
    part_id = make_dom_id("d", detachment.id)
    return Fragment(part_id, _FOLDER + "detachments.html#detachment", panel, is_keyed=False)


def _build_detachment_head(board: Board, detachment: DetachmentRow) -> Fragment:
    is_renamed = detachment.name != detachment.data_name
    title = choose_detachment_title(detachment)
    can_change = not detachment.depth and len(board.forces) > 1
    menu = DetachmentMenu(
        node=detachment.id,
        title=title,
        name=detachment.name if is_renamed else "",
        data_name=detachment.data_name,
        notes=detachment.force.notes,
        entry_id=detachment.entry_id,
        kinds=tuple(Named(id=force.entry_id, name=force.name) for force in board.forces) if can_change else (),
    )
    slots = _list_unit_slots(detachment)
    first = next((slot.name for slot in slots if slot.min), "") if not detachment.has_units else ""
    head = DetachmentHead(
        node=detachment.id,
        title=title,
        kind=" · ".join(
            filter(None, (label_detachment(detachment.data_name) if is_renamed else "", detachment.faction))
        ),
        notes=detachment.force.notes,
        points=detachment.points,
        has_rows=bool(detachment.units),
        costs=list_other_costs(detachment.force.totals, detachment.points_id),
        slots=slots,
        is_empty=not detachment.has_units,
        takes_units=bool(slots) or not detachment.inside,
        first=_("Start with %(slot)s.") % {"slot": first} if first else "",
        menu=Fragment("", _FOLDER + "detachment_menu.html", menu, stored=True),
    )
    return Fragment(make_dom_id("h", detachment.id), _FOLDER + "detachments.html#head", head)


def _list_unit_slots(detachment: DetachmentRow) -> tuple[SlotCounter, ...]:
    settled = {
        category.id for unit in detachment.units if unit.kind != "unit" for category in unit.selection.categories
    }
    if settled:
        settled -= {
            category.id for unit in detachment.units if unit.kind == "unit" for category in unit.selection.categories
        }
    return tuple(slot for slot in detachment.slots if slot.id not in settled)
