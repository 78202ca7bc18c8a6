"""Organisers' and judges' actions on lists."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from catalogue.services.texts import fold_text
from roster.events.models import (
    Assignment,
    CorrectionWindow,
    Decision,
    Event,
    EventComment,
    EventRole,
    LatePass,
    Participant,
    Penalty,
    SubmissionStatus,
    Team,
)
from roster.events.models.checking import Audience, Offence, PenaltyState
from roster.events.models.event import LEGAL_VERDICTS, TEXT_LENGTH, ListVerdict
from roster.events.models.mail import Letter
from roster.events.services.audit import record_act
from roster.events.services.mail import plan_mail
from roster.events.services.pairing_tables import read_points
from roster.events.services.submissions import list_faulty_units
from roster.events.services.teams import WORSENED, list_doubled
from roster.services.limits import check_text
from roster.services.outcomes import Refused

MOST_AT_ONCE = 2_000
LATE = "late"
UNCHECKED = "unchecked"
DOUBLED = "doubled"
TO_CHECK = "to-check"
HOUR = 3_600


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchFilter:
    """A filter for an event's lists. A blank field matches any list.

    `state` is a status, a verdict, `late`, `unchecked`, `doubled`, `to-check` or `uncovered`. `team` and `checker` are
    primary keys.
    """

    words: str = ""
    state: str = ""
    team: str = ""
    checker: str = ""


def list_entries(event: Event) -> QuerySet[Participant]:
    return event.participants.select_related("team").order_by("pk")


def filter_entries(
    entries: QuerySet[Participant], query: BenchFilter, doubled: Iterable[int] = ()
) -> QuerySet[Participant]:
    """Filter players. `doubled` are the keys of players whose team has their army twice."""
    for word in fold_text(query.words).split():
        entries = entries.filter(
            Q(search_text__contains=word) | Q(name__icontains=word) | Q(team__name__icontains=word)
        )
    if query.state:
        entries = entries.filter(_match_state(query.state, Q(pk__in=list(doubled))))
    if query.team.isdecimal():
        entries = entries.filter(team_id=int(query.team[:12]))
    if query.checker.isdecimal():
        entries = entries.filter(assignments__checker_id=int(query.checker[:12])).distinct()
    return entries


def _match_state(state: str, is_doubled: Q) -> Q:
    """Match a status or a displayed verdict: a list is illegal if its team has the army twice."""
    is_worsened = is_doubled & Q(verdict__in=WORSENED)
    special = {
        DOUBLED: is_doubled,
        ListVerdict.ILLEGAL: Q(verdict=ListVerdict.ILLEGAL) | is_worsened,
        LATE: Q(late_seconds__gt=0),
        UNCHECKED: Q(left_open__gt=0, verdict__in=LEGAL_VERDICTS) & ~is_doubled,
        TO_CHECK: Q(status=SubmissionStatus.NEW),
        "uncovered": Q(uncovered__gt=0),
    }
    if state in special:
        return special[state]
    if state in SubmissionStatus.values:
        return Q(status=state)
    if state in ListVerdict.values:
        return Q(verdict=state) & ~is_worsened
    return Q(pk__in=())


def count_entries(entries: Iterable[Participant]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for entry in entries:
        if entry.dropped:
            continue
        counts["players"] += 1
        counts[entry.status] += 1
        counts[entry.verdict] += 1
        counts[LATE] += entry.is_late
        counts[UNCHECKED] += entry.verdict in LEGAL_VERDICTS and entry.left_open > 0
    return counts


# ---- deciding --------------------------------------------------------------------------------------------------------


def decide_list(
    participant: Participant, actor: User, status: str, reason: str = "", covers: Sequence[str] = (), number: int = 0
) -> Decision | Refused:
    """Accept or return a list. Refuses `moved-on` if the actor saw another list than `number`.

    A return needs a reason. `covers` are the units that the player may change, by default the units that break rules.
    """
    if status not in (SubmissionStatus.ACCEPTED, SubmissionStatus.RETURNED, SubmissionStatus.NEW):
        return Refused(code="bad-change")
    is_return = status == SubmissionStatus.RETURNED
    cleaned = check_text(reason, TEXT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    if is_return and not cleaned:
        return Refused(code="no-reason")

    with transaction.atomic():
        held = (
            Participant.objects.select_for_update(of=("self",))
            .select_related("current", "locked", "event")
            .get(pk=participant.pk)
        )
        submission = held.current
        if submission is None:
            return Refused(code="no-list")
        if number and submission.number != number:
            return Refused(code="moved-on")

        decision = Decision(submission=submission, status=status, reason=cleaned, author=actor)
        if is_return:
            decision.covers = list(covers) or list_faulty_units(submission)
        decision.save()
        if is_return:
            # Corrections are compared with the list that was returned first, not with an earlier correction.
            held.locked = held.locked or submission
            EventComment.objects.create(participant=held, audience=Audience.PLAYER, text=cleaned, author=actor)
            plan_mail(held, Letter.RETURNED, str(decision.pk))
        held.status = status
        held.save(update_fields=["status", "locked"])
        record_act(held.event, actor, status, held, detail=submission.short_hash)
    return decision


def decide_many(
    event: Event, actor: User, public_ids: Sequence[str], status: str, reason: str = "", seen: int = 0
) -> tuple[int, dict[str, list[str]]]:
    """Decide about many lists. Returns their number and, by refusal code, the names of other players.

    Submissions later than `seen`, the newest key that the actor saw, are refused as `moved-on`.
    """
    entries = event.participants.filter(public_id__in=list(public_ids)[:MOST_AT_ONCE]).select_related("event")
    refused: defaultdict[str, list[str]] = defaultdict(list)
    decided = 0
    for entry in entries.annotate(number=F("current__number")):
        outcome: Decision | Refused
        if seen and (entry.current_id or 0) > seen:
            outcome = Refused(code="moved-on")
        else:
            outcome = decide_list(entry, actor, status, reason, number=entry.number or 0)
        if isinstance(outcome, Refused):
            refused[outcome.code].append(entry.name)
        else:
            decided += 1
    return decided, dict(refused)


def list_acceptable(event: Event) -> QuerySet[Participant]:
    """List the players whose new list is legal in its team, has no open notes, and states its points correctly."""
    new = event.participants.filter(
        status=SubmissionStatus.NEW, verdict__in=LEGAL_VERDICTS, dropped=False, uncovered=0, left_open=0
    )
    # If the locked list cannot be read, a person has to check its correction.
    compared = Q(locked=None) | Q(locked=F("current")) | ~Q(locked__document="")
    sound = new.filter(compared, Q(claimed="") | Q(claimed=F("points")))
    return sound.exclude(pk__in=list_doubled(event))


def add_comment(participant: Participant, actor: User, audience: str, text: str) -> EventComment | Refused:
    if audience not in Audience.values:
        return Refused(code="bad-change")
    cleaned = check_text(text, TEXT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-text")
    record_act(participant.event, actor, f"comment-{audience}", participant)
    return EventComment.objects.create(participant=participant, audience=audience, text=cleaned, author=actor)


# ---- time ------------------------------------------------------------------------------------------------------------


def give_late_pass(participant: Participant, actor: User, expires: datetime) -> LatePass | Refused:
    deadline = participant.event.deadline
    if expires <= timezone.now() or (deadline is not None and expires <= deadline):
        return Refused(code="pass-too-early")
    given, _created = LatePass.objects.update_or_create(participant=participant, defaults={"expires": expires})
    record_act(participant.event, actor, "late-pass", participant, detail=expires.isoformat(timespec="minutes"))
    return given


def withdraw_late_pass(participant: Participant, actor: User) -> Refused | None:
    given = LatePass.objects.filter(participant=participant).first()
    if given is None:
        return Refused(code="bad-change")
    given.delete()
    detail = given.expires.isoformat(timespec="minutes")
    record_act(participant.event, actor, "late-pass-removed", participant, detail=detail)
    return None


def open_window(event: Event, actor: User, starts: datetime, ends: datetime) -> CorrectionWindow | Refused:
    refused = _check_window(event, starts, ends)
    if refused is not None:
        return refused
    window = CorrectionWindow.objects.create(event=event, starts=starts, ends=ends)
    record_act(event, actor, "window", detail=_write_window(window))
    return window


def change_window(
    window: CorrectionWindow, actor: User, starts: datetime, ends: datetime
) -> CorrectionWindow | Refused:
    refused = _check_window(window.event, starts, ends, window)
    if refused is not None:
        return refused
    before = _write_window(window)
    window.starts, window.ends = starts, ends
    window.save(update_fields=["starts", "ends"])
    record_act(window.event, actor, "window-changed", detail=f"{before} → {_write_window(window)}")
    return window


def remove_window(window: CorrectionWindow, actor: User) -> None:
    """Remove a window. Corrections submitted during it stay."""
    record_act(window.event, actor, "window-removed", detail=_write_window(window))
    window.delete()


def _check_window(
    event: Event, starts: datetime, ends: datetime, window: CorrectionWindow | None = None
) -> Refused | None:
    if event.deadline is None or starts < event.deadline:
        return Refused(code="window-before-deadline")
    if ends <= starts:
        return Refused(code="window-ends-first")
    others = event.windows.filter(starts__lt=ends, ends__gt=starts)
    if window is not None:
        others = others.exclude(pk=window.pk)
    return Refused(code="windows-overlap") if others.exists() else None


def _write_window(window: CorrectionWindow) -> str:
    zone = window.event.timezone
    return "–".join(f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" for moment in (window.starts, window.ends))


# ---- who checks what -------------------------------------------------------------------------------------------------


def assign_lists(
    event: Event, actor: User, public_ids: Sequence[str], checkers: Sequence[User | Team], due: datetime | None = None
) -> list[Assignment] | Refused:
    """Distribute lists. Checkers get no list of their own or of their team; blind helpers get none."""
    unseeing = set(event.roles.exclude(pk__in=filter_seeing(event)).values_list("user_id", flat=True))
    seeing = [checker for checker in checkers if isinstance(checker, Team) or checker.pk not in unseeing]
    if not seeing:
        return Refused(code="no-checker")

    entries = list(event.participants.filter(public_id__in=list(public_ids)[:MOST_AT_ONCE]))
    partial = [_find_partial(event, checker) for checker in seeing]
    load = [0] * len(seeing)
    assignments = []
    for entry in entries:
        allowed = [place for place, barred in enumerate(partial) if entry.pk not in barred]
        if not allowed:
            continue
        # `min` takes the first of several checkers with the same load.
        place = min(allowed, key=load.__getitem__)
        load[place] += 1
        checker = seeing[place]
        if isinstance(checker, Team):
            assignments.append(Assignment(participant=entry, team=checker, due=due))
        else:
            assignments.append(Assignment(participant=entry, checker=checker, due=due))

    with transaction.atomic():
        Assignment.objects.filter(participant__in=entries, done=None).delete()
        Assignment.objects.bulk_create(assignments)
        record_act(event, actor, "assign", detail=str(len(assignments)))
    return assignments


def _find_partial(event: Event, checker: User | Team) -> set[int]:
    if isinstance(checker, Team):
        theirs = Q(team=checker)
    else:
        theirs = Q(user=checker) | Q(team__captain=checker) | Q(team__members__user=checker)
    return set(event.participants.filter(theirs).values_list("pk", flat=True))


def filter_seeing(event: Event) -> QuerySet[EventRole]:
    """Return the roles that may see lists now, and so can check them."""
    return event.roles.all() if event.shows_all else event.roles.filter(is_blind=False)


def finish_assignment(assignment: Assignment, actor: User, remark: str = "") -> Assignment | Refused:
    cleaned = check_text(remark, TEXT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    assignment.done, assignment.remark = timezone.now(), cleaned
    assignment.save(update_fields=["done", "remark"])
    participant = assignment.participant
    record_act(participant.event, actor, "checked", participant)
    return assignment


def list_checkers(event: Event) -> QuerySet[User]:
    given = Assignment.objects.filter(participant__event=event, checker__isnull=False)
    return User.objects.filter(pk__in=given.values("checker")).select_related("player_name").order_by("pk")


def list_open_assignments(event: Event) -> QuerySet[Assignment]:
    waiting = Assignment.objects.filter(participant__event=event, done=None)
    return waiting.select_related("participant", "checker__player_name", "team").order_by("due", "pk")


def count_checks(event: Event) -> list[tuple[str, int, int]]:
    """Return each checker's name with the numbers of lists checked and assigned."""
    lines: dict[tuple[int | None, int | None], tuple[str, int, int]] = {}
    assignments = Assignment.objects.filter(participant__event=event)
    for assignment in assignments.select_related("checker__player_name", "team"):
        key = (assignment.checker_id, assignment.team_id)
        _name, done, given = lines.get(key, ("", 0, 0))
        lines[key] = (assignment.shown_checker, done + bool(assignment.done), given + 1)
    return sorted(lines.values(), key=lambda line: (line[1] - line[2], line[0]))


# ---- penalties -------------------------------------------------------------------------------------------------------


def read_penalty_table(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, str]] | Refused:
    """Read a penalty table. `per` is "", "hour" or "day", which multiplies the points for late lists."""
    table = []
    for row in rows:
        offence, points = str(row.get("offence", "")), read_points(str(row.get("points", "")))
        per = str(row.get("per", ""))
        if offence not in Offence.values or points is None or per not in ("", "hour", "day"):
            return Refused(code="bad-penalty", subject_id=offence)
        severity, rule = str(row.get("severity", ""))[:80], str(row.get("rule", ""))[:400]
        table.append({"offence": offence, "severity": severity, "points": str(points), "rule": rule, "per": per})
    return table


def suggest_penalties(participant: Participant, actor: User | None = None) -> list[Penalty]:
    """Suggest penalties from the event's table, once per offence."""
    existing = set(participant.penalties.values_list("offence", flat=True))
    suggested = []
    for row in participant.event.penalty_table:
        offence = row["offence"]
        if offence in existing or not _has_committed(participant, offence):
            continue
        # Started hours or days count in full.
        times = 1
        if per := row.get("per", ""):
            length = HOUR if per == "hour" else 24 * HOUR
            times = max(1, -(-count_late_seconds(participant) // length))
        points = Decimal(row["points"]) * times
        suggested.append(
            Penalty(participant=participant, offence=offence, severity=row["severity"], points=points, rule=row["rule"])
        )
    detail = ", ".join(f"{penalty.offence} {penalty.points}" for penalty in suggested)
    record_act(participant.event, actor, "suggest", participant, detail=detail)
    return Penalty.objects.bulk_create(suggested)


def _has_committed(participant: Participant, offence: str) -> bool:
    is_over = participant.event.is_past_deadline
    commitments = {
        Offence.LATE: count_late_seconds(participant) > 0,
        Offence.ILLEGAL: is_over and participant.verdict in (ListVerdict.ILLEGAL, ListVerdict.INCOMPLETE),
        Offence.WRONG_FORMAT: is_over and participant.verdict == ListVerdict.UNREADABLE,
        Offence.WRONG_POINTS: is_over and participant.differs_in_points,
        Offence.UNCOVERED: participant.uncovered > 0,
    }
    return commitments.get(Offence(offence), False)


def count_late_seconds(participant: Participant) -> int:
    if participant.current_id is not None:
        return participant.late_seconds
    late_pass = LatePass.objects.filter(participant=participant).first()
    deadline = late_pass.expires if late_pass else participant.event.deadline
    return max(0, int((timezone.now() - deadline).total_seconds())) if deadline else 0


def decide_penalty(penalty: Penalty, actor: User, state: str, points: str = "", reason: str = "") -> Penalty | Refused:
    if state not in (PenaltyState.CONFIRMED, PenaltyState.DISMISSED) or penalty.state != PenaltyState.SUGGESTED:
        return Refused(code="bad-change")
    decided = read_points(points) if points.strip() else penalty.points
    if decided is None:
        return Refused(code="bad-number", subject_id=points[:40])
    penalty.state, penalty.points, penalty.reason = state, decided, reason[:400]
    penalty.decided_by, penalty.decided = actor, timezone.now()
    penalty.save()
    participant = penalty.participant
    record_act(participant.event, actor, f"penalty-{state}", participant, detail=f"{penalty.offence} {decided}")
    return penalty


def withdraw_penalty(penalty: Penalty, actor: User, reason: str) -> Penalty | Refused:
    if penalty.state != PenaltyState.CONFIRMED:
        return Refused(code="bad-change")
    cleaned = check_text(reason, 400)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-withdrawal-reason")
    penalty.state, penalty.reason = PenaltyState.DISMISSED, cleaned
    penalty.decided_by, penalty.decided = actor, timezone.now()
    penalty.save()
    participant = penalty.participant
    detail = f"{penalty.offence} {penalty.points}: {cleaned}"
    record_act(participant.event, actor, "penalty-withdrawn", participant, detail=detail)
    return penalty


def add_penalty(
    participant: Participant, actor: User, offence: str, points: str, reason: str, *, severity: str = "", rule: str = ""
) -> Penalty | Refused:
    number = read_points(points)
    if offence not in Offence.values or number is None:
        return Refused(code="bad-number", subject_id=points[:40])
    penalty = Penalty(
        participant=participant, offence=offence, points=number, severity=severity.strip()[:80], rule=rule.strip()[:400]
    )
    return decide_penalty(penalty, actor, PenaltyState.CONFIRMED, reason=reason)
