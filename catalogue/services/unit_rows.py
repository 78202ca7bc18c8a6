from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from django.db import connection
from django.db.models import Field, Model

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.numbers import Number, format_number
from catalogue.graph.compiled_entry import CompiledEntry, CompiledOption, HomedInfo
from catalogue.graph.ids import drop_last_link, extend_prefix, get_link_prefix
from catalogue.graph.infos import resolve_infos
from catalogue.graph.ruleset import Ruleset
from catalogue.models import Faction, Option, UnitEntry
from catalogue.services.texts import build_citation_columns, fold_text, shorten

DEEPEST_OPTION = 3
MOST_OPTIONS = 40
"""How many options of a unit are stored; some community data has thousands."""
PROVISIONAL = "provisional"
FLAVOUR = "~about"
"""The end of the id of a text that only introduces a unit."""
FOLLOWED = (InfoKind.LINK, InfoKind.GROUP)

UNIT_COLUMNS = (
    "entry_id",
    "name",
    "type",
    "category_id",
    "category",
    "emblem",
    "points",
    "costs",
    "models_min",
    "models_max",
    "option_count",
    "keywords",
    "hidden",
    "provisional",
    "book",
    "section",
    "page",
)
OPTION_COLUMNS = ("entry_id", "name", "group", "type", "note", "points", "min", "max", "depth")

Columns = dict[str, Any]
Values = tuple[Any, ...]
"""Column values in the database's form."""
Term = tuple[str, str]
"""A kind and a name that searches find a unit by."""
Words = dict[str, str]
"""Names with their folded forms, so that a name shared by thousands of units is folded once."""
Terms = dict[Term, str]
FoundBy = tuple[tuple[Term, ...], str]


@dataclass(frozen=True, slots=True)
class UnitContent:
    """Row values of a unit and its options, shared by all factions that offer it."""

    name: str
    unit: Values
    texts: Values
    options: list[Values]


class InnerOption(NamedTuple):
    """An option inside an entry or group. `on_link` means that it belongs to the link, and its id omits that link."""

    local_id: str
    on_link: bool
    values: Values

    def compose_id(self, prefix: str) -> str:
        return (drop_last_link(prefix) if self.on_link else prefix) + self.local_id


@dataclass
class EntryInside:
    """The options inside an entry or group, outer ones first, and all texts.

    `options` holds the first `most`; `count` and `names` cover all.
    """

    most: int
    infos: Terms = field(default_factory=dict)
    options: list[InnerOption] = field(default_factory=list)
    count: int = 0
    names: Words = field(default_factory=dict)

    @property
    def has_room(self) -> bool:
        return len(self.options) < self.most

    @cached_property
    def found_by(self) -> FoundBy:
        """The search terms and words. Read only when complete."""
        options = self.names
        info_names = set(map(_get_name, self.infos))
        # An option with a weapon of the same name is already found as that weapon.
        if not info_names.isdisjoint(options):
            options = {name: word for name, word in options.items() if name not in info_names}
        words = filter(None, chain(self.infos.values(), options.values()))
        return (*self.infos, *zip(repeat("option"), options)), " ".join(words)

    def count_option(self, name: str) -> None:
        self.names[name] = fold_text(name)
        self.count += 1

    def add_inside(self, prefix: str, on_link: bool, other: "EntryInside") -> None:
        self.infos.update(other.infos)
        self.names.update(other.names)
        self.count += other.count
        if not other.options:
            return
        first = other.options[: self.most - len(self.options)]
        if prefix or on_link:
            first = [InnerOption(inner.compose_id(prefix), on_link, inner.values) for inner in first]
        self.options += first


_get_name = itemgetter(1)


class UnitContents:
    def __init__(self, ruleset: Ruleset, points_id: str, most: int = MOST_OPTIONS) -> None:
        self._most = most
        self._binding = ruleset.binding
        self._choose_emblem = ruleset.choose_emblem
        self._smallest = ruleset.smallest
        self._points_id = points_id
        self._contents: dict[CompiledEntry, UnitContent] = {}
        self._option_values: dict[CompiledEntry, Values] = {}
        self._insides: dict[tuple[int, int], EntryInside] = {}
        self._terms: dict[tuple[str, str, bool], Terms] = {}
        # Packs mark data that is not yet checked against the book.
        marks = (mark for catalogue in self._binding.catalogues for mark in catalogue.unchecked)
        self._provisional = {mark.subject_id for mark in marks if mark.code.startswith(PROVISIONAL)}

    def get_content(self, root: CompiledOption) -> UnitContent:
        entry = root.entry
        content = self._contents.get(entry)
        if content is not None:
            return content
        inside = self._get_inside(entry, 0)
        costs = self._smallest.sum_costs(entry)
        least, most = self._smallest.count_models(entry)
        category_id = root.membership.primary
        category = self._binding.categories.get(category_id)
        name = shorten(entry.name)
        category_name = shorten(category.name if category else "")
        keywords = self._list_keywords(entry)
        unit: Columns = {
            "entry_id": root.local_id,
            "name": name,
            "type": entry.target.type.value,
            "category_id": category_id,
            "category": category_name,
            "emblem": self._choose_emblem(root),
            "points": prepare_value(UnitEntry, "points", costs.get(self._points_id)),
            "costs": write_json({kind: format_number(value) for kind, value in costs.items()}),
            # Settings and stratagems have no models: their maximum is 0.
            "models_min": least if most != 0 else None,
            "models_max": most or None,
            "option_count": inside.count,
            "keywords": write_json(keywords),
            "hidden": root.hidden,
            "provisional": bool(self._provisional and (entry.ids | {root.local_id}) & self._provisional),
            **build_citation_columns(self._binding, entry.citation),
        }

        terms, inside_words = inside.found_by
        unit_words = map(fold_text, (name, category_name, *keywords))
        texts = (
            write_json((*(("keyword", keyword) for keyword in keywords), *terms)),
            " ".join(filter(None, (*unit_words, inside_words))),
        )
        prefix = get_link_prefix(root.local_id)
        options = [(option.compose_id(prefix), *option.values) for option in inside.options]
        content = UnitContent(name, tuple([unit[column] for column in UNIT_COLUMNS]), texts, options)
        self._contents[entry] = content
        return content

    def build_row(self, faction: Faction, root: CompiledOption) -> UnitEntry:
        """Build a row of a unit, without its words, that is not to be stored."""
        columns = dict(zip(UNIT_COLUMNS, self.get_content(root).unit, strict=True))
        columns |= {name: msgspec.json.decode(columns[name]) for name in ("costs", "keywords")}
        if columns["points"] is not None:
            columns["points"] = Decimal(columns["points"])
        return UnitEntry(faction=faction, position=0, **columns)

    def _list_keywords(self, entry: CompiledEntry) -> list[str]:
        """Add keywords of inner units if one choice takes several units."""
        inner = [child for child in entry.children if child.target.type is EntryType.UNIT]
        links = chain.from_iterable(place.category_links for place in (entry, *inner))
        ids = dict.fromkeys(link.target_id for link in links if not (link.primary or link.hidden))
        categories = (self._binding.categories.get(category_id) for category_id in ids)
        return [category.name for category in categories if category and not category.hidden]

    def _get_inside(self, entry: CompiledEntry, depth: int) -> EntryInside:
        """Build an entry's content once per depth. Links that add nothing share their target's."""
        link = entry.link
        is_like_target = entry.target.name != "" and (link is None or not (link.entries or link.infos))
        key = (id(entry.target if is_like_target else entry), depth)
        inside = self._insides.get(key)
        if inside is None:
            inside = self._insides[key] = EntryInside(self._most)
            self._add_terms(inside.infos, entry.target.infos, entry.home)
            if link:
                self._add_terms(inside.infos, link.infos, entry.link_home)
            if depth <= DEEPEST_OPTION:
                group = shorten(entry.name) if entry.is_group else ""
                for child in entry.target_children:
                    self._add_child(inside, child, group, depth, on_link=False)
                for child in entry.link_children:
                    self._add_child(inside, child, group, depth, on_link=True)
        return inside

    def _add_child(self, inside: EntryInside, child: CompiledEntry, group: str, depth: int, *, on_link: bool) -> None:
        if child.hidden:
            return
        prefix = extend_prefix("", child.link.id) if child.link and self._most else ""
        if child.is_group:
            inside.add_inside(prefix, on_link, self._get_inside(child, depth))
            return
        inside.count_option(shorten(child.name))
        if inside.has_room:
            # These values do not depend on the option's place.
            if child not in self._option_values:
                limit = self._smallest.find_limits(child)
                cost = self._smallest.sum_costs(child).get(self._points_id)
                points = None if cost is None else prepare_value(Option, "points", cost)
                kind = child.target.type.value
                self._option_values[child] = (shorten(child.name), kind, child.note, points, limit.min, limit.max)
            name, *others = self._option_values[child]
            values = (name, group, *others, depth)
            inside.options.append(InnerOption(prefix + child.target.id, on_link, values))
        if child.holds_something:
            inside.add_inside(prefix, on_link, self._get_inside(child, depth + 1))

    def _add_terms(self, terms: Terms, infos: Iterable[Info], home: Catalogue) -> None:
        for info in infos:
            # Many units link to the same texts.
            key = (info.target_id or info.id, home.id, info.hidden)
            added = self._terms.get(key)
            if added is None:
                # Most texts have neither links nor content; resolving those would take most of the time.
                is_followed = info.hidden or info.kind in FOLLOWED
                texts = resolve_infos(self._binding, [HomedInfo(info, home)]) if is_followed else (info,)
                added = self._terms[key] = {
                    (name_term_kind(text.kind, text.type_name), text.name): fold_text(text.name)
                    for text in texts
                    # Background texts would match nearly every search.
                    if not text.id.endswith(FLAVOUR)
                }
            terms.update(added)


def write_json(value: object) -> str:
    """Encode a JSON column faster than Django's field."""
    return msgspec.json.encode(value).decode()


@lru_cache(maxsize=4096)
def prepare_value(model: type[Model], column: str, value: Number | None) -> Any:
    model_field: Field[Any, Any] = model._meta.get_field(column)  # type: ignore[assignment]  # no column is a relation's far end
    return model_field.get_db_prep_save(value, connection)


@lru_cache(maxsize=1024)
def name_term_kind(kind: InfoKind, type_name: str) -> str:
    """Return the readers' word for a profile or rule.

    >>> name_term_kind(InfoKind.PROFILE, "Ranged Weapons"), name_term_kind(InfoKind.RULE, "")
    ('weapon', 'ability')
    """
    if kind is InfoKind.PROFILE and "weapon" in type_name.lower():
        return "weapon"
    if kind is InfoKind.RULE or "abilit" in type_name.lower():
        return "ability"
    return "profile"
