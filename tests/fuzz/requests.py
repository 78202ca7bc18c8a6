"""Draw requests: real addresses, forms and files, each with something wrong."""

import json
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from tests.fuzz.world import COSTLY, World, choose_fitting
from tests.roster.addresses import WAYS, Way, filled

ROOT = Path(__file__).parents[2]
METHODS = ["GET"] * 8 + ["POST"] * 9 + ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get", "X"]
ODD = [
    *(
        "",
        " ",
        "0",
        "-0",
        "-1",
        "1",
        "2",
        "1.5",
        "1,5",
        "1..2",
        "1E+9999999",
        "NaN",
        "Infinity",
        "²",
        "٣",
        "0x10",
        "1_0",
    ),
    *(
        "9" * 11,
        "9" * 20,
        "9" * 5000,
        "-" + "9" * 20,
        "true",
        "null",
        "None",
        "[]",
        "{}",
        "[" * 2000,
        '{"a":1}',
        "a,b,,c",
    ),
    *(
        "\x00",
        "a\x00b",
        "\ud800",
        "\ufffe",
        "\u202e",
        "é",
        "👾" * 40,
        "x" * 300,
        "x" * 5000,
        "\r\n",
        "a\nb",
        "\t",
        "%",
        "%00",
    ),
    *("<script>alert(1)</script>", "'", '"', "\\", "../../etc/passwd", "/", "//", "http://[", "http://a/r/" + "a" * 22),
    *("2026-11-27", "2026-13-45", "0000-00-00", "9999-12-31", "2026-11-27T25:00", "25:61", "Europe/Berlin", "../UTC"),
    *(
        "on",
        "de",
        "xx",
        "en-us-x-y",
        "points",
        "undo",
        "a" * 22,
        "{x}",
        "%(x)s",
        "{{ 7 }}",
        "A:B:C",
        "1:2",
        "-",
        "--",
        "0 0 0",
    ),
]
TYPES = [
    *("application/json", "application/x-www-form-urlencoded", "text/plain", "application/yaml", "application/xml"),
    *(
        "application/zip",
        "text/yaml",
        "multipart/form-data",
        "multipart/form-data; boundary=b",
        "",
        "nonsense",
        "a/b; c",
    ),
    *(
        "application/json; charset=nope",
        "text/plain; charset=utf-16",
        "application/x-www-form-urlencoded; charset=nope",
    ),
]
HEADERS = {
    "HX-Request": ["true", "false", ""],
    "HX-Target": ["list", "#", "é"],
    "HX-Current-URL": ["http://[", "/", "%"],
    "HX-History-Restore-Request": ["true"],
    "Accept": ["text/html", "application/json", "application/xml", "*/*;q=x", ";", "text/html;level=1;q=0"],
    "Accept-Language": ["de", "fr-CH, fr;q=0.9", "*", "x" * 600, ";q=", "de;q=abc"],
    "Accept-Encoding": ["gzip", "br", "identity;q=0", ";", "zstd, *"],
    "Origin": ["null", "http://[", "http://testserver"],
    "Referer": ["http://[", "http://testserver/", "x"],
    "Range": ["bytes=0-", "bytes=5-1", "bytes=-1", "x"],
    "If-None-Match": ["*", '"x"', "W/"],
    "If-Modified-Since": ["x", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 99999 00:00:00 GMT"],
    "X-Forwarded-For": ["x", "::1", "1.2.3.4, 5.6.7.8"],
    "X-Forwarded-Proto": ["https"],
    "X-Request-ID": ["x", "a" * 64, "é"],
    "X-HTTP-Method-Override": ["DELETE"],
    "Authorization": ["Bearer x", "Basic ", "Token"],
    "Sec-Fetch-Site": ["cross-site", "same-origin", "x"],
    "Cookie": ["language=xx", "sessionid=x", "messages=x", "language=\xff", "theme=x; theme=y", ";;;="],
}


@dataclass(frozen=True)
class Fuzzed:
    """A request that can be sent again."""

    who: str
    method: str
    address: str
    content_type: str = ""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.who}: {self.method} {self.address[:300]} {self.content_type} {self.body[:300]!r} {self.headers}"


@cache
def list_names() -> list[str]:
    reading = re.compile(r"""(?:GET|POST|FILES|params|given|data|asked|fields)(?:\.get|\.getlist)?[\(\[]"([\w-]+)["]""")
    declared = re.compile(r"^    (\w+) = (?:forms\.)?\w*Field\(", re.MULTILINE)
    names: set[str] = set()
    for app in ("roster", "catalogue", "armybuilder"):
        for path in (ROOT / app).rglob("*.py"):
            if path.parent.name in ("views", "api", "builder", "lists", "paper", "armybuilder"):
                text = path.read_text(encoding="utf-8")
                names |= {*reading.findall(text), *declared.findall(text)}
    return sorted(names)


def draw_request(dice: Random, world: World) -> Fuzzed:
    who = dice.choice(list(world.cookies))
    headers = {
        name: dice.choice(HEADERS[name]) for name in dice.sample(list(HEADERS), dice.choice([0, 0, 0, 1, 1, 2, 4]))
    }
    # A form of a page gets further than random fields.
    if world.forms[who] and dice.random() < 0.45:
        return draw_form(dice, world, who, headers)
    method, way = dice.choice(METHODS), draw_way(dice)
    address = fill_address(dice, world, way)
    if dice.random() < 0.5:
        address += "?" + encode_fields(draw_fields(dice, world))
    if method in ("GET", "HEAD", "TRACE", "get"):
        return Fuzzed(who, method, address, headers=headers)
    content_type, body = draw_body(dice, world, way)
    return Fuzzed(who, method, address, content_type, body, headers)


def draw_way(dice: Random) -> Way:
    """Draw an address, rarely of paper or of the admin, which is a package's and half of all addresses."""
    while True:
        way = dice.choice(WAYS)
        if not (COSTLY.search(way.route) or way.route.startswith("admin/")) or dice.random() < 0.15:
            return way


def fill_address(dice: Random, world: World, way: Way) -> str:
    values = {name: dice.choice(known) for name, known in world.values.items()}
    if dice.random() < 0.7:
        values |= choose_fitting(way, world.fitting, {})
    address = filled(way, values)
    if way.parameters and dice.random() < 0.2:
        known = values.get(dice.choice(sorted(way.parameters)), "1")
        odd = quote(dice.choice(ODD).encode("utf-8", "surrogatepass")[:2000], safe="")
        address = address.replace(f"/{known}", f"/{odd}", 1)
    return address


def draw_value(dice: Random, world: World) -> str:
    kind = dice.random()
    if kind < 0.45:
        return dice.choice(ODD)
    if kind < 0.75:
        return dice.choice(world.ids)
    known = dice.choice(list(world.values.values()))
    return (
        str(dice.choice(known))
        if kind < 0.95
        else mutate(dice, dice.choice(world.files)[1]).decode("utf-8", "replace")[:20_000]
    )


def draw_fields(dice: Random, world: World) -> list[tuple[str, str]]:
    names = list_names()
    return [(dice.choice(names), draw_value(dice, world)) for _ in range(dice.choice([1, 1, 2, 3, 6]))]


def encode_fields(fields: list[tuple[str, str]]) -> str:
    return urlencode([(name, text.encode("utf-8", "surrogatepass")) for name, text in fields])[:20_000]


def draw_form(dice: Random, world: World, who: str, headers: dict[str, str]) -> Fuzzed:
    """Draw a form of a page with changed, omitted or added fields and damaged files."""
    form = dice.choice(world.forms[who])
    fields = [(name, text) for name, text in form.fields.items() if text is not None]
    files = [name for name, text in form.fields.items() if text is None]
    for _ in range(dice.choice([0, 1, 1, 2, 4])):
        change = dice.random()
        if fields and change < 0.6:
            place = dice.randrange(len(fields))
            fields[place] = (fields[place][0], draw_value(dice, world))
        elif fields and change < 0.75:
            del fields[dice.randrange(len(fields))]
        else:
            fields.append((dice.choice(list_names()), draw_value(dice, world)))
    pairs = [(name, str(text)) for name, text in fields]
    if form.method == "get":
        return Fuzzed(who, "GET", f"{form.address.split('?')[0]}?{encode_fields(pairs)}", headers=headers)
    if files or dice.random() < 0.1:
        return Fuzzed(
            who,
            "POST",
            form.address,
            "multipart/form-data; boundary=b",
            build_parts(dice, world, pairs, files),
            headers,
        )
    return Fuzzed(who, "POST", form.address, TYPES[1], encode_fields(pairs).encode(), headers)


def build_parts(dice: Random, world: World, pairs: list[tuple[str, str]], files: list[str]) -> bytes:
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + text.encode("utf-8", "surrogatepass")
        for name, text in pairs
    ]
    for name in files or ["file"]:
        called, data = dice.choice(world.files)
        called = (
            dice.choice([called, called, dice.choice(ODD)[:300]]).replace('"', "").replace("\r", "").replace("\n", "")
        )
        head = f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="{called}"\r\n\r\n'
        parts.append(head.encode("utf-8", "surrogatepass") + (mutate(dice, data) if dice.random() < 0.8 else data))
    return b"\r\n".join(parts) + b"\r\n--b--\r\n"


def draw_body(dice: Random, world: World, way: Way) -> tuple[str, bytes]:
    kind = dice.random()
    name, data = dice.choice(world.files)
    if kind < 0.25:
        return TYPES[1], encode_fields(draw_fields(dice, world)).encode()
    if kind < 0.5:
        known = json.loads(data) if name.endswith(".json") else draw_json(dice, world)
        return "application/json", json.dumps(change_json(dice, world, known)).encode()
    if kind < 0.6:
        return "application/json", dice.choice(
            [b"1", b"-0", b"true", b"null", b'"x"', b"[]", b"", b"{", b"\xff", b"[" * 90_000, b"9" * 6000]
        )
    if kind < 0.75:
        return "multipart/form-data; boundary=b", build_parts(dice, world, draw_fields(dice, world), [])
    endings = {"yaml": "application/yaml", "ros": "application/xml", "rosz": "application/zip", "txt": "text/plain"}
    fitting = endings.get(name.rpartition(".")[2], "text/plain")
    return dice.choice([fitting, fitting, fitting, dice.choice(TYPES)]), mutate(dice, data)


def draw_json(dice: Random, world: World, depth: int = 0) -> Any:
    kind = dice.random()
    if depth < 3 and kind < 0.5:
        return {dice.choice(list_names()): draw_json(dice, world, depth + 1) for _ in range(dice.randrange(5))}
    if depth < 3 and kind < 0.6:
        return [draw_json(dice, world, depth + 1) for _ in range(dice.randrange(4))]
    return dice.choice([draw_value(dice, world), dice.randrange(-3, 100), 1e308, 10**30, True, False, None, -0.0])


def change_json(dice: Random, world: World, known: Any) -> Any:
    if dice.random() < 0.1 or not isinstance(known, dict | list) or not known:
        return draw_json(dice, world) if dice.random() < 0.7 else known
    place = dice.choice(list(known) if isinstance(known, dict) else range(len(known)))
    changed = dict(known) if isinstance(known, dict) else list(known)
    changed[place] = change_json(dice, world, known[place])
    return changed


def mutate(dice: Random, data: bytes) -> bytes:
    broken = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 3, 8, 20])):
        at, long = dice.randrange(len(broken) + 1), dice.choice([1, 1, 2, 4, 20, 200])
        harm = dice.randrange(6)
        if harm == 0:
            del broken[at : at + long]
        elif harm == 1:
            broken[at:at] = broken[max(0, at - long) : at]
        elif harm == 2:
            broken[at : at + 1] = bytes([dice.randrange(256)])
        elif harm == 3:
            broken[at : at + dice.choice([0, long])] = dice.choice(ODD).encode("utf-8", "surrogatepass")[:3000]
        elif harm == 4:
            other = dice.randrange(len(broken) + 1)
            broken[at:at] = broken[other : other + long]
        elif dice.random() < 0.1:
            del broken[at:]
    return bytes(broken)
