"""Parts of the pack language that only one or a few games use, each in its own folder."""
