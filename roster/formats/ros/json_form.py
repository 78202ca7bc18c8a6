"""Read New Recruit's roster files in JSON: elements are objects, rows of elements are arrays."""

import json
from typing import Any

from lxml import etree

from catalogue.formats.battlescribe.errors import ReadError
from roster.formats.ros.markup import NAMESPACE, add_element

MAX_DEPTH = 60
_SINGULAR = {
    "costs": "cost",
    "costLimits": "costLimit",
    "forces": "force",
    "selections": "selection",
    "categories": "category",
    "profiles": "profile",
    "rules": "rule",
    "publications": "publication",
    "characteristics": "characteristic",
    "associations": "association",
}
_TEXT = "$text"
_TEXT_ELEMENTS = frozenset({"customNotes", "description"})


def is_roster_json(data: bytes) -> bool:
    """Return whether bytes begin like a roster in JSON.

    >>> is_roster_json(b'{"roster": {"forces": []}}'), is_roster_json(b'{"list": 1}')
    (True, False)
    """
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"{") and b'"roster"' in start and b'"list"' not in start[:60]


def convert_from_json(name: str, data: bytes) -> bytes:
    """Convert a JSON roster to a `.ros`. Raises ReadError."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _refuse(name) from error
    roster = document.get("roster") if isinstance(document, dict) else None
    if not isinstance(roster, dict):
        raise _refuse(name)
    root = etree.Element(f"{{{NAMESPACE}}}roster", {}, {None: NAMESPACE})  # type: ignore[dict-item] # the default one
    _fill_element(name, root, roster, 0)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _refuse(name: str) -> ReadError:
    return ReadError("bad-json", f"{name} is not a roster in JSON.", mend="Export it again.", file=name)


def _fill_element(name: str, element: etree._Element, values: dict[str, Any], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _refuse(name)
    for key, value in values.items():
        if key in _SINGULAR and isinstance(value, list):
            row = add_element(element, key)
            for inner in value:
                if not isinstance(inner, dict):
                    raise _refuse(name)
                _fill_element(name, add_element(row, _SINGULAR[key]), inner, depth + 1)
        elif key == _TEXT:
            element.text = str(value)
        elif key in _TEXT_ELEMENTS:
            add_element(element, key, str(value))
        elif isinstance(value, str | int | float | bool) and key.isidentifier() and key != "xmlns":
            # The `.ros` reader ignores unknown attributes.
            text = str(value).lower() if isinstance(value, bool) else str(value)
            element.set(key, "".join(sign for sign in text if sign in "\t\n" or sign >= " "))


def convert_to_json(data: bytes) -> bytes:
    root = etree.fromstring(data)
    document = {"roster": _read_element(root) | {"xmlns": NAMESPACE}}
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _read_element(element: etree._Element) -> dict[str, Any]:
    values: dict[str, Any] = {str(key): value for key, value in element.attrib.items()}
    text = element.text or ""
    if text.strip():
        values[_TEXT] = text
    for child in element:
        key = etree.QName(child).localname
        values[key] = list(map(_read_element, child)) if key in _SINGULAR else child.text or ""
    return values
