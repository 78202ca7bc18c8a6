"""Post a list with its verdict into a chat: python post_list.py https://lists.example.org/r/ID/ WEBHOOK

WEBHOOK is the address that the chat gives you (Discord: Channel settings, Integrations, Webhooks). Discord reads the
field "content"; Slack, Mattermost and Rocket.Chat read "text", so add --field text.
"""

import argparse
import json
import re
import sys
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from armybuilder_api import ApiError, Armybuilder

MOST = 10
"""How many broken rules are named."""
LONGEST = 2_000
"""Characters of a message. Discord takes no more."""
TRIES = 5
LONGEST_WAIT = 60


def write_messages(address: str) -> list[str]:
    """Return a list's text in parts that fit into a chat, and its verdict.

    Raises ValueError for an address that is no list's, ApiError, and URLError.
    """
    found = re.fullmatch(r"(https?://[^/]+)/r/([\w-]{22})/?(?:\?.*)?", address.strip())
    if found is None:
        raise ValueError("This is no link of a list. It looks like https://lists.example.org/r/ and 22 letters.")
    site = Armybuilder(found[1])
    roster = site.roster_retrieve(found[2])
    text = site.roster_text(found[2], layout="armybuilder", length="compact", style="markdown")
    broken = [f"- {violation['sentence']['headline']}" for violation in roster["violations"]]
    verdict = f"**{roster['word']}** {address.strip()}"
    return [*text["messages"], *join_lines([verdict, *broken[:MOST]])]


def join_lines(lines: list[str]) -> list[str]:
    """Join lines to messages that fit into a chat. A line that is too long is cut in pieces."""
    messages = [""]
    for line in lines:
        for start in range(0, len(line), LONGEST):
            piece = line[start : start + LONGEST]
            joined = f"{messages[-1]}\n{piece}" if messages[-1] else piece
            if len(joined) > LONGEST:
                messages.append(piece)
            else:
                messages[-1] = joined
    return messages


def make_message(text: str, field: str) -> dict[str, Any]:
    """Return a message in which a name such as "Army @everyone" calls nobody."""
    if field == "content":
        return {"content": text, "allowed_mentions": {"parse": []}}
    return {field: text.replace("@", "@\u200b").replace("<", "\u2039")}


def post_message(webhook: str, message: dict[str, Any]) -> None:
    """Send a message to a chat. If the chat asks to wait, wait and send it again.

    Raises HTTPError, URLError and TimeoutError.
    """
    headers = {"Content-Type": "application/json", "User-Agent": "armybuilder-post-list"}
    for tries_left in reversed(range(TRIES)):
        try:
            with urlopen(Request(webhook, json.dumps(message).encode(), headers), timeout=30):
                return
        except HTTPError as error:
            seconds = re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", error.headers.get("Retry-After", ""))
            if error.code != 429 or not seconds or not tries_left:
                raise
        time.sleep(min(float(seconds[0]), LONGEST_WAIT))


def main() -> int:
    parser = argparse.ArgumentParser(description="Post a list with its verdict into a chat.")
    parser.add_argument("link", help="the link of a list")
    parser.add_argument("webhook", help="the address that the chat gives you")
    parser.add_argument("--field", choices=("content", "text"), default="content")
    arguments = parser.parse_args()
    if not arguments.webhook.startswith(("http://", "https://")):
        parser.error("The webhook's address begins with https://.")
    try:
        for text in write_messages(arguments.link):
            post_message(arguments.webhook, make_message(text, arguments.field))
    except HTTPError as error:
        print(f"The chat answered {error.code} {error.reason}.", file=sys.stderr)
        return 1
    except (ApiError, ValueError, URLError, TimeoutError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
