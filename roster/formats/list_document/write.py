"""Write a roster as an exact list document, with the shortest unambiguous ids."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Any

import msgspec
import yaml

from catalogue.definitions.groups import group_by
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ids import get_link_prefix, strip_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine.edits import find_dependent_limits
from roster.engine.plan import Answer, GamePlan, list_planned_ids
from roster.engine.tree import Force, RosterTree, Selection, list_selections
from roster.formats.list_document.document import LIST_FORM, OUTSIDE_WORD
from roster.formats.list_document.link import pack_list_link
from roster.formats.list_document.resolver import find_ids, list_candidates

Json = dict[str, Any]
Refs = Mapping[str, str]

_encoder = msgspec.json.Encoder(decimal_format="number")


def build_document(
    ruleset: Ruleset, roster: RosterTree, plan: GamePlan | None = None, *, game: str, faction_id: str, version: str = ""
) -> Json:
    """Return the list in the form of `ListDocument`, without empty keys.

    Reading it with the same data gives the same list with other ids.
    """
    refs = assign_refs(roster, plan)
    return _drop_blanks(
        list=LIST_FORM,
        game=game,
        version=version,
        faction=faction_id,
        rules=roster.overlay,
        homebrew=roster.homebrew,
        name=roster.name,
        player=roster.player,
        event=roster.event,
        notes=roster.notes,
        exact=True,
        limits=_write_limits(ruleset, roster),
        unshown=list(roster.unshown),
        detachments=[_write_force(ruleset, force, faction_id, refs) for force in roster.forces],
        plan=write_plan(plan, refs) if plan else {},
        vendor=msgspec.json.decode(roster.vendor) if roster.vendor else {},
    )


def format_json(document: Json) -> bytes:
    return msgspec.json.format(_encoder.encode(document), indent=2) + b"\n"


def write_list_link(document: Json) -> str:
    """Write a link, without the data's version, because other readers have other versions."""
    return pack_list_link(_encoder.encode({key: value for key, value in document.items() if key != "version"}))


def format_yaml(document: Json) -> bytes:
    plain = msgspec.json.decode(_encoder.encode(document))
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100).encode()


def _drop_blanks(**values: Any) -> Json:
    return {key: value for key, value in values.items() if value not in ("", [], {}, None)}


def _write_limits(ruleset: Ruleset, roster: RosterTree) -> Json:
    limits = {limit.type_id: limit.value for limit in roster.limits}
    written: Json = {type_id: "none" if value < 0 else value for type_id, value in limits.items()}
    # Without these, reading the document would set the limits again.
    lifted = [type_id for type_id in find_dependent_limits(ruleset, limits) if type_id not in limits]
    return written | dict.fromkeys(lifted, "none")


def _write_force(ruleset: Ruleset, force: Force, faction_id: str, refs: Refs) -> Json:
    catalogue = ruleset.find_catalogue(force.catalogue_id)
    contents = catalogue.root_options if catalogue else None
    units: list[Json | str] = []
    for unit in force.selections:
        written = _write_item(unit, contents, "", "unit", refs)
        if unit.id in force.leading:
            written = {**(written if isinstance(written, dict) else {"unit": written}), "leads": True}
        units.append(written)
    return _drop_blanks(
        detachment=force.entry_id or OUTSIDE_WORD,
        catalogue=force.catalogue_id if force.catalogue_id != faction_id else "",
        name=force.custom_name,
        notes=force.notes,
        categories=[
            _drop_blanks(category=note.category_id, name=note.custom_name, notes=note.notes)
            for note in force.category_notes
        ],
        units=units,
        detachments=[_write_force(ruleset, inner, faction_id, refs) for inner in force.forces],
    )


def _write_item(
    selection: Selection, contents: ContainerOptions | None, start: str, key: str, refs: Refs
) -> Json | str:
    entry, group = strip_link_prefix(start, selection.entry_id), strip_link_prefix(start, selection.group_id)
    option = contents.find_at(entry, group) if contents else None
    inner_contents, inner_start = None, start
    if contents is not None and option is not None:
        entry, group = _choose_short_id(contents, option, group)
        inner_contents, inner_start = option.entry.contents, get_link_prefix(selection.entry_id)

    attached: dict[str, list[str]] = {}
    for attachment in selection.attachments:
        attached.setdefault(attachment.association_id, []).append(refs.get(attachment.to_id, attachment.to_id))
    item = _drop_blanks(
        **{key: entry},
        group=group,
        count=selection.number if selection.number != 1 else None,
        name=selection.custom_name,
        notes=selection.notes,
        ref=refs.get(selection.id, ""),
        attached=attached,
        options=[_write_item(child, inner_contents, inner_start, "option", refs) for child in selection.selections],
    )
    return entry if item == {key: entry} else item


def _choose_short_id(contents: ContainerOptions, option: CompiledOption, group_local_id: str) -> tuple[str, str]:
    candidates = list_candidates(contents)
    uses = Counter(chain.from_iterable(candidate.ids for candidate in candidates))
    for entry_id in reversed(find_ids(candidates, option)):
        if uses[entry_id] == 1:
            return entry_id, ""
    return option.local_id, group_local_id


# ---- the plan ------------------------------------------------------------------------------------------------------


def assign_refs(roster: RosterTree, game: GamePlan | None) -> Mapping[str, str]:
    """Assign a ref to each selection that the plan or another selection refers to.

    A missing selection keeps the name that the plan stored.
    """
    plan = game or GamePlan()
    planned = list_planned_ids(plan)
    ids = set(planned)
    for selection in list_selections(roster):
        ids.update(attachment.to_id for attachment in selection.attachments)
    there = [unit_id for unit_id in chain.from_iterable(map(_walk_ids, roster.forces)) if unit_id in ids]
    gone = {unit_id: plan.names.get(unit_id) or unit_id for unit_id in planned if unit_id not in there}
    # A present selection must not get the name of a missing one.
    taken = frozenset(gone.values())
    free = (ref for ref in (f"u{number}" for number in count(1)) if ref not in taken)
    return {**gone, **dict(zip(there, free, strict=False))}


def write_plan(game: GamePlan, refs: Mapping[str, str]) -> Json:
    by_unit = group_by(game.answers, lambda answer: answer.unit_id)
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
        choices=_write_choices(by_unit.get("", ())),
        units={refs[unit_id]: _write_choices(answers) for unit_id, answers in by_unit.items() if unit_id},
        numbers=dict(game.numbers),
        notes=game.notes,
    )


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
