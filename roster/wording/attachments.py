"""Who leads whom, and what else goes with what, as people say it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from roster.engine.report import EffectiveAttachment, EffectiveSelection


def list_bond_words(selection: EffectiveSelection) -> Iterator[str]:
    """Say what a selection is attached to, then what is attached to it: "Leads Reed Cutters", "Led by Lock Warden"."""
    for attachment in selection.attachments:
        yield describe_attachment(attachment)
    for attachment in selection.joined_by:
        yield describe_joining(attachment)


def describe_attachment(attachment: EffectiveAttachment) -> str:
    """Say what something is attached to."""
    words = {"name": attachment.name, "unit": attachment.to.name}
    if is_leading(attachment.name):
        return _("Leads %(unit)s") % words
    return _("%(name)s: %(unit)s") % words if attachment.name else _("Attached to %(unit)s") % words


def describe_joining(attachment: EffectiveAttachment) -> str:
    """Say what is attached to something."""
    words = {"name": attachment.name, "unit": attachment.to.name}
    return _("Led by %(unit)s") % words if is_leading(attachment.name) else _("Joined by %(unit)s") % words


def name_control(name: str) -> str:
    """Return what stands above the choice of what to be attached to."""
    if is_leading(name):
        return _("Leads")
    return name or _("Attached to")


def is_leading(name: str) -> bool:
    """Return whether being attached so is to lead."""
    return name.casefold().startswith("lead")
