"""Write a roster byte for byte as New Recruit does, which the suite's exported files follow."""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from catalogue.definitions.numbers import Number, format_number
from catalogue.graph.ruleset import Ruleset
from roster.engine.effective_tree import UNCATEGORISED_ID
from roster.engine.report import (
    CostTotal,
    EffectiveCategory,
    EffectiveForce,
    EffectiveProfile,
    EffectiveRule,
    EffectiveSelection,
    Report,
)
from roster.engine.tree import RosterTree

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
SPACE = "http://www.battlescribe.net/schema/rosterSchema"
Lines = Iterator[str]


def write_roster(ruleset: Ruleset, roster: RosterTree, report: Report) -> list[str]:
    game = ruleset.binding.game_system
    names = {t.id: t.name for t in ruleset.binding.cost_types.values()}
    limits = [_amount("costLimit", names.get(li.type_id, ""), li.type_id, li.value) for li in roster.limits]
    attributes = {
        "id": roster.id,
        "name": roster.name,
        "battleScribeVersion": "2.03",
        "generatedBy": "https://newrecruit.eu",
        "gameSystemId": game.id if game else "",
        "gameSystemName": game.name if game else "",
        "gameSystemRevision": "1",
        "xmlns": SPACE,
    }
    body = [
        *_list("costs", _costs(cost for cost in report.costs if not cost.hidden)),
        *_list("costLimits", limits),
        *_list("forces", (line for force in report.forces for line in _force(force))),
    ]
    return [HEAD, *_element("roster", attributes, body)]


def _element(name: str, attributes: dict[str, str], body: Iterable[str]) -> Lines:
    inside = list(body)
    written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items() if value)
    if not inside:
        yield f"<{name}{written}></{name}>"
        return
    yield f"<{name}{written}>"
    yield from (f"  {line}" for line in inside)
    yield f"</{name}>"


def _list(name: str, lines: Iterable[str]) -> Lines:
    inside = list(lines)
    if inside:
        yield from _element(name, {}, inside)


def _amount(tag: str, name: str, type_id: str, value: Number) -> str:
    return f'<{tag} name={quoteattr(name)} typeId={quoteattr(type_id)} value="{format_number(value)}" />'


def _costs(costs: Iterable[CostTotal]) -> Lines:
    yield from (_amount("cost", cost.name, cost.type_id, cost.value) for cost in costs if cost.value)


def _force(force: EffectiveForce) -> Lines:
    attributes = {
        "id": force.id,
        "name": force.name,
        "entryId": force.entry_id,
        "catalogueId": force.catalogue_id,
        "catalogueRevision": "1",
        "catalogueName": force.catalogue_name,
        "customName": force.custom_name,
    }
    yield from _element(
        "force",
        attributes,
        [
            *_rules(force.rules),
            *_profiles(force.profiles),
            *_list("selections", (line for s in force.selections for line in _selection(s, root=True))),
            *_list("forces", (line for inner in force.forces for line in _force(inner))),
            *_list("categories", (_slot(category, force.id) for category in force.categories)),
        ],
    )


def _slot(category: EffectiveCategory, force_id: str) -> str:
    name = "Uncategorized" if category.id == UNCATEGORISED_ID else category.name
    node_id = quoteattr(f"{force_id}-{category.id}")
    return f'<category name={quoteattr(name)} id={node_id} primary="false" entryId={quoteattr(category.id)} />'


def _selection(selection: EffectiveSelection, *, root: bool = False) -> Lines:
    attributes = {
        "id": selection.id,
        "name": selection.name,
        "entryId": selection.entry_id,
        "entryGroupId": selection.group_id,
        "number": str(selection.number),
        "type": selection.type,
        "from": "group" if selection.group_id else "entry",
        "group": selection.group_name,
        "customName": selection.custom_name,
    }
    yield from _element(
        "selection",
        attributes,
        [
            *_rules(selection.rules),
            *_profiles(selection.profiles),
            *_list("selections", (line for s in selection.selections for line in _selection(s))),
            *_list("costs", _costs(selection.costs)),
            *_list("categories", _categories(selection, root=root)),
        ],
    )


def _categories(selection: EffectiveSelection, *, root: bool) -> Lines:
    nameless = EffectiveCategory(id=UNCATEGORISED_ID, name="Uncategorized", primary=True)
    for category in selection.categories or ((nameless,) if root else ()):
        node_id = quoteattr(f"{selection.id}-{category.id}")
        primary = str(category.primary).lower()
        yield (
            f"<category id={node_id} entryId={quoteattr(category.id)} "
            f'name={quoteattr(category.name)} primary="{primary}" />'
        )


def _rules(rules: tuple[EffectiveRule, ...]) -> Lines:
    yield from _list("rules", (line for rule in sorted(rules, key=lambda r: r.name) for line in _rule(rule)))


def _rule(rule: EffectiveRule) -> Lines:
    attributes = {"id": rule.id, "name": rule.name, "hidden": "false", "page": rule.citation.page}
    yield from _element("rule", attributes, [f"<description>{rule.description}</description>"])


def _profiles(profiles: tuple[EffectiveProfile, ...]) -> Lines:
    yield from _list(
        "profiles", (line for profile in sorted(profiles, key=lambda p: p.name) for line in _profile(profile))
    )


def _profile(profile: EffectiveProfile) -> Lines:
    attributes = {
        "id": profile.id,
        "name": profile.name,
        "hidden": "false",
        "typeId": profile.type_id,
        "typeName": profile.type_name,
        "from": "entry",
    }
    figures = [
        f"<characteristic name={quoteattr(c.name)} typeId={quoteattr(c.type_id)}>{c.value}</characteristic>"
        for c in profile.characteristics
    ]
    yield from _element("profile", attributes, _list("characteristics", figures))
