"""Benchmarks: `make bench`. A module here registers functions with `frame.benchmark`; all modules are found."""
