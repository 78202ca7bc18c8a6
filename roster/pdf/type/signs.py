"""Print symbols as characters of a font, so that pages have no small images to lay out.

Boxes and phase marks are the characters that they resemble, for screen readers and copied text.
"""

import json
from functools import cache
from pathlib import Path

FONTS = Path(__file__).resolve().parent / "fonts"
EMBLEM_LIST = FONTS / "emblems.json"

BOX = "\N{BALLOT BOX}"
PHASES = {
    "command": "C",
    "movement": "M",
    "psychic": "P",
    "shooting": "S",
    "charge": "H",
    "fight": "F",
    "morale": "R",
    "any": "A",
    "destroyed": "X",
}
"""In the order of a turn. The mark of "any" is a dot."""
_FIRST_MARK = 0x24B6
ICONS = {
    "arrow-down": "move",
    "arrow-down-to-line": "move",
    "arrow-up": "rank-3",
    "bomb": "field-gun",
    "check": "achievement",
    "chevrons-down": "move",
    "chevrons-up": "rank-3",
    "circle-dot": "position-marker",
    "circle-help": "rolling-dices",
    "circle-x": "sword-clash",
    "cog": "gears",
    "coins": "coins",
    "crosshair": "crosshair",
    "dices": "rolling-dices",
    "eye": "eye-target",
    "eye-off": "trap-mask",
    "factory": "anvil",
    "feather": "bird-limb",
    "flag": "tower-flag",
    "flame": "campfire",
    "flame-kindling": "campfire",
    "footprints": "footsteps",
    "gem": "crystal-shine",
    "grid-2x2": "abstract-049",
    "hand": "shaking-hands",
    "handshake": "shaking-hands",
    "heart": "heart-plus",
    "hourglass": "hourglass",
    "landmark": "capitol",
    "layers": "poker-hand",
    "lock": "padlock",
    "map": "treasure-map",
    "map-pin": "position-marker",
    "moon": "moon",
    "mountain": "mountaintop",
    "network": "mesh-network",
    "package": "cubes",
    "pickaxe": "mining",
    "radio": "radar-dish",
    "shield": "shield",
    "shuffle": "backup",
    "skull": "skull-crossed-bones",
    "snowflake": "snowflake-1",
    "sprout": "root-tip",
    "star": "medal",
    "sunrise": "sunrise",
    "swords": "crossed-swords",
    "target": "eye-target",
    "tent": "campfire",
    "triangle-alert": "death-skull",
    "trophy": "trophy",
    "truck": "jeep",
    "users": "spartan-helmet",
    "waves": "whirlwind",
    "wind": "wind-slap",
    "zap": "lightning-trio",
}

WORD_SIGNS = {
    "\N{POSITION INDICATOR}": "sights",
    "\N{CROSSED SWORDS}": "crossed-swords",
    "\N{SKULL}": "skull-crossed-bones",
    "\N{BLACK UP-POINTING TRIANGLE}": "3",
    "\N{BLACK LARGE CIRCLE}": "0",
    "\N{BLACK LARGE SQUARE}": "4",
    "\N{BLACK PENTAGON}": "5",
}
"""Signs between the words of community data, with an emblem or a number of corners. DejaVu lacks some of them."""
MARK_CODES = {letter: _FIRST_MARK + ord(letter) - ord("A") for letter in PHASES.values()}


def find_sign(name: str) -> str:
    """Return an emblem's or icon's character, or "" if the font lacks it.

    >>> find_sign("shield") == find_sign("shield"), find_sign("no such sign")
    (True, '')
    """
    return read_emblems().get(ICONS.get(name, name), "")


@cache
def read_emblems() -> dict[str, str]:
    letters: dict[str, str] = json.loads(EMBLEM_LIST.read_text(encoding="utf-8"))
    return letters


def find_phase_mark(phase: str) -> str:
    """Return a phase's mark, or "" for other words.

    >>> find_phase_mark("command")
    'Ⓒ'
    """
    return chr(MARK_CODES[PHASES[phase]]) if phase in PHASES else ""
