"""Print an event's booklet in a separate process, on the database of its environment.

`python -m tests.bench.event_booklet` prints processor seconds and peak megabytes.
"""

import time

from tests.bench.benchmark import or_least
from tests.bench.fifteen_units import DOCUMENT
from tests.peak_memory import MIB, read_peak_memory

PLAYERS = 200


def main() -> None:
    import django

    django.setup()
    # Models need Django to be set up first.
    from django.contrib.auth.models import User

    from catalogue.models import GameSystem, Job
    from catalogue.services.jobs import advance_job
    from roster.events.models import Event
    from roster.events.pdf.booklet_steps import BookletChoice, start_booklet
    from roster.events.services.archives import UploadedList
    from roster.events.services.bulk_checks import take_list
    from roster.events.services.events import create_event, set_status
    from roster.events.services.judging import load_event_rules
    from roster.events.services.players import index_players
    from roster.pdf.sheet_options import SheetOptions

    user = User.objects.create_user("organiser", "organiser@example.org")
    event = create_event(user, GameSystem.objects.get(slug="reeds-and-rust").shown_version, "Autumn Muster")
    assert isinstance(event, Event)
    set_status(event, user, "open")
    players, force = index_players(event), load_event_rules(event)
    for number in range(or_least(PLAYERS, 3)):
        take_list(players, UploadedList(player=f"Player {number}", data=DOCUMENT.encode()), user, force)
    # Processor time, because other processes may run.
    begin = time.process_time()
    job = start_booklet(event, user, BookletChoice(options=SheetOptions()), "https://example.org")
    assert isinstance(job, Job)
    while job.is_open:
        advance_job(job)
        job.refresh_from_db()
    seconds = time.process_time() - begin
    assert job.result["address"], job.result
    print(seconds, read_peak_memory() / MIB)


if __name__ == "__main__":
    main()
