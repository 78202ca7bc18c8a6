"""The list document: how people write a list in YAML or JSON, and how the app writes one for them.

    list: 1
    game: reeds-and-rust           # the id of its pack; `version:` pins a version by its label or hash
    faction: marsh-compact
    name: Low water column
    limits: {points: 120}          # `none` lifts a limit
    detachments:
      - detachment: standard
        name: First detachment     # a custom name
        units:
          - {unit: lock-warden, leads: yes}  # with its minimums and defaults; declared leader
          - unit: reed-cutters
            options: [net-throwers, {option: cutter, count: 6}]
          - {unit: heron-scouts, ref: scouts}  # the plan refers to it by `ref`
    plan: {mission: high-water, side: attacker, reserves: [scouts]}

`detachment: none` holds units outside every detachment. `unshown: [options]`: the original text left options out.

Ids are entry ids. The last part of a path is enough if it is unambiguous, and names work as well.
"""

from roster.formats.list_document.build import BuiltList, build_list
from roster.formats.list_document.document import ListDocument, read_list
from roster.formats.list_document.link import QR_LENGTH, is_list_link
from roster.formats.list_document.nodes import MAX_BYTES, Media, Unreadable
from roster.formats.list_document.values import Text
from roster.formats.list_document.write import build_document, format_json, format_yaml, write_list_link

__all__ = [
    "MAX_BYTES",
    "QR_LENGTH",
    "BuiltList",
    "ListDocument",
    "Media",
    "Text",
    "Unreadable",
    "build_document",
    "build_list",
    "format_json",
    "format_yaml",
    "is_list_link",
    "read_list",
    "write_list_link",
]
