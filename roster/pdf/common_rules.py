"""Print rules shared by many units only once per list."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from catalogue.definitions.catalogues import CatalogueKind, DataSet
from catalogue.definitions.groups import group_by
from catalogue.definitions.infos import Info, InfoKind
from roster.pdf.shapes import Ability, Datasheet
from roster.wording import cards as words

SHARED_BY = 3


def find_shared_rules(data: DataSet) -> Mapping[str, str]:
    """Label the rules of the game system and of libraries, by id."""
    if data.game_system.rulebook:
        return {}
    shared: dict[str, str] = {}
    for catalogue in data.catalogues:
        if catalogue.kind is CatalogueKind.LIBRARY:
            label = catalogue.name if "rule" in catalogue.name.casefold() else words.get_label("faction")
            shared.update((info.id, label) for info in _walk(catalogue.shared_infos) if info.kind is InfoKind.RULE)
    shared.update((info.id, words.get_label("core")) for info in _walk(data.game_system.shared_infos))
    return shared


def _walk(infos: Iterable[Info]) -> Iterator[Info]:
    for info in infos:
        yield info
        yield from _walk(info.infos)


def share_rules(datasheets: Sequence[Datasheet], *, many: bool) -> tuple[tuple[Datasheet, ...], tuple[Ability, ...]]:
    """Move rules that units share out of the datasheets, and return them by name.

    Units share texts only with `many`. Rules with one name but different texts stay with their units.
    """
    label = words.get_label("shared")
    # A rule may have another parameter in each unit: "Cabal of Sorcerers 3".
    counts = Counter(ability.text for sheet in datasheets for ability in sheet.abilities) if many else Counter[str]()
    named = []
    for sheet in datasheets:
        often = [ability for ability in sheet.abilities if counts[ability.text] >= SHARED_BY]
        if often:
            # The row of a weapon has the name of its rule.
            weapons = {row.name.casefold() for table in sheet.weapons for row in table.rows}
            names = tuple(ability.name for ability in often if ability.name.casefold() not in weapons)
            lines = (*sheet.lines, (label, names)) if names else sheet.lines
            unshared = tuple(ability for ability in sheet.abilities if ability not in often)
            sheet = replace(sheet, abilities=unshared, lines=lines, common=(*sheet.common, *often))
        named.append(sheet)

    common = dict.fromkeys(chain.from_iterable(sheet.common for sheet in named))
    texts = group_by(common, lambda ability: ability.name)
    unlike = {name for name, group in texts.items() if len({ability.text for ability in group}) > 1}
    if unlike:
        named = [_take_back(sheet, unlike) for sheet in named]
    # Rules that differ only in their parameter are one rule.
    by_text = group_by((ability for ability in common if ability.name not in unlike), lambda ability: ability.text)
    rules = [
        replace(group[0], name=" / ".join(dict.fromkeys(ability.name for ability in group)))
        for group in by_text.values()
    ]
    return tuple(named), tuple(sorted(rules, key=lambda rule: rule.name.casefold()))


def _take_back(sheet: Datasheet, names: set[str]) -> Datasheet:
    unshared = [ability for ability in sheet.common if ability.name in names]
    if not unshared:
        return sheet
    lines = ((label, tuple(name for name in listed if name not in names)) for label, listed in sheet.lines)
    return replace(
        sheet,
        abilities=(*sheet.abilities, *dict.fromkeys(unshared)),
        lines=tuple(line for line in lines if line[1]),
        common=tuple(ability for ability in sheet.common if ability.name not in names),
    )
