"""Paper of an event: all lists in one file with contents, or a file per player; access and content."""

import io
import itertools
import zipfile

import pytest
from django.urls import reverse
from pypdf import PdfReader

from catalogue.models import Job
from roster.events.models import AuditRecord, Event, Participant
from roster.events.services.events import enter_player, set_blind
from roster.pdf.cache import PdfCache
from roster.pdf.render_lock import RendererBusy
from tests.events.cast import TWO_CUTTERS, Bench, opened, submit_text
from tests.roster.test_pdf_tags import check_accessible
from tests.roster.views_cast import SCRIPT

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def make(bench: Bench, who: str = "ora", **form: object) -> Job:
    """Start a print and run it."""
    answer = bench.client(who).post(reverse("events:print", args=[bench.event.public_id]), form)
    assert answer.status_code == 303, answer.content.decode()
    job = Job.objects.latest("pk")
    while job.is_open:
        bench.client(who).post(reverse("catalogue:job", args=[job.public_id]))
        job.refresh_from_db()
    return job


def fetch(bench: Bench, job: Job, who: str = "ora"):
    return bench.client(who).get(reverse("events:fetch-print", args=[bench.event.public_id, job.public_id]))


def read(answer) -> PdfReader:
    return PdfReader(io.BytesIO(b"".join(answer)))


@pytest.fixture
def bench() -> Bench:
    bench = opened("bob", "ann", "eve")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    return bench


def test_all_lists_are_one_file_with_contents(bench):
    job = make(bench)
    pdf = read(fetch(bench, job))
    pages = [page.extract_text() for page in pdf.pages]
    assert [name for name in ("ann", "bob", "eve") if name in pages[0]] == ["ann", "bob", "eve"]
    assert "Low water" in pages[0]
    # Each line of the contents links to its page, by name and number; players without a list have no page.
    starts = [pdf.get_destination_page_number(item) for item in pdf.outline]
    links = [annotation.get_object()["/Dest"] for annotation in pdf.pages[0]["/Annots"]]
    assert [pdf.get_page_number(link[0].get_object()) for link in links] == [start for start in starts for _ in "ab"]
    assert [item.title for item in pdf.outline] == ["ann", "bob"]
    assert [("ann" in pages[start], "bob" in pages[start]) for start in starts] == [(True, False), (False, True)]
    assert all(text.split()[-1] == str(number) for number, text in enumerate(pages, 1) if text)
    assert pdf.page_labels == [str(number) for number in range(1, len(pages) + 1)]


def test_each_list_can_be_handed_out_alone(bench):
    """Duplex printing puts each list and each sheet of cards on a leaf of its own, and each back behind its front."""
    for what in ([], ["units"]):
        pdf = read(fetch(bench, make(bench, what=what)))
        assert pdf.root_object["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipLongEdge"
        assert pdf.root_object["/ViewerPreferences"]["/PrintScaling"] == "/None"
        assert len(pdf.pages) % 2 == 0
        starts = [pdf.get_destination_page_number(item) for item in pdf.outline]
        assert [start % 2 for start in starts] == [0, 0]
        texts = [page.extract_text() for page in pdf.pages]
        for begin, end in itertools.pairwise([*starts, len(texts)]):
            fronts, backs = texts[begin:end:2], texts[begin + 1 : end : 2]
            assert all(fronts)
            if what:
                # The sheet with its blank back, then cards: units in front, the game at the back.
                assert ("Carries" in fronts[1], "Fenland" in backs[1]) == (True, True)
                assert "Carries" not in backs[1]


def test_the_file_is_tagged(bench):
    for form in ({}, {"what": "units"}, {"ending": "zip", "what": "units"}):
        answer = fetch(bench, make(bench, **form))
        if form.get("ending") == "zip":
            with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as archive:
                pdf = PdfReader(io.BytesIO(archive.read("ann.pdf")))
        else:
            pdf = read(answer)
            assert pdf.metadata.title == "Autumn Muster"
        check_accessible(pdf)


def test_people_are_sorted_as_people_sort(bench):
    for old, new in {"ann": "Zoë", "bob": "Łukasz", "eve": "Åsa"}.items():
        Participant.objects.filter(name=old).update(name=new)
    long = "Maximilian-Alexander von Hohenzollern-Sigmaringen und zu Castell-Castell-Rüdenhausen"
    player = enter_player(bench.event, bench.people["ora"], long)
    assert isinstance(player, Participant)
    text = " ".join(read(fetch(bench, make(bench))).pages[0].extract_text().split())
    places = [text.index(name) for name in ("Åsa", "Łukasz", "Maximilian-Alexander", "Zoë")]
    assert places == sorted(places)
    assert "Rüdenhausen" in text
    assert "…" not in text


def test_one_file_for_each_player(bench):
    enter = enter_player(bench.event, bench.people["ora"], "ann")
    assert isinstance(enter, Participant)
    submit_text(enter, TWO_CUTTERS, bench.people["ora"])
    answer = fetch(bench, make(bench, ending="zip", what="units"))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as archive:
        assert sorted(archive.namelist()) == ["ann-2.pdf", "ann.pdf", "bob.pdf"]
        texts = [PdfReader(io.BytesIO(archive.read(name))).pages[0].extract_text() for name in archive.namelist()]
    # The boxes of a block: the line of a unit has none.
    assert ["Models" in text for text in texts] == [True, True, True]


def test_papers_are_kept_and_used_again(bench, monkeypatch):
    make(bench)
    from roster.events.pdf.submitted_sheet import SubmittedSheetJob

    def refuse(self: object) -> bytes:
        raise AssertionError("made before")

    monkeypatch.setattr(SubmittedSheetJob, "make_pdf", refuse)
    assert make(bench).state == "done"


def test_the_paper_says_what_the_event_found(bench):
    job = make(bench)
    texts = " ".join(page.extract_text() for page in read(fetch(bench, job)).pages)
    assert "Take one unit of cutters." in texts
    assert "Autumn Muster" in texts


def test_who_may_print(bench):
    address = reverse("events:print", args=[bench.event.public_id])
    for who, status in {"ora": 200, "jud": 200, "ann": 404, "sue": 404, "": 404}.items():
        assert bench.client(who).get(address).status_code == status
        assert status == 200 or bench.client(who).post(address).status_code == 404
    job = make(bench)
    # Prints can be fetched neither by other users nor after losing the role.
    assert fetch(bench, job, "jud")["Location"] == address
    assert fetch(bench, job, "ann").status_code == 404
    set_blind(bench.event, bench.people["ora"], bench.event.roles.get(user=bench.people["ora"]), blind=True)
    assert (fetch(bench, job).status_code, bench.client("ora").post(address).status_code) == (403, 403)
    bench.event.roles.filter(user=bench.people["ora"]).delete()
    assert fetch(bench, job).status_code == 404


def test_prints_stand_in_the_log(bench):
    make(bench)
    assert AuditRecord.objects.filter(act="print", detail="3").count() == 1


def test_what_cannot_be_asked_for(bench):
    client, address = bench.client("ora"), reverse("events:print", args=[bench.event.public_id])
    for form in ({"style": "x"}, {"ending": "exe"}, {"accepted": "1"}):
        answer = client.post(address, form)
        assert (answer.status_code, answer.context["wrong"] != "") == (422, True)
    assert Job.objects.count() == 0


def test_a_list_that_takes_too_long_is_left_out_and_named(bench, monkeypatch):
    from roster.events.pdf.submitted_sheet import SubmittedSheetJob

    usual = SubmittedSheetJob.render

    def render(self: SubmittedSheetJob) -> bytes:
        if self.player == "bob":
            raise RendererBusy("slow", too_slow=True)
        return usual(self)

    monkeypatch.setattr(SubmittedSheetJob, "render", render)
    pdf = read(fetch(bench, make(bench)))
    assert [item.title for item in pdf.outline] == ["ann"]
    assert "bob" in pdf.pages[0].extract_text()


def test_a_busy_renderer_is_waited_for(bench, monkeypatch):
    from roster.events.pdf import booklet_steps
    from roster.events.pdf.submitted_sheet import SubmittedSheetJob

    usual, refusals = SubmittedSheetJob.render, iter([RendererBusy("others")])

    def render(self: SubmittedSheetJob) -> bytes:
        for refusal in refusals:
            raise refusal
        return usual(self)

    monkeypatch.setattr(booklet_steps, "PAUSE", 0)
    monkeypatch.setattr(SubmittedSheetJob, "render", render)
    assert len(read(fetch(bench, make(bench))).outline) == 2


def test_a_file_that_is_not_kept_any_more_is_printed_anew(bench, monkeypatch):
    jobs = [make(bench), make(bench, ending="zip")]
    monkeypatch.setattr(PdfCache, "get", lambda self, key: None)
    for job in jobs:
        assert fetch(bench, job).status_code == 303


def test_names_are_text_on_paper(bench):
    Participant.objects.filter(name="ann").update(name=SCRIPT)
    Event.objects.update(name=SCRIPT)
    pdf = read(fetch(bench, make(bench)))
    assert pdf.metadata.title == SCRIPT
    assert bench.client("ora").get(reverse("events:print", args=[bench.event.public_id])).status_code == 200
