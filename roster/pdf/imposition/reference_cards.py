"""Build a list's rules card, for rules too long for unit cards."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from roster.pdf.imposition.card_face import CardFamily, Face, FaceBlock, PrintCard
from roster.pdf.imposition.card_format import CardSize, get_format
from roster.pdf.imposition.set_face import CardLook, count_sides
from roster.pdf.profile_tables import LONG
from roster.pdf.shapes import Ability, Datasheet, WeaponRow
from roster.wording import cards as words

MOST_SIDES = 2


def build_rules_card(rules: Iterable[Ability], title: str, kicker: str, foot: str) -> PrintCard:
    blocks = tuple(_build_block(rule, rule.name) for rule in rules)
    front = Face(title=title, kicker=kicker, foot=foot, blocks=blocks, is_reference=True)
    return PrintCard(key="rules", front=front, family=CardFamily(words.get_label("rules"), "layers"))


def _build_block(rule: Ability, name: str) -> FaceBlock:
    text = ": ".join(filter(None, (rule.timing, rule.text)))
    return FaceBlock(label=name, texts=(" ".join(text.split("\n")),))


def move_long_rules(cards: Sequence[PrintCard], look: CardLook) -> list[PrintCard]:
    """Move the longest rules to the rules card until no unit needs more than two sides."""
    shortened: list[PrintCard] = []
    blocks: list[FaceBlock] = []
    for card in cards:
        front = card.front
        while front.datasheet and count_sides(front, look) > MOST_SIDES:
            rule, shorter = _take_longest(front.datasheet)
            if not rule.text:
                break
            blocks.append(_build_block(rule, f"{rule.name} ({front.datasheet.name})"))
            front = replace(front, datasheet=shorter)
        shortened.append(replace(card, front=front))
    if not blocks:
        return shortened

    if not any(card.front.is_reference for card in shortened):
        shortened.append(build_rules_card((), words.get_label("rules"), "", shortened[0].front.foot))
    for place, card in enumerate(shortened):
        if card.front.is_reference:
            ordered = sorted((*card.front.blocks, *blocks), key=lambda block: block.label.casefold())
            shortened[place] = replace(card, front=replace(card.front, blocks=tuple(ordered)))
    return shortened


def _take_longest(sheet: Datasheet) -> tuple[Ability, Datasheet]:
    """Return a unit's longest rule, and the unit without its text. Spells are rules in a table."""
    rows = [row for table in sheet.weapons for row in table.rows if len(row.beside) > LONG]
    longest_row = max(rows, key=lambda row: len(row.beside), default=WeaponRow("", ()))
    longest = max(sheet.abilities, key=lambda ability: len(ability.text), default=Ability(""))
    if len(longest_row.beside) > len(longest.text):
        shorter = replace(longest_row, beside="")
        tables = tuple(
            replace(table, rows=tuple(shorter if row is longest_row else row for row in table.rows))
            for table in sheet.weapons
        )
        return Ability(longest_row.name, longest_row.beside), replace(sheet, weapons=tables)

    label = words.get_label("on the rules card")
    lines = dict(sheet.lines)
    lines[label] = (*lines.get(label, ()), longest.name)
    others = tuple(ability for ability in sheet.abilities if ability is not longest)
    return longest, replace(sheet, abilities=others, lines=tuple(lines.items()))


def enlarge_rules_card(card: PrintCard, look: CardLook) -> PrintCard:
    """Enlarge a rules card to A6 if it needs more than two sides."""
    large = get_format(CardSize.A6)
    is_smaller = look.card_format.width * look.card_format.height < large.width * large.height
    if card.front.is_reference and is_smaller and count_sides(card.front, look) > MOST_SIDES:
        return replace(card, card_format=large)
    return card
