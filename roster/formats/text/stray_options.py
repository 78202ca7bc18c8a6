"""Recognise options in a text that only other units have."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from catalogue.definitions.entries import EntryType
from catalogue.graph.compiled_entry import CompiledEntry, CompiledGroup, CompiledOption
from catalogue.graph.infos import resolve_infos
from catalogue.graph.ruleset import CompiledCatalogue
from roster.formats.list_text import simplify_name
from roster.formats.text.items import drop_figures

MAX_SEARCHED = 30_000
"""The most options of a faction or a unit that are searched."""


MOST_ASKED = 200
"""The most names of a list that are looked up in the whole game."""
FindName = Callable[[str], str]
"""Returns the name of an option of any faction of the game, "" for none."""


@dataclass(frozen=True, slots=True)
class StrayOption:
    """`entry` is an id of the faction, or a name if the option `is_elsewhere`, in another faction."""

    name: str
    entry: str
    is_elsewhere: bool = False


class StrayOptions:
    """Finds options that units cannot have: in the faction, then by `find_name` in the whole game."""

    def __init__(self, catalogue: CompiledCatalogue, find_name: FindName | None = None) -> None:
        self._names = _keep_names(catalogue)
        self._find_name = find_name
        self._elsewhere: dict[str, str] = {}

    def find(self, unit: CompiledOption, name: str, *, anywhere: bool) -> StrayOption | None:
        """Return other units' option of exactly that name; None if the unit itself has anything of that name.

        Profiles, rules and keywords count, even in part: `Plasma pistol` may be the profile `Plasma pistol - standard`.
        With `anywhere`, units of other factions count, too.
        """
        plain = drop_figures(name)
        key = simplify_name(plain)
        stray = self._names.options.get(key)
        may_be_foreign = anywhere and stray is None and key not in self._names.unit_names
        elsewhere = self._look_elsewhere(plain, key) if may_be_foreign else ""
        if not (stray or elsewhere) or any(f" {key} " in names for names in self._names.list_names(unit)):
            return None
        if stray:
            return StrayOption(stray.name, stray.entry.target.id)
        return StrayOption(elsewhere, elsewhere, is_elsewhere=True)

    def _look_elsewhere(self, name: str, key: str) -> str:
        if self._find_name is None or (key not in self._elsewhere and len(self._elsewhere) >= MOST_ASKED):
            return ""
        if key not in self._elsewhere:
            self._elsewhere[key] = self._find_name(name)
        return self._elsewhere[key]


class _FactionNames:
    def __init__(self, catalogue: CompiledCatalogue) -> None:
        self._catalogue = catalogue
        self._names: dict[CompiledOption, frozenset[str]] = {}

    def list_names(self, unit: CompiledOption) -> frozenset[str]:
        if unit not in self._names:
            self._names[unit] = frozenset(f" {simplify_name(name)} " for name in self._walk_names(unit))
        return self._names[unit]

    @cached_property
    def unit_names(self) -> frozenset[str]:
        return frozenset(simplify_name(option.name) for option in _walk(list(self._catalogue.distinct_roots)))

    @cached_property
    def options(self) -> dict[str, CompiledOption]:
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

    def _walk_names(self, unit: CompiledOption) -> Iterator[str]:
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
    pending, seen = list(roots), set[str]()
    for option in pending:  # grows during the loop
        if option.entry.target.id in seen or len(seen) >= MAX_SEARCHED:
            continue
        seen.add(option.entry.target.id)
        yield option
        pending.extend(option.entry.contents.options)


@lru_cache(maxsize=4)
def _keep_names(catalogue: CompiledCatalogue) -> _FactionNames:
    """Cache a faction's names: events send many lists of few factions."""
    return _FactionNames(catalogue)
