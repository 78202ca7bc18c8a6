"""Overlays: the rules of a pack, applied to imported data of the same game."""
