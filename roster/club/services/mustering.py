from collections.abc import Iterable, Sequence

from django.db import transaction

from catalogue.graph.ruleset import Ruleset
from catalogue.models import PackVersion
from roster.club.models import CampaignForce, SeasonPlayer
from roster.club.services.seasons import find_list_limit
from roster.club.services.veterans import VeteranState, load_roll
from roster.engine import edits
from roster.engine.new_selections import generate_id
from roster.engine.tree import Force, RosterTree, Selection, copy_with, find_path, prune_attachments, replace_node
from roster.formats.list_text import NOTES_LENGTH
from roster.models import Roster
from roster.services.limits import check_name, parse_amount
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, may_use_data
from roster.services.rosters import distinguish_name, store_roster
from roster.services.rulesets import load_ruleset


def muster_list(
    visitor: Visitor,
    force: CampaignForce,
    veteran_ids: Iterable[int],
    *,
    name: str = "",
    limit: str = "",
    player: SeasonPlayer | None = None,
) -> Roster | Refused:
    """Make a list of some of a force's units, with the data version of the unit last taken from a list.

    A list for a `player` of a season has the season's house rules, and its limit unless `limit` says another. Refuses
    `no-units`, `data-gone`, `bad-number`, `too-long`, `too-large`, `no-room` and `no-bytes`.
    """
    ids, roll = set(veteran_ids), load_roll(force)
    states = [state for state in roll.present if state.veteran.pk in ids]
    if not states:
        return Refused(code="no-units")
    version = find_data(states)
    if version is None or not may_use_data(visitor, version):
        return Refused(code="data-gone", subject_id=force.game_name)
    most, cleaned = parse_amount(limit), check_name(name)
    if isinstance(most, Refused):
        return most
    if isinstance(cleaned, Refused):
        return cleaned
    season = player.season if player else None
    homebrew = season.homebrew.key if season and season.homebrew and not season.homebrew.is_hidden else ""
    if player and most is None:
        most = find_list_limit(player.season, player.pk) or None
    catalogues = {state.unit.catalogue for state in states}
    ruleset = load_ruleset(version, force.faction_id, catalogues, f" {homebrew}" if homebrew else "")
    limits = edits.list_open_limits(ruleset)
    if most is not None and version.points_id:
        limits[version.points_id] = most
    tree = edits.create_roster(ruleset, cleaned or distinguish_name(visitor, force.name), limits=limits).roster
    tree = copy_with(tree, homebrew=homebrew)
    for detachment in dict.fromkeys((state.unit.detachment, state.unit.catalogue) for state in states):
        members = [state for state in states if (state.unit.detachment, state.unit.catalogue) == detachment]
        tree = _add_detachment(
            ruleset, tree, *detachment, [_equip_veteran(state, roll.table.experience) for state in members]
        )
    with transaction.atomic():
        mustered = store_roster(visitor, version, force.faction_id, prune_attachments(tree), act="muster")
        if isinstance(mustered, Roster):
            force.lists.add(mustered)
    return mustered


def list_open_entries(visitor: Visitor, force: CampaignForce) -> list[SeasonPlayer]:
    """List the visitor's entries in seasons of a force's game that are not over."""
    if visitor.user_id is None or force.game_id is None:
        return []
    entries = SeasonPlayer.objects.filter(
        member__user=visitor.user_id, member__left=None, left=None, season__ended=None, season__game=force.game_id
    )
    related = ("season__club", "season__homebrew__origin__homebrew_set", "member")
    return list(entries.select_related(*related).order_by("-season"))


def find_data(states: Iterable[VeteranState]) -> PackVersion | None:
    """Return the newest data version that the units were taken from, None if it is gone."""
    keys = {state.unit.version for state in states}
    return PackVersion.objects.select_related("game").filter(pk__in=keys).order_by("-pk").first()


def _add_detachment(
    ruleset: Ruleset, tree: RosterTree, entry_id: str, catalogue_id: str, selections: Sequence[Selection]
) -> RosterTree:
    added = edits.add_force(ruleset, tree, entry_id, catalogue_id)
    if isinstance(added, Refused):
        # The list's report names the parts that the data lacks.
        force = Force(id=generate_id(), entry_id=entry_id, catalogue_id=catalogue_id, selections=tuple(selections))
        return copy_with(tree, forces=(*tree.forces, force))
    path = find_path(added.roster, added.created[0])
    force = next(one for one in added.roster.forces if one.id == added.created[0])
    # A unit that the detachment brings along is one of the force's.
    mustered = {selection.entry_id for selection in selections}
    others = [one for one in force.selections if one.entry_id not in mustered]
    return replace_node(path, copy_with(force, selections=(*others, *selections)))


def _equip_veteran(state: VeteranState, experience: str) -> Selection:
    name = "" if state.name == state.unit.name else state.name
    return copy_with(state.unit.selection, custom_name=name, notes=write_record(state, experience))


def write_record(state: VeteranState, experience: str) -> str:
    """Write a unit's ledger in one line: "Blooded · 5 xp · Mud runners · Limping · +4"."""
    parts = [state.rank.name if state.rank else "", f"{state.experience} {experience}" if state.experience else ""]
    parts += [mark.name for mark in (*state.honours, *state.injuries)]
    parts += [f"{name} {number}" for name, number in state.counted]
    parts.append(f"{state.cost:+d}" if state.cost else "")
    return " · ".join(filter(None, parts))[:NOTES_LENGTH]
