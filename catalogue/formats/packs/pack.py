"""A pack as a value."""

from typing import Any

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.citations import Publication
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.definitions.identity import Identity
from catalogue.definitions.numbers import Number


class Preset(Definition):
    """Limits by cost type id, and kinds of detachment."""

    id: str
    name: str
    text: str = ""
    limits: dict[str, Number] = msgspec.field(default_factory=dict)
    detachments: tuple[str, ...] = ()


class RulesetInfo(Definition):
    """A way to organise the game by its kinds of detachment."""

    id: str
    name: str
    text: str = ""
    detachments: tuple[str, ...] = ()


class WorkedList(Definition):
    """An example list with its verdict.

    `document` is a list document, `expect` is legal, incomplete or illegal. It breaks exactly `rules`, which are rules
    or clauses (`rule/clause`), ignores the advice `warns`, and shows the rules or clauses `keeps` without breaking
    them.
    """

    name: str
    file: str
    document: dict[str, Any]
    expect: str
    rules: tuple[str, ...] = ()
    warns: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    points: Number | None = None
    why: str = ""


class Pack(Definition):
    """Lists name it by `id`. Editions of a game share a `game_id`. `notice` is the NOTICE file."""

    id: str
    game_id: str
    game: str
    edition: str = ""
    version: str = ""
    title: str = ""
    about: str = ""
    publisher: str = ""
    notice: str = ""
    identity: Identity = Identity()
    example: bool = False
    unofficial: bool = True
    books: tuple[Publication, ...] = ()
    presets: tuple[Preset, ...] = ()
    rulesets: tuple[RulesetInfo, ...] = ()
    lists: tuple[WorkedList, ...] = ()


class LoadedPack(Definition):
    """`pack` and `data` are None after an error.

    `rule_places` has file and line of each rule (`rule`) and clause (`rule/clause`) of the inventory.
    """

    pack: Pack | None
    data: DataSet | None
    diagnostics: tuple[Diagnostic, ...]
    rule_places: dict[str, tuple[str, int]] = msgspec.field(default_factory=dict)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Errors and flaws."""
        return tuple(d for d in self.diagnostics if d.level is not Level.WARNING)
