"""Selections called otherwise: a new version of the data may have other names for what a list holds."""

from collections.abc import Mapping

from roster.engine.tree import Force, Roster, Selection, copy_with


def rename_selections(roster: Roster, names: Mapping[str, str]) -> Roster:
    """The list with other data names for the selections whose ids are in `names`; what owners wrote stays.

    >>> crew = Selection(id="1", entry_id="c", name="Crew")
    >>> force = Force(id="f", entry_id="x", catalogue_id="y", selections=(crew,))
    >>> rename_selections(Roster(id="", forces=(force,)), {"1": "Punt Crew"}).forces[0].selections[0].name
    'Punt Crew'
    """
    return copy_with(roster, forces=tuple(_rename_in_force(force, names) for force in roster.forces))


def _rename_in_force(force: Force, names: Mapping[str, str]) -> Force:
    return copy_with(
        force,
        selections=tuple(_rename_in_selection(selection, names) for selection in force.selections),
        forces=tuple(_rename_in_force(inner, names) for inner in force.forces),
    )


def _rename_in_selection(selection: Selection, names: Mapping[str, str]) -> Selection:
    return copy_with(
        selection,
        name=names.get(selection.id, selection.name),
        selections=tuple(_rename_in_selection(inner, names) for inner in selection.selections),
    )
