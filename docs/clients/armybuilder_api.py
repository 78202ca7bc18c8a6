"""A client for the API of an Armybuilder site. It needs nothing but Python 3.11.

`manage.py write_reference` writes this file from the schema of the API. See docs/api.md.
"""

import json
from collections.abc import Iterator, Mapping
from email.message import Message
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urljoin
from urllib.request import Request, urlopen

Query = Mapping[str, str | int | bool | None]


def _quote(part: str | int) -> str:
    return quote(str(part), safe="")


class ApiError(Exception):
    """An answer of 400 or more. `problem` is its JSON: `status`, `title`, `detail` and `code`; {} if it has none.

    Ask again after `retry_after` seconds; 0 if the answer does not say when.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: int = 0) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"The site answered {status}.")
        self.status = status
        self.problem = problem
        self.retry_after = retry_after


class Armybuilder:
    """A site at `address`, such as https://lists.example.org. Methods are named like the operations of the schema.

    They return the JSON of the answer, bytes if the answer is a file, or None if it is empty. `if_match` is the
    revision that you change. Raises ApiError, and URLError if the site does not answer within `timeout` seconds.
    """

    def __init__(self, address: str, token: str = "", timeout: float = 60) -> None:
        if not address.startswith(("http://", "https://")):
            raise ValueError("The address of a site begins with https:// or http://.")
        self.address = address.rstrip("/")
        self.token = token
        self.timeout = timeout

    def send(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        body: Any = None,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Send a request. A `body` of bytes or text is sent as it is, everything else as JSON."""
        return self._send(method, self._build_address(path, query), body, media, if_match)[0]

    def walk(self, path: str, query: Query | None = None) -> Iterator[Any]:
        """Yield the rows of a listing, page by page: `walk("/api/v1/rosters/", {"game": "fenland"})`."""
        address: str | None = self._build_address(path, query)
        while address:
            page, headers = self._send("GET", address)
            yield from page["results"] if isinstance(page, dict) else page
            following = page.get("next") if isinstance(page, dict) else None
            link = headers.get("Link", "")
            if not following and 'rel="next"' in link:
                following = link[link.index("<") + 1 : link.index(">")]
            # Next pages of other sites would get the token, too.
            address = following and urljoin(address, following)
            if address and not address.startswith(f"{self.address}/"):
                raise ValueError("The next page is on another site.")

    def _build_address(self, path: str, query: Query | None = None) -> str:
        chosen = {name: value for name, value in (query or {}).items() if value is not None}
        words = {name: str(value).lower() if isinstance(value, bool) else value for name, value in chosen.items()}
        return f"{self.address}{path}{'?' if words else ''}{urlencode(words)}"

    def _send(
        self, method: str, address: str, body: Any = None, media: str = "application/json", if_match: int | None = None
    ) -> tuple[Any, Message]:
        headers = {"Accept": "application/json, */*;q=0.5"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        data = body.encode() if isinstance(body, str) else body
        if body is not None:
            headers["Content-Type"] = media
            data = data if isinstance(data, bytes) else json.dumps(body).encode()
        request = Request(address, data, headers, method=method)
        try:
            with urlopen(request, timeout=self.timeout) as answer:
                content, told = answer.read(), answer.headers
        except HTTPError as error:
            with error:
                content = error.read()
            problem = json.loads(content) if "json" in error.headers.get("Content-Type", "") else {}
            seconds = error.headers.get("Retry-After", "")
            raise ApiError(error.code, problem, int(seconds) if seconds.isdecimal() else 0) from None
        if not content:
            return None, told
        return (json.loads(content) if "json" in told.get("Content-Type", "") else content), told

    def addable(
        self,
        body: Any,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        media: str = "application/json",
    ) -> Any:
        """Units you can add to a list sent in the request, best first."""
        return self.send("POST", "/api/v1/addable", query={"cursor": cursor, "limit": limit}, body=body, media=media)

    def bin_delete(self, link_id: str) -> Any:
        """Delete a list with its history for good."""
        return self.send("DELETE", f"/api/v1/bin/{_quote(link_id)}/")

    def bin_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Your deleted lists."""
        return self.send("GET", "/api/v1/bin/", query={"cursor": cursor, "limit": limit})

    def bin_restore(self, link_id: str) -> Any:
        """Restore a deleted list."""
        return self.send("POST", f"/api/v1/bin/{_quote(link_id)}/")

    def check(self, body: Any, *, media: str = "application/json") -> Any:
        """Judge a list sent in the request."""
        return self.send("POST", "/api/v1/check", body=body, media=media)

    def club_retrieve(self, public_id: str) -> Any:
        """A club and its seasons."""
        return self.send("GET", f"/api/v1/clubs/{_quote(public_id)}/")

    def clubs_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """My clubs and their seasons."""
        return self.send("GET", "/api/v1/clubs/", query={"cursor": cursor, "limit": limit})

    def complete(self, body: Any, *, media: str = "application/json") -> Any:
        """Complete a list sent in the request."""
        return self.send("POST", "/api/v1/complete", body=body, media=media)

    def deck_copy(self, link_id: str) -> Any:
        """Copy a mission deck to your decks."""
        return self.send("POST", f"/api/v1/decks/by-link/{_quote(link_id)}/copy/")

    def deck_create(self, body: Any, *, media: str = "application/json") -> Any:
        """Make a mission deck."""
        return self.send("POST", "/api/v1/decks/", body=body, media=media)

    def deck_delete(self, public_id: str) -> Any:
        """Delete a mission deck with its draws."""
        return self.send("DELETE", f"/api/v1/decks/{_quote(public_id)}/")

    def deck_draw(self, public_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Draw a mission, at random or by the book."""
        return self.send("POST", f"/api/v1/decks/{_quote(public_id)}/draws/", body=body, media=media)

    def deck_draws_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """What was drawn from a mission deck."""
        return self.send("GET", f"/api/v1/decks/{_quote(public_id)}/draws/", query={"cursor": cursor, "limit": limit})

    def deck_linked_draws_list(self, link_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """What was drawn from a mission deck, by its link."""
        return self.send(
            "GET",
            f"/api/v1/decks/by-link/{_quote(link_id)}/draws/",
            query={"cursor": cursor, "limit": limit},
        )

    def deck_linked_retrieve(self, link_id: str) -> Any:
        """A mission deck by its link."""
        return self.send("GET", f"/api/v1/decks/by-link/{_quote(link_id)}/")

    def deck_replace(self, public_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Replace the name and the missions of a deck."""
        return self.send("PUT", f"/api/v1/decks/{_quote(public_id)}/", body=body, media=media)

    def deck_retrieve(self, public_id: str) -> Any:
        """One of your mission decks."""
        return self.send("GET", f"/api/v1/decks/{_quote(public_id)}/")

    def deck_shuffle(self, public_id: str) -> Any:
        """Shuffle a mission deck."""
        return self.send("POST", f"/api/v1/decks/{_quote(public_id)}/shuffle/")

    def decks_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Your mission decks."""
        return self.send("GET", "/api/v1/decks/", query={"cursor": cursor, "limit": limit})

    def decks_public_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Public mission decks."""
        return self.send("GET", "/api/v1/decks/public/", query={"cursor": cursor, "limit": limit})

    def event_create(self, body: Any, *, media: str = "application/json") -> Any:
        """Make an event."""
        return self.send("POST", "/api/v1/events/", body=body, media=media)

    def event_export_retrieve(self, public_id: str) -> Any:
        """All data of an event: lists, verdicts, decisions, penalties, comments, log."""
        return self.send("GET", f"/api/v1/events/{_quote(public_id)}/export/")

    def event_list_decide(self, public_id: str, player: str, body: Any, *, media: str = "application/json") -> Any:
        """Accept or return a list."""
        return self.send(
            "POST",
            f"/api/v1/events/{_quote(public_id)}/players/{_quote(player)}/decision/",
            body=body,
            media=media,
        )

    def event_list_retrieve(self, public_id: str, player: str) -> Any:
        """A submitted list with its verdict."""
        return self.send("GET", f"/api/v1/events/{_quote(public_id)}/players/{_quote(player)}/")

    def event_list_submit(self, public_id: str, player: str, body: Any, *, media: str = "application/json") -> Any:
        """Judge a list under the rules of an event, or submit it."""
        return self.send(
            "POST",
            f"/api/v1/events/{_quote(public_id)}/players/{_quote(player)}/",
            body=body,
            media=media,
        )

    def event_pairings_bring(self, public_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Bring the pairings of rounds."""
        return self.send("POST", f"/api/v1/events/{_quote(public_id)}/pairings/", body=body, media=media)

    def event_pairings_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The tables of all rounds."""
        return self.send(
            "GET",
            f"/api/v1/events/{_quote(public_id)}/pairings/",
            query={"cursor": cursor, "limit": limit},
        )

    def event_result_enter(self, public_id: str, number: str, body: Any, *, media: str = "application/json") -> Any:
        """Enter the result of a pairing."""
        return self.send(
            "PUT",
            f"/api/v1/events/{_quote(public_id)}/pairings/{_quote(number)}/result/",
            body=body,
            media=media,
        )

    def event_retrieve(self, public_id: str) -> Any:
        """An event and its house rules."""
        return self.send("GET", f"/api/v1/events/{_quote(public_id)}/")

    def event_round_delete(self, public_id: str, number: str) -> Any:
        """Delete a round with its results."""
        return self.send("DELETE", f"/api/v1/events/{_quote(public_id)}/rounds/{_quote(number)}/")

    def event_round_show(self, public_id: str, number: str, body: Any, *, media: str = "application/json") -> Any:
        """Show or hide a round."""
        return self.send("POST", f"/api/v1/events/{_quote(public_id)}/rounds/{_quote(number)}/", body=body, media=media)

    def event_standings_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The standings, less confirmed penalties."""
        return self.send(
            "GET",
            f"/api/v1/events/{_quote(public_id)}/standings/",
            query={"cursor": cursor, "limit": limit},
        )

    def event_submissions_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The lists of an event that you may see."""
        return self.send(
            "GET",
            f"/api/v1/events/{_quote(public_id)}/submissions/",
            query={"cursor": cursor, "limit": limit},
        )

    def events_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """My events."""
        return self.send("GET", "/api/v1/events/", query={"cursor": cursor, "limit": limit})

    def fill(self, body: Any, *, seed: int | None = None, media: str = "application/json") -> Any:
        """Fill a list sent in the request."""
        return self.send("POST", "/api/v1/fill", query={"seed": seed}, body=body, media=media)

    def gallery_install(self, key: str) -> Any:
        """Install or update a game."""
        return self.send("POST", f"/api/v1/gallery/{_quote(key)}/install/")

    def gallery_keep(self, key: str) -> Any:
        """Keep a game up to date."""
        return self.send("POST", f"/api/v1/gallery/{_quote(key)}/keep/")

    def gallery_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Games that can be installed."""
        return self.send("GET", "/api/v1/gallery/", query={"cursor": cursor, "limit": limit})

    def games_factions_cards_list(
        self,
        game: str,
        faction: str,
        *,
        cursor: str | None = None,
        deck: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        q: str | None = None,
    ) -> Any:
        """The cards that decks of a faction may hold."""
        return self.send(
            "GET",
            f"/api/v1/games/{_quote(game)}/factions/{_quote(faction)}/cards/",
            query={"cursor": cursor, "deck": deck, "limit": limit, "offset": offset, "q": q},
        )

    def games_factions_deck_rules_list(
        self,
        game: str,
        faction: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Any:
        """The rules for decks of a faction."""
        return self.send(
            "GET",
            f"/api/v1/games/{_quote(game)}/factions/{_quote(faction)}/deck-rules/",
            query={"cursor": cursor, "limit": limit, "offset": offset},
        )

    def games_factions_list(
        self,
        game: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Any:
        """The factions of a game."""
        return self.send(
            "GET",
            f"/api/v1/games/{_quote(game)}/factions/",
            query={"cursor": cursor, "limit": limit, "offset": offset},
        )

    def games_factions_units_list(
        self,
        game: str,
        faction: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        q: str | None = None,
        sort: str | None = None,
        type: str | None = None,
    ) -> Any:
        """The units of a faction."""
        return self.send(
            "GET",
            f"/api/v1/games/{_quote(game)}/factions/{_quote(faction)}/units/",
            query={"cursor": cursor, "limit": limit, "offset": offset, "q": q, "sort": sort, "type": type},
        )

    def games_factions_units_retrieve(self, game: str, faction: str, unit: str) -> Any:
        """A unit: profiles, abilities, options."""
        return self.send("GET", f"/api/v1/games/{_quote(game)}/factions/{_quote(faction)}/units/{_quote(unit)}/")

    def games_list(self, *, cursor: str | None = None, limit: int | None = None, offset: int | None = None) -> Any:
        """The installed games."""
        return self.send("GET", "/api/v1/games/", query={"cursor": cursor, "limit": limit, "offset": offset})

    def games_retrieve(self, game: str) -> Any:
        """A game: factions, how armies are organised, missions."""
        return self.send("GET", f"/api/v1/games/{_quote(game)}/")

    def hand_create(self, body: Any, *, media: str = "application/json") -> Any:
        """Open a set of objectives for a mission."""
        return self.send("POST", "/api/v1/hands/", body=body, media=media)

    def hand_delete(self, public_id: str, *, if_match: int | None = None) -> Any:
        """Delete a set of objectives."""
        return self.send("DELETE", f"/api/v1/hands/{_quote(public_id)}/", if_match=if_match)

    def hand_do(
        self,
        public_id: str,
        body: Any,
        *,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Draw, score or change objectives."""
        return self.send("POST", f"/api/v1/hands/{_quote(public_id)}/deeds/", body=body, media=media, if_match=if_match)

    def hand_retrieve(self, public_id: str) -> Any:
        """One of your sets of objectives."""
        return self.send("GET", f"/api/v1/hands/{_quote(public_id)}/")

    def hands_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Your sets of objectives."""
        return self.send("GET", "/api/v1/hands/", query={"cursor": cursor, "limit": limit})

    def house_rules_create(self, body: Any, *, media: str = "application/json") -> Any:
        """Create house rules from a document."""
        return self.send("POST", "/api/v1/house-rules/", body=body, media=media)

    def house_rules_delete(self, public_id: str, *, if_match: int | None = None) -> Any:
        """Delete house rules with all versions."""
        return self.send("DELETE", f"/api/v1/house-rules/{_quote(public_id)}/", if_match=if_match)

    def house_rules_linked_retrieve(self, link_id: str, *, number: int | None = None) -> Any:
        """Published house rules by their link."""
        return self.send("GET", f"/api/v1/house-rules/by-link/{_quote(link_id)}/", query={"number": number})

    def house_rules_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Your house rules."""
        return self.send("GET", "/api/v1/house-rules/", query={"cursor": cursor, "limit": limit})

    def house_rules_publish(self, public_id: str, *, if_match: int | None = None) -> Any:
        """Publish the working copy as the next version."""
        return self.send("POST", f"/api/v1/house-rules/{_quote(public_id)}/versions/", if_match=if_match)

    def house_rules_replace(
        self,
        public_id: str,
        body: Any,
        *,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Replace the working copy of house rules."""
        return self.send("PUT", f"/api/v1/house-rules/{_quote(public_id)}/", body=body, media=media, if_match=if_match)

    def house_rules_retrieve(self, public_id: str) -> Any:
        """Your house rules with their working copy."""
        return self.send("GET", f"/api/v1/house-rules/{_quote(public_id)}/")

    def house_rules_versions_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The published versions of your house rules."""
        return self.send(
            "GET",
            f"/api/v1/house-rules/{_quote(public_id)}/versions/",
            query={"cursor": cursor, "limit": limit},
        )

    def job_retrieve(self, public_id: str) -> Any:
        """The progress of a job."""
        return self.send("GET", f"/api/v1/jobs/{_quote(public_id)}/")

    def list_schema(self) -> Any:
        """The JSON Schema of list documents."""
        return self.send("GET", "/api/v1/schemas/list-1.json")

    def me(self) -> Any:
        """The account of the token."""
        return self.send("GET", "/api/v1/me/")

    def played_confirm(self, public_id: str) -> Any:
        """Confirm the result of a game."""
        return self.send("POST", f"/api/v1/played/{_quote(public_id)}/confirmation/")

    def played_delete(self, public_id: str) -> Any:
        """Delete a game at the table, or leave it."""
        return self.send("DELETE", f"/api/v1/played/{_quote(public_id)}/")

    def played_end(self, public_id: str, body: Any, *, media: str = "application/json") -> Any:
        """End a game at the table."""
        return self.send("POST", f"/api/v1/played/{_quote(public_id)}/end/", body=body, media=media)

    def played_invitations(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The open codes of a game."""
        return self.send(
            "GET",
            f"/api/v1/played/{_quote(public_id)}/invitations/",
            query={"cursor": cursor, "limit": limit},
        )

    def played_invite(self, public_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Invite a player to a side."""
        return self.send("POST", f"/api/v1/played/{_quote(public_id)}/invitations/", body=body, media=media)

    def played_join(self, body: Any, *, media: str = "application/json") -> Any:
        """Join a game at the table."""
        return self.send("POST", "/api/v1/played/join/", body=body, media=media)

    def played_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Your games at the table."""
        return self.send("GET", "/api/v1/played/", query={"cursor": cursor, "limit": limit})

    def played_log(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The log of a game."""
        return self.send("GET", f"/api/v1/played/{_quote(public_id)}/log/", query={"cursor": cursor, "limit": limit})

    def played_reopen(self, public_id: str) -> Any:
        """Continue an ended game."""
        return self.send("DELETE", f"/api/v1/played/{_quote(public_id)}/end/")

    def played_retrieve(self, public_id: str) -> Any:
        """A game at the table."""
        return self.send("GET", f"/api/v1/played/{_quote(public_id)}/")

    def played_start(self, body: Any, *, media: str = "application/json") -> Any:
        """Start a game at the table."""
        return self.send("POST", "/api/v1/played/", body=body, media=media)

    def played_tap(self, public_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Tap in a game at the table."""
        return self.send("POST", f"/api/v1/played/{_quote(public_id)}/taps/", body=body, media=media)

    def played_withdraw(self, public_id: str) -> Any:
        """Withdraw the open codes of a game."""
        return self.send("DELETE", f"/api/v1/played/{_quote(public_id)}/invitations/")

    def problems_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Every kind of error."""
        return self.send("GET", "/api/v1/problems/", query={"cursor": cursor, "limit": limit})

    def read(
        self,
        body: Any,
        *,
        faction: str | None = None,
        force: str | None = None,
        game: str | None = None,
        media: str = "application/json",
    ) -> Any:
        """Read a pasted list, line by line."""
        return self.send(
            "POST",
            "/api/v1/read",
            query={"faction": faction, "force": force, "game": game},
            body=body,
            media=media,
        )

    def repair(self, body: Any, *, media: str = "application/json") -> Any:
        """Make a list sent in the request legal."""
        return self.send("POST", "/api/v1/repair", body=body, media=media)

    def roster_addable(self, link_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Units you can add to a list, best first."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/addable/", query={"cursor": cursor, "limit": limit})

    def roster_allies(
        self,
        link_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        node: str | None = None,
        q: str | None = None,
    ) -> Any:
        """Detachments of other factions that a list may add."""
        return self.send(
            "GET",
            f"/api/v1/rosters/{_quote(link_id)}/allies/",
            query={"cursor": cursor, "limit": limit, "node": node, "q": q},
        )

    def roster_complete(self, link_id: str) -> Any:
        """Complete a list as cheaply as possible."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/complete/")

    def roster_copy(self, link_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Copy a list."""
        return self.send("POST", f"/api/v1/rosters/{_quote(link_id)}/copies/", body=body, media=media)

    def roster_create(self, body: Any, *, visibility: str | None = None, media: str = "application/json") -> Any:
        """Make a list from a document."""
        return self.send("POST", "/api/v1/rosters/", query={"visibility": visibility}, body=body, media=media)

    def roster_data_move(
        self,
        link_id: str,
        body: Any,
        *,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Move a list to another version of its data."""
        return self.send("POST", f"/api/v1/rosters/{_quote(link_id)}/data/", body=body, media=media, if_match=if_match)

    def roster_data_retrieve(self, link_id: str, *, to: str | None = None) -> Any:
        """What another version of the data would change."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/data/", query={"to": to})

    def roster_delete(self, link_id: str, *, if_match: int | None = None) -> Any:
        """Move a list into the bin."""
        return self.send("DELETE", f"/api/v1/rosters/{_quote(link_id)}/", if_match=if_match)

    def roster_diff(self, link_id: str, *, from_: int, to: int | None = None) -> Any:
        """What changed between two revisions."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/diff/", query={"from": from_, "to": to})

    def roster_edit(
        self,
        link_id: str,
        body: Any,
        *,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Change a list."""
        return self.send("POST", f"/api/v1/rosters/{_quote(link_id)}/edits/", body=body, media=media, if_match=if_match)

    def roster_fill(self, link_id: str, *, seed: int | None = None) -> Any:
        """Fill a list with what fits."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/fill/", query={"seed": seed})

    def roster_label(self, link_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Choose the folder and the tags of a list."""
        return self.send("PUT", f"/api/v1/rosters/{_quote(link_id)}/labels/", body=body, media=media)

    def roster_labels_retrieve(self, link_id: str) -> Any:
        """The folder and the tags of a list."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/labels/")

    def roster_link(self, link_id: str) -> Any:
        """A whole list as a link and a QR code."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/link/")

    def roster_offers(self, link_id: str, node: str) -> Any:
        """What a part of a list may contain."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/parts/{_quote(node)}/")

    def roster_parts(self, link_id: str) -> Any:
        """The parts of a list, with their ids."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/parts/")

    def roster_pdf(
        self,
        link_id: str,
        *,
        hash: str | None = None,
        ink: str | None = None,
        letters: str | None = None,
        paper: str | None = None,
        photos: str | None = None,
        revision: str | None = None,
        style: str | None = None,
    ) -> Any:
        """A list as PDF."""
        return self.send(
            "GET",
            f"/api/v1/rosters/{_quote(link_id)}/pdf/",
            query={"hash": hash, "ink": ink, "letters": letters, "paper": paper, "photos": photos, "revision": revision, "style": style},
        )

    def roster_plan_delete(self, link_id: str, *, if_match: int | None = None) -> Any:
        """Delete the game plan of a list."""
        return self.send("DELETE", f"/api/v1/rosters/{_quote(link_id)}/plan/", if_match=if_match)

    def roster_plan_replace(
        self,
        link_id: str,
        body: Any,
        *,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Replace the game plan of a list."""
        return self.send("PUT", f"/api/v1/rosters/{_quote(link_id)}/plan/", body=body, media=media, if_match=if_match)

    def roster_plan_retrieve(self, link_id: str) -> Any:
        """The game plan of a list."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/plan/")

    def roster_redo(self, link_id: str, *, if_match: int | None = None) -> Any:
        """Redo the last undone step."""
        return self.send("POST", f"/api/v1/rosters/{_quote(link_id)}/redo/", if_match=if_match)

    def roster_repair(self, link_id: str) -> Any:
        """Make a list legal by small changes."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/repair/")

    def roster_replace(
        self,
        link_id: str,
        body: Any,
        *,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Replace everything in a list."""
        return self.send("PUT", f"/api/v1/rosters/{_quote(link_id)}/", body=body, media=media, if_match=if_match)

    def roster_reset_link(self, link_id: str) -> Any:
        """Reset the link of a list."""
        return self.send("POST", f"/api/v1/rosters/{_quote(link_id)}/sharing/reset/")

    def roster_restore(self, link_id: str, number: str, *, if_match: int | None = None) -> Any:
        """Go back to an earlier revision."""
        return self.send(
            "POST",
            f"/api/v1/rosters/{_quote(link_id)}/revisions/{_quote(number)}/restore/",
            if_match=if_match,
        )

    def roster_retrieve(self, link_id: str, *, deeds: bool | None = None) -> Any:
        """A list: its verdict, and all that is in it."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/", query={"deeds": deeds})

    def roster_revision_name(self, link_id: str, number: str, body: Any, *, media: str = "application/json") -> Any:
        """Name a revision."""
        return self.send(
            "PUT",
            f"/api/v1/rosters/{_quote(link_id)}/revisions/{_quote(number)}/",
            body=body,
            media=media,
        )

    def roster_revision_retrieve(self, link_id: str, number: str) -> Any:
        """A list at an earlier revision."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/revisions/{_quote(number)}/")

    def roster_revisions_list(self, link_id: str, *, cursor: int | None = None, limit: int | None = None) -> Any:
        """The history of a list."""
        return self.send(
            "GET",
            f"/api/v1/rosters/{_quote(link_id)}/revisions/",
            query={"cursor": cursor, "limit": limit},
        )

    def roster_share(self, link_id: str, body: Any, *, media: str = "application/json") -> Any:
        """Choose who sees a list."""
        return self.send("PUT", f"/api/v1/rosters/{_quote(link_id)}/sharing/", body=body, media=media)

    def roster_sharing_retrieve(self, link_id: str) -> Any:
        """Who sees a list."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/sharing/")

    def roster_text(
        self,
        link_id: str,
        *,
        layout: str | None = None,
        length: str | None = None,
        style: str | None = None,
    ) -> Any:
        """A list as text."""
        return self.send(
            "GET",
            f"/api/v1/rosters/{_quote(link_id)}/text/",
            query={"layout": layout, "length": length, "style": style},
        )

    def roster_tts(self, link_id: str) -> Any:
        """A list for Tabletop Simulator."""
        return self.send("GET", f"/api/v1/rosters/{_quote(link_id)}/tts/")

    def roster_undo(self, link_id: str, *, if_match: int | None = None) -> Any:
        """Undo the last step of a list."""
        return self.send("POST", f"/api/v1/rosters/{_quote(link_id)}/undo/", if_match=if_match)

    def rosters_dump(self) -> Any:
        """All public lists in one file."""
        return self.send("GET", "/api/v1/dumps/lists/")

    def rosters_list(
        self,
        *,
        cursor: str | None = None,
        faction: str | None = None,
        folder: str | None = None,
        game: str | None = None,
        limit: int | None = None,
        mine: bool | None = None,
        q: str | None = None,
        since: str | None = None,
        size: str | None = None,
        tag: str | None = None,
        unit: str | None = None,
        verdict: str | None = None,
    ) -> Any:
        """Public lists, or your own."""
        return self.send(
            "GET",
            "/api/v1/rosters/",
            query={"cursor": cursor, "faction": faction, "folder": folder, "game": game, "limit": limit, "mine": mine, "q": q, "since": since, "size": size, "tag": tag, "unit": unit, "verdict": verdict},
        )

    def rules_list(self, game: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The rule ledger of a game."""
        return self.send("GET", f"/api/v1/games/{_quote(game)}/rules/", query={"cursor": cursor, "limit": limit})

    def season_meeting_retrieve(self, public_id: str, number: str) -> Any:
        """A game of a season, and who has to confirm its result."""
        return self.send("GET", f"/api/v1/seasons/{_quote(public_id)}/meetings/{_quote(number)}/")

    def season_meeting_withdraw(self, public_id: str, number: str) -> Any:
        """Withdraw or decline a challenge."""
        return self.send("DELETE", f"/api/v1/seasons/{_quote(public_id)}/meetings/{_quote(number)}/")

    def season_meetings_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The games of a season, played or not."""
        return self.send(
            "GET",
            f"/api/v1/seasons/{_quote(public_id)}/meetings/",
            query={"cursor": cursor, "limit": limit},
        )

    def season_places_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The places of a season, and who held them."""
        return self.send(
            "GET",
            f"/api/v1/seasons/{_quote(public_id)}/places/",
            query={"cursor": cursor, "limit": limit},
        )

    def season_result_confirm(self, public_id: str, number: str, body: Any, *, media: str = "application/json") -> Any:
        """Confirm the result of a game of a season."""
        return self.send(
            "POST",
            f"/api/v1/seasons/{_quote(public_id)}/meetings/{_quote(number)}/confirmation/",
            body=body,
            media=media,
        )

    def season_result_delete(self, public_id: str, number: str) -> Any:
        """Remove the result of a game of a season."""
        return self.send("DELETE", f"/api/v1/seasons/{_quote(public_id)}/meetings/{_quote(number)}/result/")

    def season_result_enter(self, public_id: str, number: str, body: Any, *, media: str = "application/json") -> Any:
        """Enter the result of a game of a season."""
        return self.send(
            "POST",
            f"/api/v1/seasons/{_quote(public_id)}/meetings/{_quote(number)}/result/",
            body=body,
            media=media,
        )

    def season_retrieve(self, public_id: str) -> Any:
        """A season and its rules for lists."""
        return self.send("GET", f"/api/v1/seasons/{_quote(public_id)}/")

    def season_table_list(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The table of a season."""
        return self.send("GET", f"/api/v1/seasons/{_quote(public_id)}/table/", query={"cursor": cursor, "limit": limit})

    def takeable(
        self,
        game: str,
        *,
        faction: str,
        limit: str,
        cursor: str | None = None,
        rows: int | None = None,
    ) -> Any:
        """The units that a legal list can have within a limit."""
        return self.send(
            "GET",
            f"/api/v1/games/{_quote(game)}/takeable/",
            query={"cursor": cursor, "faction": faction, "limit": limit, "rows": rows},
        )

    def version_changes(
        self,
        game: str,
        content_hash: str,
        *,
        since: str,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Any:
        """What changed since another version."""
        return self.send(
            "GET",
            f"/api/v1/games/{_quote(game)}/versions/{_quote(content_hash)}/changes/",
            query={"cursor": cursor, "limit": limit, "since": since},
        )

    def version_retrieve(self, game: str, content_hash: str) -> Any:
        """All data of a version in one file."""
        return self.send("GET", f"/api/v1/games/{_quote(game)}/versions/{_quote(content_hash)}/")

    def versions_list(self, game: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """The versions of a game."""
        return self.send("GET", f"/api/v1/games/{_quote(game)}/versions/", query={"cursor": cursor, "limit": limit})

    def webhook_create(self, body: Any, *, media: str = "application/json") -> Any:
        """Make a webhook."""
        return self.send("POST", "/api/v1/webhooks/", body=body, media=media)

    def webhook_delete(self, public_id: str) -> Any:
        """Delete a webhook."""
        return self.send("DELETE", f"/api/v1/webhooks/{_quote(public_id)}/")

    def webhook_deliveries(self, public_id: str, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """What was sent to a webhook."""
        return self.send(
            "GET",
            f"/api/v1/webhooks/{_quote(public_id)}/deliveries/",
            query={"cursor": cursor, "limit": limit},
        )

    def webhook_test(self, public_id: str) -> Any:
        """Send a test message."""
        return self.send("POST", f"/api/v1/webhooks/{_quote(public_id)}/test/")

    def webhooks_list(self, *, cursor: str | None = None, limit: int | None = None) -> Any:
        """Your webhooks."""
        return self.send("GET", "/api/v1/webhooks/", query={"cursor": cursor, "limit": limit})
