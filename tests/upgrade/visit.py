"""Open everything in a migrated database as its owner, and print the result as JSON."""

import json
import sys
from pathlib import Path
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 - Django has to be set up first
from django.test import Client  # noqa: E402 - the same

from roster.models import Roster  # noqa: E402 - the same
from roster.play.models import MissionDeck, ObjectiveHand  # noqa: E402 - the same
from roster.services.backups import restore_backup  # noqa: E402 - the same
from roster.services.evaluation import evaluate_roster  # noqa: E402 - the same
from roster.services.owners import Visitor  # noqa: E402 - the same
from roster.services.plans import evaluate_plan, get_game_plan  # noqa: E402 - the same

SUMMARY = ("points", "verdict", "violations")


def read_summary(roster: Roster) -> list[Any]:
    return list(Roster.objects.values_list(*SUMMARY).get(pk=roster.pk))


def is_told(client: Client, roster: Roster) -> bool:
    """Return whether the list's page tells the owner that rules were corrected."""
    page = client.get(f"/rosters/{roster.public_id}/").content.decode()
    return "rules of this game have been corrected since" in page


def visit(backup: Path) -> dict[str, Any]:
    settings.ALLOWED_HOSTS = ["*"]
    owner = Roster.objects.exclude(owner=None).first().owner
    client, stranger = Client(), Client()
    client.force_login(owner)
    lists = {}
    # This list stands for all whose verdict a corrected rule changed: it was stored as legal, and is not.
    corrected = Roster.objects.filter(owner=owner, binned=None, verdict="illegal").order_by("pk").first()
    Roster.objects.filter(pk=corrected.pk).update(verdict="legal", violations=0)
    for roster in Roster.objects.select_related("version__game", "plan").order_by("pk"):
        mine = roster.owner_id == owner.pk and roster.binned is None
        game = get_game_plan(roster)
        head = roster.revisions.get(number=roster.head)
        stored, told = read_summary(roster), is_told(client, roster) if mine else None
        lists[roster.public_id] = {
            "verdict": evaluate_roster(roster, tree=False).report.verdict.value,
            "with_plan": evaluate_plan(roster, game).report.verdict.value if game else "",
            "stored": stored,
            "told": told,
            "told_again": is_told(client, roster) if mine else None,
            "now": read_summary(roster),
            "revisions": roster.revisions.count(),
            "builder": client.get(f"/rosters/{roster.public_id}/").status_code if mine else None,
            "history": client.get(f"/rosters/{roster.public_id}/history/").status_code if mine else None,
            "printed": stranger.get(
                f"/r/{roster.link_id}/?revision={head.number}&hash={head.content_hash[:12]}"
            ).status_code,
            "json": client.get(f"/r/{roster.link_id}/roster.json").status_code if mine else None,
        }
    decks = [client.get(f"/decks/{deck.public_id}/").status_code for deck in MissionDeck.objects.all()]
    hands = [client.get(f"/hands/{hand.public_id}/").status_code for hand in ObjectiveHand.objects.all()]
    mine = client.get("/rosters/").status_code
    lost = list(Roster.objects.filter(owner=owner).values_list("public_id", flat=True))[:3]
    Roster.objects.filter(public_id__in=lost).delete()
    with backup.open("rb") as file:
        restored = restore_backup(Visitor(user_id=owner.pk), file)
    return {
        "corrected": corrected.public_id,
        "lists": lists,
        "decks": decks,
        "hands": hands,
        "mine": mine,
        "restored": restored.restored,
        "still_there": Roster.objects.filter(public_id__in=lost).count(),
    }


if __name__ == "__main__":
    print(json.dumps(visit(Path(sys.argv[1]))))  # noqa: T201 - its answer
