from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.db.models import Model, QuerySet
from django.db.models.signals import post_delete, pre_delete

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class ClubConfig(AppConfig):
    """What players own and play, a separate app so that lists do not depend on it."""

    name = "roster.club"
    label = "club"

    def ready(self) -> None:
        from catalogue.services.edge import STATISTICS, Shown, register_shown
        from roster.club.models import GameStatistics
        from roster.services.accounts import register_held

        register_shown(Shown(GameStatistics, STATISTICS))
        register_held(_list_held)
        pre_delete.connect(_hand_over, sender=get_user_model(), dispatch_uid="hand-over-clubs")
        pre_delete.connect(_keep_result, sender="play.Game", dispatch_uid="keep-results")
        post_delete.connect(_drop_entered_game, sender="club.Meeting", dispatch_uid="drop-entered-games")


# The services are imported when they are needed, so that commands without clubs start faster.


def _list_held(user: "User") -> "Iterable[QuerySet[Any]]":
    from roster.club.services.results import list_held_rows

    return list_held_rows(user)


def _hand_over(sender: type[Model], instance: Any, **more: object) -> None:
    from roster.club.services.battles import remove_names_of
    from roster.club.services.clubs import leave_clubs

    leave_clubs(instance)
    remove_names_of(instance)


def _keep_result(sender: type[Model], instance: Any, **more: object) -> None:
    from roster.club.services.results import keep_result

    keep_result(instance)


def _drop_entered_game(sender: type[Model], instance: Any, **more: object) -> None:
    from roster.club.services.results import drop_entered_game

    drop_entered_game(instance.game_id)
