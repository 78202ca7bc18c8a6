import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from roster.events.services.list_tables import TableError, read_list_table
from roster.formats.list_text import decode_text, simplify_name
from roster.formats.other_files import OTHER_ENDINGS, recognise_other_file

MOST_LISTS = 2_000
MOST_MEMBERS = 4_000
LONGEST_LIST = 2 * 2**20
LONGEST_ALL = 128 * 2**20
"""The most bytes to unpack, because a small archive can expand to a very large one."""
_GENERAL = """
a armee armeeliste armeelisten armies army armylist copy d de document export file final for ihre la le list liste
listen listes lists ma meine mon my neu neue new nouvelle notes of roster rosters submission submissions text the
tournament turnier tournoi untitled upload v your
"""
GENERAL_WORDS = frozenset(_GENERAL.split())
"""Words in file names that describe the file and not its player."""
SYSTEM_FILES = frozenset(("thumbs.db", "desktop.ini"))
NO_LIST = "no-list"
"""The code for a player in a table who has no list."""
BESIDE_A_LIST = "beside-a-list"
"""The code for a file that is ignored because another file of its player is a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedList:
    """A list from an archive or table. `wrong` is the code of the reason if it cannot be read."""

    player: str
    data: bytes = b""
    name: str = "list"
    team: str = ""
    email: str = ""
    faction: str = ""
    wrong: str = ""


class ArchiveError(Exception):
    """The file has no lists. The message is the reason's code."""


def read_many_lists(data: bytes, *, has_teams: bool = False) -> list[UploadedList]:
    """Read the lists in a ZIP archive or a table. Raises ArchiveError.

    If `has_teams`, a folder with a single file may be a team.
    """
    if code := recognise_other_file(data):
        raise ArchiveError(code)
    lists = list(_read_zip(data, has_teams=has_teams) if data.startswith(b"PK") else _read_table(data))
    if not lists:
        raise ArchiveError("empty-archive")
    if len(lists) > MOST_LISTS:
        raise ArchiveError("too-many")
    return lists


def _read_zip(data: bytes, *, has_teams: bool) -> Sequence[UploadedList]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = list(filter(_is_list, archive.infolist()))
            if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > LONGEST_ALL:
                raise ArchiveError("too-many")
            paths = [_find_path(member) for member in members]
            folders = find_player_folders(paths, has_teams=has_teams)
            return mark_extras(_read_member(archive, member, folders) for member in members)
    except (zipfile.BadZipFile, ValueError, EOFError) as error:
        raise ArchiveError("no-archive") from error


def _is_list(member: zipfile.ZipInfo) -> bool:
    path = _find_path(member)
    is_hidden = path.name.startswith((".", "~$")) or path.name.lower() in SYSTEM_FILES
    return not member.is_dir() and not is_hidden and "__MACOSX" not in path.parts


def _find_path(member: zipfile.ZipInfo) -> PurePosixPath:
    # Some Windows programs write backslashes.
    return PurePosixPath(member.filename.replace("\\", "/"))


def find_player_folders(paths: Iterable[PurePosixPath], *, has_teams: bool) -> set[PurePosixPath]:
    """Return the folders named after a player, which hold a file with a general name such as `list.txt`.

    Without teams, all folders are players' folders if each holds a single file.
    """
    folders: defaultdict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
    for path in paths:
        folders[path.parent].append(path)
    named = {folder: members for folder, members in folders.items() if not is_general_name(folder.name)}
    lists = {
        folder: [path for path in members if path.suffix.lower() not in OTHER_ENDINGS] or members
        for folder, members in named.items()
    }
    is_one_each = not has_teams and len(lists) > 1 and all(len(members) == 1 for members in lists.values())
    return {
        folder
        for folder, members in lists.items()
        if is_one_each
        or (any(is_general_name(path.stem) for path in named[folder]) and sum(map(_names_a_player, members)) <= 1)
    }


def _names_a_player(path: PurePosixPath) -> bool:
    return not is_general_name(path.stem)


def is_general_name(name: str) -> bool:
    """Return whether a name says nothing about a player.

    >>> is_general_name("My list (2)"), is_general_name("Armée_v3"), is_general_name("Ann"), is_general_name("")
    (True, True, False, True)
    """
    words = simplify_name(name).split()
    return all(word in GENERAL_WORDS or word.lstrip("v").isdecimal() for word in words)


def find_player_name(path: PurePosixPath, folders: Iterable[PurePosixPath]) -> tuple[str, str]:
    """Return the player and the team of a file in an archive, or "".

    Form services append the sender's name to the file name.

    >>> find_player_name(PurePosixPath("Reeds/army list - Ann Smith.txt"), ())
    ('Ann Smith', 'Reeds')
    """
    if path.parent in folders:
        return path.parent.name.replace("_", " ").strip(), path.parent.parent.name
    parts = [part for part in path.stem.replace("_", " ").split(" - ") if not is_general_name(part)]
    return " - ".join(parts).strip(), path.parent.name


def mark_extras(lists: Iterable[UploadedList]) -> list[UploadedList]:
    marked = list(lists)
    codes = [recognise_other_file(one.data) for one in marked]
    with_list = {(one.player, one.team) for one, code in zip(marked, codes, strict=True) if one.data and not code}
    return [
        replace(one, wrong=BESIDE_A_LIST) if code and one.player and (one.player, one.team) in with_list else one
        for one, code in zip(marked, codes, strict=True)
    ]


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, folders: set[PurePosixPath]) -> UploadedList:
    path = _find_path(member)
    player, team = find_player_name(path, folders)
    if member.file_size > LONGEST_LIST or member.flag_bits & 1:
        return UploadedList(player=player, name=path.name, team=team, wrong="too-big")
    try:
        with archive.open(member) as file:
            # The size that an archive states can be wrong.
            content = file.read(LONGEST_LIST + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        return UploadedList(player=player, name=path.name, team=team, wrong="unknown-list")
    if len(content) > LONGEST_LIST:
        return UploadedList(player=player, name=path.name, team=team, wrong="too-big")
    return UploadedList(player=player, name=path.name, team=team, data=content)


def _read_table(data: bytes) -> Iterator[UploadedList]:
    text = decode_text(data)
    if text is None or "\x00" in text:
        raise ArchiveError("no-archive")
    try:
        rows = read_list_table(text)
    except TableError as error:
        raise ArchiveError(str(error)) from error
    for row in rows:
        wrong = "" if row.text else NO_LIST
        yield UploadedList(
            player=row.player, data=row.text.encode(), team=row.team, email=row.email, faction=row.faction, wrong=wrong
        )
