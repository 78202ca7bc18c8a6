"""Collections: what a player owns by state, measured against lists."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from catalogue.models import GameSystem
from roster.club.models import Collection, ModelState, OwnedKind, StateChange
from roster.club.services.collection_files import BadRow, ReadRow, read_models_csv
from roster.club.services.collections import MOST_KINDS
from roster.club.services.needs import measure_needs
from roster.formats.column_headings import MODEL_STATES, make_heading_key
from roster.models import AbuseReport, Roster
from roster.services.accounts import export_account_data
from roster.services.sharing import take_down
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = pytest.mark.django_db

START = reverse("club:collections")


@pytest.fixture
def owner() -> Owner:
    return started()


@pytest.fixture
def collection(owner: Owner) -> Collection:
    answer = owner.client.post(START, {"faction": "fenland:marsh"})
    assert answer.status_code == 303
    return Collection.objects.get()


def page(collection: Collection, name: str = "collection", *more: str) -> str:
    return reverse(f"club:{name}", args=[collection.public_id, *more])


def do(owner: Owner, collection: Collection, **form: Any) -> int:
    return owner.client.post(page(collection), form).status_code


def add(owner: Owner, collection: Collection, name: str, number: int, state: str = "built") -> OwnedKind:
    assert do(owner, collection, do="add", name=name, number=number, target=state) == 303
    return OwnedKind.objects.get(name=name)


def test_a_faction_has_one_collection(owner: Owner, collection: Collection) -> None:
    assert collection.owner_key == owner.key
    assert collection.visibility == "private"
    owner.client.post(START, {"faction": "fenland:marsh"})
    assert Collection.objects.count() == 1
    assert collection.name in markup(owner.client.get(START))
    assert owner.client.post(START, {"faction": "fenland:nobody"}).status_code == 422
    assert owner.client.post(START, {"faction": "nothing"}).status_code == 404


def test_models_are_a_unit_of_the_data_by_their_name(owner: Owner, collection: Collection) -> None:
    cutters = add(owner, collection, "Cutters", 3)
    assert "<span>Needed</span>" not in markup(owner.client.get(page(collection)))
    assert cutters.entry_id == "cutters"
    assert do(owner, collection, do="add", name="  cutters ", number=2, target="based") == 303
    cutters.refresh_from_db()
    assert (cutters.built, cutters.based, cutters.owned) == (3, 2, 5)
    boat = add(owner, collection, "My own boat", 1, "sprue")
    assert boat.entry_id == ""
    shown = markup(owner.client.get(page(collection)))
    assert "My own boat" in shown
    assert "Cutters" in shown


def test_models_move_from_state_to_state_and_back(owner: Owner, collection: Collection) -> None:
    kind = add(owner, collection, "Cutters", 5)
    assert do(owner, collection, kind=kind.pk, number=2, move="built primed") == 303
    assert do(owner, collection, do="move", kind=kind.pk, number=1, source="primed", target="lent") == 303
    assert do(owner, collection, do="move", kind=kind.pk, number=1, source="built", target="") == 303
    kind.refresh_from_db()
    assert (kind.built, kind.primed, kind.lent, kind.owned) == (2, 1, 1, 4)
    for left in ((3, 1, 1), (3, 2, 0), (5, 0, 0), (0, 0, 0)):
        assert do(owner, collection, do="undo") == 303
        kind.refresh_from_db()
        assert (kind.built, kind.primed, kind.lent) == left
    assert do(owner, collection, do="undo") == 422


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"do": "add", "name": "", "number": 1, "target": "built"}, 422),
        ({"do": "add", "name": "Cutters", "number": 0, "target": "built"}, 422),
        ({"do": "add", "name": "Cutters", "number": "many", "target": "built"}, 422),
        ({"do": "add", "name": "Cutters", "number": 10_000, "target": "built"}, 422),
        ({"do": "add", "name": "Cutters", "number": 9_999, "target": "built"}, 422),
        ({"do": "add", "name": "Cutters", "number": 1, "target": "gold"}, 400),
        ({"do": "add", "name": "x" * 2_000, "number": 1, "target": "built"}, 422),
        ({"do": "move", "number": 6, "source": "built", "target": "based"}, 422),
        ({"do": "move", "number": 1, "source": "built", "target": "built"}, 422),
        ({"do": "move", "number": 1, "source": "gold", "target": "built"}, 422),
        ({"do": "notes", "notes": "x" * 501}, 422),
        ({"do": "notes", "notes": "Kept", "location": "x" * 101}, 422),
        ({"do": "sing"}, 400),
        ({}, 400),
    ],
)
def test_a_bad_step_changes_nothing(owner: Owner, collection: Collection, form: dict[str, Any], status: int) -> None:
    kind = add(owner, collection, "Cutters", 5)
    answer = owner.client.post(page(collection), {"kind": kind.pk, **form})
    assert answer.status_code in (status, 400, 422)
    assert 'role="alert"' in markup(answer)
    kind.refresh_from_db()
    assert (kind.built, kind.owned, kind.notes) == (5, 5, "")
    assert StateChange.objects.count() == 1
    assert OwnedKind.objects.count() == 1


def test_lists_say_what_is_short(owner: Owner, collection: Collection) -> None:
    owner.unit("cutters")
    first = measure_needs(collection, [owner.roster]).rows
    needed = {row.name: row.needed for row in first}["Cutters"]
    assert needed > 0
    second = started(owner.client, name="Second")
    second.unit("cutters")
    lists = [owner.public_id, second.public_id]
    assert do(owner, collection, do="lists", list=lists) == 303
    assert "<span>Needed</span>" in markup(owner.client.get(page(collection)))
    add(owner, collection, "Cutters", needed)
    assert [row.short for row in measure_needs(collection).rows if row.name == "Cutters"] == [0]
    assert do(owner, collection, do="lists", list=lists, together="yes") == 303
    collection.refresh_from_db()
    (row,) = [row for row in measure_needs(collection).rows if row.name == "Cutters"]
    assert (row.needed, row.short) == (2 * needed, needed)
    shown = markup(owner.client.get(page(collection)))
    assert f"{needed} short" in shown
    assert f"{needed} Cutters" in shown
    # Lent models are owned, but not at hand.
    assert (
        do(owner, collection, do="move", kind=row.kind.pk if row.kind else 0, number=1, source="built", target="lent")
        == 303
    )
    assert measure_needs(collection).short == needed + 1


def test_a_list_is_owned_with_one_button(owner: Owner, collection: Collection) -> None:
    owner.unit("cutters")
    owner.unit("warden")
    assert do(owner, collection, do="lists", list=[owner.public_id]) == 303
    shown = owner.client.get(page(collection)).content.decode()
    copied = shown.partition('id="shopping"')[2].partition(">")[2].partition("</textarea>")[0]
    assert len(copied.strip().splitlines()) == 2
    short = measure_needs(collection).short
    assert short > 0
    assert do(owner, collection, do="own", list=[owner.public_id], target="painted") == 303
    (readiness,) = measure_needs(collection).readiness
    assert (readiness.ready, readiness.needed) == (short, short)
    before = StateChange.objects.count()
    assert do(owner, collection, do="own", list=[owner.public_id], target="painted") == 303
    assert StateChange.objects.count() == before


def test_ticked_models_are_bought_and_painted_as_one_step(owner: Owner, collection: Collection) -> None:
    owner.unit("cutters")
    assert do(owner, collection, do="lists", list=[owner.public_id]) == 303
    needed = measure_needs(collection).short
    shown = markup(owner.client.get(page(collection)))
    assert 'value="1 0 Cutters"' in shown
    assert f"0 of {needed}" in shown
    bought = {"do": "buy", "tick": ["1 0 Cutters", "2 0 Boat"], "number-1": needed, "number-2": 2}
    # A form that is sent twice counts once.
    for _time in range(2):
        assert do(owner, collection, **bought) == 303
        assert dict(OwnedKind.objects.values_list("name", "sprue")) == {"Cutters": needed, "Boat": 2}
    assert measure_needs(collection).short == 0
    kind = OwnedKind.objects.get(name="Cutters")
    assert do(owner, collection, do="move", kind=kind.pk, number=1, source="sprue", target="primed") == 303
    shown = markup(owner.client.get(page(collection)))
    assert f"0 of {needed} painted" in shown
    painted = {"do": "paint", "tick": "1 0 Cutters", "number-1": 2}
    for _time in range(2):
        assert do(owner, collection, **painted) == 303
        kind.refresh_from_db()
        assert (kind.sprue, kind.primed, kind.painted) == (needed - 2, 0, 2)
    assert f"2 of {needed} painted" in markup(owner.client.get(page(collection)))
    # Undo takes back each tick as a whole.
    assert do(owner, collection, do="undo") == 303
    kind.refresh_from_db()
    assert (kind.sprue, kind.primed, kind.painted) == (needed - 1, 1, 0)
    assert do(owner, collection, do="undo") == 303
    assert "Undone: " in markup(owner.client.get(page(collection)))
    assert do(owner, collection, do="undo") == 303
    assert not any(kind.owned for kind in OwnedKind.objects.all())


@pytest.mark.parametrize(
    ("form", "status", "says"),
    [
        ({"do": "buy"}, 422, "Tick models first."),
        ({"do": "buy", "tick": "1 5 Cutters", "number-1": "many"}, 422, "Enter a whole number, at least 1."),
        ({"do": "buy", "tick": ["2 0 Boat", "1 4 Cutters"], "number-1": 3, "number-2": 1}, 422, "has changed since"),
        ({"do": "paint", "tick": "1 0 Cutters", "number-1": 6}, 422, "Of your Cutters, only 5 are not painted yet."),
        ({"do": "paint", "tick": "1 0 Cutters", "number-1": 0}, 422, "Enter a whole number, at least 1."),
        ({"do": "paint", "tick": "1 0 Boat", "number-1": 1}, 422, "has changed since"),
        ({"do": "paint", "tick": "Cutters", "number-1": 1}, 400, ""),
    ],
)
def test_a_bad_tick_stores_nothing_and_stays_ticked(
    owner: Owner, collection: Collection, form: dict[str, Any], status: int, says: str
) -> None:
    owner.unit("cutters")
    owner.unit("cutters")
    assert do(owner, collection, do="lists", list=[owner.public_id]) == 303
    kind = add(owner, collection, "Cutters", 5)
    answer = owner.client.post(page(collection), form)
    assert answer.status_code == status
    assert says in markup(answer)
    kind.refresh_from_db()
    assert (kind.built, kind.owned) == (5, 5)
    assert OwnedKind.objects.count() == 1
    if "6" in str(form.get("number-1")):
        assert 'value="6"' in markup(answer)


def test_only_own_lists_are_compared(owner: Owner, collection: Collection) -> None:
    stranger = started(Client(), name="Not yours")
    assert do(owner, collection, do="lists", list=[stranger.public_id]) == 303
    assert not collection.lists.exists()
    assert do(owner, collection, do="lists", list=[owner.public_id]) == 303
    Roster.objects.filter(public_id=owner.public_id).delete()
    assert owner.client.get(page(collection)).status_code == 200


def test_a_kind_is_known_by_its_name_in_another_version(owner: Owner, collection: Collection) -> None:
    kind = add(owner, collection, "Cutters", 1)
    OwnedKind.objects.filter(pk=kind.pk).update(entry_id="an-older-id")
    owner.unit("cutters")
    rows = measure_needs(collection, [owner.roster]).rows
    assert [(row.name, row.owned, row.needed > 0) for row in rows if row.name == "Cutters"] == [("Cutters", 1, True)]


def test_a_collection_outlives_its_game(owner: Owner, collection: Collection) -> None:
    add(owner, collection, "Cutters", 3)
    Collection.objects.update(game=None)
    assert "Cutters" in markup(owner.client.get(page(collection)))
    add(owner, collection, "Boat", 1)


def test_others_see_models_but_not_notes(owner: Owner, collection: Collection) -> None:
    kind = add(owner, collection, "Cutters", 3)
    assert do(owner, collection, do="notes", kind=kind.pk, notes="Case 2, upper tray", location="Shelf <4>") == 303
    assert "Shelf &lt;4&gt;</small>" in markup(owner.client.get(page(collection)))
    stranger = Client()
    linked = reverse("club:collection-link", args=[collection.link_id])
    assert stranger.get(linked).status_code == 404
    for name in ("collection", "collection-sharing", "collection-delete", "collection-import"):
        assert stranger.get(page(collection, name)).status_code == 404
    assert stranger.get(page(collection, "collection-file", "csv")).status_code == 404
    assert (
        stranger.post(page(collection), {"do": "add", "name": "x", "number": 1, "target": "built"}).status_code == 404
    )
    sharing = page(collection, "collection-sharing")
    assert owner.client.post(sharing, {"do": "share", "visibility": "public"}).status_code in (400, 422)
    assert owner.client.post(sharing, {"do": "share", "visibility": "link"}).status_code == 303
    shown = markup(stranger.get(linked))
    assert "Cutters" in shown
    assert f'value="http://testserver{linked}"' in shown
    assert "open the page on a phone" in shown
    assert "Case 2" not in shown
    assert "Shelf" not in shown
    assert page(collection) not in shown
    assert (
        stranger.post(reverse("club:collection-report", args=[collection.link_id]), {"reason": "other"}).status_code
        == 302
    )
    assert AbuseReport.objects.count() == 1
    take_down(collection)
    assert stranger.get(linked).status_code == 404
    assert owner.client.get(page(collection)).status_code == 200


def test_files_come_back_as_they_were(owner: Owner, collection: Collection) -> None:
    kind = add(owner, collection, "Cutters", 3)
    do(owner, collection, do="notes", kind=kind.pk, notes="=1+1", location="@ Ben’s, shelf 2")
    add(owner, collection, "My, own boat", 2, "lent")
    csv_text = owner.client.get(page(collection, "collection-file", "csv")).content.decode()
    assert "'=1+1" in csv_text
    content = json.loads(owner.client.get(page(collection, "collection-file", "json")).content)
    assert [(model["name"], model["built"], model["lent"]) for model in content["models"]] == [
        ("Cutters", 3, 0),
        ("My, own boat", 0, 2),
    ]
    assert content["models"][0]["location"] == "@ Ben’s, shelf 2"
    assert owner.client.get(page(collection, "collection-file", "exe")).status_code == 404
    OwnedKind.objects.all().delete()
    answer = owner.client.post(page(collection, "collection-import"), {"text": csv_text})
    assert answer.status_code == 303
    kinds = {kind.name: (kind.built, kind.lent, kind.notes, kind.location) for kind in OwnedKind.objects.all()}
    assert kinds == {"Cutters": (3, 0, "=1+1", "@ Ben’s, shelf 2"), "My, own boat": (0, 2, "", "")}
    # A second time changes nothing.
    before = StateChange.objects.count()
    owner.client.post(page(collection, "collection-import"), {"text": csv_text})
    assert StateChange.objects.count() == before


def test_json_comes_back_with_its_games(owner: Owner, collection: Collection) -> None:
    add(owner, collection, "'Ard cutters", 3)
    reeds = GameSystem.objects.create(slug="reeds", name="Reeds")
    collection.more_games.add(reeds)
    text = owner.client.get(page(collection, "collection-file", "json")).content.decode()
    assert json.loads(text)["more_games"] == ["reeds"]
    user = account()
    Collection.objects.update(owner=user, owner_key="")
    file = io.BytesIO()
    export_account_data(user, file)
    assert json.loads(zipfile.ZipFile(file).read("collections.jsonl"))["more_games"] == ["reeds"]
    Collection.objects.update(owner=None, owner_key=owner.key)
    # Someone else has the other game now; this one and a third are offered.
    collection.more_games.clear()
    OwnedKind.objects.all().delete()
    version = collection.game.current if collection.game else None
    GameSystem.objects.filter(pk=collection.game_id).update(current=None)
    GameSystem.objects.filter(pk=reeds.pk).update(current=version)
    text = text.replace('"reeds"', f'"reeds", "fenland", "{"x" * 5_000}", "\\u0000", 7')
    for _time in range(2):
        answer = owner.client.post(page(collection, "collection-import"), {"text": text}, follow=True)
        assert answer.status_code == 200
        assert list(collection.more_games.all()) == [reeds]
        assert f"there are too many: {'x' * 60}." in markup(answer)
        assert [(kind.name, kind.built) for kind in OwnedKind.objects.all()] == [("'Ard cutters", 3)]


@pytest.mark.parametrize(
    ("models", "row"),
    [
        ("7", 1),
        ("[7]", 1),
        ('[{"name": "Boat", "built": 1}, {"name": "Cutters", "built": 1.5}]', 2),
        ('[{"name": "Boat", "built": true}]', 1),
        ('[{"name": null}]', 1),
        ('[{"name": ["Boat"]}]', 1),
        ('[{"name": "Boat", "notes": {"a": 1}}]', 1),
        ('[{"name": "Boat", "state": "gold\\ud800"}]', 1),
        ('[{"name": "Boat", "built": "x\\ud800"}]', 1),
        (f'[{{"name": "Boat", "built": "{"9" * 5_000}"}}]', 1),
        ("[" * 100_000, 1),
    ],
)
def test_bad_json_stores_nothing(owner: Owner, collection: Collection, models: str, row: int) -> None:
    text = f'{{"collection": 1, "models": {models}, "more_games": ["reeds"]}}'
    answer = owner.client.post(page(collection, "collection-import"), {"text": text})
    assert answer.status_code == 422
    assert f"Row {row}" in markup(answer)
    assert not OwnedKind.objects.exists()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Cutters,3", {"built": 3}),
        ("3;Cutters", {"built": 3}),
        ("Cutters\t3\tpainted", {"painted": 3}),
        ("\ufeffName;Models;State\r\nCutters;3;On loan\r\n", {"lent": 3}),
        ("unit,sprue,based\nCutters,1,2", {"sprue": 1, "based": 2}),
        ("Einheit;Anzahl;Stand\nCutters;3;Base fertig", {"based": 3}),
        ("Nom;Nombre;Où elle est\nCutters;3;ici", {"built": 3}),
        ("Nombre;Cantidad;Estado\nCutters;3;En matriz", {"sprue": 3}),
        ("Unità;Montate;Con primer\nCutters;1;2", {"built": 1, "primed": 2}),
        ("Jednostka;Liczba;Stan\nCutters;3;Pożyczony", {"lent": 3}),
    ],
)
def test_tables_of_others_are_read(text: str, numbers: dict[str, int]) -> None:
    (row,) = read_models_csv(text)
    assert not isinstance(row, BadRow)
    assert (row.name, row.numbers) == ("Cutters", numbers)


@pytest.mark.parametrize(
    "headings",
    [
        # English, German, French, Spanish, Italian and Polish: each a name and a number.
        ("Unit,Number", "Units,Count", "Models,Number", "Model,Owned", "Name,Models", "Unit,Miniatures"),
        ("Einheit,Anzahl", "Einheiten,Anzahl", "Modell,Anzahl", "Modelle,Anzahl", "Name,Modelle"),
        ("Unités,Nombre", "Modèle,Nombre", "Modèles,Nombre", "Figurines,Nombre", "Nom,Figurines", "Unité,Quantité"),
        ("Unidades,Cantidad", "Nombre,Número", "Modelos,Cantidad", "Nombre,Modelos", "Nombre,Miniaturas"),
        ("Unità,Numero", "Modello,Quantità", "Modelli,Numero", "Miniature,Quantità", "Nome,Modelli", "Nome,Miniature"),
        ("Jednostka,Liczba", "Jednostki,Ilość", "Modele,Liczba", "Nazwa,Modele", "Jednostka,Modele"),
    ],
)
def test_names_and_numbers_are_told_apart_in_each_language(headings: tuple[str, ...]) -> None:
    texts = []
    for pair in headings:
        name, number = pair.split(",")
        texts += [f"{name};{number}\nCutters;3", f"{number};{name}\n3;Cutters"]
    rows = {text: read_models_csv(text)[0] for text in texts}
    expected = ReadRow(2, "Cutters", {"built": 3}, "", "")
    assert {text: row for text, row in rows.items() if row != expected} == {}


def test_headings_without_names_or_without_numbers_store_nothing(owner: Owner, collection: Collection) -> None:
    for text, complaint in (
        ("Unités,Remarques\nCutters,3", "No column has numbers."),
        ("Nombre,Notas\nCutters,3", "No column has numbers."),
        ("name,state\nCutters,built", "No column has numbers."),
        ("\nKit,Nombre,Peintes\nCutters,5,3\nBoats,,\n", "The column “Nombre” only has numbers."),
        ("Kit,Models,Painted\nCutters,5,3", "The column “Models” only has numbers."),
    ):
        answer = owner.client.post(page(collection, "collection-import"), {"text": text})
        assert answer.status_code == 422, text
        assert complaint in markup(answer), text
        assert "Cutters" in markup(answer), text
    assert not OwnedKind.objects.exists()
    # A model may be called like a number if its column is.
    (row,) = read_models_csv("name,number\n501,3")
    assert (getattr(row, "name", ""), getattr(row, "numbers", {})) == ("501", {"built": 3})


def test_a_file_may_name_states_and_columns_as_the_pages_do() -> None:
    words = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            words += [(state, str(state.label)) for state in ModelState]
    assert [word for state, word in words if make_heading_key(word) not in MODEL_STATES[state]] == []
    assert len(words) >= 36


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("", 1),
        ("Cutters,3\nBoat,-1", 2),
        ("Cutters,3,gold", 1),
        ("name,number\n,3", 2),
        ("Cutters,99999", 1),
        ("x,٣", 1),
        ("Cutters," + "9" * 5_000, 1),
        ('Cutters,3\n"' + "3\n" * 70_000, 1),
    ],
)
def test_a_bad_row_stores_nothing_and_keeps_the_text(owner: Owner, collection: Collection, text: str, row: int) -> None:
    answer = owner.client.post(page(collection, "collection-import"), {"text": text})
    assert answer.status_code == 422
    assert f"Row {row}" in markup(answer)
    if text:
        assert text.splitlines()[0] in markup(answer)
    assert not OwnedKind.objects.exists()


def test_a_shelf_of_more_than_ten_thousand_models_is_shown_and_a_kind_too_many_stores_nothing(
    owner: Owner, collection: Collection
) -> None:
    OwnedKind.objects.bulk_create(
        OwnedKind(collection=collection, name=f"Kind {number}", built=25) for number in range(MOST_KINDS - 1)
    )
    shown = markup(owner.client.get(page(collection)))
    assert shown.count('class="kind"') == MOST_KINDS - 1
    text = "name,number\nCutters,3\n\nOne more,1"
    answer = owner.client.post(page(collection, "collection-import"), {"text": text})
    assert answer.status_code == 422
    assert "Row 4" in markup(answer)
    assert text.splitlines()[1] in markup(answer)
    assert collection.kinds.count() == MOST_KINDS - 1
    add(owner, collection, "Cutters", 9_999)
    for form in ({"name": "Cutters", "number": 1}, {"name": "One more", "number": 1}):
        answer = owner.client.post(page(collection), {"do": "add", "target": "built", **form})
        assert answer.status_code == 422
        assert 'role="alert"' in markup(answer)
    assert sum(kind.owned for kind in collection.kinds.all()) == 25 * (MOST_KINDS - 1) + 9_999


def test_names_are_text(owner: Owner, collection: Collection) -> None:
    add(owner, collection, SCRIPT, 1)
    assert SCRIPT not in owner.client.get(page(collection)).content.decode()


def test_a_collection_belongs_to_the_account_that_claims_it(owner: Owner, collection: Collection) -> None:
    owner.client.force_login(account())
    assert owner.client.get(START).status_code == 200


def test_a_collection_is_deleted(owner: Owner, collection: Collection) -> None:
    add(owner, collection, "Cutters", 1)
    assert owner.client.get(page(collection, "collection-delete")).status_code == 200
    assert owner.client.post(page(collection, "collection-delete")).status_code == 303
    assert not Collection.objects.exists()
    assert not StateChange.objects.exists()
