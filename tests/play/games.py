"""A game to tap on: an example list of a pack that ships, played by one browser, perhaps joined by another."""

from pathlib import Path
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from roster.models import Roster
from roster.play.game_state import Operation
from roster.play.models import Game, GameInvitation
from roster.play.services.game_taps import SentOperation, TapReceipt, append_operations
from roster.services.rosters import load_example
from tests.shipped_packs import install_shipped

NINTH = SHIPPED / "wh40k" / "ninth"
EDGE = SHIPPED / "maelstroms_edge" / "second"
REEDS = SHIPPED / "reeds_and_rust" / "first"
FIRST_EDGE = SHIPPED / "maelstroms_edge" / "first"
WARZONE = SHIPPED / "warzone" / "resurrection"
DAWNFALL = SHIPPED / "edge_dawnfall" / "dawnfall"


def load_army(pack: Path, name: str) -> Roster:
    """Return an example list of a pack, which is installed for it."""
    install_shipped(pack)
    roster = load_example(pack / "lists" / f"{name}.yaml", SHIPPED)
    assert isinstance(roster, Roster)
    return roster


def begin(client: Client, roster: Roster, **fields: str) -> Game:
    form = {"first": "0", **fields}
    answer = client.post(reverse("play:game-new", args=[roster.link_id]), form)
    assert answer.status_code == 303, answer.content.decode()[:3000]
    return Game.objects.latest("pk")


def join(game: Game, client: Client, do: str = "opponent", inviter: Client | None = None) -> Client:
    """Let another browser play in a game by a code that its owner shows."""
    if inviter is not None:
        assert inviter.post(reverse("play:game-invite", args=[game.public_id]), {"do": do}).status_code == 303
    place = int(do.removeprefix("opponent") or 1)
    code = GameInvitation.objects.filter(side__game=game, side__place=place).latest("pk").code
    assert client.post(reverse("play:game-join", args=[code])).status_code == 303
    return client


def make_tap(kind: str, key: str, amount: int = 0, text: str = "", side: int | None = 0, uid: str = "") -> Operation:
    return Operation(uid=uid or str(uuid4()), kind=kind, key=key, amount=amount, text=text, side=side)


def tap(game: Game, place: int, *operations: Operation) -> TapReceipt:
    receipt = append_operations(game, place, [SentOperation(operation) for operation in operations])
    game.refresh_from_db()
    return receipt
