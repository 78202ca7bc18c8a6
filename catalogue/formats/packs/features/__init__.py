"""Parts of the pack language for one or a few games."""
