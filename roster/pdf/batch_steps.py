"""Print many lists in the background, one after the other, with a progress bar."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from catalogue.models import Job
from catalogue.services.jobs import Step, report_progress
from roster.models import Roster
from roster.pdf.render_lock import RendererBusy
from roster.pdf.sheet_job import SheetBatchJob, create_sheet_job
from roster.pdf.sheet_options import SheetOptions, read_options
from roster.services.organize import select_lists
from roster.services.owners import Visitor

PRINT_JOB = "print"
"""The job that prints `lists`: their addresses; `options` of a sheet; `site` of who asked; `address` of the file."""


def select_printed_lists(owner: Visitor, public_ids: Sequence[str]) -> list[Roster]:
    """Return those of an owner's lists that have these addresses, in their order."""
    rosters = select_lists(owner, public_ids).select_related("version__game", "plan")
    by_id = {roster.public_id: roster for roster in rosters}
    return [by_id[public_id] for public_id in public_ids if public_id in by_id]


def create_batch_job(rosters: Sequence[Roster], options: SheetOptions, site: str, **more: Any) -> SheetBatchJob:
    """Return the print job for lists as they are now; `site` is what their addresses begin with."""
    jobs = (create_sheet_job(one, options, address=site + one.get_absolute_url()) for one in rosters)
    return SheetBatchJob(tuple(jobs), **more)


def do_print_step(job: Job, seconds: float) -> Step:
    """Lay out all lists of a job, which is over then; where the renderer is busy, there is another step.

    What is laid out lives in memory until the file is written, so that it cannot be shared out among steps. The file is
    found by its key in the cache.
    """
    asked = job.arguments
    rosters = select_printed_lists(Visitor(user_id=job.user_id), asked["lists"])
    report = partial(report_progress, job, total=len(rosters))
    batch = create_batch_job(rosters, read_options(asked["options"]), asked["site"], report=report)
    try:
        batch.render()
    except RendererBusy as busy:
        if not busy.too_slow:
            return Step(0, len(rosters))
        # Asked for by itself, the file says what went wrong.
    return Step(len(rosters), len(rosters), {"address": asked["address"]}, is_last=True)
