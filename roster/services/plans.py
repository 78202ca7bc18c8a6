"""The game plan of a list, always stored as a whole. Each change names the revision that it was made on."""

from dataclasses import dataclass

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from catalogue.definitions.missions import MissionDefinition
from roster.engine.checks import list_broken_plan_checks
from roster.engine.edits import Refused
from roster.engine.plan import GamePlan, find_mission, get_planning, list_planned_ids
from roster.engine.report import Verdict
from roster.engine.tree import copy_with, index_names
from roster.formats.list_text import NAME_LENGTH, NOTES_LENGTH
from roster.models import Roster, RosterPlan
from roster.services.evaluation import EvaluatedList, evaluate_with, recall_outlook
from roster.services.limits import check_text
from roster.services.outcomes import Conflict
from roster.services.rulesets import load_list_ruleset

MAX_PARTS = 1_000
MAX_BYTES = 200_000
MAX_PLAYER = 100
NO_REVISION = 0

_encoder = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPlan:
    """A list's plan; empty, at revision 0, if there is none."""

    game: GamePlan
    revision: int

    @property
    def exists(self) -> bool:
        return self.revision != NO_REVISION


def load_plan(roster: Roster) -> StoredPlan:
    """Load a list's plan. `select_related("plan")` saves a query."""
    row: RosterPlan | None = getattr(roster, "plan", None)
    if row is None:
        return StoredPlan(game=GamePlan(), revision=NO_REVISION)
    return StoredPlan(game=row.game, revision=row.revision)


def get_game_plan(roster: Roster) -> GamePlan | None:
    planned = load_plan(roster)
    return planned.game if planned.exists else None


def encode_plan(game: GamePlan) -> str:
    """Encode a plan as JSON; equal plans give equal text."""
    return _encoder.encode(game).decode()


def evaluate_plan(roster: Roster, game: GamePlan) -> EvaluatedList:
    """Evaluate a list with its plan. If the plan breaks rules, check whether further picks could fix it."""
    tree = roster.tree
    evaluated_list = evaluate_with(load_list_ruleset(roster.version, roster.faction_id, tree), tree, game)
    if evaluated_list.report.verdict is Verdict.INCOMPLETE and list_broken_plan_checks(evaluated_list.evaluation):
        return evaluate_with(evaluated_list.ruleset, tree, game, look_ahead=True)
    return recall_outlook(evaluated_list, roster.outlook)


def keep_plan(roster: Roster, on_revision: int, game: GamePlan) -> StoredPlan | Refused | Conflict:
    """Replace the plan at `on_revision`.

    Refuses `bad-plan` if it names something in neither the list nor the old plan (`subject_id`), or a unit twice.
    """
    before = load_plan(roster)
    if before.revision != on_revision:
        return Conflict(made_on=on_revision, head=before.revision)
    checked = _check_plan(roster, before.game, game)
    if isinstance(checked, Refused):
        return checked
    return _store_plan(roster, on_revision, checked)


def store_new_plan(roster: Roster, game: GamePlan) -> None:
    RosterPlan.objects.create(roster=roster, document=encode_plan(_attach_names(roster, game, game)))


def delete_plan(roster: Roster, on_revision: int) -> StoredPlan | Conflict:
    gone, _ = RosterPlan.objects.filter(roster=roster, revision=on_revision).delete()
    head = _read_head(roster)
    if not gone and head:
        return Conflict(made_on=on_revision, head=head)
    return StoredPlan(game=GamePlan(), revision=NO_REVISION)


def _store_plan(roster: Roster, on_revision: int, game: GamePlan) -> StoredPlan | Refused | Conflict:
    document = encode_plan(game)
    if len(document) > MAX_BYTES:
        return Refused(code="too-long", measured=len(document), allowed=MAX_BYTES)
    if on_revision == NO_REVISION:
        try:
            with transaction.atomic():
                RosterPlan.objects.create(roster=roster, document=document)
        except IntegrityError:
            return Conflict(made_on=on_revision, head=_read_head(roster))
        return StoredPlan(game=game, revision=NO_REVISION + 1)
    # Comparing and setting in one statement keeps only one of two changes to a revision.
    row = RosterPlan.objects.filter(roster=roster, revision=on_revision)
    if not row.update(document=document, revision=on_revision + 1, updated=timezone.now()):
        return Conflict(made_on=on_revision, head=_read_head(roster))
    return StoredPlan(game=game, revision=on_revision + 1)


def _read_head(roster: Roster) -> int:
    return RosterPlan.objects.filter(roster=roster).values_list("revision", flat=True).first() or NO_REVISION


# ---- what a plan may hold ----------------------------------------------------------------------------------------


def _check_plan(roster: Roster, old: GamePlan, game: GamePlan) -> GamePlan | Refused:
    objective = check_text(game.objective, NAME_LENGTH)
    notes = check_text(game.notes, NOTES_LENGTH, lines=True)
    if isinstance(objective, Refused):
        return objective
    if isinstance(notes, Refused):
        return notes
    for name in (*game.opponents, *game.allies):
        player = check_text(name, MAX_PLAYER)
        if isinstance(player, Refused):
            return player
    several = (game.joins, game.rides, game.reserves, game.answers, game.opponents, game.allies)
    number = sum(len(items) for items in several) + len(game.numbers)
    if number > MAX_PARTS:
        return Refused(code="too-large", measured=number, allowed=MAX_PARTS)

    cleaned = copy_with(game, objective=objective, notes=notes)
    mission = find_mission(load_list_ruleset(roster.version, roster.faction_id, roster.tree), game)
    # The side stays if the new mission has it.
    if game.mission != old.mission and game.side not in list_side_ids(mission):
        cleaned = copy_with(cleaned, side="")
    # Everything in the plan must exist, or have been in it before.
    known_units = {*index_names(roster.tree), *list_planned_ids(old)}
    unknown = [node_id for node_id in list_planned_ids(cleaned) if node_id not in known_units]
    unknown += _list_unknown_game_parts(roster, old, cleaned)
    if unknown or not _is_paired_once(cleaned):
        return Refused(code="bad-plan", subject_id=unknown[0] if unknown else "")
    return _attach_names(roster, old, cleaned)


def list_side_ids(mission: MissionDefinition | None) -> list[str]:
    return [side.id for side in mission.sides] if mission else []


def _list_unknown_game_parts(roster: Roster, old: GamePlan, game: GamePlan) -> list[str]:
    """Return the ids of missions, sides, numbers and answers that are in neither the data nor the old plan."""
    ruleset = load_list_ruleset(roster.version, roster.faction_id, roster.tree)
    mission, planning = find_mission(ruleset, game), get_planning(ruleset)
    if mission is None and game.mission not in ("", old.mission):
        return [game.mission]
    sides = ("", old.side, *list_side_ids(mission))
    numbers = {number.id for number in planning.numbers} | set(old.numbers)
    answers = {(question.id, option.id) for question in planning.questions for option in question.options}
    answers |= {(answer.question, answer.option) for answer in old.answers}
    return [
        *([] if game.side in sides else [game.side]),
        *(number for number in game.numbers if number not in numbers),
        *(answer.option for answer in game.answers if (answer.question, answer.option) not in answers),
    ]


def _is_paired_once(game: GamePlan) -> bool:
    joins = [(join.character_id, join.host_id) for join in game.joins]
    rides = [(ride.passenger_id, ride.transport_id) for ride in game.rides]
    if any(first == second for first, second in (*joins, *rides)):
        return False
    # A unit may join one unit and ride in another.
    joining, riding = [who for who, _ in joins], [who for who, _ in rides]
    return all(len(set(ids)) == len(ids) for ids in (joining, riding, game.reserves))


def _attach_names(roster: Roster, old: GamePlan, game: GamePlan) -> GamePlan:
    tree = roster.tree
    mission = find_mission(load_list_ruleset(roster.version, roster.faction_id, tree), game)
    names = {**old.names, **index_names(tree)}
    if mission:
        names[mission.id] = mission.name
    named_ids = (*list_planned_ids(game), game.mission)
    return copy_with(game, names={node_id: names[node_id] for node_id in named_ids if node_id in names})
