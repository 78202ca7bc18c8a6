"""The owner of a list with a deck, and the pages they see."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from roster.models import Roster
from roster.services.deck_board import build_deck_board
from roster.services.deck_shapes import CardRow, DeckBoard
from roster.services.rosters import find_roster
from tests.markup import markup
from tests.shipped_packs import install_shipped

DAWNFALL = SHIPPED / "edge_dawnfall" / "dawnfall"
REEDS = SHIPPED / "reeds_and_rust" / "first"


@dataclass
class Decker:
    client: Client
    public_id: str

    @property
    def roster(self) -> Roster:
        return find_roster(self.public_id)

    @property
    def board(self) -> DeckBoard:
        return build_deck_board(self.roster)

    @property
    def force(self) -> str:
        return self.roster.tree.forces[0].id

    @property
    def deck(self) -> str:
        return self.board.decks[0].node_id

    def url(self, name: str = "deck") -> str:
        return reverse(f"roster:{name}", args=[self.public_id])

    def page(self, **query: str) -> str:
        return markup(self.client.get(self.url(), query))

    def send(self, headers: dict[str, str] | None = None, **fields: Any) -> HttpResponse:
        """Send a form on the list's revision, or on a given one."""
        form = {"revision": str(self.roster.head)} | fields
        return self.client.post(self.url(), form, headers=headers or {})

    def done(self, **fields: Any) -> HttpResponse:
        answer = self.send(**fields)
        assert answer.status_code == 303, answer.content.decode()[:2000]
        return answer

    def take(self, *units: str) -> None:
        for unit in units:
            self.done(do="add-unit", node=self.force, entry=unit)

    def put(self, card: str, number: int) -> None:
        """Set the number of a card; `card` is its id without the deck's."""
        self.done(do="set-number", node=self.deck, entry=f"{self.board.decks[0].entry_id}/{card}", number=number)

    def card(self, name: str) -> CardRow:
        assert self.board.sheet
        return next(row for group in self.board.sheet.groups for row in group.cards if row.name == name)


def decker(*units: str, way: str = "two-players", faction: str = "chapter") -> Decker:
    install_shipped(DAWNFALL)
    return _begun({"game": "edge-dawnfall", "faction": faction, "way": way, "name": "First"}, units)


def weir(*units: str) -> Decker:
    install_shipped(REEDS)
    form = {"game": "reeds-and-rust", "faction": "iron-weir", "way": "quick-game", "name": "Books"}
    return _begun(form, units)


def _begun(form: dict[str, str], units: tuple[str, ...]) -> Decker:
    client = Client()
    answer = client.post(reverse("roster:new"), form)
    assert answer.status_code == 303, answer.content.decode()[:2000]
    found = Decker(client, answer["Location"].strip("/").split("/")[-1])
    found.take(*units)
    return found
