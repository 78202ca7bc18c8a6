"""The model of a deck's page: cards by the units they need, copies left, curves, and what is beside the deck."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.constraints import Severity
from catalogue.definitions.entries import CARDS, Deck, DeckCard
from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number, parse_number
from catalogue.definitions.queries import BOUNDS, Bound
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ids import get_target_id
from catalogue.graph.ruleset import Ruleset
from catalogue.models import Card
from catalogue.services.texts import fold_text
from roster.engine.checks import Check, list_checks, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, Node, SelectionNode
from roster.engine.offers import OfferedOption, list_offers
from roster.engine.report import Violation
from roster.models import Roster
from roster.services.board.detachment_rows import count_slots
from roster.services.choices import fold_card_name, get_allowed_copies
from roster.services.deck_fills import list_deck_fills
from roster.services.deck_shapes import (
    BesideDeck,
    BesideOption,
    CardGroup,
    CardRow,
    Curve,
    DeckBoard,
    DeckChoice,
    DeckFill,
    DeckSheet,
    Taker,
    build_bars,
)
from roster.services.evaluation import EvaluatedList, evaluate_roster
from roster.services.limits import MAX_NUMBER

Rows = Mapping[str, Card]
"""The rows of the catalogue for the cards of a faction, by entry id."""
PresentDeck = tuple[ForceNode, Deck, SelectionNode]
"""A deck of the list: its force, its kind and its selection."""
DeckOfForce = tuple[ForceNode, Deck, SelectionNode | None]
"""A deck that a force has, or (without a selection) may have."""


def build_deck_board(roster: Roster, judged: EvaluatedList | None = None, *, node_id: str = "") -> DeckBoard:
    """Build the board of a list's decks; `node_id` is the deck to show, else the first."""
    judged = judged or evaluate_roster(roster)
    decks_of_forces = list(_find_decks(judged.evaluation))
    present = _list_present(decks_of_forces)
    chosen = _choose_deck(present, node_id)
    decks = tuple(_build_deck_choice(force, deck, node) for force, deck, node in present)
    to_fill = chosen or next(iter(decks_of_forces), None)
    return DeckBoard(
        roster=roster,
        judged=judged,
        knows_decks=judged.knows_decks,
        decks=decks,
        starts=tuple(_list_starts(decks_of_forces, {choice.entry_id for choice in decks})),
        fills=tuple(_list_fills(roster, to_fill)),
        sheet=_DeckSheetBuilder(roster, judged, *chosen).build_sheet() if chosen else None,
        violations=tuple(_list_deck_violations(judged, present)),
    )


def _list_present(decks: Iterable[DeckOfForce]) -> list[PresentDeck]:
    return [(force, deck, node) for force, deck, node in decks if node is not None]


def _list_fills(roster: Roster, deck: DeckOfForce | None) -> Iterator[DeckFill]:
    return list_deck_fills(roster, *deck) if deck else iter(())


def _choose_deck(decks: Sequence[PresentDeck], node_id: str) -> PresentDeck | None:
    """Return the deck of that node, else the first."""
    chosen = next(iter(decks), None)
    for present in decks:
        document = present[2].document
        # A deck that is gone shows the first one, and not an error: pages of two devices may differ.
        if document and document.id == node_id:
            chosen = present
    return chosen


def _list_starts(decks: Iterable[DeckOfForce], taken: Collection[str]) -> Iterator[DeckChoice]:
    """List the decks that may be started, leaving out the kinds that are there already."""
    for force, deck, node in decks:
        # Of two detachments that may have one, a deck that is there in either is enough.
        if node is None and deck.entry_id not in taken:
            yield _build_start(force, deck, _find_deck_option(force, deck))


def list_card_needs(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return every card that decks may hold, by entry id, with the units of which it needs one."""
    return {
        card.entry_id: _name_units(ruleset, catalogue, card.needs)
        for catalogue, deck in _walk_decks(ruleset)
        for card in deck.cards
    }


def list_beside_categories(ruleset: Ruleset) -> frozenset[str]:
    """Return the categories of what lies beside decks, such as banners."""
    return frozenset(category_id for _, deck in _walk_decks(ruleset) for category_id in deck.beside)


def _walk_decks(ruleset: Ruleset) -> Iterator[tuple[Catalogue, Deck]]:
    for catalogue in ruleset.data.catalogues:
        for deck in catalogue.decks:
            yield catalogue, deck


def _name_units(ruleset: Ruleset, home: Catalogue, ids: Iterable[str]) -> tuple[str, ...]:
    units = (ruleset.binding.find_entry(entry_id, home) for entry_id in ids)
    return tuple(dict.fromkeys(one.entry.name for one in units if one))


def _find_decks(evaluation: Evaluation) -> Iterator[DeckOfForce]:
    """Find the decks that each force has, and those that it may have."""
    for force in evaluation.roster.all_forces:
        for deck in _list_described_decks(force):
            yield from ((force, deck, node) for node in _list_deck_nodes(evaluation, force, deck))


def _list_deck_nodes(evaluation: Evaluation, force: ForceNode, deck: Deck) -> Sequence[SelectionNode] | Sequence[None]:
    """List the decks of a kind in a force; a deck that it may start has no node yet."""
    # By target: a deck is one, by whichever link it was taken.
    nodes = [node for node in force.members if node.target_id == deck.entry_id]
    return nodes or ((None,) if _can_start_deck(evaluation, force, deck) else ())


def _can_start_deck(evaluation: Evaluation, force: ForceNode, deck: Deck) -> bool:
    option = _find_deck_option(force, deck)
    return option is not None and evaluation.is_open(force, option)


def _list_described_decks(force: ForceNode) -> list[Deck]:
    catalogues = force.compiled_catalogue.closure if force.compiled_catalogue else ()
    return [deck for catalogue in catalogues for deck in catalogue.decks]


def _find_deck_option(force: ForceNode, deck: Deck) -> CompiledOption | None:
    return force.contents.find_option(deck.entry_id) if force.contents else None


def _build_deck_choice(force: ForceNode, deck: Deck, node: SelectionNode) -> DeckChoice:
    choice = _build_start(force, deck, node.option)
    document = node.document
    if document is None:
        return choice
    return replace(choice, name=document.custom_name or choice.name, node_id=document.id)


def _build_start(force: ForceNode, deck: Deck, option: CompiledOption | None) -> DeckChoice:
    """Build the choice of a deck that the force does not have yet."""
    entry_id, name = (option.local_id, option.name) if option else (deck.entry_id, deck.entry_id)
    return DeckChoice(force_id=force.document.id, entry_id=entry_id, name=name)


def _list_deck_violations(judged: EvaluatedList, decks: Iterable[PresentDeck]) -> Iterator[Violation]:
    """List the violations about cards and decks: on one, caused by one, or counting them."""
    inside = _collect_ids(decks)
    return (violation for violation in judged.report.violations if _is_about_decks(violation, inside))


def _is_about_decks(violation: Violation, inside: set[str]) -> bool:
    places = {violation.on.id, *(place.id for place in violation.cause)}
    return violation.counted_id == CARDS or not inside.isdisjoint(places)


def _collect_ids(decks: Iterable[PresentDeck]) -> set[str]:
    """Collect the ids of decks and of all cards in them."""
    members = [member for _, _, deck in decks for member in (deck, *deck.members)]
    return {member.document.id for member in members if member.document}


class _DeckSheetBuilder:
    """Makes the sheet of one deck."""

    def __init__(
        self, roster: Roster, judged: EvaluatedList, force: ForceNode, deck: Deck, node: SelectionNode
    ) -> None:
        assert node.document is not None  # noqa: S101 - it is one of the list
        self.judged, self.evaluation = judged, judged.evaluation
        self.force, self.deck, self.node = force, deck, node
        self.own_id = node.document.id
        self.known = _load_cards(roster, force.document.catalogue_id)
        self.units = Counter(n.target_id for n in self.evaluation.roster.selections if n.container is n.force)
        self.offered = {option.entry_id: option for option in list_offers(self.evaluation, self.own_id).options}
        self.alike = _group_by_name(node)
        # What lies beside the deck is offered by its force, not by the deck.
        self.in_force = list_offers(self.evaluation, force.document.id).options

    def build_sheet(self) -> DeckSheet:
        groups = tuple(self._build_groups())
        rows = [row for group in groups for row in group.cards]
        least, most = self._find_size_limits()
        return DeckSheet(
            node_id=self.own_id,
            force_id=self.force.document.id,
            name=self.judged.evaluation.values.get_name(self.node),
            count=sum(row.number for row in rows),
            least=least,
            most=most,
            room=_count_room(groups),
            groups=groups,
            curves=build_curves(self.deck, rows),
            beside=tuple(self._build_beside()),
        )

    def _find_size_limits(self) -> tuple[Number | None, Number | None]:
        """Return the least and the most cards the rules ask for."""
        lows: list[Number] = []
        highs: list[Number] = []
        for bound, allowed in self._list_sizes():
            # "Exactly 30" is a bound on either side.
            if bound is not Bound.MAX:
                lows.append(allowed)
            if bound is not Bound.MIN:
                highs.append(allowed)
        return max(lows, default=None), min(highs, default=None)

    def _list_sizes(self) -> Iterator[tuple[Bound, Number]]:
        """List what the rules allow, with the kind of bound that it is."""
        for bound in BOUNDS:
            for check in filter(self._is_about_size, list_checks(self.evaluation, bound)):
                measured = measure_check(self.evaluation, check)
                if measured is not None:
                    yield bound, measured.allowed

    def _is_about_size(self, check: Check) -> bool:
        """Return whether a check binds the number of cards in this deck, its force or the whole list."""
        around: tuple[Node, ...] = (self.node, self.force, self.evaluation.roster)
        if not any(check.node is node for node in around):
            return False
        return check.constraint.query.child_id == CARDS and check.constraint.severity is Severity.ERROR

    # ---- cards ---------------------------------------------------------------------------------------------------

    def _build_groups(self) -> Iterator[CardGroup]:
        """Build the groups: cards the owner names, cards for every list, cards of units in the list, the others."""
        written = [card for card in self.deck.cards if card.written]
        yield from map(self._build_written_group, written)
        cards_by_needs = group_by((card for card in self.deck.cards if not card.written), lambda card: card.needs)
        # Cards for everybody first, then those of units in the list, then those that still need a unit.
        for needs in sorted(cards_by_needs, key=lambda ids: (bool(ids), self._is_without_units(ids))):
            yield self._build_group(needs, cards_by_needs[needs])

    def _is_without_units(self, needs: tuple[str, ...]) -> bool:
        return bool(needs) and not self._count_units(needs)

    def _count_units(self, needs: tuple[str, ...]) -> int:
        return sum(self.units[unit_id] for unit_id in needs)

    def _build_group(self, needs: tuple[str, ...], cards: list[DeckCard]) -> CardGroup:
        rows = tuple(filter(None, map(self._build_row, cards)))
        return CardGroup(
            id=" ".join(needs),
            needs=next((row.needs for row in rows if row.needs), ()),
            units=self._count_units(needs),
            cards=rows,
            takers=tuple(self._find_takers(needs)) if self._is_without_units(needs) else (),
        )

    def _find_takers(self, needs: tuple[str, ...]) -> Iterator[Taker]:
        for option in self.in_force:
            if get_target_id(option.entry_id) in needs and _is_free(option):
                yield Taker(force_id=self.force.document.id, entry_id=option.entry_id, name=option.name)

    def _build_row(self, card: DeckCard) -> CardRow | None:
        option = self.offered.get(self._find_option_id(card))
        if option is None or not _is_visible(option):
            return None
        return self._build_offered_row(option, absent=self._is_without_units(card.needs))

    def _find_option_id(self, card: DeckCard) -> str:
        return next((option_id for option_id in self.offered if get_target_id(option_id) == card.entry_id), "")

    def _build_offered_row(self, option: OfferedOption, *, absent: bool) -> CardRow:
        lasting = option.blocked if option.blocked and not option.blocked.mendable else None
        row = CardRow(
            entry_id=option.entry_id,
            name=option.name,
            number=option.number,
            most=option.max,
            search=fold_text(option.name),
            absent=absent,
            blocked=lasting,
            citation=option.citation,
        )
        known = self.known.get(option.entry_id)
        return row if known is None else self._add_catalogue_row(row, known)

    def _add_catalogue_row(self, row: CardRow, known: Card) -> CardRow:
        """Add what the catalogue knows of a card."""
        figures = dict(known.figures)
        return replace(
            row,
            most=known.copies,  # rules that only advise move the offer's own limit
            needs=tuple(known.needs),
            keywords=tuple(known.keywords),
            figures=tuple((column, value) for column, value in figures.items() if value),
            kind=figures.get(self.deck.kinds, ""),
            text=known.text,
            search=known.search_text,
        )

    def _build_written_group(self, card: DeckCard) -> CardGroup:
        """Build the group of one kind of card that the owner names, with the place to name another."""
        kind = self._build_kind(card)
        nodes = [node for node in self.node.members if node.target_id == card.entry_id]
        rows = tuple(_build_named_row(node, kind, self.alike) for node in nodes)
        group = CardGroup(id=card.entry_id, name=card.entry_id, cards=rows, written=True, entry_id=card.entry_id)
        if kind is None:
            return group
        return replace(
            group, name=kind.name, most=MAX_NUMBER if kind.most is None else kind.most, entry_id=kind.entry_id
        )

    def _build_kind(self, card: DeckCard) -> CardRow | None:
        """Build the row of a kind of card that is yet to be named."""
        option = self.offered.get(self._find_option_id(card))
        return self._build_offered_row(option, absent=False) if option else None

    # ---- beside it -----------------------------------------------------------------------------------------------

    def _build_beside(self) -> Iterator[BesideDeck]:
        slots = count_slots(self.evaluation, self.judged.report.violations).get(self.force.document.id, ())
        most = {slot.id: slot.max for slot in slots}
        options = group_by(filter(_is_visible, self.in_force), lambda option: option.category_id)
        for category_id in self.deck.beside:
            if category_id in options:
                yield self._build_beside_deck(options[category_id], is_single=most.get(category_id) == 1)

    def _build_beside_deck(self, options: Sequence[OfferedOption], *, is_single: bool) -> BesideDeck:
        shown = tuple(self._build_beside_option(option) for option in options)
        first = options[0]
        return BesideDeck(id=first.category_id, name=first.category_name, one=is_single, options=shown)

    def _build_beside_option(self, option: OfferedOption) -> BesideOption:
        lasting = option.blocked if option.blocked and not option.number else None
        return BesideOption(entry_id=option.entry_id, name=option.name, taken=option.selection_ids, blocked=lasting)


def _load_cards(roster: Roster, faction_id: str) -> Rows:
    cards = Card.objects.filter(faction__version=roster.version_id, faction__faction_id=faction_id)
    return {card.entry_id: card for card in cards}


def _is_visible(option: OfferedOption) -> bool:
    """Whether an option is shown: what is hidden is as long as some of it is taken."""
    return bool(option.number) or not option.hidden


def _is_free(option: OfferedOption) -> bool:
    """Whether an option may be taken, if something else is changed first."""
    return not option.hidden and (option.blocked is None or option.blocked.mendable)


NodesByName = Mapping[str, list[SelectionNode]]
"""The cards of a deck that their owner named, by the name as it is compared."""


def _group_by_name(deck: SelectionNode) -> NodesByName:
    named = [node for node in deck.members if node.document and node.document.custom_name]
    return group_by(named, _fold_custom_name)


def _fold_custom_name(node: SelectionNode) -> str:
    return fold_card_name(node.document.custom_name) if node.document else ""


def _build_named_row(node: SelectionNode, kind: CardRow | None, alike: NodesByName) -> CardRow:
    """Build the row of a card that its owner named, with the figures of its kind."""
    row = _build_bare_row(node, alike)
    if kind is None:
        return row
    return replace(row, name=row.name or kind.name, keywords=kind.keywords, figures=kind.figures, kind=kind.kind)


def _build_bare_row(node: SelectionNode, alike: NodesByName) -> CardRow:
    document = node.document
    assert document is not None  # noqa: S101 - it is one of the list
    same = alike.get(fold_card_name(document.custom_name), [])
    return CardRow(
        entry_id=node.entry_id,
        name=document.custom_name,
        number=node.number,
        alike=sum(other.number for other in same if other is not node),
        most=_find_most_copies(same),
        node_id=document.id,
        search=fold_text(document.custom_name),
    )


def _find_most_copies(alike: Iterable[SelectionNode]) -> int | None:
    """Return how many copies the strictest of equally named cards allows, None for any number."""
    allowed = [get_allowed_copies(node) for node in alike]
    return min((most for most in allowed if most is not None), default=None)


def _count_room(groups: Iterable[CardGroup]) -> Number | None:
    """Return how many more cards could go into the deck, whatever its size; None for any number."""
    total: Number = 0
    for left in _list_room(groups):
        if left is None:
            return None
        total += left
    return total


def _list_room(groups: Iterable[CardGroup]) -> Iterator[Number | None]:
    """List how many more go in of each card; None for any number, as of those that their owner names."""
    for group in groups:
        if group.written:
            yield None
        yield from (row.left for row in group.cards if not row.absent)


# ---- curves -------------------------------------------------------------------------------------------------------


def build_curves(deck: Deck, rows: Sequence[CardRow]) -> tuple[Curve, ...]:
    """Build a curve for each column of costs, and one of the kinds if there are several."""
    return tuple(curve for curve in _build_all_curves(deck, rows) if len(curve.bars) > (0 if curve.name else 1))


def _build_all_curves(deck: Deck, rows: Sequence[CardRow]) -> Iterator[Curve]:
    for column in deck.curves:
        yield _build_cost_curve(column, rows)
    kinds = _sum_counts((name, row.number) for row in rows for name in _list_kinds(deck, row))
    yield Curve(name="", bars=build_bars(kinds.items()))


def _build_cost_curve(column: str, rows: Sequence[CardRow]) -> Curve:
    counts = _sum_counts((dict(row.figures).get(column, ""), row.number) for row in rows)
    return Curve(name=column, bars=build_bars(sorted(counts.items(), key=lambda pair: _sort_key(pair[0]))))


def _sum_counts(cards: Iterable[tuple[str, int]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, number in cards:
        counts[name] += number
    return counts


def _list_kinds(deck: Deck, row: CardRow) -> Sequence[str]:
    """Return the kind of a card, by its column or its keywords; blank if it has none."""
    return [row.kind] if deck.kinds else row.keywords or [""]


def _sort_key(value: str) -> tuple[bool, Number, str]:
    """Sort numbers first, by size; then other values, such as X."""
    try:
        return (False, parse_number(value), "")
    except ValueError:
        return (True, 0, value)
