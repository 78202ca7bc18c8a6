"""Read and write other programs' roster files with the best fitting installed version."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.formats.battlescribe.data_files import unpack_one
from catalogue.formats.battlescribe.limits import MIB, ReadLimits
from catalogue.models import CatalogueDocument, Faction, PackVersion
from catalogue.services.releases import filter_published
from roster.engine.evaluation import Deadline, OverdueError, expire_never
from roster.engine.new_selections import generate_id
from roster.engine.tree import Force, RosterTree, Selection, copy_with
from roster.formats.list_document import Media, Unreadable, build_document, format_json, format_yaml
from roster.formats.list_text import NAME_LENGTH, clean_text, decode_text
from roster.formats.other_files import recognise_other_file
from roster.formats.ros import MadeWith, ReadError, RosterFile, read_ros, write_ros, write_rosz
from roster.formats.ros.json_form import convert_from_json, convert_to_json, is_roster_json
from roster.formats.ros.markup import format_revision
from roster.formats.text.own import TextLength
from roster.models import Roster
from roster.services.evaluation import (
    EvaluatedList,
    encode_outlook,
    encode_tree,
    evaluate_list,
    evaluate_roster,
    recall_outlook,
)
from roster.services.limits import check_history, check_size, get_judging_seconds, start_deadline
from roster.services.list_check import CheckedDocument, check_document
from roster.services.outcomes import Conflict, Outcome, Refused, SavedEdit
from roster.services.owners import Visitor
from roster.services.plans import StoredPlan, get_game_plan, keep_plan, load_plan
from roster.services.revisions import NewRevision, append_revision
from roster.services.rosters import store_roster
from roster.services.texts import TextForm, write_list_table, write_list_text

LIMITS = ReadLimits(archive_bytes=2 * MIB, file_bytes=8 * MIB, members=100, marks=600_000)
"""More than any list needs."""

LONGEST_ID = 64
MADE_ID = 20


class RosterFormat(StrEnum):
    ROSZ = "rosz"
    ROS = "ros"
    YAML = "yaml"
    JSON = "json"
    NEW_RECRUIT_JSON = "nr.json"
    TEXT = "txt"
    TABLE = "csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedRosterFile:
    """`exact` means that the installed data has the file's revisions."""

    file: RosterFile
    version: PackVersion
    faction: Faction
    evaluated_list: EvaluatedList
    exact: bool
    missing: tuple[str, ...] = ()


ImportedList = CheckedDocument | LinkedRosterFile
ImportFailure = Unreadable | ReadError


def is_roster_file(data: bytes) -> bool:
    """Return whether bytes are a `.ros` or `.rosz`. List documents never begin like XML or zip.

    >>> is_roster_file(b"PK..."), is_roster_file(b" <?xml?><roster/>"), is_roster_file(b"list: 1")
    (True, True, False)
    """
    return data.startswith(b"PK") or data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def decode_shared_file(name: str, data: bytes) -> str | None:
    """Unpack a file; None if it is not text or too large."""
    try:
        plain = unpack_one(name or "list.rosz", data, LIMITS, (".ros",)) if data.startswith(b"PK") else data
    except ReadError:
        return None
    return decode_text(plain) if len(plain) <= LIMITS.archive_bytes else None


def read_list_file(
    data: bytes,
    name: str = "roster",
    media: Media = Media.AUTO,
    *,
    tree: bool = False,
    has_account: bool = False,
    reader: int | None = None,
) -> ImportedList | ImportFailure:
    """Read and evaluate any format; return `too-slow` after the time limit.

    An account `reader` may use its private games.
    """
    if code := recognise_other_file(data):
        return Unreadable(code)
    deadline = start_deadline(has_account=has_account)
    try:
        if is_roster_file(data) or is_roster_json(data):
            return link_roster(name, data, tree=tree, deadline=deadline, reader=reader)
        return check_document(data, media, tree=tree, deadline=deadline, reader=reader)
    except OverdueError:
        return Unreadable("too-slow", detail=str(get_judging_seconds(has_account=has_account)))


def link_roster(
    name: str, data: bytes, *, tree: bool = False, deadline: Deadline = expire_never, reader: int | None = None
) -> LinkedRosterFile | ImportFailure:
    """Evaluate a roster file with its data. Raises OverdueError."""
    full_name = name
    if not name.lower().endswith((".ros", ".rosz")):
        full_name += ".rosz" if data.startswith(b"PK") else ".ros"
    try:
        file = read_ros(full_name, convert_from_json(name, data) if is_roster_json(data) else data, LIMITS)
        version = _find_version(file, full_name, reader)
    except ReadError as error:
        return error
    # Uneven amounts can make far more parts than the file has elements.
    refused = check_size(file.roster, 0)
    if refused:
        return Unreadable(refused.code, given=str(refused.measured), detail=str(refused.allowed))

    # The faction of the first force that has one, else the first faction of the data.
    factions = {faction.faction_id: faction for faction in version.factions.all()}
    named = (factions[source.id] for source in file.catalogues if source.id in factions)
    first = next(iter(factions.values()), Faction(version=version, faction_id=file.game_system.id))
    faction = next(named, first)
    # Tidied first, so that the list is evaluated as it will be stored.
    evaluated_list = evaluate_list(version, faction.faction_id, tidy_roster(file.roster), tree=tree, deadline=deadline)
    return LinkedRosterFile(
        file=file,
        version=version,
        faction=faction,
        evaluated_list=evaluated_list,
        exact=_score_version(file, version)[0],
        missing=evaluated_list.missing_names,
    )


def import_list(owner: Visitor, read: ImportedList) -> Roster | Refused:
    evaluated_list = read.evaluated_list
    outlook = encode_outlook(evaluated_list)
    return store_roster(
        owner, read.version, read.faction.faction_id, evaluated_list.tree, game=evaluated_list.game, outlook=outlook
    )


def replace_list(roster: Roster, on_revision: int, read: ImportedList) -> Outcome:
    """Replace a list and, if there is a new one, its plan as one step. Equal documents make no step.

    Refuses `other-faction`.
    """
    version, tree = read.version, read.evaluated_list.tree
    if (version.game_id, read.faction.faction_id) != (roster.version.game_id, roster.faction_id):
        return Refused(code="other-faction")
    if roster.head != on_revision:
        return Conflict(made_on=on_revision, head=roster.head)
    refused = check_history(roster) or check_size(tree, len(encode_tree(tree)), before=roster.tree)
    if refused:
        return refused
    # The verdict of a list does not depend on its plan.
    evaluated_list = evaluate_list(version, roster.faction_id, tree, tree=False)
    evaluated_list = recall_outlook(evaluated_list, encode_outlook(read.evaluated_list))
    # The ids of selections count up in the order of a document, so only the documents can be equal.
    now, was = (
        build_document(evaluated_list.ruleset, one, game=version.game.slug, faction_id=roster.faction_id)
        for one in (tree, roster.tree)
    )
    with transaction.atomic():
        saved: Outcome = SavedEdit(roster=roster, evaluated_list=evaluated_list)
        if version.pk != roster.version_id or now != was:
            saved = append_revision(roster, NewRevision(evaluated_list=evaluated_list, version=version, act="import"))
        if read.evaluated_list.game and isinstance(saved, SavedEdit):
            planned = keep_plan(roster, load_plan(roster).revision, read.evaluated_list.game)
            if not isinstance(planned, StoredPlan):
                # Neither is stored without the other.
                transaction.set_rollback(True)
                return planned
    return saved


def export_list(roster: Roster, form: RosterFormat) -> bytes:
    match form:
        case RosterFormat.TEXT:
            return write_list_text(roster, TextForm(length=TextLength.FULL)).encode()
        case RosterFormat.TABLE:
            return write_list_table(roster).encode("utf-8-sig")
        case RosterFormat.YAML:
            return format_yaml(build_stored_document(roster))
        case RosterFormat.JSON:
            return format_json(build_stored_document(roster))
    evaluated_list = evaluate_roster(roster)
    if form is RosterFormat.ROSZ:
        return write_rosz(evaluated_list.tree, evaluated_list.report, evaluated_list.ruleset.data)
    plain = write_ros(evaluated_list.tree, evaluated_list.report, evaluated_list.ruleset.data)
    return convert_to_json(plain) if form is RosterFormat.NEW_RECRUIT_JSON else plain


def build_stored_document(roster: Roster, evaluated_list: EvaluatedList | None = None) -> dict[str, Any]:
    evaluated_list = evaluated_list or evaluate_roster(roster, tree=False)
    version = roster.version
    return build_document(
        evaluated_list.ruleset,
        evaluated_list.tree,
        get_game_plan(roster),
        game=version.game.slug,
        faction_id=roster.faction_id,
        version=version.short_hash,
    )


# ---- which data -------------------------------------------------------------------------------------------------


def _find_version(file: RosterFile, name: str, reader: int | None) -> PackVersion:
    systems = CatalogueDocument.objects.filter(kind=CatalogueKind.GAME_SYSTEM.value, catalogue_id=file.game_system.id)
    versions = filter_published(reader).filter(documents__in=systems).select_related("game")
    version = max(versions, key=lambda version: _score_version(file, version), default=None)
    if version is None:
        raise _build_unknown_data_error(file.game_system, name)
    return version


def _score_version(file: RosterFile, version: PackVersion) -> tuple[bool, int, int, bool, int]:
    """Rate a version by equal revisions, then by existing catalogues, then by age."""
    revisions = {source.id: source.revision for source in (file.game_system, *file.catalogues)}
    documents = version.documents.filter(catalogue_id__in=revisions).values_list("catalogue_id", "revision")
    same = sum(format_revision(revisions[key]) == format_revision(revision) for key, revision in documents)
    return same == len(revisions), same, len(documents), version.is_current, version.pk


def _build_unknown_data_error(system: MadeWith, name: str) -> ReadError:
    if not system.id:
        return ReadError(
            "unknown-data",
            _("This roster doesn’t say which game it is for."),
            mend=_("Export it again with the program that made it."),
            file=name,
        )
    words = {
        "name": system.name or system.id,
        "id": system.id,
        "revision": system.revision or "?",
        "command": "manage.py import_battlescribe PATH",
    }
    mend = _("The server administrator can install it (game system %(id)s, revision %(revision)s) with: %(command)s")
    return ReadError(
        "unknown-data", _("The data of “%(name)s” is not installed.") % words, mend=mend % words, file=name
    )


# ---- what is in it ----------------------------------------------------------------------------------------------


def tidy_roster(roster: RosterTree) -> RosterTree:
    name = clean_text(roster.name)
    return copy_with(
        roster,
        id=_ensure_plain_id(roster.id),
        name=name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1] + "…",
        notes=clean_text(roster.notes, lines=True),
        forces=tuple(_tidy_force(force) for force in roster.forces),
    )


def _tidy_force(force: Force) -> Force:
    return copy_with(
        force,
        id=_ensure_plain_id(force.id),
        custom_name=clean_text(force.custom_name),
        notes=clean_text(force.notes, lines=True),
        category_notes=tuple(
            copy_with(note, custom_name=clean_text(note.custom_name), notes=clean_text(note.notes, lines=True))
            for note in force.category_notes
        ),
        selections=tuple(_tidy_selection(selection) for selection in force.selections),
        forces=tuple(_tidy_force(inner) for inner in force.forces),
    )


def _tidy_selection(selection: Selection) -> Selection:
    return copy_with(
        selection,
        id=_ensure_plain_id(selection.id),
        custom_name=clean_text(selection.custom_name),
        notes=clean_text(selection.notes, lines=True),
        attachments=tuple(copy_with(a, to_id=_ensure_plain_id(a.to_id)) for a in selection.attachments),
        selections=tuple(_tidy_selection(inner) for inner in selection.selections),
    )


def _ensure_plain_id(ident: str) -> str:
    # Ids go into HTML attributes and addresses.
    plain = ident.isascii() and ident.replace("-", "").replace("_", "").isalnum()
    if plain and len(ident) <= LONGEST_ID:
        return ident
    # A hash maps equal ids alike: attachments refer to them.
    return sha256(ident.encode()).hexdigest()[:MADE_ID] if ident else generate_id()
