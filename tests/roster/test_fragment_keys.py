"""An answer to an edit contains each fragment whose content has changed."""

import random
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from lxml import html

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.queries import Change, Condition, Guard, Modifier, Operator, Query
from catalogue.formats.packs.load import find_packs
from catalogue.models import Faction, PackVersion
from roster.services.board.shapes import Shape
from roster.templatetags.pieces import pieces
from roster.views.builder import page as builder_page
from roster.views.builder.fragments import Fragment, FragmentMisuseError, PageConstants
from roster.views.builder.page import RowSource, forget_rows
from tests.extent import sample
from tests.roster import small_game
from tests.roster.views_cast import HTMX, Owner, have, parts_of, started, swapped
from tests.shipped_packs import install_shipped

STEPS = 12
IMPORTED = ("grimdark-future.zip", "wh40k-killteam-v1.4.16.zip")
"""Games in `bsdata` of the shared folder."""
CARRIED = {"csrfmiddlewaretoken", "revision", "into", "rows"}
"""Hidden fields that the script updates."""
INTO = re.compile(r"\binto=[^&#]*|&?dead=1")
"""Links for readers without script contain the target of a unit, and the script adds `dead`."""
TEXTS = ("", "Alpha & Beta", "<b>note</b>")


def is_piece(element: html.HtmlElement) -> bool:
    """Return whether an answer may replace just this element."""
    return bool(element.get("data-key")) or (element.get("id") or "").startswith("d-")


def write_own(element: html.HtmlElement) -> str:
    """Write an element without inner pieces and without what differs in each answer."""
    attributes = {
        name: INTO.sub("", value)
        for name, value in element.attrib.items()
        if name not in ("data-key", "hx-swap-oob")
        # The script itself derives whether a unit can be clicked.
        and not (name == "disabled" and element.get("class") == "add")
    }
    inner = [element.text or ""]
    for child in element.iterchildren(tag=html.etree.Element):
        if not is_piece(child) and not (child.get("type") == "hidden" and child.get("name") in CARRIED):
            inner.append(write_own(child))
        inner.append(child.tail or "")
    return " ".join(f"<{element.tag} {sorted(attributes.items())}>{''.join(inner)}".split())


def read_pieces(document: html.HtmlElement) -> dict[str, str]:
    return {element.get("id"): write_own(element) for element in document.iter("*") if is_piece(element)}


def read_markup(answer: HttpResponse) -> html.HtmlElement:
    """Read a page or an answer, with shared parts put in place as the script does."""
    document = html.fromstring(f"<main>{answer.content.decode()}</main>")
    for shared in document.xpath("//*[@data-alike]"):
        ids, key = shared.attrib.pop("data-alike").split(), shared.attrib.pop("data-of")
        for part_id in ids:
            line = deepcopy(shared)
            line.set("id", part_id)
            line.set("data-key", key)
            shared.addprevious(line)
        shared.getparent().remove(shared)
    return document


def list_edits(page: html.HtmlElement, draw: random.Random) -> Iterator[dict[str, str]]:
    """List the edits that the forms of a page can send: each button, each choice, random texts."""
    for form in page.xpath('//form[contains(@action, "/edits/")]'):
        hidden = {field.get("name"): field.get("value") for field in form.xpath('.//input[@type="hidden"]')}
        buttons = form.xpath(".//button[@name and not(@formaction)]") + page.xpath(
            "//button[@name and @form=$id]", id=form.get("id", "-")
        )
        radios = form.xpath('.//input[@type="radio" and not(@checked)]')
        for control in (*buttons, *radios):
            if control.get("disabled") is None:
                yield hidden | {control.get("name"): control.get("value")}
        for option in form.xpath(".//select/option[not(@selected)]"):
            yield hidden | {option.getparent().get("name"): option.get("value")}
        if form.get("data-describes") is not None:
            yield hidden | {name: draw.choice(TEXTS) for name in ("name", "notes")}


@dataclass
class Reader:
    """Makes random edits on the builder's page of a list."""

    owner: Owner
    draw: random.Random
    opened: str = ""
    into: str = ""

    def look(self) -> html.HtmlElement:
        return read_markup(self.owner.page(open=self.opened, into=self.into))

    def step(self) -> set[str]:
        """Make a random edit, check the answer against the page, and return the ids of changed pieces."""
        page = self.owner.page(open=self.opened, into=self.into)
        before = read_markup(page)
        edits = list(list_edits(before, self.draw))
        adding = [edit for edit in edits if edit["do"] == "add-unit"]
        edit = self.draw.choice(adding if adding and self.draw.random() < 0.4 else edits)
        fields = edit | {"have": have(parts_of(page))} | ({"open": self.opened} if self.opened else {})
        answer = self.owner.edit(HTMX, **fields)
        assert answer.status_code in (200, 422), (edit, answer.content[:300])
        sent = read_markup(answer)
        self.into = sent.xpath('string(//*[@id="state"]/@data-into)')

        stored = read_pieces(self.look())
        pieces.clear()
        forget_rows()
        after = read_pieces(self.look())
        assert stored == after, f"pieces rendered earlier are not those of now, after {edit}"

        had, got = read_pieces(before), read_pieces(sent)
        changed = {piece for piece, text in after.items() if had.get(piece) != text}
        assert changed <= got.keys(), (edit, [(had.get(piece), after[piece]) for piece in changed - got.keys()])
        assert {piece: text for piece, text in got.items() if after[piece] != text} == {}, edit

        units = [unit.id for force in self.owner.roster.tree.forces for unit in force.selections]
        self.opened = self.draw.choice(units) if units and self.draw.random() < 0.7 else ""
        return changed


def check_random_edits(version: PackVersion, seed: str) -> None:
    draw, client = random.Random(seed), Client()
    faction = draw.choice(list(Faction.objects.filter(version=version).order_by("slug")))
    form = {"game": version.game.slug, "faction": faction.faction_id, "limit": draw.choice(("120", "500", "1000", ""))}
    answer = client.post(reverse("roster:new"), form)
    assert answer.status_code == 303, answer.content[:300]
    reader = Reader(Owner(client, answer["Location"].strip("/").split("/")[-1]), draw)
    changed = [reader.step() for _ in range(STEPS)]
    assert sum(map(bool, changed)) > STEPS / 2


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("pack", sample(find_packs(), 1), ids=lambda pack: "-".join(pack.parts[-2:]))
def test_an_answer_holds_every_piece_that_changed(pack: Path) -> None:
    check_random_edits(install_shipped(pack), pack.name)


@pytest.mark.complete
@pytest.mark.django_db
@pytest.mark.parametrize("archive", IMPORTED)
def test_an_answer_holds_every_piece_of_an_imported_game_that_changed(shared: Path, archive: str) -> None:
    call_command("import_battlescribe", shared / "bsdata" / archive, verbosity=0)
    check_random_edits(PackVersion.objects.latest("pk"), archive)


@pytest.mark.django_db
def test_the_menus_of_all_detachments_have_the_kinds_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    cutters = Query(scope="roster", child_id="cutters", deep=True)
    taken = Guard(conditions=(Condition(operator=Operator.AT_LEAST, value=1, query=cutters),))
    shown = Modifier(change=Change.SET, field="hidden", value="false", guard=taken)
    raid = msgspec.structs.replace(
        small_game.COLUMN, id="raid", name="Raid", forces=(), constraints=(), hidden=True, modifiers=(shown,)
    )
    system = msgspec.structs.replace(small_game.SYSTEM, forces=(small_game.FLAT_COLUMN, raid))
    monkeypatch.setattr(small_game, "FENLAND", DataSet(catalogues=(system, small_game.MARSH, small_game.WEIR)))
    owner = started()
    owner.unit("warden")
    owner.done(do="add-detachment", entry="column")
    first, second = (force.id for force in owner.roster.tree.forces)
    answer = owner.edit(HTMX, do="add-unit", node=second, entry="cutters", have=have(parts_of(owner.page())))
    assert {f"h-{first}", f"h-{second}"} <= swapped(answer)
    assert answer.content.count(b'value="raid"') == 3  # in both menus, and among the kinds to add


@pytest.mark.django_db
def test_an_edit_builds_only_the_rows_that_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = started()
    units = [owner.unit("cutters") for _ in range(4)]
    page = owner.page()
    built: list[str] = []

    build_row = builder_page.build_row

    def note_row(source: RowSource) -> Fragment:
        built.append(source.unit.id)
        return build_row(source)

    monkeypatch.setattr(builder_page, "build_row", note_row)
    answer = owner.edit(HTMX, do="rename", node=units[1], text="Anna", have=have(parts_of(page)))
    assert built == [units[1]]
    assert f"u-{units[1]}" in swapped(answer)
    forget_rows()
    owner.page()
    assert set(built) == set(units)


class Note(Shape):
    """A value with a fragment inside."""

    text: str
    inner: Fragment


def test_the_key_of_a_fragment_leaves_out_what_can_be_replaced_alone_and_holds_the_rest() -> None:
    def key_of(text: str, inner: Fragment) -> str:
        return Fragment("note", "note.html", Note(text=text, inner=inner)).key

    reeds, rust = Fragment("inner", "inner.html", "reeds"), Fragment("inner", "inner.html", "rust")
    assert key_of("a", reeds) == key_of("a", rust) != key_of("b", rust)
    assert key_of("a", Fragment("", "inner.html", "reeds")) != key_of("a", Fragment("", "inner.html", "rust"))
    assert Fragment("inner", "inner.html", "reeds", unkeyed="grey").key == reeds.key != rust.key


def test_a_stored_fragment_is_known_by_all_that_is_in_it() -> None:
    def stored_key_of(inner: Fragment) -> tuple[object, ...]:
        return Fragment("note", "note.html", Note(text="a", inner=inner)).stored_key

    reeds = stored_key_of(Fragment("inner", "inner.html", "reeds"))
    assert reeds == stored_key_of(Fragment("inner", "inner.html", "reeds"))
    assert reeds != stored_key_of(Fragment("inner", "inner.html", "rust"))
    assert reeds != stored_key_of(Fragment("inner", "inner.html", "reeds", unkeyed="grey"))


def test_a_template_cannot_read_the_value_of_another_fragment() -> None:
    text = "{% load fragments %}{{ part.id }}{{ part.shows }}"
    with pytest.raises(FragmentMisuseError):
        Template(text).render(Context({"part": Fragment("inner", "inner.html", "reeds")}))


@pytest.mark.django_db
def test_a_fragment_sees_nothing_of_the_page_around_it() -> None:
    part = Fragment("kinds", "roster/builder/notices.html#notices", {"is_taken_down": False})
    constants = PageConstants(language="en", values={"public_id": "x" * 22})
    around = {"part": part, "constants": constants, "shows": {"is_taken_down": True}, "is_taken_down": True}
    shown = Template("{% load fragments %}{% fragment part %}").render(Context(around))
    assert 'id="kinds"' in shown
    assert "<p>" not in shown
