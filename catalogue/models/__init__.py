from catalogue.models.charts import Detachment, OrganisationChart, Slot
from catalogue.models.decks import Card, DeckRule
from catalogue.models.factions import Faction
from catalogue.models.games import CatalogueDocument, GameSystem, PackVersion
from catalogue.models.imports import ImportReport
from catalogue.models.jobs import Job
from catalogue.models.missions import DeploymentMap, MapMeasures, Mission, MissionPack, Objective
from catalogue.models.releases import Release
from catalogue.models.units import Option, UnitEntry

__all__ = [
    "Card",
    "CatalogueDocument",
    "DeckRule",
    "DeploymentMap",
    "Detachment",
    "Faction",
    "GameSystem",
    "ImportReport",
    "Job",
    "MapMeasures",
    "Mission",
    "MissionPack",
    "Objective",
    "Option",
    "OrganisationChart",
    "PackVersion",
    "Release",
    "Slot",
    "UnitEntry",
]
