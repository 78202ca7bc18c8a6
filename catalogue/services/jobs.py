"""Background work in steps, done by a worker, or by requests of the job's page if no worker responds.

Steps are registered by import path, because only the process that runs them imports them. A step works for a given time
or finishes a stage, stores the next step's input, and reports progress.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django_tasks import DEFAULT_TASK_QUEUE_NAME, task
from django_tasks_db.models import DBTaskResult

from catalogue.models import Job
from catalogue.models.jobs import JobState
from catalogue.services.disk_space import explain_out_of_space, is_out_of_space
from catalogue.services.texts import shorten

STEP_SECONDS = 3.0

HOLD = timedelta(minutes=5)
"""How long a started step is locked: longer than the longest stage of the largest import."""

TURN_SECONDS = 10.0
"""Seconds that a worker continues one job while others wait."""

LETTERS, LETTER_PRIORITY = "letters", 50
"""The queue of mails, which overtake long work."""

IMPORTS, PRINTS, JUDGING = "imports", "prints", "judging"
"""The queues of jobs by what they need: memory, a renderer, or processor time."""

UPGRADE = timedelta(hours=1)
"""How long nodes of two versions may serve side by side: then a job of an unknown kind fails."""

PATIENCE = timedelta(seconds=6)
"""How long a page waits for a worker before it does the steps itself."""

KEEP = timedelta(days=7)
"""How long finished jobs are kept for visitors who return to their page."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Step:
    """A job's progress, and its `result` after the last step."""

    done: int
    total: int
    result: Mapping[str, Any] = field(default_factory=dict)
    is_last: bool = False


DoStep = Callable[[Job, float], Step]
_KINDS: dict[str, str] = {}
"""Import paths of step functions."""
_TITLES: dict[str, Promise | str] = {}
_QUEUES: dict[str, str] = {}


def register_job(kind: str, address: str, title: Promise | str = "", queue: str = DEFAULT_TASK_QUEUE_NAME) -> None:
    _KINDS[kind] = address
    _TITLES[kind] = title
    _QUEUES[kind] = queue


def start_job(user: User | None, kind: str, name: str, arguments: Mapping[str, Any], payload: bytes = b"") -> Job:
    """Queue a job; a guest's has no `user`. If tasks run immediately, it is finished on return."""
    Job.objects.filter(created__lt=timezone.now() - KEEP).delete()
    job = Job.objects.create(
        user=user,
        kind=kind,
        name=shorten(name),
        language=get_language() or settings.LANGUAGE_CODE,
        arguments=dict(arguments),
        payload=payload,
    )
    enqueue_job(job)
    # Reloaded, because it may be finished; without the payload, which may be a whole game.
    return Job.objects.defer("payload").get(pk=job.pk)


def enqueue_job(job: Job) -> None:
    run_job.using(queue_name=_QUEUES.get(job.kind, DEFAULT_TASK_QUEUE_NAME)).enqueue(job.pk)


def advance_job(job: Job, *, by_worker: bool = False, seconds: float = STEP_SECONDS) -> bool:
    """Do a step and save the progress. Returns False if the job is locked, finished, or of an unknown kind."""
    now = timezone.now()
    if job.kind not in _KINDS and job.created > now - UPGRADE:
        # A node of a newer version started it, and its worker will do it.
        return False
    free = Job.objects.filter(pk=job.pk, state__in=(JobState.WAITING, JobState.RUNNING)).filter(
        # A lock further ahead than HOLD comes from a clock that was wrong.
        Q(held_until=None) | Q(held_until__lt=now) | Q(held_until__gt=now + HOLD)
    )
    if not free.update(state=JobState.RUNNING, held_until=now + HOLD, has_worker=by_worker, touched=now):
        return False
    job.refresh_from_db()
    try:
        # A worker has no request to take the language from.
        with override(job.language):
            do_step: DoStep = import_string(_KINDS[job.kind])
            step = do_step(job, seconds)
    except Exception as error:
        # The job's page shows any failure, so that it never waits forever.
        logger.exception("Job %s failed", job.pk)
        job.state = JobState.FAILED
        if is_out_of_space(error):
            with override(job.language):
                job.result = {"wrong": explain_out_of_space(), "findings": []}
    else:
        job.done, job.total, job.result = step.done, step.total, dict(step.result)
        if step.is_last:
            job.state = JobState.DONE
    if not job.is_open:
        job.payload = b""
    job.held_until, job.touched = None, timezone.now()
    job.save()
    return True


def report_progress(job: Job, done: int, total: int) -> None:
    Job.objects.filter(pk=job.pk).update(done=done, total=total, touched=timezone.now())


def is_left_alone(job: Job) -> bool:
    """Return whether an open job has no worker, so that its page must do the steps."""
    now = timezone.now()
    is_held = job.held_until is not None and now < job.held_until <= now + HOLD
    if not job.is_open or is_held:
        return False
    if not job.has_worker and job.state != JobState.WAITING:
        return True
    # A time in the future comes from a clock that was wrong.
    return not now - PATIENCE <= job.touched <= now and not is_worker_busy()


def is_worker_busy() -> bool:
    """Return whether a worker is running a task. A task older than HOLD belongs to a dead worker."""
    now = timezone.now()
    return DBTaskResult.objects.running().filter(started_at__range=(now - HOLD, now + HOLD)).exists()


def find_job_ahead(job: Job) -> Job | None:
    if job.state != JobState.WAITING:
        return None
    now = timezone.now()
    held = Job.objects.defer("payload").filter(state=JobState.RUNNING, has_worker=True).exclude(pk=job.pk)
    return held.filter(held_until__range=(now, now + HOLD)).order_by("held_until").first()


def name_job(job: Job, reader: User | None) -> str:
    """Return a job's display name; only its owner sees its own name."""
    title = str(_TITLES.get(job.kind) or _("Other work"))
    return f"{title}: {job.name}" if reader and job.user_id == reader.pk else title


@task()
def run_job(job_id: int) -> None:
    """Do steps for one turn, then queue an open job again, behind others."""
    # Only steps that need the payload load it: it may be a whole game.
    jobs = Job.objects.defer("payload").filter(pk=job_id)
    end = time.monotonic() + TURN_SECONDS
    steps = 0
    while (job := jobs.first()) is not None and job.is_open:
        if steps and time.monotonic() >= end:
            enqueue_job(job)
            return
        if not advance_job(job, by_worker=True):
            # Its page is doing a step, but may be closed at any time.
            time.sleep(1)
        steps += 1
