"""YAML and JSON as one tree of places, read with care: whatever the bytes are, the answer is a tree or an `Unreadable`.

Tags, anchors, aliases and duplicate keys are refused, size and depth are capped, and every scalar stays the text it is:
a unit called `no` is not a falsehood, and 7.10 not 7.1.
"""

from enum import StrEnum

from roster.formats.list_document.json_reader import read_json
from roster.formats.list_document.nodes import Node, refuse_node
from roster.formats.list_document.yaml_reader import read_yaml

MAX_BYTES = 500_000


class Media(StrEnum):
    """How a list is written. `AUTO`: JSON if it begins like JSON, else YAML."""

    AUTO = "auto"
    YAML = "yaml"
    JSON = "json"


def read_source(data: bytes, media: Media = Media.AUTO) -> Node:
    """Return the tree of a document; raises UnreadableError."""
    if len(data) > MAX_BYTES:
        refuse_node("too-big", given=str(len(data)), detail=str(MAX_BYTES))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse_node("not-utf-8", line=data.count(b"\n", 0, error.start) + 1)
    if media is Media.AUTO:
        media = Media.JSON if text.lstrip()[:1] in ("{", "[") else Media.YAML
    return read_json(text) if media is Media.JSON else read_yaml(text)
