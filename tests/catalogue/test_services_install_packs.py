"""`manage.py load_packs`: packs from files into the database."""

import re
import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries, Settings

from catalogue.formats.packs.load import SHIPPED, find_packs
from catalogue.models import GameSystem, PackVersion
from catalogue.services import install_packs

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EXAMPLE = next(path for path in find_packs(SHIPPED) if "reeds" in str(path))


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "pack"))


def load(*paths: Path) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("load_packs", *paths, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_loads_a_pack_and_says_so(pack: Path) -> None:
    said, _ = load(pack)
    game = GameSystem.objects.get()
    assert (game.slug, game.example) == ("reeds-and-rust", True)
    assert str(game.shown_version) in said
    assert game.shown_version.factions.count() == 2


class Terminal(StringIO):
    """A terminal, which shows progress."""

    def isatty(self) -> bool:
        return True


def test_a_bar_shows_how_far_it_is_where_somebody_watches(pack: Path) -> None:
    watched = Terminal()
    call_command("load_packs", pack, stdout=StringIO(), stderr=watched)
    assert "Packs: [" in watched.getvalue()
    assert "1 of 1" in watched.getvalue()
    assert load(pack)[1] == ""


def test_loads_all_packs_that_come_along(tmp_path: Path, settings: Settings) -> None:
    for game in ("reeds_and_rust", "edge_dawnfall"):
        shutil.copytree(SHIPPED / game, tmp_path / game)
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PACKS_DIR": tmp_path}
    said, _ = load()
    assert len(said.splitlines()) == GameSystem.objects.count() == 2


def test_the_second_time_reads_nothing(
    pack: Path, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    load(pack)
    monkeypatch.setattr(install_packs, "read_pack", None)
    with django_assert_num_queries(2):
        said, _ = load(pack)
    assert said.rstrip().endswith("unchanged")
    assert PackVersion.objects.count() == 1


def test_a_changed_pack_becomes_a_new_version(pack: Path) -> None:
    load(pack)
    file = pack / "pack.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("\nversion: ", "\nversion: 9"), encoding="utf-8")
    load(pack)
    assert PackVersion.objects.count() == 2
    assert GameSystem.objects.get().shown_version.label.startswith("9")


def test_a_changed_pack_with_its_old_label_is_warned_of(pack: Path) -> None:
    load(pack)
    file = pack / "pack.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "\n# the same, said otherwise\n", encoding="utf-8")
    assert "Warning" not in "".join(load(pack)), "a remark is no other content"
    units = next(path for path in sorted(pack.rglob("units/*.yaml")))
    text = units.read_text(encoding="utf-8")
    units.write_text(re.sub(r"(points: )(\d+)", r"\g<1>9\2", text, count=1), encoding="utf-8")
    said, warned = load(pack)
    assert "loaded" in said
    assert "Raise `version:`" in warned
    assert PackVersion.objects.count() == 2


def test_other_code_writes_the_rows_anew(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(pack)
    before = set(GameSystem.objects.get().shown_version.factions.values_list("pk", flat=True))
    monkeypatch.setattr(install_packs, "hash_of_code", lambda parts: b"newer")
    load(pack)
    assert PackVersion.objects.count() == 1
    assert not before & set(GameSystem.objects.get().shown_version.factions.values_list("pk", flat=True))


def test_a_broken_pack_is_refused_with_the_reason(pack: Path) -> None:
    (pack / "units" / "broken.yaml").write_text("units:\n- unit: Nobody\n  type: nothing\n", encoding="utf-8")
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError):
        call_command("load_packs", pack, stdout=out, stderr=err)
    assert "broken.yaml:" in err.getvalue()
    assert "refused" in out.getvalue()
    assert not GameSystem.objects.exists()


def test_a_broken_pack_leaves_the_version_that_was_there(pack: Path) -> None:
    load(pack)
    (pack / "pack.yaml").write_text("pack: [", encoding="utf-8")
    with pytest.raises(CommandError):
        load(pack)
    assert PackVersion.objects.get().is_current


def test_a_folder_without_a_pack_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=str(tmp_path)):
        load(tmp_path)
