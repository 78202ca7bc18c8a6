"""The markup of an answer for comparisons, without line breaks."""

import re

from django.http import HttpResponse

SPACE = re.compile(r"\s+")
WITHIN_TAG = re.compile(r"<[a-zA-Z/][^>]*>")
BETWEEN_TAGS = re.compile(r">\s+(?=<)")
AT_EDGE = re.compile(r"(?<=>) | (?=<)")
BEFORE_END = re.compile(r"\s+(?=/?>$)")


def markup(answer: HttpResponse) -> str:
    """Return the page with one space between words and none next to tags."""
    text = WITHIN_TAG.sub(lambda tag: BEFORE_END.sub("", SPACE.sub(" ", tag[0])), answer.content.decode())
    return AT_EDGE.sub("", BETWEEN_TAGS.sub(">", SPACE.sub(" ", text)))
