"""Sets by name: units that rules count together by their names."""
