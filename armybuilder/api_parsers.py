from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class JsonObjectParser(JSONParser):
    """Raises ParseError if the body is not a JSON object."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        try:
            sent = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(_("This JSON is nested too deeply.")) from None
        if not isinstance(sent, dict):
            raise ParseError(_('Send a JSON object, as {"field": "value"}.'))
        return sent
