"""Runs the conformance suite of roster specs against the engine: `python -m tests.conformance DIR`."""
