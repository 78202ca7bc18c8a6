"""Guests: units that several or all factions may take, and the armies in which they are at home."""
