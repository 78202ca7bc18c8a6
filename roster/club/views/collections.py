from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.services.published_games import select_readable_games
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post, render_form
from roster import wording
from roster.club.models import Collection, KindPhoto, ModelState, OwnedKind
from roster.club.services import collections as verbs
from roster.club.services.collection_files import (
    BadRow,
    ReadCollection,
    ReadRow,
    RowError,
    import_models,
    read_collection_json,
    read_models_csv,
    write_collection_csv,
    write_collection_json,
)
from roster.club.services.needs import measure_needs, own_list
from roster.club.services.progress import measure_progress
from roster.club.views.files import send_file
from roster.club.views.forms import CollectionForm, PhotosForm, RowsFileForm, StartCollectionForm
from roster.club.views.photos import change_photos, describe_photo_form
from roster.club.wording import describe_changes, explain_collection_refusal
from roster.models import Roster
from roster.pdf.qr import draw_qr_code
from roster.services.outcomes import Refused
from roster.services.owners import filter_owned, identify_visitor, is_owner, make_owner
from roster.services.sharing import can_report
from roster.views.photos import answer_photo
from roster.views.plots import BarPlot, draw_bars
from roster.views.requests import parse_whole_number
from roster.views.sharing import answer_report, answer_sharing

MOST_OFFERED_LISTS = 100
LONGEST_SHOWN = 60
WORK = (ModelState.SPRUE, ModelState.BUILT, ModelState.PRIMED, ModelState.PAINTED, ModelState.BASED)
"""The states in the order of work, without models on loan."""


@allow("GET", "POST")
def show_collections(request: HttpRequest) -> HttpResponse:
    visitor, wrong = identify_visitor(request), ""
    if request.method == "POST":
        slug, _colon, faction_id = StartCollectionForm(request.POST).read_fields()["faction"].partition(":")
        game = get_object_or_404(select_readable_games(request.user.pk), slug=slug)
        collection = verbs.start_collection(make_owner(request), game, faction_id)
        if isinstance(collection, Collection):
            return redirect_after_post("club:collection", collection.public_id)
        wrong = wording.explain_refusal(collection)
    context = {
        "page": "rosters",
        "collections": verbs.list_collections(visitor),
        "factions": verbs.list_startable_factions(visitor),
        "wrong": wrong,
    }
    return render_form(request, "club/collections.html", context)


@allow("GET", "POST")
def show_collection(request: HttpRequest, public_id: str) -> HttpResponse:
    collection = own_collection(request, public_id)
    if request.method != "POST":
        return _render_collection(request, collection, CollectionForm())
    form = CollectionForm(request.POST)
    outcome = _take_step(request, collection, form) if form.is_valid() else None
    if isinstance(outcome, Refused):
        form.add_error(None, explain_collection_refusal(outcome))
        form.status = REFUSED
    if form.errors:
        return _render_collection(request, collection, form)
    opened = outcome if isinstance(outcome, OwnedKind) else None
    return redirect_after_post(
        "club:collection",
        collection.public_id,
        query=f"open={opened.pk}" if opened else "",
        anchor=f"kind-{opened.pk}" if opened else "",
    )


def _take_step(request: HttpRequest, collection: Collection, form: CollectionForm) -> OwnedKind | Refused | None:
    """Return the kind to open again, or the refusal."""
    fields = form.cleaned_data
    kind_id = fields["kind"] or 0
    match fields["do"]:
        case "add":
            return verbs.add_models(collection, fields["name"], fields["number"], fields["target"])
        case "move":
            return verbs.move_models(collection, kind_id, fields["source"], fields["target"], fields["number"])
        case "notes":
            refused = verbs.note_kind(collection, kind_id, fields["notes"], fields["location"])
            return refused or collection.kinds.get(pk=kind_id)
        case "drop":
            verbs.drop_kind(collection, kind_id)
        case "undo":
            undone = verbs.undo_change(collection)
            if isinstance(undone, Refused):
                return undone
            messages.success(request, _("Undone: %(what)s") % {"what": describe_changes(undone)})
        case "lists":
            mine = filter_owned(identify_visitor(request), Roster.objects.filter(public_id__in=fields["list"]))
            return verbs.choose_lists(collection, mine, fields["together"])
        case "games":
            return verbs.choose_games(collection, identify_visitor(request), fields["game"])
        case "own":
            return _own_lists(request, collection, fields)
        case "buy" | "paint":
            return _tick_models(request, collection, form)
    return None


def _tick_models(request: HttpRequest, collection: Collection, form: CollectionForm) -> Refused | None:
    are_painted = form.cleaned_data["do"] == "paint"
    number = verbs.tick_models(collection, list(form.read_ticks()), are_painted=are_painted)
    if isinstance(number, Refused):
        return number
    if not number:
        text = _("These models were counted already.")
    elif are_painted:
        text = ngettext("%(n)d model painted.", "%(n)d models painted.", number) % {"n": number}
    else:
        text = ngettext("%(n)d model added.", "%(n)d models added.", number) % {"n": number}
    messages.success(request, text)
    return None


def _own_lists(request: HttpRequest, collection: Collection, fields: Mapping[str, Any]) -> Refused | None:
    added = 0
    for roster in collection.lists.filter(public_id__in=fields["list"]):
        outcome = own_list(collection, roster, fields["target"])
        if isinstance(outcome, Refused):
            return outcome
        added += outcome
    text = ngettext("%(n)d model added.", "%(n)d models added.", added) % {"n": added}
    messages.success(request, text if added else _("You already own all of its models."))
    return None


def _render_collection(request: HttpRequest, collection: Collection, form: CollectionForm) -> HttpResponse:
    needs = measure_needs(collection)
    chosen = {roster.pk for roster in needs.lists}
    mine = filter_owned(identify_visitor(request), Roster.objects.filter(binned=None))
    others = mine.exclude(pk__in=chosen).select_related("version__game").defer("document", "outlook", "search_text")
    changes = verbs.list_newest_step(collection)
    more_games = list(collection.more_games.all())
    context = {
        "page": "rosters",
        "collection": collection,
        "face": verbs.find_face(collection),
        "needs": needs,
        "others": others.order_by("-updated")[:MOST_OFFERED_LISTS],
        "more_games": more_games,
        "other_games": verbs.list_offered_games(collection, more_games, identify_visitor(request)),
        "states": WORK,
        "all_states": ModelState,
        "offered": verbs.list_offered_kinds(collection).by_id.values(),
        "undo": describe_changes(changes) if changes else "",
        "opened": parse_whole_number(request.GET.get("open") or str(form.data.get("kind", ""))),
        "typed": form.data,
        "ticked": form.ticked,
        "photos": verbs.list_kind_photos(collection, identify_visitor(request)),
        "wrong": form.complaint,
        "progress": _draw_progress(collection, needs.kinds),
        **_count_all(needs.kinds),
    }
    return render(request, "club/collection.html", context, status=form.status if form.errors else 200)


def _draw_progress(collection: Collection, kinds: Sequence[OwnedKind]) -> BarPlot | None:
    """Draw each month's painted models; None in the first month."""
    ends = measure_progress(collection, kinds)
    if len(ends) == 1:
        return None
    lines = [
        (
            date_format(end.month, "YEAR_MONTH_FORMAT"),
            end.ready,
            _("%(n)s of %(all)s") % {"n": end.ready, "all": end.owned},
        )
        for end in ends
    ]
    return draw_bars(lines, max(end.owned for end in ends))


def _count_all(kinds: Sequence[OwnedKind]) -> dict[str, int]:
    return {
        "owned": sum(kind.owned for kind in kinds),
        "ready": sum(kind.ready for kind in kinds),
        "unpainted": sum(kind.unpainted for kind in kinds),
    }


@allow("GET", "POST")
@hide_linked_page()
def edit_kind_photos(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show the photos of a kind to its owner. A POST adds, deletes or moves one, or changes its caption."""
    collection, wrong = own_collection(request, public_id), ""
    kind = get_object_or_404(collection.kinds, pk=number)
    fields: Mapping[str, Any] = {}
    if request.method == "POST":
        fields = PhotosForm(request.POST, request.FILES).read_fields()
        outcome: str | Refused
        if fields["do"] == "first":
            outcome = verbs.put_photo_first(kind, fields["photo"]) or _("Saved.")
        else:
            outcome = change_photos(kind.photos.all(), fields, partial(verbs.add_photo, kind))
        if not isinstance(outcome, Refused):
            messages.success(request, outcome)
            return redirect_after_post("club:kind-photos", public_id, str(number))
        wrong = explain_collection_refusal(outcome)
    context = {
        "page": "rosters",
        "face": verbs.find_face(collection),
        "collection": collection,
        "kind": kind,
        "most_photos": verbs.MOST_PHOTOS,
        "wrong": wrong,
        **describe_photo_form(kind.photos.all(), fields, collection.owner_id),
    }
    return render(request, "club/kind_photos.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
def share_collection(request: HttpRequest, public_id: str) -> HttpResponse:
    collection = own_collection(request, public_id)
    page = reverse("club:collection", args=[public_id])
    return answer_sharing(
        request, collection, ((reverse("club:collections"), _("Collections")), (page, collection.name))
    )


@allow("GET", "POST")
def delete_collection(request: HttpRequest, public_id: str) -> HttpResponse:
    collection = own_collection(request, public_id)
    if request.method != "POST":
        return render(request, "club/collection_delete.html", {"page": "rosters", "collection": collection})
    verbs.delete_collection(collection)
    messages.success(request, _("“%(name)s” was deleted.") % {"name": collection.name})
    return redirect_after_post("club:collections")


@allow("GET", "POST")
def import_file(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form for models as CSV or JSON. A POST stores them, or lists the bad rows and keeps the text."""
    collection = own_collection(request, public_id)
    text, bad = "", []
    if request.method == "POST":
        text = RowsFileForm(request.POST, request.FILES).read_text()
        is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
        content = read_collection_json(text) if is_json else read_models_csv(text)
        rows = content.rows if isinstance(content, ReadCollection) else content
        bad = [row for row in rows if isinstance(row, BadRow)]
        if not bad:
            read = [row for row in rows if isinstance(row, ReadRow)]
            try:
                import_models(collection, read)
            except RowError as error:
                bad = [BadRow(error.row.row, explain_collection_refusal(error.refused))]
            else:
                number = ngettext("%(n)d kind of model read.", "%(n)d kinds of model read.", len(read))
                messages.success(request, number % {"n": len(read)})
                if isinstance(content, ReadCollection):
                    _add_games(request, collection, content.more_games)
                return redirect_after_post("club:collection", collection.public_id)
    context = {
        "page": "rosters",
        "collection": collection,
        "text": text,
        "bad": [(row.row, row.why) for row in bad],
        "states": ModelState,
    }
    return render(request, "club/collection_import.html", context, status=REFUSED if bad else 200)


def _add_games(request: HttpRequest, collection: Collection, slugs: Sequence[str]) -> None:
    """Let models also count for a file's games, and name the games that are not available."""
    left_out = verbs.add_games(collection, identify_visitor(request), slugs)
    if left_out:
        text = _(
            "These games of the file could not be added, because they are not here or there are too many: %(games)s."
        )
        names = ", ".join(slug[:LONGEST_SHOWN] for slug in left_out[: verbs.MOST_GAMES])
        messages.warning(request, text % {"games": names})


@allow("GET")
def export_file(request: HttpRequest, public_id: str, ending: str) -> HttpResponse:
    collection = own_collection(request, public_id)
    writers = {"csv": partial(write_collection_csv, collection), "json": partial(write_collection_json, collection)}
    return send_file(slugify(collection.name, allow_unicode=True) or "collection", ending, writers)


@allow("GET")
@hide_linked_page()
def show_linked_collection(request: HttpRequest, link_id: str) -> HttpResponse:
    """Show a collection to a reader, without notes, locations and lists."""
    collection, visitor = find_collection(request, link_id), identify_visitor(request)
    needs = measure_needs(collection, [])
    address = request.build_absolute_uri(collection.get_absolute_url())
    context = {
        "page": "rosters",
        "collection": collection,
        "face": verbs.find_face(collection),
        "needs": needs,
        "states": WORK,
        "photos": verbs.list_kind_photos(collection, visitor),
        "opened": parse_whole_number(request.GET.get("open", "")),
        "mine": is_owner(visitor, collection),
        "reportable": can_report(collection, visitor),
        "address": address,
        "qr": draw_qr_code(address, collection.name),
        **_count_all(needs.kinds),
    }
    return render(request, "club/linked_collection.html", context)


@allow("GET")
@hide_linked_page(referrer="no-referrer")
def serve_kind_photo(request: HttpRequest, link_id: str, number: int, size: str) -> HttpResponse:
    try:
        photo = verbs.find_kind_photo(find_collection(request, link_id), number, identify_visitor(request))
    except KindPhoto.DoesNotExist:
        raise Http404 from None
    return answer_photo(photo, size)


@allow("GET", "POST")
def report_collection(request: HttpRequest, link_id: str) -> HttpResponse:
    return answer_report(request, find_collection(request, link_id))


def own_collection(request: HttpRequest, public_id: str) -> Collection:
    """Return the visitor's own collection. Raises Http404."""
    try:
        return verbs.find_own_collection(public_id, identify_visitor(request))
    except Collection.DoesNotExist:
        raise Http404 from None


def find_collection(request: HttpRequest, link_id: str) -> Collection:
    """Return a link's collection. Raises Http404."""
    try:
        return verbs.find_readable_collection(link_id, identify_visitor(request))
    except Collection.DoesNotExist:
        raise Http404 from None
