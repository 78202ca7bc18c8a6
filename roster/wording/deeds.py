"""Label the buttons that fix a violation."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.numbers import format_number
from roster.services.deeds import FIRST, Deed, DeedKind
from roster.wording.comparison import format_signed
from roster.wording.figures import LEADING, round_for_plural, write_leader


def format_deed(deed: Deed) -> str:
    """Format "Add Immortals", "Remove 3 Termagants"."""
    words = {
        "name": write_leader(deed.name),
        "unit": deed.unit,
        "title": deed.title or _("leader"),
        "number": format_number(deed.number),
    }
    return _choose_pattern(deed) % words


def format_deed_cost(deed: Deed) -> str:
    return format_signed(deed.points) if deed.points else ""


def _choose_pattern(deed: Deed) -> str:
    if deed.kind is DeedKind.TAKE:
        return _choose_option_pattern(deed)
    if deed.kind is DeedKind.REMOVE:
        return _choose_removal_pattern(deed)
    return {
        DeedKind.ADD: _("Add %(name)s"),
        DeedKind.ADD_DETACHMENT: _("Add %(name)s"),
        DeedKind.REMOVE_DETACHMENT: _("Remove %(name)s"),
        DeedKind.REPLACE: _("Take %(name)s of this data"),
        DeedKind.LEAD: _("Make %(name)s the %(title)s"),
        DeedKind.STEP_DOWN: _("Remove %(name)s as leader"),
        DeedKind.CHOOSE_LIMIT: "%(number)s",
        DeedKind.RAISE_LIMIT: _("Make it %(number)s"),
    }[deed.kind]


def _choose_option_pattern(deed: Deed) -> str:
    if deed.name.casefold() in LEADING:
        return _("Make %(unit)s the %(name)s")
    number = round_for_plural(deed.number)
    if deed.name == deed.unit and deed.is_near:
        return ngettext("Add %(number)s model", "Add %(number)s models", number)
    if deed.name == deed.unit:
        return ngettext("Add %(number)s model to %(unit)s", "Add %(number)s models to %(unit)s", number)
    return _("Add %(number)s %(name)s to %(unit)s") if deed.number > 1 else _("Add %(name)s to %(unit)s")


def _choose_removal_pattern(deed: Deed) -> str:
    if not deed.name:
        return _("Remove the first %(number)s") if deed.title == FIRST else _("Remove the last %(number)s")
    if not deed.unit:
        return _("Remove %(number)s %(name)s") if deed.number > 1 else _("Remove %(name)s")
    number = round_for_plural(deed.number)
    if deed.name == deed.unit and deed.is_near:
        return ngettext("Remove %(number)s model", "Remove %(number)s models", number)
    if deed.name == deed.unit:
        return ngettext("Remove %(number)s model from %(unit)s", "Remove %(number)s models from %(unit)s", number)
    if deed.number > 1:
        return _("Remove %(number)s %(name)s from %(unit)s")
    return _("Remove %(name)s from %(unit)s")
