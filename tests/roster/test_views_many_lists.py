"""Many lists: search, sort, delete, restore, print and compare."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import Faction, GameSystem, Job
from catalogue.services import jobs
from catalogue.services.jobs import advance_job
from roster.engine.tree import Force, RosterTree, Selection
from roster.models import Folder, Roster, Tag
from roster.models.roster import SEARCH_LENGTH
from roster.pdf.render_lock import RendererBusy
from roster.services import organize
from roster.services.evaluation import build_search_text
from roster.services.list_search import ListPages
from roster.templatetags.pieces import pieces
from tests.copied_rows import begin_once
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.small_game import ABOUT, FENLAND, installed
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

ROSTERS, BULK, BIN = (reverse(f"roster:{name}") for name in ("rosters", "bulk", "bin"))
FOLDERS, COMPARE, PRINT, TEXTS = (reverse(f"roster:{name}") for name in ("folders", "compare-lists", "print", "texts"))


def three() -> tuple[Client, list[Owner]]:
    """Alder is legal, Birch and Cedar are incomplete. Stored once, because clicking them together is slow."""
    client = Client()

    def begin() -> tuple[list[str], str]:
        owners = [started(client, name=name) for name in ("Alder", "Birch", "Cedár")]
        for unit in ("warden", "cutters"):
            owners[0].unit(unit)
        return [owner.public_id for owner in owners], client.cookies.output(header="", sep=";")

    public_ids, cookies = begin_once(installed(), "three lists", begin)
    client.cookies.load(cookies)
    return client, [Owner(client, public_id) for public_id in public_ids]


def shown(client: Client, **wanted: str) -> list[str]:
    answer = client.get(ROSTERS, wanted)
    assert answer.status_code == 200
    return sorted(row.roster.name for row in answer.context["rows"])


def do(client: Client, what: str, *owners: Owner, **fields: str) -> str:
    form = fields | {"do": what, "list": [owner.public_id for owner in owners]}
    answer = client.post(BULK, form, follow=True)
    assert answer.status_code == 200
    return " ".join(str(message.level_tag) for message in answer.context["messages"])


@pytest.mark.parametrize("address", [ROSTERS, BIN, FOLDERS, reverse("roster:restore")])
def test_works_with_and_without_lists(address):
    assert Client().get(address).status_code == 200
    client, _ = three()
    assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({}, ["Alder", "Birch", "Cedár"]),
        ({"q": "ald"}, ["Alder"]),
        ({"q": "CEDAR"}, ["Cedár"]),
        ({"q": "fenland marsh"}, ["Alder", "Birch", "Cedár"]),
        ({"q": "fenland oak"}, []),
        ({"q": "%"}, []),
        ({"q": "aldr"}, ["Alder"]),
        ({"q": "wardne cuters"}, ["Alder"]),
        ({"q": "fenlnd"}, ["Alder", "Birch", "Cedár"]),
        ({"q": "zzzzzzzz"}, []),
        ({"size": "100"}, ["Alder", "Birch", "Cedár"]),
        ({"size": "7"}, []),
        ({"size": "'x"}, []),
        ({"verdict": "legal"}, ["Alder"]),
        ({"verdict": "incomplete"}, ["Birch", "Cedár"]),
        ({"verdict": "nonsense"}, ["Alder", "Birch", "Cedár"]),
        ({"game": "fenland"}, ["Alder", "Birch", "Cedár"]),
        ({"game": "chess"}, []),
        ({"faction": "marsh"}, ["Alder", "Birch", "Cedár"]),
        ({"faction": "weir"}, []),
        ({"folder": "none"}, ["Alder", "Birch", "Cedár"]),
        ({"folder": "7"}, []),
        ({"folder": "x"}, ["Alder", "Birch", "Cedár"]),
        ({"tag": "7"}, []),
        ({"tag": "9" * 40}, ["Alder", "Birch", "Cedár"]),
        ({"order": "name"}, ["Alder", "Birch", "Cedár"]),
        ({"page": "99", "order": "nonsense"}, ["Alder", "Birch", "Cedár"]),
    ],
)
def test_lists_are_searched_and_filtered(wanted, names):
    client, _ = three()
    assert shown(client, **wanted) == names


def test_what_was_meant_is_said() -> None:
    client, _ = three()
    assert "match “alder”" in client.get(ROSTERS, {"q": "aldr"}).content.decode()
    assert client.get(ROSTERS, {"q": "alder"}).context["corrected"] == ""


def test_a_new_name_is_found_and_the_old_one_is_not():
    client, (first, *_) = three()
    first.done(do="rename", node="", text="Elm")
    assert shown(client, q="elm") == ["Elm"]
    assert shown(client, q="alder") == []


def test_lists_are_found_by_their_units_as_data_and_owner_call_them():
    client, (first, *_) = three()
    assert shown(client, q="cutt warden") == shown(client, q="alder cutters") == ["Alder"]
    unit = first.roster.tree.forces[0].selections[0].id
    first.done(do="rename", node=unit, text="Old Mürre")
    assert shown(client, q="murre") == shown(client, q="warden") == ["Alder"]
    first.done(do="remove", node=unit)
    assert shown(client, q="murre") == shown(client, q="warden") == []


def test_lists_that_were_there_before_are_found_by_their_units():
    three()
    texts = list(Roster.objects.order_by("pk").values_list("search_text", flat=True))
    Roster.objects.update(search_text="")
    migration = import_module("roster.migrations.0010_lists_by_units")
    migration.units_to_search_in(apps, None)
    assert list(Roster.objects.order_by("pk").values_list("search_text", flat=True)) == texts
    assert "\n" in texts[0]


def test_what_a_list_is_found_by_has_room():
    units = tuple(Selection(id=str(n), entry_id="e", name=f"Unit{n} of the Fen") for n in range(200))
    tree = RosterTree(id="", name="Low", forces=(Force(id="f", entry_id="x", catalogue_id="y", selections=units),))
    text = build_search_text(tree)
    assert text.startswith("low\nunit0 of the fen unit1 unit2")
    assert len(text) == SEARCH_LENGTH


def test_lists_come_in_pages_and_in_order(monkeypatch):
    monkeypatch.setattr("roster.services.list_search.AT_ONCE", 2)
    client, _ = three()
    pages = [client.get(ROSTERS, {"page": page, "order": "name"}).context["rows"] for page in ("1", "2")]
    assert [[row.roster.name for row in page] for page in pages] == [["Alder", "Birch"], ["Cedár"]]
    # Sorting by copies is only for public lists.
    Roster.objects.filter(name="Birch").update(times_copied=9)
    for order in ("", "copied"):
        assert client.get(ROSTERS, {"order": order}).context["rows"][0].roster.name == "Alder"


def rename_folder(owner: Owner) -> None:
    Folder.objects.update(name="Renamed")


def rename_tag(owner: Owner) -> None:
    Tag.objects.update(name="Renamed")


def rename_faction(owner: Owner) -> None:
    Faction.objects.update(name="Renamed")


def rename_game(owner: Owner) -> None:
    GameSystem.objects.update(title="Renamed")


def colour_faction(owner: Owner) -> None:
    Faction.objects.update(accent="#123456", accent_dark="#654321", emblem="lion")


def take_another_unit(owner: Owner) -> None:
    owner.unit("warden")


def change_column(**columns: object) -> Callable[[Owner], object]:
    """Change a column of a list without changing its time."""
    return lambda owner: Roster.objects.filter(public_id=owner.public_id).update(**columns)


@pytest.mark.parametrize(
    "change",
    [
        *(rename_folder, rename_tag, rename_faction, rename_game, colour_faction, take_another_unit),
        *(change_column(name="Renamed"), change_column(points="7"), change_column(limit="9")),
        *(change_column(units=[["Herons", 4, "heron"]]), change_column(is_secret=True), change_column(taken_down=True)),
        *(change_column(verdict="illegal"), change_column(folder=None), change_column(link_id="b" * 22)),
        change_column(updated=timezone.now() - timedelta(days=40)),
    ],
)
def test_a_row_that_was_rendered_before_shows_what_is_now(change: Callable[[Owner], object]) -> None:
    client, (owner, *_) = three()
    do(client, "move", owner, new_folder="Sunday")
    do(client, "tag", owner, tag_name="cup")
    before = rows_of(client)
    assert rows_of(client) == before
    change(owner)
    after = rows_of(client)
    assert after != before
    pieces.clear()
    assert rows_of(client) == after


def test_rendered_rows_speak_the_language_of_the_reader() -> None:
    client, _ = three()
    english = rows_of(client)
    client.cookies["language"] = "de"
    german = rows_of(client)
    pieces.clear()
    assert rows_of(client) == german != english


def test_a_list_that_was_ticked_is_ticked_only_where_that_is_asked() -> None:
    client, (owner, *_) = three()
    before = rows_of(client)
    assert " checked" not in before
    assert rows_of(client, list=owner.public_id).count(" checked") == 1
    assert rows_of(client) == before


def rows_of(client: Client, **fields: str) -> str:
    page = markup(client.get(ROSTERS, fields))
    return page[page.index("<ol") : page.index("</ol>")]


def test_a_compared_list_with_nothing_in_it_is_empty():
    client, (alder, birch, _cedar) = three()
    verdicts = client.get(COMPARE, {"list": [alder.public_id, birch.public_id]}).context["verdicts"]
    assert [sign for sign, _word in verdicts] == ["legal", "empty"]
    birch.unit("cutters")
    verdicts = client.get(COMPARE, {"list": [alder.public_id, birch.public_id]}).context["verdicts"]
    assert [sign for sign, _word in verdicts] == ["legal", "incomplete"]


@pytest.mark.parametrize(("at_once", "pages"), [(4, 1), (3, 1), (2, 2)])
def test_lists_are_counted_where_there_is_a_second_page_alone(
    monkeypatch, django_assert_num_queries, at_once: int, pages: int
) -> None:
    three()
    monkeypatch.setattr("roster.services.list_search.AT_ONCE", at_once)
    with django_assert_num_queries(pages):
        paginator = ListPages(Roster.objects.order_by("pk"))
        first = list(paginator.get_page("1"))
    assert (paginator.count, paginator.num_pages, len(first)) == (3, pages, min(3, at_once))
    assert len(first) + sum(len(paginator.page(number)) for number in range(2, pages + 1)) == 3


def test_lists_whose_number_is_known_are_not_counted(monkeypatch, django_assert_num_queries) -> None:
    three()
    monkeypatch.setattr("roster.services.list_search.AT_ONCE", 2)
    with django_assert_num_queries(1):
        paginator = ListPages(Roster.objects.order_by("pk"), 3)
        assert (len(paginator.get_page("1")), paginator.num_pages) == (2, 2)


def test_the_number_of_all_lists_is_not_that_of_a_search(monkeypatch) -> None:
    client, _owners = three()
    monkeypatch.setattr("roster.services.list_search.AT_ONCE", 2)
    counted = {query: client.get(ROSTERS, {"q": query}).context["page_obj"].paginator.count for query in ("", "birch")}
    assert counted == {"": 3, "birch": 1}


def test_asks_the_same_at_one_and_three_lists(django_assert_num_queries):
    client = Client()
    for number in (1, 3):
        while Roster.objects.count() < number:
            do(client, "tag", started(client), tag_name=f"T{number}")
            do(client, "move", Owner(client, Roster.objects.latest("pk").public_id), new_folder=f"F{number}")
        # Session, folders, tags, versions, factions, keys, rows, their tags, and the numbers by folder and by faction.
        with django_assert_num_queries(9):
            client.get(ROSTERS, {"q": "low fenland t1", "verdict": "incomplete"})
        with django_assert_num_queries(5):  # session, folders, their lists, tags, their lists
            client.get(FOLDERS)


def test_bin_asks_the_same_at_one_and_three_lists(django_assert_num_queries):
    client, owners = three()
    for owner in owners:
        do(client, "move", owner, new_folder=owner.public_id)
    for some in (owners[:1], owners):
        do(client, "bin", *some)
        with django_assert_num_queries(4):  # session, count, rows, their factions
            client.get(BIN)


def test_bulk_asks_the_same_for_one_and_three_lists(django_assert_num_queries):
    client, owners = three()
    for some in (owners[:1], owners):
        ids = [owner.public_id for owner in some]
        do(client, "tag", *owners, tag_name="cup")
        for what, queries in (("move", 2), ("untag", 3), ("bin", 2), ("restore", 2)):
            with django_assert_num_queries(queries):
                client.post(BULK, {"do": what, "list": ids, "folder": "none", "tag_name": "cup"})


def test_folders():
    client, (first, second, third) = three()
    assert do(client, "move", first, second, new_folder=" For\tSunday ") == "success"
    folder = Folder.objects.get()
    assert folder.name == "For Sunday"
    assert shown(client, folder=str(folder.pk)) == ["Alder", "Birch"]
    assert do(client, "move", third, new_folder="For Sunday") == "success"
    assert do(client, "move", first, folder="none") == "success"
    assert shown(client, folder=str(folder.pk)) == ["Birch", "Cedár"]
    assert shown(client, folder="none") == ["Alder"]
    form = {"kind": "folder", "id": str(folder.pk), "do": "rename", "name": "For Monday"}
    assert client.post(FOLDERS, form).status_code == 303
    assert Folder.objects.get().name == "For Monday"
    assert client.post(FOLDERS, form | {"do": "delete"}).status_code == 303
    assert shown(client, folder="none") == ["Alder", "Birch", "Cedár"]


def test_tags():
    client, (first, second, _) = three()
    assert do(client, "tag", first, second, tag_name="cup") == "success"
    assert do(client, "tag", first, tag_name="cup") == "success"
    tag = Tag.objects.get()
    assert shown(client, tag=str(tag.pk)) == shown(client, q="cup") == ["Alder", "Birch"]
    assert do(client, "untag", first, tag_name="cup") == "success"
    assert shown(client, tag=str(tag.pk)) == ["Birch"]
    client.post(FOLDERS, {"kind": "tag", "id": str(tag.pk), "do": "delete"})
    assert Roster.objects.count() == 3


def test_no_more_tags_and_folders_than_there_may_be(monkeypatch):
    client, (first, *_) = three()
    monkeypatch.setattr(organize, "MOST_TAGS", 1)
    monkeypatch.setattr(organize, "MOST_LABELS", 2)
    for name in ("a", "b"):
        do(client, "tag", first, tag_name=name)
    assert [tag.name for tag in first.roster.tags.all()] == ["a"]
    assert do(client, "tag", first, tag_name="c") == "error"
    assert Tag.objects.count() == 2


TAMPERED = [
    {"do": "explode"},
    {"do": ""},
    {"do": "move", "folder": "77"},
    {"do": "move", "folder": "x"},
    {"do": "move"},
    {"do": "move", "new_folder": "x" * 61},
    {"do": "tag", "tag_name": ""},
    {"do": "tag", "tag_name": "x" * 61},
    {"do": "untag", "tag_name": "unknown"},
]


@pytest.mark.parametrize("form", TAMPERED)
def test_tampered_form(form):
    client, owners = three()
    before = list(Roster.objects.values())
    assert do(client, form["do"], *owners, **{k: v for k, v in form.items() if k != "do"}) == "error"
    assert list(Roster.objects.values()) == before
    assert not Folder.objects.exists()
    assert not Tag.objects.exists()


def test_nothing_or_too_much_chosen():
    client, _ = three()
    for what in ("move", "tag", "bin", "restore"):
        assert do(client, what, tag_name="x", folder="none") == "error"
    answer = client.post(BULK, {"do": "bin", "list": ["x"] * 101}, follow=True)
    assert [message.level_tag for message in answer.context["messages"]] == ["error"]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"kind": "roster", "do": "new", "name": "x"},
        {"kind": "folder", "do": "explode", "id": "1"},
        {"kind": "folder", "do": "rename", "id": "x", "name": "x"},
        {"kind": "folder", "do": "delete", "id": "999"},
    ],
)
def test_tampered_folders(form):
    client, _ = three()
    assert client.post(FOLDERS, form).status_code == 400


@pytest.mark.parametrize("name", ["", " ", "x" * 61])
def test_wrong_names_of_folders(name):
    client, _ = three()
    for kind in ("folder", "tag"):
        assert client.post(FOLDERS, {"kind": kind, "do": "new", "name": name}).status_code == 422
        client.post(FOLDERS, {"kind": kind, "do": "new", "name": "right"})
        label = {"folder": Folder, "tag": Tag}[kind].objects.get()
        form = {"kind": kind, "do": "rename", "id": str(label.pk), "name": name}
        assert client.post(FOLDERS, form).status_code == 422


# ---- lists of other users ----------------------------------------------------------------------------------------


def test_nobody_does_anything_with_the_lists_of_others():
    client, owners = three()
    do(client, "move", owners[0], new_folder="Mine")
    do(client, "tag", owners[0], tag_name="mine")
    thief, _ = three()
    before = next(iter(Roster.objects.filter(name="Alder").order_by("pk").values()))
    folder, tag = Folder.objects.get(), Tag.objects.get()
    for what in ("move", "tag", "bin", "restore", "delete"):
        do(thief, what, *owners, new_folder="Theirs", tag_name="theirs", sure="1")
    do(thief, "empty", sure="1")
    assert next(iter(Roster.objects.filter(name="Alder").order_by("pk").values())) == before
    assert do(thief, "move", *owners, folder=str(folder.pk)) == "error"
    for kind, label in (("folder", folder), ("tag", tag)):
        for act in ("rename", "delete"):
            form = {"kind": kind, "id": str(label.pk), "do": act, "name": "x"}
            assert thief.post(FOLDERS, form).status_code == 400
    assert thief.get(ROSTERS, {"folder": str(folder.pk)}).context["rows"] == []
    for page in (PRINT, TEXTS):
        assert thief.get(page, {"list": owners[0].public_id}).status_code == 404
    assert b"Mine" not in thief.get(FOLDERS).content


# ---- the bin -----------------------------------------------------------------------------------------------------


def test_a_list_in_the_bin_is_nowhere_else_and_comes_back_as_it_was():
    client, (first, *_) = three()
    before = Roster.objects.values().get(name="Alder")
    do(client, "bin", first)
    assert shown(client) == ["Birch", "Cedár"]
    for name in ("builder", "history", "data", "compare", "delete", "plan"):
        assert client.get(first.url(name)).status_code == 404
    link = reverse("roster:link", args=[before["link_id"]])
    for reader in (client, Client()):
        assert reader.get(link).status_code == 404
        assert reader.get(f"/api/rosters/{before['link_id']}/").status_code == 404
        assert reader.get(link + "sheet.pdf").status_code == 404
    assert "Alder" in markup(client.get(BIN))
    assert "Alder" not in markup(Client().get(BIN))
    do(client, "restore", first)
    assert Roster.objects.values().get(name="Alder") == before


def test_deleting_for_good_asks_first():
    client, owners = three()
    do(client, "bin", *owners)
    ids = [owners[0].public_id]
    assert b'name="sure"' in client.post(BULK, {"do": "delete", "list": ids}).content
    assert Roster.objects.count() == 3
    do(client, "delete", owners[0], sure="1")
    assert Roster.objects.count() == 2
    assert b'name="sure"' in client.post(BULK, {"do": "empty"}).content
    do(client, "empty", sure="1")
    assert not Roster.objects.exists()


def test_only_what_is_in_the_bin_is_deleted():
    client, owners = three()
    do(client, "delete", *owners, sure="1")
    do(client, "empty", sure="1")
    assert Roster.objects.count() == 3


def test_bins_are_emptied_after_their_time(settings):
    client, (first, second, _) = three()
    do(client, "bin", first, second)
    old = timezone.now() - timedelta(days=settings.ARMYBUILDER["BIN_DAYS"] + 1)
    Roster.objects.filter(name="Alder").update(binned=old)
    said = StringIO()
    call_command("empty_bins", stdout=said)
    assert said.getvalue().startswith("1 ")
    assert sorted(roster.name for roster in Roster.objects.all()) == ["Birch", "Cedár"]


# ---- two lists, printing -----------------------------------------------------------------------------------------


def test_two_lists_side_by_side():
    client, (first, second, third) = three()
    answer = client.post(BULK, {"do": "compare", "list": [second.public_id, first.public_id]})
    page = markup(client.get(answer["Location"]))
    assert "+1 Wärden" in page
    assert "now legal" in page
    ids = [owner.public_id for owner in (first, second, third)]
    assert client.get(COMPARE, {"list": ids}).status_code == 422
    assert client.get(COMPARE, {"list": ids[:1]}).status_code == 200


def test_a_list_read_by_its_link_is_compared_with_ones_own():
    stranger = started(name="Theirs")
    client, (first, *_) = three()
    theirs = Roster.objects.get(name="Theirs")
    theirs.link_id = "b" * 22
    theirs.save()
    ids = [theirs.link_id, first.public_id]
    assert theirs.public_id not in markup(client.get(COMPARE, {"list": ids[:1]}))
    assert client.get(COMPARE, {"list": ids}).status_code == 200
    for hidden in ({"is_secret": True}, {"taken_down": True}, {"visibility": "private"}):
        Roster.objects.filter(pk=theirs.pk).update(**hidden)
        assert client.get(COMPARE, {"list": ids}).status_code == 404
        Roster.objects.filter(pk=theirs.pk).update(is_secret=False, taken_down=False)
    assert client.get(COMPARE, {"list": ids}).status_code == 404
    assert stranger.client.get(COMPARE, {"list": ids}).status_code == 200


def test_an_address_that_was_pasted_is_compared():
    started(name="Theirs")
    client, (first, *_) = three()
    theirs = Roster.objects.get(name="Theirs")
    page = markup(client.get(COMPARE, {"list": first.public_id}))
    assert page.count('name="list"') == 4, "one of mine, or any by its address"
    for address in (f"https://lists.example/r/{theirs.link_id}/?revision=1", f" /r/{theirs.link_id} ", theirs.link_id):
        assert client.get(COMPARE, {"list": [first.public_id, address]}).context["sides"][1].roster == theirs
    for address in ("https://lists.example/", SCRIPT, "/r/" + "a" * 22, "\x00"):
        assert client.get(COMPARE, {"list": [first.public_id, address]}).status_code == 404


@pytest.mark.parametrize("text", ["\x00", "a\x00b"])
def test_what_no_database_takes_finds_nothing(text: str):
    client, (first, *_) = three()
    for page, field in ((ROSTERS, "q"), (ROSTERS, "faction"), (reverse("roster:public"), "game")):
        assert client.get(page, {field: text}).status_code == 200
    assert client.get(PRINT, {"list": text}).status_code == 404
    assert client.post(reverse("roster:new"), {"game": text}).status_code == 422
    assert client.post(reverse("play:hands"), {"game": text}).status_code == 404
    for do in ("tag", "untag", "move", "bin", "restore", "delete"):
        form = {"do": do, "list": [text], "tag_name": text, "new_folder": text, "sure": "yes"}
        assert client.post(BULK, form).status_code == 303
    assert Roster.objects.filter(public_id=first.public_id, binned=None).exists()


def test_somebody_without_lists_is_shown_a_way():
    started(name="Theirs")
    theirs = Roster.objects.get(name="Theirs")
    page = markup(Client().get(COMPARE, {"list": theirs.link_id}))
    assert reverse("roster:new") in page
    assert theirs.get_absolute_url() in page


def test_the_way_to_the_bin_is_told_and_names_stay_text():
    client, (owner, *_) = three()
    owner.done(do="rename", node="", text=SCRIPT)
    page = markup(client.post(owner.url("delete"), follow=True))
    assert f'href="{BIN}">See the bin</a>' in page
    assert SCRIPT not in page


def test_comparing_what_is_not_there_or_of_another_game():
    from dataclasses import replace

    from catalogue.services.install_version import install_version

    client, (first, second, _) = three()
    assert client.get(COMPARE).status_code == 404
    assert client.get(COMPARE, {"list": [first.public_id, "x"]}).status_code == 404
    other = install_version(replace(ABOUT, slug="other", name="Other"), FENLAND)
    Roster.objects.filter(public_id=second.public_id).update(version=other)
    assert client.get(COMPARE, {"list": [first.public_id, second.public_id]}).status_code == 422


def test_several_lists_are_printed_as_one_file():
    client, owners = three()
    answer = client.post(BULK, {"do": "print", "list": [owner.public_id for owner in owners[:2]]})
    pdf = client.get(answer["Location"])
    assert pdf["Content-Type"] == "application/pdf"
    assert pdf.content.startswith(b"%PDF")
    assert client.get(answer["Location"]).content == pdf.content
    assert client.get(PRINT).status_code == 404
    assert client.get(PRINT, {"list": ["x"]}).status_code == 404
    assert client.get(PRINT, {"list": owners[0].public_id, "paper": "wall"}).status_code == 400
    assert client.get(PRINT, {"list": [str(number) for number in range(13)]}).status_code == 400


def test_several_lists_are_one_text() -> None:
    client, owners = three()
    ids = [owner.public_id for owner in reversed(owners)]
    answer = client.post(BULK, {"do": "text", "list": ids})
    assert answer["Location"].startswith(TEXTS)
    page = client.get(answer["Location"])
    alone = [client.get(reverse("roster:text", args=[list_id])).context["parts"][0] for list_id in ids]
    assert page.context["parts"] == ["\n\n".join(alone)]
    other_form = re.search(r'href="([^"#]*as=discord)', markup(page))
    assert other_form
    messages = client.get(TEXTS + unescape(other_form[1])).context["parts"]
    assert [message.count("Fenland") for message in messages] == [1, 1, 1]


def test_texts_of_no_list_of_too_many_and_in_no_form() -> None:
    client, owners = three()
    mine = owners[0].public_id
    for wanted, status in (({}, 404), ({"list": [mine, "x"]}, 404), ({"list": mine, "as": "x"}, 404)):
        assert client.get(TEXTS, wanted).status_code == status
    many = [str(number) for number in range(21)]
    assert client.get(TEXTS, {"list": many}).status_code == 400
    answer = client.post(BULK, {"do": "text", "list": many}, follow=True)
    assert [message.level_tag for message in answer.context["messages"]] == ["error"]


def test_texts_ask_the_same_for_one_and_three_lists(django_assert_num_queries: Callable[[int], Any]) -> None:
    client, owners = three()
    for number in (1, 3):
        client.get(TEXTS, {"list": [owner.public_id for owner in owners[:number]]})
        with django_assert_num_queries(2):  # session, lists
            client.get(TEXTS, {"list": [owner.public_id for owner in owners[:number]]})


@pytest.fixture
def quick_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sheets without layout, which is tested elsewhere."""
    document = type("Document", (), {"pages": ("page",)})
    monkeypatch.setattr("roster.pdf.sheet_job.lay_out_sheet", lambda sheet, options: document)
    monkeypatch.setattr("roster.pdf.sheet_job.write_pdf", lambda first, pages, **_: b"%PDF-%%EOF")


def four_of_an_account() -> tuple[Client, dict[str, list[str]]]:
    client = Client()
    client.force_login(account())
    return client, {"list": [started(client, name=f"List {number}").public_id for number in range(4)]}


def test_many_lists_of_an_account_are_printed_in_the_background(quick_paper: None) -> None:
    client, wanted = four_of_an_account()
    answer = client.get(PRINT, wanted)
    job = Job.objects.get()
    assert (job.kind, job.state, job.done, job.total) == ("print", "done", 4, 4)
    assert answer.status_code == 303
    file = client.get(answer["Location"])
    assert (file.status_code, file["Content-Type"]) == (200, "application/pdf")
    # Finished files are sent at once.
    assert client.get(PRINT, wanted)["Content-Type"] == "application/pdf"
    assert Job.objects.count() == 1


def test_a_page_prints_where_no_worker_does(quick_paper: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "run_job", jobs.run_job.using(backend="nobody"))
    client, wanted = four_of_an_account()
    page = client.get(PRINT, wanted)["Location"]
    assert "<progress" in client.get(page).content.decode()
    assert Client().get(page).status_code == 404
    Job.objects.update(touched=timezone.now() - timedelta(minutes=1))
    assert client.post(page)["Location"] == page
    assert "now=yes" in client.get(page)["Location"]


def test_a_busy_renderer_is_tried_again(quick_paper: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "run_job", jobs.run_job.using(backend="nobody"))
    client, wanted = four_of_an_account()
    page = client.get(PRINT, wanted)["Location"]
    Job.objects.update(touched=timezone.now() - timedelta(minutes=1))

    def refuse(*_: object) -> None:
        raise RendererBusy("busy")

    with monkeypatch.context() as busy:
        busy.setattr("roster.pdf.print_job.take_turn", refuse)
        client.post(page)
    job = Job.objects.get()
    assert job.is_open
    assert advance_job(job)
    assert Job.objects.get().state == "done"


def test_few_lists_and_those_of_guests_are_waited_for(quick_paper: None) -> None:
    client, wanted = four_of_an_account()
    few = {"list": wanted["list"][:3]}
    assert client.get(PRINT, few)["Content-Type"] == "application/pdf"
    guest, owners = three()
    ids = [owner.public_id for owner in (*owners, started(guest))]
    assert guest.get(PRINT, {"list": ids})["Content-Type"] == "application/pdf"
    assert not Job.objects.exists()


def test_more_lists_than_are_printed_at_once_stay_ticked():
    client = Client()
    owners = [started(client, name=f"List {number}") for number in range(13)]
    ids = [owner.public_id for owner in owners]
    answer = client.post(BULK, {"do": "print", "list": ids, "back": "q=list"}, follow=True)
    assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert answer.context["wanted"].q == "list"
    assert markup(answer).count('name="list"') == 13
    assert len(re.findall(r'name="list" value="[^"]+" checked', markup(answer))) == 13


def test_ticks_of_other_pages_go_along():
    client, owners = three()
    page = markup(client.get(ROSTERS, {"q": "Alder", "list": [owner.public_id for owner in owners]}))
    assert len(re.findall(r'name="list" value="[^"]+" checked', page)) == 1
    for owner in owners[1:]:
        assert f'<input type="hidden" name="list" value="{owner.public_id}">' in page


# ---- texts, methods ----------------------------------------------------------------------------------------------


def test_text_of_users_is_never_markup():
    client = Client()
    owner = started(client, name=SCRIPT)
    do(client, "move", owner, new_folder=SCRIPT)
    do(client, "tag", owner, tag_name=SCRIPT)
    pages = [client.get(ROSTERS, {"q": SCRIPT}), client.get(FOLDERS), client.get(ROSTERS)]
    pages += [client.get(COMPARE, {"list": [owner.public_id] * 2})]
    do(client, "bin", owner)
    pages += [client.get(BIN), client.post(BULK, {"do": "empty"})]
    for page in pages:
        assert "<script>" not in markup(page)


@pytest.mark.parametrize(
    ("address", "method"),
    [(BULK, "get"), (BIN, "post"), (FOLDERS, "put"), (COMPARE, "post"), (PRINT, "post"), (TEXTS, "post")],
)
def test_wrong_method(address, method):
    assert getattr(Client(), method)(address).status_code == 405


def test_forms_without_proof_of_origin():
    client = Client(enforce_csrf_checks=True)
    for address in (BULK, FOLDERS, reverse("roster:restore")):
        assert client.post(address, {"do": "bin"}).status_code == 403


def test_back_leads_nowhere_else():
    client, owners = three()
    form = {"do": "bin", "list": owners[0].public_id, "back": "//evil.example/?q=birch&game=x%0d%0aA"}
    where = client.post(BULK, form)["Location"]
    assert where.startswith(ROSTERS + "?")
    assert "evil" not in where
