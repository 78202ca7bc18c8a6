"""Build written lists and print their verdicts: `python -m tests.current FILE --offers PATH`.

Archives are read from ARMYBUILDER_SHARED/bsdata and imported once into a database in the temporary folder. Remove it if
import code has changed.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.bench.databases import empty_database, environment_of
from tests.current.written import WrittenList, read_list


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.current", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="all of one archive")
    parser.add_argument("--offers", action="append", default=[], metavar="PATH", help="print what may be taken there")
    parser.add_argument("--forces", action="store_true", help="print the forces that may be added")
    parser.add_argument("--tree", action="store_true", help="print what the list has")
    parser.add_argument("--hidden", action="store_true", help="print what is hidden, too")
    options = parser.parse_args(arguments)
    archive = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata", read_list(options.files[0]).archive)
    prepare(archive)
    for path in options.files:
        show(read_list(path), archive, options)


def prepare(archive: Path) -> None:
    """Set up Django with a database that has the games of an archive."""
    folder = Path(tempfile.gettempdir(), f"armybuilder-current-{archive.stem}")
    is_new = not folder.exists()
    if is_new:
        empty_database(folder)
    os.environ.update(environment_of(folder))
    import django

    django.setup()
    from catalogue.services.community_import import import_path

    if is_new:
        import_path(archive)


def show(written: WrittenList, archive: Path, options: argparse.Namespace) -> None:
    from catalogue.models import GameSystem
    from tests.current.building import CannotBuildError, begin_list
    from tests.current.facts import find_mistake
    from tests.current.judging import describe, sum_costs, try_break

    say(f"== {written.name}")
    version = GameSystem.objects.get(name=written.system).current
    assert version is not None
    builder = begin_list(version, written)
    for step in written.steps:
        try:
            builder.carry_out(step)
        except CannotBuildError as error:
            say(f"STEP {step}: {error}")
            break
    judged = builder.evaluated_list
    if options.tree:
        show_tree(judged.tree)
    costs = {cost.name: (cost.value, cost.limit) for cost in judged.report.costs if cost.value or cost.limit}
    say(f"{judged.verdict}, {costs}, not judged: {[remark.code for remark in judged.report.unchecked]}")
    if sum_costs(judged, written.costs) != written.costs:
        say("the costs are not those that are written")
    for violation in judged.report.errors:
        say(f"  {describe(violation)}")
    if options.forces:
        show_forces(builder)
    for path in options.offers:
        show_offers(builder, path, hidden=options.hidden)
    for one in written.breaks:
        for fact in one.because:
            if mistake := find_mistake(archive, fact):
                say(f"FACT {one.title}: {mistake}")
        for mistake in try_break(builder, one):
            say(f"BREAK {mistake}")


def show_tree(node: Any, depth: int = 0) -> None:
    from roster.engine.tree import get_children

    for child in get_children(node):
        say(f"{depth * '  '}{getattr(child, 'number', 1)} {child.name}")
        show_tree(child, depth + 1)


def show_forces(builder: Any) -> None:
    from roster.services.board import build_board
    from roster.services.board.allies import list_allied_factions
    from roster.services.rosters import find_roster

    roster = find_roster(builder.roster.public_id)
    board = build_board(roster)
    say(f"forces: {[force.name for force in board.forces]}")
    for row in board.detachments:
        say(f"in {row.name}: {[force.name for force in row.inside]}")
        for faction in list_allied_factions(roster, row.id) if row.holds_allies else ():
            say(f"  of {faction.full_name}: {[force.name for force in faction.forces]}")
    for faction in list_allied_factions(roster):
        say(f"of {faction.full_name}: {[force.name for force in faction.forces]}")


def show_offers(builder: Any, path: str, *, hidden: bool) -> None:
    from roster.engine.attachments import list_attachment_offers
    from roster.engine.offers import list_offers

    say(f"offers of {path}")
    node = builder.find(path)
    show_items(list_offers(builder.evaluated_list.evaluation, node).items, 1, hidden=hidden)
    for offer in list_attachment_offers(builder.evaluated_list.evaluation, node):
        say(f"  attach to: {[choice.name for choice in offer.choices]}")


def show_items(items: Iterable[Any], depth: int, *, hidden: bool) -> None:
    from roster.engine.offers import OfferedGroup
    from tests.current.judging import describe

    for item in items:
        if item.hidden and not hidden:
            continue
        mark = " HIDDEN" if item.hidden else ""
        if isinstance(item, OfferedGroup):
            say(f"{depth * '  '}[{item.name}] {item.count} of {item.min}..{item.max}{mark} {item.group_id}")
            show_items(item.items, depth + 1, hidden=hidden)
            continue
        costs = ", ".join(f"{cost.value} {cost.name}" for cost in item.costs if cost.value)
        blocked = f" BLOCKED {describe(item.blocked)}" if item.blocked else ""
        bounds = f"{item.number} of {item.min}..{item.max}"
        say(f"{depth * '  '}{item.name} ({costs}) {bounds} {item.category_name}{mark} {item.entry_id}{blocked}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
