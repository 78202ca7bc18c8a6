"""Write a roster as a list document: exactly what it has, in as few words as are unambiguous."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Any, NamedTuple

import msgspec
import yaml

from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ids import get_link_prefix, strip_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine.edits import find_dependent_limits
from roster.engine.plan import Answer, GamePlan, list_planned_ids
from roster.engine.tree import CategoryNote, Force, RosterTree, Selection, list_selections
from roster.formats.list_document.document import LIST_FORM, OUTSIDE_WORD
from roster.formats.list_document.resolver import find_ids, list_candidates

Json = dict[str, Any]
Refs = Mapping[str, str]
"""What selections are called by the plan."""

_encoder = msgspec.json.Encoder(decimal_format="number")


def build_document(
    ruleset: Ruleset, roster: RosterTree, plan: GamePlan | None = None, *, game: str, faction_id: str, version: str = ""
) -> Json:
    """Return the list as plain JSON values, in the form that `roster.formats.list_document.document` declares.

    Reading it by the same data gives the same list, but for the ids of its parts. Keys without a value are left out.
    """
    refs = assign_refs(roster, plan)
    return _drop_blanks(
        list=LIST_FORM,
        game=game,
        version=version,
        faction=faction_id,
        rules=roster.overlay,
        name=roster.name,
        player=roster.player,
        event=roster.event,
        notes=roster.notes,
        exact=True,
        limits=_write_limits(ruleset, roster),
        unshown=list(roster.unshown),
        detachments=[_write_force(ruleset, force, faction_id, refs) for force in roster.forces],
        plan=write_plan(plan, refs) if plan else {},
    )


def format_json(document: Json) -> bytes:
    """Format a document as JSON text for people."""
    return msgspec.json.format(_encoder.encode(document), indent=2) + b"\n"


def format_yaml(document: Json) -> bytes:
    """Format a document as YAML text for people."""
    plain = msgspec.json.decode(_encoder.encode(document))
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100).encode()


def _drop_blanks(**values: Any) -> Json:
    return {key: value for key, value in values.items() if value not in ("", [], {}, None)}


def _write_limits(ruleset: Ruleset, roster: RosterTree) -> Json:
    """Write the limits; one that would follow from another, and was lifted, is written as none."""
    limits = {limit.type_id: limit.value for limit in roster.limits}
    lifted = dict.fromkeys(_list_lifted(ruleset, limits), NO_LIMIT)
    return {type_id: _write_limit(value) for type_id, value in (limits | lifted).items()}


def _list_lifted(ruleset: Ruleset, limits: Mapping[str, Number]) -> list[str]:
    """List the costs that would have a limit because of another, and have none."""
    # Nobody would know when the document is read that such a limit was lifted.
    return [type_id for type_id in find_dependent_limits(ruleset, limits) if type_id not in limits]


def _write_limit(value: Number) -> Number | str:
    return "none" if value < 0 else value


def _write_force(ruleset: Ruleset, force: Force, faction_id: str, refs: Refs) -> Json:
    contents = _find_root_options(ruleset, force.catalogue_id)
    return _drop_blanks(
        detachment=force.entry_id or OUTSIDE_WORD,
        catalogue=force.catalogue_id if force.catalogue_id != faction_id else "",
        name=force.custom_name,
        notes=force.notes,
        categories=list(map(_write_category, force.category_notes)),
        units=[_write_unit(unit, contents, force.leading, refs) for unit in force.selections],
        detachments=[_write_force(ruleset, inner, faction_id, refs) for inner in force.forces],
    )


def _find_root_options(ruleset: Ruleset, catalogue_id: str) -> ContainerOptions | None:
    catalogue = ruleset.find_catalogue(catalogue_id)
    return catalogue.root_options if catalogue else None


def _write_unit(
    selection: Selection, contents: ContainerOptions | None, leading: Collection[str], refs: Refs
) -> Json | str:
    written = _write_item(selection, contents, "", "unit", refs)
    if selection.id not in leading:
        return written
    return {**(written if isinstance(written, dict) else {"unit": written}), "leads": True}


def _write_category(note: CategoryNote) -> Json:
    return _drop_blanks(category=note.category_id, name=note.custom_name, notes=note.notes)


class _Place(NamedTuple):
    """What an option is called where it is, and in what its own options are looked up."""

    entry: str
    group: str
    contents: ContainerOptions | None
    start: str


def _find_place(selection: Selection, contents: ContainerOptions | None, start: str) -> _Place:
    entry, group = strip_link_prefix(start, selection.entry_id), strip_link_prefix(start, selection.group_id)
    option = contents.find_at(entry, group) if contents else None
    if contents is None or option is None:
        return _Place(entry, group, None, start)
    entry, group = _choose_short_id(contents, option, group)
    return _Place(entry, group, option.entry.contents, get_link_prefix(selection.entry_id))


def _write_item(
    selection: Selection, contents: ContainerOptions | None, start: str, key: str, refs: Refs
) -> Json | str:
    place = _find_place(selection, contents, start)
    item = _drop_blanks(
        **{key: place.entry},
        group=place.group,
        count=selection.number if selection.number != 1 else None,
        name=selection.custom_name,
        notes=selection.notes,
        ref=refs.get(selection.id, ""),
        attached=_write_attachments(selection, refs),
        options=[_write_item(child, place.contents, place.start, "option", refs) for child in selection.selections],
    )
    return place.entry if item == {key: place.entry} else item


def _write_attachments(selection: Selection, refs: Refs) -> Json:
    """Write what a selection is attached to, by association."""
    attached: dict[str, list[str]] = {}
    for attachment in selection.attachments:
        attached.setdefault(attachment.association_id, []).append(refs.get(attachment.to_id, attachment.to_id))
    return attached


def _choose_short_id(contents: ContainerOptions, option: CompiledOption, group_local_id: str) -> tuple[str, str]:
    """Return the shortest id that means this option here, and its group if no id does."""
    candidates = list_candidates(contents)
    uses = Counter(chain.from_iterable(candidate.ids for candidate in candidates))
    for known in reversed(find_ids(candidates, option)):
        if uses[known] == 1:
            return known, ""
    return option.local_id, group_local_id


# ---- the plan ------------------------------------------------------------------------------------------------------


def assign_refs(roster: RosterTree, game: GamePlan | None) -> Mapping[str, str]:
    """Assign a ref to each selection that the plan refers to, or that another one is attached to.

    What is gone keeps the name the plan kept.
    """
    plan = game or GamePlan()
    planned = list_planned_ids(plan)
    wanted = {*planned, *_list_attached_to(roster)}
    # In the order of the list, so that a reader meets the refs in theirs.
    there = [unit_id for unit_id in chain.from_iterable(map(_walk_ids, roster.forces)) if unit_id in wanted]
    gone = {unit_id: _name_gone(plan, unit_id) for unit_id in planned if unit_id not in there}
    free = _generate_refs(frozenset(gone.values()))
    return {**gone, **dict(zip(there, free, strict=False))}


def _name_gone(plan: GamePlan, unit_id: str) -> str:
    return plan.names.get(unit_id) or unit_id


def _list_attached_to(roster: RosterTree) -> Iterator[str]:
    """Yield the ids of the selections that others are attached to."""
    for selection in list_selections(roster):
        yield from (attachment.to_id for attachment in selection.attachments)


def _generate_refs(taken: Collection[str]) -> Iterator[str]:
    """Yield names for what is there; nothing of it may be called what something that is gone was called."""
    for number in count(1):
        ref = f"u{number}"
        if ref not in taken:
            yield ref


def write_plan(game: GamePlan, refs: Mapping[str, str]) -> Json:
    """Write the plan in the form that `ListedPlan` declares, without empty keys."""
    return _drop_blanks(
        mission=game.mission,
        side=game.side,
        opponents=list(game.opponents),
        allies=list(game.allies),
        commander=refs.get(game.commander_id, ""),
        objective=game.objective,
        joins={refs[join.character_id]: refs[join.host_id] for join in game.joins},
        aboard={refs[ride.passenger_id]: refs[ride.transport_id] for ride in game.rides},
        reserves=list(map(refs.__getitem__, game.reserves)),
        choices=_write_choices(answer for answer in game.answers if not answer.unit_id),
        units=_write_unit_choices(game.answers, refs),
        numbers=dict(game.numbers),
        notes=game.notes,
    )


def _write_unit_choices(answers: Iterable[Answer], refs: Refs) -> dict[str, dict[str, list[str]]]:
    by_unit = group_by(answers, lambda answer: answer.unit_id)
    return {refs[unit_id]: _write_choices(of_unit) for unit_id, of_unit in by_unit.items() if unit_id}


def _write_choices(answers: Iterable[Answer]) -> dict[str, list[str]]:
    options_by_question: dict[str, list[str]] = {}
    for answer in answers:
        options_by_question.setdefault(answer.question, []).append(answer.option)
    return options_by_question


def _walk_ids(around: Force | Selection) -> Iterator[str]:
    for selection in around.selections:
        yield selection.id
        yield from _walk_ids(selection)
    if isinstance(around, Force):
        for force in around.forces:
            yield from _walk_ids(force)
