"""Guests: units that several factions may take, or all of them, and the armies in which they are at home."""
