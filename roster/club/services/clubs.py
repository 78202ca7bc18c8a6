from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from catalogue.models.base import new_public_id
from roster.club.models import Club, ClubMember, ClubRole
from roster.club.models.leagues import CLUB_TEXT_LENGTH
from roster.models.ownership import PLAYER_NAME_LENGTH
from roster.models.webhooks import Topic
from roster.services.accounts import get_player_name
from roster.services.limits import check_name, check_text
from roster.services.outcomes import Refused, RefusedChange
from roster.services.owners import is_public_id
from roster.services.webhooks import create_webhook

MOST_CLUBS = 20
"""The most clubs that an account organises."""
MOST_MEMBERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStanding:
    club: Club
    member: ClubMember | None = None

    @property
    def is_organiser(self) -> bool:
        return self.member is not None and self.member.role == ClubRole.ORGANISER


def list_clubs(user: User) -> QuerySet[Club]:
    return Club.objects.filter(members__user=user, members__left=None)


def find_club_standing(public_id: str, user: User | AnonymousUser) -> ClubStanding:
    """Return the user's standing in the club at an address. Raises Club.DoesNotExist if the user may not read it."""
    if not is_public_id(public_id):
        raise Club.DoesNotExist
    return open_club(Club.objects.select_related("webhook").get(public_id=public_id), user)


def open_club(club: Club, user: User | AnonymousUser) -> ClubStanding:
    """Return the user's standing in a club. Raises Club.DoesNotExist if the user may not read it."""
    mine = ClubMember.objects.filter(user=user, left=None) if isinstance(user, User) else ClubMember.objects.none()
    member = mine.filter(club=club).first()
    if member is None and not club.is_open:
        raise Club.DoesNotExist
    return ClubStanding(club=club, member=member)


def find_club_invitation(token: str) -> Club | None:
    return Club.objects.filter(token=token).first() if is_public_id(token) else None


def create_club(user: User, name: str) -> Club | Refused:
    """Create a club with the user as its organiser. Refuses `no-name`, `too-long` and `no-room`."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-name")
    if user.club_members.filter(role=ClubRole.ORGANISER, left=None).count() >= MOST_CLUBS:
        return Refused(code="no-room", allowed=MOST_CLUBS)
    with transaction.atomic():
        club = Club.objects.create(name=cleaned)
        ClubMember.objects.create(club=club, user=user, name=_name_account(user), role=ClubRole.ORGANISER)
    return club


def change_club(club: Club, name: str, text: str, *, is_open: bool) -> Refused | None:
    """Set the name, the description and who may read. Refuses `no-name` and `too-long`."""
    cleaned, cleaned_text = check_name(name), check_text(text, CLUB_TEXT_LENGTH, lines=True, subject="text")
    if isinstance(cleaned, Refused):
        return cleaned
    if isinstance(cleaned_text, Refused):
        return cleaned_text
    if not cleaned:
        return Refused(code="no-name")
    Club.objects.filter(pk=club.pk).update(name=cleaned, text=cleaned_text, is_open=is_open)
    return None


def replace_club_invitation(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(token=new_public_id())


def set_club_webhook(club: Club, user: User, address: str) -> Refused | None:
    """Set where the club's news goes; a blank address stops it. Refuses as `create_webhook` does."""
    with transaction.atomic():
        if club.webhook:
            club.webhook.delete()
        webhook = create_webhook(user, address.strip(), [Topic.LEAGUE]) if address.strip() else None
        if isinstance(webhook, Refused):
            transaction.set_rollback(True)
            return webhook
        Club.objects.filter(pk=club.pk).update(webhook=webhook)
    return None


def join_club(club: Club, user: User, name: str = "", claimed: int | None = None) -> ClubMember | Refused:
    """Let a user join, as a new member or as the entered member with the key `claimed`.

    Refuses `too-long`, `name-taken`, `full`, and `bad-change` if the claimed member has an account. Members who left
    can rejoin.
    """
    cleaned = check_text(name, PLAYER_NAME_LENGTH)
    if isinstance(cleaned, Refused):
        return cleaned
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        if member := club.members.filter(user=user).first():
            if member.left:
                member.left, member.role = None, ClubRole.MEMBER
                member.save(update_fields=["left", "role"])
            return member
        if claimed is None:
            return _create_member(club, cleaned or _name_account(user), user)
        member = club.members.filter(pk=claimed, user=None, left=None).first()
        if member is None:
            return Refused(code="bad-change")
        member.user = user
        member.save(update_fields=["user"])
        return member


def enter_members(club: Club, names: str) -> list[ClubMember] | RefusedChange:
    """Enter members without an account, one per line; all of them or none.

    Refuses `no-name`, `too-long`, `name-taken` and `full`, with the number of the line.
    """
    numbered = [(number, line) for number, line in enumerate(names.splitlines(), 1) if line.strip()]
    members: list[ClubMember] = []
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        for number, line in numbered or [(1, "")]:
            name = check_text(line, PLAYER_NAME_LENGTH)
            if not name:
                name = Refused(code="no-name")
            member = name if isinstance(name, Refused) else _create_member(club, name)
            if isinstance(member, Refused):
                transaction.set_rollback(True)
                return RefusedChange(code=member.code, measured=member.measured, allowed=member.allowed, number=number)
            members.append(member)
    return members


def _create_member(club: Club, name: str, user: User | None = None) -> ClubMember | Refused:
    if club.members.filter(left=None).count() >= MOST_MEMBERS:
        return Refused(code="full", allowed=MOST_MEMBERS)
    try:
        with transaction.atomic():
            return ClubMember.objects.create(club=club, user=user, name=name)
    except IntegrityError:
        return Refused(code="name-taken")


def set_member_role(club: Club, member_id: int, role: str) -> Refused | None:
    """Make a member an organiser or an ordinary member. Refuses `bad-change` and `last-organiser`."""
    if role not in ClubRole.values:
        return Refused(code="bad-change")
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        member = club.members.filter(pk=member_id, left=None).exclude(user=None).first()
        if member is None:
            return Refused(code="bad-change")
        if role != ClubRole.ORGANISER and is_only_organiser(member):
            return Refused(code="last-organiser")
        member.role = ClubRole(role)
        member.save(update_fields=["role"])
    return None


def remove_member(club: Club, member_id: int) -> Refused | None:
    """Let a member leave. Played games stay; open meetings are void. Refuses `bad-change` and `last-organiser`."""
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        member = club.members.filter(pk=member_id, left=None).first()
        if member is None:
            return Refused(code="bad-change")
        if is_only_organiser(member):
            return Refused(code="last-organiser")
        member.left = timezone.now()
        member.save(update_fields=["left"])
    return None


def is_only_organiser(member: ClubMember) -> bool:
    organisers = ClubMember.objects.filter(club=member.club_id, role=ClubRole.ORGANISER, left=None)
    return member.role == ClubRole.ORGANISER and not organisers.exclude(pk=member.pk).exclude(user=None).exists()


def delete_club(club: Club) -> None:
    """Delete a club with its seasons. Players keep their games at the table."""
    if club.webhook:
        club.webhook.delete()
    club.delete()


def leave_clubs(user: User) -> None:
    """Hand over an account's clubs, before it is deleted, to the member with an account who joined first.

    The account's names stay in the tables.
    """
    for member in user.club_members.filter(role=ClubRole.ORGANISER, left=None):
        if is_only_organiser(member):
            others = ClubMember.objects.filter(club=member.club_id, left=None).exclude(Q(user=None) | Q(user=user))
            heir = others.order_by("pk").first()
            if heir is not None:
                heir.role = ClubRole.ORGANISER
                heir.save(update_fields=["role"])


def _name_account(user: User) -> str:
    return (get_player_name(user) or user.get_username())[:PLAYER_NAME_LENGTH]
