"""Emphasis marks in texts of community data."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from catalogue.definitions.emphasis import split_runs

register = template.Library()


@register.filter("with_emphasis")
def format_emphasis(text: str) -> SafeString:
    """Render the emphasis marks in a text as HTML and escape the rest.

    >>> format_emphasis("<i> **bold** ^^Fly^^")
    '&lt;i&gt; <b>bold</b> <span class="caps">Fly</span>'
    """
    parts = []
    for run in split_runs(str(text)):
        inner = format_html('<span class="caps">{}</span>', run.text) if run.capitals else run.text
        parts.append(format_html("<b>{}</b>" if run.bold else "{}", inner))
    return format_html_join("", "{}", ((part,) for part in parts))
