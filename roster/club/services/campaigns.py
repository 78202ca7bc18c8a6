from dataclasses import dataclass
from functools import cache
from pathlib import Path

from roster.club.campaign_table import CampaignTable, read_campaign
from roster.formats.list_document import Unreadable

CAMPAIGNS = Path(__file__).parents[1] / "campaigns"


@dataclass(frozen=True, slots=True)
class ReadyCampaign:
    """A campaign to begin with. Forms send its `key`; `text` is its YAML."""

    key: str
    table: CampaignTable
    text: str


@cache
def load_ready_campaigns() -> tuple[ReadyCampaign, ...]:
    """Return the bundled campaigns. Raises ValueError for an unreadable file."""
    ready = []
    for path in sorted(CAMPAIGNS.glob("*.yaml"), reverse=True):
        text = path.read_text(encoding="utf-8")
        table = read_campaign(text)
        if isinstance(table, Unreadable):
            raise ValueError(f"{path.name}: {table}")
        ready.append(ReadyCampaign(path.stem, table, text))
    return tuple(ready)
