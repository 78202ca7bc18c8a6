"""YAML files as plain values, parsed by libyaml where it is there: PyYAML's own parser is several times slower."""

from pathlib import Path
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """Return the value of a YAML text."""
    return yaml.load(text, Loader=LOADER)


def load_yaml_file(path: Path) -> Any:
    """Return the value of a YAML file."""
    return load_yaml(path.read_text(encoding="utf-8"))
