"""Sources of facts."""

from catalogue.definitions.base import Definition


class Publication(Definition):
    """A book, supplement, update, or community repository at one commit."""

    id: str
    name: str
    short_name: str = ""
    publisher: str = ""
    date: str = ""
    url: str = ""


class Citation(Definition):
    """A place in a publication. Community data may leave any part blank."""

    publication_id: str = ""
    section: str = ""
    page: str = ""

    def __bool__(self) -> bool:
        return bool(self.publication_id or self.section or self.page)


NOWHERE = Citation()
