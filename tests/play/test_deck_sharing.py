"""Who may see a mission deck: private, by link, public; taken back; found, reported, hidden. As lists are."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import PackVersion
from roster.models import AbuseReport
from roster.models.ownership import Visibility
from roster.play.models import DeckMission, MissionDeck
from roster.services.sharing import take_down
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.views_cast import SCRIPT
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db

PUBLIC = reverse("play:public-decks")


@pytest.fixture
def reeds(db: None) -> PackVersion:
    return install_shipped(SHIPPED / "reeds_and_rust" / "first")


@pytest.fixture
def ann(client: Client) -> Client:
    client.force_login(account())
    return client


@pytest.fixture
def deck(ann: Client, reeds: PackVersion) -> MissionDeck:
    return started(ann, reeds)


def started(client: Client, version: PackVersion, name: str = "Evening") -> MissionDeck:
    client.post(reverse("play:decks"), {"name": name})
    made = MissionDeck.objects.latest("pk")
    DeckMission.objects.create(deck=made, version=version, mission_id="high-water", copies=2)
    return made


def say(client: Client, deck: MissionDeck, visibility: str, **fields: str) -> int:
    form = {"do": "share", "visibility": visibility, **fields}
    return client.post(sharing(deck), form).status_code


def sharing(deck: MissionDeck) -> str:
    return reverse("play:deck-sharing", args=[deck.public_id])


def ways_in(deck: MissionDeck) -> dict[str, str]:
    deck.refresh_from_db()
    names = {"link": "deck-link", "cards": "mission-deck-cards", "report": "deck-report"}
    return {key: reverse(f"play:{name}", args=[deck.link_id]) for key, name in names.items()}


def open_to(client: Client, deck: MissionDeck) -> set[str]:
    answers = {name: client.get(address).status_code for name, address in ways_in(deck).items()}
    assert set(answers.values()) <= {200, 404}
    return {name for name, status in answers.items() if status == 200}


def on_show(client: Client) -> list[MissionDeck]:
    return list(client.get(PUBLIC).context["decks"])


@pytest.mark.parametrize("visibility", Visibility.values)
def test_who_sees_what(ann: Client, deck: MissionDeck, visibility: str) -> None:
    assert say(ann, deck, visibility) == 303
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    expected = set() if visibility == Visibility.PRIVATE else {"link", "cards", "report"}
    assert open_to(Client(), deck) == open_to(staff, deck) == expected
    assert open_to(ann, deck) == {"link", "cards"}
    assert on_show(Client()) == ([deck] if visibility == Visibility.PUBLIC else [])


@pytest.mark.parametrize("visibility", ["", "everybody", SCRIPT, "\x00"])
def test_bad_form(ann: Client, deck: MissionDeck, visibility: str) -> None:
    assert say(ann, deck, visibility, link_id="x" * 22, owner="1", taken_down="", name="Me") == 400
    deck.refresh_from_db()
    assert (deck.visibility, deck.name) == (Visibility.LINK, "Evening")


def test_nothing_else_of_a_deck_can_be_set_by_this_form(ann: Client, deck: MissionDeck) -> None:
    take_down(deck)
    before = MissionDeck.objects.values().get()
    say(ann, deck, "public", link_id="x" * 22, owner="", owner_key="k", taken_down="", name="Me", shuffled="9")
    assert MissionDeck.objects.values().get() == before | {"visibility": "public"}


def test_a_guest_cannot_make_a_deck_public(reeds: PackVersion) -> None:
    guest = Client()
    deck = started(guest, reeds)
    assert say(guest, deck, "public") == 422
    assert say(guest, deck, "private") == 303


def test_the_page_says_the_address_and_a_new_one_ends_it(ann: Client, deck: MissionDeck) -> None:
    old = ways_in(deck)
    page = markup(ann.get(sharing(deck)))
    assert f'value="http://testserver{old["link"]}"' in page
    assert 'class="qr"' in page
    assert ann.post(sharing(deck), {"do": "renew"}).status_code == 303
    assert {Client().get(address).status_code for address in old.values()} == {404}
    assert open_to(Client(), deck) == {"link", "cards", "report"}


def test_a_link_says_what_it_leads_to_and_search_engines_hear_of_public_ones_alone(
    ann: Client, deck: MissionDeck
) -> None:
    for visibility, told in (("link", False), ("public", True)):
        say(ann, deck, visibility)
        address = ways_in(deck)["link"]
        answer = Client().get(address)
        page = markup(answer)
        assert ("X-Robots-Tag" not in answer) is told
        assert ('content="noindex"' not in page) is told
        assert f'<meta property="og:url" content="http://testserver{address}">' in page
        assert '<meta property="og:title" content="Evening">' in page
        assert "2 cards" in page
        assert answer["Referrer-Policy"] == "same-origin"


def test_reported_hidden_and_shown_again(ann: Client, deck: MissionDeck, admin_client: Client) -> None:
    say(ann, deck, "public")
    form = {"reason": "offensive", "text": SCRIPT, "object_id": "9"}
    assert Client().post(ways_in(deck)["report"], form).status_code == 302
    made = AbuseReport.objects.get()
    assert made.thing == deck
    reports = reverse("admin:roster_abusereport_changelist")
    page = markup(admin_client.get(reports))
    assert ways_in(deck)["link"] in page
    assert SCRIPT not in page
    admin_client.post(reports, {"action": "hide", "_selected_action": [made.pk]})
    assert open_to(Client(), deck) == set()
    assert on_show(Client()) == []
    assert "Hidden by the staff" in markup(ann.get(ways_in(deck)["link"]))
    assert "staff have hidden" in markup(ann.get(sharing(deck)))
    decks = reverse("admin:play_missiondeck_changelist")
    admin_client.post(decks, {"action": "show_again", "_selected_action": [deck.pk]})
    assert open_to(Client(), deck) == {"link", "cards", "report"}


@pytest.mark.parametrize(
    ("fields", "status"), [({"reason": ""}, 400), ({"reason": SCRIPT}, 400), ({"text": "x" * 1001}, 422)]
)
def test_bad_report(deck: MissionDeck, fields: dict[str, str], status: int) -> None:
    answer = Client().post(ways_in(deck)["report"], {"reason": "other", **fields})
    assert answer.status_code == status
    assert SCRIPT not in markup(answer)
    assert not AbuseReport.objects.exists()


def test_script_in_a_name_stays_text(ann: Client, deck: MissionDeck) -> None:
    MissionDeck.objects.update(name=SCRIPT, visibility="public")
    own = [sharing(deck), reverse("play:deck-delete", args=[deck.public_id]), reverse("play:decks")]
    for address in (*own, PUBLIC, ways_in(deck)["link"]):
        assert SCRIPT not in markup(ann.get(address))
    for address in (PUBLIC, ways_in(deck)["link"], ways_in(deck)["report"]):
        assert SCRIPT not in markup(Client().get(address))


def test_nothing_private_looks_like_nothing_at_all(ann: Client, deck: MissionDeck) -> None:
    say(ann, deck, "private")
    unlike = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|' + deck.link_id + "|" + "a" * 22)
    addresses = [*ways_in(deck).values(), sharing(deck)]
    assert len(addresses) == 4
    for address in addresses:
        there, nowhere = (Client().get(path) for path in (address, address.replace(deck.link_id, "a" * 22)))
        assert there.status_code == nowhere.status_code == 404
        assert unlike.sub("", markup(there)) == unlike.sub("", markup(nowhere))
        assert there.headers.keys() == nowhere.headers.keys()


@pytest.mark.parametrize("page", ["0", "99", "-1", "x", "\x00"])
def test_bad_page(page: str, client: Client) -> None:
    assert client.get(PUBLIC, {"page": page}).status_code == 200


def test_pages_ask_the_same_at_one_and_three_decks(
    ann: Client, deck: MissionDeck, reeds: PackVersion, django_assert_num_queries: Any
) -> None:
    say(ann, deck, "public")
    for _ in (1, 3):
        with django_assert_num_queries(2):  # how many, the page
            Client().get(PUBLIC)
        with django_assert_num_queries(4):  # session, account, player name, decks
            ann.get(reverse("play:decks"))
        with django_assert_num_queries(4):  # session, account, player name, deck
            ann.get(sharing(deck))
        for _number in range(2):
            say(ann, started(ann, reeds), "public")


def test_pages_say_that_the_code_leads_to_a_deck(ann: Client, deck: MissionDeck) -> None:
    for address in (sharing(deck), ways_in(deck)["link"]):
        page = markup(ann.get(address))
        assert "open the deck on a phone" in page
        assert "open the list on a phone" not in page
