from roster.club.models.collections import Collection, ModelState, OwnedKind, StateChange

__all__ = ["Collection", "ModelState", "OwnedKind", "StateChange"]
