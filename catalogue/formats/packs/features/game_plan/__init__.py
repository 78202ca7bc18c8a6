"""Game plan: what players decide apart from the list."""
