"""Game plan: what players settle for a game beside the list, and rules about that."""
