"""Forms that several pages share."""

from django import forms
from django.utils.translation import gettext_lazy as _

CHOOSE_FIRST = _("Choose a file first.")


class UploadForm(forms.Form):
    """One file. What is wrong with it is the business of whoever reads it, who adds it as an error of the field."""

    file = forms.FileField(
        allow_empty_file=True,
        error_messages={"required": CHOOSE_FIRST, "invalid": CHOOSE_FIRST, "missing": CHOOSE_FIRST},
    )
