"""Faction data for pages: search words, emblems, key figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.definitions.identity import find_slot_emblem
from catalogue.definitions.infos import Info
from catalogue.definitions.link_index import Binding
from catalogue.models import Faction, UnitEntry
from catalogue.services.rulesets import load_faction_ruleset
from catalogue.services.stat_tables import find_first_profile


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitFace:
    """`glance` are the few figures that players remember a unit by."""

    emblem: str
    slug: str = ""
    models: str = ""
    glance: str = ""

    @property
    def about(self) -> str:
        models = _("%(numbers)s models") % {"numbers": self.models} if self.models else ""
        return " · ".join(part for part in (models, self.glance) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactionFaces:
    row: Faction | None
    texts: Mapping[str, str]
    units: Mapping[str, UnitFace]
    name: str = ""
    words_address: str = ""

    @property
    def emblem(self) -> str:
        return self.row.identity.emblem if self.row else ""

    def find_face(self, entry_id: str, type_name: str) -> UnitFace:
        """Find a unit's face; unknown units get the emblem of their type."""
        return self.units.get(entry_id) or UnitFace(emblem=find_slot_emblem(type_name))


@lru_cache(maxsize=64)
def load_faction(version_id: int, faction_id: str) -> FactionFaces:
    """Cache a faction per process: versions never change."""
    row = Faction.objects.filter(version_id=version_id, faction_id=faction_id).select_related("version").first()
    if row is None:
        return FactionFaces(row=None, texts={}, units={})
    units = list(UnitEntry.objects.filter(faction=row).select_related("texts"))
    glances = _read_glances(row)
    faces: dict[str, UnitFace] = {}
    for unit in units:
        least, most, models = unit.models_min, unit.models_max, ""
        # Most characters are one model.
        if least is not None and most is not None and most > 1:
            models = str(most) if least == most else f"{least}–{most}"
        faces[unit.entry_id] = UnitFace(
            emblem=unit.emblem or find_slot_emblem(unit.category),
            slug=unit.slug,
            models=models,
            glance=glances.get(unit.entry_id, ""),
        )
    texts = {unit.entry_id: unit.texts.search_text for unit in units if unit.texts}
    return FactionFaces(
        row=row,
        name=row.heading,
        words_address=reverse("catalogue:words", args=[row.version.content_hash, row.slug]) if texts else "",
        texts=texts,
        units=faces,
    )


def _read_glances(row: Faction) -> dict[str, str]:
    ruleset = load_faction_ruleset(row)
    binding = ruleset.binding
    catalogue = ruleset.find_catalogue(row.faction_id)
    # Compiling every unit is expensive.
    if catalogue is None or not any(kind.glance for kind in binding.profile_types.values()):
        return {}
    glances: dict[str, str] = {}
    for option in catalogue.root_options.options:
        # The first profile with such columns, of the unit or its contents.
        profile = find_first_profile(binding, option.entry, lambda info: bool(_format_glance(binding, info)))
        glances[option.local_id] = _format_glance(binding, profile) if profile else ""
    return glances


def _format_glance(binding: Binding, info: Info) -> str:
    kind = binding.profile_types.get(info.type_id)
    figures = {figure.type_id: figure for figure in info.characteristics}
    glance = [figures[column] for column in kind.glance if column in figures] if kind else []
    return " · ".join(f"{figure.name} {figure.value}" for figure in glance if figure.value.strip("-– "))
