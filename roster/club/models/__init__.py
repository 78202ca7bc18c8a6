from roster.club.models.collections import Collection, ModelState, OwnedKind, StateChange
from roster.club.models.forces import CampaignForce, CountedGame, LedgerEntry, LedgerKind, Veteran

__all__ = [
    "CampaignForce",
    "Collection",
    "CountedGame",
    "LedgerEntry",
    "LedgerKind",
    "ModelState",
    "OwnedKind",
    "StateChange",
    "Veteran",
]
