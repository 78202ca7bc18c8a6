import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.identity import find_action_emblem
from catalogue.definitions.numbers import Number, format_number
from catalogue.templatetags.emblems import render_base, render_emblem
from roster import wording
from roster.engine.effective_tree import UNCATEGORISED_ID
from roster.engine.report import CostTotal, Violation
from roster.pdf.shapes import SheetTable
from roster.services.board import (
    AttachmentControl,
    ChoiceGroup,
    ForceOffer,
    OpenedUnit,
    OptionChoice,
    SlotCounter,
    UnitRow,
)
from roster.services.board.shapes import DetachmentRow, UnitOffer
from roster.services.deck_shapes import CardRow
from roster.services.faces import UnitFace

register = template.Library()

MOST_PLACES = 12
LONGEST_COST = 3
_DETACHMENT = re.compile(r" Detachment(?=$| \d+$)")


@register.filter("figure")
def format_figure(value: Number | None) -> str:
    """Format a number for readers.

    >>> from decimal import Decimal
    >>> format_figure(Decimal("2.50"))
    '2.5'
    """
    return "" if value is None else format_number(value)


@register.filter("dom_token")
def make_dom_token(entry_id: str, node_id: str = "") -> str:
    """Make a short page id of ids that may contain any characters."""
    return f"{zlib.crc32(f'{node_id} {entry_id}'.encode()):x}"


@register.filter("slot_counter")
def format_slot_counter(slot: SlotCounter | None) -> str:
    """Format a slot's count and bounds: "2 / 3–6", "3 / 6" or ""."""
    if slot is None or not (slot.measured or slot.max or slot.min):
        return ""
    measured, least, most = format_figure(slot.measured), format_figure(slot.min), format_figure(slot.max)
    if not slot.max:
        return f"{measured} / {least}+" if least else measured
    return f"{measured} / {most}" if least in ("", most) else f"{measured} / {least}–{most}"


@register.filter("slot_room")
def describe_slot_room(slot: SlotCounter) -> str:
    """Describe the bounds of an empty slot: "2 needed, 3 at most", "1 needed", "up to 6"."""
    least, most = format_figure(slot.min), format_figure(slot.max)
    if slot.min and slot.max and slot.min != slot.max:
        return _("%(min)s needed, %(max)s at most") % {"min": least, "max": most}
    if slot.min:
        return _("%s needed") % least
    return _("up to %s") % most if slot.max else ""


@register.filter("pips")
def render_pips(slot: SlotCounter) -> SafeString:
    """Render a slot's places as dots, or nothing if they are too many."""
    return mark_safe("".join(f'<i class="pip {kind}"></i>' for kind in _list_places(slot)))  # noqa: S308 - our own words


@register.filter("empty_bases")
def render_empty_bases(slot: SlotCounter) -> SafeString:
    emblem = render_emblem(slot.emblem)
    kinds = _list_places(slot) or ["may"]
    return format_html_join("", '<span class="base empty {}">{}</span>', ((kind, emblem) for kind in kinds))


def _list_places(slot: SlotCounter) -> list[str]:
    """Return the kinds of a slot's places: `in` for taken, `over` for too many, `must`, `may`."""
    taken, least, most = int(slot.measured), int(slot.min or 0), slot.max
    room = max(taken, least) if most is None else int(most)
    if max(taken, least, room) > MOST_PLACES:
        return []
    # A surplus unit never fills a required place.
    fitting = taken if most is None else min(taken, room)
    kinds = ["in"] * fitting + ["over"] * (taken - fitting)
    kinds += ["must"] * max(0, least - taken)
    return kinds + ["may"] * max(0, room - max(taken, least))


@register.simple_tag(name="unit_base")
def render_unit_base(face: UnitFace, taken: int) -> SafeString:
    return render_base(face.emblem, "slot in" if taken else "slot", taken or None)


@dataclass(frozen=True, slots=True)
class FaceHalf:
    """One of the actions on a card, with its cost. `about` are other figures on the card."""

    name: str
    cost: str
    about: str = ""

    @property
    def emblem(self) -> str:
        return find_action_emblem(self.about or self.name)


@register.filter("halves")
def split_card(card: CardRow) -> list[FaceHalf]:
    names, figures = card.name.split(" / "), list(card.figures)
    # A name may contain a slash without naming two actions.
    if len(figures) < len(names) or any(len(value) > LONGEST_COST for _, value in figures[: len(names)]):
        return [FaceHalf(card.name, "", ", ".join(f"{column} {value}" for column, value in figures))]
    others = ", ".join(f"{column} {value}" for column, value in figures[len(names) :])
    halves = [FaceHalf(name, value) for name, (_, value) in zip(names, figures, strict=False)]
    return [*halves[:-1], replace(halves[-1], about=others)]


@register.filter("state_class")
def get_state_class(state: str) -> str:
    return {"legal": "ok", "incomplete": "todo", "illegal": "no"}.get(state, "none")


@register.filter("cost_room")
def describe_cost_room(cost: CostTotal) -> str:
    """Describe how much of a cost is left: "3 of 6 left", "2 over"."""
    if cost.limit is None:
        return format_number(cost.value)
    if cost.value > cost.limit:
        return _("%s over") % format_number(cost.value - cost.limit)
    left = {"left": format_number(cost.limit - cost.value), "limit": format_number(cost.limit)}
    return _("%(left)s of %(limit)s left") % left


@register.filter("slot_state")
def classify_slot(slot: SlotCounter) -> str:
    """Return `over`, `short`, `full` or `open`. An empty slot is not `full`.

    A slot with too many is `short` if more of something else would fix it.
    """
    match slot.state:
        case "over" if slot.violation and slot.violation.mendable:
            return "short"
        case "full" if not slot.measured:
            return "open"
    return slot.state


@register.filter("without_empty_type_slot")
def drop_empty_type_slot(slots: Iterable[SlotCounter]) -> list[SlotCounter]:
    return [slot for slot in slots if slot.measured or (slot.id != UNCATEGORISED_ID and (slot.min or slot.max))]


@register.filter("unit_summary")
def summarize_unit(unit: UnitRow) -> str:
    """Return "6 models · Net throwers, 2 × Bell"."""
    parts = []
    models, cards = unit.models, unit.cards
    if models > 1:
        parts.append(ngettext("%d model", "%d models", models) % models)
    if cards is not None:
        parts.append(ngettext("%d card", "%d cards", cards) % cards)
    options = [f"{number} × {name}" if number > 1 else name for name, number in unit.options.items()]
    if options:
        parts.append(", ".join(options))
    return " · ".join(parts)


@register.filter("choice_price")
def format_choice_price(choice: OptionChoice) -> str:
    """Return "+3", "−2", "2 Detachment Points", "free" or ""."""
    if choice.control == "fixed":
        return ""
    prices = [format_named_cost(cost) for cost in choice.other_costs]
    if choice.points:
        prices.insert(0, format_signed(choice.points, plus="+"))
    if prices:
        return ", ".join(prices)
    return "" if choice.points is None or choice.control == "radio" else _("free")


def format_named_cost(cost: CostTotal) -> str:
    """Return "2 Detachment Points"."""
    return f"{format_signed(cost.value)} {cost.name.strip()}"


def format_signed(value: Number, *, plus: str = "") -> str:
    """Format a number with a true minus sign, and with `plus` before a positive number.

    >>> format_signed(-2), format_signed(3, plus="+")
    ('−2', '+3')
    """
    return f"{plus}{format_number(value)}" if value > 0 else f"−{format_number(-value)}"


def format_offer_price(unit: UnitOffer) -> str:
    if not unit.points and unit.other_costs:
        return ", ".join(map(format_named_cost, unit.other_costs))
    return format_figure(unit.points)


@register.filter("stack_title")
def name_stack(opened: OpenedUnit, choice: OptionChoice) -> str:
    has_control = opened.counter is not None and len(choice.inside) > 1
    return opened.name if has_control or opened.number == 1 else f"{opened.number} × {opened.name}"


@register.filter("stack_number")
def number_stack(choice: OptionChoice, number: int) -> str:
    """Return a suffix, ", 2", that tells the controls of several stacks apart."""
    return f", {number}" if len(choice.inside) > 1 else ""


@register.filter("detachment_label")
def label_detachment(name: str) -> str:
    """Shorten a detachment's name for pages. Other programs need the full name.

    >>> label_detachment("Battalion Detachment 2")
    'Battalion 2'
    """
    return _DETACHMENT.sub("", name)


@register.filter("detachment_title")
def choose_detachment_title(detachment: DetachmentRow) -> str:
    is_named = detachment.name != detachment.data_name
    return detachment.name if is_named else label_detachment(detachment.name)


@register.filter("group_forces")
def group_forces(forces: Iterable[ForceOffer]) -> list[tuple[str, list[tuple[str, ForceOffer]]]]:
    """Group detachments by a shared prefix: "Auxiliary - Heavy Support" is an Auxiliary."""
    rows = list(forces)
    heads = Counter(force.name.partition(" - ")[0] for force in rows if " - " in force.name)
    groups: dict[str, list[tuple[str, ForceOffer]]] = {"": []}
    for force in rows:
        head, _between, rest = force.name.partition(" - ")
        title, name = (head, rest) if rest and heads[head] > 1 else ("", force.name)
        groups.setdefault(title, []).append((name, force))
    return [(title, members) for title, members in groups.items() if members]


@register.filter("attachment_name")
def name_attachment_control(control: AttachmentControl) -> str:
    return wording.name_control(control.name)


@register.filter
def is_group(item: OptionChoice | ChoiceGroup) -> bool:
    return isinstance(item, ChoiceGroup)


@register.filter("required_count_label")
def describe_required_count(item: OptionChoice | ChoiceGroup) -> str:
    """Return "choose 1", "1 to 3", "up to 2" or ""."""
    least, most = item.min, item.max
    is_single = isinstance(item, OptionChoice) and (item.max == 1 or item.control == "fixed")
    if most == 0 or is_single:
        return ""
    if most is None:
        return _("At least %s") % format_number(least) if least > 0 else ""
    if least == most:
        return _("Choose %s") % format_number(most)
    if least > 0:
        return _("%(min)s to %(max)s") % {"min": format_number(least), "max": format_number(most)}
    return _("Up to %s") % format_number(most)


@register.filter("points_left")
def describe_points_left(points: CostTotal | None) -> str:
    """Describe how much of a limit is left: "205 left", "15 over"; "" without a limit."""
    if points is None or points.limit is None:
        return ""
    remaining = points.limit - points.value
    if remaining < 0:
        return _("%s over") % format_number(-remaining)
    if not remaining:
        return _("nothing left")
    return _("%s left") % format_number(remaining)


@register.filter("blocked_reason")
def shorten_block(blocked: Violation, taken: int = 0) -> str:
    """Say briefly why something cannot be taken, or what it would require."""
    return wording.shorten_block(blocked, taken)


@register.filter("blocked_sentence")
def explain_block(blocked: Violation) -> str:
    return wording.explain_block(blocked)


@register.filter("without_empty_rows")
def drop_empty_rows(tables: Iterable[SheetTable]) -> list[SheetTable]:
    shortened_tables = []
    for table in tables:
        rows = tuple(row for row in table.rows if any(has_words(cell.text) for cell in row.cells))
        if rows:
            shortened_tables.append(replace(table, rows=rows))
    return shortened_tables


@register.filter("has_words")
def has_words(text: str) -> bool:
    return bool(text.strip("–- "))


@register.filter("is_closed")
def is_choice_closed(choice: OptionChoice) -> bool:
    # A taken choice stays open, so that it can be removed.
    return not choice.taken and (choice.blocked is not None or choice.max == 0)


@register.filter("closed_reason")
def explain_closed_group(group: ChoiceGroup) -> str:
    """Say why nothing in a group can be taken now, or return ""."""
    if group.max != 0 or group.count or not group.items:
        return ""
    return group.note or next(_collect_group_reasons(group), "") or _("Not available right now.")


def _collect_group_reasons(group: ChoiceGroup) -> Iterator[str]:
    for item in group.items:
        if isinstance(item, ChoiceGroup):
            yield from _collect_group_reasons(item)
        elif item.note or item.blocked:
            yield item.note or (wording.explain_block(item.blocked) if item.blocked else "")
