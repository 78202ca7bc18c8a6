"""The service worker that keeps pages for offline use."""

import json
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse

from catalogue.views.decorators import allow

ASSETS = (
    "css/tokens.css",
    "css/base.css",
    "css/units.css",
    "css/play.css",
    "js/page.js",
    "js/offline.js",
    "js/builder-unsent.js",
    "js/play-box.js",
    "js/play-codes.js",
    "js/play.js",
    "js/play-end.js",
    "vendor/htmx.min.js",
    "vendor/qr.min.js",
    "icons/emblems.svg",
    "icons/i.svg",
    "icons/mark.svg",
    "fonts/fira-sans-latin-400-normal.woff2",
    "fonts/fira-sans-latin-600-normal.woff2",
    "fonts/sofia-sans-condensed-latin-600-normal.woff2",
    "fonts/sofia-sans-condensed-latin-800-normal.woff2",
)
"""Stored with each version of the worker, for games and unsent steps. Other pages bring their own files."""
WORKER, LAST_WORKER = "js/worker.js", "js/worker-off.js"
LEAVING = ("/accounts/", "/account/", "/admin/")
"""Forms sent here sign people in or out, so the worker drops its pages."""


@allow("GET")
def serve_worker(request: HttpRequest) -> HttpResponse:
    """Serve the worker or, if switched off, a worker that removes itself."""
    if settings.ARMYBUILDER["OFFLINE"]:
        lines = [
            f"const VERSION = {json.dumps(compute_version())};",
            f"const ASSETS = {json.dumps([static(name) for name in ASSETS])};",
            f"const STATIC = {json.dumps(settings.STATIC_URL)}, COLOURS = {json.dumps(reverse('roster:colours'))};",
            f"const OFFLINE = {json.dumps(reverse('offline'))}, LEAVING = {json.dumps(LEAVING)};",
            f"importScripts({json.dumps(static(WORKER))});",
        ]
    else:
        lines = [f"importScripts({json.dumps(static(LAST_WORKER))});"]
    answer = HttpResponse("\n".join(lines) + "\n", content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    answer["Service-Worker-Allowed"] = "/"
    return answer


def compute_version() -> str:
    if hashed := getattr(staticfiles_storage, "manifest_hash", ""):
        return str(hashed)
    digest = sha256()
    for name in (*ASSETS, WORKER):
        path = finders.find(name)
        if isinstance(path, str):
            digest.update(Path(path).read_bytes())
    return digest.hexdigest()[:12]


@allow("GET")
def show_offline_page(request: HttpRequest) -> HttpResponse:
    return render(request, "offline.html")
