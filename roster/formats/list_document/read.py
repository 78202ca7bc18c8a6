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
from roster.formats.list_document.nodes import Node, Scalar, Unreadable, UnreadableError, fail
from roster.formats.list_document.plan import read_plan
from roster.formats.list_document.source import Media, read_source
from roster.formats.list_document.values import (
    each,
    fields,
    optional,
    read_count,
    read_integer,
    read_name,
    read_notes,
    read_number,
    read_truth,
    read_verdict,
    read_word,
    required,
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
    """The list that the bytes of a document hold, or why they hold none. Never raises, whatever the bytes are."""
    try:
        return _document(read_source(data, media))
    except UnreadableError as error:
        return error.unreadable


def _document(node: Node) -> ListDocument:
    form = fields(node, *_KEYS, *_CLAIMS)
    version = required(form, "list", read_integer)
    if version != LIST_FORM:
        fail("unknown-form", form.pairs["list"], given=str(version), detail=str(LIST_FORM))
    return ListDocument(
        game=required(form, "game", read_word),
        version=optional(form, "version", read_word, NOTHING),
        faction=optional(form, "faction", read_word, NOTHING),
        rules=optional(form, "rules", read_word, NOTHING),
        name=optional(form, "name", read_name, ""),
        player=optional(form, "player", read_name, ""),
        event=optional(form, "event", read_name, ""),
        notes=optional(form, "notes", read_notes, ""),
        exact=optional(form, "exact", read_truth, False),
        limits=optional(form, "limits", _limits, ()),
        unshown=tuple(word.value for word in optional(form, "unshown", each(read_word), ())),
        detachments=optional(form, "detachments", each(_force), ()),
        plan=optional(form, "plan", read_plan, None),
        expected=Expected(
            verdict=optional(form, "expect", read_verdict, ""),
            breaks=tuple(rule.value for rule in optional(form, "breaks", each(read_word), ())),
            warns=tuple(rule.value for rule in optional(form, "warns", each(read_word), ())),
            keeps=tuple(rule.value for rule in optional(form, "keeps", each(read_word), ())),
            total=optional(form, "total", read_number, None),
            why=optional(form, "why", read_notes, ""),
        ),
    )


def _limits(node: Node) -> tuple[ListedLimit, ...]:
    form = fields(node)
    return tuple(
        ListedLimit(type=Text(name, *form.places[name]), value=_limit(value))
        for name, value in form.pairs.items()
    )


def _limit(node: Node) -> Number | None:
    if isinstance(node, Scalar) and (node.is_null or node.text == "none"):
        return None
    return read_number(node)


def _force(node: Node) -> ListedForce:
    form = fields(node, "detachment", "catalogue", "name", "notes", "categories", "units", "detachments")
    force = required(form, "detachment", read_word)
    return ListedForce(
        force=force,
        outside=force.value == OUTSIDE_WORD,
        catalogue=optional(form, "catalogue", read_word, NOTHING),
        name=optional(form, "name", read_name, ""),
        notes=optional(form, "notes", read_notes, ""),
        categories=optional(form, "categories", each(_category), ()),
        units=optional(form, "units", each(_unit), ()),
        detachments=optional(form, "detachments", each(_force), ()),
    )


def _category(node: Node) -> ListedCategory:
    form = fields(node, "category", "name", "notes")
    return ListedCategory(
        category=required(form, "category", read_word),
        name=optional(form, "name", read_name, ""),
        notes=optional(form, "notes", read_notes, ""),
    )


def _unit(node: Node) -> ListedItem:
    return _item(node, "unit")


def _option(node: Node) -> ListedItem:
    return _item(node, "option")


def _item(node: Node, key: str) -> ListedItem:
    if isinstance(node, Scalar):
        return ListedItem(entry=read_word(node))
    form = fields(node, key, "group", "count", "name", "notes", "leads", "ref", "options")
    return ListedItem(
        entry=required(form, key, read_word),
        group=optional(form, "group", read_word, NOTHING),
        count=optional(form, "count", read_count, None),
        name=optional(form, "name", read_name, ""),
        notes=optional(form, "notes", read_notes, ""),
        leads=optional(form, "leads", read_truth, False),
        ref=optional(form, "ref", read_word, NOTHING),
        options=optional(form, "options", each(_option), None),
    )
