"""Organise an owner's lists; ignore lists of others."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from roster.engine.edits import Refused
from roster.models import Folder, Roster, Tag
from roster.models.roster import LABEL_LENGTH, Label
from roster.services.limits import check_text
from roster.services.owners import Visitor, delete_few_at_a_time, filter_owned

MOST_LABELS = 200
"""The most folders, and also the most tags, of an owner."""
MOST_TAGS = 12

L = TypeVar("L", bound=Label)


def list_folders(owner: Visitor) -> QuerySet[Folder]:
    return filter_owned(owner, Folder.objects.all())


def list_tags(owner: Visitor) -> QuerySet[Tag]:
    return filter_owned(owner, Tag.objects.all())


def count_lists_by_label(owner: Visitor) -> tuple[dict[int, int], dict[int, int]]:
    mine = filter_owned(owner, Roster.objects.filter(binned=None)).order_by()
    given = Roster.tags.through._default_manager.filter(roster__in=mine)
    return (
        dict(mine.exclude(folder=None).values_list("folder").annotate(lists=Count("pk"))),
        dict(given.values_list("tag_id").annotate(lists=Count("pk"))),
    )


@dataclass(frozen=True, slots=True)
class ListCounts:
    """Counts by folder key and by faction id; `kinds` are pairs of version key and faction id."""

    by_folder: Counter[int | None]
    by_faction: Counter[str]
    kinds: set[tuple[int, str]]


def count_lists_by_place(owner: Visitor) -> ListCounts:
    mine = filter_owned(owner, Roster.objects.filter(binned=None)).order_by()
    counts = ListCounts(Counter(), Counter(), set())
    places = mine.values_list("folder", "version", "faction_id").annotate(lists=Count("pk"))
    for folder, version, faction_id, lists in places:
        counts.by_folder[folder] += lists
        counts.by_faction[faction_id] += lists
        counts.kinds.add((version, faction_id))
    return counts


def select_lists(owner: Visitor, public_ids: Collection[str], *, binned: bool = False) -> QuerySet[Roster]:
    mine = filter_owned(owner, Roster.objects.filter(public_id__in=public_ids))
    return mine.filter(binned__isnull=not binned)


def ensure_label(model: type[L], owner: Visitor, text: str) -> L | Refused:
    """Find or create a label. Refuses `no-label`, `too-long` and `too-many`."""
    name = check_text(text, LABEL_LENGTH)
    if isinstance(name, Refused):
        return name
    if not name:
        return Refused(code="no-label")
    mine = filter_owned(owner, model._default_manager.all())
    existing = mine.filter(name=name).first()
    if existing is not None:
        return existing
    if mine.count() >= MOST_LABELS:
        return Refused(code="too-many", allowed=MOST_LABELS)
    label: L = model._default_manager.create(name=name, **owner.fields)
    return label


def rename_label(label: Label, text: str) -> Refused | None:
    name = check_text(text, LABEL_LENGTH)
    if isinstance(name, Refused):
        return name
    if not name:
        return Refused(code="no-label")
    label.name = name
    label.save()
    return None


def move_to_folder(lists: QuerySet[Roster], folder: Folder | None) -> int:
    return lists.update(folder=folder)


@transaction.atomic
def file_list(roster: Roster, folder_name: str, tag_names: Collection[str]) -> Refused | None:
    """Set a list's folder, "" for none, and its tags. New names make new ones.

    Refuses as `ensure_label` does.
    """
    owner = Visitor(user_id=roster.owner_id, key=roster.owner_key)
    folder = ensure_label(Folder, owner, folder_name) if folder_name else None
    if isinstance(folder, Refused):
        return folder
    tags: list[Tag] = []
    for name in tag_names:
        tag = ensure_label(Tag, owner, name)
        if isinstance(tag, Refused):
            transaction.set_rollback(True)
            return tag
        tags.append(tag)
    move_to_folder(Roster.objects.filter(pk=roster.pk), folder)
    roster.tags.set(tags)
    return None


@transaction.atomic
def add_tag(lists: QuerySet[Roster], label: Tag) -> int:
    """Tag lists with room for it; return how many have the tag now."""
    free = lists.exclude(tags=label).annotate(tagged=Count("tags")).filter(tagged__lt=MOST_TAGS)
    through = Roster.tags.through
    # One statement: the query has checked the limit.
    rows = [through(roster_id=pk, tag_id=label.pk) for pk in free.values_list("pk", flat=True)]
    through._default_manager.bulk_create(rows, ignore_conflicts=True)
    return lists.filter(tags=label).count()


def remove_tag(lists: QuerySet[Roster], label: Tag) -> int:
    given = Roster.tags.through._default_manager.filter(tag_id=label.pk, roster__in=lists)
    return given.delete()[0]


# ---- the bin ------------------------------------------------------------------------------------------------------


def list_bin(owner: Visitor) -> QuerySet[Roster]:
    thrown = Roster.objects.exclude(binned=None).select_related("version__game").defer("document")
    return filter_owned(owner, thrown).order_by("-binned", "-pk")


def move_to_bin(lists: QuerySet[Roster]) -> int:
    """Move lists to the bin, where their addresses fail; return the number."""
    return lists.filter(binned=None).update(binned=timezone.now())


def restore_from_bin(lists: QuerySet[Roster]) -> int:
    return lists.exclude(binned=None).update(binned=None)


def delete_for_good(lists: QuerySet[Roster]) -> int:
    """Delete binned lists with their histories; return the number."""
    return delete_few_at_a_time(lists.exclude(binned=None))


def purge_bins() -> int:
    """Delete lists binned more than `BIN_DAYS` ago; return the number."""
    until = timezone.now() - timedelta(days=settings.ARMYBUILDER["BIN_DAYS"])
    return delete_few_at_a_time(Roster.objects.filter(binned__lt=until))
