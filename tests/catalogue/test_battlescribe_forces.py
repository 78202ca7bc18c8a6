"""Forces: constraints on themselves, and links to them as New Recruit writes them."""

from catalogue.definitions.entries import ForceEntry
from catalogue.formats.battlescribe import force_links
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.reader import ReadResult
from tests.catalogue.battlescribe_files import codes, read_game

FORCES = "<forceEntries>%s</forceEntries>"
FLOCK = '<forceEntry id="flock" name="Flock">%s</forceEntry>'
LINK = (
    '<forceEntryLinks><forceEntryLink id="%s" name="V" targetId="%s" type="forceEntry">%s</forceEntryLink>'
    "</forceEntryLinks>"
)
SHARED = """<sharedForceEntries><forceEntry id="vee" name="Vee" hidden="false" childForcesLabel="Tails">
<costs><cost typeId="pts" name="crumbs" value="5"/></costs>
<categoryLinks><categoryLink id="vb" targetId="bird" name=""/></categoryLinks>%s</forceEntry></sharedForceEntries>"""
DEARER = '<modifiers><modifier type="increment" field="pts" value="1"/></modifiers>'


def forces(result: ReadResult) -> tuple[ForceEntry, ...]:
    assert result.data
    return result.data.game_system.forces


def test_a_link_is_its_target_and_what_it_adds() -> None:
    result = read_game(game=FORCES % (FLOCK % LINK % ("v", "vee", DEARER)) + SHARED % "")
    assert codes(result) == []
    (flock,) = forces(result)
    (vee,) = flock.forces
    assert (vee.id, vee.name, [c.value for c in vee.costs]) == ("v::vee", "Vee", [5])
    assert [link.target_id for link in vee.categories] == ["bird"]
    assert [modifier.field for modifier in vee.modifiers] == ["pts"]


def test_links_lead_from_file_to_file_and_through_each_other() -> None:
    tail = '<sharedForceEntries><forceEntry id="tail" name="Tail"/></sharedForceEntries>'
    result = read_game(game=FORCES % "" + SHARED % (LINK % ("t", "tail", "")) + LINK % ("v", "vee", ""), pond=tail)
    (vee,) = forces(result)
    assert [force.id for force in (vee, *vee.forces)] == ["v::vee", "t::tail"]


def test_links_to_nothing_and_in_circles_are_named_and_left_out() -> None:
    result = read_game(game=FORCES % (FLOCK % LINK % ("v", "nowhere", "")))
    assert codes(result) == [FindingKind.DANGLING_LINK.code]
    assert forces(result)[0].forces == ()

    result = read_game(game=FORCES % (FLOCK % LINK % ("v", "flock", "")))
    assert codes(result) == [FindingKind.FORCE_CIRCLE.code]
    assert forces(result)[0].forces == ()


def test_a_force_that_limits_its_selections_outside_limits_itself() -> None:
    limits = "".join(
        f'<constraint id="{scope}" type="max" value="1" field="selections" scope="{scope}"/>'
        for scope in ("roster", "parent", "self", "force")
    )
    (flock,) = forces(read_game(game=FORCES % (FLOCK % f"<constraints>{limits}</constraints>")))
    counted = {constraint.id: constraint.query.field for constraint in flock.constraints}
    assert counted == {"roster": "forces", "parent": "forces", "self": "selections", "force": "selections"}


def test_links_that_multiply_are_refused() -> None:
    names = [f"f{i}" for i in range(9)]
    rows = "".join(LINK % (f"to-{name}-%s", name, "") for name in names)
    shared = "".join(f'<forceEntry id="{name}" name="">{rows.replace("%s", name)}</forceEntry>' for name in names)
    result = read_game(game=FORCES % shared)
    assert result.data is None
    (found,) = result.diagnostics
    assert (found.code, found.file) == ("too-large", "ducks.zip/ducks.gst")
    assert str(force_links.MOST_FORCES) in found.message
