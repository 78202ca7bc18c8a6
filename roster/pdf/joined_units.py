"""Find leaders that share a frame with the unit that they joined, and write the words between them."""

from collections.abc import Sequence

from roster.pdf.listed_units import ListedUnit, compute_own_costs
from roster.pdf.paper_text import format_figure
from roster.pdf.shapes import Datasheet
from roster.pdf.sheet_context import SheetContext
from roster.wording import cards as words
from roster.wording.figures import describe_attachment

SheetPair = tuple[Sequence[ListedUnit], Datasheet]
"""Equal units and their datasheet."""
BODYGUARD = "toughness characteristic of the bodyguard"
"""In the rule for leaders of games in which attacks use the Toughness of the unit that is led."""
TOUGHNESS = "T"


def write_seams(pairs: Sequence[SheetPair], context: SheetContext) -> dict[int, str]:
    """Write the words between a leader and the next unit, by the leader's place.

    Neither may be several equal units. Several leaders of a unit follow each other.
    """
    targets = _find_targets(pairs)
    seams: dict[int, str] = {}
    for place, target in targets.items():
        bond = describe_attachment(pairs[place][0][0].node.attachments[0])
        first = place
        while targets.get(first - 1) == target:
            first -= 1
        members = pairs[first : place + 2]
        is_last = place + 1 not in targets
        together = _add_costs(members, context) if is_last else ""
        seams[place] = words.format_seam(bond, together, _find_toughness(members) if is_last else "")
    return seams


def _find_targets(pairs: Sequence[SheetPair]) -> dict[int, str]:
    """Return the ids of joined units, by the place of the leader directly before them."""
    ids = [group[0].node.id if len(group) == 1 and group[0].count == 1 else "" for group, _sheet in pairs]
    targets: dict[int, str] = {}
    # Backwards, because a leader may be before another leader of its unit.
    for place in reversed(range(len(pairs) - 1)):
        attachments = pairs[place][0][0].node.attachments if ids[place] else ()
        are_printed = all(sheet.says_something for _group, sheet in pairs[place : place + 2])
        if len(attachments) == 1 and are_printed and attachments[0].to.id in (ids[place + 1], targets.get(place + 1)):
            targets[place] = attachments[0].to.id
    return dict(sorted(targets.items()))


def _add_costs(members: Sequence[SheetPair], context: SheetContext) -> str:
    money = context.money
    total = sum(money.get_main_amount(compute_own_costs(group[0].node)) for group, _sheet in members)
    return f"{format_figure(total)} {money.names[0]}" if total else ""


def _find_toughness(members: Sequence[SheetPair]) -> str:
    """Return the led unit's Toughness if the leader's rules say that attacks use it."""
    *leaders, (_group, unit) = members
    rules = (rule for _leaders, sheet in leaders for rule in (*sheet.abilities, *sheet.common))
    if unit.profile is None or not any(BODYGUARD in rule.text.casefold() for rule in rules):
        return ""
    figures = {dict(zip(unit.profile.heads, row.cells, strict=True)).get(TOUGHNESS, "") for row in unit.profile.rows}
    return figures.pop() if len(figures) == 1 else ""
