"""Word each rule kind: one function for each `RuleCode`."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.numbers import format_number
from catalogue.definitions.queries import AGREED, NOTHING
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.leaders import LED
from roster.engine.report import PlaceKind, Violation
from roster.wording.figures import (
    describe_counted,
    format_both,
    format_spent,
    get_bound,
    get_counted_name,
    is_about_limit,
    list_blockers,
    round_for_plural,
    suggest_addition,
    suggest_change,
    suggest_removal,
    suggest_removal_or_addition,
    suggest_taking_out,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words for one violation.

    `headline` is the problem, `detail` the figures, `hint` a way out. `text` is the rule in the data's words, `where`
    the part of the list (blank: all), `citation` the book and place, `source` the commit of community data.
    """

    headline: str = ""
    detail: str = ""
    hint: str = ""
    code: str = ""
    severity: str = ""
    rule: str = ""
    text: str = ""
    where: str = ""
    citation: str = ""
    source: str = ""

    @property
    def explanation(self) -> str:
        """The rule in the data's words, then the figures."""
        return " ".join(filter(None, (self.text, self.detail)))

    @property
    def located_headline(self) -> str:
        """The headline, with the part of the list unless the sentence names it."""
        # A blank place is part of any text.
        is_located = self.where in self.headline or self.where in self.explanation
        return self.headline if is_located else f"{self.headline} ({self.where})"

    def __str__(self) -> str:
        return " ".join(filter(None, (self.headline, self.explanation)))


KINDS: dict[str, Callable[[Violation], Sentence]] = {}

FIGURES = (RuleCode.MAXIMUM, RuleCode.MINIMUM, RuleCode.EXACTLY)


def register_words(code: RuleCode) -> Callable[[Callable[[Violation], Sentence]], Callable[[Violation], Sentence]]:
    def register(make_words: Callable[[Violation], Sentence]) -> Callable[[Violation], Sentence]:
        KINDS[code] = make_words
        return make_words

    return register


def get_words(violation: Violation) -> Sentence:
    """Word a violation, by default by its figures. Advice is worded gently."""
    if is_about_limit(violation):
        return explain_agreed_limit(violation)
    if violation.counted_id == NOTHING:
        # Only the author of the message knows the figures and the way out.
        return Sentence(violation.text)
    words = KINDS.get(violation.code, explain_figures)(violation)
    is_error = violation.severity is Severity.ERROR
    if is_told_by_author(violation):
        # The author's text replaces figures that are only a technical means.
        return Sentence(violation.text, "", words.hint if is_error else "")
    if violation.code not in FIGURES:
        return words

    headline, detail, hint = words.headline, words.detail, words.hint
    if violation.stage is not Stage.LIST:
        hint = _("Change the game plan, or what is in the list.")
    if violation.text and not get_counted_name(violation):
        # The author's text says more than that the whole list has too few.
        headline = violation.text
    if not is_error:
        detail, hint = _format_advice(violation), ""
    return Sentence(headline, detail, hint)


def is_told_by_author(violation: Violation) -> bool:
    """Return whether the data's author words the violation without citing a rule of a book."""
    names_rule = violation.name or violation.rule or violation.citation
    return bool(violation.text) and violation.code in FIGURES and not names_rule


def _format_advice(violation: Violation) -> str:
    allowed = get_bound(violation)
    if violation.measured < allowed:
        return _("%(measured)s of %(allowed)s.") % format_both(violation)
    if allowed > 0:
        return _("%(measured)s, although %(allowed)s would do.") % format_both(violation)
    return _("You have %(measured)s; the book recommends none.") % format_both(violation)


@register_words(RuleCode.MAXIMUM)
def explain_maximum(violation: Violation) -> Sentence:
    allowed = get_bound(violation)
    headline = _("Too many: %(what)s") % {"what": describe_counted(violation)}
    lacking = violation.lacking
    missing = {"number": format_number(lacking.number), "name": lacking.name} if lacking else {}
    if lacking and allowed <= 0:
        # It needs an addition, not a removal.
        needs = ": ".join(filter(None, (_("Needs %(number)s %(name)s") % missing, list_blockers(violation))))
        hint = suggest_addition(violation, lacking.number)
        return Sentence(headline, f"{needs}.", hint if violation.crowded else _("Add %(number)s %(name)s.") % missing)
    if allowed <= 0 and (names := list_blockers(violation)):
        return Sentence(headline, _("Not allowed here: %(names)s.") % {"names": names}, suggest_taking_out(violation))
    # Modifiers may lower a bound below zero.
    over = violation.measured - max(allowed, 0)
    if violation.unit:
        return Sentence(
            _("Too much spent: %(what)s") % {"what": describe_counted(violation)},
            _("%(measured)s of at most %(allowed)s %(unit)s.") % format_spent(violation),
            _("Cut at least %(over)s %(unit)s.") % format_spent(violation),
        )
    detail = _("%(measured)s taken, at most %(allowed)s allowed.")
    if allowed <= 0:
        detail = _("%(measured)s taken, none allowed.")
    hint = suggest_removal(over)
    if lacking and not violation.crowded:
        hint = _("Remove %(over)s, or add %(number)s %(name)s.") % {"over": format_number(over), **missing}
    elif violation.mendable and not violation.crowded:
        hint = suggest_removal_or_addition(over)
    return Sentence(headline, detail % format_both(violation), hint)


@register_words(RuleCode.MINIMUM)
def explain_minimum(violation: Violation) -> Sentence:
    if violation.unit:
        return Sentence(
            _("Too little spent: %(what)s") % {"what": describe_counted(violation)},
            _("%(measured)s of at least %(allowed)s %(unit)s.") % format_spent(violation),
            _("Spend at least %(over)s %(unit)s more.") % format_spent(violation),
        )
    headline = _("Too few: %(what)s") if violation.measured > 0 else _("Missing: %(what)s")
    hint = suggest_change(violation)
    if violation.mendable:
        hint = suggest_addition(violation, get_bound(violation) - violation.measured)
    return Sentence(
        headline % {"what": describe_counted(violation)},
        _("%(measured)s taken, at least %(allowed)s needed.") % format_both(violation),
        hint,
    )


@register_words(RuleCode.EXACTLY)
def explain_exact_number(violation: Violation) -> Sentence:
    over = violation.measured - violation.allowed
    missing = suggest_addition(violation, -over) if violation.mendable else suggest_change(violation)
    return Sentence(
        _("Wrong number: %(what)s") % {"what": describe_counted(violation)},
        _("%(measured)s taken, exactly %(allowed)s needed.") % format_both(violation),
        suggest_removal(over) if over > 0 else missing,
    )


@register_words(RuleCode.COST_LIMIT)
def explain_cost_limit(violation: Violation) -> Sentence:
    over = {"over": format_number(violation.measured - violation.allowed), "what": violation.counted}
    return Sentence(
        _("Over the limit by %(over)s %(what)s") % over,
        _("%(measured)s %(what)s spent, at most %(allowed)s allowed.") % (format_both(violation) | over),
        _("Cut at least %(over)s, or play a larger game.") % over,
    )


def explain_agreed_limit(violation: Violation) -> Sentence:
    named = {"what": describe_counted(violation), "measured": format_number(violation.measured)}
    if is_about_limit(violation, AGREED):
        return Sentence(_("No limit: %(what)s") % named, _("No limit for %(what)s is set.") % named, _("Set one."))
    return Sentence(
        _("Wrong limit: %(what)s") % named,
        _say_limit(violation) % (named | {"allowed": format_number(violation.allowed)}),
        _suggest_limit(violation),
    )


def _say_limit(violation: Violation) -> str:
    if violation.choices or violation.code not in (RuleCode.MAXIMUM, RuleCode.MINIMUM):
        return _("The limit for %(what)s is %(measured)s.")
    if violation.code is RuleCode.MAXIMUM:
        return _("The limit for %(what)s is %(measured)s; it may be at most %(allowed)s.")
    return _("The limit for %(what)s is %(measured)s; it has to be at least %(allowed)s.")


def _suggest_limit(violation: Violation) -> str:
    if len(violation.choices) < 2:
        return _("Choose another limit.")
    *first, last = map(format_number, violation.choices)
    return _("Choose %(first)s or %(last)s.") % {"first": ", ".join(first), "last": last}


@register_words(RuleCode.HIDDEN)
def explain_hidden_entry(violation: Violation) -> Sentence:
    """Explain that an entry is unavailable, or in a slot that its detachment lacks."""
    is_about_slot = violation.on.kind is PlaceKind.FORCE and violation.counted_id != violation.on.entry_id
    if is_about_slot:
        names = {"detachment": violation.on.name, "slot": violation.counted}
        return Sentence(
            _("%(detachment)s has no %(slot)s slot") % names,
            ngettext("%(number)s unit is in it.", "%(number)s units are in it.", round_for_plural(violation.measured))
            % {"number": format_number(violation.measured)},
            _("Remove it, or choose something that opens the slot."),
        )
    return Sentence(
        _("Not available: %(what)s") % {"what": describe_counted(violation)},
        ngettext(
            "%(number)s taken, none allowed in this list.",
            "%(number)s taken, none allowed in this list.",
            round_for_plural(violation.measured),
        )
        % {"number": format_number(violation.measured)},
        _("Remove it, or choose something that makes it available."),
    )


@register_words(RuleCode.COST_CYCLE)
def explain_cost_cycle(violation: Violation) -> Sentence:
    return Sentence(
        _("Costs that depend on one another: %(what)s") % {"what": describe_counted(violation)},
        ngettext(
            "%(number)s cost depends on itself.",
            "%(number)s costs depend on each other.",
            round_for_plural(violation.measured),
        )
        % {"number": format_number(violation.measured)},
        _("This is a mistake in the data. The circular modifiers were ignored."),
    )


@register_words(RuleCode.UNKNOWN_ENTRY)
def explain_unknown_entry(violation: Violation) -> Sentence:
    if violation.counted != violation.on.name:
        named = {"place": violation.counted, "what": violation.on.name}
        return Sentence(
            _("Unknown in %(place)s: %(what)s") % named,
            _("%(place)s has no such option, so it could not be checked.") % named,
            _("Remove it, or use data that has it."),
        )
    return Sentence(
        _("Unknown: %(what)s") % {"what": describe_counted(violation)},
        _("The data has no such entry here, so it could not be checked."),
        _("Remove it, or use data that has it."),
    )


@register_words(RuleCode.UNKNOWN_FORCE)
def explain_unknown_force(violation: Violation) -> Sentence:
    return Sentence(
        _("Unknown: %(what)s") % {"what": describe_counted(violation)},
        _("The data has no such detachment or faction, so nothing in it could be judged."),
        _("Remove it, or use data that has it."),
    )


@register_words(RuleCode.FOREIGN_ENTRY)
def explain_foreign_entry(violation: Violation) -> Sentence:
    named = {"what": violation.on.name, "faction": violation.counted}
    return Sentence(
        _("From another faction (%(faction)s): %(what)s") % named,
        _("%(what)s belongs to another faction: %(faction)s.") % named,
        _("Remove it, or take something from your own faction."),
    )


@register_words(RuleCode.WRONG_PLACE)
def explain_wrong_place(violation: Violation) -> Sentence:
    return Sentence(
        _("Out of place in %(place)s: %(what)s") % {"place": violation.counted, "what": violation.on.name},
        ngettext(
            "%(number)s taken where it is not allowed.",
            "%(number)s taken where they are not allowed.",
            round_for_plural(violation.measured),
        )
        % {"number": format_number(violation.measured)},
        _("Move it to where it belongs, or remove it."),
    )


@register_words(RuleCode.OUTSIDE_DETACHMENT)
def explain_outside_detachment(violation: Violation) -> Sentence:
    return Sentence(
        _("In no detachment: %(what)s") % {"what": describe_counted(violation)},
        _("It is outside every detachment."),
        _("Move it into a detachment, or remove it."),
    )


@register_words(RuleCode.NOT_ALLOWED_BY_LEADER)
def explain_not_allowed_by_leader(violation: Violation) -> Sentence:
    """Explain that no leader allows a unit, or that its leader is the wrong one."""
    if violation.allowed:
        return Sentence(
            _("More than one leader: %(what)s") % {"what": describe_counted(violation)},
            _("%(measured)s units of this detachment are declared to lead it; only one can.") % format_both(violation),
            _("Let one of them lead."),
        )
    # The rule counts the category that leading requires.
    if violation.counted_id != violation.on.entry_id:
        named = {"what": violation.on.name, "kind": violation.counted}
        return Sentence(
            _("Declared to lead (%(kind)s): %(what)s") % named,
            _("%(what)s cannot lead: only units with “%(kind)s” can.") % named,
            _("Let another unit lead, or declare no leader."),
        )
    return Sentence(
        _("Not allowed by any leader: %(what)s") % {"what": describe_counted(violation)},
        _("Neither the leader nor anything the leader allows makes room for it."),
        _("Add something that allows it, or remove it."),
    )


@register_words(RuleCode.NO_COMMON_CATEGORY)
def explain_no_common_category(violation: Violation) -> Sentence:
    return Sentence(
        _("Nothing in common: %(what)s") % {"what": describe_counted(violation)},
        _("Only %(measured)s of %(allowed)s share a keyword; all must.") % format_both(violation),
        _("Remove those that don’t share it, or move them to a detachment of their own."),
    )


@register_words(RuleCode.WRONG_COMMANDER)
def explain_wrong_commander(violation: Violation) -> Sentence:
    """Explain that the declared commander is outranked, not the only one, or not declared."""
    if violation.on.kind is PlaceKind.ROSTER:
        return Sentence(
            _("Commander not decided"),
            _("%(measured)s have the highest rank, %(allowed)s.") % format_both(violation),
            _("Choose which of them leads."),
        )
    if violation.measured == violation.allowed:
        return Sentence(
            _("More than one leader: %(what)s") % {"what": describe_counted(violation)},
            _("Others of the same rank, %(allowed)s, are declared to lead as well.") % format_both(violation),
            _("Let one of them lead."),
        )
    return Sentence(
        _("Outranked: %(what)s") % {"what": describe_counted(violation)},
        _("Its rank is %(measured)s, the highest is %(allowed)s.") % format_both(violation),
        _("Let the highest-ranking model lead."),
    )


@register_words(RuleCode.TOO_MANY_COPIES)
def explain_too_many_copies(violation: Violation) -> Sentence:
    return Sentence(
        _("Too many copies: %(what)s") % {"what": describe_counted(violation)},
        _("%(measured)s taken, at most %(allowed)s allowed.") % format_both(violation),
        suggest_removal(violation.measured - violation.allowed),
    )


@register_words(RuleCode.WRONG_ATTACHMENT)
def explain_wrong_attachment(violation: Violation) -> Sentence:
    if violation.measured < violation.allowed:
        return _explain_missing_attachment(violation)
    target, *others = [place.name for place in violation.cause] or [""]
    named = {"what": describe_counted(violation), "to": target, "others": ", ".join(others)}
    headline = _("Wrongly attached: %(what)s") % named
    hint = _("Attach it to something else, or detach it.")
    if others:
        return Sentence(headline, _("%(to)s already has %(others)s attached and can take no more.") % named, hint)
    if violation.allowed > 0:
        return Sentence(
            headline, _("Attached to %(measured)s, at most %(allowed)s allowed.") % format_both(violation), hint
        )
    if not named["to"]:
        return Sentence(headline, _("The unit it is attached to is no longer in the list."), hint)
    return Sentence(headline, _("It cannot be attached to %(to)s.") % named, hint)


def _explain_missing_attachment(violation: Violation) -> Sentence:
    what = {"what": describe_counted(violation)}
    if violation.counted_id == LED:
        return Sentence(
            _("Without a leader: %(what)s") % what,
            _("Its datasheet says that a leader must be attached to it, or it takes no part in the battle."),
            _("Open the leader and attach it to this unit."),
        )
    return Sentence(
        _("Not attached: %(what)s") % what,
        _("Its datasheet says that it must be attached to another unit, or it takes no part in the battle."),
        _("Open it and choose what it is attached to."),
    )


@register_words(RuleCode.MISSING_FROM_WRITTEN_LIST)
def explain_missing_from_written_list(violation: Violation) -> Sentence:
    return Sentence(
        _("Not shown: %(what)s") % {"what": describe_counted(violation)},
        _("The written list leaves it out."),
        _("Write it into the list."),
    )


@register_words(RuleCode.UNKNOWN_PLANNED)
def explain_unknown_planned(violation: Violation) -> Sentence:
    return Sentence(
        _("No longer there: %(what)s") % {"what": describe_counted(violation)},
        _("The game plan names it, but neither the list nor the data has it."),
        _("Choose again in the game plan, or remove it there."),
    )


def explain_figures(violation: Violation) -> Sentence:
    return explain_maximum(violation) if violation.measured > violation.allowed else explain_minimum(violation)


@register_words(RuleCode.NO_COMPLETION)
def explain_no_completion(violation: Violation) -> Sentence:
    what = {"what": violation.counted or violation.on.name}
    if violation.mendable:
        return Sentence(
            _("Cannot be completed as it is: %(what)s") % what,
            _("The picks so far leave too little to choose from."),
            _("Take something else that allows more."),
        )
    if violation.stage is not Stage.LIST:
        return Sentence(
            _("Can no longer be completed: %(what)s") % what,
            _("No further pick fixes the game plan."),
            _("Change the game plan, or what is in the list."),
        )
    return Sentence(
        _("Can no longer be completed: %(what)s") % what,
        _("No further pick leads to a legal list."),
        _("Undo the last pick, or remove something."),
    )
