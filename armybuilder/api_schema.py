"""Which addresses the description of the API names."""

from typing import Any

VERSION = "/api/v1/"


def select_versioned(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    """Leave out the addresses without a version: they answer the same, and no new program should use them."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(VERSION)]
