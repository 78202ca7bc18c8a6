"""An option that only other units have breaks a rule in a pasted list or a list document, and both stay readable."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.load import find_packs
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.infos import resolve_infos
from catalogue.graph.ruleset import CompiledCatalogue
from catalogue.models import PackVersion, UnitText
from roster.formats.list_text import simplify_name
from roster.formats.text.pasted import Reading
from roster.formats.text.unit_filler import walk_paths
from roster.formats.text.words import WARLORD_WORDS
from roster.services.list_check import CheckedDocument, check_document
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from roster.services.rulesets import load_ruleset
from roster.wording import format_violations
from tests.extent import SEED, sample
from tests.lists import test_unsaid
from tests.read_archives import import_archive
from tests.roster.small_game import group, option, unit
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db
SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata")
PACKS = {path.as_posix().split("/packs/")[-1]: path for path in find_packs()}
ARCHIVES = ["wh40k-10e-v10.6.0.zip", "age-of-sigmar-4th.zip", "the-old-world.zip", "wh40k-9e-v9.2.13.zip"]


def profile(name: str, kind: InfoKind = InfoKind.PROFILE) -> Info:
    return Info(id=f"info-{name}", kind=kind, name=name)


RAIDERS = unit(
    "raiders",
    "Raiders",
    "line",
    40,
    option("torch", "Torch", infos=(profile("Torch - lit"),)),
    group("guns", "Guns", option("meltagun", "Meltagun", 10), option("net", "Net"), option("oath", "Sworn Oath")),
    option("knife", "Knife"),
    option("sword", "Sword"),
)
WATCH = unit(
    "watch",
    "Watch",
    "line",
    30,
    option("spear", "Spear", infos=(profile("Knife"), profile("Torch, burning"))),
    option("long-sword", "Long Sword"),
    infos=(profile("Sworn Oath", InfoKind.RULE),),
)


def read(rows: str, unit_line: str = "Watch (30 points)") -> ReadPaste:
    return test_unsaid.read(f"{unit_line}\n{rows}", RAIDERS, WATCH)


def list_breaches(one: ReadPaste) -> list[tuple[str, ...]]:
    assert one.checked is not None
    return [
        (error.code, error.on.name, error.counted, str(error.measured))
        for error in one.checked.evaluated_list.report.errors
    ]


@pytest.mark.parametrize(
    ("row", "name", "number"),
    [
        ("  • 1x Meltagun\n", "Meltagun", 1),
        ("  • 2x MELTAGUN (+20 points)\n", "Meltagun", 2),
        ("  • Meltagún\n", "Meltagun", 1),
        ("  • 3x Net\n", "Net", 3),
    ],
)
def test_an_option_of_other_units_breaks_a_rule(row: str, name: str, number: int) -> None:
    one = read(f"  • Spear\n{row}")
    assert one.verdict == "illegal"
    assert list_breaches(one) == [(RuleCode.WRONG_PLACE, name, "Watch", str(number))]
    assert not one.open_lines


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("  • Knife\n", id="a profile of its own"),
        pytest.param("  • Torch\n", id="part of the name of its profile"),
        pytest.param("  • Sworn Oath\n", id="a rule of its own"),
        pytest.param("  • Sword\n", id="part of the name of its option"),
        pytest.param("  • Meltaguns for all\n", id="not exactly the name"),
        pytest.param("  • Show far books\n", id="a choice for the whole list"),
        pytest.param("  • Militia\n", id="a unit"),
        pytest.param("  • Attached to: Raiders\n", id="a note"),
    ],
)
def test_what_may_be_meant_otherwise_breaks_nothing(row: str) -> None:
    one = test_unsaid.read(f"Watch (30 points)\n  • Spear\n{row}", RAIDERS, WATCH, test_unsaid.SETTINGS)
    assert list_breaches(one) == []


def test_a_guessed_unit_is_not_said_to_break_a_rule() -> None:
    one = read("  • 1x Meltagun\n", "Wacht (30 points)")
    names = {name.written: name.reading for name in one.names or ()}
    assert names["Wacht"] is Reading.GUESSED
    assert list_breaches(one) == []


def test_an_option_of_the_unit_is_never_a_stray() -> None:
    one = read("  • 1x Meltagun\n", "Raiders (50 points)")
    assert (one.verdict, Counter(list_breaches(one))) == ("legal", Counter())


def test_a_list_document_with_an_option_of_other_units_can_be_read() -> None:
    test_unsaid.read("Watch (30 points)", RAIDERS, WATCH)
    document = """list: 1
game: books
faction: Folk
detachments:
- detachment: Host
  units:
  - unit: Watch
    options: [{option: Meltagun, count: 2}]
"""
    checked = check_document(document.encode())
    assert isinstance(checked, CheckedDocument), checked
    (error,) = checked.evaluated_list.report.errors
    assert (error.code, error.on.name, error.counted, error.measured) == (RuleCode.WRONG_PLACE, "Meltagun", "Watch", 2)


def test_an_option_that_only_another_faction_has_breaks_a_rule() -> None:
    """Its data is not loaded: its name is found among the words by which units are searched."""
    test_unsaid.read("Watch (30 points)", RAIDERS, WATCH)
    version = PackVersion.objects.select_related("game").get()
    terms = [["option", "Storm Halberd"], ["weapon", "Sky Lance"], ["ability", "Fearless"]]
    UnitText.objects.create(version=version, terms=terms, search_text="storm halberd sky lance fearless")
    rows = "  • Storm halberd\n  • 2x Sky Lance\n  • Fearless\n  • Spear\n"
    (one,) = read_pasted_text(f"Mine\nFolk\n\nWatch (30 points)\n{rows}Militia (20 points)\n", game="books")
    assert one.verdict == "illegal"
    assert sorted(list_breaches(one)) == [
        (RuleCode.UNKNOWN_ENTRY, "Sky Lance", "Watch", "2"),
        (RuleCode.UNKNOWN_ENTRY, "Storm Halberd", "Watch", "1"),
    ]
    assert one.checked is not None
    headlines = {sentence.located_headline for sentence in format_violations(one.checked.evaluated_list)}
    assert headlines == {"Unknown in Watch: Sky Lance", "Unknown in Watch: Storm Halberd"}
    # An ability is no option, so its line stays unread.
    assert one.open_lines == Counter({Reading.UNREAD: 1})


# ---- games -----------------------------------------------------------------------------------------------------------


def list_words(book: CompiledCatalogue, options: Iterable[CompiledOption]) -> set[str]:
    """Return the words in the names of options, and of their profiles and rules."""
    names = []
    for one in options:
        names += [one.name, *(info.name for info in resolve_infos(book.binding, one.entry.infos))]
    return {word for name in names for word in simplify_name(name).split()}


def list_cases(book: CompiledCatalogue, dice: Random) -> Iterator[tuple[CompiledOption, CompiledOption]]:
    """Yield units with an option of another unit whose name shares no word with anything of their own."""
    numbers = Counter(simplify_name(root.name) for root in book.distinct_roots)
    units: list[CompiledOption] = []
    settings: list[CompiledOption] = []
    for root in book.distinct_roots:
        if root.entry.target.type is EntryType.UPGRADE:
            settings += [root, *(path[-1] for path in walk_paths(root.entry.contents))]
        elif not root.hidden and numbers[simplify_name(root.name)] == 1 and "[" not in root.name:
            units.append(root)
    # `Warlord` is a note.
    common = list_words(book, (*settings, *units)) | WARLORD_WORDS
    inside = {one: [path[-1] for path in walk_paths(one.entry.contents)] for one in units}
    for one in dice.sample(units, min(5, len(units))):
        words = common | list_words(book, inside[one])
        for other in dice.sample(units, min(5, len(units))):
            for stray in inside[other]:
                is_plain = stray.name.replace(" ", "").isalpha() and stray.entry.target.type is EntryType.UPGRADE
                if is_plain and len(stray.name) > 4 and words.isdisjoint(simplify_name(stray.name).split()):
                    yield one, stray
                    break


def list_misread(version: PackVersion, dice: Random) -> tuple[int, list[object]]:
    tried, misread = 0, list[object]()
    factions = list(version.factions.all())
    for faction in dice.sample(factions, min(3, len(factions))):
        book = load_ruleset(version, faction.faction_id).find_catalogue(faction.faction_id)
        for one, stray in list_cases(book, dice) if book else ():
            text = f"{faction.name}\n\n{one.name} (100 points)\n  • {stray.name}\n"
            (read,) = read_pasted_text(text, game=version.game.slug, faction=faction.slug)
            # Units spell one option in several ways.
            breaches = [
                (simplify_name(name), place)
                for code, name, place, _ in list_breaches(read)
                if code == RuleCode.WRONG_PLACE
            ]
            tried += 1
            if breaches != [(simplify_name(stray.name), one.name)]:
                misread.append((text, breaches, read.names))
    return tried, misread


@pytest.mark.parametrize("game", PACKS)
def test_options_of_other_units_break_a_rule_of_packs(game: str) -> None:
    tried, misread = list_misread(install_shipped(PACKS[game]), Random(SEED))
    assert not misread, misread
    if not tried:
        pytest.skip(f"the units of {game} share the names of all options")


@pytest.mark.slow
@pytest.mark.parametrize("archive", sample(ARCHIVES, 1))
def test_options_of_other_units_break_a_rule_of_imported_games(archive: str) -> None:
    if not (SHARED / archive).exists():
        pytest.skip(f"there is no {archive}; set ARMYBUILDER_SHARED")
    assert import_archive(SHARED / archive).games
    tried, misread = list_misread(PackVersion.objects.select_related("game").get(), Random(SEED))
    assert tried
    assert not misread, misread
