from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, read_query, render_page
from roster.services.ledger import Gap, Ledger, LedgerClause, LedgerRule, State, read_ledger, read_outlook_shares
from roster.wording import format_citation


@dataclass(frozen=True, slots=True)
class LedgerRuleRow:
    rule: LedgerRule
    cited: str
    state: str
    kind: str
    stage: str
    clauses: tuple["LedgerClauseRow", ...]


@dataclass(frozen=True, slots=True)
class LedgerClauseRow:
    """`gap` says why the clause does not count, or is ""."""

    ledger_clause: LedgerClause
    gap: str


@allow("GET")
def list_ledgers(request: HttpRequest) -> HttpResponse:
    ledgers = [
        (game, read_ledger(game.shown_version)) for game in select_games().order_by("example", "name", "edition")
    ]
    tallies = [(game, ledger.tally, len(ledger.rules)) for game, ledger in ledgers if ledger.rules]
    names = {game.slug: str(game) for game, _ in ledgers}
    shares = [(names.get(share.id, share.name), share) for share in read_outlook_shares()]
    return render(request, "roster/ledgers.html", {"page": "rules", "games": tallies, "shares": shares})


@allow("GET")
def show_ledger(request: HtmxRequest, slug: str) -> HttpResponse:
    game = get_object_or_404(select_games(), slug=slug)
    rule_ledger = read_ledger(game.shown_version)
    chosen = {key: read_query(request, key) for key in ("q", "kind", "stage", "state")}
    # Rules are unproven only if the worked lists were not evaluated.
    states = [state for state in State if state is not State.UNPROVEN or rule_ledger.tally[state]]
    context = {
        "page": "rules",
        "game": game,
        "ledger": rule_ledger,
        "tally": [(state, _name_state(state), rule_ledger.tally[state]) for state in states],
        "rows": list(_filter_rules(rule_ledger, chosen)),
        "chosen": chosen,
        "kinds": [(kind.value, _name_kind(kind)) for kind in RuleKind],
        "stages": [(stage.value, _name_stage(stage)) for stage in RuleStage],
        "states": [(state.value, _name_state(state)) for state in states],
    }
    return render_page(request, "roster/rules.html", context, "rows")


def _filter_rules(rule_ledger: Ledger, chosen: dict[str, str]) -> Iterator[LedgerRuleRow]:
    """Filter rules; unknown filter values match everything."""
    words = chosen["q"].lower().split()
    for rule in rule_ledger.rules:
        entry = rule.entry
        values = {"kind": entry.kind.value, "stage": entry.stage.value, "state": rule.state.value}
        clauses = " ".join(clause.clause.text for clause in rule.clauses)
        text = f"{entry.id} {entry.name} {entry.text} {entry.reading} {entry.caveat} {clauses}".lower()
        is_chosen = all(chosen[key] in ("", value) for key, value in values.items())
        if not is_chosen or not all(word in text for word in words):
            continue
        yield LedgerRuleRow(
            rule,
            format_citation(entry.citation, rule_ledger.books),
            _name_state(rule.state),
            _name_kind(entry.kind),
            _name_stage(entry.stage),
            tuple(LedgerClauseRow(clause, _explain_gap(clause.gap)) for clause in rule.clauses),
        )


def _name_state(state: State) -> str:
    return {
        State.IMPLEMENTED: _("Implemented"),
        State.PARTLY: _("Partly implemented"),
        State.OPEN: _("Not implemented"),
        State.SHOWN: _("Good to know"),
        State.UNPROVEN: _("Not judged"),
    }[state]


def _name_kind(kind: RuleKind) -> str:
    return {RuleKind.HARD: _("must be kept"), RuleKind.SOFT: _("advice"), RuleKind.SHOW: _("good to know")}[kind]


def _name_stage(stage: RuleStage) -> str:
    return {
        RuleStage.LIST: _("the list"),
        RuleStage.MATCH: _("the match"),
        RuleStage.SETUP: _("setting up"),
        RuleStage.PLAY: _("in play"),
        RuleStage.PRINT: _("on paper"),
    }[stage]


def _explain_gap(gap: Gap) -> str:
    return {
        Gap.NONE: "",
        Gap.DECLARED: _("Not implemented yet."),
        Gap.UNBROKEN: _("No example list breaks it."),
        Gap.UNKEPT: _("No example list keeps it."),
        Gap.BOTH: _("No example list covers it."),
        Gap.UNJUDGED: _("Its example lists have not been checked here yet."),
    }[gap]
