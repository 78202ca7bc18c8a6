"""Sign up, sign in, move a guest's lists; export and delete an account."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from catalogue.views.responses import REFUSED
from roster.models import RevisionName, Roster, RosterRevision, Tag
from roster.services.accounts import get_player_name, set_player_name
from roster.services.outcomes import Refused
from roster.services.tokens import create_token
from tests.roster.accounts_cast import PASSWORD, account, code_in_mail, confirm, say_who, sign_in, sign_up
from tests.roster.views_cast import SCRIPT, started

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

ROSTERS = reverse("roster:rosters")


@pytest.fixture(autouse=True)
def _attempts_are_not_counted_across_tests() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ann(client: Client) -> User:
    user = account()
    assert sign_in(client)["Location"] == ROSTERS
    return user


# ---- signing up --------------------------------------------------------------------------------------------------


def test_signing_up_asks_for_the_code_in_the_mail(client: Client) -> None:
    answer = sign_up(client)
    assert answer["Location"] == reverse("account_email_verification_sent")
    assert mail.outbox[-1].to == ["ann@example.org"]
    assert "_auth_user_id" not in client.session
    assert confirm(client, code_in_mail())["Location"] == ROSTERS
    assert EmailAddress.objects.get().verified
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)


def test_a_wrong_code_opens_nothing(client: Client) -> None:
    sign_up(client)
    for code in ("", SCRIPT):
        answer = confirm(client, code)
        assert answer.status_code == 200
        assert SCRIPT not in answer.content.decode()
    assert confirm(client, "AAAA-AAAA")["Location"] == reverse("account_login"), "three attempts, no more"
    confirm(client, code_in_mail())
    assert "_auth_user_id" not in client.session
    assert not EmailAddress.objects.get().verified


def test_what_a_guest_made_comes_along(client: Client) -> None:
    owner, other = started(client), started(Client())
    for name in ("One", "Two"):
        client.post(reverse("play:decks"), {"name": name})
    sign_up(client)
    assert owner.roster.owner is None, "not before the address is confirmed"
    answer = client.post(reverse("account_email_verification_sent"), {"code": code_in_mail()}, follow=True)
    assert (owner.roster.owner, owner.roster.owner_key) == (User.objects.get(), "")
    assert "your account: 1 list, 2 mission decks." in answer.content.decode()
    assert owner.page().status_code == 200
    assert other.roster.owner is None


def test_a_guest_who_signs_in_brings_lists_too_and_leaves_none_behind(client: Client) -> None:
    user, owner = account(), started(client)
    sign_in(client)
    assert owner.roster.owner == user
    client.post(reverse("account_logout"))
    assert owner.page().status_code == 404
    new = started(client)
    assert new.roster.owner is None
    assert owner.roster.owner == user


def test_a_code_that_got_lost_is_sent_again(client: Client) -> None:
    sign_up(client)
    page, lost = reverse("account_email_verification_sent"), code_in_mail()
    cache.clear()  # seconds later: a second mail at once is refused
    client.post(page, {"action": "resend"})
    assert code_in_mail() != lost
    confirm(client, lost)
    assert not EmailAddress.objects.get().verified
    confirm(client, code_in_mail())
    assert EmailAddress.objects.get().verified


def test_the_page_of_the_code_is_the_same_for_a_known_address(client: Client) -> None:
    account()
    other = Client()
    sign_up(client)
    sign_up(other, "ben@example.org")
    token = re.compile(r'value="\w{64}"|(ann|ben)@example.org')
    page = reverse("account_email_verification_sent")
    known, unknown = (token.sub("", who.get(page).content.decode()) for who in (client, other))
    assert known == unknown


def test_signing_up_twice_tells_nobody_that_the_address_is_known(client: Client) -> None:
    account()
    assert sign_up(client)["Location"] == sign_up(Client(), "ben@example.org")["Location"]
    assert User.objects.filter(email="ann@example.org").count() == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"email": "no address"}, "email"),
        ({"email": f"{SCRIPT}@example.org"}, "email"),
        ({"email": "a" * 300 + "@example.org"}, "email"),
        ({"password1": "short"}, "password1"),
        ({"password1": "password123", "password2": "password123"}, "password1"),
        ({"password2": "Another7boat"}, "password2"),
    ],
)
def test_bad_form(client: Client, fields: dict[str, str], field: str) -> None:
    answer = sign_up(client, **fields)
    assert answer.status_code == 200
    assert field in answer.context["form"].errors
    assert SCRIPT not in answer.content.decode()
    assert not User.objects.exists()


def test_nobody_makes_themselves_staff(client: Client) -> None:
    sign_up(client, is_staff="on", is_superuser="on", username="admin", pk="1")
    user = User.objects.get()
    assert not user.is_staff
    assert not user.is_superuser
    assert user.username != "admin"


def test_signing_up_can_be_closed(client: Client, settings) -> None:
    settings.SIGN_UP_OPEN = False
    assert sign_up(client).status_code == 200
    assert not User.objects.exists()


# ---- signing in --------------------------------------------------------------------------------------------------


def test_a_wrong_password_opens_nothing(client: Client) -> None:
    account()
    for email, password in (("ann@example.org", "wrong"), ("nobody@example.org", PASSWORD), ("ann", PASSWORD)):
        assert sign_in(client, email, password).status_code == 200
    assert "_auth_user_id" not in client.session


def test_guessing_is_slowed_down(client: Client) -> None:
    account()
    for _ in range(10):
        sign_in(client, password="wrong")
    assert sign_in(client).status_code == 429
    assert "_auth_user_id" not in client.session


def test_an_address_that_was_not_confirmed_is_confirmed_first(client: Client) -> None:
    account(confirmed=False)
    assert sign_in(client)["Location"] == reverse("account_email_verification_sent")
    confirm(client, code_in_mail())
    assert "_auth_user_id" in client.session


def test_the_second_factor_is_asked_for_everywhere(client: Client) -> None:
    user = account(staff=True)
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(user, secret)
    assert sign_in(client)["Location"] == reverse("mfa_authenticate")
    assert "_auth_user_id" not in client.session
    assert client.get("/admin/").status_code == 302
    asked = client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert asked.status_code == 200
    assert "recovery codes works here" in asked.content.decode()
    now = totp.yield_hotp_counters_from_time
    code = totp.format_hotp_value(totp.hotp_value(secret, next(iter(now()))))
    assert client.post(reverse("mfa_authenticate"), {"code": code})["Location"] == ROSTERS
    assert client.get("/admin/").status_code == 200


def test_the_admin_signs_in_like_everybody(client: Client) -> None:
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    account("ben@example.org")
    sign_in(client, "ben@example.org")
    assert client.get("/admin/").status_code in (302, 403)


@pytest.mark.parametrize("next_page", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_signing_in_leads_to_no_other_site(client: Client, next_page: str) -> None:
    account()
    form = {"login": "ann@example.org", "password": PASSWORD, "next": next_page}
    assert client.post(reverse("account_login"), form)["Location"] == ROSTERS


def test_a_link_for_a_new_password_does_not_replace_the_second_factor(client: Client) -> None:
    totp.TOTP.activate(account(), totp.generate_totp_secret())
    client.post(reverse("account_reset_password"), {"email": "ann@example.org"})
    address = next(line for line in mail.outbox[-1].body.split() if "/password/reset/" in line)
    page = client.get(address.removeprefix("http://testserver"), follow=True)
    form = {"password1": "Green8boat-x", "password2": "Green8boat-x"}
    assert client.post(page.request["PATH_INFO"], form)["Location"] == reverse("mfa_authenticate")
    assert "_auth_user_id" not in client.session


def test_a_forgotten_password_is_chosen_anew(client: Client) -> None:
    account()
    for email in ("ann@example.org", "nobody@example.org"):
        assert client.post(reverse("account_reset_password"), {"email": email}).status_code == 302
    address = next(line for line in mail.outbox[0].body.split() if "/password/reset/" in line)
    page = client.get(address.removeprefix("http://testserver"), follow=True)
    form = {"password1": "Green8boat-x", "password2": "Green8boat-x"}
    assert client.post(page.request["PATH_INFO"], form)["Location"] == ROSTERS
    assert "_auth_user_id" in client.session
    assert [letter.to for letter in mail.outbox][-1] == ["ann@example.org"]
    assert len(mail.outbox) == 3, "a link, word that nobody is known, and that the password is another one"
    assert sign_in(Client(), password="Green8boat-x")["Location"] == ROSTERS


# ---- the account -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["account", "account-export", "account-delete"])
def test_needs_login(client: Client, name: str) -> None:
    address = reverse(f"roster:{name}")
    assert client.get(address)["Location"] == f"{reverse('account_login')}?next={address}"


def test_wrong_method(client: Client, ann: User) -> None:
    assert client.post(reverse("roster:account-export")).status_code == 405
    assert client.put(reverse("roster:account")).status_code == 405


def test_the_page_says_what_there_is(client: Client, ann: User, django_assert_num_queries) -> None:
    address = reverse("roster:account")
    for _ in (1, 3):
        started(client)
        # Session, account, name, consent, numbers of lists and of new comments; stored: lists, their bytes, games,
        # decks, hands, battle reports, collections, forces, photos of lists, of reports and of models.
        with django_assert_num_queries(17):
            assert ann.email in client.get(address).content.decode()
        started(client)


def test_the_page_says_how_much_is_stored_and_may_be(client: Client, ann: User, settings) -> None:
    quota = {"things": 1_234, "bytes": 5 * 1024 * 1024, "history": 1024 * 1024}
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "QUOTAS": {"guest": quota, "account": quota}}
    client.post(reverse("roster:bulk"), {"do": "bin", "list": started(client).public_id})
    Roster.objects.update(written=2048)
    page = client.get(reverse("roster:account")).content.decode().replace("\xa0", " ")
    for line in (
        "1 list, at most 1,234",
        "0 mission decks, at most 1,234",
        "2.0 KB, at most 5.0 MB",
        "2.0 KB, at most 1.0 MB",
    ):
        assert line in page


def test_a_player_chooses_a_name(client: Client, ann: User) -> None:
    client.force_login(ann)
    page = reverse("roster:account")
    for typed, stored in (("  tin_dice ", "tin_dice"), ("Tin_Dice", "Tin_Dice"), ("", "")):
        assert client.post(page, {"player_name": typed}).status_code == 302
        assert get_player_name(User.objects.get(pk=ann.pk)) == stored


def test_the_header_calls_players_by_the_name_they_chose(client: Client, ann: User) -> None:
    client.force_login(ann)
    for name, shown in (("", "ann"), ("tin_dice", "tin_dice"), (SCRIPT[:20], escape(SCRIPT[:20]))):
        set_player_name(ann, name)
        assert f'<span class="name">{shown}</span>' in client.get(reverse("roster:import")).content.decode()


@pytest.mark.parametrize("typed", ["x" * 41, "TIN_DICE"], ids=["too long", "taken"])
def test_a_name_that_cannot_be_is_not_stored(client: Client, ann: User, typed: str) -> None:
    set_player_name(account("bob@example.org"), "tin_dice")
    client.force_login(ann)
    answer = client.post(reverse("roster:account"), {"player_name": typed})
    assert answer.status_code == REFUSED
    assert typed in answer.content.decode()
    assert get_player_name(User.objects.get(pk=ann.pk)) == ""


def test_signing_out_everywhere_else(client: Client) -> None:
    account()
    other = Client()
    for browser in (client, other):
        sign_in(browser)
    address, page = reverse("roster:account-elsewhere"), reverse("roster:account")
    client.post(address, {"password": "wrong"})
    assert other.get(page).status_code == 200
    client.post(address, {"password": PASSWORD})
    assert (client.get(page).status_code, other.get(page).status_code) == (200, 302)
    assert sign_in(other)["Location"] == ROSTERS, "the password is the same"


def test_staff_see_only_ways_that_are_open_to_them(client: Client, ann: User) -> None:
    User.objects.filter(pk=ann.pk).update(is_staff=True)
    address, ways = (reverse("roster:account"), ("/data/", "/games/import/", "/admin/", "/admin/roster/abusereport/"))
    for rights, opened in (((), 0), (("view_abusereport",), 2), (("add_release", "add_packversion"), 4)):
        ann.user_permissions.add(*Permission.objects.filter(codename__in=rights))
        page = client.get(address).content.decode()
        shown = [way for way in ways if f'href="{way}' in page]
        assert len(shown) == opened
        assert all(client.get(way).status_code == 200 for way in shown)


def export_of(client: Client) -> dict[str, list[dict[str, object]]]:
    answer = client.get(reverse("roster:account-export"))
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        return {
            name: [json.loads(line) for line in archive.read(name).splitlines()]
            for name in archive.namelist()
            if name.endswith(".jsonl")
        } | {"account": [json.loads(archive.read("account.json"))]}


def test_who_is_asked_for_the_password_first_does_not_get_that_page_as_the_file(client: Client, ann: User) -> None:
    say_who(client)
    for name in ("account", "account-delete"):
        page = client.get(reverse(f"roster:{name}")).content.decode()
        link = re.search(rf'<a [^>]*href="{reverse("roster:account-export")}"[^>]*>', page)
        assert link
        assert "download" not in link[0]


def test_the_export_has_all_that_is_theirs_and_nothing_else(client: Client, ann: User) -> None:
    owner, other = started(client), started(Client())
    say_who(client)
    RevisionName.objects.create(revision=owner.roster.revisions.first(), name="Club night")
    tag = Tag.objects.create(owner=ann, name="Tournament")
    owner.roster.tags.add(tag)
    totp.TOTP.activate(ann, totp.generate_totp_secret())
    created = create_token(ann, "Club bot", ["read"], 30)
    assert not isinstance(created, Refused)
    found = export_of(client)
    assert [row["public_id"] for row in found["rosters.jsonl"]] == [owner.public_id]
    assert len(found["roster_revisions.jsonl"]) == 2
    assert [row["name"] for row in found["revision_names.jsonl"]] == ["Club night"]
    assert found["rosters.jsonl"][0]["tags"] == [tag.pk]
    assert {"folders.jsonl", "tags.jsonl", "roster_plans.jsonl"} <= found.keys()
    assert found["account"][0]["email"] == ann.email
    assert [token["name"] for token in found["account"][0]["tokens"]] == ["Club bot"]
    told = json.dumps(found)
    for secret in (
        ann.password,
        Authenticator.objects.get().data["secret"],
        other.public_id,
        "owner_key",
        created[0].token_hash,
    ):
        assert secret not in told


def test_whoever_sits_there_says_who_they_are_first(client: Client, ann: User) -> None:
    for name in ("account-export", "account-delete"):
        answer = client.get(reverse(f"roster:{name}"))
        assert answer["Location"].startswith(reverse("account_reauthenticate"))


def test_deleting_takes_everything_along(client: Client, ann: User) -> None:
    owner, other = started(client), started(Client())
    say_who(client)
    page = client.get(reverse("roster:account-delete"))
    assert "whole history: 1 list." in page.content.decode()
    assert User.objects.exists(), "looking deletes nothing"
    answer = client.post(reverse("roster:account-delete"), follow=True)
    assert answer.status_code == 200
    assert not User.objects.exists()
    assert not EmailAddress.objects.exists()
    assert list(Roster.objects.values_list("public_id", flat=True)) == [other.public_id]
    assert not RosterRevision.objects.exclude(roster__public_id=other.public_id).exists()
    assert Client().get(owner.url("link")).status_code == 404
    assert client.get(ROSTERS).status_code == 200
    [letter] = mail.outbox
    assert letter.to == ["ann@example.org"]
    assert letter.subject.startswith("Armybuilder: ")


# ---- guests who never come back ----------------------------------------------------------------------------------


def test_what_guests_left_alone_expires(client: Client, ann: User, settings, capsys) -> None:
    settings.ARMYBUILDER["GUEST_DAYS"] = 30
    kept, fresh, old = started(client), started(Client()), started(Client())
    for roster, days in ((kept, 300), (fresh, 29), (old, 31)):
        moment = timezone.now() - timedelta(days=days)
        Roster.objects.filter(public_id=roster.public_id).update(updated=moment)
    example = started(Client())
    Roster.objects.filter(public_id=example.public_id).update(owner_key="", updated=timezone.now() - timedelta(300))
    call_command("expire_guests")
    left = set(Roster.objects.values_list("public_id", flat=True))
    assert left == {kept.public_id, fresh.public_id, example.public_id}
    assert "1 list" in capsys.readouterr().out
    call_command("expire_guests")
    assert Roster.objects.count() == 3


def test_a_clock_that_is_ahead_deletes_nothing(client: Client, settings) -> None:
    settings.ARMYBUILDER["GUEST_DAYS"] = 30
    for owner, days in ((started(client), 31), (started(Client()), 90)):
        moment = timezone.now() - timedelta(days=days)
        Roster.objects.filter(public_id=owner.public_id).update(updated=moment, binned=moment)
    for command in ("expire_guests", "empty_bins"):
        with pytest.raises(CommandError, match="Is the clock right"):
            call_command(command)
    assert Roster.objects.count() == 2
    started(Client())
    call_command("expire_guests")
    assert Roster.objects.count() == 1


def test_a_site_that_is_empty_has_nothing_to_delete(db: None, capsys) -> None:
    call_command("expire_guests")
    call_command("empty_bins")
    assert capsys.readouterr().out.startswith("0 lists")


def test_a_guest_is_told_how_long_lists_are_kept(client: Client, settings) -> None:
    settings.ARMYBUILDER["GUEST_DAYS"] = 41
    assert "41 days" in client.get(ROSTERS).content.decode()


def test_a_guest_who_looks_in_stays_known(client: Client) -> None:
    started(client)
    client.get(ROSTERS)
    assert client.session["seen"] == timezone.localdate().isoformat()
    assert "seen" not in Client().get(ROSTERS).wsgi_request.session


def test_staff_made_on_the_command_line_sign_in_by_their_address(client: Client) -> None:
    User.objects.create_superuser("root", "Root@example.org", PASSWORD)
    assert sign_in(client, "root@example.org")["Location"] == ROSTERS
    for address in ("/admin/", "/games/import/"):
        assert client.get(address).status_code == 200
    assert EmailAddress.objects.get().verified
    assert mail.outbox == []


def test_superusers_confirm_an_address_that_was_typed_on_a_page(client: Client) -> None:
    user = account(staff=True, confirmed=False)
    assert sign_in(client, user.email)["Location"] == reverse("account_email_verification_sent")


def test_superusers_take_nobodys_address(client: Client) -> None:
    account("root@example.org", confirmed=False)
    User.objects.create_superuser("root2", "root@example.org", "Another7boat")
    sign_in(client, "root@example.org", "Another7boat")
    assert "_auth_user_id" not in client.session


def test_who_types_a_name_is_asked_for_an_address_whoever_they_are(client: Client) -> None:
    account()
    known, unknown = (sign_in(client, name).context["form"].errors.as_data() for name in ("ann", "nobody"))
    assert [error.code for error in known["login"]] == [error.code for error in unknown["login"]] == ["invalid"]
    assert "email address, not with a name" in str(known["login"])
