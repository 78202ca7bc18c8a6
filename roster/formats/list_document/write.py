"""A roster as a list document: exactly what it has, in as few words as say it without doubt."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import yaml

from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ids import get_link_prefix, strip_link_prefix
from catalogue.graph.ruleset import Ruleset
from roster.engine.dependent_limits import find_dependent_limits
from roster.engine.plan import GamePlan
from roster.engine.tree import CategoryNote, Force, Roster, Selection
from roster.formats.list_document.read import LIST_FORM, OUTSIDE_WORD
from roster.formats.list_document.resolver import option_candidates
from roster.formats.list_document.write_plan import plan_document, refs_of

Json = dict[str, Any]
Refs = Mapping[str, str]
"""What selections are called by the plan."""

_encoder = msgspec.json.Encoder(decimal_format="number")


def to_document(
    ruleset: Ruleset,
    roster: Roster,
    plan: GamePlan | None = None,
    *,
    game: str,
    faction_id: str,
    version: str = "",
) -> Json:
    """The list as plain JSON values, in the form that `roster.formats.list_document.read` reads, a plan included.

    Reading it by the same data gives the same list, but for the ids of its parts. Keys without a value are left out.
    """
    refs = refs_of(roster, plan)
    return _without_blanks(
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
        limits=_limits(ruleset, roster),
        unshown=list(roster.unshown),
        detachments=[_force(ruleset, force, faction_id, refs) for force in roster.forces],
        plan=plan_document(plan, refs) if plan else {},
    )


def to_json(document: Json) -> bytes:
    """A document as JSON text for people."""
    return msgspec.json.format(_encoder.encode(document), indent=2) + b"\n"


def to_yaml(document: Json) -> bytes:
    """A document as YAML text for people."""
    plain = msgspec.json.decode(_encoder.encode(document))
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100).encode()


def _without_blanks(**values: Any) -> Json:
    return {key: value for key, value in values.items() if value not in ("", [], {}, None)}


def _limits(ruleset: Ruleset, roster: Roster) -> Json:
    """The limits; one that would follow from another, and was lifted, is said to be none."""
    limits = {limit.type_id: limit.value for limit in roster.limits}
    lifted = {own: _limit(NO_LIMIT) for own in find_dependent_limits(ruleset, limits) if own not in limits}
    return {own: _limit(value) for own, value in limits.items()} | lifted


def _limit(value: Number) -> Number | str:
    return "none" if value < 0 else value


def _force(ruleset: Ruleset, force: Force, faction_id: str, refs: Refs) -> Json:
    book = ruleset.find_catalogue(force.catalogue_id)
    layout = book.root_options if book else None
    return _without_blanks(
        detachment=force.entry_id or OUTSIDE_WORD,
        catalogue=force.catalogue_id if force.catalogue_id != faction_id else "",
        name=force.custom_name,
        notes=force.notes,
        categories=[_category(note) for note in force.category_notes],
        units=[_unit(unit, layout, force.leading, refs) for unit in force.selections],
        detachments=[_force(ruleset, inner, faction_id, refs) for inner in force.forces],
    )


def _unit(
    selection: Selection, layout: ContainerOptions | None, leading: Collection[str], refs: Refs
) -> Json | str:
    written = _item(selection, layout, "", "unit", refs)
    if selection.id not in leading:
        return written
    return {**(written if isinstance(written, dict) else {"unit": written}), "leads": True}


def _category(note: CategoryNote) -> Json:
    return _without_blanks(category=note.category_id, name=note.custom_name, notes=note.notes)


def _item(
    selection: Selection, layout: ContainerOptions | None, start: str, key: str, refs: Refs
) -> Json | str:
    local_id = strip_link_prefix(start, selection.entry_id)
    group_local_id = strip_link_prefix(start, selection.group_id)
    option = layout.find_at(local_id, group_local_id) if layout else None
    inner = get_link_prefix(selection.entry_id) if option else start
    inner_layout = option.entry.contents if option else None
    entry, group = _said(layout, option, group_local_id) if layout and option else (local_id, group_local_id)
    item = _without_blanks(
        **{key: entry},
        group=group,
        count=selection.number if selection.number != 1 else None,
        name=selection.custom_name,
        notes=selection.notes,
        ref=refs.get(selection.id, ""),
        options=[_item(child, inner_layout, inner, "option", refs) for child in selection.selections],
    )
    return entry if item == {key: entry} else item


def _said(layout: ContainerOptions, option: CompiledOption, group_local_id: str) -> tuple[str, str]:
    """The shortest id that means this option here, and its group where no id does."""
    candidates = option_candidates(layout)
    uses = Counter(i for candidate in candidates for i in candidate.ids)
    own = next(c.ids for c in candidates if c.value is option)
    for known in reversed(own):
        if uses[known] == 1:
            return known, ""
    return option.local_id, group_local_id
