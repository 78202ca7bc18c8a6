"""Choose the rules by which a season's lists are judged."""

from django.db import transaction

from roster.club.models import ListReveal, Season, SeasonHomebrew
from roster.club.services.league_news import announce_rules
from roster.club.services.seasons import lock_season
from roster.events.services.event_homebrew import copy_columns
from roster.services.outcomes import Refused
from roster.services.rulesets import find_homebrew_for

MOST_LIMIT = 1_000_000


@transaction.atomic
def set_season_rules(season: Season, key: str, limit: str, reveal: str) -> Refused | None:
    """Choose published house rules by their key, "" for none, the most points of a list, and when lists are shown.

    Lists that were chosen before keep their verdict. New house rules and limits are posted to the club's chat and
    mailed to the players. Refuses `bad-limit`, `bad-change`, `season-over`, and `unknown-rules` for house rules that
    are not published or of another game.
    """
    season = lock_season(season)
    number = int(limit) if limit.isascii() and limit.isdigit() and len(limit) < 10 else 0
    if number > MOST_LIMIT or (limit and not number):
        return Refused(code="bad-limit", allowed=MOST_LIMIT)
    if reveal not in ListReveal.values:
        return Refused(code="bad-change")
    if season.ended:
        return Refused(code="season-over")
    before = (season.homebrew.key if season.homebrew else "", season.limit)
    if key != before[0]:
        # An earlier choice stays possible if its author has deleted it since.
        chosen = (season.homebrews.filter(key=key).first() or _copy_version(season, key)) if key else None
        if key and chosen is None:
            return Refused(code="unknown-rules")
        season.homebrew = chosen
    season.limit, season.reveal = number, ListReveal(reveal)
    if before != (key, number):
        season.rules_untold = season.players.exists()
        announce_rules(season)
    season.save(update_fields=["homebrew", "limit", "reveal", "rules_untold"])
    return None


def _copy_version(season: Season, key: str) -> SeasonHomebrew | None:
    version = find_homebrew_for(season.game_id, key)
    return SeasonHomebrew.objects.create(season=season, **copy_columns(version)) if version else None
