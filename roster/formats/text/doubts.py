"""Turn units into guesses if the list's own sums or names contradict them."""

from collections.abc import Iterator

from roster.formats.text.pasted import Doubt, DoubtKind, LineKind, PastedList, PastedUnit, Reading
from roster.formats.text.words import CLAIM_KEYS, POINTS_WORDS, ClaimKey, is_section_word, simplify_words

FARTHEST_SUM = 5
"""A sum that differs from the stated total by more than a fifth is doubtful."""


def mark_doubts(pasted: PastedList) -> None:
    for line in pasted.lines:
        if line.number in pasted.doubted:
            line.reading = Reading.UNDERSTOOD
    pasted.doubted.clear()
    pasted.doubts = list(find_doubts(pasted))
    lines = {doubt.line for doubt in pasted.doubts}
    # A sum that is far off does not show which units were missed or made up.
    in_all = any(doubt.kind in (DoubtKind.TOTAL, DoubtKind.LIMIT) for doubt in pasted.doubts)
    for line in pasted.lines:
        is_of_unit = line.kind in (LineKind.UNIT, LineKind.OPTION)
        if line.reading is Reading.UNDERSTOOD and (line.number in lines or (in_all and is_of_unit)):
            line.reading = Reading.GUESSED
            pasted.doubted.add(line.number)


def find_doubts(pasted: PastedList) -> Iterator[Doubt]:
    claims, points = pasted.claims, pasted.sum_points()
    if points and claims.total and max(points - claims.total, claims.total - points) * FARTHEST_SUM > claims.total:
        yield Doubt(DoubtKind.TOTAL, stated=claims.total, computed=points)
    elif points and claims.limit and (points - claims.limit) * FARTHEST_SUM > claims.limit:
        yield Doubt(DoubtKind.LIMIT, stated=claims.limit, computed=points)
    for unit in pasted.units:
        if _is_heading(unit):
            yield Doubt(DoubtKind.NAME, line=unit.line, name=unit.name)


def _is_heading(unit: PastedUnit) -> bool:
    words = simplify_words(unit.name)
    is_sum = CLAIM_KEYS.get(words) in (ClaimKey.TOTAL, ClaimKey.LIMIT, ClaimKey.UNITS)
    # `1x Epic Hero (0 pts)` has a count, so it is not a heading.
    return unit.count is None and not unit.items and (is_sum or words in POINTS_WORDS or is_section_word(unit.name))
