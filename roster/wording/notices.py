"""Word one-time notices: things moved or deleted, files imported, rules corrected."""

from collections.abc import Iterator, Mapping

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.services.downloads import explain_failure
from roster.engine.report import Verdict
from roster.models.ownership import Shared
from roster.models.webhooks import PAUSED
from roster.services.exchange import LinkedRosterFile
from roster.services.limits import Room
from roster.services.rule_corrections import RuleCorrection

# ---- messages of webhooks -----------------------------------------------------------------------------------------


def explain_trouble(trouble: str) -> str:
    """Explain why a webhook's message got no answer, or return ""."""
    if trouble == PAUSED:
        return _("The webhook was paused.")
    return explain_failure(trouble) if trouble else ""


# ---- things that change owners or are deleted ---------------------------------------------------------------------


def format_claimed(given: Mapping[type[Shared], int]) -> str:
    return _("What you made in this browser now belongs to your account: %s.") % format_counts(given)


def format_counts(numbers: Mapping[type[Shared], int]) -> str:
    """Format the numbers of each kind: "2 lists, 1 mission deck", or ""."""
    return ", ".join(kind.counted % number for kind, number in numbers.items())


def format_room(room: Room) -> Iterator[str]:
    quota, within = room.quota, _("%(used)s, at most %(allowed)s")
    for kind, number in room.things.items():
        yield within % {"used": kind.counted % number, "allowed": number_format(quota.things, force_grouping=True)}
    stored = {"used": filesizeformat(room.bytes), "allowed": filesizeformat(quota.bytes)}
    yield _("All lists with their histories: %(used)s, at most %(allowed)s") % stored
    longest = {"used": filesizeformat(room.history), "allowed": filesizeformat(quota.history)}
    yield _("The longest history: %(used)s, at most %(allowed)s") % longest
    if most := settings.ARMYBUILDER["PHOTO_BYTES"]:
        photos = {"used": filesizeformat(room.photos), "allowed": filesizeformat(most)}
        yield _("Photos: %(used)s, at most %(allowed)s") % photos


def format_expired(number: int, days: int) -> str:
    text = ngettext(
        "%(number)d list that a guest had left alone for %(days)d days was deleted.",
        "%(number)d lists that guests had left alone for %(days)d days were deleted.",
        number,
    )
    return text % {"number": number, "days": days}


def format_lost_photos(number: int) -> str:
    text = ngettext(
        "%(number)d photo file that belonged to no list was deleted.",
        "%(number)d photo files that belonged to no list were deleted.",
        number,
    )
    return text % {"number": number}


def format_archived(number: int) -> str:
    text = ngettext(
        "Old steps of %(number)d list were archived.", "Old steps of %(number)d lists were archived.", number
    )
    return text % {"number": number}


def format_unarchived(number: int) -> str:
    text = ngettext(
        "All steps of %(number)d list are in the database again.",
        "All steps of %(number)d lists are in the database again.",
        number,
    )
    return text % {"number": number}


def format_purged(number: int, days: int) -> str:
    text = ngettext(
        "%(number)d list was deleted after %(days)d days in the bin.",
        "%(number)d lists were deleted after %(days)d days in the bin.",
        number,
    )
    return text % {"number": number, "days": days}


def format_nothing_new(days: int) -> str:
    """Explain why an unchanged site deletes nothing."""
    return ngettext(
        "Nobody has changed anything here for %(days)d day. Is the clock right? Nothing was deleted.",
        "Nobody has changed anything here for %(days)d days. Is the clock right? Nothing was deleted.",
        days,
    ) % {"days": days}


def append_link(message: str, address: str, name: str) -> SafeString:
    return format_html('<span>{}</span> <a class="btn" href="{}">{}</a>', message, address, name)


# ---- a roster file -----------------------------------------------------------------------------------------


MOST_NAMED = 8


def summarize_import(linked: LinkedRosterFile) -> list[str]:
    return list(_list_remarks(linked))


def _list_remarks(linked: LinkedRosterFile) -> Iterator[str]:
    source, version = linked.file.game_system, str(linked.version)
    if linked.exact:
        yield _("Linked to the data it was made with: %(version)s.") % {"version": version}
    else:
        yield _("Linked to %(version)s, the nearest data that is installed; it was made with %(made)s.") % {
            "version": version,
            "made": _("%(name)s, revision %(revision)s")
            % {"name": source.name or source.id, "revision": source.revision or _("unknown")},
        }
    if linked.missing:
        yield ngettext(
            "%(count)d entry is not in this data and stays in the list as a placeholder: %(names)s.",
            "%(count)d entries are not in this data and stay in the list as placeholders: %(names)s.",
            len(linked.missing),
        ) % {"count": len(linked.missing), "names": _join_names(linked.missing)}
    if linked.file.uneven:
        yield _("Split because their options differ: %(names)s.") % {
            "names": _join_names(tuple(dict.fromkeys(linked.file.uneven)))
        }


def _join_names(names: tuple[str, ...]) -> str:
    text = ", ".join(names[:MOST_NAMED])
    return text if len(names) <= MOST_NAMED else f"{text}, …"


# ---- corrected rules ---------------------------------------------------------------------------------------


def explain_correction(correction: RuleCorrection) -> str:
    figures = {"date": date_format(timezone.localtime(correction.saved), "DATE_FORMAT")}
    if correction.before is correction.after:
        text = _("The rules of this game have been corrected since this list was saved on %(date)s.") % figures
    else:
        text = _explain_verdict(correction.before) % figures
    sentences = [text]
    if correction.violations:
        sentences.append(_("Its current problems are listed below."))
    elif correction.before is not correction.after:
        sentences.append(_("Nothing is wrong with it now."))
    if correction.points_before != correction.points_after:
        sentences.append(
            _("It cost %(before)s %(points)s then and costs %(after)s now.")
            % {"before": correction.points_before, "after": correction.points_after, "points": correction.points_name}
        )
    return " ".join(sentences)


def _explain_verdict(before: Verdict) -> str:
    return {
        Verdict.LEGAL: _(
            "This list was legal when it was saved on %(date)s; the rules of this game have been corrected since."
        ),
        Verdict.INCOMPLETE: _(
            "This list was incomplete when it was saved on %(date)s; the rules of this game have been corrected since."
        ),
        Verdict.ILLEGAL: _(
            "This list was illegal when it was saved on %(date)s; the rules of this game have been corrected since."
        ),
    }[before]
