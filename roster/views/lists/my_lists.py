"""My lists: looked through and filtered, many changed at once, the bin they go to, folders and tags."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
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
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.engine.report import Verdict
from roster.models import Folder, Tag
from roster.models.folders import Label
from roster.pdf.sheet_job import MOST_SHEETS
from roster.services.list_search import (
    NO_FOLDER,
    ORDERS,
    ListFilter,
    fetch_rows,
    find_filter_options,
    search_lists,
)
from roster.services.organize import (
    add_tag,
    count_lists_by_label,
    delete_for_good,
    ensure_label,
    list_bin,
    list_folders,
    list_tags,
    move_to_bin,
    move_to_folder,
    remove_tag,
    rename_label,
    restore_from_bin,
    select_lists,
)
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, extend_guest_session, filter_owned, identify_visitor, make_owner
from roster.views.parsing import parse_whole_number

AT_ONCE, BIN_AT_ONCE = 30, 50
LONGEST = 200
MOST_TICKED = 100
FIELDS = ("q", "game", "faction", "verdict", "folder", "tag", "order")


@allow("GET")
def show_my_lists(request: HttpRequest) -> HttpResponse:
    visitor = identify_visitor(request)
    extend_guest_session(visitor, request.session)
    wanted = read_list_filter(request.GET)
    folders, tags, known = list(list_folders(visitor)), list(list_tags(visitor)), find_filter_options(visitor)
    matching_lists = search_lists(visitor, wanted, known, tags)
    page = Paginator(matching_lists.values_list("pk", flat=True), AT_ONCE).get_page(request.GET.get("page"))
    rows = fetch_rows(matching_lists, list(page.object_list))
    ticked = request.GET.getlist("list")[:MOST_TICKED]
    context: dict[str, Any] = {
        "page": "rosters",
        "rosters": rows,
        "ticked": ticked,
        "elsewhere": [
            list_id for list_id in dict.fromkeys(ticked) if list_id not in {row.public_id for row in rows}
        ],
        "page_obj": page,
        "wanted": wanted,
        "query": write_list_query(wanted),
        "searched": bool(write_list_query(wanted)),
        "filtered": bool(write_list_query(replace(wanted, q=""))),
        "known": known,
        "games": known.games,
        "factions": known.list_factions(wanted.game),
        "verdicts": [(verdict.value, wording.get_verdict_word(verdict)) for verdict in Verdict],
        "folders": folders,
        "tags": tags,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "roster/rosters.html", context)


def read_list_filter(fields: Mapping[str, str]) -> ListFilter:
    """Read what a form or an address asks for; what makes no sense in it asks for nothing."""
    given = {name: fields.get(name, "").strip()[:LONGEST] for name in FIELDS}
    if given["verdict"] not in {verdict.value for verdict in Verdict}:
        given["verdict"] = ""
    if given["folder"] != NO_FOLDER and parse_whole_number(given["folder"]) is None:
        given["folder"] = ""
    if parse_whole_number(given["tag"]) is None:
        given["tag"] = ""
    if given["order"] not in ORDERS:
        given["order"] = ""
    return ListFilter(**given)


def write_list_query(wanted: ListFilter) -> str:
    """Write a filter as an address has it, to be followed by more; blank where nothing is asked for."""
    given = {name: getattr(wanted, name) for name in FIELDS if getattr(wanted, name)}
    return urlencode(given) + "&" if given else ""


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
        return redirect_after_post(
            name, query=urlencode([("list", public_id) for public_id in ids[:MOST_TICKED]])
        )
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
    return (shown + urlencode([("list", public_id) for public_id in ticked[:MOST_TICKED]])).rstrip("&")


def _apply_action(visitor: Visitor, form: QueryDict, ids: list[str]) -> Done:
    do = form.get("do", "")
    if do == "empty":
        return _describe_deleted(delete_for_good(list_bin(visitor)))
    if do not in _ACTS:
        return Refused(code="bad-change")
    if not ids:
        return Refused(code="nothing-chosen")
    if len(ids) > MOST_TICKED:
        return Refused(code="too-many", allowed=MOST_TICKED)
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


@allow("GET")
def show_bin(request: HttpRequest) -> HttpResponse:
    page = Paginator(list_bin(identify_visitor(request)), BIN_AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "page": "rosters",
        "rosters": list(page.object_list),
        "page_obj": page,
        "days": settings.ARMYBUILDER["BIN_DAYS"],
    }
    return render(request, "roster/bin.html", context)


def _ask_to_confirm(request: HttpRequest, visitor: Visitor, ids: list[str], do: str) -> HttpResponse:
    """Ask, before lists are gone for good, whether exactly these are meant."""
    lists = list_bin(visitor) if do == "empty" else select_lists(visitor, ids[:MOST_TICKED], binned=True)
    names = list(lists.values_list("public_id", "name")[:MOST_TICKED])
    context = {"page": "rosters", "names": names, "number": lists.count(), "do": do}
    return render(request, "roster/bin_sure.html", context)


KINDS: dict[str, type[Label]] = {"folder": Folder, "tag": Tag}


@allow("GET", "POST")
def edit_labels(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _render_folders(request)
    refused = _apply_label_form(make_owner(request), request.POST)
    if refused:
        status = BAD_FORM if refused.code == "bad-change" else REFUSED
        return _render_folders(request, wording.explain_refusal(refused), status)
    messages.success(request, _("Done."))
    return redirect_after_post("roster:folders")


def _apply_label_form(visitor: Visitor, form: QueryDict) -> Refused | None:
    model, do = KINDS.get(form.get("kind", "")), form.get("do", "")
    if model is None:
        return Refused(code="bad-change")
    if do == "new":
        new_label = ensure_label(model, visitor, form.get("name", ""))
        return new_label if isinstance(new_label, Refused) else None
    mine = filter_owned(visitor, model._default_manager.all())
    label = mine.filter(pk=parse_whole_number(form.get("id", "")) or 0).first()
    if label is None or do not in ("rename", "delete"):
        return Refused(code="bad-change")
    if do == "rename":
        return rename_label(label, form.get("name", ""))
    label.delete()
    return None


def _render_folders(request: HttpRequest, wrong: str = "", status: int = 200) -> HttpResponse:
    visitor = identify_visitor(request)
    in_folders, tagged = count_lists_by_label(visitor)
    context = {
        "page": "rosters",
        "wrong": wrong,
        "folders": [(folder, in_folders.get(folder.pk, 0)) for folder in list_folders(visitor)],
        "tags": [(tag, tagged.get(tag.pk, 0)) for tag in list_tags(visitor)],
    }
    return render(request, "roster/folders.html", context, status=status)
