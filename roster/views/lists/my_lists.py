from collections.abc import Callable, Collection, Mapping, Sequence
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
from catalogue.views.responses import redirect_after_post
from roster import wording
from roster.engine.report import Verdict
from roster.models import Folder, Tag
from roster.models.roster import Label
from roster.services.list_search import (
    HOUSE_RULES,
    NO_FOLDER,
    OWN_ORDERS,
    VERDICTS_SOUGHT,
    ListFilter,
    fetch_rows,
    fetch_tag_names,
    find_lists,
    look_up_options,
    select_own_lists,
)
from roster.services.organize import (
    add_tag,
    count_lists_by_label,
    count_lists_by_place,
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
from roster.services.photos import find_list_photos
from roster.views.forms import MOST_TICKED, BulkForm, LabelForm
from roster.views.list_rows import build_list_rows, match_list_rows
from roster.views.requests import parse_whole_number

BIN_AT_ONCE = 50
LONGEST = 200
FIELDS = ("q", "game", "faction", "size", "verdict", "folder", "tag", "order")


@allow("GET")
def show_my_lists(request: HttpRequest) -> HttpResponse:
    visitor = identify_visitor(request)
    # Guests' lists last as long as the guests keep visiting this page.
    extend_guest_session(visitor, request.session)
    list_filter = read_list_filter(request.GET)
    mine = select_own_lists(visitor)
    folders, tags, counts = list(list_folders(visitor)), list(list_tags(visitor)), count_lists_by_place(visitor)
    options = look_up_options(counts.kinds)
    total = counts.by_faction.total()
    result = find_lists(mine, list_filter, options, tags, total=total)
    page = result.pages.get_page(request.GET.get("page"))
    keys = list(page.object_list)
    rows = fetch_rows(keys, options, folders)
    ticked = request.GET.getlist("list")[:MOST_TICKED]
    here = {row.public_id for row in rows}
    context: dict[str, Any] = {
        "page": "rosters",
        "rows": match_list_rows(rows, options.factions, fetch_tag_names(keys) if tags else {}, find_list_photos(rows)),
        "ticked": ticked,
        "elsewhere": [list_id for list_id in dict.fromkeys(ticked) if list_id not in here],
        "page_obj": page,
        "corrected": result.corrected,
        "sizes": options.sizes,
        "wanted": list_filter,
        "query": write_list_query(list_filter),
        "searched": bool(write_list_query(list_filter)),
        "filtered": bool(write_list_query(replace(list_filter, q=""))),
        "known": options,
        "total": total,
        "counted_factions": [(faction, counts.by_faction[faction.faction_id]) for faction in options.distinct_factions],
        "counted_folders": [(folder, counts.by_folder[folder.pk]) for folder in folders],
        "games": options.games,
        "factions": options.list_factions(list_filter.game),
        "verdicts": [
            (sought, _("Legal by house rules") if sought == HOUSE_RULES else wording.get_verdict_word(Verdict(sought)))
            for sought in VERDICTS_SOUGHT
        ],
        "folders": folders,
        "tags": tags,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "roster/rosters.html", context)


def read_list_filter(fields: Mapping[str, str], orders: Collection[str] = OWN_ORDERS) -> ListFilter:
    """Read a filter and one of `orders`; ignore invalid values."""
    given: dict[str, Any] = {name: fields.get(name, "").strip()[:LONGEST] for name in FIELDS}
    if given["verdict"] not in VERDICTS_SOUGHT:
        given["verdict"] = ""
    if given["folder"] != NO_FOLDER and parse_whole_number(given["folder"]) is None:
        given["folder"] = ""
    if parse_whole_number(given["tag"]) is None:
        given["tag"] = ""
    if given["order"] not in orders:
        given["order"] = ""
    return ListFilter(**given)


def write_list_query(list_filter: ListFilter) -> str:
    given = {name: getattr(list_filter, name) for name in FIELDS if getattr(list_filter, name)}
    return urlencode(given) + "&" if given else ""


@allow("POST")
def change_many_lists(request: HttpRequest) -> HttpResponse:
    form, visitor = BulkForm(request.POST), identify_visitor(request)
    form.full_clean()
    do, ticked = form.cleaned_data.get("do", ""), form.cleaned_data.get("list", ())[:MOST_TICKED]
    if form.errors:
        return _refuse_action(request, form, do, ticked)
    if do in PAGES:
        return redirect_after_post(PAGES[do], query=urlencode({"list": ticked}, doseq=True))
    if do in ("delete", "empty") and not form.cleaned_data["sure"]:
        lists = list_bin(visitor) if do == "empty" else select_lists(visitor, ticked, binned=True)
        names = list(lists.values_list("public_id", "name")[:MOST_TICKED])
        context = {"page": "rosters", "names": names, "number": lists.count(), "do": do}
        return render(request, "roster/bin_sure.html", context)
    message = _ACTS[do](visitor, form)
    if not message:
        return _refuse_action(request, form, do, ticked)
    messages.success(request, message)
    return _go_back_to_lists(form, do, ())


def _refuse_action(request: HttpRequest, form: BulkForm, do: str, ticked: Sequence[str]) -> HttpResponse:
    messages.error(request, form.complaint)
    return _go_back_to_lists(form, do, ticked)


def _go_back_to_lists(form: BulkForm, do: str, ticked: Sequence[str]) -> HttpResponse:
    query = write_list_query(read_list_filter(QueryDict(form.cleaned_data.get("back", ""))))
    where = "roster:bin" if do in ("restore", "delete", "empty") else "roster:rosters"
    return redirect_after_post(where, query=(query + urlencode({"list": ticked}, doseq=True)).rstrip("&"))


def _move_lists(visitor: Visitor, form: BulkForm) -> str:
    fields = form.cleaned_data
    folder: Folder | Refused | None = None
    if fields["new_folder"]:
        folder = ensure_label(Folder, visitor, fields["new_folder"])
    elif fields["folder"] != NO_FOLDER:
        key = parse_whole_number(fields["folder"]) or 0
        folder = list_folders(visitor).filter(pk=key).first() or Refused(code="bad-change")
    if isinstance(folder, Refused):
        return form.refuse(folder)
    number = move_to_folder(select_lists(visitor, fields["list"]), folder)
    if folder is None:
        return ngettext("%d list is now in no folder.", "%d lists are now in no folder.", number) % number
    message = ngettext("%(n)d list is now in “%(name)s”.", "%(n)d lists are now in “%(name)s”.", number)
    return message % {"n": number, "name": folder.name}


def _add_tag(visitor: Visitor, form: BulkForm) -> str:
    label = ensure_label(Tag, visitor, form.cleaned_data["tag_name"])
    if isinstance(label, Refused):
        return form.refuse(label)
    number = add_tag(select_lists(visitor, form.cleaned_data["list"]), label)
    message = ngettext("%(n)d list is tagged “%(name)s”.", "%(n)d lists are tagged “%(name)s”.", number)
    return message % {"n": number, "name": label.name}


def _remove_tag(visitor: Visitor, form: BulkForm) -> str:
    label = list_tags(visitor).filter(name=form.cleaned_data["tag_name"]).first()
    if label is None:
        return form.refuse(Refused(code="unknown-tag"))
    number = remove_tag(select_lists(visitor, form.cleaned_data["list"]), label)
    return ngettext("Tag removed from %d list.", "Tag removed from %d lists.", number) % number


def _move_to_bin(visitor: Visitor, form: BulkForm) -> str:
    number = move_to_bin(select_lists(visitor, form.cleaned_data["list"]))
    message = ngettext("%d list is in the bin.", "%d lists are in the bin.", number) % number
    return wording.append_link(message, reverse("roster:bin"), _("See the bin"))


def _restore_lists(visitor: Visitor, form: BulkForm) -> str:
    number = restore_from_bin(select_lists(visitor, form.cleaned_data["list"], binned=True))
    return ngettext("%d list is back.", "%d lists are back.", number) % number


def _delete_lists(visitor: Visitor, form: BulkForm) -> str:
    return _describe_deleted(delete_for_good(select_lists(visitor, form.cleaned_data["list"], binned=True)))


def _empty_bin(visitor: Visitor, form: BulkForm) -> str:
    return _describe_deleted(delete_for_good(list_bin(visitor)))


def _describe_deleted(number: int) -> str:
    return ngettext("%d list was deleted.", "%d lists were deleted.", number) % number


PAGES = {"print": "roster:print", "compare": "roster:compare-lists", "text": "roster:texts"}
_ACTS: dict[str, Callable[[Visitor, BulkForm], str]] = {
    "move": _move_lists,
    "tag": _add_tag,
    "untag": _remove_tag,
    "bin": _move_to_bin,
    "restore": _restore_lists,
    "delete": _delete_lists,
    "empty": _empty_bin,
}
"""Each returns its message, or "" if the form was refused."""


@allow("GET")
def show_bin(request: HttpRequest) -> HttpResponse:
    page = Paginator(list_bin(identify_visitor(request)), BIN_AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "page": "rosters",
        "rows": build_list_rows(page.object_list),
        "page_obj": page,
        "days": settings.ARMYBUILDER["BIN_DAYS"],
    }
    return render(request, "roster/bin.html", context)


KINDS: dict[str, type[Label]] = {"folder": Folder, "tag": Tag}


@allow("GET", "POST")
def edit_labels(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _render_folders(request)
    form = LabelForm(request.POST)
    if form.is_valid():
        refused = _apply_label_form(make_owner(request), form)
        if refused:
            form.refuse(refused)
    if form.errors:
        return _render_folders(request, form.complaint, form.status)
    messages.success(request, _("Done."))
    return redirect_after_post("roster:folders")


def _apply_label_form(visitor: Visitor, form: LabelForm) -> Refused | None:
    model = KINDS[form.cleaned_data["kind"]]
    do, name = form.cleaned_data["do"], form.cleaned_data["name"]
    if do == "new":
        new_label = ensure_label(model, visitor, name)
        return new_label if isinstance(new_label, Refused) else None
    label = filter_owned(visitor, model._default_manager.all()).filter(pk=form.cleaned_data["id"]).first()
    if label is None:
        return Refused(code="bad-change")
    if do == "rename":
        return rename_label(label, name)
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
