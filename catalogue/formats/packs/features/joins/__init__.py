"""Joins: units inside other units, either add-ons or units that may also be on their own."""
