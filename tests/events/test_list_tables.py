"""Lists with players as tournament sites export them: tables by their headings, and JSON."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from roster.events.models import Event, Participant, Submission
from roster.events.services.list_tables import PlayerListRow, TableError, read_list_table
from tests.events.cast import Bench, opened

LIST = "Mine (30 points)\n\nMarsh Folk\n\nCORE\n\nCutters (10 pts)\nWärden (20 pts)"
SHORT = "Cutters (10)\nWärden (20)"


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        ("Player,List", ["Ann Reed", "{}"]),
        ("Place,Player Name,Faction,W,L,D,Total Points,List", ["1", "Ann Reed", "Marsh", "3", "0", "0", "30", "{}"]),
        ("First Name,Last Name,Army,Army List", ["Ann", "Reed", "Marsh", "{}"]),
        ("Prénom;Nom;Équipe;Liste d'armée", ["Ann", "Reed", "Rust", "{}"]),
        ("Vorname;Nachname;Mannschaft;Armeeliste;E-Mail", ["Ann", "Reed", "Rust", "{}", "a@example.org"]),
        ("Rank\tPlayer\tFaction\tCP\tWin\tList", ["1", "Ann Reed", "Marsh", "3", "1", "{}"]),
        ("armyListText,user,teamName", ["{}", "Ann Reed", "Rust"]),
        ("id,list,player,armylisttext", ["7", "abc", "Ann Reed", "{}"]),
        ("Pseudo;Prénom;Nom;Équipe;Liste", ["annie", "Ann", "Reed", "Rust", "{}"]),
        ("Giocatore,Squadra,Lista dell'esercito", ["Ann Reed", "Rust", "{}"]),
        ("Jugador,Equipo,Lista de ejército", ["Ann Reed", "Rust", "{}"]),
        ("Imię;Nazwisko;Drużyna;Frakcja;Rozpiska", ["Ann", "Reed", "Rust", "Marsh", "{}"]),
        # Forms have questions as headings.
        (
            "Timestamp,Email Address,Your name,Team name,Please paste your army list",
            ["1", "a", "Ann Reed", "Rust", "{}"],
        ),
        ("Horodateur;Adresse e-mail;Nom et prénom;Collez votre liste", ["1", "a", "Ann Reed", "{}"]),
        ("Zeitstempel;E-Mail-Adresse;Dein Name;Deine Liste (Text)", ["1", "a", "Ann Reed", "{}"]),
    ],
)
def test_columns_are_known_by_any_of_their_names(head, cells):
    separator = next(one for one in "\t;," if one in head)
    line = separator.join(f'"{SHORT}"' if cell == "{}" else cell for cell in cells)
    (row,) = read_list_table(f"{head}\n{line}\n")
    assert row.player == "Ann Reed"
    assert row.text == SHORT
    assert row.team == ("Rust" if "Rust" in cells else "")
    assert row.faction == ("Marsh" if "Marsh" in cells else "")


@pytest.mark.parametrize("above", ["sep=;\n", "Autumn Cup 2026;;\n;;\n", "Autumn Cup\n\nexported 3 May; 60 players\n"])
def test_headings_may_stand_below_other_lines(above):
    assert read_list_table(f'{above}Spieler;Team;Armeeliste\nAnn;Rust;"{SHORT}"\n') == [
        PlayerListRow(player="Ann", text=SHORT, team="Rust")
    ]


def test_a_list_itself_is_no_table():
    with pytest.raises(TableError):
        read_list_table(f"Player: Ann\nMy list, 2000 points\n{LIST}")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # Two questions may ask for the list.
        ("Player,First list here,Second list here\nAnn,Cutters,Crew\n", "no-list-column"),
        ("Player,Faction\nAnn,Marsh\n", "no-list-column"),
        ("List,Faction\nCutters,Marsh\n", "no-player-column"),
        ("just,some\ntable,without\n", "no-archive"),
        ("Player,List\n", "no-archive"),
        ("", "no-archive"),
        ("{", "no-archive"),
        ("[" * 100_000, "no-archive"),
        ("{}", "empty-archive"),
        ('[1, "x", null]', "empty-archive"),
        ('[{"name": "Ann"}]', "no-list-column"),
    ],
)
def test_what_has_no_lists_says_what_it_lacks(text, code):
    with pytest.raises(TableError, match=code):
        read_list_table(text)


def test_a_copied_table_may_have_lists_of_several_lines():
    text = f"Rank\tPlayer\tList\tPoints\n1\tAnn\t{SHORT}\t3\n2\tBob\tCrew (20)\t0\n3\tCem\t\t0\n"
    assert [(row.player, row.text) for row in read_list_table(text)] == [
        ("Ann", SHORT),
        ("Bob", "Crew (20)"),
        ("Cem", ""),
    ]
    # The list is in the last column.
    text = f"Player\tList\nAnn\t{SHORT}\nBob\tCrew (20)\n"
    assert [(row.player, row.text) for row in read_list_table(text)] == [("Ann", SHORT), ("Bob", "Crew (20)")]


USER = {"firstName": "Ann", "lastName": "Reed", "email": "a@example.org"}


@pytest.mark.parametrize(
    ("document", "row"),
    [
        ([{"player": "Ann Reed", "list": SHORT}], PlayerListRow(player="Ann Reed", text=SHORT)),
        (
            {"participants": [{"nickname": "ann", "lists": [{"id": 7, "text": SHORT}, {"id": 8, "text": "x"}]}]},
            PlayerListRow(player="ann", text=SHORT),
        ),
        (
            {"data": [{"pseudo": "ann", "liste": {"titre": "Marsh", "contenu": SHORT}}]},
            PlayerListRow(player="ann", text=SHORT),
        ),
        (
            {
                "active": [{"user": USER, "faction": {"name": "Marsh"}, "armyListText": SHORT}],
                "deleted": [{"user": {}}],
            },
            PlayerListRow(player="Ann Reed", text=SHORT, faction="Marsh", email="a@example.org"),
        ),
        (
            {"event": {"name": "GT"}, "armyListText": SHORT, "player": {"firstName": "Ann", "lastName": "Reed"}},
            PlayerListRow(player="Ann Reed", text=SHORT),
        ),
        (
            {"event": "GT", "teams": [{"name": "Rust", "players": [{"name": "Ann Reed", "armyListText": SHORT}]}]},
            PlayerListRow(player="Ann Reed", text=SHORT, team="Rust"),
        ),
        (
            {"data": {"players": [{"name": "Ann Reed", "team": {"name": "Rust"}, "list": {"text": SHORT}}]}},
            PlayerListRow(player="Ann Reed", text=SHORT, team="Rust"),
        ),
    ],
    ids=["rows", "players", "unknown name", "active", "single", "teams", "wrapped"],
)
def test_players_are_found_wherever_they_are_in_json(document, row):
    assert read_list_table(json.dumps(document)) == [row]


# ---- on the page -----------------------------------------------------------------------------------------------------


def upload(bench: Bench, **data: object) -> list[dict[str, str]]:
    answer = bench.client("ora").post(reverse("events:upload", args=[bench.event.public_id]), data)
    assert answer.status_code == 303
    return [line for line, _choices in bench.client("ora").get(answer["Location"]).context["lines"]]


@pytest.mark.django_db
def test_players_come_with_their_lists_and_without():
    bench = opened("ann", rules="")
    table = f'Player,Faction,List\nann,Marsh,"{LIST}"\nZoe,Weir Folk,"{LIST}"\nYan,Marsh,\n'
    lines = upload(bench, file=SimpleUploadedFile("export.csv", table.encode()))
    assert [line["outcome"] for line in lines] == ["taken", "taken", "no-list"]
    # The table gives this list another faction than it has.
    assert ["Weir Folk" in line["said"] for line in lines] == [False, True, False]
    assert Participant.objects.get(name="Yan").current is None
    assert Submission.objects.count() == 2


@pytest.mark.django_db
def test_a_table_is_pasted():
    bench = opened("ann", rules="")
    lines = upload(bench, table=f"Player\tList\nann\t{LIST}\nZoe\t{LIST}\n")
    assert [(line["player"], line["outcome"], line["verdict"]) for line in lines] == [
        ("ann", "taken", "legal"),
        ("Zoe", "taken", "legal"),
    ]


@pytest.mark.django_db
def test_teams_of_a_document_are_made():
    bench = opened("ann", rules="")
    Event.objects.update(is_team=True)
    document = {"teams": [{"name": "Rust", "players": [{"name": "Zoe", "armyListText": LIST}]}]}
    upload(bench, file=SimpleUploadedFile("event.json", json.dumps(document).encode()))
    assert Participant.objects.get(name="Zoe").team_name == "Rust"


@pytest.mark.django_db
@pytest.mark.parametrize("table", ["", "Player,Faction\nAnn,Marsh\n", "hello", '{"a": 1}'])
def test_a_table_without_lists_is_refused_and_stays_in_its_field(table):
    bench = opened("ann")
    answer = bench.client("ora").post(reverse("events:upload", args=[bench.event.public_id]), {"table": table})
    assert (answer.status_code, answer.context["table"]) == (422, table)
    assert 'role="alert"' in answer.content.decode()
