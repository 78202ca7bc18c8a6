"""The builder's page in parts.

Each part has an id on the page, what it shows, and a key that is another one as soon as it shows something else. The
browser tells which parts it has and by which key; an answer to an edit holds the parts that differ, wherever in the
list a change had its effect, and nothing else.
"""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from roster.engine.report import EffectiveProfile, EffectiveRule
from roster.services.board import DetachmentRow, ForceOffer, OpenedUnit, UnitRow
from roster.views.verdict_presenter import MissingItem, ViolationItem


@dataclass(slots=True, kw_only=True)
class Fragment:
    """A piece of the page. `oob`: in an answer to an edit it takes the place of the piece that has its id."""

    id: str
    template: str
    shows: Any = None
    key: str = ""
    oob: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentHead:
    """A detachment's name, figures, slots, and what it still needs."""

    detachment: DetachmentRow
    needs: tuple[MissingItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentChoices:
    """The kinds of detachment to choose from: to add one, or to change the detachment `instead` into it."""

    forces: tuple[ForceOffer, ...]
    instead: DetachmentRow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitField:
    """A field of the form for what is spent at most."""

    field: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSettings:
    """The form about the list itself. `typed`: its words were refused, and are kept to be mended."""

    name: str
    player: str
    event: str
    notes: str
    rules: str
    limits: tuple[LimitField, ...]
    typed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAbilities:
    """What a unit can do, with everything it has now: profiles in the order of their tables, and rules, each once."""

    profiles: tuple[EffectiveProfile, ...]
    rules: tuple[EffectiveRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenableUnit:
    """A unit, closed or opened.

    `wrong` are the breaches it is to blame for, `needs` what it still lacks, `up` and `down` its place after
    a move; None where there is no way.
    """

    unit: UnitRow
    wrong: tuple[ViolationItem, ...]
    needs: tuple[MissingItem, ...]
    opened: OpenedUnit | None
    card: UnitAbilities | None
    up: int | None
    down: int | None

    @property
    def state(self) -> str:
        """Return the classes of the row, each with a blank before it."""
        hit = " hit" if any(v.kind == "illegal" for v in self.wrong) else " hit mend" if self.wrong else ""
        return hit + (" open" if self.opened else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentFragments:
    node: str
    depth: int
    rows: str
    head: Fragment
    units: list[Fragment]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuilderPage:
    """All parts. `order` stands for the order of the detachments, `picks` for what is on offer and in which order."""

    titles: Fragment
    notices: Fragment
    ways: Fragment
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
    def none_found(self) -> bool:
        """Whether the search leaves nothing of what is on offer."""
        return bool(self.offers) and not any(part.shows.units for part in self.offers)

    def find_row(self, node_id: str) -> Fragment | None:
        """Return the row of a unit."""
        return next((row for _, rows in self.units for row in rows if row.shows.unit.id == node_id), None)


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


def read_client_keys(text: str) -> dict[str, str]:
    """Read what the browser has: "id:key,id:key" in the order of the page. Anything else counts as nothing."""
    pairs = (piece.rpartition(":") for piece in text[:200_000].split(","))
    return {part_id: key for part_id, _, key in pairs if part_id}


def diff_page(page: BuilderPage, have: Mapping[str, str], again: str = "") -> FragmentChanges:
    """Collect what the browser lacks. `again` is the id of a fragment to send even if it did not change."""
    swaps = FragmentChanges()

    def put(part: Fragment) -> None:
        if part.id == again or have.get(part.id) != part.key:
            part.oob = True
            swaps.whole.append(part)

    for part in (
        page.titles,
        page.notices,
        page.ways,
        page.undo,
        page.shelf,
        page.settings,
        page.verdict,
        page.dock,
    ):
        put(part)
    _diff_offers(page, have, swaps, put)
    if have.get(page.order.id) != page.order.key:
        page.order.oob = True
        swaps.whole.append(page.order)
        return swaps
    put(page.kinds)
    for detachment in page.detachments:
        rows = [row.id for row in detachment.shows.units]
        if is_reordered(rows, have):
            detachment.oob = True
            swaps.whole.append(detachment)
            continue
        put(detachment.shows.head)
        _diff_rows(detachment.shows, have, swaps, put)
    now = {row.id for _, rows in page.units for row in rows}
    swaps.gone = [part_id for part_id in have if part_id.startswith("u-") and part_id not in now]
    return swaps


def _diff_offers(page: BuilderPage, have: Mapping[str, str], swaps: FragmentChanges, put: Any) -> None:
    if have.get(page.picks.id) != page.picks.key:
        page.picks.oob = True
        swaps.whole.append(page.picks)
        return
    for part in page.offers:
        put(part)


def _diff_rows(
    detachment: DetachmentFragments, have: Mapping[str, str], swaps: FragmentChanges, put: Any
) -> None:
    run: AddedRows | None = None
    before = ""
    for row in detachment.units:
        if row.id in have:
            put(row)
            before, run = row.id, None
            continue
        if run is None:
            run = AddedRows(f"afterend:#{before}" if before else f"afterbegin:#{detachment.rows}", [])
            swaps.added.append(run)
        run.rows.append(row)


def is_reordered(rows: list[str], have: Mapping[str, str]) -> bool:
    here = set(rows)
    return [r for r in rows if r in have] != [r for r in have if r in here]
