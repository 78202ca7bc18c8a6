"""What a guest made, once the guest signs in or never comes back."""

from collections.abc import MutableMapping
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from roster.models.ownership import Owned, Shared
from roster.services.owners import SESSION_KEY, SessionLike, get_guest_key

AT_ONCE = 200


def list_owned_models() -> list[type[Owned]]:
    """Return every model whose rows belong to somebody."""
    return [model for model in apps.get_models() if issubclass(model, Owned)]


def claim_guest_data(
    session: SessionLike | MutableMapping[str, Any], user_id: int
) -> dict[type[Shared], int]:
    """Give an account all that the guest of this session made; how many shared things of each kind that were.

    The session is nobody's guest afterwards: who signs out and goes on as a guest starts with nothing.
    """
    key = get_guest_key(session)
    if not key:
        return {}
    with transaction.atomic():
        given = {
            model: model._default_manager.filter(owner_key=key).update(owner_id=user_id, owner_key="")
            for model in list_owned_models()
        }
    # The secret goes too: after signing out, the browser must not own the account's lists as a guest.
    session[SESSION_KEY] = ""
    return {model: number for model, number in given.items() if number and issubclass(model, Shared)}


def expire_guests() -> int:
    """Delete what guests have not changed for longer than the setting says; how many shared things that were.

    What sorts lists stays as long as its guest has any.
    """
    until = timezone.now() - timedelta(days=settings.ARMYBUILDER["GUEST_DAYS"])
    old = {
        model: model._default_manager.exclude(owner_key="").filter(updated__lt=until)
        for model in list_owned_models()
    }
    deleted = sum(delete_few_at_a_time(things) for model, things in old.items() if issubclass(model, Shared))
    for things in (things for model, things in old.items() if not issubclass(model, Shared)):
        for shared in (model for model in old if issubclass(model, Shared)):
            things = things.exclude(owner_key__in=shared._default_manager.values("owner_key"))
        delete_few_at_a_time(things)
    return deleted


def delete_few_at_a_time(things: QuerySet[Owned]) -> int:
    """Delete things in steps, so that they are never in memory all at once; how many they were.

    Whoever changes one of them at this moment is waited for: what that adds to it goes along.
    """
    deleted = 0
    rows = things.model._default_manager.order_by()
    # A fresh slice each time, because rows go; no offset is needed.
    while some := list(things.values_list("pk", flat=True)[:AT_ONCE]):
        with transaction.atomic():
            # Locking makes an edit that is under way finish first, so that its revision is deleted along.
            held = list(rows.select_for_update().filter(pk__in=some).values_list("pk", flat=True))
            things.filter(pk__in=held).delete()
        deleted += len(some)
    return deleted
