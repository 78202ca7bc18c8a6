"""From a report to what stands on paper. Pure: values in, values out."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from catalogue.definitions.catalogues import Unchecked
from roster.engine.report import EffectiveForce, Report
from roster.pdf.deck_lists import Cards, deck_lists
from roster.pdf.ledger import blocks_of
from roster.pdf.listed_units import UNIT, Part
from roster.pdf.paper_text import figure, money_of
from roster.pdf.reference import reference
from roster.pdf.shapes import Amount, Imprint, Note, Problem, Sheet
from roster.pdf.sheet_context import Cite, Context
from roster.pdf.unit_cards import cards_of, units_of

MARKS = "†‡§¶"
ERROR = "error"
NO_CARDS: Cards = {}


def sheet_model(
    report: Report,
    imprint: Imprint,
    *,
    title: str,
    problems: Iterable[Problem] = (),
    cite: Cite,
    notes: str = "",
    cards: Cards = NO_CARDS,
    beside: Container[str] = (),
    facts: Iterable[tuple[str, str, str]] = (),
) -> Sheet:
    """The sheet of a list.

    `report` has to come with its effective tree. `problems` are its violations in words, `cite` makes a citation
    readable, `cards` are those that decks of the game may hold, `beside` the categories of what lies beside decks and
    is no unit, `facts` what the list is known by, in words.
    """
    numbered = _numbered(problems)
    unchecked, marks = _notes(report.unchecked, cite)
    errors = [problem for problem in numbered if problem.severity == ERROR]
    context = Context(
        money=money_of(report.costs),
        cite=cite,
        problems=errors,
        marks=marks,
        cards=cards,
        command=report.command.id if report.command else "",
    )
    units = tuple(units_of(report.forces))
    return Sheet(
        title=title,
        imprint=imprint,
        verdict=report.verdict,
        factions=", ".join(dict.fromkeys(force.catalogue_name for force in _all(report.forces))),
        notes=notes,
        amounts=tuple(_amounts(report)),
        facts=tuple(facts),
        units=sum(part.count for part in units if _counts(part, beside)),
        problems=tuple(errors),
        remarks=tuple(problem for problem in numbered if problem.severity != ERROR),
        unchecked=unchecked,
        cost_names=context.money.names,
        blocks=tuple(blocks_of(report.forces, context)),
        cards=tuple(cards_of(units, context)),
        decks=tuple(deck_lists(report.forces, cards, context)),
        rules=reference(_all(report.forces), (part.node for part in units), cite),
    )


def _all(forces: Iterable[EffectiveForce]) -> list[EffectiveForce]:
    return [inner for force in forces for inner in (force, *_all(force.forces))]


def _counts(part: Part, beside: Container[str]) -> bool:
    """Whether a unit counts towards the number that a force starts with: add-ons and banners do not."""
    if part.host or any(c.primary and c.id in beside for c in part.node.categories):
        return False
    return part.node.type in (UNIT, "model") or part.node.placeholder


def _numbered(problems: Iterable[Problem]) -> Sequence[Problem]:
    """Errors first, each with the number that stands beside the units concerned; those that say the same are one."""
    told: dict[Problem, dict[str, None]] = {}
    for problem in sorted(problems, key=lambda problem: problem.severity != ERROR):
        told.setdefault(replace(problem, places=()), {}).update(dict.fromkeys(problem.places))
    return [
        replace(problem, number=number, places=tuple(places))
        for number, (problem, places) in enumerate(told.items(), 1)
    ]


def _notes(unchecked: Iterable[Unchecked], cite: Cite) -> tuple[tuple[Note, ...], dict[str, str]]:
    """What was not checked, each text once, and the mark to print beside an entry, by its id."""
    notes: dict[str, Note] = {}
    marks: dict[str, str] = {}
    for item in unchecked:
        known = notes.get(item.text)
        if known is None or (item.subject_id and not known.mark):
            mark = _mark(sum(1 for note in notes.values() if note.mark)) if item.subject_id else ""
            known = notes[item.text] = Note(text=item.text, citation=cite(item.citation), mark=mark)
        if item.subject_id:
            marks[item.subject_id] = known.mark
    return tuple(notes.values()), marks


def _mark(index: int) -> str:
    """†, ‡, §, ¶, ††, ..."""
    return MARKS[index % len(MARKS)] * (index // len(MARKS) + 1)


def _amounts(report: Report) -> Iterable[Amount]:
    shown = [cost for cost in report.shown_costs if cost.value or cost.limit is not None]
    for cost in sorted(shown, key=lambda cost: cost.limit is None):
        over = cost.limit is not None and 0 <= cost.limit < cost.value
        limit = "" if cost.limit is None or cost.limit < 0 else figure(cost.limit)
        yield Amount(name=cost.name, value=figure(cost.value), limit=limit, over=over)
