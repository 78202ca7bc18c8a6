"""Install one archive from a gallery on this machine: `python -m tests.bench.install_once PATH`.

Prints the processor seconds from "Install" to the builder of the first list.
"""

import os
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import django


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


def install(archive: str) -> float:
    from django.conf import settings
    from django.test import Client

    from catalogue.models import GalleryGame, GameSystem, Job
    from catalogue.services.jobs import advance_job

    settings.ARMYBUILDER |= {"ALLOW_PRIVATE_SOURCES": True, "INSTALLING": "everybody"}
    settings.ALLOWED_HOSTS = ["testserver"]
    game = GalleryGame.objects.create(name="wh40k-10e", title="Warhammer 40,000", version="v10.6.0", archive=archive)
    visitor = Client()
    begin = time.process_time()
    visitor.post(f"/games/gallery/{game.pk}/install/")
    job = Job.objects.get()
    while advance_job(job, by_worker=True):
        job.refresh_from_db()
    installed = GameSystem.objects.get(current__isnull=False)
    visitor.get("/rosters/new/", {"game": installed.slug})
    faction = installed.shown_version.factions.order_by("-unit_count").first()
    assert faction
    started = visitor.post("/rosters/new/", {"game": installed.slug, "faction": faction.faction_id})
    assert visitor.get(started["Location"]).status_code == 200
    return time.process_time() - begin


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.settings")
    django.setup()
    path = Path(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(path.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(install(f"http://127.0.0.1:{server.server_port}/{path.name}"))
