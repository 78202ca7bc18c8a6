"""What every definition is: an immutable, slotted value that reads and writes as plain JSON."""

import msgspec


class Definition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all definitions.

    Fields at their default are left out of the document, so that the stored form stays small and its hash does not
    move when a field is added.
    """
