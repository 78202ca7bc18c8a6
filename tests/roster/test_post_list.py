"""The bot that posts a list into a chat: its messages fit, and names in them call nobody."""

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings

LINK = "https://lists.example.org/r/aaaaaaaaaaaaaaaaaaaaaa/"
CALLING = "Army @everyone <!channel>"


class Site:
    """A site with one list that breaks many rules."""

    def __init__(self, _address: str) -> None:
        pass

    def roster_retrieve(self, _link_id: str) -> Any:
        headlines = [f"{CALLING} {number} {'x' * 400}" for number in range(12)] + ["€" * 5_000]
        return {"word": "Illegal", "violations": [{"sentence": {"headline": text}} for text in headlines[3:]]}

    def roster_text(self, _link_id: str, **_options: str) -> Any:
        return {"messages": [f"# {CALLING}"]}


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(Path(settings.BASE_DIR) / "docs" / "clients"))
    import post_list

    monkeypatch.setattr(post_list, "Armybuilder", Site)
    yield post_list
    for name in ("post_list", "armybuilder_api"):
        sys.modules.pop(name)


def post(bot: ModuleType, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[dict[str, Any]]:
    """Return the messages that a chat gets."""
    bodies: list[bytes] = []

    def keep(request: Any, timeout: float) -> Any:
        bodies.append(request.data)
        return nullcontext()

    monkeypatch.setattr(bot, "urlopen", keep)
    monkeypatch.setattr(sys, "argv", ["post_list.py", LINK, "https://chat.example/hook", *words])
    assert bot.main() == 0
    return [json.loads(body) for body in bodies]


def test_a_name_calls_nobody(bot: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = post(bot, monkeypatch)
    assert messages[0] == {"content": f"# {CALLING}", "allowed_mentions": {"parse": []}}
    assert all(message["allowed_mentions"] == {"parse": []} for message in messages)
    texts = [message["text"] for message in post(bot, monkeypatch, "--field", "text")]
    assert "Army @" in texts[0]
    assert not any("@everyone" in text or "<" in text for text in texts)


def test_the_verdict_fits_into_messages(bot: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    _list, *verdict = [message["content"] for message in post(bot, monkeypatch)]
    assert len(verdict) > 2
    assert all(0 < len(text) <= bot.LONGEST for text in verdict)
    assert verdict[0].startswith(f"**Illegal** {LINK}\n- {CALLING} 3")
    assert "".join(verdict).count("€") == 5_000
    assert bot.join_lines(["short"]) == ["short"]
