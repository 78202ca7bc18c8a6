"""Start, find, copy and store lists, and load example lists."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.identity import shorten_faction_name
from catalogue.definitions.numbers import Number, format_number
from catalogue.models import PackVersion
from catalogue.services.edge import CATALOGUE, HOUSE_RULES, LISTS, PLAYERS, make_key
from catalogue.services.published_games import identify_catalogue
from roster.engine import edits as engine
from roster.engine.evaluation import Deadline, expire_never
from roster.engine.plan import GamePlan
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree, copy_with
from roster.formats.list_document import Media, Unreadable
from roster.formats.list_text import NAME_LENGTH
from roster.models import Roster
from roster.models.homebrew import VERSION_MARK
from roster.models.roster import FIRST_REVISION
from roster.services.evaluation import (
    EvaluatedList,
    encode_tree,
    evaluate_list,
    evaluate_with,
    recall_outlook,
    summarize_list,
)
from roster.services.limits import check_name, check_room, check_size
from roster.services.list_check import CheckedDocument, check_document
from roster.services.outcomes import Refused
from roster.services.owners import (
    NOBODY,
    Visitor,
    filter_owned,
    find_own,
    find_readable,
    find_thing,
    is_owner,
    is_public_id,
    match_unowned,
    may_read,
    may_use_data,
)
from roster.services.plans import get_game_plan, store_new_plan
from roster.services.revisions import NewRevision, build_revision, store_revision_outlook
from roster.services.rulesets import HOMEBREW_MARK, find_homebrew, load_ruleset
from roster.services.sizes import list_game_limits

EXAMPLE, STARTER = "example", "starter"
"""A starter is an army to play, an example shows a rule."""
SHORTEST_BASE = 80
"""A name keeps at least this many characters when a number is appended."""
PLAN_STATE = ("revision", "document")
PLAYER = "owner__player_name__name"


def find_roster(public_id: str) -> Roster:
    """Find a list without checking the visitor. Raises Roster.DoesNotExist."""
    return find_thing(_select_whole(), public_id=public_id)


def find_owned_roster(public_id: str, owner: Visitor) -> Roster:
    """Find the owner's list. Raises Roster.DoesNotExist."""
    return find_own(owner, _select_whole(), public_id)


def find_edited_roster(public_id: str, owner: Visitor) -> Roster:
    """Find a list without its plan and its owner's name. Raises Roster.DoesNotExist."""
    return find_own(owner, Roster.objects.filter(binned=None).select_related("version__game"), public_id)


def find_readable_roster(link_id: str, reader: Visitor) -> Roster:
    """Find the list at a link if `reader` may see it. Raises Roster.DoesNotExist."""
    return find_readable(reader, _select_whole(), link_id)


class IdentifiedList(NamedTuple):
    """A list without related rows, and its state as `identify_list` returns it."""

    roster: Roster
    state: dict[str, object]


@cache
def _compose_identity() -> str:
    """Compile the query once, because every request for a public list or for an unchanged list runs it."""
    columns = [field.attname for field in Roster._meta.concrete_fields]
    plan = {f"plan_{name}": F(f"plan__{name}") for name in PLAN_STATE}
    rows = Roster.objects.order_by().filter(binned=None, link_id="").values(*columns, **plan, player=F(PLAYER))
    sql, _parameters = rows.query.sql_with_params()
    return str(sql)


def find_identified_list(link_id: str, reader: Visitor) -> IdentifiedList:
    """Find a list that `reader` may see, and identify everything on its page. Raises Roster.DoesNotExist."""
    rows = list(Roster.objects.raw(_compose_identity(), [link_id])) if is_public_id(link_id) else []
    if not rows or not may_read(reader, rows[0]):
        raise Roster.DoesNotExist
    row: Any = rows[0]
    plan = [getattr(row, f"plan_{name}") for name in PLAN_STATE]
    return IdentifiedList(row, _build_state(row, plan, row.player or ""))


def identify_list(roster: Roster) -> dict[str, object]:
    """Identify everything on a list's page, by surrogate key; equal states give equal pages."""
    plan = getattr(roster, "plan", None)
    return _build_state(roster, [getattr(plan, name, None) for name in PLAN_STATE], roster.player_name)


def _build_state(roster: Roster, plan: list[object], player_name: str) -> dict[str, object]:
    columns = [getattr(roster, field.attname) for field in roster._meta.concrete_fields]
    key = make_key(LISTS, roster.pk)
    state: dict[str, object] = {key: (roster.head, columns, plan), CATALOGUE: identify_catalogue()}
    if roster.owner_id is not None:
        state[make_key(PLAYERS, roster.owner_id)] = player_name
    # Staff may hide house rules without changing the list. Most lists have none, and reading a document takes time.
    if HOMEBREW_MARK in roster.document and (key := roster.tree.homebrew):
        published = find_homebrew(key)
        state[make_key(HOUSE_RULES, key.partition(VERSION_MARK)[0])] = published and published.content_hash
        if published is not None:
            state[make_key(PLAYERS, published.homebrew_set.owner_id)] = published.homebrew_set.author
    return state


def list_rosters(owner: Visitor) -> QuerySet[Roster]:
    """List an owner's lists outside the bin, without documents."""
    return filter_owned(owner, Roster.objects.filter(binned=None).select_related("version__game").defer("document"))


def _select_whole() -> QuerySet[Roster]:
    return Roster.objects.filter(binned=None).select_related("version__game", "plan", "owner__player_name")


def start_roster(
    owner: Visitor,
    version: PackVersion,
    faction_id: str,
    name: str = "",
    limits: Mapping[str, Number] | None = None,
    overlay: str = "",
) -> Roster | Refused:
    """Start an empty list of a faction; `limits` by cost type id override the game's.

    An unnamed list gets faction and size: "Necrons 1000". If community data leaves the limit to the players, the usual
    limit is set, if any.
    """
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    ruleset = load_ruleset(version, faction_id, rules=overlay)
    faction = ruleset.binding.by_id.get(faction_id)
    if faction is None or not (
        faction.kind is CatalogueKind.FACTION or version.factions.filter(faction_id=faction.id).exists()
    ):
        return Refused(code="unknown-faction", subject_id=faction_id)
    for type_id in limits or ():
        if type_id not in ruleset.binding.cost_types:
            return Refused(code="unknown-cost-type", subject_id=type_id)

    open_limits = engine.list_open_limits(ruleset)
    if version.points_id in open_limits:
        usual = list_game_limits(ruleset.binding.game_system, version.points_id)
        open_limits |= {version.points_id: usual[0]} if usual else {}
    started = engine.create_roster(ruleset, cleaned, limits={**open_limits, **(limits or {})})
    if not cleaned:
        sizes = [format_number(limit.value) for limit in started.roster.limits if limit.type_id == version.points_id]
        cleaned = distinguish_name(owner, " ".join((shorten_faction_name(faction.name), *sizes)))
    tree = copy_with(started.roster, name=cleaned, overlay=overlay, faction=faction_id)
    return _store_roster(owner, version, faction_id, evaluate_with(ruleset, tree, tree=False), act="start")


def distinguish_name(owner: Visitor, name: str) -> str:
    """Make a name unique among the owner's lists: "Necrons 1000 (2)"."""
    mine = filter_owned(owner, Roster.objects.filter(binned=None))
    taken = set(mine.filter(name__startswith=name[:SHORTEST_BASE]).values_list("name", flat=True))
    if name not in taken:
        return name
    numbered = (_append_to_name(name, f" ({number})") for number in count(2))
    return next(candidate for candidate in numbered if candidate not in taken)


def _append_to_name(name: str, mark: str) -> str:
    return name[: NAME_LENGTH - len(mark)] + mark


def store_roster(
    owner: Visitor,
    version: PackVersion,
    faction_id: str,
    tree: RosterTree,
    *,
    act: str = "import",
    public_id: str = "",
    game: GamePlan | None = None,
    outlook: str = "",
    deadline: Deadline = expire_never,
) -> Roster | Refused:
    """Store a list from elsewhere, with the `outlook` of an earlier look-ahead.

    Refuses `too-large`. Raises OverdueError.
    """
    refused = check_size(tree, len(encode_tree(tree)))
    if refused:
        return refused
    evaluated_list = recall_outlook(evaluate_list(version, faction_id, tree, tree=False, deadline=deadline), outlook)
    return _store_roster(owner, version, faction_id, evaluated_list, act=act, public_id=public_id, game=game)


def copy_roster(roster: Roster, owner: Visitor, name: str = "") -> Roster | Refused:
    """Copy a list with its plan to a new list of the owner.

    A copy of another owner's list keeps its name and is counted. A copy of one's own hidden list is hidden too.
    Another's private game is refused, because a copy opens all of it.
    """
    if not may_use_data(owner, roster.version):
        return Refused(code="private-game")
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    is_own = is_owner(owner, roster)
    if not cleaned:
        name = _append_to_name(roster.name, " " + _("(copy)")) if is_own else roster.name
        cleaned = distinguish_name(owner, name)
    tree = copy_with(roster.tree, name=cleaned)
    evaluated_list = recall_outlook(evaluate_list(roster.version, roster.faction_id, tree, tree=False), roster.outlook)
    with transaction.atomic():
        copied = _store_roster(
            owner,
            roster.version,
            roster.faction_id,
            evaluated_list,
            act="copy",
            subject=roster.name,
            game=get_game_plan(roster),
            hidden=roster.taken_down and is_own,
        )
        if isinstance(copied, Roster) and not is_own:
            Roster.objects.filter(pk=roster.pk).update(times_copied=F("times_copied") + 1)
    return copied


def _store_roster(
    owner: Visitor,
    version: PackVersion,
    faction_id: str,
    evaluated_list: EvaluatedList,
    *,
    act: str,
    subject: str = "",
    public_id: str = "",
    game: GamePlan | None = None,
    hidden: bool = False,
) -> Roster | Refused:
    full = check_room(owner, Roster)
    if full:
        return full
    document = encode_tree(evaluated_list.tree)
    roster = Roster(**owner.fields, version=version, faction_id=faction_id, document=document, taken_down=hidden)
    if public_id:
        roster.public_id = public_id
    summary = summarize_list(evaluated_list)
    for field, value in summary.items():
        setattr(roster, field, value)
    step = NewRevision(evaluated_list=evaluated_list, version=version, act=act, subject=subject)
    revision = build_revision(roster, step, summary, document, number=FIRST_REVISION, parent=0)
    roster.written = revision.stored
    # In one transaction: a list without history cannot be edited.
    with transaction.atomic():
        roster.save()
        revision.roster = roster
        revision.save()
        store_revision_outlook(revision, evaluated_list)
        if game:
            store_new_plan(roster, game)
    return roster


def list_examples() -> QuerySet[Roster]:
    return Roster.objects.filter(match_unowned()).select_related("version__game").defer("document").order_by("name")


def list_starters() -> QuerySet[Roster]:
    return list_examples().filter(revisions__act=STARTER)


def find_example_files(packs: Path) -> Iterator[Path]:
    """Yield the list documents of all packs, `<game>/<edition>/lists/*.yaml`, in order."""
    return iter(sorted(packs.glob("*/*/lists/*.yaml")))


def load_example(path: Path, packs: Path) -> Roster | Unreadable | Refused | None:
    """Store a changed file's list; return None if it is meant to be illegal.

    Its address depends only on the path, so that links stay valid.
    """
    checked = check_document(path.read_bytes(), Media.YAML)
    if isinstance(checked, Unreadable):
        return checked
    if checked.document.expected.verdict not in ("", Verdict.LEGAL.value):
        return None
    public_id = _derive_address(path, packs)
    act = STARTER if checked.document.expected.starter else EXAMPLE
    stored = Roster.objects.select_related("version").filter(public_id=public_id).first()
    # Only the first act tells starters from examples.
    if stored is not None and _is_unchanged(stored, checked) and stored.revisions.filter(act=act).exists():
        return stored
    # An example has no owner and no history worth keeping.
    with transaction.atomic():
        if stored is not None:
            stored.delete()
        return store_roster(
            NOBODY,
            checked.version,
            checked.faction.faction_id,
            checked.evaluated_list.tree,
            act=act,
            public_id=public_id,
            game=checked.evaluated_list.game,
        )


def forget_examples(packs: Path) -> None:
    addresses = [_derive_address(path, packs) for path in find_example_files(packs)]
    Roster.objects.filter(match_unowned()).exclude(public_id__in=addresses).delete()


def _derive_address(path: Path, packs: Path) -> str:
    place = path.relative_to(packs).as_posix()
    return urlsafe_b64encode(sha256(f"example:{place}".encode()).digest())[:22].decode()


def _is_unchanged(stored: Roster, checked: CheckedDocument) -> bool:
    new = (checked.version.pk, checked.faction.faction_id, encode_tree(checked.evaluated_list.tree))
    planned = get_game_plan(stored)
    game = copy_with(planned, names={}) if planned else None
    return (stored.version_id, stored.faction_id, stored.document) == new and game == checked.evaluated_list.game
