"""The inventory of the book's rules."""

from enum import StrEnum
from typing import TypeVar

from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.formats.packs.forms.base import InventoryForm
from catalogue.formats.packs.problems import MisreadError, did_you_mean
from catalogue.formats.packs.reading.desk import Desk, names
from catalogue.formats.packs.reading.items import Fields, Item

Word = TypeVar("Word", bound=StrEnum)


def read_inventory(item: Item, desk: Desk) -> InventoryForm:
    """A rule of the inventory; heading and sentence may be left out where the pack says them of the rule itself."""
    fields = item.fields("The rule of the inventory")
    own = fields.need("rule", "Add `rule:` with the rule's id.")
    form = InventoryForm(
        id=own.text() if own else "",
        name=fields.text("name"),
        where=item.where,
        cite=desk.cite(fields),
        cited="cite" in fields,
        text=fields.text("text"),
        kind=_word(fields, "kind", RuleKind.HARD),
        stage=_word(fields, "stage", RuleStage.LIST),
        reading=fields.text("reading"),
        caveat=fields.text("caveat"),
        part_of=names(fields.texts("part of")),
    )
    fields.close()
    return form


def _word(fields: Fields, key: str, default: Word) -> Word:
    kind = type(default)

    def read(text: str) -> Word:
        try:
            return kind(text)
        except ValueError:
            mend = did_you_mean(text, [word.value for word in kind])
            raise MisreadError(f"A rule's {key} is not “{text}”.", mend, "wrong-form") from None

    return fields.read(key, read, default)
