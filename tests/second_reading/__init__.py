"""A second reading of each rulebook: plain code written from the book, sharing nothing with the pack or the engine.

`python -m tests.second_reading` makes hundreds of single changes to each worked legal list of a pack. The engine and
the reading of the game (`<game>.py`) judge each changed list and must agree on the broken rules.
"""
