"""Word the moments of a turn, and name the units with an ability."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_STAGES = {
    "deployment": gettext_lazy("Deployment"),
    "start": gettext_lazy("Start of the turn"),
    "command": gettext_lazy("Command phase"),
    "movement": gettext_lazy("Movement phase"),
    "psychic": gettext_lazy("Psychic phase"),
    "shooting": gettext_lazy("Shooting phase"),
    "charge": gettext_lazy("Charge phase"),
    "fight": gettext_lazy("Fight phase"),
    "morale": gettext_lazy("Morale phase"),
    "end": gettext_lazy("End of the turn"),
    "any": gettext_lazy("Any time"),
    "destroyed": gettext_lazy("When destroyed"),
    "reminders": gettext_lazy("Keep in mind"),
}
_TAGS = {
    "yours": gettext_lazy("your turn"),
    "enemy": gettext_lazy("enemy turn"),
    "either": gettext_lazy("either turn"),
    "reaction": gettext_lazy("reaction"),
    "turn": gettext_lazy("once a turn"),
    "phase": gettext_lazy("once a phase"),
    "round": gettext_lazy("once a round"),
    "battle": gettext_lazy("once a battle"),
}


def get_stage(name: str) -> str:
    return str(_STAGES[name])


def get_tag(name: str) -> str:
    return str(_TAGS[name])


def format_title(name: str) -> str:
    return _("Turn sheet: %(name)s") % {"name": name}


def get_rounds_label() -> str:
    return _("Rounds")


def get_foot() -> str:
    return _("each box is one use in the battle")


def get_pocket_label(name: str) -> str:
    texts = {
        "wounds": _("Wounds"),
        "each turn": _("Each turn"),
        "once": _("Once a battle"),
        "common": _("Rules of the game and the army"),
        "fold": _("Fold the top half back, then the left half back. The code leads to the whole list."),
        "fold only": _("Fold the top half back, then the left half back."),
    }
    return texts[name]


def name_holders(names: Sequence[str], everyone: Sequence[str]) -> str:
    """Name the units with a rule, or the units without it if they are fewer.

    >>> name_holders(["Pikes"], ["Pikes", "Guns", "Carts"]), name_holders(["Pikes", "Guns"], ["Pikes", "Guns", "Carts"])
    ('Pikes', 'All but Carts')
    """
    others = [name for name in everyone if name not in names]
    if len(names) <= len(others) or len(everyone) < 2 or not set(everyone).issubset({*names, *others}):
        return ", ".join(names)
    return _("All but %(names)s") % {"names": ", ".join(others)} if others else _("All units")
