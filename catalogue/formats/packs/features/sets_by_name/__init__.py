"""Sets by name: units that rules count together because of their names."""
