from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from django.db import transaction

from catalogue.models import PackVersion
from catalogue.services.documents import load_game_system
from catalogue.services.play import load_play
from roster.formats.list_document import Unreadable
from roster.play.game_state import SIDES
from roster.play.models import Game
from roster.play.models.games import TABLE_LENGTH
from roster.play.services.game_rules import load_rules
from roster.play.services.table_rules import has_table_rules
from roster.play.table_setup import TableSetup, read_setup, write_setup
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned

SETUPS = Path(__file__).parents[1] / "setups"
LAST = "last"
"""The setup of a player's last game."""


@dataclass(frozen=True, slots=True)
class ReadySetup:
    """Forms send the `key`; `text` is the setup as YAML."""

    key: str
    setup: TableSetup
    text: str


@cache
def load_ready_setups() -> tuple[ReadySetup, ...]:
    """Return the bundled setups. Raises ValueError for an unreadable file."""
    ready = []
    for path in sorted(SETUPS.glob("*.yaml")):
        setup = read_setup(path.read_text(encoding="utf-8"))
        if isinstance(setup, Unreadable):
            raise ValueError(f"{path.name}: {setup}")
        ready.append(ReadySetup(path.stem, setup, write_setup(setup)))
    return tuple(ready)


def list_setups(visitor: Visitor, version: PackVersion) -> list[ReadySetup]:
    """List the player's last setup, then the ready setups; [] for data with table rules."""
    if has_table_rules(load_play(version)):
        return []
    setups = []
    if visitor.may_own:
        games = filter_owned(visitor, Game.objects.filter(version__game=version.game_id).exclude(table=""))
        text = games.order_by("-pk").values_list("table", flat=True).first()
        setup = read_setup(text) if text else None
        if text and isinstance(setup, TableSetup):
            setups.append(ReadySetup(LAST, setup, text))
    system = load_game_system(version)
    return setups + choose_ready(system.id, system.name)


def choose_ready(system_id: str, name: str) -> list[ReadySetup]:
    folded = name.casefold()
    return [
        ready
        for ready in load_ready_setups()
        if any(word == system_id or word.casefold() in folded for word in ready.setup.games)
    ]


def choose_setup(visitor: Visitor, version: PackVersion, key: str, players: int = 0, teams: int = 0) -> str | Refused:
    if has_table_rules(load_play(version)):
        players = teams = 0
    text = ""
    if key:
        texts = {ready.key: ready.text for ready in list_setups(visitor, version)}
        if key not in texts:
            return Refused(code="unknown-setup", subject_id=key)
        text = texts[key]
    return seat_players(text, players, teams) if players else text


def seat_players(text: str, players: int, teams: int) -> str:
    """Return a setup's text with the number of players; "" for two players without a setup."""
    setup = read_setup(text) if text else TableSetup()
    if not isinstance(setup, TableSetup):
        return text
    seated = replace(setup, players=players if players > SIDES else 0, teams=teams)
    return write_setup(seated) if seated != TableSetup() else ""


@transaction.atomic
def set_up_table(game: Game, text: str) -> Game | Unreadable | Refused:
    """Set up the table of a running game; taps stay valid. A blank text clears the table."""
    held = Game.objects.select_for_update().select_related("version").get(pk=game.pk)
    if has_table_rules(load_play(held.version)):
        return Refused(code="has-table-rules")
    if held.ended:
        return Refused(code="ended-table")
    if len(text) > TABLE_LENGTH:
        return Refused(code="too-long", measured=len(text), allowed=TABLE_LENGTH)
    written = ""
    if text.strip():
        setup = read_setup(text)
        if isinstance(setup, Unreadable):
            return setup
        written = write_setup(setup)
    # The number of players is fixed when the game begins.
    held.table = seat_players(written, len(held.now.sides), load_rules(held).teams)
    held.save(update_fields=["table", "updated"])
    return held
