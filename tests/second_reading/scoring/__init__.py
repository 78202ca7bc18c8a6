"""A second reading of how each book scores: plain code from the book that shares nothing with packs or pages.

A reading plays a random game on a table of its own, and says what each player claims in each turn: which sentence of
which objective, how often. From the sentences it adds up the points itself, and says who wins. `referee.py` taps the
claims into a game, and both have to agree on every total, on the end and on the record.
"""
