"""Form fields of other packages in our own style."""

from django import template
from django.conf import settings
from django.forms import BoundField, CheckboxInput
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()


@register.filter("as_input")
def render_input(field: BoundField) -> SafeString:
    """Render a field's control without the placeholder, which repeats its label."""
    field.field.widget.attrs.pop("placeholder", None)
    return field.as_widget(attrs={"class": "in"})


@register.filter("in_sentence_case")
def write_in_sentence_case(label: str) -> str:
    """Write an English label in sentence case: "New password", not "New Password"."""
    return label[:1] + label[1:].lower() if get_language() == settings.LANGUAGE_CODE else label


@register.filter("is_checkbox")
def is_checkbox(field: BoundField) -> bool:
    return isinstance(field.field.widget, CheckboxInput)


@register.simple_tag(name="mail_goes_to_console")
def is_mail_on_console() -> bool:
    return settings.EMAIL_BACKEND.endswith(".console.EmailBackend")
