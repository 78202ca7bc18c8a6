"""Visibility of lists and mission decks, public lists, and abuse reports."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.engine.report import Verdict
from roster.formats.list_document import QR_LENGTH, write_list_link
from roster.models import Roster
from roster.models.ownership import REPORT_LENGTH, Moderated, Reason, Shared
from roster.pdf.qr import draw_qr_code
from roster.services.evaluation import hash_document
from roster.services.exchange import build_stored_document
from roster.services.history import list_named_revisions
from roster.services.list_search import PUBLIC_ORDERS, fetch_rows, find_filter_options, find_lists, select_public_lists
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.services.photos import find_list_photos
from roster.services.revisions import build_revision_address
from roster.services.sharing import can_report, replace_link, set_visibility, share_roster, tell_staff
from roster.views.forms import SharingForm
from roster.views.list_rows import match_list_rows
from roster.views.lists.my_lists import read_list_filter, write_list_query
from roster.views.lists.paste import build_text_context
from roster.views.requests import find_linked_roster, find_own_roster


@allow("GET", "POST")
def share_list(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    name = roster.name or _("List without a name")
    pages = ((reverse("roster:rosters"), _("My lists")), (reverse("roster:builder", args=[public_id]), name))
    return answer_sharing(request, roster, pages)


def answer_sharing(request: HttpRequest, thing: Shared, pages: Sequence[tuple[str, str]]) -> HttpResponse:
    """Show or change who sees a thing. `pages` are addresses and names of the pages above, the thing's own last."""
    if request.method != "POST":
        return _render_sharing(request, thing, pages)
    form = SharingForm(request.POST)
    if form.is_valid():
        _apply_sharing_form(request, thing, form)
    if form.errors:
        return _render_sharing(request, thing, pages, wrong=form.complaint, status=form.status)
    return redirect_after_post(request.path)


def _apply_sharing_form(request: HttpRequest, thing: Shared, form: SharingForm) -> None:
    if form.cleaned_data["do"] == "renew":
        replace_link(thing)
        messages.success(request, str(thing.sharing_words.renewed))
        return
    before = thing.visibility
    sent = form.cleaned_data
    refused = (
        share_roster(thing, sent["visibility"], secret=sent["secret"], uncounted=sent["uncounted"])
        if isinstance(thing, Roster)
        else set_visibility(thing, sent["visibility"])
    )
    if refused:
        form.refuse(refused)
        return
    messages.success(request, wording.describe_visibility(thing, before))


def _render_sharing(
    request: HttpRequest, thing: Shared, pages: Sequence[tuple[str, str]], *, wrong: str = "", status: int = 200
) -> HttpResponse:
    address = request.build_absolute_uri(thing.get_absolute_url())
    context: dict[str, Any] = {
        "thing": thing,
        "pages": pages,
        "back": pages[-1][0],
        # Decks may be of several games.
        "game": getattr(thing, "game", None),
        "words": thing.sharing_words,
        "choices": wording.list_visibilities(thing),
        "address": address,
        "qr": draw_qr_code(address, thing.name),
        "wrong": wrong,
    }
    if isinstance(thing, Roster):
        context |= {
            "roster": thing,
            "game": thing.version.game,
            "frozen": build_revision_address(address, thing.head, hash_document(thing.document)),
            "named": list_named_revisions(thing),
            **_build_whole_link(thing),
            **build_text_context(request, thing),
        }
    return render(request, "roster/sharing.html", context, status=status)


def _build_whole_link(roster: Roster) -> dict[str, str]:
    link = write_list_link(build_stored_document(roster))
    return {"whole": link, "whole_qr": draw_qr_code(link, roster.name) if len(link) <= QR_LENGTH else ""}


LONGEST = 200


class ReportForm(forms.Form):
    """A report to staff; the service checks reason and length."""

    reason = forms.CharField(required=False)
    text = forms.CharField(required=False, strip=False)


@allow("GET")
def list_public_lists(request: HttpRequest) -> HttpResponse:
    legal = bool(request.GET.get("legal"))
    # Folders and tags belong to the owner; readers can only filter for legal lists.
    verdict = Verdict.LEGAL.value if legal else ""
    list_filter = replace(read_list_filter(request.GET, PUBLIC_ORDERS), verdict=verdict, folder="", tag="")
    lists = select_public_lists()
    options = find_filter_options(lists)
    result = find_lists(lists, list_filter, options, by_others=True)
    page = result.pages.get_page(request.GET.get("page"))
    rows = fetch_rows(list(page.object_list), options, public=True)
    context = {
        "page": "public",
        "page_obj": page,
        "rows": match_list_rows(rows, options.factions, photos=find_list_photos(rows, by_others=True)),
        "games": select_games(),
        "factions": options.list_factions(list_filter.game),
        "sizes": options.sizes,
        "wanted": list_filter,
        "corrected": result.corrected,
        "legal": legal,
        "pager": write_list_query(replace(list_filter, verdict="")) + ("legal=yes&" if legal else ""),
    }
    return render(request, "roster/public.html", context)


@allow("GET", "POST")
def report_list(request: HttpRequest, link_id: str) -> HttpResponse:
    return answer_report(request, find_linked_roster(request, link_id))


def answer_report(request: HttpRequest, thing: Moderated) -> HttpResponse:
    if not can_report(thing, identify_visitor(request)):
        raise Http404
    if request.method != "POST":
        return _render_report_form(request, thing, ReportForm())
    form = ReportForm(request.POST)
    form.full_clean()
    refusal = tell_staff(thing, **form.cleaned_data)
    if isinstance(refusal, Refused):
        form.add_error(None, wording.explain_refusal(refusal))
        status = BAD_FORM if refusal.code == "bad-change" else REFUSED
        return _render_report_form(request, thing, form, status)
    messages.success(request, _("Thanks. A moderator will review your report."))
    return redirect(thing)


def _render_report_form(request: HttpRequest, thing: Moderated, form: ReportForm, status: int = 200) -> HttpResponse:
    context = {
        "thing": thing,
        "words": thing.sharing_words,
        "reasons": Reason.choices,
        "form": form,
        "longest": REPORT_LENGTH,
    }
    return render(request, "roster/report.html", context, status=status)
