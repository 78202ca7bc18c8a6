"""Reports of verdicts: who may send them, what is frozen, what staff answer, and lists kept as tests."""

import io
import re
from html import unescape

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogue.models import GameSystem, UnitEntry
from roster.engine.tree import copy_with
from roster.models import Roster, VerdictReport, VerdictTest
from roster.models.ownership import Visibility
from roster.models.verdict_reports import StaffAnswer
from roster.services.evaluation import encode_tree
from roster.services.sharing import share_roster
from roster.services.verdict_reports import MOST_OPEN
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.views_cast import SCRIPT, Owner, started_with_account

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def owner() -> Owner:
    """An account's list that breaks a rule."""
    owner = started_with_account()
    for _ in range(4):
        owner.unit("warden")
    assert owner.roster.verdict == "illegal"
    return owner


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(account("staff@example.org", staff=True))
    return client


def find_on(owner: Owner) -> str:
    """Return the id of the first violation that the builder lets its owner report."""
    found = re.search(r'href="verdict/\?on=(v-[0-9a-f]+)"', markup(owner.page()))
    assert found
    return found[1]


def send(owner: Owner, **fields: str) -> HttpResponse:
    return owner.client.post(owner.url("own-verdict-report"), {"doubt": "rule"} | fields)


def answer(staff: Client, report: VerdictReport, **fields: str) -> HttpResponse:
    return staff.post(reverse("roster:verdict-report-staff", args=[report.public_id]), fields)


def test_a_violation_is_reported_with_the_list_as_it_is(owner: Owner) -> None:
    Roster.objects.update(name="Secret name")
    page = owner.client.get(owner.url("own-verdict-report"), {"on": find_on(owner)})
    assert "Report this violation" in markup(page)
    sent = send(owner, on=find_on(owner), text="Our event allows it.", book="Event pack", page="4", wants_mail="on")
    assert sent["Location"] == reverse("roster:verdict-reports")
    report = VerdictReport.objects.get()
    roster = owner.roster
    assert (report.verdict, report.version, report.owner) == (roster.verdict, roster.version, roster.owner)
    assert report.subject in report.violations
    assert report.rule
    assert report.document["version"] == roster.version.content_hash
    assert "Secret name" not in str(report.document)
    # What happens to the list later does not change the report.
    owner.done(do="remove", node=owner.units()[0])
    report.refresh_from_db()
    assert "warden" in str(report.document)
    assert "Our event allows it." in markup(owner.client.get(reverse("roster:verdict-reports")))


def test_names_that_the_owner_gave_are_neither_frozen_nor_in_the_issue(owner: Owner, staff: Client) -> None:
    Roster.objects.update(name="Named by Ann")
    (column,) = owner.roster.tree.forces
    for node in (column.id, *owner.units()):
        owner.done(do="rename", node=node, text="Named by Ann")
    chosen = {"on": find_on(owner)}
    for fields in (chosen, {"unit": owner.units()[0], "text": "It has two models."}):
        send(owner, **fields)
    for report in VerdictReport.objects.all():
        assert "Named by Ann" not in str((report.document, report.subject, report.violations))
        assert report.subject
        page = markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
        assert "Named by Ann" not in page
    assert "Named by Ann" not in markup(owner.client.get(owner.url("own-verdict-report"), chosen)).partition("<main")[2]


def test_what_programs_keep_with_a_list_is_not_frozen(owner: Owner) -> None:
    roster = owner.roster
    document = encode_tree(copy_with(roster.tree, vendor='{"bot":{"player":"Named by Ann"}}'))
    Roster.objects.update(document=document)
    send(owner, on=find_on(owner))
    assert "vendor" not in VerdictReport.objects.get().document


def test_a_unit_and_the_whole_verdict_can_be_reported(owner: Owner) -> None:
    form = markup(owner.client.get(owner.url("own-verdict-report"), {"unit": owner.units()[0]}))
    assert "Report Wärden" in form
    assert send(owner, unit=owner.units()[0], doubt="count", text="It has two models.").status_code == 302
    assert send(owner, doubt="other", text="It should be legal.").status_code == 302
    assert sorted(VerdictReport.objects.values_list("subject", "rule")) == [("", ""), ("Wärden", "")]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"doubt": "nonsense", "text": "x"}, "Reload the page"),
        ({"text": " "}, "Say in a few words"),
        ({"text": "x" * 1001}, "1001"),
        ({"text": "x", "book": "b" * 201}, "201"),
    ],
)
def test_a_refused_report_loses_nothing(owner: Owner, fields: dict[str, str], words: str) -> None:
    answered = send(owner, **fields)
    assert answered.status_code == 422
    page = markup(answered)
    assert words in page
    assert fields["text"].strip() in page
    assert not VerdictReport.objects.exists()


def test_a_violation_that_is_gone_leaves_a_report_of_the_verdict(owner: Owner) -> None:
    gone = find_on(owner).replace("v-", "v-0")
    assert send(owner, on=gone, text="It was wrong.").status_code == 302
    assert VerdictReport.objects.get().subject == ""


def test_readers_of_a_link_report_but_not_what_they_cannot_see(owner: Owner) -> None:
    address = reverse("roster:verdict-report", args=[owner.roster.link_id])
    reader = Client()
    assert "verdict/?on=" in markup(reader.get(reverse("roster:link", args=[owner.roster.link_id])))
    assert reader.post(address, {"doubt": "other", "text": "Look.", "wants_mail": "on"}).status_code == 302
    report = VerdictReport.objects.get()
    assert (report.owner, report.wants_mail) == (None, False)
    assert "Look." in markup(reader.get(reverse("roster:verdict-reports")))
    assert "Look." not in markup(owner.client.get(reverse("roster:verdict-reports")))
    share_roster(owner.roster, owner.roster.visibility, secret=True)
    assert reader.get(address).status_code == 404
    assert owner.client.get(address).status_code == 200
    share_roster(owner.roster, owner.roster.visibility, secret=False)
    Roster.objects.update(visibility=Visibility.PRIVATE)
    assert reader.get(address).status_code == 404


def test_lists_of_private_games_are_not_reported(owner: Owner) -> None:
    roster = owner.roster
    GameSystem.objects.update(owner=roster.owner, current=None, private_version=roster.version)
    assert owner.client.get(owner.url("own-verdict-report")).status_code == 404
    assert "verdict/?on=" not in markup(owner.page())


def test_too_many_open_reports_wait_for_answers(owner: Owner) -> None:
    for _ in range(MOST_OPEN):
        assert send(owner, text="Again.").status_code == 302
    assert "not answered yet" in markup(send(owner, text="Once more."))
    VerdictReport.objects.filter(pk=VerdictReport.objects.values("pk")[:1]).update(answer=StaffAnswer.CONFIRMED)
    assert send(owner, text="Once more.").status_code == 302


# ---- staff ---------------------------------------------------------------------------------------------------------


def test_staff_answer_and_the_player_reads_it(owner: Owner, staff: Client) -> None:
    send(owner, on=find_on(owner), text=SCRIPT, wants_mail="on")
    report = VerdictReport.objects.get()
    assert report.subject in markup(staff.get(reverse("roster:verdict-reports-open")))
    page = markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
    assert "Today’s data finds the same." in page
    assert SCRIPT not in page
    assert "ann@example.org" not in page
    assert answer(staff, report, answer="confirmed", reply="Mended soon.").status_code == 303
    report.refresh_from_db()
    assert (report.answer, report.reply) == (StaffAnswer.CONFIRMED, "Mended soon.")
    assert "Mended soon." in markup(owner.client.get(reverse("roster:verdict-reports")))
    assert mail.outbox[0].to == ["ann@example.org"]
    assert "Mended soon." in mail.outbox[0].body


def test_staff_go_from_one_open_report_to_the_next(owner: Owner, staff: Client) -> None:
    for _ in range(4):
        send(owner, on=find_on(owner))
    first, second, third, fourth = VerdictReport.objects.order_by("pk")
    answer(staff, third, answer="confirmed", reply="Mended soon.")

    def find_neighbours(report: VerdictReport) -> list[str]:
        page = markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
        return re.findall(r'rel="(?:prev|next)"\s+href="/data/reports/([\w-]+)/"', page)

    assert find_neighbours(first) == [second.public_id]
    assert find_neighbours(second) == [first.public_id, fourth.public_id]
    assert find_neighbours(third) == [second.public_id, fourth.public_id]
    assert find_neighbours(fourth) == [second.public_id]
    page = markup(staff.get(reverse("roster:verdict-report-staff", args=[first.public_id])))
    assert "3 open" in page
    # Staff find a report by what is doubted.
    page = markup(staff.get(reverse("roster:verdict-reports-open")))
    assert re.search(rf'href="/data/reports/{first.public_id}/"\s*><b>{re.escape(first.subject)}</b>', page)


def test_nobody_is_mailed_who_did_not_ask(owner: Owner, staff: Client) -> None:
    send(owner, text="It is wrong.")
    answer(staff, VerdictReport.objects.get(), answer="inconclusive", reply="Both readings hold.")
    assert mail.outbox == []


def test_a_question_is_answered_by_the_player_alone(owner: Owner, staff: Client) -> None:
    send(owner, text="It is wrong.")
    report = VerdictReport.objects.get()
    more = reverse("roster:verdict-report-more", args=[report.public_id])
    owner.client.post(more, {"text": "Nobody asked."})
    report.refresh_from_db()
    assert report.text == "It is wrong."
    assert answer(staff, report, answer="needs-information").status_code == 400
    assert answer(staff, report, answer="needs-information", reply="Which mission?").status_code == 303
    assert Client().post(more, {"text": "Mine"}).status_code == 404
    owner.client.post(more, {"text": " "})
    report.refresh_from_db()
    assert report.answer == StaffAnswer.NEEDS_INFORMATION
    owner.client.post(more, {"text": "The third."})
    report.refresh_from_db()
    assert (report.answer, report.text) == (StaffAnswer.OPEN, "It is wrong.\n\nThe third.")


@pytest.mark.parametrize(
    "fields", [{"answer": "nonsense"}, {"answer": "open"}, {}, {"answer": "confirmed", "reply": "x" * 1001}]
)
def test_a_refused_answer_changes_nothing(owner: Owner, staff: Client, fields: dict[str, str]) -> None:
    send(owner, text="It is wrong.")
    report = VerdictReport.objects.get()
    assert answer(staff, report, **fields).status_code == 400
    report.refresh_from_db()
    assert report.answer == StaffAnswer.OPEN


def test_only_staff_with_the_right_read_reports(owner: Owner) -> None:
    send(owner, text="It is wrong.")
    report = VerdictReport.objects.get()
    addresses = (
        reverse("roster:verdict-reports-open"),
        reverse("roster:verdict-report-staff", args=[report.public_id]),
    )
    for address in addresses:
        assert owner.client.get(address).status_code == 404
        assert Client().get(address).status_code == 302


def test_the_issue_text_names_nobody(owner: Owner, staff: Client) -> None:
    Roster.objects.update(name="Secret name")
    send(owner, on=find_on(owner), text="Page 4 says three.", book="Fen book", page="4")
    report = VerdictReport.objects.get()
    page = markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
    issue = page[page.index('id="issue"') :].partition("</textarea>")[0]
    assert "Fen book, p. 4" in issue
    assert "&gt; Page 4 says three." in issue
    assert "faction: marsh" in issue
    assert "Secret name" not in issue


# ---- tests -----------------------------------------------------------------------------------------------------------


def test_a_frozen_list_becomes_a_test_and_fails_when_its_verdict_changes(owner: Owner, staff: Client) -> None:
    send(owner, on=find_on(owner))
    report = VerdictReport.objects.get()
    for _ in range(2):
        assert answer(staff, report, do="test").status_code == 303
    test = VerdictTest.objects.get()
    assert (test.verdict, test.is_broken, test.rule) == (report.verdict, True, report.rule)
    told = io.StringIO()
    call_command("check_verdicts", stdout=told)
    assert told.getvalue() == "1 tests hold.\n"
    VerdictTest.objects.update(is_broken=False)
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("check_verdicts", stdout=told)
    assert "breaks the rule again" in told.getvalue()
    VerdictTest.objects.update(is_broken=True, verdict="legal")
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("check_verdicts", stdout=told)
    assert f"legal -> {report.verdict}" in told.getvalue()


def test_a_list_that_the_data_no_longer_reads_is_no_test_and_says_why(owner: Owner, staff: Client) -> None:
    send(owner, on=find_on(owner))
    report = VerdictReport.objects.get()
    answer(staff, report, do="test")
    document = report.document | {"faction": "gone"}
    VerdictReport.objects.update(document=document)
    VerdictTest.objects.update(document=document)
    assert "gone" in markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
    assert answer(staff, report, do="test").status_code == 400
    told = io.StringIO()
    with pytest.raises(CommandError):
        call_command("check_verdicts", stdout=told)
    assert "gone" in told.getvalue()


# ---- datasheets ------------------------------------------------------------------------------------------------------


def name_unit_address() -> str:
    return reverse("roster:unit-report", args=["fenland", "marsh-folk", "warden"])


def test_a_datasheet_is_reported_looked_at_again_and_kept_as_a_test(owner: Owner, staff: Client) -> None:
    reader, address = Client(), name_unit_address()
    assert address in markup(reader.get("/games/fenland/marsh-folk/warden/"))
    form = markup(reader.get(address))
    assert "Report Wärden" in form
    assert "An option or limit is wrong" in form
    sent = reader.post(address, {"doubt": "price", "text": "It costs 25.", "book": "Fen book", "page": "4"})
    assert sent["Location"] == reverse("roster:verdict-reports")
    report = VerdictReport.objects.get()
    assert (report.kind, report.subject, report.document) == ("unit", "Wärden", {"unit": "warden", "faction": "marsh"})
    assert report.version == owner.roster.version
    assert any("Wärden" in line for line in report.violations)

    page = markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
    assert "Today’s data finds the same." in page
    assert "Fen book, p. 4" in page
    assert answer(staff, report, do="test").status_code == 303
    assert answer(staff, report, answer="confirmed", reply="Thanks.").status_code == 303
    told = io.StringIO()
    call_command("check_verdicts", stdout=told)
    assert told.getvalue() == "1 tests hold.\n"
    UnitEntry.objects.filter(entry_id="warden").update(points=1)
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("check_verdicts", stdout=told)
    assert "reads differently" in told.getvalue()
    assert "no longer finds this" in markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
    UnitEntry.objects.filter(entry_id="warden").update(entry_id="gone")
    assert "not in today’s data" in markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"doubt": "price"}, "Say in a few words"), ({"doubt": "rule", "text": "Look."}, "Reload the page")],
)
def test_a_refused_report_of_a_datasheet_loses_nothing(owner: Owner, fields: dict[str, str], words: str) -> None:
    answered = Client().post(name_unit_address(), fields)
    assert answered.status_code == 422
    assert words in markup(answered)
    assert fields.get("text", "") in markup(answered)
    assert not VerdictReport.objects.exists()


def test_datasheets_of_private_games_are_not_reported(owner: Owner) -> None:
    roster = owner.roster
    GameSystem.objects.update(owner=roster.owner, current=None, private_version=roster.version)
    assert owner.client.get(name_unit_address()).status_code == 404
    assert name_unit_address() not in markup(owner.client.get("/games/fenland/marsh-folk/warden/"))


# ---- lines of text ---------------------------------------------------------------------------------------------------

TEXT = "Marsh Folk (100 points)\nColumn\n\nWärden (20 points)\nCutters (25 points)"
LINE = reverse("roster:line-report")


def choose_line(client: Client, number: int = 4, text: str = TEXT) -> HttpResponse:
    return client.post(LINE, {"text": text, "report": "1", "line-1": str(number)})


def read_hidden(answered: HttpResponse) -> dict[str, str]:
    page = answered.content.decode()
    fields = re.findall(r'type="hidden"\s+name="(text_of_list|line|game|faction)"\s+value="([^"]*)"', page)
    return {name: unescape(value) for name, value in fields}


def test_a_line_is_reported_with_its_list_and_read_again(owner: Owner, staff: Client) -> None:
    reader = Client()
    assert LINE in markup(reader.post(reverse("roster:import"), {"text": TEXT}))
    form = choose_line(reader)
    assert "Report this line" in markup(form)
    assert "It means something else" in markup(form)
    hidden = read_hidden(form)
    assert set(hidden) == {"text_of_list", "line", "game", "faction"}
    nothing_said = reader.post(LINE, hidden | {"doubt": "meaning"})
    assert nothing_said.status_code == 422
    assert read_hidden(nothing_said) == hidden
    sent = reader.post(LINE, hidden | {"doubt": "meaning", "text": "It is a hero."})
    assert sent["Location"] == reverse("roster:verdict-reports")
    report = VerdictReport.objects.get()
    assert (report.kind, report.subject, report.version) == ("line", "Wärden (20 points)", owner.roster.version)
    assert report.document == {"text": TEXT, "line": 3, "faction": "marsh-folk"}
    assert report.violations[:2] == ["unit", "guessed"]
    page = markup(staff.get(reverse("roster:verdict-report-staff", args=[report.public_id])))
    assert "read as a unit" in page
    assert "Today’s data finds the same." in page
    assert answer(staff, report, do="test").status_code == 303
    told = io.StringIO()
    call_command("check_verdicts", stdout=told)
    VerdictTest.objects.update(lines=["option", "understood"])
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("check_verdicts", stdout=told)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"report": "1"},
        {"report": "9", "text": TEXT, "line-9": "1"},
        {"report": "1", "text": TEXT, "line-1": "99"},
        {"report": "1", "text": TEXT, "line-1": "x"},
        {"report": "1", "text": "the dog ate this line", "line-1": "1"},
        {"text_of_list": TEXT, "line": "99", "doubt": "other", "text": "x"},
        {"text_of_list": TEXT, "line": "-1", "doubt": "other", "text": "x"},
        {"text_of_list": "\x00", "line": "0", "game": "none", "doubt": "other", "text": "x"},
        {"text_of_list": "x" * 10**6, "line": "0", "doubt": "other", "text": "x"},
    ],
)
def test_a_line_that_is_not_there_leads_back_to_the_import(owner: Owner, fields: dict[str, str]) -> None:
    answered = Client().post(LINE, fields)
    assert (answered.status_code, answered["Location"]) == (303, reverse("roster:import"))
    assert not VerdictReport.objects.exists()
