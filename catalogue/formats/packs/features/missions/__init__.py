"""Missions, objectives, maps, dice and tokens: what a game is played with."""
