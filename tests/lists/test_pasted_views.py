"""Pasted lists on the page, in the API and on the command line, and lists exported as text."""

import csv
import io
import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from catalogue.models import PackVersion
from roster.formats.text.foreign import TextLayout
from roster.formats.text.own import CHAT_LENGTH, split_for_chat
from roster.formats.text.parse import MAX_TEXT, parse_text
from roster.formats.text.pasted import Reading
from roster.models import Roster, SettledNames
from roster.models.ownership import Visibility
from roster.services import list_check
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.exchange import RosterFormat, export_list, read_list_file
from roster.services.list_check import CheckedDocument
from roster.services.owners import claim_guest_data
from roster.services.pasted_lists import read_pasted_text
from tests.extent import sample
from tests.roster.small_game import installed
from tests.roster.views_cast import SCRIPT, started

pytestmark = pytest.mark.django_db
BOX = reverse("roster:import")
READ = "/api/v1/read"
NOISE = {
    "binary": b"\x00\x01\x02\xff" * 5_000,
    "ten megabytes": b"noise and more noise\n" * 500_000,
    "turned letters": ("\u202e\u200f" * 3_000).encode(),
    "nothing": b"   \n\t\n",
    "another game": b"Fish day (80 points)\n\nFish\n\nHEROES\n\nCaptain Cod (80 points)\n  \xe2\x80\xa2 1x Hook\n",
    "a name again and again": b"Mine (40 points)\n\nMarsh Folk\n\nCORE\n\n"
    + b"Crew (10 pts)\n- Hook, Hook, Hook\n" * 600,
    "formulas": b"=cmd|' /C calc'!A0 (20 pts)\n" * 1_000,
    "markup": b"<script>alert(1)</script> (80 pts)\n=cmd|' /C calc'!A0 (20 pts)",
}


@pytest.fixture
def owner(client):
    made = started(client, name="Low water")
    made.unit("warden")
    made.unit("cutters")
    return made


def test_the_box_takes_text_and_files(client):
    page = client.get(BOX)
    assert b'name="text"' in page.content
    assert b'name="file"' in page.content


def test_a_form_without_anything_is_sent_back(client):
    answer = client.post(BOX, {"text": "  "})
    assert answer.status_code in (400, 409, 422)
    assert not Roster.objects.exists()


@pytest.mark.parametrize("length", ["short", "long", "full", "markdown", "discord"])
def test_our_text_comes_back_by_the_box(owner, length):
    text = owner.client.get(owner.url("text"), {"as": length}).context["parts"][0]
    answer = Client().post(BOX, {"text": text})
    assert answer.status_code == 200
    shown = answer.context["lists"][0]
    assert {line["reading"] for line in shown["lines"]} == {"understood"}
    kept = Client()
    assert kept.post(BOX, {"text": text, "keep": "0"}).status_code == 303
    brought = Roster.objects.exclude(public_id=owner.public_id).get()
    assert brought.name == owner.roster.name
    if length != "short":
        assert (brought.points, brought.verdict) == (owner.roster.points, owner.roster.verdict)


TYPO = "Mine (20 points)\n\nMarsh Folk\n\nCORE\n\nCuttres (10 pts)\nWärden (10 pts)\n"
CHOICE = "unit:marsh:cuttres=crew"


def list_open_names(client: Client, text: str = TYPO, **data: str) -> list[tuple[str, bool]]:
    """Return the uncertain names in the box, each with whether there is a choice."""
    shown = client.post(BOX, {"text": text, **data}).context["lists"][0]
    return [(name["resolved"], bool(name["choices"])) for line in shown["lines"] for name in line["names"]]


def test_guesses_are_settled_once_and_remembered(owner):
    client = Client()
    assert list_open_names(client) == [("Cutters", True)]
    assert not SettledNames.objects.exists()
    for data in ({"choice": CHOICE}, {}):
        assert list_open_names(client, **data) == [("Crew", True)]
        shown = client.post(BOX, {"text": TYPO}).context["lists"][0]
        assert {line["reading"] for line in shown["lines"]} == {"understood"}
    assert list_open_names(Client()) == [("Cutters", True)]


def test_what_was_settled_lasts_for_the_account(owner):
    client, other = Client(), Client()
    list_open_names(client, choice=CHOICE)
    user = User.objects.create_user("ann", "ann@example.org")
    claim_guest_data(client.session, user.pk)
    other.force_login(user)
    assert list_open_names(other) == [("Crew", True)]
    # A new choice replaces an earlier one, and a blank choice removes it.
    assert list_open_names(other, choice="unit:marsh:cuttres=warden") == [("Wärden", True)]
    assert list_open_names(other, choice="unit:marsh:cuttres=") == [("Cutters", True)]
    assert SettledNames.objects.get().names == {}


def test_only_names_of_a_list_are_remembered(owner):
    for choice in ("made-up=crew", "=", "unit:marsh:warden", "x" * 500 + "=y" * 500):
        list_open_names(Client(), choice=choice)
    assert not SettledNames.objects.exists()


def test_a_stranger_names_game_and_choices_without_harm(client, owner):
    data = {
        "text": "Warden (5 pts)",
        "game": "no-such-game",
        "keep": "7",
        "choice": ["=", "a=b", "unit:x=" + "y" * 9_000],
    }
    assert client.post(BOX, data).status_code == 200
    assert client.post(BOX, {"text": "Warden (5 pts)", "keep": "x"}).status_code in (400, 409, 422)
    assert Roster.objects.count() == 1


@pytest.mark.parametrize("name", sample(NOISE, 3))
def test_noise_is_answered_and_nothing_is_stored(client, name):
    answer = client.post(BOX, {"file": SimpleUploadedFile("list.txt", NOISE[name])})
    assert answer.status_code in (200, 400, 409, 413, 422)
    assert b"<script>alert(1)" not in answer.content
    assert not Roster.objects.exists()
    answer = client.post(READ, NOISE[name], content_type="text/plain")
    assert answer.status_code in (200, 400, 413)
    assert not Roster.objects.exists()


@pytest.mark.parametrize("name", sample(NOISE, 3))
def test_noise_takes_neither_time_nor_memory(owner, name):
    begin = time.process_time()
    assert read_pasted_text(NOISE[name]) is not None
    # Far more than any machine needs: only a reading that grows with the square of the text takes as long.
    assert time.process_time() - begin < 20
    # Measured separately, because tracing memory makes it several times slower.
    tracemalloc.start()
    read_pasted_text(NOISE[name])
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * 2**20


def test_a_name_that_many_things_have_is_answered(owner):
    text = "Mine (2000 points)\n\nMarsh Folk\n\nCORE\n\n" + "Crew (10 pts)\n- Hook, Hook, Hook\n" * 200
    (read,) = Client().post(READ, {"text": text}, content_type="application/json").json()
    assert {line["reading"] for line in read["lines"]} == {"understood"}
    assert read["verdict"] == "illegal"


@pytest.mark.parametrize("is_community", [True, False])
def test_whether_a_list_can_be_completed_is_not_asked_of_community_data(owner, monkeypatch, is_community):
    """Pages ask for it later; packs have rules for it, and answer quickly."""
    monkeypatch.setattr(PackVersion, "is_community", is_community)
    questions: list[object] = []
    monkeypatch.setattr(list_check, "evaluate_with", record_look_ahead(questions))
    for text in (TYPO, owner.client.get(owner.url("text")).context["parts"][0]):
        (read,) = read_pasted_text(text)
        assert read.checked is not None
    for form in (RosterFormat.JSON, RosterFormat.YAML):
        assert isinstance(read_list_file(export_list(owner.roster, form)), CheckedDocument)
    assert questions == [not is_community] * 4


def record_look_ahead(questions: list[object]) -> Callable[..., EvaluatedList]:
    def evaluate(*args: Any, **options: Any) -> EvaluatedList:
        questions.append(options["look_ahead"])
        return evaluate_with(*args, **options)

    return evaluate


def test_nobody_who_pastes_hears_of_keys(client):
    answer = client.post(BOX, {"text": "Cutters: 3\nWarden: 2\n"})
    assert answer.status_code == 200
    assert b"YAML" not in b"".join(line.encode() for line in answer.content.decode().split("main") if "wrong" in line)


def test_a_list_document_goes_on_being_one(owner):
    document = Client().get(owner.url("link") + "roster.yaml").content
    assert Client().post(BOX, {"text": document.decode()}).status_code == 303
    answer = Client().post(BOX, {"text": "list: 1\nnonsense: 2\n"})
    assert answer.status_code == 400


def test_without_data_the_sums_are_checked():
    read = read_pasted_text(
        "Fish (70 points)\n\nFishfolk\n\nHEROES\n\nCod (50 points)\n  • 1x Hook\n\nEel (30 points)\n  • 1x Net\n"
    )
    assert isinstance(read, list)
    assert read[0].faction is None
    assert [(check.kind, check.stated, check.computed) for check in read[0].sums if not check.holds] == [
        ("total", 70, 80)
    ]


def test_the_api_says_what_became_of_each_line(client, owner):
    text = client.get(owner.url("text")).context["parts"][0]
    answer = client.post(READ, text, content_type="text/plain")
    assert answer.status_code == 200
    (read,) = answer.json()
    assert read["game"] == owner.roster.version.game.slug
    assert {line["reading"] for line in read["lines"]} == {Reading.UNDERSTOOD.value}
    assert read["judged"]["verdict"] == owner.roster.verdict
    assert client.post(READ, {"text": "x"}).status_code == 415
    assert client.get(READ).status_code == 405


def test_the_api_takes_what_names_mean(client, owner):
    text = TYPO.replace("(20 points)", "(25 points)").replace("Wärden (10", "Wärden (20")
    sent: dict[str, Any] = {"text": text, "game": "fenland"}
    (read,) = client.post(READ, sent, content_type="application/json").json()
    (name,) = [name for name in read["names"] if name["reading"] != "understood"]
    assert (name["written"], name["meant"], name["key"]) == ("Cuttres", "Cutters", "unit:marsh:cuttres")
    assert (read["verdict"], read["judged"]["verdict"], read["judged"]["legal"]) == ("as-read", "as-read", False)
    sent["choices"] = {name["key"]: "crew"}
    (read,) = client.post(READ, sent, content_type="application/json").json()
    assert [(name["meant"], name["settled"]) for name in read["names"]] == [("Crew", True), ("Wärden", False)]
    assert read["verdict"] == read["judged"]["verdict"] == "legal"
    assert not SettledNames.objects.exists()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", "bad-json"),
        ("[" * 100_000, "too-deep"),
        ("{}", "missing-key"),
        ('{"text": ["x"]}', "not-text"),
        ('{"text": "x", "choices": [1]}', "not-text"),
        ('{"text": "x", "choices": {"a": {"b": 1}}}', "not-text"),
        ('{"text": "a\\u0000b"}', "not-text"),
        ("[1]", "not-fields"),
        ('"x"', "not-fields"),
        ("1", "not-fields"),
    ],
)
def test_bad_bodies_in_json_are_refused(client, body, code):
    answer = client.post(READ, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["code"] == code


def test_the_api_hands_out_text(client, owner):
    address = f"/api/v1/rosters/{owner.roster.link_id}/text/"
    answer = client.get(address, {"length": "full", "style": "chat"}).json()
    assert answer["characters"] == len(answer["text"])
    assert all(len(message) <= CHAT_LENGTH for message in answer["messages"])
    assert client.get(address, {"length": "endless"}).status_code == 400
    assert client.get("/api/v1/rosters/nowhere/text/").status_code == 404
    Roster.objects.update(visibility=Visibility.PRIVATE)
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("layout", [layout for layout in TextLayout if layout is not TextLayout.OWN])
def test_layouts_of_others_are_read_with_units_and_points(client, owner, layout):
    answer = client.get(f"/api/v1/rosters/{owner.roster.link_id}/text/", {"layout": layout.value}).json()
    pasted = parse_text(answer["text"]).lists[0]
    assert [line.text for line in pasted.lines if line.reading is not Reading.UNDERSTOOD] == []
    assert len(pasted.units) == 2
    assert pasted.sum_points() == pasted.claims.total == int(owner.roster.points)


def test_the_text_page_is_for_who_may_read_the_list(client, owner):
    assert client.get(owner.url("text"), {"as": "nothing"}).status_code == 404
    assert client.post(owner.url("text")).status_code == 405
    Roster.objects.update(visibility=Visibility.PRIVATE)
    assert Client().get(owner.url("text")).status_code == 404
    Roster.objects.update(visibility=Visibility.PUBLIC, is_secret=True)
    assert Client().get(owner.url("text")).status_code == 404


def test_names_are_escaped_on_both_pages(client, owner):
    Roster.objects.update(name=SCRIPT)
    owner.done(do="rename", node=owner.units()[0], text=SCRIPT)
    page = client.get(owner.url("text")).content.decode()
    assert SCRIPT not in page
    answer = client.post(BOX, {"text": f"{SCRIPT} (80 pts)\n{SCRIPT}\n"}).content.decode()
    assert SCRIPT not in answer


def test_cells_of_the_table_are_no_formulas(client, owner):
    owner.done(do="rename", node=owner.units()[0], text="=HYPERLINK(1)")
    owner.done(do="rename", node=owner.units()[1], text="@sum <b>")
    table = Client().get(owner.url("link") + "roster.csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table)))
    assert len(rows) == 3
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t")]


def test_new_recruits_json_comes_back(client, owner):
    data = Client().get(owner.url("link") + "roster.nr.json").content
    assert json.loads(data)["roster"]["forces"]
    assert Client().post(BOX, {"file": SimpleUploadedFile("x.json", data)}).status_code == 303
    brought = Roster.objects.exclude(public_id=owner.public_id).get()
    assert (brought.points, brought.verdict) == (owner.roster.points, owner.roster.verdict)


@pytest.mark.parametrize(
    "data",
    [
        b'{"roster": 1}',
        b'{"roster": {"forces": [1]}}',
        b'{"roster": {"forces": [{"selections": [[]]}]}}',
        b'{"roster": {',
    ],
)
def test_bad_rosters_in_json_are_refused(client, data):
    answer = client.post(BOX, {"file": SimpleUploadedFile("x.json", data)})
    assert answer.status_code == 400
    assert not Roster.objects.exists()


def test_the_command_reads_and_writes_text(client, owner, tmp_path, capsys):
    file = tmp_path / "list.txt"
    file.write_text(client.get(owner.url("text")).context["parts"][0], encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        call_command("check_list", str(file), "--json")
    assert stop.value.code in (0, 1, 3)
    assert json.loads(capsys.readouterr().out)["verdict"] == owner.roster.verdict
    with pytest.raises(SystemExit):
        call_command("check_list", str(file), "--text", "full", "--style", "markdown")
    assert parse_text(capsys.readouterr().out).lists[0].document is not None


def run_command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        call_command("check_list", *arguments)
    return int(str(stop.value.code))


def test_the_command_answers_for_each_list_of_a_paste(owner, tmp_path, capsys):
    file = tmp_path / "lists.txt"
    file.write_text(TYPO + "\nMade with War Organ\n\n" + TYPO.replace("Mine", "Yours"), encoding="utf-8")
    assert run_command(str(file)) == 5
    said = capsys.readouterr()
    assert (said.out.count("~"), said.out.count("✓")) == (2, 0)
    assert said.err.count("Guessed: Cuttres (10 pts)") == 2
    assert run_command(str(file), "--json") == 5
    assert [one["verdict"] for one in json.loads(capsys.readouterr().out)["lists"]] == ["as-read", "as-read"]


def test_the_command_settles_names(owner, tmp_path, capsys):
    file = tmp_path / "list.txt"
    file.write_text(TYPO, encoding="utf-8")
    run_command(str(file), "--json")
    answer = json.loads(capsys.readouterr().out)
    assert [name["meant"] for name in answer["lists"][0]["names"]] == ["Cutters", "Wärden"]
    assert answer["verdict"] == answer["lists"][0]["verdict"]
    run_command(str(file), "--json", "--choice", CHOICE)
    assert [n["meant"] for n in json.loads(capsys.readouterr().out)["lists"][0]["names"]] == ["Crew", "Wärden"]


# ---- a verdict is never better than the reading ----------------------------------------------------------------------

WHOLE = "Mine (30 points)\n\nMarsh Folk\n\nCORE\n\nCutters (10 pts)\nWärden (20 pts)\n"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (WHOLE, "legal"),
        (WHOLE + "\nthe rest is in my other pocket, see below\n", "as-read"),
        (WHOLE.replace("Cutters", "Cuttres"), "as-read"),
        (WHOLE.replace("Cutters (10", "Grey Heron (10"), "as-read"),
        (WHOLE.replace("(30", "(33"), "legal"),
        (WHOLE.replace("(30", "(34"), "as-read"),
    ],
    ids=["whole", "unread-line", "guessed-name", "unit-without-entry", "a-tenth-off", "more-than-a-tenth-off"],
)
def test_what_was_not_wholly_read_is_legal_only_as_far_as_read(client, owner, tmp_path, capsys, text, verdict):
    (read,) = client.post(READ, {"text": text, "game": "fenland"}, content_type="application/json").json()
    assert (read["verdict"], read["judged"]["legal"]) == (verdict, verdict == "legal")
    page = client.post(reverse("roster:import"), {"text": text, "game": "fenland"}).content.decode()
    assert ("v pill ok" in page, "v pill part" in page) == (verdict == "legal", verdict == "as-read")
    file = tmp_path / "list.txt"
    file.write_text(text, encoding="utf-8")
    assert run_command(str(file)) == (0 if verdict == "legal" else 5)
    assert ("✓" in capsys.readouterr().out) == (verdict == "legal")


# ---- what a phone shares ---------------------------------------------------------------------------------------------

SHARED = reverse("roster:import-shared")


def test_the_site_is_in_a_phones_share_menu(client):
    target = json.loads(client.get("/manifest.webmanifest").content)["share_target"]
    assert (target["action"], target["method"]) == (SHARED, "POST")
    params = target["params"]
    assert {params["text"], params["title"], params["url"], params["files"][0]["name"]} == {
        "text",
        "title",
        "url",
        "file",
    }


def test_a_shared_text_is_shown_and_kept_when_its_form_is_sent(owner):
    phone = Client(enforce_csrf_checks=True)
    text = owner.client.get(owner.url("text")).context["parts"][0]
    shown = phone.post(SHARED, {"title": "A list", "text": text, "url": "https://example.org"})
    assert shown.status_code == 200
    assert [one["title"] for one in shown.context["lists"]] == [owner.roster.name]
    assert f'action="{BOX}"'.encode() in shown.content
    assert Roster.objects.count() == 1
    token = phone.cookies["csrftoken"].value
    kept = phone.post(BOX, {"text": shown.context["text"], "keep": "0", "csrfmiddlewaretoken": token})
    assert kept.status_code == 303
    assert Roster.objects.count() == 2


@pytest.mark.parametrize("field", ["text", "url", "title"])
def test_a_text_is_shared_in_any_field(owner, field):
    text = owner.client.get(owner.url("text")).context["parts"][0]
    shown = Client().post(SHARED, {"text": " ", field: f" {text}\n"})
    assert [one["title"] for one in shown.context["lists"]] == [owner.roster.name]


@pytest.mark.parametrize("ending", ["ros", "rosz", "yaml", "json", "nr.json", "txt"])
def test_a_shared_file_is_put_into_the_box(owner, ending):
    data = Client().get(owner.url("link") + f"roster.{ending}").content
    phone = Client()
    shown = phone.post(SHARED, {"file": SimpleUploadedFile(f"list.{ending}", data)})
    assert shown.status_code == 200
    assert Roster.objects.count() == 1
    assert phone.post(BOX, {"text": shown.context["text"], "keep": "0"}).status_code == 303
    brought = Roster.objects.exclude(public_id=owner.public_id).get()
    assert (brought.points, brought.verdict) == (owner.roster.points, owner.roster.verdict)


@pytest.mark.parametrize("name", sample(NOISE, 3))
def test_noise_that_is_shared_is_answered(client, name):
    for data in (
        {"file": SimpleUploadedFile("list.rosz", NOISE[name])},
        {"text": NOISE[name].decode("latin-1")[:9_000]},
    ):
        answer = client.post(SHARED, data)
        assert answer.status_code in (200, 400, 409, 413, 422)
        assert b"<script>alert(1)" not in answer.content
    assert not Roster.objects.exists()


def test_a_share_without_anything_leads_to_the_box(client):
    assert client.get(SHARED)["Location"] == BOX
    assert client.post(SHARED).status_code in (400, 409, 422)
    assert client.post(SHARED, {"file": SimpleUploadedFile("x.rosz", b"PK\x03\x04 torn")}).status_code == 400


def test_the_command_says_what_it_cannot_judge(tmp_path, capsys, db):
    file = tmp_path / "list.txt"
    file.write_bytes(NOISE["another game"])
    with pytest.raises(SystemExit) as stop:
        call_command("check_list", str(file))
    assert stop.value.code == 2
    file.write_bytes(NOISE["binary"])
    with pytest.raises(SystemExit) as stop:
        call_command("check_list", str(file))
    assert stop.value.code == 2


def test_messages_are_split_between_lines():
    text = "\n".join(f"line {number} " + "x" * 50 for number in range(200))
    messages = split_for_chat(text)
    assert len(messages) > 1
    assert all(len(message) <= CHAT_LENGTH for message in messages)
    assert "\n".join(messages) == text
    assert all(len(message) <= CHAT_LENGTH for message in split_for_chat("y" * 5_000))


def test_a_long_paste_is_refused_at_once():
    assert read_pasted_text("a\n" * MAX_TEXT).code == "too-big"


def test_a_text_without_headings_is_read_in_a_game_of_nested_forces():
    """Headings name the inner forces; without headings there are none."""
    read = read_pasted_text("Cutters (10 pts)\nHovercraft (20 pts)\nZeppelin (9 pts)\n", game=installed().game.slug)
    assert isinstance(read, list)
    assert not read[0].pasted.sections
