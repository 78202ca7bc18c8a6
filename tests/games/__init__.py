"""Imports every game of a folder of community data, and builds a list in it with the verbs of pages."""
