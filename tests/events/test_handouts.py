"""Handouts of an event: slips, seating, table tents, the judges' checklist."""

import io

import pytest
from django.urls import reverse
from pypdf import PdfReader

from roster.events.models import AuditRecord, Event, Pairing, Participant
from roster.events.pdf.handouts import HandoutJob
from roster.events.services.events import enter_player, set_blind
from roster.events.services.handouts import EventSeat, GameTable, Handout
from roster.pdf.sheet_options import PaperSize
from tests.events.cast import TWO_CUTTERS, Bench, opened, submit_text
from tests.extent import sample
from tests.roster.paper_promises import ELLIPSIS, find_page_faults
from tests.roster.paper_tools import words_in
from tests.roster.test_pdf_tags import check_accessible
from tests.roster.views_cast import SCRIPT

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NAMES = (
    "Zoë Vandenbroucke",
    "Łukasz Żółć",
    "Åsa Lindqvist",
    "Γιώργος Παπαδόπουλος",
    "Анна Соколова",
    "Maximilian-Alexander von Hohenzollern-Sigmaringen und zu Castell-Castell",
    "فاطمة الزهراء",
    "W" * 100,
)


@pytest.fixture
def bench() -> Bench:
    bench = opened("ann", "bob")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    pair(bench, 1, "ann", "bob")
    return bench


def pair(bench: Bench, number: int, *names: str) -> None:
    """Pair players in the order of their names; one that is left over has a bye."""
    players = [bench.event.participants.get(name=name) for name in names]
    for place in range(0, len(players), 2):
        first, *others = players[place : place + 2]
        second = others[0] if others else None
        table = str(place // 2 + 1)
        Pairing.objects.create(event=bench.event, round=number, table=table, place=place, first=first, second=second)


def fill(bench: Bench) -> None:
    """Enter players with difficult names, with lists, and pair all for round 2."""
    for name in NAMES:
        player = enter_player(bench.event, bench.people["ora"], name)
        assert isinstance(player, Participant)
        submit_text(player, TWO_CUTTERS, bench.people["ora"])
    pair(bench, 2, *NAMES, "ann")


def fetch(bench: Bench, kind: str, who: str = "ora", **query: str):
    return bench.client(who).get(reverse("events:handout", args=[bench.event.public_id, kind]), query)


def read(answer) -> PdfReader:
    assert answer.status_code == 200, answer.content.decode()
    assert answer["Content-Type"] == "application/pdf"
    pdf = PdfReader(io.BytesIO(answer.content))
    check_accessible(pdf)
    return pdf


def text_of(pdf: PdfReader) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in pdf.pages)


@pytest.mark.parametrize("kind", sample(Handout, 2))
def test_every_handout_has_all_names_whole_and_inside_the_page(bench, kind):
    fill(bench)
    answer = fetch(bench, kind, round="2")
    pdf = read(answer)
    text = text_of(pdf)
    if kind != Handout.TENTS:
        for name in NAMES[:6]:
            assert name.replace(" ", "") in text.replace(" ", ""), name
    assert "Autumn Muster" in text
    width, height = (float(side) * 25.4 / 72 for side in pdf.pages[0].mediabox[2:])
    for page in words_in(answer.content):
        assert not any(ELLIPSIS in word[4] for word in page)
        for left, top, right, bottom, word in page:
            assert (left > 3, top > 3, right < width - 3, bottom < height - 3) == (True,) * 4, (word, left, right)


def test_slips_are_four_on_a_page_for_games_only(bench):
    fill(bench)
    for kind in ("pairings", "results"):
        assert [len(read(fetch(bench, kind, round=number)).pages) for number in "12"] == [1, 1]
    # The bye has a line of the seating, but no slip and no result.
    assert "Bye" in text_of(read(fetch(bench, "seating", round="2")))
    assert "ann" not in text_of(read(fetch(bench, "results", round="2"))).split()


@pytest.mark.parametrize("paper", sample(PaperSize, 1))
def test_cut_piles_lie_in_the_order_of_tables(paper):
    seats = (EventSeat(name="A"), EventSeat(name="B"))
    tables = tuple(GameTable(name=f"T{number}", seats=seats, link="https://x.example/") for number in range(1, 11))
    job = HandoutJob(kind=Handout.RESULTS, event="Muster", about="", round=1, tables=tables, paper=paper)
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(job.make_pdf())).pages]
    order = [[table.name for table in tables if table.name in page.split()] for page in pages]
    assert order == [["T1", "T4", "T7", "T10"], ["T2", "T5", "T8"], ["T3", "T6", "T9"]]


@pytest.mark.parametrize("kind", [Handout.PAIRINGS, Handout.RESULTS])
def test_slips_cut_nothing_short(kind):
    event, army = "Autumn Muster of the Reed Wardens " * 3, "The seventh company of the long northern march " * 3
    name = "Maximilian-Alexander von Hohenzollern-Sigmaringen und zu Castell-Castell der Jüngere"
    seats = tuple(EventSeat(name=name, faction="Reed Wardens", list_name=army, points="2000") for _ in "AB")
    table = GameTable(name="Hall Two, Window 12", seats=seats, link="https://x.example/")
    pdf = HandoutJob(kind=kind, event=event.strip(), about=army.strip(), round=1, tables=(table,) * 4).make_pdf()
    (page,) = words_in(pdf)
    assert list(find_page_faults(page, "")) == []
    words = " ".join(word[4] for word in page)
    assert words.count("Jüngere") == (8 if kind is Handout.PAIRINGS else 16)
    assert words.count("Window") == 4


def test_the_last_round_is_printed_without_a_number(bench):
    fill(bench)
    assert "Result, round 2" in text_of(read(fetch(bench, "results")))


def test_two_hundred_players_find_their_table():
    tables = tuple(
        GameTable(
            name=str(number), seats=(EventSeat(name=f"Player {number}"), EventSeat(name=f"Rival {number}")), link=""
        )
        for number in range(1, 101)
    )
    job = HandoutJob(kind=Handout.SEATING, event="Muster", about="", round=3, tables=tables, link="https://x.example/")
    pages = words_in(job.make_pdf())
    assert len(pages) == 5
    assert {f"{number}" for number in range(1, 101)} <= {word for page in pages for *_place, word in page}


def test_the_checklist_says_what_nobody_has_checked(bench):
    submission = bench.entry("ann").current
    report = submission.report | {"unchecked": [{"code": "not-checked", "on": "warden", "text": "Is it a heron?"}]}
    type(submission).objects.filter(pk=submission.pk).update(report=report)
    text = text_of(read(fetch(bench, "checklist")))
    assert "☐ Is it a heron?" in text
    assert submission.paper_hash in text
    assert "Illegal" in text


def test_codes_lead_to_the_table(bench):
    from roster.events.services.handouts import list_tables

    (table,) = list_tables(bench.event, 1, "https://muster.example")
    page = bench.client("ora").get(table.link.removeprefix("https://muster.example"))
    assert f'id="{table.link.partition("#")[2]}"' in page.content.decode()


def test_who_may_print_handouts(bench):
    for kind in Handout:
        statuses = {who: fetch(bench, kind, who).status_code for who in ("ora", "jud", "ann", "sue", "")}
        assert statuses == {"ora": 200, "jud": 200, "ann": 404, "sue": 404, "": 404}
        assert bench.client("ora").post(fetch(bench, kind).request["PATH_INFO"]).status_code == 405
    assert AuditRecord.objects.filter(act="print-papers").count() == 2 * len(Handout)
    set_blind(bench.event, bench.people["ora"], bench.event.roles.get(user=bench.people["jud"]), blind=True)
    assert [fetch(bench, kind, "jud").status_code for kind in Handout] == [403, 200, 200, 200, 403]


def test_what_cannot_be_printed_is_explained(bench):
    assert fetch(bench, "posters").status_code == 404
    assert fetch(bench, "tents", paper="a0").status_code == 400
    for number in ("9", "0" * 3 + "9"):
        answer = fetch(bench, "seating", round=number)
        assert (answer.status_code, "Import them first" in answer.content.decode()) == (422, True)
    # A round that is no number counts as none given.
    assert fetch(bench, "seating", round="x" * 50).status_code == 200


def test_an_event_without_lists_has_nothing_to_print():
    empty = opened("ann")
    page = reverse("events:print", args=[empty.event.public_id])
    assert "no player has submitted a list" in empty.client("ora").get(page).content.decode()
    for kind in Handout:
        assert fetch(empty, kind).status_code == 422


def test_the_print_page_offers_them(bench):
    page = bench.client("ora").get(reverse("events:print", args=[bench.event.public_id])).content.decode()
    addresses = [f"{reverse('events:handout', args=[bench.event.public_id, kind])}?round=1" for kind in Handout]
    assert [address in page for address in addresses] == [True] * 5


@pytest.mark.parametrize("kind", sample(Handout, 2))
def test_names_are_text_on_handouts(bench, kind):
    Participant.objects.filter(name="ann").update(name=SCRIPT)
    Event.objects.update(name=SCRIPT, place=SCRIPT)
    assert SCRIPT in text_of(read(fetch(bench, kind)))
