"""Build a list's print model from its report."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.missions import PlayBook
from roster.engine.report import Report, Violation
from roster.pdf.common_rules import share_rules
from roster.pdf.datasheets import build_datasheets
from roster.pdf.deck_lists import Cards, build_deck_lists
from roster.pdf.listed_units import ListedUnit
from roster.pdf.paper_text import Money, choose_money, format_figure
from roster.pdf.reference import build_reference
from roster.pdf.shapes import NO_PLAY, Amount, Imprint, ListSheet, UncheckedNote
from roster.pdf.sheet_cards import build_sheet_cards, is_counted, list_units
from roster.pdf.sheet_context import Cite, SheetContext
from roster.pdf.unit_lines import build_blocks
from roster.wording.sentences import format_remark
from roster.wording.violation_text import Sentence

MARKS = "†‡§¶"
ERROR = "error"
NO_CARDS: Cards = {}
NOTHING_SHARED: Mapping[str, str] = {}


def build_sheet_model(
    report: Report,
    imprint: Imprint,
    *,
    title: str,
    problems: Iterable[tuple[Sequence[Violation], Sentence]] = (),
    cite: Cite,
    notes: str = "",
    cards: Cards = NO_CARDS,
    beside: Container[str] = (),
    facts: Iterable[tuple[str, str, str]] = (),
    settings: Container[str] = (),
    shared: Mapping[str, str] = NOTHING_SHARED,
    play: PlayBook = NO_PLAY,
) -> ListSheet:
    """Build a list's sheet.

    `report` must have its effective tree. `problems` are its violations, grouped by equal places, with their sentences.
    `beside` are the categories of cards next to decks. `settings` are ids of root selections that are not units.
    `shared` are labels by rule id.
    """
    # Errors come first, because their numbers are printed next to their units. Equal sentences are printed once.
    sentences: list[Sentence] = []
    numbers: dict[tuple[str, ...], int] = {}
    problem_numbers: dict[str, set[int]] = {}
    for violations, sentence in sorted(problems, key=lambda problem: problem[1].severity != ERROR):
        printed = (sentence.located_headline, sentence.explanation, sentence.citation, sentence.severity)
        if printed not in numbers:
            sentences.append(sentence)
            numbers[printed] = len(sentences)
        if sentence.severity == ERROR:
            for place in chain.from_iterable((violation.on, *violation.cause) for violation in violations):
                problem_numbers.setdefault(place.id, set()).add(numbers[printed])

    unchecked, marks = _collect_notes(report.unchecked, cite)
    context = SheetContext(
        money=choose_money(report.costs),
        cite=cite,
        problem_numbers=problem_numbers,
        marks=marks,
        cards=cards,
        command=report.command.id if report.command else "",
        settings=settings,
        shared=shared,
    )
    units = tuple(list_units(report.forces))
    datasheets, common = share_rules(tuple(build_datasheets(units, context)), many=bool(shared))
    return ListSheet(
        title=title,
        imprint=imprint,
        verdict=report.verdict,
        factions=", ".join(dict.fromkeys(force.catalogue_name for force in report.walk_forces())),
        notes=notes,
        amounts=tuple(_list_amounts(report)),
        facts=tuple(facts),
        units=sum(part.count for part in units if _is_counted(part, beside, context.money)),
        problems=tuple(sentence for sentence in sentences if sentence.severity == ERROR),
        remarks=tuple(sentence for sentence in sentences if sentence.severity != ERROR),
        unchecked=unchecked,
        cost_names=context.money.names,
        blocks=tuple(build_blocks(report.forces, context)),
        cards=tuple(build_sheet_cards(units, context)),
        datasheets=datasheets,
        common=common,
        decks=tuple(build_deck_lists(report.forces, cards, context)),
        rules=build_reference(report.walk_forces(), (part.node for part in units), cite),
        play=play,
    )


def _is_counted(part: ListedUnit, beside: Container[str], money: Money) -> bool:
    node = part.node
    is_beside = any(category.primary and category.id in beside for category in node.categories)
    return not part.host and not is_beside and is_counted(node, money)


def _collect_notes(unchecked: Iterable[Unchecked], cite: Cite) -> tuple[tuple[UncheckedNote, ...], dict[str, str]]:
    """Return each unchecked thing once, and the marks to print next to entries, by entry id."""
    notes: dict[str, UncheckedNote] = {}
    marks: dict[str, str] = {}
    for item in unchecked:
        text = format_remark(item)
        note = notes.get(text) or UncheckedNote(text=text, citation=cite(item.citation))
        # Only notes about an entry need a mark.
        if item.subject_id and not note.mark:
            # †, ‡, §, ¶, ††, ...
            index = sum(bool(other.mark) for other in notes.values())
            mark = MARKS[index % len(MARKS)] * (index // len(MARKS) + 1)
            note = replace(note, citation=cite(item.citation), mark=mark)
        if item.subject_id:
            marks[item.subject_id] = note.mark
        notes[text] = note
    return tuple(notes.values()), marks


def _list_amounts(report: Report) -> Iterator[Amount]:
    visible_costs = [cost for cost in report.shown_costs if cost.value or cost.limit is not None]
    for cost in sorted(visible_costs, key=lambda cost: cost.limit is None):
        value = format_figure(cost.value)
        # A negative limit means none.
        if cost.limit is None or cost.limit < 0:
            yield Amount(name=cost.name, value=value)
        else:
            over = cost.value > cost.limit
            yield Amount(name=cost.name, value=value, limit=format_figure(cost.limit), over=over)
