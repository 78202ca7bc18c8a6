"""The front page and the lists of this browser."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    return render(request, "roster/front.html", {"page": "front"})


@require_safe
def rosters(request: HttpRequest) -> HttpResponse:
    return render(request, "roster/rosters.html", {"page": "rosters"})
