"""Slot exceptions: a unit changes the size of another slot."""
