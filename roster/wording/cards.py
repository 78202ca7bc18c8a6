"""Word cards, and why they cannot be printed."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from catalogue.definitions.missions import Markers
from catalogue.definitions.table_rules import ScoreMoment, TieBreak

_LABELS = {
    "mission": gettext_lazy("Mission"),
    "objective": gettext_lazy("Objective"),
    "unit": gettext_lazy("Unit"),
    "stratagem": gettext_lazy("Stratagem"),
    "special": gettext_lazy("Special rule"),
    "deployment": gettext_lazy("Deployment"),
    "reference": gettext_lazy("Quick reference"),
    "special rules": gettext_lazy("Special rules"),
    "markers": gettext_lazy("Markers"),
    "zone": gettext_lazy("Zone"),
    "setup": gettext_lazy("Setup"),
    "out of reach": gettext_lazy("Out of reach"),
    "measured by hand": gettext_lazy("distances entered by the server administrator"),
    "unofficial": gettext_lazy("Unofficial"),
    "score sheet": gettext_lazy("Score sheet"),
    "objectives": gettext_lazy("Objectives"),
    "turn": gettext_lazy("Turn"),
    "total": gettext_lazy("Total"),
    "points column": gettext_lazy("Points"),
    "in the book": gettext_lazy("In the book"),
    "carries": gettext_lazy("Carries"),
    "core": gettext_lazy("Core"),
    "faction": gettext_lazy("Faction"),
    "passive": gettext_lazy("Passive"),
    "keywords": gettext_lazy("Keywords"),
    "rules": gettext_lazy("Rules"),
    "on the rules card": gettext_lazy("On the rules card"),
    "wounds": gettext_lazy("Wounds"),
    "models": gettext_lazy("Models"),
    "continued": gettext_lazy("continued"),
    "over": gettext_lazy("over"),
    "next card": gettext_lazy("next card"),
    "points": gettext_lazy("points"),
    "round": gettext_lazy("Round"),
    "upper half": gettext_lazy("upper half"),
    "lower half": gettext_lazy("lower half"),
    "ruler": gettext_lazy("50 mm · print at 100 %, both sides, flip on the long edge"),
    "shared rules": gettext_lazy("Rules of several units"),
    "shared": gettext_lazy("Shared rules"),
    "battle size": gettext_lazy("Battle size"),
    "stratagems": gettext_lazy("Stratagems"),
    "maps in the book": gettext_lazy("The zones are drawn in the book."),
    "player": gettext_lazy("Player"),
    "attacker": gettext_lazy("Attacker"),
    "defender": gettext_lazy("Defender"),
    "first turn": gettext_lazy("First turn"),
    "game pack": gettext_lazy("Game pack"),
    "categories": gettext_lazy("Categories"),
    "victory points": pgettext_lazy("victory points", "VP"),
    "won": pgettext_lazy("score sheet", "won"),
    "drew": pgettext_lazy("score sheet", "drew"),
    "conceded": pgettext_lazy("score sheet", "conceded"),
    "final score": gettext_lazy("Final score"),
    "captured": gettext_lazy("Captured"),
    "captured by": gettext_lazy("Captured by"),
    "own tokens": gettext_lazy("Your own tokens"),
    "own tokens rule": gettext_lazy("Cross one off for each token taken. When you have none left, you are out."),
    "place": pgettext_lazy("ranking", "Place"),
}


_PHASES = {
    "command": gettext_lazy("Command"),
    "movement": gettext_lazy("Movement"),
    "psychic": gettext_lazy("Psychic"),
    "shooting": gettext_lazy("Shooting"),
    "charge": gettext_lazy("Charge"),
    "fight": gettext_lazy("Fight"),
    "morale": gettext_lazy("Morale"),
    "any": gettext_lazy("Any time"),
    "destroyed": gettext_lazy("When destroyed"),
}


def get_label(name: str) -> str:
    return str(_LABELS[name])


def format_card_kinds(kinds: Iterable[str]) -> str:
    names = {
        "missions": _("missions"),
        "objectives": _("objectives"),
        "stratagems": _("stratagems"),
        "maps": _("deployment maps"),
        "specials": _("special rules"),
        "reference": _("quick reference"),
        "tokens": _("tokens"),
    }
    return ", ".join(names[kind] for kind in kinds)


def format_scale(width: float, depth: float) -> str:
    return _("To scale, %(width)g″ by %(depth)g″") % {"width": width, "depth": depth}


def format_points_to_win(total: int) -> str:
    return ngettext("%(n)d point to win", "%(n)d points to win", total) % {"n": total}


def format_turns(number: int) -> str:
    return ngettext("%(n)d turn", "%(n)d turns", number) % {"n": number}


def format_models(number: int) -> str:
    return ngettext("%(n)d model", "%(n)d models", number) % {"n": number}


def format_revision(number: int) -> str:
    return _("revision %(n)d") % {"n": number}


def format_points(number: int) -> str:
    return ngettext("%(n)d point", "%(n)d points", number) % {"n": number}


def format_photo(name: str) -> str:
    return _("Photo: %(name)s") % {"name": name}


def format_units(number: int) -> str:
    return ngettext("%(n)d unit", "%(n)d units", number) % {"n": number}


def format_units_as_choice(number: int) -> str:
    return ngettext("%(n)d unit as one choice", "%(n)d units as one choice", number) % {"n": number}


def format_cards(number: int) -> str:
    return ngettext("%(n)d card", "%(n)d cards", number) % {"n": number}


def format_tally(number: int, name: str) -> str:
    return f"{number} {name}"


def format_each(cost: str) -> str:
    return _("%(each)s each") % {"each": cost}


def format_host(host: str) -> str:
    return _("in %(host)s") % {"host": host}


def format_seam(bond: str, together: str, toughness: str) -> str:
    """Format the words between a leader and its unit: "Leads Rangers · 135 points together"."""
    return " · ".join(
        [
            bond,
            *([_("%(cost)s together") % {"cost": together}] if together else ()),
            *([_("attacks use Toughness %(n)s") % {"n": toughness}] if toughness else ()),
        ]
    )


def get_phase(phase: str) -> str:
    return str(_PHASES[phase])


def format_doubling(when: str) -> str:
    return _("Double %(when)s.") % {"when": when}


def format_frequency(limit: str) -> str:
    return {"battle": _("once per battle"), "round": _("once per battle round")}.get(limit, "")


def format_markers(markers: Markers, name: str) -> str:
    """Format "4 × Refinery", or "1 × Artifact for each player"."""
    text = _("%(n)d × %(name)s for each player") if markers.per_player else _("%(n)d × %(name)s")
    return text % {"n": markers.count, "name": name}


def format_needs(names: str) -> str:
    return _("Needs %(names)s") % {"names": names}


def explain_refused_print(code: str, figures: dict[str, object]) -> str:
    texts = {
        "no-cards": _("There is nothing to print: choose at least one card, and at least one copy of it."),
        "too-many-cards": _(
            "That would be %(count)s cards; one print holds %(most)s. Choose fewer copies, or print in parts."
        ),
        "does-not-fit": _(
            "A card of %(width)g × %(height)g mm does not fit on this paper. Choose a smaller card or larger paper."
        ),
        "bad-copies": _("“%(given)s” is not a valid number of copies. Choose 1 to %(most)s."),
        "bad-size": _("Unknown card size “%(given)s”. Choose one of: %(known)s; or give millimetres, such as 60x90."),
        "unknown-mission": _("There is no mission “%(given)s” here."),
        "unknown-list": _("There is no list at “%(given)s” that you may see. Paste the link that was shared."),
        "other-game": _("“%(given)s” is a list for a different game."),
        "unknown-size": _("There is no battle size “%(given)s” here."),
        "no-abilities": _(
            "“%(given)s” has no unit with abilities, so there is nothing for a turn sheet. Add units, then print again."
        ),
        "no-units": _("“%(given)s” has no units yet. Add some, then print its pocket roster."),
        "pocket-full": _(
            "“%(given)s” has too many units for a page that is folded twice. Print it on one page, or with cards."
        ),
        "press-sheet": _(
            "Sheets to read are not cut, so they cannot have one card a page. Choose a card size for a print shop."
        ),
        "bad-option": _("“%(given)s” isn’t a valid %(name)s. Choose one of: %(known)s."),
    }
    return texts[code] % figures


def explain_sheet_choices(name: str, given: str, choices: Iterable[str]) -> str:
    text = _("“%(given)s” isn’t a valid %(name)s for a sheet. Choose one of: %(known)s.")
    return text % {"given": given[:40], "name": name, "known": ", ".join(choices)}


def explain_ended_print(*, is_broken: bool, has_summary: bool) -> str:
    """Explain why a layout ended without a file."""
    if is_broken:
        return _("This print failed. Try again. If it fails again, tell the people who run this server.")
    if has_summary:
        return _("This sheet took too long. The summary is quicker, and the server may be less busy later.")
    return _("This print took too long. Print fewer things at once, or try again when the server is less busy.")


def explain_waiting_print(ahead: int, *, is_printing: bool) -> str:
    """Tell a program when to ask for its PDF again."""
    if is_printing:
        return _("Your PDF is being made. Ask again in a few seconds.")
    if not ahead:
        return _("Your PDF is next. Ask again in a few seconds.")
    return ngettext(
        "%(n)d print is ahead of yours. Ask again in a few seconds to keep your place in line.",
        "%(n)d prints are ahead of yours. Ask again in a few seconds to keep your place in line.",
        ahead,
    ) % {"n": ahead}


def explain_missing_letters(letters: str) -> str:
    return _("The fonts for printing don’t have these characters; they would be printed as boxes: %(letters)s") % {
        "letters": " ".join(letters)
    }


def format_game_title(names: str) -> str:
    return _("Game: %(names)s") % {"names": names}


def format_player(number: int) -> str:
    return _("Player %(n)d") % {"n": number}


def format_objective_number(number: int) -> str:
    return _("Objective %(n)d") % {"n": number}


def format_at_most(most: int) -> str:
    return _("at most %(most)d") % {"most": most}


def format_most_each(most: int) -> str:
    return _("at most %(most)d a turn") % {"most": most}


def format_signature(name: str) -> str:
    return _("Signature of %(name)s") % {"name": name}


def format_letters(letters: Sequence[str]) -> str:
    return _("write %(letters)s") % {"letters": ", ".join(letter[0] for letter in letters)}


def describe_extra_draw(who: str) -> str:
    texts = {"more-markers": _("who controls more markers"), "fewer-points": _("who has fewer points")}
    return texts.get(who, "")


def describe_named_objective(effect: str) -> str:
    texts = {
        "double": _("Circle the objective of each round that your opponent names: it is worth double."),
        "barred": _("Cross out the objective of each round that your opponent names: it cannot be scored."),
    }
    return texts.get(effect, "")


def format_secret_category(points: int) -> str:
    return _("Secret category: %(n)d more points each") % {"n": points}


def describe_score_moment(moment: ScoreMoment) -> str:
    """Say how often a line counts, or "" if it counts again in each turn."""
    texts = {
        ScoreMoment.ONCE: _("counts once"),
        ScoreMoment.WHILE_TRUE: _("counts once, as long as it is true"),
        ScoreMoment.AT_ONCE: _("at once, in any phase"),
    }
    return texts.get(moment, "")


def format_captured_from(name: str) -> str:
    return _("from %(name)s") % {"name": name}


def format_captured_from_each(number: int) -> str:
    return _("Tick one for each. You win at once with %(n)d from each opponent: a full upper row for each.") % {
        "n": number
    }


def format_captured_by_team(number: int) -> str:
    return _("Tick one for each. A team that has captured %(n)d wins at once.") % {"n": number}


def format_own_tokens(number: int) -> str:
    return _("Your own tokens, %(n)d") % {"n": number}


def list_level_rules(level: Sequence[TieBreak], points: int) -> list[tuple[str, str]]:
    """Return in order how losses decide a tied game, each rule with a label."""
    rules = []
    if TieBreak.BODY_COUNT in level:
        text = _("The side whose lost models are worth fewer points scores %(n)s more.") % {"n": points}
        rules.append((_("Level"), text))
    if TieBreak.COMMANDER in level:
        rules.append((_("Still level"), _("The side that lost its commander first loses. Otherwise it is a draw.")))
    return rules


def describe_tie_break(tie: TieBreak) -> str:
    texts = {TieBreak.TOKENS: _("your own tokens kept"), TieBreak.MODELS: _("models and boxes left")}
    return texts.get(tie, "")


def format_tie_break(number: int, tie: str) -> str:
    """Head a tie-break's column; `number` counts from 0."""
    return (_("Then: %(tie)s") if number else _("If level: %(tie)s")) % {"tie": tie}
