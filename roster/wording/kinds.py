"""The words of each kind of rule: one function per code of `roster.engine.rules`."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.constraints import Severity
from catalogue.definitions.numbers import Number, format_number
from roster.engine.report import PlaceKind, Violation


@dataclass(frozen=True, slots=True)
class Words:
    """The parts of a sentence that depend on the kind of rule: what is wrong, the figures, a way out."""

    headline: str
    detail: str
    hint: str


def words_for(violation: Violation) -> Words:
    """The words for a breach; a kind that nobody has words for yet is said by its figures, and so is advice, gently."""
    words = KINDS.get(violation.code, figures)(violation)
    if violation.severity is Severity.ERROR or violation.code not in _FIGURES:
        return words
    return Words(words.headline, _advice(violation), "")


def _advice(violation: Violation) -> str:
    """The figures of something that is advised, not demanded."""
    if violation.measured < violation.allowed:
        return _("%(measured)s of %(allowed)s.") % _two(violation)
    if violation.allowed > 0:
        return _("%(measured)s, where %(allowed)s would do.") % _two(violation)
    return _("%(measured)s, where none would be better.") % _two(violation)


def maximum(violation: Violation) -> Words:
    """Too many of something."""
    over = violation.measured - max(violation.allowed, 0)
    detail = _("%(measured)s counted, at most %(allowed)s allowed.")
    if violation.allowed <= 0:
        detail = _("%(measured)s counted, none allowed.")
    return Words(
        _("Too many: %(what)s") % {"what": counted(violation)},
        detail % _two(violation),
        _take_away_or_add(over) if violation.mendable else _take_away(over),
    )


def minimum(violation: Violation) -> Words:
    """Too few of something, or none of it."""
    headline = _("Too few: %(what)s") if violation.measured > 0 else _("Missing: %(what)s")
    return Words(
        headline % {"what": counted(violation)},
        _("%(measured)s counted, at least %(allowed)s needed.") % _two(violation),
        _add(violation.allowed - violation.measured),
    )


def exactly(violation: Violation) -> Words:
    """Another number than the one asked for."""
    over = violation.measured - violation.allowed
    return Words(
        _("Not the right number: %(what)s") % {"what": counted(violation)},
        _("%(measured)s counted, exactly %(allowed)s needed.") % _two(violation),
        _take_away(over) if over > 0 else _add(-over),
    )


def cost_limit(violation: Violation) -> Words:
    """More spent than agreed on."""
    over = {"over": format_number(violation.measured - violation.allowed), "what": violation.counted}
    return Words(
        _("Over the limit by %(over)s %(what)s") % over,
        _("%(measured)s %(what)s spent, at most %(allowed)s allowed.") % (_two(violation) | over),
        _("Save at least %(over)s, or agree on a larger game.") % over,
    )


def hidden(violation: Violation) -> Words:
    """Something taken that is not to be had as things stand."""
    return Words(
        _("Not available: %(what)s") % {"what": counted(violation)},
        ngettext(
            "%(number)s taken, none allowed as the list stands.",
            "%(number)s taken, none allowed as the list stands.",
            _whole(violation.measured),
        )
        % {"number": format_number(violation.measured)},
        _("Take it out, or choose what makes it available."),
    )


def cost_cycle(violation: Violation) -> Words:
    """Costs that cannot be worked out."""
    return Words(
        _("Costs that depend on one another: %(what)s") % {"what": counted(violation)},
        ngettext(
            "%(number)s cost goes round in a circle.",
            "%(number)s costs go round in a circle.",
            _whole(violation.measured),
        )
        % {"number": format_number(violation.measured)},
        _("This is a mistake in the data. What grows with the other was left out of the sum."),
    )


def unknown_entry(violation: Violation) -> Words:
    """Something that the data does not have."""
    return Words(
        _("Unknown: %(what)s") % {"what": counted(violation)},
        _("The data has no such entry here, so it could not be judged."),
        _("Take it out, or use data that has it."),
    )


def unknown_force(violation: Violation) -> Words:
    """A detachment that the data does not have."""
    return Words(
        _("Unknown: %(what)s") % {"what": counted(violation)},
        _("The data has no such detachment or faction, so nothing in it could be judged."),
        _("Remove it, or use data that has it."),
    )


def misplaced_entry(violation: Violation) -> Words:
    """Something where the data does not offer it."""
    return Words(
        _("Out of place: %(what)s") % {"what": counted(violation)},
        ngettext(
            "%(number)s taken where it cannot be taken.",
            "%(number)s taken where they cannot be taken.",
            _whole(violation.measured),
        )
        % {"number": format_number(violation.measured)},
        _("Move it to where it belongs, or take it out."),
    )


def loose_entry(violation: Violation) -> Words:
    """Something outside every detachment."""
    return Words(
        _("In no detachment: %(what)s") % {"what": counted(violation)},
        _("It stands outside every detachment."),
        _("Put it into a detachment, or take it out."),
    )


def unreached_entry(violation: Violation) -> Words:
    """Something that nothing the leader leads to allows."""
    return Words(
        _("Led by nobody: %(what)s") % {"what": counted(violation)},
        _("Neither the leader nor anything the leader allows opens a place for it."),
        _("Add what allows it, or take it out."),
    )


def unshared_category(violation: Violation) -> Words:
    """Units that have nothing in common that counts."""
    return Words(
        _("Nothing in common: %(what)s") % {"what": counted(violation)},
        _("%(measured)s of %(allowed)s share what most of them share; all of them should.") % _two(violation),
        _("Take out those that do not share it, or put them into a detachment of their own."),
    )


def outranked(violation: Violation) -> Words:
    """Somebody declared to lead whom others outrank, or several of whom none is declared."""
    if violation.on.kind is PlaceKind.ROSTER:
        return Words(
            _("Who commands is open"),
            _("%(measured)s have the highest rank, %(allowed)s.") % _two(violation),
            _("Choose which of them leads."),
        )
    return Words(
        _("Outranked: %(what)s") % {"what": counted(violation)},
        _("Its rank is %(measured)s, the highest is %(allowed)s.") % _two(violation),
        _("Let the highest in rank lead."),
    )


def too_many_alike(violation: Violation) -> Words:
    """Too many things of one name."""
    return Words(
        _("Too many copies: %(what)s") % {"what": counted(violation)},
        _("%(measured)s counted, at most %(allowed)s allowed.") % _two(violation),
        _take_away(violation.measured - violation.allowed),
    )


def unshown(violation: Violation) -> Words:
    """Something that a written list has to show."""
    return Words(
        _("Not shown: %(what)s") % {"what": counted(violation)},
        _("The written list leaves it out."),
        _("Write it into the list."),
    )


def unknown_planned(violation: Violation) -> Words:
    """Something that the game plan names and that is not there."""
    return Words(
        _("No longer there: %(what)s") % {"what": counted(violation)},
        _("The game plan names it, but neither the list nor the data has it."),
        _("Choose again in the game plan, or take it out there."),
    )


def figures(violation: Violation) -> Words:
    """Two figures compared: too many or too few, whatever the rule."""
    return maximum(violation) if violation.measured > violation.allowed else minimum(violation)


_FIGURES = ("maximum", "minimum", "exactly")
KINDS: dict[str, Callable[[Violation], Words]] = {
    "cost-cycle": cost_cycle,
    "cost-limit": cost_limit,
    "exactly": exactly,
    "hidden": hidden,
    "loose-entry": loose_entry,
    "maximum": maximum,
    "minimum": minimum,
    "misplaced-entry": misplaced_entry,
    "outranked": outranked,
    "too-many-alike": too_many_alike,
    "unknown-entry": unknown_entry,
    "unknown-force": unknown_force,
    "unknown-planned": unknown_planned,
    "unreached-entry": unreached_entry,
    "unshared-category": unshared_category,
    "unshown": unshown,
}


def counted(violation: Violation) -> str:
    """The name of what was counted, else of what it is about."""
    return counted_name(violation) or violation.on.name or _("choices")


def counted_name(violation: Violation) -> str:
    """The name of what was counted; blank where it has none that people know."""
    general = {"": "", "any": "", "unit": _("units"), "model": _("models"), "upgrade": _("options")}
    general |= {"mount": _("mounts"), "crew": _("crew")}
    general |= {"players::": _("players"), "opponents::": _("opponents")}
    if violation.counted not in ("", violation.counted_id):
        return violation.counted
    if "/" in violation.counted_id:
        return ""  # something that a pack counts for its own purposes
    return general.get(violation.counted_id, violation.counted)


def _two(violation: Violation) -> dict[str, str]:
    return {"measured": format_number(violation.measured), "allowed": format_number(violation.allowed)}


def _take_away(over: Number) -> str:
    text = ngettext("Take %(number)s away.", "Take %(number)s away.", _whole(over))
    return text % {"number": format_number(over)}


def _take_away_or_add(over: Number) -> str:
    text = ngettext(
        "Take %(number)s away, or add what allows more.",
        "Take %(number)s away, or add what allows more.",
        _whole(over),
    )
    return text % {"number": format_number(over)}


def _add(missing: Number) -> str:
    text = ngettext("Add %(number)s more.", "Add %(number)s more.", _whole(missing))
    return text % {"number": format_number(missing)}


def _whole(number: Number) -> int:
    """A number as the choice of a plural form takes it: half a point is said like two."""
    return int(number) if number == int(number) else 2
