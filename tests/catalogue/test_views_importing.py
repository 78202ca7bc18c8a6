"""The page on which staff import community data, and the report on the page of the game."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from catalogue.models import GameSystem, PackVersion
from tests.catalogue.bad_files import BAD, Bad
from tests.catalogue.battlescribe_files import POND, game_files, packed, unit
from tests.markup import markup

pytestmark = pytest.mark.django_db

IMPORT = "/games/import/"
GAME = "/games/ducks-and-drakes/"
ODD = '<costs><cost name="c" typeId="gone" value="1"/></costs>'


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(organiser())
    return client


def organiser() -> User:
    user = User.objects.create_user("organiser", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_packversion"))
    return user


def send(client: Client, data: bytes, name: str = "ducks.zip") -> Any:
    return client.post(IMPORT, {"file": SimpleUploadedFile(name, data)})


def test_works(staff: Client) -> None:
    page = staff.get(IMPORT)
    assert page.status_code == 200
    assert b'enctype="multipart/form-data"' in page.content
    assert IMPORT in markup(staff.get("/games/"))


def test_needs_login(client: Client) -> None:
    for answer in (client.get(IMPORT), send(client, b"x")):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/admin/login/")
    assert IMPORT not in markup(client.get("/games/"))


def test_who_is_no_staff_or_has_no_right_gets_404(client: Client) -> None:
    for user in (User.objects.create_user("player"), User.objects.create_user("helper", is_staff=True)):
        client.force_login(user)
        assert client.get(IMPORT).status_code == 404
        assert send(client, packed(game_files(unit()))).status_code == 404
    assert not GameSystem.objects.exists()


def test_wrong_method(staff: Client) -> None:
    answer = staff.put(IMPORT)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, POST, HEAD")


def test_csrf() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser())
    assert send(client, packed(game_files(unit()))).status_code == 403
    assert not GameSystem.objects.exists()


def test_data_is_imported_and_its_report_shown(staff: Client) -> None:
    answer = send(staff, packed(game_files(unit(ODD))))
    assert (answer.status_code, answer["Location"]) == (303, GAME + "#imported")
    page = markup(staff.get(GAME))
    assert "is imported, with 1 finding." in page
    assert "ducks.zip/pond.cat:6" in page


def test_what_is_wrong_in_many_places_is_said_once(staff: Client) -> None:
    catalogue = POND % unit()
    files = {f"pond-{n}.cat": catalogue.replace('id="pond"', f'id="pond-{n}"') for n in range(5)}
    page = markup(send(staff, packed(files)))
    assert page.count("neither here nor installed") == 1
    assert "and 2 more places" in page


@pytest.mark.parametrize(("hold", "is_published"), [({}, True), ({"hold": "1"}, False)])
def test_an_import_may_be_held_back(staff: Client, hold: dict[str, str], is_published: bool) -> None:
    send(staff, packed(game_files(unit())))
    before = GameSystem.objects.get().current
    staff.post(IMPORT, {"file": SimpleUploadedFile("ducks.zip", packed(game_files(unit(ODD)))), **hold})
    assert PackVersion.objects.count() == 2
    assert (GameSystem.objects.get().current != before) == is_published


def test_a_clean_import_is_shown_as_one(staff: Client) -> None:
    send(staff, packed(game_files(unit())))
    assert "Imported without problems." in markup(staff.get(GAME))


def test_the_same_again_changes_nothing(staff: Client) -> None:
    for _ in range(2):
        send(staff, packed(game_files(unit())))
    assert "nothing has changed" in markup(staff.get(GAME))
    assert PackVersion.objects.count() == 1


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_bad_data_is_said_in_place_and_stores_nothing(staff: Client, bad: Bad) -> None:
    answer = send(staff, bad.data, bad.name)
    assert answer.status_code == 422
    page = markup(answer)
    assert 'role="alert"' in page
    assert f'<code class="soft">{bad.place}' in page
    assert not GameSystem.objects.exists()


def test_no_file(staff: Client) -> None:
    assert staff.post(IMPORT).status_code == 422


def test_more_than_other_pages_take(staff: Client) -> None:
    assert send(staff, b"x" * 3_000_000).status_code == 422


def test_too_large_an_upload(staff: Client, settings: Any) -> None:
    most = settings.ARMYBUILDER["MAX_BODY_BYTES_AT"]["catalogue:import"]
    for size, status in ((most, 422), (most + 1, 413)):
        answer = staff.generic("POST", IMPORT, b"", headers={"Content-Length": str(size)})
        assert answer.status_code == status


@pytest.mark.usefixtures("fresh_answers")
@pytest.mark.parametrize("rows", [1, 3])
def test_game_query_count(staff: Client, rows: int, django_assert_num_queries: Any) -> None:
    ducks = "".join(unit(ODD, ident=f"duck-{n}") for n in range(rows))
    send(staff, packed(game_files(ducks)))
    Client().get(GAME)
    # One of them finds the base of the page for editors.
    with django_assert_num_queries(8):
        assert Client().get(GAME).status_code == 200


def test_names_in_data_are_text(staff: Client) -> None:
    files = {name: str(text).replace("Ducks and", "&lt;script&gt;") for name, text in game_files(unit(ODD)).items()}
    send(staff, packed(files), "<script>.zip")
    page = markup(staff.get(GameSystem.objects.get().get_absolute_url()))
    assert "<script>." not in page
    assert "&lt;script&gt;" in page
