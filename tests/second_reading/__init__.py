"""A second reading of each rulebook: plain code written from the book that shares nothing with the pack or the engine.

`python -m tests.second_reading` takes every worked legal list of a pack, makes single changes by the hundred, and has
each judged twice: by the engine, and by the reading of the game (`<game>.py` here). They have to agree on the set of
broken rules. See `reading.py` for what a reading says of itself.
"""
