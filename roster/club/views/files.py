from collections.abc import Callable, Mapping

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def send_file(stem: str, ending: str, writers: Mapping[str, Callable[[], str]]) -> HttpResponse:
    """Send what the writer of the ending writes, as a file to save. Raises Http404 for other endings."""
    if ending not in writers:
        raise Http404
    answer = HttpResponse(writers[ending](), content_type=MEDIA_TYPES[ending])
    answer["Content-Disposition"] = content_disposition_header(True, f"{stem}.{ending}") or "attachment"
    return answer
