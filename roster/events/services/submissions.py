from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from catalogue.models import GameSystem
from catalogue.services.texts import fold_text
from roster.engine.compare import Difference, DifferenceKind, DifferencePart, compare_rosters
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
from roster.events.services.mail import describe_moment, plan_mail
from roster.events.services.reading import WRONG_GAME, ReceivedList, describe_other_game
from roster.events.services.teams import find_doubled_army
from roster.services.evaluation import build_search_text, encode_tree, hash_document, summarize_list
from roster.services.limits import check_size, start_deadline
from roster.services.outcomes import Refused
from roster.wording.comparison import describe_difference

MOST_SUBMISSIONS = 50
"""How often a player may submit a list for one event."""
MOST_ENTRIES = 100
MOST_KEPT = 2 * 2**20
"""The most bytes of an unreadable list that are kept for a later reader."""
TOO_SLOW = "too-slow"
COSMETIC = "cosmetic"
"""Marks a change that needs no permission, because the army stays the same."""
COSMETIC_KINDS = (
    DifferenceKind.RENAMED,
    DifferenceKind.NOTED,
    DifferenceKind.REORDERED,
    DifferenceKind.LIMIT,
    DifferenceKind.UNSHOWN,
    # Another program wrote the same army. What its way of counting changes shows in the new verdict.
    DifferenceKind.ORIGIN,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedReceipt:
    received: ReceivedList
    judged_list: JudgedList
    document: str = ""
    search_text: str = ""
    units: Sequence[tuple[str, int, str]] = ()

    @property
    def tree(self) -> RosterTree | None:
        return self.received.tree if self.document else None

    @property
    def faction(self) -> str:
        return self.received.faction.heading if self.received.faction else ""


def judge_received(event: Event, received: ReceivedList, force: RulesInForce | None = None) -> JudgedReceipt:
    """Evaluate a list by an event's rules. Unreadable data gets the verdict `unreadable`."""
    tree, faction = received.tree, received.faction
    code = received.code
    if tree is not None and not code:
        if received.game and received.game != event.version.game.slug:
            code = WRONG_GAME
        elif refused := check_size(tree, 0):
            code = refused.code
    if code or tree is None or faction is None:
        wrong = describe_other_game(received.game) if code == WRONG_GAME else received.wrong
        return JudgedReceipt(received=received, judged_list=refuse_list(code or "unknown-list", wrong))

    rules = force or load_event_rules(event)
    try:
        evaluated_list = judge_tree(rules, faction.faction_id, tree, deadline=start_deadline(has_account=True))
    except OverdueError:
        return JudgedReceipt(received=received, judged_list=refuse_list(TOO_SLOW, ""))
    return JudgedReceipt(
        received=received,
        judged_list=summarize_judgement(evaluated_list, received.as_read),
        document=encode_tree(tree),
        search_text=build_search_text(tree),
        units=summarize_list(evaluated_list)["units"],
    )


# ---- until when ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionTerms:
    """Whether a player may submit now, until when, and the code of the `reason`.

    `late_seconds` is how late a list would be now. `opens` is when a returned list may be corrected.
    """

    may_submit: bool
    reason: str
    until: datetime | None = None
    late_seconds: int = 0
    opens: datetime | None = None


def find_terms(participant: Participant, now: datetime | None = None) -> SubmissionTerms:
    """Return a submission's terms. A late list never replaces an earlier one."""
    moment = now or timezone.now()
    event = participant.event
    if event.status != EventStatus.OPEN or participant.dropped:
        return SubmissionTerms(may_submit=False, reason="not-open")
    deadline = event.deadline
    if deadline is None or not event.is_past_deadline_at(moment):
        return SubmissionTerms(may_submit=True, reason="open", until=deadline)

    late_pass = LatePass.objects.filter(participant=participant).first()
    if late_pass is not None and moment <= late_pass.expires:
        return SubmissionTerms(may_submit=True, reason="late-pass", until=late_pass.expires)
    window = find_open_window(event, moment)
    if window is not None and participant.status == SubmissionStatus.RETURNED:
        return SubmissionTerms(may_submit=True, reason="correction", until=window.ends)
    later = event.windows.filter(starts__gt=moment).first()
    if later is not None and participant.status == SubmissionStatus.RETURNED:
        return SubmissionTerms(may_submit=False, reason="before-window", opens=later.starts)
    if not event.accepts_late:
        return SubmissionTerms(may_submit=False, reason="too-late", until=deadline)

    deadline = late_pass.expires if late_pass else deadline
    if participant.current_id is not None:
        return SubmissionTerms(may_submit=False, reason="too-late", until=deadline)
    late = max(1, int((moment - deadline).total_seconds()))
    return SubmissionTerms(may_submit=True, reason="late", late_seconds=late)


def list_open_entries(user: User, game: GameSystem) -> list[tuple[Participant, SubmissionTerms]]:
    """List the user's and their teams' entries that accept a list now."""
    mine = Participant.objects.filter(Q(user=user) | Q(team__captain=user, event__is_team=True))
    entries = mine.filter(event__status=EventStatus.OPEN, event__version__game=game, dropped=False)
    entries = entries.select_related("event__version", "team", "current").order_by("event", "pk")[:MOST_ENTRIES]
    offered = [(entry, find_terms(entry)) for entry in entries]
    return [(entry, terms) for entry, terms in offered if terms.may_submit]


def find_open_window(event: Event, moment: datetime | None = None) -> CorrectionWindow | None:
    at = moment or timezone.now()
    return event.windows.filter(starts__lte=at, ends__gte=at).first()


# ---- submitting ------------------------------------------------------------------------------------------------------


@transaction.atomic
def submit_list(
    participant: Participant, receipt: JudgedReceipt, sender: User | None, *, terms: SubmissionTerms | None = None
) -> Submission | Refused:
    """Freeze a list as a player's submission. Refuses `too-late`, `not-open`, `too-many` and others.

    Organisers pass their own `terms`. The deadline is checked under the lock, no matter when the form was opened.
    """
    held = _lock_player(participant)
    event, before = held.event, held.current
    allowed = terms or find_terms(held)
    if not allowed.may_submit:
        opens = describe_moment(allowed.opens, event) if allowed.opens else ""
        return Refused(code=allowed.reason, subject_id=opens)

    # Sending the same list again changes nothing, unless data, rules or lateness differ. After a return it is always a
    # new submission, because an organiser has to look at it again.
    if (
        before is not None
        and not allowed.late_seconds
        and before.received_hash == receipt.received.received_hash
        and (before.version_id, before.rules_hash) == (event.version_id, event.rules_hash)
        and held.status != SubmissionStatus.RETURNED
    ):
        return before
    number = before.number + 1 if before else 1
    if number > MOST_SUBMISSIONS:
        return Refused(code="too-many", allowed=MOST_SUBMISSIONS)

    is_correction = corrects_locked(held)
    submission = build_submission(held, receipt, sender, number, allowed.late_seconds, correction=is_correction)
    submission.save()
    keep_current(held, submission, correction=is_correction)
    record_act(event, sender, "submit", held, detail=submission.short_hash)
    plan_mail(held, Letter.RECEIPT, str(number))
    return submission


def _lock_player(participant: Participant) -> Participant:
    row = Participant.objects.select_for_update(of=("self",)).select_related("event__version__game", "current")
    return row.get(pk=participant.pk)


def corrects_locked(participant: Participant) -> bool:
    """Return whether a player's next list corrects a list that was returned after the deadline.

    It makes no difference who sends it, or whether there is a late pass or a window.
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
    received, event = receipt.received, participant.event
    locked = participant.locked or participant.current
    # A readable list is stored as a document, an unreadable one as received.
    is_unread = not receipt.document and len(received.data) <= MOST_KEPT
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
        homebrew_id=event.homebrew_id,
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
        unread=b64encode(received.data).decode() if is_unread else "",
        **receipt.judged_list.columns,
    )


def keep_current(participant: Participant, submission: Submission, *, correction: bool = False) -> None:
    """Make a submission the player's current one and copy its columns for tables.

    Before the deadline nothing is locked. The correction of a late list is late, too.
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
    """Replace an unreadable submission by what can be read now. Returns False if it is no longer current.

    Its time, lateness and decision stay.
    """
    with transaction.atomic():
        held = _lock_player(participant)
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


def copy_verdict(participant: Participant, source: Judged) -> None:
    participant.verdict = source.verdict
    participant.points = source.points
    participant.violations = source.violations
    participant.unchecked = source.unchecked
    participant.left_open = source.left_open


def find_last_verdict(submission: Submission) -> Judged:
    # All are loaded, so that callers can prefetch them.
    later: list[Recheck] = list(submission.rechecks.all())
    return later[0] if later else submission


# ---- what changed ----------------------------------------------------------------------------------------------------


def describe_changes(before: Submission | None, after: RosterTree | None) -> list[str]:
    return [describe_difference(one, {}) for one in list_changes(before, after)]


def list_changes(before: Submission | None, after: RosterTree | None) -> tuple[Difference, ...]:
    if before is None or after is None or not before.document:
        return ()
    return compare_rosters(before.tree, after)


def check_correction(locked: Submission | None, after: RosterTree | None) -> list[tuple[str, bool | str]]:
    """Describe the changes since the locked list, each with whether a return asked for it, or `COSMETIC`.

    A change is covered if the last decision on a submission since then named its unit or option.
    """
    if locked is None:
        return []
    decisions = Decision.objects.filter(
        submission__participant=locked.participant_id, submission__number__gte=locked.number
    )
    # The oldest first, so that the last decision on each submission wins.
    last = {decision.submission_id: decision for decision in decisions.reverse()}
    covers: set[str] = set()
    for decision in last.values():
        if decision.status == SubmissionStatus.RETURNED:
            covers.update(map(fold_text, decision.covers))

    described: list[tuple[str, bool | str]] = []
    for change in list_changes(locked, after):
        # Five models instead of three and two are the same unit; two units instead of one are another army.
        is_same_unit = change.kind is DifferenceKind.DIVIDED and change.what is DifferencePart.OPTION
        if change.kind in COSMETIC_KINDS or (is_same_unit and not change.number):
            described.append((describe_difference(change, {}), COSMETIC))
            continue
        has_unit = change.what is DifferencePart.OPTION or change.kind in (DifferenceKind.JOINED, DifferenceKind.LEFT)
        names = (change.unit, change.name) if has_unit else (change.name, change.before)
        is_covered = any(name and fold_text(name) in covers for name in names)
        described.append((describe_difference(change, {}), is_covered))
    return described


def list_faulty_units(submission: Submission) -> list[str]:
    names: list[str] = []
    for violation in submission.report.get("violations", ()):
        places = [violation["on"], *violation["cause"]]
        names.extend(place["name"] for place in places if place["kind"] == "selection")
        names.append(violation["counted"]["name"])
    return list(dict.fromkeys(filter(None, names)))
