"""Rulesets: several ways to organise the same units."""
