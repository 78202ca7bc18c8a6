import csv
import io
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from roster.formats.text.csv_table import protect_cell
from roster.play.game_score import FREE, HAND, read_counter
from roster.play.game_state import (
    FIRST,
    GONE,
    INITIATIVE,
    LASTING_KINDS,
    LINE,
    MISSION,
    OUT,
    PLACES,
    RESULT,
    ROLL,
    SECRET_KINDS,
    SENT_KINDS,
    SETUP,
    STEP,
    GameState,
    Kind,
    Operation,
    Pile,
    TableStep,
    apply_operation,
    list_standing,
    parse_move,
    read_hand_note,
    read_step,
)
from roster.play.losses import BODIES, COMMANDER, COMMANDS
from roster.play.models import Game, GameOperation, GameSide
from roster.play.objective_hand import Hand, count_worth
from roster.play.services.game_rules import GameRules, list_resources, load_fold, load_rules
from roster.play.services.game_standings import score_sides
from roster.play.services.game_taps import read_last_taps, read_operation, write_operation
from roster.play.services.game_units import load_table_list
from roster.play.services.games import describe_side

FORMAT = "armybuilder-game-1"
JUST_NOW = 2
LOOKED_THROUGH = 60
PLACE = "at:"
"""Key prefix, by unit: where it is."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """`takes_back` marks an undo; `can_undo` tells whether the reader may undo the action."""

    operation: GameOperation
    id: str
    number: int
    when: datetime
    round: int
    who: str
    text: str
    undone: bool
    takes_back: bool
    can_undo: bool

    @property
    def stands(self) -> bool:
        return not (self.undone or self.takes_back)


def list_log(game: Game, place: int | None, names: Sequence[str] = ()) -> list[LogLine]:
    """List the log as the side at `place` may read it, newest first. `names` replace the names of the sides."""
    rows = list(game.operations.order_by("number"))
    words = LogWords(game, rows, names)
    steps = _list_undoable_steps(game, place)
    # Backwards, because an undo may itself have been undone.
    undone: set[str] = set()
    for row in reversed(rows):
        if row.kind == Kind.UNDO and str(row.uid) not in undone:
            undone.add(row.key)
    lines = [
        LogLine(
            operation=row,
            id=str(row.uid),
            number=row.number,
            when=row.created,
            round=read_step(row.step).round,
            who=words.names[row.actor],
            text=words.describe(row, place),
            undone=str(row.uid) in undone or (row.kind == Kind.STEP and not row.amount),
            takes_back=row.kind == Kind.UNDO,
            can_undo=str(row.uid) not in undone and _can_undo(game, row, place, steps),
        )
        for row in rows
    ]
    return lines[::-1]


def _can_undo(game: Game, row: GameOperation, place: int | None, steps: Container[str]) -> bool:
    """Return whether `place` may undo an operation that is not undone. `steps` are the steps that it may undo."""
    if game.ended or row.actor != place or row.kind in LASTING_KINDS:
        return False
    return row.kind != Kind.STEP or str(row.uid) in steps


def _list_undoable_steps(game: Game, place: int | None) -> frozenset[str]:
    """Return the ids of the steps that can be undone. Undoing a step that the game has left would break later ones."""
    if place is None:
        return frozenset()
    undos = (undo.operation for undo in read_last_taps(game, place).undos)
    return frozenset(
        operation.uid for operation in undos if operation.kind == Kind.STEP and _leads_to(operation, game.now.step)
    )


def _leads_to(operation: Operation, step: TableStep) -> bool:
    """Return whether the game is still at a step's end. Only steps that hand over the turn need this for an undo."""
    move = parse_move(operation.text)
    return operation.key == STEP or (move is not None and move[1] == step)


@dataclass(frozen=True, slots=True)
class JustNow:
    """A recent action that changed points, units or resources."""

    id: str
    place: int
    text: str
    can_undo: bool


def list_just_now(game: Game, place: int | None) -> list[JustNow]:
    """List the last actions of all sides, as the side at `place` may read them, newest first."""
    latest = list(game.operations.order_by("-number")[:LOOKED_THROUGH])[::-1]
    standing = {operation.uid for operation in list_standing([read_operation(row) for row in latest])}
    rows = [row for row in reversed(latest) if str(row.uid) in standing and _is_told(row, place)][:JUST_NOW]
    # Only all operations show which objectives an action drew or scored.
    words = LogWords(game, game.operations.order_by("number") if any(map(_is_of_hand, rows)) else latest)
    return [
        JustNow(str(row.uid), row.actor, words.describe(row, place), _can_undo(game, row, place, steps=()))
        for row in rows
    ]


def _is_told(row: GameOperation, place: int | None) -> bool:
    if _is_of_hand(row):
        return not _is_hidden(row, place)
    is_place = row.kind == Kind.SET and row.key.startswith(PLACE)
    is_roll = row.kind == Kind.SET and row.key.startswith(ROLL)
    return row.kind in (Kind.COUNT, Kind.TICK, Kind.END) or is_place or is_roll


def _is_of_hand(row: GameOperation) -> bool:
    return row.kind == Kind.HAND


def describe_operations(game: Game, place: int, operations: Sequence[Operation]) -> dict[str, str]:
    """Describe a side's valid operations, by id."""
    if not operations:
        return {}
    words = LogWords(game, game.operations.order_by("number"))
    return {
        operation.uid: words.describe(write_operation(replace(operation, actor=place)), place)
        for operation in operations
        if operation.kind in SENT_KINDS and operation.side in (None, *range(len(words.sides)))
    }


def _is_hidden(row: GameOperation, place: int | None) -> bool:
    # Dealing a deck reveals nothing about its order.
    if row.actor == place or row.kind not in SECRET_KINDS - {Kind.DEAL}:
        return False
    # Drawn, named and scored objectives are open; chosen categories may still be secret.
    note = read_hand_note(row.text) if row.kind == Kind.HAND else None
    return note is None or note.act == "choose"


class LogWords:
    """Describes operations with the game's names.

    It computes the state, because only the state tells which cards and objectives an operation drew.
    """

    def __init__(self, game: Game, rows: Iterable[GameOperation], names: Sequence[str] = ()) -> None:
        self.game = game
        self.rows = {str(row.uid): row for row in rows}
        self.rules: GameRules = load_rules(game)
        self.sides: list[GameSide] = list(game.sides.select_related("version").order_by("place"))
        self.names = list(names) or [describe_side(side) for side in self.sides]
        lists = [load_table_list(side) for side in self.sides]
        self.units = [{unit.key: unit for unit in table_list.units} for table_list in lists]
        self.decks = [
            {
                f"d{number}": [line.name for line in deck.lines for _copy in range(line.count)]
                for number, deck in enumerate(table_list.decks)
            }
            for table_list in lists
        ]

    @cached_property
    def details(self) -> dict[str, list[str]]:
        fold, state = load_fold(self.game, self.rules), GameState()
        details: dict[str, list[str]] = {}
        for operation in list_standing([read_operation(row) for row in self.rows.values()]):
            if operation.side is None or operation.kind not in SECRET_KINDS:
                apply_operation(state, operation, fold)
                continue
            side, key = state.sides[operation.side], operation.key
            hand, pile = side.hand, side.piles.get(key, Pile())
            cards = list(pile.hand)
            apply_operation(state, operation, fold)
            if operation.kind == Kind.HAND:
                details[operation.uid] = self._list_objectives(hand, side.hand)
            elif operation.kind != Kind.DEAL:
                names = self.decks[operation.side].get(key, [])
                moved = set(cards) ^ set(side.piles[key].hand)
                details[operation.uid] = [names[card] for card in sorted(moved) if card < len(names)]
        return details

    def _list_objectives(self, before: Hand | None, after: Hand | None) -> list[str]:
        rules = self.rules.fold.hand
        if rules is None or after is None:
            return []
        # A round may draw an objective of the round before again.
        drawn_before = before.now.drawn if before and len(before.rounds) == len(after.rounds) else ()
        earlier = {drawn.objective_id: drawn for drawn in drawn_before}
        details = []
        for drawn in after.now.drawn:
            objective, previous = rules.find_objective(drawn.objective_id), earlier.get(drawn.objective_id)
            name = objective.name if objective else drawn.objective_id
            if previous is None or drawn.named != previous.named:
                details.append(name)
            elif drawn.scored != previous.scored:
                worth = count_worth(rules, after, drawn)
                details.append(f"{name} ({_write_change(worth if drawn.scored else -worth)})")
        return details

    def describe(self, row: GameOperation, place: int | None) -> str:
        if row.kind == Kind.UNDO:
            target = self.rows.get(row.key)
            if target is None:
                return _("undid a tap")
            if target.kind == Kind.UNDO and target.key in self.rows:
                return _("redid: %(tap)s") % {"tap": self.describe(self.rows[target.key], place)}
            return _("undid: %(tap)s") % {"tap": self.describe(target, place)}
        if _is_hidden(row, place):
            return _("used cards or objectives")
        details = self.details.get(str(row.uid)) if row.kind in SECRET_KINDS else None
        text = self._describe_act(row)
        return f"{text}: {', '.join(details)}" if details else text

    def _describe_act(self, row: GameOperation) -> str:
        match row.kind:
            case Kind.BEGIN:
                return _("began the game: %(step)s") % {"step": self._name_step(read_step(row.text))}
            case Kind.STEP:
                move = parse_move(row.text)
                end = move[1] if move else TableStep()
                name = self._name_step(end)
                if row.key == FIRST:
                    name = self._name_first(end)
                elif row.key.startswith(INITIATIVE):
                    name = f"{self._name_initiative()}: {self.names[end.turn]}"
                # Both players moved on at the same time, or one of them was offline.
                return name if row.amount else _("%(step)s: not counted, the game had gone on") % {"step": name}
            case Kind.TICK:
                return self._describe_tick(row)
            case Kind.COUNT:
                return self._describe_count(row)
            case Kind.SET:
                return self._describe_text(row)
            case Kind.DRAW:
                return ngettext("drew %(n)s card", "drew %(n)s cards", row.amount) % {"n": row.amount}
            case Kind.DEAL:
                return _("dealt the deck")
            case Kind.SHUFFLE:
                return _("shuffled")
            case Kind.DISCARD:
                return _("played or discarded a card")
            case Kind.RETURN:
                return _("put a card under the deck")
            case Kind.END if row.side is not None:
                return _("ended the game: %(name)s has conceded") % {"name": self.names[row.side]}
            case Kind.END:
                return _("ended the game")
        note = read_hand_note(row.text)
        return _name_act(note.act if note else "")

    def _describe_count(self, row: GameOperation) -> str:
        head, _sep, rest = row.key.partition(":")
        amount = _write_change(row.amount)
        if head == "w":
            name = self._name_unit(row, rest.partition(":")[0])
            return _("%(unit)s: %(n)s lost") % {"unit": name, "n": amount}
        counter = read_counter(row.key)
        if counter is not None:
            kind, item_id, number = counter
            captured = self._describe_capture(item_id, row.amount)
            if captured:
                return captured
            what = self._name_item(item_id)
            if f"{kind}:" == LINE:
                worths = {line.count_worth(number) for line in self.rules.score.lines if line.id == item_id}
                # Data may have lost the line, or sides score it differently.
                if len(worths) != 1:
                    return _("scored %(n)s: %(what)s") % {"n": amount, "what": what}
                amount = _write_change(row.amount * worths.pop())
            return _("%(n)s points: %(what)s") % {"n": amount, "what": what}
        if head == GONE.rstrip(":"):
            return _("%(n)s tokens left the game") % {"n": amount}
        if row.key == BODIES:
            return _("%(n)s points of lost models") % {"n": amount}
        resources = {resource.id: resource.name for resource in list_resources(self.rules.table)}
        return f"{amount} {resources.get(rest, rest) or row.key}"

    def _name_item(self, item_id: str) -> str:
        name, victim = name_item(self.rules, item_id), self._find_victim(item_id)
        return _("%(what)s from %(name)s") % {"what": name, "name": victim} if victim else name

    def _describe_capture(self, item_id: str, amount: int) -> str:
        victim = self._find_victim(item_id)
        if not victim or amount < 1:
            return ""
        words = ngettext("captured %(n)s token from %(name)s", "captured %(n)s tokens from %(name)s", amount)
        return words % {"n": amount, "name": victim}

    def _find_victim(self, item_id: str) -> str:
        """Return the name of the side whose tokens an item counts, or ""."""
        victims = [line.victim for line in self.rules.score.lines if line.id == item_id and line.victim is not None]
        return self.names[victims[0]] if victims and victims[0] < len(self.names) else ""

    def _describe_tick(self, row: GameOperation) -> str:
        start, end = map(int, row.text.split())
        head, _sep, rest = row.key.partition(":")
        if head == "t":
            unit, _sep, track_id = rest.partition(":")
            track = {track.id: track.name for track in self.rules.table.tracks}.get(track_id, track_id)
            words = {"unit": self._name_unit(row, unit), "track": track, "n": end}
            return _("%(unit)s: %(track)s, %(n)s ticked") % words
        name = self._name_unit(row, row.key.removeprefix("w:").partition(":")[0])
        return _("%(unit)s: %(n)s lost") % {"unit": name, "n": _write_change(end - start)}

    def _name_step(self, step: TableStep) -> str:
        phases = {phase.id: phase.name for phase in self.rules.phases}
        word = self.rules.table.round or _("Round")
        turn = self.names[step.turn] if self.rules.table.turns else ""
        return " · ".join(filter(None, [f"{word} {step.round}", turn, phases.get(step.phase, "")]))

    def _name_first(self, step: TableStep) -> str:
        return _("%(name)s goes first") % {"name": self.names[step.turn]}

    def _name_initiative(self) -> str:
        roll = self.rules.table.initiative
        return (roll and roll.word) or _("Initiative")

    def _name_unit(self, row: GameOperation, key: str) -> str:
        units = self.units[row.side or 0]
        return units[key].sheet.name if key in units else key

    def _describe_text(self, row: GameOperation) -> str:
        if row.key == FIRST:
            return self._name_first(read_step(row.text))
        if row.key == MISSION:
            mission = self.rules.play.missions.get(row.text)
            return _("plays %(mission)s") % {"mission": mission.name if mission else "–"}
        if row.key == OUT:
            return _("no models left") if row.text else _("still has models")
        if row.key.startswith(SETUP):
            return _("set-up, step %(n)s: done") % {"n": row.key.removeprefix(SETUP)}
        if row.key.startswith(INITIATIVE):
            name = self.names[int(row.text)] if row.text in PLACES else "–"
            return f"{self._name_initiative()}: {name}"
        if row.key.startswith(ROLL):
            dice = " : ".join(row.text.split())
            return _("%(what)s, rolled: %(dice)s") % {"what": self._name_initiative(), "dice": dice}
        if row.key == COMMANDS:
            return _("%(unit)s commands") % {"unit": self._name_unit(row, row.text)}
        if row.key == COMMANDER:
            return _("commander lost") if row.text else _("commander not lost after all")
        if row.key == RESULT:
            return _("confirmed the result: %(result)s") % {"result": row.text.replace(":", " : ")}
        if row.key == STEP:
            return self._name_step(read_step(row.text))
        head, _sep, rest = row.key.partition(":")
        if head == "at":
            places = {
                "table": _("on the table"),
                "reserve": _("in reserve"),
                "aboard": _("aboard"),
                "joined": _("joined"),
                "dead": _("destroyed"),
            }
            place = places.get(row.text.partition("=")[0], row.text)
            return f"{self._name_unit(row, rest)}: {place}"
        if head == "mark":
            key, _sep, mark_id = rest.partition(":")
            names = {mark.id: mark.name for mark in self.rules.marks}
            mark = names.get(mark_id.partition(".")[0], mark_id)
            words = _("%(unit)s: %(mark)s") if row.text else _("%(unit)s: no longer %(mark)s")
            return words % {"unit": self._name_unit(row, key), "mark": mark}
        if head == "once":
            key, _sep, number = rest.partition(":")
            unit = self.units[row.side or 0].get(key)
            # If the unit has left the list, only its ability's number is known.
            names = {ability.key: ability.name for ability in unit.once} if unit else {}
            return _("used %(what)s") % {"what": names.get(row.key, number)}
        return _("ticked a reminder off") if row.text else _("took a tick away")


def _write_change(amount: int) -> str:
    """Return a change of a counter with its sign.

    >>> _write_change(2), _write_change(-1)
    ('+2', '−1')
    """
    return f"+{amount}" if amount > 0 else f"−{-amount}"


def _name_act(act: str) -> str:
    words = {
        "choose": _("chose the categories of objectives"),
        "begin": _("drew the objectives of the round"),
        "back": _("took the round's objectives back"),
        "score": _("scored an objective"),
        "unscore": _("did not score an objective after all"),
        "name": _("named an objective"),
        "replace": _("drew another objective instead"),
        "category": _("changed a category of objectives"),
    }
    return words.get(act) or _("changed the roll for an objective")


# ---- export ---------------------------------------------------------------------------------------------------------


def export_game(game: Game, place: int) -> dict[str, Any]:
    """Return a game as plain values, with everything that the side at `place` may know."""
    rules = load_rules(game)
    sides = list(game.sides.order_by("place"))
    scores = score_sides(rules, sides, game.now)
    return {
        "format": FORMAT,
        "name": game.name,
        "game": str(game.version.game),
        "data": game.version.content_hash,
        "mission": game.mission_name,
        "deployment": game.map_name,
        "played": game.played,
        "ended": game.ended,
        "notes": game.notes,
        "ending": game.ending,
        "winner": game.winner,
        "sides": [
            {
                "player": side.player,
                "list": side.list_name,
                "faction": side.faction_name,
                "score": side.score if side.score is not None else score.total,
                "rank": side.rank,
                "rounds": score.by_round,
                "scored by": score.by_item,
            }
            for side, score in zip(sides, scores, strict=True)
        ],
        "operations": [
            {
                "id": str(row.uid),
                "number": row.number,
                "actor": row.actor,
                "side": row.side,
                "kind": row.kind,
                "key": row.key,
                "amount": row.amount,
                "text": "" if _is_hidden(row, place) else row.text,
                "device time": row.device_time,
                "server time": row.created,
            }
            for row in game.operations.order_by("number")
        ],
    }


def write_json(content: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=1)


def stream_json(things: Iterable[Any]) -> Iterator[bytes]:
    before = b"["
    for thing in things:
        yield before + write_json(thing)
        before = b","
    yield b"[]" if before == b"[" else b"]"


HEADS = ("played", "ended", "game", "mission", "list", "faction", "points", "opponent", "their faction", "their points")


def write_csv(games: Iterable[Game], place_of: dict[int, int]) -> str:
    """Write games as CSV, each seen from its place in `place_of`."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEADS)
    for game in games:
        place = place_of.get(game.pk, 0)
        sides = sorted(game.sides.all(), key=lambda side: side.place)
        mine, others = sides[place], sides[:place] + sides[place + 1 :]
        cells = [
            game.played.isoformat(),
            game.ended.isoformat() if game.ended else "",
            str(game.version.game),
            game.mission_name,
            mine.list_name,
            mine.faction_name,
            "" if mine.score is None else str(mine.score),
            ", ".join(map(describe_side, others)),
            ", ".join(filter(None, (other.faction_name for other in others))),
            ", ".join(str(other.score) for other in others if other.score is not None),
        ]
        writer.writerow(map(protect_cell, cells))
    return out.getvalue()


def name_item(rules: GameRules, item_id: str) -> str:
    """Return the name of a score item, or its id if unknown."""
    for line in rules.score.lines:
        if line.id == item_id and line.name:
            side = rules.get_side_name(line.side)
            name = f"{side}: {line.name}" if side else line.name
            # An objective's lines share its name, so add the condition.
            return f"{name}: {line.text}" if line.objective else name
    # Games that are older than lines for objectives count by objective.
    if item_id in rules.play.objectives:
        return rules.play.objectives[item_id].name
    return {FREE: _("Points"), HAND: _("Objectives drawn")}.get(item_id, item_id)
