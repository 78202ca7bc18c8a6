"""Import any pasted or uploaded list, and show lists as text to copy."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt

from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.importing import CHOOSE_FIRST
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.formats.list_document import Unreadable
from roster.formats.list_text import decode_text
from roster.formats.other_files import recognise_other_file
from roster.formats.text.foreign import TextLayout
from roster.formats.text.line_answers import NOTE, make_line_key
from roster.formats.text.own import TextLength, TextStyle, split_for_chat
from roster.formats.text.parse import MAX_TEXT
from roster.formats.text.pasted import Reading
from roster.models import Roster
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import LIMITS, ImportedList, decode_shared_file, import_list, read_list_file
from roster.services.organize import select_lists
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.services.pasted_lists import (
    ReadPaste,
    is_pasted_text,
    list_settled_names,
    parse_choices,
    read_pasted_text,
    settle_names,
)
from roster.services.texts import TextForm, write_judged_text
from roster.views.forms import MOST_TEXTS, TypedField, TypedForm
from roster.views.lists.files import describe_unreadable, report_linking
from roster.views.lists.paste_presenter import present_paste
from roster.views.requests import find_whole_roster
from roster.wording.pasted import describe_verdict

FILE_ENDINGS = (".ros", ".rosz", ".yaml", ".yml", ".json")
PRESETS = (
    ("short", gettext_lazy("Short"), TextForm(length=TextLength.SHORT)),
    ("long", gettext_lazy("Long"), TextForm()),
    ("full", gettext_lazy("Line by line"), TextForm(length=TextLength.FULL)),
    ("markdown", gettext_lazy("Markdown"), TextForm(style=TextStyle.MARKDOWN)),
    ("discord", gettext_lazy("Discord"), TextForm(style=TextStyle.CHAT)),
    ("wtc", "WTC", TextForm(layout=TextLayout.WTC)),
    ("new-recruit", "New Recruit", TextForm(layout=TextLayout.NEW_RECRUIT)),
    ("battlescribe", "BattleScribe", TextForm(layout=TextLayout.BATTLESCRIBE)),
)


class ManyField(forms.Field):
    """All values sent under one name."""

    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> list[str]:
        return list(value or ())


class PasteForm(forms.Form):
    """A text or a file. The parser reports errors in them."""

    text = forms.CharField(required=False, strip=False, max_length=4 * MAX_TEXT)
    file = forms.FileField(required=False, allow_empty_file=True)
    game = forms.CharField(required=False, max_length=100)
    read_game = forms.CharField(required=False, max_length=100)
    keep = forms.IntegerField(required=False, min_value=0, max_value=100)
    choice = ManyField(required=False)
    line = ManyField(required=False)
    means = ManyField(required=False)
    notes = forms.IntegerField(required=False, min_value=1, max_value=100)
    no_notes = forms.IntegerField(required=False, min_value=1, max_value=100)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("file") and not cleaned.get("text", "").strip() and not self.errors:
            self.add_error("file", CHOOSE_FIRST)
        return cleaned

    def read_data(self) -> tuple[str, bytes]:
        sent = self.cleaned_data["file"]
        if sent:
            return sent.name or "roster", sent.read()
        return "", self.cleaned_data["text"].encode()

    def read_answers(self) -> dict[str, str]:
        """Return the user's answers so far, even if the form is invalid."""
        answers = parse_choices(self["choice"].value() or ())
        if self["read_game"].value() not in (None, self["game"].value()):
            # These answers do not apply to a newly chosen game.
            answers = {key: value for key, value in answers.items() if not key.startswith(("edition:", "force:"))}
        for key, name in zip(self["line"].value() or (), self["means"].value() or (), strict=False):
            if name.strip():
                answers |= parse_choices([f"{key}={name.strip().replace('=', ' ')}"])
        return answers


class SharedForm(TypedForm):
    """What a phone shares. Apps use different fields."""

    file = forms.FileField(required=False, allow_empty_file=True)
    text = TypedField()
    url = TypedField()
    title = TypedField()

    def decode_content(self) -> str | Unreadable:
        fields = self.read_fields()
        sent = (fields[name].strip() for name in ("text", "url", "title"))
        name, data = "", next(filter(None, sent), "").encode()
        if file := fields.get("file"):
            name, data = file.name or "", file.read(LIMITS.archive_bytes + 1)
        if code := recognise_other_file(data):
            return Unreadable(code)
        content = decode_shared_file(name, data)
        return Unreadable("no-text") if content is None else content


@allow("GET", "POST")
def import_any_list(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _render_box(request, PasteForm())
    form = PasteForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_box(request, form, REFUSED)
    name, data = form.read_data()
    if not name.lower().endswith(FILE_ENDINGS) and is_pasted_text(data):
        return _answer_text(request, form, data)
    read = read_list_file(data, name or "list", has_account=request.user.is_authenticated, reader=request.user.pk)
    if isinstance(read, ImportedList):
        return _keep_list(request, form, read)
    form.add_error("file" if name else "text", describe_unreadable(name or _("The text"), read))
    return _render_box(request, form, BAD_FORM)


@csrf_exempt  # a phone's share menu has no token; nothing is stored before the returned form is sent
@allow("GET", "POST")
def receive_shared(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("roster:import")
    content = SharedForm(request.POST, request.FILES).decode_content()
    if isinstance(content, Unreadable):
        form = PasteForm({"text": ""})
        # The form is blank, but the user did send something, so drop the error about a missing text.
        form.errors.clear()
        form.add_error("file", str(wording.explain_unreadable(content)))
        return _render_box(request, form, BAD_FORM)
    form = PasteForm({"text": content})
    if not form.is_valid():
        return _render_box(request, form, REFUSED)
    if not is_pasted_text(content.encode()):
        return _render_box(request, form)
    choices = list_settled_names(identify_visitor(request))
    read = read_pasted_text(content, choices=choices, has_account=request.user.is_authenticated)
    if isinstance(read, Unreadable):
        return _refuse_text(request, form, read)
    return _show_lists(request, form, content.encode(), read, {})


def _answer_text(request: HttpRequest, form: PasteForm, data: bytes) -> HttpResponse:
    answers = form.read_answers()
    settled = list_settled_names(identify_visitor(request))
    game, has_account = form.cleaned_data["game"], request.user.is_authenticated
    read = read_pasted_text(data, game=game, choices=settled | answers, has_account=has_account)
    if isinstance(read, Unreadable):
        return _refuse_text(request, form, read)

    marked = find_list(read, form.cleaned_data["notes"])
    unmarked = find_list(read, form.cleaned_data["no_notes"])
    if marked or unmarked:
        if marked:
            answers |= {make_line_key(line.text): NOTE for line in marked.lines if line.reading is Reading.UNREAD}
        if unmarked:
            keys = {make_line_key(line.text) for line in unmarked.lines}
            answers = {key: value for key, value in answers.items() if key not in keys or value != NOTE}
        again = read_pasted_text(data, game=game, choices=settled | answers, has_account=has_account)
        read = read if isinstance(again, Unreadable) else again
    if answers:
        settle_names(make_owner(request), answers, read)
    number = form.cleaned_data["keep"]
    checked = read[number].checked if number is not None and number < len(read) else None
    if checked is None:
        return _show_lists(request, form, data, read, answers)

    roster = import_list(make_owner(request), checked)
    if isinstance(roster, Refused):
        form.add_error("text", wording.explain_refusal(roster))
        return _show_lists(request, form, data, read, answers)
    report_linking(request, checked)
    return redirect_after_post("roster:builder", roster.public_id)


def find_list(read: Sequence[ReadPaste], number: int | None) -> ReadPaste | None:
    return next((one for one in read if one.number == number), None)


def _refuse_text(request: HttpRequest, form: PasteForm, unread: Unreadable) -> HttpResponse:
    form.add_error("text", str(wording.explain_unreadable(unread)))
    return _render_box(request, form, BAD_FORM)


def _show_lists(
    request: HttpRequest, form: PasteForm, data: bytes, read: list[ReadPaste], answers: Mapping[str, str]
) -> HttpResponse:
    context = _build_box_context(form) | {
        "text": decode_text(data) or data.decode(errors="replace"),
        "answers": _write_answers(answers),
        "lists": [present_paste(one, answers) for one in read],
    }
    return render(request, "roster/import.html", context, status=REFUSED if form.errors else 200)


def _keep_list(request: HttpRequest, form: PasteForm, read: ImportedList) -> HttpResponse:
    roster = import_list(make_owner(request), read)
    if isinstance(roster, Refused):
        form.add_error("file", wording.explain_refusal(roster))
        return _render_box(request, form, REFUSED)
    report_linking(request, read)
    return redirect_after_post("roster:builder", roster.public_id)


def _render_box(request: HttpRequest, form: PasteForm, status: int = 200) -> HttpResponse:
    text = str(form.data.get("text", "")) if form.is_bound else ""
    return render(request, "roster/import.html", _build_box_context(form) | {"text": text}, status=status)


def _build_box_context(form: PasteForm) -> dict[str, Any]:
    games = [(game.slug, str(game)) for game in select_games()]
    chosen = form.data.get("game", "") if form.is_bound else ""
    answers = _write_answers(form.read_answers()) if form.is_bound else []
    return {"page": "rosters", "form": form, "games": games, "chosen_game": chosen, "answers": answers}


def _write_answers(answers: Mapping[str, str]) -> list[str]:
    return [f"{key}={value}" for key, value in answers.items() if value]


# ---- lists as text
# -------------------------------------------------------------------------------------------------------


@allow("GET")
@hide_linked_page()
def show_list_text(request: HttpRequest, link_id: str) -> HttpResponse:
    roster = find_whole_roster(request, link_id)
    return render(request, "roster/text.html", {"roster": roster} | build_text_context(request, roster))


@allow("GET")
def show_many_texts(request: HttpRequest) -> HttpResponse:
    ids = list(dict.fromkeys(request.GET.getlist("list")))
    if len(ids) > MOST_TEXTS:
        raise BadRequest(wording.explain_refusal(Refused(code="too-many", allowed=MOST_TEXTS)))
    lists = select_lists(identify_visitor(request), ids).select_related("version__game")
    rosters = sorted(lists, key=lambda roster: ids.index(roster.public_id))
    if not ids or len(rosters) != len(ids):
        raise Http404
    context = {"page": "rosters", "query": urlencode({"list": ids}, doseq=True) + "&"}
    return render(request, "roster/text.html", context | build_text_context(request, *rosters))


def build_text_context(request: HttpRequest, *rosters: Roster) -> dict[str, Any]:
    layout = request.GET.get("as", "long")
    forms_by_key = {key: form for key, _name, form in PRESETS}
    if layout not in forms_by_key:
        raise Http404
    form = forms_by_key[layout]
    texts: list[str] = []
    for roster in rosters:
        evaluated_list = evaluate_roster(roster)
        verdict = describe_verdict(evaluated_list)
        texts.append(write_judged_text(evaluated_list, roster.version, roster.faction_id, form, verdict))
    # In a chat each list starts a new message.
    parts = chain.from_iterable(map(split_for_chat, texts)) if form.style is TextStyle.CHAT else ["\n\n".join(texts)]
    return {
        "presets": [(key, name, key == layout) for key, name, _form in PRESETS],
        "parts": list(parts),
        "characters": sum(map(len, texts)),
    }
