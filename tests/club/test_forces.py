"""Forces that grow: units with a ledger, lists mustered from them, results of games, undo."""

import io
import zipfile
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from catalogue.models import GameSystem
from roster.club.models import CampaignForce, CountedGame, LedgerEntry, OwnedKind, Veteran
from roster.club.services import forces as verbs
from roster.club.services.force_games import list_open_games, propose_results
from roster.club.services.list_models import list_kinds, load_holdings
from roster.club.services.mustering import muster_list
from roster.club.services.veterans import ForceRoll, VeteranState, load_roll
from roster.models import AbuseReport, Roster
from roster.models.roster import AppendOnlyError
from roster.play.models import Game, GameSide
from roster.play.services.games import end_game, reopen_game
from roster.services.accounts import delete_account
from roster.services.outcomes import Refused
from roster.services.owners import Visitor
from roster.services.sharing import take_down
from tests.markup import markup
from tests.play.games import make_tap, tap
from tests.roster.accounts_cast import account, say_who, sign_in
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = pytest.mark.django_db

START = reverse("club:forces")


@pytest.fixture
def owner() -> Owner:
    owner = started()
    owner.unit("warden")
    owner.unit("cutters")
    owner.unit("cutters")
    return owner


@pytest.fixture
def force(owner: Owner) -> CampaignForce:
    """A force with the three units of the owner's list."""
    answer = owner.client.post(START, {"faction": "fenland:marsh", "name": "Low water column", "campaign": "long-road"})
    assert answer.status_code == 303
    force = CampaignForce.objects.get()
    form = {"list": owner.public_id, "unit": owner.units()}
    assert owner.client.post(page(force, "force-units"), form).status_code == 303
    return force


def page(force: CampaignForce, name: str = "force") -> str:
    return reverse(f"club:{name}", args=[force.public_id])


def page_of(kind: OwnedKind) -> str:
    return reverse("club:collection", args=[kind.collection.public_id])


def visitor(owner: Owner) -> Visitor:
    return Visitor(key=owner.key)


def states(force: CampaignForce) -> list[VeteranState]:
    return list(load_roll(force).veterans)


def find(roll: ForceRoll, name: str) -> VeteranState:
    return next(state for state in roll.veterans if state.name == name)


def write(owner: Owner, force: CampaignForce, state: VeteranState, **form: Any) -> int:
    return owner.client.post(page(force), {"do": "write", "unit": state.veteran.pk, **form}).status_code


def played(owner: Owner, roster: Roster, *dead: str) -> Game:
    """A finished game of a list, in which some of its units died."""
    answer = owner.client.post(reverse("play:game-new", args=[roster.link_id]), {"first": "0"})
    assert answer.status_code == 303
    game = Game.objects.latest("pk")
    for key in dead:
        tap(game, 0, make_tap("set", f"at:{key}", text="dead"))
    ended = end_game(game, "")
    assert isinstance(ended, Game)
    return ended


# ---- units -----------------------------------------------------------------------------------------------------------


def test_a_force_starts_with_units_of_a_list(owner: Owner, force: CampaignForce) -> None:
    assert force.owner_key == owner.key
    assert force.visibility == "private"
    assert [state.name for state in states(force)] == ["Wärden", "Cutters", "Cutters 2"]
    roll = load_roll(force)
    assert roll.total == roll.points == sum(state.points for state in roll.veterans)
    assert roll.cost == 0
    shown = markup(owner.client.get(page(force)))
    assert "Cutters 2" in shown
    assert "Low water column" in markup(owner.client.get(START))


def test_a_unit_joins_once_and_takes_new_gear(owner: Owner, force: CampaignForce) -> None:
    form = {"list": owner.public_id, "unit": owner.units()}
    owner.client.post(page(force, "force-units"), form)
    assert LedgerEntry.objects.count() == 3
    warden = owner.units()[0]
    owner.done(do="toggle", node=warden, entry="lamp")
    before = states(force)[0].points
    owner.client.post(page(force, "force-units"), form)
    assert len(states(force)) == 3
    state = states(force)[0]
    assert state.points > before
    assert state.lines[0].entry.kind == "refit"
    assert "Lamp" in " ".join(state.unit.options)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"faction": "fenland:nobody"}, 422),
        ({"faction": "fenland:marsh", "campaign": "unknown"}, 422),
        ({"faction": "fenland:marsh", "name": "x" * 150}, 422),
        ({"faction": "nothing"}, 404),
        ({}, 404),
    ],
)
def test_a_force_is_not_started_from_a_bad_form(owner: Owner, form: dict[str, str], status: int) -> None:
    assert owner.client.post(START, form).status_code == status
    assert not CampaignForce.objects.exists()


def test_units_come_from_lists_of_the_same_faction(owner: Owner, force: CampaignForce) -> None:
    roster = owner.roster
    CampaignForce.objects.update(faction_id="iron")
    force.refresh_from_db()
    assert verbs.add_units(force, roster, owner.units()) == Refused(code="other-force")
    answer = owner.client.post(page(force, "force-units"), {"list": owner.public_id, "unit": owner.units()})
    assert answer.status_code == 422
    for form in ({"list": "x" * 22}, {}, {"list": owner.public_id}):
        assert owner.client.post(page(force, "force-units"), form).status_code == 422
    assert Veteran.objects.count() == 3


# ---- the ledger ------------------------------------------------------------------------------------------------------


def test_the_ledger_adds_up(owner: Owner, force: CampaignForce) -> None:
    state = states(force)[1]
    assert write(owner, force, state, kind="experience", amount="5", name="Held the weir") == 303
    assert write(owner, force, state, kind="kills", amount="2") == 303
    assert write(owner, force, state, kind="honour", name="Sure of foot") == 303
    assert write(owner, force, state, kind="honour", name="Our own", cost="7") == 303
    assert write(owner, force, state, kind="injury", name="Broken") == 303
    assert write(owner, force, state, kind="counter", name="Supplies", amount="3") == 303
    assert write(owner, force, state, kind="counter", name="Supplies", amount="-1") == 303
    assert write(owner, force, state, kind="name", name="The Third Bank") == 303
    assert write(owner, force, state, kind="story", text="They came with the tide.\nThey stayed.") == 303
    now = states(force)[1]
    assert (now.experience, now.kills, now.counters["Supplies"]) == (5, 2, 2)
    assert now.rank is not None
    assert now.rank.name == "Blooded"
    assert [mark.name for mark in now.honours] == ["Sure of foot", "Our own"]
    assert now.honours[0].text
    assert now.cost == 4 + 7 - 3
    assert now.total == now.points + 8
    assert now.name == "The Third Bank"
    assert "\n" in now.story
    assert write(owner, force, now, kind="healed", name="Broken") == 303
    healed = states(force)[1]
    assert not healed.injuries
    assert healed.cost == 11
    shown = markup(owner.client.get(page(force), {"open": now.veteran.pk}))
    for text in ("Held the weir", "The Third Bank", "They stayed.", "Our own", "+7"):
        assert text in shown


def test_a_rank_can_cost(owner: Owner, force: CampaignForce) -> None:
    assert verbs.set_campaign(force, "campaign: 1\nname: House\nranks: [{name: Old, from: 2, cost: 9}]") is None
    state = states(force)[0]
    assert write(owner, force, state, kind="experience", amount="2") == 303
    assert states(force)[0].cost == 9


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"kind": "experience", "amount": "0"}, 422),
        ({"kind": "experience", "amount": "many"}, 400),
        ({"kind": "experience", "amount": "10000"}, 400),
        ({"kind": "honour", "name": ""}, 422),
        ({"kind": "honour", "name": "Bold", "cost": "-10000"}, 400),
        ({"kind": "name", "name": "Wärden"}, 422),
        ({"kind": "name", "name": "x" * 150}, 422),
        ({"kind": "healed", "name": "Nothing"}, 422),
        ({"kind": "story", "text": "x" * 2_001}, 422),
        ({"kind": "joined", "name": "Again"}, 422),
        ({"kind": "undo"}, 422),
        ({"kind": "gold"}, 422),
        ({"kind": "experience", "amount": "1", "unit": "999999"}, 422),
        ({"do": "sing"}, 400),
        ({"do": "undo", "step": "99"}, 422),
        ({"do": "rename", "name": " "}, 422),
    ],
)
def test_a_bad_entry_changes_nothing(owner: Owner, force: CampaignForce, form: dict[str, str], status: int) -> None:
    before = LedgerEntry.objects.count()
    unit = states(force)[1].veteran.pk
    answer = owner.client.post(page(force), {"do": "write", "unit": unit, **form})
    assert answer.status_code == status
    assert 'role="alert"' in markup(answer)
    assert LedgerEntry.objects.count() == before
    force.refresh_from_db()
    assert force.name == "Low water column"


def test_a_ledger_is_never_changed(force: CampaignForce) -> None:
    entry = LedgerEntry.objects.latest("pk")
    entry.amount = 99
    with pytest.raises(AppendOnlyError):
        entry.save()
    with pytest.raises(AppendOnlyError):
        LedgerEntry.objects.update(amount=99)
    with pytest.raises(AppendOnlyError):
        LedgerEntry.objects.bulk_update([entry], ["amount"])


def test_a_full_ledger_says_so(owner: Owner, force: CampaignForce, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verbs, "MOST_ENTRIES", 3)
    assert write(owner, force, states(force)[0], kind="kills", amount="1") == 422
    assert not states(force)[0].kills


def test_undo_takes_back_the_newest_step_and_can_be_undone(owner: Owner, force: CampaignForce) -> None:
    state = states(force)[0]
    write(owner, force, state, kind="experience", amount="2")
    write(owner, force, state, kind="experience", amount="5")
    for left in (2, 0):
        step = load_roll(force).undoable
        assert step is not None
        assert owner.client.post(page(force), {"do": "undo", "step": step.number}).status_code == 303
        assert states(force)[0].experience == left
    # Each undo is a step, and taking it back restores what it undid; again and again.
    roll = load_roll(force)
    undo = roll.steps[0]
    assert undo.kind == "undo"
    for expected in (2, 0, 2, 0):
        number = next(step.number for step in load_roll(force).steps if step.stands and step.number >= undo.number)
        assert verbs.undo_step(force, number) is None
        assert states(force)[0].experience == expected
    assert LedgerEntry.objects.filter(kind="experience").count() == 2


def test_undoing_the_first_step_empties_the_force_and_keeps_the_ledger(owner: Owner, force: CampaignForce) -> None:
    write(owner, force, states(force)[0], kind="experience", amount="2")
    assert verbs.undo_step(force, 1) is None
    assert states(force) == []
    assert owner.client.get(page(force)).status_code == 200
    form = {"list": owner.public_id, "unit": owner.units()}
    assert owner.client.post(page(force, "force-units"), form).status_code == 303
    assert [state.experience for state in states(force)] == [2, 0, 0]


def test_a_sold_model_leaves_and_its_ledger_stays(owner: Owner, force: CampaignForce) -> None:
    sold = states(force)[2]
    write(owner, force, sold, kind="kills", amount="3")
    assert write(owner, force, sold, kind="left", text="Sold in the middle of the campaign") == 303
    roll = load_roll(force)
    assert [state.name for state in roll.present] == ["Wärden", "Cutters"]
    assert [(state.name, state.kills) for state in roll.gone] == [("Cutters 2", 3)]
    shown = markup(owner.client.get(page(force)))
    assert "Sold in the middle of the campaign" in shown
    outcome = muster_list(visitor(owner), force, [sold.veteran.pk])
    assert outcome == Refused(code="no-units")
    undoable = roll.undoable
    assert undoable is not None
    assert verbs.undo_step(force, undoable.number) is None
    assert len(load_roll(force).present) == 3


def test_models_sold_from_the_shelf_are_lacking_and_the_force_keeps_its_units(
    owner: Owner, force: CampaignForce
) -> None:
    roster = muster_list(visitor(owner), force, [state.veteran.pk for state in states(force)])
    assert isinstance(roster, Roster)
    shelf = reverse("club:list-models", args=[roster.public_id])
    assert owner.client.post(shelf, {"do": "own", "target": "painted"}).status_code == 303
    kind = OwnedKind.objects.get(name="Cutters")

    def list_lacking() -> dict[str, int]:
        needs = list_kinds(roster, load_holdings(visitor(owner), roster))
        return {need.name: need.short for need in needs if need.short}

    assert list_lacking() == {}
    sold = {"do": "move", "kind": kind.pk, "number": kind.owned, "source": "painted", "target": ""}
    assert owner.client.post(page_of(kind), sold).status_code == 303
    assert list_lacking() == {"Cutters": kind.owned}
    # Whether a unit leaves is the player's decision: its ledger stays, and it can still be mustered.
    assert len(load_roll(force).present) == 3
    assert isinstance(muster_list(visitor(owner), force, [states(force)[1].veteran.pk]), Roster)
    assert owner.client.post(page_of(kind), {"do": "undo"}).status_code == 303
    assert list_lacking() == {}


# ---- lists -----------------------------------------------------------------------------------------------------------


def test_a_list_is_mustered_from_the_force(owner: Owner, force: CampaignForce) -> None:
    warden, cutters, _others = states(force)
    write(owner, force, cutters, kind="name", name="The Third Bank")
    write(owner, force, cutters, kind="honour", name="Sure of foot")
    form = {"unit": [warden.veteran.pk, cutters.veteran.pk], "name": "Night raid", "limit": "90"}
    answer = owner.client.post(page(force, "force-muster"), form)
    assert answer.status_code == 303
    roster = Roster.objects.get(name="Night raid")
    units = [unit for one in roster.tree.forces for unit in one.selections]
    assert [(unit.name, unit.custom_name) for unit in units] == [("Wärden", ""), ("Cutters", "The Third Bank")]
    assert units[1].notes == "Untried · Sure of foot · +4"
    assert [unit.id for unit in units] == [warden.veteran.selection_id, cutters.veteran.selection_id]
    assert roster.limit == "90"
    # The verdict and the points are those of the data.
    assert roster.total == warden.points + cutters.points
    assert list(force.lists.all()) == [roster]
    assert "Night raid" in markup(owner.client.get(page(force)))
    assert owner.client.get(reverse("roster:builder", args=[roster.public_id])).status_code == 200
    assert owner.client.get(reverse("roster:history", args=[roster.public_id])).status_code == 200


@pytest.mark.parametrize("form", [{}, {"unit": ["999"]}, {"unit": ["all"]}, {"limit": "much"}, {"name": "x" * 150}])
def test_a_bad_muster_makes_no_list(owner: Owner, force: CampaignForce, form: dict[str, Any]) -> None:
    if "unit" not in form and form:
        form["unit"] = [str(states(force)[0].veteran.pk)]
    before = Roster.objects.count()
    answer = owner.client.post(page(force, "force-muster"), form)
    assert answer.status_code == 422
    assert 'role="alert"' in markup(answer)
    assert Roster.objects.count() == before


def test_a_force_outlives_its_data(owner: Owner, force: CampaignForce) -> None:
    write(owner, force, states(force)[0], kind="honour", name="Steady")
    Roster.objects.all().delete()
    with transaction.atomic():
        GameSystem.objects.update(current=None)
        CampaignForce.objects.update(game=None)
        owner_page = owner.client.get(page(force))
        assert "Steady" in markup(owner_page)
        assert owner.client.get(page(force, "force-units")).status_code == 200
        assert owner.client.get(page(force, "force-games")).status_code == 200
        transaction.set_rollback(True)
    # Without the version that its units came from, no list can be made.
    for entry in LedgerEntry.objects.exclude(document=""):
        document = entry.document.replace('"version":', '"version":99999')
        LedgerEntry.objects.create(veteran=entry.veteran, step=force.last + 1, kind="refit", document=document)
    answer = owner.client.post(page(force, "force-muster"), {"unit": [states(force)[0].veteran.pk]})
    assert answer.status_code == 422
    assert "Steady" in markup(owner.client.get(page(force)))


# ---- games -----------------------------------------------------------------------------------------------------------


def test_results_of_a_game_are_proposed_and_confirmed(owner: Owner, force: CampaignForce) -> None:
    game = played(owner, owner.roster, "u2")
    one = list_open_games(force, visitor(owner))[0]
    proposed = propose_results(load_roll(force), one)
    assert [(one.played, one.result.destroyed) for one in proposed].count((True, True)) == 1
    shown = markup(owner.client.get(page(force, "force-games"), {"game": game.public_id}))
    assert shown.count("checked") == 4
    keys = [str(state.veteran.pk) for state in states(force)]
    form = {
        "game": game.public_id,
        "unit": keys[:2],
        f"kills-{keys[0]}": "2",
        f"award-{keys[0]}": "Best of the day",
        f"lost-{keys[1]}": "yes",
        f"injury-{keys[1]}": "Limping",
        f"kills-{keys[2]}": "9",
    }
    assert owner.client.post(page(force, "force-games"), form).status_code == 303
    first, second, third = states(force)
    # Took part, survived, two kills, best of the day.
    assert (first.games, first.survived, first.kills, first.experience) == (1, 1, 2, 1 + 1 + 2 + 2)
    assert (second.games, second.survived, second.experience) == (1, 0, 1)
    assert [mark.name for mark in second.injuries] == ["Limping"]
    assert (third.games, third.kills) == (0, 0)
    assert load_roll(force).steps[0].kind == "game"


def test_a_game_counts_once(owner: Owner, force: CampaignForce) -> None:
    game = played(owner, owner.roster)
    form = {"game": game.public_id, "unit": [str(states(force)[0].veteran.pk)]}
    assert owner.client.post(page(force, "force-games"), form).status_code == 303
    answer = owner.client.post(page(force, "force-games"), form)
    assert answer.status_code == 422
    assert 'role="alert"' in markup(answer)
    assert states(force)[0].games == 1
    assert list_open_games(force, visitor(owner)) == []
    with pytest.raises(IntegrityError), transaction.atomic():
        CountedGame.objects.create(force=force, game=game, name="again", step=99)
    # An undone result may be entered again; then the first one cannot be restored.
    step = load_roll(force).undoable
    assert step is not None
    assert verbs.undo_step(force, step.number) is None
    undo = load_roll(force).steps[0]
    assert states(force)[0].games == 0
    assert owner.client.post(page(force, "force-games"), form).status_code == 303
    assert verbs.undo_step(force, undo.number) == Refused(code="counted-game")
    assert states(force)[0].games == 1


def test_a_game_by_hand_and_a_deleted_game(owner: Owner, force: CampaignForce) -> None:
    game = played(owner, owner.roster)
    GameSide.objects.update(document="")
    proposed = propose_results(load_roll(force), list_open_games(force, visitor(owner))[0])
    assert not any(result.played for result in proposed)
    form = {"game": game.public_id, "unit": [str(states(force)[0].veteran.pk)]}
    assert owner.client.post(page(force, "force-games"), form).status_code == 303
    game.delete()
    assert states(force)[0].games == 1
    assert owner.client.get(page(force)).status_code == 200


@pytest.mark.parametrize(
    "change", [{"unit": []}, {"unit": ["999"]}, {"game": "x"}, {"kills": "-3"}, {"award": "Unheard of"}, {"text": "x"}]
)
def test_bad_results_change_nothing(owner: Owner, force: CampaignForce, change: dict[str, Any]) -> None:
    game = played(owner, owner.roster)
    key = str(states(force)[0].veteran.pk)
    form: dict[str, Any] = {"game": game.public_id, "unit": [key]}
    for name, value in change.items():
        form[f"{name}-{key}" if name in ("kills", "award", "text") else name] = value * (2_001 if name == "text" else 1)
    assert owner.client.post(page(force, "force-games"), form).status_code == 422
    assert LedgerEntry.objects.count() == 3
    assert not CountedGame.objects.exists()


def test_running_games_and_games_of_others_do_not_count(owner: Owner, force: CampaignForce) -> None:
    game = played(owner, owner.roster)
    reopen_game(game)
    form = {"game": game.public_id, "unit": [str(states(force)[0].veteran.pk)]}
    assert owner.client.post(page(force, "force-games"), form).status_code == 422
    end_game(game, "")
    Game.objects.update(owner_key="another")
    assert owner.client.post(page(force, "force-games"), form).status_code == 422
    assert states(force)[0].games == 0


# ---- campaign, sharing, paper ----------------------------------------------------------------------------------------


def test_a_campaign_is_pasted_and_mistakes_keep_the_text(owner: Owner, force: CampaignForce) -> None:
    text = "campaign: 1\nname: Our house\nhonours: [Bold]\n"
    assert owner.client.post(page(force, "force-campaign"), {"text": text}).status_code == 303
    force.refresh_from_db()
    assert load_roll(force).table.name == "Our house"
    answer = owner.client.post(page(force, "force-campaign"), {"text": text + "honours: [Brave]\n"})
    assert answer.status_code == 422
    assert "Brave" in markup(answer)
    assert "4" in markup(answer).split('role="alert"')[1][:60]
    assert owner.client.post(page(force, "force-campaign"), {"text": "x" * 12_001}).status_code == 422
    assert CampaignForce.objects.get().campaign == text
    assert "Back alleys" in markup(owner.client.get(page(force, "force-campaign"), {"ready": "back-alleys"}))
    assert CampaignForce.objects.get().campaign == text
    assert owner.client.post(page(force, "force-campaign"), {"text": " "}).status_code == 303
    assert owner.client.get(page(force)).status_code == 200


def test_strangers_find_nothing_until_it_is_shared(owner: Owner, force: CampaignForce) -> None:
    write(owner, force, states(force)[0], kind="story", text=f"Once {SCRIPT}")
    link = reverse("club:force-link", args=[force.link_id])
    stranger = Client()
    names = (
        "force",
        "force-units",
        "force-muster",
        "force-games",
        "force-campaign",
        "force-paper",
        "force-cards",
        "force-delete",
    )
    for name in names:
        assert stranger.get(page(force, name)).status_code == 404
        assert owner.client.get(page(force, name)).status_code == 200
    assert stranger.get(link).status_code == 404
    form = {"do": "share", "visibility": "link"}
    assert owner.client.post(page(force, "force-sharing"), form).status_code == 303
    shown = markup(stranger.get(link, {"open": states(force)[0].veteran.pk}))
    assert "Once" in shown
    assert f'value="http://testserver{link}"' in shown
    assert "The link as a QR code" in shown
    assert SCRIPT not in shown
    assert "csrfmiddlewaretoken" not in shown.split("<main")[1].split("</main>")[0]
    report = reverse("club:force-report", args=[force.link_id])
    assert stranger.post(report, {"reason": "other", "text": "no"}).status_code == 302
    assert AbuseReport.objects.count() == 1
    take_down(CampaignForce.objects.get())
    assert stranger.get(link).status_code == 404
    assert owner.client.get(link).status_code == 200


def test_the_order_of_battle_and_the_cards_are_pdfs(owner: Owner, force: CampaignForce) -> None:
    write(owner, force, states(force)[0], kind="honour", name="Keen eye")
    write(owner, force, states(force)[0], kind="story", text="A long story. " * 100)
    for name in ("force-paper", "force-cards"):
        answer = owner.client.get(page(force, name))
        assert answer["Content-Type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF")


def test_a_force_is_deleted_with_its_ledger(owner: Owner, force: CampaignForce) -> None:
    assert owner.client.get(page(force, "force-delete")).status_code == 200
    assert owner.client.post(page(force, "force-delete")).status_code == 303
    assert not CampaignForce.objects.exists()
    assert not LedgerEntry.objects.exists()
    assert Roster.objects.count() == 1


@pytest.mark.parametrize("number", [1, 3])
def test_the_page_asks_few_questions(
    owner: Owner, force: CampaignForce, number: int, django_assert_max_num_queries: Any
) -> None:
    for state in states(force)[:number]:
        write(owner, force, state, kind="experience", amount="1")
        write(owner, force, state, kind="honour", name="Steady")
    with django_assert_max_num_queries(16):
        owner.client.get(page(force), {"open": states(force)[0].veteran.pk})


def test_an_account_takes_its_forces_along_and_away(client: Client) -> None:
    user = account()
    sign_in(client)
    owner = started(client)
    owner.unit("warden")
    client.post(START, {"faction": "fenland:marsh", "campaign": "long-road"})
    force = CampaignForce.objects.get()
    client.post(page(force, "force-units"), {"list": owner.public_id, "unit": owner.units()})
    write(owner, force, states(force)[0], kind="story", text="Told once.")
    assert verbs.undo_step(force, 2) is None
    say_who(client)
    answer = client.get(reverse("roster:account-export"))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        names = archive.namelist()
        ledger = archive.read("ledger_entries.jsonl").decode()
    assert len(names) == len(set(names))
    assert "Told once." in ledger
    assert ledger.count("\n") == 3
    delete_account(user)
    assert not CampaignForce.objects.exists()
    assert not LedgerEntry.objects.exists()
