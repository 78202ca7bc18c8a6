"""Fill a database with lists of owners: `python -m tests.bench.filling FEW MANY`. Prints a line for each owner.

With `public` as last argument, everyone may read the lists, and their owners dedicate them to the public domain.
"""

import sys
from datetime import timedelta
from itertools import islice

import django
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.utils import timezone

from tests.bench.databases import packs_to_load

BATCH = 500
STEPS = 4
WORDS = ("Column", "Guard", "Flood", "Causeway", "Lantern", "Sluice")


def main() -> None:
    django.setup()
    prepare_database()
    numbers = [int(argument) for argument in sys.argv[1:] if argument != "public"]
    for number in numbers:
        print("owner", *fill(number))
    if "public" in sys.argv:
        publish_lists()
    vacuum()


def prepare_database() -> None:
    call_command("migrate", verbosity=0, stdout=sys.stderr)
    call_command("load_packs", *packs_to_load(), verbosity=0, stdout=sys.stderr)
    call_command("load_examples", verbosity=0, stdout=sys.stderr)


def fill(number: int) -> tuple[object, ...]:
    """Create an account with lists; return its session key, a list's address, the keys of a folder and a tag."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User

    from roster.models import Folder, Roster, Tag

    owner = User.objects.create(username=f"owner-{number}", email=f"owner-{number}@example.org")
    owner.set_unusable_password()
    owner.save()
    folders = [Folder.objects.create(owner=owner, name=f"Folder {n}") for n in range(10)]
    tags = [Tag.objects.create(owner=owner, name=f"Tag {n}") for n in range(10)]
    samples = list(Roster.objects.filter(owner=None, owner_key="").select_related("version")[:20])
    rows = (_row(owner, samples[n % len(samples)], n, folders[n % 20 :][:1]) for n in range(number))
    while batch := list(islice(rows, BATCH)):
        _store(Roster.objects.bulk_create(batch), tags)
    session = SessionStore()
    session[SESSION_KEY] = str(owner.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = owner.get_session_auth_hash()
    session.create()
    own = Roster.objects.filter(owner=owner)
    for day in range(30):
        own.filter(pk__endswith=day).update(updated=timezone.now() - timedelta(days=day))
    last = own.latest("updated")
    return session.session_key, last.public_id, folders[0].pk, tags[0].pk


def publish_lists() -> None:
    from django.contrib.auth.models import User

    from roster.models import Roster
    from roster.models.ownership import Visibility
    from roster.services.accounts import set_consent

    for owner in User.objects.filter(username__startswith="owner-"):
        set_consent(owner, agrees=True)
    Roster.objects.filter(owner__isnull=False).update(visibility=Visibility.PUBLIC)


def _row(owner, sample, number, folder):
    from catalogue.models.base import new_public_id
    from roster.engine.tree import copy_with
    from roster.models import Roster
    from roster.services.evaluation import build_search_text

    name = f"{WORDS[number % len(WORDS)]} {number}"
    address = new_public_id()
    return Roster(
        owner=owner,
        public_id=address,
        link_id=address,
        version=sample.version,
        faction_id=sample.faction_id,
        name=name,
        search_text=build_search_text(copy_with(sample.tree, name=name)),
        document=sample.document,
        head=STEPS,
        last=STEPS,
        points=sample.points,
        limit=sample.limit,
        units=sample.units,
        verdict=sample.verdict,
        violations=sample.violations,
        folder=folder[0] if folder else None,
    )


def _store(rosters, tags):
    from roster.models import Roster, RosterRevision
    from roster.services.evaluation import hash_document

    RosterRevision.objects.bulk_create(
        RosterRevision(
            roster=roster,
            number=step,
            parent=step - 1,
            text=roster.document,
            act="add-unit",
            subject="Reed Cutters",
            content_hash=hash_document(roster.document),
            version_id=roster.version_id,
            points=roster.points,
            verdict=roster.verdict,
        )
        for roster in rosters
        for step in range(1, STEPS + 1)
    )
    through = Roster.tags.through
    through.objects.bulk_create(
        through(roster_id=roster.pk, tag_id=tags[roster.pk % len(tags)].pk) for roster in rosters
    )


def vacuum() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


if __name__ == "__main__":
    main()
