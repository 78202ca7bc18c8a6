"""Describe a pasted list's lines, sums and points."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rapidfuzz.distance import Levenshtein

from catalogue.definitions.numbers import format_number
from roster.formats.text.arithmetic import SumCheck, SumKind
from roster.formats.text.force_fit import ForceFit
from roster.formats.text.names import fold_plural
from roster.formats.text.pasted import AS_READ, Doubt, DoubtKind, PastedLayout, Reading
from roster.services.evaluation import EvaluatedList
from roster.services.pasted_editions import Edition
from roster.services.pasted_lists import ReadPaste
from roster.wording.sentences import format_violations, get_verdict_word

SHOWN_BREACHES = 3
MOST_WRONG = 3
"""Names with more wrong letters are "spelled alike"."""
READINGS: Mapping[Reading, Any] = {
    Reading.UNDERSTOOD: gettext_lazy("Understood"),
    Reading.GUESSED: gettext_lazy("Guessed"),
    Reading.UNREAD: gettext_lazy("Not read"),
}
LAYOUTS: Mapping[PastedLayout, str] = {
    PastedLayout.OWN: "Armybuilder",
    PastedLayout.WTC: "WTC",
    PastedLayout.NEW_RECRUIT: "New Recruit",
    PastedLayout.NEW_RECRUIT_SHORT: "New Recruit, short",
    PastedLayout.BATTLESCRIBE: "BattleScribe",
    PastedLayout.APP_40K: "40k app",
    PastedLayout.APP_AOS: "AoS app",
    PastedLayout.LIST_FORGE: "List Forge",
    PastedLayout.WAR_ORGAN: "War Organ",
    PastedLayout.OLD_WORLD_BUILDER: "Old World Builder",
    PastedLayout.ARMY_FORGE: "Army Forge",
}
_SUMS: Mapping[SumKind, Any] = {
    SumKind.TOTAL: gettext_lazy("Total: the list says %(stated)s, its units come to %(computed)s."),
    SumKind.LIMIT: gettext_lazy("Limit: %(stated)s, the units come to %(computed)s."),
    SumKind.UNITS: gettext_lazy("Units: the list says %(stated)s, it has %(computed)s."),
    SumKind.SECTION: gettext_lazy("%(name)s: the heading says %(stated)s, its units come to %(computed)s."),
    SumKind.MODELS: gettext_lazy("%(name)s: %(stated)s models above, %(computed)s below."),
    SumKind.PARTS: gettext_lazy("%(name)s: %(stated)s models, but the rows below them have %(computed)s."),
}


_DOUBTS: Mapping[DoubtKind, Any] = {
    DoubtKind.TOTAL: gettext_lazy(
        "The list says %(stated)s points, but the units found come to %(computed)s. Some lines were probably misread."
    ),
    DoubtKind.LIMIT: gettext_lazy(
        "The units found come to %(computed)s points, far over the list’s %(stated)s. Some lines were probably misread."
    ),
    DoubtKind.NAME: gettext_lazy("“%(name)s” looks like a heading or a sum, not like a unit."),
    DoubtKind.LEFT_OUT: gettext_lazy("The text itself says that part of the list is left out."),
}


def explain_sum(check: SumCheck) -> str:
    sentence = str(_SUMS[check.kind]) % {
        "name": check.name,
        "stated": format_number(check.stated),
        "computed": format_number(check.computed),
    }
    return _("Line %(line)d. %(text)s") % {"line": check.line, "text": sentence} if check.line else sentence


def name_layout(layout: PastedLayout) -> str:
    return LAYOUTS.get(layout) or _("plain text")


def summarize_reading(read: ReadPaste) -> str:
    counts = read.counts
    parts = [
        ngettext("%d line understood", "%d lines understood", counts[Reading.UNDERSTOOD]) % counts[Reading.UNDERSTOOD]
    ]
    if counts[Reading.GUESSED]:
        parts.append(ngettext("%d guessed", "%d guessed", counts[Reading.GUESSED]) % counts[Reading.GUESSED])
    if counts[Reading.UNREAD]:
        parts.append(ngettext("%d not read", "%d not read", counts[Reading.UNREAD]) % counts[Reading.UNREAD])
    return ", ".join(parts)


def name_paste_verdict(read: ReadPaste) -> str:
    """Return the verdict's word, with what is open if the list was not wholly read."""
    if read.checked is None:
        return ""
    word = str(get_verdict_word(read.checked.evaluated_list.verdict, read.checked.evaluated_list.homebrew))
    if read.verdict != AS_READ:
        return word
    return explain_as_read(read)


def explain_as_read(read: ReadPaste) -> str:
    guessed, unread = read.open_lines[Reading.GUESSED], read.open_lines[Reading.UNREAD]
    parts = []
    if guessed:
        parts.append(ngettext("%d line guessed", "%d lines guessed", guessed) % guessed)
    if unread:
        parts.append(ngettext("%d line not read", "%d lines not read", unread) % unread)
    if not parts and any(doubt.kind is DoubtKind.LEFT_OUT for doubt in read.pasted.doubts):
        parts.append(_("the text leaves something out"))
    if not parts:
        parts.append(_("points differ from the text"))
    return _("Legal as far as read (%(open)s)") % {"open": ", ".join(parts)}


def explain_doubt(doubt: Doubt) -> str:
    sentence = str(_DOUBTS[doubt.kind]) % {
        "name": doubt.name,
        "stated": format_number(doubt.stated),
        "computed": format_number(doubt.computed),
    }
    return _("Line %(line)d. %(text)s") % {"line": doubt.line, "text": sentence} if doubt.line else sentence


def name_edition(edition: Edition) -> str:
    return f"{edition.faction.version.game}, {edition.faction.heading}"


def explain_edition(edition: Edition) -> tuple[str, str]:
    units = ngettext("%(known)d / %(names)d unit", "%(known)d / %(names)d units", edition.names) % {
        "known": edition.matches,
        "names": edition.names,
    }
    if not edition.equal:
        return units, _("no matching price")
    return units, ngettext("%d price matches", "%d prices match", edition.equal) % edition.equal


def explain_force(fit: ForceFit) -> str:
    needs = [
        _("needs %(bound)s %(slot)s, has %(count)d")
        % {"bound": format_number(slot.bound), "slot": slot.name, "count": slot.count}
        for slot in fit.short
    ]
    room = [
        _("takes %(bound)s %(slot)s, has %(count)d")
        % {"bound": format_number(slot.bound), "slot": slot.name, "count": slot.count}
        for slot in fit.over
    ]
    if needs or room:
        return "; ".join((*needs, *room))
    if fit.placed < fit.units:
        count = fit.units - fit.placed
        return ngettext("no slot for %d unit", "no slot for %d units", count) % count
    return _("everything fits")


def list_also_possible(read: ReadPaste) -> list[str]:
    sentences = []
    if read.other_editions and not read.editions.is_settled:
        names = "; ".join(map(name_edition, read.other_editions))
        sentences.append(_("Other possible games: %(names)s.") % {"names": names})
    if read.other_forces:
        names = "; ".join(fit.entry.name for fit in read.other_forces)
        sentences.append(_("Other possible detachments: %(names)s.") % {"names": names})
    return sentences


def describe_verdict(evaluated_list: EvaluatedList) -> str:
    """Describe the verdict and the first errors on one line."""
    headlines = [sentence.headline for sentence in format_violations(evaluated_list) if sentence.severity == "error"]
    word = str(get_verdict_word(evaluated_list.verdict, evaluated_list.homebrew))
    more = " ..." if len(headlines) > SHOWN_BREACHES else ""
    return f"{word}: {'; '.join(headlines[:SHOWN_BREACHES])}{more}" if headlines else word


def explain_missing_game(read: ReadPaste) -> str:
    if read.editions.offered:
        return _("Too few of these units are in any installed game to be sure which it is. Choose one.")
    if not read.pasted.units:
        return _(
            "No units were found in this text. Write the faction on the first line and each unit on a line of its "
            "own, with or without its points, as in “Lock Warden 16”. If you choose the game, names alone are "
            "enough."
        )
    faction = read.pasted.claims.faction
    if faction:
        return _("No installed game has these units of “%(faction)s”. The sums are still checked.") % {
            "faction": faction
        }
    return _("No installed game has these units. The sums are still checked.")


def explain_guess(written: str, resolved: str) -> str:
    """Explain why a written name was resolved to another, or "" if only punctuation differs."""
    given, full = fold_plural(written).split(), fold_plural(resolved).split()
    wrong = Levenshtein.distance(" ".join(given), " ".join(full))
    if not wrong or not given:
        return ""
    if wrong <= MOST_WRONG:
        return ngettext("%(number)d letter off", "%(number)d letters off", wrong) % {"number": wrong}
    if set(given) <= set(full):
        return _("part of the name")
    if len(given) == len(full) and all(map(str.startswith, full, given)):
        return _("cut short")
    return _("spelled alike")
