"""Benchmarks: `make bench`. Modules here register functions with `frame.benchmark`; all modules are found."""
