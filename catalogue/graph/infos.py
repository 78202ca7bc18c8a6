"""Resolve profiles and rules, and format their values."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

import msgspec

from catalogue.definitions.infos import Characteristic, CharacteristicType, Info, InfoKind, ProfileType
from catalogue.definitions.link_index import Binding
from catalogue.graph.compiled_entry import MAX_DEPTH, HomedInfo


def resolve_infos(binding: Binding, infos: Iterable[HomedInfo], depth: int = 0) -> Iterator[Info]:
    """Yield visible profiles and rules, with links followed and groups opened.

    A link's parameter and citation take precedence.
    """
    # Groups of community data may link to their own container.
    if depth > MAX_DEPTH:
        return
    for homed in infos:
        info = homed.info
        if info.hidden:
            continue
        if info.kind is InfoKind.GROUP:
            yield from resolve_infos(binding, [HomedInfo(inner, homed.home) for inner in info.infos], depth + 1)
        elif info.kind is InfoKind.LINK:
            yield from _resolve_link(binding, homed, depth)
        else:
            yield info


def _resolve_link(binding: Binding, link: HomedInfo, depth: int) -> Iterator[Info]:
    """Yield a link's targets. A parameter of a link to a group, such as a weapon with rules, is the number of its
    profiles.
    """
    target = binding.find_info(link.info.target_id, link.home)
    if target is None:
        return
    is_group = target.info.kind is InfoKind.GROUP
    citation = link.info.citation
    for info in resolve_infos(binding, [HomedInfo(target.info, target.home)], depth + 1):
        means_info = info.kind is InfoKind.PROFILE or not is_group
        parameter = link.info.parameter if means_info else ""
        # Most links add nothing, and copying is slower than this check.
        if parameter or citation:
            yield msgspec.structs.replace(
                info, parameter=parameter or info.parameter, citation=citation or info.citation
            )
        else:
            yield info


def format_characteristics(
    characteristics: tuple[Characteristic, ...], profile_type: ProfileType | None
) -> tuple[Characteristic, ...]:
    """Use the columns' formats and defaults."""
    # Only New Recruit's data has defaults and formats of columns.
    types = profile_type.characteristic_types if profile_type else ()
    if not any(column.default or column.formats for column in types):
        return characteristics

    columns = {column.id: column for column in types}
    present = {figure.type_id for figure in characteristics}
    figures = list(characteristics)
    for type_id, column in columns.items():
        if column.default and type_id not in present:
            figures.append(Characteristic(type_id=type_id, name=column.name))

    order = {type_id: index for index, type_id in enumerate(columns)}
    figures.sort(key=lambda figure: order.get(figure.type_id, len(order)))
    formatted = []
    for figure in figures:
        definition = columns.get(figure.type_id)
        value = format_figure(definition, figure.value) if definition else figure.value
        formatted.append(msgspec.structs.replace(figure, value=value))
    return tuple(formatted)


def format_figure(column: CharacteristicType, value: str) -> str:
    r"""Return a value as its column shows it.

    >>> from catalogue.definitions.infos import FormatRule
    >>> dash = FormatRule(match="^7$", replacement="-")
    >>> column = CharacteristicType(id="sv", name="Sv", default="7", formats=(dash,))
    >>> format_figure(column, ""), format_figure(column, "4+")
    ('-', '4+')
    >>> plus = FormatRule(match=r"^(\d+)$", replacement="$1+")
    >>> format_figure(CharacteristicType(id="sv", name="Sv", formats=(plus,)), "4")
    '4+'
    """
    value = value or column.default
    for rule in column.formats:
        pattern = _compile_pattern(rule.match)
        if pattern and len(value) <= MOST_FORMATTED:
            value = pattern.sub(partial(_fill_replacement, rule.replacement), value)
    return value


def _fill_replacement(replacement: str, match: re.Match[str]) -> str:
    """Use New Recruit's syntax: `$1` is the first group."""
    return REFERENCE.sub(partial(_find_referred, match), replacement)


def _find_referred(match: re.Match[str], reference: re.Match[str]) -> str:
    word = reference[1]
    if word == "$":
        return word
    number = 0 if word == "&" else int(word)
    is_group = word == "&" or 0 < number <= match.re.groups
    # A group that did not take part in the match is empty.
    return (match[number] or "") if is_group else reference[0]


REFERENCE = re.compile(r"\$([$&]|\d{1,2})")


@lru_cache(maxsize=256)
def _compile_pattern(text: str) -> re.Pattern[str] | None:
    """Return None if a pattern is invalid or could run forever."""
    if len(text) > MOST_PATTERN or REPEATED_GROUP.search(text):
        return None
    try:
        return re.compile(text)
    except re.error:
        return None


MOST_FORMATTED, MOST_PATTERN = 200, 60
REPEATED_GROUP = re.compile(r"\)[*+{?]|[*+}][*+]")
"""Nested repetitions, which may take exponential time."""
