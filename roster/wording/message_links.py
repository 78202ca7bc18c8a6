"""Where to go from what is said."""

from django.utils.html import format_html
from django.utils.safestring import SafeString


def append_link(message: str, address: str, name: str) -> SafeString:
    """Append a link to a message."""
    return format_html('<span>{}</span> <a class="btn" href="{}">{}</a>', message, address, name)
