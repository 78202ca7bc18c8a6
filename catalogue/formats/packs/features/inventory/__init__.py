"""Inventory: every rule of the book, with clauses that worked lists show one by one."""
