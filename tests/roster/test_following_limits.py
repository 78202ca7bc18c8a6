"""Limits that depend on another: command points follow the battle size, wherever either is set."""

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.ruleset import Ruleset
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.engine import edits
from roster.engine.edits import EditedRoster
from roster.engine.tree import RosterTree
from roster.formats.list_document import (
    BuiltList,
    ListDocument,
    Media,
    build_document,
    build_list,
    format_json,
    read_list,
)
from roster.models import Roster as StoredRoster
from tests.shipped_packs import read_ruleset, read_shipped

GAME, FACTION = "maelstrom-of-war-9e", "necrons"
POINTS, COMMAND = "points", "command-points"


def rules() -> Ruleset:
    return read_ruleset(SHIPPED / "wh40k" / "ninth")


def agreed(roster: RosterTree) -> dict[str, object]:
    return {limit.type_id: limit.value for limit in roster.limits}


@pytest.mark.parametrize(("points", "command"), [(1000, 6), (2000, 12), (3000, 18)])
def test_a_size_brings_its_command_points(points: int, command: int) -> None:
    started = edits.create_roster(rules(), limits={POINTS: points}).roster
    assert agreed(started) == {POINTS: points, COMMAND: command}
    changed = edits.set_limit(rules(), edits.create_roster(rules()).roster, POINTS, points)
    assert isinstance(changed, EditedRoster)
    assert agreed(changed.roster) == {POINTS: points, COMMAND: command}


def test_what_is_said_of_command_points_stands() -> None:
    assert agreed(edits.create_roster(rules(), limits={POINTS: 1000, COMMAND: 9}).roster)[COMMAND] == 9
    lifted = edits.create_roster(rules(), limits={POINTS: 1000, COMMAND: -1}).roster
    assert agreed(lifted) == {POINTS: 1000}


def test_no_size_brings_none() -> None:
    start = edits.create_roster(rules(), limits={POINTS: 3000}).roster
    for points in (1500, None):
        changed = edits.set_limit(rules(), start, POINTS, points)
        assert isinstance(changed, EditedRoster)
        assert agreed(changed.roster)[COMMAND] == 18


def built(data: bytes, media: Media) -> RosterTree:
    document = read_list(data, media)
    assert isinstance(document, ListDocument), document
    found = build_list(rules(), document, FACTION)
    assert isinstance(found, BuiltList), found
    return found.roster


def read(limits: str, *, exact: bool) -> RosterTree:
    text = f"list: 1\ngame: {GAME}\nfaction: {FACTION}\nexact: {'yes' if exact else 'no'}\nlimits: {limits}\n"
    return built(text.encode(), Media.YAML)


@pytest.mark.parametrize("exact", [True, False])
def test_documents_need_not_name_them(exact: bool) -> None:
    assert agreed(read("{points: 1000}", exact=exact)) == {POINTS: 1000, COMMAND: 6}
    assert agreed(read("{points: 1000, command points: 8}", exact=exact)) == {POINTS: 1000, COMMAND: 8}
    assert agreed(read("{points: 1000, command points: none}", exact=exact)) == {POINTS: 1000}


@pytest.mark.parametrize("command", [None, 6, 8])
def test_a_list_that_is_handed_out_comes_back_as_it_was(command: int | None) -> None:
    start = edits.create_roster(rules(), limits={POINTS: 1000}).roster
    changed = edits.set_limit(rules(), start, COMMAND, command)
    assert isinstance(changed, EditedRoster)
    document = build_document(rules(), changed.roster, game=GAME, faction_id=FACTION)
    again = built(format_json(document), Media.JSON)
    assert agreed(again) == agreed(changed.roster)


@pytest.mark.django_db
@pytest.mark.parametrize(("limit", "command"), [("", 12), ("1000", 6), ("3000", 18)])
def test_another_size_than_the_chosen_way_has(limit: str, command: int) -> None:
    reading = read_shipped(SHIPPED / "wh40k" / "ninth")
    assert reading.pack
    assert reading.data
    install_version(GameInfo.from_pack(reading.pack), reading.data)
    form = {"game": GAME, "faction": FACTION, "way": "strike-force", "limit": limit, "name": "Tomb"}
    assert Client().post(reverse("roster:new"), form).status_code == 303
    assert agreed(StoredRoster.objects.get().tree)[COMMAND] == command
