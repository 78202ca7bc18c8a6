"""Common keyword: all units of a list or detachment share one keyword of a faction, and not one that is too broad."""
