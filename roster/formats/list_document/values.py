"""Read values of a list document, and match ids and names."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Generic, Protocol, TypeVar

from catalogue.definitions.numbers import Number, parse_number
from catalogue.documents.node import DocumentNode
from catalogue.documents.section import ONE_TEXT, Schema, ValueType
from roster.engine.report import Verdict
from roster.formats.list_document.nodes import Unreadable, UnreadableError, is_null, quote_node, refuse_node
from roster.formats.list_text import NAME_LENGTH, NOTES_LENGTH, clean_text, simplify_name

MAX_COUNT = 1_000
MAX_VENDOR = 10_000
"""Characters that programs may keep with a list."""

_INTEGER = re.compile(r"[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")
_JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?(e[-+]?[0-9]{1,2})?", re.I)
_JSON_WORDS = {"true": True, "false": False, "null": None, "": None, "~": None}
_MACHINE_ID = re.compile(r"(?:[0-9a-f]{2,8}-){2,}[0-9a-f]{2,12}(?:[:/].*)?", re.I)
"""Generated ids of community data, which mean nothing to a reader."""
_VERDICTS = tuple(verdict.value for verdict in Verdict)
_TRUE, _FALSE = ("true", "yes"), ("false", "no")
T = TypeVar("T")

INTEGER_SCHEMA: Schema = {"type": "integer", "minimum": 0}
NUMBER_SCHEMA: Schema = {"type": "number", "minimum": 0}
Resolved = TypeVar("Resolved")
MAX_SUGGESTIONS = 3
CUTOFF = 0.6


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its place in the document, 0 if it has none."""

    value: str = ""
    line: int = 0
    column: int = 0

    def __bool__(self) -> bool:
        return bool(self.value)


NOTHING = Text()


def _read_text(node: DocumentNode) -> str:
    if not isinstance(node.content, str):
        refuse_node("not-text", node)
    return node.content


def _read_word(node: DocumentNode) -> Text:
    return Text(clean_text(_read_text(node)), node.line, node.column)


def _read_name(node: DocumentNode) -> str:
    return _check_length(node, clean_text(_read_text(node)), NAME_LENGTH)


def _read_notes(node: DocumentNode) -> str:
    return _check_length(node, clean_text(_read_text(node), lines=True), NOTES_LENGTH)


def _check_length(node: DocumentNode, text: str, limit: int) -> str:
    if len(text) > limit:
        refuse_node("text-too-long", node, given=str(len(text)), detail=str(limit))
    return text


def _read_integer(node: DocumentNode) -> int:
    text = _read_text(node)
    if not _INTEGER.fullmatch(text):
        refuse_node("not-a-number", node, given=text)
    return int(text)


def _read_count(node: DocumentNode) -> int:
    count = _read_integer(node)
    if count > MAX_COUNT:
        refuse_node("count-too-high", node, given=str(count), detail=str(MAX_COUNT))
    return count


def _read_verdict(node: DocumentNode) -> str:
    word = _read_text(node)
    if word not in _VERDICTS:
        refuse_node("not-a-verdict", node, given=word, suggestions=_VERDICTS)
    return word


def _read_truth(node: DocumentNode) -> bool:
    word = _read_text(node).lower()
    if word not in _TRUE + _FALSE:
        refuse_node("not-a-truth", node, given=word)
    return word in _TRUE


def _read_number(node: DocumentNode) -> Number:
    text = _read_word(node)
    if not _NUMBER.fullmatch(text.value):
        refuse_node("not-a-number", node, given=text.value)
    return parse_number(text.value)


def _read_limit(node: DocumentNode) -> Number | None:
    if is_null(node) or node.content == "none":
        return None
    return _read_number(node)


def _read_items(node: DocumentNode) -> list[DocumentNode]:
    if not node.is_list:
        refuse_node("not-items", node, given=quote_node(node))
    return node.items


def _read_vendor(node: DocumentNode) -> str:
    if not node.is_map:
        refuse_node("not-fields", node, given=quote_node(node))
    text = json.dumps(_read_json(node), ensure_ascii=False, separators=(",", ":"))
    if len(text) > MAX_VENDOR:
        refuse_node("text-too-long", node, given=str(len(text)), detail=str(MAX_VENDOR))
    return text if node.members else ""


def _read_json(node: DocumentNode) -> Any:
    if node.is_map:
        return {str(key.content): _read_json(value) for key, value in node.members}
    if not isinstance(node.content, str):
        return [_read_json(item) for item in node.items]
    if node.quoted:
        return node.content
    if node.content in _JSON_WORDS:
        return _JSON_WORDS[node.content]
    return json.loads(node.content) if _JSON_NUMBER.fullmatch(node.content) else node.content


def _name_type(label: str, read: Callable[[DocumentNode], T], blank: T, schema: Schema = ONE_TEXT) -> ValueType[T]:
    return ValueType(label, lambda node, _: read(node), lambda _: blank, schema)


WORD = _name_type("id or name", _read_word, NOTHING)
NAME = _name_type(f"text of up to {NAME_LENGTH} characters", _read_name, "", {**ONE_TEXT, "maxLength": NAME_LENGTH})
NOTES = _name_type(
    f"text of up to {NOTES_LENGTH:,} characters", _read_notes, "", {**ONE_TEXT, "maxLength": NOTES_LENGTH}
)
INTEGER = _name_type("whole number", _read_integer, 0, INTEGER_SCHEMA)
COUNT = _name_type("whole number", _read_count, 0, {**INTEGER_SCHEMA, "maximum": MAX_COUNT})
TRUTH = _name_type("`yes` or `no`", _read_truth, False, {"enum": [True, False, *_TRUE, *_FALSE]})
NUMBER: ValueType[Number] = _name_type("number", _read_number, 0, NUMBER_SCHEMA)
VENDOR = _name_type("`program: anything`", _read_vendor, "", {"type": "object"})
VERDICT = _name_type(" or ".join(f"`{word}`" for word in _VERDICTS), _read_verdict, "", {"enum": list(_VERDICTS)})
LIMIT: ValueType[Number | None] = _name_type(
    "number or `none`", _read_limit, None, {"anyOf": [NUMBER_SCHEMA, {"enum": ["none", None]}]}
)


def list_of(label: str, inner: ValueType[T]) -> ValueType[tuple[T, ...]]:
    return ValueType(
        label,
        lambda node, context: tuple(inner.read(item, context) for item in _read_items(node)),
        lambda _: (),
        {"type": "array", "items": inner.schema},
    )


def map_of(label: str, inner: ValueType[T]) -> ValueType[tuple[tuple[Text, T], ...]]:
    def read_pairs(node: DocumentNode, context: Any) -> tuple[tuple[Text, T], ...]:
        if not node.is_map:
            refuse_node("not-fields", node, given=quote_node(node))
        return tuple(
            (Text(str(key.content), key.line, key.column), inner.read(value, context)) for key, value in node.members
        )

    schema = {"type": "object", "additionalProperties": inner.schema}
    return ValueType(label, read_pairs, lambda _: (), schema)


def _read_words(node: DocumentNode) -> tuple[Text, ...]:
    return tuple(_read_word(item) for item in node.items) if node.is_list else (_read_word(node),)


WORDS: ValueType[tuple[Text, ...]] = _name_type(
    "names", _read_words, (), {"anyOf": [ONE_TEXT, {"type": "array", "items": ONE_TEXT}]}
)
TEXTS: ValueType[tuple[str, ...]] = _name_type(
    "list of words",
    lambda node: tuple(_read_word(item).value for item in _read_items(node)),
    (),
    {"type": "array", "items": ONE_TEXT},
)


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Resolved]):
    """Something that a document may mean. The first of its `ids` is unambiguous."""

    value: Resolved
    ids: tuple[str, ...]
    name: str


class NamedPart(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


Known = TypeVar("Known", bound=NamedPart)


def list_identified(parts: Iterable[Known]) -> list[Candidate[Known]]:
    return [Candidate(one, (one.id,), one.name) for one in parts]


def is_called(part: NamedPart, given: Text) -> bool:
    return given.value == part.id or simplify_name(given.value) == simplify_name(part.name)


def resolve_name(given: Text, candidates: Sequence[Candidate[Resolved]], code: str) -> Resolved:
    """Return the only match. Raises UnreadableError with `code` or `ambiguous`."""
    named = rank_matches(given.value, candidates)
    if len(named) == 1:
        return named[0].value
    if named:
        raise build_text_error("ambiguous", given, dict.fromkeys(_suggest_id(candidate) for candidate in named))

    # Suggest ids that are spelled alike, or whose names are, the closest first.
    spelled: dict[str, str] = {}
    for candidate in candidates:
        for entry_id in reversed(candidate.ids):
            spelled.setdefault(simplify_name(entry_id), candidate.name if _MACHINE_ID.fullmatch(entry_id) else entry_id)
        short = candidate.ids[-1]
        spelled.setdefault(simplify_name(candidate.name), candidate.name if _MACHINE_ID.fullmatch(short) else short)
    close = get_close_matches(simplify_name(given.value)[:100], list(spelled), n=MAX_SUGGESTIONS, cutoff=CUTOFF)
    raise build_text_error(code, given, dict.fromkeys(spelled[spelling] for spelling in close))


def _suggest_id(candidate: Candidate[Resolved]) -> str:
    own_id = candidate.ids[0]
    return f"{candidate.name} ({own_id})" if _MACHINE_ID.fullmatch(own_id) else own_id


def find_only(text: str, candidates: Sequence[Candidate[Resolved]]) -> Resolved | None:
    named = rank_matches(text, candidates)
    return named[0].value if len(named) == 1 else None


def rank_matches(text: str, candidates: Sequence[Candidate[Resolved]]) -> list[Candidate[Resolved]]:
    """Match the first id, else another id, else the name."""
    plain = simplify_name(text)
    tests: tuple[Callable[[Candidate[Resolved]], bool], ...] = (
        lambda candidate: candidate.ids[0] == text,
        lambda candidate: text in candidate.ids,
        lambda candidate: text.casefold() in map(str.casefold, candidate.ids),
        lambda candidate: candidate.name == text,
        lambda candidate: bool(plain) and simplify_name(candidate.name) == plain,
    )
    # The strictest test that matches decides: a similar name never makes an exact id ambiguous.
    for is_match in tests:
        matches = list(filter(is_match, candidates))
        if matches:
            return matches
    return []


def build_text_error(code: str, given: Text, suggestions: Iterable[str] = ()) -> UnreadableError:
    return UnreadableError(Unreadable(code, given.line, given.column, given.value[:100], tuple(suggestions)))
