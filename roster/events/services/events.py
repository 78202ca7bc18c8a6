from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q

from catalogue.models import PackVersion
from catalogue.models.base import new_public_id
from catalogue.services.releases import filter_published
from roster.events.house_rules.document import HouseRules
from roster.events.models import Event, EventRole, EventStatus, MailChoice, Participant, RoleKind, Team
from roster.events.services.audit import name_person, record_act
from roster.events.services.event_homebrew import copy_homebrew
from roster.events.services.judging import RulesProblem, check_house_rules, hash_rules
from roster.events.services.zones import list_zones
from roster.services.limits import check_name, check_text
from roster.services.outcomes import Refused

MOST_EVENTS = 100
MOST_PLAYERS = 2_000
MOST_ROLES = 50
COPIED = ("text", "place", "version", "rules", "rules_hash", "zone", "is_team", "team_size", "seats")
COPIED_LATER = ("accepts_late", "reminder_hours", "penalty_table", "mapping")


def create_event(user: User, version: PackVersion, name: str, zone: str = "") -> Event | Refused:
    """Create an event, by default in the user's time zone or UTC."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-name")
    if not filter_published().filter(pk=version.pk).exists():
        return Refused(code="unknown-version")
    if user.event_roles.filter(kind=RoleKind.ORGANISER).count() >= MOST_EVENTS:
        return Refused(code="no-room", allowed=MOST_EVENTS)
    with transaction.atomic():
        choice = MailChoice.objects.filter(user=user).first()
        zones = (one for one in (zone, choice.zone if choice else "") if one in list_zones())
        event = Event.objects.create(version=version, name=cleaned, zone=next(zones, "UTC"))
        EventRole.objects.create(event=event, user=user, kind=RoleKind.ORGANISER)
        record_act(event, user, "create")
    return event


def copy_event(event: Event, user: User) -> Event | Refused:
    """Copy an event's rules, settings and helpers, but not its players."""
    copied = create_event(user, event.version, event.name)
    if isinstance(copied, Refused):
        return copied
    for field in (*COPIED, *COPIED_LATER):
        setattr(copied, field, getattr(event, field))
    copy_homebrew(event, copied)
    copied.save()
    others = event.roles.exclude(user=user)
    EventRole.objects.bulk_create(
        EventRole(event=copied, user_id=role.user_id, kind=role.kind, is_blind=role.is_blind) for role in others
    )
    record_act(copied, user, "copy", detail=event.name)
    return copied


def change_event(event: Event, user: User, changes: Mapping[str, Any]) -> Event | Refused:
    """Change an event's fields; the values already have the right types.

    Lists cannot be shown before the deadline (`shown-too-early`).
    """
    name = check_name(str(changes.get("name", event.name)))
    if isinstance(name, Refused):
        return name
    if not name:
        return Refused(code="no-name")
    if changes.get("zone", event.zone) not in list_zones():
        return Refused(code="unknown-zone", subject_id=str(changes.get("zone")))
    deadline = changes.get("deadline", event.deadline)
    for field in ("reveal_roster", "reveal_deck", "reveal_reserves"):
        reveal = changes.get(field, getattr(event, field))
        if reveal is not None and (deadline is None or reveal < deadline):
            return Refused(code="shown-too-early", subject_id=field)

    # Compare the stored values: a form has already changed the event.
    stored = Event.objects.filter(pk=event.pk).values(*changes).get() if changes else {}
    changed = sorted(field for field, value in changes.items() if stored[field] != value)
    for field, value in changes.items():
        setattr(event, field, value)
    event.save()
    if changed:
        record_act(event, user, "change", detail=", ".join(changed))
    return event


def set_house_rules(event: Event, user: User, text: str) -> Event | RulesProblem:
    rules = check_house_rules(event.version, text, event.homebrew)
    if not isinstance(rules, HouseRules):
        return rules
    if text.strip() == event.rules.strip():
        return event
    event.rules, event.rules_hash = text, hash_rules(text, event.homebrew)
    event.save(update_fields=["rules", "rules_hash", "updated"])
    record_act(event, user, "rules", detail=event.rules_hash[:12])
    return event


def set_version(
    event: Event, user: User, version: PackVersion, rules: str | None = None
) -> Event | RulesProblem | Refused:
    """Evaluate lists with another published version from now on. `rules` replaces the house rules."""
    if version == event.version:
        return event
    if not filter_published().filter(pk=version.pk, game=event.version.game_id).exists():
        return Refused(code="unknown-version")
    problem = check_house_rules(version, event.rules if rules is None else rules, event.homebrew)
    if not isinstance(problem, HouseRules):
        return problem
    event.version = version
    event.save(update_fields=["version", "updated"])
    record_act(event, user, "version", detail=version.short_hash)
    return event


def set_status(event: Event, user: User, status: str) -> Event | Refused:
    """Set the status. An event with submissions cannot become a draft."""
    if status not in EventStatus.values:
        return Refused(code="bad-change")
    if status == EventStatus.DRAFT and event.participants.filter(current__isnull=False).exists():
        return Refused(code="has-lists")
    event.status = status
    event.save(update_fields=["status", "updated"])
    record_act(event, user, status)
    return event


def replace_invitation(event: Event, user: User) -> Event:
    event.token = new_public_id()
    event.save(update_fields=["token", "updated"])
    record_act(event, user, "new-link")
    return event


# ---- helpers ---------------------------------------------------------------------------------------------------------


def find_person(named: str) -> User | None:
    """Return the account with a confirmed mail address or a player name, or None."""
    text = named.strip()
    if not text:
        return None
    people = User.objects.filter(is_active=True)
    # An unconfirmed address may belong to another person.
    confirmed = Q(emailaddress__email__iexact=text, emailaddress__verified=True)
    return people.filter(confirmed | Q(player_name__name__iexact=text)).first()


def add_role(event: Event, actor: User, named: str, kind: str) -> EventRole | Refused:
    """Make a person an organiser or judge, or change their role. Players become blind helpers."""
    person = find_person(named)
    if person is None:
        return Refused(code="unknown-person", subject_id=named[:100])
    if kind not in RoleKind.values:
        return Refused(code="bad-change")
    if event.roles.count() >= MOST_ROLES:
        return Refused(code="no-room", allowed=MOST_ROLES)
    if kind != RoleKind.ORGANISER and is_last_organiser(event, person):
        return Refused(code="last-organiser")
    role, _created = EventRole.objects.update_or_create(
        event=event,
        user=person,
        defaults={"kind": kind},
        create_defaults={"kind": kind, "is_blind": is_playing(event, person)},
    )
    record_act(event, actor, f"add-{kind}", detail=name_person(person))
    return role


def set_blind(event: Event, actor: User, role: EventRole, *, blind: bool) -> EventRole | Refused:
    """Hide other players' lists from a helper until they are revealed, or stop hiding them.

    Helpers who also play cannot unhide lists for themselves.
    """
    if not blind and role.user_id == actor.pk and is_playing(event, actor):
        return Refused(code="stays-blind")
    role.is_blind = blind
    role.save(update_fields=["is_blind"])
    record_act(event, actor, "blind" if blind else "seeing", detail=name_person(role.user))
    return role


def remove_role(event: Event, actor: User, role: EventRole) -> Refused | None:
    if is_last_organiser(event, role.user):
        return Refused(code="last-organiser")
    person = role.user
    role.delete()
    record_act(event, actor, "leave" if person == actor else "remove-role", detail=name_person(person))
    return None


def is_last_organiser(event: Event, user: User) -> bool:
    organisers = event.roles.filter(kind=RoleKind.ORGANISER)
    return organisers.filter(user=user).exists() and organisers.count() == 1


def leave_events(user: User) -> None:
    """Hand over an account's events and teams before it is deleted.

    The next helper replaces an only organiser; otherwise the event closes. Teams go to another member with an account.
    Entries keep their name and lists, but not the mail address.
    """
    alone = [role.event for role in user.event_roles.select_related("event") if is_last_organiser(role.event, user)]
    for event in alone:
        next_role = event.roles.exclude(user=user).order_by("pk").first()
        if next_role is not None:
            next_role.kind = RoleKind.ORGANISER
            next_role.save(update_fields=["kind"])
            record_act(event, None, "inherit", detail=name_person(next_role.user))
        else:
            Event.objects.filter(pk=event.pk).update(status=EventStatus.CLOSED)
            record_act(event, None, "orphaned")

    for team in Team.objects.filter(captain=user):
        heir = team.members.exclude(user=None).exclude(user=user).order_by("pk").first()
        Team.objects.filter(pk=team.pk).update(captain=heir.user_id if heir else None)
    Participant.objects.filter(user=user).update(email="")


# ---- players ---------------------------------------------------------------------------------------------------------


def find_invitation(token: str) -> Event | None:
    return Event.objects.select_related("version__game").filter(token=token, status=EventStatus.OPEN).first()


def join_event(event: Event, user: User, name: str = "") -> Participant | Refused:
    """Enter a user as a player of an open event. A helper who joins becomes blind."""
    mine = event.participants.filter(user=user).first()
    if mine is not None:
        return mine
    if not event.is_open:
        return Refused(code="not-open")
    cleaned = check_name(name or name_person(user))
    if isinstance(cleaned, Refused):
        return cleaned
    try:
        with transaction.atomic():
            entered = enter_player(event, user, cleaned, user=user)
            if isinstance(entered, Participant):
                blind_player(event, user)
            return entered
    except IntegrityError:
        # Of two simultaneous requests, the first counts.
        return event.participants.get(user=user)


def enter_player(
    event: Event,
    actor: User | None,
    name: str,
    *,
    user: User | None = None,
    email: str = "",
    team: Team | None = None,
    is_reserve: bool = False,
) -> Participant | Refused:
    cleaned = check_text(name, 100)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-name")
    refused = _check_seats(event, is_reserve=is_reserve)
    if refused is not None:
        return refused
    entry = Participant.objects.create(
        event=event, user=user, name=cleaned, email=email, team=team, is_reserve=is_reserve
    )
    record_act(event, actor, "enter", entry)
    return entry


def _check_seats(event: Event, *, is_reserve: bool) -> Refused | None:
    # The lock keeps two requests from taking the last seat.
    Event.objects.select_for_update().get(pk=event.pk)
    entered = event.participants.filter(dropped=False, is_reserve=is_reserve).count()
    most = MOST_PLAYERS if is_reserve else event.seats or MOST_PLAYERS
    return Refused(code="full", allowed=most) if entered >= most else None


def is_playing(event: Event, user: User) -> bool:
    return event.participants.filter(user=user).exists() or event.teams.filter(captain=user).exists()


def blind_player(event: Event, user: User) -> None:
    event.roles.filter(user=user).update(is_blind=True)


def drop_player(participant: Participant, actor: User, *, dropped: bool) -> Participant | Refused:
    """Take a player out of an event, or back in if there is room. Submissions stay."""
    if participant.dropped == dropped:
        return participant
    with transaction.atomic():
        refused = None if dropped else _check_seats(participant.event, is_reserve=participant.is_reserve)
        if refused is not None:
            return refused
        participant.dropped = dropped
        participant.save(update_fields=["dropped"])
        record_act(participant.event, actor, "drop" if dropped else "return-player", participant)
    return participant
