"""Deployment maps as cards."""

from collections.abc import Sequence

from catalogue.definitions.maps import DeploymentMap, MapTable
from catalogue.services.drawing import BLANK, draw
from catalogue.services.play import Play
from roster.pdf.imposition.card_face import Block, Face, Family, PrintCard, foot
from roster.wording import cards as words
from roster.wording import citation

Tables = Sequence[tuple[MapTable, bool]]
"""Tables to draw, and whether their distances were entered by hand."""


def map_card(play: Play, found: DeploymentMap, tables: Tables) -> PrintCard:
    """The card of a map: its drawings, then what there is to know."""
    texts = tuple(filter(None, (found.text, *found.steps)))
    front = Face(
        title=found.name,
        kicker=words.deployment(),
        corner="" if found.roll is None else str(found.roll),
        icon="map",
        blocks=(*map_blocks(found, tables), *([Block(texts=texts)] if texts else [])),
        foot=foot(citation(found.citation, play.short_books)),
    )
    return PrintCard(key=f"map-{found.id}", front=front, family=Family(words.deployment(), "map"))


def map_blocks(found: DeploymentMap, tables: Tables) -> list[Block]:
    """The drawings of a map, each with what it is drawn to."""
    if not tables:
        drawing = draw(BLANK, found.name, schematic=True)
        return [Block(label=words.schematic(), figure=drawing)]
    return [Block(label=_said(table, by_hand), figure=draw(table, found.name)) for table, by_hand in tables]


def _said(table: MapTable, by_hand: bool) -> str:
    scale = words.to_scale(table.width, table.depth)
    return f"{scale}; {words.measured_by_hand()}" if by_hand else scale
