"""What stands on the cover of a data set."""

from dataclasses import dataclass

from catalogue.models import PackVersion


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """Everything about a game that is not in its data: who made it, what it is called, which version this is.

    `slug` names the game in addresses. All but `slug`, `edition`, `label` and `source` may change without
    a new version.
    """

    slug: str
    name: str
    edition: str = ""
    label: str = ""
    publisher: str = ""
    summary: str = ""
    notice: str = ""
    unofficial: bool = True
    example: bool = False
    accent: str = ""
    source: str = PackVersion.Source.PACK.value
    source_hash: str = ""
