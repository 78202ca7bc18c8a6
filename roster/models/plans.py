"""How a list is to be played: the game plan beside it."""

import msgspec
from django.db import models

from roster.engine.plan import GamePlan
from roster.models.roster import Roster

_decoder = msgspec.json.Decoder(GamePlan)


class RosterPlan(models.Model):
    """The one game plan of a list, there once somebody made one.

    `document` is the engine's `GamePlan` as JSON text. `revision` counts its changes: a change names the one that it
    was made on. The plan is pinned to the list alone, not to a revision of it: what it refers to may be gone from the
    list since, and then the engine says so.
    """

    roster = models.OneToOneField(Roster, on_delete=models.CASCADE, related_name="plan")
    revision = models.PositiveIntegerField(default=1)
    document = models.TextField()
    updated = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.roster_id}: plan {self.revision}"

    @property
    def game(self) -> GamePlan:
        """The plan as the engine reads it."""
        return _decoder.decode(self.document)
