"""From the words of list cases to the engine's: fixtures to a pack's own form, lists to rosters."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from catalogue.definitions.entries import EntryType
from catalogue.formats.packs.load import PACK_FILE, UNITS, read_pack
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.plan import GamePlan
from roster.engine.tree import RosterTree, Selection
from tests.plain_yaml import load_yaml_file

Node = dict[str, Any]


class Translator(ABC):
    """One system: its shipped pack with the fixtures' units instead of its own, and how its lists are written."""

    def __init__(self, pack: Path, fixtures: Node) -> None:
        self.pack, self.fixtures = pack, fixtures
        self.head: Node = load_yaml_file(pack / PACK_FILE)
        self._numbers = count(1)
        with TemporaryDirectory() as folder:
            for name, content in self.files().items():
                text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
                Path(folder, f"{name}.yaml").write_text(text, encoding="utf-8")
            reading = read_pack(pack, Path(folder))
        assert reading.data is not None, [str(found) for found in reading.errors]
        self.ruleset: Ruleset = compile_ruleset(reading.data)

    @cached_property
    def shipped(self) -> dict[str, Node]:
        """The units of the shipped pack by name, as its files write them."""
        paths = sorted((self.pack / UNITS).glob("*.yaml"))
        return {unit["unit"]: unit for path in paths for unit in load_yaml_file(path).get("units", ())}

    @abstractmethod
    def files(self) -> dict[str, Node]:
        """The fixtures' units as the unit files of the pack, by name."""

    @abstractmethod
    def roster(self, case: Node) -> RosterTree:
        """The list of a case."""

    def game(self, case: Node) -> GamePlan:
        """The plan for the game of a case."""
        return GamePlan()

    def by_faction(self, units: Iterable[Node]) -> dict[str, Node]:
        """Unit files, one for each faction; `faction` is taken out of each unit."""
        files: dict[str, Node] = {}
        for unit in units:
            faction = unit.pop("faction")
            known = {} if faction in self.head["factions"] else {"factions": {faction: faction.title()}}
            file = files.setdefault(faction, {**known, "faction": faction, "cite": self.head["cite"], "units": []})
            file["units"].append(unit)
        return files

    # ---- selections ----------------------------------------------------------------------------------------------

    def fresh(self) -> str:
        """An id for a part of a list that cases never refer to."""
        return f"part-{next(self._numbers)}"

    def option_of(self, faction: str, unit: str) -> CompiledOption | None:
        """The unit as the pack has it; None where it does not."""
        book = self.ruleset.find_catalogue(faction)
        return (book.root_options.find_option(unit) if book else None) or self.ruleset.find_misplaced_option(unit)

    def models(self, layout: ContainerOptions, numbers: Iterable[int]) -> Iterator[Selection]:
        """So many of each kind of model that a unit prints, in its order."""
        kinds = [o for o in layout.options if o.entry.target.type is EntryType.MODEL and not o.entry.link]
        for option, number in zip(kinds, numbers, strict=True):
            if number:
                yield self.taken(option, number)

    def taken(self, option: CompiledOption, number: int = 1) -> Selection:
        """So many of an option."""
        return Selection(
            id=self.fresh(),
            entry_id=option.local_id,
            group_id=option.group.local_id if option.group else "",
            number=number,
            name=option.name,
        )

    def options(
        self, layout: ContainerOptions, names: Iterable[str], owner: str, group: str | None = None
    ) -> Iterator[Selection]:
        """Options by their names, in the group of that name if one is given; what there is not is a placeholder."""
        for name, number in Counter(names).items():
            found = next((o for o in layout.options if _is_called(o, name, group)), None)
            if found is not None:
                yield self.taken(found, number)
            else:
                own = f"{owner}/{make_id(group or 'other')}/{make_id(name)}"
                yield Selection(id=self.fresh(), entry_id=own, number=number, name=name)


def _is_called(option: CompiledOption, name: str, group: str | None) -> bool:
    groups = {outer.entry.name for outer in option.groups}
    return make_id(option.name) == make_id(name) and (group is None or group in groups)
