"""Cards of a list: its units at any size, and proxies for the cards of its decks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalogue.models import Card
from roster.pdf import shapes
from roster.pdf.imposition.card_face import CardFamily, CardHalf, Face, FaceBlock, FaceKind, FaceRow, PrintCard
from roster.pdf.paper_text import format_count
from roster.wording import cards as words

CURRENCIES = {"crystal": "floating-crystal", "charge": "power-lightning"}
"""The signs of what pays for an action, by its word."""


def build_unit_cards(sheet: shapes.ListSheet, *, one_per_unit: bool = False) -> Iterator[PrintCard]:
    """Yield a card for each unit of a list; equal units share one, or (`one_per_unit`) have one each.

    A unit with nothing but a name has no card.
    """
    family = CardFamily(words.get_label("unit"))
    for number, unit in enumerate(sheet.datasheets):
        if unit.says_something:
            datasheet, copies = (replace(unit, count=1), unit.count) if one_per_unit else (unit, 1)
            front = _build_unit_face(sheet, datasheet)
            yield PrintCard(key=f"unit-{number}", front=front, family=family, copies=copies)


def _build_unit_face(sheet: shapes.ListSheet, unit: shapes.Datasheet) -> Face:
    models = words.format_models(unit.models) if unit.models else ""
    return Face(
        title=format_count(unit.count, unit.name),
        kicker=" · ".join(filter(None, (unit.data_name, unit.type, models, unit.host, unit.commands))),
        corner=unit.cost,
        foot=" · ".join(filter(None, (sheet.title, format_revision(sheet.imprint), unit.citation))),
        datasheet=unit,
    )


def format_revision(imprint: shapes.Imprint) -> str:
    """Return which state of a list is printed: its revision and its hash."""
    revision = words.format_revision(imprint.revision) if imprint.revision else ""
    return " · ".join(filter(None, (revision, imprint.short_hash)))


def build_deck_cards(sheet: shapes.ListSheet) -> Iterator[PrintCard]:
    """Yield a proxy for every card of the decks of a list, as often as the deck holds it."""
    for deck in sheet.decks:
        for line in deck.lines:
            figures = list(zip(deck.columns, line.figures, strict=True))
            kicker = " · ".join(filter(None, (deck.name, line.kind, *line.keywords)))
            front = _build_proxy(line.name, kicker, figures, line.needs, (*line.text, *filter(None, (line.notes,))))
            key = f"deck-{deck.name}-{line.name}-{line.kind}"
            family = CardFamily(deck.name, "layers")
            yield PrintCard(key=key, front=replace(front, foot=sheet.title), copies=line.count, family=family)


def build_action_card(card: Card, copies: int = 1) -> PrintCard:
    """Return a proxy of a card: its costs, the unit it needs, its effect in our own words."""
    kicker = " · ".join(filter(None, (card.deck, *card.keywords)))
    texts = tuple(filter(None, (card.text,)))
    front = _build_proxy(card.name, kicker, list(card.figures), ", ".join(card.needs), texts)
    foot = " · ".join(filter(None, (card.deck, card.book, card.section)))
    family = CardFamily(card.deck, "layers")
    return PrintCard(key=f"card-{card.slug}", front=replace(front, foot=foot), copies=copies, family=family)


def _build_proxy(
    name: str, kicker: str, figures: Sequence[tuple[str, str]], needs: str, texts: tuple[str, ...]
) -> Face:
    """Return a card in halves if its name has two parts and its figures a cost for each, or else a plain one."""
    titles = name.split(" / ")
    if len(titles) == 2 and len(figures) >= 2:
        costs = [value for _, value in figures]
        halves = _build_halves(titles, costs, kicker, needs, " ".join(texts))
        return Face(title=name, kicker=kicker, kind=FaceKind.ACTION, halves=halves)
    return _build_plain_proxy(name, kicker, figures, (*texts, words.format_needs(needs)) if needs else texts)


def _build_plain_proxy(name: str, kicker: str, figures: Sequence[tuple[str, str]], texts: tuple[str, ...]) -> Face:
    # The first plain number is what the card costs: it is in the corner and not among the figures as well.
    cost = next((value for _, value in figures if value.isdecimal()), "")
    blocks = _build_proxy_blocks([(head, value) for head, value in figures if value not in ("", cost)], texts)
    return Face(title=name, kicker=kicker, corner=cost, is_boxed=True, is_cost=True, blocks=blocks)


def _build_proxy_blocks(figures: Sequence[tuple[str, str]], texts: tuple[str, ...]) -> tuple[FaceBlock, ...]:
    rows = tuple(FaceRow(name=head, value=value) for head, value in figures)
    return (FaceBlock(rows=rows, texts=texts),) if rows or texts else ()


def _build_halves(
    titles: Sequence[str], costs: Sequence[str], kicker: str, needs: str, text: str
) -> tuple[CardHalf, CardHalf]:
    """Return the two actions of a card; `costs` are that of the upper one, that of the lower, and any other figure."""
    # Which half the text is about, the data does not say: it stands where a card is read first.
    upper_note = " · ".join((words.get_label("upper half"), kicker))
    lower_note = " · ".join(filter(None, (words.get_label("lower half"), words.format_needs(needs) if needs else "")))
    icon = _find_currency(costs[2:])
    upper = CardHalf(title=titles[0], cost=costs[0], icon=icon, note=upper_note, text=text)
    lower = CardHalf(title=titles[1], cost=costs[1], icon=icon, note=lower_note, text="")
    return upper, lower


def _find_currency(marks: Sequence[str]) -> str:
    """Return the sign of what pays for an action; blank if nothing on the card names it."""
    return next((CURRENCIES[word] for word in marks if word in CURRENCIES), "")
