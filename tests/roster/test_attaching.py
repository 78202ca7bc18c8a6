"""Leaders attached to units: in the builder, on the link's page, on paper and in files."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any, cast

import pytest
from django.test import Client
from django.urls import reverse

from roster.engine.tree import Attachment, RosterTree, Selection
from roster.formats.list_document import BuiltList, Unreadable, build_list
from roster.formats.text.foreign import TextLayout
from roster.formats.text.own import TextLength
from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import Reading
from roster.models.tokens import TokenScope
from roster.pdf.shapes import Imprint
from roster.pdf.sheet_model import build_sheet_model
from roster.services.board import build_board
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import LinkedRosterFile, RosterFormat, export_list, read_list_file
from roster.services.list_check import CheckedDocument
from roster.services.texts import TextForm, write_list_text
from tests.catalogue.battlescribe_files import game_files, packed
from tests.catalogue.import_bytes import import_bytes
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.test_community_games import Player
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db

FORCES = '<forceEntries><forceEntry id="flock" name="Flock" hidden="false"/></forceEntries>'
BIRDS = """<selectionEntries>
 <selectionEntry id="drake" name="Drake" type="unit"><associations>
  <association id="leads" name="New Association" label="Leader" scope="force" childId="unit" min="0" max="1">
  <conditions>
   <condition type="instanceOf" value="1" field="selections" scope="self" childId="bird" shared="true"/>
  </conditions></association>
  <association id="guards" name="New Association" scope="force" childId="unit" min="0" max="2"/>
 </associations></selectionEntry>
 <selectionEntry id="duck" name="Duck" type="unit"><categoryLinks>
  <categoryLink id="duck-bird" targetId="bird" primary="true"/></categoryLinks></selectionEntry>
 <selectionEntry id="stone" name="Stone" type="unit"/>
</selectionEntries>"""


@pytest.fixture
def player() -> Player:
    import_bytes("ducks.zip", packed(game_files(BIRDS, FORCES)))
    player = Player()
    if not player.roster.tree.forces:
        player.do(do="add-detachment", entry="flock")
    force = player.roster.tree.forces[0]
    for entry in ("drake", "duck", "duck", "stone"):
        player.do(do="add-unit", node=force.id, entry=entry)
    return player


def units(player: Player) -> list[Selection]:
    return list(player.roster.tree.forces[0].selections)


def attach(player: Player, to: int = 1, association: str = "leads") -> str:
    drake, *others = units(player)
    return player.do(do="attach", node=drake.id, association=association, to=others[to].id, open=drake.id)


def shape(tree: RosterTree) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return each unit with its host, by position: files create new ids."""
    selections = [selection for force in tree.forces for selection in force.selections]
    places = {selection.id: place for place, selection in enumerate(selections)}
    return [(s.name, [(a.association_id, places[a.to_id]) for a in s.attachments]) for s in selections]


def test_a_leader_is_asked_whom_it_leads(player: Player) -> None:
    drake, *ducks = units(player)
    opened = build_board(player.roster, opened=drake.id).opened
    assert opened is not None
    leads, guards = opened.attachments
    assert (leads.name, leads.one_of, [choice.name for choice in leads.choices]) == (
        "Leader",
        True,
        ["Duck (1)", "Duck (2)"],
    )
    assert (guards.name, guards.one_of, len(guards.choices)) == ("", False, 3)
    page = markup(player.client.get(player.address, {"open": drake.id}))
    assert 'name="association" value="leads"' in page
    assert "Attached to" in page
    opened = build_board(player.roster, opened=ducks[0].id).opened
    assert opened is not None
    assert opened.attachments == ()


def test_both_say_so_in_the_list(player: Player) -> None:
    page = attach(player)
    assert "Leads Duck" in page
    assert "Led by Drake" in page
    assert units(player)[0].attachments == (Attachment(association_id="leads", to_id=units(player)[2].id),)
    assert player.do(do="undo").count("Led by") == 0


def test_nothing_is_a_choice_too(player: Player) -> None:
    attach(player)
    drake = units(player)[0]
    player.do(do="attach", node=drake.id, association="leads", to="")
    assert units(player)[0].attachments == ()
    for to in (0, 1):
        attach(player, to, "guards")
    player.do(do="detach", node=drake.id, association="guards", to=units(player)[1].id)
    assert [a.to_id for a in units(player)[0].attachments] == [units(player)[2].id]


def test_what_it_may_not_be_attached_to_is_said(player: Player) -> None:
    page = attach(player, 2)
    assert "Wrongly attached" in page
    assert "It cannot be attached to Stone" in page
    opened = build_board(player.roster, opened=units(player)[0].id).opened
    assert opened is not None
    assert [(c.name, c.taken, c.fits) for c in opened.attachments[0].choices][-1] == ("Stone", True, False)


@pytest.mark.parametrize(
    "form",
    [
        {"do": "attach", "association": "leads", "to": "nobody"},
        {"do": "attach", "association": "rides", "to": "DUCK"},
        {"do": "attach", "association": "leads", "to": "DRAKE"},
        {"do": "attach", "to": "DUCK"},
        {"do": "attach", "node": "nobody", "association": "leads", "to": "DUCK"},
        {"do": "detach", "node": "nobody"},
        {"do": "detach", "association": "x" * 5000},
        {"do": "attach", "association": "leads", "to": "\0"},
    ],
)
def test_bad_forms_change_nothing(player: Player, form: dict[str, str]) -> None:
    drake, duck, *_ = units(player)
    names = {"DUCK": duck.id, "DRAKE": drake.id}
    fields = {"node": drake.id} | {name: names.get(value, value) for name, value in form.items()}
    before = player.roster.tree
    answer = player.client.post(player.address + "edits/", {"revision": str(player.roster.head), **fields})
    assert answer.status_code in {400, 422}
    assert player.roster.tree == before


def test_a_stranger_attaches_nothing(player: Player) -> None:
    drake, duck, *_ = units(player)
    fields = {"revision": "1", "do": "attach", "node": drake.id, "association": "leads", "to": duck.id}
    assert Client().post(player.address + "edits/", fields).status_code == 404


def test_a_list_that_may_attach_everything_leaves_nothing_unchecked(player: Player) -> None:
    assert evaluate_roster(player.roster).report.unchecked == ()


def test_tables_and_what_other_programs_read_say_it(player: Player) -> None:
    attach(player)
    attach(player, 0, "guards")
    head, drake, *ducks = csv.reader(io.StringIO(export_list(player.roster, RosterFormat.TABLE).decode("utf-8-sig")))
    assert (head[-1], drake[-1]) == ("Attached to", "Duck, Duck")
    assert [row[-1] for row in ducks] == ["", "", ""]
    text = write_list_text(player.roster, TextForm(layout=TextLayout.WTC))
    # The second duck and the first one, each in its own format.
    assert [line for line in text.splitlines() if "Attached" in line] == [
        "  Attached to Duck #2",
        "  Attached to Duck as 2",
    ]
    (pasted,) = parse_text(text).lists
    assert [line.reading for line in pasted.lines] == [Reading.UNDERSTOOD] * len(pasted.lines)


def test_the_page_of_the_link_says_it(player: Player) -> None:
    attach(player)
    link = markup(Client().get(reverse("roster:link", args=[player.roster.link_id])))
    assert "Leads Duck" in link
    assert "Led by Drake" in link


FILES = (RosterFormat.ROS, RosterFormat.ROSZ, RosterFormat.NEW_RECRUIT_JSON, RosterFormat.YAML, RosterFormat.JSON)


@pytest.mark.parametrize("form", FILES)
def test_files_carry_it(player: Player, form: RosterFormat) -> None:
    attach(player)
    attach(player, 0, "guards")
    wanted = shape(player.roster.tree)
    assert [association for association, _ in wanted[0][1]] == ["leads", "guards"]
    read = read_list_file(export_list(player.roster, form))
    assert isinstance(read, LinkedRosterFile | CheckedDocument), read
    assert shape(read.evaluated_list.tree) == wanted


@pytest.mark.parametrize("length", [TextLength.FULL, TextLength.COMPACT])
def test_texts_say_it_and_read_back(player: Player, length: TextLength) -> None:
    attach(player)
    text = write_list_text(player.roster, TextForm(length=length))
    assert "with Duck" in text
    document = parse_text(text).lists[0].document
    assert document is not None
    built = build_list(evaluate_roster(player.roster).ruleset, document, "pond")
    assert isinstance(built, BuiltList), built
    bonds = [names for _, names in shape(built.roster) if names]
    assert [[association for association, _ in names] for names in bonds] == [["leads"]]
    assert "with Duck" not in write_list_text(player.roster, TextForm(length=TextLength.SHORT))


DOCUMENT = """
list: 1
game: ducks-and-drakes
detachments:
- detachment: flock
  units:
  - {unit: drake, attached: {%s: %s}}
  - {unit: duck, ref: first}
  - {unit: duck, name: Donald}
"""


@pytest.mark.parametrize(("association", "name"), [("Leader", "first"), ("leads", "Donald"), ("''", "[first]")])
def test_a_document_names_it(player: Player, association: str, name: str) -> None:
    read = read_list_file((DOCUMENT % (association, name)).encode())
    assert isinstance(read, CheckedDocument), read
    assert [s.name for s in read.evaluated_list.tree.forces[0].selections] == ["Drake", "Duck", "Duck"]
    assert [association for association, _ in shape(read.evaluated_list.tree)[0][1]] == ["leads"]


@pytest.mark.parametrize(
    ("association", "name", "code"),
    [
        ("rides", "first", "unknown-association"),
        ("leads", "nobody", "unknown-planned-unit"),
        ("leads", "duck", "ambiguous-unit"),
        ("leads", "{}", "not-text"),
    ],
)
def test_a_document_that_names_what_is_not_there_is_refused(
    player: Player, association: str, name: str, code: str
) -> None:
    read = read_list_file((DOCUMENT % (association, name)).encode())
    assert isinstance(read, Unreadable), read
    assert read.code == code


def test_an_exact_document_of_what_is_gone_is_judged(player: Player) -> None:
    text = "list: 1\nexact: true\n" + (DOCUMENT % ("rides", "first")).partition("1\n")[2]
    read = read_list_file(text.encode())
    assert isinstance(read, CheckedDocument), read
    assert [violation.code for violation in read.evaluated_list.report.violations] == ["wrong-attachment"]


def test_ids_that_fit_no_page_are_renamed_everywhere(player: Player) -> None:
    attach(player)
    duck = units(player)[2].id
    data = export_list(player.roster, RosterFormat.ROS).replace(duck.encode(), b"an odd id")
    read = read_list_file(data)
    assert isinstance(read, LinkedRosterFile), read
    assert shape(read.evaluated_list.tree) == shape(player.roster.tree)


def test_paper_says_it(player: Player) -> None:
    attach(player)
    judged = evaluate_roster(player.roster)
    sheet = build_sheet_model(judged.report, Imprint(game="Ducks"), title="", cite=lambda place: "")
    lines = [line.notes for block in sheet.blocks for line in block.lines]
    assert lines == ["Leads Duck", "", "Led by Drake", ""] or sorted(filter(None, lines)) == [
        "Leads Duck",
        "Led by Drake",
    ]
    assert sorted(filter(None, (datasheet.write_remarks() for datasheet in sheet.datasheets))) == [
        "Leads Duck",
        "Led by Drake",
    ]


def test_a_document_changes_only_what_is_attached_or_noted(player: Player) -> None:
    """Each such document is a step, and the comparison says what changed."""
    roster = player.roster
    roster.owner, roster.owner_key = account(), ""
    roster.save()
    token = make(roster.owner, TokenScope.READ, TokenScope.WRITE)
    address = f"/api/v1/rosters/{roster.link_id}/"

    def put(revision: int, change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        document = ask(token, address).json()["list"]
        change(document)
        headers = {"Authorization": f"Bearer {token}", "If-Match": f'"{revision}"'}
        answer = Client().put(address, json.dumps(document), "application/json", headers=headers)
        assert answer.status_code == 200, answer.content
        return cast("dict[str, Any]", answer.json())

    def attach(document: dict[str, Any]) -> None:
        listed = document["detachments"][0]["units"]
        listed[0], listed[1] = {"unit": listed[0], "attached": {"leads": ["d"]}}, {"unit": listed[1], "ref": "d"}

    def swap(document: dict[str, Any]) -> None:
        listed = document["detachments"][0]["units"]
        listed[2], listed[3] = listed[3], listed[2]

    start = roster.head
    assert put(start, lambda document: None)["revision"] == start, "an equal document is no step"
    texts = []
    for number, change in enumerate(
        (
            attach,
            swap,
            lambda document: document["detachments"][0].update(categories=[{"category": "bird", "notes": "Wet"}]),
            lambda document: document.update(unshown=["options"]),
        ),
        start,
    ):
        assert put(number, change)["revision"] == number + 1
        told = ask(token, f"{address}diff/?from={number}&to={number + 1}").json()
        texts.append([one["text"] for one in told["differences"]])
    assert put(number + 1, lambda document: None)["revision"] == number + 1
    assert texts == [
        ["Drake joins Duck"],
        ["same units in another order"],
        ["different notes on types of unit in Flock"],
        ["the original list shows other parts"],
    ]
