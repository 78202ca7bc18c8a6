"""Read the files of an archive as plain XML and JSON, without any code of the app."""

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ENDINGS = (".cat", ".gst", ".json", ".catz", ".gstz")
OF = "of "
"""Prefix of the nearest id around an element without an id."""
IRREGULAR = {"entries": "entry", "categories": "category", "Entries": "Entry", "Categories": "Category"}


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a file: its kind, such as `constraint`, its id or the nearest around it, and its attributes.

    `within` is the nearest id around it in any case.
    """

    kind: str
    id: str
    within: str
    attributes: dict[str, str]


@cache
def read_elements(archive: Path) -> dict[tuple[str, str, str], list[Element]]:
    elements: dict[tuple[str, str, str], list[Element]] = defaultdict(list)
    with zipfile.ZipFile(archive) as files:
        for name in files.namelist():
            short = name.rpartition("/")[2]
            if not short.endswith(ENDINGS):
                continue
            content = files.read(name)
            if short.endswith(".json"):
                walked = _walk_json(json.loads(content), "", "")
            else:
                if short.endswith("z"):
                    with zipfile.ZipFile(io.BytesIO(content)) as inner:
                        content = inner.read(inner.namelist()[0])
                walked = _walk_xml(ElementTree.fromstring(content), "")
            for element in walked:
                elements[short, element.kind, element.id].append(element)
    return elements


def _walk_xml(node: ElementTree.Element, around: str) -> Iterator[Element]:
    kind = node.tag.rpartition("}")[2]
    nearest = node.get("id", around)
    yield Element(kind, nearest, around, dict(node.attrib))
    for child in node:
        yield from _walk_xml(child, nearest)


def _walk_json(value: Any, kind: str, around: str) -> Iterator[Element]:
    if isinstance(value, list):
        for item in value:
            yield from _walk_json(item, kind, around)
    elif isinstance(value, dict):
        nearest = str(value.get("id", around))
        plain = {name: _write(inner) for name, inner in value.items() if not isinstance(inner, dict | list)}
        if kind:
            yield Element(kind, nearest, around, plain)
        for name, inner in value.items():
            yield from _walk_json(inner, _singular(name), nearest)


def _write(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _singular(name: str) -> str:
    for plural, singular in IRREGULAR.items():
        if name.endswith(plural):
            return name.removesuffix(plural) + singular
    return name.removesuffix("s") if not name.endswith("alias") else name


def find_mistake(archive: Path, fact: dict[str, Any]) -> str:
    """Return which part of a fact is not in the archive, or ""."""
    wanted = dict(fact)
    file = wanted.pop("file")
    # The kind comes first after the file.
    kind, named = next(iter(wanted.items()))
    del wanted[kind]
    within = wanted.pop("within", None)
    given_id = str(named).removeprefix(OF)
    candidates = read_elements(archive).get((file, kind, given_id), [])
    if not str(named).startswith(OF):
        candidates = [element for element in candidates if element.attributes.get("id") == given_id]
    if within is not None:
        candidates = [element for element in candidates if element.within == within]
    if not candidates:
        return f"{file} has no {kind} {named}" + (f" within {within}" if within else "")
    for element in candidates:
        if all(_is_same(element.attributes.get(name), value) for name, value in wanted.items()):
            return ""
    shown = [{name: element.attributes.get(name) for name in wanted} for element in candidates]
    return f"{file}: {kind} {named} has {shown}, not {wanted}"


def _is_same(said: str | None, wanted: object) -> bool:
    """Return whether an attribute has a value: numbers are compared as numbers, missing attributes equal null."""
    if said is None or wanted is None:
        return said is wanted
    if isinstance(wanted, bool):
        return said.lower() == _write(wanted)
    if isinstance(wanted, int | float):
        try:
            return float(said) == wanted
        except ValueError:
            return False
    return said == wanted


def list_named_ids(facts: list[dict[str, Any]]) -> set[str]:
    return {str(list(fact.values())[1]).removeprefix(OF) for fact in facts}
