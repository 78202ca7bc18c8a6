"""Load templates without indentation, which is a fifth of a page's size."""

import re

from django.conf import settings
from django.template import Origin
from django.template.loaders import filesystem

_INDENT = re.compile(r"\s*\n\s*")
_BEFORE_END_OF_TAG = re.compile(r"\s*\n\s*(?=>)")


class Loader(filesystem.Loader):
    """Strip indentation from pages, but not from texts, nor with DEBUG.

    A line break becomes a space, so that words stay separate, but for the one before the end of a tag.
    """

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        if settings.DEBUG or not origin.name.endswith(".html"):
            return contents
        return _INDENT.sub(" ", _BEFORE_END_OF_TAG.sub("", contents))
