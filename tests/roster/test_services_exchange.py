"""Roster files and the data versions they were made with."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogue.models import PackVersion
from catalogue.services.releases import publish_version
from roster.engine.evaluate import evaluate
from roster.engine.tree import Force, RosterTree, Selection
from roster.formats.list_document import Unreadable
from roster.formats.ros import ReadError, write_ros, write_rosz
from roster.services.exchange import (
    LinkedRosterFile,
    RosterFormat,
    export_list,
    import_list,
    is_roster_file,
    link_roster,
    read_list_file,
)
from roster.services.outcomes import Refused
from roster.services.owners import Visitor
from roster.services.rulesets import load_ruleset
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.catalogue.import_bytes import import_bytes
from tests.roster.bad_rosters import BAD
from tests.roster.generated import rosters
from tests.roster.small_game import installed

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

FORCES = '<forceEntries><forceEntry id="flock" name="Flock" hidden="false"/></forceEntries>'
DUCK = unit()


def ducks(pond: str = DUCK, revision: int = 7, *, hold: bool = False) -> PackVersion:
    files = game_files(pond, FORCES)
    files["pond.cat"] = str(files["pond.cat"]).replace('revision="7"', f'revision="{revision}"')
    version = import_bytes("ducks.zip", packed(files), hold=hold).version
    assert version is not None
    return version


def a_list(*entries: str, catalogue: str = "pond", **more: str) -> RosterTree:
    taken = tuple(Selection(id=f"s{n}", entry_id=entry, name=entry.title()) for n, entry in enumerate(entries))
    force = Force(id="f", entry_id="flock", catalogue_id=catalogue, name="Flock", selections=taken)
    return RosterTree(id="r", name="Upstream", forces=(force,), **more)


def as_file(version: PackVersion, roster: RosterTree, *, pack: bool = False) -> bytes:
    rules = load_ruleset(version, "pond")
    write = write_rosz if pack else write_ros
    return write(roster, evaluate(rules, roster), rules.data)


def linked(data: bytes, name: str = "mine.ros") -> LinkedRosterFile:
    read = link_roster(name, data)
    assert isinstance(read, LinkedRosterFile), read
    return read


@pytest.mark.parametrize("pack", [False, True])
def test_a_roster_is_linked_to_its_data(pack: bool) -> None:
    version = ducks()
    read = linked(as_file(version, a_list("duck"), pack=pack))
    assert (read.version, read.faction.faction_id, read.exact, read.missing) == (version, "pond", True, ())
    assert read.evaluated_list.tree.forces == a_list("duck").forces


def test_the_version_of_the_same_revisions_is_preferred_to_a_newer_one() -> None:
    old = ducks()
    new = ducks(unit(ident="drake"), revision=8)
    assert linked(as_file(old, a_list("duck"))).version == old
    assert linked(as_file(new, a_list("drake"))).version == new


def test_data_that_waits_to_be_published_is_not_linked_to() -> None:
    old = ducks()
    new = ducks(unit(ident="drake"), revision=8, hold=True)
    read = linked(as_file(new, a_list("drake")))
    assert (read.version, read.exact) == (old, False)
    publish_version(new)
    assert linked(as_file(new, a_list("drake"))).version == new


def test_a_roster_without_a_game() -> None:
    ducks()
    read = link_roster("mine.ros", b"<roster/>")
    assert isinstance(read, ReadError)
    assert (read.code, read.mend[:12]) == ("unknown-data", "Export it ag")


def test_without_the_same_revision_the_nearest_is_taken_and_said() -> None:
    data = as_file(ducks(), a_list("duck")).replace(b'catalogueRevision="7"', b'catalogueRevision="6"')
    newest = ducks(unit(ident="drake"), revision=8)
    read = linked(data)
    assert (read.version, read.exact) == (newest, False)


def test_what_is_not_found_stays_under_its_name() -> None:
    read = linked(as_file(ducks(), a_list("duck", "goose")))
    assert read.missing == ("Goose",)
    kept = import_list(Visitor(key="me"), read)
    assert not isinstance(kept, Refused)
    assert [taken.name for taken in kept.tree.forces[0].selections] == ["Duck", "Goose"]
    again = linked(export_list(kept, RosterFormat.ROS))
    assert again.evaluated_list.tree == kept.tree


def test_a_force_of_a_catalogue_that_is_not_there() -> None:
    read = linked(as_file(ducks(), a_list("duck", catalogue="lake")))
    assert read.faction.faction_id == "pond"
    assert read.missing
    assert not isinstance(import_list(Visitor(key="me"), read), Refused)


def test_data_that_is_not_installed_is_named() -> None:
    data = as_file(ducks(), a_list("duck")).replace(b'gameSystemId="sys"', b'gameSystemId="other"')
    read = link_roster("mine.ros", data)
    assert isinstance(read, ReadError)
    assert read.code == "unknown-data"
    assert "Ducks and Drakes" in read.message
    assert "other" in read.mend


def test_texts_and_ids_become_such_as_the_builder_keeps() -> None:
    data = as_file(ducks(), a_list("duck", notes=" \u202eturned "))
    data = data.replace(b'id="s0"', b'id="&quot;&gt; s"').replace(b'name="Upstream"', b'name="' + b"x" * 300 + b'"')
    tree = linked(data).evaluated_list.tree
    assert len(tree.name) == 100
    assert tree.notes == "turned"
    assert tree.forces[0].selections[0].id.replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize(("data", "code"), BAD.values(), ids=BAD)
def test_bad_input_names_the_file(data: bytes, code: str) -> None:
    read = read_list_file(data, "mine")
    assert isinstance(read, ReadError)
    assert (read.code, read.file[:8]) == (code, "mine.ros")
    assert read.message


def test_amounts_that_multiply_end_early() -> None:
    ducks()
    text = ""
    for number in (99**4, 99**3, 99**2, 99):
        inside = f"<selections>{text}</selections>" if text else ""
        text = f"<selection id='s' entryId='duck' number='{number + 1}'>{inside}</selection>"
    force = f"<force id='f' catalogueId='pond'><selections>{text}</selections></force>"
    read = link_roster("mine.ros", f"<roster gameSystemId='sys'><forces>{force}</forces></roster>".encode())
    assert isinstance(read, ReadError | Unreadable)
    assert read.code == "too-large"


def test_more_than_a_list_holds() -> None:
    version = ducks()
    read = link_roster("mine.ros", as_file(version, a_list(*["duck"] * 2001)))
    assert isinstance(read, Unreadable)
    assert read.code == "too-large"


@pytest.mark.parametrize(("number", "is_read"), [(60, True), (61, False)])
def test_a_roster_file_has_at_most_sixty_detachments(number: int, is_read: bool) -> None:
    ducks()
    forces = "".join(f"<force id='f{at}' catalogueId='pond'/>" for at in range(number))
    read = link_roster("mine.ros", f"<roster gameSystemId='sys'><forces>{forces}</forces></roster>".encode())
    assert isinstance(read, LinkedRosterFile) == is_read
    if isinstance(read, Unreadable):
        assert (read.code, read.given, read.detail) == ("too-many-detachments", "61", "60")


def test_what_a_file_holds_decides_how_it_is_read() -> None:
    assert is_roster_file(b"\xef\xbb\xbf<roster/>")
    assert not is_roster_file(b"")
    read = read_list_file(b"list: 1\ngame: ducks-and-drakes", "list.ros")
    assert isinstance(read, Unreadable) or read.version


@pytest.mark.parametrize("form", [RosterFormat.ROS, RosterFormat.ROSZ])
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_the_pages_hand_out_and_take_in_is_the_same_list(form: RosterFormat, data: st.DataObject) -> None:
    version = installed()
    drawn = data.draw(rosters(load_ruleset(version, "marsh")))
    first = import_list(Visitor(key="me"), linked(write_ros_of(version, drawn)))
    assert not isinstance(first, Refused)
    read = linked(export_list(first, form))
    again = import_list(Visitor(key="you"), read)
    assert not isinstance(again, Refused)
    assert (read.exact, read.missing) == (True, ())
    assert (again.document, again.version, again.faction_id) == (first.document, version, first.faction_id)
    assert (again.points, again.verdict, again.violations) == (first.points, first.verdict, first.violations)


def write_ros_of(version: PackVersion, roster: RosterTree) -> bytes:
    rules = load_ruleset(version, "marsh")
    return write_ros(roster, evaluate(rules, roster), rules.data)
