"""Options, models, choices, swaps and shared lists: the parts of a unit, which may hold each other."""

from collections.abc import Callable
from dataclasses import replace

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.formats.packs.parse.context import ParseContext, abilities, carried, named, names
from catalogue.formats.packs.parse.infos import read_rows
from catalogue.formats.packs.parse.part_keys import changes, conditions, counted
from catalogue.formats.packs.syntax.base import PriceSyntax, Reference
from catalogue.formats.packs.syntax.scalars import (
    EXACTLY_ONE,
    ONCE_AT_MOST,
    CountRange,
    PriceValue,
    make_id,
    read_price,
    read_range,
)
from catalogue.formats.packs.syntax.units import PartSyntax

MAX_NESTING = 12
MEND_PART = "Start it with `option:`, `model:`, `choose:`, `swap:` or `list:`, or write `Name: price`."


def read_parts(
    items: list[DocumentNode], path: str, desk: ParseContext, plain: str = "option"
) -> tuple[PartSyntax, ...]:
    """The parts in a list; `plain` is what a bare name stands for. Ids are `path/name`."""
    found = (read_part(item, path, desk, plain) for item in items)
    return tuple(part for part in found if part is not None)


def read_part(item: DocumentNode, path: str, desk: ParseContext, plain: str) -> PartSyntax | None:
    if path.count("/") > MAX_NESTING:
        item.wrong("too-deep", "Parts are nested too deeply.", "Make the unit flatter.")
        return None
    if item.is_text and not item.is_empty:
        return _short(item, item.text(), None, path, desk, plain)
    if not item.is_map:
        item.wrong("wrong-type", "An option is missing here.", MEND_PART)
        return None
    keys = [(key, value) for key, value in item.pairs()]
    for key, _ in keys:
        reader = READERS.get(key.text().lower())
        if reader:
            return reader(item, path, desk)
    if len(keys) == 1:
        key, value = keys[0]
        return _short(key, key.text(), value, path, desk, plain)
    item.wrong("wrong-form", "It cannot be told what this part is.", MEND_PART)
    return None


def _short(
    key: DocumentNode, name: str, value: DocumentNode | None, path: str, desk: ParseContext, plain: str
) -> PartSyntax | None:
    """`Name`, `Name: +2` for an option and `Name: 5-8` for a model, or `Name:` with the long form below it."""
    if value is not None and value.is_map:
        return _long_under_name(key, value, path, desk, plain)
    own = make_id(name)
    if not own:
        key.wrong("bad-id", f"No id can be made of the name “{name}”.", "Write `option:` with `id:`.")
    part = PartSyntax(id=f"{path}/{own}", name=name, where=key.where, cite=desk.around, kind=plain)
    if plain == "model":
        count = value.read(read_range, EXACTLY_ONE) if value is not None else EXACTLY_ONE
        return replace(part, range=count, explicit=True)
    if value is None or ("points" not in desk.forms.costs and value.is_empty):
        return part
    cost = next(iter(desk.forms.costs), "points")
    return replace(
        part, prices=(PriceSyntax(cost=cost, price=value.read(read_price, PriceValue(0)), where=value.where),)
    )


def _long_under_name(
    key: DocumentNode, value: DocumentNode, path: str, desk: ParseContext, plain: str
) -> PartSyntax | None:
    fields = value.fields(f"“{key.text()}”")
    own = fields.text("id") or make_id(key.text())
    return _body(fields, plain, f"{path}/{own}", key.text(), desk)


def _option(item: DocumentNode, path: str, desk: ParseContext) -> PartSyntax | None:
    return _long(item, path, desk, "option")


def _model(item: DocumentNode, path: str, desk: ParseContext) -> PartSyntax | None:
    return _long(item, path, desk, "model")


def _long(item: DocumentNode, path: str, desk: ParseContext, kind: str) -> PartSyntax | None:
    fields = item.fields(f"The {kind}")
    own, name = desk.identity(fields, kind, path)
    fields.what = f"“{name}”" if name else fields.what
    return _body(fields, kind, own, name, desk)


def _body(fields: MappingReader, kind: str, own: str, name: str, desk: ParseContext) -> PartSyntax:
    """The keys that options and models share."""
    cite = desk.cite(fields)
    inner = desk.inside(cite)
    profile, counts_as = fields.get("profile"), fields.get("counts as")
    gives = fields.get("carries", "gives")
    part = PartSyntax(
        id=own,
        name=name,
        where=fields.where,
        cite=cite,
        kind=kind,
        prices=desk.prices(fields),
        note=fields.text("note"),
        text=fields.text("text"),
        row=desk.row(profile, name, "models") if profile else None,
        rows=read_rows(fields, inner),
        abilities=abilities(fields.each("abilities")),
        carries=carried(gives.texts()) if gives is not None else None,
        keywords=names(fields.texts("keywords")),
        removes=names(fields.texts("removes")),
        changes=changes(fields),
        counts_as=named(counts_as) if counts_as else None,
        parts=read_parts(fields.each("options"), own, inner, "option"),
    )
    part = counted(part, fields, kind)
    part = conditions(part, fields, desk)
    fields.close()
    return part


def read_shared_list(item: DocumentNode, desk: ParseContext) -> PartSyntax:
    """A list of options that several units use: a choice under a name of its own."""
    fields = item.fields("The shared list")
    own, name = desk.identity(fields, "list")
    return _choice_body(fields, own, own, name, desk)


def _choice(item: DocumentNode, path: str, desk: ParseContext) -> PartSyntax | None:
    fields = item.fields("The choice")
    group, inner_path, name = _group(fields, path, "from", f"Choose {fields.text('choose')}")
    return _choice_body(fields, group, inner_path, name, desk)


def _choice_body(fields: MappingReader, own: str, path: str, name: str, desk: ParseContext) -> PartSyntax:
    default, members = _default(fields), fields.need("from")
    part = PartSyntax(
        id=own,
        name=name,
        where=fields.where,
        cite=desk.cite(fields),
        kind="choice",
        range=fields.read("choose", read_range, ONCE_AT_MOST),
        explicit=True,
        default=default,
        note=fields.text("note"),
        parts=read_parts(members.each(), path, desk, "option") if members else (),
    )
    part = conditions(part, fields, desk)
    fields.close()
    return part


def _default(fields: MappingReader) -> Reference | None:
    item = fields.get("default")
    if item is None:
        return None
    given = item.texts()
    if len(given) > 1:
        item.wrong("two-defaults", "Only one of the choices can be the default.", "Keep one of them.")
    return named(given[0]) if given else None


def _swap(item: DocumentNode, path: str, desk: ParseContext) -> PartSyntax | None:
    fields = item.fields("The swap")
    replaced = fields.need("swap")
    what = replaced.text() if replaced else ""
    group, inner_path, name = _group(fields, path, "for", f"Instead of {what}")
    most, members = fields.get("at most"), fields.need("for")
    part = PartSyntax(
        id=group,
        name=name,
        where=item.where,
        cite=desk.cite(fields),
        kind="swap",
        range=CountRange(0, most.read(read_range, EXACTLY_ONE).high if most else None),
        explicit=most is not None,
        note=fields.text("note"),
        replaces=named(replaced) if replaced else None,
        by=names(fields.texts("by")),
        whole_unit=fields.flag("whole unit"),
        parts=read_parts(members.each(), inner_path, desk, "option") if members else (),
    )
    part = conditions(part, fields, desk)
    fields.close()
    return part


def _list(item: DocumentNode, path: str, desk: ParseContext) -> PartSyntax | None:
    fields = item.fields("The list")
    target = fields.need("list")
    name = target.text() if target else ""
    part = PartSyntax(
        id=f"{path}/{make_id(name)}",
        name=name,
        where=item.where,
        cite=desk.around,
        kind="list",
        range=fields.read("choose", read_range, CountRange(0, None)),
        explicit="choose" in fields,
        target=named(target) if target else None,
    )
    part = conditions(part, fields, desk)
    fields.close()
    return part


def _group(fields: MappingReader, path: str, members: str, otherwise: str) -> tuple[str, str, str]:
    """Id of a group, the path of its members, and its name. Only a group with a name stands in the path."""
    name, given = fields.text("name"), fields.text("id")
    own = given or make_id(name)
    if own:
        return f"{path}/{own}", f"{path}/{own}", name or otherwise
    first = next(iter(fields.each(members)), None)
    return f"{path}/{make_id(otherwise)}-{make_id(_first_name(first))}", path, otherwise


def _first_name(item: DocumentNode | None) -> str:
    if item is None or item.is_list:
        return ""
    if item.is_text:
        return item.text()
    key, value = next(item.pairs(), (item.replaced(""), item))
    return value.text() if key.text().lower() in READERS and value.is_text else key.text()


READERS: dict[str, Callable[[DocumentNode, str, ParseContext], PartSyntax | None]] = {
    "option": _option,
    "model": _model,
    "choose": _choice,
    "swap": _swap,
    "list": _list,
}
