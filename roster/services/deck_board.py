"""What the page of a deck shows: cards by the units they need, what is left of each, curves, what lies beside it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.constraints import Severity
from catalogue.definitions.decks import CARDS, Deck, DeckCard
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import Bound
from catalogue.graph.ruleset import Ruleset
from catalogue.models import Card
from catalogue.services.texts import folded
from roster.engine.checks import claims, figures
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, Node, SelectionNode
from roster.engine.offers import OfferedOption, offers
from roster.engine.report import Violation
from roster.models import Roster
from roster.services.board.slots import slots_by_force
from roster.services.deck_copies import folded_name
from roster.services.deck_curves import curves_of
from roster.services.deck_shapes import (
    Beside,
    BesideOption,
    CardGroup,
    CardRow,
    Choice,
    DeckBoard,
    Sheet,
    Taker,
)
from roster.services.evaluation import EvaluatedList, evaluate_roster
from roster.services.limits import MAX_NUMBER

Rows = Mapping[str, Card]
"""The rows of the catalogue for the cards of a faction, by entry id."""


def deck_board(roster: Roster, judged: EvaluatedList | None = None, *, node_id: str = "") -> DeckBoard:
    """The board of a list's decks; `node_id` is the deck that is looked at, else the first."""
    judged = judged or evaluate_roster(roster)
    found = list(_decks(judged.evaluation))
    there = [(force, deck, node) for force, deck, node in found if node is not None]
    looked_at = next((each for each in there if each[2].document and each[2].document.id == node_id), None)
    chosen = looked_at or next(iter(there), None)
    decks = tuple(_choice(force, deck, node) for force, deck, node in there)
    taken = {choice.entry_id for choice in decks}
    return DeckBoard(
        roster=roster,
        judged=judged,
        knows_decks=any(catalogue.decks for catalogue in judged.ruleset.data.catalogues),
        decks=decks,
        starts=tuple(
            _choice(force, deck, None)
            for force, deck, node in found
            if node is None and deck.entry_id not in taken
        ),
        sheet=_Maker(roster, judged, *chosen).sheet() if chosen else None,
        violations=tuple(_about(judged, [node for _, _, node in there])),
    )


def cards_of_game(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """Every card that decks may hold, by the id of its entry, with the names of the units of which it needs one."""
    return {
        card.entry_id: _names(ruleset, catalogue, card.needs)
        for catalogue in ruleset.data.catalogues
        for deck in catalogue.decks
        for card in deck.cards
    }


def beside_decks(ruleset: Ruleset) -> frozenset[str]:
    """The categories of what lies beside decks, such as banners."""
    decks = (deck for catalogue in ruleset.data.catalogues for deck in catalogue.decks)
    return frozenset(category_id for deck in decks for category_id in deck.beside)


def _names(ruleset: Ruleset, home: Catalogue, ids: Iterable[str]) -> tuple[str, ...]:
    found = (ruleset.binding.entry(own, home) for own in ids)
    return tuple(dict.fromkeys(one.entry.name for one in found if one))


def _decks(evaluation: Evaluation) -> Iterator[tuple[ForceNode, Deck, SelectionNode | None]]:
    """The decks that each force has, and those that it may have."""
    for force in evaluation.roster.all_forces:
        described = [
            deck for catalogue in (force.book.closure if force.book else ()) for deck in catalogue.decks
        ]
        for deck in described:
            nodes = [node for node in force.members if node.target_id == deck.entry_id]
            for node in nodes:
                yield force, deck, node
            option = force.layout.find_option(deck.entry_id) if force.layout else None
            if not nodes and option and evaluation.is_open(force, option):
                yield force, deck, None


def _choice(force: ForceNode, deck: Deck, node: SelectionNode | None) -> Choice:
    option = node.option if node else force.layout.find_option(deck.entry_id) if force.layout else None
    own = node.document if node else None
    return Choice(
        force_id=force.document.id,
        entry_id=option.local_id if option else deck.entry_id,
        name=(own.custom_name if own else "") or (option.name if option else deck.entry_id),
        node_id=own.id if own else "",
    )


def _about(judged: EvaluatedList, decks: Iterable[SelectionNode]) -> Iterator[Violation]:
    """The breaches that are about cards and decks: on one, caused by one, or counting them."""
    inside = {member.document.id for deck in decks for member in (deck, *deck.members) if member.document}
    for violation in judged.report.violations:
        places = {violation.on.id, *(place.id for place in violation.cause)}
        if violation.counted_id == CARDS or inside & places:
            yield violation


class _Maker:
    """Makes the sheet of one deck."""

    def __init__(
        self, roster: Roster, judged: EvaluatedList, force: ForceNode, deck: Deck, node: SelectionNode
    ) -> None:
        assert node.document is not None  # noqa: S101 - it is one of the list
        self.judged, self.evaluation = judged, judged.evaluation
        self.force, self.deck, self.node = force, deck, node
        self.own_id = node.document.id
        self.known: Rows = {
            card.entry_id: card
            for card in Card.objects.filter(
                faction__version=roster.version_id, faction__faction_id=force.document.catalogue_id
            )
        }
        self.units = Counter(n.target_id for n in self.evaluation.roster.selections if n.container is n.force)
        self.offered = {option.entry_id: option for option in offers(self.evaluation, self.own_id).options}
        self.alike = _alike(node)
        self.in_force = offers(self.evaluation, force.document.id).options

    def sheet(self) -> Sheet:
        groups = tuple(self._groups())
        rows = [row for group in groups for row in group.cards]
        least, most = self._wanted()
        return Sheet(
            node_id=self.own_id,
            force_id=self.force.document.id,
            name=self.judged.evaluation.effects.name(self.node),
            count=sum(row.number for row in rows),
            least=least,
            most=most,
            room=_room(groups),
            groups=groups,
            curves=curves_of(self.deck, rows),
            beside=tuple(self._beside()),
        )

    def _wanted(self) -> tuple[Number | None, Number | None]:
        """How many cards the rules ask for at least, and at most."""
        around: tuple[Node, ...] = (self.node, self.force, self.evaluation.roster)
        lows: list[Number] = []
        highs: list[Number] = []
        for bound in Bound:
            for claim in claims(self.evaluation, bound):
                constraint = claim.demand.constraint
                binds = constraint.query.child_id == CARDS and constraint.severity is Severity.ERROR
                near = any(claim.node is node for node in around)
                if binds and near and (found := figures(self.evaluation, claim)):
                    lows += [found.allowed] if bound is not Bound.MAX else []
                    highs += [found.allowed] if bound is not Bound.MIN else []
        return max(lows, default=None), min(highs, default=None)

    # ---- cards ---------------------------------------------------------------------------------------------------

    def _groups(self) -> Iterator[CardGroup]:
        """Cards that the owner names, those for every list, those of units that are there, and the others."""
        found: dict[tuple[str, ...], list[DeckCard]] = {}
        for card in self.deck.cards:
            if card.written:
                yield self._written(card)
            else:
                found.setdefault(card.needs, []).append(card)
        for needs in sorted(found, key=lambda ids: (bool(ids), bool(ids) and not self._taken(ids))):
            yield self._group(needs, found[needs])

    def _taken(self, needs: tuple[str, ...]) -> int:
        return sum(self.units[own] for own in needs)

    def _group(self, needs: tuple[str, ...], cards: list[DeckCard]) -> CardGroup:
        rows = tuple(row for card in cards if (row := self._row(card)))
        units = self._taken(needs)
        return CardGroup(
            id=" ".join(needs),
            needs=next((row.needs for row in rows if row.needs), ()),
            units=units,
            cards=rows,
            takers=tuple(self._takers(needs)) if needs and not units else (),
        )

    def _takers(self, needs: tuple[str, ...]) -> Iterator[Taker]:
        for option in self.in_force:
            free = option.blocked is None or option.blocked.mendable
            if _target(option.entry_id) in needs and free and not option.hidden:
                yield Taker(force_id=self.force.document.id, entry_id=option.entry_id, name=option.name)

    def _row(self, card: DeckCard) -> CardRow | None:
        option = self.offered.get(self._id_of(card))
        if option is None or (option.hidden and not option.number):
            return None
        return self._of(option, absent=bool(card.needs) and not self._taken(card.needs))

    def _id_of(self, card: DeckCard) -> str:
        return next((own for own in self.offered if _target(own) == card.entry_id), "")

    def _of(self, option: OfferedOption, *, absent: bool) -> CardRow:
        known = self.known.get(option.entry_id)
        said = dict(known.figures) if known else {}
        lasting = option.blocked if option.blocked and not option.blocked.mendable else None
        return CardRow(
            entry_id=option.entry_id,
            name=option.name,
            number=option.number,
            most=known.copies if known else option.max,  # rules that only advise move the offer's own limit
            needs=tuple(known.needs) if known else (),
            keywords=tuple(known.keywords) if known else (),
            figures=tuple((column, value) for column, value in said.items() if value),
            kind=said.get(self.deck.kinds, ""),
            text=known.text if known else "",
            search=known.search_text if known else folded(option.name),
            absent=absent,
            blocked=lasting,
            citation=option.citation,
        )

    def _written(self, card: DeckCard) -> CardGroup:
        """The cards of one kind that the owner named, and the place to name another."""
        option = self.offered.get(self._id_of(card))
        entry_id, name = (option.entry_id, option.name) if option else (card.entry_id, card.entry_id)
        kind = self._of(option, absent=False) if option else None
        nodes = [node for node in self.node.members if node.target_id == card.entry_id]
        return CardGroup(
            id=card.entry_id,
            name=name,
            cards=tuple(_named(node, kind, self.alike) for node in nodes),
            written=True,
            most=MAX_NUMBER if kind is None or kind.most is None else kind.most,
            entry_id=entry_id,
        )

    # ---- beside it -----------------------------------------------------------------------------------------------

    def _beside(self) -> Iterator[Beside]:
        slots = slots_by_force(self.evaluation, self.judged.report.violations).get(self.force.document.id, ())
        for own in self.deck.beside:
            options = [o for o in self.in_force if o.category_id == own and not (o.hidden and not o.number)]
            if options:
                most = next((slot.max for slot in slots if slot.id == own), None)
                shown = tuple(self._option(option) for option in options)
                yield Beside(id=own, name=options[0].category_name, one=most == 1, options=shown)

    def _option(self, option: OfferedOption) -> BesideOption:
        lasting = option.blocked if option.blocked and not option.number else None
        return BesideOption(
            entry_id=option.entry_id, name=option.name, taken=option.selection_ids, blocked=lasting
        )


def _target(entry_id: str) -> str:
    return entry_id.rpartition("::")[2]


Alike = Mapping[str, list[SelectionNode]]
"""The cards of a deck that their owner named, by the name as it is compared."""


def _alike(deck: SelectionNode) -> Alike:
    found: dict[str, list[SelectionNode]] = {}
    for node in deck.members:
        if node.document and node.document.custom_name:
            found.setdefault(folded_name(node.document.custom_name), []).append(node)
    return found


def _copies_of(node: SelectionNode) -> Number | None:
    copies = node.option.entry.target.copies if node.option else None
    return copies.most if copies and copies.most >= 0 else None


def _named(node: SelectionNode, kind: CardRow | None, alike: Alike) -> CardRow:
    """A card that its owner named, with the figures of its kind."""
    document = node.document
    assert document is not None  # noqa: S101 - it is one of the list
    same = alike.get(folded_name(document.custom_name), [])
    return CardRow(
        entry_id=node.entry_id,
        name=document.custom_name or (kind.name if kind else ""),
        number=node.number,
        alike=sum(other.number for other in same if other is not node),
        most=min((most for other in same if (most := _copies_of(other)) is not None), default=None),
        node_id=document.id,
        keywords=kind.keywords if kind else (),
        figures=kind.figures if kind else (),
        kind=kind.kind if kind else "",
        search=folded(document.custom_name),
    )


def _room(groups: Iterable[CardGroup]) -> Number | None:
    """How many more cards could go into the deck, whatever its size; None for any number."""
    total: Number = 0
    for group in groups:
        if group.written:
            return None
        for row in group.cards:
            if row.left is None and not row.absent:
                return None
            total += 0 if row.absent else row.left or 0
    return total
