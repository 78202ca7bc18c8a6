"""Folders and tags: making, renaming, deleting. Lists stay where their folder goes."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.models import Folder, Tag
from roster.models.folders import Label
from roster.services.organize import count_lists_by_label, ensure_label, list_folders, list_tags, rename_label
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, identify_visitor, make_owner
from roster.views.parsing import parse_whole_number

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
