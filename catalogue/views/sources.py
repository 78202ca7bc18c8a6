from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalogue.models import Source
from catalogue.models.games import SourceKind
from catalogue.services.gallery import is_keeper
from catalogue.services.jobs import start_job
from catalogue.services.sources import LONGEST, LOOK_UP_JOB, add_source
from catalogue.views.decorators import allow
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import REFUSED, HtmxRequest, redirect_after_post

GUESS = ""
OUR_LOOK = {"class": "in"}


class SourceForm(forms.Form):
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


class SourceActForm(forms.Form):
    """The action is `do`. No source means all for a look-up."""

    do = forms.CharField(required=False)
    source = forms.ModelChoiceField(Source.objects.all(), required=False)


@allow("GET", "POST")
def show_sources(request: HtmxRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.path, reverse("admin:login"))
    if not is_keeper(request.user):
        raise Http404
    if request.method != "POST":
        return _render_sources(request, SourceForm())
    act = SourceActForm(request.POST)
    if not act.is_valid():
        raise Http404
    do, source = act.cleaned_data["do"], act.cleaned_data["source"]
    if do == "look-up":
        assert isinstance(request.user, User)  # noqa: S101 - only staff come here
        chosen = [source] if source else list(Source.objects.all())
        arguments = {"sources": [one.pk for one in chosen], "address": reverse("catalogue:sources")}
        name = str(chosen[0]) if len(chosen) == 1 else str(_("all sources"))
        return answer_started_job(request, start_job(request.user, LOOK_UP_JOB, name, arguments))
    if do == "remove":
        if source is None:
            raise Http404
        source.delete()
        return redirect_after_post("catalogue:sources")

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


def _render_sources(request: HttpRequest, form: SourceForm) -> HttpResponse:
    context = {"page": "games", "form": form, "sources": Source.objects.all()}
    return render(request, "catalogue/sources.html", context, status=REFUSED if form.errors else 200)
