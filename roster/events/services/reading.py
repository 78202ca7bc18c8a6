import re
from base64 import b64decode
from dataclasses import dataclass, field, replace
from hashlib import sha256

from django.utils.translation import gettext as _

from catalogue.definitions.numbers import Number, format_number
from catalogue.models import Faction
from catalogue.services.published_games import select_games
from roster.engine.tree import RosterTree
from roster.events.models import Event, Submission
from roster.events.models.submission import SubmissionSource
from roster.formats.list_document import Unreadable
from roster.formats.list_text import decode_text
from roster.formats.ros import ReadError
from roster.formats.text.parse import MAX_TEXT
from roster.formats.text.pasted import LineKind, Reading
from roster.models import Roster
from roster.services.evaluation import decode_tree
from roster.services.exchange import LinkedRosterFile, is_roster_file, read_list_file
from roster.services.owners import Visitor, find_own
from roster.services.pasted_lists import ReadPaste, is_pasted_text, read_pasted_text
from roster.services.rosters import find_readable_roster
from roster.services.sharing import is_redacted_for
from roster.wording import explain_unreadable
from roster.wording.pasted import explain_as_read, summarize_reading

_LINK = re.compile(r"/r/([A-Za-z0-9_-]{22})/?")
WRONG_GAME = "wrong-game"
"""The code for a list of another game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedList:
    """Received data and its list. If `tree` is None, `code` and `wrong` say why.

    `claimed` is the stated total. `remarks` say how much of a text was read; `as_read` says what is unclear. `compared`
    are units whose stated points differ: name, claimed, computed.
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
    as_read: str = ""
    remarks: list[str] = field(default_factory=list)
    compared: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def faction_columns(self) -> dict[str, str]:
        if self.faction is None:
            return {"faction_id": "", "emblem": ""}
        return {"faction_id": self.faction.faction_id, "emblem": self.faction.identity.emblem}

    @property
    def received_hash(self) -> str:
        return sha256(self.data).hexdigest()


def read_roster(roster: Roster, source: str = SubmissionSource.BUILDER) -> ReceivedList:
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
    try:
        lists = Roster.objects.filter(binned=None).select_related("version__game")
        return find_own(owner, lists, public_id)
    except Roster.DoesNotExist:
        return None


def read_link(address: str, reader: Visitor) -> ReceivedList:
    """Read the list at a link to this server, if the reader may see all of it."""
    # Not `urlsplit`: it raises ValueError for an unbalanced bracket, and users paste anything.
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
    """Read a file or a pasted text in any known format. If it is unreadable, `code` says why."""
    text = "" if is_roster_file(data) else (decode_text(data) or "")[:MAX_TEXT]
    if is_pasted_text(data):
        return _read_paste(data, text, game, source)
    read = read_list_file(data, name, has_account=True)
    if isinstance(read, Unreadable | ReadError):
        return ReceivedList(source=source, data=data, text=text, code=read.code, wrong=str(explain_unreadable(read)))

    claimed = None
    if isinstance(read, LinkedRosterFile) and (points := read.evaluated_list.points):
        claimed = next((cost.value for cost in read.file.costs if cost.type_id == points.type_id), None)
    return ReceivedList(
        source=source,
        data=data,
        text=text,
        tree=read.evaluated_list.tree,
        faction=read.faction,
        game=read.version.game.slug,
        claimed=_format_total(claimed),
    )


def read_again(submission: Submission, event: Event) -> ReceivedList | None:
    """Read the received data again with current readers, or return None if it was not kept."""
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


def _read_paste(data: bytes, text: str, game: str, source: str) -> ReceivedList:
    read = read_pasted_text(data, game=game, has_account=True)
    if isinstance(read, Unreadable):
        return ReceivedList(source=source, data=data, text=text, code=read.code, wrong=str(explain_unreadable(read)))
    # A paste with several lists belongs to several players; uploads split it earlier.
    if len(read) > 1:
        return ReceivedList(source=source, data=data, text=text, code="several-lists")

    one, claims = read[0], read[0].pasted.claims
    if other_game := _find_other_game(data, one, game):
        return ReceivedList(source=source, data=data, text=text, game=other_game, code=WRONG_GAME)
    received = ReceivedList(
        source=source, data=data, text=text, claimed=_format_total(claims.total), player=claims.player
    )
    if one.checked is None:
        if one.unreadable is None:
            return replace(received, code="unknown-list")
        return replace(received, code=one.unreadable.code, wrong=str(explain_unreadable(one.unreadable)))
    return replace(
        received,
        tree=one.checked.evaluated_list.tree,
        faction=one.checked.faction,
        game=one.checked.version.game.slug,
        as_read="" if one.is_wholly_read else explain_as_read(one),
        remarks=[] if one.pasted.document else [summarize_reading(one)],
        compared=[
            (unit.name, format_number(unit.claimed), format_number(unit.computed)) for unit in one.differing_points
        ],
    )


def _find_other_game(data: bytes, read: ReadPaste, game: str) -> str:
    """Return a better game if `game` has fewer than half of a text's units, else ""."""
    units = [line for line in read.lines if line.kind is LineKind.UNIT]
    matches = sum(line.reading is not Reading.UNREAD for line in units) if read.checked else 0
    if not game or matches * 2 > len(units):
        return ""
    elsewhere = read_pasted_text(data, has_account=True)
    faction = elsewhere[0].faction if isinstance(elsewhere, list) else None
    return faction.version.game.slug if faction is not None and faction.version.game.slug != game else ""


def describe_other_game(slug: str) -> str:
    game = select_games().filter(slug=slug).first()
    return _("This looks like a list of %(game)s.") % {"game": game} if game else ""


def _format_total(total: Number | None) -> str:
    return "" if total is None else format_number(total)
