"""Choose the published version of players' house rules whose values count in an event."""

import re
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from catalogue.models import GameSystem
from roster.engine.tree import RosterTree
from roster.events.house_rules.document import HouseRules
from roster.events.models import Event, EventHomebrew
from roster.events.services.audit import record_act
from roster.events.services.judging import RulesProblem, check_house_rules, hash_rules
from roster.models import HomebrewVersion
from roster.models.homebrew import CopiedHomebrew
from roster.services.homebrew import find_linked_version, list_choices, read_version
from roster.services.outcomes import Refused
from roster.services.owners import Visitor
from roster.services.rulesets import find_homebrew_for

_LINK = re.compile(r"/h/([A-Za-z0-9_-]{22})/(?:([0-9]{1,6})/)?")


def find_homebrew_at(address: str, reader: Visitor) -> HomebrewVersion | Refused:
    """Find the version at a link to this server, by default the newest. Refuses `no-rules-at-link`."""
    match = _LINK.search(address)
    try:
        if match:
            return find_linked_version(reader, match[1], int(match[2]) if match[2] else None)
    except HomebrewVersion.DoesNotExist:
        pass
    return Refused(code="no-rules-at-link")


def select_named_homebrews() -> QuerySet[EventHomebrew]:
    """Select the chosen house rules of events. Loads everything that their names need, but no documents."""
    chosen = EventHomebrew.objects.select_related("origin__homebrew_set")
    return chosen.defer("document", "origin__document", "origin__homebrew_set__working")


def list_homebrew_choices(current: CopiedHomebrew | None, user: User, game: GameSystem) -> list[tuple[str, str]]:
    """List the current choice and the newest version of each of the user's sets, by key."""
    choices = {}
    if current:
        choices[current.key] = _("Hidden by the staff") if current.is_hidden else f"{current.name} ({current.number})"
    for version in list_choices(user, game):
        if not version.homebrew_set.taken_down:
            choices.setdefault(version.key, f"{version.homebrew_set.name} ({version.number})")
    return list(choices.items())


@transaction.atomic
def set_homebrew(event: Event, user: User, key: str, rules: str | None = None) -> Event | RulesProblem | Refused:
    """Choose published house rules, `id@number`, whose values count from now on; "" for none.

    `rules` replaces the event's own house rules, which must fit the changed data. Refuses `unknown-rules`.
    """
    current = event.homebrew
    if key == (current.key if current else ""):
        return event
    chosen = None
    if key:
        # An earlier choice stays possible if its author has deleted it since.
        chosen = event.homebrews.filter(key=key).first() or _copy_version(event, key)
        if chosen is None:
            return Refused(code="unknown-rules", subject_id=key)
    problem = check_house_rules(event.version, event.rules if rules is None else rules, chosen)
    if not isinstance(problem, HouseRules):
        return problem
    if chosen is not None:
        chosen.save()
    event.homebrew, event.rules_hash = chosen, hash_rules(event.rules, chosen)
    event.save(update_fields=["homebrew", "rules_hash", "updated"])
    record_act(event, user, "homebrew", detail=f"{chosen.name} ({chosen.number})" if chosen else "")
    return event


def lacks_homebrew(homebrew: CopiedHomebrew | None, roster: RosterTree | None) -> bool:
    """Return whether chosen house rules are available but the list does not use them."""
    if roster is None or homebrew is None or homebrew.origin is None or homebrew.is_hidden:
        return False
    return roster.homebrew != homebrew.key


def _copy_version(event: Event, key: str) -> EventHomebrew | None:
    version = find_homebrew_for(event.version.game_id, key)
    return EventHomebrew(event=event, **copy_columns(version)) if version else None


def copy_columns(version: HomebrewVersion) -> dict[str, Any]:
    """Return the columns of a `CopiedHomebrew`."""
    return {
        "origin": version,
        "key": version.key,
        "name": read_version(version).name,
        "number": version.number,
        "document": version.document,
        "content_hash": version.content_hash,
    }


def copy_homebrew(before: Event, copied: Event) -> None:
    """Give the copy of an event its own copy of the values that count."""
    if (homebrew := before.homebrew) is None:
        return
    copied.homebrew = EventHomebrew.objects.create(
        event=copied,
        origin=homebrew.origin,
        key=homebrew.key,
        name=homebrew.name,
        number=homebrew.number,
        document=homebrew.document,
        content_hash=homebrew.content_hash,
    )
