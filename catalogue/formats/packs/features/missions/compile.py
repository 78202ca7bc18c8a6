"""What a game is played with, as definitions: names looked up, and what can be said from the rest filled in."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from catalogue.definitions.missions import Aim, Brief, MissionDefinition, PlayBook
from catalogue.documents.problems import SourceLine, suggest_names
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.features.missions.roll_tables import check_rolls
from catalogue.formats.packs.features.missions.syntax import PlayKind
from catalogue.formats.packs.syntax.base import DefinedSyntax, NamedSyntax
from catalogue.formats.packs.syntax.pack import PlaySyntax
from catalogue.formats.packs.syntax.scalars import make_id


def build_play_book(context: CompileContext) -> PlayBook:
    """Return everything but missions and special rules; report names that lead nowhere."""
    play = context.pack.play
    ids = {kind: {thing.id for thing in things} for kind, things in play.list_kinds().items()}
    for kind, name in play.references:
        known = ids[kind]
        if make_id(name.text) not in known:
            mend = suggest_names(name.text, known) or "Add it, or mend the name."
            context.problems.add(name.where, "unknown-name", f"The pack has no {kind} “{name.text}”.", mend)
    _report_packs(context)
    _report_duplicates(context)
    check_rolls(context)
    return PlayBook(
        packs=_build_definitions(play.packs),
        groups=_build_definitions(play.groups),
        objectives=_build_definitions(play.objectives),
        maps=_build_definitions(play.maps),
        sizes=_build_definitions(play.sizes),
        stratagems=_build_definitions(play.stratagems),
        tokens=_build_definitions(play.tokens),
        reference=_build_definitions(play.reference),
    )


def build_missions(context: CompileContext) -> tuple[MissionDefinition, ...]:
    """Return the missions. One without a text for its scoring has it from its objectives."""
    play = context.pack.play
    names = {objective.id: objective.name for objective in play.objectives}
    return tuple(
        mission
        if mission.scoring
        else msgspec.structs.replace(mission, scoring=_describe_scoring(mission, names))
        for mission in _build_definitions(play.missions)
    )


def _build_definitions(things: Iterable[DefinedSyntax]) -> tuple[Any, ...]:
    return tuple(thing.define() for thing in things)


def _describe_scoring(mission: MissionDefinition, names: dict[str, str]) -> str:
    """Return a text such as `King of the Hill (5), Meat Grinder (3); 20 to win.`"""
    lines = [f"{side.name}: {line}" for side in mission.sides if (line := _describe_brief(side, names))]
    return " ".join(lines) or _describe_brief(mission, names)


def _describe_brief(brief: Brief, names: dict[str, str]) -> str:
    if not brief.aims:
        return ""
    aims = ", ".join(_describe_aim(aim, names) for aim in brief.aims)
    return f"{aims}; {brief.total} to win." if brief.total else f"{aims}."


def _describe_aim(aim: Aim, names: dict[str, str]) -> str:
    name = names.get(aim.objective_id, aim.objective_id)
    return f"{name} ({aim.points})" if aim.points else name


def _report_packs(context: CompileContext) -> None:
    """Report missions of packs that are not declared, where the pack declares any."""
    known = {pack.name for pack in context.pack.play.packs}
    names = [mission.pack_name for mission in context.pack.play.missions if mission.pack_name]
    for name in names:
        if known and name.text not in known:
            mend = suggest_names(name.text, known) or "Add it under `mission packs:`."
            context.problems.add(name.where, "unknown-name", f"There is no mission pack “{name.text}”.", mend)


def _report_duplicates(context: CompileContext) -> None:
    """Report two things of a kind with one id: pages and decks look them up by it."""
    for word, things in _list_things(context.pack.play):
        for thing_id, count in Counter(thing.id for thing in things).items():
            if count > 1:
                message = f"There are {count} things of the kind “{word}” with the id “{thing_id}”."
                context.problems.add(
                    SourceLine(""), "duplicate-id", message, "Give one of them an `id:` of its own."
                )


def _list_things(play: PlaySyntax) -> Iterator[tuple[str, Sequence[NamedSyntax]]]:
    yield PlayKind.MISSION, play.missions
    yield PlayKind.SPECIAL, play.specials
    yield PlayKind.OBJECTIVE, play.objectives
    yield PlayKind.MAP, play.maps
    yield PlayKind.TOKEN, play.tokens
    yield PlayKind.STRATAGEM, play.stratagems
    yield PlayKind.SIZE, play.sizes
