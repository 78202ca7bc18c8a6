"""A pack as a value: what it is called, whose game it is, how to play it, and its worked lists."""

from typing import Any

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.citations import Publication
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.definitions.identity import Identity
from catalogue.definitions.numbers import Number


class Preset(Definition):
    """A common way to play: limits by cost type id, and the detachment kinds to start with."""

    id: str
    name: str
    text: str = ""
    limits: dict[str, Number] = msgspec.field(default_factory=dict)
    detachments: tuple[str, ...] = ()


class RulesetInfo(Definition):
    """One of several ways the pack's game is organised: the kinds of detachment that belong to it."""

    id: str
    name: str
    text: str = ""
    detachments: tuple[str, ...] = ()


class WorkedList(Definition):
    """An example list with its verdict.

    `document` is a list document; `expect` is legal, incomplete or illegal; `rules` names the rules, or their clauses
    (`rule/clause`), that the list breaks, exactly; `warns` advice it is warned of; `keeps` rules or clauses that matter
    in it and are kept; `points` is the total, None where it is not stated; `why` says what the list shows.
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
    """Everything about a pack except its definitions.

    `id` is the pack's own id and is in lists; `game_id` is shared by the editions of one game. `notice` is the text
    of the pack's NOTICE file.
    """

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
    """The result of reading a pack. `pack` and `data` are None if there was an error: a broken pack is never used.

    `rule_places` has file and line of each rule (`rule`) and clause (`rule/clause`) of the pack's inventory.
    """

    pack: Pack | None
    data: DataSet | None
    diagnostics: tuple[Diagnostic, ...]
    rule_places: dict[str, tuple[str, int]] = msgspec.field(default_factory=dict)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Whatever has to be mended, flaws included."""
        return tuple(d for d in self.diagnostics if d.level is not Level.WARNING)
