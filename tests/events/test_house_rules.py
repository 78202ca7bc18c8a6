"""The effect of each house rule on a verdict, on both sides of its limit, and its citation."""

import json
from typing import Any

import pytest
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.events.house_rules.document import Contradiction, HouseRules, read_house_rules
from roster.events.models import Event, Participant
from roster.events.services.judging import check_house_rules, judge_tree, load_rules
from roster.events.services.reading import read_upload
from roster.events.services.teams import add_member, create_team
from roster.events.wording import explain_rules_problem
from roster.wording.api_payload import serialize_list
from tests.catalogue.import_bytes import import_bytes
from tests.catalogue.overlaid_game import toy_wars
from tests.events.cast import LIST, TWO_CUTTERS, opened, read, submit_text
from tests.roster.small_game import installed
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.django_db

HEAD = "house-rules: 1\nname: Muster\nsource: Event pack\n"
SAID = 'text: Because of the mud., source: "Mud pack, p. 3"'
ESCORTED = LIST + "    detachments:\n      - detachment: escort\n        units: [cutters]\n"
NO_CUTTERS = LIST.replace("[warden, cutters]", "[warden, crew]")


def judge(rules: str, text: str = LIST) -> dict[str, Any]:
    """Return the stored verdict on a list under house rules."""
    force = load_rules(installed(), HEAD + rules)
    assert read_house_rules(HEAD + rules) == force.rules
    received = read(text)
    assert received.tree
    assert received.faction
    return serialize_list(judge_tree(force, received.faction.faction_id, received.tree))


def broken(rules: str, text: str = LIST) -> set[str]:
    found = judge(rules, text)["violations"]
    return {violation["rule"] for violation in found if violation["rule"].startswith("house-rules")}


@pytest.mark.parametrize(
    ("rules", "keeps", "breaks", "rule"),
    [
        ("limits: {points: {at most: 30, %s}}", LIST, TWO_CUTTERS, "house-rules-limit"),
        ("detachments: {allowed: [Column], %s}", LIST, ESCORTED, "house-rules-detachments"),
        ("detachments: {allowed: [Column, escort], %s}", ESCORTED, "", ""),
        ("bans: [{ban: Cutters, %s}]", NO_CUTTERS, LIST, "house-rules-ban-0"),
        ("bans: [{ban: [Giants, Nets], %s}]", LIST, LIST.replace("cutters]", "giants]"), "house-rules-ban-0"),
        ("bans: [{ban: core, %s}]", LIST.replace(", cutters", ""), LIST, "house-rules-ban-0"),
        ("caps: [{cap: Cutters, at most: 1, %s}]", LIST, TWO_CUTTERS, "house-rules-most-0"),
        (
            "caps: [{cap: Core, at most: 1, %s}]",
            LIST,
            NO_CUTTERS.replace("crew", "crew, cutters"),
            "house-rules-most-0",
        ),
        ("caps: [{cap: [Cutters, Crew], at most: 1, %s}]", NO_CUTTERS, ESCORTED, "house-rules-most-0"),
        ("caps: [{cap: Cutters, at least: 2, %s}]", TWO_CUTTERS, LIST, "house-rules-least-0"),
        (
            "caps: [{cap: [Cutters, Crew], at least: 1, %s}]",
            NO_CUTTERS,
            LIST.replace(", cutters", ""),
            "house-rules-least-0",
        ),
    ],
)
def test_each_rule_binds_at_its_border_with_its_own_sentence_and_citation(rules, keeps, breaks, rule):
    written = rules % SAID
    assert broken(written, keeps) == set()
    if not breaks:
        return
    assert broken(written, breaks) == {rule}
    found = [violation for violation in judge(written, breaks)["violations"] if violation["rule"] == rule]
    assert {one["sentence"]["text"] for one in found} == {"Because of the mud."}
    assert {one["citation"]["book"] for one in found} == {"Mud pack, p. 3"}


@pytest.mark.parametrize(
    ("rules", "breaks", "rule"),
    [
        ("limits: {points: 30}", TWO_CUTTERS, "house-rules-limit"),
        ("detachments: [Column]", ESCORTED, "house-rules-detachments"),
        ("detachments: Column", ESCORTED, "house-rules-detachments"),
        ("bans: [Cutters]", LIST, "house-rules-ban-0"),
    ],
)
def test_a_rule_in_its_short_form_is_cited_by_the_source_of_all(rules, breaks, rule):
    found = {violation["rule"]: violation for violation in judge(rules, breaks)["violations"]}
    assert (found[rule]["sentence"]["text"], found[rule]["citation"]["book"]) == ("", "Event pack")


def test_a_limit_may_be_lifted():
    large = LIST.replace("name: Low water", "limits: {points: 10}")
    assert "cost-limit" in {violation["code"] for violation in judge("", large)["violations"]}
    assert "cost-limit" not in {violation["code"] for violation in judge("limits: {points: none}", large)["violations"]}


def test_what_nobody_can_check_stands_in_every_verdict_with_its_source():
    found = judge("notes: [Paint it., {note: Bring dice., source: 'Dice pack'}]")
    notes = [(note["text"], note["citation"]["book"]) for note in found["unchecked"] if note["code"] == "house-rule"]
    assert (found["verdict"], notes) == ("legal", [("Paint it.", "Event pack"), ("Bring dice.", "Dice pack")])


@pytest.mark.parametrize(
    "rule", ["same faction: 2", "same faction: {at most: 2, text: Variety., source: 'Pack, p. 9'}"]
)
def test_a_faction_may_be_played_as_often_in_a_team_as_the_rules_say(rule):
    bench = opened("sue", rules=HEAD + rule)
    Event.objects.update(is_team=True)
    bench.event.refresh_from_db()
    captain = bench.people["sue"]
    team = create_team(bench.event, captain, "Reeds")
    for name in ("Una", "Max"):
        add_member(team, captain, name, is_reserve=False)
    una, other = Participant.objects.filter(team=team).exclude(user=captain)
    page = reverse("events:submit", args=[bench.event.public_id, bench.entry("sue").public_id])
    submit_text(una, LIST, captain)
    assert bench.client("sue").post(page, {"text": LIST}).context["verdict"] == "legal"
    submit_text(other, LIST, captain)
    answer = bench.client("sue").post(page, {"text": LIST})
    assert answer.context["verdict"] == "illegal"
    said, page = answer.context["doubled"], answer.content.decode()
    assert (said.text, said.source) == (("Variety.", "Pack, p. 9") if "Variety" in rule else ("", "Event pack"))
    assert said.text in page
    assert said.source in page


def test_what_players_may_not_do_stands_on_the_page_of_the_event_and_below_the_form():
    rules = (
        "limits: {points: {at most: 30, text: Small ones.}}\n"
        "detachments: {allowed: Column, text: One only.}\n"
        "same faction: {at most: 2, text: Variety.}\n"
        "notes: [Paint it.]\n"
    )
    bench = opened("ann", rules=HEAD + rules)
    event = bench.event.public_id
    shown = bench.client("ann").get(reverse("events:event", args=[event])).context["rule_lines"]
    settings = bench.client("ora").get(reverse("events:settings", args=[event]))
    assert settings.context["rule_lines"] == shown
    assert [line.text for line in shown] == ["Small ones.", "One only.", "Variety.", "Paint it."]
    assert {line.source for line in shown} == {"Event pack"}
    taken_away = bench.client("ora").get(reverse("events:house-rules", args=[event])).content.decode()
    assert read_house_rules(taken_away) == read_house_rules(HEAD + rules)
    assert isinstance(read_house_rules(taken_away), HouseRules)


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("limits: [30]", "not-fields"),
        ("limits: {points: {text: Small.}}", "missing-key"),
        ("limits: {points: [30]}", "not-text"),
        ("limits: {points: {most: 30}}", "unknown-key"),
        ("detachments: {text: One only.}", "missing-key"),
        ("same faction: {most: 1}", "unknown-key"),
        ("same faction: one", "not-a-number"),
    ],
)
def test_a_rule_that_is_badly_written_is_refused_with_its_line(rules, code):
    problem = read_house_rules(HEAD + rules)
    assert (getattr(problem, "code", None), getattr(problem, "line", 0)) == (code, 4)


@pytest.mark.parametrize(
    ("rules", "code", "lines"),
    [
        ("limits:\n  points: 5\n  Points: 6", "limit-twice", (6, 5)),
        ("same faction: 0", "nobody-plays", (4, 0)),
        ("bans:\n  - Cutters\n  - cutters", "banned-twice", (6, 5)),
        ("bans: [Cutters]\ncaps: [{cap: Cutters, at least: 1}]", "ban-and-cap", (5, 4)),
        (
            "caps:\n  - {cap: Crew, at most: 5}\n  - {cap: Crew, at least: 3}\n  - {cap: Crew, at most: 2}",
            "capped-apart",
            (7, 6),
        ),
        ("limits: {points: 19}\ncaps: [{cap: Wärden, at least: 1}]", "least-too-dear", (5, 4)),
    ],
)
def test_two_rules_that_contradict_each_other_are_named_with_both_lines(rules, code, lines):
    problem = check_house_rules(installed(), HEAD + rules)
    assert isinstance(problem, Contradiction)
    assert (problem.code, (problem.line, problem.other_line)) == (code, lines)
    assert all(str(line) in explain_rules_problem(problem) for line in lines if line)


TWO_EACH = (
    "caps:\n  - {cap: [Crew, Cutters], at most: 4}\n  - {cap: Crew, at least: 2}\n  - {cap: Cutters, at least: 2}\n"
)
TWO_OF_THREE = "caps:\n  - {cap: [Crew, Cutters], at least: 5}\n  - {cap: Crew, at most: 2}\n"


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        # A type whose units are all banned, or of which too few are allowed.
        ("bans: [Cutters, Crew, Hands]\ncaps: [{cap: Core, at least: 1}]", (4, 4, 4, 5)),
        ("bans: [core]\ncaps: [{cap: Crew, at least: 1}]", (4, 5)),
        ("bans: [Crew, Hands]\ncaps:\n  - {cap: Core, at least: 3}\n  - {cap: Cutters, at most: 2}", (4, 4, 6, 7)),
        ("caps:\n  - {cap: Core, at most: 1}\n  - {cap: Crew, at least: 2}", (5, 6)),
        # Minima that add up to more than a cap, caps that add up to less than a minimum.
        (TWO_EACH.replace("4", "3"), (5, 6, 7)),
        (TWO_OF_THREE + "  - {cap: Cutters, at most: 2}", (5, 6, 7)),
        # Minima that each fit into the limit, but not together: 20 and 21 points.
        ("limits: {points: 40}\ncaps:\n  - {cap: Wärden, at least: 1}\n  - {cap: Giants, at least: 1}", (4, 6, 7)),
        ("limits: {points: 20}\ncaps:\n  - {cap: hammer, at least: 1}", (4, 6)),
    ],
)
def test_rules_that_collide_by_what_they_are_about_are_all_named(rules, lines):
    problem = check_house_rules(installed(), HEAD + rules)
    assert isinstance(problem, Contradiction)
    assert (problem.code, tuple(rule.line for rule in problem.rules)) == ("rules-collide", lines)
    assert all(f"line {line}" in explain_rules_problem(problem) for line in lines)


@pytest.mark.parametrize(
    "rules",
    [
        "bans: [Cutters, Crew]\ncaps: [{cap: Core, at least: 1}]",
        "caps:\n  - {cap: Core, at most: 2}\n  - {cap: Crew, at least: 2}",
        TWO_EACH,
        TWO_OF_THREE + "  - {cap: Cutters, at most: 3}",
        "limits: {points: 41}\ncaps:\n  - {cap: Wärden, at least: 1}\n  - {cap: Giants, at least: 1}",
        "limits: {points: 21}\ncaps:\n  - {cap: hammer, at least: 1}",
        "detachments: []",
    ],
)
def test_rules_that_just_go_together_are_taken(rules):
    assert isinstance(check_house_rules(installed(), HEAD + rules), HouseRules)


@pytest.mark.parametrize(
    ("rules", "near"),
    [
        ("bans: [Cuttres]", "Cutters"),
        ("caps: [{cap: Gaints, at most: 1}]", "Giants"),
        ("detachments: [Colum]", "Column"),
        ("limits: {pionts: 5}", "points"),
    ],
)
def test_a_name_that_the_game_does_not_know_is_refused_with_the_nearest(rules, near):
    problem = check_house_rules(installed(), HEAD + rules)
    assert getattr(problem, "code", "") == "unknown-entry"
    assert near in getattr(problem, "suggestions", ())


@pytest.fixture
def toys():
    """Community data, and a pack whose rules can overlay it."""
    reading = read_shipped(SHIPPED / "wh40k" / "ninth")
    assert reading.pack
    assert reading.data
    install_version(GameInfo.from_pack(reading.pack), reading.data)
    version = import_bytes("toy.zip", toy_wars()).version
    assert version
    return version


@pytest.mark.parametrize(("guards", "rules"), [(3, {"mow-datasheet-limit"}), (1, set())])
def test_the_rules_of_a_book_are_laid_over_the_lists_of_an_event(toys, guards, rules):
    units = [{"unit": "captain", "options": ["Warlord"]}, "mob", "mob", *["guard"] * guards]
    detachments = [{"detachment": "battalion", "units": units}]
    written = {"list": 1, "game": "toy-wars", "limits": {"pts": 1000}, "detachments": detachments}
    received = read_upload(json.dumps(written).encode())
    assert received.tree
    assert received.faction
    for text, broken_then in ((HEAD, set()), (HEAD + "book: Maelstrom of War", rules)):
        judged = serialize_list(judge_tree(load_rules(toys, text), received.faction.faction_id, received.tree))
        found = [violation for violation in judged["violations"] if violation["rule"] == "mow-datasheet-limit"]
        assert {violation["rule"] for violation in found} == broken_then
        assert all(violation["citation"] for violation in found)
