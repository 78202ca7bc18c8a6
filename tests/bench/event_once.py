"""Judge an event's lists again in a separate process, on the database of its environment.

`python -m tests.bench.event_once` prints `owner`, the organiser's session and the address of the event, then the
processor seconds that judging took.
"""

import time

from tests.bench.benchmark import or_least
from tests.bench.fifteen_units import DOCUMENT

PLAYERS = 500
RULES = "house-rules: 1\nname: Autumn Muster\nsource: Event pack\ncaps:\n- {cap: Reed Cutters, at most: %d}\n"


def main() -> None:
    import django

    django.setup()
    # Models need Django to be set up first.
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore

    from catalogue.models import GameSystem
    from roster.events.models import Event, Recheck
    from roster.events.services.archives import UploadedList
    from roster.events.services.bulk_checks import recheck_lists, select_checked, take_list
    from roster.events.services.events import create_event, set_house_rules, set_status
    from roster.events.services.judging import load_event_rules
    from roster.events.services.players import index_players

    user = User.objects.create_user("organiser", "organiser@example.org")
    event = create_event(user, GameSystem.objects.get(slug="reeds-and-rust").shown_version, "Autumn Muster")
    assert isinstance(event, Event)
    set_house_rules(event, user, RULES % 4)
    set_status(event, user, "open")
    players, force = index_players(event), load_event_rules(event)
    for number in range(or_least(PLAYERS, 3)):
        take_list(players, UploadedList(player=f"Player {number}", data=DOCUMENT.encode()), user, force)
    set_house_rules(event, user, RULES % 3)

    def check_again() -> None:
        recheck_lists(event, list(select_checked(event)))
        assert Recheck.objects.count() == or_least(PLAYERS, 3)

    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[0]
    session["_auth_user_hash"] = user.get_session_auth_hash()
    session.create()
    print("owner", session.session_key, event.public_id)
    # Processor time, because other processes may run.
    begin = time.process_time()
    check_again()
    print(time.process_time() - begin)


if __name__ == "__main__":
    main()
