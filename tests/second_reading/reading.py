from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import Entry
from catalogue.definitions.numbers import Number
from catalogue.formats.packs.load import PROOFS, UNITS
from tests.plain_yaml import load_yaml_file

Document = dict[str, Any]
"""A list document (docs/lists.md) in exact form, with all options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The second reading of a book by an author who has not seen the pack.

    * `broken_rules` returns the ids of the rules in `covers` that a list breaks. It may take figures of units from the
      pack, but no bounds.
    * `left_out` has the other rules that the ledger calls implemented, with the reason.
    * `differences` has at most ten clauses (`rule/clause`) on which both may differ, with the reason; never whether a
      list is legal.
    * `invented`: worked lists of invented units are changed, too.
    * `changes` yields more single changes, each labelled "kind: what".
    """

    pack: str
    covers: frozenset[str]
    broken_rules: "Callable[[Document, Figures], set[str]]"
    left_out: Mapping[str, str] = field(default_factory=dict)
    differences: Mapping[str, str] = field(default_factory=dict)
    invented: bool = False
    changes: "Callable[[Document, Figures], Iterable[tuple[str, Document]]] | None" = None


class Figures:
    """A pack's figures of units by the ids in exact documents, without any rules."""

    def __init__(self, folder: Path, data: DataSet, *, invented: bool = False) -> None:
        self.folder = folder
        self.data = data
        self.invented = invented

    @cached_property
    def _entries(self) -> dict[str, tuple[str, Entry]]:
        entries: dict[str, tuple[str, Entry]] = {}
        for catalogue in self.data.catalogues:
            for entry in _walk((*catalogue.entries, *catalogue.shared_entries)):
                entries.setdefault(entry.id, (catalogue.id, entry))
        return entries

    @cached_property
    def units(self) -> dict[str, tuple[str, ...]]:
        """The ids of units by faction; factions may share a unit."""
        return {
            catalogue.id: tuple(entry.target_id or entry.id for entry in catalogue.entries)
            for catalogue in self.data.catalogues
            if catalogue.entries
        }

    def knows(self, entry_id: str) -> bool:
        return entry_id in self._entries

    def faction(self, entry_id: str) -> str:
        return self._entries[entry_id][0] if entry_id in self._entries else ""

    def name(self, entry_id: str) -> str:
        return self._entries[entry_id][1].name if entry_id in self._entries else entry_id

    def price(self, entry_id: str, cost_type: str = "points") -> Number:
        """Return the printed cost of one of an entry, without its contents."""
        entry = self._entries[entry_id][1] if entry_id in self._entries else None
        return next((cost.value for cost in entry.costs if cost.type_id == cost_type), 0) if entry else 0

    def categories(self, entry_id: str) -> frozenset[str]:
        entry = self._entries[entry_id][1] if entry_id in self._entries else None
        return frozenset(link.target_id for link in entry.categories) if entry else frozenset()

    def entry(self, entry_id: str) -> Entry | None:
        return self._entries[entry_id][1] if entry_id in self._entries else None

    def printed_card(self, entry_id: str) -> Document:
        """Return a deck's card as its file writes it; {} if it is not a card."""
        return self._cards.get((self.faction(entry_id), self.name(entry_id)), {})

    @cached_property
    def _cards(self) -> dict[tuple[str, str], Document]:
        return {(tree["faction"], card["card"]): card for tree in self._unit_files for card in tree.get("cards", ())}

    @cached_property
    def written(self) -> dict[str, Any]:
        """The units as their files write them, by name."""
        return {
            unit["unit"]: {**unit, "faction": tree.get("faction")}
            for tree in self._unit_files
            for unit in tree["units"]
        }

    @cached_property
    def _unit_files(self) -> list[Document]:
        proofs = self.folder / PROOFS
        paths = (
            (proofs / UNITS).glob("*.yaml")
            if self.invented
            else (path for path in self.folder.rglob(f"{UNITS}/*.yaml") if not path.is_relative_to(proofs))
        )
        return [load_yaml_file(path) for path in sorted(paths)]


def _walk(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _walk(entry.entries)


# ---- walking a document --------------------------------------------------------------------------------------------


def id_of(part: Document | str) -> str:
    return part if isinstance(part, str) else str(part.get("unit") or part.get("option") or "")


def count_of(part: Document | str) -> int:
    return 1 if isinstance(part, str) else int(part.get("count", 1))


def parts_of(part: Document | str) -> list[Document | str]:
    return [] if isinstance(part, str) else part.get("options", [])


def every_part(part: Document | str, times: int = 1) -> Iterator[tuple[str, int]]:
    """Yield the ids of a unit and its options at any depth, with their total numbers."""
    number = times * count_of(part)
    yield id_of(part), number
    for inner in parts_of(part):
        yield from every_part(inner, number)


def detachments_of(document: Document) -> list[Document]:
    pending = list(document.get("detachments", []))
    for detachment in pending:
        pending.extend(detachment.get("detachments", []))
    return pending


def units_of(detachment: Document) -> list[Document | str]:
    return detachment.get("units", [])
