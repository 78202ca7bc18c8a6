"""Read pasted lists line by line, and evaluate them if their game is installed."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from django.db import transaction

from catalogue.definitions.entries import EntryType
from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.ruleset import CompiledCatalogue
from catalogue.models import Faction, UnitEntry
from catalogue.services.search import find_option_name
from roster.engine.evaluation import Deadline, Evaluation, OverdueError
from roster.engine.report import Verdict
from roster.engine.tree import Force, RosterTree
from roster.formats.list_document import Unreadable, is_list_link
from roster.formats.list_text import decode_text, simplify_name
from roster.formats.other_files import recognise_other_file
from roster.formats.ros.json_form import is_roster_json
from roster.formats.text.arithmetic import SumCheck, check_sums
from roster.formats.text.force_fit import ForceFit, rank_force_entries, sort_fits
from roster.formats.text.line_answers import apply_line_answers
from roster.formats.text.names import make_key
from roster.formats.text.parse import MAX_TEXT, parse_text, read_with_names
from roster.formats.text.pasted import AS_READ, DoubtKind, LineKind, PastedLayout, PastedLine, PastedList, Reading
from roster.formats.text.resolve import ListResolver, ResolvedForce, ResolvedUnit, build_resolved_document
from roster.formats.text.unit_filler import MAX_KEY, ResolvedName
from roster.models import SettledNames
from roster.services.demanded import take_demanded
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.exchange import is_roster_file
from roster.services.limits import get_judging_seconds, start_deadline
from roster.services.list_check import CheckedDocument, judge_document
from roster.services.own_texts import judge_outline, judge_own_document
from roster.services.owners import Visitor, filter_owned
from roster.services.pasted_allies import InnerForces, load_faction_book, resolve_allies
from roster.services.pasted_editions import Edition, Editions, find_editions
from roster.services.rulesets import load_ruleset
from roster.services.unsaid import yield_to_named

FARTHEST_TOTAL = 10
"""Totals of text and data may differ by one part in this many."""
MAX_LISTS = 20
"""How many lists of one paste are evaluated; the others are only read and summed."""
MAX_NAMES = 1_000
"""How many unit names are suggested for an unread line."""
MOST_ROUNDS = 3
"""How often missing parts are added and the list evaluated again."""
MAX_SETTLED = 500
"""How many names are remembered from an owner's lists."""
MAX_VALUE = 300
_OF_UNITS = (LineKind.UNIT, LineKind.OPTION, LineKind.UNKNOWN)
_WORST = (Reading.UNREAD, Reading.GUESSED, Reading.UNDERSTOOD)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPoints:
    line: int
    name: str
    claimed: Number
    computed: Number


@dataclass(frozen=True, slots=True)
class Forces:
    """`offered` has the likeliest first. `is_settled` means that the user chose it."""

    offered: tuple[ForceFit, ...] = ()
    chosen: ForceFit | None = None
    is_sure: bool = True
    is_settled: bool = False


@dataclass(slots=True, kw_only=True)
class ReadPaste:
    """`number` is the list's position in the text, from 1. Only an installed game gives `names`, `checked` and
    `points`.
    """

    pasted: PastedList
    sums: list[SumCheck]
    number: int = 1
    editions: Editions = field(default_factory=Editions)
    forces: Forces = field(default_factory=Forces)
    unit_names: list[str] = field(default_factory=list)
    faction: Faction | None = None
    names: list[ResolvedName] | None = None
    checked: CheckedDocument | None = None
    unreadable: Unreadable | None = None
    points: list[ComparedPoints] | None = None

    @property
    def edition_key(self) -> str:
        return f"edition:{self.number}"

    @property
    def force_key(self) -> str:
        return f"force:{self.number}"

    @property
    def other_editions(self) -> list[Edition]:
        chosen = self.editions.chosen
        least = chosen.score / 2 if chosen else 0
        return [edition for edition in self.editions.offered if edition is not chosen and edition.score >= least]

    @property
    def other_forces(self) -> list[ForceFit]:
        """Forces that fit as well as the chosen one; empty if the choice is sure."""
        chosen = self.forces.chosen
        if chosen is None or self.forces.is_sure:
            return []
        return [fit for fit in self.forces.offered if fit is not chosen and fit.rank == chosen.rank]

    @property
    def lines(self) -> list[PastedLine]:
        """The lines, each as certain as its least certain name."""
        worst: dict[int, Reading] = {}
        for name in self.names or ():
            reading = worst.get(name.line, Reading.UNDERSTOOD)
            worst[name.line] = min(reading, name.reading, key=_WORST.index)
        return [
            replace(line, reading=min(line.reading, worst.get(line.number, line.reading), key=_WORST.index))
            for line in self.pasted.lines
        ]

    @property
    def open_names(self) -> list[ResolvedName]:
        return [name for name in self.names or () if name.settled or name.reading is not Reading.UNDERSTOOD]

    @property
    def differing_points(self) -> list[ComparedPoints]:
        return [unit for unit in self.points or () if unit.claimed != unit.computed]

    @property
    def open_lines(self) -> Counter[Reading]:
        first = min((unit.line for unit in self.pasted.units), default=0)
        return Counter(
            line.reading
            for line in self.lines
            if line.text.strip()
            and line.number >= first
            and (line.reading is Reading.UNREAD or (line.reading is Reading.GUESSED and line.kind in _OF_UNITS))
        )

    @property
    def misses_total(self) -> bool:
        """Whether the total, or else the sum of units, differs from the data by over a tenth."""
        # Our own texts list everything, whatever total was edited in.
        stated = self.pasted.claims.total if self.pasted.document is None else None
        costs = self.checked.evaluated_list.points if self.checked else None
        if stated and costs is not None:
            return _differ_widely(stated, costs.value)
        units = self.points or ()
        return _differ_widely(sum(unit.claimed for unit in units), sum(unit.computed for unit in units))

    @property
    def is_wholly_read(self) -> bool:
        """Whether everything was read and the total is within a tenth."""
        return not (self.misses_total or self.open_lines or self.pasted.doubts)

    @property
    def verdict(self) -> str:
        """The verdict; "as read" instead of legal if the reading is uncertain."""
        if self.checked is None:
            return ""
        verdict = self.checked.evaluated_list.verdict
        return AS_READ if verdict is Verdict.LEGAL and not self.is_wholly_read else verdict.value

    @property
    def counts(self) -> Counter[Reading]:
        return Counter(line.reading for line in self.lines if line.text.strip())


def _differ_widely(stated: Number, computed: Number) -> bool:
    return max(computed - stated, stated - computed) * FARTHEST_TOTAL > stated


def is_pasted_text(data: bytes) -> bool:
    """Return whether bytes are a pasted list rather than a roster file or list document.

    >>> is_pasted_text(b"Low water (80 points)"), is_pasted_text(b"list: 1"), is_pasted_text(b"armylist:1:PNRG")
    (True, False, False)
    """
    if is_roster_file(data) or is_roster_json(data) or is_list_link(data):
        return False
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return not start.startswith((b"{", b"[\n", b"---")) and re.search(rb"(?m)^[\"']?list[\"']?\s*:\s*\d", start) is None


def read_pasted_text(
    text: bytes | str,
    *,
    game: str = "",
    faction: str = "",
    force: str = "",
    choices: Mapping[str, str] | None = None,
    tree: bool = False,
    has_account: bool = False,
) -> list[ReadPaste] | Unreadable:
    """Read a pasted text; never raises, whatever the content.

    `game` and `faction` are slugs, `force` is an id or name, `choices` are the user's answers by key.
    """
    lists = _parse_lists(text)
    if isinstance(lists, Unreadable):
        return lists
    deadline = start_deadline(has_account=has_account)
    settled = choices or {}
    read = []
    for number, pasted in enumerate(lists, 1):
        apply_line_answers(pasted, settled)
        read.append(ReadPaste(pasted=pasted, sums=check_sums(pasted), number=number))
    for place, one in enumerate(read[:MAX_LISTS]):
        answer = settled.get(one.edition_key, "")
        # The user may choose a game that was not considered before.
        limited = "" if answer else game
        force_answer = settled.get(one.force_key, force)
        try:
            # The user's answers take precedence over the text.
            if (answer or force_answer) or not _judge_own_text(one, game, faction, deadline, tree=tree):
                one.editions = find_editions(one.pasted, game=limited, faction=faction, answer=answer)
                read[place] = _judge_paste(one, force_answer, settled, deadline, tree=tree)
        except OverdueError:
            seconds = get_judging_seconds(has_account=has_account)
            one.unreadable = Unreadable("too-slow", detail=str(seconds))
    return read


# ---- meanings that users settled ----------------------------------------------------------------------------------


def parse_choices(given: Sequence[str]) -> dict[str, str]:
    """Parse answers about names, given as `key=value`.

    >>> parse_choices(["unit:marsh:cuttres=crew", "nonsense"])
    {'unit:marsh:cuttres': 'crew'}
    """
    parts = [choice.rpartition("=") for choice in given[:MAX_SETTLED]]
    return {key[:MAX_KEY]: value[:MAX_VALUE] for key, _sign, value in parts if key}


def list_settled_names(visitor: Visitor) -> dict[str, str]:
    rows = filter_owned(visitor, SettledNames.objects.order_by("updated"))
    return {key: value for names in rows.values_list("names", flat=True) for key, value in names.items()}


def _parse_lists(text: bytes | str) -> tuple[PastedList, ...] | Unreadable:
    if isinstance(text, bytes) and (code := recognise_other_file(text)):
        return Unreadable(code)
    # A character takes up to four bytes.
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
    """Remember an owner's meanings of names in the lists, ignoring other names; a blank answer forgets."""
    keys = {name.key for one in read for name in one.names or ()}
    fresh = {key: value for key, value in choices.items() if key in keys}
    if fresh:
        _store_names(owner, fresh)


@transaction.atomic
def _store_names(owner: Visitor, fresh: Mapping[str, str]) -> None:
    rows = list(filter_owned(owner, SettledNames.objects.select_for_update().order_by("updated")))
    names: dict[str, str] = {}
    for row in rows:
        names.update(row.names)
    for key, value in fresh.items():
        names.pop(key, None)
        if value:
            names[key] = value

    newest = rows.pop() if rows else SettledNames(**owner.fields)
    # Drop the oldest, and merge the rows of guest and account.
    newest.names = dict(list(names.items())[-MAX_SETTLED:])
    newest.save()
    for row in rows:
        row.delete()


# ---- judging ---------------------------------------------------------------------------------------------------------


def _judge_own_text(one: ReadPaste, game: str, faction: str, deadline: Deadline, *, tree: bool) -> bool:
    pasted = one.pasted
    if pasted.document is not None:
        _keep_judged(one, judge_own_document(pasted.document, deadline, tree=tree))
    elif pasted.outline is None:
        return False
    else:
        checked = judge_outline(pasted.outline, deadline, game=game, faction=faction, tree=tree)
        if checked is None:
            return False
        _keep_judged(one, checked)
        # Our own layouts are fully understood.
        pasted.doubts[:] = [doubt for doubt in pasted.doubts if doubt.kind is DoubtKind.LEFT_OUT]
        pasted.lines[:] = [replace(line, reading=Reading.UNDERSTOOD) for line in pasted.lines]
    one.editions = Editions()
    return True


def _judge_paste(
    one: ReadPaste, force_answer: str, choices: Mapping[str, str], deadline: Deadline, *, tree: bool
) -> ReadPaste:
    """Evaluate again if the data hides a unit with a twin; return the better reading."""
    _judge_names(one, force_answer, choices, deadline, tree=tree)
    hidden = _list_hidden_twins(one)
    if not hidden:
        return one
    again = replace(one)
    _judge_names(again, force_answer, choices, deadline, tree=tree, avoided=hidden)
    return min(
        one, again, key=lambda read: len(read.checked.evaluated_list.report.errors) if read.checked else MAX_NAMES
    )


def _list_hidden_twins(one: ReadPaste) -> set[str]:
    if one.checked is None:
        return set()
    units = chain.from_iterable(force.members for force in one.checked.evaluated_list.evaluation.roster.all_forces)
    places = {error.on.id for error in one.checked.evaluated_list.report.errors if error.code == RuleCode.HIDDEN}
    hidden = [unit for unit in units if unit.written.id in places]
    book = load_faction_book(one.checked.faction) if hidden else None
    numbers = Counter(simplify_name(root.name) for root in book.distinct_roots) if book else Counter()
    return {unit.entry_id for unit in hidden if numbers[simplify_name(unit.written.name)] > 1}


def _judge_names(
    one: ReadPaste,
    force_answer: str,
    choices: Mapping[str, str],
    deadline: Deadline,
    *,
    tree: bool,
    avoided: Container[str] = (),
) -> None:
    faction = one.faction = one.editions.chosen.faction if one.editions.chosen else None
    book = load_faction_book(faction) if faction else None
    if faction is None or book is None:
        return
    find_name = partial(find_option_name, faction.version)
    resolver = ListResolver(book, choices, avoided=avoided, find_name=find_name)
    if one.pasted.layout is PastedLayout.PLAIN:
        again = read_with_names(one.pasted, resolver.recognize)
        gained = resolver.count_known_units(again) - resolver.count_known_units(one.pasted)
        if gained > 0 or (not gained and again.count_open() < one.pasted.count_open()):
            apply_line_answers(again, choices)
            one.pasted, one.sums = again, check_sums(again)
    if resolver.count_known_units(one.pasted) < len(one.pasted.units):
        resolver = ListResolver(book, choices, _list_former_names(faction), avoided, find_name)
    one.unit_names = _list_unit_names(book)
    units = resolver.resolve_list(one.pasted)
    one.sums = check_sums(one.pasted)
    fits = rank_force_entries(book, one.pasted, units, faction.version.points_id)
    if len(fits) > 1 and fits[0].rank == fits[1].rank:
        fits = _rank_by_choices(fits, units, faction)
    one.forces = _choose_force(fits, force_answer)
    entry = one.forces.chosen.entry if one.forces.chosen else None
    inner = InnerForces(one.pasted, faction, entry, choices).take_units(units) if entry and entry.forces else []
    allies = list(resolve_allies(one.pasted, faction, units, choices))
    one.names = list(chain.from_iterable(unit.names for unit in units))
    _settle_options(one.pasted, one.names)

    elsewhere = [unit for force in (*inner, *allies) for unit in force.units]
    home_units = [unit for unit in units if unit not in elsewhere]
    forces = [ResolvedForce(entry, faction.faction_id, home_units, inner), *allies] if entry else allies
    # Without known units, only show the names for the user to settle.
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
        # A limit of 0 in the data means that players agree on one.
        has_limit=points is not None and points.default_limit > 0,
    )
    outcome = judge_document(document, tree=tree, deadline=deadline)
    if not isinstance(outcome, Unreadable):
        outcome = _fill_gaps(outcome, one.pasted, tree=tree, deadline=deadline)
    _keep_judged(one, outcome)
    if one.checked is not None:
        one.points = _compare_points(units, one.checked)


def _rank_by_choices(fits: Sequence[ForceFit], units: Sequence[ResolvedUnit], faction: Faction) -> list[ForceFit]:
    """Prefer forces that hide fewer choices at the list's start, such as an earlier handbook's lore."""
    settings = [unit.option for unit in units if unit.option is not None and not unit.pasted.line]
    ruleset = load_ruleset(faction.version, faction.faction_id)
    ranked = []
    for fit in fits:
        force = Force(id=fit.entry.id, entry_id=fit.entry.id, catalogue_id=faction.faction_id, name=fit.entry.name)
        evaluation = Evaluation(ruleset, RosterTree(id="", name="", forces=(force,)))
        node = next(evaluation.roster.all_forces)
        previews = (evaluation.preview_selection(node, option) for option in settings)
        ranked.append(replace(fit, hidden=sum(map(evaluation.values.is_hidden, previews))))
    return sort_fits(ranked)


def _choose_force(fits: Sequence[ForceFit], answer: str) -> Forces:
    offered = tuple(fits)
    key = simplify_name(answer)
    answered = (fit for fit in offered if answer and (fit.entry.id == answer or simplify_name(fit.entry.name) == key))
    if settled := next(answered, None):
        return Forces(offered, settled, is_settled=True)
    if not offered:
        return Forces()
    is_sure = offered[0].is_named or len(offered) == 1 or offered[0].rank < offered[1].rank
    return Forces(offered, offered[0], is_sure)


def _list_unit_names(book: CompiledCatalogue) -> list[str]:
    roots = (root for root in book.distinct_roots if not root.hidden)
    names = {root.name for root in roots if root.entry.target.type is not EntryType.UPGRADE}
    return sorted(names)[:MAX_NAMES]


def _settle_options(pasted: PastedList, names: Iterable[ResolvedName]) -> None:
    by_line = group_by(names, lambda name: name.line)
    for line in pasted.lines:
        is_guess = (
            line.kind is LineKind.OPTION and line.reading is Reading.GUESSED and line.number not in pasted.doubted
        )
        resolved_names = by_line.get(line.number, ())
        if (
            is_guess
            and resolved_names
            and all(name.resolved and name.reading is Reading.UNDERSTOOD for name in resolved_names)
        ):
            line.reading = Reading.UNDERSTOOD


def _fill_gaps(checked: CheckedDocument, pasted: PastedList, *, tree: bool, deadline: Deadline) -> CheckedDocument:
    counted = {make_key(unit.name) for unit in pasted.units if unit.count and unit.count > 1}
    counted |= {make_key(item.name) for unit in pasted.units for item in unit.walk_items() if item.counted}
    evaluated_list = checked.evaluated_list
    ahead = not checked.version.is_community

    def judge(roster: RosterTree) -> EvaluatedList:
        return evaluate_with(
            evaluated_list.ruleset,
            roster,
            evaluated_list.game,
            tree=tree,
            look_ahead=ahead,
            deadline=deadline,
            before=evaluated_list,
        )

    # Additions may require or exclude more.
    for _ in range(MOST_ROUNDS):
        last = evaluated_list
        roster = take_demanded(evaluated_list, counted)
        evaluated_list = evaluated_list if roster is evaluated_list.tree else judge(roster)
        evaluated_list = yield_to_named(evaluated_list, checked.named, judge)
        if evaluated_list is last:
            break
    return replace(checked, evaluated_list=evaluated_list)


def _keep_judged(one: ReadPaste, outcome: CheckedDocument | Unreadable) -> None:
    if isinstance(outcome, Unreadable):
        one.unreadable = outcome
    else:
        one.checked, one.faction = outcome, outcome.faction


def _list_former_names(faction: Faction) -> dict[str, list[str]]:
    rows = UnitEntry.objects.filter(
        faction__version__game=faction.version.game_id, faction__faction_id=faction.faction_id
    ).exclude(faction=faction)
    names: dict[str, list[str]] = {}
    for entry_id, name in set(rows.values_list("entry_id", "name")):
        names.setdefault(entry_id, []).append(name)
    return names


def _compare_points(units: Sequence[ResolvedUnit], checked: CheckedDocument) -> list[ComparedPoints]:
    points_id = checked.evaluated_list.points_id
    evaluation = checked.evaluated_list.evaluation
    members = chain.from_iterable(force.members for force in evaluation.roster.all_forces)
    nodes_by_entry = group_by(members, lambda node: node.entry_id)
    compared = []
    for unit in units:
        nodes = nodes_by_entry.get(unit.option.local_id) if unit.option else None
        if not nodes:
            continue
        node, pasted, claimed = nodes.pop(0), unit.pasted, unit.pasted.points
        # Summing walks the whole unit.
        if claimed is not None:
            computed = evaluation.costs.sum_selection(node).get(points_id, 0)
            compared.append(ComparedPoints(line=pasted.line, name=pasted.name, claimed=claimed, computed=computed))
    return compared
