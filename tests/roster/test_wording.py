"""Everything that can go wrong has a sentence with its figures and names, in any wording."""

import ast
import inspect
import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.utils.translation import override

import roster
from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.queries import ANY, NOTHING
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.leaders import LEADS, LED
from roster.engine.edits import Refused
from roster.engine.evaluate import RULE_KINDS
from roster.engine.report import Lacking, Location, PlaceKind, Verdict, Violation
from roster.engine.tree import copy_with
from roster.formats.list_document import Unreadable
from roster.services.changes import Change
from roster.services.outcomes import Conflict
from roster.wording import (
    describe_act,
    explain_block,
    explain_conflict,
    explain_refusal,
    explain_unreadable,
    format_citation,
    format_need,
    format_open_slot,
    format_violation,
    get_verdict_word,
    list_unchecked,
    shorten_block,
)
from roster.wording.documents import _REASONS
from roster.wording.refusals import _ACTS, _REFUSALS
from roster.wording.violation_text import KINDS, get_words

BOOKS = {"rr": Publication(id="rr", name="Reeds and Rust")}
COLUMNS = Citation(publication_id="rr", section="Columns", page="14")


def violation(code: str, **more: object) -> Violation:
    fields: dict[str, object] = {
        "code": code,
        "on": Location(kind=PlaceKind.FORCE, id="f", name="Low water <b>"),
        "counted_id": "hammer",
        "counted": "Hammer & <i>",
        "measured": 31,
        "allowed": 17,
        "citation": COLUMNS,
        **more,
    }
    return Violation(**fields)


CODES = [str(code) for code in RULE_KINDS]


def test_every_kind_of_rule_has_words_of_its_own() -> None:
    assert set(CODES) <= set(KINDS)


@pytest.mark.parametrize("code", [*CODES, "a-kind-of-tomorrow"])
@pytest.mark.parametrize(("measured", "allowed"), [(31, 17), (17, 31), (0, 1), (1, 0), (Decimal("2.5"), 1)])
@pytest.mark.parametrize("mendable", [True, False])
def test_a_breach_says_what_where_and_by_which_rule(code: str, measured: int, allowed: int, mendable: bool) -> None:
    said = format_violation(violation(code, measured=measured, allowed=allowed, mendable=mendable), BOOKS)
    assert said.code == code
    assert said.severity == Severity.ERROR
    assert "Hammer & <i>" in said.headline, "names stand as they are: pages escape them"
    assert said.where == "Low water <b>"
    assert said.citation == "Reeds and Rust, “Columns”, p. 14"
    assert said.detail
    assert said.hint
    assert "%" not in str(said) + said.hint


@pytest.mark.parametrize("code", ["maximum", "minimum", "exactly", "cost-limit", "a-kind-of-tomorrow"])
def test_the_figures_are_in_it(code: str) -> None:
    detail = format_violation(violation(code), BOOKS).detail
    assert "31" in detail
    assert "17" in detail


def test_the_words_of_the_data_come_first() -> None:
    said = format_violation(violation("maximum", name="Columns", text="No type may outnumber core."), BOOKS)
    assert (said.headline, said.text) == ("Columns", "No type may outnumber core.")
    assert "31" in said.detail


def test_a_reason_on_one_line() -> None:
    blocked = {"name": "Columns", "text": "No type may outnumber core."}
    said = explain_block(violation("maximum", **blocked))
    assert "Columns" in said
    assert "Hammer & <i>" in said
    assert "17" in said
    assert explain_block(violation("maximum", **blocked, allowed=0)) == blocked["text"], "no figures explain it"
    assert explain_block(violation("exactly", name="One Hammer & <i>", measured=2, allowed=1)).count("Hammer") == 1
    assert explain_block(violation("maximum", measured=2, allowed=1)) == "Hammer & <i>: 1 at most.", (
        "nothing is too many yet"
    )
    later = explain_block(violation("maximum", name="Columns", mendable=True))
    assert "Columns" in later
    assert "17" not in later
    assert explain_block(violation("maximum", **blocked, mendable=True)) == blocked["text"]
    inner = {"counted": "open-to/command/nobody", "counted_id": "open-to/command/nobody"}
    assert explain_block(violation("maximum", **blocked | inner)) == blocked["text"], "nobody knows what was counted"


@pytest.mark.parametrize("code", ["maximum", "cost-limit"])
def test_what_is_too_dear_says_by_how_much_and_beside_it_how_much_there_may_be(code: str) -> None:
    dear = violation(code, counted="pts", counted_id="points", measured=2090, allowed=2000)
    assert shorten_block(dear, too_dear=True) == "90 over"
    assert explain_block(dear, is_excess_said=True) == "pts: 2000 at most."
    assert "2090" in explain_block(dear), "alone it says all"


def test_no_more_is_to_be_taken_away_than_there_is() -> None:
    assert "Remove 31" in format_violation(violation("maximum", measured=31, allowed=-2), BOOKS).hint


@pytest.mark.parametrize("mendable", [True, False])
def test_nothing_is_to_be_added_where_that_mends_nothing(mendable: bool) -> None:
    words = format_violation(violation("exactly", measured=2, allowed=4, mendable=mendable), BOOKS)
    assert words.hint.startswith("Add 2") is mendable


def test_something_is_said_even_of_a_breach_without_names() -> None:
    bare = Violation(code="maximum", on=Location(kind=PlaceKind.ROSTER), measured=2, allowed=1)
    said = format_violation(bare, {})
    assert all(part.strip() for part in (said.headline, said.detail, said.hint))
    assert (said.where, said.citation) == ("", "")
    for general in ("any", "unit", "model", "upgrade"):
        assert get_words(violation("maximum", counted_id=general, counted=general)).headline


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (COLUMNS, "Reeds and Rust, “Columns”, p. 14"),
        (Citation(publication_id="rr", page="14-15"), "Reeds and Rust, pp. 14-15"),
        (Citation(publication_id="lost", section="Columns"), "“Columns”"),
        (Citation(publication_id="lost"), ""),
        (Citation(), ""),
    ],
)
def test_citations(place: Citation, text: str) -> None:
    assert format_citation(place, BOOKS) == text


def test_verdicts_and_what_was_not_checked() -> None:
    assert len({get_verdict_word(verdict) for verdict in Verdict}) == 3
    note = Unchecked(code="x", text="The weather.", citation=COLUMNS)
    (said,) = list_unchecked([note], BOOKS)
    assert "The weather." in said
    assert "p. 14" in said
    assert list(list_unchecked([Unchecked(code="x", text="The weather.")], BOOKS)) == ["The weather."]


def test_what_was_not_checked_is_said_once_with_the_first_places_to_read_it_up() -> None:
    notes = [Unchecked(code="x", text="The weather.", citation=Citation(page=page)) for page in "1234"]
    (said,) = list_unchecked([*notes, Unchecked(code="x", text="The weather.")], BOOKS)
    assert [page for page in "1234" if f"p. {page}" in said] == ["1", "2"]


# ---- refusals ----------------------------------------------------------------------------------------------------


def codes_in(folder: str, *calls: str) -> set[str]:
    """Return the codes passed to these functions anywhere in a folder of the app."""
    found = set()
    for path in (Path(inspect.getfile(roster)).parent / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in calls:
                given = [*node.args, *(k.value for k in node.keywords if k.arg == "code")]
                found |= {c.value for g in given for c in ast.walk(g) if isinstance(c, ast.Constant)}
    return {code for code in found if isinstance(code, str) and re.fullmatch(r"[a-z]{3,}(-[a-z0-9]+)*", code)}


def test_every_refusal_has_words() -> None:
    codes = codes_in("engine", "Refused") | codes_in("services", "Refused")
    assert {"unknown-node", "bad-number", "too-large", "nothing-to-undo"} <= codes
    without_words = explain_refusal(Refused(code="of-tomorrow"))
    assert without_words
    explained = {code: explain_refusal(Refused(code=code, measured=3, allowed=2)) for code in codes}
    assert [code for code, words in explained.items() if words == without_words] == []


def test_refusals_say_their_figures() -> None:
    assert "2000" in explain_refusal(Refused(code="too-large", measured=2001, allowed=2000))
    assert "101" in explain_refusal(Refused(code="too-long", measured=101, allowed=100))
    assert "999" in explain_refusal(Refused(code="bad-number", measured=-1, allowed=999))
    assert explain_refusal(Refused(code="bad-number"))


def test_a_conflict_has_words() -> None:
    assert explain_conflict(Conflict(made_on=1, head=2))


def test_every_change_has_a_line_in_the_history() -> None:
    acts = {t.__struct_config__.tag for t in Change.__args__}
    assert acts <= set(_ACTS)
    for code in (*_ACTS, "of-tomorrow"):
        for subject in ("Low water 100%", ""):
            assert describe_act(code, subject)
            assert "%(" not in describe_act(code, subject)
    assert "Low water 100%" in describe_act("add-unit", "Low water 100%")


# ---- documents ---------------------------------------------------------------------------------------------------


PACKS_ALONE = {"bad-anchor", "cyclic-reference"}
"""Codes about anchors and aliases, which lists refuse earlier as `alias`."""


def test_everything_that_ends_a_reading_has_words() -> None:
    codes = codes_in("formats", "refuse_node", "Unreadable", "build_text_error", "resolve_name")
    codes |= codes_in("services", "Unreadable")
    codes |= codes_in("../catalogue/documents", "DocumentError", "_make_error")
    assert {"alias", "missing-key", "ambiguous"} <= codes
    assert codes - PACKS_ALONE - {"faction", "list", "none"} <= set(_REASONS)


@pytest.mark.parametrize("code", [*_REASONS, "unknown-node", "of-tomorrow"])
def test_a_broken_document_is_told_with_place_and_mend(code: str) -> None:
    said = explain_unreadable(Unreadable(code, 12, 5, "wardn 100%", ("warden", "war-den"), "7"))
    assert (said.line, said.column) == (12, 5)
    assert said.reason
    assert "%(" not in str(said)
    assert "warden" in said.mend
    assert "warden" in str(said)


def test_a_game_that_is_not_there_can_be_installed() -> None:
    for installed in ((), ("reeds-and-rust",)):
        assert "manage.py load_packs" in explain_unreadable(Unreadable("unknown-game", 2, 7, "x", installed)).mend


def test_words_can_be_translated() -> None:
    english = format_violation(violation("maximum"), BOOKS)
    with override("de"):
        assert format_violation(violation("maximum"), BOOKS).headline not in ("", english.headline)
    assert format_violation(violation("maximum"), BOOKS) == english


def test_the_same_breach_of_rules_in_another_book_names_that() -> None:
    cited = violation("maximum", citation=Citation(publication_id="book", section="Columns"))
    names = ("Fen Book", "Marsh Book")
    books = [{"book": Publication(id="book", name=name)} for name in names]
    assert [format_violation(cited, named).citation.split(",")[0] for named in books] == list(names)


@pytest.mark.parametrize(("measured", "allowed"), [(18, 120), (3, 2), (1, 0)])
@pytest.mark.parametrize("severity", [Severity.WARNING, Severity.REMARK])
def test_advice_is_gentle(severity: Severity, measured: int, allowed: int) -> None:
    code = "minimum" if measured < allowed else "maximum"
    advice = copy_with(violation(code, measured=measured, allowed=allowed), severity=severity)
    said = format_violation(advice, BOOKS)
    assert not said.hint
    assert "needed" not in said.detail
    assert "counted" not in said.detail
    assert str(measured) in said.detail


def place(name: str) -> Location:
    return Location(kind=PlaceKind.SELECTION, id=name, entry_id=name.lower(), name=name)


def test_where_nothing_is_allowed_the_things_are_named_and_no_number_is_taken_away() -> None:
    barred = violation("maximum", measured=5, allowed=0, cause=(place("Press Gang"), place("Giants")))
    said = get_words(barred)
    assert "Press Gang, Giants" in said.detail
    assert "5" not in said.detail + said.hint
    assert get_words(copy_with(barred, mendable=True)).hint != said.hint
    many = copy_with(barred, cause=tuple(place(f"Gang {number}") for number in range(9)))
    assert "5" in get_words(many).detail


def test_the_first_pick_says_what_it_needs_and_not_that_it_must_go() -> None:
    first = violation("maximum", measured=1, allowed=0, mendable=True, counted="Command", cause=(place("Nova"),))
    first = copy_with(first, lacking=Lacking(name="Core", number=1))
    words = get_words(first)
    assert (words.detail, words.hint) == ("Needs 1 Core: Nova (Command).", "Add 1 Core.")
    assert shorten_block(first) == "Then needs 1 Core"
    rule = copy_with(first, name="Not more than core")
    need = format_need([rule], BOOKS)
    assert (need.headline, need.detail) == ("Needs 1 Core", "Not more than core: Nova (Command)")
    two_missing = violation("minimum", measured=0, allowed=2, mendable=True, counted="Core")
    assert format_need([rule, two_missing], BOOKS).headline == "Needs 2 Core"
    joined = format_need([rule, copy_with(rule, cause=(place("Giants"),))], BOOKS).detail
    assert joined == "Not more than core: Nova (Command); Not more than core: Giants (Command)"
    crowded = get_words(copy_with(first, crowded=True))
    assert crowded.detail == words.detail
    assert "no room" in crowded.hint
    third = get_words(copy_with(first, measured=3, allowed=2))
    assert (third.detail, third.hint) == ("3 taken, at most 2 allowed.", "Remove 1, or add 1 Core.")


@pytest.mark.parametrize(("code", "measured", "allowed"), [("minimum", 0, 1), ("exactly", 0, 1), ("maximum", 3, 1)])
def test_nothing_is_to_be_added_where_there_is_no_room(code: str, measured: int, allowed: int) -> None:
    short = violation(code, measured=measured, allowed=allowed, mendable=True)
    full = get_words(copy_with(short, crowded=True))
    assert full.detail == get_words(short).detail
    assert full.hint != get_words(short).hint


@pytest.mark.parametrize("code", ["minimum", "exactly", "maximum"])
def test_a_breach_of_the_plan_is_mended_there(code: str) -> None:
    hints = {
        get_words(violation(code, measured=measured, allowed=allowed, stage=stage)).hint
        for measured, allowed in [(0, 3), (3, 0)]
        for stage in (Stage.MATCH, Stage.SETUP)
    }
    assert len(hints) == 1


def test_a_leader_who_cannot_lead_is_said_to_be_none() -> None:
    misled = violation("unreached-entry", on=place("Press Gang"), counted_id="command", counted="Command", allowed=0)
    lonely = copy_with(misled, counted_id="press gang", counted="Press Gang")
    assert "Command" in get_words(misled).detail
    assert get_words(misled).detail != get_words(lonely).detail


def test_of_two_declared_leaders_it_is_said_that_one_leads() -> None:
    second = violation("unreached-entry", on=place("Press Gang"), counted="Press Gang", measured=2, allowed=1)
    assert get_words(second).headline == "More than one leader: Press Gang"
    assert get_words(second).detail == "2 units of this detachment are declared to lead it; only one can."


def test_what_is_of_another_faction_is_named_with_it() -> None:
    said = get_words(violation("foreign-entry", on=place("Gorehound"), counted="Demons"))
    assert "Gorehound" in said.detail
    assert "Demons" in said.detail


def test_an_open_slot_without_a_name_for_what_is_missing_has_that_of_the_rule() -> None:
    missing = violation(RuleCode.MINIMUM, name="Command", counted="", counted_id="", measured=0, allowed=2)
    assert format_open_slot(missing) == format_open_slot(missing, "Command") == "2 Command"


@pytest.mark.parametrize(("counted_id", "figures"), [(NOTHING, False), (ANY, True)])
def test_what_the_author_of_data_says_stands_for_what_has_no_name(counted_id: str, figures: bool) -> None:
    spoken = {"text": "First add a **regiment**.", "counted_id": counted_id, "counted": counted_id}
    sentence = format_violation(violation(RuleCode.MINIMUM, **spoken, measured=1, allowed=2), BOOKS)
    assert (sentence.headline, sentence.text) == ("First add a regiment.", "")
    assert bool(sentence.detail) is figures


def test_marks_of_data_are_not_said() -> None:
    marked = violation("minimum", text="One **^^Leader^^**")
    assert format_violation(marked, BOOKS).text == "One Leader"
    assert "^" not in explain_block(copy_with(marked, mendable=True, name="Led"))


def test_a_limit_that_is_one_of_several_is_told_them_all() -> None:
    size = violation("exactly", counted_id="limit::points", counted="points", measured=500, allowed=2000)
    several = get_words(copy_with(size, choices=(1000, 2000, 3000))).hint
    assert all(number in several for number in ("1000", "2000", "3000"))
    assert "2000" not in get_words(copy_with(size, choices=(2000,))).hint


@pytest.mark.parametrize("code", [RuleCode.MAXIMUM, RuleCode.MINIMUM])
def test_a_limit_with_a_bound_is_told_it(code: RuleCode) -> None:
    size = violation(code, counted_id="limit::points", counted="points", measured=2000, allowed=999)
    assert all(number in get_words(size).detail for number in ("2000", "999"))


def test_a_share_of_a_limit_is_told_in_what_it_costs() -> None:
    spent = Violation(
        code=RuleCode.MAXIMUM,
        on=Location(kind=PlaceKind.CATEGORY, name="Heroes"),
        counted="Heroes",
        measured=1100,
        allowed=1000,
        unit="pts",
    )
    words = format_violation(spent, {})
    assert (words.headline, words.detail) == ("Too much spent: Heroes", "1100 of at most 1000 pts.")
    assert words.hint == "Cut at least 100 pts."
    lacking = format_violation(copy_with(spent, code=RuleCode.MINIMUM, measured=900), {})
    assert (lacking.detail, lacking.hint) == ("900 of at least 1000 pts.", "Spend at least 100 pts more.")


def test_a_unit_that_may_not_go_alone_is_named_with_what_it_lacks() -> None:
    place = Location(kind=PlaceKind.SELECTION, id="n1", name="Otter Keeper")
    alone = violation(
        RuleCode.WRONG_ATTACHMENT, on=place, counted=place.name, measured=0, allowed=1, severity=Severity.WARNING
    )
    sentences = [format_violation(copy_with(alone, counted_id=lacking), {}) for lacking in (LEADS, LED)]
    assert all("Otter Keeper" in sentence.headline for sentence in sentences)
    assert sentences[0] != sentences[1]


def test_no_refusal_shows_its_placeholders() -> None:
    sentences = [explain_refusal(Refused(code=code, allowed=5, measured=7)) for code in _REFUSALS]
    assert [sentence for sentence in sentences if "%(" in sentence or "%%" in sentence] == []
    assert explain_refusal(Refused(code="too-many-webhooks", allowed=5)).startswith("You can have at most 5 webhooks.")
