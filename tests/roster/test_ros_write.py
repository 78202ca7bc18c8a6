"""Written roster files as other programs read them."""

from lxml import etree

from catalogue.formats.battlescribe.reader import read_bytes
from catalogue.graph.ruleset import compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.tree import Force, Limit, RosterTree, Selection
from roster.formats.ros import write_ros, write_rosz

GAME = b"""<gameSystem id="sys" name="Ducks &amp; Drakes" revision="3">
<publications><publication id="book" name="The Duck Book"/><publication id="ponds" name="Ponds"/></publications>
<costTypes><costType id="pts" name="crumbs"/></costTypes>
<categoryEntries><categoryEntry id="bird" name="Bird" publicationId="book" page="2">
  <rules><rule id="flies" name="Flies"/></rules></categoryEntry></categoryEntries>
<forceEntries><forceEntry id="flock" name="Flock"><categoryLinks>
  <categoryLink id="c" name="Bird" targetId="bird"/></categoryLinks></forceEntry></forceEntries>
<selectionEntries><selectionEntry id="duck" name="Duck" type="unit" publicationId="book" page="4">
  <costs><cost name="crumbs" typeId="pts" value="2.5"/></costs>
  <categoryLinks><categoryLink id="d" name="Bird" targetId="bird" primary="true"/></categoryLinks>
  <rules><rule id="quack" name="Quack"><description>Be loud.</description></rule></rules>
  <selectionEntries><selectionEntry id="beak" name="Beak" type="upgrade"/></selectionEntries>
</selectionEntry></selectionEntries></gameSystem>"""

ROSTER = RosterTree(
    id="r",
    name="A\x07larm",
    limits=(Limit(type_id="pts", value=20),),
    cost_types=("pts",),
    forces=(
        Force(
            id="f",
            entry_id="flock",
            catalogue_id="sys",
            selections=(
                Selection(
                    id="a",
                    entry_id="duck",
                    number=2,
                    notes="wet",
                    selections=(Selection(id="b", entry_id="beak", number=3),),
                ),
                Selection(id="g", entry_id="goose", name="Goose"),
            ),
        ),
    ),
)

DATA = read_bytes("ducks.gst", GAME).data
assert DATA is not None
RULES = compile_ruleset(DATA)
REPORT = evaluate(RULES, ROSTER)
ROOT = etree.fromstring(write_ros(ROSTER, REPORT, RULES.data))


def one(path: str) -> etree._Element:
    (found,) = ROOT.findall(path.replace("/", "/{*}"))
    return found


def attributes(path: str) -> dict[str, str]:
    return {str(name): str(value) for name, value in one(path).items()}


def test_the_game_it_was_made_with() -> None:
    assert etree.QName(ROOT).namespace == "http://www.battlescribe.net/schema/rosterSchema"
    assert ROOT.get("gameSystemName") == "Ducks & Drakes"
    assert (ROOT.get("gameSystemId"), ROOT.get("gameSystemRevision")) == ("sys", "3")


def test_what_xml_cannot_hold_is_left_out() -> None:
    assert ROOT.get("name") == "Alarm"


def test_totals_and_limits() -> None:
    assert attributes("./costs/cost") == {"name": "crumbs", "typeId": "pts", "value": "5.0"}
    assert attributes("./costLimits/costLimit") == {"name": "crumbs", "typeId": "pts", "value": "20.0"}


def test_selections_count_in_the_whole_force() -> None:
    duck = attributes("./forces/force/selections/selection[@id='a']")
    assert duck == {
        "id": "a",
        "name": "Duck",
        "entryId": "duck",
        "publicationId": "book",
        "page": "4",
        "number": "2",
        "type": "unit",
    }
    assert attributes("./forces/force/selections/selection/selections/selection")["number"] == "6"


def test_what_is_derived_comes_along() -> None:
    duck = "./forces/force/selections/selection[@id='a']"
    assert one(f"{duck}/rules/rule/description").text == "Be loud."
    assert attributes(f"{duck}/costs/cost")["value"] == "5.0"
    assert attributes(f"{duck}/categories/category")["entryId"] == "bird"
    assert one(f"{duck}/customNotes").text == "wet"


def test_slots_come_with_their_notes_rules_and_page() -> None:
    slot = "./forces/force/categories/category[@entryId='bird']"
    assert attributes(slot) == {
        "id": "f-bird",
        "name": "Bird",
        "entryId": "bird",
        "publicationId": "book",
        "page": "2",
        "primary": "false",
    }
    assert one(f"{slot}/rules/rule").get("name") == "Flies"


def test_all_books_in_sight_are_named() -> None:
    books = ROOT.findall("./{*}forces/{*}force/{*}publications/{*}publication")
    assert [book.get("name") for book in books] == ["The Duck Book", "Ponds"]


def test_placeholders_keep_their_name() -> None:
    assert attributes("./forces/force/selections/selection[@id='g']")["name"] == "Goose"


def test_equal_rosters_give_equal_bytes() -> None:
    assert write_rosz(ROSTER, REPORT, RULES.data) == write_rosz(ROSTER, REPORT, RULES.data)
