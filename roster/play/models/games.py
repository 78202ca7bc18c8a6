"""Games with their sides, players and taps."""

from typing import ClassVar

import msgspec
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext_lazy

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id
from roster.engine.plan import GamePlan
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import PLAYER_NAME_LENGTH, Owned, Shared, index_public, require_one_owner
from roster.play.game_state import KEY_LENGTH, SECRET_KINDS, TEXT_LENGTH, GameState, decode_state

ID_LENGTH = 200
NOTE_LENGTH = 2_000
TABLE_LENGTH = 8_000
_plan_decoder = msgspec.json.Decoder(GamePlan)


class Game(Shared):
    """One game, pinned to the data `version` even if its lists change.

    Names are stored in case the data loses them. `state` is the result of the `last` operations. A game entered by hand
    has no operations. `first` and `winner` are places; old games have no `ending`. `table` is a `TableSetup` as text.
    """

    counted = ngettext_lazy("%d game", "%d games")
    secret_columns = ("state", "seed")

    name = models.CharField(max_length=NAME_LENGTH)
    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, related_name="+")
    mission_id = models.CharField(max_length=ID_LENGTH, blank=True)
    mission_name = models.CharField(max_length=ID_LENGTH, blank=True)
    map_id = models.CharField(max_length=ID_LENGTH, blank=True)
    map_name = models.CharField(max_length=ID_LENGTH, blank=True)
    size_id = models.CharField(max_length=ID_LENGTH, blank=True)
    table = models.TextField(blank=True, default="", db_default="", max_length=TABLE_LENGTH)
    rolled = models.CharField(max_length=120, blank=True)
    first = models.PositiveSmallIntegerField(default=0)
    seed = models.CharField(max_length=64, blank=True, default="", db_default="")
    last = models.PositiveIntegerField(default=0)
    state = models.TextField(blank=True)
    notes = models.TextField(blank=True, max_length=NOTE_LENGTH)
    played = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=20, blank=True, default="", db_default="")
    winner = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta(Shared.Meta):
        constraints = (require_one_owner("play_game_one_owner"),)
        indexes: ClassVar[tuple[models.Index, ...]] = (index_public("play_game_public"),)
        ordering = ("-updated", "-pk")

    def __str__(self) -> str:
        return self.name or self.public_id

    def get_absolute_url(self) -> str:
        return reverse("play:game-link", args=[self.link_id])

    @property
    def is_by_hand(self) -> bool:
        return not self.state

    @property
    def now(self) -> GameState:
        return decode_state(self.state) if self.state else GameState()


class GameSide(models.Model):
    """A side of a game; places count from 0.

    `list_name` and `document` are copies from the start of the game. `score` and `rank` (from 1) are set at the end.
    `conceals` hides the list's options from other sides.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sides")
    place = models.PositiveSmallIntegerField()
    player = models.CharField(max_length=PLAYER_NAME_LENGTH, blank=True)
    list_name = models.CharField(max_length=NAME_LENGTH, blank=True)
    roster = models.ForeignKey(
        "roster.Roster", on_delete=models.SET_NULL, null=True, blank=True, related_name="game_sides"
    )
    revision = models.PositiveIntegerField(default=0)
    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, null=True, related_name="+")
    faction_id = models.CharField(max_length=ID_LENGTH, blank=True)
    faction_name = models.CharField(max_length=ID_LENGTH, blank=True)
    document = models.TextField(blank=True)
    plan = models.TextField(blank=True)
    conceals = models.BooleanField(default=False)
    mission_side = models.CharField(max_length=ID_LENGTH, blank=True)
    score = models.IntegerField(null=True, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    private_notes = models.TextField(blank=True, default="", db_default="", max_length=NOTE_LENGTH)

    class Meta:
        ordering = ("game", "place")
        constraints = (models.UniqueConstraint(fields=("game", "place"), name="one_side_per_place"),)

    def __str__(self) -> str:
        return self.player or self.list_name or str(self.place + 1)

    @property
    def secret_columns(self) -> tuple[str, ...]:
        """Columns hidden from the game's owner, who plays the first side."""
        if not self.place:
            return ()
        return ("private_notes", "document", "plan") if self.conceals else ("private_notes",)

    @property
    def game_plan(self) -> GamePlan:
        return _plan_decoder.decode(self.plan) if self.plan else GamePlan()


class GameSeat(Owned):
    """A player other than the game's owner."""

    side = models.ForeignKey(GameSide, on_delete=models.CASCADE, related_name="seats")

    class Meta(Owned.Meta):
        constraints = (require_one_owner("play_gameseat_one_owner"),)

    def __str__(self) -> str:
        return f"{self.side_id}: {self.owner_id or 'guest'}"


class GameInvitation(models.Model):
    """A code to take a side once. Used codes are kept to explain why they no longer work."""

    side = models.ForeignKey(GameSide, on_delete=models.CASCADE, related_name="invitations")
    code = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    secret_columns = ("code",)
    used = models.DateTimeField(null=True, blank=True)
    withdrawn = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.code

    @property
    def is_over(self) -> bool:
        return bool(self.used or self.withdrawn)


class GameOperation(models.Model):
    """One tap. Rows are never changed or deleted.

    The device makes the `uid`, so that a tap sent twice counts once. `number` is the server's order. `actor` and `side`
    are places; `side` is None for all. Nothing depends on `device_time`.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="operations")
    uid = models.UUIDField()
    number = models.PositiveIntegerField()
    actor = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(null=True)
    kind = models.CharField(max_length=10)
    key = models.CharField(max_length=KEY_LENGTH, blank=True)
    amount = models.IntegerField(default=0)
    text = models.CharField(max_length=TEXT_LENGTH, blank=True)
    step = models.CharField(max_length=60, blank=True)
    device_time = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("game", "number")
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_operation_per_number"),
            models.UniqueConstraint(fields=("game", "uid"), name="one_operation_per_uid"),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.kind} {self.key}"

    @property
    def secret_columns(self) -> tuple[str, ...]:
        """Columns hidden from the game's owner: other sides' cards and objectives."""
        return ("text",) if self.actor and self.kind in SECRET_KINDS else ()
