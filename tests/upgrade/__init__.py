"""A database of commit f988aa5, and what must hold after migrating it to the current code."""
