from typing import TYPE_CHECKING, Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import transaction
from django.db.models.signals import post_delete, post_save, pre_save
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from catalogue.models import Job, PackVersion, Release
    from roster.models import HomebrewSet, Roster
    from roster.models.photos import StoredPhoto


HIDING = frozenset({"binned", "is_secret", "link_id", "taken_down", "visibility"})
"""Fields by which owners and staff hide things from readers."""


class RosterConfig(AppConfig):
    name = "roster"

    def ready(self) -> None:
        from catalogue.services.edge import HOUSE_RULES, LISTS, PLAYERS, Shown, register_shown
        from catalogue.services.jobs import JUDGING, PRINTS, register_job
        from catalogue.services.releases import register_judge
        from roster.models import HomebrewSet, PlayerName, Roster, RosterPlan
        from roster.models.photos import StoredPhoto

        register_job("impact", "roster.services.impacts.do_impact_step", _("Impact of new data"), JUDGING)
        register_job("print", "roster.pdf.batch_steps.do_print_step", _("Printing"), PRINTS)
        register_judge(_start_impact)
        register_shown(Shown(Roster, LISTS, "pk", hiding=HIDING))
        register_shown(Shown(RosterPlan, LISTS, "roster_id"))
        register_shown(Shown(HomebrewSet, HOUSE_RULES, "public_id", hiding=HIDING))
        register_shown(Shown(PlayerName, PLAYERS, "pk"))
        post_save.connect(_announce_release, sender="catalogue.Release", dispatch_uid="announce-release")
        pre_save.connect(_lower_email, sender=settings.AUTH_USER_MODEL)
        post_delete.connect(_delete_archive, sender="roster.Roster")
        post_delete.connect(_judge_lists_again, sender="roster.HomebrewSet")
        for model in apps.get_models():
            if issubclass(model, StoredPhoto):
                post_delete.connect(_delete_photo_files, sender=model)


def _lower_email(instance: "User", **about: Any) -> None:
    """Write an address in lower case, as sign-up does: accounts from a command or the admin sign in with it."""
    instance.email = instance.email.lower()


def _delete_photo_files(instance: "StoredPhoto", **about: Any) -> None:
    """Delete a photo's files, whatever deleted it: its owner, an emptied bin or a deleted account."""
    transaction.on_commit(instance.delete_files)


def _delete_archive(instance: "Roster", **about: Any) -> None:
    """Delete a list's archived steps, whatever deleted it."""
    # Imported late, as above.
    from roster.services.stored_files import delete_after_commit

    if instance.archive:
        delete_after_commit(instance.archive)


def _judge_lists_again(instance: "HomebrewSet", **about: Any) -> None:
    """Judge the lists of deleted house rules again, whatever deleted them."""
    # Imported late, as above.
    from roster.services.homebrew_lists import judge_after_commit

    judge_after_commit(instance)


def _announce_release(instance: "Release", *, created: bool = False, **about: Any) -> None:
    # Imported late, as above.
    from roster.services.webhooks import announce_version

    if created:
        announce_version(instance.version)


def _start_impact(version: "PackVersion", job: "Job | None") -> bool:
    # Imported late: only updates of sources need it, and it would slow every command.
    from roster.services.impacts import start_impact

    return start_impact(version, job)
