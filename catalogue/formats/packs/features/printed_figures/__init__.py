"""Printed figures: numbers on units that rules sum like costs."""
