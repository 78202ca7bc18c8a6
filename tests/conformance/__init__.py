"""Runs the field's conformance suite of roster specs against the engine: `python -m tests.conformance DIR`."""
