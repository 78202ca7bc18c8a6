from dataclasses import dataclass

from roster.club.models import SeasonPlayer
from roster.club.services.nights import ShownNight


@dataclass(frozen=True, slots=True, kw_only=True)
class NightCard:
    """A club night for a visitor, who comes, or may enter or withdraw."""

    shown: ShownNight
    comes: bool
    may_enter: bool
    may_leave: bool


def build_night_card(shown: ShownNight, mine: SeasonPlayer | None) -> NightCard:
    """Build the card of a club night for a visitor who plays as `mine`."""
    night, comes = shown.night, shown.has_player(mine)
    plays = mine is not None and not mine.is_gone and night.season.ended is None
    return NightCard(
        shown=shown,
        comes=comes,
        may_enter=plays and not comes and night.is_open,
        may_leave=plays and comes and not night.is_over,
    )
