from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, read_query, redirect_after_post, render_page
from roster.events import wording
from roster.events.models import Event, LatePass, Participant, Submission, SubmissionStatus, Team
from roster.events.models.checking import Audience, Offence, PenaltyState
from roster.events.models.event import ListVerdict
from roster.events.services import bench
from roster.events.services.access import EventStanding, filter_assigned, is_checker, may_manage_list, may_see_list
from roster.events.services.audit import LOOK, list_acts, list_looks, name_person, record_act, record_look
from roster.events.services.events import drop_player
from roster.events.services.exports import export_event, write_event_json, write_event_tables
from roster.events.services.submissions import find_last_verdict, list_faulty_units
from roster.events.services.teams import DoubledArmy, find_doubled_army, list_doubled, weigh_verdict
from roster.events.views.access import answer_blind, find_player, get_person, open_bench, open_event, open_settings
from roster.events.views.forms import ListActForm, ManyListsForm
from roster.services.outcomes import Refused
from roster.views.requests import parse_whole_number
from roster.wording.api_payload import group_serialized

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPanel:
    player: Participant
    submission: Submission | None
    report: dict[str, Any] = field(default_factory=dict)
    verdict: str = ""
    unreadable: str = ""
    earlier: Sequence[Submission] = ()
    comments: Sequence[Any] = ()
    penalties: Sequence[Any]
    assignments: Sequence[Any]
    mine: Container[int]
    late_pass: LatePass | None
    looks: int
    proposed: str = ""
    faulty: Sequence[str] = ()
    doubled: DoubledArmy | None

    @property
    def word(self) -> str:
        return wording.describe_verdict(self.verdict, self.report)

    @property
    def lacks_comparison(self) -> bool:
        """Whether the changes are unknown because the list or the locked list is unreadable."""
        locked = self.player.locked
        if locked is None or self.submission is None or locked == self.submission:
            return False
        return not (locked.document and self.submission.document)


@allow("GET")
def show_bench(request: HtmxRequest, public_id: str) -> HttpResponse:
    standing = open_bench(request, public_id)
    if hidden := answer_blind(request, standing):
        return hidden
    words = read_query(request, "q")
    record_look(standing.event, standing.user, "search" if words else "entries", words)
    context = build_bench(request, standing)
    # htmx sends the target as an id or as `div#panel`.
    if request.htmx and (request.htmx.target or "").endswith("panel"):
        return render(request, "events/bench.html#panel", context)
    return render_page(request, "events/bench.html", context, "table")


FILTERS = ("q", "state", "team", "checker")


def build_bench(request: HttpRequest, standing: EventStanding) -> dict[str, Any]:
    event = standing.event
    query = {name: read_query(request, name) for name in FILTERS}
    bench_filter = bench.BenchFilter(
        words=query["q"], state=query["state"], team=query["team"], checker=query["checker"]
    )
    columns = ("status", "verdict", "left_open", "late_seconds", "dropped", "current_id", "event_id")
    counted = list(event.participants.only(*columns))
    doubled = list_doubled(event)
    rows = bench.filter_entries(bench.list_entries(event), bench_filter, doubled)
    page = Paginator(rows, ROWS_AT_ONCE).get_page(request.GET.get("page"))
    at = read_query(request, "at")
    return {
        "page": "events",
        "event": event,
        "standing": standing,
        "counts": bench.count_entries(counted),
        "seen": max((entry.current_id or 0 for entry in counted), default=0),
        "teams": event.teams.all() if event.is_team else (),
        "checkers": bench.list_checkers(event),
        "assignees": list_assignees(event),
        "acceptable": bench.list_acceptable(event).count(),
        "rows": list(page.object_list),
        "doubled": doubled,
        "page_obj": page,
        "wanted": bench_filter,
        "query": urlencode({name: value for name, value in request.GET.items() if name in FILTERS and value}),
        "at": at,
        "panel": _open_panel(standing, at) if at else None,
        "offences": Offence.choices,
        "choices": list_states(event),
        "acts": True,
        "inside": True,
    }


def list_assignees(event: Event) -> list[tuple[str, str]]:
    roles = bench.filter_seeing(event).select_related("user__player_name")
    people = [(f"person-{role.user_id}", name_person(role.user)) for role in roles]
    teams = event.teams.all() if event.is_team else ()
    return people + [(f"team-{team.pk}", team.name) for team in teams]


def list_states(event: Event) -> list[tuple[str, str]]:
    return [
        (bench.TO_CHECK, _("To check")),
        *((value, str(word)) for value, word in SubmissionStatus.choices if value != SubmissionStatus.NEW),
        *((value, str(word)) for value, word in ListVerdict.choices),
        (bench.UNCHECKED, _("To check by hand")),
        (bench.LATE, _("Late")),
        ("uncovered", _("Unrequested changes")),
        *([(bench.DOUBLED, _("Army twice"))] if event.is_team else ()),
    ]


@allow("GET")
def export(request: HttpRequest, public_id: str, ending: str) -> HttpResponse:
    standing = open_settings(request, public_id)
    if ending not in ("json", "zip"):
        raise Http404
    if hidden := answer_blind(request, standing):
        return hidden
    exported = export_event(standing.event, get_person(request))
    name = f"{slugify(standing.event.name) or 'event'}.{ending}"
    content = write_event_json(exported) if ending == "json" else write_event_tables(exported)
    disposition = f'attachment; filename="{name}"'
    headers = {"Content-Disposition": disposition, "Cache-Control": "private, no-store"}
    return HttpResponse(content, content_type=f"application/{ending}", headers=headers)


def _open_panel(standing: EventStanding, public_id: str) -> ListPanel:
    player = find_player(standing, public_id)
    if not may_see_list(standing, player):
        raise Http404
    if player.current is not None:
        record_act(standing.event, standing.user, LOOK, player, detail=player.current.short_hash)
    return build_panel(player, standing)


def build_panel(player: Participant, standing: EventStanding) -> ListPanel:
    is_inside = may_manage_list(standing, player) or standing.is_judge
    submission = player.current
    doubled = find_doubled_army(player, player.faction) if is_inside else None
    mine = filter_assigned(player.assignments.all(), standing)
    assignments = player.assignments.all() if standing.is_judge else mine
    panel = ListPanel(
        player=player,
        submission=submission,
        penalties=list(player.penalties.all()),
        assignments=list(assignments.select_related("checker__player_name", "team")),
        mine=set(mine.values_list("pk", flat=True)),
        late_pass=LatePass.objects.filter(participant=player).first() if standing.is_judge else None,
        looks=list_looks(player).count(),
        doubled=doubled,
    )
    if submission is not None:
        last = find_last_verdict(submission)
        panel = replace(
            panel,
            report=last.report,
            verdict=weigh_verdict(last.verdict, doubled),
            unreadable=wording.explain_unread_list(last.report),
            proposed=propose_message(player, last.report),
            faulty=list_faulty_units(submission),
        )
    if is_inside:
        comments = player.comments.select_related("author__player_name")
        panel = replace(
            panel,
            earlier=[one for one in player.submissions.all()[:6] if one.pk != player.current_id],
            comments=list(comments if standing.is_judge else comments.filter(audience=Audience.PLAYER)),
        )
    return panel


def propose_message(player: Participant, report: dict[str, Any]) -> str:
    lines = []
    for violation, number in group_serialized(report.get("violations", ())):
        sentence = violation["sentence"]
        times = f"{number} × " if number > 1 else ""
        lines.append(" ".join(filter(None, (f"{times}{sentence['headline']}.", sentence["detail"]))))
    if player.differs_in_points:
        claimed = _("Your list claims %(claimed)s points and costs %(points)s.")
        lines.append(claimed % {"claimed": player.claimed, "points": player.points})
    return "\n".join(lines)


# ---- acts on one list ------------------------------------------------------------------------------------------------

Fields = Mapping[str, Any]
DECISIONS = {"accept": SubmissionStatus.ACCEPTED, "return": SubmissionStatus.RETURNED, "undo": SubmissionStatus.NEW}
ACTS_OF_ORGANISERS = frozenset({"late-pass", "withdraw-pass", "drop", "take-back"})
"""Actions for organisers only."""


@allow("POST")
def act_on_list(request: HtmxRequest, public_id: str, player: str) -> HttpResponse:
    """Perform the action `do`. A checker who is not a helper can only finish the check."""
    standing = open_event(request, public_id)
    entry = find_player(standing, player)
    fields = ListActForm(request.POST, standing.event.timezone).read_fields()
    if standing.is_judge:
        is_allowed = not standing.is_blind and may_see_list(standing, entry)
    else:
        is_allowed = fields["do"] == "checked" and is_checker(standing, entry)
    if not is_allowed:
        raise Http404
    outcome = _act_on_entry(standing, entry, get_person(request), fields)
    if isinstance(outcome, Refused):
        messages.error(request, wording.explain_refusal(outcome))
    if not standing.is_judge:
        return redirect_after_post("events:event", standing.event.public_id)
    query = f"{fields['query']}&at={fields['next'] or player}".lstrip("&")
    return redirect_after_post("events:bench", public_id, query=query)


def _act_on_entry(standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    do, reason = fields["do"], fields["reason"]
    if do in ACTS_OF_ORGANISERS and not standing.is_organiser:
        return Refused(code="bad-change")
    match do:
        case "accept" | "return" | "undo":
            return bench.decide_list(entry, person, DECISIONS[do], reason, fields["cover"], fields["number"] or 0)
        case "comment":
            return bench.add_comment(entry, person, fields["audience"], fields["text"])
        case "late-pass":
            expires = fields["expires"]
            return bench.give_late_pass(entry, person, expires) if expires else Refused(code="bad-moment")
        case "withdraw-pass":
            return bench.withdraw_late_pass(entry, person)
        case "drop" | "take-back":
            return drop_player(entry, person, dropped=do == "drop")
        case "checked":
            mine = filter_assigned(entry.assignments.all(), standing).filter(done=None).first()
            return bench.finish_assignment(mine, person, fields["remark"]) if mine else Refused(code="bad-change")
    return _act_on_penalty(entry, person, fields)


def _act_on_penalty(entry: Participant, person: User, fields: Fields) -> object:
    do, points, reason = fields["do"], fields["points"], fields["reason"]
    if do == "suggest":
        return bench.suggest_penalties(entry, person)
    if do == "penalty":
        severity, rule = fields["severity"], fields["rule"]
        return bench.add_penalty(entry, person, fields["offence"], points, reason, severity=severity, rule=rule)

    penalty = entry.penalties.filter(pk=fields["penalty"]).first()
    if penalty is None:
        return Refused(code="bad-change")
    penalty.participant = entry
    match do:
        case "confirm":
            return bench.decide_penalty(penalty, person, PenaltyState.CONFIRMED, points)
        case "dismiss":
            return bench.decide_penalty(penalty, person, PenaltyState.DISMISSED, points)
        case "withdraw":
            return bench.withdraw_penalty(penalty, person, reason)
    return Refused(code="bad-change")


# ---- acts on many ----------------------------------------------------------------------------------------------------


@allow("POST")
def act_on_many(request: HtmxRequest, public_id: str) -> HttpResponse:
    standing = open_bench(request, public_id)
    if standing.is_blind:
        raise Http404
    event = standing.event
    fields = ManyListsForm(request.POST, event.timezone).read_fields()
    ticked = fields["list"]
    match fields["do"]:
        case "accept-legal":
            ids = list(bench.list_acceptable(event).values_list("public_id", flat=True))
            _decide_many(request, event, {**fields, "list": ids}, SubmissionStatus.ACCEPTED)
        case "accept":
            _decide_many(request, event, fields, SubmissionStatus.ACCEPTED)
        case "return":
            _decide_many(request, event, fields, SubmissionStatus.RETURNED)
        case "assign":
            roles = bench.filter_seeing(event).filter(user_id__in=fields["checker"]).select_related("user")
            people = [role.user for role in roles]
            teams = event.teams.filter(pk__in=fields["checking_team"])
            _give_out(request, event, ticked or list_unaccepted(event), [*people, *teams], fields["due"])
        case "assign-ticked" if ticked:
            _give_out(request, event, ticked, _find_assignees(event, fields["to"]), fields["due"])
        case "assign-ticked":
            messages.error(request, wording.explain_refusal(Refused(code="none-ticked")))
        case _:
            messages.error(request, wording.explain_refusal(Refused(code="bad-change")))
    return redirect_after_post("events:bench", public_id, query=fields["query"])


def _decide_many(request: HttpRequest, event: Event, fields: Fields, status: str) -> None:
    seen = fields["seen"] or 0
    done, refused = bench.decide_many(event, get_person(request), fields["list"], status, fields["reason"], seen)
    if done:
        messages.success(request, ngettext("%d list decided.", "%d lists decided.", done) % done)
    for code, names in refused.items():
        left = _("Nothing was done for: %(names)s.") % {"names": ", ".join(names[:10])}
        messages.error(request, f"{wording.explain_refusal(Refused(code=code))} {left}")


def _find_assignees(event: Event, named: str) -> Sequence[User | Team]:
    kind, _dash, written = named.partition("-")
    key = parse_whole_number(written) or 0
    if kind == "person":
        return [role.user for role in bench.filter_seeing(event).filter(user_id=key).select_related("user")]
    return list(event.teams.filter(pk=key)) if kind == "team" else []


def _give_out(
    request: HttpRequest, event: Event, ids: Sequence[str], checkers: Sequence[User | Team], due: datetime | None
) -> None:
    outcome = bench.assign_lists(event, get_person(request), ids, checkers, due)
    if isinstance(outcome, Refused):
        messages.error(request, wording.explain_refusal(outcome))
        return
    messages.success(request, ngettext("%d list given out.", "%d lists given out.", len(outcome)) % len(outcome))


def list_unaccepted(event: Event) -> list[str]:
    waiting = event.participants.exclude(status=SubmissionStatus.ACCEPTED).filter(current__isnull=False)
    return list(waiting.values_list("public_id", flat=True))


@allow("GET")
def show_audit(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_settings(request, public_id)
    acts = list_acts(standing.event, blind=standing.is_blind)
    page = Paginator(acts, 100).get_page(request.GET.get("page"))
    rows = [(record, wording.ACTS.get(record.act, record.act)) for record in page.object_list]
    context = {"page": "events", "event": standing.event, "rows": rows, "page_obj": page, "standing": standing}
    return render(request, "events/audit.html", context)


@allow("GET")
def show_checks(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_bench(request, public_id)
    event = standing.event
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "waiting": bench.list_open_assignments(event),
        "progress": bench.count_checks(event),
        "now": timezone.now(),
        "roles": bench.filter_seeing(event).select_related("user__player_name"),
        "teams": event.teams.all(),
        "wrong_points": event.participants.exclude(claimed="").exclude(claimed=F("points")).count(),
        "verdicts": ListVerdict.choices,
    }
    return render(request, "events/checks.html", context)
