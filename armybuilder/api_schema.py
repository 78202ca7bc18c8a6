"""The API description: which addresses it lists, and the answers that every address may give."""

from typing import Any

from django.urls import resolve

from armybuilder.rate_limits import COSTLY

VERSION = "/api/v1/"
DETAIL = {
    "application/json": {
        "schema": {"type": "object", "properties": {"detail": {"type": "string"}}, "required": ["detail"]}
    }
}
TOO_OFTEN = {
    "description": "You asked too often. `Retry-After` says how many seconds to wait.",
    "headers": {"Retry-After": {"schema": {"type": "integer"}, "required": True}},
    "content": DETAIL,
}
NOT_FOUND = {"description": "There is nothing at this address.", "content": DETAIL}
TOO_LARGE = {"description": "The body is larger than any that is read.", "content": DETAIL}


def select_versioned(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    """Leave out the addresses without a version: they answer the same, and no new program should use them."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(VERSION)]


def describe_limits(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add to each costly address the answer to anybody who asks too often."""
    for path, operations in result["paths"].items():
        # Any text without a slash will do for a parameter.
        match = resolve(path.replace("{", "").replace("}", ""))
        if f"{match.app_name}:{match.url_name}" in COSTLY:
            for operation in operations.values():
                operation["responses"]["429"] = TOO_OFTEN
    return result


def describe_refusals(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add the answers that do not depend on a view: nothing is there, the body is too large."""
    for path, operations in result["paths"].items():
        for operation in operations.values():
            if "{" in path:
                operation["responses"].setdefault("404", NOT_FOUND)
            if "requestBody" in operation:
                operation["responses"].setdefault("413", TOO_LARGE)
    return result
