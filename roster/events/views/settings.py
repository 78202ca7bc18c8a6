from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from catalogue.models import Job
from catalogue.services.releases import list_published_versions
from catalogue.views.decorators import allow
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import REFUSED, HtmxRequest, read_query, redirect_after_post
from roster.events import wording
from roster.events.house_rules.document import Contradiction
from roster.events.models import CorrectionWindow, Event
from roster.events.models.checking import Offence
from roster.events.services import events as verbs
from roster.events.services.access import EventStanding, select_organised_events
from roster.events.services.bench import change_window, open_window, read_penalty_table, remove_window
from roster.events.services.bulk_checks import LONGEST_UPLOAD, NEW_PLAYER, settle_list, start_recheck, start_upload
from roster.events.services.event_homebrew import find_homebrew_at, list_homebrew_choices, set_homebrew
from roster.events.services.judging import load_event_rules
from roster.events.services.players import PlayerIndex, index_players
from roster.events.services.teams import (
    add_member,
    check_manager,
    create_team,
    list_teams,
    remove_member,
    set_captain,
    swap_members,
)
from roster.events.services.zones import list_zones
from roster.events.views.access import answer_blind, ask_to_sign_in, get_person, open_bench, open_event, open_settings
from roster.events.views.event_rules import describe_homebrew
from roster.events.views.forms import (
    LOCAL,
    EventForm,
    ListsUploadForm,
    OpenListForm,
    OpenMomentField,
    SettingsActForm,
    SettingsForm,
    TeamForm,
    WindowRow,
)
from roster.formats.list_document import Unreadable
from roster.models import HomebrewVersion
from roster.services.homebrew import EventChoice
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor

Problem = Unreadable | Contradiction | Refused
Fields = Mapping[str, Any]
NO_PROBLEM: Fields = {"wrong": ""}
BLANK_PENALTIES: tuple[Fields, ...] = ({}, {}, {})
"""Empty rows of the penalty table."""


@allow("GET", "POST")
def show_settings(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Show and change settings. `do` names the action on the helpers or on the link."""
    standing = open_settings(request, public_id)
    event, person = standing.event, get_person(request)
    if request.method != "POST":
        return _render_settings(request, standing, EventForm(instance=event), _preselect_homebrew(request, event))
    fields = SettingsActForm(request.POST).read_fields()

    outcome: object
    match fields["do"]:
        case "link":
            outcome = verbs.replace_invitation(event, person)
        case "helper":
            outcome = verbs.add_role(event, person, fields["named"], fields["kind"])
        case "role":
            outcome = _change_role(event, person, fields)
        case _:
            return _save_settings(request, standing)

    if isinstance(outcome, Problem):
        typed = {"wrong": explain_problem(outcome)}
        return _render_settings(request, standing, EventForm(instance=event), typed, status=REFUSED)
    if isinstance(outcome, Event):
        messages.success(request, _("Saved."))
    return redirect_after_post("events:settings", public_id)


def _preselect_homebrew(request: HttpRequest, event: Event) -> Fields:
    """Fill in the house rules at the address that a link to this page names."""
    address = read_query(request, "house-rules")
    version = find_homebrew_at(address, identify_visitor(request)) if address else None
    if not isinstance(version, HomebrewVersion) or version.homebrew_set.game_id != event.version.game_id:
        return {}
    if version.key in dict(list_homebrew_choices(event.homebrew, get_person(request), event.version.game)):
        current = event.homebrew.key if event.homebrew else ""
        return {"chosen_homebrew": version.key, "is_preselected": version.key != current}
    page = reverse("roster:homebrew-version", args=[version.homebrew_set.link_id, version.number])
    return {"link": request.build_absolute_uri(page), "is_preselected": True}


def explain_problem(problem: Problem) -> str:
    if isinstance(problem, Refused):
        return wording.explain_refusal(problem)
    return wording.explain_rules_problem(problem)


def _save_settings(request: HttpRequest, standing: EventStanding) -> HttpResponse:
    """Save all sent sections. If one is invalid, save none and show the input again."""
    event, person = standing.event, get_person(request)
    form, fields = EventForm(request.POST, instance=event), SettingsForm(request.POST).read_fields()
    sent = {name: name in request.POST for name in ("name", "version", "rules", "homebrew", "status")}
    problems: dict[str, object] = {}
    if not (any(sent.values()) or "window-key" in request.POST or "penalty-points" in request.POST):
        problems["status"] = Refused(code="bad-change")
    with transaction.atomic():
        # The deadline comes first, because correction windows are compared with it.
        if sent["name"] and form.is_valid():
            problems["event"] = verbs.change_event(event, person, form.cleaned_data)
        rules = fields["rules"].replace("\r\n", "\n") if sent["rules"] else None
        if sent["version"]:
            versions = {one.version.content_hash: one.version for one in list_published_versions(event.version.game)}
            version = versions.get(fields["version"])
            problems["version"] = (
                verbs.set_version(event, person, version, rules) if version else Refused(code="unknown-version")
            )
        if sent["homebrew"]:
            problems["homebrew"] = _save_homebrew(request, event, person, fields, rules)
        if rules is not None:
            problems["rules"] = verbs.set_house_rules(event, person, rules)
        if "window-key" in request.POST:
            problems["windows"] = _save_windows(event, person, fields["windows"], form.zone_name)
        if "penalty-points" in request.POST:
            table = read_penalty_table(fields["penalties"])
            is_table = not isinstance(table, Refused)
            problems["penalties"] = verbs.change_event(event, person, {"penalty_table": table}) if is_table else table
        if sent["status"]:
            problems["status"] = verbs.set_status(event, person, fields["status"])

        wrong = {part: explain_problem(one) for part, one in problems.items() if isinstance(one, Problem)}
        if wrong or (sent["name"] and not form.is_valid()):
            transaction.set_rollback(True)
    if not wrong and not (sent["name"] and form.errors):
        messages.success(request, _("Saved."))
        return redirect_after_post("events:settings", event.public_id)

    event.refresh_from_db()
    typed: dict[str, Any] = {"wrongs": wrong, "wrong": wrong.get("status", ""), "link": fields["link"]}
    names = {"rules": "rules", "homebrew": "chosen_homebrew", "version": "chosen_version"}
    typed |= {name: fields[field] for field, name in names.items() if sent[field]}
    if "window-key" in request.POST:
        typed["windows"] = [*fields["windows"], WindowRow()]
    if "penalty-points" in request.POST:
        typed["penalties"] = [*fields["penalties"], *BLANK_PENALTIES]
    details_form = form if sent["name"] else EventForm(instance=event)
    return _render_settings(request, standing, details_form, typed, status=REFUSED)


def _save_homebrew(
    request: HttpRequest, event: Event, person: User, fields: Fields, rules: str | None
) -> Event | Problem:
    """Choose house rules. A link takes precedence over the selected ones."""
    key = fields["homebrew"]
    if link := fields["link"].strip():
        version = find_homebrew_at(link, identify_visitor(request))
        if isinstance(version, Refused):
            return version
        key = version.key
    return set_homebrew(event, person, key, rules)


def choose_for_event(user: User, event_id: str, version: HomebrewVersion) -> EventChoice | None:
    """Choose a version from the pages of house rules."""
    event = select_organised_events(user, version.homebrew_set.game_id).filter(public_id=event_id).first()
    if event is None:
        return None
    outcome = set_homebrew(event, user, version.key)
    return EventChoice(event=event.name, wrong="" if isinstance(outcome, Event) else explain_problem(outcome))


def _save_windows(event: Event, person: User, rows: Sequence[WindowRow], zone: str) -> Refused | None:
    windows = {str(window.pk): window for window in event.windows.all()}
    for row in rows:
        if row.is_removed and row.key in windows:
            remove_window(windows.pop(row.key), person)
    read = OpenMomentField().clean
    for row in rows:
        if row.is_removed:
            continue
        window = windows.get(row.key)
        if row.key and window is None:
            return Refused(code="bad-change")
        with timezone.override(ZoneInfo(zone)):
            starts, ends = read(row.starts), read(row.ends)
        if starts is None or ends is None:
            return Refused(code="bad-moment")
        if window is None:
            outcome = open_window(event, person, starts, ends)
        elif write_window(window, zone) == (row.starts, row.ends):
            continue
        else:
            window.event = event
            outcome = change_window(window, person, starts, ends)
        if isinstance(outcome, Refused):
            return outcome
    return None


def write_window(window: CorrectionWindow, zone: str) -> tuple[str, str]:
    starts, ends = (f"{moment.astimezone(ZoneInfo(zone)):{LOCAL}}" for moment in (window.starts, window.ends))
    return starts, ends


def _render_settings(
    request: HttpRequest,
    standing: EventStanding,
    form: EventForm,
    typed: Mapping[str, Any] = NO_PROBLEM,
    *,
    status: int = 200,
) -> HttpResponse:
    event = standing.event
    windows = [WindowRow(str(one.pk), *write_window(one, event.zone)) for one in event.windows.all()]
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "form": form,
        "groups": form.list_groups(),
        "zones": list_zones(),
        "rules": event.rules,
        "rule_lines": wording.list_rule_lines(load_event_rules(event).rules),
        "homebrew": describe_homebrew(event.homebrew, event.version, is_checked=True),
        "homebrew_choices": list_homebrew_choices(event.homebrew, get_person(request), event.version.game),
        "chosen_homebrew": event.homebrew.key if event.homebrew else "",
        "link": "",
        "versions": list_published_versions(event.version.game),
        "chosen_version": event.version.content_hash,
        "roles": event.roles.select_related("user__player_name"),
        "windows": [*windows, WindowRow()],
        "offences": Offence.choices,
        "penalties": [*event.penalty_table, *BLANK_PENALTIES],
        "wrongs": {},
        "invitation": request.build_absolute_uri(f"/events/join/{event.token}/"),
        **typed,
    }
    with timezone.override(event.timezone):
        return render(request, "events/settings.html", context, status=status)


def _change_role(event: Event, person: User, fields: Fields) -> object:
    role = event.roles.select_related("user").filter(pk=fields["role"]).first()
    if role is None:
        return Refused(code="bad-change")
    if fields["change"] == "remove":
        return verbs.remove_role(event, person, role)
    return verbs.set_blind(event, person, role, blind=fields["change"] == "blind")


@allow("POST")
def copy(request: HttpRequest, public_id: str) -> HttpResponse:
    standing = open_settings(request, public_id)
    copied = verbs.copy_event(standing.event, get_person(request))
    if isinstance(copied, Refused):
        messages.error(request, wording.explain_refusal(copied))
        return redirect_after_post("events:settings", public_id)
    return redirect_after_post("events:settings", copied.public_id)


@allow("GET")
def download_rules(request: HttpRequest, public_id: str) -> HttpResponse:
    event = open_event(request, public_id).event
    answer = HttpResponse(event.rules, content_type="application/yaml; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="house-rules.yaml"'
    return answer


# ---- many lists ------------------------------------------------------------------------------------------------------


@allow("GET", "POST")
@csrf_exempt  # `_take_upload` checks the token before it reads files
def upload(request: HtmxRequest, public_id: str) -> HttpResponse:
    standing = open_settings(request, public_id)
    if hidden := answer_blind(request, standing):
        return hidden
    return _take_upload(request, standing) if request.method == "POST" else _render_upload(request, standing)


@csrf_protect
def _take_upload(request: HtmxRequest, standing: EventStanding) -> HttpResponse:
    fields = ListsUploadForm(request.POST, request.FILES).read_fields()
    sent, table = fields["file"], fields["table"]
    # A file takes precedence over a text.
    size = sent.size or 0 if sent else len(table)
    if not size or size > LONGEST_UPLOAD:
        too_big = _("Choose a file of at most %(size)d MB.") % {"size": LONGEST_UPLOAD // 2**20}
        return _render_upload(request, standing, too_big, table)
    name, data = (sent.name or "lists", sent.read()) if sent else (_("Pasted table"), table.encode())
    job = start_upload(standing.event, get_person(request), name, data)
    if isinstance(job, Refused):
        return _render_upload(request, standing, wording.explain_refusal(job), table)
    return answer_started_job(request, job)


def _render_upload(request: HtmxRequest, standing: EventStanding, wrong: str = "", table: str = "") -> HttpResponse:
    context = {"page": "events", "event": standing.event, "standing": standing, "wrong": wrong, "table": table}
    return render(request, "events/upload.html", context, status=REFUSED if wrong else 200)


@allow("POST")
def recheck(request: HtmxRequest, public_id: str) -> HttpResponse:
    standing = open_bench(request, public_id)
    started = answer_blind(request, standing)
    return started or answer_started_job(request, start_recheck(standing.event, get_person(request)))


@allow("GET", "POST")
def show_report(request: HttpRequest, public_id: str, job: str) -> HttpResponse:
    """Show the outcome of an upload or recheck. A POST chooses a kept list's player.

    Only the user who started the job can open its report, because it names players.
    """
    standing = open_bench(request, public_id)
    event = standing.event
    if hidden := answer_blind(request, standing):
        return hidden
    done = Job.objects.defer("payload").filter(public_id=job, user=get_person(request)).first()
    if done is None or done.arguments.get("event") != event.pk:
        raise Http404
    if request.method == "POST":
        if not standing.is_organiser:
            raise Http404
        fields = OpenListForm(request.POST).read_fields()
        number = -1 if fields["line"] is None else fields["line"]
        outcome = settle_list(done, event, number, fields["player"], get_person(request))
        if isinstance(outcome, Refused):
            messages.error(request, wording.explain_refusal(outcome))
        return redirect_after_post("events:report", event.public_id, done.public_id)

    lines = [line | {"said": wording.describe_uploaded(line)} for line in done.result.get("lines", ())]
    # Players are loaded only if a list is open.
    players = index_players(event) if any("data" in line for line in lines) else None
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "job": done,
        "lines": [(line, _list_choices(players, line) if players and "data" in line else []) for line in lines],
        "changed": sum(line["outcome"] == "changed" for line in lines),
        "problems": [line for line in lines if line["outcome"] not in ("taken", "changed")],
    }
    return render(request, "events/report.html", context)


def _list_choices(players: PlayerIndex, line: dict[str, str]) -> list[tuple[str, str]]:
    choices = []
    for player in players.find_players(line["player"]):
        choices.append((player.public_id, " · ".join(filter(None, (player.name, player.team_name, player.email)))))
    return [*choices, (NEW_PLAYER, _("Someone new"))]


# ---- teams -----------------------------------------------------------------------------------------------------------


@allow("GET", "POST")
def show_teams(request: HttpRequest, public_id: str) -> HttpResponseBase:
    standing = open_event(request, public_id)
    if not standing.event.is_team:
        raise Http404
    if request.method != "POST":
        return _render_teams(request, standing)
    if sign_in := ask_to_sign_in(request):
        return sign_in
    outcome = _change_teams(request, standing)
    if isinstance(outcome, Refused):
        return _render_teams(request, standing, wording.explain_refusal(outcome), REFUSED)
    return redirect_after_post("events:teams", public_id)


def _change_teams(request: HttpRequest, standing: EventStanding) -> object:
    fields, person = TeamForm(request.POST).read_fields(), get_person(request)
    event = standing.event
    if fields["do"] == "team":
        return create_team(event, person, fields["name"])
    team = event.teams.filter(public_id=fields["team"][:22]).first()
    if team is None:
        return Refused(code="bad-change")
    team.event = event
    match fields["do"]:
        case "member":
            return add_member(team, person, fields["name"], is_reserve=fields["reserve"])
        case "remove":
            return remove_member(team, person, fields["member"])
        case "swap":
            return swap_members(team, person, fields["player"], fields["member"])
        case "captain":
            return set_captain(team, person, fields["named"])
    return Refused(code="bad-change")


def _render_teams(request: HttpRequest, standing: EventStanding, wrong: str = "", status: int = 200) -> HttpResponse:
    event, user = standing.event, standing.user
    rule = load_event_rules(event).rules.same_faction
    teams = []
    for state in list_teams(event, rule.most):
        is_mine = user is not None and state.team.captain_id == user.pk
        may_change = standing.is_organiser
        if is_mine and user is not None and not may_change:
            may_change = check_manager(state.team, user) is None
        teams.append((state, is_mine, may_change))

    sees_all = standing.sees_all
    context = {
        "page": "events",
        "event": event,
        "standing": standing,
        "teams": teams,
        "rule": rule,
        "sees_factions": sees_all or event.shows_publicly("faction"),
        "sees_lists": sees_all or event.shows_publicly("roster"),
        "sees_reserves": sees_all or event.shows_publicly("reserves"),
        "wrong": wrong,
    }
    return render(request, "events/teams.html", context, status=status)
