"""Record what the site answers, and compare two records: `python -m tests.record FOLDER`, `... --compare OLD NEW`.

Before you move code, record; afterwards, record again and compare: what differs is what the move changed. A record has
a file for each answer: the verdicts of worked lists, edits, pages, exports and prints of each; what the solver makes of
them; pages of games; pasted texts; and, if `ARMYBUILDER_SHARED` is set, imported games and rosters. Random ids are
replaced by their order in the answer, and times by a dash, so that two records of the same code are equal.
"""

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import django

from tests.bench.databases import environment_of, full_database, manage

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

ROOT = Path(__file__).resolve().parents[2]
SHARED = os.environ.get("ARMYBUILDER_SHARED", "")
GAMES = (
    "wh40k-9e-v9.2.13.zip",
    "wh40k-10e-v10.6.0.zip",
    "horus-heresy-3rd-2025-11.zip",
    "the-old-world.zip",
    "middle-earth.zip",
    "grimdark-future.zip",
)
"""Community data that is imported for a record, below `bsdata` of the shared folder."""
MOST_FACTIONS = 12
"""The pages of this many factions of a game are recorded."""

RANDOM = re.compile(
    rb"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{22}(?![\w-])|\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b"
    # Ids of nodes and of violations.
    rb"|(?<=[-\"=/#.])(?!do-v-)(?=[\w-]*[A-Z0-9_])[\w-]{12}(?=[\"\s&/.?])|\bv-[0-9a-f]{1,8}\b"
)
TOKEN = re.compile(
    rb'(name="csrfmiddlewaretoken" value=|data-csrf=|"X-CSRFToken": |data-key=|name="way" value=)"[^"]*"'
)
MOMENT = re.compile(rb"<time[^>]*>[^<]*</time>|\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.+Z-]*")
PAGES = ("", "deck/", "plan/", "history/", "sharing/", "data/", "outlook/", "ways/", "deeds/")
"""Pages of a list below the address of its owner."""
LINKED = ("", "text/", "text/?length=full", "text/?layout=wtc", "roster.ros", "roster.yaml", "roster.json")
"""Addresses of a list below its link, except prints."""
PRINTS = ("sheet.pdf", "sheet.pdf?layout=summary", "cards.pdf")


class Recorder:
    """Writes answers into a folder, a file each."""

    def __init__(self, folder: Path, client: "Client") -> None:
        self.folder = folder
        self.client = client

    def keep(self, name: str, content: bytes) -> None:
        path = self.folder / re.sub(r"[^\w./-]", "_", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(settle(content))

    def keep_answer(self, name: str, answer: "HttpResponse") -> None:
        content = b"".join(answer) if answer.streaming else answer.content
        if answer.get("Content-Type", "").startswith("application/pdf"):
            content = read_print(content)
        self.keep(name, f"{answer.status_code} {answer.get('Location', '')}\n".encode() + content)

    def get(self, name: str, address: str) -> None:
        self.keep_answer(name, self.client.get(address, headers={"Accept-Language": "en"}))


def settle(content: bytes) -> bytes:
    """Replace what differs from one run to the next.

    >>> settle(b'<a href="/r/AbcdefghijklmnopqrstuV/" data-key="1f">AbcdefghijklmnopqrstuV</a> 2026-01-02T03:04:05Z')
    b'<a href="/r/id-0/" data-key="-">id-0</a> -'
    >>> settle(b'<section id="v-b026649d"><a href="#u-AvDk1LWKKTB1"></section><div id="do-v-5d973ec">')
    b'<section id="id-0"><a href="#u-id-1"></section><div id="do-id-2">'
    """
    seen: dict[bytes, bytes] = {}
    content = TOKEN.sub(rb'\1"-"', content)
    content = MOMENT.sub(b"-", content)
    return RANDOM.sub(lambda match: seen.setdefault(match[0], b"id-%d" % len(seen)), content)


def read_print(content: bytes) -> bytes:
    """Return the text of a PDF, and a hash of the position of each word."""
    text, places = (
        subprocess.run(["pdftotext", option, "-", "-"], input=content, stdout=subprocess.PIPE, check=True).stdout
        for option in ("-layout", "-bbox")
    )
    return text + sha256(settle(places)).hexdigest().encode()


def record_lists(recorder: Recorder, paths: list[Path], *, prints: bool) -> None:
    """Record the verdict on every list document and the solver's results.

    Pages, exports and edits are recorded for each third list, prints for each ninth.
    """
    from roster.models import Roster

    for number, path in enumerate(paths):
        name = f"{path.parent.parent.parent.name}-{path.parent.parent.name}-{path.stem}"
        data = path.read_bytes()
        for work in ("check", "complete", "fill?seed=1", "repair", "addable"):
            kind = "application/json" if path.suffix == ".json" else "application/yaml"
            answer = recorder.client.post(f"/api/v1/{work}", data, content_type=kind)
            recorder.keep_answer(f"api/{work.partition('?')[0]}/{name}", answer)
        if number % 3:
            continue
        with path.open("rb") as file:
            answer = recorder.client.post("/rosters/import/", {"file": file})
        recorder.keep_answer(f"import/{name}", answer)
        if answer.status_code != 302 and answer.status_code != 303:
            continue
        # Addresses are printed on paper and in QR codes, so they have to be the same each time.
        row = Roster.objects.order_by("-pk")[0]
        fixed = sha256(name.encode()).hexdigest()[:22]
        Roster.objects.filter(pk=row.pk).update(public_id=fixed, link_id=fixed, visibility="public")
        for page in PAGES:
            recorder.get(f"pages/{name}/{page}index", f"/rosters/{fixed}/{page}")
        for page in LINKED:
            recorder.get(f"linked/{name}/{page}-", f"/r/{fixed}/{page}")
        recorder.get(f"api/roster/{name}", f"/api/v1/rosters/{fixed}/")
        if prints and number % 9 == 0:
            for page in PRINTS:
                recorder.get(f"prints/{name}/{page}-", f"/r/{fixed}/{page}")
        record_edits(recorder, name, fixed)


def record_edits(recorder: Recorder, name: str, public_id: str) -> None:
    """Record the answers to a series of clicks: the first units on offer, more of them, undo."""
    page = recorder.client.get(f"/rosters/{public_id}/").content
    offered = re.findall(rb'class="add"\s+id="[^"]+"\s+name="entry"\s+value="([^"]+)"', page)
    node = re.search(rb'name="node" value="([\w-]+)"', page)
    if not node:
        return
    forms = [{"do": "add-unit", "node": node[1].decode(), "entry": entry.decode()} for entry in offered[:3]]
    for step, form in enumerate([*forms, {"do": "undo"}, {"do": "redo"}]):
        page = recorder.client.get(f"/rosters/{public_id}/").content
        revision = re.search(rb'data-revision="(\d+)"', page)
        assert revision
        answer = recorder.client.post(
            f"/rosters/{public_id}/edits/", form | {"revision": revision[1].decode()}, headers={"HX-Request": "true"}
        )
        recorder.keep_answer(f"edits/{name}/{step}", answer)


def record_games(recorder: Recorder) -> None:
    """Record the pages of games, their first units, missions and rule ledgers, and the cards of missions."""
    from catalogue.models import Faction, GameSystem, UnitEntry

    for address in ("/", "/games/", "/missions/", "/rules/", "/lists/", "/credits/", "/search/?q=lock", "/api/docs/"):
        recorder.get(f"site{address}-", address)
    recorder.get("site/schema", "/api/schema/")
    for game in GameSystem.objects.order_by("slug"):
        for address in (f"/games/{game.slug}/", f"/missions/{game.slug}/", f"/rules/{game.slug}/"):
            recorder.get(f"site{address}-", address)
        recorder.get(f"site/{game.slug}-rules-api", f"/api/v1/games/{game.slug}/rules/")
        recorder.get(f"prints/{game.slug}-missions", f"/missions/{game.slug}/cards.pdf")
        factions = Faction.objects.filter(version__game=game).order_by("slug", "pk")
        for faction in list({row.slug: row for row in factions}.values())[:MOST_FACTIONS]:
            recorder.get(f"site/games/{game.slug}/{faction.slug}/-", f"/games/{game.slug}/{faction.slug}/")
            for unit in UnitEntry.objects.filter(faction=faction).order_by("slug", "pk")[:2]:
                address = f"/games/{game.slug}/{faction.slug}/{unit.slug}/"
                recorder.get(f"site{address}-", address)


def record_texts(recorder: Recorder, paths: list[Path]) -> None:
    """Record how pasted texts and roster files are read, by the API and by the page."""
    for path in paths:
        data = path.read_bytes()
        if path.suffix == ".txt":
            answer = recorder.client.post("/api/v1/read", data, content_type="text/plain")
            recorder.keep_answer(f"read/{path.name}", answer)
            page = recorder.client.post("/rosters/import/", {"text": data.decode("utf-8", "replace")})
            recorder.keep_answer(f"read/{path.name}.html", page)
        else:
            answer = recorder.client.post("/api/v1/check", data, content_type="application/octet-stream")
            recorder.keep_answer(f"check/{path.name}", answer)


def list_shared(*patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in Path(SHARED).glob(pattern)) if SHARED else []


def record_all(folder: Path, *, prints: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="armybuilder-record-") as scratch:
        full_database(scratch)
        for path in list_shared(*(f"bsdata/{name}" for name in GAMES)):
            manage(scratch, "import_battlescribe", str(path))
        os.environ.update(environment_of(scratch))
        django.setup()
        from django.conf import settings
        from django.test import Client

        settings.ALLOWED_HOSTS = ["testserver"]
        recorder = Recorder(folder, Client())
        record_games(recorder)
        record_lists(recorder, sorted((ROOT / "catalogue" / "packs").rglob("lists/*.yaml")), prints=prints)
        record_lists(recorder, list_shared("review/cases/community/*.yaml", "review/cases/paper/*.yaml"), prints=prints)
        record_texts(recorder, sorted((ROOT / "tests").rglob("*.txt")))
        record_texts(recorder, list_shared("lists/*.txt", "review/cases/*/*.txt", "rosters/*.ros*"))


def compare_records(old: Path, new: Path) -> Iterator[str]:
    """Yield the names of files that only one record has, or that differ."""
    names = {path.relative_to(root) for root in (old, new) for path in root.rglob("*") if path.is_file()}
    for name in sorted(names):
        if not (old / name).exists():
            yield f"only new: {name}"
        elif not (new / name).exists():
            yield f"only old: {name}"
        elif not filecmp.cmp(old / name, new / name, shallow=False):
            yield f"differs: {name}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--compare", action="store_true", help="compare two records; exit status 1 if they differ")
    parser.add_argument("--no-prints", action="store_true", help="leave out PDFs, which take most of the time")
    options = parser.parse_args()
    if options.compare:
        differences = list(compare_records(*options.folders))
        print("\n".join(differences) or "The records are equal.")
        return 1 if differences else 0
    (folder,) = options.folders
    shutil.rmtree(folder, ignore_errors=True)
    record_all(folder, prints=not options.no_prints)
    print(f"{sum(path.is_file() for path in folder.rglob('*'))} answers recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
