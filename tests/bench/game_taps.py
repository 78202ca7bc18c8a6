"""Games at the table over HTTP: a tap in the fifth round, 200 polled games, size of the app."""

import json
import re
import threading
import time
from collections.abc import Iterator
from gzip import compress
from uuid import uuid4

from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.serving import Visitor, serve_app

LINK = re.compile(rb'href="/r/([\w-]{22})/"')
GAME = re.compile(rb'data-game="([\w-]{22})"')
FILE = re.compile(rb'(?:href|src)="(/static/[^"#]+)')
KEPT_FILE = re.compile(rb'"(/static/[^"]+)"')
FONT = re.compile(r"url\(\"?([^)\"]+\.woff2)\"?\)")
GAMES = 200
GUESTS = 4
EVERY = 4.0
LASTING = 12.0
AT_ONCE = 16
KILOBYTE = 1000


def make_taps(number: int) -> list[dict[str, object]]:
    keys = ["w:u1:0.0", "w:u2:0.0", "score:points:1", "res:command-points"]
    return [
        {"id": str(uuid4()), "kind": "count", "side": 0, "key": keys[place % 4], "amount": 1} for place in range(number)
    ]


def send(visitor: Visitor, game: str, taps: list[dict[str, object]]) -> None:
    status, body = visitor.post_json(f"/play/{game}/taps/", json.dumps({"taps": taps}).encode())
    assert status == 200, (status, body[:300])


def find_list(visitor: Visitor) -> str:
    _, page = visitor.get("/games/maelstrom-of-war-9e/")
    found = LINK.search(page) or LINK.search(visitor.get("/")[1])
    assert found is not None
    return found.group(1).decode()


def start(visitor: Visitor) -> str:
    link = find_list(visitor)
    visitor.get(f"/play/new/{link}/")
    visitor.post(f"/play/new/{link}/", {"first": "0"})
    _, page = visitor.get("/play/")
    game = re.search(rb'href="/play/([\w-]{22})/"', page)
    assert game is not None
    return game.group(1).decode()


def poll_all(address: tuple[str, int], games: list[tuple[dict[str, str], str, int]]) -> Times:
    taken: list[float] = []
    lasting = or_least(LASTING, 1.0)

    def ask(mine: list[tuple[dict[str, str], str, int]]) -> None:
        visitor = Visitor(address)
        pause = EVERY / 2 / max(len(mine), 1)
        end = time.monotonic() + lasting
        while time.monotonic() < end:
            for cookies, game, last in mine:
                begin = time.perf_counter()
                visitor.cookies = dict(cookies)
                status, _ = visitor.get(f"/play/{game}/taps/?since={last}&ended=0")
                assert status == 200
                taken.append(time.perf_counter() - begin)
                time.sleep(max(0.0, pause - taken[-1]))

    phones = [threading.Thread(target=ask, args=(games[place::AT_ONCE],)) for place in range(AT_ONCE)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    return Times(tuple(sorted(taken)))


def weigh_app(visitor: Visitor, game: str) -> int:
    """Return the bytes that a phone loads for a game: page, files, fonts, worker and its cache."""
    _, page = visitor.get(f"/play/{game}/")
    _, worker = visitor.get("/worker.js")
    _, unreached = visitor.get("/offline/")
    total = sum(len(compress(text, 6)) for text in (page, worker, unreached))
    files = FILE.findall(page) + KEPT_FILE.findall(worker)
    fonts: set[str] = set()
    for name in sorted({found.decode() for found in files if not found.endswith(b".woff2")}):
        status, body = visitor.get(name)
        assert status == 200, name
        is_text = name.endswith((".css", ".js", ".svg"))
        total += len(compress(body, 6)) if is_text else 0
        if name.endswith(".css"):
            fonts |= {f"/static/fonts/{font.rpartition('/')[2]}" for font in FONT.findall(body.decode())}
    for font in sorted(fonts):
        # Browsers load only Latin fonts for this page.
        if "latin-" in font and "latin-ext" not in font:
            status, body = visitor.get(font)
            total += len(body) if status == 200 else 0
    return total


@benchmark("game")
def play_games() -> Iterator[Figure]:
    with serve_app() as address:
        visitor = Visitor(address)
        game = start(visitor)
        send(visitor, game, make_taps(300))
        times = measure(lambda: send(visitor, game, make_taps(1)), times=or_least(200, 2))
        yield Figure("a tap after 300 others, with its answer", times, at_most=6)
        weight = weigh_app(visitor, game) / KILOBYTE
        yield Figure("the app for one game on the wire", Times((weight,)), 250, Yardstick("kB", 1), "kB")
        games = []
        for _guest in range(or_least(GUESTS, 1)):
            guest = Visitor(address)
            for _game in range(or_least(GAMES // GUESTS, 1)):
                begun = start(guest)
                send(guest, begun, make_taps(20))
                games.append((dict(guest.cookies), begun, 20))
        polled = poll_all(address, games)
        p95 = Times((polled.percentile(0.95),))
        yield Figure(f"p95 of a poll, {len(games)} running games on two cores", p95, at_most=20)
