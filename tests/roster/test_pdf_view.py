"""The address of the printed sheet and who may open it."""

import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from roster.engine.plan import GamePlan
from roster.engine.tree import copy_with
from roster.models import Roster
from roster.pdf import print_job, sheet_job
from roster.pdf.render_lock import RendererBusy, TooSlowError, hold_render_slot
from roster.pdf.sheet_job import create_sheet_job
from roster.pdf.sheet_options import SheetOptions, Style
from roster.services.evaluation import encode_tree
from roster.services.owners import Visitor
from roster.services.plans import store_new_plan
from roster.services.rosters import copy_roster
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LIST = """
list: 1
game: fenland
faction: marsh
name: Low water
detachments:
- detachment: column
  units: [warden, cutters, giants, giants]
"""


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Iterator[Path]:
    settings.ARMYBUILDER = settings.ARMYBUILDER | {"PDF_CACHE_DIR": tmp_path / "pdf"}
    return tmp_path / "pdf"


@pytest.fixture
def owner() -> Owner:
    made = started(name="Low water")
    for entry in ("warden", "cutters", "giants"):
        made.unit(entry)
    return made


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    made: list[str] = []
    real = sheet_job.lay_out
    monkeypatch.setattr(
        sheet_job, "lay_out", lambda html, *args, **more: made.append(html) or real(html, *args, **more)
    )
    return made


def text_of(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)


def test_works(owner: Owner) -> None:
    answer = owner.client.get(owner.url("sheet"))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'inline; filename="low-water-5.pdf"'
    assert "noindex" in answer["X-Robots-Tag"]
    text = text_of(answer.content)
    for word in ("Low water", "Marsh Folk · Fenland · 1.0", "revision 5", "Wärden", "Giants"):
        assert word in text
    digits = owner.roster.revisions.get(number=5).content_hash
    assert f"{digits[:4]} {digits[4:8]}" in text


def test_a_stranger_with_the_address_may_print(owner: Owner) -> None:
    assert Client().get(owner.url("sheet")).status_code == 200


def test_the_verdict_and_its_reasons_stand_on_it(owner: Owner) -> None:
    owner.unit("giants")
    text = text_of(owner.client.get(owner.url("sheet"), {"style": "opponent"}).content)
    assert "Incomplete" in text
    assert "✕1 Columns. No more hammer units than core ones. Hammer: 2 taken, at most 1 allowed." in text
    assert "Fen Book, p. 4" in text
    assert "Not checked: The weather Fen Book, p. 50." in text


@pytest.mark.parametrize("public_id", ["nobody", "x" * 22, "../../etc/passwd", "%00"])
def test_unknown_list(public_id: str) -> None:
    assert Client().get(f"/r/{public_id}/sheet.pdf").status_code == 404


@pytest.mark.parametrize("query", [{"paper": "a3"}, {"style": ""}, {"ink": "<b>"}, {"paper": "a4\x00"}])
def test_bad_option(owner: Owner, query: dict[str, str]) -> None:
    answer = owner.client.get(owner.url("sheet"), query)
    assert answer.status_code == 400
    assert "Choose one of:" in answer.content.decode()
    assert "<b>" not in answer.content.decode().partition('id="detail"')[2][:200]


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_wrong_method(owner: Owner, method: str) -> None:
    assert getattr(owner.client, method)(owner.url("sheet")).status_code == 405


def test_head(owner: Owner) -> None:
    answer = owner.client.head(owner.url("sheet"))
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["ETag"]


def test_query_count(owner: Owner, django_assert_num_queries) -> None:
    owner.client.get(owner.url("sheet"))
    # Session and list.
    with django_assert_num_queries(2):
        owner.client.get(owner.url("sheet"))


def test_every_style_paper_and_ink(owner: Owner) -> None:
    answers = {
        query: owner.client.get(owner.url("sheet") + query)
        for query in ("?style=summary", "?style=opponent&paper=letter", "?ink=saver")
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    assert len({answer["ETag"] for answer in answers.values()}) == 3
    assert 'filename="low-water-5-summary.pdf"' in answers["?style=summary"]["Content-Disposition"]


def test_an_empty_list_has_no_turn_sheet_and_no_pocket_roster_and_says_why() -> None:
    empty = started(name="Nothing <yet>")
    page = empty.page().content.decode()
    for style in ("turns", "pocket"):
        refused = empty.client.get(empty.url("sheet"), {"style": style})
        assert refused.status_code == 422
        assert "Nothing &lt;yet&gt;" in refused.content.decode()
        assert f'value="{style}"' in page


def test_the_turn_sheet_of_a_hidden_list_says_nothing_more_to_strangers(owner: Owner) -> None:
    Roster.objects.update(is_secret=True)
    text = text_of(Client().get(owner.url("sheet"), {"style": "turns"}).content)
    assert "Turn sheet" not in text


def test_what_did_not_change_is_not_sent_again(owner: Owner, layouts: list[str]) -> None:
    etag = owner.client.get(owner.url("sheet"))["ETag"]
    layouts.clear()
    again = owner.client.get(owner.url("sheet"), headers={"If-None-Match": etag})
    assert (again.status_code, again.content, layouts) == (304, b"", [])
    owner.unit("cutters")
    changed = owner.client.get(owner.url("sheet"), headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed["ETag"] != etag


def test_a_sheet_is_made_once(owner: Owner, layouts: list[str]) -> None:
    first = owner.client.get(owner.url("sheet")).content
    assert len(layouts) == 1
    assert owner.client.get(owner.url("sheet")).content == first
    assert len(layouts) == 1


def test_a_new_version_of_the_program_makes_it_anew(
    owner: Owner, layouts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = owner.client.get(owner.url("sheet"))
    monkeypatch.setattr(print_job, "hash_renderer", lambda: "another")
    second = owner.client.get(owner.url("sheet"))
    assert second["ETag"] != first["ETag"]
    assert len(layouts) == 2


def test_two_lists_alike_have_sheets_of_their_own(owner: Owner) -> None:
    copy = copy_roster(owner.roster, Visitor(key="somebody"))
    assert isinstance(copy, Roster)
    assert create_sheet_job(copy, address="http://x/a").key != create_sheet_job(owner.roster, address="http://x/b").key


def test_busy_is_503_with_a_time_to_come_back(
    owner: Owner, folder: Path, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(print_job, "LONGEST_WAIT", 0.05)
    with hold_render_slot(folder, 2):
        answer = owner.client.get(owner.url("sheet"))
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) == int(answer["Refresh"]) > 0
    page = answer.content.decode()
    assert "Your PDF is next" in page
    # A browser that waits shows no number of an error.
    assert '<p class="eyebrow">Print</p>' in page
    assert owner.client.get(owner.url("sheet")).status_code == 200


def test_a_layout_of_more_than_ten_seconds_opens_by_itself_later(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, lay_out = threading.Event(), sheet_job.lay_out

    def wait(*given: object, **named: object) -> object:
        assert gate.wait(20)
        return lay_out(*given, **named)

    monkeypatch.setattr(sheet_job, "lay_out", wait)
    monkeypatch.setattr("roster.pdf.print_answer.LONGEST_WAIT", 0)
    answer = owner.client.get(owner.url("sheet"))
    assert answer.status_code == 503
    assert int(answer["Refresh"]) > 0
    assert "Your PDF is being made" in answer.content.decode()
    gate.set()
    answer = owner.client.get(owner.url("sheet"))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")


def test_a_layout_that_takes_too_long_is_503(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, **__: object) -> bytes:
        raise TooSlowError("Creating layout - Page 7")

    monkeypatch.setattr(sheet_job, "lay_out", slow)
    answer = owner.client.get(owner.url("sheet"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "?style=summary" in answer.content.decode()
    # There is no summary of cards, and none shorter than the summary.
    monkeypatch.setattr("roster.pdf.imposition.layout.lay_out", slow)
    for address in (reverse("roster:roster-cards", args=[owner.public_id]), f"{owner.url('sheet')}?style=summary"):
        answer = owner.client.get(address)
        assert answer.status_code == 503
        assert 'href="?style=summary"' not in answer.content.decode()


def test_a_layout_that_failed_is_not_said_to_be_slow(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise RendererBusy("the layout failed", too_slow=True, is_broken=True)

    monkeypatch.setattr(sheet_job.SheetJob, "render", fail)
    answer = owner.client.get(owner.url("sheet"))
    assert answer.status_code == 503
    assert "This print failed." in answer.content.decode()
    assert "took too long" not in answer.content.decode()


def test_names_are_text(owner: Owner) -> None:
    owner.done(do="rename", node="", text=SCRIPT)
    answer = owner.client.get(owner.url("sheet"))
    assert SCRIPT in text_of(answer.content)
    assert pypdf.PdfReader(io.BytesIO(answer.content)).metadata.title == SCRIPT


def test_a_name_without_letters_still_has_a_file_name(owner: Owner) -> None:
    owner.done(do="rename", node="", text="???")
    assert "list-6.pdf" in owner.client.get(owner.url("sheet"))["Content-Disposition"]
    owner.done(do="rename", node="", text="Ebbe über Moor")
    disposition = owner.client.get(owner.url("sheet"))["Content-Disposition"]
    assert disposition == "inline; filename*=utf-8''ebbe-%C3%BCber-moor-7.pdf"


def test_the_link_page_leads_here(owner: Owner) -> None:
    page = owner.client.get(reverse("roster:link", args=[owner.public_id])).content.decode()
    assert 'action="sheet.pdf"' in page


# ---- access ------------------------------------------------------------------------------------------------------


def test_a_list_that_is_not_stored_has_a_hash_and_no_code(tmp_path: Path) -> None:
    started()
    file, out = tmp_path / "list.yaml", tmp_path / "list.pdf"
    file.write_text(LIST)
    with pytest.raises(SystemExit):
        call_command("check_list", str(file), pdf=str(out))
    text = text_of(out.read_bytes())
    assert "Low water" in text
    assert "revision" not in text
    assert "✕1 Columns." in text


def test_options_of_the_door(owner: Owner) -> None:
    pdf = create_sheet_job(owner.roster, SheetOptions(style=Style.OPPONENT)).render()
    assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages) == 1


def test_the_door_says_when_it_is_busy(owner: Owner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_job, "LONGEST_WAIT", 0)
    with hold_render_slot(folder, 2), pytest.raises(RendererBusy):
        create_sheet_job(owner.roster).render()


def test_the_full_sheet_has_the_game_plan_and_the_opponents_has_not(owner: Owner) -> None:
    empty, plain = (
        create_sheet_job(owner.roster).render(),
        create_sheet_job(owner.roster, SheetOptions(style=Style.OPPONENT)).render(),
    )
    store_new_plan(owner.roster, GamePlan(objective="Eels", notes="Bring dice."))
    full = create_sheet_job(owner.roster).render()
    said = " ".join(text_of(full).split())
    assert "Game plan" in said
    assert "Objective. Eels" in said
    assert "Bring dice." in said
    assert full != empty
    assert create_sheet_job(owner.roster, SheetOptions(style=Style.OPPONENT)).render() == plain


def test_a_sheet_is_in_the_colour_of_its_pages(owner: Owner) -> None:
    faction = owner.roster.version.factions.get(faction_id=owner.roster.faction_id)
    assert create_sheet_job(owner.roster).imprint.identity == faction.identity


@pytest.mark.parametrize("file", ["sheet.pdf", "cards.pdf", "print.pdf"])
def test_letters_that_no_font_has_are_named_before_they_are_printed(owner: Owner, file: str) -> None:
    roster = owner.roster
    named = encode_tree(copy_with(roster.tree, name="Heron 鷺"))
    Roster.objects.filter(pk=roster.pk).update(name="Heron 鷺", document=named)
    given = {"paper": "letter"}
    if file == "print.pdf":
        given, address = {"list": roster.public_id, **given}, reverse("roster:print")
    else:
        address = owner.url("sheet").replace("sheet.pdf", file)
    page = owner.client.get(address, given)
    assert page["Content-Type"].startswith("text/html")
    assert "鷺" in page.content.decode()
    assert "paper=letter&amp;letters=1" in page.content.decode()
    assert owner.client.get(address, {**given, "letters": "1"})["Content-Type"] == "application/pdf"
