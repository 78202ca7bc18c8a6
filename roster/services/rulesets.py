"""Compiled rulesets, kept per process: compiling costs tens of milliseconds, judging a list a few."""

from collections.abc import Mapping

from catalogue.definitions.citations import Publication
from catalogue.models import PackVersion
from catalogue.services.documents import dataset_for
from catalogue.services.lru import Lru
from roster.engine.compile import Ruleset, compile_ruleset

MAX_KEPT = 16

Books = Mapping[str, Publication]
"""The publications of a ruleset by id: what a citation needs to be read."""

_rulesets: Lru[tuple[str, str], Ruleset] = Lru(MAX_KEPT)


def ruleset_for(version: PackVersion, faction_id: str) -> Ruleset:
    """The rules of one faction of one version, compiled once per process and content; the least used are let go."""
    key = (version.content_hash, faction_id)
    return _rulesets.get(key, lambda: compile_ruleset(dataset_for(version, faction_id)))


def books_of(ruleset: Ruleset) -> Books:
    """The publications that citations of this ruleset name."""
    return ruleset.binding.publications


def forget_rulesets() -> None:
    """Let all compiled rulesets go, for measurements and tests."""
    _rulesets.clear()
