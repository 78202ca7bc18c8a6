"""Translate list cases: fixtures to pack files, lists to rosters."""

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
    """A system: its shipped pack with the fixtures' units, and the form of its lists."""

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
        """Return the fixtures' units as unit files of the pack, by name."""

    @abstractmethod
    def roster(self, case: Node) -> RosterTree:
        """Return the list of a case."""

    def game(self, case: Node) -> GamePlan:
        return GamePlan()

    def by_faction(self, units: Iterable[Node]) -> dict[str, Node]:
        """Return unit files, one for each faction, without the key `faction`."""
        files: dict[str, Node] = {}
        for unit in units:
            faction = unit.pop("faction")
            known = {} if faction in self.head["factions"] else {"factions": {faction: faction.title()}}
            file = files.setdefault(faction, {**known, "faction": faction, "cite": self.head["cite"], "units": []})
            file["units"].append(unit)
        return files

    # ---- selections ----------------------------------------------------------------------------------------------

    def fresh(self) -> str:
        """Return an id for a part of a list that cases never refer to."""
        return f"part-{next(self._numbers)}"

    def option_of(self, faction: str, unit: str) -> CompiledOption | None:
        book = self.ruleset.find_catalogue(faction)
        return (book.root_options.find_option(unit) if book else None) or self.ruleset.find_misplaced_option(unit)

    def models(self, layout: ContainerOptions, numbers: Iterable[int]) -> Iterator[Selection]:
        kinds = [o for o in layout.options if o.entry.target.type is EntryType.MODEL and not o.entry.link]
        for option, number in zip(kinds, numbers, strict=True):
            if number:
                yield self.taken(option, number)

    def taken(self, option: CompiledOption, number: int = 1) -> Selection:
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
        """Return options by name, in a group if one is given; unknown options become placeholders."""
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
