"""The page behind the QR code of a printed sheet."""

import io
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from pypdf import PdfReader

from roster.models import Roster
from roster.pdf.sheet_job import SheetBatchJob, create_sheet_job
from roster.services.revisions import PaperState
from tests.markup import markup
from tests.roster.test_pdf_tags import check_accessible
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def owner() -> Owner:
    made = started()
    made.unit("warden")
    return made


def printed(owner: Owner) -> dict[str, str]:
    code = urlsplit(create_sheet_job(owner.roster, address="https://lists.example/r/x/").imprint.link)
    return {name: values[0] for name, values in parse_qs(code.query).items()}


def scanned(owner: Owner, paper: dict[str, str], client: Client | None = None) -> HttpResponse:
    answer = (client or Client()).get(owner.url("link"), paper)
    assert answer.status_code == 200
    return answer


def test_a_list_that_has_not_changed(owner: Owner) -> None:
    answer = scanned(owner, printed(owner))
    assert answer.context["shown"].paper is PaperState.SAME


def test_a_list_that_has_changed_since_is_shown_as_printed(owner: Owner) -> None:
    paper = printed(owner)
    owner.unit("giants")
    answer = scanned(owner, paper)
    page = markup(answer)
    assert answer.context["shown"].paper is PaperState.CHANGED
    assert "Wärden" in page
    assert "Giants" not in page
    assert "Giants" in markup(Client().get(owner.url("link")))


def test_changed_and_changed_back_is_the_same(owner: Owner) -> None:
    paper = printed(owner)
    owner.unit("giants")
    owner.done(do="undo")
    assert scanned(owner, paper).context["shown"].paper is PaperState.SAME


def test_nothing_of_the_stored_list_changes_by_looking(owner: Owner) -> None:
    paper = printed(owner)
    owner.unit("giants")
    before = Roster.objects.values().get()
    scanned(owner, paper)
    Client().get(owner.url("sheet"), paper)
    assert Roster.objects.values().get() == before


@pytest.mark.parametrize(
    "asked",
    [
        {"revision": "1"},
        {"revision": "1", "hash": ""},
        {"revision": "1", "hash": "0"},
        {"revision": "1", "hash": "00000000"},
        {"revision": "99", "hash": "00000000"},
        {"revision": "0"},
        {"revision": "-1", "hash": "x" * 64},
        {"revision": "9" * 40, "hash": "x"},
        {"revision": SCRIPT, "hash": SCRIPT},
        {"revision": "²", "hash": "\x00"},
        {"hash": "00000000"},
    ],
)
def test_an_edited_paper_is_found_out_and_opens_nothing(owner: Owner, asked: dict[str, str]) -> None:
    answer = scanned(owner, asked)
    assert answer.context["shown"].paper is PaperState.UNKNOWN
    assert answer.context["roster"].head == owner.roster.head
    assert SCRIPT not in markup(answer)
    assert Client().get(owner.url("sheet"), asked).status_code == 404
    assert Client().post(owner.url("copy"), asked).status_code == 404


def test_the_hash_of_another_revision_opens_none(owner: Owner) -> None:
    paper = printed(owner)
    assert scanned(owner, paper | {"revision": "1"}).context["shown"].paper is PaperState.UNKNOWN


def test_the_owner_looks_back_without_a_hash(owner: Owner) -> None:
    answer = scanned(owner, {"revision": "1"}, owner.client)
    assert answer.context["shown"].paper is PaperState.CHANGED
    assert scanned(owner, {"revision": "1"}).context["shown"].paper is PaperState.UNKNOWN


def test_printing_and_copying_take_what_is_shown(owner: Owner) -> None:
    paper = printed(owner)
    owner.unit("giants")
    page = markup(scanned(owner, paper))
    for name, value in paper.items():
        assert len(re.findall(f'name="{name}" value="{value}"', page)) == 2, "printing and copying"
    sheet = Client().get(owner.url("sheet"), paper)
    assert f"-{paper['revision']}.pdf" in sheet["Content-Disposition"]
    assert sheet["ETag"] != Client().get(owner.url("sheet"))["ETag"]
    Client().post(owner.url("copy"), paper)
    copy = Roster.objects.exclude(public_id=owner.public_id).get()
    assert [unit.name for unit in copy.tree.forces[0].selections] == ["Wärden"]


def test_no_search_engine_is_told_of_papers(owner: Owner) -> None:
    Roster.objects.update(visibility="public")
    assert "X-Robots-Tag" not in Client().get(owner.url("link"))
    assert "noindex" in scanned(owner, printed(owner))["X-Robots-Tag"]


def test_a_secret_list_stays_secret_on_paper(owner: Owner) -> None:
    paper = printed(owner)
    owner.unit("giants")
    Roster.objects.update(is_secret=True)
    page = markup(scanned(owner, paper))
    assert "Wärden" in page
    assert "Giants" not in page
    assert "points</span>" not in page


def test_asks_the_same_at_one_and_three_revisions(owner: Owner, django_assert_num_queries) -> None:
    paper = printed(owner)
    scanned(owner, paper)
    for _ in (1, 3):
        owner.unit("cutters")
        with django_assert_num_queries(4):  # list, revision and its base, faction
            scanned(owner, paper)
        owner.unit("crew")


def test_lists_in_one_file_are_on_leaves_of_their_own(owner: Owner) -> None:
    other = started()
    jobs = tuple(create_sheet_job(one.roster) for one in (owner, other, owner))
    pdf = PdfReader(io.BytesIO(SheetBatchJob(jobs).make_pdf()))
    check_accessible(pdf)
    texts = [page.extract_text() for page in pdf.pages]
    assert [bool(text) for text in texts] == [True, False, True, False, True]
    assert (pdf.metadata.title if pdf.metadata else "") == "3 lists"
    assert pdf.root_object["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipLongEdge"
    assert pdf.page_labels[2] == f"{other.roster.name} 1"
