"""Inventory: every rule of the book, with the clauses that worked lists show one by one."""
