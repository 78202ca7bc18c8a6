"""Page fragments that a process caches as rendered."""

import re

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.test import Client

from roster.templatetags.pieces import MOST_PIECES, pieces
from tests.markup import markup


def render(text: str, **values: object) -> str:
    return Template("{% load pieces %}" + text).render(Context(values))


def test_a_piece_is_rendered_once_for_its_keys() -> None:
    pieces.clear()
    row = "{% stored row key %}{{ said }}{% endstored %}"
    assert render(row, key="a", said="<b>") == "&lt;b&gt;"
    assert render(row, key="a", said="other") == "&lt;b&gt;"
    assert render(row, key="b", said="other") == "other"
    assert render("{% stored column key %}{{ said }}{% endstored %}", key="a", said="of a column") == "of a column"


def test_each_key_counts() -> None:
    pieces.clear()
    row = "{% stored row key language %}{{ said }}{% endstored %}"
    assert render(row, key="a", language="en", said="reeds") == "reeds"
    assert render(row, key="a", language="de", said="Schilf") == "Schilf"
    assert render(row, key="a", language="en", said="") == "reeds"


def test_no_more_is_kept_than_there_is_room_for_and_what_is_used_stays() -> None:
    pieces.clear()
    row = "{% stored row key %}{{ said }}{% endstored %}"
    render(row, key="used", said="first")
    for key in range(MOST_PIECES + 5):
        render(row, key=key)
        assert render(row, key="used", said="second") == "first"
    assert len(pieces) == MOST_PIECES


@pytest.mark.django_db
def test_menus_say_where_somebody_is_in_their_language() -> None:
    pieces.clear()
    client = Client()
    for _ in range(2):
        for language, name in (("en", "My lists"), ("de", "Meine Listen")):
            client.cookies["language"] = language
            current = re.findall(r'aria-current="page"\s*>\s*(.*?)\s*<', markup(client.get("/rosters/")))
            assert name in current
            assert name not in re.findall(r'aria-current="page"\s*>\s*(.*?)\s*<', markup(client.get("/games/")))


@pytest.mark.parametrize(
    "text", ["{% stored %}{% endstored %}", "{% stored row %}{% endstored %}", "{% stored row key %}"]
)
def test_a_piece_without_a_key_is_a_mistake(text: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        render(text)
