"""Catalogues, and the data set they form: one version of a game's data."""

from enum import StrEnum

import msgspec

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation, Publication
from catalogue.definitions.constraints import CommanderRule, CommonCategory, Constraint, RuleWords
from catalogue.definitions.entries import Category, CostType, Deck, Entry, ForceEntry
from catalogue.definitions.identity import Identity
from catalogue.definitions.infos import Info, ProfileType
from catalogue.definitions.missions import MissionDefinition, PlayBook, Special
from catalogue.definitions.numbers import Number
from catalogue.definitions.overlays import LeaderCorrection, Overlay
from catalogue.definitions.planning import Planning
from catalogue.definitions.queries import Query, Term
from catalogue.definitions.rulebook import RuleEntry


class CatalogueKind(StrEnum):
    GAME_SYSTEM = "game-system"
    FACTION = "faction"
    LIBRARY = "library"


class CatalogueLink(Definition):
    """`import_root_entries` also offers the other catalogue's root entries."""

    target_id: str
    name: str = ""
    import_root_entries: bool = False


class Unchecked(Definition):
    """Something that the engine does not check, shown with every verdict.

    `subject_id` is an entry, blank for the whole catalogue. The rule `excused_from` does not apply to it.
    """

    code: str
    text: str
    subject_id: str = ""
    citation: Citation = NOWHERE
    excused_from: str = ""


class Figure(Definition):
    """A number of a list that is not a cost, such as how many units start the game: query + `value` + `terms`."""

    id: str
    name: str
    query: Query
    value: Number = 0
    terms: tuple[Term, ...] = ()
    text: str = ""
    citation: Citation = NOWHERE


class Catalogue(Definition):
    """The game system, a faction, or a library that others link to.

    `constraints` bind the whole roster. `shared_*` can be linked to but are not on offer. `words` are for built-in rule
    kinds. A pack applies its `overlays` to other data; `laid` and `leaders` come from the overlay applied to this data.
    `joined` is the source of a catalogue added to a game on its own. `homebrew` names the house rules that changed it.
    """

    id: str
    name: str
    kind: CatalogueKind
    identity: Identity = Identity()
    revision: str = ""
    publications: tuple[Publication, ...] = ()
    cost_types: tuple[CostType, ...] = ()
    profile_types: tuple[ProfileType, ...] = ()
    categories: tuple[Category, ...] = ()
    forces: tuple[ForceEntry, ...] = ()
    entries: tuple[Entry, ...] = ()
    shared_entries: tuple[Entry, ...] = ()
    infos: tuple[Info, ...] = ()
    shared_infos: tuple[Info, ...] = ()
    links: tuple[CatalogueLink, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    words: tuple[RuleWords, ...] = ()
    common: CommonCategory | None = None
    command: CommanderRule | None = None
    figures: tuple[Figure, ...] = ()
    decks: tuple[Deck, ...] = ()
    rulebook: tuple[RuleEntry, ...] = ()
    specials: tuple[Special, ...] = ()
    missions: tuple[MissionDefinition, ...] = ()
    play: PlayBook = PlayBook()
    planning: Planning = Planning()
    unchecked: tuple[Unchecked, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    leaders: tuple[LeaderCorrection, ...] = ()
    overlay_name: str = msgspec.field(default="", name="laid")
    homebrew: str = ""
    joined: str = ""
    citation: Citation = NOWHERE


class CatalogueOutline(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A catalogue without its entries, which is much faster to read."""

    id: str
    name: str
    kind: CatalogueKind
    identity: Identity = Identity()
    categories: tuple[Category, ...] = ()
    forces: tuple[ForceEntry, ...] = ()
    links: tuple[CatalogueLink, ...] = ()

    def build_catalogue(self) -> Catalogue:
        return Catalogue(
            id=self.id,
            name=self.name,
            kind=self.kind,
            identity=self.identity,
            categories=self.categories,
            forces=self.forces,
            links=self.links,
        )


class DataSet(Definition):
    """One version of one game, with exactly one game system."""

    catalogues: tuple[Catalogue, ...]

    @property
    def game_system(self) -> Catalogue:
        """Raises StopIteration if there is none."""
        return next(c for c in self.catalogues if c.kind is CatalogueKind.GAME_SYSTEM)

    def list_kind(self, kind: CatalogueKind) -> list[Catalogue]:
        return [catalogue for catalogue in self.catalogues if catalogue.kind is kind]
