"""Playing a game of community data passes if it can be played, and otherwise fails."""

import pytest

from catalogue.models import PackVersion
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.catalogue.import_bytes import import_bytes
from tests.games.__main__ import describe_refusal
from tests.games.play import play_game

pytestmark = pytest.mark.django_db

FORCE = """<forceEntries><forceEntry id="flock" name="Flock"><categoryLinks>
  <categoryLink id="slot" name="Bird" targetId="bird"/></categoryLinks></forceEntry></forceEntries>"""
HOLLOW = '<forceEntries><forceEntry id="flock" name="Flock"/></forceEntries>'
BIRD = """<categoryLinks><categoryLink id="l" name="Bird" targetId="bird" primary="true"/></categoryLinks>
<selectionEntryGroups><selectionEntryGroup id="g" name="Bills">
  <constraints><constraint id="least" type="min" value="1" field="selections" scope="parent"/></constraints>
  <selectionEntries><selectionEntry id="bill" name="Bill" type="upgrade"/></selectionEntries>
</selectionEntryGroup></selectionEntryGroups>"""


def install(game: str, pond: str) -> PackVersion:
    version = import_bytes("ducks.zip", packed(game_files(pond, game))).version
    assert version is not None
    return version


def test_a_game_that_can_be_played_passes() -> None:
    tally = play_game(install(FORCE, unit(BIRD)), seconds=20)
    assert list(tally.troubles) == []
    assert (tally.forces, tally.units) == (1, 1)


def test_a_game_whose_only_force_can_hold_nothing_fails() -> None:
    tally = play_game(install(HOLLOW, unit(BIRD)), seconds=20)
    assert list(tally.troubles) == ["The Pond: nothing can be taken"]


def test_a_limit_has_room_for_units_that_cost_thousands() -> None:
    priced = BIRD + '<costs><cost name="TV" typeId="pts" value="50000"/></costs>'
    tally = play_game(install(FORCE, unit(priced)), seconds=20)
    assert (list(tally.troubles), tally.units) == ([], 1)


def test_a_faction_without_units_is_named_beside_one_that_has_some() -> None:
    bare = game_files(unit(BIRD.replace('targetId="bird"', 'targetId="gone"')), FORCE)["pond.cat"]
    other = str(bare).replace('id="pond"', 'id="puddle"').replace("The Pond", "The Puddle")
    version = import_bytes("ducks.zip", packed(game_files(unit(BIRD), FORCE) | {"puddle.cat": other})).version
    assert version is not None
    tally = play_game(version, seconds=20)
    assert (tally.hollow, list(tally.troubles)) == (["The Puddle"], [])


@pytest.mark.parametrize(
    "files",
    [
        {"ducks.gst": game_files("", FORCE + unit(BIRD))["ducks.gst"]},
        game_files(unit(BIRD), FORCE) | {"pond.cat": str(game_files(unit(BIRD))["pond.cat"]).replace("false", "true")},
    ],
    ids=["game-system-alone", "library-alone"],
)
def test_a_game_without_factions_is_played_with_what_there_is(files: dict[str, str | bytes]) -> None:
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    tally = play_game(version, seconds=20)
    assert (tally.forces, tally.units, list(tally.troubles)) == (1, 1, [])


def test_a_crash_fails_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **options: object) -> None:
        raise ZeroDivisionError

    version = install(FORCE, unit(BIRD))
    monkeypatch.setattr("tests.games.play.start_roster", crash)
    assert list(play_game(version, seconds=20).troubles) == ["The Pond: crashed with ZeroDivisionError()"]


@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        (game_files() | {"ducks.gst": "<gameSystem id='s' battleScribeVersion='1.15'/>"}, "left out"),
        ({"pond.cat": game_files()["pond.cat"]}, "left out"),
        ({"../ducks.gst": game_files()["ducks.gst"]}, "failed"),
    ],
    ids=["old", "no-game-system", "attack"],
)
def test_what_holds_no_game_is_left_out_or_refused(files: dict[str, str | bytes], outcome: str) -> None:
    imported = import_bytes("ducks.zip", packed(files))
    line, found = describe_refusal("ducks.zip", imported.diagnostics)
    assert found == outcome
    assert line.startswith(f"ducks.zip: {'left out' if outcome == 'left out' else 'FAILED'}: ")
