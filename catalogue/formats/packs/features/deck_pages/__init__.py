"""Deck pages: what the page of a deck draws, and what lies beside the deck."""
