"""Submit a list: its verdict in advance, the deadline, the receipt; what is submitted is frozen."""

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from catalogue.models import Faction, GameSystem
from catalogue.services.texts import fold_text
from roster.engine.compare import Difference, DifferencePart, compare_rosters
from roster.engine.evaluation import OverdueError
from roster.engine.tree import RosterTree
from roster.events.models import (
    CorrectionWindow,
    Decision,
    Event,
    EventStatus,
    LatePass,
    Participant,
    Recheck,
    Submission,
    SubmissionStatus,
)
from roster.events.models.mail import Letter
from roster.events.models.submission import Judged
from roster.events.services.audit import record_act
from roster.events.services.judging import (
    JudgedList,
    RulesInForce,
    judge_tree,
    load_event_rules,
    refuse_list,
    summarize_judgement,
)
from roster.events.services.mail import plan_mail
from roster.events.services.reading import ReceivedList
from roster.events.services.teams import find_doubled_army
from roster.services.evaluation import build_search_text, encode_tree, hash_document, summarize_list
from roster.services.limits import check_size, start_deadline
from roster.services.outcomes import Refused
from roster.wording.comparison import describe_difference

MOST_SUBMISSIONS = 50
"""How often a player may submit a list for one event."""
MOST_ENTRIES = 100
MOST_KEPT = 2 * 2**20
"""So many bytes of a list that cannot be read are kept, to be read again."""
WRONG_GAME, TOO_SLOW = "wrong-game", "too-slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedReceipt:
    """What was received, with what it came to under an event, and what searches and tables show of it."""

    received: ReceivedList
    judged: JudgedList
    document: str = ""
    search_text: str = ""
    units: Sequence[tuple[str, int, str]] = ()

    @property
    def tree(self) -> RosterTree | None:
        return self.received.tree if self.document else None

    @property
    def faction(self) -> str:
        """What tables call the faction; blank for what could not be read."""
        return self.received.faction.heading if self.received.faction else ""


def judge_received(event: Event, received: ReceivedList, force: RulesInForce | None = None) -> JudgedReceipt:
    """Judge what was received by the rules of an event; whatever it is, the answer is a value."""
    code = received.code or _find_fault(event, received)
    if code:
        return JudgedReceipt(received=received, judged=refuse_list(code, received.wrong))
    if received.tree is None or received.faction is None:
        return JudgedReceipt(received=received, judged=refuse_list("unknown-list", received.wrong))
    return _judge_linked(force or load_event_rules(event), received, received.faction, received.tree)


def _judge_linked(rules: RulesInForce, received: ReceivedList, faction: Faction, tree: RosterTree) -> JudgedReceipt:
    try:
        judged = judge_tree(rules, faction.faction_id, tree, deadline=start_deadline(has_account=True))
    except OverdueError:
        return JudgedReceipt(received=received, judged=refuse_list(TOO_SLOW, ""))
    return JudgedReceipt(
        received=received,
        judged=summarize_judgement(judged),
        document=encode_tree(tree),
        search_text=build_search_text(tree),
        units=summarize_list(judged)["units"],
    )


def _find_fault(event: Event, received: ReceivedList) -> str:
    """Return the code of what keeps a list from being judged; blank for nothing."""
    if received.tree is None:
        return "unknown-list"
    if received.game and received.game != event.version.game.slug:
        return WRONG_GAME
    refused = check_size(received.tree, 0)
    return refused.code if refused else ""


# ---- until when ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionTerms:
    """Whether a player may submit now, until when, and why: `reason` is the code of what allows or refuses it.

    `late_seconds` is by how much a list that is taken now misses its deadline.
    """

    may_submit: bool
    reason: str
    until: datetime | None = None
    late_seconds: int = 0


def find_terms(participant: Participant, now: datetime | None = None) -> SubmissionTerms:
    """Return whether a player may submit a list at a moment, and until when."""
    moment = now or timezone.now()
    event = participant.event
    if event.status != EventStatus.OPEN or participant.dropped:
        return SubmissionTerms(may_submit=False, reason="not-open")
    if event.deadline is None or moment <= event.deadline:
        return SubmissionTerms(may_submit=True, reason="open", until=event.deadline)
    return _find_terms_after_deadline(participant, moment)


def _find_terms_after_deadline(participant: Participant, moment: datetime) -> SubmissionTerms:
    """Return what lets a player submit past the deadline: what is meant for this one before what all may do."""
    event = participant.event
    late_pass = LatePass.objects.filter(participant=participant).first()
    if late_pass is not None and moment <= late_pass.expires:
        return SubmissionTerms(may_submit=True, reason="late-pass", until=late_pass.expires)
    window = find_open_window(event, moment)
    if window is not None and participant.status == SubmissionStatus.RETURNED:
        return SubmissionTerms(may_submit=True, reason="correction", until=window.ends)
    if event.accepts_late:
        return _allow_late(participant, late_pass, moment)
    return SubmissionTerms(may_submit=False, reason="too-late", until=event.deadline)


def _allow_late(participant: Participant, late_pass: LatePass | None, moment: datetime) -> SubmissionTerms:
    """Return the terms where late lists are taken: one that is there already is not replaced by a late one."""
    deadline = late_pass.expires if late_pass else participant.event.deadline
    if participant.current_id is not None or deadline is None:
        return SubmissionTerms(may_submit=False, reason="too-late", until=deadline)
    late = max(1, int((moment - deadline).total_seconds()))
    return SubmissionTerms(may_submit=True, reason="late", late_seconds=late)


def list_open_entries(user: User, game: GameSystem) -> list[tuple[Participant, SubmissionTerms]]:
    """Return the entries that somebody may submit a list of a game for now: their own, and those of their teams."""
    mine = Participant.objects.filter(Q(user=user) | Q(team__captain=user, event__is_team=True))
    entries = mine.filter(event__status=EventStatus.OPEN, event__version__game=game, dropped=False)
    entries = entries.select_related("event__version", "team", "current").order_by("event", "pk")[:MOST_ENTRIES]
    offered = [(entry, find_terms(entry)) for entry in entries]
    return [(entry, terms) for entry, terms in offered if terms.may_submit]


def find_open_window(event: Event, moment: datetime | None = None) -> CorrectionWindow | None:
    """Return the correction window that is open at a moment; None for none."""
    at = moment or timezone.now()
    return event.windows.filter(starts__lte=at, ends__gte=at).first()


# ---- submitting ------------------------------------------------------------------------------------------------------


@transaction.atomic
def submit_list(
    participant: Participant, receipt: JudgedReceipt, sender: User | None, *, terms: SubmissionTerms | None = None
) -> Submission | Refused:
    """Freeze a list as a player's submission; `too-late`, `not-open` or `too-many` refuse it.

    `terms` are those of organisers, who may hand in a list for a player at any time. The deadline is looked at here,
    under the lock: a form that was opened before it does not count.
    """
    held = _lock_player(participant)
    allowed = terms or find_terms(held)
    if not allowed.may_submit:
        return Refused(code=allowed.reason)
    before = held.current
    if before is not None and not allowed.late_seconds and _is_same(held, before, receipt):
        return before
    number = _get_next_number(before)
    if number > MOST_SUBMISSIONS:
        return Refused(code="too-many", allowed=MOST_SUBMISSIONS)
    return _store_submission(held, receipt, sender, number, allowed.late_seconds)


def _get_next_number(before: Submission | None) -> int:
    return before.number + 1 if before else 1


def _lock_player(participant: Participant) -> Participant:
    row = Participant.objects.select_for_update(of=("self",)).select_related("event__version__game", "current")
    return row.get(pk=participant.pk)


def _store_submission(
    held: Participant, receipt: JudgedReceipt, sender: User | None, number: int, late_seconds: int
) -> Submission:
    """Keep a submission as the current one of a player, and tell of it."""
    is_correction = corrects_locked(held)
    submission = build_submission(held, receipt, sender, number, late_seconds, correction=is_correction)
    submission.save()
    keep_current(held, submission, correction=is_correction)
    record_act(held.event, sender, "submit", held, detail=submission.short_hash)
    plan_mail(held, Letter.RECEIPT, str(number))
    return submission


def _is_same(participant: Participant, before: Submission, receipt: JudgedReceipt) -> bool:
    """Return whether a list is the one that lies there already, judged by the same data and house rules.

    A list that was returned is handed in anew, even if nothing in it changed: somebody has to look at it again.
    """
    event = participant.event
    return (
        before.received_hash == receipt.received.received_hash
        and (before.version_id, before.rules_hash) == (event.version_id, event.rules_hash)
        and participant.status != SubmissionStatus.RETURNED
    )


def corrects_locked(participant: Participant) -> bool:
    """Return whether what a player hands in now corrects a list that was locked: returned, and past the deadline.

    It does so whoever hands it in, and whether a window or a late pass lets them.
    """
    is_locked = participant.locked_id is not None or participant.status == SubmissionStatus.RETURNED
    return is_locked and participant.event.is_past_deadline


def build_submission(
    participant: Participant,
    receipt: JudgedReceipt,
    sender: User | None,
    number: int,
    late_seconds: int,
    *,
    correction: bool,
) -> Submission:
    """Return a submission that is not stored yet."""
    received, event = receipt.received, participant.event
    locked = participant.locked or participant.current
    return Submission(
        participant=participant,
        number=number,
        source=received.source,
        sender=sender,
        text=received.text,
        document=receipt.document,
        faction=receipt.faction,
        **received.faction_columns,
        units=list(receipt.units),
        search_text=receipt.search_text,
        rules=event.rules,
        rules_hash=event.rules_hash,
        version=event.version,
        claimed=received.claimed,
        received_hash=received.received_hash,
        content_hash=hash_document(receipt.document) if receipt.document else "",
        differences=describe_changes(participant.current, receipt.tree),
        correction=check_correction(locked, receipt.tree) if correction else [],
        remarks=received.remarks,
        compared=received.compared,
        late_seconds=late_seconds,
        doubled=str(find_doubled_army(participant, receipt.faction) or ""),
        unread=_encode_unread(receipt),
        **receipt.judged.columns,
    )


def _encode_unread(receipt: JudgedReceipt) -> str:
    """Return what was received where it could not be read, as text: of the rest the document is kept."""
    data = receipt.received.data
    if receipt.document or len(data) > MOST_KEPT:
        return ""
    return b64encode(data).decode()


def keep_current(participant: Participant, submission: Submission, *, correction: bool = False) -> None:
    """Make a submission the current one of a player, and keep what tables show of it beside the name.

    What is handed in before the deadline may be anything, so that nothing stays locked. What corrects a late list is
    late.
    """
    participant.locked_id = (participant.locked_id or participant.current_id) if correction else None
    late_before = participant.late_seconds if correction else 0
    participant.current = submission
    participant.status = SubmissionStatus.NEW
    participant.faction, participant.emblem = submission.faction, submission.emblem
    participant.claimed = submission.claimed
    participant.search_text = f"{fold_text(submission.faction)} {submission.search_text}".strip()
    participant.received = submission.created
    participant.late_seconds = submission.late_seconds or late_before
    participant.uncovered = sum(not covered for _text, covered in submission.correction)
    copy_verdict(participant, submission)
    participant.save()


def replace_unread(participant: Participant, unread: Submission, receipt: JudgedReceipt, actor: User | None) -> bool:
    """Put a list that can be read by now in the place of its unreadable self; False where another one lies there.

    It is the same list, so that its time, its lateness and what was decided about it stay.
    """
    with transaction.atomic():
        row = Participant.objects.select_for_update(of=("self",)).select_related("event__version__game", "current")
        held = row.get(pk=participant.pk)
        if held.current_id != unread.pk:
            return False
        corrects = held.locked_id not in (None, unread.pk)
        submission = build_submission(
            held, receipt, unread.sender, unread.number + 1, unread.late_seconds, correction=corrects
        )
        submission.save()
        before = {"status": held.status, "received": held.received, "late_seconds": held.late_seconds}
        before["locked_id"] = submission.pk if held.locked_id == unread.pk else held.locked_id
        keep_current(held, submission, correction=corrects)
        Participant.objects.filter(pk=held.pk).update(**before)
        record_act(held.event, actor, "reread", held, detail=submission.short_hash)
    return True


def copy_verdict(participant: Participant, judged: Judged) -> None:
    """Copy a verdict to where tables show it."""
    participant.verdict = judged.verdict
    participant.points = judged.points
    participant.violations = judged.violations
    participant.unchecked = judged.unchecked
    participant.left_open = sum(bool(note["on"]) for note in judged.report.get("unchecked", ()))


def find_last_verdict(submission: Submission) -> Judged:
    """Return the last verdict on a submission: a later one, else the one it was received with."""
    # All of them, so that anybody who asks for many lists can have them fetched at once.
    later: list[Recheck] = list(submission.rechecks.all())
    return later[0] if later else submission


# ---- what changed ----------------------------------------------------------------------------------------------------


def describe_changes(before: Submission | None, after: RosterTree | None) -> list[str]:
    """Describe what is otherwise than in an earlier submission; nothing where one of the two cannot be read."""
    return [describe_difference(one, {}) for one in list_changes(before, after)]


def list_changes(before: Submission | None, after: RosterTree | None) -> tuple[Difference, ...]:
    if before is None or after is None or not before.document:
        return ()
    return compare_rosters(before.tree, after)


def check_correction(locked: Submission | None, after: RosterTree | None) -> list[tuple[str, bool]]:
    """Describe what is otherwise than in the locked list, each with whether a reason for a return covers it."""
    if locked is None:
        return []
    covers = _list_covered(locked)
    changes = list_changes(locked, after)
    return [(describe_difference(one, {}), _is_covered(one, covers)) for one in changes]


def _list_covered(locked: Submission) -> set[str]:
    """Return what may be changed since a list was locked: the reasons of its return and of its corrections add up.

    Of each submission the last decision counts, so that a return that was taken back asks for nothing.
    """
    decisions = Decision.objects.filter(
        submission__participant=locked.participant_id, submission__number__gte=locked.number
    )
    # The oldest first, so that the last decision on each submission is the one that stays.
    last = {decision.submission_id: decision for decision in decisions.reverse()}
    covers = (decision.covers for decision in last.values() if decision.status == SubmissionStatus.RETURNED)
    return set(map(fold_text, chain.from_iterable(covers)))


def _is_covered(difference: Difference, covers: Collection[str]) -> bool:
    """Return whether a change is of what was asked for: a unit that was named, or an option inside one."""
    if difference.what is DifferencePart.OPTION:
        names = {difference.unit, difference.name}
    else:
        names = {difference.name, difference.before}
    return bool({fold_text(name) for name in names if name} & set(covers))


def list_faulty_units(submission: Submission) -> list[str]:
    """Return the names of what the broken rules of a submission are about: what its return asks to be changed."""
    violations = submission.report.get("violations", ())
    names = chain.from_iterable(map(_name_faulty_units, violations))
    return list(dict.fromkeys(filter(None, names)))


def _name_faulty_units(violation: Mapping[str, Any]) -> list[str]:
    """Return the names of the units that a broken rule is about, then of what it counts."""
    places = [violation["on"], *violation["cause"]]
    return [*(place["name"] for place in places if place["kind"] == "selection"), violation["counted"]["name"]]
