"""Read `written:` of cards."""

from catalogue.documents.section import FLAG, Section, key


class NamedCardSyntax(Section):
    page = "named_cards"

    written: bool = key("written", FLAG, "a kind of card that owners of lists name themselves")
