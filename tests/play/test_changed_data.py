"""Games whose data is not what it was when they began: a mission, an objective or everything is gone or new."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from roster.play.game_state import HandNote, write_hand_note
from roster.play.models import Game
from roster.play.services.game_log import list_log
from roster.play.services.game_rules import load_rules
from roster.play.services.game_standings import score_rows
from tests.markup import markup
from tests.play.games import DAWNFALL, EDGE, FIRST_EDGE, NINTH, WARZONE, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db
EXAMPLES = {
    NINTH: "necrons-incursion",
    EDGE: "army-hazard-pay",
    FIRST_EDGE: "secdef-platoon",
    WARZONE: "army-winter-wolves",
    DAWNFALL: "army-the-forest-walks",
}
STARTS: list[tuple[Path, Mapping[str, str]]] = [
    (NINTH, {"mission": "chaotic-engagement"}),
    (NINTH, {"mission": "never-surrender"}),
    (EDGE, {"mission": "purple-gold"}),
    (FIRST_EDGE, {"mission": "epic-hero"}),
    (WARZONE, {"mission": "mission-1"}),
    (DAWNFALL, {"mission": "ffa-3"}),
    (DAWNFALL, {"mission": "team"}),
]
CHANGES = ["mission", "game"]


def start(client: Client, pack: Path, fields: Mapping[str, str]) -> Game:
    """Begin a game and play some of it, with an act on objectives where the mission draws them."""
    army = load_army(pack, EXAMPLES[pack])
    game = begin(client, army, opponent="Tom", opponent_link=army.get_absolute_url(), **fields)
    note = write_hand_note(HandNote(act="begin"))
    tap(game, 0, make_tap("hand", "hand", text=note), make_tap("count", "score:painted:1", 5))
    phases = load_rules(game).phases
    step = f"{game.now.step} 2:0:{phases[0].id if phases else ''}"
    tap(game, 0, make_tap("step", "step", text=step, side=None))
    return game


def change(game: Game, pack: Path, what: str) -> None:
    """Give the game data in which its mission is gone, or that of another game altogether."""
    if what == "mission":
        Game.objects.filter(pk=game.pk).update(mission_id="gone")
    else:
        other = WARZONE if pack == NINTH else NINTH
        version = load_army(other, EXAMPLES[other]).version
        Game.objects.filter(pk=game.pk).update(version=version)
        game.sides.update(version=version)
    game.refresh_from_db()


def open_all(client: Client, game: Game) -> None:
    for name, args in [
        *((f"play:game{part}", [game.public_id]) for part in ("", "-units", "-taps", "-invite", "-end")),
        *((f"play:game-{part}", [game.link_id]) for part in ("link", "link-units", "log", "log-pdf", "state")),
        *(("play:game-file", [game.public_id, ending]) for ending in ("json", "csv")),
        ("play:games", []),
        ("play:game-record", []),
    ]:
        assert client.get(reverse(name, args=args)).status_code == 200, name


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize(("pack", "fields"), STARTS)
def test_a_game_goes_on_when_its_data_has_changed(
    client: Client, pack: Path, fields: Mapping[str, str], what: str
) -> None:
    game = start(client, pack, fields)
    change(game, pack, what)
    open_all(client, game)
    # What players counted freely is still there, and more counts.
    scores = score_rows(game, game.sides.order_by("place"), load_rules(game))
    assert scores[0].total >= 5
    counted = make_tap("count", "score:painted:2", 2)
    assert list(tap(game, 0, counted, make_tap("undo", str(game.operations.latest("number").uid))).numbers)
    open_all(client, game)
    assert game.now.sides[0].counts["score:painted:2"] == 2
    phases = load_rules(game).phases
    step = make_tap("step", "step", text=f"{game.now.step} 3:0:{phases[0].id if phases else ''}", side=None)
    tap(game, 0, step)
    assert game.now.step.round == 3
    assert client.post(reverse("play:game-end", args=[game.public_id]), {"do": "end"}).status_code == 303
    game.refresh_from_db()
    open_all(client, game)
    assert all(line.text for line in list_log(game, 0))


def test_a_game_without_its_mission_says_so(client: Client) -> None:
    game = start(client, EDGE, {"mission": "purple-gold"})
    change(game, EDGE, "mission")
    page = " ".join(markup(client.get(reverse("play:game", args=[game.public_id]))).split())
    assert "The data no longer has the mission “Purple Gold”. You can still count its points here." in page
    assert 'value="count 0 score:points:2 1"' in page


def test_a_phone_joins_a_game_whose_data_has_changed(client: Client) -> None:
    game = start(client, EDGE, {"mission": "purple-gold"})
    change(game, EDGE, "game")
    other = join(game, Client(), inviter=client)
    assert other.get(reverse("play:game", args=[game.public_id])).status_code == 200
