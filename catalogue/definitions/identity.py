"""Emblems and colours of games and factions, derived from the name if the data has none."""

from collections.abc import Iterable, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from enum import StrEnum
from functools import cache, lru_cache
from hashlib import sha256
from unicodedata import category

from msgspec.structs import replace

from catalogue.definitions.base import Definition

_EMBLEM_NAMES = """
    alien-bug angel-outfit angel-wings anvil apc autogun battle-mech battle-tank blade-fall brain brain-stem
    brain-tentacle breaking-chain bullseye burning-book cannon cannon-shot capitol card-draw cavalry centipede
    charging-bull circuitry coins crossed-pistols crossed-sabres crossed-swords crosshair crowned-skull
    crystal-shine cubes daemon-skull death-skull dinosaur-rex dodging dragon-head duality-mask earth-worm
    eclipse-flare field-gun fire-shrine fireball flag-objective flamer floating-crystal flying-dagger galaxy
    gear-hammer griffin-shield hammer-drop hearts heavy-helm heron hiking hood hooded-assassin hourglass
    imperial-crown insect-jaws jeep jet-fighter knight-banner laser-blast laurel-crown laurels-trophy
    lightning-arc lion masked-spider medal minigun mining mounted-knight move one-eyed pikeman
    plague-doctor-profile plain-circle pocket-bow poker-hand power-lightning prayer rank-3 raven ray-gun reed
    ribbon-medal ringed-planet robot-helmet rolling-dices run saber-slash samurai-helmet scarab-beetle
    scroll-unfurled scythe shield-reflect skeletal-hand skull-shield skull-staff spartan-helmet spinning-blades
    spyglass star-swirl stone-tower stopwatch sun-priest sunrise tank tattered-banner tentacles-skull
    throne-king tree-face triceratops-head trophy visored-helm vortex warlord-helmet water-mill whirlwind
    winchester-rifle winged-sword wingfoot wizard-staff wolf-head worm-mouth
"""
EMBLEMS = frozenset(_EMBLEM_NAMES.split())
"""The files in `static/icons/emblems`."""

FACTION_EMBLEMS = (
    *("alien-bug", "angel-wings", "anvil", "battle-mech", "brain-tentacle", "breaking-chain", "burning-book"),
    *("capitol", "cavalry", "circuitry", "crossed-sabres", "crossed-swords", "crowned-skull", "crystal-shine"),
    *("daemon-skull", "dinosaur-rex", "dragon-head", "duality-mask", "eclipse-flare", "fireball", "galaxy"),
    *("gear-hammer", "griffin-shield", "heron", "hooded-assassin", "imperial-crown", "insect-jaws", "knight-banner"),
    *("lion", "mining", "power-lightning", "raven", "ringed-planet", "robot-helmet", "samurai-helmet"),
    *("scarab-beetle", "skull-shield", "spartan-helmet", "star-swirl", "stone-tower", "sunrise", "tentacles-skull"),
    *("tree-face", "vortex", "warlord-helmet", "whirlwind", "winged-sword", "wizard-staff", "wolf-head"),
)
"""For factions without an emblem. The order must not change: names choose by position."""

SLOT_EMBLEMS = (
    (("supreme commander",), "imperial-crown"),
    (("hq", "command", "leader", "lord", "hero", "character"), "rank-3"),
    (("transport",), "apc"),
    (("fast", "cavalry", "mounted", "rider", "biker"), "wingfoot"),
    (("heavy", "artillery"), "cannon"),
    (("flyer", "aircraft", "flier"), "jet-fighter"),
    (("troop", "core", "battleline", "infantry", "line"), "spartan-helmet"),
    (("elite", "special", "veteran"), "crossed-swords"),
    (("vehicle", "tank", "walker"), "tank"),
    (("monster", "beast", "behemoth"), "triceratops-head"),
    (("fortification", "terrain", "scenery"), "stone-tower"),
)
"""The first match counts."""

NO_SLOT_EMBLEM = "plain-circle"

ACTION_EMBLEMS = (
    (("crystal",), "floating-crystal"),
    (("charg", "energy", "surge", "lightning"), "power-lightning"),
    (("combat", "attack", "fight", "stab"), "crossed-swords"),
    (("shoot", "aim", "focus", "vision", "foresight"), "crosshair"),
    (("defense", "defence", "armor", "armour", "shield", "guard"), "shield-reflect"),
    (("dodge", "evade"), "dodging"),
    (("move", "walk", "leap", "teleport", "initiative"), "run"),
    (("roll", "repeat"), "rolling-dices"),
    (("portal", "way"), "vortex"),
    (("revenge", "death", "wound", "blood", "dark"), "death-skull"),
    (("herb", "sprout", "green", "synthesis", "harvest"), "reed"),
)
"""Searched in the names or costs of actions. The first match counts."""

LIGHT_SURFACE, DARK_SURFACE = "#e8e6e0", "#22262c"
"""The darkest surface of light pages and the lightest of dark ones. Colours must be readable on both."""
AA_CONTRAST = 4.5
SEAT_HUES = 8

DARK_SHADES, LIGHT_SHADES = range(30, 0, -1), range(70, 100)
"""Percentages, liveliest first."""


class Frame(StrEnum):
    """The edge of unit cards: a plain bar, or a shape for machines, courts or heraldry."""

    BAR = "bar"
    PLATE = "plate"
    ARCH = "arch"
    PENNON = "pennon"


class Identity(Definition):
    """An emblem, drawn as `light` on `dark`. Lines are `dark` by day and `light` by night.

    `frame` is only for printed cards; a faction without one has the game's.
    """

    emblem: str = ""
    dark: str = ""
    light: str = ""
    frame: Frame | None = None

    @property
    def accents(self) -> tuple[str, str]:
        """Return the colours for light and dark pages."""
        return self.dark, self.light


UNKNOWN = Identity()


@lru_cache(maxsize=4096)
def identify(name: str, identity: Identity = UNKNOWN) -> Identity:
    """Derive missing parts from the name.

    >>> identify("Necrons") == identify("Necrons")
    True
    >>> identify("Necrons", Identity(emblem="scarab-beetle")).emblem
    'scarab-beetle'
    """
    # Not `hash`, which differs between processes.
    digest = sha256(name.casefold().encode()).digest()
    hue = int.from_bytes(digest[:2]) / 0xFFFF
    has_colours = bool(identity.dark and identity.light)
    dark = identity.dark if has_colours else _find_shade(hue, DARK_SHADES, LIGHT_SURFACE)
    return Identity(
        emblem=identity.emblem or FACTION_EMBLEMS[int.from_bytes(digest[2:4]) % len(FACTION_EMBLEMS)],
        dark=dark,
        light=identity.light if has_colours else _find_shade(hue, LIGHT_SHADES, DARK_SURFACE, dark),
        frame=identity.frame,
    )


@cache
def list_seat_colours() -> list[tuple[str, str]]:
    """Return colours for seats without any, evenly spaced over all hues."""
    hues = (place / SEAT_HUES for place in range(SEAT_HUES))
    shades = ((hue, _find_shade(hue, DARK_SHADES, LIGHT_SURFACE)) for hue in hues)
    return [(dark, _find_shade(hue, LIGHT_SHADES, DARK_SURFACE, dark)) for hue, dark in shades]


def tell_seats_apart(seats: Sequence[Identity]) -> list[Identity]:
    """Give a seat without colours, or with an earlier seat's, the hue farthest from all others."""
    taken = {seat.accents for seat in seats if seat.dark}
    told_apart: list[Identity] = []
    for seat in seats:
        if not seat.dark or any(seat.accents == other.accents for other in told_apart):
            dark, light = max(list_seat_colours(), key=lambda colours: _measure_hue_distance(colours, taken))
            taken.add((dark, light))
            seat = replace(seat, dark=dark, light=light)
        told_apart.append(seat)
    return told_apart


def _measure_hue_distance(colours: tuple[str, str], others: Iterable[tuple[str, str]]) -> float:
    distances = (abs(_measure_hue(colours[0]) - _measure_hue(dark)) for dark, _light in others)
    return min((min(distance, 1 - distance) for distance in distances), default=1)


def _measure_hue(colour: str) -> float:
    return rgb_to_hls(*_read_channels(colour))[0]


def choose_frame(game: str, frame: Frame | None = None) -> Frame:
    """Return a game's frame, derived from its name if the data has none.

    >>> choose_frame("Age of Sigmar", Frame.ARCH) is Frame.ARCH, choose_frame("Fen") is choose_frame("Fen")
    (True, True)
    """
    frames = tuple(Frame)
    return frame or frames[sha256(game.casefold().encode()).digest()[4] % len(frames)]


def shorten_faction_name(name: str) -> str:
    """Remove a grand alliance or an ornament from the start of a name.

    >>> shorten_faction_name("Xenos - Necrons"), shorten_faction_name("T'au Empire")
    ('Necrons', "T'au Empire")
    >>> shorten_faction_name("\u06de Envoys"), shorten_faction_name("\u06de")
    ('Envoys', '\u06de')
    """
    plain_name = name.rpartition(" - ")[2].strip()
    # Community data sorts with such signs, which our fonts lack.
    while plain_name and category(plain_name[0]) == "So":
        plain_name = plain_name[1:].lstrip()
    return plain_name or name


@lru_cache(maxsize=4096)
def find_slot_emblem(name: str) -> str:
    """Return an emblem that suits a slot or unit type.

    >>> find_slot_emblem("Heavy Support"), find_slot_emblem("Configuration")
    ('cannon', 'plain-circle')
    """
    return _find_word_emblem(SLOT_EMBLEMS, name) or NO_SLOT_EMBLEM


@lru_cache(maxsize=4096)
def find_action_emblem(words: str) -> str:
    """Return an emblem that suits an action on a card, or "".

    >>> find_action_emblem("Move and Combat"), find_action_emblem("Paid in crystal"), find_action_emblem("Junk")
    ('crossed-swords', 'floating-crystal', '')
    """
    return _find_word_emblem(ACTION_EMBLEMS, words)


def _find_word_emblem(emblems_by_signs: tuple[tuple[tuple[str, ...], str], ...], phrase: str) -> str:
    words = phrase.casefold()
    return next((emblem for signs, emblem in emblems_by_signs if any(sign in words for sign in signs)), "")


def find_low_contrast(dark: str, light: str) -> tuple[str, str] | None:
    """Return the first colour pair with too little contrast."""
    pairs = (dark, light), (dark, LIGHT_SURFACE), (light, DARK_SURFACE)
    return next((pair for pair in pairs if measure_contrast(*pair) < AA_CONTRAST), None)


def measure_contrast(first: str, second: str) -> float:
    """Return the WCAG 2.2 contrast of two colours, from 1 to 21.

    >>> measure_contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((_measure_luminance(first), _measure_luminance(second)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=4096)
def _measure_luminance(colour: str) -> float:
    channels = _read_channels(colour)
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _read_channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _find_shade(hue: float, lightnesses: range, *grounds: str) -> str:
    # No single lightness suits all hues: a readable blue may be lighter than a readable yellow.
    for lightness in lightnesses:
        shade = "#" + "".join(f"{round(value * 255):02x}" for value in hls_to_rgb(hue, lightness / 100, 0.55))
        if all(measure_contrast(shade, ground) >= AA_CONTRAST for ground in grounds):
            return shade
    raise ValueError(f"no shade of the hue {hue} can be read on {' and '.join(grounds)}")
