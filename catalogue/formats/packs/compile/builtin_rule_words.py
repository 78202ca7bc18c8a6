"""The words of rules that the engine judges by itself: what stands where it should not, what a list does not show."""

from collections.abc import Iterator, Mapping

from catalogue.definitions.constraints import CommonCategory, RuleWords
from catalogue.definitions.decks import CARDS
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.name_index import UNITS, make_keyword_id
from catalogue.formats.packs.parse.rules import FOREIGN, NARROWED
from catalogue.formats.packs.syntax.base import RuleText
from catalogue.formats.packs.syntax.game import CommonKeywordSyntax, DetachmentSyntax, PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id

ADD_ONS = "add-ons"
HOSTS_SHOWN = "add-on-hosts"
FOREIGN_KINDS = {"foreign unit": UNITS, "foreign card": CARDS}
"""Built-in rules about what is of another faction that are for no single type."""

FOUND = (
    ("add-on alone", RuleCode.WRONG_PLACE, ADD_ONS, "force"),
    ("add-on quantity", RuleCode.WRONG_PLACE, ADD_ONS, ""),
    ("units in selection", RuleCode.WRONG_PLACE, UNITS, "own"),
    ("one entry per selection", RuleCode.WRONG_PLACE, UNITS, "selection"),
    ("joined elsewhere", RuleCode.WRONG_PLACE, UNITS, "selection"),
    ("unknown unit", RuleCode.UNKNOWN_ENTRY, "", "force"),
    ("unknown option", RuleCode.UNKNOWN_ENTRY, "", ""),
    ("outside detachments", RuleCode.OUTSIDE_DETACHMENT, "", ""),
)
"""Each built-in rule with the code of what breaks it, what that is of, and where it stands."""


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


def build_pack_rule_words(texts: Mapping[str, RuleText], forms: PackSyntax) -> Iterator[RuleWords]:
    """The words among `texts` that are for the engine, those that fit less last."""
    for name, text in texts.items():
        if name.startswith(FOREIGN):
            yield build_rule_words(
                RuleCode.FOREIGN_ENTRY, text, FOREIGN_KINDS.get(name) or make_id(name.removeprefix(FOREIGN))
            )
    for name, code, _, place in FOUND:
        narrowed = [text_name for text_name in texts if text_name.startswith(name + NARROWED)]
        for text_name in narrowed:
            what = make_id(text_name.removeprefix(name + NARROWED))
            yield build_rule_words(
                code, texts[text_name], what if what in forms.types else make_keyword_id(what), place
            )
    for name, code, of, place in FOUND:
        if name in texts:
            for kind in sorted(forms.addon_types) if of == ADD_ONS else [of]:
                yield build_rule_words(code, texts[name], kind, place)
    if "unknown option" in texts:
        yield build_rule_words(RuleCode.FOREIGN_ENTRY, texts["unknown option"], place="selection")


def build_common(form: CommonKeywordSyntax | None, context: CompileContext) -> CommonCategory | None:
    """What all units share, by the keywords of factions."""
    if form is None:
        return None
    barred = [context.index.find_target(name, None, ("keyword",)) for name in form.barred]
    return CommonCategory(
        of=tuple(make_keyword_id(keyword) for keyword in context.forms.faction_keywords),
        unshared=build_rule_words(RuleCode.NO_COMMON_CATEGORY, form.unshared),
        barred=tuple(target.id for target in barred if target),
        barred_only=build_rule_words(RuleCode.NO_COMMON_CATEGORY, form.barred_only)
        if form.barred_only
        else None,
    )


def build_game_rule_words(forms: PackSyntax) -> Iterator[RuleWords]:
    """The words that hold in the whole game.

    What is of another faction breaks the rule of one faction, where the pack has no words for just that; without such
    a rule, the one that units have a keyword of their faction in common.
    """
    yield from build_pack_rule_words(forms.texts, forms)
    one = [text for text, _ in forms.one_faction] or ([forms.common.unshared] if forms.common else [])
    for text in one[:1]:
        yield from build_foreign_rule_words(text, forms)
    for type_id, text in forms.shown.items():
        yield build_rule_words(RuleCode.MISSING_FROM_WRITTEN_LIST, text, type_id)
    if HOSTS_SHOWN in forms.shown:
        # An add-on beside several units that could hold it is in one of them: the list does not say which.
        for kind in sorted(forms.addon_types):
            yield build_rule_words(RuleCode.WRONG_PLACE, forms.shown[HOSTS_SHOWN], kind, "hosts")


def build_force_rule_words(form: DetachmentSyntax, forms: PackSyntax) -> Iterator[RuleWords]:
    """The words that hold in one kind of detachment, before those of the game."""
    yield from build_pack_rule_words(form.texts, forms)
    if form.common and not forms.one_faction:
        yield from build_foreign_rule_words(form.common.unshared, forms)


def build_foreign_rule_words(text: RuleText, forms: PackSyntax) -> Iterator[RuleWords]:
    """The words for units, add-ons and whatever else stands in a detachment of another faction."""
    for kind in (UNITS, *sorted(forms.addon_types)):
        yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, kind)
    yield build_rule_words(RuleCode.FOREIGN_ENTRY, text, place="force")
