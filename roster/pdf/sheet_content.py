"""Build an evaluated list's sheet, with problems, citations and game plan as text."""

from dataclasses import replace

from django.utils.translation import gettext as _
from msgspec import structs

from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.identity import choose_frame
from catalogue.models import PackVersion
from catalogue.services.texts import name_book
from roster.engine.plan import GamePlan
from roster.engine.report import group_violations
from roster.models import Roster
from roster.pdf.common_rules import find_shared_rules
from roster.pdf.shapes import Imprint, ListSheet, Rule, SheetPlanLine
from roster.pdf.sheet_model import ERROR, build_sheet_model
from roster.services.deck_board import list_beside_categories, list_card_needs
from roster.services.evaluation import EvaluatedList
from roster.services.plan_board import build_plan_board
from roster.services.plans import NO_REVISION, StoredPlan
from roster.services.rulesets import Publications
from roster.wording import format_citation, format_violation, format_violations, list_plan_lines
from roster.wording.figures import describe_facts, list_reminders
from roster.wording.homebrew import describe_counting_rules

LONGEST_TITLE = 20
"""The most characters of a book's name that every citation repeats."""


class Bibliography:
    """Formats citations; books with long names are numbered."""

    def __init__(self, books: Publications) -> None:
        self._books = books
        self._numbered: dict[str, Publication] = {}

    def format_citation(self, place: Citation) -> str:
        """Return "Reeds and Rust, p. 9", or "[1], p. 9" for a book with a longer name."""
        book = self._books.get(place.publication_id)
        if book is None or len(name_book(book.name)) <= LONGEST_TITLE:
            return format_citation(place, self._books)
        if book.id not in self._numbered:
            number = len(self._numbered) + 1
            self._numbered[book.id] = Publication(id=book.id, name=f"[{number}]")
        return format_citation(place, self._numbered)

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(f"{book.name} {name_book(self._books[key].name)}" for key, book in self._numbered.items())


MOST_LINES = 12
"""More changed values are named on the page of the house rules."""


def _list_rule_facts(evaluated_list: EvaluatedList) -> list[tuple[str, str, str]]:
    rules = describe_counting_rules(evaluated_list)
    if rules is None:
        return []
    author = _("by %(name)s") % {"name": rules.author} if rules.author else ""
    facts = [(_("By house rules"), rules.name, author)]
    facts += [(text, "", source) for text, source in rules.lines[:MOST_LINES]]
    return facts if len(rules.lines) <= MOST_LINES else [*facts, ("…", "", "")]


def build_sheet(evaluated_list: EvaluatedList, imprint: Imprint) -> ListSheet:
    """Build the sheet without its game plan."""
    bibliography = Bibliography(evaluated_list.books)
    force = next(evaluated_list.report.walk_forces(), None)
    catalogue = evaluated_list.ruleset.find_catalogue(force.catalogue_id) if force else None
    system = evaluated_list.ruleset.data.game_system
    frame = (catalogue.identity.frame if catalogue else None) or choose_frame(system.name, system.identity.frame)
    identity = structs.replace(imprint.identity, frame=frame)
    sheet = build_sheet_model(
        evaluated_list.report,
        replace(imprint, identity=identity),
        title=evaluated_list.tree.name or _("A list without a name"),
        problems=zip(
            group_violations(evaluated_list.report.violations), format_violations(evaluated_list), strict=True
        ),
        cite=bibliography.format_citation,
        notes=evaluated_list.tree.notes,
        cards=list_card_needs(evaluated_list.ruleset),
        beside=list_beside_categories(evaluated_list.ruleset),
        settings=evaluated_list.setting_ids,
        shared=find_shared_rules(evaluated_list.ruleset.data),
        play=evaluated_list.ruleset.data.game_system.play,
        facts=[
            (fact.name, fact.value, fact.text.rstrip(".") if fact.reason else "")
            for fact in describe_facts(evaluated_list.report)
        ]
        + _list_rule_facts(evaluated_list),
    )
    reminder_rules = [
        Rule(name=reminder.name, text=(reminder.text,), citation=bibliography.format_citation(reminder.place))
        for reminder in list_reminders(evaluated_list)
    ]
    # After the sheet, because books are numbered in the order in which they are cited.
    return replace(sheet, homebrew=evaluated_list.homebrew, reminders=tuple(reminder_rules), sources=bibliography.lines)


def describe_plan(version: PackVersion, faction_id: str, document: str, game: GamePlan) -> tuple[SheetPlanLine, ...]:
    roster = Roster(version=version, faction_id=faction_id, document=document)
    board = build_plan_board(roster, StoredPlan(game=game, revision=NO_REVISION))
    lines = [SheetPlanLine(label=line.label, values=line.values) for line in list_plan_lines(board)]
    lines += [SheetPlanLine(label=special.name, values=(special.text,)) for special in board.specials]
    for group in group_violations(board.violations):
        sentence = format_violation(group[0], board.evaluated_list.books, times=len(group))
        sign = "✕" if sentence.severity == ERROR else "!"
        lines.append(SheetPlanLine(label=sentence.located_headline, values=(sentence.explanation,), sign=sign))
    return tuple(lines)
