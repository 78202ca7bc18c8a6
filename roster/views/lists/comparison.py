import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.definitions.constraints import Severity
from catalogue.views.decorators import allow
from catalogue.views.responses import render_form
from roster import wording
from roster.engine.report import Violation, group_violations
from roster.models import Roster, RosterRevision
from roster.services.edits import find_revision
from roster.services.history import get_revision_name
from roster.services.owners import Visitor, identify_visitor
from roster.services.rosters import find_owned_roster, find_readable_roster, list_rosters
from roster.services.sharing import is_redacted_for
from roster.services.upgrade_data import ComparedList, Comparison, compare_lists, evaluate_compared_list
from roster.views.list_rows import build_list_rows
from roster.views.requests import find_own_roster, parse_whole_number

MOST_LISTS = 3
MOST_OTHERS = 100
_ADDRESS = re.compile(r"/(?:r|rosters)/([\w-]+)/?")


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    kind: str
    text: str


@allow("GET")
def compare_revisions(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    sides: list[RosterRevision] = []
    for side in ("a", "b"):
        number = parse_whole_number(request.GET.get(side, "") or str(roster.head))
        revision = find_revision(roster, number) if number else None
        if revision is None:
            raise Http404
        sides.append(revision)
    comparison = compare_lists(*(evaluate_compared_list(revision, roster.faction_id) for revision in sides))
    context = {
        "roster": roster,
        "game": roster.version.game,
        "sides": [(revision, get_revision_name(revision)) for revision in sides],
        **describe_comparison(comparison),
    }
    return render(request, "roster/compare_revisions.html", context)


@allow("GET")
def compare_two_lists(request: HttpRequest) -> HttpResponse:
    """Compare two lists, given as `list` twice by any address; ask for a missing one."""
    visitor = identify_visitor(request)
    texts = [text for text in request.GET.getlist("list")[:MOST_LISTS] if text.strip()]
    if not texts:
        raise Http404
    # Users may paste a whole address or only its last part.
    matches = [(text, _ADDRESS.search(text)) for text in texts]
    addresses = [match.group(1) if match else text.strip() for text, match in matches]
    given = [_find_comparable_list(visitor, address) for address in addresses]
    before, after = given[0], given[-1]
    context: dict[str, Any] = {"first": before, "game": before.version.game, "address": addresses[0]}
    if len(given) == 2 and before.version.game_id == after.version.game_id:
        comparison = compare_lists(
            evaluate_compared_list(before, before.faction_id),
            evaluate_compared_list(after, after.faction_id),
            one_list=False,
        )
        sides = build_list_rows([before, after])
        shared = {unit.name for unit in sides[0].units} & {unit.name for unit in sides[1].units}
        context |= {"sides": sides, "shared": shared, **describe_comparison(comparison)}
        return render(request, "roster/compare_lists.html", context)

    wrong = ""
    if len(given) > 2:
        wrong = _("Choose two lists to compare.")
    elif len(given) == 2:
        wrong = _("Only lists of the same game can be compared.")
    same_game = list_rosters(visitor).filter(version__game=before.version.game_id).exclude(pk=before.pk)
    context |= {"others": list(same_game[:MOST_OTHERS]), "wrong": wrong}
    return render_form(request, "roster/compare_lists.html", context)


def _find_comparable_list(visitor: Visitor, address: str) -> Roster:
    try:
        return find_owned_roster(address, visitor)
    except Roster.DoesNotExist:
        pass
    try:
        roster = find_readable_roster(address, visitor)
    except Roster.DoesNotExist:
        raise Http404 from None
    # A comparison would reveal the contents of a secret list.
    if is_redacted_for(roster, visitor):
        raise Http404
    return roster


def describe_comparison(comparison: Comparison) -> Mapping[str, Any]:
    verdicts = []
    for evaluated_list in (comparison.before.evaluated_list, comparison.after.evaluated_list):
        word = (
            _("Empty")
            if evaluated_list.is_empty
            else wording.get_verdict_word(evaluated_list.verdict, evaluated_list.homebrew)
        )
        verdicts.append(("empty" if evaluated_list.is_empty else evaluated_list.verdict.value, word))
    return {
        "comparison": comparison,
        "summary": wording.summarize_comparison(comparison),
        "lines": [DifferenceLine(kind.value, text) for kind, text in wording.describe_differences(comparison)],
        "costs": [
            (cost, wording.format_signed(cost.more) if cost.more else "")
            for cost in comparison.costs
            if cost.before or cost.after
        ],
        "missing": list(map(wording.describe_missing, comparison.missing)),
        "verdicts": verdicts,
        "new": _format_errors(comparison.new, comparison.after),
        "gone": _format_errors(comparison.gone, comparison.before),
    }


def _format_errors(violations: Iterable[Violation], compared: ComparedList) -> list[wording.Sentence]:
    errors = (violation for violation in violations if violation.severity is Severity.ERROR)
    books = compared.evaluated_list.books
    return [wording.format_violation(group[0], books, times=len(group)) for group in group_violations(errors)]
