"""The bench: all lists of an event in one table, one of them beside it, and what can be done with them."""

from collections.abc import Callable, Container, Mapping, Sequence
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
from roster.events.models import Event, LatePass, Participant, Penalty, Submission, SubmissionStatus, Team
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

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPanel:
    """One player's list beside the table: its verdict, what changed, what was said, what it costs."""

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
        """The verdict in a word."""
        return str(ListVerdict(self.verdict).label) if self.verdict else _("No list")

    @property
    def lacks_comparison(self) -> bool:
        """Whether this corrects a locked list and nobody can say what changed, as one of the two is unreadable."""
        locked = self.player.locked
        if locked is None or self.submission is None or locked == self.submission:
            return False
        return not (locked.document and self.submission.document)


@allow("GET")
def show_bench(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Show all lists of an event; `at` names the one that is beside them."""
    standing = open_bench(request, public_id)
    if hidden := answer_blind(request, standing):
        return hidden
    words = read_query(request, "q")
    record_look(standing.event, standing.user, "search" if words else "entries", words)
    context = build_bench(request, standing)
    # The element is named by its id alone or as `div#panel`, as the library of the page has it.
    if request.htmx and (request.htmx.target or "").endswith("panel"):
        return render(request, "events/bench.html#panel", context)
    return render_page(request, "events/bench.html", context, "table")


FILTERS = ("q", "state", "team", "checker")


def build_bench(request: HttpRequest, standing: EventStanding) -> dict[str, Any]:
    """Collect what the bench shows: counts of all, the rows that a filter lets through, and one list."""
    event = standing.event
    wanted = _read_filter(request)
    columns = ("status", "verdict", "unchecked", "late_seconds", "dropped", "current_id", "event_id")
    counted = list(event.participants.only(*columns))
    doubled = list_doubled(event)
    rows = bench.filter_entries(bench.list_entries(event), wanted, doubled)
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
        "wanted": wanted,
        "query": _encode_filter(request),
        "at": at,
        "panel": _open_panel(standing, at) if at else None,
        "offences": Offence.choices,
        "choices": list_states(event),
        "acts": True,
        "inside": True,
    }


def _read_filter(request: HttpRequest) -> bench.BenchFilter:
    asked = {name: read_query(request, name) for name in FILTERS}
    return bench.BenchFilter(words=asked["q"], state=asked["state"], team=asked["team"], checker=asked["checker"])


def _encode_filter(request: HttpRequest) -> str:
    """Return the filter of the bench as it stands in addresses."""
    return urlencode({name: value for name, value in request.GET.items() if name in FILTERS and value})


def list_assignees(event: Event) -> list[tuple[str, str]]:
    """List whom lists can be given to from the table: people who may see them, and teams."""
    roles = bench.filter_seeing(event).select_related("user__player_name")
    people = [(f"person-{role.user_id}", name_person(role.user)) for role in roles]
    teams = event.teams.all() if event.is_team else ()
    return people + [(f"team-{team.pk}", team.name) for team in teams]


def list_states(event: Event) -> list[tuple[str, str]]:
    """List what the table can be filtered by: statuses, then verdicts, then what else marks a list."""
    return [
        (bench.TO_CHECK, _("To check")),
        *((value, str(word)) for value, word in SubmissionStatus.choices if value != SubmissionStatus.NEW),
        *((value, str(word)) for value, word in ListVerdict.choices),
        (bench.UNCHECKED, _("Not fully checked")),
        (bench.LATE, _("Late")),
        ("uncovered", _("Changes not asked for")),
        *([(bench.DOUBLED, _("Army twice"))] if event.is_team else ()),
    ]


@allow("GET")
def export(request: HttpRequest, public_id: str, ending: str) -> HttpResponse:
    """Hand all of an event out: as JSON, or as an archive of tables."""
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
    """Collect what is said about a player's list: all of it to judges, what is meant for players to the player."""
    is_inside = may_manage_list(standing, player) or standing.is_judge
    panel = _build_outer_panel(player, standing, find_doubled_army(player, player.faction) if is_inside else None)
    if not is_inside:
        return panel
    return replace(panel, earlier=_list_earlier(player), comments=_list_comments(player, standing))


def _build_outer_panel(player: Participant, standing: EventStanding, doubled: DoubledArmy | None) -> ListPanel:
    """Collect what is said to whoever may see the list."""
    submission = player.current
    mine = filter_assigned(player.assignments.all(), standing)
    assignments = player.assignments.all() if standing.is_judge else mine
    return ListPanel(
        player=player,
        submission=submission,
        penalties=list(player.penalties.all()),
        assignments=list(assignments.select_related("checker__player_name", "team")),
        mine=set(mine.values_list("pk", flat=True)),
        late_pass=LatePass.objects.filter(participant=player).first() if standing.is_judge else None,
        looks=list_looks(player).count(),
        doubled=doubled,
        **(_describe_verdict(player, submission, doubled) if submission else {}),
    )


def _describe_verdict(player: Participant, submission: Submission, doubled: DoubledArmy | None) -> dict[str, Any]:
    """Describe what a submission came to when it was judged last, and what to tell the player of it."""
    last = find_last_verdict(submission)
    return {
        "report": last.report,
        "verdict": weigh_verdict(last.verdict, doubled),
        "unreadable": wording.explain_unread_list(last.report),
        "proposed": propose_message(player, last.report),
        "faulty": list_faulty_units(submission),
    }


def _list_earlier(player: Participant) -> list[Submission]:
    """List the last few submissions of a player beside the current one."""
    return [submission for submission in player.submissions.all()[:6] if submission.pk != player.current_id]


def _list_comments(player: Participant, standing: EventStanding) -> list[Any]:
    """List what was said about a list: judges read all of it, the player what is meant for players."""
    comments = player.comments.select_related("author__player_name")
    return list(comments if standing.is_judge else comments.filter(audience=Audience.PLAYER))


def propose_message(player: Participant, report: dict[str, Any]) -> str:
    """Propose what to tell a player whose list is returned: what is wrong with it, one rule a line."""
    sentences = [violation["sentence"] for violation in report.get("violations", ())]
    lines = [" ".join(filter(None, (sentence["headline"] + ".", sentence["detail"]))) for sentence in sentences]
    if player.differs_in_points:
        claimed = _("Your list claims %(claimed)s points and costs %(points)s.")
        lines.append(claimed % {"claimed": player.claimed, "points": player.points})
    return "\n".join(lines)


# ---- acts on one list ------------------------------------------------------------------------------------------------

Fields = Mapping[str, Any]
Act = Callable[[EventStanding, Participant, User, Fields], object]


@allow("POST")
def act_on_list(request: HtmxRequest, public_id: str, player: str) -> HttpResponse:
    """Do one thing about a player's list, named by `do`; what it is refused for is said on the page."""
    standing = open_event(request, public_id)
    entry = find_player(standing, player)
    fields = ListActForm(request.POST, standing.event.timezone).read_fields()
    if not standing.is_judge:
        return _finish_foreign_check(request, standing, entry, fields)
    if standing.is_blind or not may_see_list(standing, entry):
        raise Http404
    outcome = _act_on_entry(standing, entry, get_person(request), fields)
    if isinstance(outcome, Refused):
        messages.error(request, wording.explain_refusal(outcome))
    query = f"{fields['query']}&at={fields['next'] or player}".lstrip("&")
    return redirect_after_post("events:bench", public_id, query=query)


def _act_on_entry(standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    do = fields["do"]
    if do not in ACTS or (do in ACTS_OF_ORGANISERS and not standing.is_organiser):
        return Refused(code="bad-change")
    return ACTS[do](standing, entry, person, fields)


def _finish_foreign_check(
    request: HttpRequest, standing: EventStanding, entry: Participant, fields: Fields
) -> HttpResponse:
    """Let somebody who checks a list, and does not run the event, say that it is done; 404 for everybody else."""
    if fields["do"] != "checked" or not is_checker(standing, entry):
        raise Http404
    outcome = _finish_check(standing, entry, get_person(request), fields)
    if isinstance(outcome, Refused):
        messages.error(request, wording.explain_refusal(outcome))
    return redirect_after_post("events:event", standing.event.public_id)


def _accept_list(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    return _decide(entry, person, fields, SubmissionStatus.ACCEPTED)


def _return_list(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    return _decide(entry, person, fields, SubmissionStatus.RETURNED)


def _renew_list(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    return _decide(entry, person, fields, SubmissionStatus.NEW)


def _decide(entry: Participant, person: User, fields: Fields, status: str) -> object:
    return bench.decide_list(entry, person, status, fields["reason"], fields["cover"], fields["number"] or 0)


def _comment_list(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    return bench.add_comment(entry, person, fields["audience"], fields["text"])


def _give_pass(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    expires = fields["expires"]
    return bench.give_late_pass(entry, person, expires) if expires else Refused(code="bad-moment")


def _withdraw_pass(_standing: EventStanding, entry: Participant, person: User, _fields: Fields) -> object:
    return bench.withdraw_late_pass(entry, person)


def _drop_player(_standing: EventStanding, entry: Participant, person: User, _fields: Fields) -> object:
    return drop_player(entry, person, dropped=True)


def _take_back(_standing: EventStanding, entry: Participant, person: User, _fields: Fields) -> object:
    return drop_player(entry, person, dropped=False)


def _suggest_penalties(_standing: EventStanding, entry: Participant, person: User, _fields: Fields) -> object:
    return bench.suggest_penalties(entry, person)


def _add_penalty(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    return bench.add_penalty(
        entry,
        person,
        fields["offence"],
        fields["points"],
        fields["reason"],
        severity=fields["severity"],
        rule=fields["rule"],
    )


def _confirm_penalty(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    return _decide_penalty(entry, person, fields, PenaltyState.CONFIRMED)


def _dismiss_penalty(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    return _decide_penalty(entry, person, fields, PenaltyState.DISMISSED)


def _decide_penalty(entry: Participant, person: User, fields: Fields, state: str) -> object:
    penalty = _find_penalty(entry, fields)
    if penalty is None:
        return Refused(code="bad-change")
    return bench.decide_penalty(penalty, person, state, fields["points"])


def _withdraw_penalty(_standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    penalty = _find_penalty(entry, fields)
    if penalty is None:
        return Refused(code="bad-change")
    return bench.withdraw_penalty(penalty, person, fields["reason"])


def _find_penalty(entry: Participant, fields: Fields) -> Penalty | None:
    penalty = entry.penalties.filter(pk=fields["penalty"]).first()
    if penalty is not None:
        penalty.participant = entry
    return penalty


def _finish_check(standing: EventStanding, entry: Participant, person: User, fields: Fields) -> object:
    mine = filter_assigned(entry.assignments.all(), standing).filter(done=None).first()
    if mine is None:
        return Refused(code="bad-change")
    return bench.finish_assignment(mine, person, fields["remark"])


ACTS: dict[str, Act] = {
    "accept": _accept_list,
    "return": _return_list,
    "undo": _renew_list,
    "comment": _comment_list,
    "late-pass": _give_pass,
    "withdraw-pass": _withdraw_pass,
    "drop": _drop_player,
    "take-back": _take_back,
    "suggest": _suggest_penalties,
    "penalty": _add_penalty,
    "confirm": _confirm_penalty,
    "dismiss": _dismiss_penalty,
    "withdraw": _withdraw_penalty,
    "checked": _finish_check,
}
ACTS_OF_ORGANISERS = frozenset({"late-pass", "withdraw-pass", "drop", "take-back"})
"""Acts that judges are refused."""


# ---- acts on many ----------------------------------------------------------------------------------------------------


@allow("POST")
def act_on_many(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Accept or return the ticked lists, accept all that nothing speaks against, or share lists out to checkers."""
    standing = open_bench(request, public_id)
    if standing.is_blind:
        raise Http404
    fields = ManyListsForm(request.POST, standing.event.timezone).read_fields()
    act = BULK_ACTS.get(fields["do"])
    if act is None:
        messages.error(request, wording.explain_refusal(Refused(code="bad-change")))
    else:
        act(request, standing.event, fields)
    return redirect_after_post("events:bench", public_id, query=fields["query"])


def _accept_legal(request: HttpRequest, event: Event, fields: Fields) -> None:
    ids = list(bench.list_acceptable(event).values_list("public_id", flat=True))
    _decide_many(request, event, {**fields, "list": ids}, SubmissionStatus.ACCEPTED)


def _accept_ticked(request: HttpRequest, event: Event, fields: Fields) -> None:
    _decide_many(request, event, fields, SubmissionStatus.ACCEPTED)


def _return_ticked(request: HttpRequest, event: Event, fields: Fields) -> None:
    _decide_many(request, event, fields, SubmissionStatus.RETURNED)


def _decide_many(request: HttpRequest, event: Event, fields: Fields, status: str) -> None:
    """Decide about many lists as the page showed them, and say for whom nothing was done, and why."""
    seen = fields["seen"] or 0
    done, refused = bench.decide_many(event, get_person(request), fields["list"], status, fields["reason"], seen)
    if done:
        messages.success(request, ngettext("%d list decided.", "%d lists decided.", done) % done)
    for code, names in refused.items():
        left = _("Nothing was done for: %(names)s.") % {"names": ", ".join(names[:10])}
        messages.error(request, f"{wording.explain_refusal(Refused(code=code))} {left}")


def _share_out(request: HttpRequest, event: Event, fields: Fields) -> None:
    roles = bench.filter_seeing(event).filter(user_id__in=fields["checker"]).select_related("user")
    checkers: list[User | Team] = [role.user for role in roles]
    checkers.extend(event.teams.filter(pk__in=fields["checking_team"]))
    _give_out(request, event, fields["list"] or list_unaccepted(event), checkers, fields["due"])


def _assign_ticked(request: HttpRequest, event: Event, fields: Fields) -> None:
    """Give the ticked lists to one person or team."""
    if not fields["list"]:
        messages.error(request, wording.explain_refusal(Refused(code="none-ticked")))
        return
    _give_out(request, event, fields["list"], _find_assignee(event, fields["to"]), fields["due"])


def _find_assignee(event: Event, named: str) -> list[User | Team]:
    """Return the one who is named as `person-7` or `team-3`; nobody where there is no such one."""
    kind, _dash, written = named.partition("-")
    key = parse_whole_number(written) or 0
    match kind:
        case "person":
            return [role.user for role in bench.filter_seeing(event).filter(user_id=key).select_related("user")]
        case "team":
            return list(event.teams.filter(pk=key))
    return []


def _give_out(
    request: HttpRequest, event: Event, ids: Sequence[str], checkers: Sequence[User | Team], due: datetime | None
) -> None:
    """Share lists out, and say how many that were."""
    outcome = bench.assign_lists(event, get_person(request), ids, checkers, due)
    if isinstance(outcome, Refused):
        messages.error(request, wording.explain_refusal(outcome))
        return
    messages.success(request, ngettext("%d list given out.", "%d lists given out.", len(outcome)) % len(outcome))


def list_unaccepted(event: Event) -> list[str]:
    """Return the players with a list that nobody accepted yet."""
    waiting = event.participants.exclude(status=SubmissionStatus.ACCEPTED).filter(current__isnull=False)
    return list(waiting.values_list("public_id", flat=True))


BULK_ACTS = {
    "accept-legal": _accept_legal,
    "accept": _accept_ticked,
    "return": _return_ticked,
    "assign": _share_out,
    "assign-ticked": _assign_ticked,
}


@allow("GET")
def show_audit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what everybody did in an event, the newest first; to who is blind not what was done about lists."""
    standing = open_settings(request, public_id)
    acts = list_acts(standing.event, blind=standing.is_blind)
    page = Paginator(acts, 100).get_page(request.GET.get("page"))
    rows = [(record, wording.ACTS.get(record.act, record.act)) for record in page.object_list]
    context = {"page": "events", "event": standing.event, "rows": rows, "page_obj": page, "standing": standing}
    return render(request, "events/audit.html", context)


@allow("GET")
def show_checks(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show who has lists to check and has not done theirs, and let an organiser share lists out."""
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
