"""Word violations, refusals, conflicts, unreadable documents and history steps; no other package does."""

from roster.wording.comparison import (
    describe_differences,
    describe_missing,
    describe_namesake,
    describe_price_change,
    format_signed,
    summarize_comparison,
)
from roster.wording.deeds import format_deed, format_deed_cost
from roster.wording.documents import Complaint, explain_unreadable
from roster.wording.figures import format_citation, get_counted_name, list_bond_words, name_control
from roster.wording.notices import (
    append_link,
    explain_correction,
    format_claimed,
    format_counts,
    format_expired,
    format_lost_photos,
    format_nothing_new,
    format_purged,
    format_room,
    summarize_import,
)
from roster.wording.plans import PlanLine, explain_misfit, get_part_name, list_plan_lines, mark_gone
from roster.wording.refusals import describe_act, explain_conflict, explain_refusal
from roster.wording.sentences import (
    explain_block,
    format_addition,
    format_need,
    format_open_slot,
    format_violation,
    format_violations,
    get_rule_name,
    get_verdict_word,
    is_first_missing,
    list_unchecked,
    shorten_block,
)
from roster.wording.sharing import PaperNotice, describe_visibility, explain_paper, list_visibilities
from roster.wording.violation_text import Sentence
from roster.wording.ways import explain_search, format_way, list_way_changes

__all__ = [
    "Complaint",
    "PaperNotice",
    "PlanLine",
    "Sentence",
    "append_link",
    "describe_act",
    "describe_differences",
    "describe_missing",
    "describe_namesake",
    "describe_price_change",
    "describe_visibility",
    "explain_block",
    "explain_conflict",
    "explain_correction",
    "explain_misfit",
    "explain_paper",
    "explain_refusal",
    "explain_search",
    "explain_unreadable",
    "format_addition",
    "format_citation",
    "format_claimed",
    "format_counts",
    "format_deed",
    "format_deed_cost",
    "format_expired",
    "format_lost_photos",
    "format_need",
    "format_nothing_new",
    "format_open_slot",
    "format_purged",
    "format_room",
    "format_signed",
    "format_violation",
    "format_violations",
    "format_way",
    "get_counted_name",
    "get_part_name",
    "get_rule_name",
    "get_verdict_word",
    "is_first_missing",
    "list_bond_words",
    "list_plan_lines",
    "list_unchecked",
    "list_visibilities",
    "list_way_changes",
    "mark_gone",
    "name_control",
    "shorten_block",
    "summarize_comparison",
    "summarize_import",
]
