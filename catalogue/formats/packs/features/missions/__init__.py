"""Missions, objectives, maps, dice and tokens."""
