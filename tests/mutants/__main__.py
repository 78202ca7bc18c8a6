"""Mutate random places of the code and print the mutants that no test notices: make mutants ARGS="--sample 40 --seed
7".

This runs in a separate environment (.ci/requirements-mutants.txt) on a copy of the tree in var/mutants. Each mutant is
tried by the test files that mention its module most often and, if they pass, by those of `make quick`.
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import time
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from random import Random
from shlex import join

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import MutationSpec, TestOutcome

from tests.mutants.narrow_tests import AREAS, ROOT, choose_test_files, list_modules

TREE = ROOT / "var" / "mutants" / "tree"
PYTHON = str(ROOT / ".venv" / "bin" / "python")
PYTEST = [PYTHON, "-m", "pytest", "-n0", "-x", "--no-header", "-rfE", "--tb=no"]
# Tests of the house check files that git tracks, which the copy has none of.
QUICK = ["-m", "not slow", "--ignore", "tests/house"]
PATIENCE = 900
"""Seconds for the tests of a mutant. A mutant that runs longer counts as noticed."""
NOISE = re.compile(r"core/(RemoveDecorator|ReplaceBinaryOperator_BitOr_\w+)$")
"""Mutations of decorators, most of which are caches, and of `|`, which mostly joins types."""
FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+?)(?:\[.*)?(?: - .*)?$", re.MULTILINE)
Place = tuple[int, int]


def copy_tree() -> None:
    """Copy the files that git tracks or would add, and the compiled translations, to the mutated tree."""
    shutil.rmtree(TREE, ignore_errors=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in listed.split("\0") if name] + list(ROOT.glob("armybuilder/locale/*/*/*.mo"))
    for path in paths:
        if path.is_file():
            place = TREE / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)
    # Cosmic Ray disables bytecode, so each run of tests would compile all modules.
    subprocess.run([PYTHON, "-m", "compileall", "-q", "."], cwd=TREE, check=True)


def draw_mutations(modules: list[Path], number: int, seed: str) -> list[MutationSpec]:
    """Draw modules by length, then places in them, then one of the possible mutations."""
    dice = Random(seed)
    lengths = [module.read_text(encoding="utf-8").count("\n") for module in modules]
    drawn = Counter(dice.choices(modules, lengths, k=number))
    database = WorkDB(":memory:", WorkDB.Mode.create)
    init(sorted(drawn), database, {})
    places: dict[Path, dict[Place, list[MutationSpec]]] = defaultdict(lambda: defaultdict(list))
    for item in database.work_items:
        (mutation,) = item.mutations
        if mutation.definition_name and not NOISE.match(mutation.operator_name) and not is_in_type(mutation):
            places[Path(mutation.module_path)][mutation.start_pos].append(mutation)
    mutations = []
    for module, in_module in sorted(places.items()):
        for place in dice.sample(sorted(in_module), min(drawn[module], len(in_module))):
            mutations.append(dice.choice(in_module[place]))
    return dice.sample(mutations, len(mutations))


def is_in_type(mutation: MutationSpec) -> bool:
    return any(start <= mutation.start_pos < end for start, end in list_types(Path(mutation.module_path)))


@cache
def list_types(module: Path) -> list[tuple[Place, Place]]:
    types = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            types.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            types.append(node.annotation)
    return [
        ((hint.lineno, hint.col_offset), (hint.end_lineno or hint.lineno, hint.end_col_offset or 0))
        for hint in types
        if hint is not None
    ]


def try_mutation(mutation: MutationSpec, is_narrow: bool) -> tuple[str, str]:
    """Return the test that notices a mutation, or "", and the change."""
    diff = ""
    narrow = ("", choose_test_files(Path(mutation.module_path)))
    for extent, tests in [narrow] if is_narrow else [narrow, ("quick", QUICK)]:
        os.environ["ARMYBUILDER_TESTS"] = extent
        result = mutate_and_test([mutation], join([*PYTEST, *tests]), PATIENCE)
        diff = result.diff or ""
        if result.test_outcome is not TestOutcome.SURVIVED:
            output = (result.output or "").strip()
            failure = FAILURE.search(output)
            if not failure:
                return output.rpartition("\n")[2] or "no test ran", diff
            if not passes_unchanged(failure[1], extent):
                raise SystemExit(f"{failure[1]} fails without a mutation")
            return failure[1], diff
    return "", diff


@cache
def passes_unchanged(test: str, extent: str) -> bool:
    """Return whether a test passes on the unchanged code. Otherwise it has noticed no mutation."""
    environment = {**os.environ, "ARMYBUILDER_TESTS": extent}
    return subprocess.run([*PYTEST, test], env=environment, capture_output=True).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="the number of mutants (40)")
    parser.add_argument("--seed", default="armybuilder", help="another seed draws other mutants")
    parser.add_argument("--area", choices=AREAS, action="append", help="mutate this package only; may be repeated")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no mutant after this time")
    parser.add_argument("--narrow", action="store_true", help="only run the tests that mention the module")
    options = parser.parse_args()
    begun = time.monotonic()
    copy_tree()
    os.chdir(TREE)
    os.environ["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings.test"

    mutations = draw_mutations(list_modules(options.area or list(AREAS)), options.sample, options.seed)
    tried = survived = 0
    for mutation in mutations:
        if time.monotonic() - begun > options.seconds:
            break
        noticed_by, diff = try_mutation(mutation, options.narrow)
        tried += 1
        place = f"{mutation.module_path}:{mutation.start_pos[0]} {mutation.definition_name}"
        print(f"{tried}/{len(mutations)} {place}: {noticed_by or 'SURVIVED'}", flush=True)
        if not noticed_by:
            survived += 1
            print(*re.findall(r"^[-+](?![-+]).*", diff, re.MULTILINE), sep="\n", flush=True)
    print(f"{tried} of {len(mutations)} mutants tried, {survived} survived (seed {options.seed})")


if __name__ == "__main__":
    main()
