"""Upgrade older programs' files to version 2.03 before reading.

Before 2.03, all catalogue links imported root entries. Before 2.01, categories were inside forces, entries named their
only category in an attribute, the scope `primary-category` was `category`, and rosters kept selections inside
categories. The readers handle smaller differences.
"""

import re

from lxml import etree

from catalogue.formats.battlescribe.errors import ReadError

_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")
_CURRENT = (2, 3)
_UNCATEGORISED = ("", "(No Category)")


def upgrade_tree(root: etree._Element, name: str) -> None:
    """Upgrade a tree in place. Raises ReadError if it is older than 2.00."""
    version = check_version(root.get("battleScribeVersion", ""), name)
    if version < (2, 3):
        for link in root.iter("{*}catalogueLink"):
            link.set("importRootEntries", link.get("importRootEntries", "true"))
    if version < (2, 1):
        _upgrade_force_categories(root)
        for entry in root.iter("{*}selectionEntry", "{*}entryLink"):
            target = entry.get("categoryEntryId", "")
            if target:
                del entry.attrib["categoryEntryId"]
            if target not in _UNCATEGORISED:
                links = _add_child(entry, entry, "categoryLinks")
                ident = f"{entry.get('id', '')}-{target}"
                _add_child(links, entry, "categoryLink", id=ident, targetId=target, primary="true")
        for force in root.iter("{*}force"):
            force.extend(force.findall("{*}categories/{*}category/{*}selections"))
        for query in root.iter(etree.Element):
            if query.get("scope") == "category":
                query.set("scope", "primary-category")


def check_version(text: str, name: str) -> tuple[int, int]:
    """Raise ReadError if the version is older than 2.00."""
    match = _VERSION.match(text)
    version = (int(match[1]), int(match[2])) if match else _CURRENT
    if version < (2, 0):
        raise ReadError(
            "old-format",
            f"The file was written for BattleScribe {text}, which is too old to read.",
            mend="Open it in BattleScribe 2.03 and save it.",
            file=name,
            line=1,
        )
    return version


def _upgrade_force_categories(root: etree._Element) -> None:
    category_by_id: dict[str, etree._Element] = {}
    for force in root.iter("{*}forceEntry"):
        for container in force.findall("{*}categoryEntries"):
            container.tag = _copy_namespace(container, "categoryLinks")
            for category in container:
                target = category.get("id", "")
                category_by_id.setdefault(target, category)
                category.tag = _copy_namespace(category, "categoryLink")
                category.set("id", f"{force.get('id', '')}-{target}")
                category.set("targetId", target)
    entries = _add_child(root, root, "categoryEntries")
    for target, category in category_by_id.items():
        _add_child(entries, category, "categoryEntry", id=target, name=category.get("name", ""))


def _add_child(parent: etree._Element, source: etree._Element, tag: str, **attributes: str) -> etree._Element:
    """Keep the line of `source`, for reports."""
    child = etree.SubElement(parent, _copy_namespace(parent, tag), attributes)
    child.sourceline = source.sourceline
    return child


def _copy_namespace(element: etree._Element, tag: str) -> str:
    return str(etree.QName(etree.QName(element).namespace, tag))
