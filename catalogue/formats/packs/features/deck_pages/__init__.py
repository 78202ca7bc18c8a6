"""Deck pages: what the page of a deck draws, and what is next to the deck."""
