"""One import in a separate process, to measure its memory: `python -m tests.bench.import_once PATH`.

Prints JSON: processor seconds of the bare parse by lxml or msgspec, of the import, of compiling the heaviest faction
from storage (cold, then warm) and of lxml's parse of its files; peak memory of the import in MiB, and the size of its
files. With `--import`, nothing is compiled.
"""

import gc
import json
import os
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import django
import msgspec
from lxml import etree

from catalogue.formats.battlescribe.data_files import JSON, PLAIN
from tests.peak_memory import MIB, read_peak_memory

TIMES = 5


def seconds(act: Callable[[], object], times: int = TIMES, before: Callable[[], object] = gc.collect) -> float:
    """Return the median processor time of `act`."""
    taken = []
    for _ in range(times):
        before()
        begin = time.process_time()
        act()
        taken.append(time.process_time() - begin)
    return median(taken)


def measured(path: Path, *, compiles: bool) -> dict[str, Any]:
    from django.core.management import call_command

    from catalogue.services.community_import import import_path

    call_command("migrate", verbosity=0)
    begin = time.process_time()
    imported = import_path(path)
    taken = time.process_time() - begin
    peak = read_peak_memory() / MIB
    assert imported.version is not None
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(PLAIN)]
        files = {name: archive.read(name) for name in names}
    bare = seconds(lambda: [parse_bare(name, data) for name, data in files.items()])
    figures = {"bare": bare, "import": taken, "peak": peak, "size": sum(map(len, files.values()))}
    return figures | (compiled(imported.version, list(files.values())) if compiles else {})


def parse_bare(name: str, data: bytes) -> object:
    return msgspec.json.decode(data) if name.lower().endswith(JSON) else etree.fromstring(data)


def compiled(version: Any, files: list[bytes]) -> dict[str, Any]:
    from catalogue.services.documents import find_closure, forget_documents
    from catalogue.services.rulesets import forget_rulesets
    from roster.services.rulesets import load_ruleset

    sizes = {etree.fromstring(data).get("id"): data for data in files}
    links = {document.catalogue_id: document.links for document in version.documents.all()}
    systems = [d.catalogue_id for d in version.documents.all() if d.kind == "game-system"]

    def held(faction_id: str) -> list[bytes]:
        return [sizes[key] for key in find_closure([faction_id, *systems], links)]

    factions = version.factions.values_list("faction_id", flat=True)
    heaviest = max(factions, key=lambda faction_id: sum(map(len, held(faction_id))))

    def empty() -> None:
        forget_documents()
        forget_rulesets()
        gc.collect()

    parse = seconds(lambda: [etree.fromstring(data) for data in held(heaviest)])
    cold = seconds(lambda: load_ruleset(version, heaviest), before=empty)
    warm = seconds(lambda: load_ruleset(version, heaviest))
    return {"faction_parse": parse, "cold": cold, "warm": warm}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings.local")
    django.setup()
    print(json.dumps(measured(Path(sys.argv[1]), compiles="--import" not in sys.argv)))
