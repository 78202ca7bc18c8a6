"""Fill a database with copies of an installed game: `python -m tests.bench.copies NUMBER`.

Only what pages with games read is copied: the game, its version, some factions.
"""

import sys

import django

FACTIONS = 24


def main() -> None:
    django.setup()
    for number in range(int(sys.argv[1])):
        copy_game(number)


def copy_game(number: int) -> None:
    from catalogue.models import Faction, GameSystem, PackVersion
    from tests.bench.fifteen_units import GAME

    game = GameSystem.objects.get(slug=GAME)
    version, faction = game.shown_version, game.shown_version.factions.get(position=0)
    game.pk, game.slug, game.name, game.example, game.current = None, f"copy-{number}", f"Copy {number}", False, None
    game.save(force_insert=True)
    copied = PackVersion.objects.create(
        game=game,
        label=version.label,
        source=PackVersion.Source.BATTLESCRIBE,
        content_hash=f"{number:064x}",
        points_id=version.points_id,
        points_name=version.points_name,
    )
    GameSystem.objects.filter(pk=game.pk).update(current=copied)
    rows = []
    for place in range(FACTIONS):
        names = {"slug": f"faction-{place}", "faction_id": f"faction-{place}", "name": f"Faction {number} {place}"}
        rows.append(Faction(version=copied, position=place, accent=faction.accent, unit_count=40, **names))
    Faction.objects.bulk_create(rows)


if __name__ == "__main__":
    main()
