"""Tables that players set up themselves: for data that does not say how its game goes."""

import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.definitions.table_rules import InitiativeRoll
from roster.formats.list_document import Unreadable
from roster.models import Roster
from roster.play.models import Game
from roster.play.models.games import TABLE_LENGTH
from roster.play.services.game_rules import load_rules, make_course
from roster.play.services.table_rules import FREE_TABLE
from roster.play.services.table_setups import choose_ready, load_ready_setups
from roster.play.table_setup import MOST_PARTS, TableSetup, read_setup, write_setup
from tests.catalogue.battlescribe_files import packed
from tests.catalogue.import_bytes import import_bytes
from tests.markup import markup
from tests.play.games import NINTH, begin, join, load_army, make_tap, tap
from tests.roster.allied_game import game_files
from tests.roster.views_cast import SCRIPT, started

SKIRMISH = """table: 1
name: Marsh skirmish
rounds: 4
round: Tide
turns: yes
initiative: Lookout
phases: [Wading, Fighting]
resources:
- {name: Lanterns, short: LN, start: 2, gains: 1, when: in each Wading, refreshed: yes}
- Reed bundles
boxes: [Breath, Oil lamps]
scores:
- {name: Islands, points: [2, 4], at most a round: 6, at most: 20}
- Trophies
at most: 30
missions: [Low water]
"""
GAMES = {
    "age-of-sigmar-4th.zip": "age-of-sigmar-4",
    "grimdark-future.zip": "one-page-rules",
    "horus-heresy-3rd-2025-11.zip": "horus-heresy-3",
    "middle-earth.zip": "middle-earth",
    "the-old-world.zip": "the-old-world",
    "wh40k-10e-v10.6.0.zip": "wh40k-10e",
}


def test_a_setup_says_how_the_table_goes() -> None:
    setup = read_setup(SKIRMISH)
    assert isinstance(setup, TableSetup)
    rules = setup.build_rules()
    assert (rules.rounds, rules.round, rules.turns, rules.most) == (4, "Tide", True, 30)
    assert [(phase.name, [(gain.resource, gain.amount) for gain in phase.gains]) for phase in rules.phases] == [
        ("Wading", [("counter-1", 1)]),
        ("Fighting", []),
    ]
    # The set-up says who goes first in round 1; nobody rolls on the page.
    assert rules.initiative == InitiativeRoll(word="Lookout", die=0, first=2)
    assert [(track.id, track.name, track.column) for track in rules.tracks] == [
        ("breath", "Breath", "Breath"),
        ("oil-lamps", "Oil lamps", "Oil lamps"),
    ]
    lanterns, reeds = rules.resources
    assert (lanterns.name, lanterns.sign, lanterns.start, lanterns.refreshed) == ("Lanterns", "LN", 2, True)
    assert [(change.text, change.amount) for change in lanterns.earns] == [("in each Wading", 1)]
    assert (reeds.name, reeds.start, reeds.earns) == ("Reed bundles", 0, ())
    islands, trophies = rules.items
    assert (islands.points, islands.most_round, islands.most) == ((2, 4), 6, 20)
    assert (trophies.points, trophies.most_round, trophies.most) == ((1, 5), None, None)


def test_a_setup_is_written_as_it_is_read() -> None:
    setup = read_setup(SKIRMISH)
    assert isinstance(setup, TableSetup)
    assert read_setup(write_setup(setup)) == setup


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "empty", 0),
        ("table: 1\n\tround: 2", "bad-yaml", 2),
        ("name: x", "missing-key", 1),
        ("table: 2", "unknown-table-form", 1),
        ("table: 1\nphase: Wading", "unknown-key", 2),
        ("table: 1\nrounds: many", "not-a-number", 2),
        ("table: 1\nrounds: 1001", "count-too-high", 2),
        ("table: 1\nscores: [{points: [1]}]", "missing-key", 2),
        ("table: 1\nscores:\n- {name: a, number: 2}\n- b", "doubled-number", 3),
        ("table: 1\nphases: [" + "x, " * (MOST_PARTS + 1) + "]", "too-big", 1),
        ("table: 1\nboxes: [" + "x, " * (MOST_PARTS + 1) + "]", "too-big", 1),
        ("table: 1\nname: " + "x" * 200, "text-too-long", 2),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, code: str, line: int) -> None:
    read = read_setup(text)
    assert isinstance(read, Unreadable)
    assert (read.code, read.line) == (code, line)


def test_every_ready_setup_can_be_read_and_names_its_games() -> None:
    ready = load_ready_setups()
    assert len(ready) >= len(GAMES)
    for one in ready:
        assert one.setup.name, one.key
        assert one.setup.games, one.key
        assert one.setup.scores, one.key


@pytest.mark.parametrize(("archive", "key"), GAMES.items())
def test_the_games_of_today_have_a_ready_setup(shared: Path, archive: str, key: str) -> None:
    with zipfile.ZipFile(shared / "bsdata" / archive) as files:
        name = next(name for name in files.namelist() if name.endswith(".gst"))
        system = ElementTree.fromstring(files.read(name))
    # By its id, and by its name if somebody has made another version of the data.
    assert [one.key for one in choose_ready(system.attrib["id"], "Something else")] == [key]
    assert [one.key for one in choose_ready("another-id", system.attrib["name"])] == [key]


# ---- games ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def owner(db: None) -> Client:
    return Client()


@pytest.fixture
def roster(owner: Client) -> Roster:
    return started(owner).roster


@pytest.fixture
def game(owner: Client, roster: Roster) -> Game:
    return begin(owner, roster, mission_name="Low water")


def address(game: Game, name: str = "game-table") -> str:
    return reverse(f"play:{name}", args=[game.public_id])


def fill(client: Client, game: Game, **fields: str) -> dict[str, str]:
    """The fields of the form as the page shows them, some changed."""
    context = client.get(address(game)).context
    filled: dict[str, str] = {}
    for form in (context["table"], *context["resources"], *context["scores"]):
        for field in form:
            value = field.value()
            if value not in (None, "", False):
                filled[field.html_name] = "on" if value is True else str(value)
    for rows in (context["resources"], context["scores"]):
        filled |= {field.html_name: str(field.value()) for field in rows.management_form}
    return filled | fields


def save(client: Client, game: Game, **fields: str) -> int:
    status = client.post(address(game), fill(client, game, **fields)).status_code
    game.refresh_from_db()
    return status


def use_text(client: Client, game: Game, text: str) -> str:
    """The answer to a setup as text; "" if it was taken."""
    answer = client.post(address(game), {"text": text})
    game.refresh_from_db()
    return "" if answer.status_code == 303 else markup(answer)


def test_a_game_without_a_setup_has_two_counters_and_free_points(game: Game) -> None:
    assert (game.table, game.mission_name) == ("", "Low water")
    assert load_rules(game).table == FREE_TABLE


def test_a_text_sets_up_the_table_and_the_page_plays_by_it(owner: Client, game: Game) -> None:
    assert use_text(owner, game, SKIRMISH) == ""
    page = markup(owner.get(address(game, "game")))
    for shown in ("Tide", "Wading", "Fighting", "LN", "Reed bundles", "Islands", "Trophies"):
        assert shown in page
    assert load_rules(game).score.rounds == 4


def test_a_gain_that_names_a_phase_has_a_button_there(owner: Client, game: Game) -> None:
    assert use_text(owner, game, SKIRMISH) == ""
    tap(game, 0, make_tap("step", "step", text=f"{game.now.step} 1:0:phase-1", side=None))
    op = "count 0 res:counter-1 1 done:1.0.phase-1.gain-0"
    assert f'value="{op}"' in markup(owner.get(address(game, "game")))
    assert owner.post(address(game, "game"), {"op": op}).status_code == 303
    assert owner.post(address(game, "game"), {"op": op}).status_code == 303
    game.refresh_from_db()
    # Once a turn.
    assert game.now.sides[0].counts == {"res:counter-1": 1}


def test_each_round_of_a_setup_may_have_another_first_player(owner: Client, game: Game) -> None:
    use_text(owner, game, SKIRMISH)
    tap(game, 0, make_tap("step", "step", text=f"{game.now.step} 2:0:phase-1", side=None))
    page = markup(owner.get(address(game, "game")))
    assert "<b>Lookout</b>" in page
    assert "data-roll " not in page
    op = "step - initiative:2 2:0:phase-1 2:1:phase-1"
    assert f'value="{op}"' in page
    assert owner.post(address(game, "game"), {"op": op}).status_code == 303
    game.refresh_from_db()
    assert str(game.now.step) == "2:1:phase-1"
    assert make_course(game, load_rules(game)).list_order(2) == (1, 0)
    rolled = make_tap("set", "roll:2", text="1", side=None)
    assert tap(game, 0, rolled).refused[rolled.uid].code == "bad-change"


def test_caps_of_a_setup_count(owner: Client, game: Game) -> None:
    use_text(owner, game, SKIRMISH)
    tap(game, 0, make_tap("count", "score:score-1:1", 8), make_tap("count", "score:score-2:1", 5))
    assert owner.get(address(game, "game")).context["board"].mine.score.total == 6 + 5


def test_the_form_shows_the_setup_and_saves_it_unchanged(owner: Client, game: Game) -> None:
    use_text(owner, game, SKIRMISH)
    before = game.table
    assert save(owner, game) == 303
    assert read_setup(game.table) == read_setup(before)


def test_what_gets_another_name_counts_on(owner: Client, game: Game) -> None:
    use_text(owner, game, SKIRMISH)
    tap(game, 0, make_tap("count", "res:counter-2", 3))
    assert save(owner, game, **{"resource-1-name": "Rafts"}) == 303
    resources = owner.get(address(game, "game")).context["resources"]
    assert [(now.resource.name, now.has) for now in resources] == [("Lanterns", 2), ("Rafts", 3)]


def test_what_is_left_out_hands_its_count_to_nothing_else(owner: Client, game: Game) -> None:
    use_text(owner, game, SKIRMISH)
    tap(game, 0, make_tap("count", "score:score-1:1", 2))
    assert save(owner, game, **{"score-0-name": "", "score-2-name": "Bridges"}) == 303
    scores = owner.get(address(game, "game")).context["scores"][0][1]
    assert [(button.line.name, button.line.id, button.total) for button in scores] == [
        ("Trophies", "score-2", 0),
        ("Bridges", "score-3", 0),
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rounds", "-1"),
        ("rounds", "many"),
        ("most", "1001"),
        ("resource-0-start", "x"),
        ("resource-0-number", "0"),
        ("score-0-steps", "1, 2, 3, 4"),
        ("score-0-steps", "a lot"),
        ("score-1-name", "x" * 200),
        ("phases", "\n".join("x" * (MOST_PARTS + 1))),
        ("boxes", "\n".join("x" * (MOST_PARTS + 1))),
        ("score-TOTAL_FORMS", "99999"),
        ("score-TOTAL_FORMS", "none"),
    ],
)
def test_a_bad_field_is_named_and_nothing_is_lost(owner: Client, game: Game, field: str, value: str) -> None:
    use_text(owner, game, SKIRMISH)
    before = game.table
    assert save(owner, game, **{field: value, "resource-1-name": "Rafts"}) == 422
    assert game.table == before
    answer = owner.post(address(game), fill(owner, game, **{field: value, "resource-1-name": "Rafts"}))
    assert 'class="wrong"' in markup(answer)
    assert 'value="Rafts"' in markup(answer)


def test_a_bad_text_is_named_with_its_line_and_stays(owner: Client, game: Game) -> None:
    text = "table: 1\nphase: Wading"
    answer = use_text(owner, game, text)
    assert "Line 2." in answer
    assert "phase: Wading" in answer
    assert game.table == ""


def test_a_long_text_is_refused(owner: Client, game: Game) -> None:
    assert use_text(owner, game, "table: 1\nname: x\n" + "#" * TABLE_LENGTH)
    assert game.table == ""


def test_names_are_shown_as_they_are_written(owner: Client, game: Game) -> None:
    assert use_text(owner, game, write_setup(TableSetup(name=SCRIPT, phases=(SCRIPT,)))) == ""
    for name in ("game", "game-table"):
        assert SCRIPT not in markup(owner.get(address(game, name)))


def test_the_next_game_begins_as_the_last(owner: Client, roster: Roster, game: Game) -> None:
    use_text(owner, game, SKIRMISH)
    form = owner.get(reverse("play:game-new", args=[roster.link_id]))
    assert form.context["given"]["table"] == "last"
    assert "Low water" in form.context["mission_names"]
    following = begin(owner, roster, table="last")
    assert following.table == game.table
    assert following.now.step.phase == "phase-1"


def test_a_game_of_data_with_a_ready_setup_begins_with_it(owner: Client) -> None:
    files = {name: text.replace("Ducks and Drakes", "Grimdark Future") for name, text in game_files().items()}
    version = import_bytes("grimdark.zip", packed(files)).version
    assert version is not None
    form = {"game": version.game.slug, "faction": "pond", "name": "Pond", "limit": ""}
    link = owner.post(reverse("roster:new"), form)["Location"].strip("/").split("/")[-1]
    roster = Roster.objects.get(public_id=link)
    page = owner.get(reverse("play:game-new", args=[roster.link_id]))
    assert page.context["given"]["table"] == "one-page-rules"
    game = begin(owner, roster, table="one-page-rules")
    assert load_rules(game).score.rounds == 4


def test_a_setup_that_is_gone_is_refused(owner: Client, roster: Roster) -> None:
    answer = owner.post(reverse("play:game-new", args=[roster.link_id]), {"first": "0", "table": "gone"})
    assert answer.status_code == 422
    assert "table setup no longer exists" in markup(answer)


def test_a_ready_setup_that_is_gone_leaves_the_table_of_a_game(owner: Client, game: Game) -> None:
    use_text(owner, game, SKIRMISH)
    before = game.table
    answer = owner.post(address(game), {"ready": "gone"})
    game.refresh_from_db()
    assert (answer.status_code, game.table) == (422, before)
    assert "table setup no longer exists" in markup(answer)


def test_both_players_set_up_the_table_and_onlookers_do_not(owner: Client, game: Game) -> None:
    other = join(game, Client(), inviter=owner)
    assert use_text(other, game, SKIRMISH) == ""
    assert Client().get(address(game)).status_code == 404


def test_a_game_that_is_over_keeps_its_table(owner: Client, game: Game) -> None:
    owner.post(address(game, "game-end"), {"do": "end", "notes": ""})
    assert "This game is over" in use_text(owner, game, SKIRMISH)
    assert game.table == ""


@pytest.mark.django_db
def test_data_with_table_rules_keeps_them(owner: Client) -> None:
    game = begin(owner, load_army(NINTH, "necrons-incursion"))
    assert "already says how it is played" in use_text(owner, game, SKIRMISH)
    assert address(game) not in markup(owner.get(address(game, "game")))
    assert 'name="table"' not in markup(
        owner.get(reverse("play:game-new", args=[game.sides.get(place=0).roster.link_id]))
    )


def test_a_setup_that_no_server_reads_any_more_leaves_the_game_playable(owner: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(table="table: 9")
    game.refresh_from_db()
    assert load_rules(game).table == FREE_TABLE
    assert owner.get(address(game)).status_code == 200
