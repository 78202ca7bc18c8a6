"""What community data does in the builder and packs do not."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from catalogue.models import PackVersion
from roster.formats.text.foreign import TextLayout
from roster.models import Roster
from roster.pdf.redact import redact_sheet
from roster.pdf.shapes import Imprint
from roster.pdf.sheet_content import build_sheet
from roster.services import sizes
from roster.services.board import ChoiceGroup, OptionChoice, build_board
from roster.services.changes import AddDetachment
from roster.services.deeds import propose_deeds
from roster.services.evaluation import evaluate_roster
from roster.services.exchange import RosterFormat, export_list
from roster.services.texts import TextForm, write_list_table, write_list_text
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.catalogue.import_bytes import import_bytes
from tests.markup import markup

pytestmark = pytest.mark.django_db

FORCES = """<forceEntries>
 <forceEntry id="flock" name="Flock" hidden="false"><forceEntries>
  <forceEntry id="brood" name="Brood" hidden="false"/>
 </forceEntries></forceEntry>
 <forceEntry id="secret" name="Secret" hidden="true"/>
</forceEntries>"""
PENCE = '<costTypes><costType id="pence" name="pence" defaultCostLimit="5.0" hidden="false"/></costTypes>'
INSIDE = """
<constraints><constraint id="max" type="max" field="selections" scope="force" value="3"/></constraints>
<selectionEntryGroups><selectionEntryGroup id="group" name="Bills" defaultSelectionEntryId="bill">
 <constraints><constraint id="one" type="min" field="selections" scope="parent" value="1"/></constraints>
 <selectionEntries>
  <selectionEntry id="bill" name="Bill" type="upgrade">
   <costs><cost name="crumbs" typeId="pts" value="2.5"/></costs>
   <selectionEntries><selectionEntry id="tip" name="Tip" type="upgrade"/></selectionEntries>
  </selectionEntry>
  <selectionEntry id="beak" name="Beak" type="upgrade"/>
 </selectionEntries>
</selectionEntryGroup></selectionEntryGroups>
<selectionEntries><selectionEntry id="duckling" name="Duckling" type="model" collective="true"/></selectionEntries>"""


def ducks(default_limit: str = "-1.0") -> PackVersion:
    files = game_files(unit(INSIDE), FORCES)
    system = str(files["ducks.gst"]).replace('defaultCostLimit="-1.0"', f'defaultCostLimit="{default_limit}"')
    files["ducks.gst"] = system.replace("</costTypes>", PENCE.partition(">")[2], 1)
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    return version


class Player:
    """A player at the builder, using forms only."""

    def __init__(self, **form: str) -> None:
        self.client = Client()
        fields = {"game": "ducks-and-drakes", "faction": "pond", "name": "Mill pond", **form}
        answer = self.client.post(reverse("roster:new"), fields)
        assert answer.status_code == 303, answer.content
        self.address = answer["Location"]

    @property
    def roster(self) -> Roster:
        return Roster.objects.get()

    def do(self, **fields: str) -> str:
        answer = self.client.post(self.address + "edits/", {"revision": str(self.roster.head), **fields})
        assert answer.status_code == 303, answer.content.decode()
        page = self.client.get(self.address)
        assert page.status_code == 200
        return page.content.decode()


@pytest.mark.parametrize(("default", "limits"), [("-1.0", []), ("0.0", []), ("12.0", [("pts", 12)])])
def test_a_limit_of_zero_means_that_none_is_agreed_yet(default: str, limits: list[tuple[str, int]]) -> None:
    ducks(default)
    started = Player().roster.tree.limits
    assert [(limit.type_id, limit.value) for limit in started if limit.type_id == "pts"] == limits
    assert ("pence", 5) in [(limit.type_id, limit.value) for limit in started]


def test_an_agreed_limit_counts() -> None:
    ducks("0.0")
    assert ("pts", 40) in [(limit.type_id, limit.value) for limit in Player(limit="40").roster.tree.limits]


def test_hidden_forces_are_not_offered_and_forces_stand_in_forces() -> None:
    ducks()
    player = Player()
    assert [offered.name for offered in build_board(player.roster).forces] == ["Flock"]
    # If only one kind of force is possible, a list begins with it.
    flock = player.roster.tree.forces[0]
    player.do(do="add-detachment", entry="brood", node=flock.id)
    assert [inner.entry_id for inner in player.roster.tree.forces[0].forces] == ["brood"]


def test_nested_options_defaults_counts_names_and_notes() -> None:
    ducks()
    player = Player()
    flock = player.roster.tree.forces[0]
    page = player.do(do="add-unit", node=flock.id, entry="duck")
    assert "Duck" in page
    duck = player.roster.tree.forces[0].selections[0]
    assert [taken.entry_id for taken in duck.selections] == ["bill"]
    player.do(do="set-number", node=duck.id, entry="duckling", number="3")
    player.do(do="set-number", node=duck.selections[0].id, entry="tip", number="1")
    player.do(do="rename", node=duck.id, text="Donald")
    page = player.do(do="notes", node=duck.id, text="quacks")
    assert "Donald" in page
    duck = player.roster.tree.forces[0].selections[0]
    found = {
        taken.entry_id: (taken.number, [inner.entry_id for inner in taken.selections]) for taken in duck.selections
    }
    assert found == {"bill": (1, ["tip"]), "duckling": (3, [])}
    assert (player.roster.points, duck.notes) == ("2.5", "quacks")


BILLS = """<sharedSelectionEntryGroups><selectionEntryGroup id="bills" name="Bills" defaultSelectionEntryId="flat">
 <constraints><constraint id="most" type="max" field="selections" scope="parent" value="1"/></constraints>
 <selectionEntries>
  <selectionEntry id="flat" name="Flat bill" type="upgrade"/>
  <selectionEntry id="long" name="Long bill" type="upgrade"/>
 </selectionEntries>
</selectionEntryGroup></sharedSelectionEntryGroups>"""
LINKED = '<entryLinks><entryLink id="link" name="Bills" targetId="bills" type="selectionEntryGroup"/></entryLinks>'


def pond(inside: str, shared: str, game: str = "") -> Player:
    files = game_files(unit(inside) + shared, FORCES)
    if game:
        files["ducks.gst"] = str(files["ducks.gst"]).replace(*game.split(" > "))
    assert import_bytes("ducks.zip", packed(files)).version
    player = Player()
    player.do(do="add-unit", node=player.roster.tree.forces[0].id, entry="duck")
    return player


def test_one_of_a_linked_group_gives_way_to_another() -> None:
    player = pond(LINKED, BILLS)
    duck = player.roster.tree.forces[0].selections[0]
    player.do(do="choose", node=duck.id, group="link::bills", entry="link::flat")
    opened = build_board(player.roster, opened=duck.id).opened
    assert opened
    (group,) = opened.items
    assert isinstance(group, ChoiceGroup)
    assert [(c.name, c.control, c.blocked) for c in group.items if isinstance(c, OptionChoice)] == [
        ("Flat bill", "radio", None),
        ("Long bill", "radio", None),
    ]
    page = player.client.get(f"{player.address}?open={duck.id}").content.decode()
    assert " disabled" not in page.partition('value="choose"')[2].partition("</form>")[0]


LOOSE = """<selectionEntryGroups><selectionEntryGroup id="loose" name="Loose ends" flatten="true"><selectionEntries>
  <selectionEntry id="feather" name="Feather" type="upgrade" step="5"/>
  <selectionEntry id="quill" name="Quill" type="upgrade"/>
</selectionEntries></selectionEntryGroup></selectionEntryGroups>"""


def test_a_group_without_a_heading_and_a_number_that_goes_up_by_fives() -> None:
    player = pond(LOOSE, "")
    duck = player.roster.tree.forces[0].selections[0]
    player.do(do="set-number", node=duck.id, entry="feather", number="10")
    page = player.client.get(f"{player.address}?open={duck.id}").content.decode()
    heading = page.partition("<b>Loose ends</b>")[0].rpartition("<legend")[2]
    assert heading.split() == ['class="sr">']
    steppers = page.partition("Loose ends")[2]
    assert [word for word in steppers.split() if word.startswith("data-step=")][:4] == [
        'data-step="-5"',
        'data-step="5"',
        'data-step="-1"',
        'data-step="1"',
    ]
    assert ('value="5"' in steppers, 'value="15"' in steppers) == (True, True)


def test_a_group_that_opens_and_closes_is_open_once_something_of_it_is_taken() -> None:
    player = pond(LOOSE.replace("flatten", "collapsible"), "")
    duck = player.roster.tree.forces[0].selections[0]

    def find_fold() -> str:
        page = player.client.get(f"{player.address}?open={duck.id}").content.decode()
        return page.partition("<b>Loose ends</b>")[2].partition("<details")[2].partition(">")[0]

    assert "Feather" in player.client.get(f"{player.address}?open={duck.id}").content.decode()
    assert 'class="fold"' in find_fold()
    assert "open" not in find_fold().split()
    player.do(do="set-number", node=duck.id, entry="feather", number="5")
    assert "open" in find_fold().split()


def test_a_game_without_points_shows_none() -> None:
    player = pond("", "", '<costType id="pts" name="crumbs" defaultCostLimit="-1.0" hidden="false"/> > ')
    board = build_board(player.roster)
    assert [(d.points, [u.points for u in d.units]) for d in board.detachments] == [(None, [None])]
    assert [u.points for offered in board.offered for u in offered.units] == [None]


def test_what_has_no_type_can_be_asked_for() -> None:
    player = pond("", "")
    (others,) = build_board(player.roster).offered
    assert others.id
    page = player.client.get(f"{player.address}?type={others.id}").content.decode()
    assert page.count('aria-pressed="true"') <= 1


SETTLED = """<selectionEntries>
 <selectionEntry id="size" name="Size of the pond" type="upgrade">
  <constraints><constraint id="must" type="min" field="selections" scope="force" value="1"/>
   <constraint id="once" type="max" field="selections" scope="force" value="1"/></constraints>
  <categoryLinks><categoryLink id="size-about" targetId="about" primary="true"/></categoryLinks>
  <selectionEntries><selectionEntry id="small" name="Small" type="upgrade"/></selectionEntries></selectionEntry>
 <selectionEntry id="read" name="READ ME" type="upgrade">
  <constraints><constraint id="always" type="min" field="selections" scope="force" value="1"/></constraints>
  <rules><rule id="how" name="How to" hidden="false"><description>Feed no bread.</description></rule></rules>
 </selectionEntry>
 <selectionEntry id="duck" name="Duck" type="unit">
  <categoryLinks><categoryLink id="duck-bird" targetId="bird" primary="true"/></categoryLinks></selectionEntry>
</selectionEntries>"""
ABOUT = """<categoryEntries><categoryEntry id="about" name="About" hidden="false"/></categoryEntries>
<forceEntries><forceEntry id="flock" name="Flock" hidden="false">
 <categoryLinks><categoryLink id="l1" targetId="about" primary="false"/>
  <categoryLink id="l2" targetId="bird" primary="false"/>
 </categoryLinks>
 <forceEntries>
  <forceEntry id="first" name="Primary" hidden="false"/>
  <forceEntry id="left" name="Wing - Left" hidden="false"/>
  <forceEntry id="right" name="Wing - Right" hidden="false"/>
  <forceEntry id="lone" name="Tail - Lone" hidden="false"/>
 </forceEntries></forceEntry></forceEntries>"""


@pytest.fixture
def keeper() -> Player:
    import_bytes("ducks.zip", packed(game_files(SETTLED, ABOUT)))
    return Player()


def test_settings_and_notes_stand_above_the_units_and_are_none(keeper: Player) -> None:
    page = markup(keeper.client.get(keeper.address))
    board = build_board(keeper.roster)
    (flock,) = board.detachments
    assert {(row.name, row.kind) for row in flock.units} == {("Size of the pond", "setting"), ("READ ME", "note")}
    assert not flock.has_units
    assert page.index('class="unit setting') < page.index('class="unit readme')
    assert "Feed no bread." in page
    assert "Start with" not in page
    assert [unit.name for group in board.offered for unit in group.units] == ["Duck"]
    keeper.do(do="add-unit", node=flock.id, entry="duck")
    page = markup(keeper.client.get(keeper.address))
    assert page.index('class="unit readme') < page.index('class="unit"')


def test_whoever_has_the_link_reads_settings_without_points_and_no_notes(keeper: Player) -> None:
    keeper.do(do="add-unit", node=build_board(keeper.roster).detachments[0].id, entry="duck")
    page = markup(keeper.client.get(f"/r/{keeper.roster.link_id}/"))
    rows = page[page.index("<ol>") : page.index('id="verdict-h"')]
    assert rows.index("Size of the pond") < rows.index("Duck")
    assert "READ ME" not in rows
    assert rows.count('class="pts"') == 1


def choose_size(keeper: Player) -> None:
    flock = keeper.roster.tree.forces[0]
    size = next(node for node in flock.selections if node.entry_id == "size")
    keeper.do(do="set-number", node=size.id, entry="small", number="1")
    keeper.do(do="add-unit", node=flock.id, entry="duck")


def test_paper_counts_units_and_prints_settings_below_them(keeper: Player) -> None:
    choose_size(keeper)
    sheet = build_sheet(evaluate_roster(keeper.roster), Imprint(game="Ducks"))
    (block,) = sheet.blocks
    assert [line.name for line in block.lines] == ["Duck"]
    assert [(tally.name, tally.count) for tally in block.tallies] == [("Bird", 1)]
    assert block.settings == ("Size of the pond: Small",)
    assert redact_sheet(sheet).blocks[0].settings == ()


def test_a_setting_that_breaks_a_rule_has_a_line_on_paper(keeper: Player) -> None:
    keeper.do(do="add-unit", node=keeper.roster.tree.forces[0].id, entry="size")
    (block,) = build_sheet(evaluate_roster(keeper.roster), Imprint(game="Ducks")).blocks
    assert [(line.name, line.count, bool(line.problems)) for line in block.lines] == [("Size of the pond", 2, True)]


def test_texts_for_events_list_units_alone(keeper: Player) -> None:
    choose_size(keeper)
    claims = write_list_text(keeper.roster, TextForm(layout=TextLayout.WTC))
    table = write_list_table(keeper.roster)
    assert "NUMBER OF UNITS: 1\n" in claims
    for text in (claims, table):
        assert "Duck" in text
        assert "READ ME" not in text
        assert "Size of the pond" not in text


@pytest.mark.parametrize("layout", [TextLayout.OWN, TextLayout.NEW_RECRUIT, TextLayout.BATTLESCRIBE])
def test_texts_that_are_read_back_hold_settings(keeper: Player, layout: TextLayout) -> None:
    choose_size(keeper)
    text = write_list_text(keeper.roster, TextForm(layout=layout))
    assert "Size of the pond" in text
    assert "Small" in text


def test_a_unit_of_several_types_is_counted_where_it_is_listed() -> None:
    tag = 'targetId="bird" primary="true"/>'
    settled = SETTLED.replace(tag, f'{tag}<categoryLink id="duck-about" targetId="about" primary="false"/>')
    import_bytes("ducks.zip", packed(game_files(settled, ABOUT)))
    player = Player()
    player.do(do="add-unit", node=build_board(player.roster).detachments[0].id, entry="duck")
    slots = build_board(player.roster).detachments[0].slots
    assert [(slot.name, slot.measured) for slot in slots] == [("About", 1), ("Bird", 1)]


def test_detachments_inside_are_offered_below_in_groups(keeper: Player) -> None:
    page = markup(keeper.client.get(keeper.address))
    flock = keeper.roster.tree.forces[0]
    assert page.index("Add a detachment") < page.index("Wing") < page.index(">Left") < page.index(">Right")
    assert "Tail - Lone" in page
    assert page.count(f'id="ki-{flock.id}" open') == 1
    page = keeper.do(do="add-detachment", node=flock.id, entry="left")
    assert f'id="ki-{flock.id}" open' not in page
    assert [inner.entry_id for inner in keeper.roster.tree.forces[0].forces] == ["left"]


LONERS = """<constraints><constraint id="lone" type="max" field="selections" scope="force" value="1"
 message="Drakes do not share a pond."/></constraints>"""


def test_a_limit_with_a_message_says_that_instead_of_figures() -> None:
    player = pond(LONERS, "")
    page = player.do(do="add-unit", node=player.roster.tree.forces[0].id, entry="duck")
    assert "Drakes do not share a pond." in page
    assert "2 of 1" not in page
    assert player.roster.verdict == "illegal"
    assert "Drakes do not share a pond." not in player.do(do="undo")


SAID = """<modifiers><modifier type="add" field="{field}" value="{{this}}s &lt;b&gt;quarrel.">
 <conditions><condition type="atLeast" value="2" field="selections" scope="force" childId="duck" shared="true"/>
 </conditions></modifier></modifiers>"""


@pytest.mark.parametrize(
    ("field", "sign", "verdict"),
    [("error", "illegal", "illegal"), ("warning", "warning", "legal"), ("info", "remark", "legal")],
)
def test_what_authors_say_is_said_in_their_words_and_no_others(field: str, sign: str, verdict: str) -> None:
    player = pond(SAID.format(field=field), "")
    assert "quarrel" not in player.client.get(player.address).content.decode()
    page = player.do(do="add-unit", node=player.roster.tree.forces[0].id, entry="duck")
    (heading,) = re.findall(rf'class="fix {sign}".*?<h3>(.*?)</h3>', page, re.S)
    assert heading.rpartition(">")[2].strip() == "Ducks &lt;b&gt;quarrel."
    assert "although 1 would do" not in page
    assert "Too many" not in page
    assert player.roster.verdict == verdict
    shared = player.client.get(reverse("roster:link", args=[player.roster.link_id])).content.decode()
    assert "Ducks &lt;b&gt;quarrel." in shared


COLUMNS = """<profileTypes><profileType id="bird-of" name="Bird"><characteristicTypes>
 <characteristicType id="swim" name="Swim" defaultValue="4"/>
 <characteristicType id="fly" name="Fly"><formatRules>
  <formatRule type="regex" match="^7$" replace="far"/></formatRules></characteristicType>
</characteristicTypes></profileType></profileTypes>"""
PROFILE = """<profiles><profile id="p" name="Duck" typeId="bird-of" typeName="Bird"><characteristics>
 <characteristic name="Fly" typeId="fly">7</characteristic></characteristics></profile></profiles>"""


@pytest.mark.parametrize(
    "place", ["{builder}?open={duck}", "/games/ducks-and-drakes/the-pond/", "/games/ducks-and-drakes/the-pond/duck/"]
)
def test_columns_say_what_a_profile_leaves_out_and_write_figures_as_the_data_asks(place: str) -> None:
    player = pond(PROFILE, "", f"<forceEntries> > {COLUMNS}<forceEntries>")
    duck = player.roster.tree.forces[0].selections[0]
    page = markup(player.client.get(place.format(builder=player.address, duck=duck.id)))
    assert ">Swim<" in page
    assert ">4</" in page
    assert ">Fly<" in page
    assert ">far</" in page
    assert ">7</" not in page


NESTED = """<categoryEntries><categoryEntry id="about" name="About" hidden="false"/></categoryEntries>
<forceEntries><forceEntry id="flock" name="Flock" hidden="false">
 <categoryLinks><categoryLink id="l1" targetId="about" primary="false"/></categoryLinks>
 <forceEntries><forceEntry id="brood" name="Brood" hidden="false">
  <categoryLinks><categoryLink id="l2" targetId="bird" primary="false"/></categoryLinks></forceEntry></forceEntries>
</forceEntry></forceEntries>"""


def test_who_comes_back_picks_units_for_the_first_detachment_that_takes_any() -> None:
    import_bytes("ducks.zip", packed(game_files(SETTLED, NESTED)))
    player = Player()
    flock = player.roster.tree.forces[0].id
    board = build_board(player.roster)
    assert (board.into, board.offered) == (flock, ())
    player.do(do="add-detachment", node=flock, entry="brood")
    board = build_board(player.roster)
    assert board.into == player.roster.tree.forces[0].forces[0].id
    assert [unit.name for group in board.offered for unit in group.units] == ["Duck"]
    assert build_board(player.roster, into=flock).into == flock


def test_a_list_of_settings_alone_is_empty() -> None:
    import_bytes("ducks.zip", packed(game_files(SETTLED, NESTED)))
    player = Player()
    page = player.do(do="add-detachment", node=player.roster.tree.forces[0].id, entry="brood")
    assert player.roster.verdict == "incomplete"
    assert 'panel verdict none"' in page
    page = player.do(do="add-unit", node=build_board(player.roster).into, entry="duck")
    assert 'panel verdict ok"' in page


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [
        ("Rite of War:", "No Rite of War yet", "War: yet"),
        ("You need a regiment first.", "You need a regiment first.", "No You need"),
    ],
)
def test_names_of_things_that_are_missing_read_as_sentences(name: str, said: str, unsaid: str) -> None:
    demanded = f"""<constraints><constraint id="c" type="min" field="selections" scope="force" value="1"/></constraints>
     </selectionEntry><selectionEntry id="rite" name="{name}" type="upgrade">
     <constraints><constraint id="rites" type="min" field="selections" scope="force" value="1"/></constraints>"""
    player = pond(demanded, "")
    (rite,) = [s for s in player.roster.tree.forces[0].selections if s.entry_id == "rite"]
    page = player.do(do="remove", node=rite.id)
    assert said in page
    assert unsaid not in page


SIZES = """<selectionEntries><selectionEntry id="size" name="Battle Size" type="upgrade">
 <constraints><constraint id="must" type="min" field="selections" scope="roster" value="1"/></constraints>
 <selectionEntryGroups><selectionEntryGroup id="sizes" name="Sizes" defaultSelectionEntryId="none">
  <constraints><constraint id="most" type="max" field="selections" scope="parent" value="1"/></constraints>
  <selectionEntries>
   <selectionEntry id="brook" name="1. Brook (1000 Point limit)" type="upgrade"/>
   <selectionEntry id="river" name="2. River (101-200 Power / 1001-2000 Points)" type="upgrade"/>
   <selectionEntry id="sea" name="3. Sea (2000 Point limit)" type="upgrade" hidden="true"/>
  </selectionEntries></selectionEntryGroup></selectionEntryGroups>
</selectionEntry></selectionEntries>"""


def test_the_sizes_that_the_data_asks_for_are_offered_as_buttons() -> None:
    import_bytes("ducks.zip", packed(game_files(game=FORCES + SIZES)))
    page = markup(Client().get(reverse("roster:new"), {"game": "ducks-and-drakes"}))
    assert re.findall(r'name="way"\s+value="(\d*)"', page) == ["1000", "2000", ""]
    assert "<b>1000</b><span>Brook</span>" in page
    assert "<b>2000</b><span>River</span>" in page


@pytest.mark.parametrize(
    ("form", "limits", "chosen"),
    [
        ({"way": "2000"}, [2000], ["river"]),
        ({"way": ""}, [], []),
        # Typed values override ticked ones.
        ({"way": "2000", "limit": "1000"}, [1000], ["brook"]),
    ],
)
def test_a_size_is_the_limit_and_what_the_data_asks_for(
    form: dict[str, str], limits: list[int], chosen: list[str]
) -> None:
    import_bytes("ducks.zip", packed(game_files(game=FORCES + SIZES)))
    tree = Player(**form).roster.tree
    assert [limit.value for limit in tree.limits] == limits
    assert [choice.entry_id for choice in tree.forces[0].selections[0].selections] == chosen


def test_a_detachment_that_is_added_later_takes_the_size_too() -> None:
    two = FORCES.replace('id="secret" name="Secret" hidden="true"', 'id="raft" name="Raft" hidden="false"')
    import_bytes("ducks.zip", packed(game_files(game=two + SIZES)))
    player = Player(way="2000")
    assert player.roster.tree.forces == ()
    player.do(do="add-detachment", entry="raft")
    (force,) = player.roster.tree.forces
    assert [choice.entry_id for choice in force.selections[0].selections] == ["river"]
    player.do(do="undo")
    assert player.roster.tree.forces == ()


@pytest.mark.parametrize(
    ("least", "counted"), [(1, 'childId="brood"'), (2, 'childId="any" includeChildForces="true"')], ids=["by id", "any"]
)
def test_a_detachment_that_is_missing_inside_another_is_a_deed(least: int, counted: str) -> None:
    rule = f'<constraint id="least" type="min" value="{least}" field="forces" scope="roster" {counted}/>'
    head = 'name="Flock" hidden="false">'
    forces = FORCES.replace(head, f"{head}<constraints>{rule}</constraints>")
    import_bytes("ducks.zip", packed(game_files(game=forces)))
    player = Player()
    (flock,) = player.roster.tree.forces
    (deeds,) = propose_deeds(evaluate_roster(player.roster)).values()
    assert [deed.change for deed in deeds] == [AddDetachment(entry="brood", catalogue="pond", node=flock.id)]


@pytest.mark.parametrize(
    ("default", "form", "limits"),
    [
        ("0.0", {}, [2000]),
        ("0.0", {"way": "1000"}, [1000]),
        ("0.0", {"way": ""}, []),
        ("0.0", {"way": "2000", "limit": "1500"}, [1500]),
        ("12.0", {}, [12]),
        ("12.0", {"way": ""}, []),
    ],
)
def test_a_list_begins_with_the_limit_that_the_game_is_usually_played_at(
    monkeypatch: pytest.MonkeyPatch, default: str, form: dict[str, str], limits: list[int]
) -> None:
    monkeypatch.setitem(sizes._CUSTOMARY_LIMITS, "sys", (2000, 1000))
    ducks(default)
    page = markup(Client().get(reverse("roster:new"), {"game": "ducks-and-drakes"}))
    ways = re.findall(r'name="way"\s+value="(\d*)"\s+data-called="[^"]*"(\s+checked)?', page)
    # Sizes of the data come before custom ones, and the first is ticked.
    assert [way for way, _ in ways] == (["2000", "1000", ""] if default == "0.0" else ["12", ""])
    assert [bool(ticked) for _, ticked in ways] == [True, *[False] * (len(ways) - 1)]
    tree = Player(**form).roster.tree
    assert [limit.value for limit in tree.limits if limit.type_id == "pts"] == limits


def test_one_size_alone_is_no_choice() -> None:
    import_bytes("ducks.zip", packed(game_files(game=FORCES + SIZES.replace("1000 Point limit", "small"))))
    page = markup(Client().get(reverse("roster:new"), {"game": "ducks-and-drakes"}))
    assert 'name="way"' not in page


@pytest.mark.parametrize(
    ("limit", "chosen"), [("1000", ["brook"]), ("1500", ["river"]), ("2000", ["river"]), ("3000", []), ("", [])]
)
def test_the_limit_of_a_new_list_chooses_the_size_that_the_data_asks_for(limit: str, chosen: list[str]) -> None:
    import_bytes("ducks.zip", packed(game_files(SIZES, ABOUT)))
    player = Player(limit=limit)
    (size,) = player.roster.tree.forces[0].selections
    assert [choice.entry_id for choice in size.selections] == chosen


def test_a_setting_in_which_nothing_is_chosen_is_named_and_linked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_bytes("ducks.zip", packed(game_files(SIZES, ABOUT)))
    player = Player()
    (size,) = player.roster.tree.forces[0].selections
    link = f'href="{player.address}?open={size.id}#u-{size.id}"'
    assert link in markup(player.client.get(player.address))
    written = export_list(player.roster, RosterFormat.JSON)
    answer = player.client.post("/api/v1/check", written, content_type="application/json").json()
    assert [place["name"] for place in answer["unchosen"]] == ["Battle Size"]
    (path := tmp_path / "list.json").write_bytes(written)
    with pytest.raises(SystemExit):
        call_command("check_list", str(path))
    assert "Battle Size" in capsys.readouterr().out

    page = player.do(do="choose", node=size.id, group="sizes", entry="river")
    assert link not in page
    written = export_list(player.roster, RosterFormat.JSON)
    assert player.client.post("/api/v1/check", written, content_type="application/json").json()["unchosen"] == []


LORES = """<selectionEntryGroups><selectionEntryGroup id="lores" name="Lores" defaultSelectionEntryId="none">
 <constraints><constraint id="one" type="min" field="selections" scope="parent" value="1"/></constraints>
 <selectionEntries>
  <selectionEntry id="mud" name="Mud" type="upgrade"/><selectionEntry id="reed" name="Reed" type="upgrade"/>
 </selectionEntries></selectionEntryGroup></selectionEntryGroups>"""


def test_what_is_missing_inside_a_unit_leads_to_that_unit() -> None:
    import_bytes("ducks.zip", packed(game_files(unit(LORES), FORCES)))
    player = Player()
    player.do(do="add-detachment", entry="flock")
    force = player.roster.tree.forces[0]
    for _ in range(2):
        player.do(do="add-unit", node=force.id, entry="duck")
    first, second = player.roster.tree.forces[0].selections
    player.do(do="rename", node=second.id, text="Drake")
    page = markup(player.client.get(player.address))
    verdict = page[page.index('id="verdict"') :]
    assert verdict.count("No Lores yet") == 2
    for name, duck in (("Duck", first), ("Drake", second)):
        assert re.search(rf'href="#u-{re.escape(duck.id)}"[^>]*>{name}<', verdict)
