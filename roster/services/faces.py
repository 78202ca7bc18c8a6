"""Faction data for pages: words to find units by, emblems, key figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.definitions.identity import find_slot_emblem
from catalogue.definitions.infos import Characteristic, Info
from catalogue.definitions.link_index import Binding
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.models import Faction, UnitEntry
from catalogue.services.rulesets import load_faction_ruleset
from catalogue.services.stat_tables import find_first_profile


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitFace:
    """How a unit is shown on a line: its emblem, and what is said below its name before it is taken.

    `glance` are the few figures by which players know it; blank where its data names none.
    """

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
    """A faction as the pages of its lists show it. `texts` is what its units are found by.

    `words_address` is that of the file with these; blank where that is not known.
    """

    row: Faction | None
    texts: Mapping[str, str]
    units: Mapping[str, UnitFace]
    name: str = ""
    words_address: str = ""

    @property
    def emblem(self) -> str:
        return self.row.identity.emblem if self.row else ""

    def find_face(self, entry_id: str, type_name: str) -> UnitFace:
        """Return the face of a unit; one that the faction does not have gets the emblem of its type."""
        return self.units.get(entry_id) or UnitFace(emblem=find_slot_emblem(type_name))


@lru_cache(maxsize=64)
def load_faction(version_id: int, faction_id: str) -> FactionFaces:
    """Load a faction once per process: versions never change."""
    row = Faction.objects.filter(version_id=version_id, faction_id=faction_id).select_related("version").first()
    if row is None:
        return FactionFaces(row=None, texts={}, units={})
    units = list(UnitEntry.objects.filter(faction=row).select_related("texts"))
    glances = _read_glances(row)
    texts = {unit.entry_id: unit.texts.search_text for unit in units if unit.texts}
    return FactionFaces(
        row=row,
        name=row.heading,
        words_address=reverse("catalogue:words", args=[row.version.content_hash, row.slug]) if texts else "",
        texts=texts,
        units={unit.entry_id: _build_face(unit, glances.get(unit.entry_id, "")) for unit in units},
    )


def _build_face(unit: UnitEntry, glance: str) -> UnitFace:
    emblem = unit.emblem or find_slot_emblem(unit.category)
    return UnitFace(emblem=emblem, slug=unit.slug, models=_count_models(unit), glance=glance)


def _count_models(unit: UnitEntry) -> str:
    least, most = unit.models_min, unit.models_max
    # Nearly every character is one model, and nobody has to be told.
    if least is None or most is None or most <= 1:
        return ""
    return str(most) if least == most else f"{least}–{most}"


def _read_glances(row: Faction) -> dict[str, str]:
    """Read the short figures of all units of a faction whose data names columns for that."""
    ruleset = load_faction_ruleset(row)
    binding = ruleset.binding
    catalogue = ruleset.find_catalogue(row.faction_id)
    # Compiling what is inside every unit costs much, and most data names no such columns.
    if catalogue is None or not any(kind.glance for kind in binding.profile_types.values()):
        return {}
    return {option.local_id: _find_glance(binding, option.entry) for option in catalogue.root_options.options}


def _find_glance(binding: Binding, entry: CompiledEntry) -> str:
    """Return the figures of the first profile, of an entry or what is inside it, that has such columns."""
    profile = find_first_profile(binding, entry, lambda info: bool(_format_glance(binding, info)))
    return _format_glance(binding, profile) if profile else ""


def _format_glance(binding: Binding, info: Info) -> str:
    kind = binding.profile_types.get(info.type_id)
    shown = _list_glance_figures(kind.glance, info) if kind else ()
    return " · ".join(f"{figure.name} {figure.value}" for figure in shown if figure.value.strip("-– "))


def _list_glance_figures(columns: Iterable[str], info: Info) -> list[Characteristic]:
    figures = {figure.type_id: figure for figure in info.characteristics}
    return [figures[column] for column in columns if column in figures]
