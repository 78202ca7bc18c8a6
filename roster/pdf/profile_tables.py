"""Turn the profiles of a unit into tables."""

from collections.abc import Container, Iterable
from itertools import filterfalse

from catalogue.definitions.groups import group_by
from catalogue.services.datasheet_tables import is_told_below
from catalogue.services.texts import blank_repeated
from roster.engine.report import EffectiveProfile
from roster.pdf.shapes import Cell, Column, SheetRow, SheetTable

LONG = 70
"""Longer texts are printed with the rules."""


def get_type_key(profile: EffectiveProfile) -> str:
    return profile.type_id or profile.type_name


def is_text(profile: EffectiveProfile) -> bool:
    """Return whether a profile is really a rule: a name and one text."""
    filled = [c for c in profile.characteristics if c.value]
    return len(profile.characteristics) <= 1 or (len(filled) == 1 and len(filled[0].value) > LONG)


def has_long_text(profile: EffectiveProfile) -> bool:
    """Return whether a profile is a rule or has a text too long for a table."""
    return is_text(profile) or any(len(c.value) > LONG for c in profile.characteristics)


def build_tables(profiles: Iterable[EffectiveProfile], names: Container[str]) -> tuple[SheetTable, ...]:
    """Build the tables of profiles, first those of `names`: the unit and its models."""
    by_type = group_by(filterfalse(is_text, profiles), get_type_key)
    groups = sorted(by_type.values(), key=lambda group: not any(profile.name in names for profile in group))
    tables = []
    for group in groups:
        heads = list(dict.fromkeys(c.name for profile in group for c in profile.characteristics))
        values = [read_values(profile) for profile in group]
        columns = [
            Column(name=head, figures=not any(is_told_below(head, row.get(head, "")) for row in values))
            for head in heads
        ]
        rows = []
        for profile, row in zip(group, values, strict=True):
            texts = blank_repeated(row.get(head, "") for head in heads)
            cells = [Cell(text="", see=True) if len(text) > LONG else Cell(text=text) for text in texts]
            rows.append(SheetRow(name=profile.name, cells=tuple(cells)))
        tables.append(SheetTable(name=group[0].type_name, columns=tuple(columns), rows=tuple(rows)))
    return tuple(tables)


def read_values(profile: EffectiveProfile) -> dict[str, str]:
    return {c.name: c.value for c in profile.characteristics}
