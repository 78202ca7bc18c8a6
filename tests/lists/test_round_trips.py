"""Our texts read back as the same lists in every layout: units, options, points and verdict."""

import os
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from random import Random

import pytest

from catalogue.formats.packs.load import find_packs
from catalogue.models import PackVersion
from roster.formats.text.foreign import TextLayout
from roster.formats.text.foreign_reader import describe_content
from roster.formats.text.own import TextLength, TextStyle
from roster.formats.text.pasted import Reading
from roster.services.evaluation import EvaluatedList, evaluate_with
from roster.services.list_check import CheckedDocument, check_document
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from roster.services.rulesets import load_ruleset
from roster.services.texts import TextForm, write_judged_text
from tests.extent import COMPLETE, SEED, sample
from tests.lists.drawn_lists import draw_list
from tests.read_archives import import_archive
from tests.shipped_packs import install_shipped

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata")
PACKS = {path.as_posix().split("/packs/")[-1]: path for path in find_packs()}
ARCHIVES = [
    "wh40k-10e-v10.6.0.zip",
    "wh40k-11e-json.zip",
    "wh40k-9e-v9.2.13.zip",
    "age-of-sigmar-4th.zip",
    "horus-heresy-3rd-2025-11.zip",
    "the-old-world.zip",
    "grimdark-future.zip",
]
FORMS = [TextForm(layout=layout) for layout in TextLayout if layout is not TextLayout.OWN]
FORMS += [
    TextForm(length=length, style=style) for length in (TextLength.COMPACT, TextLength.FULL) for style in TextStyle
]


def read_one(text: str) -> ReadPaste:
    read = read_pasted_text(text, tree=True, has_account=True)
    assert isinstance(read, list), text
    (one,) = read
    return one


def list_losses(judged: EvaluatedList, version: PackVersion, faction_id: str, form: TextForm) -> Iterator[str]:
    text = write_judged_text(judged, version, faction_id, form)
    one = read_one(text)
    if one.checked is None:
        yield f"not judged: {one.unreadable}\n{text}"
        return
    again = one.checked.evaluated_list
    if describe_content(again.tree) != describe_content(judged.tree):
        own = TextForm(length=TextLength.FULL)
        texts = [write_judged_text(one, version, faction_id, own).splitlines() for one in (judged, again)]
        yield "\n".join(["other content:", *unified_diff(*texts, lineterm="", n=1), text])
    if one.verdict != judged.verdict.value:
        yield f"{judged.verdict} is read as {one.verdict}\n{text}"
    if (again.points and again.points.value) != (judged.points and judged.points.value):
        yield f"{judged.points} is read as {again.points}\n{text}"
    if any(line.reading is not Reading.UNDERSTOOD for line in one.lines):
        yield f"open lines: {one.open_names}\n{text}"


@pytest.mark.parametrize("game", PACKS)
def test_lists_of_packs_come_back_in_every_layout(game: str) -> None:
    """Both editions of each game are installed, so a text has to say which it is for."""
    versions = {name: install_shipped(path) for name, path in PACKS.items()}
    tried = 0
    for path in sorted(PACKS[game].glob("lists/**/*.yaml"))[:: 1 if COMPLETE else 9]:
        checked = check_document(path.read_bytes(), tree=True)
        # Texts do not include the game plan.
        if not isinstance(checked, CheckedDocument) or checked.evaluated_list.game is not None:
            continue
        assert checked.version.pk == versions[game].pk
        for form in FORMS:
            losses = list(list_losses(checked.evaluated_list, checked.version, checked.faction.faction_id, form))
            assert not losses, "\n".join([path.name, str(form), *losses])
        tried += 1
    assert tried


@pytest.mark.parametrize("archive", sample(ARCHIVES, 1))
def test_lists_of_imported_games_come_back_in_every_layout(archive: str) -> None:
    """Of several factions, with options, leaders, allies and nested forces."""
    if not (SHARED / archive).exists():
        pytest.skip(f"there is no {archive}; set ARMYBUILDER_SHARED")
    assert import_archive(SHARED / archive).games
    version = PackVersion.objects.select_related("game").get()
    dice = Random(SEED)
    factions = list(version.factions.all())
    tried = 0
    for faction in dice.sample(factions, min(len(factions), 3 if COMPLETE else 2)):
        other = dice.choice(factions)
        rules = load_ruleset(version, faction.faction_id, [other.faction_id])
        book, ally = rules.find_catalogue(faction.faction_id), rules.find_catalogue(other.faction_id)
        if not book or not ally or not book.force_entries:
            continue
        for _ in range(2):
            judged = evaluate_with(rules, draw_list(rules, book, ally, dice))
            for form in FORMS:
                losses = list(list_losses(judged, version, faction.faction_id, form))
                assert not losses, "\n".join([faction.name, str(form), *losses])
            tried += 1
    assert tried
