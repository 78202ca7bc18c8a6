"""Fields of forms that other packages make, in the look of the house."""

from django import template
from django.conf import settings
from django.forms import BoundField, CheckboxInput
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def as_input(field: BoundField) -> SafeString:
    """The control of a field, without the placeholder that only says its label once more."""
    field.field.widget.attrs.pop("placeholder", None)
    return field.as_widget(attrs={"class": "in"})


@register.filter
def is_check(field: BoundField) -> bool:
    return isinstance(field.field.widget, CheckboxInput)


@register.simple_tag
def mail_goes_to_console() -> bool:
    return settings.EMAIL_BACKEND.endswith(".console.EmailBackend")
