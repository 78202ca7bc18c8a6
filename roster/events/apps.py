from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.db.models import Model, QuerySet
from django.db.models.signals import pre_delete
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    from roster.models import HomebrewVersion
    from roster.services.homebrew import EventChoice
    from roster.services.revisions import PaperComparison, ShownList


class EventsConfig(AppConfig):
    """Events, a separate app so that neither lists nor games depend on it."""

    name = "roster.events"
    label = "events"

    def ready(self) -> None:
        from catalogue.services.jobs import JUDGING, PRINTS, register_job
        from roster.services.accounts import register_held
        from roster.services.homebrew import register_chooser
        from roster.services.revisions import register_holder

        register_job("event-upload", "roster.events.services.bulk_checks.do_upload_step", _("Uploading lists"), JUDGING)
        register_job(
            "event-recheck", "roster.events.services.bulk_checks.do_recheck_step", _("Checking all lists"), JUDGING
        )
        register_job("event-booklet", "roster.events.pdf.booklet_steps.do_booklet_step", _("Booklet"), PRINTS)
        register_held(_list_held)
        register_holder(_hold_against_events)
        register_chooser(_choose_for_event)
        pre_delete.connect(_hand_over, sender=get_user_model(), dispatch_uid="hand-over-events")


# Importing the services of events takes a quarter of a second, which commands without events should not spend.


def _list_held(user: "User") -> "Iterable[QuerySet[Any]]":
    from roster.events.services.held import list_held

    return list_held(user)


def _hold_against_events(
    reader: "User | AnonymousUser", digits: str, shown_list: "ShownList | None"
) -> "list[PaperComparison]":
    from roster.events.services.papers import hold_against_events

    return hold_against_events(reader, digits, shown_list)


def _choose_for_event(user: "User", event_id: str, version: "HomebrewVersion") -> "EventChoice | None":
    from roster.events.views.settings import choose_for_event

    return choose_for_event(user, event_id, version)


def _hand_over(sender: type[Model], instance: Any, **more: object) -> None:
    from roster.events.services.events import leave_events

    leave_events(instance)
