"""Equal models of a unit share a heading, a number and a set of options; one can be split off."""

import re

import msgspec
import pytest

from catalogue.definitions.catalogues import DataSet
from catalogue.services.install_version import install_version
from roster.engine.report import group_violations
from roster.engine.tree import Selection, find_node
from roster.services.board import OpenedUnit
from roster.services.deeds import propose_deeds
from roster.views.verdict_presenter import VerdictPresenter, ViolationItem
from roster.wording import format_violations
from roster.wording.api_payload import group_serialized, serialize_list
from tests.markup import markup
from tests.roster.small_game import ABOUT, CREW, MARSH, SYSTEM, WARDEN, group, limits, option
from tests.roster.test_services_board import Builder, choice
from tests.roster.views_cast import HTMX, Owner, have, parts_of, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def builder() -> Builder:
    return Builder()


def sailors(builder: Builder, crew: str, apart: str = "") -> tuple[OpenedUnit, ...]:
    return choice(builder.board(opened=crew, apart=apart).opened, "sailor").inside


def hooks(builder: Builder, crew: str) -> list[int]:
    unit = find_node(builder.roster.tree, crew)
    assert isinstance(unit, Selection)
    return [len(sailor.selections) for sailor in unit.selections]


class TestBoard:
    def test_equal_ones_are_opened_once(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        assert (stack.number, stack.can_split) == (2, True)
        assert choice(stack, "hook").is_stack

    def test_different_ones_are_opened_apart(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        builder.do(do="toggle", node=stack.node_id, entry="hook")
        first, second = sailors(builder, crew)
        assert [(opened.number, opened.can_split) for opened in (first, second)] == [(1, False)] * 2
        assert first.node_id == stack.node_id, "the selection keeps its id"
        builder.do(do="toggle", node=second.node_id, entry="hook")
        assert [opened.number for opened in sailors(builder, crew)] == [2]

    def test_one_that_is_apart_is_opened_by_itself(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        before = builder.roster.head
        single = builder.do(do="split-off", node=stack.node_id)
        assert builder.roster.head == before, "nothing has changed that could be undone"
        assert [opened.node_id for opened in sailors(builder, crew, single)] == [stack.node_id, single]
        assert [opened.number for opened in sailors(builder, crew)] == [2]

    def test_a_price_is_that_of_all_of_them(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        assert choice(stack, "hook").points == 2


class TestChanges:
    def test_an_option_is_set_for_all(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        builder.do(do="toggle", node=stack.node_id, entry="hook", stack="true")
        assert hooks(builder, crew) == [1, 1]
        builder.do(do="set-number", node=stack.node_id, entry="hook", number="0", stack="true")
        assert hooks(builder, crew) == [0, 0]

    def test_without_being_asked_for_all_it_is_set_for_one(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        builder.do(do="toggle", node=stack.node_id, entry="hook")
        assert hooks(builder, crew) == [1, 0]

    def test_what_was_split_off_is_not_one_of_all(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        single = builder.do(do="split-off", node=stack.node_id)
        builder.do(do="toggle", node=stack.node_id, entry="hook", stack="true", apart=single)
        assert hooks(builder, crew) == [1, 0]

    def test_a_number_adds_equal_ones(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        builder.do(do="toggle", node=stack.node_id, entry="hook", stack="true")
        builder.do(do="set-number", node=stack.node_id, number="4", stack="true")
        assert hooks(builder, crew) == [1, 1, 1, 1]
        builder.do(do="set-number", node=stack.node_id, number="1", stack="true")
        assert [opened.node_id for opened in sailors(builder, crew)] == [stack.node_id]

    def test_a_mistyped_number_starts_no_thousands(self, builder: Builder) -> None:
        (crew,) = builder.take("crew")
        (stack,) = sailors(builder, crew)
        with pytest.raises(AssertionError, match="bad-number"):
            builder.do(do="set-number", node=stack.node_id, number="999", stack="true")
        assert hooks(builder, crew) == [0, 0]


def open_crew(owner: Owner) -> tuple[str, str]:
    crew = owner.unit("crew")
    unit = find_node(owner.roster.tree, crew)
    assert isinstance(unit, Selection)
    return crew, unit.selections[0].id


class TestPage:
    def test_one_heading_with_a_number(self) -> None:
        owner = started()
        crew, _ = open_crew(owner)
        page = markup(owner.page(open=crew))
        assert len(re.findall(r"2\s*×\s*Sailor\s*</p>", page)) == 1
        assert page.count('value="split-off"') == 1

    def test_split_off_without_script(self) -> None:
        owner = started()
        crew, sailor = open_crew(owner)
        answer = owner.done(do="split-off", node=sailor, open=crew)
        assert answer["Location"].endswith(f"#u-{crew}")
        page = markup(owner.client.get(answer["Location"]))
        assert len(re.findall(r'aria-label="Number of Sailor(?:, \d)?"', page)) == 3, (
            "of all, of the others, and of the one that is apart"
        )
        apart = re.search(r'name="apart" value="([^"]+)"', page)
        assert apart, "forms name what was split off"
        owner.done(do="toggle", node=apart[1], entry="hook", open=crew, apart=apart[1])
        unit = find_node(owner.roster.tree, crew)
        assert isinstance(unit, Selection)
        assert [len(member.selections) for member in unit.selections] == [0, 1]

    def test_answers_and_pages_say_the_same(self) -> None:
        owner = started()
        crew, sailor = open_crew(owner)
        steps = (
            {"do": "toggle", "node": sailor, "entry": "hook", "stack": "true"},
            {"do": "set-number", "node": sailor, "number": "4", "stack": "true"},
            {"do": "toggle", "node": sailor, "entry": "hook"},
            {"do": "undo"},
        )
        for step in steps:
            page = parts_of(owner.page(open=crew))
            answer = owner.edit(HTMX, open=crew, have=have(page), **step)
            assert answer.status_code == 200
            assert page | parts_of(answer) == parts_of(owner.page(open=crew))

    def test_one_alone_cannot_be_split(self) -> None:
        owner = started()
        warden = owner.unit("warden")
        answer = owner.edit(do="split-off", node=warden, open=warden)
        assert answer.status_code == 422


ARMED = msgspec.structs.replace(
    CREW,
    entries=(
        msgspec.structs.replace(
            CREW.entries[0],
            entries=(
                option("hook", "Hook", 1, constraints=limits("hook", 0, 1)),
                option("oar", "Oar", 1, constraints=limits("oar", 0, 2)),
                group("arms", "Arms", option("sabre", "Sabre"), option("pistol", "Pistol", 3), least=1),
            ),
        ),
    ),
)
"""A crew of sailors who need weapons and have none at first."""


class TestVerdict:
    @pytest.fixture
    def armed(self) -> Builder:
        marsh = msgspec.structs.replace(MARSH, entries=(WARDEN, ARMED))
        return Builder(install_version(ABOUT, DataSet(catalogues=(SYSTEM, marsh))))

    def list_missing(self, builder: Builder) -> list[ViolationItem]:
        board = builder.board()
        verdict = VerdictPresenter(board, propose_deeds(board.evaluated_list)).build_verdict()
        return [item for item in verdict.why if "Arms" in item.sentence.headline]

    def test_what_equal_models_lack_is_one_task(self, armed: Builder) -> None:
        _, crew = armed.take("warden", "crew")
        stack = choice(armed.board(opened=crew).opened, "sailor").inside[0]
        armed.do(do="set-number", node=stack.node_id, number="4", stack="true")
        (item,) = self.list_missing(armed)
        assert item.sentence.headline == "Add 4 Arms"
        assert [place.name for place in item.places] == ["Crew"]
        report = armed.board().evaluated_list.report
        assert (len(report.errors), report.error_count) == (4, 1)
        unit = next(unit for unit in armed.board().detachments[0].units if unit.id == crew)
        assert len(group_violations(unit.violations)) == 1

    def test_one_deed_mends_it_for_all(self, armed: Builder) -> None:
        _, crew = armed.take("warden", "crew")
        (item,) = self.list_missing(armed)
        deed = item.deeds[0]
        assert deed.words == "Add 2 Sabre to Sailor"
        armed.do(**dict(deed.fields))
        assert self.list_missing(armed) == []
        assert [opened.number for opened in sailors(armed, crew)] == [2]

    def test_what_equal_models_have_too_many_of_goes_at_once(self, armed: Builder) -> None:
        _, crew = armed.take("warden", "crew")
        (stack,) = sailors(armed, crew)
        armed.do(do="choose", node=stack.node_id, group="arms", entry="sabre", stack="true")
        armed.do(do="set-number", node=stack.node_id, entry="oar", number="3", stack="true")
        judged = armed.board().evaluated_list
        (deeds,) = propose_deeds(judged).values()
        assert deeds[0].number == 2
        armed.do(**deeds[0].fields)
        assert armed.board().evaluated_list.report.errors == ()

    def test_different_models_are_different_tasks(self, armed: Builder) -> None:
        _, crew = armed.take("warden", "crew")
        (stack,) = sailors(armed, crew)
        armed.do(do="choose", node=stack.node_id, group="arms", entry="sabre")
        (item,) = self.list_missing(armed)
        assert item.sentence.headline == "No Arms yet"

    def test_texts_say_it_once(self, armed: Builder) -> None:
        armed.take("warden", "crew")
        headlines = [sentence.headline for sentence in format_violations(armed.board().evaluated_list)]
        assert len(headlines) == 1
        assert headlines[0].startswith("2 × ")

    def test_what_is_kept_as_plain_values_is_grouped_as_well(self, armed: Builder) -> None:
        armed.take("warden", "crew")
        written = serialize_list(armed.board().evaluated_list)["violations"]
        assert len(written) == 2, "programs get each of them"
        assert group_serialized(written) == [(written[0], 2)]
