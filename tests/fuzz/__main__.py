"""Send many unusual requests: `python -m tests.fuzz --requests 60000 --seed N`.

All addresses are requested by a visitor, a guest, two accounts, staff who import data and an administrator, in this
process and on a separate database. Failures are printed once for each place in the code, with the request; the exit
status is 0 if there are none. `--first` begins at a later request, so that several processes can share the work.
"""

import argparse
import logging
import os
import sys
import time
from collections import Counter


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=1_000, metavar="N")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first request")
    options = parser.parse_args(arguments)
    os.environ["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings.test"

    import django

    django.setup()
    from django.test.runner import DiscoverRunner
    from django.test.utils import setup_test_environment, teardown_test_environment

    from tests.fuzz.run import run_requests
    from tests.fuzz.world import build_world

    # Failures are printed below with their request.
    logging.disable(logging.CRITICAL)
    setup_test_environment()
    runner = DiscoverRunner(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    places: Counter[str] = Counter()
    begin = time.process_time()
    try:
        world = build_world()
        built = time.process_time()
        for fault in run_requests(world, options.seed, range(options.first, options.first + options.requests)):
            places[fault.place] += 1
            if places[fault.place] == 1:
                sys.stdout.write(f"{fault.status} at request {fault.number}: {fault.request}\n{fault.trace}\n")
                sys.stdout.flush()
    finally:
        runner.teardown_databases(databases)
        teardown_test_environment()
    spent = time.process_time() - built
    sys.stdout.write(
        f"{options.requests} requests of seed {options.seed}: {sum(places.values())} failed in {len(places)} places; "
        f"{built - begin:.0f} s of processor time to begin with, {spent:.0f} s for the requests\n"
    )
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
