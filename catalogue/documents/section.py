"""Declarative sections: a class for each construct of a document.

The reader, the tables in `docs/` and the JSON Schema for editors all come from its fields.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from inspect import get_annotations
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform, overload

from catalogue.documents.node import NO, YES, DocumentNode, MappingReader
from catalogue.documents.problems import NO_SOURCE_LINE, SourceLine

T = TypeVar("T")
D = TypeVar("D")
S = TypeVar("S", bound="Section")
Schema = Mapping[str, Any]
BLANK = object()
"""No declared default."""
SECTION = "$section"
"""In a schema that is not written yet, the key of a section's class."""


@dataclass(frozen=True, slots=True)
class ValueType(Generic[T]):
    """How a value is written. `blank` makes the value of a missing key, `label` is for docs."""

    label: str
    read: Callable[[DocumentNode, Any], T]
    blank: Callable[[SourceLine], T]
    schema: Schema


@dataclass(frozen=True, slots=True)
class KeySpec:
    """A key of a section. `hint` says what to write if it is missing.

    `misnomers` are wrong keys that authors write. `page` is the key's docs page, if not its section's. Docs describe a
    `common` key once for all sections.
    """

    key: str
    type: ValueType[Any]
    help: str = ""
    required: bool = False
    hint: str = ""
    default: Callable[[SourceLine], Any] | None = None
    alias: str = ""
    misnomers: tuple[str, ...] = ()
    page: str = ""
    common: bool = False

    @property
    def keys(self) -> tuple["KeySpec", ...]:
        return (self,)

    def read(self, mapping: MappingReader, context: Any) -> Any:
        if self.required:
            node = mapping.need(self.key, self.hint)
        else:
            node = mapping.get(self.key, self.alias) if self.alias else mapping.get(self.key)
        return self.make_default(mapping.where) if node is None else self.type.read(node, context)

    def make_default(self, where: SourceLine) -> Any:
        return (self.default or self.type.blank)(where)


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """`open_ended` is the schema of further keys."""

    reader: Callable[[MappingReader, Any], Any]
    listed: Callable[[], tuple[KeySpec, ...]]
    open_ended: Schema | None = None

    @property
    def keys(self) -> tuple[KeySpec, ...]:
        return self.listed()

    def read(self, mapping: MappingReader, context: Any) -> Any:
        return self.reader(mapping, context)


Spec = KeySpec | GroupSpec


@overload
def key(
    name: str,
    type_: ValueType[T],
    help_: str,
    *,
    alias: str = "",
    misnomers: tuple[str, ...] = (),
    common: bool = False,
) -> T: ...
@overload
def key(
    name: str,
    type_: ValueType[T],
    help_: str,
    default: D,
    *,
    alias: str = "",
    misnomers: tuple[str, ...] = (),
    common: bool = False,
) -> T | D: ...
def key(
    name: str,
    type_: ValueType[Any],
    help_: str,
    default: Any = BLANK,
    *,
    alias: str = "",
    misnomers: tuple[str, ...] = (),
    common: bool = False,
) -> Any:
    """Declare an optional key, by default `default` or the type's blank value."""
    make_default = None if default is BLANK else lambda _: default
    spec = KeySpec(name, type_, help_, default=make_default, alias=alias, misnomers=misnomers, common=common)
    return field(default_factory=lambda: spec.make_default(NO_SOURCE_LINE), metadata={"spec": spec})


@overload
def need(name: str, type_: ValueType[T], help_: str, *, hint: str = "") -> T: ...
@overload
def need(name: str, type_: ValueType[T], help_: str, default: D, *, hint: str = "") -> T | D: ...
def need(name: str, type_: ValueType[Any], help_: str, default: Any = BLANK, *, hint: str = "") -> Any:
    """Declare a required key. If missing, it is reported and has its default."""
    make_default = None if default is BLANK else lambda _: default
    return field(metadata={"spec": KeySpec(name, type_, help_, required=True, hint=hint, default=make_default)})


def group(
    reader: Callable[[MappingReader, Any], T],
    listed: Callable[[], tuple[KeySpec, ...]],
    blank: T,
    open_ended: Schema | None = None,
) -> T:
    spec = GroupSpec(reader, listed, open_ended)
    return field(default_factory=lambda: blank, metadata={"spec": spec})


def inline(cls: type[S], blank: S) -> S:
    """Declare a field whose keys are the section's own."""
    return group(lambda mapping, context: read_keys(cls, mapping, context), lambda: list_keys(cls), blank)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
@dataclass(frozen=True, kw_only=True)
class Section:
    """A mapping of a document. `title` begins messages; `short` is the key that a single text means.

    Subclasses become frozen dataclasses.
    """

    title: ClassVar[str] = ""
    short: ClassVar[str] = ""
    short_list: ClassVar[bool] = False
    """A single list means the key `short`, too."""
    page: ClassVar[str] = ""
    """The docs page of the keys that other sections inherit."""

    where: SourceLine = NO_SOURCE_LINE

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def open_mapping(cls, node: DocumentNode, context: Any) -> MappingReader:
        return MappingReader(node, cls.title, cls.short if cls.is_lone(node) else "", list_misnomers(cls))

    @classmethod
    def is_lone(cls, node: DocumentNode) -> bool:
        """Return whether a node is a value for the key `short`."""
        return bool(cls.short) and (node.is_text or (cls.short_list and not node.is_map))

    @classmethod
    def read_common_keys(
        cls, mapping: MappingReader, context: Any, under: DocumentNode | None
    ) -> tuple[dict[str, Any], Any]:
        """Return the first values, and the context for the others."""
        return {}, context

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: Any) -> None:
        """Derive values, and report contradictions."""

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return ()


def list_specs(cls: type[Section]) -> tuple[tuple[str, Spec], ...]:
    specs = _SPECS.get(cls)
    if specs is None:
        # Cached: a pack has thousands of sections, and listing fields is slow.
        specs = tuple((item.name, item.metadata["spec"]) for item in fields(cls) if "spec" in item.metadata)
        _SPECS[cls] = specs
    return specs


_SPECS: dict[type[Section], tuple[tuple[str, Spec], ...]] = {}
_KEYS: dict[type[Section], tuple[KeySpec, ...]] = {}
_KEY_NAMES: dict[type[Section], tuple[str, ...]] = {}
_MISNOMERS: dict[type[Section], dict[str, tuple[str, ...]]] = {}


def list_keys(cls: type[Section]) -> tuple[KeySpec, ...]:
    if cls not in _KEYS:
        keys: dict[str, KeySpec] = {}
        for spec in cls.list_common_keys():
            keys.setdefault(spec.key, spec)
        for name, field_spec in list_specs(cls):
            page = _find_page(cls, name)
            for spec in field_spec.keys:
                keys.setdefault(spec.key, replace(spec, page=spec.page or page))
        _KEYS[cls] = tuple(keys.values())
    return _KEYS[cls]


def _find_page(cls: type[Section], name: str) -> str:
    for base in cls.__mro__:
        if name in get_annotations(base):
            page: str = "" if base is cls else vars(base).get("page", "")
            return page
    return ""


def list_key_names(cls: type[Section]) -> tuple[str, ...]:
    if cls not in _KEY_NAMES:
        _KEY_NAMES[cls] = tuple(spec.key for spec in list_keys(cls))
    return _KEY_NAMES[cls]


def list_misnomers(cls: type[Section]) -> dict[str, tuple[str, ...]]:
    """Return wrong keys with likely ones."""
    if cls not in _MISNOMERS:
        keys_by_word: dict[str, tuple[str, ...]] = {}
        for spec in list_keys(cls):
            for word in spec.misnomers:
                keys_by_word[word] = (*keys_by_word.get(word, ()), spec.key)
        _MISNOMERS[cls] = keys_by_word
    return _MISNOMERS[cls]


def read_section(cls: type[S], node: DocumentNode, context: Any, under: DocumentNode | None = None) -> S:
    """Read a section. `under` is its key, if that is a name."""
    mapping = cls.open_mapping(node, context)
    section = read_keys(cls, mapping, context, under)
    mapping.close()
    return section


def read_keys(cls: type[S], mapping: MappingReader, context: Any, under: DocumentNode | None = None) -> S:
    """Read a section's keys from a mapping with others."""
    values, context = cls.read_common_keys(mapping, context, under)
    values.setdefault("where", (under or mapping).where)
    # Later fields may refer to names of earlier ones.
    for name, spec in list_specs(cls):
        if name not in values:
            values[name] = spec.read(mapping, context)
    cls.complete_values(values, mapping, context)
    return cls(**values)


# ---- types of values ----------------------------------------------------------------------------------------------

ONE_TEXT: Schema = {"type": ["string", "number", "boolean"]}
TEXT = ValueType("text", lambda node, _: node.read_text(), lambda _: "", ONE_TEXT)
FLAG = ValueType("`yes` or `no`", lambda node, _: node.read_flag(), lambda _: False, {"enum": [True, False, *YES, *NO]})
NUMBER = ValueType("number", lambda node, _: node.read_number(), lambda _: 0, {"type": ["number", "string"]})
TEXTS: ValueType[tuple[str, ...]] = ValueType(
    "texts",
    lambda node, _: tuple(item.read_text() for item in node.read_texts()),
    lambda _: (),
    {"anyOf": [ONE_TEXT, {"type": "array", "items": ONE_TEXT}]},
)
LINES: ValueType[tuple[str, ...]] = ValueType(
    "list of texts",
    lambda node, _: tuple(item.read_text() for item in node.read_each()),
    lambda _: (),
    {"anyOf": [ONE_TEXT, {"type": "array", "items": ONE_TEXT}]},
)


def expect_parsed(label: str, reader: Callable[[str], T], otherwise: T, schema: Schema = ONE_TEXT) -> ValueType[T]:
    """Return the type of a parsed text. `reader` raises MalformedValueError."""
    return ValueType(label, lambda node, _: node.read(reader, otherwise), lambda _: otherwise, schema)


def expect_list(
    label: str, read_one: Callable[[DocumentNode, Any], T], schema: Schema, *, split: bool = False
) -> ValueType[tuple[T, ...]]:
    """Return the type of a list or single value, with `split` also separated by commas."""
    return ValueType(
        label,
        lambda node, context: tuple(
            read_one(item, context) for item in (node.read_texts() if split else node.read_each())
        ),
        lambda _: (),
        {"anyOf": [schema, {"type": "array", "items": schema}]},
    )


def expect_pairs(
    label: str, read_one: Callable[[DocumentNode, DocumentNode, Any], T], schema: Schema
) -> ValueType[tuple[T, ...]]:
    """Return the type of a mapping with free names."""
    return ValueType(
        label,
        lambda node, context: tuple(read_one(name, value, context) for name, value in node.read_pairs(label)),
        lambda _: (),
        {"type": "object", "additionalProperties": schema},
    )


def expect_section(cls: type[S], label: str = "") -> ValueType[S]:
    """Return the type of a section. Required keys need a default."""
    return ValueType(
        label or describe_section(cls),
        lambda node, context: read_section(cls, node, context),
        _refuse_blank,
        {SECTION: cls},
    )


def expect_sections(cls: type[S], label: str = "") -> ValueType[tuple[S, ...]]:
    return expect_list(
        label or f"list of {describe_section(cls)}s",
        lambda node, context: read_section(cls, node, context),
        {SECTION: cls},
    )


def expect_named_sections(cls: type[S], label: str = "") -> ValueType[tuple[S, ...]]:
    """Return the type of a mapping of sections with free names."""
    return expect_pairs(
        label or f"`name: {describe_section(cls)}`",
        lambda name, value, context: read_section(cls, value, context, under=name),
        {SECTION: cls},
    )


def describe_section(cls: type[Section]) -> str:
    """Return the title without its article."""
    return cls.title.removeprefix("The ")


def _refuse_blank(where: SourceLine) -> Any:
    raise TypeError(f"A section has no blank value: give the key at {where} a default.")
