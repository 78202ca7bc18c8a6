"""Deck pages: charts and neighbours on the page of a deck."""
