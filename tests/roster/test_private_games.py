"""Private games: their owner imports, builds, replaces and deletes; nobody else finds them at any address."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogue.models import CatalogueDocument, DocumentBody, GameSystem, Job, PackVersion
from catalogue.services.gallery import measure_space
from catalogue.services.own_import import OWN_IMPORT_JOB
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.play.models import Game
from roster.services.accounts import delete_account, export_account_data
from tests.catalogue.bad_files import BAD, Bad
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.addresses import WAYS, Way, filled, text_of

pytestmark = pytest.mark.django_db

OWN = "/games/own/"
NAMES = ("Herons and Hermits", "The Hidden Pond", "Shy Heron")
FORCE = '<forceEntries><forceEntry id="flight" name="Flight" hidden="false"/></forceEntries>'
OTHER_UNIT = "Sly Stork"
"""A unit of the game that no list has."""
KEYS = {"game", "slug", "version", "short_hash"}
"""Parameters that name a game or its data."""


def archive(extra: str = "", name: str = NAMES[0]) -> bytes:
    stork = unit(ident="stork").replace('"Duck"', f'"{OTHER_UNIT}"')
    both = unit(extra).replace("</selectionEntries>", stork.removeprefix("<selectionEntries>"))
    files = game_files(both, FORCE)
    changed = {
        file: str(text)
        .replace("Ducks and Drakes", name)
        .replace("The Pond", NAMES[1])
        .replace('"Duck"', f'"{NAMES[2]}"')
        for file, text in files.items()
    }
    return packed(changed)


CHANGED = '<costs><cost name="crumbs" typeId="pts" value="7"/></costs>'


def send(client: Client, data: bytes, name: str = "herons.zip") -> HttpResponse:
    return client.post(OWN, {"file": SimpleUploadedFile(name, data)})


def signed_in(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


@pytest.fixture
def ann(db: None) -> Client:
    return signed_in(account())


@pytest.fixture
def others(db: None) -> dict[str, Client]:
    staff = account("staff@example.org", staff=True)
    return {
        "somebody else": signed_in(account("ben@example.org")),
        "guest": Client(raise_request_exception=False),
        "staff": signed_in(staff),
    }


@pytest.fixture
def herons(ann: Client) -> GameSystem:
    answer = send(ann, archive())
    assert answer.status_code == 303
    return GameSystem.objects.get()


def built(client: Client, game: GameSystem) -> Roster:
    """Return a list with the first unit of the game."""
    document = {
        "list": 1,
        "game": game.slug,
        "faction": "pond",
        "detachments": [{"detachment": "flight", "units": [{"unit": "duck"}]}],
    }
    file = SimpleUploadedFile("list.json", json.dumps(document).encode())
    answer = client.post(reverse("roster:import"), {"file": file})
    assert answer.status_code == 303, text_of(answer)
    return Roster.objects.get(public_id=answer["Location"].split("/")[2])


def started(client: Client, game: GameSystem) -> Roster:
    fields = {"game": game.slug, "faction": "pond", "name": "My herons"}
    answer = client.post(reverse("roster:new"), fields)
    assert answer.status_code == 303, answer.content
    return Roster.objects.get(public_id=answer["Location"].split("/")[2])


def list_document(client: Client, roster: Roster, ending: str) -> bytes:
    answer = client.get(reverse("roster:file", args=[roster.link_id, ending]))
    assert answer.status_code == 200
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


# ---- nobody else finds it ----------------------------------------------------------------------------------------


def build_values(game: GameSystem) -> dict[str, str]:
    faction = game.shown_version.factions.get()
    return {
        "game": game.slug,
        "slug": game.slug,
        "faction": faction.slug,
        "unit": faction.units.get(name=NAMES[2]).slug,
        "version": game.shown_version.content_hash,
        "short_hash": game.shown_version.short_hash,
        "mission": "1",
    }


@pytest.mark.parametrize("way", [way for way in WAYS if way.parameters & KEYS], ids=str)
def test_an_address_with_its_key_opens_for_nobody_else(herons: GameSystem, others: dict[str, Client], way: Way) -> None:
    address = filled(way, build_values(herons))
    for who, client in others.items():
        for ask in (client.get, client.post):
            cache.clear()
            answer = ask(address)
            is_login = answer.status_code == 302 and "/login" in answer["Location"]
            assert answer.status_code in (404, 405) or is_login, (who, answer.status_code)
            assert not any(name in text_of(answer) for name in NAMES), who
    assert GameSystem.objects.filter(pk=herons.pk, private_version__isnull=False).exists()


@pytest.mark.parametrize("way", [way for way in WAYS if not way.parameters], ids=str)
def test_no_page_without_a_key_names_it_to_others(
    herons: GameSystem, others: dict[str, Client], ann: Client, way: Way
) -> None:
    started(ann, herons)
    fields = {"game": herons.slug, "q": "heron", "faction": "pond", "text": f"{NAMES[0]}\n{NAMES[1]}\n1x {NAMES[2]}"}
    address = filled(way, {})
    assert others
    for who, client in others.items():
        if who == "staff" and way.route.startswith("admin/"):
            continue
        for ask in (client.get, client.post):
            cache.clear()
            sent = {**fields, "text": ""} if ask == client.post and "search" in way.route else fields
            answer = ask(address, sent)
            assert answer.status_code < 500, (who, address)
            told = text_of(answer)
            # A form shows again what was typed.
            told = told.replace(fields["text"], "")
            assert herons.shown_version.short_hash not in told, (who, address)
            if "import" not in way.route:
                assert not any(name in told for name in NAMES), (who, address)


def test_published_games_are_listed_without_it(herons: GameSystem, others: dict[str, Client]) -> None:
    assert others
    for client in others.values():
        assert client.get("/api/v1/games/").json()["results"] == []
        for address in ("/games/", "/", "/rosters/new/", "/games/gallery/", "/search/?q=heron", "/lists/", "/rules/"):
            page = markup(client.get(address))
            assert herons.slug not in page, address
            assert NAMES[0] not in page, address


def test_others_cannot_start_a_list_of_it(herons: GameSystem, others: dict[str, Client]) -> None:
    for client in others.values():
        for name in ("roster:new", "roster:new-army"):
            for version in ("", herons.shown_version.short_hash):
                fields = {"game": herons.slug, "version": version, "faction": "pond"}
                answer = client.post(reverse(name), fields)
                assert answer.status_code == 422
                assert NAMES[0] not in markup(answer)
    assert not Roster.objects.exists()


@pytest.mark.parametrize("ending", ["yaml", "json", "ros", "rosz"])
def test_a_file_of_its_list_is_read_for_its_owner_alone(
    herons: GameSystem, ann: Client, others: dict[str, Client], ending: str
) -> None:
    data = list_document(ann, started(ann, herons), ending)

    def bring(client: Client) -> HttpResponse:
        cache.clear()
        return client.post(reverse("roster:import"), {"file": SimpleUploadedFile(f"list.{ending}", data)})

    for who, client in others.items():
        assert bring(client).status_code == 400, who
    assert Roster.objects.count() == 1
    assert bring(ann).status_code == 303
    assert Roster.objects.filter(owner__email="ann@example.org", version=herons.private_version).count() == 2


def test_the_api_neither_checks_nor_names_it(herons: GameSystem, others: dict[str, Client]) -> None:
    guest = others["guest"]
    for game in (herons.slug, NAMES[0]):
        document = json.dumps({"list": 1, "game": game, "faction": "pond"})
        answer = guest.generic("POST", "/api/v1/check", document.encode(), content_type="application/json")
        assert "unknown-game" in answer.content.decode()
    answer = guest.generic("POST", "/api/v1/check", b"list: 1\ngame: x\nfaction: y\n", content_type="application/yaml")
    assert not any(name in answer.content.decode() for name in (*NAMES, herons.slug))


def test_no_event_is_held_with_it(herons: GameSystem, ann: Client, others: dict[str, Client]) -> None:
    for client in (ann, *others.values()):
        cache.clear()
        client.post(reverse("events:events"), {"game": herons.slug, "name": "Cup", "zone": "UTC"})
    assert not PackVersion.objects.filter(pk=herons.private_version_id, current_of__isnull=False).exists()
    assert "Cup" not in markup(ann.get(reverse("events:events")))


def test_staff_cannot_publish_it(herons: GameSystem) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        GameSystem.objects.filter(pk=herons.pk).update(current=herons.private_version)
    with pytest.raises(IntegrityError), transaction.atomic():
        GameSystem.objects.filter(pk=herons.pk).update(owner=None)


# ---- a list's link -----------------------------------------------------------------------------------------------


def test_a_list_opens_for_whoever_has_its_link(herons: GameSystem, ann: Client, others: dict[str, Client]) -> None:
    roster = started(ann, herons)
    for who, client in others.items():
        page = client.get(reverse("roster:link", args=[roster.link_id]))
        assert page.status_code == 200, who
        assert NAMES[0] in markup(page)
        assert reverse("roster:copy", args=[roster.link_id]) not in markup(page)
        assert reverse("play:game-new", args=[roster.link_id]) not in markup(page)
        assert client.get(reverse("roster:text", args=[roster.link_id])).status_code == 200
        list_document(client, roster, "rosz")
        assert client.get(reverse("roster:builder", args=[roster.public_id])).status_code == 404
    mine = markup(ann.get(reverse("roster:link", args=[roster.link_id])))
    assert reverse("roster:copy", args=[roster.link_id]) in mine


@pytest.mark.parametrize("way", [way for way in WAYS if way.parameters & {"link_id", "public_id"}], ids=str)
def test_addresses_of_a_list_show_others_no_more_of_the_game(
    herons: GameSystem, ann: Client, others: dict[str, Client], way: Way
) -> None:
    roster = built(ann, herons)
    ann.post(reverse("play:game-new", args=[roster.link_id]), {"first": "0"})
    game = Game.objects.get()
    thing = game if way.route.startswith(("play/<", "g/")) else roster
    values = {"link_id": thing.link_id, "public_id": thing.public_id, "ending": "json", "unit": "shy-heron"}
    address = filled(way, values)
    # Fields of all forms and queries, by which units are searched.
    fields = {
        "deeds": "1",
        "q": "s",
        "more": "1",
        "add": "stork",
        "entry": "stork",
        "to": herons.shown_version.short_hash,
    }
    for who, client in others.items():
        for ask in (client.get, client.post):
            cache.clear()
            answer = ask(address, fields)
            assert answer.status_code < 500, who
            assert OTHER_UNIT not in text_of(answer), who
            if "public_id" in way.parameters:
                assert not any(name in text_of(answer) for name in NAMES), who
    assert list(Roster.objects.all()) == [roster]


@pytest.mark.parametrize("asked", ["complete", "fill", "repair", "addable", "allies", "parts/{detachment}"])
def test_the_api_builds_with_it_for_its_owner_alone(
    herons: GameSystem, ann: Client, others: dict[str, Client], asked: str
) -> None:
    roster = built(ann, herons)
    address = f"/api/v1/rosters/{roster.link_id}/{asked.format(detachment=roster.tree.forces[0].id)}/"
    for who, client in others.items():
        assert client.get(address).status_code == 404, who
    assert ann.get(address).status_code == 200


def test_a_copy_of_the_api_without_its_deeds_is_not_confirmed_to_its_owner(
    herons: GameSystem, ann: Client, others: dict[str, Client]
) -> None:
    address = f"/api/v1/rosters/{built(ann, herons).link_id}/?deeds=1"
    copies = {who: client.get(address)["ETag"] for who, client in others.items()}
    mine = ann.get(address)["ETag"]
    assert mine not in copies.values()
    for who, copy in copies.items():
        assert ann.get(address, headers={"If-None-Match": copy}).status_code == 200, who
        assert others[who].get(address, headers={"If-None-Match": mine}).status_code == 200, who
        assert others[who].get(address, headers={"If-None-Match": copy}).status_code == 304, who
    assert ann.get(address, headers={"If-None-Match": mine}).status_code == 304


def test_others_neither_copy_nor_play_its_list(herons: GameSystem, ann: Client, others: dict[str, Client]) -> None:
    roster = started(ann, herons)
    for client in others.values():
        cache.clear()
        answer = client.post(reverse("roster:copy", args=[roster.link_id]), headers={"Sec-Fetch-Site": "same-origin"})
        assert answer["Location"] == reverse("roster:link", args=[roster.link_id])
        for ask in (client.get, client.post):
            assert ask(reverse("play:game-new", args=[roster.link_id])).status_code == 404
    assert Roster.objects.count() == 1
    assert ann.post(reverse("roster:copy", args=[roster.link_id])).status_code == 303
    assert Roster.objects.count() == 2
    assert ann.get(reverse("play:game-new", args=[roster.link_id])).status_code == 200


def test_its_list_cannot_be_public(herons: GameSystem, ann: Client) -> None:
    roster = started(ann, herons)
    sharing = reverse("roster:sharing", args=[roster.public_id])
    assert 'value="public"' not in markup(ann.get(sharing))
    answer = ann.post(sharing, {"visibility": "public"})
    assert answer.status_code == 422
    assert "cannot be public" in markup(answer)
    roster.refresh_from_db()
    assert roster.visibility == Visibility.LINK


# ---- its owner ---------------------------------------------------------------------------------------------------


def test_its_owner_finds_it_and_builds(herons: GameSystem, ann: Client) -> None:
    for address in ("/games/", "/rosters/new/", OWN):
        assert NAMES[0] in markup(ann.get(address)), address
    faction = herons.shown_version.factions.get()
    pages = [("game", [herons.slug]), ("faction", [herons.slug, faction.slug])]
    pages.append(("unit", [herons.slug, faction.slug, faction.units.get(name=NAMES[2]).slug]))
    for name, parts in pages:
        assert ann.get(reverse(f"catalogue:{name}", args=parts)).status_code == 200
    assert "Only you, and anyone with a link" in markup(ann.get(herons.get_absolute_url()))
    words = ann.get(reverse("catalogue:words", args=[herons.shown_version.content_hash, faction.slug]))
    assert words["Cache-Control"].startswith("private")
    roster = started(ann, herons)
    page = markup(ann.get(reverse("roster:builder", args=[roster.public_id])))
    assert "other data" not in page
    assert NAMES[2] in page


def test_guests_are_sent_to_sign_in(db: None) -> None:
    guest = Client()
    for answer in (guest.get(OWN), send(guest, archive())):
        assert (answer.status_code, answer["Location"]) == (302, f"{reverse('account_login')}?next={OWN}")
    assert f"?next={OWN}" in markup(guest.get("/games/gallery/"))
    assert not GameSystem.objects.exists()


def test_the_same_archive_is_another_game_for_everybody(herons: GameSystem, others: dict[str, Client]) -> None:
    ben = others["somebody else"]
    assert send(ben, archive()).status_code == 303
    others["staff"].post("/games/import/", {"file": SimpleUploadedFile("herons.zip", archive())})
    slugs = dict(GameSystem.objects.values_list("owner__email", "slug"))
    assert slugs[None] == "herons-and-hermits"
    assert len(set(slugs.values())) == PackVersion.objects.count() == 3
    assert Client().get("/games/herons-and-hermits/").status_code == 200
    assert ben.get(herons.get_absolute_url()).status_code == 404
    # The published game takes room for itself, the private ones for their owners.
    everything = sum(len(body.body) for body in DocumentBody.objects.all())
    assert measure_space() == everything


def test_new_data_of_a_published_game_does_not_touch_a_private_one(
    herons: GameSystem, others: dict[str, Client]
) -> None:
    before = herons.private_version_id
    others["staff"].post("/games/import/", {"file": SimpleUploadedFile("herons.zip", archive(CHANGED))})
    herons.refresh_from_db()
    assert herons.private_version_id == before
    assert PackVersion.objects.get(current_of__isnull=False).game != herons


def test_a_catalogue_joins_the_published_game_for_its_owner_alone(ann: Client, others: dict[str, Client]) -> None:
    others["staff"].post("/games/import/", {"file": SimpleUploadedFile("herons.zip", archive())})
    more = str(game_files(unit(ident="coot"))["pond.cat"])
    more = more.replace('id="pond"', 'id="mere"').replace("The Pond", "The Mere")
    assert send(ann, more.encode(), "mere.cat").status_code == 303
    own = GameSystem.objects.get(owner__email="ann@example.org")
    assert {faction.name for faction in own.shown_version.factions.all()} == {NAMES[1], "The Mere"}
    assert GameSystem.objects.get(owner=None).shown_version.factions.count() == 1


def test_a_newer_archive_replaces_it_and_lists_stay(herons: GameSystem, ann: Client) -> None:
    first = herons.private_version_id
    roster = started(ann, herons)
    send(ann, archive(CHANGED), "herons-v2.0.zip")
    herons.refresh_from_db()
    assert herons.private_version_id != first
    assert GameSystem.objects.count() == 1
    roster.refresh_from_db()
    assert roster.version_id == first
    data = reverse("roster:data", args=[roster.public_id])
    assert ann.get(data).status_code == 200
    assert ann.post(data, {"revision": str(roster.head), "to": herons.shown_version.short_hash}).status_code == 303
    roster.refresh_from_db()
    assert roster.version_id == herons.private_version_id


def test_replaced_data_without_lists_goes(herons: GameSystem, ann: Client) -> None:
    first = herons.private_version_id
    send(ann, archive(CHANGED))
    assert not PackVersion.objects.filter(pk=first).exists()
    used = set(CatalogueDocument.objects.values_list("content_hash", flat=True))
    assert set(DocumentBody.objects.values_list("pk", flat=True)) == used


def test_the_same_again_changes_nothing(herons: GameSystem, ann: Client) -> None:
    send(ann, archive())
    assert "nothing has changed" in markup(ann.get(herons.get_absolute_url()))
    assert PackVersion.objects.count() == 1


# ---- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_bad_data_is_explained_in_place_and_stores_nothing(ann: Client, bad: Bad) -> None:
    answer = send(ann, bad.data, bad.name)
    assert answer.status_code == 422
    assert 'role="alert"' in markup(answer)
    assert not GameSystem.objects.exists()


def test_no_file_and_too_large_a_file(ann: Client, settings: Any) -> None:
    assert ann.post(OWN).status_code == 422
    most = settings.ARMYBUILDER["MAX_BODY_BYTES_AT"]["catalogue:own-games"]
    for size, status in ((most, 422), (most + 1, 413)):
        cache.clear()
        assert ann.generic("POST", OWN, b"", headers={"Content-Length": str(size)}).status_code == status


def test_another_site_cannot_send_one(ann: Client) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get())
    assert send(client, archive()).status_code == 403
    assert not GameSystem.objects.exists()


def test_the_quota_counts_all_games_of_an_account(herons: GameSystem, ann: Client, settings: Any) -> None:
    used = measure_own(herons)
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "OWN_GAME_BYTES": used}
    files = game_files(unit(), FORCE)
    other = packed({name: str(text).replace('"sys"', '"sys-2"') for name, text in files.items()})
    answer = send(ann, other, "other.zip")
    assert answer.status_code == 422
    assert "Nothing was stored" in markup(answer)
    assert list(GameSystem.objects.all()) == [herons]
    # What is there may be imported again, and the game of somebody else is no matter.
    assert send(ann, archive()).status_code == 303
    assert send(signed_in(account("ben@example.org")), archive()).status_code == 303


def measure_own(game: GameSystem) -> int:
    hashes = CatalogueDocument.objects.filter(version__game=game).values("content_hash")
    return sum(len(body.body) for body in DocumentBody.objects.filter(pk__in=hashes))


def test_a_site_may_allow_none(ann: Client, settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "OWN_GAME_BYTES": 0}
    assert "no private games" in markup(ann.get(OWN))
    assert send(ann, archive()).status_code == 422
    assert not GameSystem.objects.exists()


def test_one_import_at_a_time(ann: Client, settings: Any) -> None:
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    assert send(ann, archive()).status_code == 303
    answer = send(ann, archive(), "again.zip")
    assert answer.status_code == 422
    assert "herons.zip is still being imported" in markup(answer)
    assert Job.objects.filter(kind=OWN_IMPORT_JOB).count() == 1


def test_its_job_is_its_owners(ann: Client, others: dict[str, Client], settings: Any) -> None:
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    address = send(ann, archive())["Location"]
    assert ann.get(address).status_code == 200
    for client in others.values():
        assert client.get(address).status_code == 404


def test_a_full_disk_is_explained_and_stores_nothing(ann: Client, monkeypatch: Any) -> None:
    def fill(*args: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("catalogue.services.community_import.install_version", fill)
    answer = send(ann, archive())
    assert "no space left" in markup(answer)
    assert not GameSystem.objects.exists()


# ---- deleting ----------------------------------------------------------------------------------------------------


def test_a_game_without_lists_is_deleted_with_its_contents(herons: GameSystem, ann: Client) -> None:
    delete = reverse("catalogue:own-delete", args=[herons.slug])
    assert "No list uses this game" in markup(ann.get(delete))
    assert ann.post(delete).status_code == 303
    assert not GameSystem.objects.exists()
    assert not DocumentBody.objects.exists()


def test_a_game_with_lists_is_deleted_only_with_them(herons: GameSystem, ann: Client) -> None:
    roster = started(ann, herons)
    ann.post(reverse("play:game-new", args=[roster.link_id]), {"first": "0"})
    delete = reverse("catalogue:own-delete", args=[herons.slug])
    assert "1 list of yours uses this game" in markup(ann.get(delete))
    answer = ann.post(delete)
    assert answer.status_code == 422
    assert "Agree to delete them" in markup(answer)
    assert ann.get(reverse("roster:builder", args=[roster.public_id])).status_code == 200
    assert ann.post(delete, {"lists": "1"}).status_code == 303
    assert not Roster.objects.exists()
    assert not GameSystem.objects.exists()
    assert not DocumentBody.objects.exists()


def test_contents_that_a_published_game_has_stay(herons: GameSystem, ann: Client, others: dict[str, Client]) -> None:
    others["staff"].post("/games/import/", {"file": SimpleUploadedFile("herons.zip", archive())})
    ann.post(reverse("catalogue:own-delete", args=[herons.slug]))
    assert DocumentBody.objects.count() == 2
    assert Client().get("/games/herons-and-hermits/").status_code == 200


def test_deleting_an_account_deletes_its_games(herons: GameSystem, ann: Client) -> None:
    started(ann, herons)
    file = BytesIO()
    export_account_data(User.objects.get(), file)
    delete_account(User.objects.get())
    assert not GameSystem.objects.exists()
    assert not DocumentBody.objects.exists()


def test_staff_with_the_right_delete_it(herons: GameSystem, ann: Client) -> None:
    started(ann, herons)
    moderator = User.objects.create_user("moderator", is_staff=True)
    moderator.user_permissions.add(Permission.objects.get(codename="view_gamesystem"))
    client = signed_in(moderator)
    shelf = reverse("admin:catalogue_gamesystem_changelist")
    act = {"action": "delete_private_games", "_selected_action": [str(herons.pk)]}
    assert NAMES[0] in markup(client.get(shelf))
    client.post(shelf, act)
    assert GameSystem.objects.exists()
    moderator.user_permissions.add(Permission.objects.get(codename="delete_gamesystem"))
    client.post(shelf, act)
    assert not GameSystem.objects.exists()
    assert not Roster.objects.exists()


def test_the_admin_deletes_no_published_game(others: dict[str, Client]) -> None:
    staff = others["staff"]
    staff.post("/games/import/", {"file": SimpleUploadedFile("herons.zip", archive())})
    act = {"action": "delete_private_games", "_selected_action": [str(GameSystem.objects.get().pk)]}
    staff.post(reverse("admin:catalogue_gamesystem_changelist"), act)
    assert GameSystem.objects.exists()
