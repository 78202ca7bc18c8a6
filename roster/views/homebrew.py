"""Pages of house rules: own sets, changed values, copied units, and others' sets."""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.models import GameSystem, UnitEntry
from catalogue.services.published_games import select_readable_games, select_units
from catalogue.services.rulesets import load_faction_ruleset
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import BAD_FORM, CONFLICT, REFUSED, redirect_after_post
from roster import wording
from roster.formats.homebrew.apply import RefusedLine
from roster.formats.homebrew.document import MOST_BYTES, ChangedValue, CopiedUnit, Homebrew, HomebrewLine
from roster.formats.list_document import Unreadable
from roster.formats.list_text import NAME_LENGTH, clean_text
from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.services.changes import SetHomebrew
from roster.services.edits import edit_roster
from roster.services.homebrew import (
    EventChoice,
    RefusedLines,
    change_lines,
    choose_for_event,
    create_set,
    delete_set,
    describe_set,
    find_linked_version,
    find_newest,
    find_own_set,
    import_set,
    is_published,
    list_choices,
    list_refused,
    list_sets,
    list_unit_lines,
    publish_set,
    read_version,
    read_working,
)
from roster.services.homebrew_values import ChangeableValue, find_line, read_values
from roster.services.outcomes import Conflict, Refused, SavedEdit
from roster.services.owners import filter_owned, identify_visitor
from roster.services.rulesets import find_homebrew_for, get_publications
from roster.views.requests import LARGEST, find_own_roster, parse_whole_number
from roster.wording.homebrew import describe_line, explain_refused_line, format_line_source

NEW = "new"
BACK = "back"
"""The button that takes a value back to that of the book."""
YAML = "application/yaml"
LISTS_OFFERED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRow:
    """`unit` is the key of the line's copied unit."""

    key: str
    text: str
    source: str
    why: str
    refused: str = ""
    unit: str = ""


def make_line_key(line: HomebrewLine) -> str:
    subject = line.subject if isinstance(line, ChangedValue) else ("unit", line.catalogue, line.unit)
    return f"{zlib.crc32('|'.join(subject).encode()):08x}"


def list_line_rows(homebrew: Homebrew, refused: Iterable[RefusedLine] = ()) -> list[LineRow]:
    """List rows of lines, refused ones first."""
    reasons = {id(one.line): explain_refused_line(one) for one in refused}
    rows = [
        LineRow(
            key=make_line_key(line),
            text=describe_line(line),
            source=format_line_source(homebrew, line),
            why=line.why,
            refused=reasons.get(id(line), ""),
            unit=make_line_key(line) if isinstance(line, CopiedUnit) else "",
        )
        for line in homebrew.lines
    ]
    return sorted(rows, key=lambda row: not row.refused)


class StaleRow(NamedTuple):
    """What somebody wrote on an outdated page, and what the house rules say now."""

    label: str
    mine: str
    now: str


def read_revision(form: Mapping[str, str], name: str = "revision") -> int:
    """Return the revision that a form was read at; 0, which no house rules have, if it names none."""
    return parse_whole_number(form.get(name, "")) or 0


def find_own_homebrew(request: HttpRequest, public_id: str) -> HomebrewSet:
    # Guests have none, and must not learn whether an address has one.
    if not isinstance(request.user, User):
        raise Http404
    try:
        return find_own_set(request.user, public_id)
    except HomebrewSet.DoesNotExist:
        raise Http404 from None


# ---- one's own sets --------------------------------------------------------------------------------------------------


@allow("GET", "POST")
@login_required
def show_sets(request: HttpRequest) -> HttpResponse:
    """Show the user's sets. A POST creates one for a game, or imports a file."""
    user = cast("User", request.user)
    games = list(select_readable_games(user.pk))
    wrong, name = "", ""
    if request.method == "POST":
        name = request.POST.get("name", "")
        outcome = _create_or_import(request, user, games)
        if isinstance(outcome, HomebrewSet):
            return redirect_after_post("roster:homebrew-set", outcome.public_id)
        wrong = outcome
    sets = [
        {"set": one, "newest": one.newest, "lines": len(read_working(one).lines)}
        for one in list_sets(user).annotate(newest=Max("versions__number"))
    ]
    context = {"sets": sets, "games": games, "wrong": wrong, "name": name, "longest": NAME_LENGTH}
    return render(request, "roster/homebrew/sets.html", context, status=REFUSED if wrong else 200)


def _create_or_import(request: HttpRequest, user: User, games: Iterable[GameSystem]) -> HomebrewSet | str:
    file = request.FILES.get("file")
    outcome: HomebrewSet | Refused | Unreadable
    if file is not None:
        # One byte more than allowed tells a long file from the longest.
        outcome = import_set(user, file.read(MOST_BYTES + 1))
    else:
        game = next((one for one in games if one.slug == request.POST.get("game")), None)
        if game is None:
            return wording.explain_refusal(Refused(code="bad-change"))
        outcome = create_set(user, game, request.POST.get("name", ""))
    if isinstance(outcome, Unreadable):
        complaint = wording.explain_unreadable(outcome)
        line = _("Line %(line)s:") % {"line": complaint.line} if complaint.line else ""
        return f"{line} {complaint}".strip()
    return wording.explain_refusal(outcome) if isinstance(outcome, Refused) else outcome


@allow("GET", "POST")
def show_set(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a set's working copy. A POST publishes, renames or deletes it, or removes a line."""
    homebrew_set = find_own_homebrew(request, public_id)
    act = request.POST.get("do", "")
    outcome = _change_set(request, homebrew_set, act) if request.method == "POST" else None
    if request.method == "POST" and outcome is None:
        if act == "delete":
            return redirect_after_post("roster:homebrew")
        return redirect_after_post("roster:homebrew-set", public_id)
    homebrew = read_working(homebrew_set)
    refused = list_refused(homebrew, homebrew_set.game.shown_version)
    newest = find_newest(homebrew_set)
    typed = {name: request.POST[name] for name in ("name", "source") if act == "describe" and name in request.POST}
    stale: dict[str, Any] | None = None
    wrong = ""
    if isinstance(outcome, Conflict):
        labels = (("name", _("Name"), homebrew.name), ("source", _("Book or document"), homebrew.source))
        rows = [StaleRow(label, typed[key], now) for key, label, now in labels if typed.get(key, now) != now]
        sent = {"do": act, **typed}
        if line := _find_line(homebrew, request.POST.get("line", "")):
            rows.append(StaleRow(line.name, "", describe_line(line)))
            sent["line"] = make_line_key(line)
        stale = {"act": act, "fields": sent, "rows": rows}
    elif outcome is not None:
        wrong = explain_unpublished(outcome)
    context = {
        "set": homebrew_set,
        "face": homebrew_set.game,
        "homebrew": homebrew,
        "typed": {"name": homebrew.name, "source": homebrew.source, **typed},
        "rows": list_line_rows(homebrew, refused),
        "refused": len(refused),
        "newest": newest,
        "published": is_published(homebrew_set, newest),
        "next": newest.number + 1 if newest else 1,
        "link": request.build_absolute_uri(reverse("roster:homebrew-link", args=[homebrew_set.link_id])),
        "wrong": wrong,
        "stale": stale,
        "longest": NAME_LENGTH,
    }
    status = CONFLICT if stale else REFUSED if wrong else 200
    return render(request, "roster/homebrew/set.html", context, status=status)


def _change_set(request: HttpRequest, homebrew_set: HomebrewSet, act: str) -> Refused | RefusedLines | Conflict | None:
    """Return why nothing was changed, or None."""
    revision = read_revision(request.POST)
    match act:
        case "describe":
            name, source = request.POST.get("name", ""), request.POST.get("source", "")
            return describe_set(homebrew_set, name, source, revision)
        case "remove":
            homebrew = read_working(homebrew_set)
            line = _find_line(homebrew, request.POST.get("line", ""))
            if line is None:
                return None
            removed = list_unit_lines(homebrew, line) if isinstance(line, CopiedUnit) else [line]
            return change_lines(homebrew_set, remove=removed, on_revision=revision)
        case "publish":
            published = publish_set(homebrew_set, revision)
            if not isinstance(published, HomebrewVersion):
                return published
            messages.success(request, _("Version %(number)s is published.") % {"number": published.number})
            return None
        case "delete":
            conflict = delete_set(homebrew_set, revision)
            if conflict is None:
                messages.success(request, _("“%(name)s” was deleted.") % {"name": homebrew_set.name})
            return conflict
    return Refused(code="bad-change")


def _find_line(homebrew: Homebrew, key: str) -> HomebrewLine | None:
    return next((line for line in homebrew.lines if make_line_key(line) == key), None)


def explain_unpublished(outcome: Refused | RefusedLines | Conflict) -> str:
    if isinstance(outcome, RefusedLines):
        return _("Remove or change the lines that do not fit the data first.")
    if isinstance(outcome, Conflict):
        return _("These house rules were changed in another tab or window. Nothing was published.")
    return wording.explain_refusal(outcome)


@allow("GET")
def download_working(request: HttpRequest, public_id: str) -> HttpResponse:
    homebrew_set = find_own_homebrew(request, public_id)
    return _answer_file(homebrew_set.working, homebrew_set)


def _answer_file(document: str, homebrew_set: HomebrewSet) -> HttpResponse:
    name = f"house-rules-{homebrew_set.game.slug}.yaml"
    return HttpResponse(
        document,
        content_type=f"{YAML}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


# ---- one value -------------------------------------------------------------------------------------------------------


def find_unit(game: str, faction: str, unit: str, user: User) -> UnitEntry:
    return get_object_or_404(select_units(game, faction, user.pk), slug=unit)


@allow("GET", "POST")
@login_required
def change_value(request: HttpRequest, game: str, faction: str, unit: str) -> HttpResponse:
    """Show a unit's values or, with `value`, a form; a POST changes it."""
    user = cast("User", request.user)
    row = find_unit(game, faction, unit, user)
    system = row.faction.version.game
    ruleset = load_faction_ruleset(row.faction)
    values, fixed_prices = read_values(ruleset, row.faction.faction_id, row.entry_id)
    form: Mapping[str, str] = request.POST if request.method == "POST" else request.GET
    value = find_figure(values, form.get("value", ""))
    roster = find_named_list(request, form.get("list", ""), system)
    sets = list(list_sets(user).filter(game=system))
    chosen = form.get("set", sets[0].public_id if sets else NEW)
    context: dict[str, Any] = {
        "unit": row,
        "faction": row.faction,
        "game": system,
        "value": value,
        "citation": wording.format_citation(value.citation, get_publications(ruleset)) if value else "",
        "groups": _group_values(values),
        "fixed_prices": fixed_prices,
        "sets": sets,
        "chosen": chosen,
        "roster": roster,
        "event": form.get("event", ""),
        "form": {key: form.get(key, "") for key in ("to", "why", "source", "page", "name")},
        "longest": NAME_LENGTH,
        "wrong": {},
    }
    is_back = BACK in request.POST
    if is_back and value is not None:
        context["form"]["to"] = value.value
    elif request.method == "POST" and value is not None:
        outcome = _store_value(request, value, system, context)
        if isinstance(outcome, HttpResponse):
            return outcome
        context |= outcome
    elif value is not None:
        # The form begins with the line that its house rules already have.
        line = next((_find_same(one, value) for one in sets if one.public_id == chosen), None)
        if line and not form.get("to"):
            context["form"] |= {"to": line.to, "why": line.why, "source": line.source, "page": line.cited_page}
    # What was not compared with the current state is still of the revision that it was read at.
    is_old = request.method == "POST" and "stale" not in context
    names = {f"revision-{one.public_id}": one for one in sets}
    revisions = {name: read_revision(request.POST, name) if is_old else one.revision for name, one in names.items()}
    context["revisions"] = revisions.items()
    status = REFUSED if context["wrong"] else BAD_FORM if request.method == "POST" and not is_back else 200
    status = CONFLICT if "stale" in context else status
    return render(request, "roster/homebrew/value.html", context, status=status)


def _find_same(homebrew_set: HomebrewSet, value: ChangeableValue) -> ChangedValue | None:
    """Return the line of a set that changes a value."""
    return find_line(read_working(homebrew_set).changes, value)


def find_figure(values: Iterable[ChangeableValue], key: str) -> ChangeableValue | None:
    return next((value for value in values if value.key == key and value.is_figure), None)


def _group_values(values: Iterable[ChangeableValue]) -> list[tuple[str, list[ChangeableValue]]]:
    groups: dict[str, list[ChangeableValue]] = {}
    for value in values:
        if value.is_figure:
            groups.setdefault(value.thing, []).append(value)
    return list(groups.items())


def find_named_list(request: HttpRequest, public_id: str, game: GameSystem) -> Roster | None:
    if not public_id:
        return None
    roster = find_own_roster(request, public_id)
    return roster if roster.version.game_id == game.pk else None


def _store_value(
    request: HttpRequest, value: ChangeableValue, game: GameSystem, context: Mapping[str, Any]
) -> HttpResponse | dict[str, Any]:
    """Return complaints by field if the line is refused, or both states if its house rules have changed since."""
    user, form = cast("User", request.user), context["form"]
    texts = {key: clean_text(text) for key, text in form.items()}
    long = {key: _("This is too long.") for key, text in texts.items() if len(text) > NAME_LENGTH}
    if long:
        return {"wrong": long}
    line = value.write_line(texts["to"], why=texts["why"], source=texts["source"], page=texts["page"])
    chosen = next((one for one in context["sets"] if one.public_id == context["chosen"]), None)
    if chosen is None and context["chosen"] != NEW:
        return {"wrong": {"set": _("Those house rules are deleted. Choose others, or name new ones.")}}
    on_revision = read_revision(request.POST, f"revision-{chosen.public_id}") if chosen else None
    with transaction.atomic():
        homebrew_set = chosen or create_set(user, game, texts["name"])
        if isinstance(homebrew_set, Refused):
            return {"wrong": {"name": wording.explain_refusal(homebrew_set)}}
        newest = find_newest(homebrew_set)
        was_published = not read_working(homebrew_set).lines or is_published(homebrew_set, newest)
        before = _find_same(homebrew_set, value)
        removed = [before] if before else []
        # The book's value needs no line.
        added = [] if before and line.to == value.value else [line]
        outcome = change_lines(homebrew_set, added, removed, on_revision)
        if isinstance(outcome, RefusedLines):
            transaction.set_rollback(True)
            return {"wrong": {"to": explain_refused_line(outcome.lines[0])}}
        if isinstance(outcome, Refused):
            transaction.set_rollback(True)
            return {"wrong": {"set": wording.explain_refusal(outcome)}}
        if isinstance(outcome, Conflict):
            return {"stale": {"rows": _compare_value(line, value, _find_same(homebrew_set, value)), "form": "change"}}
        if was_published:
            publish_set(homebrew_set)
        newest = find_newest(homebrew_set)
        version = newest if is_published(homebrew_set, newest) else None
        if version and context["event"]:
            choice = choose_for_event(user, context["event"], version)
            if choice is None or choice.wrong:
                transaction.set_rollback(True)
                return {
                    "wrong": {"event": choice.wrong if choice else _("You don’t organise that event, or it is closed.")}
                }
            messages.success(request, _explain_choice(choice, version))
    roster = context["roster"]
    if version is None:
        messages.success(request, _("Saved in the working copy. Publish it to use it in lists and events."))
    elif roster is not None and not context["event"]:
        return switch_on(request, roster, version)
    return redirect_after_post("roster:homebrew-set", homebrew_set.public_id)


def _compare_value(line: ChangedValue, value: ChangeableValue, now: ChangedValue | None) -> list[StaleRow]:
    texts = [(_("Why"), line.why, now.why if now else ""), (_("Source"), line.source, now.source if now else "")]
    texts.append((_("Page"), line.cited_page, now.cited_page if now else ""))
    rows = [StaleRow(*text) for text in texts if text[1] != text[2]]
    return [StaleRow(value.name, line.to, now.to if now else value.value), *rows]


# ---- as others read it -----------------------------------------------------------------------------------------------


def _find_linked(request: HttpRequest, link_id: str, number: int | None = None) -> HomebrewVersion:
    # Databases have no longer numbers.
    if number is not None and number > LARGEST:
        raise Http404
    try:
        return find_linked_version(identify_visitor(request), link_id, number)
    except HomebrewVersion.DoesNotExist:
        raise Http404 from None


@allow("GET", "POST")
@hide_linked_page()
def show_linked(request: HttpRequest, link_id: str, number: int | None = None) -> HttpResponse:
    """Show published house rules. A POST uses them for one of the visitor's lists or events."""
    version = _find_linked(request, link_id, number)
    homebrew_set = version.homebrew_set
    visitor = identify_visitor(request)
    if request.method == "POST" and "event" in request.POST:
        return _use_in_event(request, version)
    if request.method == "POST":
        return switch_on(request, find_own_roster(request, request.POST.get("list", "")), version)
    homebrew = read_version(version)
    lists = filter_owned(visitor, Roster.objects.filter(binned=None, version__game=homebrew_set.game_id))
    context = {
        "set": homebrew_set,
        "face": homebrew_set.game,
        "version": version,
        "homebrew": homebrew,
        "rows": list_line_rows(homebrew, list_refused(homebrew, homebrew_set.game.shown_version)),
        "lists": lists.only("public_id", "name")[:LISTS_OFFERED],
        "is_newest": version.number == getattr(find_newest(homebrew_set), "number", 0),
    }
    return render(request, "roster/homebrew/linked.html", context)


def _use_in_event(request: HttpRequest, version: HomebrewVersion) -> HttpResponse:
    user = request.user
    choice = choose_for_event(user, request.POST["event"], version) if isinstance(user, User) else None
    if choice is None:
        raise Http404
    if choice.wrong:
        text = _("“%(event)s” was not changed: %(reason)s") % {"event": choice.event, "reason": choice.wrong}
        messages.error(request, text)
    else:
        messages.success(request, _explain_choice(choice, version))
    homebrew_set = version.homebrew_set
    if homebrew_set.owner_id == user.pk:
        return redirect_after_post("roster:homebrew-set", homebrew_set.public_id)
    return redirect_after_post("roster:homebrew-version", homebrew_set.link_id, str(version.number))


def _explain_choice(choice: EventChoice, version: HomebrewVersion) -> str:
    return _("“%(event)s” now judges lists by “%(name)s”, version %(number)s.") % {
        "event": choice.event,
        "name": version.homebrew_set.name,
        "number": version.number,
    }


@allow("GET")
@hide_linked_page()
def download_linked(request: HttpRequest, link_id: str, number: int) -> HttpResponse:
    version = _find_linked(request, link_id, number)
    return _answer_file(version.document, version.homebrew_set)


def switch_on(request: HttpRequest, roster: Roster, version: HomebrewVersion) -> HttpResponse:
    return _set_rules(
        request,
        roster,
        version.key,
        _("The list is judged by “%(name)s”. Undo reverses this.") % {"name": version.homebrew_set.name},
    )


def _set_rules(request: HttpRequest, roster: Roster, key: str, message: str) -> HttpResponse:
    outcome = edit_roster(roster, roster.head, SetHomebrew(homebrew=key), keep_stale=False)
    if isinstance(outcome, SavedEdit):
        messages.success(request, message)
    elif isinstance(outcome, Conflict):
        messages.error(request, wording.explain_conflict(outcome))
    elif isinstance(outcome, Refused):
        messages.error(request, wording.explain_refusal(outcome))
    return redirect_after_post("roster:builder", roster.public_id)


# ---- of a list -------------------------------------------------------------------------------------------------------


@allow("GET", "POST")
def choose_rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the lines of a list's house rules; a POST chooses other rules or none."""
    roster = find_own_roster(request, public_id)
    if request.method == "POST":
        key = request.POST.get("homebrew", "")
        message = _("The list is now judged by other house rules. Undo reverses this.")
        if not key:
            message = _("The list is judged without house rules. Undo reverses this.")
        return _set_rules(request, roster, key, message)
    key = roster.tree.homebrew
    version = find_homebrew_for(roster.version.game_id, key) if key else None
    user = request.user if isinstance(request.user, User) else None
    homebrew = read_version(version) if version else None
    refused = list_refused(homebrew, roster.version) if homebrew else ()
    context = {
        "roster": roster,
        "current": key,
        "version": version,
        "newest": find_newest(version.homebrew_set) if version else None,
        "rows": list_line_rows(homebrew, refused) if homebrew else [],
        "choices": list(list_choices(user, roster.version.game)),
    }
    return render(request, "roster/homebrew/of_list.html", context)
