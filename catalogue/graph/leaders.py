"""Derive undeclared associations from datasheet texts; see ADR 0043.

Texts are read on demand, so that newly supported phrases need no new import.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple

from catalogue.definitions.entries import Association, AttachmentRoom, Company, EntryKind, EntryType, Reach
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.link_index import LocatedEntry
from catalogue.definitions.overlays import LeaderCorrection
from catalogue.definitions.queries import ALWAYS, ANY, Change, Condition, Guard, Operator, Query, Scope
from catalogue.graph import leader_texts
from catalogue.graph.compiled_entry import CompiledEntry, EntryCompiler, HomedInfo
from catalogue.graph.infos import resolve_infos
from catalogue.graph.leader_texts import LeaderText, Names, StandIn, may_say_who_leads, read_leader_text

LEADS = "leads"
"""The id of a unit's association from texts."""
LED = "led"
"""The id of the constraint from a text that requires an attachment."""

LEADER, SUPPORT, JOINS = "Leader", "Support", "Joins"
ROLES = (LEADER.lower(), SUPPORT.lower())

EVERYBODY = ("character", "characters", "leader", "leaders")
"""Words for any unit that may be attached."""

DEEPEST = 8
SHORTEST = 7
"""The shortest name that may match part of a longer one."""
CLOSE = 0.88
"""The similarity at which "Berserkers" and "Berzerkers" are one name, but "Boyz" and "Nobz" are not."""


# ---- names -----------------------------------------------------------------------------------------------------------


class NamedUnits(NamedTuple):
    """What a name in a text means: units by id, or anything in all `categories`, except `excluded`."""

    name: str
    unit_ids: frozenset[str] = frozenset()
    categories: tuple[frozenset[str], ...] = ()
    excluded: frozenset[str] = frozenset()

    def is_met_by(self, entry: CompiledEntry) -> bool:
        declared = {link.target_id for link in entry.category_links}
        if declared & self.excluded:
            return False
        return bool(entry.ids & self.unit_ids) or (
            bool(self.categories) and all(declared & ids for ids in self.categories)
        )

    def build_guard(self) -> Guard:
        ways = (
            [Guard(any_of=True, conditions=tuple(map(_ask_instance, sorted(self.unit_ids))))] if self.unit_ids else []
        )
        if self.categories:
            ways.append(Guard(guards=tuple(_ask_keyword(ids) for ids in self.categories)))
        named = ways[0] if len(ways) == 1 else Guard(any_of=True, guards=tuple(ways))
        if not self.excluded:
            return named
        return Guard(guards=(named, Guard(negated=True, guards=(_ask_keyword(self.excluded),))))


def _ask_instance(category_id: str) -> Condition:
    return Condition(operator=Operator.INSTANCE_OF, query=Query(scope=Scope.SELF, child_id=category_id), value=1)


def _ask_keyword(ids: Iterable[str]) -> Guard:
    ways = [(_ask_instance(category_id), _ask_inside(category_id)) for category_id in sorted(ids)]
    return Guard(any_of=True, conditions=tuple(condition for pair in ways for condition in pair))


def _ask_inside(category_id: str) -> Condition:
    query = Query(scope=Scope.SELF, child_id=category_id, deep=True)
    return Condition(operator=Operator.AT_LEAST, query=query, value=1)


def _ask_selected(entry: CompiledEntry) -> Guard:
    return Guard(conditions=(_ask_inside(entry.target.id),))


def _join_guards(guards: Sequence[Guard]) -> Guard:
    return guards[0] if len(guards) == 1 else Guard(any_of=True, guards=tuple(guards))


def fold_name(name: str) -> str:
    """Drop accents, punctuation, spaces and bracketed text.

    >>> fold_name("Kâhl [Legends]"), fold_name("PLAGUE BEARERS")
    ('kahl', 'plaguebearers')
    """
    return "".join(_split_words(name))


def fold_loosely(name: str) -> str:
    """Also ignore plurals: texts say "a Reed Cutter unit".

    >>> fold_loosely("Reed Cutters") == fold_loosely("REED CUTTER")
    True
    """
    return "".join(word.rstrip("sz") for word in _split_words(name))


def _split_words(name: str) -> list[str]:
    plain = re.sub(r"\[[^\]]*\]|^faction:|'", "", name.strip().casefold().replace("\u2019", "'"))
    letters = unicodedata.normalize("NFKD", plain)
    return re.findall(r"[a-z0-9]+", "".join(letter for letter in letters if not unicodedata.combining(letter)))


class UnitNames:
    def __init__(self, compiler: EntryCompiler) -> None:
        binding = compiler.binding
        self.roots: list[CompiledEntry] = []
        units: dict[str, set[str]] = {}
        for catalogue in binding.catalogues:
            for entry in catalogue.entries:
                root = compiler.compile_entry(entry, catalogue)
                if root is None or root.is_group:
                    continue
                self.roots.append(root)
                units.setdefault(root.target.name, set()).add(root.target.id)
                if root.link and root.link.name and fold_name(root.link.name) != fold_name(root.target.name):
                    units.setdefault(root.link.name, set()).add(root.link.id)
        keywords: dict[str, set[str]] = {}
        for category in binding.categories.values():
            keywords.setdefault(category.name, set()).add(category.id)
        self._units, self._loose_units = _fold_keys(units)
        self._keywords, self._loose_keywords = _fold_keys(keywords)

    def find_units(self, name: str) -> NamedUnits | None:
        """Return units with a name, else with its keywords."""
        bare, excluded = self._split_excluded(name)
        unit_ids = self._units.get(fold_name(bare)) or self._loose_units.get(fold_loosely(bare))
        if unit_ids:
            return NamedUnits(name, unit_ids, (), excluded)
        folded = fold_name(bare)
        if categories := self._split_keywords(bare.split(), closely=False):
            return NamedUnits(name, frozenset(), categories, excluded)
        keys = get_close_matches(folded, self._units, n=1, cutoff=CLOSE)
        if not keys and len(folded) >= SHORTEST:
            # "Raiders" are the "Red Corsairs Raiders" if no other name in the data matches.
            keys = [key for key in self._units if key.startswith(folded) or key.endswith(folded)]
        if len(keys) == 1:
            return NamedUnits(name, self._units[keys[0]], (), excluded)
        categories = self._split_keywords(bare.split(), closely=True)
        return NamedUnits(name, frozenset(), categories, excluded) if categories else None

    def find_either(self, name: str) -> NamedUnits | None:
        bare, excluded = self._split_excluded(name)
        folded, loose = fold_name(bare), fold_loosely(bare)
        unit_ids = self._units.get(folded) or self._loose_units.get(loose) or frozenset()
        keyword = self._keywords.get(folded) or self._loose_keywords.get(loose)
        if unit_ids or keyword:
            return NamedUnits(name, unit_ids, (keyword,) if keyword else (), excluded)
        return self.find_units(name)

    def _split_excluded(self, name: str) -> tuple[str, frozenset[str]]:
        bare, bracket, rest = name.partition("(excluding ")
        if not bracket:
            return name, frozenset()
        excluded: set[str] = set()
        for part in re.split(r",|\band\b|\bor\b", rest.rstrip(") ")):
            excluded |= self._loose_keywords.get(fold_loosely(leader_texts.clean_name(part)), frozenset())
        return leader_texts.clean_name(bare), frozenset(excluded)

    def _split_keywords(self, words: list[str], *, closely: bool) -> tuple[frozenset[str], ...]:
        """Return the categories that make up a name; () if part is unknown."""
        categories: list[frozenset[str]] = []
        while words:
            for length in range(len(words), 0, -1):
                key = fold_loosely(" ".join(words[:length]))
                close = get_close_matches(key, self._loose_keywords, n=1, cutoff=CLOSE) if closely else ()
                ids = self._loose_keywords.get(close[0] if close else key)
                if ids:
                    categories.append(ids)
                    words = words[length:]
                    break
            else:
                return ()
        return tuple(categories)


def _fold_keys(names: Mapping[str, set[str]]) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    exact: dict[str, frozenset[str]] = {}
    loose: dict[str, frozenset[str]] = {}
    for name, ids in names.items():
        for table, key in ((exact, fold_name(name)), (loose, fold_loosely(name))):
            if key:
                table[key] = table.get(key, frozenset()) | ids
    return exact, loose


# ---- readings --------------------------------------------------------------------------------------------------------


class Passage(NamedTuple):
    """A text about joining, and the guard under which it applies.

    `option` is None for the datasheet's own text.
    """

    ability: str
    text: LeaderText
    when: Guard = ALWAYS
    option: CompiledEntry | None = None


class Led(NamedTuple):
    """Units to join with the named option, or with none."""

    named: NamedUnits
    option: str = ""


@dataclass(frozen=True, slots=True)
class LeaderReading:
    """What a unit's texts say about joining. A unit that `must` join cannot deploy alone.

    `needs` is a guard on a required attachment. `unknown` names match nothing; `unread` sentences were not understood.
    """

    association: Association | None = None
    rooms: tuple[AttachmentRoom, ...] = ()
    must: bool = False
    needs: Guard | None = None
    led: tuple[Led, ...] = ()
    unknown: Names = ()
    unread: Names = ()


class LeaderIndex:
    """Reads on demand, unit by unit."""

    def __init__(self, compiler: EntryCompiler) -> None:
        self._compiler = compiler
        self._readings: dict[CompiledEntry, LeaderReading] = {}
        self._needing: dict[CompiledEntry, bool] = {}
        self._pairs: dict[str, dict[CompiledEntry, list[CompiledEntry]]] = {}

    def list_associations(self, entry: CompiledEntry) -> tuple[Association, ...]:
        """Return the declared associations, else those from texts."""
        if declared := list_declared_associations(entry):
            return declared
        association = self.read_entry(entry).association
        return (association,) if association else ()

    def may_need_company(self, entry: CompiledEntry) -> bool:
        """Return whether texts require an attachment, without looking up names."""
        cached = self._needing.get(entry)
        if cached is None:
            texts = [passage.text for passage in self._read_own_texts(entry)]
            cached = self._needing[entry] = any(text.must or text.needs for text in texts)
        return cached

    def read_entry(self, entry: CompiledEntry) -> LeaderReading:
        reading = self._readings.get(entry)
        if reading is None:
            reading = self._readings.setdefault(entry, self._read(entry))
        return reading

    def list_led(self, entry: CompiledEntry, roots: Iterable[CompiledEntry]) -> dict[str, list[CompiledEntry]]:
        """Return the `roots` that a unit may join, by the option needed, or ""."""
        led: dict[str, list[CompiledEntry]] = {}
        if list_declared_associations(entry):
            return led
        for named, option in self.read_entry(entry).led:
            joined = led.setdefault(option, [])
            joined += [root for root in roots if root not in joined and root is not entry and named.is_met_by(root)]
        return led

    def list_leaders(self, entry: CompiledEntry, roots: Sequence[CompiledEntry], key: str) -> list[CompiledEntry]:
        """Return the `roots` that may join a unit without an option, cached per `key`."""
        pairs = self._pairs.get(key)
        if pairs is None:
            pairs = {}
            for root in roots:
                if not any(passage.text.leads for passage in self._read_own_texts(root)):
                    continue
                for joined in self.list_led(root, roots).get("", ()):
                    pairs.setdefault(joined, []).append(root)
            self._pairs[key] = pairs
        return pairs.get(entry, [])

    @cached_property
    def names(self) -> UnitNames:
        return UnitNames(self._compiler)

    @cached_property
    def _corrections(self) -> dict[str, LeaderCorrection]:
        system = self._compiler.binding.game_system
        return {fold_name(correction.unit): correction for correction in system.leaders} if system else {}

    @cached_property
    def _stand_ins(self) -> list[tuple[CompiledEntry, StandIn]]:
        """Units that replace others for joining, or that name who may join them."""
        stand_ins: list[tuple[CompiledEntry, StandIn]] = []
        for root in self.names.roots:
            for passage in self._read_own_texts(root):
                stand_ins += [(root, stand_in) for stand_in in passage.text.stand_ins]
                if passage.text.led_by:
                    stand_ins.append((root, StandIn(names=(), who=tuple(passage.text.led_by))))
        return stand_ins

    def _read(self, entry: CompiledEntry) -> LeaderReading:
        correction = self._corrections.get(fold_name(entry.name))
        if correction:
            role = SUPPORT if correction.support else LEADER
            beside = [leader_texts.Companions(names=correction.beside)] if correction.beside else []
            texts = [Passage(role, LeaderText(leads=list(correction.leads), companions=beside))]
        else:
            texts = list(self._read_own_texts(entry))
            # Options may extend the units it can lead; units that lead nothing are skipped.
            if any(passage.text.leads or passage.ability.lower() in ROLES for passage in texts):
                texts += self._read_option_texts(entry)
        reader = _EntryReader(self.names, entry, texts)
        # A unit without such a text joins nothing, even by a stand-in.
        if any(passage.text.leads for passage in texts):
            reader.add_stand_ins(self._stand_ins)
        return reader.build_reading()

    # ---- texts

    def _read_own_texts(self, entry: CompiledEntry) -> Iterator[Passage]:
        binding = self._compiler.binding
        for info in resolve_infos(binding, entry.infos):
            yield from _read_info(info)
        # From definitions, because compiling every unit's content takes seconds in the largest data.
        pending = [LocatedEntry(inner, home) for part, home in _list_homes(entry) for inner in part.entries]
        seen: set[int] = set()
        for inner, home in pending:  # grows during the loop
            located = binding.find_entry(inner.target_id, home) if inner.is_link else LocatedEntry(inner, home)
            if located is None or id(located.entry) in seen:
                continue
            seen.add(id(located.entry))
            if located.entry.kind is EntryKind.GROUP or located.entry.type is EntryType.MODEL:
                for info in resolve_infos(binding, [HomedInfo(info, located.home) for info in located.entry.infos]):
                    yield from _read_info(info)
                pending += [LocatedEntry(child, located.home) for child in located.entry.entries]

    def _read_option_texts(self, entry: CompiledEntry) -> Iterator[Passage]:
        for option in _walk_options(entry):
            for info in resolve_infos(self._compiler.binding, option.infos):
                for ability, text, when, _ in _read_info(info):
                    guard = _ask_selected(option)
                    both = Guard(guards=(guard, when)) if when else guard
                    # Other effects of options do not concern the list.
                    if text.leads:
                        yield Passage(ability, LeaderText(leads=text.leads, replaces=text.replaces), both, option)


def _list_homes(entry: CompiledEntry) -> list[LocatedEntry]:
    parts = [LocatedEntry(entry.target, entry.home)]
    return [*parts, LocatedEntry(entry.link, entry.link_home)] if entry.link else parts


def _walk_options(entry: CompiledEntry) -> Iterator[CompiledEntry]:
    seen = {entry}
    level = [entry]
    for _ in range(DEEPEST):
        level = list(dict.fromkeys(child for part in level for child in part.children if child not in seen))
        seen.update(level)
        yield from (option for option in level if not option.is_group and option.target.type is EntryType.UPGRADE)


def list_declared_associations(entry: CompiledEntry) -> tuple[Association, ...]:
    return tuple(association for part in entry.parts for association in part.associations)


def _read_info(info: Info) -> Iterator[Passage]:
    """Yield a passage per version that modifiers make of a profile or rule."""
    words = [info.description] if info.description else [figure.value for figure in info.characteristics]
    type_ids = {figure.type_id for figure in info.characteristics} | {"description"}
    changed = [m for m in info.modifiers if m.field in type_ids and m.change is Change.SET]
    hiding = [m for m in info.modifiers if m.field == "hidden" and m.value.lower() == "true"]
    absent = tuple(modifier.guard for modifier in (*changed, *hiding) if modifier.guard)
    when = Guard(guards=(Guard(negated=True, guards=(_join_guards(absent),)),)) if absent else ALWAYS
    yield from _read_words(info, words, when)
    for modifier in changed:
        yield from _read_words(info, [modifier.value], modifier.guard)


def _read_words(info: Info, words: Iterable[str], when: Guard) -> Iterator[Passage]:
    ability = info.name.strip()
    is_role = ability.lower() in ROLES and info.kind is InfoKind.PROFILE
    for value in words:
        if may_say_who_leads(value) or (is_role and value.strip(" -")):
            text = read_leader_text(value, is_list=is_role and not may_say_who_leads(value))
            # Many abilities mention attached units, usually as part of the general leader rule.
            if is_role or not text.is_empty:
                yield Passage(ability, text, when)


class _EntryReader:
    def __init__(self, names: UnitNames, entry: CompiledEntry, texts: Sequence[Passage]) -> None:
        self._names = names
        self._entry = entry
        self._texts = texts
        self._unknown: list[str] = []
        self._led: list[Led] = []
        self._reaches: list[Reach] = []
        for passage in texts:
            named = self._look_up(passage.text.leads, names.find_units)
            carried = {fold_name(unit): item for unit, item in passage.text.equipment}
            self._add_targets([one for one in named if fold_name(one.name) not in carried], passage)
            for one in named:
                if item := carried.get(fold_name(one.name)):
                    self._add_carrying(one, item, passage)

    def add_stand_ins(self, stand_ins: Iterable[tuple[CompiledEntry, StandIn]]) -> None:
        """Add units that replace units in the texts, or that name this unit."""
        led_ids = {unit_id for led in self._led if not led.option for unit_id in led.named.unit_ids}
        for root, stand_in in stand_ins:
            who = [named for name in stand_in.who if (named := self._names.find_either(name))]
            if stand_in.who and not any(named.is_met_by(self._entry) for named in who):
                continue
            excluded = [named for name in stand_in.excluding if (named := self._names.find_either(name))]
            replaced = [named for name in stand_in.names if (named := self._names.find_units(name))]
            is_led = any(led_ids & named.unit_ids for named in replaced)
            if (is_led or not stand_in.names) and not any(named.is_met_by(self._entry) for named in excluded):
                self._add_targets([NamedUnits(root.name, frozenset({root.target.id}))], Passage(LEADER, LeaderText()))

    def build_reading(self) -> LeaderReading:
        unread = [sentence for passage in self._texts for sentence in passage.text.unread]
        return LeaderReading(
            association=self._build_association(),
            rooms=tuple(self._build_room(passage.text.room) for passage in self._texts if passage.text.room),
            must=bool(self._reaches) and any(passage.text.must for passage in self._texts),
            needs=self._build_needs(),
            led=tuple(self._led),
            unknown=tuple(dict.fromkeys(self._unknown)),
            unread=tuple(dict.fromkeys(unread)),
        )

    def _add_targets(self, named: Sequence[NamedUnits], passage: Passage) -> None:
        if not named:
            return
        option = passage.option.name if passage.option else ""
        self._led += [Led(one, option) for one in named]
        guard = _join_guards([one.build_guard() for one in named])
        self._reaches.append(Reach(guard=guard, when=passage.when, replaces=passage.text.replaces))

    def _add_carrying(self, named: NamedUnits, item: str, passage: Passage) -> None:
        options = [option for option in _walk_options(self._entry) if fold_name(option.name) == fold_name(item)]
        if not options:
            self._unknown.append(item)
            return
        guard = _join_guards([_ask_selected(option) for option in options])
        both = Guard(guards=(guard, passage.when)) if passage.when else guard
        self._add_targets([named], Passage(passage.ability, passage.text, both, options[0]))

    def _look_up(self, names: Iterable[str], find: Callable[[str], NamedUnits | None]) -> list[NamedUnits]:
        looked_up = {name: find(name) for name in names}
        self._unknown += [name for name, named in looked_up.items() if named is None]
        return [named for named in looked_up.values() if named]

    def _build_association(self) -> Association | None:
        if not self._reaches:
            return None
        abilities = {passage.ability.lower() for passage in self._texts if passage.text.leads}
        label = LEADER
        company = [one for passage in self._texts for one in self._build_company(passage.text)]
        if SUPPORT.lower() in abilities:
            label = SUPPORT
            # A unit may have one leader and one supporter.
            company.append(Company(label=LEADER))
        elif any(passage.text.joins for passage in self._texts):
            label = JOINS
            if not company:
                # A joining unit is not a leader, and no unit takes two of a kind.
                company.append(Company(most=leader_texts.ANY_NUMBER, unlike=True))
        return Association(
            id=LEADS,
            name=label,
            label=label,
            scope=Scope.ROSTER,
            child_id=ANY,
            include_child_forces=True,
            most=1,
            reaches=tuple(self._reaches),
            exclusive=True,
            company=tuple(company),
        )

    def _build_company(self, text: LeaderText) -> Iterator[Company]:
        for companions in text.companions:
            hosts = self._look_up(companions.hosts, self._names.find_units)
            host = _join_guards([named.build_guard() for named in hosts]) if hosts else ALWAYS
            guard = ALWAYS
            if not any(name.lower() in EVERYBODY for name in companions.names):
                named = self._look_up(companions.names, self._names.find_either)
                if not named:
                    continue
                guard = _join_guards([one.build_guard() for one in named])
            yield Company(guard=guard, most=companions.most, host=host, unlike=companions.unlike)

    def _build_room(self, room: leader_texts.RoomText) -> AttachmentRoom:
        when = ALWAYS
        if room.size:
            models = Query(scope=Scope.SELF, child_id=EntryType.MODEL.value, deep=True)
            when = Guard(conditions=(Condition(operator=Operator.AT_LEAST, query=models, value=room.size),))
        return AttachmentRoom(
            most=room.most,
            when=when,
            needs=self._build_any(room.needs),
            single=self._build_any(room.single),
            unlike=room.unlike,
        )

    def _build_needs(self) -> Guard | None:
        named = self._look_up([name for passage in self._texts for name in passage.text.needs], self._names.find_either)
        return _join_guards([one.build_guard() for one in named]) if named else None

    def _build_any(self, names: Names) -> Guard:
        named = self._look_up(names, self._names.find_either)
        return _join_guards([one.build_guard() for one in named]) if named else ALWAYS
