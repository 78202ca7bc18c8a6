"""Printed figures: numbers printed on units that rules sum like costs."""
