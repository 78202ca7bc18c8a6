"""Battle reports: who writes, reads, hides and deletes them, what they copy, and who keeps their name out of them."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core import mail
from django.core.files.storage import default_storage
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.models import GameSystem
from roster.club.models import BattleReport, BlockedPlayer, PlayerPage, ReportedSide, ReportPhoto
from roster.club.services import battles as verbs
from roster.models import AbuseReport, PlayerName, Roster
from roster.models.ownership import Visibility
from roster.play.models import Game, GameSide
from roster.play.services.games import end_game, leave_game, reopen_game
from roster.services.accounts import delete_account, export_account_data
from roster.services.limits import measure_photos
from roster.services.owners import Visitor
from roster.services.photos import delete_lost_files, hide_photo
from roster.services.sharing import put_back, take_down
from tests.markup import markup
from tests.play.games import join, make_tap, tap
from tests.roster.accounts_cast import account
from tests.roster.photo_files import PLACE, claim_size, send, take_photo
from tests.roster.views_cast import SCRIPT, Owner, started, started_with_account

pytestmark = pytest.mark.django_db
STORY = "The reeds burned.\nAll night.\n\nThen it rained."


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


class Cast:
    """Ann and Ben have played a game. Cleo did not. A guest looks on."""

    def __init__(self) -> None:
        self.owner: Owner = started_with_account()
        self.roster: Roster = self.owner.roster
        self.users: dict[str, User] = {"ann": User.objects.get(email="ann@example.org")}
        self.browsers: dict[str, Client] = {"ann": self.owner.client, "guest": Client()}
        for name in ("ben", "cleo"):
            self.users[name] = account(f"{name}@example.org")
            self.browsers[name] = Client()
            self.browsers[name].force_login(self.users[name])
        for name, user in self.users.items():
            PlayerName.objects.create(user=user, name=name.title())
        self.game = self.play()

    def play(self) -> Game:
        """Play a game that Ann wins by 5 to 2, in which Ben's side loses its warden."""
        link = self.roster.link_id
        form = {"first": "0", "player": "Ann", "opponent": "Ben", "opponent_link": link}
        answer = self.browsers["ann"].post(reverse("play:game-new", args=[link]), form)
        assert answer.status_code == 303
        game = Game.objects.latest("pk")
        join(game, self.browsers["ben"])
        tap(game, 0, make_tap("count", "score:points:1", 5))
        tap(game, 1, make_tap("count", "score:points:1", 2, side=1), make_tap("set", "at:u1", text="dead", side=1))
        ended = end_game(game, "")
        assert isinstance(ended, Game)
        return ended

    def write(self, who: str = "ann", **fields: Any) -> HttpResponse:
        form = {"name": "Fire in the reeds", "text": STORY} | fields
        return self.browsers[who].post(reverse("club:battle-new", args=[self.game.public_id]), form)

    def story(self, visibility: str = "public") -> BattleReport:
        """Return Ann's report, with its turning points."""
        moments = [moment.id for moment in verbs.list_moments(self.game) if moment.is_turning]
        assert self.write(moment=moments).status_code == 303
        BattleReport.objects.update(visibility=visibility)
        return BattleReport.objects.get()

    def see(self, who: str, report: BattleReport) -> str:
        return markup(self.browsers[who].get(report.get_absolute_url()))

    def photo(self, report: BattleReport, content: bytes | None = None, **fields: Any) -> HttpResponse:
        form = {"do": "add", "caption": "Burning", "file": send(content or take_photo())} | fields
        return self.browsers["ann"].post(reverse("club:battle-photos", args=[report.public_id]), form)


@pytest.fixture
def cast() -> Cast:
    return Cast()


# ---- writing ---------------------------------------------------------------------------------------------------------


def test_a_player_writes_about_a_finished_game(cast: Cast) -> None:
    address = reverse("club:battle-new", args=[cast.game.public_id])
    assert address in markup(cast.browsers["ben"].get(reverse("play:game", args=[cast.game.public_id])))
    assert address in markup(cast.browsers["ben"].get(reverse("play:game-end", args=[cast.game.public_id])))
    form = markup(cast.browsers["ben"].get(address))
    assert form.count("checked") == 1
    answer = cast.write("ben")
    report = BattleReport.objects.get()
    assert answer["Location"] == reverse("club:battle", args=[report.public_id])
    assert (report.owner, report.name, report.text) == (cast.users["ben"], "Fire in the reeds", STORY)
    assert report.visibility == Visibility.PRIVATE
    sides = report.sides.values_list("name", "score", "points", "player__email", "rank")
    assert [*sides] == [("Ann", 5, [5], "ann@example.org", 1), ("Ben", 2, [2], "ben@example.org", 2)]


def test_a_player_writes_one_report_of_a_game(cast: Cast) -> None:
    cast.write(name="First")
    cast.write(name="Second")
    report = BattleReport.objects.get()
    assert report.name == "Second"
    again = cast.browsers["ann"].get(reverse("club:battle-new", args=[cast.game.public_id]))
    assert again["Location"] == reverse("club:battle", args=[report.public_id])
    assert cast.write("ben").status_code == 303
    assert BattleReport.objects.count() == 2


def test_only_players_with_an_account_write(cast: Cast) -> None:
    address = reverse("club:battle-new", args=[cast.game.public_id])
    for who in ("cleo", "guest"):
        assert cast.browsers[who].get(address).status_code == 404
        assert cast.write(who).status_code == 404
    player = Client()
    Game.objects.update(owner=None, owner_key=start_guest(player))
    page = markup(player.get(address))
    assert "You need an account" in page
    assert reverse("account_login") in page
    answer = player.post(address, {"name": "Mine", "text": STORY})
    assert answer.status_code == 422
    assert "The reeds burned." in markup(answer)
    assert not BattleReport.objects.exists()


def start_guest(client: Client) -> str:
    """Make a browser a guest who owns something, and return the guest's key."""
    return started(client).key


def test_a_running_game_is_not_reported_and_nothing_is_lost(cast: Cast) -> None:
    reopen_game(Game.objects.get())
    page = markup(cast.browsers["ann"].get(reverse("club:battle-new", args=[cast.game.public_id])))
    assert "End the game first" in page
    assert "<textarea" not in page
    answer = cast.write()
    assert answer.status_code == 422
    assert "The reeds burned." in markup(answer)
    assert not BattleReport.objects.exists()


@pytest.mark.parametrize("fields", [{"name": " "}, {"name": "x" * 101}, {"text": "x" * 20_001}])
def test_bad_texts_are_refused_and_nothing_is_lost(cast: Cast, fields: dict[str, str]) -> None:
    answer = cast.write(**fields)
    assert answer.status_code == 422
    shown = markup(answer)
    assert "The reeds burned." in shown or fields.get("text", "") in shown
    assert not BattleReport.objects.exists()
    report = cast.story()
    answer = cast.browsers["ann"].post(
        reverse("club:battle", args=[report.public_id]), {"name": "A title", "text": "Another end"} | fields
    )
    assert answer.status_code == 422
    assert max(fields.values(), key=len) in markup(answer)
    report.refresh_from_db()
    assert (report.name, report.text) == ("Fire in the reeds", STORY)


def test_too_many_moments_are_refused(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verbs, "MOST_MOMENTS", 1)
    every = [moment.id for moment in verbs.list_moments(cast.game)]
    answer = cast.write(moment=every)
    assert answer.status_code == 422
    assert "at most 1 turning points" in markup(answer)
    assert markup(answer).count("checked") == len(every) == 3
    assert cast.write(moment=[every[0], "no such line"]).status_code == 303
    assert [moment["id"] for moment in BattleReport.objects.get().moments] == [every[0]]


def test_texts_are_plain_with_paragraphs(cast: Cast) -> None:
    report = cast.story()
    cast.browsers["ann"].post(
        reverse("club:battle", args=[report.public_id]), {"name": f"T {SCRIPT}", "text": f"{STORY}\n\n{SCRIPT}"}
    )
    page = cast.browsers["guest"].get(report.get_absolute_url()).content.decode()
    assert "<p>The reeds burned.<br>All night.</p>" in page
    assert SCRIPT not in page
    assert "&lt;script&gt;" in page


# ---- what the game recorded ------------------------------------------------------------------------------------------


def test_it_shows_what_the_game_recorded(cast: Cast) -> None:
    Game.objects.update(mission_name="Low water", map_name="The ford")
    page = " ".join(cast.see("guest", cast.story()).split())
    for text in ("Ann", "Ben", "Low water", "The ford", "Victory: Ann", ": destroyed", "Score by round"):
        assert text in page, text
    # Only chosen lines of the log.
    assert "+5" not in page


def test_only_public_lists_are_linked(cast: Cast) -> None:
    report = cast.story()
    address = cast.roster.get_absolute_url()
    assert address not in cast.see("guest", report)
    for change, is_linked in (
        ({"visibility": "public"}, True),
        ({"taken_down": True}, False),
        ({"taken_down": False, "visibility": "private"}, False),
    ):
        Roster.objects.update(**change)
        assert (f'href="{address}"' in cast.see("guest", report)) == is_linked
        assert cast.roster.name in cast.see("guest", report)


def test_saving_copies_the_game_again(cast: Cast) -> None:
    report = cast.story()
    edit = reverse("club:battle", args=[report.public_id])
    game = Game.objects.get()
    reopen_game(game)
    tap(game, 1, make_tap("count", "score:points:2", 9, side=1))
    # The result of a running game is none yet.
    assert cast.browsers["ann"].post(edit, {"name": "N", "text": ""}).status_code == 303
    assert [*report.sides.values_list("score", flat=True)] == [5, 2]
    assert isinstance(end_game(game, ""), Game)
    assert cast.browsers["ann"].post(edit, {"name": "N", "text": ""}).status_code == 303
    assert [*report.sides.values_list("score", flat=True)] == [5, 11]
    assert "Victory: Ben" in cast.see("guest", report)


def test_it_outlives_its_game(cast: Cast) -> None:
    report = cast.story()
    before = cast.see("guest", report)
    Game.objects.get().delete()
    report.refresh_from_db()
    assert report.played_game is None
    assert cast.see("guest", report) == before
    edit = reverse("club:battle", args=[report.public_id])
    page = markup(cast.browsers["ann"].get(edit))
    assert "The report keeps what it copied" in page
    moment = report.moments[0]["id"]
    assert cast.browsers["ann"].post(edit, {"name": "Later", "text": "", "moment": [moment]}).status_code == 303
    report.refresh_from_db()
    assert (report.name, len(report.moments)) == ("Later", 1)
    assert cast.browsers["ann"].post(edit, {"name": "Later", "text": ""}).status_code == 303
    report.refresh_from_db()
    assert report.moments == []
    assert "Victory: Ann" in cast.see("guest", report)


def test_a_player_who_left_the_game_keeps_the_copy(cast: Cast) -> None:
    cast.write("ben")
    leave_game(cast.game, Visitor(user_id=cast.users["ben"].pk))
    report = BattleReport.objects.get()
    GameSide.objects.filter(place=0).update(player="Renamed")
    edit = reverse("club:battle", args=[report.public_id])
    assert cast.browsers["ben"].post(edit, {"name": "N", "text": "T"}).status_code == 303
    assert [*report.sides.values_list("name", flat=True)] == ["Ann", "Ben"]


def test_a_result_entered_by_hand_is_reported_without_rounds(cast: Cast) -> None:
    form = {"game": "fenland", "list_name": "Mine", "opponent": "Dan", "points": "3", "their_points": "4"}
    assert cast.browsers["ann"].post(reverse("play:game-by-hand"), form).status_code == 303
    cast.game = Game.objects.latest("pk")
    assert cast.write().status_code == 303
    report = BattleReport.objects.get()
    page = cast.see("ann", report)
    assert "Dan" in page
    assert "Score by round" not in page


def test_secrets_of_a_side_are_not_copied(cast: Cast) -> None:
    """The copy is what spectators may see, even if the author knows more."""
    GameSide.objects.update(private_notes="A secret plan")
    report = cast.story()
    assert "secret plan" not in json.dumps(report.moments) + cast.see("ann", report)


# ---- other players ---------------------------------------------------------------------------------------------------


def test_another_player_removes_their_name_for_good(cast: Cast) -> None:
    report = cast.story()
    every = [moment.id for moment in verbs.list_moments(cast.game)]
    edit = reverse("club:battle", args=[report.public_id])
    cast.browsers["ann"].post(edit, {"name": "N", "text": "", "moment": every})
    address = report.get_absolute_url()
    assert "Remove my name" in cast.see("ben", report)
    for who in ("ann", "cleo", "guest"):
        assert "Remove my name" not in cast.see(who, report)
        assert cast.browsers[who].post(address, {"do": "unname"}).status_code == 422
    assert "Ben" in cast.see("guest", report)
    assert cast.browsers["ben"].post(address, {"do": "nonsense"}).status_code == 422
    assert cast.browsers["ben"].post(address, {"do": "unname"}).status_code == 303
    # Saving copies the game again, but not the name.
    cast.browsers["ann"].post(edit, {"name": "N", "text": "", "moment": every})
    for who in ("ann", "guest"):
        page = cast.see(who, report)
        assert "Ben" not in page
        assert "Player 2" in page
        assert "Ann" in page
    side = report.sides.get(place=1)
    assert (side.name, side.list_name, side.roster, side.score) == ("", "", None, 2)
    assert "Ben" not in export(cast.users["ann"], "battle_reports")
    assert "Ben" not in export(cast.users["ann"], "reported_sides")


def test_a_name_can_be_removed_after_the_game_is_gone(cast: Cast) -> None:
    report = cast.story()
    Game.objects.all().delete()
    assert cast.browsers["ben"].post(report.get_absolute_url(), {"do": "unname"}).status_code == 303
    assert "Ben" not in cast.see("guest", report)


def test_a_guest_removes_the_name_of_their_side(cast: Cast) -> None:
    guest = Client()
    key = start_guest(guest)
    seat = cast.game.sides.get(place=1).seats.get()
    seat.owner, seat.owner_key = None, key
    seat.save()
    report = cast.story()
    assert report.sides.get(place=1).player is None
    assert guest.post(report.get_absolute_url(), {"do": "unname"}).status_code == 303
    assert "Ben" not in cast.see("guest", report)


def test_the_name_of_a_player_who_blocks_the_author_is_not_shown(cast: Cast) -> None:
    report = cast.story()
    BlockedPlayer.objects.create(owner=cast.users["cleo"], player=cast.users["ann"])
    assert "Ben" in cast.see("guest", report)
    block = BlockedPlayer.objects.create(owner=cast.users["ben"], player=cast.users["ann"])
    assert "Ben" not in cast.see("guest", report)
    block.delete()
    assert "Ben" in cast.see("guest", report)


def test_a_deleted_account_leaves_no_name(cast: Cast) -> None:
    report = cast.story()
    delete_account(cast.users["ben"])
    assert "Ben" not in cast.see("guest", report)
    assert "Victory: Ann" in cast.see("guest", report)
    delete_account(cast.users["ann"])
    assert not BattleReport.objects.exists()
    assert not ReportedSide.objects.exists()


def export(user: User, name: str) -> str:
    file = io.BytesIO()
    export_account_data(user, file)
    with zipfile.ZipFile(file) as archive:
        return archive.read(f"{name}.jsonl").decode()


def test_the_export_has_reports_without_accounts_of_others(cast: Cast) -> None:
    cast.photo(cast.story())
    assert "The reeds burned." in export(cast.users["ann"], "battle_reports")
    sides = export(cast.users["ann"], "reported_sides")
    assert '"Ben"' in sides
    assert "player_id" not in sides
    file = io.BytesIO()
    export_account_data(cast.users["ann"], file)
    with zipfile.ZipFile(file) as archive:
        assert sum(name.endswith(".jpg") for name in archive.namelist()) == 2


# ---- photos ----------------------------------------------------------------------------------------------------------


def test_photos_are_drawn_anew_and_shown_to_readers(cast: Cast, media: Path) -> None:
    report = cast.story("link")
    assert cast.photo(report, caption=f"Fire {SCRIPT}").status_code == 303
    photo = ReportPhoto.objects.get()
    for size in ("small", "large"):
        assert photo.get_address("small") in cast.see("guest", report)
        answer = cast.browsers["guest"].get(photo.get_address(size))
        assert answer["Content-Type"] == "image/jpeg"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert PLACE not in answer.content
    assert cast.browsers["guest"].get(photo.get_address("huge")).status_code == 404
    assert SCRIPT not in cast.browsers["guest"].get(report.get_absolute_url()).content.decode()
    BattleReport.objects.update(visibility="private")
    assert cast.browsers["guest"].get(photo.get_address("small")).status_code == 404
    assert cast.browsers["ann"].get(photo.get_address("small")).status_code == 200


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"<script>alert(1)</script>", "JPEG, PNG or WebP"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(99), "HEIC"),
        (claim_size(60_000, 60_000), "megapixels"),
        (b"", "JPEG, PNG or WebP"),
        (None, "Choose a file first."),
    ],
    ids=["page", "heic", "bomb", "empty", "none"],
)
def test_bad_photos_are_refused_and_the_caption_stays(cast: Cast, content: bytes | None, says: str) -> None:
    report = cast.story()
    file = {"file": ""} if content is None else {"file": send(content)}
    answer = cast.photo(report, caption="By the ford", **file)
    assert answer.status_code == 422
    assert says in markup(answer)
    assert 'value="By the ford"' in markup(answer)
    assert not ReportPhoto.objects.exists()


def test_photos_have_a_number_and_share_the_room_of_the_account(
    cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = cast.story()
    assert cast.photo(report, caption="x" * 201).status_code == 422
    assert cast.photo(report).status_code == 303
    used = measure_photos(cast.users["ann"].pk)
    assert used == ReportPhoto.objects.get().size > 0
    settings.ARMYBUILDER = {**django_settings.ARMYBUILDER, "PHOTO_BYTES": used + 1}
    assert "Your photos have reached your limit" in markup(cast.photo(report))
    settings.ARMYBUILDER = {**django_settings.ARMYBUILDER, "PHOTO_BYTES": 0}
    assert "This site stores no photos." in markup(cast.photo(report))
    settings.ARMYBUILDER = {**django_settings.ARMYBUILDER, "PHOTO_BYTES": used * 9}
    monkeypatch.setattr(verbs, "MOST_PHOTOS", 1)
    answer = cast.photo(report)
    assert answer.status_code == 422
    assert "at most 1 photos" in markup(answer)
    assert ReportPhoto.objects.count() == 1


def test_captions_change_and_photos_are_deleted_with_their_files(
    cast: Cast, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    report = cast.story()
    cast.photo(report)
    photo = ReportPhoto.objects.get()
    address = reverse("club:battle-photos", args=[report.public_id])
    post = cast.browsers["ann"].post
    assert post(address, {"do": "caption", "photo": photo.pk, "caption": "Smoke"}).status_code == 303
    assert "Smoke" in cast.see("guest", report)
    wrong = post(address, {"do": "caption", "photo": photo.pk, "caption": "y" * 201})
    assert (wrong.status_code, "y" * 201 in markup(wrong)) == (422, True)
    for fields in ({"do": "delete", "photo": photo.pk + 1}, {"do": "caption", "photo": 0}, {"do": "x"}, {}):
        assert post(address, fields).status_code == 422
    # Files that a report uses are not lost ones.
    assert delete_lost_files() == 0
    with django_capture_on_commit_callbacks(execute=True):
        assert post(address, {"do": "delete", "photo": photo.pk}).status_code == 303
    assert not [path for path in media.rglob("*") if path.is_file()]


def test_a_deleted_report_takes_its_files_along(
    cast: Cast, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    report = cast.story()
    cast.photo(report)
    assert default_storage.exists(ReportPhoto.objects.get().large)
    address = reverse("club:battle-delete", args=[report.public_id])
    assert "The game stays." in markup(cast.browsers["ann"].get(address))
    assert cast.browsers["ben"].post(address).status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        assert cast.browsers["ann"].post(address).status_code == 303
    assert not [path for path in media.rglob("*") if path.is_file()]
    assert Game.objects.exists()
    assert cast.browsers["guest"].get(report.get_absolute_url()).status_code == 404


def test_staff_hide_a_photo(cast: Cast) -> None:
    report = cast.story()
    cast.photo(report)
    photo = ReportPhoto.objects.get()
    hide_photo(photo, hidden=True)
    assert cast.browsers["guest"].get(photo.get_address("small")).status_code == 404
    assert photo.get_address("small") not in cast.see("guest", report)
    assert photo.get_address("small") not in markup(cast.browsers["guest"].get(reverse("club:battles")))
    assert cast.browsers["ann"].get(photo.get_address("small")).status_code == 200
    assert "Hidden by the staff" in cast.see("ann", report)
    hide_photo(photo, hidden=False)
    assert cast.browsers["guest"].get(photo.get_address("small")).status_code == 200


# ---- sharing and moderation ------------------------------------------------------------------------------------------


def test_it_is_private_by_link_or_public(cast: Cast) -> None:
    report = cast.story("private")
    listing, sharing = reverse("club:battles"), reverse("club:battle-sharing", args=[report.public_id])
    for visibility, status, is_listed in (("private", 404, False), ("link", 200, False), ("public", 200, True)):
        answer = cast.browsers["ann"].post(sharing, {"do": "share", "visibility": visibility})
        assert answer.status_code == 303
        page = cast.browsers["guest"].get(report.get_absolute_url())
        assert page.status_code == status
        assert page.get("X-Robots-Tag", "") == ("noindex, nofollow" if visibility == "link" else "")
        assert (report.name in markup(cast.browsers["guest"].get(listing))) == is_listed
        assert report.name in markup(cast.browsers["ann"].get(listing))
    cast.browsers["ann"].post(sharing, {"do": "renew"})
    assert cast.browsers["guest"].get(report.get_absolute_url()).status_code == 404
    assert reverse("club:battle", args=[report.public_id]) in markup(cast.browsers["ann"].get(sharing))


def test_a_report_of_a_private_game_cannot_be_public(cast: Cast) -> None:
    report = cast.story("private")
    version = cast.roster.version
    GameSystem.objects.update(owner=cast.users["ann"], private_version=version, current=None)
    sharing = reverse("club:battle-sharing", args=[report.public_id])
    assert 'value="public"' not in markup(cast.browsers["ann"].get(sharing))
    assert cast.browsers["ann"].post(sharing, {"do": "share", "visibility": "public"}).status_code == 422
    assert cast.browsers["ann"].post(sharing, {"do": "share", "visibility": "link"}).status_code == 303


def test_reports_of_reports_reach_the_staff(cast: Cast) -> None:
    report = cast.story()
    address = reverse("club:battle-report", args=[report.link_id])
    assert address in cast.see("guest", report)
    assert address not in cast.see("ann", report)
    assert cast.browsers["ann"].get(address).status_code == 404
    assert cast.browsers["guest"].post(address, {"reason": "person", "text": "My name"}).status_code == 302
    assert AbuseReport.objects.get().thing == report
    take_down(report)
    assert "Fire in the reeds" in mail.outbox[-1].body
    for who in ("ben", "guest"):
        assert cast.browsers[who].get(report.get_absolute_url()).status_code == 404
        assert report.name not in markup(cast.browsers[who].get(reverse("club:battles")))
    assert "The staff have hidden this battle report" in cast.see("ann", report)
    put_back(report)
    assert cast.browsers["guest"].get(report.get_absolute_url()).status_code == 200


def test_a_player_page_shows_public_reports_if_its_player_wants(cast: Cast) -> None:
    report = cast.story()
    page = PlayerPage.objects.create(owner=cast.users["ann"], visibility=Visibility.PUBLIC)
    listing = f"{reverse('club:battles')}?player={page.link_id}"
    address = page.get_absolute_url()
    cast.browsers["ben"].post(address, {"do": "follow"})
    for shows, visibility, is_shown in (
        (False, "public", False),
        (True, "public", True),
        (True, "link", False),
        (True, "private", False),
    ):
        PlayerPage.objects.update(shows_reports=shows)
        BattleReport.objects.update(visibility=visibility)
        for shown in (address, listing):
            assert (report.name in markup(cast.browsers["guest"].get(shown))) == is_shown
        assert (report.name in markup(cast.browsers["ben"].get(reverse("club:players")))) == is_shown
        assert report.name not in markup(cast.browsers["cleo"].get(reverse("club:players")))
    PlayerPage.objects.update(visibility=Visibility.PRIVATE)
    assert cast.browsers["guest"].get(listing).status_code == 404
    assert cast.browsers["guest"].get(reverse("club:battles") + "?player=x").status_code == 404


def test_the_form_of_the_page_stores_the_choice(cast: Cast) -> None:
    form = {"do": "save", "name": "Ann", "text": "", "visibility": "public", "shows_reports": "on"}
    assert cast.browsers["ann"].post(reverse("club:player-page"), form).status_code == 303
    assert PlayerPage.objects.get().shows_reports
    assert "shows_reports" in markup(cast.browsers["ann"].get(reverse("club:player-page")))


@pytest.mark.parametrize("name", ["battle", "battle-photos", "battle-sharing", "battle-delete"])
def test_only_the_author_finds_the_forms(cast: Cast, name: str) -> None:
    report = cast.story()
    address = reverse(f"club:{name}", args=[report.public_id])
    assert cast.browsers["ann"].get(address).status_code == 200
    for who in ("ben", "cleo", "guest"):
        assert cast.browsers[who].get(address).status_code == 404
        assert cast.browsers[who].post(address, {"do": "delete", "name": "x"}).status_code == 404
    assert cast.browsers["ann"].get(reverse(f"club:{name}", args=["x"])).status_code == 404


def test_the_admin_shows_reports_and_photos(cast: Cast) -> None:
    report = cast.story()
    cast.photo(report)
    staff = Client()
    staff.force_login(User.objects.create_superuser("root", "root@example.org"))
    for model in ("battlereport", "reportphoto"):
        assert "Fire in the reeds" in markup(staff.get(reverse(f"admin:club_{model}_changelist")))
    photo = ReportPhoto.objects.get()
    form = {"action": "hide", "_selected_action": [photo.pk]}
    assert staff.post(reverse("admin:club_reportphoto_changelist"), form).status_code == 302
    photo.refresh_from_db()
    assert photo.taken_down


def test_pages_ask_the_same_at_one_and_three(cast: Cast) -> None:
    page = PlayerPage.objects.create(owner=cast.users["ann"], visibility=Visibility.PUBLIC, shows_reports=True)
    report = cast.story()
    cast.photo(report)
    addresses = (reverse("club:battles"), page.get_absolute_url(), report.get_absolute_url())
    counts = [count_queries(cast.browsers["ben"], address) for address in addresses]
    assert max(counts) <= 15
    for _time in range(2):
        cast.photo(report)
        cast.game = cast.play()
        cast.write(moment=[moment.id for moment in verbs.list_moments(cast.game)])
    BattleReport.objects.update(visibility=Visibility.PUBLIC)
    assert [count_queries(cast.browsers["ben"], address) for address in addresses] == counts


def count_queries(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)
