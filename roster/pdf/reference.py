"""The rules of a list, each printed once."""

from collections.abc import Iterable, Iterator, Sequence

from catalogue.definitions.citations import Citation
from roster.engine.report import EffectiveForce, EffectiveProfile, EffectiveRule, EffectiveSelection
from roster.pdf.listed_units import walk_own
from roster.pdf.paper_text import split_paragraphs
from roster.pdf.shapes import Rule
from roster.pdf.sheet_context import Cite
from roster.pdf.table_columns import LONG, has_long_text, is_text

MANY = 4
"""So many rules that say the same are gathered."""
FLAVOUR = "~about"
"""The end of the id of a text that only introduces a unit."""


def list_profiles(node: EffectiveSelection) -> tuple[EffectiveProfile, ...]:
    """Return the profiles of a unit and what is in it, equal ones once."""
    profiles: dict[tuple[object, ...], EffectiveProfile] = {}
    for part in walk_own(node):
        inherited = (profile for category in part.categories for profile in category.profiles)
        for profile in (*part.profiles, *inherited):
            profiles.setdefault((profile.type_id, profile.name, profile.characteristics), profile)
    return tuple(profiles.values())


def list_rules(node: EffectiveSelection) -> tuple[EffectiveRule, ...]:
    """Return the rules of a unit and what is in it, in order, equal ones once."""
    rules: dict[tuple[str, str, str], EffectiveRule] = {}
    for part in walk_own(node):
        inherited = (rule for category in part.categories for rule in category.rules)
        for rule in (*part.rules, *inherited):
            if not rule.id.endswith(FLAVOUR):
                rules.setdefault((rule.name, rule.parameter, rule.description), rule)
    return tuple(rules.values())


def list_ability_names(node: EffectiveSelection) -> tuple[str, ...]:
    """Return the names of a unit's rules for its card; the texts are printed once, among the rules."""
    named = [f"{rule.name} ({rule.parameter})" if rule.parameter else rule.name for rule in list_rules(node)]
    texts = [profile.name for profile in list_profiles(node) if is_text(profile)]
    return tuple(dict.fromkeys([*named, *texts]))


def build_reference(
    forces: Iterable[EffectiveForce], units: Iterable[EffectiveSelection], cite: Cite
) -> tuple[Rule, ...]:
    """Return every rule of the forces and units that has a text or a citation, once, by name."""
    entries: dict[tuple[str, tuple[str, ...]], tuple[str, str, dict[str, None]]] = {}
    for name, parameter, text, citation in _list_all_texts(forces, units):
        if text or citation:
            _, _, parameters = entries.setdefault((name.casefold(), text), (name, cite(citation), {}))
            parameters.setdefault(parameter)
    rules = [
        Rule(
            name=name,
            text=text,
            citation=citation,
            parameters=", ".join(sorted(filter(None, parameters), key=_get_sort_key)),
        )
        for (_, text), (name, citation, parameters) in sorted(entries.items())
    ]
    return tuple(_merge_same_texts(rules))


def _merge_same_texts(rules: Sequence[Rule]) -> Iterator[Rule]:
    """Yield the rules in order; where many rules have the same text, one entry at the end names them all."""
    alike: dict[tuple[tuple[str, ...], str], list[Rule]] = {}
    for rule in rules:
        alike.setdefault((rule.text, rule.citation), []).append(rule)
    many = [
        shared_text for shared_text, group in alike.items() if len(group) >= MANY and len(shared_text[0]) == 1
    ]
    yield from (rule for rule in rules if (rule.text, rule.citation) not in many)
    for text, citation in many:
        names = [
            f"{rule.name} ({rule.parameters})" if rule.parameters else rule.name
            for rule in alike[text, citation]
        ]
        yield Rule(name=text[0].rstrip("."), text=(", ".join(names) + ".",), citation=citation)


def _get_sort_key(parameter: str) -> tuple[int, str]:
    return len(parameter), parameter


_Told = tuple[str, str, tuple[str, ...], Citation]


def _list_all_texts(forces: Iterable[EffectiveForce], units: Iterable[EffectiveSelection]) -> Iterator[_Told]:
    for force in forces:
        yield from _list_texts(force.rules, force.profiles)
    for unit in units:
        yield from _list_texts(list_rules(unit), list_profiles(unit))


def _list_texts(rules: Iterable[EffectiveRule], profiles: Iterable[EffectiveProfile]) -> Iterator[_Told]:
    for rule in rules:
        yield rule.name, rule.parameter, split_paragraphs(rule.description), rule.citation
    for profile in profiles:
        if has_long_text(profile):
            yield profile.name, "", tuple(_list_profile_lines(profile)), profile.citation


def _list_profile_lines(profile: EffectiveProfile) -> Iterator[str]:
    """Yield the texts of a profile that are too long for a table."""
    alone = is_text(profile)
    for c in profile.characteristics:
        if c.value and (alone or len(c.value) > LONG):
            head, *more = split_paragraphs(c.value) or ("",)
            yield head if alone and len(profile.characteristics) == 1 else f"{c.name}: {head}"
            yield from more
