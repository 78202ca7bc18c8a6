"""Archives of lists as forms, drives and users pack them: the player of each file, and files without a list."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from roster.events.models import Participant
from roster.events.services.archives import ArchiveError, read_many_lists
from roster.formats.list_document import Unreadable
from roster.formats.other_files import recognise_other_file
from roster.services.exchange import read_list_file
from roster.services.pasted_lists import read_pasted_text
from roster.wording import explain_unreadable
from tests.events.cast import LIST, Bench, opened
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db

TEXT = "Mine (30 points)\n\nMarsh Folk\n\nCORE\n\nCutters (10 pts)\nWärden (20 pts)\n"


def packed(members: dict[str, str | bytes], head: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return head + buffer.getvalue()


WORD = packed({"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>"})
EXCEL = packed({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<w/>"})
WRITER = packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<x/>"})
CALC = packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>"})
OTHER_FILES = {
    "list.pdf": (b"%PDF-1.7\nstream\xff\x00", "pdf-file"),
    "list.docx": (WORD, "document-file"),
    "list.odt": (WRITER, "document-file"),
    "list.rtf": (rb"{\rtf1 Cutters}", "document-file"),
    "list.doc": (b"\xd0\xcf\x11\xe0" + b"\x00" * 600 + "WordDocument".encode("utf-16-le"), "document-file"),
    "list.xls": (b"\xd0\xcf\x11\xe0" + b"\x00" * 600 + "Workbook".encode("utf-16-le"), "sheet-file"),
    "list.xlsx": (EXCEL, "sheet-file"),
    "list.ods": (CALC, "sheet-file"),
    "list.png": (b"\x89PNG\r\n\x1a\n\x00", "picture-file"),
    "list.heic": (b"\x00\x00\x00\x18ftypheic\x00", "picture-file"),
    "list.html": (b"\xef\xbb\xbf\n<!DOCTYPE html><p>Cutters</p>", "web-page"),
    "list.7z": (b"7z\xbc\xaf\x27\x1c", "packed-file"),
}


def upload(bench: Bench, data: bytes) -> list[dict[str, str]]:
    """Upload an archive as the organiser, and return the lines of its report."""
    page = reverse("events:upload", args=[bench.event.public_id])
    answer = bench.client("ora").post(page, {"file": SimpleUploadedFile("lists.zip", data)})
    assert answer.status_code == 303
    return [line for line, _choices in bench.client("ora").get(answer["Location"]).context["lines"]]


@pytest.mark.parametrize(
    ("paths", "players"),
    [
        (["Ann Smith.txt", "Bob_Jones.txt"], ["Ann Smith", "Bob Jones"]),
        (["Player 115/list.txt", "Player 116/army.txt"], ["Player 115", "Player 116"]),
        (["all/Player 1/My list (2).txt"], ["Player 1"]),
        (["Ann\\list.txt", "Bob\\Liste.txt"], ["Ann", "Bob"]),
        (["Ann/necrons.txt", "Bob/orks.ros"], ["Ann", "Bob"]),
        # A folder that all files share names no player.
        (["lists/ann.txt", "lists/bob.txt"], ["ann", "bob"]),
        (["lists/army.txt", "lists/bob.txt", "lists/cem.txt"], ["", "bob", "cem"]),
        (["GT/army.txt", "GT/bob.txt", "GT/cem.txt"], ["", "bob", "cem"]),
        (["only/ann.txt"], ["ann"]),
        # Forms append the sender to the file name.
        (["list - Ann Smith.txt", "army list (3) - Bob.txt"], ["Ann Smith", "Bob"]),
        (["Ann/list.txt", "Ann/notes.docx", "Ann/photo.jpg"], ["Ann", "Ann", "Ann"]),
        (["Ann/list.txt", "Thumbs.db", "Ann/~$list.docx", "__MACOSX/Ann/._list.txt", ".DS_Store"], ["Ann"]),
    ],
)
def test_a_file_is_of_the_player_that_its_name_or_folder_says(paths, players):
    assert [one.player for one in read_many_lists(packed(dict.fromkeys(paths, TEXT)))] == players


def test_a_folder_of_a_single_file_may_be_a_team():
    members = dict.fromkeys(["Reeds/ann.txt", "Rust/bob.txt", "Rust Two/Cem/list.txt"], TEXT)
    lists = read_many_lists(packed(members), has_teams=True)
    assert [(one.player, one.team) for one in lists] == [("ann", "Reeds"), ("bob", "Rust"), ("Cem", "Rust Two")]


def test_lists_in_folders_are_taken_in_for_their_players():
    bench = opened("ann", rules="")
    lines = upload(bench, packed({"ann/list.txt": TEXT, "Zoe/Army List.yaml": LIST}))
    assert [(line["player"], line["outcome"], line["verdict"]) for line in lines] == [
        ("ann", "taken", "legal"),
        ("Zoe", "taken", "legal"),
    ]
    # For texts the report says how much was read; documents have no doubtful lines.
    assert lines[0]["reading"]
    assert not lines[1]["reading"]
    assert bench.entry("ann").current.remarks == [lines[0]["reading"]]
    assert bench.event.participants.count() == 2


@pytest.mark.parametrize("name", OTHER_FILES)
def test_other_files_are_named_as_what_they_are(name):
    data, code = OTHER_FILES[name]
    assert recognise_other_file(data) == code
    for read in (read_list_file(data, name), read_pasted_text(data)):
        assert isinstance(read, Unreadable)
        assert read.code == code
    sentence = explain_unreadable(Unreadable(code)).reason

    bench = opened("ann")
    (line,) = upload(bench, packed({f"Zoe/{name}": data}))
    assert (line["player"], line["unread"]) == ("Zoe", code)
    assert str(sentence) in line["said"]
    entry = Participant.objects.get(name="Zoe")
    assert (entry.verdict, entry.current.report["unreadable"]["code"]) == ("unreadable", code)

    page = reverse("events:submit", args=[bench.event.public_id, bench.entry("ann").public_id])
    shown = bench.client("ann").post(page, {"file": SimpleUploadedFile(name, data)})
    assert shown.context["unreadable"] == str(sentence)
    for where in ("roster:import", "roster:import-shared"):
        sent = Client().post(reverse(where), {"file": SimpleUploadedFile(name, data)})
        assert sent.status_code == 400
        assert str(sentence) in sent.content.decode()


@pytest.mark.parametrize("data", [b"", b"BM", b"PK", b"PK\x03\x04rubbish", b"Cutters (10 pts)", b"<roster/>"])
def test_anything_else_is_left_to_its_reader(data):
    assert recognise_other_file(data) == ""


def test_a_table_of_an_office_program_is_no_archive_of_lists():
    with pytest.raises(ArchiveError, match="sheet-file"):
        read_many_lists(EXCEL)
    bench = opened()
    page = reverse("events:upload", args=[bench.event.public_id])
    answer = bench.client("ora").post(page, {"file": SimpleUploadedFile("lists.xlsx", EXCEL)})
    assert answer.status_code == 422
    assert str(explain_unreadable(Unreadable("sheet-file")).reason) in answer.content.decode()


def test_a_file_without_a_list_beside_a_list_is_left_out():
    bench = opened("ann", rules="")
    data = {"ann/list.pdf": b"%PDF-1.7", "ann/list.txt": TEXT, "ann/list.docx": WORD, "Zoe/list.pdf": b"%PDF-1.7"}
    lines = upload(bench, packed(data))
    assert [line["outcome"] for line in lines] == ["beside-a-list", "taken", "beside-a-list", "taken"]
    assert [entry.verdict for entry in bench.event.participants.order_by("name")] == ["unreadable", "legal"]
    assert bench.entry("ann").submissions.count() == 1


@pytest.mark.parametrize(
    "text",
    [
        "Cold morning (40 points)\n\nIron Weir\n\nWeir Mistress (18 pts)\nGate Captain (12 pts)\nStokers (10 pts)\n",
        "list: 1\ngame: reeds-and-rust\nfaction: iron-weir\nname: Cold\n",
    ],
    ids=["pasted", "document"],
)
def test_a_list_of_another_game_says_which(text):
    bench = opened("ann")
    reeds = install_shipped(SHIPPED / "reeds_and_rust" / "first")
    (line,) = upload(bench, packed({"ann.txt": text}))
    assert (line["verdict"], line["unread"]) == ("unreadable", "wrong-game")
    assert str(reeds.game) in line["said"]
    page = reverse("events:submit", args=[bench.event.public_id, bench.entry("ann").public_id])
    shown = bench.client("ann").post(page, {"text": text})
    assert str(reeds.game) in shown.context["unreadable"]


def test_a_list_of_this_game_with_unknown_units_is_of_no_other():
    bench = opened("ann")
    install_shipped(SHIPPED / "reeds_and_rust" / "first")
    (line,) = upload(
        bench, packed({"ann.txt": "Marsh Folk\n\nCutters (10 pts)\nHovercraft (20 pts)\nZeppelin (9 pts)\n"})
    )
    assert line.get("unread") != "wrong-game"
