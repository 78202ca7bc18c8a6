"""Fragments: parts of the builder's page that the response to an edit replaces separately.

`{% fragment part %}` gives a template only its fragment's value and the page's constants, so the value's key covers
everything shown.
"""

import zlib
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import msgspec
from django.utils.html import escape
from django.utils.safestring import SafeString


class FragmentMisuseError(RuntimeError):
    """A template reads the value of another fragment."""


class Fragment:
    """A part of the page: `template` shows the value `shows`. Immutable, so that responses can share it.

    The key omits `unkeyed`: changing only that sends nothing. `stored`: the process caches the HTML. `is_keyed=False`:
    only inner fragments are compared. `oob`: it replaces the element with its id. `is_shared`: a response can send it
    once for all ids in `alike`.
    """

    def __init__(
        self,
        part_id: str,
        template: str,
        shows: Any,
        *,
        unkeyed: Any = None,
        stored: bool = False,
        is_keyed: bool = True,
        is_shared: bool = False,
    ) -> None:
        self.id = part_id
        self.template = template
        self.shows = shows
        self.unkeyed = unkeyed
        self.stored = stored
        self.is_keyed = is_keyed
        self.is_shared = is_shared
        self.oob = False
        self.alike: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> object:
        """Return what templates may read, because they look here first."""
        if name in ("id", "key", "oob", "attributes"):
            return getattr(self, name)
        raise FragmentMisuseError(f"Render {self.template} by its own tag to show its {name}: keys depend on it.")

    def replace_on_page(self) -> "Fragment":
        replacing = copy(self)
        replacing.oob = True
        return replacing

    def stand_for(self, ids: tuple[str, ...]) -> "Fragment":
        shared = copy(self)
        shared.alike = ids
        return shared

    @cached_property
    def _encoding(self) -> tuple[bytes, tuple["Fragment", ...]]:
        nested: list[Fragment] = []

        def name_nested(part: object) -> str:
            if not isinstance(part, Fragment):
                raise TypeError(f"{self.template} cannot be compared: its value contains {type(part)}.")
            nested.append(part)
            return part.id or part.key

        return msgspec.json.encode(self.shows, enc_hook=name_nested), tuple(nested)

    @property
    def encoded(self) -> bytes:
        """The value as JSON, with nested fragments as their ids or keys."""
        return self._encoding[0]

    @property
    def nested(self) -> tuple["Fragment", ...]:
        return self._encoding[1]

    @cached_property
    def key(self) -> str:
        """A checksum of the value, or "" if it is not keyed."""
        return f"{zlib.crc32(self.encoded):x}" if self.is_keyed else ""

    @cached_property
    def stored_key(self) -> tuple[object, ...]:
        """Everything that its HTML depends on, except page constants."""
        unkeyed = b"" if self.unkeyed is None else msgspec.json.encode(self.unkeyed)
        return (self.template, self.id, self.encoded, unkeyed, *[part.stored_key for part in self.nested])

    @property
    def attributes(self) -> SafeString:
        if self.alike:
            return SafeString(f'data-alike="{escape(" ".join(self.alike))}" data-of="{self.key}"')
        key = f' data-key="{self.key}"' if self.key else ""
        place = ' hx-swap-oob="outerMorph"' if self.oob else ""
        return SafeString(f'id="{escape(self.id)}"{key}{place}')


@dataclass(frozen=True, kw_only=True)
class PageConstants:
    """Words, addresses and form attributes that every template may show.

    No key contains them. Values that differ between responses are placeholders (`HIDDEN_FIELDS`).
    """

    language: str
    values: Mapping[str, Any]

    @cached_property
    def stored_key(self) -> bytes:
        return blake2b(repr((self.language, self.values)).encode(), digest_size=16).digest()
