"""A site with one of everything: accounts, lists with histories, a game, an event, decks, background jobs."""

from decimal import Decimal

from allauth.mfa.models import Authenticator
from django.db.models import JSONField, Value
from django.test import Client
from django_tasks_db.models import DBTaskResult, get_date_max

from catalogue.models import Job
from roster.events.models import Penalty
from roster.play.models import MissionDeck
from tests.events.cast import Bench, opened
from tests.play.games import begin
from tests.roster.views_cast import started


def fill_site() -> Bench:
    bench = opened("ada")
    bench.submit("ada")
    ada = bench.client("ada")
    owner = started(ada)
    for unit in ("warden", "cutters"):
        owner.unit(unit)
    owner.done(do="rename", node="", text="Été à Łódź ⚔")
    begin(ada, owner.roster)
    started(Client())
    codes = {"seed": 'é"\\', "used": 1e22, "share": 0.1, "none": None, "codes": [1.0, -0.0, 10**20]}
    user = bench.people["ada"]
    Authenticator.objects.create(user=user, type="totp", data=codes)
    Penalty.objects.create(participant=bench.entry("ada"), offence="late", points=Decimal("12.50"), reason="Late")
    MissionDeck.objects.create(owner=user, name="Autumn")
    Job.objects.create(user=user, kind="import", arguments={"b": 1, "a": []}, payload=bytes(range(256)))
    # A JSON null, and a missing value.
    Job.objects.update(result=Value(None, JSONField()))
    DBTaskResult.objects.create(
        task_path="x", args_kwargs={}, run_after=get_date_max(), backend_name="default", return_value=None
    )
    # The highest key of a table is used up, though its row is gone.
    bench.event.participants.create(name="Gone").delete()
    return bench
