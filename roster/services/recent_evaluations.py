"""Evaluated lists that this process worked out last, lent to one reader at a time.

After an edit the page asks for what mends the list and for what can become of it, opens units and looks at others, all
of the same revision: none of that has to be judged again.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from catalogue.models import PackVersion
from catalogue.services.lru import Lru
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, evaluate_list, forget_outlook, recall_outlook
from roster.services.rulesets import load_list_ruleset

LISTS_REMEMBERED = 12
"""An evaluated list takes some forty times the memory of its document: ten megabytes for the largest."""

Key = tuple[int, str, str]
"""Version, faction and document: what a verdict follows from, whosever list it is."""

_recent: Lru[Key, EvaluatedList] = Lru(LISTS_REMEMBERED)


def take_evaluation(version: PackVersion, faction_id: str, document: str) -> EvaluatedList:
    """Return a list as judged, without what looking ahead found; nobody else has this evaluation at the same time.

    An evaluation fills in what it is asked as it goes, so two threads must not ask the same one.
    """
    judged = _recent.take((version.pk, faction_id, document))
    # Data that was loaded anew is another ruleset, though it is the same version.
    if judged is not None and judged.ruleset is load_list_ruleset(version, faction_id, judged.tree):
        return judged
    return evaluate_list(version, faction_id, document)


@contextmanager
def lend_evaluation(roster: Roster, judged: EvaluatedList | None = None) -> Iterator[EvaluatedList]:
    """Lend a stored list as judged, with what looking ahead found of it before; `judged` where that is at hand.

    Whoever asks for the same list afterwards is lent the same, unless this one ends in an error. What had to go for it
    is taken apart, as nobody has it any more.
    """
    lent = judged or recall_outlook(take_evaluation(roster.version, roster.faction_id, roster.document), roster.outlook)
    yield lent
    key = (roster.version_id, roster.faction_id, roster.document)
    for gone in _recent.put(key, forget_outlook(lent)):
        if gone.evaluation is not lent.evaluation:
            gone.evaluation.take_apart()


def forget_evaluations() -> None:
    """Forget them all."""
    _recent.clear()
