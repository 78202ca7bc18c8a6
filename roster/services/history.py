from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from roster.engine.edits import Refused
from roster.models import RevisionName, RevisionOutlook, Roster, RosterRevision
from roster.services.limits import check_name

MOST_NAMED = 30


class Standing(StrEnum):
    SHOWN = "shown"
    BELOW = "below"
    LEFT = "left"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class HistoryRow:
    revision: RosterRevision
    standing: Standing

    @property
    def name(self) -> str:
        return get_revision_name(self.revision)

    @property
    def verdict(self) -> str:
        return get_revision_outlook(self.revision).verdict


@dataclass(frozen=True, slots=True)
class History:
    """Revisions of a list, newest first. Pages read only the rows that they show."""

    roster: Roster
    numbers: Sequence[int]
    standings: dict[int, Standing]

    def read_rows(self, numbers: Sequence[int]) -> list[HistoryRow]:
        """Read revisions in this order, without documents."""
        revisions = (
            self.roster.revisions.filter(number__in=numbers)
            .select_related("named", "foreseen")
            .defer(*RosterRevision.CONTENT)
        )
        by_number = {revision.number: revision for revision in revisions}
        return [HistoryRow(by_number[number], self.standings[number]) for number in numbers]


def list_conflicting_revisions(roster: Roster, revision: RosterRevision) -> list[RosterRevision]:
    siblings = roster.revisions.filter(aside=True, parent=revision.parent).exclude(pk=revision.pk)
    return list(siblings.order_by("number").defer(*RosterRevision.CONTENT))


def read_history(roster: Roster, *, named: bool = False) -> History:
    # A history may be long.
    links = list(roster.revisions.order_by("-number").values_list("number", "parent", "aside", "named__name"))
    numbers = [number for number, _, _, name in links if name or not named]
    return History(roster, numbers, _read_standings(roster, [link[:3] for link in links]))


def _read_standings(roster: Roster, links: Sequence[tuple[int, int, bool]]) -> dict[int, Standing]:
    below = _find_ancestors(roster.head, {number: parent for number, parent, _ in links})
    standings = {number: Standing.ASIDE if aside else Standing.LEFT for number, _, aside in links}
    standings |= dict.fromkeys(below & standings.keys(), Standing.BELOW)
    standings[roster.head] = Standing.SHOWN
    return standings


def _find_ancestors(head: int, parents: dict[int, int]) -> set[int]:
    ancestors: set[int] = set()
    number = head
    while number in parents and number not in ancestors:
        ancestors.add(number)
        number = parents[number]
    return ancestors


def get_revision_name(revision: RosterRevision) -> str:
    """Return the owner's name, or "". `select_related("named")` saves a query."""
    named: RevisionName | None = getattr(revision, "named", None)
    return named.name if named else ""


def get_revision_outlook(revision: RosterRevision) -> RevisionOutlook:
    """Return the stored outlook, or the verdict. `select_related("foreseen")` saves a query."""
    outlook: RevisionOutlook | None = getattr(revision, "foreseen", None)
    return outlook or RevisionOutlook(revision=revision, verdict=revision.verdict, violations=revision.violations)


def list_named_revisions(roster: Roster) -> list[RosterRevision]:
    """List named revisions, newest first, without documents."""
    revisions = roster.revisions.filter(named__isnull=False).select_related("named").defer(*RosterRevision.CONTENT)
    return list(revisions.order_by("-number")[:MOST_NAMED])


def name_revision(roster: Roster, number: int, text: str) -> str | Refused:
    """Name a revision, or unname it with "". Return the stored name."""
    revision = roster.revisions.filter(number=number).first()
    if revision is None:
        return Refused(code="unknown-revision", subject_id=str(number))
    name = check_name(text, subject=str(number))
    if isinstance(name, Refused):
        return name
    if name:
        RevisionName.objects.update_or_create(revision=revision, defaults={"name": name})
    else:
        RevisionName.objects.filter(revision=revision).delete()
    return name
