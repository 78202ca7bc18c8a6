"""A site is killed while users work: everything acknowledged is stored, and nothing is half done.

Processes are ended by SIGKILL, like a crash, lack of memory or a power cut. Each fault is one run of many seconds.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from typing import Any

import pytest

from tests.bench.builder_edit import REVISION, Builder
from tests.bench.serving import Visitor
from tests.service.site import Site, open_site

pytestmark = [pytest.mark.slow, pytest.mark.complete, pytest.mark.postgres]


WRITERS = 3
ROUNDS = 3
LONGEST = 90
"""A site is killed after this many seconds at the latest; usually as soon as enough was done."""
BROKEN = (OSError, HTTPException, AssertionError, AttributeError)
"""Errors of a visitor whose server is killed: no connection, half an answer, or no page."""

STATE = """
import json, sys
from django.conf import settings
from django.db import connection
from roster.models import Roster, RosterRevision
from roster.services.evaluation import hash_document
lists, wrong = {}, []
for roster in Roster.objects.exclude(owner_key="", owner=None):
    revisions = {one.number: one for one in roster.revisions.all()}
    lists[roster.public_id] = roster.name
    if roster.head not in revisions or max(revisions) != roster.last:
        wrong.append(f"{roster.public_id}: no head")
    elif revisions[roster.head].document != roster.document:
        wrong.append(f"{roster.public_id}: head is another document")
    for one in revisions.values():
        if hash_document(one.document) != one.content_hash:
            wrong.append(f"{roster.public_id}: revision {one.number} is damaged")
if connection.vendor == "sqlite":
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        if cursor.fetchone() != ("ok",):
            wrong.append("integrity")
print(json.dumps({"lists": lists, "wrong": wrong, "number": Roster.objects.count()}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("site")) as opened:
        yield opened


class Writer:
    """A user who renames a list repeatedly, and remembers the last acknowledged name."""

    def __init__(self, site: Site) -> None:
        self.builder = Builder(site.visit())
        self.builder.look()
        self.public_id = self.builder.address.split("/")[2]
        self.acknowledged, self.asked = "", ""
        self.edits = 0

    def write(self, until: Callable[[], bool]) -> None:
        with suppress(*BROKEN):
            while not until():
                self.asked = f"name {self.edits + 1}"
                self.builder.edit(do="rename", node="", text=self.asked)
                self.acknowledged = self.asked
                self.edits += 1


def have_edited(writers: list[Writer], number: int) -> bool:
    return sum(writer.edits for writer in writers) >= number


def run_until_killed(
    site: Site, acts: list[Callable[[Callable[[], bool]], None]], is_enough: Callable[[], bool]
) -> None:
    """Let all act at once, kill the site meanwhile, and wait until all have noticed."""
    over = threading.Event()
    threads = [threading.Thread(target=act, args=(over.is_set,), daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    end = time.monotonic() + LONGEST
    while not is_enough() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.3)
    site.kill()
    over.set()
    for thread in threads:
        thread.join(timeout=90)


def read_state(site: Site) -> Any:
    return site.run_code(STATE)


def test_no_acknowledged_edit_is_lost(site: Site) -> None:
    for _ in range(ROUNDS):
        site.start()
        writers = [Writer(site) for _ in range(WRITERS)]
        run_until_killed(site, [writer.write for writer in writers], partial(have_edited, writers, 12))
        state = read_state(site)
        assert state["wrong"] == []
        assert sum(writer.edits for writer in writers) > 0
        for writer in writers:
            # The last request may have been stored before the answer was sent.
            assert state["lists"][writer.public_id] in (writer.acknowledged, writer.asked)
        # The site recovers unaided.
        site.start()
        again = Writer(site)
        again.builder.edit(do="rename", node="", text="Afterwards")
        site.kill()


LIST = b"list: 1\ngame: reeds-and-rust\nfaction: marsh-compact\nname: Brought in\n"


def bring_in(visitor: Visitor) -> None:
    boundary = "----reeds"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.yaml"\r\n\r\n'.encode()
        + LIST
        + f"\r\n--{boundary}--\r\n".encode()
    )
    headers = {
        "Content_Type": f"multipart/form-data; boundary={boundary}",
        "X_CSRFToken": visitor.cookies.get("csrftoken", ""),
    }
    status, _ = visitor._send("POST", "/rosters/import/", body, headers)
    assert status in (302, 303), status


def test_an_import_is_there_or_not_at_all(site: Site) -> None:
    done = []

    def bring(until: Callable[[], bool]) -> None:
        visitor = site.visit()
        with suppress(*BROKEN):
            visitor.get("/rosters/import/")
            while not until():
                bring_in(visitor)
                done.append(1)

    before = read_state(site)["number"]
    site.start()
    run_until_killed(site, [bring, bring], lambda: len(done) > 4)
    state = read_state(site)
    assert state["wrong"] == []
    assert done
    # Two may have been stored without an answer.
    assert len(done) <= state["number"] - before <= len(done) + 2


EVENT = """
import json
from datetime import timedelta
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from catalogue.models import GameSystem
from roster.events.services.events import change_event, create_event, join_event, set_status
ora = User.objects.create_user("ora")
event = create_event(ora, GameSystem.objects.get(slug="reeds-and-rust").current, "Muster")
change_event(event, ora, {"deadline": timezone.now() + timedelta(days=1)})
set_status(event, ora, "open")
players = []
for number in range(3):
    user, client = User.objects.create_user(f"player{number}"), Client()
    client.force_login(user)
    entry = join_event(event, user)
    players.append([entry.public_id, client.cookies["sessionid"].value])
print(json.dumps({"event": event.public_id, "players": players}))
"""
SUBMITTED = """
import json
from roster.events.models import AuditRecord, Participant
from roster.services.evaluation import hash_document
current, wrong = {}, []
for entry in Participant.objects.select_related("current"):
    kept = list(entry.submissions.order_by("number"))
    current[entry.public_id] = entry.current.number if entry.current else 0
    if [one.number for one in kept] != list(range(1, len(kept) + 1)):
        wrong.append(f"{entry.public_id}: a number is missing, or there twice")
    if kept and entry.current != kept[-1]:
        wrong.append(f"{entry.public_id}: another list is the current one")
    if kept and (entry.verdict, entry.points) != (kept[-1].verdict, kept[-1].points):
        wrong.append(f"{entry.public_id}: the table shows another verdict")
    if any(hash_document(one.document) != one.content_hash for one in kept):
        wrong.append(f"{entry.public_id}: a list is damaged")
    if AuditRecord.objects.filter(participant=entry, act="submit").count() != len(kept):
        wrong.append(f"{entry.public_id}: the log and the lists differ")
print(json.dumps({"current": current, "wrong": wrong}))
"""
MOST_SENT = 45
"""Below the number of lists that a player may submit for an event."""


class Player:
    """A user who submits lists for an event, and remembers the last receipt."""

    def __init__(self, site: Site, event: str, public_id: str, session: str) -> None:
        self.visitor, self.public_id, self.received = site.visit(), public_id, 0
        self.visitor.cookies |= {"sessionid": session, "csrftoken": "c" * 32}
        self.address = f"/api/v1/events/{event}/players/{public_id}/"

    def submit(self, until: Callable[[], bool]) -> None:
        with suppress(*BROKEN):
            while not until() and self.received < MOST_SENT:
                text = LIST.decode().replace("Brought in", f"List {self.received + 1}")
                body = json.dumps({"list": text, "submit": True}).encode()
                status, answer = self.visitor.post_json(self.address, body)
                assert status == 201, answer
                self.received = json.loads(answer)["number"]


def test_no_list_that_was_received_for_an_event_is_lost(site: Site) -> None:
    event: Any = site.run_code(EVENT)
    site.start(worker=True)
    players = [Player(site, event["event"], *player) for player in event["players"]]
    run_until_killed(
        site, [player.submit for player in players], lambda: sum(player.received for player in players) >= 12
    )
    state: Any = site.run_code(SUBMITTED)
    assert state["wrong"] == []
    assert sum(player.received for player in players) > 0
    for player in players:
        # The last one may have been stored before its receipt was sent.
        assert state["current"][player.public_id] - player.received in (0, 1)
    # The site recovers unaided.
    site.start()
    again = Player(site, event["event"], *event["players"][0])
    status, answer = again.visitor.post_json(
        again.address, json.dumps({"list": LIST.decode(), "submit": True}).encode()
    )
    assert status == 201, answer
    site.kill()


def test_a_print_that_was_cut_off_holds_nobody_up(site: Site) -> None:
    site.start()
    builder = Builder(site.visit())
    sheet = f"/r/{builder.address.split('/')[2]}/sheet.pdf"

    def print_it(until: Callable[[], bool]) -> None:
        with suppress(*BROKEN):
            site.visit().get(sheet)

    run_until_killed(site, [print_it], lambda: (site.folder / "pdf").exists())
    site.start()
    visitor = builder.visitor
    answers = ask_until_printed(visitor, sheet, 60)
    assert answers[-1] == 200
    site.kill()


def ask_until_printed(visitor: Visitor, address: str, seconds: float) -> list[int]:
    """Request a sheet as a waiting browser does; return the statuses of all answers."""
    answers = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        status, _ = visitor.get(address)
        answers.append(status)
        if status != 503:
            break
        time.sleep(2)
    return answers


JOB = """
import json
from django.contrib.auth.models import User
from catalogue.models import Job
from catalogue.services.jobs import start_job
user, _ = User.objects.get_or_create(username="printer")
job = start_job(user, "print", "Prints", {"lists": [], "options": {}, "site": "http://x", "address": "/rosters/"})
print(json.dumps(job.pk))
"""
JOBS = """
import json
from catalogue.models import Job
print(json.dumps([job.state for job in Job.objects.order_by("pk")]))
"""


def test_work_of_a_killed_worker_is_done_by_the_next(site: Site) -> None:
    site.run_code(JOB)
    site.start(worker=True)
    site.kill()
    site.run_code(JOB)
    site.start(worker=True)
    end = time.monotonic() + 60
    while (states := site.run_code(JOBS)) and "waiting" in str(states) and time.monotonic() < end:
        time.sleep(0.5)
    site.kill()
    assert states
    # A job that was running when it was killed is locked for five minutes; then its page continues it.
    assert "waiting" not in str(states)


def test_fifty_sheets_asked_for_at_once_are_all_made(site: Site) -> None:
    site.start()
    number = 50
    visitor = site.visit()
    sheets = []
    for _ in range(number):
        builder = Builder(visitor)
        builder.look()
        builder.edit(do="rename", node="", text=f"Sheet {len(sheets)}")
        sheets.append(f"/r/{builder.address.split('/')[2]}/sheet.pdf")
    assert len(set(sheets)) == number
    answers: dict[str, list[int]] = {}

    def ask(sheet: str) -> None:
        answers[sheet] = ask_until_printed(site.visit(), sheet, 300)

    threads = [threading.Thread(target=ask, args=(sheet,), daemon=True) for sheet in sheets]
    for thread in threads:
        thread.start()
    slowest = 0.0
    while any(thread.is_alive() for thread in threads):
        begin = time.monotonic()
        status, _ = visitor.get("/games/")
        slowest = max(slowest, time.monotonic() - begin)
        assert status == 200
        time.sleep(0.5)
    site.kill()
    assert {statuses[-1] for statuses in answers.values()} == {200}
    assert {status for statuses in answers.values() for status in statuses} <= {200, 503}


def test_a_lost_connection_to_the_database_is_found_again(site: Site) -> None:
    if not site.environment["DATABASE_URL"]:
        pytest.skip("SQLite has no connection to lose")
    import psycopg

    site.start()
    writer = Writer(site)
    writer.builder.edit(do="rename", node="", text="Before")
    with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    # An answer may be 503 if its connection was in use; after that it works again.
    statuses = [writer.builder.visitor.get("/rosters/")[0] for _ in range(4)]
    assert set(statuses) <= {200, 503}
    assert statuses[-1] == 200
    writer.builder.edit(do="rename", node="", text="After")
    site.kill()
    assert read_state(site)["lists"][writer.public_id] == "After"


FULL = 300_000
"""The maximum file size in bytes: enough for some of SQLite's write-ahead log."""


def test_a_full_disk_loses_nothing_and_pages_go_on(site: Site) -> None:
    """A limit on the size of files simulates the full disk."""
    if site.environment["DATABASE_URL"]:
        pytest.skip("The disk of PostgreSQL is that of the server of all tests")
    site.start()
    writer = Writer(site)
    writer.builder.edit(do="rename", node="", text="Before")
    writer.acknowledged = "Before"
    site.kill()
    site.file_limit = FULL
    site.start()
    visitor, statuses = writer.builder.visitor, []
    for number in range(200):
        fields = {"do": "rename", "node": "", "text": f"Name {number}", "revision": writer.builder.revision}
        status, answer = visitor.post(writer.builder.address + "edits/", fields, HX_Request="true")
        statuses.append(status)
        if status != 200:
            break
        writer.acknowledged = fields["text"]
        writer.builder.revision = REVISION.findall(answer)[-1].decode()
    assert statuses[-1] == 503, statuses
    assert visitor.get("/games/")[0] == 200
    site.kill()
    site.file_limit = 0
    state = read_state(site)
    assert state["wrong"] == []
    assert state["lists"][writer.public_id] == writer.acknowledged
