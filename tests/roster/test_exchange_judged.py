"""The API and the command judge roster files without storing them."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from roster.models import Roster
from tests.roster.bad_rosters import BAD
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db

CHECK = "/api/check"
MEDIA = {"application/xml": "ros", "text/xml": "ros", "application/zip": "rosz"}


@pytest.fixture
def files(client: Client) -> dict[str, bytes]:
    owner = started(client)
    owner.unit("cutters")
    return {ending: client.get(owner.url("link") + f"roster.{ending}").content for ending in ("ros", "rosz", "json")}


def check(client: Client, body: bytes, media: str) -> Any:
    return client.post(CHECK, body, content_type=media)


@pytest.mark.parametrize("media", MEDIA)
def test_a_roster_file_is_judged_like_the_list_document(client: Client, files: dict[str, bytes], media: str) -> None:
    answer = check(client, files[MEDIA[media]], media)
    assert answer.status_code == 200, answer.content
    assert Roster.objects.count() == 1

    def same(body: dict[str, Any]) -> list[Any]:
        return [body["verdict"], body["costs"], body["game"], body["faction"], len(body["violations"])]

    assert same(answer.json()) == same(check(client, files["json"], "application/json").json())


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        *((data, 400, code) for data, code in BAD.values()),
        (b"<roster>" + b" " * 9_000_000, 413, None),
        (b"", 400, "empty"),
    ],
)
def test_a_bad_roster_file(client: Client, body: bytes, status: int, code: str | None) -> None:
    answer = check(client, body, "application/zip" if body.startswith(b"PK") else "application/xml")
    assert answer.status_code == status
    assert code is None or answer.json()["code"] == code


def test_the_command_reads_roster_files(
    files: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending in ("ros", "rosz"):
        path = tmp_path / f"mine.{ending}"
        path.write_bytes(files[ending])
        with pytest.raises(SystemExit):
            call_command("check_list", str(path), "--json")
        assert json.loads(capsys.readouterr().out)["game"] == "fenland"


@pytest.mark.parametrize(("data", "code"), BAD.values(), ids=BAD)
def test_the_command_says_what_is_wrong_with_a_bad_file(
    data: bytes, code: str, tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.ros"
    path.write_bytes(data)
    with pytest.raises(SystemExit) as stopped:
        call_command("check_list", str(path), "--json")
    assert stopped.value.code == 2
    assert json.loads(capsys.readouterr().out)["unreadable"]["code"] == code


def test_the_command_names_the_place_in_a_bad_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.ros"
    path.write_bytes(b"<roster>\n<!-- -->\n<forces>")
    with pytest.raises(SystemExit) as stopped:
        call_command("check_list", str(path))
    assert stopped.value.code == 2
    assert f"{path}:3" in capsys.readouterr().err
