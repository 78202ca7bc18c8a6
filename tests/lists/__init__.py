"""Checks that pasted lists are read: `python -m tests.lists DIR`."""
