"""What the owner of a list reads when a corrected rule changed how it comes out."""

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from roster.engine.report import Verdict
from roster.services.rule_corrections import RuleCorrection


def explain_correction(correction: RuleCorrection) -> str:
    """Say how the list came out when it was saved, and that the rules were corrected since."""
    figures = {"date": date_format(timezone.localtime(correction.saved), "DATE_FORMAT")}
    if correction.before is correction.after:
        text = (
            _("The rules of this game have been corrected since this list was saved on %(date)s.") % figures
        )
    else:
        text = _explain_verdict(correction.before) % figures
    sentences = [text]
    if correction.violations:
        sentences.append(_("What is wrong now is below."))
    elif correction.before is not correction.after:
        sentences.append(_("Nothing is wrong with it now."))
    if correction.points_before != correction.points_after:
        sentences.append(
            _("It came to %(before)s %(points)s then and comes to %(after)s now.")
            % {
                "before": correction.points_before,
                "after": correction.points_after,
                "points": correction.points_name,
            }
        )
    return " ".join(sentences)


def _explain_verdict(before: Verdict) -> str:
    return {
        Verdict.LEGAL: _(
            "This list was legal when it was saved on %(date)s; the rules of this game have been corrected since."
        ),
        Verdict.INCOMPLETE: _(
            "This list was incomplete when it was saved on %(date)s; the rules of this game have been corrected since."
        ),
        Verdict.ILLEGAL: _(
            "This list was illegal when it was saved on %(date)s; the rules of this game have been corrected since."
        ),
    }[before]
