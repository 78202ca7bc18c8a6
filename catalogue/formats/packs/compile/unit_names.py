"""Match units, their parts, cards and decks with the names that a pack calls them by."""

from collections.abc import Iterable, Iterator

from catalogue.formats.packs.syntax.base import NamedSyntax, Reference
from catalogue.formats.packs.syntax.decks import CardSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def walk_parts(parts: Iterable[PartSyntax]) -> Iterator[PartSyntax]:
    """Yield all parts, including those inside other parts."""
    for part in parts:
        yield part
        yield from walk_parts(part.parts)


def walk_models(parts: Iterable[PartSyntax]) -> Iterator[PartSyntax]:
    """Yield all parts that are models."""
    return (part for part in walk_parts(parts) if part.kind == "model")


def get_type_id(unit: UnitSyntax) -> str:
    """Return the id of the printed type; blank where there is none."""
    return make_id(unit.type.text) if unit.type else ""


def make_ids(references: Iterable[Reference]) -> set[str]:
    return {make_id(reference.text) for reference in references}


def list_keyword_ids(form: UnitSyntax | PartSyntax | CardSyntax) -> set[str]:
    return make_ids(form.keywords)


def list_names(form: NamedSyntax) -> set[str]:
    """Return the ids by which a form may be called: its own, and one made of its name."""
    return {form.id, make_id(form.name)}


def is_part_called(part: PartSyntax, wanted_id: str) -> bool:
    """Return whether a part is called so inside its own choice: by its name, or by the end of its id."""
    return wanted_id in (make_id(part.name), part.id.split("/")[-1])


def is_of_kind(unit: UnitSyntax, references: Iterable[Reference]) -> bool:
    """Return whether a unit is of one of these types or keywords."""
    kinds = list_keyword_ids(unit) | {get_type_id(unit)}
    return bool(kinds & make_ids(references))
