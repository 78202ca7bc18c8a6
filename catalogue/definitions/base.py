"""The base of all definitions: an immutable, slotted value that reads and writes as plain JSON."""

from typing import Protocol, TypeVar, dataclass_transform

import msgspec


class HasId(Protocol):
    """Anything that is known by an id."""

    @property
    def id(self) -> str: ...


Identified = TypeVar("Identified", bound=HasId)


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class FrozenMeta(msgspec.StructMeta):
    """Tells type checkers that subclasses of a frozen struct are frozen too, as they are at run time."""


class Definition(
    msgspec.Struct,
    metaclass=FrozenMeta,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
):
    """Base of all definitions.

    Fields at their default are left out of the document, so that the stored form stays small and its hash does not
    move when a field is added.
    """
