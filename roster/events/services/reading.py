"""What a player submits: a list of the builder, a list at a link, a file, a pasted text; read by the readers that all
pages share."""

import re
from base64 import b64decode
from dataclasses import dataclass, field, replace
from hashlib import sha256

from catalogue.definitions.numbers import Number, format_number
from catalogue.models import Faction
from roster.engine.tree import RosterTree
from roster.events.models import Event, Submission
from roster.events.models.submission import SubmissionSource
from roster.formats.list_document import Unreadable
from roster.formats.list_text import decode_text
from roster.formats.ros import ReadError
from roster.formats.text.parse import MAX_TEXT
from roster.models import Roster
from roster.services.evaluation import decode_tree
from roster.services.exchange import LinkedRosterFile, is_roster_file, read_list_file
from roster.services.limits import MAX_DOCUMENT_BYTES
from roster.services.owners import Visitor, find_own
from roster.services.pasted_lists import ComparedPoints, ReadPaste, is_pasted_text, read_pasted_text
from roster.services.rosters import find_readable_roster
from roster.services.sharing import is_redacted_for
from roster.wording import explain_unreadable
from roster.wording.pasted import summarize_reading

_LINK = re.compile(r"/r/([A-Za-z0-9_-]{22})/?")
LINES_SHOWN = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedList:
    """What was received, and the list that was read from it.

    `tree` is None for what cannot be read, and `wrong` says why, `code` in a word. `version_hash` is that of the data
    it was read with. `claimed` is the total it claims itself, blank for none. `remarks` are doubts of
    the reader, `compared` the units whose points it claims otherwise than they are: name, claimed, computed.
    """

    source: str
    data: bytes
    text: str = ""
    tree: RosterTree | None = None
    faction: Faction | None = None
    game: str = ""
    claimed: str = ""
    player: str = ""
    code: str = ""
    wrong: str = ""
    remarks: list[str] = field(default_factory=list)
    compared: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def faction_columns(self) -> dict[str, str]:
        """What is kept of its faction with a submission."""
        if self.faction is None:
            return {"faction_id": "", "emblem": ""}
        return {"faction_id": self.faction.faction_id, "emblem": self.faction.identity.emblem}

    @property
    def received_hash(self) -> str:
        """The SHA-256 of what was received, in hexadecimal."""
        return sha256(self.data).hexdigest()


def read_roster(roster: Roster, source: str = SubmissionSource.BUILDER) -> ReceivedList:
    """Read a list that is stored here, as it is now."""
    faction = Faction.objects.filter(version_id=roster.version_id, faction_id=roster.faction_id).first()
    return ReceivedList(
        source=source,
        data=roster.document.encode(),
        tree=roster.tree,
        faction=faction,
        game=roster.version.game.slug,
        claimed=roster.points,
    )


def find_submitted_roster(owner: Visitor, public_id: str) -> Roster | None:
    """Return a list of somebody's own, None for no such list."""
    try:
        lists = Roster.objects.filter(binned=None).select_related("version__game")
        return find_own(owner, lists, public_id)
    except Roster.DoesNotExist:
        return None


def read_link(address: str, reader: Visitor) -> ReceivedList:
    """Read the list at a link of this server that a reader may see in full."""
    # Not `urlsplit`: people paste anything, and it raises ValueError for half a pair of brackets.
    match = _LINK.search(re.split(r"[?#]", address.strip())[0])
    try:
        roster = find_readable_roster(match[1], reader) if match else None
    except Roster.DoesNotExist:
        roster = None
    if roster is None or is_redacted_for(roster, reader):
        return ReceivedList(source=SubmissionSource.LINK, data=address.encode(), text=address, code="no-list-at-link")
    return read_roster(roster, SubmissionSource.LINK)


def read_upload(
    data: bytes, name: str = "list", *, game: str = "", source: str = SubmissionSource.FILE
) -> ReceivedList:
    """Read a file or a pasted text in any form that is read here; whatever it is, the answer is a value.

    Players and organisers have accounts.
    """
    text = "" if is_roster_file(data) else (decode_text(data) or "")[:MAX_TEXT]
    if is_pasted_text(data):
        return _read_text(data, text, game, source)
    read = read_list_file(data, name, has_account=True)
    if isinstance(read, Unreadable | ReadError):
        return ReceivedList(source=source, data=data, text=text, code=read.code, wrong=str(explain_unreadable(read)))
    return ReceivedList(
        source=source,
        data=data,
        text=text,
        tree=read.judged.tree,
        faction=read.faction,
        game=read.version.game.slug,
        claimed=_find_claimed(read) if isinstance(read, LinkedRosterFile) else "",
    )


def read_again(submission: Submission, event: Event) -> ReceivedList | None:
    """Read what was received again, by what can be read now; None for what was not kept."""
    data = b64decode(submission.unread) or submission.text.encode()
    if not data:
        return None
    if submission.source in (SubmissionSource.FILE, SubmissionSource.PASTE):
        return read_upload(data, game=event.version.game.slug, source=submission.source)
    faction = Faction.objects.filter(version=event.version, faction_id=submission.faction_id).first()
    if faction is None:
        return None
    return ReceivedList(
        source=submission.source, data=data, tree=decode_tree(data), faction=faction, claimed=submission.claimed
    )


def _find_claimed(linked: LinkedRosterFile) -> str:
    """Return the total that a roster file states."""
    points = linked.judged.points
    costs = linked.file.costs
    total = next((cost.value for cost in costs if points and cost.type_id == points.type_id), None)
    return _format_total(total)


def _read_text(data: bytes, text: str, game: str, source: str) -> ReceivedList:
    read = read_pasted_text(data, game=game, has_account=True)
    if isinstance(read, Unreadable):
        return ReceivedList(source=source, data=data, text=text, code=read.code, wrong=str(explain_unreadable(read)))
    # A paste with several lists is several players' lists: an upload takes them apart before it comes here.
    if len(read) > 1:
        return ReceivedList(source=source, data=data, text=text, code="several-lists")
    return _take_paste(read[0], data, text, source)


def _take_paste(one: ReadPaste, data: bytes, text: str, source: str) -> ReceivedList:
    claims = one.pasted.claims
    received = ReceivedList(
        source=source, data=data, text=text, claimed=_format_total(claims.total), player=claims.player
    )
    if one.checked is None:
        code, wrong = _explain_unread(one)
        return replace(received, code=code, wrong=wrong)
    doubtful = any(name.key for name in one.open_names)
    return replace(
        received,
        tree=one.checked.judged.tree,
        faction=one.checked.faction,
        game=one.checked.version.game.slug,
        remarks=[summarize_reading(one)] if doubtful else [],
        compared=list(map(_format_difference, one.differing_points)),
    )


def _format_difference(unit: ComparedPoints) -> tuple[str, str, str]:
    return unit.name, format_number(unit.claimed), format_number(unit.computed)


def _explain_unread(one: ReadPaste) -> tuple[str, str]:
    """Return why no list could be made of a text: its code and what is said of it."""
    if one.unreadable is None:
        return "unknown-list", ""
    return one.unreadable.code, str(explain_unreadable(one.unreadable))


def _format_total(total: Number | None) -> str:
    return "" if total is None else format_number(total)


def is_too_long(data: bytes) -> bool:
    """Return whether something is longer than any list."""
    return len(data) > max(MAX_DOCUMENT_BYTES * 2, 4 * MAX_TEXT)
