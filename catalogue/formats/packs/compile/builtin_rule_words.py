"""Compile the words of rules that the engine judges by itself: what is misplaced, what a written list does not show."""

from collections.abc import Iterator, Mapping

from catalogue.definitions.constraints import RuleWords
from catalogue.definitions.decks import CARDS
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.name_index import make_keyword_id
from catalogue.formats.packs.syntax.base import RuleText
from catalogue.formats.packs.syntax.builtin_rules import (
    ADD_ONS,
    FOREIGN,
    NARROWED,
    PLACEMENT_RULES,
    UNITS,
    PlacementRule,
)
from catalogue.formats.packs.syntax.detachments import DetachmentSyntax
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id

ADD_ON_HOSTS = "add-on-hosts"
FOREIGN_SUBJECTS = {"foreign unit": UNITS, "foreign card": CARDS}
"""Rules about what is of another faction that are for no single type."""


def build_rule_words(code: str, text: RuleText, of: str = "", place: str = "") -> RuleWords:
    return RuleWords(
        code=str(code),
        of=of,
        place=place,
        rule=text.rule,
        name=text.name,
        text=text.text,
        citation=text.cite,
        severity=text.severity,
    )


def build_game_rule_words(pack: PackSyntax) -> Iterator[RuleWords]:
    """Yield the words that hold in the whole game.

    What is of another faction breaks the rule of one faction unless the pack has words for just that; without such a
    rule, the one that units share a keyword of their faction.
    """
    yield from _build_placement_words(pack.texts, pack)
    one_faction = [rule.text for rule in pack.one_faction]
    if one_faction:
        yield from _build_foreign_words(one_faction[0], pack)
    elif pack.common:
        yield from _build_foreign_words(pack.common.unshared, pack)
    for subject, text in pack.shown.items():
        yield build_rule_words(RuleCode.MISSING_FROM_WRITTEN_LIST, text, subject)
    if ADD_ON_HOSTS in pack.shown:
        # An add-on written beside several units that could hold it is in one of them, and the list does not say which.
        for type_id in sorted(pack.addon_types):
            yield build_rule_words(RuleCode.WRONG_PLACE, pack.shown[ADD_ON_HOSTS], type_id, "hosts")


def build_detachment_rule_words(detachment: DetachmentSyntax, pack: PackSyntax) -> Iterator[RuleWords]:
    """Yield the words that hold in one kind of detachment and go before those of the game."""
    yield from _build_placement_words(detachment.texts, pack)
    if detachment.common and not pack.one_faction:
        yield from _build_foreign_words(detachment.common.unshared, pack)


def _build_placement_words(texts: Mapping[str, RuleText], pack: PackSyntax) -> Iterator[RuleWords]:
    """Yield the words among `texts` that the engine asks for, the most specific first."""
    for name, text in texts.items():
        if name.startswith(FOREIGN):
            subject = FOREIGN_SUBJECTS.get(name) or make_id(name.removeprefix(FOREIGN))
            yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, subject)
    for rule in PLACEMENT_RULES:
        yield from _build_narrowed_words(rule, texts, pack)
    for rule in PLACEMENT_RULES:
        if rule.name in texts:
            subjects = sorted(pack.addon_types) if rule.subject == ADD_ONS else [rule.subject]
            for subject in subjects:
                yield build_rule_words(rule.code, texts[rule.name], subject, rule.place)
    if "unknown option" in texts:
        yield build_rule_words(RuleCode.FOREIGN_ENTRY, texts["unknown option"], place="selection")


def _build_narrowed_words(
    rule: PlacementRule, texts: Mapping[str, RuleText], pack: PackSyntax
) -> Iterator[RuleWords]:
    """Yield the words of a rule that are for one type or keyword."""
    prefix = rule.name + NARROWED
    for name, text in texts.items():
        if name.startswith(prefix):
            what = make_id(name.removeprefix(prefix))
            subject = what if what in pack.types else make_keyword_id(what)
            yield build_rule_words(rule.code, text, subject, rule.place)


def _build_foreign_words(text: RuleText, pack: PackSyntax) -> Iterator[RuleWords]:
    """Yield the words for units, add-ons and whatever else is of another faction than its detachment."""
    for type_id in (UNITS, *sorted(pack.addon_types)):
        yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, type_id)
    yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, place="force")
