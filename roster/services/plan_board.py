"""What the page of a game plan shows: what there is to settle, what is settled, and how the rules judge it."""

from collections.abc import Iterator, Sequence

from catalogue.definitions.constraints import Stage
from catalogue.definitions.missions import Mission, MissionSide
from catalogue.definitions.numbers import Number
from catalogue.definitions.planning import Planning, PlanNumber, PlanPart, PlanQuestion, Settled
from catalogue.models import Faction
from roster.engine.plan import GamePlan, mission_of, missions_of, planning_of, specials_of
from roster.engine.report import Violation
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, get_cost_value
from roster.services.plan_shapes import Asked, Option, PlanBoard, PlanUnit
from roster.services.plan_units import Unit, called, units_of
from roster.services.plans import Planned, judge_plan, plan_of


def plan_board(roster: Roster, planned: Planned | None = None) -> PlanBoard:
    """The board of a list's plan, as it is stored unless another is given."""
    planned = planned or plan_of(roster)
    return _Maker(roster, planned, judge_plan(roster, planned.game)).board()


class _Maker:
    def __init__(self, roster: Roster, planned: Planned, judged: EvaluatedList) -> None:
        self.roster, self.planned, self.judged = roster, planned, judged
        self.game = planned.game
        self.ruleset = judged.ruleset
        self.planning: Planning = planning_of(self.ruleset)
        self.parts = _parts(self.planning, self.game)
        self.units = list(units_of(judged.report.forces))
        self.names = called(self.units)

    def board(self) -> PlanBoard:
        missions = missions_of(self.ruleset)
        mission = mission_of(self.ruleset, self.game)
        system = self.ruleset.binding.game_system
        binding = specials_of(self.ruleset, self.game)
        factions = self._factions()
        return PlanBoard(
            roster=self.roster,
            planned=self.planned,
            judged=self.judged,
            parts=self.parts,
            missions=tuple(self._missions(missions)),
            mission=mission,
            sides=self._sides(mission.sides if mission else ()),
            specials=tuple(s for s in (system.specials if system else ()) if s.id in binding),
            opponents=self._players(PlanPart.OPPONENTS, self.game.opponents, factions),
            allies=self._players(PlanPart.ALLIES, self.game.allies, factions),
            commanders=self._commanders(),
            questions=(*self._asked(""), *self._unasked()),
            numbers=tuple(self._numbers()),
            units=(*map(self._unit, self.units), *self._lost()) if self._asks_units() else (),
            asks=bool(missions or self.parts or self.planning != Planning()),
        )

    # ---- the game ------------------------------------------------------------------------------------------------

    def _missions(self, missions: Sequence[Mission]) -> Iterator[tuple[str, tuple[Option, ...]]]:
        """The missions by the pack they are of."""
        packs = dict.fromkeys(mission.pack for mission in missions)
        for pack in packs:
            yield pack, tuple(self._one(m.id, m.name, self.game.mission) for m in missions if m.pack == pack)
        if self.game.mission and self.game.mission not in [m.id for m in missions]:
            yield "", (self._gone(self.game.mission),)

    def _sides(self, sides: Sequence[MissionSide]) -> tuple[Option, ...]:
        found = tuple(self._one(side.id, side.name, self.game.side) for side in sides)
        gone = self.game.side and self.game.side not in [side.id for side in sides]
        return (*found, self._gone(self.game.side)) if gone else found

    def _one(self, own: str, name: str, chosen: str) -> Option:
        return Option(id=own, name=name, chosen=own == chosen)

    def _gone(self, own: str) -> Option:
        return Option(id=own, name=self.game.names.get(own, own), chosen=True, lost=True)

    def _factions(self) -> list[tuple[str, str]]:
        if not {PlanPart.OPPONENTS, PlanPart.ALLIES} & self.parts.keys():
            return []
        rows = Faction.objects.filter(version_id=self.roster.version_id).order_by("name")
        return list(rows.values_list("faction_id", "name"))

    def _players(
        self, part: PlanPart, chosen: tuple[str, ...], factions: list[tuple[str, str]]
    ) -> tuple[tuple[Option, ...], ...]:
        """A choice among factions for each player there may be; whoever is none of them stays as they are."""
        settled = self.parts.get(part)
        if settled is None:
            return ()
        places = max(len(chosen), settled.most if settled.most is not None else len(chosen) + 1)
        return tuple(self._player(own, factions) for own in (*chosen, *[""] * (places - len(chosen))))

    def _player(self, own: str, factions: list[tuple[str, str]]) -> tuple[Option, ...]:
        found = tuple(self._one(faction, name, own) for faction, name in factions)
        free = Option(id=own, name=own, chosen=True)
        return (*found, free) if own and own not in dict(factions) else found

    def _numbers(self) -> Iterator[tuple[PlanNumber, Number | None]]:
        """The numbers that are asked for, and those that the plan has all the same."""
        known = {number.id: number for number in self.planning.numbers}
        known |= {own: PlanNumber(id=own, name=own) for own in self.game.numbers if own not in known}
        return ((number, self.game.numbers.get(own)) for own, number in known.items())

    def _unasked(self) -> Iterator[Asked]:
        """Answers to what nobody asks any more."""
        known = {question.id for question in self.planning.questions}
        for own in dict.fromkeys(answer.question for answer in self.game.answers):
            if own not in known:
                given = [a.option for a in self.game.answers if a.question == own and not a.unit_id]
                yield Asked(
                    question=PlanQuestion(id=own, name=own, most=len(given) + 1),
                    options=tuple(self._gone(option) for option in dict.fromkeys(given)),
                )

    # ---- its units -----------------------------------------------------------------------------------------------

    def _asks_units(self) -> bool:
        units = {PlanPart.JOINS, PlanPart.RESERVES, PlanPart.RIDES} & self.parts.keys()
        return bool(units or any(question.per_unit for question in self.planning.questions))

    def _commanders(self) -> tuple[Option, ...]:
        part, own = self.parts.get(PlanPart.COMMANDER), self.game.commander_id
        if part is None:
            return ()
        fit = [unit for unit in self.units if unit.fits(part.of) or unit.id == own]
        found = tuple(self._one(unit.id, self.names[unit.id], own) for unit in fit)
        return (*found, self._gone(own)) if own and own not in self.names else found

    def _unit(self, unit: Unit) -> PlanUnit:
        hosts = {join.character_id: join.host_id for join in self.game.joins}
        transports = {ride.passenger_id: ride.transport_id for ride in self.game.rides}
        points = self.judged.points
        around = [own for own in (hosts.get(unit.id), transports.get(unit.id)) if own in self._held()]
        return PlanUnit(
            id=unit.id,
            name=self.names[unit.id],
            type=unit.type,
            points=get_cost_value(unit.selection.totals, points.type_id if points else ""),
            joins=self._pairs(PlanPart.JOINS, unit, hosts.get(unit.id, "")),
            rides=self._pairs(PlanPart.RIDES, unit, transports.get(unit.id, "")),
            reserve=unit.id in self.game.reserves,
            held_with=self._name(around[0]) if around and unit.id not in self.game.reserves else "",
            questions=tuple(self._asked(unit.id, unit)),
            violations=tuple(
                v for v in self.judged.report.violations if v.stage is not Stage.LIST and v.on.id in unit.ids
            ),
        )

    def _about(self, unit: Unit) -> Iterator[Violation]:
        """What is wrong with the plan and reported on the unit, or on something in it."""
        ids = unit.ids
        return (v for v in self.judged.report.violations if v.stage is not Stage.LIST and v.on.id in ids)

    def _held(self) -> set[str]:
        """Whoever is held back, and whoever is with them."""
        held = set(self.game.reserves)
        pairs = [(j.character_id, j.host_id) for j in self.game.joins]
        pairs += [(r.passenger_id, r.transport_id) for r in self.game.rides]
        while more := {own for own, around in pairs if around in held} - held:
            held |= more
        return held

    def _pairs(self, kind: PlanPart, unit: Unit, chosen: str) -> tuple[Option, ...]:
        """Whom a unit may join or ride in: nobody first."""
        part = self.parts.get(kind)
        if part is None or not (chosen or unit.fits(part.of)):
            return ()
        others = [o for o in self.units if o.id != unit.id and (o.fits(part.to) or o.id == chosen)]
        found = tuple(self._one(other.id, self.names[other.id], chosen) for other in others)
        return (*found, self._gone(chosen)) if chosen and chosen not in self.names else found

    def _asked(self, unit_id: str, unit: Unit | None = None) -> Iterator[Asked]:
        """The questions to the player, or to a unit; of those for other missions only what was answered before."""
        for question in self.planning.questions:
            given = [
                a.option for a in self.game.answers if a.question == question.id and a.unit_id == unit_id
            ]
            if given or self._concerns(question, unit_id, unit):
                yield Asked(question=question, options=tuple(self._answers(question, given)))

    def _concerns(self, question: PlanQuestion, unit_id: str, unit: Unit | None) -> bool:
        if question.missions and self.game.mission not in question.missions:
            return False
        if not question.per_unit:
            return not unit_id
        return unit is not None and unit.fits(question.of)

    def _answers(self, question: PlanQuestion, given: Sequence[str]) -> Iterator[Option]:
        for option in question.options:
            yield Option(id=option.id, name=option.name, text=option.text, chosen=option.id in given)
        known = [option.id for option in question.options]
        yield from (self._gone(own) for own in dict.fromkeys(given) if own not in known)

    def _lost(self) -> Iterator[PlanUnit]:
        """What the plan says of units that the list no longer has, and that is said nowhere else on the page."""
        joins = {join.character_id: join.host_id for join in self.game.joins}
        rides = {ride.passenger_id: ride.transport_id for ride in self.game.rides}
        answered = [answer.unit_id for answer in self.game.answers if answer.unit_id]
        for own in dict.fromkeys((*joins, *rides, *self.game.reserves, *answered)):
            if own not in self.names:
                yield PlanUnit(
                    id=own,
                    name=self.game.names.get(own, own),
                    joins=self._kept(joins.get(own)),
                    rides=self._kept(rides.get(own)),
                    reserve=own in self.game.reserves,
                    questions=tuple(self._asked(own)),
                    lost=True,
                )

    def _kept(self, own: str | None) -> tuple[Option, ...]:
        return (Option(id=own, name=self._name(own), chosen=True, lost=own not in self.names),) if own else ()

    def _name(self, own: str) -> str:
        return self.names.get(own) or self.game.names.get(own, own)


def _parts(planning: Planning, game: GamePlan) -> dict[str, Settled]:
    """The parts that the game asks for; and those it does not, but that the plan has, without a name."""
    held: dict[PlanPart, object] = {
        PlanPart.OPPONENTS: game.opponents,
        PlanPart.ALLIES: game.allies,
        PlanPart.COMMANDER: game.commander_id,
        PlanPart.OBJECTIVE: game.objective,
        PlanPart.JOINS: game.joins,
        PlanPart.RESERVES: game.reserves,
        PlanPart.RIDES: game.rides,
    }
    found = {part.part.value: part for part in planning.parts}
    unasked = {part.value: Settled(part=part, name="") for part, value in held.items() if value}
    return unasked | found
