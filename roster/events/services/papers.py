import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from django.urls import reverse

from roster.events.models import Event, Participant, Submission
from roster.events.services.access import EventStanding, find_standing
from roster.events.services.audit import record_act
from roster.events.services.submissions import describe_changes
from roster.services.revisions import SHORTEST_HASH, PaperComparison, ShownList

_HASH = re.compile(rf"(?:.*[?&]hash=)?([0-9a-f]{{{SHORTEST_HASH},64}})(?:[&#].*)?")
MOST_EVENTS = 20
MOST_DIFFERENCES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperMatch:
    """A submission with a printout's hash. `is_locked` means that it is the player's current submission."""

    submission: Submission

    @property
    def player(self) -> Participant:
        return self.submission.participant

    @property
    def is_locked(self) -> bool:
        return self.player.current_id == self.submission.pk


def read_digits(text: str) -> str:
    """Return the hash digits in a scanned code, a page foot, a receipt or the bench, or "".

    >>> read_digits("3F9C 21AB"), read_digits("https://x.org/r/y/?revision=7&hash=3f9c21ab"), read_digits("3f9c")
    ('3f9c21ab', '3f9c21ab', '')
    >>> read_digits("39ae921d70bb…")
    '39ae921d70bb'
    """
    match = _HASH.fullmatch("".join(text.split()).lower()[:400].rstrip("…."))
    return match[1] if match else ""


def find_matches(event: Event, digits: str) -> list[PaperMatch]:
    """Return the submissions with a hash; only locked ones if there are any.

    The hash is the list's, as on printouts, or the received data's, as on receipts and the bench.
    """
    if not digits:
        return []
    has_hash = Q(content_hash__startswith=digits) | Q(received_hash__startswith=digits)
    stored = Submission.objects.filter(has_hash, participant__event=event)
    matches = [PaperMatch(submission=one) for one in stored.select_related("participant").defer("document", "report")]
    return [match for match in matches if match.is_locked] or matches


def check_paper(standing: EventStanding, text: str) -> list[PaperMatch]:
    matches = find_matches(standing.event, read_digits(text))
    player = matches[0].player if matches else None
    record_act(standing.event, standing.user, "paper", player, detail=read_digits(text)[:SHORTEST_HASH])
    return matches


def hold_against_events(user: User | AnonymousUser, digits: str, shown_list: ShownList | None) -> list[PaperComparison]:
    """Compare a printout with the submissions to the user's events.

    If no submission has the hash, `shown_list` is compared with its owner's submission.
    """
    digits = read_digits(digits)
    if not isinstance(user, User) or not digits:
        return []
    checked = []
    for role in user.event_roles.select_related("event__version__game").order_by("-pk")[:MOST_EVENTS]:
        standing = find_standing(role.event, user)
        if standing.is_blind:
            continue
        matches = find_matches(standing.event, digits)
        for match in matches:
            checked.append(_describe_comparison(standing, match.player, digits, is_match=match.is_locked))
        if not matches and shown_list is not None and shown_list.roster.owner_id is not None:
            comparison = _compare_with_owner(standing, digits, shown_list)
            if comparison is not None:
                checked.append(comparison)
    return checked


def _compare_with_owner(standing: EventStanding, digits: str, shown_list: ShownList) -> PaperComparison | None:
    submitters = standing.event.participants.select_related("current").filter(current__isnull=False)
    player = submitters.filter(user=shown_list.roster.owner_id).first()
    if player is None or player.current is None:
        return None
    # A file or a text has another hash, but may be the same list.
    is_known = shown_list.paper not in (None, "unknown")
    differences = describe_changes(player.current, shown_list.roster.tree) if is_known else []
    is_match = is_known and not differences and bool(player.current.document)
    return _describe_comparison(standing, player, digits, is_match=is_match, differences=differences)


def _describe_comparison(
    standing: EventStanding, player: Participant, digits: str, *, is_match: bool, differences: Sequence[str] = ()
) -> PaperComparison:
    """Return a comparison's result, and log it because it reveals something about a list."""
    event = standing.event
    record_act(event, standing.user, "paper", player, detail=digits[:SHORTEST_HASH])
    address = reverse("events:list", args=[event.public_id, player.public_id])
    return PaperComparison(
        event=event.name,
        player=player.name,
        address=f"{address}?hash={digits}",
        is_match=is_match,
        differences=tuple(differences[:MOST_DIFFERENCES]),
    )
