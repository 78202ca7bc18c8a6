"""Print all lists of an event in the background: print and store each one, then join them."""

import io
import time
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalogue.models import Job
from catalogue.services.jobs import Step, start_job
from roster.events.models import Event, Pairing, Participant, Submission, SubmissionStatus
from roster.events.models.event import ListVerdict
from roster.events.pdf.booklet import BookletJob, BookletPart, ContentsColumn
from roster.events.pdf.submitted_sheet import DECK, UNITS, create_submitted_job
from roster.events.pdf.table_sheet import TableSeat, TableSheetJob
from roster.events.services.audit import record_act
from roster.events.services.pairings import find_next_round
from roster.events.services.teams import list_doubled, weigh_verdict
from roster.formats.list_text import make_sort_key
from roster.pdf.render_lock import RendererBusy
from roster.pdf.sheet_options import SheetOptions, read_options
from roster.services.outcomes import Refused

BOOKLET_JOB = "event-booklet"
"""The job that prints an event. Arguments: `event`; `round` of the table sheets, 0 for lists; `items`, the keys of
players and submissions or of pairings; `options`, `cards`; `site`, the address of this server; `ending` of the file;
`after`, the number of finished items; `failed`, the positions of items that took too long.
"""
PDF, ZIP = "pdf", "zip"
CARD_KINDS = (UNITS, DECK)
LOADED_AT_ONCE = 20
PAUSE = 1.0
"""Seconds that a step waits if the renderer is busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletChoice:
    options: SheetOptions
    cards: tuple[str, ...] = ()
    accepted: bool = False
    ending: str = PDF


def start_booklet(event: Event, user: User, choice: BookletChoice, site: str) -> Job | Refused:
    """Start a job that prints the current lists. Refuses `no-lists`.

    The log records it, because printing shows every list.
    """
    players = event.participants.filter(dropped=False).select_related("team")
    if choice.accepted:
        players = players.filter(status=SubmissionStatus.ACCEPTED)
    ordered = sorted(
        players, key=lambda player: (make_sort_key(player.team_name), make_sort_key(player.name), player.pk)
    )
    items = [(player.pk, player.current_id) for player in ordered]
    # Players without a list get a line in the contents, but at least one list is needed.
    if not any(current for _player, current in items):
        return Refused(code="no-lists")
    record_act(event, user, "print", detail=str(len(items)))
    arguments = _collect_arguments(event, items, choice, site)
    return start_job(user, BOOKLET_JOB, _("All lists of %(event)s") % {"event": event.name}, arguments)


def start_table_sheets(event: Event, user: User, number: int, options: SheetOptions, site: str) -> Job:
    record_act(event, user, "print-tables", detail=str(number))
    items = list(event.pairings.filter(round=number).values_list("pk", flat=True))
    arguments = _collect_arguments(event, items, BookletChoice(options=options), site) | {"round": number}
    name = _("Table sheets of round %(number)d: %(event)s") % {"number": number, "event": event.name}
    return start_job(user, BOOKLET_JOB, name, arguments)


def _collect_arguments(event: Event, items: Sequence[Any], choice: BookletChoice, site: str) -> dict[str, Any]:
    options = choice.options
    return {
        "event": event.pk,
        "round": 0,
        "items": items,
        "options": {"paper": options.paper.value, "style": options.style.value, "ink": options.ink.value},
        "cards": list(choice.cards),
        "site": site,
        "ending": choice.ending,
        "after": 0,
        "failed": [],
    }


def do_booklet_step(job: Job, seconds: float) -> Step:
    arguments, end = job.arguments, time.monotonic() + seconds
    event, items = find_printed_event(job), arguments["items"]
    done: int = arguments["after"]
    if done == len(items):
        return _finish_booklet(job, event)
    failed: list[int] = arguments["failed"]
    for part in load_parts(event, job, done, done + LOADED_AT_ONCE):
        try:
            part.render_paper()
        except RendererBusy as busy:
            # The next step starts with the same printout.
            if not busy.too_slow:
                time.sleep(PAUSE)
                break
            failed.append(done)
        done += 1
        # Each step renders at least one printout, so that a slow machine finishes.
        if time.monotonic() > end:
            break
    job.arguments = arguments | {"after": done, "failed": failed}
    return Step(done, len(items) + 1)


def _finish_booklet(job: Job, event: Event) -> Step:
    total = len(job.arguments["items"]) + 1
    # An archive is built when it is downloaded.
    if job.arguments["ending"] == PDF:
        try:
            load_booklet(event, job).render()
        except RendererBusy as busy:
            if busy.too_slow:
                return Step(total, total, {"wrong": _("This took too long. Print fewer lists at once.")}, is_last=True)
            time.sleep(PAUSE)
            return Step(total - 1, total)
    address = reverse("events:print", args=[event.public_id]) + f"?job={job.public_id}"
    return Step(total, total, {"address": address}, is_last=True)


def find_printed_event(job: Job) -> Event:
    return Event.objects.select_related("version__game").get(pk=job.arguments["event"])


def load_booklet(event: Event, job: Job) -> BookletJob:
    number = job.arguments["round"]
    about = _("Round %(number)s") % {"number": number} if number else str(event.version.game)
    return BookletJob(
        title=event.name,
        subtitle=" · ".join(filter(None, (about, event.place))),
        columns=_name_table_columns() if number else _name_list_columns(),
        parts=tuple(load_parts(event, job)),
        options=read_options(job.arguments["options"]),
        identity=event.version.game.identity,
    )


def _name_list_columns() -> tuple[ContentsColumn, ...]:
    return (
        ContentsColumn(_("Player"), 0.29, "semi"),
        ContentsColumn(_("Faction"), 0.19),
        ContentsColumn(_("Roster"), 0.21),
        ContentsColumn(_("Points"), 0.1, is_number=True),
        ContentsColumn(_("Verdict"), 0.13),
        ContentsColumn(pgettext("furniture", "Table"), 0.08, is_number=True),
    )


def _name_table_columns() -> tuple[ContentsColumn, ...]:
    return (
        ContentsColumn(pgettext("furniture", "Table"), 0.16, "semi"),
        ContentsColumn(_("First player"), 0.42),
        ContentsColumn(_("Second player"), 0.42),
    )


def load_parts(event: Event, job: Job, begin: int = 0, end: int | None = None) -> list[BookletPart]:
    """Load a range of a job's parts, in order. A part that took too long is not printed."""
    arguments = job.arguments
    items, failed = arguments["items"][begin:end], arguments["failed"]
    parts = _load_tables(event, arguments, items) if arguments["round"] else _load_lists(event, arguments, items)
    too_long = _("This took too long.")
    return [
        replace(part, job=None, cells=(*part.cells[:2], too_long, *part.cells[3:])) if index in failed else part
        for index, part in enumerate(parts, begin)
    ]


def _load_lists(
    event: Event, arguments: Mapping[str, Any], items: Sequence[tuple[int, int | None]]
) -> list[BookletPart]:
    players = event.participants.select_related("team").in_bulk([player for player, _current in items])
    submissions = select_printed().in_bulk([current for _player, current in items if current])
    options, site = read_options(arguments["options"]), arguments["site"]
    cards = tuple(kind for kind in CARD_KINDS if kind in arguments["cards"])
    tables = _find_tables(event)
    doubled = list_doubled(event) if event.is_team else {}
    parts = []
    for player_id, current_id in items:
        player, submission = players.get(player_id), submissions.get(current_id or 0)
        # A player who was removed since the job began keeps a line, so that the other parts keep their places.
        if player is None:
            parts.append(BookletPart(title="", cells=(_("No longer available"), "", "", "", "", "")))
            continue
        name, table = name_player(player), tables.get(player_id, "")
        if submission is None:
            parts.append(BookletPart(title=name, cells=(name, "", _("No list"), "", "", table)))
        elif not submission.document:
            parts.append(BookletPart(title=name, cells=(name, "", _("Unreadable"), "", "", table)))
        else:
            submission.participant = player
            job = create_submitted_job(event, submission, options, site, cards=cards, player=name)
            verdict = str(ListVerdict(weigh_verdict(player.verdict, player.pk in doubled)).label)
            cells = (name, submission.faction, submission.tree.name, submission.points, verdict, table)
            parts.append(BookletPart(title=name, cells=cells, job=job))
    return parts


def _find_tables(event: Event) -> dict[int, str]:
    tables = {}
    for table, first, second in event.pairings.filter(round=find_next_round(event) - 1).values_list(
        "table", "first_id", "second_id"
    ):
        tables[first] = table
        if second:
            tables[second] = table
    return tables


def select_printed() -> QuerySet[Submission]:
    related = ("version__game", "homebrew__origin__homebrew_set__owner__player_name")
    unread = ("homebrew__origin__document", "homebrew__origin__homebrew_set__working")
    return Submission.objects.select_related(*related).defer("report", "text", "search_text", *unread)


def _load_tables(event: Event, arguments: Mapping[str, Any], items: Sequence[int]) -> list[BookletPart]:
    related = ("first__team", "second__team")
    pairings = event.pairings.select_related(*related).in_bulk(items)
    players = chain.from_iterable((pairing.first, pairing.second) for pairing in pairings.values())
    submission_ids = {player.current_id for player in players if player}
    submissions = select_printed().in_bulk(submission_ids - {None})
    return [_build_table(event, arguments, pairings.get(item), submissions) for item in items]


def _build_table(
    event: Event, arguments: Mapping[str, Any], pairing: Pairing | None, submissions: Mapping[int, Submission]
) -> BookletPart:
    if pairing is None:
        return BookletPart(title="", cells=(_("No longer available"), "", ""))
    table = _("Table %(table)s") % {"table": pairing.table}
    players = list(filter(None, (pairing.first, pairing.second)))
    names = [name_player(player) for player in players]
    title = f"{table}: {' – '.join(names)}"
    if pairing.second is None:
        return BookletPart(title=title, cells=(pairing.table, *names, pgettext("no opponent", "Bye")))

    options = read_options(arguments["options"])
    seats = []
    for player, name in zip(players, names, strict=True):
        seat_title = f"{table} · {name}"
        submission = submissions.get(player.current_id or 0)
        sheet = None
        if submission is not None and submission.document:
            submission.participant = player
            sheet = create_submitted_job(event, submission, options, arguments["site"], title=seat_title)
        seats.append(TableSeat(title=seat_title, sheet=sheet))
    round_name = _("Round %(number)s") % {"number": pairing.round}
    job = TableSheetJob(seats=tuple(seats), subtitle=f"{event.name} · {round_name}", options=options)
    return BookletPart(title=title, cells=(pairing.table, *names), job=job)


def name_player(player: Participant) -> str:
    name = _("%(name)s (reserve)") % {"name": player.name} if player.is_reserve else player.name
    return f"{player.team.name}: {name}" if player.team else name


def write_archive(parts: Sequence[BookletPart]) -> io.BytesIO | None:
    archived = io.BytesIO()
    used: Counter[str] = Counter()
    with zipfile.ZipFile(archived, "w", zipfile.ZIP_STORED) as archive:
        for part in parts:
            if part.job is None:
                continue
            pdf = part.job.read_finished()
            if pdf is None:
                return None
            slug = slugify(part.title, allow_unicode=True)[:80] or "list"
            used[slug] += 1
            archive.writestr(f"{slug}.pdf" if used[slug] == 1 else f"{slug}-{used[slug]}.pdf", pdf)
    archived.seek(0)
    return archived
