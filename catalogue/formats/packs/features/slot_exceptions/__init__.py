"""Slot exceptions: a unit that is taken changes how many another slot of its detachment takes."""
