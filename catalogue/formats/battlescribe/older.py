"""Files of older programs, brought into the form of 2.03 before they are read.

Before 2.03 every link to another catalogue offered its root entries. Before 2.01 categories stood inside forces,
entries named their one category in an attribute, the scope `primary-category` was called `category`, and rosters kept
selections inside categories. Other differences, such as longer names of attributes, are small enough for the readers to
know both.
"""

import re

from lxml import etree

from catalogue.formats.battlescribe.errors import ReadError

_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")
_CURRENT = (2, 3)
_UNCATEGORISED = ("", "(No Category)")


def bring_up(root: etree._Element, name: str) -> None:
    """Change the tree of the file called `name` in place. Raises ReadError where it is older than 2.00."""
    version = _version_of(root)
    if version < (2, 0):
        raise ReadError(
            "old-format",
            f"The file was written for BattleScribe {root.get('battleScribeVersion')}, which is too old to read.",
            mend="Open it in BattleScribe 2.03 and save it.",
            file=name,
            line=1,
        )
    if version < (2, 3):
        for link in root.iter("{*}catalogueLink"):
            link.set("importRootEntries", link.get("importRootEntries", "true"))
    if version < (2, 1):
        _categories_of_forces(root)
        _categories_of_entries(root)
        for force in root.iter("{*}force"):
            force.extend(force.findall("{*}categories/{*}category/{*}selections"))
        for query in root.iter(etree.Element):
            if query.get("scope") == "category":
                query.set("scope", "primary-category")


def _version_of(root: etree._Element) -> tuple[int, int]:
    told = _VERSION.match(root.get("battleScribeVersion", ""))
    return (int(told[1]), int(told[2])) if told else _CURRENT


def _categories_of_forces(root: etree._Element) -> None:
    """The categories inside a force become links, with their rules, to categories of the file."""
    found: dict[str, etree._Element] = {}
    for force in root.iter("{*}forceEntry"):
        for container in force.findall("{*}categoryEntries"):
            container.tag = _like(container, "categoryLinks")
            for category in container:
                target = category.get("id", "")
                found.setdefault(target, category)
                category.tag = _like(category, "categoryLink")
                category.set("id", f"{force.get('id', '')}-{target}")
                category.set("targetId", target)
    entries = _added(root, root, "categoryEntries")
    for target, category in found.items():
        _added(entries, category, "categoryEntry", id=target, name=category.get("name", ""))


def _categories_of_entries(root: etree._Element) -> None:
    for entry in root.iter("{*}selectionEntry", "{*}entryLink"):
        target = entry.get("categoryEntryId", "")
        if target:
            del entry.attrib["categoryEntryId"]
        if target not in _UNCATEGORISED:
            links = _added(entry, entry, "categoryLinks")
            ident = f"{entry.get('id', '')}-{target}"
            _added(links, entry, "categoryLink", id=ident, targetId=target, primary="true")


def _added(parent: etree._Element, source: etree._Element, tag: str, **attributes: str) -> etree._Element:
    """A new child of `parent`, said to stand where `source` stands."""
    child = etree.SubElement(parent, _like(parent, tag), attributes)
    child.sourceline = source.sourceline
    return child


def _like(element: etree._Element, tag: str) -> str:
    """`tag` in the namespace of `element`."""
    return str(etree.QName(etree.QName(element).namespace, tag))
