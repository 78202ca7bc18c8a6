"""Games are installed through the API by those who may install them on the page."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.test import Client

from catalogue.models import GalleryGame, GameSystem, Job, Source
from catalogue.models.jobs import JobState
from roster.models.tokens import TokenScope
from tests.catalogue.test_gallery import allow_installing, ducks, serve
from tests.roster.accounts_cast import account
from tests.roster.test_tokens import ask, make

__all__ = ["ducks", "serve"]
pytestmark = pytest.mark.django_db
GALLERY = "/api/v1/gallery/"


@pytest.fixture
def ann() -> User:
    cache.clear()
    return account()


@pytest.fixture
def token(ann: User) -> str:
    return make(ann, TokenScope.DATA)


@pytest.fixture
def keeper(ann: User) -> User:
    ann.is_staff = True
    ann.save()
    ann.user_permissions.add(Permission.objects.get(codename="add_packversion"))
    return ann


def test_a_game_is_installed(ducks: GalleryGame, keeper: User, token: str) -> None:
    before = ask(token, GALLERY).json()
    assert [(row["id"], row["game"], row["is_installing"]) for row in before] == [(ducks.pk, None, False)]
    answer = ask(token, f"{GALLERY}{ducks.pk}/install/", "post")
    assert answer.status_code == 202, answer.content.decode()
    job = ask(token, answer["Location"])
    assert (job.status_code, job.json()["state"], job.json()["wrong"]) == (200, "done", "")
    (row,) = ask(token, GALLERY).json()
    assert (row["game"], row["is_behind"]) == (GameSystem.objects.get().slug, False)


def test_the_setting_of_the_gallery_decides_who_installs(ducks: GalleryGame, token: str, settings: Any) -> None:
    address = f"{GALLERY}{ducks.pk}/install/"
    allow_installing(settings, "staff")
    refused = ask(token, address, "post")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert not Job.objects.exists()
    assert ask(token, f"{GALLERY}{ducks.pk}/keep/", "post").status_code == 403
    allow_installing(settings, "accounts")
    assert ask(token, address, "post").status_code == 202
    assert ask(token, f"{GALLERY}{ducks.pk}/keep/", "post").status_code == 403, "sources are for staff"


def test_other_tokens_and_strangers_install_nothing(ducks: GalleryGame, keeper: User) -> None:
    address = f"{GALLERY}{ducks.pk}/install/"
    for scope in (TokenScope.READ, TokenScope.WRITE, TokenScope.EVENTS):
        answer = ask(make(keeper, scope, name=scope.value), address, "post")
        assert (answer.status_code, answer.json()["code"]) == (403, "scope-missing")
    assert Client().post(address).status_code == 401
    assert not Job.objects.exists()


def test_a_game_that_cannot_be_installed_says_why(keeper: User, token: str) -> None:
    row = GalleryGame.objects.create(name="geese", title="Geese")
    answer = ask(token, f"{GALLERY}{row.pk}/install/", "post")
    assert (answer.status_code, "Geese" in answer.json()["detail"]) == (409, True)
    assert ask(token, f"{GALLERY}999/install/", "post").status_code == 404


def test_a_job_is_its_owners(ducks: GalleryGame, keeper: User, token: str) -> None:
    job = Job.objects.create(user=keeper, kind="install", name="Ducks", arguments={"gallery": ducks.pk})
    address = f"/api/v1/jobs/{job.public_id}/"
    other = make(account("ben@example.org"), TokenScope.DATA)
    assert ask(other, address).status_code == 404
    assert Client().get(address).status_code == 401
    assert ask(token, address).json()["state"] == JobState.WAITING
    Job.objects.update(touched="2026-01-01T00:00Z")
    assert ask(token, address).json()["percent"] > 0, "nobody else does it"


def test_staff_keep_a_game_up_to_date(ducks: GalleryGame, keeper: User, token: str) -> None:
    GalleryGame.objects.update(repository="https://github.com/ponds/ducks")
    answer = ask(token, f"{GALLERY}{ducks.pk}/keep/", "post")
    assert answer.status_code == 204, answer.content
    assert Source.objects.get().publishes
