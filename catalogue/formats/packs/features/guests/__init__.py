"""Guests: units of several or all factions."""
