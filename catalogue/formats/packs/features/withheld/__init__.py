"""Withheld: units not offered under a condition."""
