"""Marks in community texts: bold and small capitals are rendered, everything else is escaped."""

import re

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from catalogue.definitions.emphasis import remove_marks, split_runs
from catalogue.templatetags.emphasis import format_emphasis

PLAIN = [
    "Move 6",
    "4+* and 5+*",
    "* only in combat, *",
    "2*3*4",
    "*2*",
    "4+**",
    "2* and 3**",
    "** spaced out **",
    "one **line\nand** another",
    "^^",
    "****",
    "a ^^\nb^^",
]
MARKED = [
    ("**[ASSAULT]**", "<b>[ASSAULT]</b>", "[ASSAULT]"),
    ("an ^^Aeldari^^ unit", 'an <span class="caps">Aeldari</span> unit', "an Aeldari unit"),
    ("a ^^ b ^^", 'a <span class="caps"> b </span>', "a  b "),
    ("**^^Fly^^**", '<b><span class="caps">Fly</span></b>', "Fly"),
    ("^^**Fly**^^", '<b><span class="caps">Fly</span></b>', "Fly"),
    ("**a** and **b**", "<b>a</b> and <b>b</b>", "a and b"),
    ("**a ^^b** c^^", '<b>a </b><b><span class="caps">b</span></b><span class="caps"> c</span>', "a b c"),
    ("within *x* of *Other Templates*", "within x of Other Templates", "within x of Other Templates"),
    ("Heavy (***Dash*** only)", "Heavy (<b>Dash</b> only)", "Heavy (Dash only)"),
    ("**2 *Full Throttle*:** go", "<b>2 </b><b>Full Throttle</b><b>:</b> go", "2 Full Throttle: go"),
    ('**<script>** & 6"', "<b>&lt;script&gt;</b> &amp; 6&quot;", '<script> & 6"'),
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_pair_stays_as_it_is(text: str) -> None:
    assert remove_marks(text) == text
    assert "<" not in format_emphasis(text)


@pytest.mark.parametrize(("text", "html", "plain"), MARKED)
def test_pairs_are_carried_out(text: str, html: str, plain: str) -> None:
    assert format_emphasis(text) == html
    assert remove_marks(text) == plain


@given(st.text(alphabet="*^ab <\n", max_size=30))
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    html = format_emphasis(text)
    assert re.sub(r'</?b>|<span class="caps">|</span>', "", html).count("<") == 0
    opened = re.findall(r"<(/?)(b|span)", html)
    depth: list[str] = []
    for closing, tag in opened:
        if closing:
            assert depth.pop() == tag
        else:
            depth.append(tag)
    assert depth == []
    assert "".join(run.text for run in split_runs(text)) == remove_marks(text)


RULE = {
    "name": "Fast",
    "parameters": "",
    "citation": "",
    "text": ["A **^^Fly^^** <i>"],
    "description": "A **^^Fly^^** <i>",
}
ABILITY = RULE | {"text": RULE["description"]}
ROW = {"name": "Bow", "figures": [("Says", "^^Fast^^ <i>")], "texts": [("Rules", "A **^^Fly^^** <i>")]}
TABLE = {"name": "Weapons", "columns": ["Says"], "rows": [ROW]}
SHEET = {"name": "Weapons", "columns": [], "rows": [{"name": "^^Fast^^ <i>", "texts": []}]}


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("roster/parts/datasheet.html", {"shown": {"tables": [SHEET], "abilities": [ABILITY]}}),
        ("catalogue/parts/profiles.html", {"table": TABLE}),
        ("catalogue/parts/abilities.html", {"abilities": [ABILITY], "own": ""}),
    ],
)
def test_pages_carry_marks_out(template: str, shown: dict[str, object]) -> None:
    html = render_to_string(template, shown)
    assert '<span class="caps">F' in html
    assert "^^" not in html
    assert "**" not in html
    assert "<i>" not in html
