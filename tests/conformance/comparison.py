"""Compare expectations with results; the first difference is a sentence."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from tests.conformance.spec_yaml import is_true

Expected = dict[str, Any]
Shown = dict[str, Any]
Pairs = Iterator[tuple[str, Any, Any]]

FLAGS = ("hidden", "primary")
KEYS: dict[str, tuple[str, ...]] = {
    "costs": ("typeId", "name"),
    "costLimits": ("typeId", "name"),
    "profiles": ("name",),
    "rules": ("name",),
    "categories": ("entryId", "name"),
    "publications": ("id",),
    "characteristics": ("name", "typeId"),
}
"""Fields that match the items of a list; other lists are matched by position."""


def difference(expected: Expected, shown: Shown, path: str = "") -> str:
    wanted = {**expected, "hidden": expected.get("hidden", "false")} if "hidden" in shown else expected
    if path.rpartition(".")[2].startswith(("costs", "categories", "profiles", "rules")):
        wanted = expected
    for field, value in wanted.items():
        here = f"{path}.{field}".lstrip(".")
        if field in ("errors", "errorsContain", "errorCount"):
            continue
        if field not in shown:
            return f"{here}: nothing is shown by that name"
        found = _of_value(value, shown[field], here, field)
        if found:
            return found
    return ""


def _of_value(value: Any, shown: Any, path: str, field: str) -> str:
    if isinstance(value, list):
        return _of_list(value, shown, path, field)
    if isinstance(value, dict):
        return difference(value, shown, path)
    if field in FLAGS:
        same = is_true(value) == bool(shown)
    elif isinstance(shown, int | Decimal) and not isinstance(shown, bool):
        same = _number(value) == shown
    else:
        same = (value or "") == (shown or "")
    return "" if same else f"{path}: expected {value!r}, found {shown!r}"


def _number(text: Any) -> Decimal | None:
    try:
        return Decimal(str(text))
    except InvalidOperation:
        return None


def _of_list(expected: list[Any], shown: list[Shown], path: str, field: str) -> str:
    if field != "characteristics" and len(expected) != len(shown):
        names = [item.get("name") or item.get("typeId") or item.get("id") for item in shown]
        return f"{path}: expected {len(expected)} of them, found {len(shown)}: {names}"
    left = list(shown)
    for i, item in enumerate(expected):
        keys = KEYS.get(field, ())
        match = _matching(item, left, i, keys, positional=field not in KEYS, every=shown)
        if match is None:
            return f"{path}: {item} is missing"
        if not item.keys().isdisjoint(keys):
            left.remove(match)
        found = difference(item, match, f"{path}[{i}]")
        if found:
            return found
    return ""


def _matching(
    item: Expected, left: list[Shown], index: int, keys: tuple[str, ...], *, positional: bool, every: list[Shown]
) -> Shown | None:
    if positional:
        return every[index]
    for key in keys:
        if key in item:
            return next((other for other in left if other.get(key) == item[key]), None)
    return every[index]


def error_difference(expected: Expected, found: list[tuple[set[str], set[str]]]) -> str:
    """Return the first difference between expected and found errors, each given by its possible names (on, from)."""
    left = list(found)
    listed = expected.get("errors", expected.get("errorsContain"))
    for error in listed or ():
        match = next((f for f in left if _is(error, f)), None)
        if match is None:
            return f"errors: {error} is missing among {_shown(found)}"
        left.remove(match)
    if "errorCount" in expected:
        return "" if int(expected["errorCount"]) == len(found) else f"errorCount: found {_shown(found)}"
    if left and "errorsContain" not in expected:
        return f"errors: not expected: {_shown(left)}"
    return ""


def _is(error: Expected, found: tuple[set[str], set[str]]) -> bool:
    on, source = found
    return error["on"] in on and error["from"] in source


def _shown(found: Iterable[tuple[set[str], set[str]]]) -> list[str]:
    return [f"{min(on)} from {min(source)}" for on, source in found]


def first(checks: Iterable[Callable[[], str]]) -> str:
    return next((found for check in checks if (found := check())), "")
