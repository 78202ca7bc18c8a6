"""Units at the limits of their datasheets, one thing at a time."""

from collections.abc import Iterator

from tests.second_reading.maelstrom_of_war_datasheets import MANY, Datasheet, DatasheetLine
from tests.second_reading.reading import Document

Border = tuple[str, Document]
"""A description and the unit."""


def borders_of(sheet: Datasheet) -> Iterator[Border]:
    """Yield the smallest unit, and units with each thing at its limit, one more and one fewer."""
    yield f"{sheet.id} as it is", {"unit": sheet.id, "options": _least_in(sheet.unit)}
    for path, line in _ways(sheet.unit, ()):
        for number in {0, line.least - 1, line.least + 1, line.most - 1, line.most, line.most + 1, 2, 10}:
            if 0 <= number < MANY - 1 and number <= 31:
                yield (f"{line.id} {number}", {"unit": sheet.id, "options": _changed(sheet.unit, path, line, number)})


def _least_in(held: DatasheetLine) -> list[Document]:
    return [part for line in held.inside for part in _parts(line, line.least)]


def _parts(line: DatasheetLine, number: int) -> list[Document]:
    """Return a thing with a number, or a choice's default."""
    if number <= 0:
        return []
    if not line.is_choice:
        part: Document = {"option": line.id, "count": number}
        inside = _least_in(line)
        return [{**part, "options": inside} if inside else part]
    by_default = [inner for inner in line.inside if inner.title == line.written.get("default")]
    taken: list[Document] = []
    for inner in (*by_default, *line.inside):
        some = min(number, inner.most)
        taken += _parts(inner, some)
        number -= some
        if number <= 0:
            break
    return taken


def _ways(
    held: DatasheetLine, path: tuple[DatasheetLine, ...]
) -> Iterator[tuple[tuple[DatasheetLine, ...], DatasheetLine]]:
    """Yield all choices on a datasheet, with the models or options around them."""
    for line in held.inside:
        if line.is_choice:
            yield from _ways(line, path)
        else:
            yield path, line
            yield from _ways(line, (*path, line))


def _changed(held: DatasheetLine, path: tuple[DatasheetLine, ...], line: DatasheetLine, number: int) -> list[Document]:
    target = path[0] if path else line
    others = [part for part in _least_in(held) if part["option"] != target.id]
    if not path:
        return [*others, *_parts(line, number)]
    inside = _changed(path[0], path[1:], line, number)
    return [*others, {"option": target.id, "count": max(target.least, 1), "options": inside}]
