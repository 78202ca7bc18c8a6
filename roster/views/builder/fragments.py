"""Fragments: pieces of the builder's page that an answer to an edit can replace one by one.

A fragment is an id, a template and one value. `{% fragment part %}` (`roster/templatetags/fragments.py`) renders the
template in a context of its own with nothing but that value and what is the same all over the page, so the key, which
is made of the value, covers everything that the template can show.
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
    """A template reads the value of a fragment that is not its own."""


class Fragment:
    """A piece of the page: `template` shows the value `shows`. It never changes, so answers can share it.

    A fragment with an id can be replaced alone. The key of a fragment around it contains only that id. A fragment
    without an id is part of the fragment around it, whose key contains its key.

    `unkeyed` is a value that the template also sees and that the key leaves out on purpose: a change of it alone is not
    sent. `stored`: the process keeps it as rendered. With `is_keyed` off, the browser is not told a key, because only
    the fragments inside are compared. `oob`: in an answer, it replaces the element that has its id. One that
    `is_shared` shows nothing but its value: in an answer it may stand once for all that are `alike`, by their ids.
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
        """Return what any template may read of a fragment; templates look here first."""
        if name in ("id", "key", "oob", "attributes"):
            return getattr(self, name)
        raise FragmentMisuseError(f"Render {self.template} by its own tag to show its {name}: keys depend on it.")

    def replace_on_page(self) -> "Fragment":
        """Return the fragment as an answer holds it, to replace the element that has its id."""
        replacing = copy(self)
        replacing.oob = True
        return replacing

    def stand_for(self, ids: tuple[str, ...]) -> "Fragment":
        """Return the fragment as an answer holds it once, to replace the elements that have these ids."""
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
        """The value as JSON, with fragments inside it as their ids, or as their keys if they have no id."""
        return self._encoding[0]

    @property
    def nested(self) -> tuple["Fragment", ...]:
        """The fragments in the value, in order."""
        return self._encoding[1]

    @cached_property
    def key(self) -> str:
        """A short text that differs when the value differs."""
        return f"{zlib.crc32(self.encoded):x}" if self.is_keyed else ""

    @cached_property
    def stored_key(self) -> tuple[object, ...]:
        """Everything that its HTML depends on, with all fragments inside it, beside the constants of the page."""
        unkeyed = b"" if self.unkeyed is None else msgspec.json.encode(self.unkeyed)
        return (self.template, self.id, self.encoded, unkeyed, *[part.stored_key for part in self.nested])

    @property
    def attributes(self) -> SafeString:
        """The attributes of its element: id, key, and whether it replaces the element that has this id."""
        if self.alike:
            return SafeString(f'data-alike="{escape(" ".join(self.alike))}" data-of="{self.key}"')
        key = f' data-key="{self.key}"' if self.key else ""
        place = ' hx-swap-oob="outerMorph"' if self.oob else ""
        return SafeString(f'id="{escape(self.id)}"{key}{place}')


@dataclass(frozen=True, kw_only=True)
class PageConstants:
    """What every template of a page may show, beside its value: words, addresses, attributes of forms.

    No key contains them. Those of `values` that differ from answer to answer are placeholders there (`HIDDEN_FIELDS`).
    """

    language: str
    values: Mapping[str, Any]

    @cached_property
    def stored_key(self) -> bytes:
        """A digest: fragments stored for one page are not found for a page with other constants."""
        return blake2b(repr((self.language, self.values)).encode(), digest_size=16).digest()
