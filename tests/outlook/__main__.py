"""How often look-ahead has no answer: `python -m tests.outlook [NAME...] [--lists N] [--steps N] [--write]`.

NAME is a pack's id or an archive in `$ARMYBUILDER_SHARED/bsdata`; without one, every pack, Kill Team and 40,000 10e.
Each gets random partial lists: a detachment with up to six new units. A line says how many are known to be completable
(a legal list was found), impossible (proved), or unknown; `--write` writes the figures to the page of rule coverage.
Steps are counted, so all machines give the same figures.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import django
import msgspec

django.setup()

from catalogue.definitions.catalogues import CatalogueKind, DataSet  # noqa: E402 - Django has to be set up first
from catalogue.formats.battlescribe.reader import read_path  # noqa: E402 - the same
from catalogue.formats.packs.load import SHIPPED, find_pack, find_packs, read_pack  # noqa: E402 - the same
from catalogue.graph.ruleset import Ruleset, compile_ruleset  # noqa: E402 - the same
from roster.engine import edits  # noqa: E402 - the same
from roster.engine.completion.effort import Effort  # noqa: E402 - the same
from roster.engine.completion.look_ahead import LookAhead  # noqa: E402 - the same
from roster.engine.completion.solver import Possibility  # noqa: E402 - the same
from roster.engine.edits import EditedRoster  # noqa: E402 - the same
from roster.engine.tree import RosterTree  # noqa: E402 - the same
from roster.services.ledger import OUTLOOK_SHARES, OutlookShare  # noqa: E402 - the same

ARCHIVES = ("wh40k-killteam-v1.4.16", "wh40k-killteam-three-systems", "wh40k-10e-v10.6.0")
MOST_UNITS = 6
LIMITS = (120, 500, 1000, 2000)
SHOWN_COSTS = ("pts", "points")


def main(arguments: list[str]) -> int:
    """Print a line for each set of data; exit status 1 if nothing could be measured."""
    given = read_options().parse_args(arguments)
    shares = []
    for name, data in list_data(given.names):
        began = time.process_time()
        answers = measure_answers(compile_ruleset(data), given.lists, Effort(given.steps))
        share = OutlookShare(
            id=name,
            name=data.game_system.name if data.game_system else name,
            lists=answers.total(),
            completed=answers[Possibility.YES],
            lost=answers[Possibility.NO],
            unknown=answers[Possibility.UNKNOWN],
        )
        shares.append(share)
        print(
            f"{name}: {share.lists} lists, {share.completed} can be completed, {share.lost} cannot, {share.unknown} "
            f"unknown ({share.unknown / max(1, share.lists):.1%}), "
            f"{(time.process_time() - began) / max(1, share.lists):.2f} s each",
            flush=True,
        )
    if given.write:
        OUTLOOK_SHARES.write_bytes(msgspec.json.format(msgspec.json.encode(shares), indent=2) + b"\n")
    return 0 if any(share.lists for share in shares) else 1


def read_options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.outlook", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="packs by id, archives by file name")
    parser.add_argument("--lists", type=int, default=200, metavar="N", help="partial lists of each")
    parser.add_argument("--steps", type=int, default=120_000, metavar="N", help="what one answer may take")
    parser.add_argument("--write", action="store_true", help="have the page of rule coverage say it")
    return parser


def list_data(names: list[str]) -> Iterator[tuple[str, DataSet]]:
    known = [data.game_system.id for path in find_packs(SHIPPED) if (data := read_pack(path).data) and data.game_system]
    for name in names or [*known, *ARCHIVES]:
        folder = find_pack(name, SHIPPED)
        archive = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata", f"{name}.zip")
        data = None
        if folder:
            data = read_pack(folder).data
        elif archive.is_file():
            data = read_path(archive).data
        if data is None:
            print(f"not measured: there is no pack {name} and no archive {archive}")
        else:
            yield name, data


def measure_answers(ruleset: Ruleset, number: int, effort: Effort) -> Counter[Possibility]:
    chance = Random(1)
    answers: Counter[Possibility] = Counter()
    for _ in range(number):
        roster = take_some(ruleset, chance)
        if roster:
            answers[LookAhead(ruleset, roster, effort.start()).judge()] += 1
    return answers


def take_some(ruleset: Ruleset, chance: Random) -> RosterTree | None:
    """Return a list of some units of one faction, or None if that faction offers no detachment."""
    factions = [one.id for one in ruleset.data.catalogues if one.kind is CatalogueKind.FACTION]
    book = ruleset.find_catalogue(chance.choice(factions))
    forces = [force for force in book.force_entries if not force.hidden] if book else []
    if book is None or not forces:
        return None
    types = [one.id for one in ruleset.binding.cost_types.values() if one.name.strip().lower() in SHOWN_COSTS]
    limits = {type_id: chance.choice(LIMITS) for type_id in types}
    begun = edits.create_roster(ruleset, "Some", limits=limits).roster
    added = edits.add_force(ruleset, begun, chance.choice(forces).id, book.catalogue.id)
    if not isinstance(added, EditedRoster):
        return None
    roster, options = added.roster, [option for option in book.distinct_roots if not option.hidden]
    for option in chance.sample(options, min(len(options), chance.randrange(MOST_UNITS + 1))):
        taken = edits.select(ruleset, roster, added.created[0], option.local_id)
        roster = taken.roster if isinstance(taken, EditedRoster) else roster
    return roster


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
