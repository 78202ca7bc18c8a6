"""Collect a file's findings, with counts and first places."""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.diagnostics import Diagnostic, Level


class FindingText(NamedTuple):
    """The wording of a kind of finding. `unchecked` is shown next to a verdict, "" if no verdict can change.

    `{what}` is the construct in the file, `{named}` its name for players.
    """

    message: str
    mend: str = ""
    unchecked: str = ""
    level: Level = Level.WARNING


_NEWER = "No fix needed: this reader does not know it."


class FindingKind(Enum):
    """The code is the name in lower case with dashes."""

    UNKNOWN_ELEMENT = FindingText("Unknown element {what}", _NEWER, "Something the data says is unknown: {what}.")
    UNKNOWN_ATTRIBUTE = FindingText("Unknown attribute {what}", _NEWER, "Something the data says is unknown: {what}.")
    UNKNOWN_VALUE = FindingText(
        "Unknown value {what}", "Correct it in the data.", "Something the data says is unknown: {what}."
    )
    UNKNOWN_MODIFIER = FindingText(
        "Modifier of unknown meaning: {what}", _NEWER, "A modifier of unknown meaning is left out: {what}."
    )
    UNKNOWN_REACH = FindingText(
        "Modifier of something else with unknown meaning: {what}",
        _NEWER,
        "A change that “{named}” makes to something else is left out.",
    )
    UNKNOWN_CONDITIONS = FindingText(
        "Conditions of unknown meaning: {what}",
        _NEWER,
        "Rules with conditions of unknown meaning are left out: {what}.",
    )
    BAD_NUMBER = FindingText(
        "{what} is not a number, so it is left out",
        "Correct it in the data.",
        "A number of the data cannot be read: {what}.",
        level=Level.FLAW,
    )
    MISSING_ID = FindingText(
        "{what} without an id, so that nothing can refer to it", "Give it an id in the data.", level=Level.FLAW
    )
    MISSING_TEXT_ID = FindingText("{what} without an id", "Give it an id in the data.")
    LONG_ID = FindingText("The id {what} is too long and was shortened", "Give it a shorter one in the data.")
    CONTROL_CHARACTERS = FindingText(
        "Characters that are not allowed in text were removed", "Remove them from the data."
    )
    DUPLICATE_ID = FindingText("The id {what} is given twice in this file", "Give one of them an id of its own.")
    DUPLICATE_DEFINITION = FindingText(
        "The id {what} is given to two definitions of this file; both are kept", "Give one of them an id of its own."
    )
    BACKUP = FindingText("Left out: it is in a folder of old copies", "Move it if you need it.")
    DUPLICATE_CATALOGUE = FindingText(
        "Left out: {what} has the same id, and its revision is no lower",
        "Give one of the two its own id, or remove one.",
        level=Level.FLAW,
    )
    NO_GAME_SYSTEM = FindingText(
        "Left out: its game system {what} is neither here nor installed",
        "Import it together with its game system, or after it.",
        level=Level.FLAW,
    )
    OTHER_GAME_SYSTEM = FindingText(
        "It names the game system {what}, which is not here, and is read as part of this one",
        "Correct its gameSystemId in the data.",
    )
    AMBIGUOUS_REFERENCE = FindingText(
        "Ambiguous: {what} is defined in several files, and none of them is nearer",
        "Give each an id of its own.",
        "The data defines {what} more than once; the first one is taken.",
    )
    DANGLING_LINK = FindingText(
        "Link to {what}, which does not exist", "Remove the link from the data.", "A link leads nowhere: {what}."
    )
    DANGLING_CATALOGUE = FindingText(
        "Link to the catalogue {what}, which is not here",
        "Import it together with this one.",
        "A linked catalogue is missing: {what}.",
    )
    DANGLING_CATEGORY = FindingText(
        "Link to the category {what}, which does not exist",
        "Remove it from the data.",
        "A category is missing: {what}.",
    )
    DANGLING_SCOPE = FindingText(
        "Rule about what is inside {what}, which does not exist",
        "Correct the rule in the data.",
        "A rule asks about something that does not exist: {what}.",
    )
    DANGLING_CHILD = FindingText(
        "Rule that counts {what}, which does not exist",
        "Correct the rule in the data.",
        "A rule counts something that does not exist: {what}.",
    )
    DANGLING_FIELD = FindingText(
        "Modifier of {what}, which does not exist",
        "Correct the modifier in the data.",
        "A modifier changes something that does not exist: {what}.",
    )
    DANGLING_COST = FindingText(
        "Cost of the type {what}, which does not exist",
        "Add the cost type to the data.",
        "A cost type is missing: {what}.",
    )
    DANGLING_DEFAULT = FindingText("Group whose default {what} does not exist", "Choose another default in the data.")
    DANGLING_INFO = FindingText("Link to the text {what}, which does not exist", "Remove the link from the data.")
    DANGLING_PROFILE_TYPE = FindingText("Profile of the type {what}, which does not exist", "Add the profile type.")
    DANGLING_PUBLICATION = FindingText("Mention of the book {what}, which does not exist", "Add the book to the data.")
    LINK_CYCLE = FindingText(
        "Links that lead back to themselves: {what}; the last one is left out",
        "Remove one of them.",
        "A link that leads back to itself is left out: {what}.",
        level=Level.FLAW,
    )
    FORCE_CIRCLE = FindingText(
        "Force that can contain itself: {what}; left out there",
        "No fix needed: lists keep it as an unknown force.",
        "A force inside one of its own kind is unknown: {what}.",
    )
    DEEP_LINKS = FindingText(
        "Links nested too deeply: {what}; the last one is left out",
        "Remove some of them.",
        "A link nested too deeply is left out: {what}.",
        level=Level.FLAW,
    )
    ASSOCIATION = FindingText(
        "Required association: {what}",
        "No fix needed: lists can leave it unattached.",
        "Whether this is attached to a model or unit at all is not checked: {what}.",
    )
    EMPTY_CONDITIONS = FindingText("Empty group of conditions ({what}), read as always met", "Remove it from the data.")
    DISPLAY_ONLY = FindingText("Ignored, because it only affects display: {what}")
    CONVENIENCE = FindingText("Ignored, because it only affects automatic picks: {what}")

    @property
    def code(self) -> str:
        return self.name.lower().replace("_", "-")


class FindingRecord:
    __slots__ = ("count", "line", "named", "subjects")

    def __init__(self, line: int, named: str) -> None:
        self.count = 0
        self.line = line
        self.named = named
        self.subjects: dict[str, None] = {}


class Findings:
    """By first appearance."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._records: dict[tuple[FindingKind, str], FindingRecord] = {}

    def add(self, kind: FindingKind, what: str, line: int, subject: str = "", named: str = "") -> None:
        """Record a finding. `subject` is its definition's id, `named` a name for players."""
        finding = self._records.get((kind, what))
        if finding is None:
            finding = self._records[kind, what] = FindingRecord(line, named)
        finding.count += 1
        finding.subjects[subject] = None

    def take_over(self, other: "Findings", *kinds: FindingKind) -> None:
        self._records |= {key: record for key, record in other._records.items() if key[0] in kinds}

    def list_diagnostics(self, find_line: Callable[[int], int]) -> list[Diagnostic]:
        diagnostics = []
        for (kind, what), finding in self._records.items():
            times = f" ({finding.count} times)." if finding.count > 1 else "."
            diagnostic = Diagnostic(
                code=kind.code,
                message=kind.value.message.format(what=what) + times,
                mend=kind.value.mend,
                file=self.file,
                line=find_line(finding.line),
                level=kind.value.level,
            )
            diagnostics.append(diagnostic)
        return diagnostics

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        return tuple(
            Unchecked(
                code=kind.code, text=kind.value.unchecked.format(what=what, named=finding.named), subject_id=subject
            )
            for (kind, what), finding in self._records.items()
            if kind.value.unchecked
            for subject in finding.subjects
        )
