"""The command that imports community data."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import PackVersion
from tests.catalogue.bad_files import BAD, Bad
from tests.catalogue.battlescribe_files import POND, game_files, packed, unit

pytestmark = pytest.mark.django_db


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(*paths: Path, stderr: io.StringIO | None = None) -> tuple[str, str]:
    out, err = io.StringIO(), stderr or io.StringIO()
    call_command("import_battlescribe", *paths, stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def ducks(tmp_path: Path) -> Path:
    path = tmp_path / "ducks-v1.2.zip"
    path.write_bytes(packed(game_files(unit())))
    return path


def test_works(ducks: Path) -> None:
    out, err = run(ducks)
    version = PackVersion.objects.get()
    assert f"Ducks and Drakes 1.2 ({version.short_hash}) imported, 1 factions with 1 units; 0 findings" in out
    assert err == ""
    assert version.label == "1.2"


def test_a_second_time_changes_nothing(ducks: Path) -> None:
    run(ducks)
    assert "unchanged" in run(ducks)[0]
    assert PackVersion.objects.count() == 1


def test_progress_where_somebody_watches(ducks: Path) -> None:
    _, err = run(ducks, stderr=Terminal())
    assert "[##############################] checking and storing" in err


def test_findings_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "ducks.zip"
    path.write_bytes(packed(game_files(unit('<costs><cost name="c" typeId="gone" value="1"/></costs>'))))
    out, err = run(path)
    assert "1 findings" in out
    assert err.startswith("warning: ducks.zip/pond.cat:6: ")


def test_what_is_wrong_in_many_places_is_said_once(tmp_path: Path) -> None:
    catalogue = POND % unit()
    path = tmp_path / "ponds.zip"
    path.write_bytes(packed({f"pond-{n}.cat": catalogue.replace('id="pond"', f'id="pond-{n}"') for n in range(5)}))
    err = io.StringIO()
    with pytest.raises(CommandError, match="1 of 1 refused"):
        run(path, stderr=err)
    errors = [line for line in err.getvalue().splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert "(5 times: " in errors[0]


def test_a_refused_file_is_named_and_the_others_are_imported(ducks: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(ducks.read_bytes()[:-30])
    err = io.StringIO()
    with pytest.raises(CommandError, match="1 of 2 refused"):
        run(broken, ducks, stderr=err)
    assert err.getvalue().startswith("error: broken.zip: ")
    assert PackVersion.objects.count() == 1


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    err = io.StringIO()
    with pytest.raises(CommandError):
        run(tmp_path / "absent.zip", stderr=err)
    assert "absent.zip" in err.getvalue()


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_bad_input_names_the_file_and_stores_nothing(bad: Bad, tmp_path: Path) -> None:
    path = tmp_path / bad.name
    path.write_bytes(bad.data)
    err = io.StringIO()
    with pytest.raises(CommandError, match="1 of 1 refused"):
        run(path, stderr=err)
    assert f"error: {bad.place}:" in err.getvalue()
    assert not PackVersion.objects.exists()


def test_a_folder_that_links_out_of_itself(tmp_path: Path) -> None:
    for name, text in game_files(unit()).items():
        (tmp_path / name).write_text(str(text))
    (tmp_path / "more.cat").symlink_to("/etc/passwd")
    err = io.StringIO()
    with pytest.raises(CommandError):
        run(tmp_path, stderr=err)
    assert f"error: {tmp_path.name}/more.cat: " in err.getvalue()
    assert not PackVersion.objects.exists()
