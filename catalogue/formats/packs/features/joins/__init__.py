"""Joins: units inside others, add-ons or not."""
