"""Answer requests for prints. Pages and the API explain in their own form why there is no PDF."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header

from catalogue.services.public_answers import confirm_tag
from catalogue.views.decorators import add_link_headers
from roster.pdf.print_job import LONGEST_WAIT, PrintJob
from roster.pdf.type.installed_fonts import find_unprintable_letters, name_font_packages
from roster.services.request_turns import charge_processor_time, give_turn_back

MOST_LETTERS = 40
"""Characters without a font that are named."""


class MissingLettersError(ValueError):
    """No installed font has these characters. `packages` have fonts for them."""

    def __init__(self, letters: str) -> None:
        super().__init__(letters)
        self.letters = letters[:MOST_LETTERS]
        self.packages = name_font_packages(letters)


def answer_with_pdf(request: HttpRequest, job: PrintJob, name: str) -> HttpResponse:
    """Return a job's PDF as `name`.pdf, or "not modified".

    Raises MissingLettersError unless the request has the parameter `letters`, RendererBusy and CannotPrintError.
    """
    letters = "" if "letters" in request.GET else find_unprintable_letters(job.texts)
    if letters:
        raise MissingLettersError(letters)
    not_modified = confirm_tag(request, job.etag)
    if not_modified is not None:
        return not_modified
    # Printing has its own queue, so let other requests evaluate lists meanwhile.
    give_turn_back(request)
    pdf = job.render(patience=LONGEST_WAIT, charge=partial(charge_processor_time, request))
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = content_disposition_header(False, f"{name}.pdf") or "inline"
    answer["ETag"] = job.etag
    answer["Cache-Control"] = "private, no-cache"
    return add_link_headers(answer, referrer="no-referrer")
