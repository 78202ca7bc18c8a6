"""Slot exceptions: a selected unit changes how many units another slot of the detachment takes."""
