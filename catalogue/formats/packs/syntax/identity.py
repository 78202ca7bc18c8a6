"""Read emblems and colours."""

import re

from catalogue.definitions.identity import EMBLEMS, Frame, Identity, find_low_contrast, measure_contrast
from catalogue.documents.node import DocumentNode
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.documents.section import Section, ValueType, expect_parsed, key

COLOUR_PATTERN = "^#[0-9a-fA-F]{6}$"
HINT_COLOURS = 'Write the dark one first: ["#0f4237", "#7fe3ab"].'

TwoColours = tuple[str, str]


def _read_colour(text: str) -> str:
    if re.match(COLOUR_PATTERN, text):
        return text.lower()
    raise MalformedValueError(f"“{text}” is not a colour.", 'Write it as "#4d6b2f", in quotes.', "bad-colour")


def _read_emblem(text: str) -> str:
    if text in EMBLEMS:
        return text
    mend = suggest_names(text, sorted(EMBLEMS)) or "docs/schema/pack.schema.json lists them all."
    raise MalformedValueError(f"There is no emblem “{text}”.", mend, "unknown-emblem")


def _read_frame(text: str) -> Frame | None:
    if text in FRAMES:
        return Frame(text)
    mend = suggest_names(text, FRAMES) or f"Write one of {', '.join(FRAMES)}."
    raise MalformedValueError(f"There is no frame “{text}”.", mend, "unknown-frame")


FRAMES = [frame.value for frame in Frame]
FRAME: ValueType[Frame | None] = expect_parsed("frame", _read_frame, None, {"enum": FRAMES})
COLOUR = expect_parsed("colour", _read_colour, "", {"type": "string", "pattern": COLOUR_PATTERN})
EMBLEM = expect_parsed("emblem", _read_emblem, "", {"enum": sorted(EMBLEMS)})


def _read_two_colours(node: DocumentNode, _: object) -> TwoColours | None:
    colours = [item.read(_read_colour, "") for item in node.read_each()]
    if not all(colours):
        return None
    if len(colours) != 2:
        node.report("bad-colour", "An identity has two colours.", HINT_COLOURS)
        return None
    dark, light = colours
    pair = find_low_contrast(dark, light)
    if pair:
        message = f"{pair[0]} on {pair[1]} has a contrast of {measure_contrast(*pair):.1f}, and text needs 4.5."
        node.report("low-contrast", message, HINT_COLOURS)
    return dark, light


COLOURS: ValueType[TwoColours | None] = ValueType(
    "two colours",
    _read_two_colours,
    lambda _: None,
    {"type": "array", "items": COLOUR.schema, "minItems": 2, "maxItems": 2},
)


class IdentitySyntax(Section):
    """Made from the name by default."""

    emblem: str = key("emblem", EMBLEM, "its emblem, one of the bundled icons", common=True)
    colours: TwoColours | None = key(
        "colours",
        COLOURS,
        'a dark and a light colour, in this order: `["#0f4237", "#7fe3ab"]`; text in one must be readable on the other',
        common=True,
    )

    frame: Frame | None = key(
        "frame",
        FRAME,
        "the frame of its printed unit cards: `bar`, `plate` for machines, `arch` for courts or the dead, "
        "`pennon` for knights; by default a faction uses the game's",
        common=True,
    )

    def define(self) -> Identity:
        """Return "" for both colours if there are none."""
        dark, light = self.colours or ("", "")
        return Identity(emblem=self.emblem, dark=dark, light=light, frame=self.frame)
