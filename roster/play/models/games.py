"""Games at the table: what they are played with, their sides, who plays them, and every tap in order."""

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
    """One game. `version` is the data that it is played by for good, whatever becomes of the lists.

    Mission and deployment are ids of that data; their names are kept beside them, so that they can still be said when
    the data has them no more. `first` is the place of the side that goes first; the dice for objectives come from
    `seed`. `last` counts the operations, `state` is what they come to; both change together. `ended` is None as long as
    it goes on. One that was entered by hand has no operations. `ending` is how it ended by the book, `winner` the place
    of the side that won, None for no side; of games that ended before that was stored only the points are known.
    `table` is how the players of a game without table rules set it up, as `TableSetup` reads it; blank otherwise.
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
        """Return the page where everyone who has the link looks on."""
        return reverse("play:game-link", args=[self.link_id])

    @property
    def is_by_hand(self) -> bool:
        """Whether only its result was entered: nothing was tapped, and the score stands with the sides."""
        return not self.state

    @property
    def now(self) -> GameState:
        """What the operations come to."""
        return decode_state(self.state) if self.state else GameState()


class GameSide(models.Model):
    """A side of a game: places count from 0, in the order of turns.

    `list_name` and `document` are the list as it was when the game began. So it can be played on when the list was
    changed, moved to other data or deleted. A side without a list has no document. `score` is what it ended with and
    `rank` its place in the end, from 1; both None as long as the game goes on, and `rank` for games that ended before
    it was stored. `conceals` says that the list hides its options from the other sides. `private_notes` are read by the
    player of the side alone.
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
        """What the owner of the game, who plays the first side, is not told of the other."""
        if not self.place:
            return ()
        return ("private_notes", "document", "plan") if self.conceals else ("private_notes",)

    @property
    def game_plan(self) -> GamePlan:
        """How the list was to be played when the game began."""
        return _plan_decoder.decode(self.plan) if self.plan else GamePlan()


class GameSeat(Owned):
    """Somebody who plays a side beside the owner of the game: an account, or a guest's browser.

    The side stays when who played it is gone.
    """

    side = models.ForeignKey(GameSide, on_delete=models.CASCADE, related_name="seats")

    class Meta(Owned.Meta):
        constraints = (require_one_owner("play_gameseat_one_owner"),)

    def __str__(self) -> str:
        return f"{self.side_id}: {self.owner_id or 'guest'}"


class GameInvitation(models.Model):
    """A code to play a side with, once. It is kept after that, so that anybody who comes too late is told."""

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
        """Whether somebody played with it already, or it was taken back."""
        return bool(self.used or self.withdrawn)


class GameOperation(models.Model):
    """One tap: nothing of it ever changes, and none is taken out.

    `uid` was made on the device, so that one that is sent twice counts once. `number` is its place in the order of the
    server. `actor` is the place of the side that made it, `side` that of the side it is about, None for all.
    `device_time` is what the clock of the device said; nothing depends on it.
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
        """What the owner of the game is not told of the cards and objectives of the other side."""
        return ("text",) if self.actor and self.kind in SECRET_KINDS else ()
