from difflib import get_close_matches
from hashlib import sha256

from django.db import transaction

from roster.club.campaign_map import NO_MAP, read_map
from roster.club.models import Meeting, Season
from roster.club.models.leagues import MAP_LENGTH
from roster.club.services.seasons import find_meeting, list_active_players, load_map, load_season_board, lock_season
from roster.formats.list_document import Unreadable
from roster.services.outcomes import Refused


def hash_map(season: Season) -> str:
    """Return what forms send along, to notice that someone else has saved a map since."""
    return sha256(season.map.encode()).hexdigest()[:16]


def set_map(season: Season, text: str, seen: str) -> Refused | Unreadable | None:
    """Replace a season's map; a blank text removes it. Stakes follow renamed territories, and results stay.

    `seen` is the hash of the map that the organiser began with. Refuses `too-long`, `changed-map` if the map is another
    one now, and `lost-place` if an open meeting is about a territory that is missing. A holder who is not a member of
    the club is an `Unreadable`.
    """
    if len(text) > MAP_LENGTH:
        return Refused(code="too-long", measured=len(text), allowed=MAP_LENGTH)
    campaign_map = read_map(text) if text.strip() else NO_MAP
    if isinstance(campaign_map, Unreadable):
        return campaign_map
    with transaction.atomic():
        season = lock_season(season)
        if seen != hash_map(season) and text.splitlines() != season.map.splitlines():
            return Refused(code="changed-map")
        members = {name.casefold(): name for name in season.club.members.values_list("name", flat=True)}
        names = {territory.name for territory in campaign_map.territories}
        renamed = {territory.former.value: territory.name for territory in campaign_map.territories if territory.former}
        for territory in campaign_map.territories:
            holder = territory.holder
            if holder and holder.value.casefold() not in members:
                likely = tuple(get_close_matches(holder.value, members.values(), n=1))
                return Unreadable("unknown-player", holder.line, holder.column, holder.value, likely)
        board = load_season_board(season)
        for stake in board.contested:
            if renamed.get(stake, stake) not in names and board.map.find_territory(stake):
                return Refused(code="lost-place", subject_id=stake)
        for former, name in renamed.items():
            season.meetings.filter(stake=former).update(stake=name)
        Season.objects.filter(pk=season.pk).update(map=text if text.strip() else "")
    return None


def list_idle_holders(season: Season) -> list[str]:
    """Return the names of holders on the map who do not play in the season, so that their places are free."""
    playing = {player.member.name.casefold() for player in list_active_players(season)}
    holders = [territory.holder.value for territory in load_map(season.map).territories if territory.holder]
    return [name for name in dict.fromkeys(holders) if name.casefold() not in playing]


def set_stake(season: Season, number: int, stake: str) -> Refused | None:
    """Set the territory that a meeting is about; "" means none. Organisers need not mind who is next to whom.

    Refuses `bad-change` for void meetings and byes, `season-over`, `unknown-place`, and `contested-place`. Raises
    Meeting.DoesNotExist.
    """
    with transaction.atomic():
        season = lock_season(season)
        shown_meeting = find_meeting(season, number)
        if season.ended:
            return Refused(code="season-over")
        if shown_meeting.is_void or shown_meeting.is_bye:
            return Refused(code="bad-change")
        board = load_season_board(season)
        if stake and board.map.find_territory(stake) is None:
            return Refused(code="unknown-place", subject_id=stake)
        fight = board.contested.get(stake)
        if shown_meeting.is_open and fight is not None and fight.meeting.pk != number:
            return Refused(code="contested-place", subject_id=stake)
        Meeting.objects.filter(pk=number).update(stake=stake)
    return None
