"""Everything in a file that games are played with."""

from catalogue.documents.node import MappingReader
from catalogue.formats.packs.parse.context import ParseContext
from catalogue.formats.packs.parse.maps import read_map
from catalogue.formats.packs.parse.missions import read_mission, read_mission_pack, read_special
from catalogue.formats.packs.parse.objectives import (
    read_group,
    read_objective,
    read_reference,
    read_size,
    read_stratagem,
    read_token,
)


def read_play(fields: MappingReader, desk: ParseContext) -> None:
    """Missions with all that belongs to them: packs, special rules, objectives, maps, tokens, the reference."""
    play = desk.forms.play
    play.packs += [read_mission_pack(item, desk) for item in fields.each("mission packs")]
    play.missions += [read_mission(item, desk) for item in fields.each("missions")]
    play.specials += [read_special(item, desk) for item in fields.each("specials")]
    play.groups += [read_group(item, desk) for item in fields.each("objective groups")]
    play.objectives += [read_objective(item, desk) for item in fields.each("objectives")]
    play.maps += [read_map(item, desk) for item in fields.each("maps")]
    play.sizes += [read_size(item, desk) for item in fields.each("battle sizes")]
    play.stratagems += [read_stratagem(item, desk) for item in fields.each("stratagems")]
    play.tokens += [read_token(item, desk) for item in fields.each("tokens")]
    play.reference += [read_reference(item, desk) for item in fields.each("reference")]
