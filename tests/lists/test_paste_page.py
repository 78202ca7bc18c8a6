"""The page of a pasted list: its questions, the answers, and that no input is lost."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.services.outcomes import Refused
from roster.views.lists import paste
from roster.views.lists.paste_presenter import MOST_ASKED
from roster.wording.pasted import explain_guess
from tests.lists.test_choosing import CHATTY, FORAY, HOST, LIST, RAID, UNREAD, install_editions, install_forces
from tests.roster.small_game import installed

pytestmark = pytest.mark.django_db
BOX = reverse("roster:import")
LINE = "line:the rest is in my other pocket see below"


def send(client: Client, text: str = LIST, **data: Any) -> Any:
    answer = client.post(BOX, {"text": text, **data})
    return answer.context


def read_page(client: Client, text: str = LIST, **data: Any) -> dict[str, Any]:
    shown: dict[str, Any] = send(client, text, **data)["lists"][0]
    return shown


def test_the_page_asks_which_force_and_takes_an_answer(client):
    install_forces([RAID, FORAY, HOST])
    shown = read_page(client)
    assert [(one["name"], one["chosen"], one["fits"]) for one in shown["forces"]["offered"]] == [
        ("Raid", True, True),
        ("Foray", False, True),
        ("Host", False, False),
    ]
    choice = shown["forces"]["offered"][1]["choice"]
    page = send(client, choice=choice)
    assert (page["answers"], page["lists"][0]["forces"]["settled"]) == (["force:1=foray"], True)
    # The next answer is sent with the earlier ones.
    page = send(client, choice=[*page["answers"], shown["forces"]["offered"][2]["choice"]])
    assert page["answers"] == ["force:1=host"]
    page = send(client, choice=[*page["answers"], page["lists"][0]["forces"]["taken_back"]])
    assert (page["answers"], page["lists"][0]["forces"]["settled"]) == ([], False)


def test_the_chosen_force_is_that_of_the_list_that_is_opened(client):
    install_forces([RAID, FORAY])
    assert client.post(BOX, {"text": LIST, "choice": "force:1=foray", "keep": "0"}).status_code == 303
    assert [force.entry_id for force in Roster.objects.get().tree.forces] == ["foray"]


def test_the_page_asks_which_game_and_takes_an_answer(client):
    install_editions()
    offered = read_page(client)["editions"]["offered"]
    assert [(one["game"].slug, one["chosen"]) for one in offered] == [("fen-10", True), ("fen-9", False)]
    shown = read_page(client, choice=offered[1]["choice"])
    assert (shown["faction"].version.game.slug, shown["editions"]["settled"]) == ("fen-9", True)


def test_factions_of_one_game_are_asked_as_factions(client):
    installed()
    page = read_page(client, "Mine (15 points)\n\nReeve (10 pts)\nWärden (20 pts)\n")
    assert (page["editions"]["question"], len(page["editions"]["offered"])) == ("Which faction?", 2)


def test_another_game_in_the_form_goes_before_an_earlier_answer(client):
    install_editions()
    page = send(client, choice=["edition:1=fen-9/marsh-folk", "force:1=raid"], game="fen-10", read_game="")
    assert (page["answers"], page["lists"][0]["faction"].version.game.slug) == ([], "fen-10")


def test_all_unread_lines_become_notes_at_once_and_back(client):
    installed()
    shown = read_page(client, CHATTY)
    assert (len(shown["unread"]), shown["verdict"], shown["notes_make_legal"]) == (1, "as-read", True)
    page = send(client, CHATTY, notes="1")
    shown = page["lists"][0]
    assert (page["answers"], len(shown["unread"]), shown["verdict"]) == ([f"{LINE}=note"], 0, "legal")
    assert [line["text"] for line in shown["notes"]] == [UNREAD]
    page = send(client, CHATTY, choice=page["answers"], no_notes="1")
    assert (page["answers"], page["lists"][0]["verdict"]) == ([], "as-read")


def test_answers_hold_when_the_text_is_edited(client):
    install_forces([RAID, FORAY])
    answers = [f"{LINE}=note", "force:1=foray"]
    shown = read_page(client, "\n\n" + CHATTY.replace("Mine", "Yours"), choice=answers)
    assert (shown["title"], shown["forces"]["settled"], len(shown["notes"])) == ("Yours", True, 1)


def test_a_unit_is_found_for_a_line(client):
    installed()
    text = LIST + "\nthose boat people, six of them\n"
    shown = read_page(client, text)
    assert "Crew" in shown["unit_names"]
    (line,) = shown["unread"]
    shown = read_page(client, text, line=[line["key"], "line:other"], means=["Crew", " "])
    assert [one["means"] for one in shown["named"]] == ["Crew"]
    assert shown["unread"] == []


@pytest.mark.parametrize(
    ("written", "resolved", "reason"),
    [
        ("imortals", "Immortals", "1 letter off"),
        ("wraiths", "Canoptek Wraiths", "part of the name"),
        ("res orb", "Resurrection Orb", "cut short"),
        ("Marsh Wardens of the deep", "Wardens of Marshes", "spelled alike"),
        ("Cutter", "Cutters", ""),
    ],
)
def test_a_guess_says_why(written, resolved, reason):
    assert explain_guess(written, resolved) == reason


def test_a_guess_is_settled_by_one_press(client):
    installed()
    shown = read_page(client, LIST.replace("Cutters", "Cuttres"))
    (name,) = shown["guesses"]
    assert (name["reason"], bool(name["emblem"])) == ("2 letters off", True)
    shown = read_page(client, LIST.replace("Cutters", "Cuttres"), choice=name["agreed"])
    assert (shown["verdict"], [one["settled"] for one in shown["guesses"]]) == ("legal", [True])
    shown = read_page(client, LIST.replace("Cutters", "Cuttres"), choice=name["taken_back"])
    assert shown["verdict"] == "as-read"


@pytest.mark.parametrize(
    "data",
    [{"keep": "x"}, {"game": "x" * 200}, {"notes": "0"}, {"file": SimpleUploadedFile("list.ros", b"<roster>")}],
    ids=["number", "game", "notes", "file"],
)
def test_nothing_that_was_typed_or_answered_is_lost_on_an_error(client, data):
    installed()
    answer = client.post(BOX, {"text": CHATTY, "choice": [f"{LINE}=note"], **data})
    assert answer.status_code in (400, 409, 422)
    assert answer.context["text"] == CHATTY
    assert answer.context["answers"] == [f"{LINE}=note"]
    assert f'value="{LINE}=note"' in answer.content.decode()


def test_a_list_that_is_refused_stays_on_the_page_with_its_answers(client, monkeypatch):
    installed()
    monkeypatch.setattr(paste, "import_list", lambda *_given: Refused(code="unknown-faction"))
    answer = client.post(BOX, {"text": LIST, "choice": "force:1=column", "keep": "0"})
    assert answer.status_code == 422
    assert (answer.context["text"], answer.context["answers"]) == (LIST, ["force:1=column"])
    assert answer.context["lists"][0]["forces"]["settled"]
    assert answer.context["form"].errors["text"]


def test_a_file_with_letters_of_another_kind_comes_back_as_text(client):
    installed()
    file = SimpleUploadedFile("list.txt", LIST.encode("utf-16"))
    page = client.post(BOX, {"file": file}).context
    assert page["text"].strip() == LIST.strip()
    assert page["lists"][0]["evaluated_list"]


def test_lists_of_one_text_are_answered_one_by_one(client):
    install_forces([RAID, FORAY])
    text = LIST + "\nMade with War Organ\n\n" + LIST.replace("Mine", "Yours")
    page = send(client, text, choice="force:2=foray")
    chosen = [next(one["name"] for one in shown["forces"]["offered"] if one["chosen"]) for shown in page["lists"]]
    assert chosen == ["Raid", "Foray"]


@pytest.mark.parametrize("choice", ["=", "edition:1=" + "x" * 900, "force:1=\x00", "line:=note", "edition:1=a/b/c"])
def test_a_made_up_answer_does_no_harm(client, choice):
    installed()
    assert client.post(BOX, {"text": LIST, "choice": choice}).status_code == 200


def test_of_many_open_lines_some_are_asked_and_all_are_counted(client):
    installed()
    text = LIST + "".join(f"\n... {number} more of them, wherever these are !!\n" for number in range(90))
    shown = read_page(client, text)
    assert (len(shown["unread"]), shown["counts"]["unread"]) == (MOST_ASKED, 90)
    shown = read_page(client, text, notes="1")
    assert (len(shown["unread"]), len(shown["notes"])) == (0, 90)
