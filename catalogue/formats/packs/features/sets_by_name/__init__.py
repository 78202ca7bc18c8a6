"""Sets by name: units that rules count together because of what they are called."""
