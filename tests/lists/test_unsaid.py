"""What a text does not mention gives way to what it names: defaults, settings, automatic units."""

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.entries import Category, CategoryLink, CostType, Entry, EntryType, ForceEntry
from catalogue.definitions.queries import Bound, Change, Condition, Guard, Modifier, Operator, Query, Scope
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from roster.engine.tree import list_selections
from roster.formats.text.pasted import Reading
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from tests.roster.small_game import bound, group, limits, option, unit

pytestmark = pytest.mark.django_db


def ask(child_id: str, operator: Operator, *, scope: str = Scope.ROSTER) -> Guard:
    query = Query(scope=scope, child_id=child_id, deep=True, include_child_forces=True)
    return Guard(conditions=(Condition(operator=operator, query=query, value=1),))


def hide(guard: Guard) -> tuple[Modifier, ...]:
    return (Modifier(change=Change.SET, field="hidden", value="true", guard=guard),)


PIKE = option("pike", "Pike", 0)
LORD = unit(
    "lord",
    "Lord",
    "line",
    50,
    group("arms", "Arms", PIKE, option("axe", "Axe", 0), option("maul", "Maul", 5), least=1, default="pike"),
    option("seal", "Dawn Seal", 10, modifiers=hide(ask("pike", Operator.AT_LEAST, scope=Scope.ROOT_ENTRY))),
)
OLD = unit("veterans", "Veterans", "line", 40, modifiers=hide(ask("old-books", Operator.LESS_THAN)))
BARRED = unit("traitors", "Traitors", "line", 40, modifiers=hide(ask("lord", Operator.AT_LEAST)))
MILITIA = unit("militia", "Militia", "line", 20)
WARDEN = option(
    "warden",
    "Warden",
    0,
    option(
        "blade",
        "Blade",
        0,
        default_amount=1,
        modifiers=hide(ask("bow-set", Operator.AT_LEAST, scope=Scope.PARENT)),
        constraints=limits("blade", 0, 1),
    ),
    option("bow-set", "Bow and buckler", 0, option("bow", "Bow", 0, constraints=limits("bow", 1, 1))),
    type=EntryType.MODEL,
    constraints=limits("warden", 2, 2),
)
ROOTS = unit(
    "roots",
    "Root Folk",
    "line",
    30,
    WARDEN,
    option("root", "Root", 0, type=EntryType.MODEL, constraints=limits("root", 5, 5)),
)
SETTINGS = Entry(
    id="shown",
    name="Show/Hide Options",
    type=EntryType.UPGRADE,
    constraints=(
        bound("shown-min", Bound.MIN, 1, scope=Scope.ROSTER),
        bound("shown-max", Bound.MAX, 1, scope=Scope.ROSTER),
    ),
    entries=(option("old-books", "Show old books", 0), option("far-books", "Show far books", 0)),
)
GUARDIAN = unit(
    "guardian",
    "Guardian",
    "line",
    60,
    constraints=(bound("guardian-min", Bound.MIN, 1, scope=Scope.ROSTER),),
    modifiers=(Modifier(change=Change.SET, field="guardian-min", value="0", guard=ask("elder", Operator.AT_LEAST)),),
)
ELDER = unit("elder", "Guardian (elder)", "line", 80)


def read(text: str, *entries: Entry) -> ReadPaste:
    link = CategoryLink(id="c-line", target_id="line")
    system = Catalogue(
        id="books",
        name="Books",
        kind=CatalogueKind.GAME_SYSTEM,
        cost_types=(CostType(id="points", name="pts"),),
        categories=(Category(id="line", name="Line"),),
        forces=(ForceEntry(id="host", name="Host", categories=(link,)),),
    )
    faction = Catalogue(id="folk", name="Folk", kind=CatalogueKind.FACTION, entries=(*entries, MILITIA))
    install_version(GameInfo(slug="books", name="Books", label="1"), DataSet(catalogues=(system, faction)))
    read = read_pasted_text(f"Mine\nFolk\n\n{text}\nMilitia (20 points)\n", game="books")
    assert isinstance(read, list)
    return read[0]


def list_taken(one: ReadPaste) -> list[str]:
    assert one.checked is not None
    return sorted(selection.name for selection in list_selections(one.checked.evaluated_list.tree))


def get_points(one: ReadPaste) -> object:
    assert one.checked is not None
    points = one.checked.evaluated_list.points
    return points and points.value


def test_a_default_that_excludes_what_is_named_becomes_another_of_its_group():
    """The one of the same cost replaces the default; what is named stays and is a violation."""
    one = read("Lord (60 points)\n• Dawn Seal\n", LORD)
    assert (one.verdict, list_taken(one)) == ("legal", ["Axe", "Dawn Seal", "Lord", "Militia"])


def test_a_named_default_stays_and_is_a_breach():
    one = read("Lord (60 points)\n• Pike\n• Dawn Seal\n", LORD)
    assert (one.verdict, list_taken(one)) == ("illegal", ["Dawn Seal", "Lord", "Militia", "Pike"])


def test_a_hidden_unit_that_is_named_takes_the_setting_that_shows_it():
    one = read("Veterans (40 points)\n", OLD, SETTINGS)
    assert (one.verdict, list_taken(one)) == ("legal", ["Militia", "Show old books", "Show/Hide Options", "Veterans"])


def test_a_unit_that_no_setting_shows_stays_a_breach():
    one = read("Lord (50 points)\nTraitors (40 points)\n", LORD, BARRED, SETTINGS)
    assert (one.verdict, "Show old books" in list_taken(one)) == ("illegal", False)


def test_a_unit_that_came_along_gives_way_to_the_one_that_is_named_instead():
    one = read("Guardian (elder) (80 points)\n", GUARDIAN, ELDER)
    assert (one.verdict, get_points(one), list_taken(one)) == ("legal", 100, ["Guardian (elder)", "Militia"])


def test_a_unit_that_is_demanded_stays_though_no_line_names_it():
    one = read("", GUARDIAN)
    assert (one.verdict, get_points(one)) == ("legal", 80)


def test_what_the_data_does_not_know_arms_no_model() -> None:
    """One pike of ten models stays one, though another weapon next to it is not read."""
    soldier = option(
        "soldier",
        "Soldier",
        0,
        option("soldier-pike", "Pike", 0, constraints=limits("soldier-pike", 0, 1)),
        type=EntryType.MODEL,
        constraints=limits("soldier", 10, 10),
    )
    one = read("Company (50 points)\n• 1 Pike\n• 1 Sky hook\n", unit("company", "Company", "line", 50, soldier))
    assert list_taken(one).count("Pike") == 1
    assert dict(one.open_lines) == {Reading.UNREAD: 1}


def test_models_of_one_kind_carry_what_does_not_go_together_apart():
    one = read("Root Folk (30 points)\n• 1x Blade\n• 1x Bow\n", ROOTS)
    assert one.checked is not None
    wardens = [
        sorted(inner.name for inner in selection.selections)
        for selection in list_selections(one.checked.evaluated_list.tree)
        if selection.name == "Warden"
    ]
    assert (one.verdict, sorted(wardens)) == ("legal", [["Blade"], ["Bow and buckler"]])


def test_a_hidden_option_gives_way_to_its_twin_in_another_group() -> None:
    """What shows which claw may be taken is the rest of the list."""
    barred = option("claw-left", "Claw", 0, modifiers=hide(ask("militia", Operator.AT_LEAST)))
    hero = unit("hero", "Hero", "line", 30, group("left", "Left", barred), group("right", "Right", option("c", "Claw")))
    one = read("Hero (30 points)\n• Claw\n", hero)
    assert (one.verdict, list_taken(one)) == ("legal", ["Claw", "Hero", "Militia"])
    # Without a twin the text's word stays, and is a breach.
    alone = read("Hero (30 points)\n• Claw\n", unit("hero", "Hero", "line", 30, group("left", "Left", barred)))
    assert (alone.verdict, list_taken(alone)) == ("illegal", ["Claw", "Hero", "Militia"])
