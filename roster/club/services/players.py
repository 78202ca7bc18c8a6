"""Player pages, following and blocking. Pages show only what their owners chose to show."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet

from catalogue.models.base import new_public_id
from roster.club.models import BlockedPlayer, Club, FollowedPlayer, PlayerPage
from roster.club.models.players import ABOUT_LENGTH
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.play.game_score import count_shares
from roster.play.models import GameSide
from roster.play.services.game_records import MOST_GAMES, RecordLine, see_game
from roster.play.services.games import find_places, list_games
from roster.services.accounts import get_player_name, set_player_name
from roster.services.limits import check_text
from roster.services.list_search import select_public_lists
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, is_owner, is_public_id

MOST_FOLLOWED = 500
"""The most players that an account follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChoices:
    """The form of an account's own page, as typed."""

    name: str
    text: str
    visibility: str
    shows_lists: bool = False
    shows_clubs: bool = False
    shows_games: bool = False
    shows_reports: bool = False


def find_own_page(user: User) -> PlayerPage | None:
    return PlayerPage.objects.filter(owner=user).first()


def save_page(user: User, choices: PageChoices) -> PlayerPage | Refused:
    """Store an account's player name and what its page shows.

    Refuses `bad-change` (an unknown visibility), `too-long`, `name-taken`, and `no-player-name` if others may see a
    page without a name.
    """
    text = check_text(choices.text, ABOUT_LENGTH, lines=True, subject="text")
    if isinstance(text, Refused):
        return text
    if choices.visibility not in Visibility.values:
        return Refused(code="bad-change")
    with transaction.atomic():
        name = set_player_name(user, choices.name)
        if not name and choices.visibility != Visibility.PRIVATE:
            name = Refused(code="no-player-name")
        if isinstance(name, Refused):
            transaction.set_rollback(True)
            return name
        page, _created = PlayerPage.objects.update_or_create(
            owner=user,
            defaults={
                "text": text,
                "visibility": Visibility(choices.visibility),
                "shows_lists": choices.shows_lists,
                "shows_clubs": choices.shows_clubs,
                "shows_games": choices.shows_games,
                "shows_reports": choices.shows_reports,
            },
        )
    return page


def replace_page_link(user: User) -> None:
    PlayerPage.objects.filter(owner=user).update(link_id=new_public_id())


def find_player_page(link_id: str, reader: Visitor) -> PlayerPage:
    """Find a page that the reader may see. Raises PlayerPage.DoesNotExist."""
    if not is_public_id(link_id):
        raise PlayerPage.DoesNotExist
    page = PlayerPage.objects.select_related("owner__player_name").get(link_id=link_id)
    is_hidden = not page.is_shown or (page.taken_down and not reader.is_staff)
    if is_hidden and not is_owner(reader, page):
        raise PlayerPage.DoesNotExist
    return page


def find_public_pages(users: Iterable[int | None]) -> dict[int | None, PlayerPage]:
    """Return the public pages of these accounts, by the account's key."""
    public = PlayerPage.objects.filter(owner__in=set(users), visibility=Visibility.PUBLIC, taken_down=False)
    return {page.owner_id: page for page in public.select_related("owner__player_name")}


def select_page_lists(page: PlayerPage) -> QuerySet[Roster]:
    return select_public_lists().filter(owner=page.owner_id) if page.shows_lists else Roster.objects.none()


def select_page_clubs(page: PlayerPage) -> QuerySet[Club]:
    """Select the player's clubs that anyone with the address can read."""
    if not page.shows_clubs:
        return Club.objects.none()
    return Club.objects.filter(is_open=True, members__user=page.owner_id, members__left=None)


def count_page_games(page: PlayerPage) -> RecordLine | None:
    """Count the results of the player's last finished games, without opponents; None if the page hides them."""
    if not page.shows_games:
        return None
    visitor = Visitor(user_id=page.owner_id)
    # Lists and states are long, and results need neither.
    sides = Prefetch("sides", GameSide.objects.only("game", "place", "score", "rank"))
    finished = list_games(visitor).filter(ended__isnull=False).defer("state", "table", "notes").order_by("-played")
    games = list(finished.prefetch_related(None).prefetch_related(sides)[:MOST_GAMES])
    places = find_places(games, visitor)
    return RecordLine("", *count_shares([see_game(game, places[game.pk]).result for game in games]))


def follow_player(user: User, page: PlayerPage) -> Refused | None:
    """Follow a page, once.

    Refuses `bad-change` (one's own page), `no-player-name`, because the followed player sees who follows,
    `blocked-player` and `too-many-followed`.
    """
    if page.owner_id == user.pk:
        return Refused(code="bad-change")
    if not get_player_name(user):
        return Refused(code="no-player-name")
    if is_blocked(user, page.owner_id):
        return Refused(code="blocked-player")
    if FollowedPlayer.objects.filter(owner=user).count() >= MOST_FOLLOWED:
        return Refused(code="too-many-followed", allowed=MOST_FOLLOWED)
    FollowedPlayer.objects.get_or_create(owner=user, page=page)
    return None


def unfollow_player(user: User, page_id: int) -> None:
    FollowedPlayer.objects.filter(owner=user, page=page_id).delete()


def is_following(user: User, page: PlayerPage) -> bool:
    return FollowedPlayer.objects.filter(owner=user, page=page).exists()


def block_player(user: User, blocked_id: int | None) -> Refused | None:
    """Keep an account from following the user and from writing to the user's lists. Refuses `bad-change`."""
    if blocked_id is None or blocked_id == user.pk:
        return Refused(code="bad-change")
    with transaction.atomic():
        BlockedPlayer.objects.get_or_create(owner=user, player_id=blocked_id)
        FollowedPlayer.objects.filter(owner=blocked_id, page__owner=user).delete()
    return None


def block_follower(user: User, follower_id: int) -> Refused | None:
    """Block the account behind a row of the user's followers. Refuses `bad-change`."""
    follower = FollowedPlayer.objects.filter(pk=follower_id, page__owner=user).first()
    return block_player(user, follower.owner_id if follower else None)


def unblock_player(user: User, block_id: int) -> None:
    BlockedPlayer.objects.filter(owner=user, pk=block_id).delete()


def is_blocked(user: User, by: int | None) -> bool:
    return BlockedPlayer.objects.filter(owner=by, player=user).exists()


def has_blocked(user: User, player_id: int | None) -> bool:
    return BlockedPlayer.objects.filter(owner=user, player=player_id).exists()


def list_followers(page: PlayerPage) -> list[FollowedPlayer]:
    return list(page.followers.select_related("owner__player_name"))


def list_blocked(user: User) -> list[BlockedPlayer]:
    return list(BlockedPlayer.objects.filter(owner=user).select_related("player__player_name"))


def list_followed(user: User) -> list[FollowedPlayer]:
    return list(FollowedPlayer.objects.filter(owner=user).select_related("page__owner__player_name"))


def select_followed_lists(user: User) -> QuerySet[Roster]:
    """Select public lists of the followed players whose pages show lists, most recently changed first."""
    return select_public_lists().filter(owner__in=select_followed_pages(user, "shows_lists").values("owner"))


def select_followed_pages(user: User, shows: str) -> QuerySet[PlayerPage]:
    """Select the pages of followed players that others may see and that show something, such as `shows_lists`."""
    return PlayerPage.objects.filter(
        ~Q(visibility=Visibility.PRIVATE), followers__owner=user, taken_down=False, **{shows: True}
    )
