"""Selections called otherwise: a new version of the data may have other names for what a list holds."""

from collections.abc import Mapping

from roster.engine.tree import Force, Roster, Selection, changed


def renamed(roster: Roster, names: Mapping[str, str]) -> Roster:
    """The list with other data names for the selections whose ids are in `names`; what owners wrote stays.

    >>> crew = Selection(id="1", entry_id="c", name="Crew")
    >>> force = Force(id="f", entry_id="x", catalogue_id="y", selections=(crew,))
    >>> renamed(Roster(id="", forces=(force,)), {"1": "Punt Crew"}).forces[0].selections[0].name
    'Punt Crew'
    """
    return changed(roster, forces=tuple(_force(force, names) for force in roster.forces))


def _force(force: Force, names: Mapping[str, str]) -> Force:
    return changed(
        force,
        selections=tuple(_selection(selection, names) for selection in force.selections),
        forces=tuple(_force(inner, names) for inner in force.forces),
    )


def _selection(selection: Selection, names: Mapping[str, str]) -> Selection:
    return changed(
        selection,
        name=names.get(selection.id, selection.name),
        selections=tuple(_selection(inner, names) for inner in selection.selections),
    )
