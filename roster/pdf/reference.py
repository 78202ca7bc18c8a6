"""The rules of a list: each one once, with who has it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from catalogue.definitions.citations import Citation
from roster.engine.report import EffectiveForce, EffectiveProfile, EffectiveRule, EffectiveSelection
from roster.pdf.context import Cite
from roster.pdf.parts import name_of, own
from roster.pdf.plans import LONG, has_long_text, is_text
from roster.pdf.shapes import Rule
from roster.pdf.texts import paragraphs

FLAVOUR = "~about"
"""The end of the id of a text that only introduces a unit."""


def profiles_of(node: EffectiveSelection) -> tuple[EffectiveProfile, ...]:
    """The profiles of a unit and what is in it, equal ones once."""
    found: dict[tuple[object, ...], EffectiveProfile] = {}
    for part in own(node):
        inherited = (profile for category in part.categories for profile in category.profiles)
        for profile in (*part.profiles, *inherited):
            found.setdefault((profile.type_id, profile.name, profile.characteristics), profile)
    return tuple(found.values())


def rules_of(node: EffectiveSelection) -> tuple[EffectiveRule, ...]:
    """The rules of a unit and what is in it, in order, equal ones once."""
    found: dict[tuple[str, str, str], EffectiveRule] = {}
    for part in own(node):
        inherited = (rule for category in part.categories for rule in category.rules)
        for rule in (*part.rules, *inherited):
            if not rule.id.endswith(FLAVOUR):
                found.setdefault((rule.name, rule.parameter, rule.description), rule)
    return tuple(found.values())


def ability_names(node: EffectiveSelection) -> tuple[str, ...]:
    """What a card says of a unit's rules: their names, to be read among the rules."""
    named = [f"{rule.name} ({rule.parameter})" if rule.parameter else rule.name for rule in rules_of(node)]
    texts = [profile.name for profile in profiles_of(node) if is_text(profile)]
    return tuple(dict.fromkeys([*named, *texts]))


@dataclass(slots=True)
class _Found:
    """One rule while it is gathered."""

    name: str
    text: tuple[str, ...]
    citation: str
    parameters: dict[str, None] = field(default_factory=dict)
    users: dict[str, None] = field(default_factory=dict)

    def done(self) -> Rule:
        return Rule(
            name=self.name,
            text=self.text,
            citation=self.citation,
            parameters=", ".join(sorted(self.parameters, key=lambda text: (len(text), text))),
            users=", ".join(self.users),
        )


def reference(
    forces: Iterable[EffectiveForce], units: Iterable[EffectiveSelection], cite: Cite
) -> tuple[Rule, ...]:
    """Every rule of the forces and units with a text or a place to read it, once, by name."""
    found: dict[tuple[str, tuple[str, ...]], _Found] = {}
    for user, name, parameter, text, citation in _all(forces, units):
        if not (text or citation):
            continue
        entry = found.setdefault((name.casefold(), text), _Found(name, text, cite(citation)))
        entry.users.setdefault(user)
        if parameter:
            entry.parameters.setdefault(parameter)
    return tuple(entry.done() for _, entry in sorted(found.items()))


_Told = tuple[str, str, str, tuple[str, ...], Citation]


def _all(forces: Iterable[EffectiveForce], units: Iterable[EffectiveSelection]) -> Iterator[_Told]:
    for force in forces:
        user = force.custom_name or force.name
        for rule in force.rules:
            yield user, rule.name, rule.parameter, paragraphs(rule.description), rule.citation
        for profile in force.profiles:
            yield user, profile.name, "", tuple(_lines(profile)), profile.citation
    for unit in units:
        yield from _told_by(unit)


def _told_by(unit: EffectiveSelection) -> Iterator[_Told]:
    user = name_of(unit)
    for rule in rules_of(unit):
        yield user, rule.name, rule.parameter, paragraphs(rule.description), rule.citation
    for profile in profiles_of(unit):
        if has_long_text(profile):
            yield user, profile.name, "", tuple(_lines(profile)), profile.citation


def _lines(profile: EffectiveProfile) -> Iterator[str]:
    """What a profile says that no table does."""
    alone = is_text(profile)
    for c in profile.characteristics:
        if c.value and (alone or len(c.value) > LONG):
            head, *more = paragraphs(c.value) or ("",)
            yield head if alone and len(profile.characteristics) == 1 else f"{c.name}: {head}"
            yield from more
