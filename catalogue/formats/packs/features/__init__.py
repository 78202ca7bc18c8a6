"""Features: what the pack language has for one game or a few, each in a folder of its own."""
