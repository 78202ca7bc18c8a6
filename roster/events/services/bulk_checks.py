"""Process all lists of an event in the background: read an uploaded archive, or check every list again."""

import time
from base64 import b64decode, b64encode
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from catalogue.models import Job
from catalogue.services.jobs import Step, start_job
from roster.engine.evaluation import OverdueError
from roster.events.models import Event, Participant, Recheck, Submission
from roster.events.models.submission import Judged
from roster.events.services.archives import BESIDE_A_LIST, NO_LIST, ArchiveError, UploadedList, read_many_lists
from roster.events.services.audit import record_act
from roster.events.services.events import enter_player
from roster.events.services.judging import (
    JudgedList,
    RulesInForce,
    judge_tree,
    load_event_rules,
    refuse_list,
    summarize_judgement,
)
from roster.events.services.players import PlayerIndex, index_players
from roster.events.services.reading import ReceivedList, read_again, read_upload
from roster.events.services.submissions import (
    TOO_SLOW,
    SubmissionTerms,
    copy_verdict,
    find_last_verdict,
    judge_received,
    replace_unread,
    submit_list,
)
from roster.events.services.teams import find_or_create_team
from roster.formats.list_text import simplify_name
from roster.services.limits import start_deadline
from roster.services.outcomes import Refused

UPLOAD_JOB = "event-upload"
"""The job that submits the lists of an archive. `after` counts finished lists; `lines` are their outcomes."""
RECHECK_JOB = "event-recheck"
"""The job that evaluates all lists again. `after` is the key of the last player; `lines` are the changed verdicts."""
BY_ORGANISER = SubmissionTerms(may_submit=True, reason="upload")
SEVERAL, NEW_PLAYER = "several-players", "new"
UNREAD = "still-unread"
MOST_KEPT = 4 * 2**20
"""The most characters of lists without a clear player that a report keeps."""
BATCH = 100
LONGEST_UPLOAD = 64 * 2**20


# ---- taking lists in -------------------------------------------------------------------------------------------------


def start_upload(event: Event, user: User, name: str, data: bytes) -> Job | Refused:
    try:
        number = len(read_many_lists(data, has_teams=event.is_team))
    except ArchiveError as error:
        return Refused(code=str(error))
    record_act(event, user, "upload", detail=f"{name}: {number}")
    arguments = {"event": event.pk, "after": 0, "lines": []}
    return start_job(user, UPLOAD_JOB, name, arguments, data)


def do_upload_step(job: Job, seconds: float) -> Step:
    event = Event.objects.select_related("version__game").get(pk=job.arguments["event"])
    lists = read_many_lists(bytes(job.payload), has_teams=event.is_team)
    assert job.user  # noqa: S101 - only organisers start it
    players, force = index_players(event), load_event_rules(event)
    end = time.monotonic() + seconds
    done: int = job.arguments["after"]
    lines: list[dict[str, str]] = job.arguments["lines"]
    while done < len(lists) and time.monotonic() < end:
        line = take_list(players, lists[done], job.user, force)
        lines.append(keep_open_list(line, lists[done], lines) if line["outcome"] == SEVERAL else line)
        done += 1
    job.arguments = job.arguments | {"after": done, "lines": lines}
    return _finish_step(job, event, done, len(lists), lines)


def _finish_step(job: Job, event: Event, done: int, total: int, lines: Sequence[dict[str, str]]) -> Step:
    if done < total:
        return Step(done, total)
    result = {"address": reverse("events:report", args=[event.public_id, job.public_id]), "lines": list(lines)}
    return Step(done, total, result, is_last=True)


def take_list(players: PlayerIndex, uploaded: UploadedList, user: User, force: RulesInForce) -> dict[str, str]:
    """Submit a list for the player named in it. The user chooses between namesakes."""
    if uploaded.wrong == BESIDE_A_LIST:
        return {"player": uploaded.player, "file": uploaded.name, "outcome": BESIDE_A_LIST}
    received = read_uploaded(players.event, uploaded)
    name = uploaded.player.strip() or received.player
    line = {"player": name, "file": uploaded.name}
    if not name:
        return line | {"outcome": "no-player"}
    named = players.find_uploaded(name, uploaded.team, uploaded.email)
    if len(named) > 1 and uploaded.wrong != NO_LIST:
        return line | {"outcome": SEVERAL}
    player = named[0] if named else _enter_uploaded(players, uploaded, name, user)
    if uploaded.wrong == NO_LIST and isinstance(player, Participant):
        # The player is entered, but their list is still missing.
        return line | {"outcome": NO_LIST}
    if differs_in_faction(uploaded, received):
        line["faction"] = uploaded.faction[:100]
    return line | _submit_uploaded(players.event, player, received, user, force)


def differs_in_faction(uploaded: UploadedList, received: ReceivedList) -> bool:
    """Return whether the table names another faction than the list. `Marsh` is accepted for `Marsh Folk`."""
    if not uploaded.faction.strip() or received.faction is None:
        return False
    stated = simplify_name(uploaded.faction)
    names = [simplify_name(name) for name in (received.faction.name, received.faction.heading)]
    return not any(stated in name or name in stated for name in names)


def _submit_uploaded(
    event: Event, player: Participant | Refused, received: ReceivedList, user: User, force: RulesInForce
) -> dict[str, str]:
    if isinstance(player, Refused):
        return {"outcome": player.code}
    receipt = judge_received(event, received, force)
    submission = submit_list(player, receipt, user, terms=BY_ORGANISER)
    if isinstance(submission, Refused):
        return {"outcome": submission.code}
    outcome = {"outcome": "taken", "verdict": submission.verdict, "id": player.public_id}
    if unread := submission.report.get("unreadable"):
        return outcome | {"unread": unread["code"], "reading": unread["text"]}
    return outcome | {"reading": " ".join(submission.remarks)}


def keep_open_list(line: dict[str, str], uploaded: UploadedList, lines: Sequence[dict[str, str]]) -> dict[str, str]:
    """Keep the list in the report, if it has room, until the user chooses its player."""
    data = b64encode(uploaded.data).decode()
    if uploaded.wrong or sum(len(before.get("data", "")) for before in lines) + len(data) > MOST_KEPT:
        return line | {"outcome": "several-not-kept"}
    return line | {"data": data, "team": uploaded.team, "email": uploaded.email}


def settle_list(job: Job, event: Event, number: int, chosen: str, user: User) -> dict[str, str] | Refused:
    with transaction.atomic():
        held = Job.objects.defer("payload").select_for_update().get(pk=job.pk)
        lines = held.result.get("lines", [])
        line = lines[number] if 0 <= number < len(lines) else {}
        if "data" not in line:
            return Refused(code="bad-change")
        uploaded = UploadedList(
            name=line["file"],
            data=b64decode(line["data"]),
            player=line["player"],
            team=line["team"],
            email=line["email"],
        )

        players = index_players(event)
        player: Participant | Refused
        if chosen == NEW_PLAYER:
            player = _enter_uploaded(players, uploaded, uploaded.player, user)
        else:
            called = (one for one in players.find_players(uploaded.player) if one.public_id == chosen)
            player = next(called, Refused(code="bad-change"))
        if isinstance(player, Refused):
            return player

        outcome = _submit_uploaded(event, player, read_uploaded(event, uploaded), user, load_event_rules(event))
        if outcome["outcome"] != "taken":
            return Refused(code=outcome["outcome"])
        lines[number] = {"player": line["player"], "file": line["file"]} | outcome
        held.save(update_fields=["result"])
    return outcome


def read_uploaded(event: Event, uploaded: UploadedList) -> ReceivedList:
    if uploaded.wrong:
        return ReceivedList(source="file", data=uploaded.name.encode(), code=uploaded.wrong)
    return read_upload(uploaded.data, uploaded.name, game=event.version.game.slug)


def _enter_uploaded(players: PlayerIndex, uploaded: UploadedList, name: str, user: User) -> Participant | Refused:
    event = players.event
    team = find_or_create_team(event, uploaded.team) if event.is_team and uploaded.team else None
    player = enter_player(event, user, name[:100], email=uploaded.email[:200], team=team)
    if isinstance(player, Participant):
        players.add_player(player)
    return player


# ---- checking again --------------------------------------------------------------------------------------------------


def start_recheck(event: Event, user: User) -> Job:
    record_act(event, user, "recheck", detail=f"{event.version.short_hash} {event.rules_hash[:12]}".strip())
    arguments = {"event": event.pk, "after": 0, "lines": []}
    return start_job(user, RECHECK_JOB, event.name, arguments)


def do_recheck_step(job: Job, seconds: float) -> Step:
    event = Event.objects.select_related("version__game").get(pk=job.arguments["event"])
    end = time.monotonic() + seconds
    after: int = job.arguments["after"]
    lines: list[dict[str, str]] = job.arguments["lines"]
    assert job.user  # noqa: S101 - only organisers start it
    waiting = event.participants.filter(current__isnull=False)
    while time.monotonic() < end:
        batch = list(select_checked(event).filter(pk__gt=after)[:BATCH])
        if not batch:
            break
        lines += recheck_lists(event, batch)
        lines += read_lists_again(event, batch, job.user)
        after = batch[-1].pk
    job.arguments = job.arguments | {"after": after, "lines": lines}
    total = waiting.count()
    left = waiting.filter(pk__gt=after).count()
    return _finish_step(job, event, total - left, total, lines)


def select_checked(event: Event) -> QuerySet[Participant]:
    players = event.participants.filter(current__isnull=False).order_by("pk")
    return players.select_related("current__version").prefetch_related("current__rechecks")


def recheck_lists(event: Event, players: Sequence[Participant]) -> list[dict[str, str]]:
    """Evaluate players' lists again and store changed verdicts. Returns a line for each change."""
    force = load_event_rules(event)
    changed: dict[int, dict[str, str]] = {}
    rechecks = []
    for player in players:
        submission = player.current
        if submission is None or not submission.document:
            continue
        before = find_last_verdict(submission)
        columns = judge_again(force, submission).columns
        recheck = Recheck(submission=submission, version=event.version, rules_hash=event.rules_hash, **columns)
        if not is_other_verdict(before, recheck):
            continue
        rechecks.append(recheck)
        copy_verdict(player, recheck)
        if (before.verdict, before.points) != (recheck.verdict, recheck.points):
            changed[player.pk] = _describe_change(player, before, recheck)

    with transaction.atomic():
        Recheck.objects.bulk_create(rechecks)
        # If a player has submitted another list meanwhile, the new verdict does not belong to it.
        rows = Participant.objects.select_for_update().filter(pk__in=[player.pk for player in players])
        submitted = dict(rows.values_list("pk", "current_id"))
        current = [player for player in players if submitted.get(player.pk) == player.current_id]
        Participant.objects.bulk_update(current, ["verdict", "points", "violations", "unchecked", "left_open"])
    return [changed[player.pk] for player in current if player.pk in changed]


def read_lists_again(event: Event, players: Sequence[Participant], user: User) -> list[dict[str, str]]:
    force = load_event_rules(event)
    lines = []
    for player in players:
        submission = player.current
        if submission is None or submission.document:
            continue
        line = {"player": player.name, "id": player.public_id}
        received = read_again(submission, event)
        receipt = judge_received(event, received, force) if received else None
        if receipt is None or not receipt.document or not replace_unread(player, submission, receipt, user):
            lines.append(line | {"outcome": UNREAD})
        else:
            lines.append(_describe_change(player, submission, receipt.judged_list))
    return lines


def judge_again(force: RulesInForce, submission: Submission) -> JudgedList:
    try:
        evaluated_list = judge_tree(
            force, submission.faction_id, submission.tree, deadline=start_deadline(has_account=True)
        )
    except OverdueError:
        return refuse_list(TOO_SLOW, "")
    # Other rules do not change how much of the text was read.
    return summarize_judgement(evaluated_list, submission.report.get("as_read", ""))


def is_other_verdict(before: Judged, after: Judged) -> bool:
    return any(
        getattr(before, name) != getattr(after, name)
        for name in ("version_id", "rules_hash", "verdict", "points", "violations", "unchecked", "report")
    )


def _describe_change(player: Participant, before: Judged, after: Judged | JudgedList) -> dict[str, str]:
    return {
        "player": player.name,
        "id": player.public_id,
        "before": before.verdict,
        "verdict": after.verdict,
        "points_before": before.points,
        "points": after.points,
        "outcome": "changed",
    }
