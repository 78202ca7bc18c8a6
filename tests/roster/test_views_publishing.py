"""Staff preview the effects of a version on all lists, and publish it."""

import re
import shutil
from io import StringIO

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from catalogue.models import GameSystem, PackVersion
from roster.models import Impact, Roster
from roster.services.impacts import VerdictShift, evaluate_impacts, summarize_impact
from tests.roster.small_game import installed
from tests.roster.small_game_update import later
from tests.roster.views_cast import Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

VERSIONS = reverse("roster:versions")


@pytest.fixture
def staff() -> Client:
    client = Client()
    keeper = User.objects.create_user("keeper", is_staff=True)
    keeper.user_permissions.add(Permission.objects.get(codename="add_release"))
    client.force_login(keeper)
    return client


def address(version: PackVersion) -> str:
    return reverse("roster:version", args=[version.short_hash])


def lists() -> list[Owner]:
    made = [started(name=f"List {number}") for number in range(3)]
    for owner, units in zip(made, (("warden", "cutters"), ("warden", "cutters", "giants"), ()), strict=True):
        for unit in units:
            owner.unit(unit)
    return made


def test_impact_is_summed_up_and_changes_no_list():
    lists()
    new, before = later(hold=True), list(Roster.objects.values())
    assert evaluate_impacts(new) == 3
    assert evaluate_impacts(new) == 0
    summed = summarize_impact(new)
    assert (summed.lists, summed.impacts, summed.left, summed.repriced) == (3, 3, 0, 1)
    assert set(summed.moved) == {
        VerdictShift(before="legal", after="legal", lists=1),
        VerdictShift(before="legal", after="illegal", lists=1),
        VerdictShift(before="incomplete", after="incomplete", lists=1),
    }
    assert summed.missing == (("Giants", 1),)
    assert summed.broken == ()
    assert list(Roster.objects.values()) == before


def test_a_list_that_moved_on_is_judged_anew():
    first = lists()[0]
    new = later(hold=True)
    evaluate_impacts(new)
    first.unit("giants")
    assert summarize_impact(new).left == 1
    assert evaluate_impacts(new) == 1
    assert summarize_impact(new).missing == (("Giants", 2),)
    assert Impact.objects.count() == 3


def test_without_time_nothing_is_judged():
    lists()
    assert evaluate_impacts(later(hold=True), seconds=0) == 0


def test_staff_judge_and_publish(staff):
    lists()
    new = later(hold=True)
    assert b"not published" in staff.get(VERSIONS).content
    assert staff.post(address(new), {"do": "judge"}).status_code == 303
    page = staff.get(address(new)).content.decode()
    assert 'class="mark illegal"' in page
    assert "Giants" in page
    assert staff.post(address(new), {"do": "publish"}).status_code == 303
    assert GameSystem.objects.get().current == new
    assert {roster.version.label for roster in Roster.objects.all()} == {"1.0"}
    assert staff.get(address(new)).status_code == 200


@pytest.mark.parametrize("do", ["", "explode"])
def test_tampered_form(staff, do):
    old, new = installed(), later(hold=True)
    assert staff.post(address(new), {"do": do}).status_code == 303
    assert GameSystem.objects.get().current == old
    assert not Impact.objects.exists()


def test_everybody_else_gets_nothing():
    new = later_held()
    member = Client()
    member.force_login(User.objects.create_user("member"))
    helper = Client()
    helper.force_login(User.objects.create_user("helper", is_staff=True))
    for page in (VERSIONS, address(new)):
        for client in (member, helper):
            assert client.get(page).status_code == 404
            assert client.post(page, {"do": "publish"}).status_code in (404, 405)
        assert Client().get(page)["Location"].startswith("/accounts/login/")
    assert Client().post(address(new), {"do": "publish"}).status_code == 302
    assert GameSystem.objects.get().current != new


def later_held() -> PackVersion:
    installed()
    return later(hold=True)


@pytest.mark.parametrize("short_hash", ["0" * 10, "x", "0" * 64, "%"])
def test_bad_id(staff, short_hash):
    assert staff.get(reverse("roster:version", args=[short_hash])).status_code == 404


def test_wrong_method(staff):
    assert staff.post(VERSIONS).status_code == 405
    assert staff.put(address(installed())).status_code == 405


def test_form_without_proof_of_origin(staff):
    staff.handler.enforce_csrf_checks = True
    assert staff.post(address(later_held()), {"do": "publish"}).status_code == 403


def test_asks_the_same_at_one_and_three_lists(staff, django_assert_num_queries):
    new = later_held()
    for _ in range(2):
        # session, user, player name, rights (2); games, releases, versions, reports
        with django_assert_num_queries(9):
            staff.get(VERSIONS)
        with django_assert_num_queries(10):  # session, user, player name, rights (2), version; verdicts, counts, lists
            staff.get(address(new))
        lists()
        evaluate_impacts(new)


def test_judging_asks_little_more_for_more_lists(django_assert_num_queries):
    owners, new = lists(), later(hold=True)
    evaluate_impacts(new)  # compiles
    for number in (1, 3):
        for owner in owners[:number]:
            owner.done(do="rename", node="", text=f"Again {number}")
        with django_assert_num_queries(3):  # lists, impacts, no more lists
            assert evaluate_impacts(new) == number


def test_command():
    lists()
    new, said = later(hold=True), StringIO()
    call_command("judge_impact", new.short_hash, stdout=said)
    assert "3 lists judged now, 3 of 3 in all" in said.getvalue()
    lines = said.getvalue().splitlines()
    assert f"2.0 ({new.short_hash})" in lines[0]
    assert [line for line in lines if line.startswith("list ")] == [
        "list 1: legal -> illegal; 51 -> 30 points; missing: Giants"
    ]


def test_command_says_prices_and_shows_as_many_lists_as_are_asked_for():
    for _ in range(3):
        owner = started()
        owner.unit("warden")
        owner.unit("crew")
    later(hold=True)
    for lists, shown in (("20", 3), ("2", 2), ("0", 0)):
        said = StringIO()
        call_command("judge_impact", "fenland@newest", "--lists", lists, stdout=said)
        assert said.getvalue().count("Punt Crew 4 -> 9") == shown


def test_packs_wait_where_the_server_says_so(settings, tmp_path):
    pack = tmp_path / "first"
    shutil.copytree(settings.ARMYBUILDER["PACKS_DIR"] / "reeds_and_rust" / "first", pack)
    settings.ARMYBUILDER = settings.ARMYBUILDER | {"HOLD_NEW_DATA": True}
    for _ in range(2):
        call_command("load_packs", pack, stdout=StringIO(), stderr=StringIO())
        first = GameSystem.objects.get()
        assert (first.current, first.versions.count()) == (first.versions.order_by("pk")[0], 1)
    text = (pack / "pack.yaml").read_text()
    (pack / "pack.yaml").write_text(re.sub(r"(?m)^version: .*$", "version: '99.0'", text))
    call_command("load_packs", pack, stdout=StringIO(), stderr=StringIO())
    again = GameSystem.objects.get()
    assert (again.current, again.versions.count()) == (first.current, 2)
