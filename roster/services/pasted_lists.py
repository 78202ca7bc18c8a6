"""Lists that are pasted as text: read line by line, checked by their sums, and judged if their game is installed."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from django.db import transaction
from django.db.models import QuerySet

from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number
from catalogue.models import Faction, UnitEntry
from catalogue.services.published_games import select_games
from roster.engine.evaluation import Deadline, OverdueError
from roster.engine.report import Verdict
from roster.formats.list_document import ListDocument, Text, Unreadable
from roster.formats.list_text import decode_text, simplify_name
from roster.formats.other_files import recognise_other_file
from roster.formats.ros.json_form import is_roster_json
from roster.formats.text.arithmetic import SumCheck, check_sums
from roster.formats.text.names import make_key
from roster.formats.text.own_reader import POINTS_NAME
from roster.formats.text.parse import MAX_TEXT, parse_text
from roster.formats.text.pasted import AS_READ, LineKind, PastedLine, PastedList, Reading
from roster.formats.text.resolve import (
    ListResolver,
    ResolvedForce,
    ResolvedUnit,
    build_resolved_document,
    choose_force_entry,
)
from roster.formats.text.unit_filler import MAX_KEY, ResolvedName
from roster.models import SettledNames
from roster.services.demanded import take_demanded
from roster.services.evaluation import evaluate_with
from roster.services.exchange import is_roster_file
from roster.services.limits import get_judging_seconds, start_deadline
from roster.services.list_check import CheckedDocument, judge_document
from roster.services.owners import Visitor, filter_owned
from roster.services.pasted_allies import InnerForces, load_faction_book, resolve_allies
from roster.services.rulesets import load_ruleset

FARTHEST_TOTAL = 10
"""The total that a text states may miss that of its list by one such part of it before the reading is doubted."""
MAX_LISTS = 20
"""How many lists of one paste are judged; the rest is read and its sums are checked."""
MAX_ROWS = 10_000
MOST_ROUNDS = 3
"""How often what a list lacks is taken and judged."""
MAX_SETTLED = 500
"""How many names of a player's lists are remembered."""
MAX_VALUE = 300
SPELLED, EXACT = 4, 5
"""What a unit counts for that a faction has by that name, and by that name for these points."""
_OF_UNITS = (LineKind.UNIT, LineKind.OPTION, LineKind.UNKNOWN)
_WORST = (Reading.UNREAD, Reading.GUESSED, Reading.UNDERSTOOD)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPoints:
    """What a unit costs by the text, and what it costs by the data."""

    line: int
    name: str
    claimed: Number
    computed: Number


@dataclass(slots=True, kw_only=True)
class ReadPaste:
    """One pasted list: its lines, its sums and, where its game is installed, names, verdict and points.

    `unreadable` says why it could not be built although its game is here.
    """

    pasted: PastedList
    sums: list[SumCheck]
    faction: Faction | None = None
    names: list[ResolvedName] | None = None
    checked: CheckedDocument | None = None
    unreadable: Unreadable | None = None
    points: list[ComparedPoints] | None = None

    @property
    def lines(self) -> list[PastedLine]:
        """The lines, each as sure as the least sure name in it."""
        worst: dict[int, Reading] = {}
        for name in self.names or ():
            known = worst.get(name.line, Reading.UNDERSTOOD)
            worst[name.line] = min(known, name.reading, key=_WORST.index)
        return [
            replace(line, reading=min(line.reading, worst.get(line.number, line.reading), key=_WORST.index))
            for line in self.pasted.lines
        ]

    @property
    def open_names(self) -> list[ResolvedName]:
        """The names that are guessed, like nothing, or settled by the user, who may think again."""
        return [name for name in self.names or () if name.settled or name.reading is not Reading.UNDERSTOOD]

    @property
    def differing_points(self) -> list[ComparedPoints]:
        """The units that cost something else by the data than the text says."""
        return [unit for unit in self.points or () if unit.claimed != unit.computed]

    @property
    def open_lines(self) -> Counter[Reading]:
        """How many lines leave the list open: guessed ones of units, and unread ones from the first unit on."""
        first = min((unit.line for unit in self.pasted.units), default=0)
        return Counter(
            line.reading
            for line in self.lines
            if line.text.strip()
            and line.number >= first
            and (line.reading is Reading.UNREAD or (line.reading is Reading.GUESSED and line.kind in _OF_UNITS))
        )

    @property
    def is_wholly_read(self) -> bool:
        """Whether nothing of the text is left open, and its list costs what the text says, but for a tenth."""
        # A text of our own says what is in its list to the last option, whatever total somebody wrote above it.
        stated = self.pasted.claims.total if self.pasted.document is None else None
        costs = self.checked.judged.points if self.checked else None
        is_far = False
        if stated and costs is not None:
            is_far = max(costs.value - stated, stated - costs.value) * FARTHEST_TOTAL > stated
        return not (is_far or self.open_lines or self.pasted.doubts)

    @property
    def verdict(self) -> str:
        """The verdict on the text, which is never better than its reading; blank for a list that was not judged."""
        if self.checked is None:
            return ""
        verdict = self.checked.judged.verdict
        return AS_READ if verdict is Verdict.LEGAL and not self.is_wholly_read else verdict.value

    @property
    def counts(self) -> Counter[Reading]:
        return Counter(line.reading for line in self.lines if line.text.strip())


def is_pasted_text(data: bytes) -> bool:
    """Return whether bytes are a list as people paste it: no roster file, no list document.

    >>> is_pasted_text(b"Low water (80 points)"), is_pasted_text(b"list: 1"), is_pasted_text(b"PK")
    (True, False, False)
    """
    if is_roster_file(data) or is_roster_json(data):
        return False
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return not start.startswith((b"{", b"[\n", b"---")) and re.search(rb"(?m)^[\"']?list[\"']?\s*:\s*\d", start) is None


def read_pasted_text(
    text: bytes | str,
    *,
    game: str = "",
    faction: str = "",
    choices: Mapping[str, str] | None = None,
    tree: bool = False,
    has_account: bool = False,
) -> list[ReadPaste] | Unreadable:
    """Read a pasted text. `game` and `faction` are slugs where the user said them; `choices` settle names;
    `tree` also fills in everything derived for each unit; `has_account` allows the time that an account may use.

    Whatever it is, the answer is a value: a text that is none, or longer than any paste, is unreadable.
    """
    lists = _parse_lists(text)
    if isinstance(lists, Unreadable):
        return lists
    deadline = start_deadline(has_account=has_account)
    read = [ReadPaste(pasted=pasted, sums=check_sums(pasted)) for pasted in lists]
    for one in read[:MAX_LISTS]:
        try:
            _judge_paste(one, game, faction, choices or {}, deadline, tree=tree)
        except OverdueError:
            seconds = get_judging_seconds(has_account=has_account)
            one.unreadable = Unreadable("too-slow", detail=str(seconds))
    return read


# ---- what names mean by the word of the user -------------------------------------------------------------------------


def parse_choices(given: Sequence[str]) -> dict[str, str]:
    """Return what names are to mean, each given as `key=value`; a blank value means that it is to be looked up again.

    >>> parse_choices(["unit:marsh:cuttres=crew", "nonsense"])
    {'unit:marsh:cuttres': 'crew'}
    """
    parts = [choice.rpartition("=") for choice in given[:MAX_SETTLED]]
    return {key[:MAX_KEY]: value[:MAX_VALUE] for key, _sign, value in parts if key}


def list_settled_names(visitor: Visitor) -> dict[str, str]:
    """Return what names mean by what a visitor said before."""
    rows = filter_owned(visitor, SettledNames.objects.order_by("updated"))
    return {key: value for names in rows.values_list("names", flat=True) for key, value in names.items()}


def _parse_lists(text: bytes | str) -> tuple[PastedList, ...] | Unreadable:
    if isinstance(text, bytes) and (code := recognise_other_file(text)):
        return Unreadable(code)
    # A letter takes up to four bytes, so that a file may be so much larger than its text.
    if len(text) > 4 * MAX_TEXT:
        return Unreadable("too-big", given=str(len(text)), detail=str(MAX_TEXT))
    plain = text if isinstance(text, str) else decode_text(text)
    if plain is None or "\x00" in plain:
        return Unreadable("no-text")
    if not plain.strip():
        return Unreadable("empty")
    try:
        return parse_text(plain).lists
    except ValueError:
        return Unreadable("too-big", given=str(len(plain)), detail=str(MAX_TEXT))


def settle_names(owner: Visitor, choices: Mapping[str, str], read: Iterable[ReadPaste]) -> None:
    """Remember what names mean for the next list of an owner; a blank choice forgets.

    Only names that were open in a list are remembered: nothing else can be stored by who sends made-up ones.
    """
    asked = {name.key for one in read for name in one.names or ()}
    fresh = {key: value for key, value in choices.items() if key in asked}
    if fresh:
        _store_names(owner, fresh)


@transaction.atomic
def _store_names(owner: Visitor, fresh: Mapping[str, str]) -> None:
    rows = list(filter_owned(owner, SettledNames.objects.select_for_update().order_by("updated")))
    names: dict[str, str] = {}
    for row in rows:
        names.update(row.names)
    for key, value in fresh.items():
        # Fresh names come last, as the newest.
        names.pop(key, None)
        if value:
            names[key] = value

    newest = rows.pop() if rows else SettledNames(**owner.fields)
    # The newest are kept before the oldest. What a guest and an account had is one thing from now on.
    newest.names = dict(list(names.items())[-MAX_SETTLED:])
    newest.save()
    for row in rows:
        row.delete()


# ---- judging ---------------------------------------------------------------------------------------------------------


def _judge_paste(
    one: ReadPaste, game: str, faction_slug: str, choices: Mapping[str, str], deadline: Deadline, *, tree: bool
) -> None:
    if one.pasted.document is not None:
        _judge_own_text(one, one.pasted.document, deadline, tree=tree)
        return
    faction = one.faction = _find_faction(one.pasted, game, faction_slug)
    book = load_faction_book(faction) if faction else None
    if faction is None or book is None:
        return
    resolver = ListResolver(book, choices)
    if resolver.count_known_units(one.pasted) < len(one.pasted.units):
        resolver = ListResolver(book, choices, _list_former_names(faction))
    units = resolver.resolve_list(one.pasted)
    entry = choose_force_entry(book, one.pasted, units)
    # Forces of other factions replace units by their own.
    inner = InnerForces(one.pasted, faction, entry, choices).take_units(units) if entry and entry.forces else []
    allies = list(resolve_allies(one.pasted, faction, units, choices))
    one.names = list(chain.from_iterable(unit.names for unit in units))

    elsewhere = [unit for force in (*inner, *allies) for unit in force.units]
    home_units = [unit for unit in units if unit not in elsewhere]
    forces = [ResolvedForce(entry, faction.faction_id, home_units, inner), *allies] if entry else allies
    # Names alone are shown for the reader to settle; there is nothing to judge yet.
    if not forces or not (inner or any(unit.item for unit in units)):
        return
    version = faction.version
    points = load_ruleset(version, faction.faction_id).points_type
    document = build_resolved_document(
        one.pasted,
        forces,
        game=version.game.slug,
        version=version.short_hash,
        points_id=version.points_id,
        # Data that limits points to 0 leaves it to the players to agree on a number.
        has_limit=points is not None and points.default_limit > 0,
    )
    outcome = judge_document(document, tree=tree, deadline=deadline)
    if not isinstance(outcome, Unreadable):
        outcome = _take_demanded(outcome, one.pasted, tree=tree, deadline=deadline)
    _keep_judged(one, outcome)
    if one.checked is not None:
        one.points = _compare_points(units, one.checked)


def _take_demanded(checked: CheckedDocument, pasted: PastedList, *, tree: bool, deadline: Deadline) -> CheckedDocument:
    """Take what the data demands of what the text names, and judge the list with that."""
    counted = {make_key(unit.name) for unit in pasted.units if unit.count and unit.count > 1}
    counted |= {make_key(item.name) for unit in pasted.units for item in unit.walk_items() if item.counted}
    # What was taken may demand something in its turn.
    for _ in range(MOST_ROUNDS):
        judged = checked.judged
        roster = take_demanded(judged, counted)
        if roster is judged.tree:
            break
        ahead = not checked.version.is_community
        judged = evaluate_with(judged.ruleset, roster, judged.game, tree=tree, look_ahead=ahead, deadline=deadline)
        checked = replace(checked, judged=judged)
    return checked


def _keep_judged(one: ReadPaste, outcome: CheckedDocument | Unreadable) -> None:
    if isinstance(outcome, Unreadable):
        one.unreadable = outcome
    else:
        one.checked, one.faction = outcome, outcome.faction


def _judge_own_text(one: ReadPaste, document: ListDocument, deadline: Deadline, *, tree: bool) -> None:
    """Judge a text of our own; data that is not installed any more is replaced by the current."""
    # The limit of points is called as the game calls it.
    names = (simplify_name(document.game.value), document.game.value)
    games = (game for game in select_games() if simplify_name(game.name) in names or game.slug in names)
    points_id = next((game.shown.points_id for game in games), "")
    if points_id:
        limits = tuple(
            replace(limit, type=Text(points_id)) if limit.type.value == POINTS_NAME else limit
            for limit in document.limits
        )
        document = replace(document, limits=limits)

    outcome = judge_document(document, tree=tree, deadline=deadline)
    if isinstance(outcome, Unreadable) and outcome.code == "unknown-version":
        outcome = judge_document(replace(document, version=Text()), tree=tree, deadline=deadline)
    _keep_judged(one, outcome)


# ---- which data ------------------------------------------------------------------------------------------------------


def _find_faction(pasted: PastedList, game: str, faction: str) -> Faction | None:
    """Return the faction of an installed game that a list is of: the one that knows most of its units."""
    factions = Faction.objects.filter(version__current_of__isnull=False)
    if game:
        factions = factions.filter(version__game__slug=game)
    chosen = {"slug": faction} if faction else {"pk": _choose_faction(pasted, factions, is_of_game=bool(game))}
    return factions.filter(**chosen).select_related("version__game").first()


def _choose_faction(pasted: PastedList, factions: QuerySet[Faction], *, is_of_game: bool) -> int | None:
    """Return the key of the faction that a list is of, None where too few of its units are known anywhere."""
    # Some heads put a part of the faction's name on a line of its own.
    bare = (value for key, value in pasted.claims.other.items() if key.startswith("line "))
    parts = chain.from_iterable(name.split("|") for name in (pasted.claims.faction, *bare))
    claimed = {simplify_name(name) for name in parts} - {""}
    # Names alone: a server may have hundreds of factions.
    factions_by_pk = dict(factions.values_list("pk", "name"))
    if not factions_by_pk:
        return None
    named = [pk for pk, name in factions_by_pk.items() if _is_called(name, claimed)]
    # If nothing is spelled so, accents and signs are left aside. That reads every name of a faction, so it is done
    # for few of them only.
    hits = _count_units(pasted, factions) or _count_folded_units(pasted, list(factions_by_pk) if is_of_game else named)
    best = max(factions_by_pk, key=hits.__getitem__)

    # A faction that the list names needs half of what any faction knows. If nobody said the game, its name alone is
    # not enough: several games have a faction of that name.
    believable = named if is_of_game else [pk for pk in named if hits[pk]]
    best_named = max(believable, key=hits.__getitem__, default=None)
    if best_named is not None and hits[best_named] * 2 >= hits[best]:
        return best_named

    # If nobody said the game, a name or two may be of any game.
    needed = SPELLED
    if not is_of_game:
        needed *= max(1, len({unit.name for unit in pasted.units}) // 3)
    return best if hits[best] >= needed else None


def _is_called(name: str, claimed: set[str]) -> bool:
    """Whether a faction is one that the head names; community data puts an alliance in front of the name."""
    return bool(claimed & {simplify_name(name), simplify_name(name.rsplit(" - ", 1)[-1])})


def _count_units(pasted: PastedList, factions: QuerySet[Faction]) -> Counter[int]:
    """Count the units that each faction has by name; of games that know the same units, points tell which it is."""
    costs = {unit.name: unit.points for unit in pasted.units}
    spelled = {name.replace("'", "’"): name for name in costs} | {name: name for name in costs}
    rows = UnitEntry.objects.filter(faction__in=factions, name__in=spelled, hidden=False)
    hits: Counter[int] = Counter()
    for faction_id, name, points in set(rows.values_list("faction_id", "name", "points")):
        is_exact = points is not None and points == costs[spelled[name]]
        hits[faction_id] += EXACT if is_exact else SPELLED
    return hits


def _count_folded_units(pasted: PastedList, faction_ids: Sequence[int]) -> Counter[int]:
    names = {simplify_name(unit.name) for unit in pasted.units}
    rows = UnitEntry.objects.filter(faction__in=faction_ids, hidden=False).values_list("faction_id", "name")
    hits: Counter[int] = Counter()
    for faction_id, name in rows[:MAX_ROWS]:
        hits[faction_id] += SPELLED * (simplify_name(name) in names)
    return +hits


def _list_former_names(faction: Faction) -> dict[str, list[str]]:
    """List what units of a faction were called in other versions of its game, by entry."""
    rows = UnitEntry.objects.filter(
        faction__version__game=faction.version.game_id, faction__faction_id=faction.faction_id
    ).exclude(faction=faction)
    names: dict[str, list[str]] = {}
    for entry_id, name in set(rows.values_list("entry_id", "name")):
        names.setdefault(entry_id, []).append(name)
    return names


def _compare_points(units: Sequence[ResolvedUnit], checked: CheckedDocument) -> list[ComparedPoints]:
    """Compare the points of each unit; equal units are in the order of the text."""
    points_id = checked.judged.points_id
    evaluation = checked.judged.evaluation
    members = chain.from_iterable(force.members for force in evaluation.roster.all_forces)
    nodes_by_entry = group_by(members, lambda node: node.entry_id)
    compared = []
    for unit in units:
        nodes = nodes_by_entry.get(unit.option.local_id) if unit.option else None
        if not nodes:
            continue
        node, pasted, claimed = nodes.pop(0), unit.pasted, unit.pasted.points
        # The sum walks over all that is in the unit, so only units that state points are added up.
        if claimed is not None:
            computed = evaluation.costs.sum_selection(node).get(points_id, 0)
            compared.append(ComparedPoints(line=pasted.line, name=pasted.name, claimed=claimed, computed=computed))
    return compared
