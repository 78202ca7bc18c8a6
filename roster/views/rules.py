"""The rule ledger: what the books ask of lists, and what of it is carried out."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.services.shelf import shown_games
from catalogue.views.methods import allow
from catalogue.views.respond import asked
from roster.services.ledger import Gap, Ledger, LedgerClause, LedgerRule, State, read_ledger
from roster.wording import format_citation


@dataclass(frozen=True, slots=True)
class Row:
    """A rule as the page shows it."""

    rule: LedgerRule
    cited: str
    state: str
    kind: str
    stage: str
    clauses: tuple["ClauseRow", ...]


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """A clause as the page shows it; `gap` says why it does not count, blank where it does."""

    judged: LedgerClause
    gap: str


@allow("GET")
def games(request: HttpRequest) -> HttpResponse:
    shown = [(game, read_ledger(game.shown)) for game in shown_games().order_by("example", "name", "edition")]
    tallies = [(game, ledger.tally, len(ledger.rules)) for game, ledger in shown if ledger.rules]
    return render(request, "roster/ledgers.html", {"page": "rules", "games": tallies})


@allow("GET")
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    game = get_object_or_404(shown_games(), slug=slug)
    found = read_ledger(game.shown)
    chosen = {key: asked(request, key) for key in ("q", "kind", "stage", "state")}
    context = {
        "page": "rules",
        "game": game,
        "ledger": found,
        "tally": [(state, _state(state), found.tally[state]) for state in _states(found)],
        "rows": list(_rows(found, chosen)),
        "chosen": chosen,
        "kinds": [(kind.value, _kind(kind)) for kind in RuleKind],
        "stages": [(stage.value, _stage(stage)) for stage in RuleStage],
        "states": [(state.value, _state(state)) for state in _states(found)],
    }
    template = "roster/rules.html#rows" if request.headers.get("HX-Request") else "roster/rules.html"
    answer = render(request, template, context)
    answer["Vary"] = "HX-Request"
    return answer


def _states(shown: Ledger) -> list[State]:
    """Return the states to choose from; unproven is one only where the worked lists were not judged."""
    return [state for state in State if state is not State.UNPROVEN or shown.tally[state]]


def _rows(found: Ledger, chosen: dict[str, str]) -> Iterator[Row]:
    """The rules that fit what was chosen; what is no choice chooses nothing."""
    words = chosen["q"].lower().split()
    for rule in found.rules:
        entry = rule.entry
        known = {"kind": entry.kind.value, "stage": entry.stage.value, "state": rule.state.value}
        clauses = " ".join(clause.clause.text for clause in rule.clauses)
        text = f"{entry.id} {entry.name} {entry.text} {entry.reading} {entry.caveat} {clauses}".lower()
        fits = all(chosen[key] in ("", value) for key, value in known.items())
        if fits and all(word in text for word in words):
            yield Row(
                rule,
                format_citation(entry.citation, found.books),
                _state(rule.state),
                _kind(entry.kind),
                _stage(entry.stage),
                tuple(ClauseRow(clause, _gap(clause.gap)) for clause in rule.clauses),
            )


def _state(state: State) -> str:
    return {
        State.IMPLEMENTED: _("Implemented"),
        State.PARTLY: _("Partly implemented"),
        State.OPEN: _("Not implemented"),
        State.SHOWN: _("To know"),
        State.UNPROVEN: _("Not judged"),
    }[state]


def _kind(kind: RuleKind) -> str:
    return {
        RuleKind.HARD: _("must be kept"),
        RuleKind.SOFT: _("advice"),
        RuleKind.SHOW: _("to know"),
    }[kind]


def _stage(stage: RuleStage) -> str:
    return {
        RuleStage.LIST: _("the list"),
        RuleStage.MATCH: _("the match"),
        RuleStage.SETUP: _("setting up"),
        RuleStage.PLAY: _("in play"),
        RuleStage.PRINT: _("on paper"),
    }[stage]


def _gap(gap: Gap) -> str:
    return {
        Gap.NONE: "",
        Gap.DECLARED: _("Not carried out yet."),
        Gap.UNBROKEN: _("No worked list shows it broken."),
        Gap.UNKEPT: _("No worked list shows it kept."),
        Gap.BOTH: _("No worked list is about it."),
        Gap.UNJUDGED: _("Its worked lists have not been judged here yet."),
    }[gap]
