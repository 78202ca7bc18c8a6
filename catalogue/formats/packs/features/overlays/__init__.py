"""Overlays: the rules of a pack for imported data of the same game."""
