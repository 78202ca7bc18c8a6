"""Read table setups, for games without table rules, from YAML that players can share."""

import re
from collections.abc import Sequence
from typing import Any

import yaml

from catalogue.definitions.missions import form_even_teams
from catalogue.definitions.table_rules import (
    InitiativeRoll,
    PhaseGain,
    ResourceChange,
    ScoreItem,
    TableResource,
    TableRules,
    TurnPhase,
    UnitTrack,
)
from catalogue.documents.node import DocumentNode
from catalogue.documents.section import KeySpec, expect_section, key, need, read_section
from roster.formats.list_document import Unreadable
from roster.formats.list_document.document import ListSection
from roster.formats.list_document.nodes import Media, UnreadableError, read_source, refuse_node
from roster.formats.list_document.values import COUNT, INTEGER, NAME, TRUTH, list_of
from roster.play.game_state import MOST_SIDES, SIDES

TABLE_FORM = 1
MOST_PARTS = 12
MOST_MISSIONS = 60
STEPS = (1, 5)


class WrittenPart(ListSection):
    short = "name"

    name: str = need("name", NAME, "its name")
    number: int = key("number", COUNT, "the number by which games count it; by default its position in the list")


class WrittenResource(WrittenPart):
    sign: str = key("short", NAME, "the label next to the figure: `CP`")
    start: int = key("start", COUNT, "what each side has at the start")
    gain: int = key("gains", COUNT, "what a side gains each time")
    when: str = key(
        "when", NAME, "when it gains that: `in each Command phase`. If this names a phase, a button there gives it"
    )
    refreshed: bool = key("refreshed", TRUTH, "spent amounts return each round")


class WrittenScore(WrittenPart):
    points: tuple[int, ...] = key("points", list_of("list of numbers", COUNT), "the steps in which it is scored")
    most: int | None = key("at most", COUNT, "the most that it scores in a game", None)
    most_round: int | None = key("at most a round", COUNT, "the most that it scores in a round", None)


NAMES = list_of("list of names", NAME)


class TableSetup(ListSection):
    """How a game is played at the table. `games` are ids of game systems, or words in their names."""

    name: str = key("name", NAME, "the game that this is for")
    games: tuple[str, ...] = key("games", NAMES, "ids of game systems in community data, or words in their names")
    players: int = key("players", COUNT, "the number of players, 2 to 4; by default 2")
    teams: int = key("teams", COUNT, "how many teams the players form, seated alternately; by default none")
    rounds: int | None = key("rounds", COUNT, "how many rounds a game has; without it, the players decide", None)
    round: str = key("round", NAME, "what the game calls a round")
    turns: bool = key("turns", TRUTH, "the players take whole turns one after the other")
    initiative: str = key(
        "initiative", NAME, "what the game calls it, such as `Priority`, if each round has its own first player"
    )
    phases: tuple[str, ...] = key("phases", NAMES, "the phases of a turn or round, in order")
    resources: tuple[WrittenResource, ...] = key(
        "resources", list_of("list of resources", expect_section(WrittenResource)), "what both sides have and spend"
    )
    boxes: tuple[str, ...] = key(
        "boxes", NAMES, "characteristics that units spend, such as `Might`: units get as many boxes to tick"
    )
    scores: tuple[WrittenScore, ...] = key(
        "scores", list_of("list of scores", expect_section(WrittenScore)), "what scores points"
    )
    most: int | None = key("at most", COUNT, "the most that a side can score in a game", None)
    missions: tuple[str, ...] = key("missions", NAMES, "names of missions to choose from; players score them freely")

    @classmethod
    def read_common_keys(cls, mapping: Any, context: Any, under: object) -> tuple[dict[str, Any], Any]:
        node: DocumentNode = mapping.need("table")
        form = INTEGER.read(node, context)
        if form != TABLE_FORM:
            refuse_node("unknown-table-form", node, given=str(form), detail=str(TABLE_FORM))
        return {}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("table", INTEGER, f"the form of the document: `{TABLE_FORM}`", required=True),)

    def build_rules(self) -> TableRules:
        """Return the table rules. Ids use numbers, so that counters survive renaming."""
        return TableRules(
            players=self.players or SIDES,
            teams=self.teams,
            rounds=self.rounds or None,
            round=self.round,
            turns=self.turns,
            # With turns, the set-up says who goes first in round 1.
            initiative=InitiativeRoll(word=self.initiative, die=0, first=2 if self.turns else 1)
            if self.initiative
            else None,
            most=self.most,
            phases=tuple(
                TurnPhase(id=f"phase-{place}", name=name, gains=self._list_gains(name))
                for place, name in enumerate(self.phases, 1)
            ),
            tracks=tuple(
                UnitTrack(
                    id=re.sub("[^a-z0-9]+", "-", name.lower()).strip("-") or f"boxes-{place}", name=name, column=name
                )
                for place, name in enumerate(dict.fromkeys(self.boxes), 1)
            ),
            resources=tuple(
                TableResource(
                    id=_name_counter(place, written),
                    name=written.name,
                    sign=written.sign,
                    start=written.start,
                    refreshed=written.refreshed,
                    earns=(ResourceChange(text=written.when, amount=written.gain),) if written.gain else (),
                )
                for place, written in enumerate(self.resources, 1)
            ),
            items=tuple(
                ScoreItem(
                    id=f"score-{written.number or place}",
                    name=written.name,
                    points=written.points or STEPS,
                    most=written.most,
                    most_round=written.most_round,
                )
                for place, written in enumerate(self.scores, 1)
            ),
        )

    def _list_gains(self, phase: str) -> tuple[PhaseGain, ...]:
        return tuple(
            PhaseGain(resource=_name_counter(place, written), amount=written.gain)
            for place, written in enumerate(self.resources, 1)
            if written.gain and _find_phase(self.phases, written.when) == phase
        )


def _find_phase(phases: Sequence[str], when: str) -> str:
    """Return the phase that a text names, or "". "In each Counter-charge phase" names no "Charge".

    >>> _find_phase(["Charge", "Counter-charge", "Fight"], "in each Counter-charge phase")
    'Counter-charge'
    >>> _find_phase(["Charge", "Fight"], "in each recharge phase")
    ''
    """
    words = f" {when.casefold()} "
    named = [phase for phase in phases if re.search(rf"\W{re.escape(phase.casefold())}\W", words)]
    return max(named, key=len, default="")


def _name_counter(place: int, written: WrittenResource) -> str:
    return f"counter-{written.number or place}"


def read_setup(text: str) -> TableSetup | Unreadable:
    try:
        root = read_source(text.encode(), Media.AUTO)
        setup = read_section(TableSetup, root, None)
        for parts, most in (
            (setup.phases, MOST_PARTS),
            (setup.resources, MOST_PARTS),
            (setup.boxes, MOST_PARTS),
            (setup.scores, MOST_PARTS),
            (setup.missions, MOST_MISSIONS),
        ):
            if len(parts) > most:
                refuse_node("too-big", root, given=str(len(parts)), detail=str(most))
        players = setup.players or SIDES
        if not SIDES <= players <= MOST_SIDES or not form_even_teams(players, setup.teams):
            refuse_node("bad-players", root, given=str(players), detail=str(MOST_SIDES))
        numbered: tuple[WrittenPart, ...]
        for numbered in (setup.resources, setup.scores):
            numbers = [part.number or place for place, part in enumerate(numbered, 1)]
            for part, number in zip(numbered, numbers, strict=True):
                if numbers.count(number) > 1:
                    refuse_node("doubled-number", line=part.where.line, given=str(number))
    except UnreadableError as error:
        return error.unreadable
    return setup


def write_setup(setup: TableSetup) -> str:
    """Return a setup as YAML, without blank keys.

    >>> primary = WrittenScore(name="Primary", most=50)
    >>> print(write_setup(TableSetup(name="Skirmish", rounds=4, scores=(primary,))), end="")
    table: 1
    name: Skirmish
    rounds: 4
    scores:
    - name: Primary
      at most: 50
    """
    resources = [
        {
            "name": one.name,
            "number": one.number if one.number != place else 0,
            "short": one.sign,
            "start": one.start,
            "gains": one.gain,
            "when": one.when,
            "refreshed": one.refreshed,
        }
        for place, one in enumerate(setup.resources, 1)
    ]
    scores = [
        {
            "name": one.name,
            "number": one.number if one.number != place else 0,
            "points": list(one.points),
            "at most": one.most,
            "at most a round": one.most_round,
        }
        for place, one in enumerate(setup.scores, 1)
    ]
    document = {
        "table": TABLE_FORM,
        "name": setup.name,
        "games": list(setup.games),
        "players": setup.players,
        "teams": setup.teams,
        "rounds": setup.rounds,
        "round": setup.round,
        "turns": setup.turns,
        "initiative": setup.initiative,
        "phases": list(setup.phases),
        "resources": [_drop_blank(one) for one in resources],
        "boxes": list(setup.boxes),
        "scores": [_drop_blank(one) for one in scores],
        "at most": setup.most,
        "missions": list(setup.missions),
    }
    return yaml.safe_dump(_drop_blank(document), sort_keys=False, allow_unicode=True, width=120)


def _drop_blank(document: dict[str, Any]) -> dict[str, Any]:
    # A cap of 0 is a cap.
    return {name: value for name, value in document.items() if value or (value == 0 and name.startswith("at most"))}
