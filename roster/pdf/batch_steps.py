"""Print many lists in the background, with a progress bar."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from catalogue.models import Job
from catalogue.services.jobs import Step, report_progress
from roster.models import Roster
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.render_lock import RendererBusy
from roster.pdf.sheet_job import SheetBatchJob, create_sheet_job
from roster.pdf.sheet_options import SheetOptions, read_options
from roster.services.organize import select_lists
from roster.services.owners import Visitor

PRINT_JOB = "print"
"""Arguments: `lists` (public ids), `options`, `site` (base of addresses), `address` (of the file)."""


def select_printed_lists(owner: Visitor, public_ids: Sequence[str]) -> list[Roster]:
    rosters = select_lists(owner, public_ids).select_related("version__game", "plan")
    by_id = {roster.public_id: roster for roster in rosters}
    return [by_id[public_id] for public_id in public_ids if public_id in by_id]


def create_batch_job(rosters: Sequence[Roster], options: SheetOptions, site: str, **more: Any) -> SheetBatchJob:
    jobs = (create_sheet_job(one, options, address=site + one.get_absolute_url()) for one in rosters)
    return SheetBatchJob(tuple(jobs), **more)


def do_print_step(job: Job, seconds: float) -> Step:
    """Lay out all lists, or stay unfinished if the renderer is busy."""
    arguments = job.arguments
    rosters = select_printed_lists(Visitor(user_id=job.user_id), arguments["lists"])
    report = partial(report_progress, job, total=len(rosters))
    batch = create_batch_job(rosters, read_options(arguments["options"]), arguments["site"], report=report)
    try:
        batch.render()
    except RendererBusy as busy:
        if not busy.too_slow:
            return Step(0, len(rosters))
        # The request for the file itself will report the error.
    except CannotPrintError:
        pass  # likewise
    return Step(len(rosters), len(rosters), {"address": arguments["address"]}, is_last=True)
