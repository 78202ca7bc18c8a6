"""A pasted list in words: its lines, its sums, its points."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from catalogue.definitions.numbers import format_number
from roster.formats.text.arithmetic import SumCheck, SumKind
from roster.formats.text.pasted import PastedLayout, Reading
from roster.services.evaluation import EvaluatedList
from roster.services.pasted_lists import ReadPaste
from roster.wording.sentences import format_violations, get_verdict_word

SHOWN_BREACHES = 3
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


def explain_sum(check: SumCheck) -> str:
    """Explain two numbers that should agree, with the line."""
    sentence = str(_SUMS[check.kind]) % {
        "name": check.name,
        "stated": format_number(check.stated),
        "computed": format_number(check.computed),
    }
    return _("Line %(line)d. %(text)s") % {"line": check.line, "text": sentence} if check.line else sentence


def name_layout(layout: PastedLayout) -> str:
    return LAYOUTS.get(layout) or _("plain text")


def summarize_reading(read: ReadPaste) -> str:
    """Say how many lines were understood, guessed and not read."""
    counts = read.counts
    parts = [
        ngettext("%d line understood", "%d lines understood", counts[Reading.UNDERSTOOD]) % counts[Reading.UNDERSTOOD]
    ]
    if counts[Reading.GUESSED]:
        parts.append(ngettext("%d guessed", "%d guessed", counts[Reading.GUESSED]) % counts[Reading.GUESSED])
    if counts[Reading.UNREAD]:
        parts.append(ngettext("%d not read", "%d not read", counts[Reading.UNREAD]) % counts[Reading.UNREAD])
    return ", ".join(parts)


def describe_verdict(judged: EvaluatedList) -> str:
    """Say the verdict on one line, with what is wrong first: it is below a list that is copied as text."""
    headlines = [sentence.headline for sentence in format_violations(judged) if sentence.severity == "error"]
    word = str(get_verdict_word(judged.verdict))
    more = " ..." if len(headlines) > SHOWN_BREACHES else ""
    return f"{word}: {'; '.join(headlines[:SHOWN_BREACHES])}{more}" if headlines else word


def explain_missing_game(read: ReadPaste) -> str:
    """Say why there is no verdict on a list whose game was not recognised."""
    faction = read.pasted.claims.faction
    if faction:
        return _("No installed game has these units of “%(faction)s”. The sums are checked all the same.") % {
            "faction": faction
        }
    return _("No installed game has these units. The sums are checked all the same.")
