"""List the units that a legal list can take, for organisers who choose the size of an event."""

import json
import sys
from argparse import ArgumentParser
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from django.db import DatabaseError
from django.utils.translation import gettext as _

from catalogue.models import Faction
from catalogue.services.published_games import find_faction, select_games
from roster.engine.edits import Refused
from roster.services.additions import list_takeable
from roster.services.limits import parse_amount
from roster.wording import explain_refusal
from roster.wording.documents import INSTALL
from roster.wording.ways_payload import format_additions, serialize_additions

BAD_QUESTION = 2


class Command(BaseCommand):
    help = (
        "Say of each unit of a faction whether any legal list within a limit can have one. "
        "Exit status: 0 answered, 2 there is no such game, faction or limit, or no solver that knows the rules."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django declares it as a plain list

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the id of an installed game")
        parser.add_argument("faction", help="the id of a faction, or its address")
        parser.add_argument("limit", help="the points limit, such as 1000")
        parser.add_argument("--json", action="store_true", help="answer in JSON, as the API does")
        parser.add_argument("--patient", action="store_true", help="search longer for a list with each unit")

    def handle(self, *args: Any, **options: Any) -> None:
        limit = parse_amount(options["limit"])
        if limit is None or isinstance(limit, Refused):
            self._stop_with(_("Say how many points, such as 1000."))
        faction = self._find_faction(options["game"], options["faction"])
        additions = list_takeable(faction.version, faction.faction_id, limit, is_patient=options["patient"])
        if additions is None:
            self._stop_with(explain_refusal(Refused(code="no-solver")))
        answer = serialize_additions(additions)
        lines = [json.dumps(answer, ensure_ascii=False, indent=2)] if options["json"] else format_additions(answer)
        for line in lines:
            self.stdout.write(line)

    def _find_faction(self, game: str, faction: str) -> Faction:
        try:
            games = {system.slug: system for system in select_games()}
        except DatabaseError as error:
            self._stop_with(f"{INSTALL}: {error}")
        system = games.get(game)
        if system is None:
            self._stop_with(_("There is no such game. Installed: %(names)s") % {"names": ", ".join(games)})
        faction_row = find_faction(system.shown_version, faction)
        if faction_row is None:
            names = ", ".join(system.shown_version.factions.values_list("slug", flat=True))
            self._stop_with(_("There is no such faction. This game has: %(names)s") % {"names": names})
        return faction_row

    def _stop_with(self, text: str) -> NoReturn:
        self.stderr.write(self.style.ERROR(text))
        sys.exit(BAD_QUESTION)
