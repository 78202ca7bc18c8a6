"""Make the database of `tests/upgrade`: run with the code of commit f988aa5 checked out, never with newer code.

    git worktree add ../old f988aa5 && cd ../old
    python PATH/TO/make_old_database.py OUT

OUT gets `old.sqlite3.gz`, a backup file of its account, and `expected.json` with the content of each page then.
"""

import gzip
import json
import os
import sys
from pathlib import Path

OUT = Path(sys.argv[1]).resolve()
OUT.mkdir(parents=True, exist_ok=True)
FILE = OUT / "old.sqlite3"
FILE.unlink(missing_ok=True)
os.environ["DATABASE_URL"] = f"sqlite:///{FILE}"
os.environ["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings.test"
sys.path.insert(0, os.getcwd())  # noqa: PTH109 - the code that is checked out where it is called

import django  # noqa: E402 - the settings have to be named first

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - the same
from django.core.management import call_command  # noqa: E402 - the same
from django.db import connection  # noqa: E402 - the same

from catalogue.formats.packs.load import SHIPPED  # noqa: E402 - the same
from catalogue.models import GameSystem  # noqa: E402 - the same
from roster.formats.lists import Media  # noqa: E402 - the same
from roster.models import Folder, Roster, Tag  # noqa: E402 - the same
from roster.services import backups, edits, hands, history, mission_decks, sharing, sorting  # noqa: E402 - the same
from roster.services.changes import read_change  # noqa: E402 - the same
from roster.services.exchange import RosterFormat, export_list, import_list, read_list_file  # noqa: E402 - the same
from roster.services.owners import Visitor  # noqa: E402 - the same
from roster.services.rosters import find_roster, start_roster  # noqa: E402 - the same


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("load_packs", verbosity=0)
    user = get_user_model().objects.create_user("ada", "ada@example.org", "only in a test 1")
    ada, guest = Visitor(user_id=user.pk), Visitor(key="guest-of-the-old-days-0123456789")
    for path in sorted(SHIPPED.glob("*/*/lists/*.yaml")):
        import_list(ada, read_list_file(path.read_bytes(), path.name, Media.YAML))
    game = GameSystem.objects.get(slug="reeds-and-rust")
    built = start_roster(guest, game.shown, "marsh-compact", "Grown step by step", {"points": 120})
    grow(built)
    ids = [roster.public_id for roster in Roster.objects.filter(owner_id=user.pk).order_by("pk")]
    for public_id in ids[:5]:
        sharing.share(find_roster(public_id), "link")
    sharing.share(find_roster(ids[5]), "public")
    folder = Folder.objects.create(name="Turnier", owner_id=user.pk)
    sorting.move_to(sorting.chosen(ada, ids[:3]), folder)
    sorting.tag(sorting.chosen(ada, ids[:2]), Tag.objects.create(name="club", owner_id=user.pk))
    sorting.throw_away(sorting.chosen(ada, ids[-1:]))
    deck = mission_decks.start_deck(ada, "Sunday")
    play = mission_decks.play_of(game.shown)
    mission_decks.fill_deck(deck, "Sunday", {(game.shown, mission): 2 for mission in list(play.missions)[:3]})
    mission_decks.draw_at_random(deck)
    maelstrom = GameSystem.objects.get(slug="maelstrom-of-war-9e")
    drawn = next(m for m in mission_decks.play_of(maelstrom.shown).missions.values() if m.draw)
    hand = hands.open_hand(ada, maelstrom.shown, drawn.id, next(iter(mission_decks.play_of(maelstrom.shown).sizes)))
    hands.act_on(hand, hand.revision, "begin", {})
    with (OUT / "ada.backup").open("w+b") as file:
        backups.back_up(ada, file)
    write_expected()
    connection.cursor().execute("VACUUM")
    connection.close()
    (OUT / "old.sqlite3.gz").write_bytes(gzip.compress(FILE.read_bytes(), 9, mtime=0))
    FILE.unlink()


def grow(roster: Roster) -> None:
    """Make a list with a history: units added, an option chosen, undo and redo, a named step."""

    def do(**fields: str) -> None:
        nonlocal roster
        outcome = edits.edit_roster(roster, roster.head, read_change(fields))
        assert not hasattr(outcome, "code"), outcome
        roster = find_roster(roster.public_id)

    if not roster.tree.forces:
        do(do="add-detachment", entry="standard")
    force = roster.tree.forces[0].id
    for unit in ("lock-warden", "reed-cutters", "reed-cutters"):
        do(do="add-unit", node=force, entry=unit)
    do(do="rename", text="Grown, then renamed")
    edits.undo(roster, roster.head)
    roster = find_roster(roster.public_id)
    edits.redo(roster, roster.head)
    roster = find_roster(roster.public_id)
    history.name_revision(roster, 2, "Before the cutters")


def write_expected() -> None:
    rows = [
        {
            "public_id": roster.public_id,
            "link_id": roster.link_id,
            "name": roster.name,
            "verdict": roster.verdict,
            "points": str(roster.points),
            "revisions": roster.revisions.count(),
            "visibility": roster.visibility,
            "binned": roster.binned is not None,
            "planned": hasattr(roster, "plan"),
            "game": roster.version.game.slug,
            "document": json.loads(export_list(roster, RosterFormat.JSON)),
        }
        for roster in Roster.objects.select_related("version__game", "plan").order_by("pk")
    ]
    (OUT / "expected.json").write_text(json.dumps(rows, indent=1, default=str), encoding="utf-8")


main()
