"""A list's decks, for its owner."""

from dataclasses import dataclass
from itertools import chain
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.urls import reverse

from catalogue.definitions.constraints import Severity
from catalogue.services.search import split_words
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest, redirect_after_post, render_page
from roster import wording
from roster.engine.completion.solver import is_solver_installed
from roster.engine.report import PlaceKind
from roster.models import Roster
from roster.services.deck_board import build_deck_board
from roster.services.deck_shapes import CardRow
from roster.services.evaluation import EvaluatedList
from roster.services.faces import load_faction
from roster.services.outcomes import Conflict, ConflictingRevision, Outcome, Refused
from roster.templatetags.builder import make_dom_token
from roster.views.builder.editor import apply_form, render_conflict, take_form_way
from roster.views.builder.responses import LONGEST_ID, PageNotice
from roster.views.forms import TypedField, TypedForm, make_choices
from roster.views.requests import find_own_roster
from roster.views.verdict_presenter import ViolationItem, build_violation_item, format_tally

SHOWN = ("", "mine", "free")
"""All cards, cards in the deck, and cards that still have copies left."""


class DeckViewForm(TypedForm):
    deck = TypedField(LONGEST_ID)
    q = TypedField(LONGEST_ID)
    show = forms.ChoiceField(choices=make_choices(*SHOWN), required=False)
    entry = TypedField()
    node = TypedField()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckView:
    """`about` is the id of a form's card."""

    deck: str = ""
    q: str = ""
    show: str = ""
    about: str = ""

    @classmethod
    def read_fields(cls, given: QueryDict) -> "DeckView":
        fields = DeckViewForm(given).read_fields()
        about = fields["entry"] or fields["node"]
        return cls(deck=fields["deck"], q=fields["q"], show=fields.get("show", ""), about=about)

    def includes(self, row: CardRow) -> bool:
        if self.show == "mine":
            return row.number > 0
        return self.show != "free" or not row.off

    @property
    def narrow(self) -> bool:
        return bool(self.q.strip() or self.show)

    @property
    def query(self) -> str:
        given = {name: getattr(self, name) for name in ("deck", "q", "show") if getattr(self, name)}
        return urlencode(given)


def render_deck(
    request: HtmxRequest,
    roster: Roster,
    view: DeckView,
    *,
    evaluated_list: EvaluatedList | None = None,
    status: int = 200,
    notes: tuple[PageNotice, ...] = (),
) -> HttpResponse:
    board = build_deck_board(roster, evaluated_list, node_id=view.deck)
    faces = load_faction(roster.version_id, roster.faction_id)
    errors = sum(violation.severity is Severity.ERROR for violation in board.violations)
    whole = board.evaluated_list.verdict

    # Hide cards and emptied groups, as the script does.
    groups = board.sheet.groups if board.sheet else ()
    words = split_words(view.q)
    rows = chain.from_iterable(group.cards for group in groups)
    hidden = {row.own_id for row in rows if not (view.includes(row) and all(word in row.search for word in words))}
    emptied = [group for group in groups if hidden.issuperset(row.own_id for row in group.cards)]

    # Errors first; the place is named unless it is the list.
    items: dict[ViolationItem, None] = {}
    for violation in sorted(board.violations, key=lambda violation: list(Severity).index(violation.severity)):
        place = "" if violation.on.kind is PlaceKind.ROSTER else violation.on.name
        sentence = wording.format_violation(violation, board.evaluated_list.books, place)
        items[build_violation_item(violation, sentence, board.evaluated_list.ruleset)] = None
    context = {
        "board": board,
        "roster": roster,
        "game": roster.version.game,
        "faces": faces,
        "faction": faces.name,
        "page_address": reverse("roster:deck", args=[roster.public_id]),
        "looking": view,
        "hidden_cards": hidden,
        "hidden_groups": {group.id for group in emptied if group.cards},
        "none_found": view.narrow and len(emptied) == len(groups),
        "why": tuple(items),
        "word": wording.get_verdict_word(board.verdict, board.evaluated_list.homebrew),
        "tally": format_tally(board.verdict, errors),
        "whole": whole,
        "whole_word": wording.get_verdict_word(whole, board.evaluated_list.homebrew),
        "csrf_token": get_token(request),
        "can_fill": is_solver_installed(),
        "part": bool(request.htmx),
    }
    # A fragment would use up another page's messages.
    if notes or request.htmx:
        context["messages"] = notes
    return render_page(request, "roster/deck.html", context, "changed", status=status)


@allow("GET", "POST")
def edit_deck(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return render_deck(request, roster, DeckView.read_fields(request.GET))
    return _answer_outcome(request, roster, apply_form(roster, request.POST))


@allow("POST")
def fill_deck(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    return _answer_outcome(request, roster, take_form_way(roster, request.POST))


def _answer_outcome(request: HtmxRequest, roster: Roster, outcome: Outcome) -> HttpResponse:
    view = DeckView.read_fields(request.POST)
    if isinstance(outcome, Conflict | ConflictingRevision):
        return render_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        notes = (PageNotice(message=wording.explain_refusal(outcome), level_tag="error"),)
        status = BAD_FORM if outcome.code == "bad-change" else REFUSED
        return render_deck(request, roster, view, status=status, notes=notes)
    if request.htmx:
        return render_deck(request, roster, view, evaluated_list=outcome.evaluated_list)
    # A long deck would start at the top again.
    anchor = f"c-{make_dom_token(view.about)}"
    return redirect_after_post("roster:deck", outcome.roster.public_id, query=view.query, anchor=anchor)
