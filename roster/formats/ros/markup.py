"""Add costs, categories, profiles and rules, which other programs print."""

import re

from lxml import etree

from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import Number, format_number
from roster.engine.report import CostTotal, EffectiveCategory, EffectiveProfile, EffectiveRule

PROGRAM = "armybuilder"
NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add_element(parent: etree._Element, tag: str, text: str = "", /, **attributes: str | None) -> etree._Element:
    """Add a child, without None attributes and characters that XML cannot hold."""
    given = {name: strip_control_characters(value) for name, value in attributes.items() if value is not None}
    child = etree.SubElement(parent, f"{{{NAMESPACE}}}{tag}", given)
    if text:
        child.text = strip_control_characters(text)
    return child


def strip_control_characters(text: str) -> str:
    """Strip characters that XML cannot hold.

    >>> strip_control_characters("a" + chr(0) + "b")
    'ab'
    """
    return _NOT_XML.sub("", text)


def format_decimal(value: Number) -> str:
    """Format a number as BattleScribe writes it.

    >>> format_decimal(3)
    '3.0'
    """
    text = format_number(value)
    return text if "." in text else f"{text}.0"


def format_revision(text: str) -> str:
    """Replace versions other than whole numbers by 0."""
    return text if text.isdecimal() else "0"


def get_citation_attributes(citation: Citation) -> dict[str, str | None]:
    return {"publicationId": citation.publication_id or None, "page": citation.page or None}


def add_notes(element: etree._Element, notes: str) -> None:
    if notes:
        add_element(element, "customNotes", notes)


def add_costs(element: etree._Element, costs: tuple[CostTotal, ...]) -> None:
    if costs:
        row = add_element(element, "costs")
        for cost in costs:
            add_element(row, "cost", name=cost.name, typeId=cost.type_id, value=format_decimal(cost.value))


def add_rules(element: etree._Element, rules: tuple[EffectiveRule, ...]) -> None:
    if rules:
        row = add_element(element, "rules")
        for rule in rules:
            rule_element = add_element(
                row,
                "rule",
                id=rule.path + rule.id,
                name=rule.name,
                **get_citation_attributes(rule.citation),
                hidden="false",
            )
            add_element(rule_element, "description", rule.description)


def add_profiles(element: etree._Element, profiles: tuple[EffectiveProfile, ...]) -> None:
    if profiles:
        row = add_element(element, "profiles")
        for profile in profiles:
            profile_element = add_element(
                row,
                "profile",
                id=profile.path + profile.id,
                name=profile.name,
                **get_citation_attributes(profile.citation),
                hidden="false",
                typeId=profile.type_id,
                typeName=profile.type_name,
            )
            figures = add_element(profile_element, "characteristics")
            for figure in profile.characteristics:
                add_element(figures, "characteristic", figure.value, name=figure.name, typeId=figure.type_id)


def add_categories(element: etree._Element, owner_id: str, categories: tuple[EffectiveCategory, ...]) -> None:
    if categories:
        row = add_element(element, "categories")
        for category in categories:
            add_element(
                row,
                "category",
                id=f"{owner_id}-{category.id}",
                name=category.name,
                entryId=category.id,
                **get_citation_attributes(category.citation),
                primary="true" if category.primary else "false",
            )
