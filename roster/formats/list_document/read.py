"""From the bytes of a document to a list as people write it."""

from catalogue.documents.section import read_section
from roster.formats.list_document.document import ListDocument
from roster.formats.list_document.nodes import Unreadable, UnreadableError
from roster.formats.list_document.source import Media, read_source


def read_list(data: bytes, media: Media = Media.AUTO) -> ListDocument | Unreadable:
    """Return the list that the bytes of a document hold, or why they hold none. Never raises, whatever they are."""
    try:
        return read_section(ListDocument, read_source(data, media), None)
    except UnreadableError as error:
        return error.unreadable
