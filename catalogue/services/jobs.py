"""Background work in steps: done by a worker, or by requests of its page if no worker answers.

A kind of job is one function that does a step: it works until the time it is given is up, or ends a stage of the work,
and says how far it is. It is registered by its address, so that only a process that does the work imports it. Steps
leave what they need for the next one in the job, so that any process can take it. A worker goes on with a job for a
turn, then with what else waits: letters first, then the other jobs, each in turn.
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
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from catalogue.models import Job
from catalogue.models.jobs import JobState
from catalogue.services.texts import shorten

STEP_SECONDS = 3.0
"""How long a step works before it says how far it is."""

HOLD = timedelta(minutes=5)
"""So long nobody else takes a step that was begun: longer than the longest stage of the largest import."""

TURN_SECONDS = 10.0
"""How long a worker goes on with one job while others wait."""

LETTERS, LETTER_PRIORITY = "letters", 50
"""The queue of tasks that send a letter: short ones, which overtake all work that takes long."""

PATIENCE = timedelta(seconds=6)
"""So long a page waits for a worker before it does the steps itself."""

KEEP = timedelta(days=7)
"""So long a job that is over is kept for anybody who comes back to its page."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Step:
    """The result of a step: how far the job is, and its `result` once it is finished."""

    done: int
    total: int
    result: Mapping[str, Any] = field(default_factory=dict)
    is_last: bool = False


DoStep = Callable[[Job, float], Step]
_KINDS: dict[str, str] = {}
"""The address of the function that does a step, by the kind of its jobs."""
_TITLES: dict[str, Promise | str] = {}
"""What people call the jobs of a kind."""


def register_job(kind: str, address: str, title: Promise | str = "") -> None:
    """Make a kind of job known under its name, with what people call it.

    `address` is that of its function: "package.module.do_step".
    """
    _KINDS[kind] = address
    _TITLES[kind] = title


def start_job(user: User, kind: str, name: str, arguments: Mapping[str, Any], payload: bytes = b"") -> Job:
    """Keep a new job and hand it to a worker. Where tasks are done at once, it is over when this returns."""
    Job.objects.filter(created__lt=timezone.now() - KEEP).delete()
    job = Job.objects.create(
        user=user,
        kind=kind,
        name=shorten(name),
        language=get_language() or settings.LANGUAGE_CODE,
        arguments=dict(arguments),
        payload=payload,
    )
    run_job.enqueue(job.pk)
    # It may be over by now; its payload may be the data of a whole game.
    return Job.objects.defer("payload").get(pk=job.pk)


def advance_job(job: Job, *, by_worker: bool = False, seconds: float = STEP_SECONDS) -> bool:
    """Do one step of a job and keep how far it is; False where somebody else is at it, or it is over."""
    now = timezone.now()
    free = Job.objects.filter(pk=job.pk, state__in=(JobState.WAITING, JobState.RUNNING)).filter(
        # Nobody holds a step for longer than that: the clock was ahead when it was begun.
        Q(held_until=None) | Q(held_until__lt=now) | Q(held_until__gt=now + HOLD)
    )
    if not free.update(state=JobState.RUNNING, held_until=now + HOLD, has_worker=by_worker, touched=now):
        return False
    job.refresh_from_db()
    try:
        # A worker has no reader whose language it could take.
        with override(job.language):
            do_step: DoStep = import_string(_KINDS[job.kind])
            step = do_step(job, seconds)
    except Exception:
        # Whatever goes wrong is told on the page of the job: nobody waits for it for ever.
        logger.exception("Job %s failed", job.pk)
        job.state = JobState.FAILED
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
    """Keep how far a step is while it goes on."""
    Job.objects.filter(pk=job.pk).update(done=done, total=total, touched=timezone.now())


def is_left_alone(job: Job) -> bool:
    """Return whether no worker is at an open job, so that its page has to do the steps."""
    now = timezone.now()
    is_held = job.held_until is not None and now < job.held_until <= now + HOLD
    if not job.is_open or is_held:
        return False
    if not job.has_worker and job.state != JobState.WAITING:
        return True
    # The clock was ahead if the job was touched in the future.
    return not now - PATIENCE <= job.touched <= now and not is_worker_busy()


def is_worker_busy() -> bool:
    """Return whether a worker is at some task: it comes to the others after that.

    A task that was begun longer ago than any step takes is that of a worker which died.
    """
    now = timezone.now()
    return DBTaskResult.objects.running().filter(started_at__range=(now - HOLD, now + HOLD)).exists()


def find_job_ahead(job: Job) -> Job | None:
    """Return the job that a worker is at while another one waits for it."""
    if job.state != JobState.WAITING:
        return None
    now = timezone.now()
    held = Job.objects.defer("payload").filter(state=JobState.RUNNING, has_worker=True).exclude(pk=job.pk)
    return held.filter(held_until__range=(now, now + HOLD)).order_by("held_until").first()


def name_job(job: Job, reader: User) -> str:
    """Return what a reader may know a job by: its kind, and its name if it is the reader's own."""
    title = str(_TITLES.get(job.kind) or _("Other work"))
    return f"{title}: {job.name}" if job.user_id == reader.pk else title


@task()
def run_job(job_id: int) -> None:
    """Do steps of a job for a turn; if it is still open then, it waits for its next turn behind all others."""
    # Only a step that needs the payload reads it: it may be the data of a whole game.
    jobs = Job.objects.defer("payload").filter(pk=job_id)
    end = time.monotonic() + TURN_SECONDS
    steps = 0
    while (job := jobs.first()) is not None and job.is_open:
        # A turn has a step at least.
        if steps and time.monotonic() >= end:
            run_job.enqueue(job_id)
            return
        if not advance_job(job, by_worker=True):
            # Its page is at it, and may be closed at any time.
            time.sleep(1)
        steps += 1
