import re
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class JsonObjectParser(JSONParser):
    """Raises ParseError if the body is not a JSON object."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        try:
            sent = super().parse(stream, media_type, parser_context)
            is_storable = _is_storable(sent)
        except RecursionError:
            raise ParseError(_("This JSON is nested too deeply.")) from None
        if not is_storable:
            raise ParseError(
                _("This JSON has a character that cannot be stored: NUL, or half of a surrogate pair. Leave it out.")
            )
        if not isinstance(sent, dict):
            raise ParseError(_('Send a JSON object, as {"field": "value"}.'))
        return sent


def _is_storable(value: Any) -> bool:
    """Return whether all texts in JSON are valid Unicode without NUL."""
    if isinstance(value, str):
        return not _UNSTORABLE.search(value)
    if isinstance(value, dict):
        return all(_is_storable(part) for pair in value.items() for part in pair)
    return not isinstance(value, list) or all(map(_is_storable, value))
