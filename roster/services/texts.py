from dataclasses import dataclass

from catalogue.models import PackVersion
from roster.formats.list_document import build_document
from roster.formats.text.csv_table import write_csv
from roster.formats.text.foreign import TextLayout, write_foreign_text
from roster.formats.text.foreign_reader import reads_back
from roster.formats.text.own import TextLength, TextStyle, WrittenHead, write_own_text
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, evaluate_roster


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForm:
    """`length` and `style` are for our own layout."""

    layout: TextLayout = TextLayout.OWN
    length: TextLength = TextLength.COMPACT
    style: TextStyle = TextStyle.PLAIN


def read_text_form(layout: str = "", length: str = "", style: str = "") -> TextForm | None:
    try:
        return TextForm(
            layout=TextLayout(layout or TextLayout.OWN),
            length=TextLength(length or TextLength.COMPACT),
            style=TextStyle(style or TextStyle.PLAIN),
        )
    except ValueError:
        return None


def write_list_text(roster: Roster, form: TextForm, verdict: str = "") -> str:
    return write_judged_text(evaluate_roster(roster), roster.version, roster.faction_id, form, verdict)


def write_judged_text(
    evaluated_list: EvaluatedList, version: PackVersion, faction_id: str, form: TextForm, verdict: str = ""
) -> str:
    head = _write_head(evaluated_list, version, faction_id, verdict)
    if form.layout is not TextLayout.OWN:
        ruleset, tree, settings = evaluated_list.ruleset, evaluated_list.tree, evaluated_list.setting_ids
        text = write_foreign_text(form.layout, ruleset, tree, evaluated_list.report, head, settings)
        if reads_back(ruleset, text, tree):
            return text
        # Tell readers that the text does not include the whole list.
        return write_foreign_text(form.layout, ruleset, tree, evaluated_list.report, head, settings, is_partial=True)
    return write_own_text(
        evaluated_list.ruleset, evaluated_list.tree, evaluated_list.report, head, form.length, form.style
    )


def write_list_table(roster: Roster) -> str:
    evaluated_list = evaluate_roster(roster)
    head = _write_head(evaluated_list, roster.version, roster.faction_id)
    return write_csv(evaluated_list.tree, evaluated_list.report, head, evaluated_list.setting_ids)


def _write_head(evaluated_list: EvaluatedList, version: PackVersion, faction_id: str, verdict: str = "") -> WrittenHead:
    written = build_document(evaluated_list.ruleset, evaluated_list.tree, game=version.game.slug, faction_id=faction_id)
    faction = evaluated_list.ruleset.binding.by_id.get(faction_id)
    return WrittenHead(
        game=str(version.game),
        faction=faction.name if faction else faction_id,
        points_id=evaluated_list.points_id,
        version=version.short_hash,
        verdict=verdict,
        limits=written.get("limits", {}),
    )
