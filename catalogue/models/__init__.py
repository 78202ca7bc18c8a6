from catalogue.models.entries import (
    Card,
    DeckRule,
    Detachment,
    Faction,
    Option,
    OrganisationChart,
    Slot,
    UnitEntry,
    UnitText,
)
from catalogue.models.gallery import GalleryAsk, GalleryGame, GalleryRead
from catalogue.models.games import (
    CatalogueDocument,
    DocumentBody,
    GameSystem,
    ImportReport,
    PackVersion,
    Release,
    Source,
)
from catalogue.models.jobs import Job
from catalogue.models.missions import DeploymentMap, MapMeasures, Mission, MissionPack, Objective

__all__ = [
    "Card",
    "CatalogueDocument",
    "DeckRule",
    "DeploymentMap",
    "Detachment",
    "DocumentBody",
    "Faction",
    "GalleryAsk",
    "GalleryGame",
    "GalleryRead",
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
    "Source",
    "UnitEntry",
    "UnitText",
]
