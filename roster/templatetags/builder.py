"""Small words of the builder's pages: numbers, counters, prices and what a unit has, on one line."""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.numbers import Number, format_number
from catalogue.services.texts import fold_text
from roster import wording
from roster.engine.effective_tree import UNCATEGORISED_ID
from roster.engine.report import Violation
from roster.pdf.shapes import SheetRow, SheetTable
from roster.services.board import Board, ChoiceGroup, OptionChoice, SlotCounter, UnitOffer, UnitRow

register = template.Library()


@register.filter("figure")
def format_figure(value: Number | None) -> str:
    """Format a number as people write it.

    >>> format_figure(Decimal("2.50"))
    '2.5'
    """
    return "" if value is None else format_number(value)


@register.filter("dom_token")
def make_dom_token(entry_id: str, node_id: str = "") -> str:
    """Make a short name for the page from ids that may hold any character."""
    return f"{zlib.crc32(f'{node_id} {entry_id}'.encode()):x}"


@register.filter("slot_counter")
def format_slot_counter(slot: SlotCounter) -> str:
    """Format what a slot holds and may hold: "3 of 2", "1, at least 2"; "0 of 25" where exactly so many are asked."""
    measured = format_number(slot.measured)
    if slot.min is not None and slot.measured < slot.min and slot.min != slot.max:
        return _("%(n)s, at least %(min)s") % {"n": measured, "min": format_number(slot.min)}
    if slot.max is None:
        return measured
    return _("%(n)s of %(max)s") % {"n": measured, "max": format_number(slot.max)}


@register.filter("slot_state")
def classify_slot(slot: SlotCounter) -> str:
    """Return `over`, `short`, `full` or `open`; a slot for nothing that holds nothing is not called `full`.

    Too many where more of something else would mend it is said as softly as the verdict does: `short`.
    """
    if slot.state == "over" and slot.violation and slot.violation.mendable:
        return "short"
    return "open" if slot.state == "full" and not slot.measured else slot.state


@register.filter("without_empty_type_slot")
def drop_empty_type_slot(slots: Iterable[SlotCounter]) -> list[SlotCounter]:
    """Leave out the slot for units of no type where it is empty."""
    return [slot for slot in slots if slot.id != UNCATEGORISED_ID or slot.measured]


@register.filter("unit_summary")
def summarize_unit(unit: UnitRow) -> str:
    """Say what a unit has, on one line: "6 models · Net throwers, 2 × Bell"."""
    words = [f"{word.number} × {word.name}" if word.number > 1 else word.name for word in unit.options]
    models = ngettext("%d model", "%d models", unit.models) % unit.models if unit.models > 1 else ""
    cards = "" if unit.cards is None else ngettext("%d card", "%d cards", unit.cards) % unit.cards
    return " · ".join(part for part in (models, cards, ", ".join(words)) if part)


@register.filter("choice_price")
def format_choice_price(choice: OptionChoice) -> str:
    """Format what one more costs: "+3", "−2" or "free"; nothing without points or where there is no more."""
    if choice.points is None or choice.control == "fixed":
        return ""
    if not choice.points:
        return _("free")
    return f"+{format_number(choice.points)}" if choice.points > 0 else f"−{format_number(-choice.points)}"


@register.filter
def is_group(item: OptionChoice | ChoiceGroup) -> bool:
    return isinstance(item, ChoiceGroup)


@register.filter("required_count_label")
def describe_required_count(item: OptionChoice | ChoiceGroup) -> str:
    """Say how many a group or an option wants: "choose 1", "1 to 3", "up to 2"; blank where nothing is to say."""
    least, most = item.min, item.max
    if isinstance(item, OptionChoice) and (most == 1 or item.control == "fixed"):
        return ""
    if most is None:
        return _("at least %s") % format_number(least) if least > 0 else ""
    if least == most:
        return _("choose %s") % format_number(most)
    if least > 0:
        return _("%(min)s to %(max)s") % {"min": format_number(least), "max": format_number(most)}
    return _("up to %s") % format_number(most)


@register.filter("points_left_label")
def describe_points_left(board: Board) -> str:
    """Say how many points are left to spend, or how many are too many."""
    remaining = board.left or Decimal(0)
    if remaining < 0:
        return _("%s too many") % format_number(-remaining)
    return _("%s left") % format_number(remaining)


@register.filter("is_blocked_for_good")
def is_blocked_for_good(unit: UnitOffer) -> bool:
    """Tell whether one more would break a rule that further picks cannot mend."""
    return unit.blocked is not None and not unit.blocked.mendable


@register.filter("blocked_reason")
def explain_block(blocked: Violation) -> str:
    """Say in one line why something cannot be taken, or what it would ask for."""
    return wording.explain_block(blocked)


@register.filter("without_empty_rows")
def drop_empty_rows(tables: Iterable[SheetTable]) -> list[SheetTable]:
    """Profile tables without the lines that say nothing."""
    shortened_tables = [
        replace(table, rows=tuple(row for row in table.rows if _has_text(row))) for table in tables
    ]
    return [table for table in shortened_tables if table.rows]


@register.filter("has_words")
def has_words(text: str) -> bool:
    """Tell whether a cell says anything but a dash."""
    return bool(text.strip("–- "))


def _has_text(row: SheetRow) -> bool:
    return any(has_words(cell.text) for cell in row.cells)


@register.filter("is_closed")
def is_choice_closed(choice: OptionChoice) -> bool:
    """Tell whether a choice cannot be made as things are: it is not taken, and a rule says no."""
    return not choice.taken and (choice.blocked is not None or choice.max == 0)


@register.filter("closed_reason")
def explain_closed_group(group: ChoiceGroup) -> str:
    """Say why nothing of a group can be taken as things stand; blank where something can, or is."""
    if group.max != 0 or group.count or not group.items:
        return ""
    return group.note or next(_collect_group_reasons(group), "") or _("Not as things stand.")


def _collect_group_reasons(group: ChoiceGroup) -> Iterator[str]:
    for item in group.items:
        if isinstance(item, ChoiceGroup):
            yield from _collect_group_reasons(item)
        elif item.note or item.blocked:
            yield item.note or (wording.explain_block(item.blocked) if item.blocked else "")


@register.filter("search_text_for")
def get_search_text(unit: UnitOffer, texts: Mapping[str, str]) -> str:
    """Return the words a search finds an offer by: its name, type, gear and abilities."""
    return texts.get(unit.entry_id) or fold_text(unit.name)
