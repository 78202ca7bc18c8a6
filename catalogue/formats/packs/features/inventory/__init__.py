"""Inventory: every rule of the book, with its clauses."""
