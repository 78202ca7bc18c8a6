import re

from django.core.management.base import CommandError

from catalogue.models import PackVersion

HELP = (
    "a version: the beginning of its content hash, its name or its commit; or GAME@NAME, GAME@current or GAME@newest, "
    "with the id or the name of a game"
)
MOST_NAMED = 20
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


def find_version(text: str) -> PackVersion:
    """Raise CommandError with the candidates if not exactly one version fits."""
    versions = list(PackVersion.objects.select_related("game").order_by("game__slug", "-created", "-pk"))
    game, _, name = text.strip().rpartition("@")
    # If the text names only a game, its versions are the candidates.
    of_game = []
    for version in versions:
        system = version.game
        names = (system.slug, system.name.casefold(), system.title.casefold(), str(system).casefold())
        if (game or name).casefold() in names:
            of_game.append(version)
    if game and not of_game:
        raise CommandError(
            _list_candidates(f"No game with data is called {game!r}. These versions are here:", versions)
        )
    if game and name == "current":
        matches = [version for version in of_game if version.is_current]
    elif game and name == "newest":
        matches = list({version.game_id: version for version in reversed(of_game)}.values())
    else:
        matches = [version for version in (of_game if game else versions) if _is_called(version, name)]
    if not matches:
        raise CommandError(_list_candidates(f"No version is called {text!r}. These are here:", of_game or versions))
    if len(matches) > 1:
        raise CommandError(_list_candidates(f"{len(matches)} versions are called {text!r}. Name one by hash:", matches))
    return matches[0]


def describe_size(version: PackVersion) -> str:
    units = list(version.factions.values_list("unit_count", flat=True))
    return f"{len(units)} factions with {sum(units)} units"


def _is_called(version: PackVersion, name: str) -> bool:
    """Compare the label, and the beginning of hash or commit."""
    label, prefix = version.label.casefold(), name.casefold()
    if not prefix:
        return False
    is_commit = bool(_COMMIT.fullmatch(label)) and (label.startswith(prefix) or prefix.startswith(label))
    return is_commit or label == prefix or version.content_hash.startswith(prefix)


def _list_candidates(text: str, versions: list[PackVersion]) -> str:
    lines = [
        f"  {version.short_hash}  {version.game.slug}@{version.label or version.short_hash}"
        f"{' (current)' if version.is_current else ''}"
        for version in versions[:MOST_NAMED]
    ]
    more = [f"  and {len(versions) - MOST_NAMED} more"] if len(versions) > MOST_NAMED else []
    return "\n".join([text, *(lines or ["  none"]), *more])
