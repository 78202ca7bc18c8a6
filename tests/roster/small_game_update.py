"""Fenland's next version: other prices, names and ids, and a unit less."""

from dataclasses import replace

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import Cost
from catalogue.models import PackVersion
from catalogue.services.install_version import install_version
from roster.engine.tree import copy_with
from tests.roster.small_game import ABOUT, CREW, CUTTERS, MARSH, SYSTEM, WARDEN, WEIR

DEAR_CREW = copy_with(CREW, name="Punt Crew", costs=(Cost(type_id="points", value=9),))
LATER = DataSet(catalogues=(SYSTEM, copy_with(MARSH, entries=(WARDEN, CUTTERS, DEAR_CREW)), WEIR))
WITHOUT_MARSH = DataSet(catalogues=(SYSTEM, WEIR))


def later(*, hold: bool = False) -> PackVersion:
    """Crew are renamed Punt Crew and cost 9 instead of 4; Giants are removed."""
    return install_version(replace(ABOUT, label="2.0"), LATER, hold=hold)


def without_marsh() -> PackVersion:
    """Marsh Folk are no longer a faction."""
    return install_version(replace(ABOUT, label="3.0"), WITHOUT_MARSH)


def new_ids() -> PackVersion:
    """Crew, and Sailor inside it, have other ids, and Crew is in capitals. Giants are removed."""
    sailor = copy_with(CREW.entries[0], id="sailor-2")
    crew = copy_with(CREW, id="crew-2", name="CREW", entries=(sailor,))
    marsh = copy_with(MARSH, entries=(WARDEN, CUTTERS, crew))
    return install_version(replace(ABOUT, label="4.0"), DataSet(catalogues=(SYSTEM, marsh, WEIR)))
