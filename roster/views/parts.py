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
from roster.views.said import Need, Said


@dataclass(slots=True, kw_only=True)
class Part:
    """A piece of the page. `oob`: in an answer to an edit it takes the place of the piece that has its id."""

    id: str
    template: str
    shows: Any = None
    key: str = ""
    oob: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A detachment's name, figures, slots, and what it still needs."""

    detachment: DetachmentRow
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """The kinds of detachment to choose from: to add one, or to change the detachment `instead` into it."""

    forces: tuple[ForceOffer, ...]
    instead: DetachmentRow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A field of the form for what is spent at most."""

    field: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The form about the list itself. `typed`: its words were refused, and are kept to be mended."""

    name: str
    player: str
    event: str
    notes: str
    rules: str
    limits: tuple[Limit, ...]
    typed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a unit can do, with everything it has now: profiles in the order of their tables, and rules, each once."""

    profiles: tuple[EffectiveProfile, ...]
    rules: tuple[EffectiveRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A unit, closed or opened.

    `wrong` are the breaches it is to blame for, `needs` what it still lacks, `up` and `down` its place after
    a move; None where there is no way.
    """

    unit: UnitRow
    wrong: tuple[Said, ...]
    needs: tuple[Need, ...]
    opened: OpenedUnit | None
    card: Card | None
    up: int | None
    down: int | None

    @property
    def state(self) -> str:
        """Classes for the row, each with a blank before it."""
        hit = " hit" if any(v.kind == "illegal" for v in self.wrong) else " hit mend" if self.wrong else ""
        return hit + (" open" if self.opened else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentParts:
    node: str
    depth: int
    rows: str
    head: Part
    units: list[Part]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All parts. `order` stands for the order of the detachments, `picks` for what is on offer and in which order."""

    titles: Part
    notices: Part
    ways: Part
    undo: Part
    shelf: Part
    picks: Part
    offers: list[Part]
    settings: Part
    order: Part
    detachments: list[Part]
    kinds: Part
    verdict: Part
    dock: Part

    @property
    def units(self) -> Iterator[tuple[str, list[Part]]]:
        """The id of each list of rows with its rows."""
        for part in self.detachments:
            yield part.shows.rows, part.shows.units

    @property
    def none_found(self) -> bool:
        """Whether the search leaves nothing of what is on offer."""
        return bool(self.offers) and not any(part.shows.units for part in self.offers)

    def row(self, node_id: str) -> Part | None:
        """The row of a unit."""
        return next((row for _, rows in self.units for row in rows if row.shows.unit.id == node_id), None)


@dataclass(slots=True)
class Added:
    """New rows and where they go, as htmx writes it."""

    place: str
    rows: list[Part]


@dataclass(slots=True)
class Swaps:
    """What an answer changes on the page: parts replaced, parts gone, rows put in."""

    whole: list[Part] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    added: list[Added] = field(default_factory=list)


def key_of(*shown: object) -> str:
    """A short text that differs when what is shown differs."""
    return f"{zlib.crc32(msgspec.json.encode(shown)):x}"


def read_have(text: str) -> dict[str, str]:
    """What the browser has: "id:key,id:key" in the order of the page. Anything else counts as nothing."""
    pairs = (piece.rpartition(":") for piece in text[:200_000].split(","))
    return {part_id: key for part_id, _, key in pairs if part_id}


def differences(page: Page, have: Mapping[str, str], again: str = "") -> Swaps:
    """What the browser lacks. `again` is the id of a part to send even if it did not change."""
    swaps = Swaps()

    def put(part: Part) -> None:
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
    _offers(page, have, swaps, put)
    if have.get(page.order.id) != page.order.key:
        page.order.oob = True
        swaps.whole.append(page.order)
        return swaps
    put(page.kinds)
    for detachment in page.detachments:
        rows = [row.id for row in detachment.shows.units]
        if _reordered(rows, have):
            detachment.oob = True
            swaps.whole.append(detachment)
            continue
        put(detachment.shows.head)
        _rows(detachment.shows, have, swaps, put)
    now = {row.id for _, rows in page.units for row in rows}
    swaps.gone = [part_id for part_id in have if part_id.startswith("u-") and part_id not in now]
    return swaps


def _offers(page: Page, have: Mapping[str, str], swaps: Swaps, put: Any) -> None:
    if have.get(page.picks.id) != page.picks.key:
        page.picks.oob = True
        swaps.whole.append(page.picks)
        return
    for part in page.offers:
        put(part)


def _rows(detachment: DetachmentParts, have: Mapping[str, str], swaps: Swaps, put: Any) -> None:
    run: Added | None = None
    before = ""
    for row in detachment.units:
        if row.id in have:
            put(row)
            before, run = row.id, None
            continue
        if run is None:
            run = Added(f"afterend:#{before}" if before else f"afterbegin:#{detachment.rows}", [])
            swaps.added.append(run)
        run.rows.append(row)


def _reordered(rows: list[str], have: Mapping[str, str]) -> bool:
    here = set(rows)
    return [r for r in rows if r in have] != [r for r in have if r in here]
