"""Deployment maps as cards."""

from collections.abc import Sequence

from catalogue.definitions.maps import DeploymentMap, MapTable
from catalogue.services.drawing import BLANK, draw
from catalogue.services.play import Play
from roster.pdf.imposition.card_face import Block, Face, Family, PrintCard, foot
from roster.wording import cards as words
from roster.wording import format_citation

Tables = Sequence[tuple[MapTable, bool]]
"""Tables to draw, and whether their distances were entered by hand."""


def map_card(play: Play, found: DeploymentMap, tables: Tables) -> PrintCard:
    """The card of a map: its drawings, then what there is to know."""
    texts = tuple(filter(None, (found.text, *found.steps)))
    front = Face(
        title=found.name,
        kicker=words.get_label("deployment"),
        corner="" if found.roll is None else str(found.roll),
        icon="map",
        blocks=(*map_blocks(found, tables), *([Block(texts=texts)] if texts else [])),
        foot=foot(format_citation(found.citation, play.short_books)),
    )
    return PrintCard(key=f"map-{found.id}", front=front, family=Family(words.get_label("deployment"), "map"))


def map_blocks(found: DeploymentMap, tables: Tables) -> list[Block]:
    """The drawings of a map, each with what it is drawn to."""
    if not tables:
        drawing = draw(BLANK, found.name, schematic=True)
        return [Block(label=words.get_label("schematic"), figure=drawing)]
    return [Block(label=_said(table, by_hand), figure=draw(table, found.name)) for table, by_hand in tables]


def _said(table: MapTable, by_hand: bool) -> str:
    scale = words.format_scale(table.width, table.depth)
    return f"{scale}; {words.get_label('measured by hand')}" if by_hand else scale
