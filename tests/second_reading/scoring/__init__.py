"""A second reading of how each book scores: plain code from the book that shares nothing with packs or pages.

A reading plays a random game on its own table, yields the claims of each turn (sentence of an objective, number), and
computes points and winner. `referee.py` taps the claims into a game; totals, end and record must agree.
"""
