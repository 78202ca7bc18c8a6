from collections.abc import Iterable, Iterator, Mapping, Sequence

from catalogue.definitions.constraints import Stage
from catalogue.definitions.groups import group_by
from catalogue.definitions.missions import MissionDefinition
from catalogue.definitions.numbers import Number
from catalogue.definitions.planning import Planning, PlanNumber, PlanPart, PlanPartEntry, PlanQuestion
from catalogue.models import Faction
from roster.engine.plan import GamePlan, find_mission, get_missions, get_planning, list_special_rules
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, get_cost_value
from roster.services.faces import load_faction
from roster.services.plan_shapes import AskedQuestion, GameUnit, PlanBoard, PlanChoice, PlanUnit, list_units, name_units
from roster.services.plans import StoredPlan, evaluate_plan, load_plan


def build_plan_board(roster: Roster, planned: StoredPlan | None = None) -> PlanBoard:
    planned = planned or load_plan(roster)
    return _PlanBoardBuilder(roster, planned, evaluate_plan(roster, planned.game)).build_board()


class _PlanBoardBuilder:
    def __init__(self, roster: Roster, planned: StoredPlan, evaluated_list: EvaluatedList) -> None:
        self.roster, self.planned, self.evaluated_list = roster, planned, evaluated_list
        self.game = planned.game
        self.ruleset = evaluated_list.ruleset
        self.planning: Planning = get_planning(self.ruleset)
        self.parts = _index_parts(self.planning, self.game)
        self.units = list(list_units(evaluated_list.report.forces))
        self.names = name_units(self.units)
        self.faces = load_faction(roster.version_id, roster.faction_id)

    def build_board(self) -> PlanBoard:
        missions = get_missions(self.ruleset)
        mission = find_mission(self.ruleset, self.game)
        system = self.ruleset.binding.game_system
        binding = list_special_rules(self.ruleset, self.game)
        factions: dict[str, str] = {}
        if {PlanPart.OPPONENTS, PlanPart.ALLIES} & self.parts.keys():
            rows = Faction.objects.filter(version_id=self.roster.version_id).order_by("name")
            factions = dict(rows.values_list("faction_id", "name"))
        return PlanBoard(
            roster=self.roster,
            planned=self.planned,
            evaluated_list=self.evaluated_list,
            parts=self.parts,
            missions=tuple(self._group_missions(missions)),
            mission=mission,
            sides=self._build_choices(
                {side.id: side.name for side in (mission.sides if mission else ())}, self.game.side
            ),
            specials=tuple(special for special in (system.specials if system else ()) if special.id in binding),
            opponents=self._build_players(PlanPart.OPPONENTS, self.game.opponents, factions),
            allies=self._build_players(PlanPart.ALLIES, self.game.allies, factions),
            commanders=self._build_commanders(),
            questions=(*self._build_questions(""), *self._build_dropped_questions()),
            numbers=tuple(self._pair_numbers()),
            units=self._build_units(),
            asks=bool(missions or self.parts or self.planning != Planning()),
        )

    # ---- choices -------------------------------------------------------------------------------------------------

    def _build_choices(self, names: Mapping[str, str], chosen: str) -> tuple[PlanChoice, ...]:
        choices = tuple(
            PlanChoice(id=choice_id, name=name, chosen=choice_id == chosen) for choice_id, name in names.items()
        )
        if chosen and chosen not in names:
            return (*choices, self._build_lost_choice(chosen))
        return choices

    def _build_lost_choice(self, choice_id: str) -> PlanChoice:
        name = self.game.names.get(choice_id, choice_id)
        return PlanChoice(id=choice_id, name=name, chosen=True, lost=True)

    # ---- the game ------------------------------------------------------------------------------------------------

    def _group_missions(self, missions: Sequence[MissionDefinition]) -> Iterator[tuple[str, tuple[PlanChoice, ...]]]:
        chosen = self.game.mission
        for pack, inside in group_by(missions, lambda mission: mission.pack).items():
            yield (
                pack,
                tuple(PlanChoice(id=mission.id, name=mission.name, chosen=mission.id == chosen) for mission in inside),
            )
        if chosen and chosen not in [mission.id for mission in missions]:
            yield "", (self._build_lost_choice(chosen),)

    def _build_players(
        self, part: PlanPart, chosen: tuple[str, ...], factions: Mapping[str, str]
    ) -> tuple[tuple[PlanChoice, ...], ...]:
        settled = self.parts.get(part)
        if settled is None:
            return ()
        most = settled.most if settled.most is not None else len(chosen) + 1
        blanks = [""] * (max(len(chosen), most) - len(chosen))
        players: list[tuple[PlanChoice, ...]] = []
        for player in (*chosen, *blanks):
            choices = [
                PlanChoice(id=faction_id, name=name, chosen=faction_id == player)
                for faction_id, name in factions.items()
            ]
            if player and player not in factions:
                choices.append(PlanChoice(id=player, name=player, chosen=True))
            players.append(tuple(choices))
        return tuple(players)

    def _pair_numbers(self) -> Iterator[tuple[PlanNumber, Number | None]]:
        numbers = {number.id: number for number in self.planning.numbers}
        for number_id in self.game.numbers:
            numbers.setdefault(number_id, PlanNumber(id=number_id, name=number_id))
        return ((number, self.game.numbers.get(number_id)) for number_id, number in numbers.items())

    def _build_dropped_questions(self) -> Iterator[AskedQuestion]:
        question_ids = {question.id for question in self.planning.questions}
        for question_id in dict.fromkeys(answer.question for answer in self.game.answers):
            if question_id in question_ids:
                continue
            given = self._list_answers(question_id, "")
            yield AskedQuestion(
                question=PlanQuestion(id=question_id, name=question_id, most=len(given) + 1),
                options=tuple(map(self._build_lost_choice, dict.fromkeys(given))),
            )

    # ---- its units -----------------------------------------------------------------------------------------------

    def _build_commanders(self) -> tuple[PlanChoice, ...]:
        part, commander_id = self.parts.get(PlanPart.COMMANDER), self.game.commander_id
        if part is None:
            return ()
        able = [unit for unit in self.units if unit.is_any_of(part.of) or unit.id == commander_id]
        return self._build_choices(self._name_all(able), commander_id)

    def _name_all(self, units: Iterable[GameUnit]) -> dict[str, str]:
        return {unit.id: self.names[unit.id] for unit in units}

    def _build_units(self) -> tuple[PlanUnit, ...]:
        asked_parts = {PlanPart.JOINS, PlanPart.RESERVES, PlanPart.RIDES} & self.parts.keys()
        if not asked_parts and not any(question.per_unit for question in self.planning.questions):
            return ()
        held_units = self._find_held_units()
        units = [self._build_unit(unit, held_units) for unit in self.units]
        return (*units, *self._build_lost_units())

    def _build_unit(self, unit: GameUnit, held_units: set[str]) -> PlanUnit:
        host_id = self._host_ids.get(unit.id, "")
        transport_id = self._transport_ids.get(unit.id, "")
        is_reserve = unit.id in self.game.reserves
        holders = [unit_id for unit_id in (host_id, transport_id) if unit_id in held_units]
        ids, models = unit.ids, unit.models
        face = self.faces.find_face((unit.around or unit.selection).entry_id, unit.type)
        violations = (v for v in self.evaluated_list.report.violations if v.stage is not Stage.LIST and v.on.id in ids)
        return PlanUnit(
            id=unit.id,
            name=self.names[unit.id],
            type=unit.type,
            emblem=face.emblem,
            models=models if models > 1 else None,
            points=get_cost_value(unit.selection.totals, self.evaluated_list.points_id),
            joins=self._build_pairs(PlanPart.JOINS, unit, host_id),
            rides=self._build_pairs(PlanPart.RIDES, unit, transport_id),
            reserve=is_reserve,
            held_with=self._get_name(holders[0]) if holders and not is_reserve else "",
            questions=tuple(self._build_questions(unit.id, unit)),
            violations=tuple(violations),
        )

    @property
    def _host_ids(self) -> dict[str, str]:
        return {join.character_id: join.host_id for join in self.game.joins}

    @property
    def _transport_ids(self) -> dict[str, str]:
        return {ride.passenger_id: ride.transport_id for ride in self.game.rides}

    def _find_held_units(self) -> set[str]:
        held_units = set(self.game.reserves)
        joins = [(join.character_id, join.host_id) for join in self.game.joins]
        pairs = joins + [(ride.passenger_id, ride.transport_id) for ride in self.game.rides]
        # A passenger may host a character: repeat until nothing is added.
        while more := {unit_id for unit_id, around in pairs if around in held_units} - held_units:
            held_units |= more
        return held_units

    def _build_pairs(self, kind: PlanPart, unit: GameUnit, chosen: str) -> tuple[PlanChoice, ...]:
        part = self.parts.get(kind)
        if part is None or not (chosen or unit.is_any_of(part.of)):
            return ()
        others = [
            other for other in self.units if other.id != unit.id and (other.is_any_of(part.to) or other.id == chosen)
        ]
        choices = self._build_choices(self._name_all(others), chosen)
        # A unit paired with itself is left out, but is not lost.
        return tuple(choice for choice in choices if not (choice.lost and choice.id in self.names))

    def _build_questions(self, unit_id: str, unit: GameUnit | None = None) -> Iterator[AskedQuestion]:
        for question in self.planning.questions:
            answers = self._list_answers(question.id, unit_id)
            if question.missions and self.game.mission not in question.missions:
                is_asked = False
            elif question.per_unit:
                is_asked = unit is not None and unit.is_any_of(question.of)
            else:
                is_asked = not unit_id
            if not answers and not is_asked:
                continue
            option_ids = {option.id for option in question.options}
            options = [
                PlanChoice(id=option.id, name=option.name, text=option.text, chosen=option.id in answers)
                for option in question.options
            ]
            lost = [self._build_lost_choice(answer) for answer in dict.fromkeys(answers) if answer not in option_ids]
            yield AskedQuestion(question=question, options=(*options, *lost))

    def _list_answers(self, question_id: str, unit_id: str) -> list[str]:
        return [
            answer.option
            for answer in self.game.answers
            if answer.question == question_id and answer.unit_id == unit_id
        ]

    def _build_lost_units(self) -> Iterator[PlanUnit]:
        hosts, transports = self._host_ids, self._transport_ids
        answered = [answer.unit_id for answer in self.game.answers if answer.unit_id]
        for unit_id in dict.fromkeys((*hosts, *transports, *self.game.reserves, *answered)):
            if unit_id not in self.names:
                yield PlanUnit(
                    id=unit_id,
                    name=self.game.names.get(unit_id, unit_id),
                    joins=self._build_kept_choice(hosts.get(unit_id)),
                    rides=self._build_kept_choice(transports.get(unit_id)),
                    reserve=unit_id in self.game.reserves,
                    questions=tuple(self._build_questions(unit_id)),
                    lost=True,
                )

    def _build_kept_choice(self, unit_id: str | None) -> tuple[PlanChoice, ...]:
        if not unit_id:
            return ()
        is_lost = unit_id not in self.names
        return (PlanChoice(id=unit_id, name=self._get_name(unit_id), chosen=True, lost=is_lost),)

    def _get_name(self, unit_id: str) -> str:
        return self.names.get(unit_id) or self.game.names.get(unit_id, unit_id)


def _index_parts(planning: Planning, game: GamePlan) -> dict[str, PlanPartEntry]:
    values: dict[PlanPart, object] = {
        PlanPart.OPPONENTS: game.opponents,
        PlanPart.ALLIES: game.allies,
        PlanPart.COMMANDER: game.commander_id,
        PlanPart.OBJECTIVE: game.objective,
        PlanPart.JOINS: game.joins,
        PlanPart.RESERVES: game.reserves,
        PlanPart.RIDES: game.rides,
    }
    unasked = {part.value: PlanPartEntry(part=part, name="") for part, value in values.items() if value}
    return unasked | {part.part.value: part for part in planning.parts}
