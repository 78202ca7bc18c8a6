"""Leaders known only from texts: in the catalogue, lists, on paper, at the table and in text exports."""

import pytest
from django.test import Client
from django.utils.html import escape

from catalogue.models import UnitEntry
from roster.formats.text.own import TextLength
from roster.pdf.sheet_cards import list_units
from roster.play.losses import JOINED
from roster.play.services.game_units import load_table_list
from roster.services.board import build_board
from roster.services.evaluation import evaluate_roster
from roster.services.texts import TextForm, write_list_text
from tests.catalogue.battlescribe_files import game_files, packed
from tests.catalogue.import_bytes import import_bytes
from tests.markup import markup
from tests.play.games import begin
from tests.roster.test_community_games import Player

pytestmark = pytest.mark.django_db

FORCES = '<forceEntries><forceEntry id="flock" name="Flock" hidden="false"/></forceEntries>'
PROFILE = (
    '<profiles><profile id="{id}-leads" name="Leader" typeId="abilities" typeName="Abilities"><characteristics>'
    '<characteristic name="Description" typeId="text">{text}</characteristic></characteristics></profile></profiles>'
)
DRAKE = "This model can be attached to the following units:&#10;■ Wild Ducks&#10;■ Grebes"
SWAN = "This model can be attached to the following unit: Ducks. This model sings while it is attached to them."
COSTS = '<costs><cost name="crumbs" typeId="pts" value="5"/></costs>'
BIRDS = f"""<selectionEntries>
 <selectionEntry id="duck" name="Wild Ducks" type="unit">{COSTS}</selectionEntry>
 <selectionEntry id="stone" name="Stone" type="unit"/>
 <selectionEntry id="drake" name="Drake" type="unit">{PROFILE.format(id="drake", text=DRAKE)}{COSTS}</selectionEntry>
 <selectionEntry id="swan" name="Swan" type="unit">{PROFILE.format(id="swan", text=SWAN)}</selectionEntry>
</selectionEntries>"""


@pytest.fixture
def player() -> Player:
    import_bytes("ducks.zip", packed(game_files(BIRDS, FORCES)))
    player = Player()
    if not player.roster.tree.forces:
        player.do(do="add-detachment", entry="flock")
    force = player.roster.tree.forces[0]
    for entry in ("duck", "stone", "drake", "drake"):
        player.do(do="add-unit", node=force.id, entry=entry)
    return player


def attach(player: Player, leader: int, unit: int) -> str:
    units = player.roster.tree.forces[0].selections
    source, target = units[leader].id, units[unit].id
    return player.do(do="attach", node=source, association="leads", to=target, open=source)


def test_the_catalogue_says_who_leads_whom(player: Player) -> None:
    drake, duck, swan = (UnitEntry.objects.get(name=name) for name in ("Drake", "Wild Ducks", "Swan"))
    page = markup(Client().get(drake.get_absolute_url()))
    assert "Can lead:" in page
    assert f'href="{duck.get_absolute_url()}"' in page
    assert "Grebes" in page.partition("not in this data")[2]
    page = markup(Client().get(duck.get_absolute_url()))
    assert "Can be led by:" in page
    assert f'href="{drake.get_absolute_url()}"' in page
    assert "Can lead:" not in page
    page = markup(Client().get(swan.get_absolute_url()))
    assert escape("This model sings while it is attached to them") in page.partition("Not understood")[2]


def test_units_that_it_may_lead_are_offered(player: Player) -> None:
    drake = player.roster.tree.forces[0].selections[2]
    opened = build_board(player.roster, opened=drake.id).opened
    assert opened is not None
    (control,) = opened.attachments
    assert [choice.name for choice in control.choices] == ["Wild Ducks"]


def test_one_leads_and_a_second_is_too_many(player: Player) -> None:
    assert "Led by Drake" in attach(player, 2, 0)
    assert "Wrongly attached" not in player.do(do="undo") + player.do(do="redo")
    assert "Wrongly attached" in attach(player, 3, 0)
    (violation,) = evaluate_roster(player.roster).report.violations
    assert (violation.code, violation.measured, violation.allowed) == ("wrong-attachment", 2, 1)
    assert [place.name for place in violation.cause] == ["Wild Ducks", "Drake"]


def test_it_leads_nothing_that_its_text_does_not_name(player: Player) -> None:
    assert "It cannot be attached to Stone" in attach(player, 2, 1)


def test_paper_and_texts_have_them_together(player: Player) -> None:
    attach(player, 3, 0)
    report = evaluate_roster(player.roster).report
    units = [unit.node for unit in list_units(report.forces)]
    place = [unit.name for unit in units].index("Wild Ducks")
    assert [attachment.to.id for attachment in units[place - 1].attachments] == [units[place].id]
    assert "with Wild Ducks" in write_list_text(player.roster, TextForm(length=TextLength.FULL))


def test_what_is_attached_in_a_circle_is_on_paper_too(player: Player) -> None:
    attach(player, 2, 3)
    attach(player, 3, 2)
    report = evaluate_roster(player.roster).report
    assert sorted(unit.name for unit in list_units(report.forces)) == ["Drake", "Drake", "Stone", "Wild Ducks"]


def test_the_table_has_them_together(player: Player) -> None:
    attach(player, 3, 0)
    game = begin(player.client, player.roster)
    units = load_table_list(game.sides.order_by("pk")[0]).units
    joined = [(unit.sheet.name, unit.with_unit) for unit in units if unit.place == JOINED]
    assert joined == [("Drake", "Wild Ducks")]
