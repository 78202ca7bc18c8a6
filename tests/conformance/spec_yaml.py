"""Read the suite's YAML with every scalar as text, so that `on`, `1.10`, `2024` and `yes` survive."""

from pathlib import Path
from typing import Any

import yaml


class _TextLoader(yaml.SafeLoader):
    """A loader whose only resolvers are those of null and of merged mappings."""


_KEPT = ("tag:yaml.org,2002:null", "tag:yaml.org,2002:merge")
_TextLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in _KEPT]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_spec(path: Path) -> dict[str, Any]:
    """Return a spec without its overrides for particular engines."""
    with path.open(encoding="utf-8") as file:
        spec: dict[str, Any] = _without_engines(yaml.load(file, _TextLoader))
    return spec


def _without_engines(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_engines(v) for k, v in value.items() if k not in ("engines", "skipEngines")}
    if isinstance(value, list):
        return [_without_engines(item) for item in value]
    return value


def is_true(value: Any) -> bool:
    return str(value).lower() == "true"
