"""What every reader needs: the forms so far, the books, and the citation that the file or the unit around gives."""

from dataclasses import dataclass, replace

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.constraints import Severity
from catalogue.definitions.queries import Bound
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, Problems, suggest_names
from catalogue.formats.packs.parse.citations import MEND, CitationReader
from catalogue.formats.packs.parse.expressions import read_sum, read_when
from catalogue.formats.packs.syntax.base import (
    AbilityUse,
    BoundSyntax,
    CarriedItem,
    PriceSyntax,
    ProfileRow,
    Reference,
    RuleText,
)
from catalogue.formats.packs.syntax.game import PackSyntax, TableSyntax
from catalogue.formats.packs.syntax.scalars import PriceValue, make_id, read_parameter, read_price, read_times

BOUNDS = {"at most": Bound.MAX, "at least": Bound.MIN, "exactly": Bound.EXACTLY}


@dataclass(frozen=True, slots=True)
class ParseContext:
    """The state that readers share. `around` is the citation that a thing inherits from what encloses it.

    `faction` and `provisional` are what the file says of all its units.
    """

    problems: Problems
    books: CitationReader
    forms: PackSyntax
    around: Citation = NOWHERE
    faction: str = ""
    provisional: str = ""
    file: str = ""

    def inside(self, cite: Citation) -> "ParseContext":
        return replace(self, around=cite) if cite else self

    def cite(self, fields: MappingReader, required: bool = False) -> Citation:
        """The citation of a thing; `required` reports one that leads nowhere."""
        item = fields.get("cite")
        cite = self.books.read(item, self.around) if item is not None else self.around
        if required and not self.books.is_exact(cite):
            fields.item.wrong("missing-citation", f"{fields.what} does not say where it is printed.", MEND)
        return cite

    def identity(self, fields: MappingReader, key: str, path: str = "") -> tuple[str, str]:
        """Id and name of a thing whose name stands at `key`; `id` beside it overrides the id made of the name."""
        item = fields.need(key)
        name = item.text() if item else ""
        given = fields.get("id")
        own = given.read(read_id, "") if given else make_id(name)
        if name and not own:
            fields.item.wrong("bad-id", f"No id can be made of the name “{name}”.", "Add `id: some-name`.")
        return (f"{path}/{own}" if path else own), name

    def row(self, item: DocumentNode, name: str, use: str) -> ProfileRow | None:
        """A line of a profile table that models or weapons (`use`) have: the first one that it fits, else the first."""
        tables = [table for table in self.forms.tables.values() if table.use == use]
        if not tables:
            item.wrong(
                "no-table", f"The pack declares no profile table for {use}.", "Add it under `profiles:`."
            )
            return None
        return self.row_of(item, name, next((table for table in tables if _fits(item, table)), tables[0]))

    def row_of(self, item: DocumentNode, name: str, table: TableSyntax) -> ProfileRow:
        values = _values_by_name(item, table) if item.is_map else _values_in_order(item, table)
        return ProfileRow(name=name, table=table.id, values=values, where=item.where)

    def prices(self, fields: MappingReader) -> tuple[PriceSyntax, ...]:
        """All prices of a thing: one key per kind of cost, and `prices:` for those under a condition."""
        found = [
            PriceSyntax(cost=cost, price=item.read(read_price, PriceValue(0)), where=item.where)
            for cost in self.forms.costs
            if (item := fields.get(cost.replace("-", " "))) is not None
        ]
        for item in fields.each("prices"):
            inner = item.fields("The conditional price")
            when = inner.need("when")
            for cost in self.forms.costs:
                value = inner.get(cost.replace("-", " "))
                if value is not None and when is not None:
                    price = value.read(read_price, PriceValue(0))
                    found.append(PriceSyntax(cost=cost, price=price, where=value.where, when=read_when(when)))
            inner.close()
        return tuple(found)

    def rule_text(self, fields: MappingReader, required: bool = True) -> RuleText:
        """Id, heading, sentence, citation, severity and mendability of a rule."""
        name, text = fields.text("name"), fields.text("text")
        severity = fields.read("severity", _read_severity, Severity.ERROR)
        mendable, room = fields.get("mendable"), fields.get("mendable while")
        return RuleText(
            rule=fields.text("rule"),
            name=name,
            text=text,
            cite=self.cite(fields, required),
            severity=severity,
            mendable=mendable.flag() if mendable else None,
            room=read_when(room) if room else None,
        )

    def bounds(self, fields: MappingReader) -> tuple[BoundSyntax, ...]:
        """`at most`, `at least` and `exactly`; two plain numbers at odds are reported."""
        found = tuple(
            BoundSyntax(bound=bound, sum=read_sum(item))
            for word, bound in BOUNDS.items()
            if (item := fields.get(word)) is not None
        )
        plain = {form.bound: form.sum.constant for form in found if not form.sum.summands}
        low, high = plain.get(Bound.MIN), plain.get(Bound.MAX)
        if low is not None and high is not None and low > high:
            fields.item.wrong(
                "min-over-max", f"At least {low} and at most {high} cannot both hold.", "Swap them."
            )
        return found


def read_unchecked(item: DocumentNode, desk: ParseContext) -> tuple[str, str, Citation]:
    """What nobody can check: a text, or `{code, text, cite}`; its code, text and citation."""
    if item.is_text:
        return "not-checked", item.text(), desk.around
    fields = item.fields("The note")
    text = fields.need("text")
    code = fields.text("code", "not-checked")
    cite = desk.cite(fields)
    fields.close()
    return code, text.text() if text else "", cite


def read_id(text: str) -> str:
    """An id as written: small letters, digits, hyphens."""
    if text and make_id(text) == text:
        return text
    raise MalformedValueError(
        f"“{text}” is not an id.", f"Write it as “{make_id(text) or 'some-name'}”.", "bad-id"
    )


def named(item: DocumentNode) -> Reference:
    return Reference(item.text(), item.where)


def names(items: list[DocumentNode]) -> tuple[Reference, ...]:
    return tuple(named(item) for item in items if item.text())


def abilities(items: list[DocumentNode]) -> tuple[AbilityUse, ...]:
    """Abilities as a unit lists them: `Command (2)`, or `{ability: Dodge (1), when: ...}`."""
    found = []
    for item in items:
        when, place = None, item
        if item.is_map:
            fields = item.fields("The ability")
            place = fields.need("ability") or item
            condition = fields.get("when")
            when = read_when(condition) if condition else None
            fields.close()
        if place.is_text:
            name, parameter = read_parameter(place.text())
            found.append(AbilityUse(name=Reference(name, place.where), parameter=parameter, when=when))
    return tuple(found)


def carried(items: list[DocumentNode]) -> tuple[CarriedItem, ...]:
    """Weapons and gear as a unit lists them: `Incursion Rifle x2`."""
    found = []
    for item in items:
        count, name = read_times(item.text())
        found.append(CarriedItem(name=Reference(name, item.where), count=count))
    return tuple(found)


def _fits(item: DocumentNode, table: TableSyntax) -> bool:
    """Whether a row has a value for each column of a table, or names columns of it only."""
    if not item.is_map:
        return len(item.each()) == len(table.columns)
    known = {column.casefold() for column in table.columns}
    return all(key.text().casefold() in known for key, _ in item.pairs())


def _values_by_name(item: DocumentNode, table: TableSyntax) -> tuple[tuple[str, str], ...]:
    by_folded = {column.casefold(): column for column in table.columns}
    found = []
    for key, value in item.pairs():
        column = by_folded.get(key.text().casefold())
        if column is None:
            mend = suggest_names(key.text(), table.columns)
            key.wrong("unknown-column", f"The table “{table.name}” has no column “{key.text()}”.", mend)
        else:
            found.append((column, value.text()))
    return tuple(found)


def _values_in_order(item: DocumentNode, table: TableSyntax) -> tuple[tuple[str, str], ...]:
    values = [value.text() for value in item.each()]
    if len(values) != len(table.columns):
        message = f"Columns of the table “{table.name}”: {len(table.columns)}; values here: {len(values)}."
        columns = ", ".join(table.columns)
        mend = f"Write one value for each of {columns}, in square brackets with commas between."
        item.wrong("wrong-columns", message, mend)
    return tuple(zip(table.columns, values, strict=False))


def _read_severity(text: str) -> Severity:
    try:
        return Severity(text)
    except ValueError:
        mend = suggest_names(text, [severity.value for severity in Severity])
        raise MalformedValueError(f"“{text}” is not a severity.", mend, "wrong-form") from None
