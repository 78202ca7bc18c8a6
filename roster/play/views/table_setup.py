"""Set up the table of a game without table rules."""

from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post
from roster import wording
from roster.formats.list_document import Unreadable
from roster.formats.list_document.values import MAX_COUNT
from roster.formats.list_text import NAME_LENGTH
from roster.play.models import Game
from roster.play.models.games import TABLE_LENGTH
from roster.play.services.table_setups import choose_setup, list_setups, set_up_table
from roster.play.table_setup import MOST_PARTS, TableSetup, WrittenResource, WrittenScore, read_setup, write_setup
from roster.play.views.games import find_own_game
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.views.forms import TypedField

SPARE_ROWS = 2
MOST_STEPS = 3


LINE = {"class": "in", "autocomplete": "off"}


def make_count(label: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=MAX_COUNT,
        widget=forms.NumberInput({"class": "in", "inputmode": "numeric"}),
    )


def make_name(label: Any, length: int = NAME_LENGTH) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=length, widget=forms.TextInput(LINE))


class LinesField(forms.CharField):
    widget = forms.Textarea({"class": "in", "rows": 5})

    def clean(self, value: Any) -> tuple[str, ...]:
        lines = tuple(line.strip()[:NAME_LENGTH] for line in super().clean(value).splitlines() if line.strip())
        if len(lines) > MOST_PARTS:
            raise forms.ValidationError(_("At most %(most)d lines.") % {"most": MOST_PARTS})
        return lines


class TableForm(forms.Form):
    rounds = make_count(_("Rounds"))
    round = make_name(_("Name for a round"))
    most = make_count(_("Maximum points in a game"))
    turns = forms.BooleanField(label=_("The players take whole turns one after the other"), required=False)
    initiative = make_name(_("Name for going first, if it is decided each round"))
    phases = LinesField(label=_("Phases, one per line"), required=False)
    boxes = LinesField(label=_("Characteristics that units spend, one per line"), required=False)


class NumberedForm(forms.Form):
    """A row of the form. `number` is the id that the game counts it by. Blank rows are ignored."""

    number = forms.IntegerField(required=False, min_value=1, max_value=MAX_COUNT, widget=forms.HiddenInput())


class ResourceForm(NumberedForm):
    name = make_name(_("Name"))
    sign = make_name(_("Short"), 12)
    start = make_count(_("At the beginning"))
    gain = make_count(_("Gains"))
    when = make_name(_("When"))
    refreshed = forms.BooleanField(label=_("Refills every round"), required=False)


class ScoreForm(NumberedForm):
    name = make_name(_("Name"))
    steps = forms.RegexField(
        rf"^\s*\d{{1,3}}(\s*,\s*\d{{1,3}}){{0,{MOST_STEPS - 1}}}\s*\Z",
        label=_("Buttons"),
        required=False,
        widget=forms.TextInput(LINE),
        error_messages={"invalid": _("Write up to three numbers, such as “1, 5”.")},
    )
    most_round = make_count(_("Maximum per round"))
    most = make_count(_("Maximum per game"))


class SetupTextForm(forms.Form):
    """A setup as text, or the key of a ready one."""

    # One more than allowed, so that a longer text is refused and not cut.
    text = TypedField(TABLE_LENGTH + 1)
    ready = TypedField(NAME_LENGTH)


def _make_rows(form: type[forms.Form]) -> type[BaseFormSet[forms.Form]]:
    return formset_factory(
        form, extra=SPARE_ROWS, max_num=MOST_PARTS, absolute_max=MOST_PARTS + SPARE_ROWS, validate_max=True
    )


ResourceRows, ScoreRows = _make_rows(ResourceForm), _make_rows(ScoreForm)


@allow("GET", "POST")
@hide_linked_page()
def show_table_setup(request: HttpRequest, public_id: str) -> HttpResponse:
    game, _place = find_own_game(request, public_id)
    if request.method != "POST":
        return _render(request, game, *_fill_forms(_read_table(game)))
    if "text" in request.POST or "ready" in request.POST:
        given = SetupTextForm(request.POST)
        given.full_clean()
        text: str | Refused = given.cleaned_data["text"]
        if "ready" in request.POST:
            text = choose_setup(identify_visitor(request), game.version, given.cleaned_data["ready"])
        if isinstance(text, Refused):
            return _render(request, game, *_fill_forms(_read_table(game)), text)
        outcome = set_up_table(game, text)
        if isinstance(outcome, Unreadable | Refused):
            return _render(request, game, *_fill_forms(_read_table(game)), outcome, text)
        return redirect_after_post("play:game", public_id)

    forms_given = (
        TableForm(request.POST),
        ResourceRows(request.POST, prefix="resource"),
        ScoreRows(request.POST, prefix="score"),
    )
    # Validate all forms, so that the page names all mistakes at once.
    if False in [form.is_valid() for form in forms_given]:
        return _render(request, game, *forms_given, Refused(code="nothing-saved"))
    outcome = set_up_table(game, write_setup(_build_setup(_read_table(game), *forms_given)))
    if isinstance(outcome, Unreadable | Refused):
        return _render(request, game, *forms_given, outcome)
    return redirect_after_post("play:game", public_id)


def _read_table(game: Game) -> TableSetup:
    setup = read_setup(game.table) if game.table else TableSetup()
    return setup if isinstance(setup, TableSetup) else TableSetup()


def _fill_forms(setup: TableSetup) -> tuple[TableForm, BaseFormSet[forms.Form], BaseFormSet[forms.Form]]:
    resources = [
        {
            "number": one.number or place,
            "name": one.name,
            "sign": one.sign,
            "start": one.start or None,
            "gain": one.gain or None,
            "when": one.when,
            "refreshed": one.refreshed,
        }
        for place, one in enumerate(setup.resources, 1)
    ]
    scores = [
        {
            "number": one.number or place,
            "name": one.name,
            "steps": ", ".join(map(str, one.points)),
            "most_round": one.most_round,
            "most": one.most,
        }
        for place, one in enumerate(setup.scores, 1)
    ]
    return (
        TableForm(
            initial={
                "rounds": setup.rounds,
                "round": setup.round,
                "most": setup.most,
                "turns": setup.turns,
                "initiative": setup.initiative,
                "phases": "\n".join(setup.phases),
                "boxes": "\n".join(setup.boxes),
            }
        ),
        ResourceRows(initial=resources, prefix="resource"),
        ScoreRows(initial=scores, prefix="score"),
    )


def _build_setup(
    before: TableSetup, table: TableForm, resources: BaseFormSet[forms.Form], scores: BaseFormSet[forms.Form]
) -> TableSetup:
    fields = table.cleaned_data
    return TableSetup(
        name=before.name,
        games=before.games,
        missions=before.missions,
        players=before.players,
        teams=before.teams,
        rounds=fields["rounds"],
        round=fields["round"],
        turns=fields["turns"],
        initiative=fields["initiative"],
        phases=fields["phases"],
        boxes=fields["boxes"],
        most=fields["most"],
        resources=tuple(
            WrittenResource(
                name=row["name"],
                number=row["number"],
                sign=row["sign"],
                start=row["start"] or 0,
                gain=row["gain"] or 0,
                when=row["when"],
                refreshed=row["refreshed"],
            )
            for row in _number_rows(resources)
        ),
        scores=tuple(
            WrittenScore(
                name=row["name"],
                number=row["number"],
                points=tuple(int(step) for step in row["steps"].split(",") if step.strip()),
                most_round=row["most_round"],
                most=row["most"],
            )
            for row in _number_rows(scores)
        ),
    )


def _number_rows(rows: BaseFormSet[forms.Form]) -> list[dict[str, Any]]:
    named = [form.cleaned_data for form in rows if form.cleaned_data.get("name")]
    last = max((form.cleaned_data.get("number") or 0 for form in rows), default=0)
    for row in named:
        if not row["number"]:
            last += 1
            row["number"] = last
    return named


def _render(
    request: HttpRequest,
    game: Game,
    table: TableForm,
    resources: BaseFormSet[forms.Form],
    scores: BaseFormSet[forms.Form],
    outcome: Unreadable | Refused | None = None,
    text: str = "",
) -> HttpResponse:
    wrong, status = "", 200
    if isinstance(outcome, Refused):
        wrong, status = wording.explain_refusal(outcome), REFUSED
    elif outcome:
        complaint = wording.explain_unreadable(outcome)
        wrong, status = str(complaint), REFUSED
        if complaint.line:
            wrong = gettext("Line %(line)d. %(text)s") % {"line": complaint.line, "text": wrong}
    context = {
        "page": "play",
        "game": game,
        "table": table,
        "resources": resources,
        "scores": scores,
        "setups": list_setups(identify_visitor(request), game.version),
        "text": text or game.table,
        "wrong": wrong,
    }
    return render(request, "play/game/table.html", context, status=status)
