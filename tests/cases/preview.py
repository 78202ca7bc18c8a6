"""Cases of Maelstrom's Edge, 1st edition: the units of the preview, as a list without detachments."""

from collections.abc import Iterator

from catalogue.formats.packs.syntax.scalars import make_id
from roster.engine.tree import Force, RosterTree, Selection
from tests.cases.translator import Node, Translator

KIND = "preview"


class Cases(Translator):
    """Translates fixtures and lists."""

    def files(self) -> dict[str, Node]:
        return self.by_faction(
            {
                "unit": fixture["name"],
                "id": own,
                "faction": fixture["faction"],
                "type": KIND,
                "models": [
                    {"model": fixture["leader"], "count": "any", "keywords": ["Squad Leader"]},
                    {"model": fixture["others"], "count": "any"},
                ],
            }
            for own, fixture in self.fixtures["units"].items()
        )

    def roster(self, case: Node) -> RosterTree:
        """Return one detachment for each faction; units of unknown factions are in the first."""
        units = case["list"]["units"]
        factions = dict.fromkeys(self._faction(unit) for unit in units)
        home = next((faction for faction in factions if faction), "") or next(iter(self._all_factions()))
        forces: dict[str, list[Selection]] = {}
        for unit in units:
            forces.setdefault(self._faction(unit) or home, []).append(self._selection(unit))
        return RosterTree(
            id=case["id"],
            name=case["title"],
            forces=tuple(
                Force(id=f, entry_id=self._detachment(), catalogue_id=f, selections=tuple(selections))
                for f, selections in forces.items()
            ),
        )

    def _all_factions(self) -> Iterator[str]:
        yield from (fixture["faction"] for fixture in self.fixtures["units"].values())

    def _detachment(self) -> str:
        return next(d["id"] for d in self.head["detachments"] if KIND in d["slots"])

    def _faction(self, given: Node) -> str:
        fixture = None if _is_guest(given) else self.fixtures["units"].get(given["unit"])
        return fixture["faction"] if fixture else ""

    def _selection(self, given: Node) -> Selection:
        entry, faction = given["unit"], self._faction(given)
        option = self.option_of(faction, entry) if faction else None
        if option is None:
            given.items()  # units of another edition have keys that are not read here
            edition = given.get("edition", "unknown")
            return Selection(id=self.fresh(), entry_id=f"edition-{edition}/{entry}", name=entry)
        layout = option.entry.contents
        models = self.models(layout, [given.get("leaders", 1), given.get("others", 0)])
        carried = {make_id(each) for each in self.fixtures["units"][entry].get("equipment", ())}
        names = [name for name in given.get("options", ()) if make_id(name) not in carried]
        options = self.options(layout, names, entry)
        return Selection(id=self.fresh(), entry_id=entry, name=option.name, selections=(*models, *options))


def _is_guest(given: Node) -> bool:
    return str(given.get("edition", 1)) not in ("1", "1e")
