"""Weapons, gear, abilities and the tables they stand in."""

from collections.abc import Iterator

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.formats.packs.parse.context import ParseContext, abilities
from catalogue.formats.packs.syntax.base import AbilitySyntax, NamedSyntax, ProfileRow, WeaponSyntax
from catalogue.formats.packs.syntax.game import TableSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def read_tables(item: DocumentNode, desk: ParseContext) -> None:
    """`profiles:` of a pack: each kind of table with its columns."""
    for key, value in item.pairs():
        fields = value.fields(f"The profile table “{key.text()}”")
        columns = fields.need("columns")
        known = tuple(column.text() for column in columns.texts()) if columns else ()
        table = TableSyntax(
            id=make_id(key.text()),
            name=fields.text("name", key.text()),
            where=key.where,
            columns=known,
            use=fields.read("for", _read_use, ""),
            curve=tuple(_column(column, known) for column in fields.texts("curve")),
            kinds="".join(_column(column, known) for column in fields.texts("kinds")[:1]),
        )
        fields.close()
        desk.forms.tables[table.id] = table


def _column(item: DocumentNode, known: tuple[str, ...]) -> str:
    """A column of the table that is being declared."""
    if item.text() not in known:
        mend = suggest_names(item.text(), known)
        item.wrong("unknown-column", f"The table has no column “{item.text()}”.", mend)
    return item.text()


def _read_use(text: str) -> str:
    if text in ("models", "weapons", "cards"):
        return text
    raise MalformedValueError(
        f"A table is not for “{text}”.", "Write models, weapons or cards, or leave it out.", "wrong-form"
    )


def read_weapon(item: DocumentNode, desk: ParseContext) -> WeaponSyntax:
    """A weapon with one `profile`, or with `modes`, a row for each way to use it."""
    fields = item.fields("The weapon")
    own, name = desk.identity(fields, "weapon")
    fields.what = f"The weapon “{name}”"
    profile, modes = fields.get("profile"), fields.get("modes")
    rows: list[ProfileRow | None] = [desk.row(profile, name, "weapons")] if profile else []
    if modes:
        rows += [desk.row(value, f"{name}, {key.text()}", "weapons") for key, value in modes.pairs()]
    rows += read_rows(fields, desk)
    if not rows:
        item.wrong("missing-key", f"{fields.what} has no figures.", "Add `profile:` or `modes:`.")
    form = WeaponSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields, required=True),
        rows=tuple(row for row in rows if row is not None),
        abilities=abilities(fields.texts("abilities")),
    )
    fields.close()
    return form


def read_rows(fields: MappingReader, desk: ParseContext) -> tuple[ProfileRow, ...]:
    """`tables:` of a unit or a weapon: for each further kind of table its rows by name."""
    item = fields.get("tables")
    rows: list[ProfileRow] = []
    for key, value in item.pairs() if item else ():
        table = desk.forms.tables.get(make_id(key.text()))
        if table is None:
            mend = (
                suggest_names(key.text(), desk.forms.tables) or "Declare it under `profiles:` in pack.yaml."
            )
            key.wrong("unknown-table", f"The pack declares no table “{key.text()}”.", mend)
            continue
        rows += [desk.row_of(row, name.text(), table) for name, row in value.pairs()]
    return tuple(rows)


def read_abilities(item: DocumentNode, desk: ParseContext) -> Iterator[AbilitySyntax]:
    """One ability, or several under `abilities:` that share a text, as those that only the unit cards explain."""
    shared = item.fields("The abilities") if item.is_map else None
    if shared is None or "abilities" not in shared:
        yield read_ability(item, desk)
        return
    text, cite = shared.need("text"), desk.cite(shared, required=True)
    for name in shared.texts("abilities"):
        own = make_id(name.text())
        if not own:
            name.wrong("bad-id", f"No id can be made of the name “{name.text()}”.", "Write it as `ability:`.")
        yield AbilitySyntax(
            id=own, name=name.text(), where=name.where, cite=cite, text=text.text() if text else ""
        )
    shared.close()


def read_ability(item: DocumentNode, desk: ParseContext, key: str = "ability") -> AbilitySyntax:
    """An ability or a piece of gear; `{}` in the text stands for what is in brackets after the name."""
    fields = item.fields(f"The {key}")
    own, name = desk.identity(fields, key)
    fields.what = f"The {key} “{name}”"
    if key == "ability":
        fields.need("text", "Add `text:`, a reminder in your own words.")
    form = AbilitySyntax(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields, required=True),
        text=fields.text("text"),
        gear=key == "gear",
    )
    fields.close()
    return form


def read_names(item: DocumentNode, into: dict[str, NamedSyntax]) -> None:
    """Things that have a name and an id only: `id: Name`, or a list of names."""
    if item.is_map:
        for key, value in item.pairs():
            add_name(
                into,
                NamedSyntax(id=make_id(key.text()), name=value.text() or key.text(), where=key.where),
                key,
            )
        return
    for name in item.texts():
        add_name(into, NamedSyntax(id=make_id(name.text()), name=name.text(), where=name.where), name)


def add_name(into: dict[str, NamedSyntax], form: NamedSyntax, item: DocumentNode) -> None:
    """Keep a name under its id; a second one of that id is reported."""
    if form.id in into:
        item.wrong("duplicate-id", f"“{form.name}” stands here twice.", "Keep one of them.")
    elif not form.id:
        item.wrong("bad-id", f"No id can be made of the name “{form.name}”.", "Write it as `some-id: Name`.")
    else:
        into[form.id] = form
