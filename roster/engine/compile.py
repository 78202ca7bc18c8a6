"""Definitions made ready for evaluation: one ruleset per version of a game's data, shared by all threads."""

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.diagnostics import Diagnostic


class Ruleset:
    """The compiled form of a `DataSet`: bound links, and one lazily compiled book per catalogue.

    Immutable as far as callers can see, safe to share between threads, and worth keeping per process: compiling costs
    tens of milliseconds for the largest public data, evaluating a roster a few.
    """

    def __init__(self, data: DataSet) -> None:
        self.data = data

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the data: links to nothing, cyclic links, ids given twice."""
        return ()


def compile_ruleset(data: DataSet) -> Ruleset:
    """Make `data` ready for evaluation. Never raises on bad data: see `Ruleset.diagnostics`."""
    return Ruleset(data)
