"""Game plan: what players decide for a game in addition to the list, and rules about it."""
