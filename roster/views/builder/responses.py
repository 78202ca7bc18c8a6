"""Responses of the builder: the page, or changed fragments."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from catalogue.services.search import correct_words, rank_name, split_words
from catalogue.services.texts import fold_text
from catalogue.views.responses import redirect_after_post
from roster import wording
from roster.engine.completion.effort import Effort
from roster.engine.completion.solver import Possibility, is_solver_installed
from roster.engine.report import CostTotal
from roster.engine.tree import copy_with
from roster.models import Roster
from roster.services.board import Board, OfferCategory, build_board
from roster.services.board.shapes import UnitOffer
from roster.services.deeds import propose_deeds
from roster.services.evaluation import EvaluatedList, lend_evaluation
from roster.services.faces import load_faction
from roster.services.favourites import UnitHabits, load_habits
from roster.services.limits import OUTLOOK, PATIENT
from roster.services.outlooks import ListOutlook, look_ahead
from roster.services.owners import identify_visitor
from roster.services.revisions import keep_outlook
from roster.services.rule_corrections import record_correction
from roster.services.rulesets import list_overlay_choices
from roster.services.ways import WayKind, find_ways
from roster.templatetags.builder import make_dom_token
from roster.views.builder.diff import FragmentChanges, diff_page, diff_rows, read_client_keys
from roster.views.builder.fragments import PageConstants
from roster.views.builder.page import BuilderPage, PageSources, build_page, order_rows
from roster.views.builder.shapes import OfferSearchFields
from roster.views.builder.ways import build_panel, describe_ways, list_open_units
from roster.views.requests import parse_whole_number
from roster.views.verdict_presenter import VerdictPresenter, VerdictRibbon, make_dom_id

LONGEST_ID = 400
LONGEST_STARRED = 10_000
HIDDEN_FIELDS = mark_safe("<!--hidden-->")
OPEN_FIELD = mark_safe("<!--open-->")
"""Placeholders in stored fragments for values of one response; escaped text cannot contain them."""


@lru_cache(maxsize=16)
def _get_row_words(language: str) -> dict[str, SafeString]:
    words = {
        "look": _("Look at"),
        "favourite": _("Favourite:"),
        "more_for": _("More for"),
        "duplicate": _("Copy"),
        "remove": _("Remove"),
        "up": _("Move up"),
        "down": _("Move down"),
        "less": _("One less:"),
        "more": _("One more:"),
        "number": _("Number of"),
        "nothing": _("Nothing"),
        "set": _("Set"),
        "choose": _("Choose"),
        "leads": _("Leads the detachment"),
        "anyone": _("Leave the leader open"),
        "leader": _("Leader"),
        "fixed": _("Always included"),
        "needed": _("Your list still needs one"),
        "split": _("Split one off"),
    }
    return {name: escape(word) for name, word in words.items()}


@lru_cache(maxsize=256)
def _list_addresses(public_id: str) -> dict[str, SafeString]:
    names = {
        "page_address": "builder",
        "edit_address": "edits",
        "ways_address": "ways",
        "deeds_address": "deeds",
        "allies_address": "allies",
        "favourites_address": "favourites",
    }
    addresses = {key: escape(reverse(f"roster:{name}", args=[public_id])) for key, name in names.items()}
    edits = addresses["edit_address"]
    return addresses | {"edit_form": format_html('method="post" action="{0}" hx-post="{0}"', edits)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BuilderView:
    """The opened unit, the detachment for new units, and the search.

    A long list shows `rows` rows, and all rows up to the unit `at`. `is_patient` lets searches take longer. `starred`
    are tokens of favourites in the browser; `shown` is the detachment whose offers it shows, if any.
    """

    open: str = ""
    apart: str = ""
    into: str = ""
    rows: int = 0
    at: str = ""
    q: str = ""
    type: str = ""
    most: str = ""
    is_patient: bool = False
    starred: str = ""
    shown: str | None = None

    @classmethod
    def read_address(cls, fields: Mapping[str, str]) -> "BuilderView":
        texts = {
            name: fields.get(name, "")[:LONGEST_ID] for name in ("open", "apart", "into", "at", "q", "type", "most")
        }
        is_patient = fields.get("patient") == "1"
        return cls(**texts, rows=_read_rows(fields), is_patient=is_patient, shown=fields.get("from"))

    @classmethod
    def read_edit_form(cls, form: Mapping[str, str]) -> "BuilderView":
        """Read an edit form. A changed `apart` selection differs from its equals, so it is dropped."""
        opened, apart, into = (form.get(name, "")[:LONGEST_ID] for name in ("open", "apart", "into"))
        if apart == form.get("node"):
            apart = ""
        starred, shown = form.get("starred", "")[:LONGEST_STARRED], form.get("into")
        return cls(open=opened, apart=apart, into=into, rows=_read_rows(form), starred=starred, shown=shown)

    @property
    def is_filtered(self) -> bool:
        return bool(self.q or self.type or self.most)

    @property
    def needed(self) -> set[str]:
        return {make_dom_id("u", unit) for unit in (self.open, self.at) if unit}


def _read_rows(fields: Mapping[str, str]) -> int:
    return parse_whole_number(fields.get("rows", "")) or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNotice:
    message: str
    level_tag: str = "info"

    def __str__(self) -> str:
        return self.message


def build_context(
    request: HttpRequest,
    roster: Roster,
    view: BuilderView,
    evaluated_list: EvaluatedList,
    typed: Mapping[str, str] | None = None,
    *,
    needed: Collection[str] = (),
    with_deeds: bool = False,
    with_outlook: bool = False,
) -> dict[str, Any]:
    """Build the templates' context, including `needed` rows.

    Deeds and outlook take long, and a new outlook changes the deeds. Habits are loaded only if the browser does not yet
    show this detachment's offers.
    """
    old_outlook = roster.outlook
    board = build_board(roster, evaluated_list, into=view.into, opened=view.open, apart=view.apart)
    outlook = None
    if with_outlook:
        board, outlook = _add_outlook(roster, board, view)
        with_deeds = with_deeds or bool(old_outlook or roster.outlook)
    faction = load_faction(roster.version_id, roster.faction_id)
    offered = load_faction(roster.version_id, board.into_catalogue_id)
    # With script, the browser hides lines itself.
    habits, starred = UnitHabits(), frozenset(view.starred.split())
    is_new = view.shown != board.into
    if is_new:
        habits = load_habits(identify_visitor(request), roster)
        starred = frozenset(map(make_dom_token, habits.starred))
        habits = habits.limit_to({unit.entry_id for group in board.offered for unit in group.units})
    instead = ""
    if view.is_filtered:
        filtered, instead = _filter_offers(board.offered, offered.texts, view, habits)
        board = replace(board, offered=filtered)
    rows = order_rows(board, view.rows, {*view.needed, *needed})
    later = {unit.id for in_order in rows for unit in in_order.later}
    presenter = VerdictPresenter(board, propose_deeds(board.evaluated_list) if with_deeds else None, later)
    verdict = presenter.build_verdict()
    sources = PageSources(
        board=board,
        presenter=presenter,
        verdict=verdict,
        with_deeds=with_deeds,
        faces=faction,
        offered_faces=offered,
        rows=rows,
        list_overlays=partial(
            list_overlay_choices, roster.version, board.evaluated_list.tree.overlay, board.evaluated_list.overlay_name
        ),
        typed=typed or {},
        dead_ends=outlook.dead_ends if outlook else {},
        searched=OfferSearchFields(q=view.q, type=view.type, most=view.most),
        instead=instead,
        habits=habits,
        starred=starred,
    )
    token = get_token(request)
    hidden_fields = format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}"><input type="hidden" name="revision" value="{}">'
        '<input type="hidden" name="into" value="{}">',
        token,
        board.revision,
        board.into,
    )
    # A page with all rows need not send their number.
    if later:
        hidden_fields += _render_hidden_field("rows", str(sum(in_order.row_count for in_order in rows)))
    open_field = _render_hidden_field("open", board.opened.node_id) if board.opened else SafeString("")
    if board.opened and board.apart:
        open_field += _render_hidden_field("apart", board.apart)
    # Links name the detachment for readers without script.
    language = get_language() or ""
    constants = PageConstants(
        language=language,
        values={
            **_list_addresses(roster.public_id),
            "public_id": roster.public_id,
            "into": board.into,
            "words": _get_row_words(language),
            "words_address": offered.words_address,
            "hidden_fields": HIDDEN_FIELDS,
            "open_field": OPEN_FIELD,
        },
    )
    return {
        **constants.values,
        "constants": constants,
        "fields": {HIDDEN_FIELDS: hidden_fields, OPEN_FIELD: open_field},
        "csrf_token": token,
        "board": board,
        "is_new": is_new,
        "page": build_page(sources),
        "panel": build_panel(board, outlook) if outlook else None,
        "outlook": outlook,
        "can_look_ahead": is_solver_installed(),
        "verdict": verdict,
        "faces": faction,
    }


def _add_outlook(roster: Roster, board: Board, view: BuilderView) -> tuple[Board, ListOutlook]:
    effort = Effort(OUTLOOK.steps, PATIENT.seconds) if view.is_patient else OUTLOOK
    outlook = look_ahead(board.evaluated_list, board.into, list_open_units(board), effort=effort)
    keep_outlook(roster, outlook.evaluated_list)
    if outlook.evaluated_list is not board.evaluated_list:
        board = build_board(roster, outlook.evaluated_list, into=view.into, opened=view.open, apart=view.apart)
    return board, outlook


def _filter_offers(
    offered: tuple[OfferCategory, ...], texts: Mapping[str, str], view: BuilderView, habits: UnitHabits
) -> tuple[tuple[OfferCategory, ...], str]:
    """Filter the offers as the script does; return them with corrected words, or ""."""
    words, most = split_words(view.q), parse_whole_number(view.most)

    def has_words(unit: UnitOffer) -> bool:
        text = texts.get(unit.entry_id) or fold_text(unit.name)
        return all(word in text for word in words)

    def matches(unit: UnitOffer) -> bool:
        return (most is None or (unit.points or 0) <= most) and has_words(unit)

    everything = [unit for group in offered for unit in group.units]
    instead = ""
    if words and not any(map(has_words, everything)):
        names = {word for unit in everything for word in fold_text(unit.name).split()}
        corrected = correct_words(view.q, names)
        if corrected.split() != words:
            words, instead = corrected.split(), corrected
    groups = []
    for group in offered:
        units = tuple(filter(matches, group.units)) if view.type in ("", group.id) else ()
        ranks = {
            # Among equals favourites come first, then the units taken last.
            unit.entry_id: (
                rank_name(unit.name, words),
                unit.entry_id not in habits.starred,
                unit.entry_id not in habits.taken,
            )
            for unit in (units if words else ())
        }
        ranked = tuple(sorted(units, key=lambda unit: ranks[unit.entry_id])) if words else units
        groups.append((min(ranks.values(), default=()), copy_with(group, units=ranked)))
    return tuple(group for _rank, group in sorted(groups, key=itemgetter(0))), instead


def render_builder(
    request: HttpRequest,
    roster: Roster,
    view: BuilderView,
    status: int = 200,
    notes: tuple[PageNotice, ...] = (),
    typed: Mapping[str, str] | None = None,
) -> HttpResponse:
    with lend_evaluation(roster) as evaluated_list:
        context = build_context(
            request,
            roster,
            replace(view, shown=None),
            evaluated_list,
            typed=typed,
            with_deeds=request.GET.get("deeds") == "1",
            with_outlook=request.GET.get("outlook") == "1",
        )
        board_list: EvaluatedList = context["board"].evaluated_list
        if request.method == "GET" and (correction := record_correction(roster, board_list)):
            messages.warning(request, wording.explain_correction(correction))
        link, panel = roster.get_absolute_url(), context["panel"]
        context |= {"link": link, "link_url": request.build_absolute_uri(link), "sheet": link + "sheet.pdf"}
        if panel and panel.kind:
            context |= build_ways_context(request, roster, board_list, panel.kind, is_patient=view.is_patient)
        if notes:
            context["messages"] = notes
        return _render_stored(request, "roster/builder.html", context, status)


def _render_stored(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    answer = render(request, template, context, status=status)
    for placeholder, fields in context["fields"].items():
        answer.content = answer.content.replace(placeholder.encode(), fields.encode())
    return answer


def render_changed_fragments(
    request: HttpRequest,
    roster: Roster,
    view: BuilderView,
    evaluated_list: EvaluatedList | None = None,
    *,
    again: str = "",
    option: str = "",
    status: int = 200,
    notes: tuple[PageNotice, ...] = (),
    announcement: str = "",
) -> HttpResponse:
    """Render the fragments that differ from the browser's keys.

    The `option` of the node `again`, or its row, is always sent, because the browser may show it differently.
    """
    have = read_client_keys(request.POST.get("have", ""))
    with lend_evaluation(roster, evaluated_list) as lent:
        context = build_context(request, roster, view, lent, needed={*have, make_dom_id("u", again)})
        page: BuilderPage = context["page"]
        context["swaps"] = diff_page(page, have, page.find_control(again, option))
        if context["is_new"]:
            context["swaps"].send(page.quick)
        context["announcement"] = announce_state(context["verdict"], context["board"].points, announcement)
        context["messages"] = notes
        return _render_stored(request, "roster/builder/changes.html", context, status)


def render_favourites(request: HttpRequest, roster: Roster, view: BuilderView) -> HttpResponse:
    """Render the sections above the offers, and lines with changed stars."""
    have = read_client_keys(request.POST.get("have", ""))
    with lend_evaluation(roster) as evaluated_list:
        context = build_context(request, roster, replace(view, shown=None), evaluated_list, needed=have)
        page: BuilderPage = context["page"]
        context["swaps"] = diff_page(page, have)
        context["swaps"].send(page.quick)
        return _render_stored(request, "roster/builder/changes.html", context)


def announce_state(verdict: VerdictRibbon, points: CostTotal | None, announcement: str) -> str:
    total = ""
    if points and points.limit is not None:
        total = _("%(points)s of %(limit)s.") % {
            "points": format_number(points.value),
            "limit": format_number(points.limit),
        }
    elif points:
        total = f"{format_number(points.value)} {points.name}."
    tally = f"{verdict.tally}." if verdict.tally else ""
    return " ".join(filter(None, (announcement, total, f"{verdict.word}.", tally)))


def render_view_change(request: HttpRequest, roster: Roster, view: BuilderView) -> HttpResponse:
    needed = {make_dom_id("u", request.GET.get("was", ""))}
    with lend_evaluation(roster) as evaluated_list:
        context = build_context(request, roster, view, evaluated_list, needed=needed)
        page: BuilderPage = context["page"]
        rows = (page.find_row(request.GET.get(name, "")) for name in ("was", "open"))
        whole = {row.id: row for row in rows if row}
        if context["is_new"]:
            whole |= {part.id: part for part in (page.shelf, page.quick, page.picks)}
        context["swaps"] = FragmentChanges(whole=[part.replace_on_page() for part in whole.values()])
        return _render_stored(request, "roster/builder/changes.html", context)


def render_later_rows(request: HttpRequest, roster: Roster, view: BuilderView, had: int) -> HttpResponse:
    with lend_evaluation(roster) as evaluated_list:
        context = build_context(request, roster, view, evaluated_list)
        before = order_rows(context["board"], had)
        context["swaps"] = diff_rows(context["page"], [row_id for in_order in before for row_id in in_order.ids])
        return _render_stored(request, "roster/builder/changes.html", context)


def render_deeds(request: HttpRequest, roster: Roster, view: BuilderView) -> HttpResponse:
    with lend_evaluation(roster) as evaluated_list:
        context = build_context(request, roster, view, evaluated_list, with_deeds=True)
        page: BuilderPage = context["page"]
        context["strip"] = page.strip.replace_on_page()
        context["cards"] = [part.shows for part in page.verdict.shows.violations]
        return _render_stored(request, "roster/builder/deeds.html", context)


def render_outlook(request: HttpRequest, roster: Roster, view: BuilderView, grey: Collection[str]) -> HttpResponse:
    before = roster.outlook
    with lend_evaluation(roster) as evaluated_list:
        context = build_context(request, roster, view, evaluated_list, with_outlook=True)
        page: BuilderPage = context["page"]
        outlook: ListOutlook = context["outlook"]
        # Include grey lines, which may no longer be dead ends.
        changed = [line.why for line in page.lines if line.why.id in grey or line.entry_id in outlook.dead_ends]
        if before or roster.outlook or view.is_patient or not outlook.is_finished:
            changed += [page.verdict, page.strip, page.dock]
        context["changed"] = [part.replace_on_page() for part in changed]
        return _render_stored(request, "roster/builder/outlook.html", context)


def render_ways(request: HttpRequest, roster: Roster, kind: WayKind, *, is_patient: bool) -> HttpResponse:
    with lend_evaluation(roster) as evaluated_list:
        context = build_ways_context(request, roster, evaluated_list, kind, is_patient=is_patient)
        return render(request, "roster/builder/mending.html", context | {"arriving": True})


def build_ways_context(
    request: HttpRequest, roster: Roster, evaluated_list: EvaluatedList, kind: WayKind, *, is_patient: bool
) -> dict[str, Any]:
    search = find_ways(evaluated_list, kind, roster.version, is_patient=is_patient)
    is_open = not search.is_finished or (search.answer is Possibility.UNKNOWN and not search.plan_forbids)
    return {
        "kind": kind,
        "ways": describe_ways(search.ways, roster),
        "no_ways": wording.explain_search(kind, search),
        "can_go_on": is_open and not is_patient,
        "ways_address": reverse("roster:ways", args=[roster.public_id]),
        "page_address": reverse("roster:builder", args=[roster.public_id]),
        "csrf_token": get_token(request),
        "revision": roster.head,
    }


def redirect_to_offer(roster: Roster, view: BuilderView, entry_id: str) -> HttpResponse:
    """Redirect a form sent without script to the line of an offered unit."""
    query = {name: value for name, value in (("open", view.open), ("into", view.into)) if value}
    anchor = f"p-{make_dom_token(entry_id)}"
    return redirect_after_post("roster:builder", roster.public_id, query=urlencode(query), anchor=anchor)


def redirect_to_builder(roster: Roster, view: BuilderView, created: tuple[str, ...], node: str) -> HttpResponse:
    unit = created[0] if created else node
    rows = (("rows", view.rows), ("at", unit)) if view.rows else ()
    fields = (("open", view.open), ("apart", view.apart), ("into", view.into))
    query = {name: value for name, value in (*fields, *rows) if value}
    anchor = make_dom_id("u", unit) if unit else "roster"
    return redirect_after_post("roster:builder", roster.public_id, query=urlencode(query), anchor=anchor)


def _render_hidden_field(name: str, value: str) -> SafeString:
    return format_html('<input type="hidden" name="{}" value="{}">', name, value)
