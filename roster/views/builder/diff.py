"""Find what the response to an edit changes on the page."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from roster.views.builder.fragments import Fragment
from roster.views.builder.page import BuilderPage
from roster.views.builder.shapes import DetachmentPanel


@dataclass(slots=True)
class AddedRows:
    """New rows and where htmx inserts them, such as `afterend:#u-1`."""

    place: str
    rows: list[Fragment]


@dataclass(slots=True)
class FragmentChanges:
    """Each `shared` fragment replaces several equal fragments."""

    whole: list[Fragment] = field(default_factory=list)
    shared: list[Fragment] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    added: list[AddedRows] = field(default_factory=list)

    def send(self, part: Fragment) -> None:
        self.whole.append(part.replace_on_page())

    def send_once(self, parts: list[Fragment]) -> None:
        by_key: dict[str, list[Fragment]] = {}
        for part in parts:
            by_key.setdefault(part.key, []).append(part)
        self.shared += [alike[0].stand_for(tuple(part.id for part in alike)) for alike in by_key.values()]


def read_client_keys(text: str) -> dict[str, str]:
    """Read the browser's keys, "id.key id.key"; ignore anything else."""
    # Forms do not escape these characters.
    pairs = (piece.rpartition(".") for piece in text[:200_000].split(" "))
    return {part_id: key for part_id, _, key in pairs if part_id}


def diff_page(page: BuilderPage, have: Mapping[str, str], again: str = "") -> FragmentChanges:
    """Collect the largest fragments that differ from the browser's keys `have`, and the fragment `again`."""
    changes = FragmentChanges()
    shared: list[Fragment] = []

    def put(part: Fragment) -> None:
        if part.id and (part.id == again or have.get(part.id) != part.key):
            if part.is_shared:
                shared.append(part)
            else:
                changes.send(part)
            return
        for inner in part.nested:
            put(inner)

    for part in (page.titles, page.notices, page.strip, page.undo, page.shelf, page.settings, page.verdict, page.dock):
        put(part)
    put(page.picks)
    changes.send_once(shared)
    if have.get(page.order.id) != page.order.key:
        changes.send(page.order)
        return changes
    put(page.kinds)
    for detachment in page.detachments:
        shows: DetachmentPanel = detachment.shows
        here = {row.id for row in shows.units}
        if [row.id for row in shows.units if row.id in have] != [row_id for row_id in have if row_id in here]:
            changes.send(detachment)
            continue
        put(shows.head)
        put(shows.inside)
        _add_rows(changes, shows, have)
        for row in shows.units:
            if row.id in have:
                put(row)
    now = {row.id for row in page.rows}
    changes.gone = [part_id for part_id in have if part_id.startswith("u-") and part_id not in now]
    return changes


def diff_rows(page: BuilderPage, had: Collection[str]) -> FragmentChanges:
    changes = FragmentChanges()
    for detachment in page.detachments:
        _add_rows(changes, detachment.shows, had)
    now = {row.id for row in page.rows}
    changes.gone = [row_id for row_id in had if row_id not in now]
    return changes


def _add_rows(changes: FragmentChanges, detachment: DetachmentPanel, have: Collection[str]) -> None:
    place = f"afterbegin:#{detachment.rows}"
    run: AddedRows | None = None
    for row in detachment.units:
        if row.id in have:
            place, run = f"afterend:#{row.id}", None
        elif run is None:
            run = AddedRows(place, [row])
            changes.added.append(run)
        else:
            run.rows.append(row)
