from django.contrib.auth import get_user_model, login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import Permission
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path


def enter(request: HttpRequest) -> HttpResponse:
    login(request, get_user_model().objects.get(username="visitor"))
    return HttpResponse("You are in.")


@login_required
def bare(request: HttpRequest) -> HttpResponse:
    """Session, login, one query, a small template."""
    rows = Permission.objects.order_by("codename").values("id", "codename", "name")[:10]
    return render(request, "bare.html", {"rows": rows})


urlpatterns = [path("enter/", enter), path("", bare)]
