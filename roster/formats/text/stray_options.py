"""Recognise the options in a text that only other units of the faction have."""

from collections.abc import Iterator
from functools import cached_property

from catalogue.definitions.entries import EntryType
from catalogue.graph.compiled_entry import CompiledEntry, CompiledGroup, CompiledOption
from catalogue.graph.infos import resolve_infos
from catalogue.graph.ruleset import CompiledCatalogue
from roster.formats.list_text import simplify_name
from roster.formats.text.items import drop_figures

MAX_SEARCHED = 30_000
"""The most options of a faction or a unit that are searched."""


class StrayOptions:
    """The options inside the units of a faction by name, and the names that each unit has itself."""

    def __init__(self, catalogue: CompiledCatalogue) -> None:
        self._catalogue = catalogue
        self._names: dict[CompiledOption, frozenset[str]] = {}

    def find(self, unit: CompiledOption, name: str) -> CompiledOption | None:
        """Return the option of exactly that name if other units have it, and nothing of the unit is called so.

        A unit's own names are those of its options, profiles, rules and keywords, also as a part: `Plasma pistol` may
        be the profile `Plasma pistol - standard`.
        """
        key = simplify_name(drop_figures(name))
        stray = self._options.get(key)
        if stray is None:
            return None
        if unit not in self._names:
            self._names[unit] = frozenset(f" {simplify_name(name)} " for name in self._list_names(unit))
        return None if any(f" {key} " in known for known in self._names[unit]) else stray

    @cached_property
    def _options(self) -> dict[str, CompiledOption]:
        options: dict[str, CompiledOption] = {}
        settings: set[str] = set()
        units: list[CompiledOption] = []
        for root in self._catalogue.distinct_roots:
            if root.entry.target.type is EntryType.UPGRADE:
                # A choice for the whole list is not an option of a unit.
                settings.update(simplify_name(option.name) for option in _walk([root]))
            else:
                units.append(root)
        names = {simplify_name(unit.name) for unit in units}
        for option in _walk(units):
            key = simplify_name(option.name)
            if option.entry.target.type is EntryType.UPGRADE and key not in settings and key not in names:
                options.setdefault(key, option)
        return options

    def _list_names(self, unit: CompiledOption) -> Iterator[str]:
        binding = self._catalogue.binding
        for option in _walk([unit]):
            yield option.name
            holders: list[CompiledEntry] = [option.entry]
            groups: list[CompiledGroup] = list(option.entry.contents.groups)
            holders += (group.entry for group in groups)
            for holder in holders:
                yield holder.name
                yield from (info.name for info in resolve_infos(binding, holder.infos))
            yield from (binding.categories[one].name for one in option.membership.ids if one in binding.categories)


def _walk(roots: list[CompiledOption]) -> Iterator[CompiledOption]:
    """Yield options with everything inside them, each entry once."""
    pending, seen = list(roots), set[str]()
    for option in pending:  # grows during the loop
        if option.entry.target.id in seen or len(seen) >= MAX_SEARCHED:
            continue
        seen.add(option.entry.target.id)
        yield option
        pending.extend(option.entry.contents.options)
