"""Deck pages: what the page of a deck draws."""
