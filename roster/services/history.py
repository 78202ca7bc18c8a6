from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from roster.engine.edits import Refused
from roster.engine.report import Verdict
from roster.models import RevisionName, RevisionOutlook, Roster, RosterRevision
from roster.models.roster import HistoryArchiveError
from roster.services.homebrew import name_homebrew
from roster.services.limits import check_name
from roster.services.rulesets import HOMEBREW_MARK

MOST_NAMED = 30


class Standing(StrEnum):
    SHOWN = "shown"
    BELOW = "below"
    LEFT = "left"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A revision; `homebrew` names the house rules by which it is legal, or is "", or None if it cannot be read."""

    revision: RosterRevision
    standing: Standing
    homebrew: str | None = ""

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
        """Read revisions in this order."""
        revisions = self.roster.revisions.filter(number__in=numbers).select_related("named", "foreseen")
        by_number = {revision.number: revision for revision in revisions}
        keys: dict[int, str | None] = {}
        is_archive_lost = False
        for number, revision in by_number.items():
            # Most differences on a page are from a revision on it.
            if revision.base in by_number and not by_number[revision.base].is_archived:
                self.roster.remember_whole(revision.base, by_number[revision.base].document)
            try:
                keys[number] = self._find_homebrew(revision, is_archive_lost=is_archive_lost)
            except HistoryArchiveError:
                # A storage may take long not to answer, so it is asked once.
                is_archive_lost, keys[number] = not self.roster.has_archive_content, None
        names = {key: key and name_homebrew(self.roster.version.game_id, key) for key in {*keys.values()}}
        return [HistoryRow(by_number[number], self.standings[number], names[keys[number]]) for number in numbers]

    def _find_homebrew(self, revision: RosterRevision, *, is_archive_lost: bool) -> str | None:
        if get_revision_outlook(revision).verdict != Verdict.LEGAL.value:
            return ""
        if is_archive_lost and revision.is_archived and revision.number != self.roster.head:
            return None
        revision.roster = self.roster
        return revision.tree.homebrew if HOMEBREW_MARK in revision.document else ""


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
