"""Collect the rules of a list, each once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter

from catalogue.definitions.citations import Citation
from catalogue.definitions.groups import group_by
from roster.engine.report import EffectiveForce, EffectiveProfile, EffectiveRule, EffectiveSelection
from roster.pdf.listed_units import walk_own
from roster.pdf.paper_text import split_paragraphs
from roster.pdf.profile_tables import LONG, has_long_text, is_text
from roster.pdf.shapes import Rule
from roster.pdf.sheet_context import Cite

MANY = 4
"""If this many rules have the same text, they are merged."""
FLAVOUR = "~about"
"""The end of the id of a text that only introduces a unit."""


def list_profiles(node: EffectiveSelection) -> tuple[EffectiveProfile, ...]:
    """List a unit's and its parts' profiles without duplicates."""
    profiles: dict[tuple[object, ...], EffectiveProfile] = {}
    for part in walk_own(node):
        for profile in list_part_profiles(part):
            # Compare contents: community data repeats profiles in every entry under new ids.
            profiles.setdefault((profile.type_id, profile.name, profile.characteristics), profile)
    return tuple(profiles.values())


def list_part_profiles(part: EffectiveSelection) -> list[EffectiveProfile]:
    """List the profiles of a selection, then of its categories."""
    inherited = (profile for category in part.categories for profile in category.profiles)
    return [*part.profiles, *inherited]


def list_rules(node: EffectiveSelection) -> tuple[EffectiveRule, ...]:
    """List a unit's and its parts' rules without duplicates."""
    rules: dict[tuple[str, str, str], EffectiveRule] = {}
    for part in walk_own(node):
        inherited = chain.from_iterable(category.rules for category in part.categories)
        for rule in (*part.rules, *inherited):
            if not rule.id.endswith(FLAVOUR):
                rules.setdefault((rule.name, rule.parameter, rule.description), rule)
    return tuple(rules.values())


def name_rule(rule: EffectiveRule) -> str:
    return f"{rule.name} ({rule.parameter})" if rule.parameter else rule.name


def list_ability_names(node: EffectiveSelection) -> tuple[str, ...]:
    named = map(name_rule, list_rules(node))
    texts = [profile.name for profile in list_profiles(node) if is_text(profile)]
    return tuple(dict.fromkeys([*named, *texts]))


_RuleText = tuple[str, str, tuple[str, ...], Citation]


@dataclass(slots=True)
class _Entry:
    name: str
    citation: str
    parameters: set[str] = field(default_factory=set)


def build_reference(
    forces: Iterable[EffectiveForce], units: Iterable[EffectiveSelection], cite: Cite
) -> tuple[Rule, ...]:
    """List each rule with a text or a citation once, by name."""
    texts: list[_RuleText] = []
    for force in forces:
        texts += _list_texts(force.rules, force.profiles)
    for unit in units:
        texts += _list_texts(list_rules(unit), list_profiles(unit))

    entries: dict[tuple[str, tuple[str, ...]], _Entry] = {}
    for name, parameter, text, citation in texts:
        if not text and not citation:
            continue
        # Rules of one name with different texts are different rules.
        key = name.casefold(), text
        if key not in entries:
            entries[key] = _Entry(name, cite(citation))
        if parameter:
            entries[key].parameters.add(parameter)

    rules = []
    for (_, text), entry in sorted(entries.items(), key=itemgetter(0)):
        # 9 comes before 10.
        parameters = ", ".join(sorted(entry.parameters, key=lambda parameter: (len(parameter), parameter)))
        rules.append(Rule(name=entry.name, text=text, citation=entry.citation, parameters=parameters))
    return tuple(_merge_same_texts(rules))


def _merge_same_texts(rules: Sequence[Rule]) -> Iterator[Rule]:
    merged: list[Rule] = []
    alone: set[Rule] = set()
    for group in group_by(rules, lambda rule: (rule.text, rule.citation)).values():
        # The text becomes the title of that entry, so it must be a single paragraph.
        if len(group) >= MANY and len(group[0].text) == 1:
            names = [f"{rule.name} ({rule.parameters})" if rule.parameters else rule.name for rule in group]
            title = group[0].text[0].rstrip(".")
            merged.append(Rule(name=title, text=(", ".join(names) + ".",), citation=group[0].citation))
        else:
            alone.update(group)
    yield from (rule for rule in rules if rule in alone)
    yield from merged


def _list_texts(rules: Iterable[EffectiveRule], profiles: Iterable[EffectiveProfile]) -> Iterator[_RuleText]:
    for rule in rules:
        yield rule.name, rule.parameter, split_paragraphs(rule.description), rule.citation
    for profile in profiles:
        if not has_long_text(profile):
            continue
        is_rule = is_text(profile)
        needs_no_label = is_rule and len(profile.characteristics) == 1
        # Rules are printed here at any length; short texts stay in the table.
        least = 1 if is_rule else LONG + 1
        lines: list[str] = []
        for characteristic in profile.characteristics:
            if len(characteristic.value) >= least:
                first, *others = split_paragraphs(characteristic.value) or ("",)
                lines += [first if needs_no_label else f"{characteristic.name}: {first}", *others]
        yield profile.name, "", tuple(lines), profile.citation
