"""What may be taken inside a force or a selection, and what stands in the way."""

from typing import Union

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from roster.engine.compile import Ruleset
from roster.engine.report import CostTotal, Violation
from roster.engine.tree import Roster, Value


class OfferedOption(Value, tag_field="kind", tag="option"):
    """An entry that may be taken here.

    `entry_id` is the composite id to give to `edits.select`. `costs` is what taking one more would cost, its automatic
    selections included. `number` is how many are taken here, as the selections `selection_ids`. `max` None means no
    limit. `blocked` is the violation that one more would cause or make worse; None when it is free to take.
    """

    entry_id: str
    name: str
    type: str = "upgrade"
    costs: tuple[CostTotal, ...] = ()
    category_id: str = ""
    category_name: str = ""
    category_ids: tuple[str, ...] = ()
    number: int = 0
    min: Number = 0
    max: Number | None = None
    hidden: bool = False
    collective: bool = False
    default: bool = False
    selection_ids: tuple[str, ...] = ()
    note: str = ""
    citation: Citation = NOWHERE
    blocked: Violation | None = None


class OfferedGroup(Value, tag_field="kind", tag="group"):
    """A group of options, in the order of the data. `count` is what is taken from it, `default_id` its default's composite id."""

    group_id: str
    name: str
    min: Number = 0
    max: Number | None = None
    count: Number = 0
    hidden: bool = False
    default_id: str = ""
    note: str = ""
    citation: Citation = NOWHERE
    items: tuple[Union[OfferedOption, "OfferedGroup"], ...] = ()


class Offers(Value):
    """Everything on offer inside one force or selection, in the order of the data."""

    container_id: str
    items: tuple[Union[OfferedOption, OfferedGroup], ...] = ()

    @property
    def options(self) -> tuple[OfferedOption, ...]:
        """All options, those in groups included, in order."""
        return tuple(_options(self.items))


def _options(items: tuple[OfferedOption | OfferedGroup, ...]) -> list[OfferedOption]:
    found: list[OfferedOption] = []
    for item in items:
        if isinstance(item, OfferedOption):
            found.append(item)
        else:
            found.extend(_options(item.items))
    return found


def offers(ruleset: Ruleset, roster: Roster, container_id: str) -> Offers:
    """What may be taken inside the force or selection `container_id`; nothing where there is no such node."""
    return Offers(container_id=container_id)
