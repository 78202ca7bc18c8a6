"""Sort an army's abilities into the phases of a turn."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from catalogue.definitions.groups import group_by
from catalogue.definitions.missions import PlayBook, Stratagem
from catalogue.definitions.table_rules import TableRules
from roster.pdf.shapes import Ability, Datasheet, ListSheet
from roster.pdf.type.signs import PHASES
from roster.wording import turns as words

ANY, DESTROYED, START, END, DEPLOYMENT = "any", "destroyed", "start", "end", "deployment"
STAGES = (DEPLOYMENT, START, *(phase for phase in PHASES if phase not in (ANY, DESTROYED)), END, ANY, DESTROYED)
"""In the order of a turn."""
_NAMES = {
    DEPLOYMENT: "deployment",
    "command": "command|hero|strategy",
    "movement": "movement|move",
    "psychic": "psychic|magic",
    "shooting": "shooting",
    "charge": "charge",
    "fight": "fight|close combat|combat|assault",
    "morale": "morale|battle-shock|battleshock|rally",
    END: "end",
}
"""What games call their phases."""
_STAGES_BY_NAME = {name: stage for stage, names in _NAMES.items() for name in names.split("|")}
_WHOSE = r"(?:\b(your opponent['’]s|opponent['’]s|enemy|your|any|either|each|both)\s+(?:own\s+|player['’]s\s+)?)?"
_PHASE = re.compile(rf"{_WHOSE}\b({'|'.join(_NAMES.values())})\s+phase\b", re.IGNORECASE)
_MOMENT = re.compile(rf"(?:\bat the |^)(start|end) of (?:the )?{_WHOSE}(?:battle )?(?:turn|round)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\bbefore the (?:battle|game)\b", re.IGNORECASE)
_DIES = re.compile(
    r"\b(?:when|if|each time) (?:this|a|the|an|it) ?(?:\w+ ){0,3}(?:is|are|dies) ?(?:destroyed|slain)?\b.{0,40}"
    r"\bmortal wounds?\b|\b(?:when|if|each time) (?:this|a|the) (?:\w+ ){1,3}is (?:destroyed|slain)\b",
    re.IGNORECASE,
)
_JOINS = re.compile(r"\bcan be attached to the following\b", re.IGNORECASE)
_OFTEN = re.compile(r"\bonce (?:per|a|each) (?:battle )?(turn|phase|round)\b", re.IGNORECASE)
_REACTION = re.compile(r"reaction\b:?\s*", re.IGNORECASE)
_PARTS = re.compile(r"\*\*(?:Declare|Effect):\*\*\s*")
_STAGES_BY_COLOUR = {
    "Yellow": "command",
    "Gray": "movement",
    "Grey": "movement",
    "Blue": "shooting",
    "Orange": "charge",
    "Red": "fight",
    "Purple": END,
}
"""Colours of phases in Age of Sigmar, for abilities whose text names no phase."""
_WHOSE_TAGS = {"your": "yours", "enemy": "enemy", "opponent's": "enemy", "your opponent's": "enemy"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEntry:
    """Something to do or remember. `tags` say in whose turn and how often; `phase` has a mark.

    If it `is_common`, it is a rule of the game or army.
    """

    name: str
    text: str = ""
    who: str = ""
    tags: tuple[str, ...] = ()
    cost: str = ""
    is_once: bool = False
    is_common: bool = False
    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStage:
    """A phase or a moment. `marks` are of `PHASES`, `steps` come in every turn, `colour` is from the data."""

    title: str
    marks: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    entries: tuple[TurnEntry, ...] = ()
    colour: str = ""


@dataclass(slots=True)
class _SharedAbility:
    ability: Ability
    is_common: bool = False
    units: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Time:
    """When an ability is used. `name` is the game's name of that phase, `tags` are keys."""

    stage: str
    name: str = ""
    tags: tuple[str, ...] = ()


def build_stages(sheet: ListSheet, *, tells_common: bool = True) -> list[TurnStage]:
    """Build the stages of a turn that have entries. Unless `tells_common`, shared rules have only names."""
    everyone = list(dict.fromkeys(unit.name for unit in sheet.datasheets if unit.models))
    entries: dict[str, list[TurnEntry]] = {stage: [] for stage in STAGES}
    names = {stage: Counter[str]() for stage in STAGES}
    colours: dict[str, str] = {}
    for shared in _list_abilities(sheet):
        ability = shared.ability
        time = _read_time(ability)
        if time.name:
            names[time.stage][time.name] += 1
        if ability.colour in _STAGES_BY_COLOUR:
            colours.setdefault(time.stage, ability.colour)
        action, cost = ability.action
        entry = TurnEntry(
            name=action or ability.name,
            text=_write_text(ability) if tells_common or not shared.is_common else "",
            who=words.name_holders(list(shared.units), everyone),
            tags=tuple(words.get_tag(tag) for tag in time.tags),
            cost=cost or " · ".join(ability.timing.split(" · ")[1:]),
            is_once=ability.is_once,
            is_common=shared.is_common,
            phase=time.stage if time.stage in PHASES else "",
        )
        entries[time.stage].append(entry)

    table = sheet.play.table
    stages = _follow_phases(table, entries) if table.phases else _follow_words(entries, names, colours)
    stages = _add_stratagems(stages, sheet.play)
    if sheet.reminders:
        reminders = tuple(TurnEntry(name=rule.name, text=" ".join(rule.text)) for rule in sheet.reminders)
        stages.append(TurnStage(title=words.get_stage("reminders"), entries=reminders))
    return [stage for stage in stages if stage.entries or stage.steps]


def _list_abilities(sheet: ListSheet) -> list[_SharedAbility]:
    abilities: dict[tuple[str, str, str], _SharedAbility] = {}

    def add(ability: Ability, unit: Datasheet, *, is_common: bool = False) -> None:
        key = ability.name, ability.text, ability.phase
        abilities.setdefault(key, _SharedAbility(ability, is_common)).units.setdefault(unit.name)

    # Rules that differ only in a number are one rule.
    merged = {ability.text: ability for ability in sheet.common}
    for unit in sheet.datasheets:
        for ability in unit.abilities:
            # Whom a leader joins only matters before the game.
            if not _JOINS.search(ability.text):
                add(ability, unit)
        for ability in unit.common:
            add(merged.get(ability.text, ability), unit, is_common=True)
        for row in (row for table in unit.weapons for row in table.rows if row.is_once):
            add(Ability(row.name, row.beside, "shooting", is_once=True), unit)
        for name in unit.in_book:
            add(Ability(name), unit)
    return sorted(abilities.values(), key=lambda shared: shared.ability.name.casefold())


def _read_time(ability: Ability) -> _Time:
    """Return the first phase in an ability's timing or text, or else any time."""
    timing, text = ability.timing.split(" · ")[0], f"{ability.timing}\n{ability.text}"
    tags = []
    if _REACTION.match(timing):
        tags.append("reaction")
    phase = _PHASE.search(timing) or _MOMENT.search(timing)
    if not timing:
        phase = min(filter(None, (_PHASE.search(text), _MOMENT.search(text))), key=re.Match.start, default=None)
    elif phase and phase[1]:
        tags.append(_WHOSE_TAGS.get(phase[1].casefold().replace("’", "'"), "either"))
    if often := _OFTEN.search(timing or text):
        tags.append(often[1].casefold())

    stage, name = ability.phase, ""
    if not stage and phase and phase.re is _PHASE:
        name = phase[2].casefold()
        stage = _STAGES_BY_NAME[name]
    elif not stage and phase:
        stage = phase[1].casefold()
    elif not stage and _BEFORE.search(text):
        stage = DEPLOYMENT
    elif not stage and _DIES.search(text):
        stage = DESTROYED
    return _Time(stage or _STAGES_BY_COLOUR.get(ability.colour, ANY), name, tuple(dict.fromkeys(tags)))


def _write_text(ability: Ability) -> str:
    timing = ability.timing.split(" · ")[0]
    # The band says when; a reaction needs to say to what.
    cause = _REACTION.sub("", timing, count=1).rstrip(".") if _REACTION.match(timing) else ""
    return " ".join(filter(None, (f"{cause}." if cause else "", _PARTS.sub("", ability.text))))


def _follow_phases(table: TableRules, entries: Mapping[str, Sequence[TurnEntry]]) -> list[TurnStage]:
    """Treat abilities for phases that the game's turn lacks as usable at any time."""
    stages = []
    left = dict(entries)
    signs = {resource.id: resource.sign or resource.name for resource in table.resources}
    for phase in table.phases:
        marks = tuple(mark.value for mark in phase.marks)
        inside = [entry for mark in marks for entry in left.pop(mark, ())]
        gains = [f"+{gain.amount} {signs[gain.resource]}" for gain in phase.gains if gain.amount]
        stages.append(TurnStage(title=phase.name, marks=marks, steps=(*phase.does, *gains), entries=tuple(inside)))
    destroyed = left.pop(DESTROYED)
    rest = tuple(entry for stage in left.values() for entry in stage)
    stages.append(TurnStage(title=words.get_stage(ANY), marks=(ANY,), entries=rest))
    stages.append(TurnStage(title=words.get_stage(DESTROYED), marks=(DESTROYED,), entries=tuple(destroyed)))
    return stages


def _follow_words(
    entries: Mapping[str, Sequence[TurnEntry]], names: Mapping[str, Counter[str]], colours: Mapping[str, str]
) -> list[TurnStage]:
    stages = []
    for stage in STAGES:
        title = words.get_stage(stage)
        if names[stage] and stage in PHASES:
            (name, _count) = names[stage].most_common(1)[0]
            title = f"{name.capitalize()} phase"
        marks = (stage,) if stage in PHASES else ()
        colour = colours.get(stage, "")
        stages.append(TurnStage(title=title, marks=marks, entries=tuple(entries[stage]), colour=colour))
    return stages


def _add_stratagems(stages: Sequence[TurnStage], play: PlayBook) -> list[TurnStage]:
    """Add stratagems before the turn, after it, or in a phase that they name."""
    before: list[TurnStage] = []
    after: list[TurnStage] = []
    by_title = {stage.title.casefold(): place for place, stage in enumerate(stages)}
    result = list(stages)
    sign = next((resource.sign or resource.name for resource in play.table.resources), "")
    for moment, group in group_by(play.stratagems, lambda one: one.when.partition(",")[0].strip()).items():
        entries = tuple(_build_stratagem(stratagem, sign) for stratagem in group)
        named = next((place for title, place in by_title.items() if title in moment.casefold()), None)
        if named is not None:
            stage = result[named]
            result[named] = replace(stage, entries=(*stage.entries, *entries))
        elif moment.casefold().startswith(START):
            before.append(TurnStage(title=moment, entries=entries))
        else:
            after.append(TurnStage(title=moment or words.get_stage(ANY), entries=entries))
    return [*before, *result, *after]


def _build_stratagem(stratagem: Stratagem, sign: str) -> TurnEntry:
    when = stratagem.when.partition(",")[2].strip()
    limit = (words.get_tag(stratagem.limit),) if stratagem.limit in ("round", "battle", "turn", "phase") else ()
    return TurnEntry(
        name=stratagem.name,
        text=f"{when[:1].upper()}{when[1:]}. {stratagem.text}" if when else stratagem.text,
        tags=limit,
        cost=f"{stratagem.cost} {sign}".strip() if stratagem.cost else "",
        is_once=stratagem.limit == "battle",
    )
