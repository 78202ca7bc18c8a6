"""Withheld: units that are not on offer while something is so, and the rule that they break then."""
