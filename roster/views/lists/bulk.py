"""Doing something with many lists at once, and the bin they go to."""

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.views.decorators import allow
from catalogue.views.responses import redirect_after_post
from roster import wording
from roster.models import Folder, Tag
from roster.pdf.sheet_job import MOST_SHEETS
from roster.services.list_search import NO_FOLDER
from roster.services.organize import (
    add_tag,
    delete_for_good,
    ensure_label,
    list_bin,
    list_folders,
    list_tags,
    move_to_bin,
    move_to_folder,
    remove_tag,
    restore_from_bin,
    select_lists,
)
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, identify_visitor
from roster.views.lists.my_lists import read_list_filter, write_list_query
from roster.views.parsing import parse_whole_number

MOST = 100
AT_ONCE = 50

Done = str | Refused
"""What to say of what was done, or why it was not."""


@allow("POST")
def change_many_lists(request: HttpRequest) -> HttpResponse:
    """Apply one action to the lists that were ticked, then go back to where they were."""
    form, visitor = request.POST, identify_visitor(request)
    ids, do = form.getlist("list"), form.get("do", "")
    if do == "print" and len(ids) > MOST_SHEETS:
        message = _("At most %(most)d lists are printed at once, and %(n)d are ticked. Take some ticks away.")
        messages.error(request, message % {"most": MOST_SHEETS, "n": len(ids)})
        return redirect_after_post("roster:rosters", query=_build_return_query(form, ids))
    if do in ("print", "compare") and ids:
        name = "roster:print" if do == "print" else "roster:compare-lists"
        return redirect_after_post(name, query=urlencode([("list", public_id) for public_id in ids[:MOST]]))
    if do in ("delete", "empty") and "sure" not in form:
        return _ask_to_confirm(request, visitor, ids, do)
    done = _apply_action(visitor, form, ids)
    if isinstance(done, Refused):
        messages.error(request, wording.explain_refusal(done))
    else:
        messages.success(request, done)
    where = "roster:bin" if do in ("restore", "delete", "empty") else "roster:rosters"
    return redirect_after_post(where, query=_build_return_query(form))


def _build_return_query(form: QueryDict, ticked: Sequence[str] = ()) -> str:
    """Return what My lists showed, with these lists still ticked."""
    shown = write_list_query(read_list_filter(QueryDict(form.get("back", ""))))
    return (shown + urlencode([("list", public_id) for public_id in ticked[:MOST]])).rstrip("&")


def _apply_action(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    do = form.get("do", "")
    if do == "empty":
        return _describe_deleted(delete_for_good(list_bin(visitor)))
    if do not in _ACTS:
        return Refused(code="bad-change")
    if not ids:
        return Refused(code="nothing-chosen")
    if len(ids) > MOST:
        return Refused(code="too-many", allowed=MOST)
    return _ACTS[do](visitor, form, ids)


def _move_lists(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    folder: Folder | Refused | None = None
    where = form.get("folder", "")
    if form.get("new_folder", "").strip():
        folder = ensure_label(Folder, visitor, form.get("new_folder", ""))
    elif where != NO_FOLDER:
        folder = list_folders(visitor).filter(pk=parse_whole_number(where) or 0).first() or Refused(
            code="bad-change"
        )
    if isinstance(folder, Refused):
        return folder
    number = move_to_folder(select_lists(visitor, ids), folder)
    if folder is None:
        return ngettext("%d list is in no folder now.", "%d lists are in no folder now.", number) % number
    message = ngettext("%(n)d list is in “%(name)s” now.", "%(n)d lists are in “%(name)s” now.", number)
    return message % {"n": number, "name": folder.name}


def _add_tag(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    label = ensure_label(Tag, visitor, form.get("tag_name", ""))
    if isinstance(label, Refused):
        return label
    number = add_tag(select_lists(visitor, ids), label)
    message = ngettext("%(n)d list is tagged “%(name)s”.", "%(n)d lists are tagged “%(name)s”.", number)
    return message % {"n": number, "name": label.name}


def _remove_tag(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    label = list_tags(visitor).filter(name=form.get("tag_name", "").strip()).first()
    if label is None:
        return Refused(code="unknown-tag")
    number = remove_tag(select_lists(visitor, ids), label)
    message = ngettext("Tag taken from %d list.", "Tag taken from %d lists.", number)
    return message % number


def _move_to_bin(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    number = move_to_bin(select_lists(visitor, ids))
    message = ngettext("%d list is in the bin.", "%d lists are in the bin.", number) % number
    return wording.append_link(message, reverse("roster:bin"), _("See the bin"))


def _restore_lists(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    number = restore_from_bin(select_lists(visitor, ids, binned=True))
    return ngettext("%d list is back.", "%d lists are back.", number) % number


def _delete_lists(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    return _describe_deleted(delete_for_good(select_lists(visitor, ids, binned=True)))


def _describe_deleted(number: int) -> str:
    return ngettext("%d list is deleted.", "%d lists are deleted.", number) % number


_ACTS: dict[str, Callable[[Visitor, QueryDict, list[str]], Done]] = {
    "move": _move_lists,
    "tag": _add_tag,
    "untag": _remove_tag,
    "bin": _move_to_bin,
    "restore": _restore_lists,
    "delete": _delete_lists,
}


# ---- the bin ------------------------------------------------------------------------------------------------------


@allow("GET")
def show_bin(request: HttpRequest) -> HttpResponse:
    page = Paginator(list_bin(identify_visitor(request)), AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "page": "rosters",
        "rosters": list(page.object_list),
        "page_obj": page,
        "days": settings.ARMYBUILDER["BIN_DAYS"],
    }
    return render(request, "roster/bin.html", context)


def _ask_to_confirm(request: HttpRequest, visitor: Visitor, ids: list[str], do: str) -> HttpResponse:
    """Ask, before lists are gone for good, whether exactly these are meant."""
    lists = list_bin(visitor) if do == "empty" else select_lists(visitor, ids[:MOST], binned=True)
    names = list(lists.values_list("public_id", "name")[:MOST])
    context = {"page": "rosters", "names": names, "number": lists.count(), "do": do}
    return render(request, "roster/bin_sure.html", context)
