"""Style sheets take their sizes of type from the six in tokens.css."""

import re
from pathlib import Path

STYLES = Path(__file__).parents[2] / "static" / "css"
SIZES = {"--t-s": 13, "--t-m": 15, "--t-l": 18, "--t-xl": 24, "--t-2xl": 34, "--t-3xl": 56}
"""Pixels of each size at a desk."""
DECLARED = re.compile(r"(?<![\w-])font(?:-size)?:\s*([^;}]+)")
FROM_TOKENS = re.compile(r"var\(--t-(s|m|l|xl|2xl|3xl)\)|\binherit\b")
OTHERS = {
    ("api-docs.css", "400 .9375rem/1.42 var(--text)"),  # the page of a library: its rem is 16 pixels
    ("base.css", "400 93.75%/var(--lh) var(--text)"),  # makes a rem 15 pixels
    ("base.css", "600 1em var(--text)"),
    ("gallery.css", "800 calc(var(--d) * .4)/1 var(--display)"),  # the letters of an emblem grow with it
    ("print.css", "10pt"),
    ("tokens.css", "87.5%"),  # a rem is 14 pixels in compact lists
}


def test_every_size_of_type_is_one_of_six() -> None:
    declared = {
        (style.name, value.strip())
        for style in STYLES.glob("*.css")
        if style.name != "fonts.css"
        for value in DECLARED.findall(style.read_text(encoding="utf-8"))
    }
    assert {entry for entry in declared if not FROM_TOKENS.search(entry[1])} == OTHERS


def test_the_six_sizes_are_those_of_the_design() -> None:
    first_rule = (STYLES / "tokens.css").read_text(encoding="utf-8").split("\n}", 1)[0]
    sizes = re.findall(r"(--t-\w+): (?:calc\((\d+)rem / 15\)|(1)rem);", first_rule)
    assert {name: int(pixels or 15) for name, pixels, _rem in sizes} == SIZES
