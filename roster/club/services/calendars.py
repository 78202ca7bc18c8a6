from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import override

from roster.club.calendar_file import CalendarDay, write_calendar
from roster.club.models import ClubMember, Meeting
from roster.services.owners import get_chosen_language, is_public_id

MOST_DAYS = 500


def find_calendar_owner(code: str) -> ClubMember:
    """Return the member with this secret calendar address. Raises ClubMember.DoesNotExist, even once they left."""
    if not is_public_id(code):
        raise ClubMember.DoesNotExist
    return ClubMember.objects.select_related("club").get(calendar=code, left=None)


def write_member_calendar(member: ClubMember) -> str:
    """Write the meetings of all running seasons, including played ones, as iCalendar."""
    mine = Q(first__member=member) | Q(second__member=member)
    meetings = Meeting.objects.filter(mine, season__ended=None, second__isnull=False, until__isnull=False)
    related = meetings.select_related("season", "first__member", "second__member", "night").order_by("-until", "pk")
    language = (get_chosen_language(member.user) if member.user else "") or settings.LANGUAGE_CODE
    days = []
    for meeting in related[:MOST_DAYS]:
        both = [player for player in (meeting.first, meeting.second) if player is not None]
        # A meeting with a player who left is void.
        if meeting.until is None or (meeting.game_id is None and any(player.is_gone for player in both)):
            continue
        opponent = next(player for player in both if player.member_id != member.pk)
        with override(language):
            title = _("Play %(name)s (%(season)s)") if meeting.night else _("Last day to play %(name)s (%(season)s)")
        days.append(
            CalendarDay(
                uid=f"meeting-{meeting.pk}@{settings.SITE_ADDRESS.partition('//')[2]}",
                day=meeting.until,
                starts=meeting.night.starts if meeting.night else None,
                ends=meeting.night.ends if meeting.night else None,
                place=meeting.night.place if meeting.night else "",
                title=title % {"name": opponent, "season": meeting.season},
                address=settings.SITE_ADDRESS + meeting.get_absolute_url(),
                changed=meeting.created,
            )
        )
    return write_calendar(str(member.club), days)
