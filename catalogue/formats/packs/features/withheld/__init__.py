"""Withheld: units that are not offered under some condition, and the rule they then break."""
