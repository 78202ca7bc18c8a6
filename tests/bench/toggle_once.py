"""Switch off one cache after another in a separate process, on the database of its environment.

`python -m tests.bench.toggle_once GAME FACTION DETACHMENT` builds a list and prints JSON: the names of the caches that
neither an edit nor the next page reads; for every other cache, and for none (blank name), the processor seconds of
adding a unit, renaming one and the page.
"""

import gc
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import _lru_cache_wrapper
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

from tests.bench.benchmark import or_least
from tests.bench.importing import Shelves

UNITS = 15
ROUNDS = 5
WARM_UP = 1
PACKAGES = ("armybuilder.", "catalogue.", "roster.")
ADD, RENAME, PAGE = "add", "rename", "page"
BASE = ""


class Patch(NamedTuple):
    owner: Any
    name: str
    replacement: Any


class Switch(NamedTuple):
    name: str
    patches: tuple[Patch, ...]

    @contextmanager
    def turn_off(self) -> Iterator[None]:
        with ExitStack() as stack:
            for owner, name, replacement in self.patches:
                stack.enter_context(patch.object(owner, name, replacement))
            yield


def list_modules() -> list[ModuleType]:
    return [module for name, module in sorted(sys.modules.items()) if name.startswith(PACKAGES)]


def collect_switches() -> list[Switch]:
    """Find each `Lru` and each function with `lru_cache` in the modules of the app, and add other caches.

    Cached properties of data and of an evaluation do not outlive their owner.
    """
    from django.template.base import FilterExpression
    from django.template.library import SimpleNode

    from catalogue.graph.ruleset import Ruleset
    from catalogue.services.lru import Lru

    switches = [
        Switch("Ruleset.derive", (Patch(Ruleset, "derive", lambda ruleset, key, make: make()),)),
        Switch("keys of fragments in the browser", (Patch(InProcess, "post", InProcess.post_without_keys),)),
    ]
    functions: dict[Any, list[Patch]] = {}
    for module in list_modules():
        for name, value in vars(module).items():
            if isinstance(value, Lru) and not any(value is switch.patches[0].owner for switch in switches):
                switches.append(Switch(f"{module.__name__}.{name}", tuple(_forget_values(value))))
            elif isinstance(value, _lru_cache_wrapper):
                functions.setdefault(value, []).append(Patch(module, name, value.__wrapped__))
    # Templates that are loaded hold their tags and filters themselves. By type: to ask a lazy object for its class
    # makes its value.
    for part in gc.get_objects():
        if type(part) is SimpleNode and part.func in functions:
            functions[part.func].append(Patch(part, "func", part.func.__wrapped__))
        elif type(part) is FilterExpression:
            for cached in [function for function, _ in part.filters if function in functions]:
                filters = [(cached.__wrapped__ if function is cached else function, a) for function, a in part.filters]
                functions[cached].append(Patch(part, "filters", filters))
    return switches + [Switch(f"{f.__module__}.{f.__qualname__}", tuple(patches)) for f, patches in functions.items()]


def _forget_values(cache: Any) -> Iterator[Patch]:
    yield Patch(cache, "get", lambda key, make: make())
    yield Patch(cache, "find", lambda key: None)
    yield Patch(cache, "take", lambda key: None)
    yield Patch(cache, "put", lambda key, value: None)


def is_read(switch: Switch, act: Callable[[], object]) -> bool:
    """Return whether `act` calls a replacement of a switched-off cache."""
    calls = 0

    def watch(function: Callable[..., object]) -> Callable[..., object]:
        def call(*values: object, **named: object) -> object:
            nonlocal calls
            calls += 1
            return function(*values, **named)

        return call

    watched = []
    for owner, name, replacement in switch.patches:
        if isinstance(replacement, list):
            filters = [(watch(function), arguments) for function, arguments in replacement]
            watched.append(Patch(owner, name, filters))
        else:
            watched.append(Patch(owner, name, watch(replacement)))
    with Switch(switch.name, tuple(watched)).turn_off():
        act()
    return calls > 0


class InProcess:
    """A visitor like `serving.Visitor` whose requests this process answers itself."""

    def __init__(self) -> None:
        from django.test import Client

        self.client = Client(HTTP_HOST="localhost")

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        response = self.client.get(path, headers=_name_headers(headers))
        return response.status_code, response.content

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> tuple[int, bytes]:
        return self._send(path, fields, headers)

    def post_without_keys(self, path: str, fields: Mapping[str, str], **headers: str) -> tuple[int, bytes]:
        return self._send(path, {**fields, "have": ""}, headers)

    def _send(self, path: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> tuple[int, bytes]:
        form = "application/x-www-form-urlencoded"
        response = self.client.post(path, urlencode(fields), form, headers=_name_headers(headers))
        return response.status_code, response.content


def _name_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


class Steps:
    """The three timed steps in a list of fifteen units, which restore it."""

    def __init__(self, shelves: Shelves) -> None:
        # Fifteen offered units, one of each kind if there are enough.
        from tests.bench.answers import LargeList

        listed = LargeList(InProcess(), shelves)  # type: ignore[arg-type]  # has what is asked of a visitor here
        if shelves.game.startswith("horus-heresy"):
            listed.add_inside()
        listed.fill(or_least(UNITS, 2))
        self.builder = listed.builder
        page = self.builder.look()
        self.node, self.entry = listed.last_added
        self.unit = re.findall(rb"open=([\w-]+)&amp;", page)[-1].decode()
        self.number = 0

    def run(self) -> dict[str, float]:
        """Add a unit, rename one, load the page and undo; return the processor seconds of the first three."""
        self.number += 1
        builder, times = self.builder, {}
        builder.look()
        times[ADD] = time_step(lambda: builder.edit(do="add-unit", node=self.node, entry=self.entry, into=self.node))
        builder.edit(do="undo")
        builder.look()
        times[RENAME] = time_step(lambda: builder.edit(do="rename", node=self.unit, text=f"Name {self.number}"))
        times[PAGE] = time_step(builder.look)
        return times


def time_step(act: Callable[[], object]) -> float:
    """Return a step's processor seconds, without the collector, which could run in any step."""
    gc.collect()
    gc.disable()
    begin = time.process_time()
    act()
    seconds = time.process_time() - begin
    gc.enable()
    return seconds


def main(game: str, faction: str, detachment: str) -> None:
    import django

    django.setup()
    # As in a worker: with its collector settings and all pages imported.
    import armybuilder.wsgi  # noqa: F401 - imported for what it sets

    steps = Steps(Shelves("", game, faction, detachment))
    steps.run()
    switches = collect_switches()
    switches = or_least(switches, switches[:3])
    read = {switch.name: is_read(switch, steps.run) for switch in switches}
    rounds = [Switch(BASE, ()), *(switch for switch in switches if read[switch.name])]
    seconds: dict[str, dict[str, list[float]]] = {switch.name: {} for switch in rounds}
    for number in range(or_least(WARM_UP + ROUNDS, 1)):
        for switch in rounds:
            with switch.turn_off():
                times = steps.run()
            if number >= or_least(WARM_UP, 0):
                for step, taken in times.items():
                    seconds[switch.name].setdefault(step, []).append(taken)
    print(json.dumps({"idle": [name for name, is_needed in read.items() if not is_needed], "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
