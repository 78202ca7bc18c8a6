"""Write the daily file of public lists: `python -m tests.bench.dump_once` prints number, seconds, peak megabytes."""

import time

import django

from tests.peak_memory import MIB, read_peak_memory


def main() -> None:
    django.setup()
    from roster.services.list_dump import write_dump

    begin = time.perf_counter()
    number = write_dump()
    print(number, time.perf_counter() - begin, read_peak_memory() / MIB)


if __name__ == "__main__":
    main()
