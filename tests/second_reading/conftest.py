from typing import Any

import pytest

MOST_GAMES = 1_000


@pytest.fixture(autouse=True)
def room_for_games(settings: Any) -> None:
    """Let a guest keep more games than a complete run plays."""
    quotas = settings.ARMYBUILDER["QUOTAS"]
    guest = quotas["guest"] | {"things": MOST_GAMES}
    settings.ARMYBUILDER = settings.ARMYBUILDER | {"QUOTAS": quotas | {"guest": guest}}
