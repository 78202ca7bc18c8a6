from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

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
from roster.engine.checks import list_checks, measure_check
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
    DeckSheet,
    Taker,
    build_bars,
)
from roster.services.evaluation import EvaluatedList, evaluate_roster
from roster.services.limits import MAX_NUMBER

PresentDeck = tuple[ForceNode, Deck, SelectionNode]
DeckOfForce = tuple[ForceNode, Deck, SelectionNode | None]


def build_deck_board(roster: Roster, evaluated_list: EvaluatedList | None = None, *, node_id: str = "") -> DeckBoard:
    """Build the page of the deck `node_id`, or of the first deck."""
    evaluated_list = evaluated_list or evaluate_roster(roster)
    decks_of_forces = list(_find_decks(evaluated_list.evaluation))
    present = [(force, deck, node) for force, deck, node in decks_of_forces if node is not None]

    # A deck removed on another device is not an error: show the first.
    chosen = next(iter(present), None)
    for force, deck, node in present:
        if node.document and node.document.id == node_id:
            chosen = force, deck, node
    to_fill = chosen or next(iter(decks_of_forces), None)

    decks = tuple(_build_deck_choice(force, deck, node) for force, deck, node in present)
    # Two detachments may have the same deck; one of them is enough.
    kinds = {choice.entry_id for choice in decks}
    starts = tuple(
        _build_start(force, deck, _find_deck_option(force, deck))
        for force, deck, node in decks_of_forces
        if node is None and deck.entry_id not in kinds
    )
    return DeckBoard(
        roster=roster,
        evaluated_list=evaluated_list,
        knows_decks=evaluated_list.knows_decks,
        decks=decks,
        starts=starts,
        fills=tuple(list_deck_fills(roster, *to_fill)) if to_fill else (),
        sheet=_DeckSheetBuilder(roster, evaluated_list, *chosen).build_sheet() if chosen else None,
        violations=tuple(_list_deck_violations(evaluated_list, present)),
    )


def list_card_needs(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    needs: dict[str, tuple[str, ...]] = {}
    for catalogue in ruleset.data.catalogues:
        for deck in catalogue.decks:
            for card in deck.cards:
                units = (ruleset.binding.find_entry(entry_id, catalogue) for entry_id in card.needs)
                needs[card.entry_id] = tuple(dict.fromkeys(unit.entry.name for unit in units if unit))
    return needs


def list_beside_categories(ruleset: Ruleset) -> frozenset[str]:
    """Return the categories of options next to decks, such as banners."""
    decks = (deck for catalogue in ruleset.data.catalogues for deck in catalogue.decks)
    return frozenset(category_id for deck in decks for category_id in deck.beside)


def _find_decks(evaluation: Evaluation) -> Iterator[DeckOfForce]:
    for force in evaluation.roster.all_forces:
        catalogues = force.compiled_catalogue.closure if force.compiled_catalogue else ()
        for deck in (deck for catalogue in catalogues for deck in catalogue.decks):
            # Compare targets: several links may lead to the deck.
            nodes = [node for node in force.members if node.target_id == deck.entry_id]
            for node in nodes:
                yield force, deck, node
            option = _find_deck_option(force, deck)
            if not nodes and option is not None and evaluation.is_open(force, option):
                yield force, deck, None


def _find_deck_option(force: ForceNode, deck: Deck) -> CompiledOption | None:
    return force.contents.find_option(deck.entry_id) if force.contents else None


def _build_deck_choice(force: ForceNode, deck: Deck, node: SelectionNode) -> DeckChoice:
    choice = _build_start(force, deck, node.option)
    document = node.document
    if document is None:
        return choice
    return replace(choice, name=document.custom_name or choice.name, node_id=document.id)


def _build_start(force: ForceNode, deck: Deck, option: CompiledOption | None) -> DeckChoice:
    entry_id, name = (option.local_id, option.name) if option else (deck.entry_id, deck.entry_id)
    place = force.document.custom_name or force.document.name
    return DeckChoice(force_id=force.document.id, entry_id=entry_id, name=name, place=place)


def _list_deck_violations(evaluated_list: EvaluatedList, decks: Iterable[PresentDeck]) -> Iterator[Violation]:
    members = [member for _, _, deck in decks for member in (deck, *deck.members)]
    inside = {member.document.id for member in members if member.document}
    for violation in evaluated_list.report.violations:
        places = {violation.on.id, *(place.id for place in violation.cause)}
        if violation.counted_id == CARDS or not inside.isdisjoint(places):
            yield violation


class _DeckSheetBuilder:
    def __init__(
        self, roster: Roster, evaluated_list: EvaluatedList, force: ForceNode, deck: Deck, node: SelectionNode
    ) -> None:
        assert node.document is not None  # noqa: S101 - it is one of the list
        self.evaluated_list, self.evaluation = evaluated_list, evaluated_list.evaluation
        self.force, self.deck, self.node = force, deck, node
        self.own_id = node.document.id
        cards = Card.objects.filter(faction__version=roster.version_id, faction__faction_id=force.document.catalogue_id)
        self.cards_by_id = {card.entry_id: card for card in cards}
        self.units = Counter(n.target_id for n in self.evaluation.roster.selections if n.container is n.force)
        self.offered = {option.entry_id: option for option in list_offers(self.evaluation, self.own_id).options}
        # The force, not the deck, offers what lies beside the deck.
        self.in_force = list_offers(self.evaluation, force.document.id).options

        self.nodes_by_name: dict[str, list[SelectionNode]] = {}
        for member in node.members:
            if member.document and member.document.custom_name:
                self.nodes_by_name.setdefault(fold_card_name(member.document.custom_name), []).append(member)

    def build_sheet(self) -> DeckSheet:
        groups = tuple(self._build_groups())
        rows = [row for group in groups for row in group.cards]
        least, most = self._find_size_limits()
        return DeckSheet(
            node_id=self.own_id,
            force_id=self.force.document.id,
            name=self.evaluation.values.get_name(self.node),
            count=sum(row.number for row in rows),
            least=least,
            most=most,
            room=_count_room(groups),
            groups=groups,
            curves=build_curves(self.deck, rows),
            beside=tuple(self._build_beside()),
        )

    def _find_size_limits(self) -> tuple[Number | None, Number | None]:
        around: tuple[Node, ...] = (self.node, self.force, self.evaluation.roster)
        lows: list[Number] = []
        highs: list[Number] = []
        for bound in BOUNDS:
            for check in list_checks(self.evaluation, bound):
                constraint = check.constraint
                if constraint.query.child_id != CARDS or constraint.severity is not Severity.ERROR:
                    continue
                if not any(check.node is node for node in around):
                    continue
                measured = measure_check(self.evaluation, check)
                # "Exactly 30" is a bound on either side.
                if measured is not None and bound is not Bound.MAX:
                    lows.append(measured.allowed)
                if measured is not None and bound is not Bound.MIN:
                    highs.append(measured.allowed)
        return max(lows, default=None), min(highs, default=None)

    # ---- cards ---------------------------------------------------------------------------------------------------

    def _build_groups(self) -> Iterator[CardGroup]:
        for card in self.deck.cards:
            if card.written:
                yield self._build_written_group(card)
        cards_by_needs = group_by((card for card in self.deck.cards if not card.written), lambda card: card.needs)
        # Cards without needs, then with their unit in the list, then without.
        for needs in sorted(cards_by_needs, key=lambda ids: (bool(ids), self._is_without_units(ids))):
            yield self._build_group(needs, cards_by_needs[needs])

    def _is_without_units(self, needs: tuple[str, ...]) -> bool:
        return bool(needs) and not any(self.units[unit_id] for unit_id in needs)

    def _build_group(self, needs: tuple[str, ...], cards: list[DeckCard]) -> CardGroup:
        is_absent = self._is_without_units(needs)
        rows: list[CardRow] = []
        for card in cards:
            option = self._find_offer(card)
            if option is not None and _is_visible(option):
                rows.append(self._build_offered_row(option, absent=is_absent))

        takers: list[Taker] = []
        for option in self.in_force if is_absent else ():
            # Other changes may have to come first.
            is_free = not option.hidden and (option.blocked is None or option.blocked.mendable)
            if is_free and get_target_id(option.entry_id) in needs:
                takers.append(Taker(force_id=self.force.document.id, entry_id=option.entry_id, name=option.name))
        return CardGroup(
            id=" ".join(needs),
            needs=next((row.needs for row in rows if row.needs), ()),
            units=sum(self.units[unit_id] for unit_id in needs),
            cards=tuple(rows),
            takers=tuple(takers),
        )

    def _find_offer(self, card: DeckCard) -> OfferedOption | None:
        offers = self.offered.items()
        return next((option for option_id, option in offers if get_target_id(option_id) == card.entry_id), None)

    def _build_offered_row(self, option: OfferedOption, *, absent: bool) -> CardRow:
        row = CardRow(
            entry_id=option.entry_id,
            name=option.name,
            number=option.number,
            most=option.max,
            search=fold_text(option.name),
            absent=absent,
            blocked=option.blocked if option.blocked and not option.blocked.mendable else None,
            citation=option.citation,
        )
        card = self.cards_by_id.get(option.entry_id)
        if card is None:
            return row
        figures = dict(card.figures)
        return replace(
            row,
            most=card.copies,  # rules that only advise change the offer's own limit
            needs=tuple(card.needs),
            keywords=tuple(card.keywords),
            figures=tuple((column, value) for column, value in figures.items() if value),
            kind=figures.get(self.deck.kinds, ""),
            text=card.text,
            search=card.search_text,
        )

    def _build_written_group(self, card: DeckCard) -> CardGroup:
        option = self._find_offer(card)
        kind = self._build_offered_row(option, absent=False) if option else None
        nodes = [node for node in self.node.members if node.target_id == card.entry_id]
        rows = tuple(self._build_named_row(node, kind) for node in nodes)
        group = CardGroup(id=card.entry_id, name=card.entry_id, cards=rows, written=True, entry_id=card.entry_id)
        if kind is None:
            return group
        most = MAX_NUMBER if kind.most is None else kind.most
        return replace(group, name=kind.name, most=most, entry_id=kind.entry_id)

    def _build_named_row(self, node: SelectionNode, kind: CardRow | None) -> CardRow:
        document = node.document
        assert document is not None  # noqa: S101 - it is one of the list
        alike = self.nodes_by_name.get(fold_card_name(document.custom_name), [])
        # The strictest of equally named cards decides; None allows any number.
        allowed = [most for other in alike if (most := get_allowed_copies(other)) is not None]
        row = CardRow(
            entry_id=node.entry_id,
            name=document.custom_name,
            number=node.number,
            alike=sum(other.number for other in alike if other is not node),
            most=min(allowed, default=None),
            node_id=document.id,
            search=fold_text(document.custom_name),
        )
        if kind is None:
            return row
        return replace(row, name=row.name or kind.name, keywords=kind.keywords, figures=kind.figures, kind=kind.kind)

    # ---- beside it -----------------------------------------------------------------------------------------------

    def _build_beside(self) -> Iterator[BesideDeck]:
        slots = count_slots(self.evaluation, self.evaluated_list.report.violations).get(self.force.document.id, ())
        most = {slot.id: slot.max for slot in slots}
        options_by_category = group_by(filter(_is_visible, self.in_force), lambda option: option.category_id)
        for category_id in self.deck.beside:
            options = options_by_category.get(category_id)
            if not options:
                continue
            visible = tuple(
                BesideOption(
                    entry_id=option.entry_id,
                    name=option.name,
                    taken=option.selection_ids,
                    blocked=None if option.number else option.blocked,
                )
                for option in options
            )
            name = options[0].category_name
            yield BesideDeck(id=category_id, name=name, one=most.get(category_id) == 1, options=visible)


def _is_visible(option: OfferedOption) -> bool:
    return bool(option.number) or not option.hidden


def _count_room(groups: Iterable[CardGroup]) -> Number | None:
    total: Number = 0
    for group in groups:
        if group.written:
            return None
        for row in group.cards:
            if row.absent:
                continue
            if row.left is None:
                return None
            total += row.left
    return total


# ---- curves -------------------------------------------------------------------------------------------------------


def build_curves(deck: Deck, rows: Sequence[CardRow]) -> tuple[Curve, ...]:
    curves: list[Curve] = []
    for column in deck.curves:
        numbers: Counter[str] = Counter()
        for row in rows:
            numbers[dict(row.figures).get(column, "")] += row.number
        bars = build_bars(sorted(numbers.items(), key=lambda pair: _sort_key(pair[0])))
        if bars:
            curves.append(Curve(name=column, bars=bars))

    kinds: Counter[str] = Counter()
    for row in rows:
        # By its column or its keywords; blank if the card has neither.
        for name in [row.kind] if deck.kinds else row.keywords or [""]:
            kinds[name] += row.number
    bars = build_bars(kinds.items())
    if len(bars) > 1:
        curves.append(Curve(name="", bars=bars))
    return tuple(curves)


def _sort_key(value: str) -> tuple[bool, Number, str]:
    try:
        return (False, parse_number(value), "")
    except ValueError:
        return (True, 0, value)
