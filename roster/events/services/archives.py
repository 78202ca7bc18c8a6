"""Read hundreds of lists from one file: a ZIP archive with a file per player, or a table with a line per player."""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from roster.formats.list_text import decode_text, simplify_name

MOST_LISTS = 2_000
MOST_MEMBERS = 4_000
LONGEST_LIST = 2 * 2**20
LONGEST_ALL = 128 * 2**20
"""So many bytes of lists are unpacked: small files can hold very large ones."""
PLAYER_COLUMNS = ("player", "playername", "name", "spieler", "joueur", "nom")
LIST_COLUMNS = ("list", "armylist", "armylisttext", "text", "liste", "rosterlist")
TEAM_COLUMNS = ("team", "equipe", "mannschaft")
MAIL_COLUMNS = ("email", "mail", "emailaddress")


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedList:
    """A list among many: whose it is by the file, and its bytes; `wrong` is the code of why it cannot be read."""

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
            for member in _list_members(archive):
                yield _read_member(archive, member)
    except (zipfile.BadZipFile, ValueError, EOFError) as error:
        raise ArchiveError("no-archive") from error


def _list_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """List the lists in an archive; raises ArchiveError where they are too many or too long."""
    members = list(filter(_is_list, archive.infolist()))
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > LONGEST_ALL:
        raise ArchiveError("too-many")
    return members


def _is_list(member: zipfile.ZipInfo) -> bool:
    """Return whether a member of an archive may be a list: systems put files of their own beside them."""
    path = PurePosixPath(member.filename)
    return not member.is_dir() and not path.name.startswith(".") and "__MACOSX" not in path.parts


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> UploadedList:
    path = PurePosixPath(member.filename)
    player, team = path.stem.replace("_", " ").strip(), path.parent.name
    if member.file_size > LONGEST_LIST or member.flag_bits & 1:
        return UploadedList(player=player, name=path.name, team=team, wrong="too-big")
    try:
        with archive.open(member) as file:
            # What the archive says of its own sizes need not be true.
            content = file.read(LONGEST_LIST + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        return UploadedList(player=player, name=path.name, team=team, wrong="unknown-list")
    if len(content) > LONGEST_LIST:
        return UploadedList(player=player, name=path.name, team=team, wrong="too-big")
    return UploadedList(player=player, name=path.name, team=team, data=content)


def _read_table(data: bytes) -> Iterator[UploadedList]:
    rows = parse_table(_decode_table(data))
    columns = _collect_columns(rows)
    player, listed = find_column(columns, PLAYER_COLUMNS), find_column(columns, LIST_COLUMNS)
    if not player or not listed:
        raise ArchiveError("no-archive")
    team, email = find_column(columns, TEAM_COLUMNS), find_column(columns, MAIL_COLUMNS)
    for row in rows:
        content = row.get(listed, "").encode()
        yield UploadedList(player=row.get(player, ""), data=content, team=row.get(team, ""), email=row.get(email, ""))


def _decode_table(data: bytes) -> str:
    text = decode_text(data)
    if text is None or "\x00" in text:
        raise ArchiveError("no-archive")
    return text


def _collect_columns(rows: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the headings of a table by their plain names."""
    headings = rows[0] if rows else ()
    return {simplify_name(heading).replace(" ", ""): heading for heading in headings}


def parse_table(text: str) -> list[dict[str, str]]:
    """Parse a table with a line of headings, as a file or pasted from a page: with commas, semicolons or tabs.

    >>> parse_table("Player;Team\\nAnn;Reeds")
    [{'Player': 'Ann', 'Team': 'Reeds'}]
    """
    head = text.lstrip("\ufeff").partition("\n")[0]
    delimiter = max(("\t", ";", ","), key=head.count)
    csv.field_size_limit(LONGEST_LIST)
    try:
        return list(map(_fill_row, csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter)))
    except csv.Error as error:
        raise ArchiveError("no-archive") from error


def _fill_row(row: Mapping[str | None, str | None]) -> dict[str, str]:
    """Return a row without cells beyond the headings, and with a blank for each that is missing."""
    return {key: value or "" for key, value in row.items() if key is not None}


def find_column(columns: dict[str, str], known: tuple[str, ...]) -> str:
    """Return the heading of the first column that is called one of some names; blank for none."""
    return next((columns[name] for name in known if name in columns), "")
