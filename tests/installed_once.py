"""Install games quickly: the app writes the rows once, later tests copy them.

Installing a shipped pack takes a tenth of a second, and a thousand tests begin with a game. The rows stay in this
process and are put into an empty database of the next test. Tests of installing do not use this.
"""

from dataclasses import dataclass, fields

from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone

from catalogue.definitions.catalogues import DataSet
from catalogue.models import DocumentBody, GameSystem, PackVersion, Release
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from tests.copied_rows import Rows, read_rows, write_rows


@dataclass(frozen=True)
class InstalledGame:
    """A game as it was installed into an empty catalogue."""

    about: GameInfo
    data: DataSet
    content_hash: str
    rows: Rows


COVER = {field.name for field in fields(GameInfo)} & {field.name for field in GameSystem._meta.concrete_fields}
"""The fields of a game's cover, which do not depend on the version."""
_games: dict[int, InstalledGame] = {}
"""By the identity of their data, which is stored with them."""


def install_once(about: GameInfo, data: DataSet) -> PackVersion:
    """Do what `install_version` does. The data is kept for the life of the process, so that its identity is unique."""
    installed = _games.get(id(data))
    if connection.vendor != "sqlite" or (installed and installed.about != about):
        return install_version(about, data)
    if _is_empty():
        if installed:
            return _copy_game(installed)
        version = install_version(about, data)
        _games[id(data)] = InstalledGame(
            about, data, version.content_hash, read_rows(apps.get_app_config("catalogue").get_models())
        )
        return version
    game = GameSystem.objects.select_related("current").filter(slug=about.slug).first()
    is_current = installed and game and game.current and game.current.content_hash == installed.content_hash
    if is_current and all(getattr(game, name) == getattr(about, name) for name in COVER):
        game.current.game = game
        return game.current
    return install_version(about, data)


def _is_empty() -> bool:
    tables = (model._meta.db_table for model in (GameSystem, PackVersion, DocumentBody))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {' OR '.join(f'EXISTS (SELECT 1 FROM {table})' for table in tables)}")
        return not cursor.fetchone()[0]


@transaction.atomic
def _copy_game(installed: InstalledGame) -> PackVersion:
    write_rows(installed.rows)
    with connection.cursor() as cursor:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        for model, column in ((PackVersion, "created"), (Release, "since")):
            cursor.execute(f'UPDATE "{model._meta.db_table}" SET {column} = %s', [now])
    game = GameSystem.objects.select_related("current").get()
    assert game.current
    game.current.game = game
    return game.current
