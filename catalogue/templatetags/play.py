"""Template tags for missions, their maps and citations."""

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogue.definitions.citations import Citation
from catalogue.definitions.missions import DeploymentMapDefinition, MapTable, MissionDefinition
from catalogue.services import icons
from catalogue.services.map_svg import BLANK, draw_map
from catalogue.services.play import Play
from catalogue.templatetags.figures import format_citation

register = template.Library()


@register.simple_tag
def icon(name: str, colour: str = "") -> SafeString:
    """Return an icon, in a colour if the surrounding text has none."""
    return icons.draw_icon(name, colour)


@register.simple_tag
def shapes(name: str) -> SafeString:
    """Return an icon's shapes, which each `<use>` of the icon draws."""
    return icons.read_shapes(name)


@register.simple_tag
def kinds_of(play: Play, mission: MissionDefinition | None = None) -> list[tuple[str, str]]:
    """Return the kinds of cards to print, for all missions or for one, as ids and labels."""
    unneeded = set()
    if mission is not None:
        briefs = list(play.list_briefs(mission))
        if not (mission.draw or any(brief.aims for brief in briefs)):
            unneeded.add("objectives")
        if not any(brief.specials for brief in briefs):
            unneeded.add("specials")
        if not any(brief.markers for brief in briefs):
            unneeded.add("tokens")
    kinds = (
        ("missions", _("Missions"), play.missions),
        ("objectives", _("Objectives"), play.objectives),
        ("stratagems", _("Stratagems"), play.stratagems),
        ("maps", _("Deployment maps"), play.maps),
        ("specials", _("Special rules"), play.specials),
        ("reference", _("Quick reference"), play.reference),
        ("tokens", _("Tokens"), play.tokens),
    )
    return [(kind, word) for kind, word, there in kinds if there and kind not in unneeded]


@register.filter
def place(citation: Citation, play: Play) -> str:
    return format_citation(play.format_citation(citation))


@register.simple_tag
def table_map(definition: DeploymentMapDefinition, table: MapTable) -> SafeString:
    size = _("%(width)g by %(depth)g inches") % {"width": table.width, "depth": table.depth}
    zones = ", ".join(" ".join(filter(None, (zone.name, zone.measure))) for zone in table.zones)
    return draw_map(table, f"{definition.name}, {size}: {zones}")


@register.simple_tag
def blank_map(definition: DeploymentMapDefinition) -> SafeString:
    return draw_map(BLANK, _("%(name)s, schematic") % {"name": definition.name}, schematic=True)


@register.filter
def roll(thing: object) -> str:
    """Return the die results of a thing: `3`, `3–4`, or ""."""
    low, high = getattr(thing, "low", None), getattr(thing, "high", None)
    if low is None:
        return ""
    return str(low) if low == high else f"{low}–{high}"


@register.filter
def by(items: dict[str, object], key: str) -> object:
    return items.get(key)
