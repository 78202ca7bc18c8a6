"""From the places of a document to a list as people write it: which keys there may be and what they hold.

Nothing here knows a game; ids and names are looked up by `roster.formats.list_document.build`.
"""

from catalogue.definitions.numbers import Number
from roster.formats.list_document.document import (
    NOTHING,
    Expected,
    ListDocument,
    ListedCategory,
    ListedForce,
    ListedItem,
    ListedLimit,
    Text,
)
from roster.formats.list_document.nodes import Node, Scalar, Unreadable, UnreadableError, refuse_node
from roster.formats.list_document.plan import read_plan
from roster.formats.list_document.source import Media, read_source
from roster.formats.list_document.values import (
    check_fields,
    read_count,
    read_each,
    read_integer,
    read_name,
    read_notes,
    read_number,
    read_optional,
    read_required,
    read_truth,
    read_verdict,
    read_word,
)

LIST_FORM = 1
OUTSIDE_WORD = "none"
"""The detachment of what stands in none."""

_KEYS = (
    "list",
    "game",
    "version",
    "faction",
    "rules",
    "name",
    "player",
    "event",
    "notes",
    "exact",
    "limits",
    "unshown",
    "detachments",
    "plan",
)
_CLAIMS = ("expect", "breaks", "warns", "keeps", "total", "why")


def read_list(data: bytes, media: Media = Media.AUTO) -> ListDocument | Unreadable:
    """Read the list in the bytes of a document, or why there is none. Never raises, whatever the bytes are."""
    try:
        return _read_document(read_source(data, media))
    except UnreadableError as error:
        return error.unreadable


def _read_document(node: Node) -> ListDocument:
    form = check_fields(node, *_KEYS, *_CLAIMS)
    version = read_required(form, "list", read_integer)
    if version != LIST_FORM:
        refuse_node("unknown-form", form.pairs["list"], given=str(version), detail=str(LIST_FORM))
    return ListDocument(
        game=read_required(form, "game", read_word),
        version=read_optional(form, "version", read_word, NOTHING),
        faction=read_optional(form, "faction", read_word, NOTHING),
        rules=read_optional(form, "rules", read_word, NOTHING),
        name=read_optional(form, "name", read_name, ""),
        player=read_optional(form, "player", read_name, ""),
        event=read_optional(form, "event", read_name, ""),
        notes=read_optional(form, "notes", read_notes, ""),
        exact=read_optional(form, "exact", read_truth, False),
        limits=read_optional(form, "limits", _read_limits, ()),
        unshown=tuple(word.value for word in read_optional(form, "unshown", read_each(read_word), ())),
        detachments=read_optional(form, "detachments", read_each(_read_force), ()),
        plan=read_optional(form, "plan", read_plan, None),
        expected=Expected(
            verdict=read_optional(form, "expect", read_verdict, ""),
            breaks=tuple(rule.value for rule in read_optional(form, "breaks", read_each(read_word), ())),
            warns=tuple(rule.value for rule in read_optional(form, "warns", read_each(read_word), ())),
            keeps=tuple(rule.value for rule in read_optional(form, "keeps", read_each(read_word), ())),
            total=read_optional(form, "total", read_number, None),
            why=read_optional(form, "why", read_notes, ""),
        ),
    )


def _read_limits(node: Node) -> tuple[ListedLimit, ...]:
    form = check_fields(node)
    return tuple(
        ListedLimit(type=Text(name, *form.places[name]), value=_read_limit(value))
        for name, value in form.pairs.items()
    )


def _read_limit(node: Node) -> Number | None:
    if isinstance(node, Scalar) and (node.is_null or node.text == "none"):
        return None
    return read_number(node)


def _read_force(node: Node) -> ListedForce:
    form = check_fields(
        node, "detachment", "catalogue", "name", "notes", "categories", "units", "detachments"
    )
    force = read_required(form, "detachment", read_word)
    return ListedForce(
        force=force,
        outside=force.value == OUTSIDE_WORD,
        catalogue=read_optional(form, "catalogue", read_word, NOTHING),
        name=read_optional(form, "name", read_name, ""),
        notes=read_optional(form, "notes", read_notes, ""),
        categories=read_optional(form, "categories", read_each(_read_category), ()),
        units=read_optional(form, "units", read_each(_read_unit), ()),
        detachments=read_optional(form, "detachments", read_each(_read_force), ()),
    )


def _read_category(node: Node) -> ListedCategory:
    form = check_fields(node, "category", "name", "notes")
    return ListedCategory(
        category=read_required(form, "category", read_word),
        name=read_optional(form, "name", read_name, ""),
        notes=read_optional(form, "notes", read_notes, ""),
    )


def _read_unit(node: Node) -> ListedItem:
    return _read_item(node, "unit")


def _read_option(node: Node) -> ListedItem:
    return _read_item(node, "option")


def _read_item(node: Node, key: str) -> ListedItem:
    if isinstance(node, Scalar):
        return ListedItem(entry=read_word(node))
    form = check_fields(node, key, "group", "count", "name", "notes", "leads", "ref", "options")
    return ListedItem(
        entry=read_required(form, key, read_word),
        group=read_optional(form, "group", read_word, NOTHING),
        count=read_optional(form, "count", read_count, None),
        name=read_optional(form, "name", read_name, ""),
        notes=read_optional(form, "notes", read_notes, ""),
        leads=read_optional(form, "leads", read_truth, False),
        ref=read_optional(form, "ref", read_word, NOTHING),
        options=read_optional(form, "options", read_each(_read_option), None),
    )
