"""Read pasted lists in a separate process, on the database of its environment.

`python -m tests.bench.paste_once FOLDER` prints two lines of seconds: the list of the largest faction in each round,
and all lists of an event in sequence.
"""

import sys
from pathlib import Path

from tests.bench.benchmark import measure, or_least

EVENT = 500
ROUNDS = 10


def main(folder: Path) -> None:
    import django

    django.setup()
    # Models need Django to be set up first.
    from roster.services.pasted_lists import read_pasted_text

    texts = [path.read_bytes() for path in sorted(folder.glob("*.txt"))]

    def read(text: bytes) -> int:
        answer = read_pasted_text(text)
        assert isinstance(answer, list)
        return answer[0].faction.unit_count if answer[0].faction else 0

    largest = max(texts, key=lambda text: (read(text), len(text)))

    def read_event() -> None:
        for number in range(or_least(EVENT, 5)):
            read(texts[number % len(texts)])

    for times in (measure(lambda: read(largest), times=ROUNDS, warm_up=1), measure(read_event, times=1, warm_up=0)):
        print(*times.seconds)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
