"""A list document arrives as bytes and is read by the reader that the command line uses."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from roster.formats.list_document import MAX_BYTES, Media
from roster.services.exchange import LIMITS


class _DocumentParser(BaseParser):
    """Takes the body as it is, under `document`, and how it is written, under `media`."""

    media = Media.AUTO
    most = MAX_BYTES

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Read the body; one byte more than the limit is enough to see that there are too many."""
        return {"document": stream.read(self.most + 1), "media": self.media}


class JsonListParser(_DocumentParser):
    media_type = "application/json"
    media = Media.JSON


class YamlListParser(_DocumentParser):
    media_type = "application/yaml"
    media = Media.YAML


class OldYamlListParser(_DocumentParser):
    media_type = "application/x-yaml"
    media = Media.YAML


class TextYamlListParser(_DocumentParser):
    media_type = "text/yaml"
    media = Media.YAML


class _RosterFileParser(_DocumentParser):
    most = LIMITS.archive_bytes


class RosParser(_RosterFileParser):
    media_type = "application/xml"


class OldRosParser(_RosterFileParser):
    media_type = "text/xml"


class RoszParser(_RosterFileParser):
    media_type = "application/zip"
