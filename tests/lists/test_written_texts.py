"""Our texts in the layouts of other programs: content, and reading them back."""

import pytest

from roster.formats.text.foreign import TextLayout
from roster.formats.text.foreign_reader import describe_content
from roster.formats.text.own import TextLength
from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import AS_READ, DoubtKind, PastedLayout, Reading
from roster.services.evaluation import EvaluatedList
from roster.services.list_check import CheckedDocument, check_document
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from roster.services.texts import TextForm, write_judged_text
from tests.catalogue.battlescribe_files import game_files, packed
from tests.catalogue.import_bytes import import_bytes

pytestmark = pytest.mark.django_db
OTHERS = [layout for layout in TextLayout if layout is not TextLayout.OWN]

GAME = """<categoryEntries><categoryEntry id="hero" name="Character" hidden="false"/>
 <categoryEntry id="about" name="Configuration" hidden="false"/></categoryEntries>
<forceEntries><forceEntry id="army" name="Army Roster" hidden="false"><categoryLinks>
 <categoryLink id="l1" targetId="about" primary="false"/><categoryLink id="l2" targetId="hero" primary="false"/>
 <categoryLink id="l3" targetId="bird" primary="false"/></categoryLinks></forceEntry></forceEntries>"""
SETTING = """<selectionEntry id="{0}" name="{1}" type="upgrade">
 <constraints><constraint id="{0}-min" type="min" field="selections" scope="force" value="1"/></constraints>
 <categoryLinks><categoryLink id="{0}-about" targetId="about" primary="true"/></categoryLinks>
 <profiles><profile id="{0}-rule" name="{1}" typeId="note" typeName="Note" hidden="false"/></profiles>
 <selectionEntries>{2}</selectionEntries></selectionEntry>"""
UPGRADE = """<selectionEntry id="{0}" name="{1}" type="upgrade">
 <costs><cost typeId="pts" value="{2}"/></costs></selectionEntry>"""
MODEL = """<selectionEntry id="{0}" name="{1}" type="model">
 <constraints><constraint id="{0}-min" type="min" field="selections" scope="parent" value="1"/></constraints>
 <selectionEntries>{2}</selectionEntries></selectionEntry>"""


def offer(ident: str, name: str, points: int = 0) -> str:
    return UPGRADE.format(ident, name, points)


POND = f"""<selectionEntries>
 {SETTING.format("detachment", "Detachment", offer("raft", "Raft Wing") + offer("reed", "Reed Wing"))}
 {SETTING.format("size", "Battle Size", offer("strike", "2. Strike Force (200 Point limit)"))}
 {SETTING.format("shown", "Show/Hide Options", offer("legends", "Legends are visible"))}
 <selectionEntry id="drake" name="Drake" type="model">
  <costs><cost typeId="pts" value="30"/></costs>
  <categoryLinks><categoryLink id="drake-hero" targetId="hero" primary="true"/></categoryLinks>
  <selectionEntryGroups><selectionEntryGroup id="enhancements" name="Enhancements">
   <selectionEntries>{offer("crest", "Golden Crest", 20)}</selectionEntries></selectionEntryGroup>
   <selectionEntryGroup id="left" name="Left wing"><selectionEntries>{offer("spear-l", "Spear")}</selectionEntries>
   </selectionEntryGroup>
   <selectionEntryGroup id="right" name="Right wing"><selectionEntries>{offer("spear-r", "Spear", 1)}</selectionEntries>
   </selectionEntryGroup></selectionEntryGroups>
  <selectionEntries>{offer("warlord", "Warlord")}</selectionEntries>
 </selectionEntry>
 <selectionEntry id="ducks" name="Ducks" type="unit">
  <costs><cost typeId="pts" value="10"/></costs>
  <categoryLinks><categoryLink id="ducks-bird" targetId="bird" primary="true"/></categoryLinks>
  <selectionEntries>{MODEL.format("duck", "Duck", offer("bill", "Bill") + offer("hook", "Hook", 2))}</selectionEntries>
 </selectionEntry>
</selectionEntries>"""
ARMY = """list: 1
game: ducks-and-drakes
faction: pond
name: Mill pond
exact: yes
limits: {pts: 200}
detachments:
- detachment: army
  units:
  - {unit: detachment, options: [raft]}
  - {unit: size, options: [strike]}
  - shown
  - {unit: drake, name: Old Mother (the first), options: [crest, warlord, {option: spear-r, group: right}]}
  - unit: ducks
    options: [{option: duck, count: 3, options: [bill]}, {option: duck, count: 2, options: [hook]}]
  - {unit: ducks, options: [{option: duck, count: 5, options: [bill, hook]}]}
"""


@pytest.fixture
def army() -> CheckedDocument:
    import_bytes("ducks.zip", packed(game_files(POND, GAME)))
    checked = check_document(ARMY.encode(), tree=True)
    assert isinstance(checked, CheckedDocument), checked
    return checked


def write(army: CheckedDocument, layout: TextLayout, length: TextLength = TextLength.COMPACT) -> str:
    return write_judged_text(army.evaluated_list, army.version, "pond", TextForm(layout=layout, length=length))


def read(text: str, **known: str) -> ReadPaste:
    found = read_pasted_text(text, has_account=True, **known)
    assert isinstance(found, list), found
    (one,) = found
    return one


def judge(one: ReadPaste) -> EvaluatedList:
    assert one.checked is not None, one.unreadable
    return one.checked.evaluated_list


def test_the_head_for_the_wtc_says_what_a_referee_asks_for(army: CheckedDocument) -> None:
    lines = write(army, TextLayout.WTC).splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("+ "))
    assert (head["DETACHMENT"], head["BATTLE SIZE"]) == ("Raft Wing", "2. Strike Force (200 Point limit)")
    assert head["WARLORD"] == 'Char1: Drake "Old Mother the first"'
    assert head["ENHANCEMENT"] == 'Golden Crest (on Char1: Drake "Old Mother the first")'
    assert head["NUMBER OF UNITS"] == "3"
    assert "Enhancement: Golden Crest (+20 pts)" in lines


@pytest.mark.parametrize("layout", OTHERS)
def test_texts_name_no_kind_of_force_and_no_empty_setting_as_a_choice(
    army: CheckedDocument, layout: TextLayout
) -> None:
    text = write(army, layout)
    assert "Show/Hide" not in text
    assert "DETACHMENT: Army Roster" not in text
    assert "Raft Wing" in text


@pytest.mark.parametrize("layout", OTHERS)
def test_equal_units_with_other_options_come_back_as_they_were(army: CheckedDocument, layout: TextLayout) -> None:
    one = read(write(army, layout))
    assert describe_content(judge(one).tree) == describe_content(army.evaluated_list.tree)
    assert one.verdict == army.evaluated_list.verdict
    assert {line.reading for line in one.lines} == {Reading.UNDERSTOOD}


@pytest.mark.parametrize("layout", list(TextLayout))
def test_the_settings_of_a_program_are_written_in_words(army: CheckedDocument, layout: TextLayout) -> None:
    """Data has technical names for its settings; texts replace them, and they are still read back."""
    document = ARMY.replace("  - shown\n", "  - {unit: shown, options: [legends]}\n")
    checked = check_document(document.encode(), tree=True)
    assert isinstance(checked, CheckedDocument), checked
    text = write(checked, layout)
    assert "Show/Hide" not in text
    assert "(0)" not in text
    assert "Legends are visible" in text
    one = read(text)
    assert describe_content(judge(one).tree) == describe_content(checked.evaluated_list.tree)


@pytest.mark.parametrize("length", [TextLength.FULL, TextLength.COMPACT])
def test_our_own_layout_comes_back_without_its_last_line(army: CheckedDocument, length: TextLength) -> None:
    text = write(army, TextLayout.OWN, length)
    start = text[: text.index("Made with")]
    for copied in (start, f"{start}Legal, 10 points left\n"):
        one = read(copied)
        assert one.pasted.layout is PastedLayout.OWN
        assert describe_content(judge(one).tree) == describe_content(army.evaluated_list.tree)
        assert one.verdict == army.evaluated_list.verdict


def test_a_short_text_without_its_last_line_leaves_options_out(army: CheckedDocument) -> None:
    text = write(army, TextLayout.OWN, TextLength.SHORT)
    one = read(text[: text.index("Made with")])
    assert [doubt.kind for doubt in one.pasted.doubts] == [DoubtKind.LEFT_OUT]


def test_a_text_of_somebody_else_is_not_taken_for_ours() -> None:
    (pasted,) = parse_text(
        "Pond raid\nPond, 100 / 200 points\nDucks\n\nDrake (60 pts)\n- Bill: big\nDucks (40 pts)\n"
    ).lists
    assert pasted.layout is not PastedLayout.OWN
    assert [unit.points for unit in pasted.units] == [60, 40]


def test_models_of_one_name_are_counted_together(army: CheckedDocument) -> None:
    text = write(army, TextLayout.WTC)
    assert "• 5x Duck\n    3 with Bill\n    2 with Hook\n" in text
    assert "• 5x Duck: 5 with Bill, Hook\n" in text


@pytest.mark.parametrize("layout", OTHERS)
def test_one_army_has_one_verdict_without_our_last_line_too(army: CheckedDocument, layout: TextLayout) -> None:
    """If only the end of a text is missing, it is read like that of any program."""
    text = write(army, layout)
    one = read(text[: text.index("Created with")], game="ducks-and-drakes")
    assert judge(one).verdict is army.evaluated_list.verdict
    # Two options have this name, and only the last line marks the second one.
    assert ([name.written for name in one.open_names], one.verdict) == (["Spear"], AS_READ)


@pytest.mark.parametrize("layout", OTHERS)
def test_a_name_that_was_changed_by_hand_is_not_taken_silently(army: CheckedDocument, layout: TextLayout) -> None:
    one = read(write(army, layout).replace("Golden Crest", "Wooden Spoon"))
    assert one.verdict != "legal"
    assert any("Wooden Spoon" in name.written for name in one.open_names)


def test_a_number_that_was_changed_by_hand_counts(army: CheckedDocument) -> None:
    text = write(army, TextLayout.NEW_RECRUIT).replace("• 3x Duck", "• 4x Duck")
    ducks = judge(read(text)).tree.forces[0].selections[-2]
    assert sum(model.number for model in ducks.selections) == 6


def test_what_the_user_says_goes_before_what_a_text_says(army: CheckedDocument) -> None:
    assert read(write(army, TextLayout.WTC), game="another-game").checked is None


def test_a_text_without_the_data_it_names_is_read_with_what_there_is(army: CheckedDocument) -> None:
    text = write(army, TextLayout.WTC).replace(f"data {army.version.short_hash}", "data 0123456789")
    assert describe_content(judge(read(text)).tree) == describe_content(army.evaluated_list.tree)


def test_a_short_text_says_that_it_leaves_options_out(army: CheckedDocument) -> None:
    one = read(write(army, TextLayout.OWN, TextLength.SHORT))
    assert [doubt.kind for doubt in one.pasted.doubts] == [DoubtKind.LEFT_OUT]
    assert one.verdict != "legal"


def test_a_list_that_its_data_does_not_know_is_said_to_be_no_whole_text(army: CheckedDocument) -> None:
    document = ARMY.replace("- shown", "- Swan")
    checked = check_document(document.encode(), tree=True)
    assert isinstance(checked, CheckedDocument), checked
    text = write(checked, TextLayout.WTC)
    one = read(text)
    assert DoubtKind.LEFT_OUT in [doubt.kind for doubt in one.pasted.doubts]
    assert one.verdict not in ("legal", AS_READ)
