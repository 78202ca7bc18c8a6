"""Printed figures: numbers that units print and that rules sum as if they were costs."""
