"""Joins: units inside other units, add-ons that are nowhere else and units that may also be on their own."""
