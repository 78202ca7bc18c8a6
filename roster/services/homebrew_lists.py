"""Judge lists again when their house rules no longer count, or count again."""

from functools import partial

from django.db import transaction
from django_tasks import task

from catalogue.services.jobs import JUDGING
from roster.models import HomebrewSet, Roster
from roster.services.evaluation import evaluate_list, summarize_list
from roster.services.homebrew import select_lists

BATCH = 20
"""Lists of one task. Further ones queue behind other work."""


def set_hidden(homebrew_set: HomebrewSet, *, hidden: bool) -> None:
    """Hide house rules from all but their owner and staff, or show them again. Keeps the date of the last change."""
    HomebrewSet.objects.filter(pk=homebrew_set.pk).update(taken_down=hidden)
    judge_after_commit(homebrew_set)


def judge_after_commit(homebrew_set: HomebrewSet) -> None:
    """Judge the lists that name these house rules again, in the background, once the transaction is stored."""
    transaction.on_commit(partial(judge_lists_again.enqueue, homebrew_set.public_id, homebrew_set.game_id))


@task(queue_name=JUDGING)
def judge_lists_again(public_id: str, game_id: int, after: int = 0) -> None:
    """Store what overviews, searches and the file of public lists say about lists after `after`."""
    named = select_lists(public_id, game_id).filter(pk__gt=after).select_related("version__game")
    if not HomebrewSet.objects.filter(public_id=public_id, taken_down=False).exists():
        # Only lists that they counted in, which an index finds.
        named = named.filter(homebrew__gt="")
    lists = list(named[:BATCH])
    for roster in lists:
        # Its next page looks ahead again.
        summary = summarize_list(evaluate_list(roster.version, roster.faction_id, roster.tree))
        # A list that changes meanwhile is judged by that change.
        Roster.objects.filter(pk=roster.pk, head=roster.head).update(**summary)
    if len(lists) == BATCH:
        judge_lists_again.enqueue(public_id, game_id, lists[-1].pk)
