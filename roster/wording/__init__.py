"""The only place that makes sentences: a violation, a refusal, a conflict, a broken document, a step of the history."""

from roster.wording.accounts import claimed, emptied, expired, things
from roster.wording.citations import citation
from roster.wording.comparison import (
    compared,
    differences_of,
    missing,
    repriced,
    signed,
)
from roster.wording.documents import Complaint, unreadable
from roster.wording.figures import counted_name
from roster.wording.import_summary import linking
from roster.wording.message_links import with_way
from roster.wording.plans import PlanLine, lost, part_name, plan_lines
from roster.wording.refusals import act, conflict, refusal
from roster.wording.sentences import Sentence, reason, rule_name, sentence, sentences, unchecked, verdict_word
from roster.wording.sharing import PaperSaid, paper, shared, sharing_words, visibilities

__all__ = [
    "Complaint",
    "PaperSaid",
    "PlanLine",
    "Sentence",
    "act",
    "citation",
    "claimed",
    "compared",
    "conflict",
    "counted_name",
    "differences_of",
    "emptied",
    "expired",
    "linking",
    "lost",
    "missing",
    "paper",
    "part_name",
    "plan_lines",
    "reason",
    "refusal",
    "repriced",
    "rule_name",
    "sentence",
    "sentences",
    "shared",
    "sharing_words",
    "signed",
    "things",
    "unchecked",
    "unreadable",
    "verdict_word",
    "visibilities",
    "with_way",
]
