"""Overlays: the rules of a pack laid over data of the same game that comes from elsewhere."""
