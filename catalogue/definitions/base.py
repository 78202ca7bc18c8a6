"""The base of all definitions: immutable values, read and written as plain JSON."""

from typing import Protocol, TypeVar, dataclass_transform

import msgspec


class HasId(Protocol):
    @property
    def id(self) -> str: ...


Identified = TypeVar("Identified", bound=HasId)


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class FrozenMeta(msgspec.StructMeta):
    """Tells type checkers that subclasses of a frozen struct are frozen."""


class Definition(
    msgspec.Struct,
    metaclass=FrozenMeta,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
):
    """JSON leaves out default fields, so that a new field does not change the hash of old data."""
