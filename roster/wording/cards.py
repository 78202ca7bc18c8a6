"""Words on cards, and why cards cannot be printed."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.missions import Markers


def mission() -> str:
    return _("Mission")


def objective() -> str:
    return _("Objective")


def unit() -> str:
    return _("Unit")


def stratagem() -> str:
    return _("Stratagem")


def special() -> str:
    return _("Special rule")


def deployment() -> str:
    return _("Deployment")


def reference() -> str:
    return _("Quick reference")


def kinds(wanted: Iterable[str]) -> str:
    """Kinds of cards in words, one after the other."""
    names = {
        "missions": _("missions"),
        "objectives": _("objectives"),
        "stratagems": _("stratagems"),
        "maps": _("deployment maps"),
        "specials": _("special rules"),
        "reference": _("quick reference"),
        "tokens": _("tokens"),
    }
    return ", ".join(names[kind] for kind in wanted)


def special_rules() -> str:
    return _("Special rules")


def markers() -> str:
    return _("Markers")


def zone() -> str:
    return _("Zone")


def setup() -> str:
    return _("Setup")


def out_of_reach() -> str:
    return _("Out of reach")


def schematic() -> str:
    return _("Schematic: the zones stand in the book")


def to_scale(width: float, depth: float) -> str:
    return _("To scale, %(width)g″ by %(depth)g″") % {"width": width, "depth": depth}


def measured_by_hand() -> str:
    return _("distances entered by who runs this server")


def unofficial() -> str:
    return _("Unofficial")


def to_win(total: int) -> str:
    return ngettext("%(n)d point to win", "%(n)d points to win", total) % {"n": total}


def turns(number: int) -> str:
    return ngettext("%(n)d turn", "%(n)d turns", number) % {"n": number}


def command_points(cost: int) -> str:
    return _("%(n)d CP") % {"n": cost}


def doubled(when: str) -> str:
    return _("Double %(when)s.") % {"when": when}


def once_per(limit: str) -> str:
    return {"battle": _("once per battle"), "round": _("once per battle round")}.get(limit, "")


def laid(each: Markers, name: str) -> str:
    """4 × Refinery; 1 × Artifact for each player."""
    said = _("%(n)d × %(name)s for each player") if each.per_player else _("%(n)d × %(name)s")
    return said % {"n": each.count, "name": name}


def needs(names: str) -> str:
    return _("Needs %(names)s") % {"names": names}


def cannot_print(code: str, figures: dict[str, object]) -> str:
    """Why there is no print, and what to do."""
    said = {
        "no-cards": _("There is nothing to print: choose at least one card, and at least one copy of it."),
        "too-many-cards": _(
            "That would be %(count)s cards; one print holds %(most)s. Choose fewer copies, or print in parts."
        ),
        "does-not-fit": _(
            "A card of %(width)g × %(height)g mm does not fit on this paper. Choose a smaller card or larger paper."
        ),
        "bad-copies": _("“%(given)s” is no number of copies. Choose 1 to %(most)s."),
        "bad-size": _("“%(given)s” is no size of a card. There are: %(known)s; or millimetres, as 60x90."),
        "unknown-mission": _("There is no mission “%(given)s” here."),
        "unknown-list": _(
            "There is no list at “%(given)s” that you may see. Paste the address that was shared."
        ),
        "other-game": _("“%(given)s” is a list of another game."),
        "unknown-size": _("There is no battle size “%(given)s” here."),
        "bad-option": _("“%(given)s” is no %(name)s. There are: %(known)s."),
    }
    return said[code] % figures


def game_pack(names: str) -> str:
    return _("Game: %(names)s") % {"names": names}


def score_sheet() -> str:
    return _("Score sheet")


def objectives() -> str:
    return _("Objectives")


def player(number: int) -> str:
    return _("Player %(n)d") % {"n": number}


def drawn_objective(number: int) -> str:
    return _("Objective %(n)d") % {"n": number}


def turn() -> str:
    return _("Turn")


def total() -> str:
    return _("Total")


def total_at_most(most: int) -> str:
    return _("Total, %(most)d at most") % {"most": most}


def points_column() -> str:
    return _("Points")
