"""Sources of community data: the page for administrators."""

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalogue.models import Source
from catalogue.models.games import SourceKind
from catalogue.services.jobs import start_job
from catalogue.services.sources import LONGEST, LOOK_UP_JOB, add_source
from catalogue.views.decorators import allow
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import REFUSED, HtmxRequest, redirect_after_post

GUESS = ""
OUR_LOOK = {"class": "in"}


class SourceForm(forms.Form):
    """A source to add, or to deal with in another way."""

    location = forms.CharField(label=_("Path or address"), max_length=LONGEST, widget=forms.TextInput(OUR_LOOK))
    kind = forms.ChoiceField(
        label=_("Kind"),
        required=False,
        choices=[(GUESS, _("Detect from the name")), *SourceKind.choices],
        widget=forms.Select(OUR_LOOK),
    )
    every = forms.IntegerField(
        label=_("Check every (hours)"), min_value=1, max_value=8760, initial=24, widget=forms.NumberInput(OUR_LOOK)
    )
    publishes = forms.BooleanField(label=_("Publish new data automatically"), required=False)


@allow("GET", "POST")
def show_sources(request: HtmxRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.path, reverse("admin:login"))
    if not (request.user.is_staff and request.user.has_perm("catalogue.add_packversion")):
        raise Http404
    if request.method != "POST":
        return _render_sources(request, SourceForm())
    do = request.POST.get("do", "")
    if do == "look-up":
        return _look_up(request)
    if do == "remove":
        _find_source(request).delete()
        return redirect_after_post("catalogue:sources")
    return _add_source(request)


def _add_source(request: HttpRequest) -> HttpResponse:
    form = SourceForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        added = add_source(
            values["location"], kind=values["kind"], publishes=values["publishes"], every=values["every"]
        )
        if isinstance(added, Source):
            messages.success(request, _("%(source)s was added.") % {"source": added})
            return redirect_after_post("catalogue:sources")
        form.add_error("location", added)
    return _render_sources(request, form)


def _look_up(request: HtmxRequest) -> HttpResponse:
    """Look up one source, or all of them, in the background."""
    assert isinstance(request.user, User)  # noqa: S101 - only staff come here
    chosen = [_find_source(request)] if request.POST.get("source") else list(Source.objects.all())
    arguments = {"sources": [source.pk for source in chosen], "address": reverse("catalogue:sources")}
    name = str(chosen[0]) if len(chosen) == 1 else str(_("all sources"))
    return answer_started_job(request, start_job(request.user, LOOK_UP_JOB, name, arguments))


def _find_source(request: HttpRequest) -> Source:
    key = request.POST.get("source", "")
    return get_object_or_404(Source, pk=int(key) if key.isascii() and key.isdecimal() and len(key) < 18 else 0)


def _render_sources(request: HttpRequest, form: SourceForm) -> HttpResponse:
    context = {"page": "games", "form": form, "sources": Source.objects.all()}
    return render(request, "catalogue/sources.html", context, status=REFUSED if form.errors else 200)
