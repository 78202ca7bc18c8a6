"""A database of commit f988aa5, and what has to be true of it after migrating to what the code is now."""
