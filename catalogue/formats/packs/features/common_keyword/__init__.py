"""Common keyword: all units of a list or detachment share a faction keyword that is not too broad."""
