"""Build a list's cards: its units, and proxies for its decks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalogue.models import Card, GameSystem
from catalogue.services.texts import name_book
from roster.pdf import shapes
from roster.pdf.imposition.card_face import CardFamily, CardHalf, Face, FaceBlock, FaceKind, FaceRow, PrintCard
from roster.pdf.imposition.reference_cards import build_rules_card
from roster.pdf.paper_text import format_count
from roster.wording import cards as words

CURRENCIES = {"crystal": "floating-crystal", "charge": "power-lightning"}


def build_unit_cards(sheet: shapes.ListSheet, *, one_per_unit: bool = False) -> Iterator[PrintCard]:
    """Yield a card for each unit with more than a name, then one for shared rules."""
    for number, unit in enumerate(sheet.datasheets):
        if unit.says_something:
            # Backs sort the pile: the faction's emblem and colours, and the type of the unit.
            family = CardFamily(" · ".join(filter(None, (sheet.factions, unit.type or words.get_label("unit")))))
            datasheet, copies = (replace(unit, count=1), unit.count) if one_per_unit else (unit, 1)
            models = words.format_models(datasheet.models) if datasheet.models else ""
            kickers = (datasheet.data_name, datasheet.type, models, datasheet.host, datasheet.commands)
            front = Face(
                title=format_count(datasheet.count, datasheet.name),
                kicker=" · ".join(filter(None, kickers)),
                corner=datasheet.cost,
                foot=" · ".join(filter(None, (sheet.title, format_revision(sheet.imprint), datasheet.citation))),
                datasheet=datasheet,
            )
            yield PrintCard(key=f"unit-{number}", front=front, family=family, copies=copies)
    if sheet.common:
        foot = " · ".join(filter(None, (sheet.title, format_revision(sheet.imprint))))
        yield build_rules_card(sheet.common, words.get_label("rules"), sheet.factions, foot)


def build_plain_back(game: GameSystem) -> Face:
    kicker = words.get_label("unofficial") if game.unofficial else ""
    return Face(title=game.heading, kicker=kicker, foot=game.edition, kind=FaceKind.PLAIN)


def format_revision(imprint: shapes.Imprint) -> str:
    revision = words.format_revision(imprint.revision) if imprint.revision else ""
    return " · ".join(filter(None, (revision, imprint.short_hash)))


def build_deck_cards(sheet: shapes.ListSheet) -> Iterator[PrintCard]:
    for deck in sheet.decks:
        for line in deck.lines:
            figures = list(zip(deck.columns, line.figures, strict=True))
            kicker = " · ".join(filter(None, (line.kind, *line.keywords))) or deck.name
            front = _build_proxy(line.name, kicker, figures, line.needs, (*line.text, *filter(None, (line.notes,))))
            key = f"deck-{deck.name}-{line.name}-{line.kind}"
            family = CardFamily(deck.name, "layers")
            yield PrintCard(
                key=key, front=replace(front, foot=f"{deck.name} · {sheet.title}"), copies=line.count, family=family
            )


def build_action_card(card: Card, copies: int = 1) -> PrintCard:
    # The deck is in the foot, so that its name cuts none of these.
    kicker = " · ".join(filter(None, card.keywords)) or card.deck
    texts = tuple(filter(None, (card.text,)))
    front = _build_proxy(card.name, kicker, list(card.figures), ", ".join(card.needs), texts)
    foot = " · ".join(filter(None, (card.deck, name_book(card.book), card.section)))
    family = CardFamily(card.deck, "layers")
    return PrintCard(key=f"card-{card.slug}", front=replace(front, foot=foot), copies=copies, family=family)


def _build_proxy(
    name: str, kicker: str, figures: Sequence[tuple[str, str]], needs: str, texts: tuple[str, ...]
) -> Face:
    """Build a card in halves if the name has two parts with a cost each, else a plain card."""
    titles = name.split(" / ")
    if len(titles) == 2 and len(figures) >= 2:
        upper_cost, lower_cost, *marks = [value for _, value in figures]
        # The symbol of the resource that pays for the action, if the card names it.
        icon = next((CURRENCIES[word] for word in marks if word in CURRENCIES), "")
        # The data does not say which half the text is about, so it is in the half that is read first.
        upper = CardHalf(
            title=titles[0],
            cost=upper_cost,
            icon=icon,
            note=" · ".join((words.get_label("upper half"), kicker)),
            text=" ".join(texts),
        )
        notes = (words.get_label("lower half"), words.format_needs(needs) if needs else "")
        lower = CardHalf(title=titles[1], cost=lower_cost, icon=icon, note=" · ".join(filter(None, notes)), text="")
        return Face(title=name, kicker=kicker, kind=FaceKind.ACTION, halves=(upper, lower))

    if needs:
        texts = (*texts, words.format_needs(needs))
    # The first plain number is the cost, which is printed in the corner only.
    cost = next((value for _, value in figures if value.isdecimal()), "")
    rows = tuple(FaceRow(name=head, value=value) for head, value in figures if value not in ("", cost))
    blocks = (FaceBlock(rows=rows, texts=texts),) if rows or texts else ()
    return Face(title=name, kicker=kicker, corner=cost, is_boxed=True, is_cost=True, blocks=blocks)
