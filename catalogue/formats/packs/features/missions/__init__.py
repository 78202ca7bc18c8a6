"""Missions: what a game is played for and with, from missions and objectives to maps, dice and tokens."""
