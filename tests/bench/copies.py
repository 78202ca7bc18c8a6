"""Fill a database with copies of a game under ids of their own: `python -m tests.bench.copies NUMBER`."""

import sys

import django
from django.core.management import call_command

FACTIONS = 24


def main() -> None:
    django.setup()
    call_command("migrate", verbosity=0)
    for number in range(int(sys.argv[1])):
        import_copy(number)


def import_copy(number: int) -> None:
    """Bring in an invented game with as many factions as people's games have."""
    from tests.catalogue.battlescribe_files import GAME, POND, packed, unit
    from tests.catalogue.import_bytes import import_bytes

    forces = '<forceEntries><forceEntry id="flock" name="Flock" hidden="false"/></forceEntries>'
    files = {"ducks.gst": GAME % forces} | {f"{n}.cat": POND % unit(ident=f"duck{n}") for n in range(FACTIONS)}
    for at, (path, text) in enumerate(files.items()):
        named = text.replace("Ducks and Drakes", f"Ducks {number}").replace("The Pond", f"Pond {at}")
        files[path] = named.replace('"sys"', f'"sys{number}"').replace('"pond"', f'"pond{number}-{at}"')
    assert import_bytes("ducks.zip", packed(dict(files))).version


if __name__ == "__main__":
    main()
