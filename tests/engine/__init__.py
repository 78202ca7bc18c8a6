"""The engine's own tests. `specs/` holds one behaviour per file: a tiny game, lists, and their violations."""
