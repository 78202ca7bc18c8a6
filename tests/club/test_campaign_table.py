"""Campaign tables: the bundled ones, and mistakes with their lines."""

import pytest

from roster.club.campaign_table import CampaignTable, Occasion, read_campaign
from roster.club.services.campaigns import load_ready_campaigns
from roster.formats.list_document import Unreadable
from roster.wording import explain_unreadable


def test_the_bundled_campaigns_are_whole() -> None:
    ready = load_ready_campaigns()
    assert [one.key for one in ready] == ["long-road", "back-alleys"]
    for one in ready:
        assert one.table.ranks
        assert {award.occasion for award in one.table.awards} >= {Occasion.GAME, Occasion.KILL, Occasion.CHOSEN}
        assert all(mark.text for mark in (*one.table.honours, *one.table.injuries))
        starts = [rank.start for rank in one.table.ranks]
        assert starts == sorted(starts)


def test_a_name_alone_is_a_row() -> None:
    table = read_campaign("campaign: 1\nname: House\nhonours: [Bold]\ncounters: [Fame]\nawards: [Held the bridge]")
    assert isinstance(table, CampaignTable)
    assert table.honours[0].name == "Bold"
    assert table.honours[0].cost == 0
    assert (table.awards[0].experience, table.awards[0].occasion) == (1, Occasion.CHOSEN)
    assert table.experience == "xp"
    assert table.find_rank(100) is None


def test_costs_may_lower_the_price_of_a_unit() -> None:
    table = read_campaign("campaign: 1\nname: House\ninjuries: [{name: Bad leg, cost: −5}]")
    assert isinstance(table, CampaignTable)
    injury = table.find_injury("Bad leg")
    assert injury is not None
    assert injury.cost == -5
    assert table.find_honour("Bad leg") is None


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("name: House", "missing-key", 1),
        ("campaign: 2\nname: House", "unknown-campaign-form", 1),
        ("campaign: 1", "missing-key", 1),
        ("campaign: 1\nname: House\nranks:\n- {name: Old, from: soon}", "not-a-number", 4),
        ("campaign: 1\nname: House\nhonours:\n- {name: Bold, cost: 1.5}", "not-a-number", 4),
        ("campaign: 1\nname: House\nawards:\n- {name: Wept, for: crying}", "unknown-occasion", 4),
        ("campaign: 1\nname: House\nhonours:\n- Bold\n- Bold", "duplicate-key", 5),
        ("campaign: 1\nname: House\nmagic: yes", "unknown-key", 3),
        ("campaign: 1\nname: [", "bad-yaml", 2),
        ("campaign: 1\nname: House\nhonours: [" + ", ".join(f"H{n}" for n in range(61)) + "]", "too-big", 1),
        ("campaign: 1\nname: House\ncounters: [" + ", ".join(f"C{n}" for n in range(61)) + "]", "too-big", 1),
        ("", "empty", 0),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, code: str, line: int) -> None:
    outcome = read_campaign(text)
    assert isinstance(outcome, Unreadable)
    assert outcome.code == code
    assert outcome.line in (line, line + 1)
    assert explain_unreadable(outcome).reason
