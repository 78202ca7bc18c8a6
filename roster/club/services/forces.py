from collections.abc import Callable, Iterable, Mapping
from itertools import count

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from catalogue.definitions.numbers import format_number
from catalogue.graph.ids import get_target_id
from catalogue.models import Faction, GameSystem
from roster.club.campaign_table import MOST_AMOUNT, CampaignTable, read_campaign
from roster.club.models import CampaignForce, CountedGame, LedgerEntry, LedgerKind, Veteran
from roster.club.models.forces import CAMPAIGN_LENGTH, STORY_LENGTH
from roster.club.services.campaigns import load_ready_campaigns
from roster.club.services.veterans import UnitSnapshot, encode_snapshot, find_undone, load_roll
from roster.engine.report import EffectiveForce, EffectiveSelection
from roster.engine.tree import Selection, copy_with, find_node
from roster.formats.list_document import Unreadable
from roster.formats.list_text import NAME_LENGTH
from roster.models import Roster
from roster.pdf.listed_units import count_models, get_type_name
from roster.pdf.paper_text import choose_money, describe_options
from roster.services.evaluation import EvaluatedList, get_cost_value, lend_evaluation
from roster.services.faces import load_faction
from roster.services.limits import check_name, check_room, check_text
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, find_own, find_readable

MOST_VETERANS = 200
MOST_ENTRIES = 5_000
COUNTED_KINDS = (LedgerKind.EXPERIENCE, LedgerKind.KILLS, LedgerKind.COUNTER)
MARKS = (LedgerKind.HONOUR, LedgerKind.INJURY)


def list_forces(visitor: Visitor) -> QuerySet[CampaignForce]:
    return filter_owned(visitor, CampaignForce.objects.select_related("game"))


def find_own_force(public_id: str, visitor: Visitor) -> CampaignForce:
    """Return the visitor's force. Raises CampaignForce.DoesNotExist."""
    return find_own(visitor, CampaignForce.objects.select_related("game"), public_id)


def find_readable_force(link_id: str, visitor: Visitor) -> CampaignForce:
    """Return a link's force. Raises CampaignForce.DoesNotExist."""
    return find_readable(visitor, CampaignForce.objects.select_related("game"), link_id)


def find_force_face(force: CampaignForce) -> Faction | None:
    """Return the faction in current data, for its colours; None if the game is gone."""
    game = force.game
    version_id = (game.current_id or game.private_version_id) if game else None
    return Faction.objects.filter(version=version_id, faction_id=force.faction_id).first() if version_id else None


def start_force(
    visitor: Visitor, game: GameSystem, faction_id: str, name: str, campaign: str = ""
) -> CampaignForce | Refused:
    """Start a force with a ready campaign, by its key, or without one.

    Without a name, it gets the faction's. Refuses `unknown-faction`, `unknown-campaign`, `too-long` and `no-room`.
    """
    version_id = game.current_id or game.private_version_id
    faction = Faction.objects.filter(version=version_id, faction_id=faction_id).first()
    if faction is None:
        return Refused(code="unknown-faction", subject_id=faction_id)
    texts = {ready.key: ready.text for ready in load_ready_campaigns()} | {"": ""}
    if campaign not in texts:
        return Refused(code="unknown-campaign", subject_id=campaign)
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if full := check_room(visitor, CampaignForce):
        return full
    return CampaignForce.objects.create(
        game=game,
        game_name=str(game),
        faction_id=faction_id,
        name=cleaned or faction.heading,
        campaign=texts[campaign],
        **visitor.fields,
    )


def rename_force(force: CampaignForce, name: str) -> Refused | None:
    """Refuses `no-name` and `too-long`."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-name")
    CampaignForce.objects.filter(pk=force.pk).update(name=cleaned)
    return None


def set_campaign(force: CampaignForce, text: str) -> Refused | Unreadable | None:
    """Replace a force's campaign table; its ledger stays. A blank text removes the table."""
    if len(text) > CAMPAIGN_LENGTH:
        return Refused(code="too-long", measured=len(text), allowed=CAMPAIGN_LENGTH)
    if text.strip():
        table = read_campaign(text)
        if not isinstance(table, CampaignTable):
            return table
    force.campaign = text if text.strip() else ""
    CampaignForce.objects.filter(pk=force.pk).update(campaign=force.campaign)
    return None


def delete_force(force: CampaignForce) -> None:
    CampaignForce.objects.filter(pk=force.pk).delete()


# ---- units -----------------------------------------------------------------------------------------------------------


def list_units_of(roster: Roster) -> list[UnitSnapshot]:
    with lend_evaluation(roster) as evaluated_list:
        return take_snapshots(roster, evaluated_list)


def take_snapshots(roster: Roster, evaluated_list: EvaluatedList) -> list[UnitSnapshot]:
    faces = load_faction(roster.version_id, roster.faction_id)
    beside, money = evaluated_list.setting_ids, choose_money(evaluated_list.report.costs)
    units = []

    def take_one(force: EffectiveForce, node: EffectiveSelection, selection: Selection) -> UnitSnapshot:
        points = get_cost_value(node.totals, evaluated_list.points_id)
        type_name = get_type_name(node)
        return UnitSnapshot(
            version=roster.version_id,
            detachment=force.entry_id,
            catalogue=force.catalogue_id,
            entry=node.entry_id,
            name=node.name[:NAME_LENGTH],
            type=type_name,
            emblem=faces.find_face(node.entry_id, type_name).emblem,
            models=max(1, count_models(node)),
            points=format_number(points or 0),
            options=tuple(describe_options(node, money)),
            selection=selection,
        )

    for force in evaluated_list.report.walk_forces():
        for node in force.selections:
            selection = find_node(evaluated_list.tree, node.id)
            is_deck = get_target_id(node.entry_id) in evaluated_list.deck_ids
            if isinstance(selection, Selection) and not is_deck and node.id not in beside:
                units.append(take_one(force, node, selection))
    return units


def add_units(force: CampaignForce, roster: Roster, selection_ids: Iterable[str]) -> int | Refused:
    """Let a list's units join a force, or update the gear of units already in it.

    Returns the number of units that joined or changed. Refuses `other-force`, `no-units` and `too-many`.
    """
    if (roster.version.game_id, roster.faction_id) != (force.game_id, force.faction_id):
        return Refused(code="other-force")
    chosen = set(selection_ids)
    units = [unit for unit in list_units_of(roster) if unit.selection.id in chosen]
    if not units:
        return Refused(code="no-units")
    with transaction.atomic():
        held = _lock(force)
        roll = load_roll(held)
        states = {state.veteran.selection_id: state for state in roll.veterans}
        taken = {state.name for state in roll.veterans}
        veterans_by_id = {veteran.selection_id: veteran for veteran in held.veterans.all()}
        new = [unit for unit in units if unit.selection.id not in veterans_by_id]
        if len(veterans_by_id) + len(new) > MOST_VETERANS:
            return Refused(code="too-many", allowed=MOST_VETERANS, measured=len(veterans_by_id) + len(new))
        names = {unit.selection.id: unit.selection.custom_name for unit in units}
        entries = []
        for unit in map(_strip_names, units):
            selection_id = unit.selection.id
            state, document = states.get(selection_id), encode_snapshot(unit)
            if state and state.unit == unit:
                continue
            if state:
                text = f"{state.unit.points} → {unit.points}" if state.unit.points != unit.points else ""
                entries.append(LedgerEntry(veteran=state.veteran, kind=LedgerKind.REFIT, text=text, document=document))
                continue
            # A unit whose joining was undone joins again with the ledger it had.
            veteran = veterans_by_id.get(selection_id) or Veteran.objects.create(force=held, selection_id=selection_id)
            name = _distinguish(names[selection_id] or unit.name, taken)
            taken.add(name)
            entries.append(LedgerEntry(veteran=veteran, kind=LedgerKind.JOINED, name=name, document=document))
        refused = _append(held, entries) if entries else None
    return refused or len(entries)


def _strip_names(unit: UnitSnapshot) -> UnitSnapshot:
    """Return a unit without its list's name and notes, which the ledger has."""
    return copy_with(unit, selection=copy_with(unit.selection, custom_name="", notes=""))


def _distinguish(name: str, taken: set[str]) -> str:
    """Return a name that no unit of the force has: "Cutters", then "Cutters 2"."""
    name = name[: NAME_LENGTH - 4]
    if name not in taken:
        return name
    return next(numbered for number in count(2) if (numbered := f"{name} {number}") not in taken)


# ---- the ledger ------------------------------------------------------------------------------------------------------


def write_entry(
    force: CampaignForce,
    veteran_id: int,
    kind: str,
    *,
    name: str = "",
    amount: int = 0,
    cost: int | None = None,
    text: str = "",
) -> Refused | None:
    """Write a row into a unit's ledger.

    Honours and injuries from the campaign's table have its costs, unless `cost` is given. Refuses `bad-change` for
    unknown kinds and units, `no-name`, `same-name`, `bad-number`, `too-long`, `too-many` and `not-injured`.
    """
    cleaned = check_name(name)
    cleaned_text = check_text(text, STORY_LENGTH, lines=True, subject="notes")
    if isinstance(cleaned, Refused):
        return cleaned
    if isinstance(cleaned_text, Refused):
        return cleaned_text
    if kind not in LedgerKind.values or kind in (LedgerKind.JOINED, LedgerKind.REFIT, LedgerKind.GAME, LedgerKind.UNDO):
        return Refused(code="bad-change")
    if kind in COUNTED_KINDS and not 0 < abs(amount) <= MOST_AMOUNT:
        return Refused(code="bad-number")
    if cost is not None and abs(cost) > MOST_AMOUNT:
        return Refused(code="bad-number")
    if kind in (LedgerKind.NAME, LedgerKind.COUNTER, LedgerKind.HEALED, *MARKS) and not cleaned:
        return Refused(code="no-name")
    with transaction.atomic():
        held = _lock(force)
        roll = load_roll(held)
        state = roll.find(veteran_id)
        if state is None:
            return Refused(code="bad-change")
        entry = LedgerEntry(veteran=state.veteran, kind=kind, name=cleaned, amount=amount, text=cleaned_text)
        if kind == LedgerKind.NAME and any(cleaned == other.name for other in roll.veterans if other is not state):
            return Refused(code="same-name", subject_id=cleaned)
        if kind in MARKS:
            entry = build_mark(roll.table, entry, cost)
        if kind == LedgerKind.HEALED:
            injury = next((one for one in state.injuries if one.name == cleaned), None)
            if injury is None:
                return Refused(code="not-injured", subject_id=cleaned)
            entry.cost = -injury.cost
        return _append(held, [entry])


def build_mark(table: CampaignTable, entry: LedgerEntry, cost: int | None = None) -> LedgerEntry:
    """Complete an honour or injury with the cost and text of the campaign's table."""
    mark = table.find_honour(entry.name) if entry.kind == LedgerKind.HONOUR else table.find_injury(entry.name)
    entry.cost = cost if cost is not None else mark.cost if mark else 0
    entry.text = entry.text or (mark.text if mark else "")
    return entry


def append_entries(
    force: CampaignForce, build: Callable[[CampaignForce], list[LedgerEntry] | Refused]
) -> int | Refused:
    """Write the rows that `build` returns as one step, while no other step runs. Returns the step's number."""
    with transaction.atomic():
        held = _lock(force)
        entries = build(held)
        refused = entries if isinstance(entries, Refused) else _append(held, entries)
        if refused:
            transaction.set_rollback(True)
            return refused
    return held.last


def undo_step(force: CampaignForce, number: int) -> Refused | None:
    """Undo all rows of a step that are not undone; undoing an undo restores its rows.

    Refuses `nothing-to-undo`, and `counted-game` if the step's game was counted again.
    """
    try:
        with transaction.atomic():
            held = _lock(force)
            entries = list(LedgerEntry.objects.filter(veteran__force=held).select_related("veteran"))
            undone = find_undone(entries)
            rows = [row for row in entries if row.step == number and row.pk not in undone]
            if not rows:
                return Refused(code="nothing-to-undo")
            # A row can be undone only once, so undoing it again means redoing that undo.
            undos = {entry.undoes_id: entry for entry in entries if entry.undoes_id}
            taken = [
                LedgerEntry(veteran=row.veteran, kind=LedgerKind.UNDO, undoes=_find_end(row, undos)) for row in rows
            ]
            refused = _append(held, taken)
            if refused is None:
                by_key = {entry.pk: entry for entry in entries}
                _count_again(held, {_find_origin(row, by_key).step for row in rows})
    except IntegrityError:
        return Refused(code="counted-game")
    return refused


def _find_end(entry: LedgerEntry, undos: dict[int, LedgerEntry]) -> LedgerEntry:
    """Follow a row's undos, and the undos of these, to the last one."""
    while entry.pk in undos:
        entry = undos[entry.pk]
    return entry


def _find_origin(entry: LedgerEntry, by_key: Mapping[int, LedgerEntry]) -> LedgerEntry:
    while entry.undoes_id:
        entry = by_key[entry.undoes_id]
    return entry


def _count_again(force: CampaignForce, steps: set[int]) -> None:
    """Count the game of each step with rows that are not undone, and no others. Raises IntegrityError."""
    entries = list(LedgerEntry.objects.filter(veteran__force=force))
    undone = find_undone(entries)
    standing = {entry.step for entry in entries if entry.pk not in undone}
    for game in CountedGame.objects.filter(force=force, step__in=steps):
        game.taken_back = game.step not in standing
        game.save(update_fields=["taken_back"])


def _lock(force: CampaignForce) -> CampaignForce:
    """Wait for a force's other steps, and mark it as changed."""
    held = CampaignForce.objects.select_for_update().get(pk=force.pk)
    held.save(update_fields=["updated"])
    return held


def _append(force: CampaignForce, entries: list[LedgerEntry]) -> Refused | None:
    number = LedgerEntry.objects.filter(veteran__force=force).count() + len(entries)
    if number > MOST_ENTRIES:
        return Refused(code="full-ledger", allowed=MOST_ENTRIES, measured=number)
    force.last += 1
    force.save(update_fields=["last"])
    for entry in entries:
        entry.step = force.last
    LedgerEntry.objects.bulk_create(entries)
    return None
