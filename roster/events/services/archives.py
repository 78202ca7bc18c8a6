"""Read hundreds of lists from one file: a ZIP archive with a file per player, or a table with a line per player."""

import csv
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from roster.formats.list_text import decode_text, simplify_name

MOST_LISTS = 2_000
MOST_MEMBERS = 4_000
LONGEST_LIST = 2 * 2**20
LONGEST_ALL = 128 * 2**20
"""At most this many bytes of lists are unpacked: small files can hold very large ones."""
PLAYER_COLUMNS = ("player", "playername", "name", "spieler", "joueur", "nom")
LIST_COLUMNS = ("list", "armylist", "armylisttext", "text", "liste", "rosterlist")
TEAM_COLUMNS = ("team", "equipe", "mannschaft")
MAIL_COLUMNS = ("email", "mail", "emailaddress")


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedList:
    """A list among many, with its player as the file names them; `wrong` is the code of why it cannot be read."""

    player: str
    data: bytes = b""
    name: str = "list"
    team: str = ""
    email: str = ""
    wrong: str = ""


class ArchiveError(Exception):
    """Carries the code of why a file contains no lists."""


def read_many_lists(data: bytes) -> list[UploadedList]:
    """Return the lists in a ZIP archive or a table; raises ArchiveError for anything else."""
    lists = list(_read_zip(data) if data.startswith(b"PK") else _read_table(data))
    if not lists:
        raise ArchiveError("empty-archive")
    if len(lists) > MOST_LISTS:
        raise ArchiveError("too-many")
    return lists


def _read_zip(data: bytes) -> Iterator[UploadedList]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = list(filter(_is_list, archive.infolist()))
            if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > LONGEST_ALL:
                raise ArchiveError("too-many")
            for member in members:
                yield _read_member(archive, member)
    except (zipfile.BadZipFile, ValueError, EOFError) as error:
        raise ArchiveError("no-archive") from error


def _is_list(member: zipfile.ZipInfo) -> bool:
    # Operating systems add files of their own to archives.
    path = PurePosixPath(member.filename)
    return not member.is_dir() and not path.name.startswith(".") and "__MACOSX" not in path.parts


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> UploadedList:
    path = PurePosixPath(member.filename)
    player, team = path.stem.replace("_", " ").strip(), path.parent.name
    if member.file_size > LONGEST_LIST or member.flag_bits & 1:
        return UploadedList(player=player, name=path.name, team=team, wrong="too-big")
    try:
        with archive.open(member) as file:
            # The sizes that an archive states need not be true.
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
    rows = parse_table(text)
    headings = rows[0] if rows else ()
    columns = {simplify_name(heading).replace(" ", ""): heading for heading in headings}
    player, listed = find_column(columns, PLAYER_COLUMNS), find_column(columns, LIST_COLUMNS)
    if not player or not listed:
        raise ArchiveError("no-archive")
    team, email = find_column(columns, TEAM_COLUMNS), find_column(columns, MAIL_COLUMNS)
    for row in rows:
        content = row.get(listed, "").encode()
        yield UploadedList(player=row.get(player, ""), data=content, team=row.get(team, ""), email=row.get(email, ""))


def parse_table(text: str) -> list[dict[str, str]]:
    """Parse a table with a line of headings, as a file or pasted from a page: with commas, semicolons or tabs.

    Cells beyond the headings are left out, and missing cells are "".

    >>> parse_table("Player;Team\\nAnn;Reeds")
    [{'Player': 'Ann', 'Team': 'Reeds'}]
    """
    plain = text.lstrip("\ufeff")
    head = plain.partition("\n")[0]
    delimiter = max(("\t", ";", ","), key=head.count)
    csv.field_size_limit(LONGEST_LIST)
    rows: list[dict[str, str]] = []
    try:
        for row in csv.DictReader(io.StringIO(plain, newline=""), delimiter=delimiter):
            # The reader puts cells beyond the headings under None.
            rows.append({key: value or "" for key, value in row.items() if key is not None})
    except csv.Error as error:
        raise ArchiveError("no-archive") from error
    return rows


def find_column(columns: dict[str, str], known: tuple[str, ...]) -> str:
    """Return the heading of the first of the known names that is a column, or ""."""
    return next((columns[name] for name in known if name in columns), "")
