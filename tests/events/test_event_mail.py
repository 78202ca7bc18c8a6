"""Mail about events: what, to whom, when, and never twice."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from roster.events.models import Event, EventMail, MailChoice, Participant, Submission
from roster.events.services import mail as verbs
from roster.events.services.bench import decide_list, open_window
from roster.events.services.bulk_checks import BY_ORGANISER
from roster.events.services.events import enter_player
from roster.events.services.mail import (
    Recipient,
    build_message,
    find_signed_recipient,
    send_mails,
    send_waiting_mail,
    sign_recipient,
)
from roster.events.services.submissions import judge_received, submit_list
from roster.events.services.teams import add_member, create_team
from tests.events.cast import LIST, TWO_CUTTERS, Bench, opened, read, submit_text
from tests.roster.views_cast import SCRIPT

pytestmark = pytest.mark.django_db


def subjects() -> list[tuple[str, str]]:
    return [(message.to[0].partition("@")[0], message.subject) for message in mail.outbox]


def run_command() -> None:
    call_command("send_event_mail", verbosity=0)


def due_tomorrow(bench: Bench, **changes: object) -> None:
    Event.objects.update(deadline=timezone.now() + timedelta(hours=20), **changes)
    bench.event.refresh_from_db()


def test_a_receipt_names_the_hash_and_goes_out_once_the_list_is_kept(django_capture_on_commit_callbacks):
    bench = opened("ann")
    with django_capture_on_commit_callbacks(execute=True):
        submission = bench.submit("ann")
    (message,) = mail.outbox
    assert message.to == ["ann@example.org"]
    (html, kind) = message.alternatives[0]
    for text in (message.body, html):
        assert submission.received_hash in text
        assert f"http://testserver/events/{bench.event.public_id}/receipts/{submission.public_id}/" in text
    assert kind == "text/html"
    assert "Auto-Submitted" in message.extra_headers
    # Equal bytes are the same submission; other bytes are another.
    with django_capture_on_commit_callbacks(execute=True):
        bench.submit("ann")
        bench.submit("ann", TWO_CUTTERS)
    assert len(mail.outbox) == 2


def test_a_receipt_names_the_broken_rules() -> None:
    bench = opened("ann")
    submission = bench.submit("ann", TWO_CUTTERS)
    run_command()
    (message,) = mail.outbox
    assert "Verdict under the rules of the event: Illegal\n- " in message.body
    errors = [one for one in submission.report["violations"] if one["severity"] == "error"]
    assert errors
    assert all(one["sentence"]["headline"] in message.body for one in errors)


def test_a_receipt_says_how_many_lines_were_not_read() -> None:
    bench = opened("ann")
    text = "Marsh\n\nWärden (20 points)\n• Lamp\n• Blue shimmering thing\nCutters (30 points)\n"
    assert bench.submit("ann", text).verdict in ("as-read", "incomplete", "illegal")
    Submission.objects.update(verdict="as-read")
    run_command()
    (message,) = mail.outbox
    assert "event: Legal as far as read (1 line not read)" in message.body


def test_a_refused_list_gets_no_receipt(django_capture_on_commit_callbacks):
    bench = opened("ann")
    bench.pass_deadline()
    with django_capture_on_commit_callbacks(execute=True):
        submit_text(bench.entry("ann"), TWO_CUTTERS, bench.people["ann"])
    assert mail.outbox == []


def test_a_returned_list_is_told_with_its_reason_and_when_it_can_be_corrected():
    bench = opened("ann")
    bench.submit("ann", TWO_CUTTERS)
    bench.pass_deadline()
    now = timezone.now()
    open_window(bench.event, bench.people["ora"], now, now + timedelta(days=2))
    mail.outbox.clear()
    EventMail.objects.all().delete()
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "One unit of cutters.")
    run_command()
    (message,) = mail.outbox
    assert "One unit of cutters." in message.body
    assert "You can correct it from" in message.body
    decide_list(bench.entry("ann"), bench.people["jud"], "returned", "Again.")
    decide_list(bench.entry("ann"), bench.people["jud"], "new")
    run_command()
    assert len(mail.outbox) == 1, "what was taken back is not told"


def test_players_without_a_list_are_reminded_once_before_the_deadline():
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    Participant.objects.filter(user=bench.people["eve"]).update(dropped=True)
    EventMail.objects.all().delete()
    run_command()
    assert mail.outbox == []
    due_tomorrow(bench)
    run_command()
    run_command()
    assert subjects() == [("bob", "Armybuilder: Autumn Muster: the list of bob is due")]
    Event.objects.update(deadline=timezone.now() + timedelta(hours=10))
    run_command()
    assert len(mail.outbox) == 2, "another deadline is another letter"


def test_who_handed_in_since_the_reminder_was_planned_gets_none():
    bench = opened("ann")
    due_tomorrow(bench)
    verbs.plan_due_mail()
    bench.submit("ann")
    EventMail.objects.exclude(kind="deadline").delete()
    assert send_waiting_mail() == 0
    assert mail.outbox == []


def test_the_subject_names_the_player(django_capture_on_commit_callbacks):
    """A captain gets the letters of a team, and a family may share an address."""
    bench = opened("ann")
    family = [entered(bench, name, "home@example.org") for name in ("Una", "Dov")]
    with django_capture_on_commit_callbacks(execute=True):
        for player in (*family, bench.entry("ann")):
            submit_list(player, judge_received(bench.event, read(TWO_CUTTERS)), None, terms=BY_ORGANISER)
    assert [subject.rpartition("list of ")[2] for _who, subject in subjects()] == [
        f"{name} was received" for name in ("Una", "Dov", "ann")
    ]
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        decide_list(family[1], bench.people["jud"], "returned", "One unit of cutters.")
    assert subjects() == [("home", "Armybuilder: Autumn Muster: the list of Dov was returned")]
    mail.outbox.clear()
    Participant.objects.filter(pk=family[0].pk).update(status="returned")
    due_tomorrow(bench)
    run_command()
    assert ("home", "Armybuilder: Autumn Muster: 2 lists are due") in subjects()


@pytest.mark.parametrize(
    "changes", [{"reminder_hours": 12}, {"reminder_hours": 0}, {"status": "draft"}, {"status": "closed"}]
)
def test_nobody_is_reminded_before_it_is_time(changes):
    bench = opened("ann")
    due_tomorrow(bench, **changes)
    run_command()
    assert mail.outbox == []


def test_the_reveal_is_told_once_and_never_before_it():
    bench = opened("ann", "bob")
    Event.objects.update(reveal_roster=timezone.now() + timedelta(minutes=1))
    run_command()
    assert mail.outbox == []
    bench.pass_deadline()
    Event.objects.update(reveal_roster=timezone.now())
    run_command()
    run_command()
    assert [who for who, _subject in subjects()] == ["ann", "bob"]
    assert f"http://testserver{reverse('events:lists', args=[bench.event.public_id])}" in mail.outbox[0].body


def test_an_old_reveal_is_no_news():
    opened("ann")
    Event.objects.update(reveal_roster=timezone.now() - timedelta(days=10))
    run_command()
    assert mail.outbox == []


def test_a_captain_gets_one_reminder_for_all_of_a_team():
    bench = opened()
    Event.objects.update(is_team=True)
    bench.event.refresh_from_db()
    team = create_team(bench.event, bench.people["sue"], "Reeds")
    for name in ("Una", "Max"):
        add_member(team, bench.people["sue"], name, is_reserve=False)
    due_tomorrow(bench)
    run_command()
    assert [who for who, _subject in subjects()] == ["sue"]
    assert "Una, Max" in mail.outbox[0].body


def test_a_captain_is_not_reminded_again_when_one_of_the_team_submits():
    bench = opened("sue")
    Event.objects.update(is_team=True)
    bench.event.refresh_from_db()
    team = create_team(bench.event, bench.people["sue"], "Reeds")
    una, max_ = (add_member(team, bench.people["sue"], name, is_reserve=False) for name in ("Una", "Max"))
    due_tomorrow(bench)
    run_command()
    for player in (bench.entry("sue"), una, max_):
        submit_text(player, TWO_CUTTERS, bench.people["sue"])
        run_command()
    reminders = EventMail.objects.filter(kind="deadline")
    assert reminders.count() == 1
    # Another deadline is another occasion.
    Participant.objects.update(current=None)
    Event.objects.update(deadline=timezone.now() + timedelta(hours=10))
    run_command()
    assert reminders.count() == 2


def test_who_wants_none_or_has_no_address_gets_none():
    bench = opened("ann", "bob")
    MailChoice.objects.create(user=bench.people["ann"], is_wanted=False)
    bench.people["bob"].email = ""
    bench.people["bob"].save()
    due_tomorrow(bench)
    for name in ("ann", "bob"):
        bench.submit(name, TWO_CUTTERS)
    run_command()
    assert (mail.outbox, EventMail.objects.count()) == ([], 0)


# ---- players without an account --------------------------------------------------------------------------------------


def entered(bench: Bench, name: str, email: str, **where: object) -> Participant:
    """A player entered by an organiser, as by an upload."""
    player = enter_player(bench.event, bench.people["ora"], name, email=email, **where)
    assert isinstance(player, Participant)
    return player


def hand_in(bench: Bench, player: Participant, text: str = LIST) -> None:
    submit_list(player, judge_received(bench.event, read(text)), bench.people["ora"], terms=BY_ORGANISER)


def test_who_was_entered_with_an_address_gets_every_letter_and_no_link_that_is_closed_to_them():
    bench = opened()
    una = entered(bench, "Una", "Una@example.net")
    hand_in(bench, una, TWO_CUTTERS)
    run_command()
    decide_list(una, bench.people["jud"], "returned", "One unit of cutters.")
    run_command()
    due_tomorrow(bench)
    run_command()
    bench.pass_deadline()
    Event.objects.update(reveal_roster=timezone.now())
    run_command()
    run_command()
    assert [message.to for message in mail.outbox] == [["Una@example.net"]] * 4
    receipt, returned, due, shown = (message.body for message in mail.outbox)
    assert "Your list for" in receipt
    assert "/receipts/" not in receipt
    assert "One unit of cutters." in returned
    for body in (returned, due):
        assert "to the organiser." in body
    assert reverse("events:lists", args=[bench.event.public_id]) in shown


def test_one_address_gets_one_letter_however_many_players_have_it():
    bench = opened("ann")
    for name in ("Una", "Max"):
        entered(bench, name, "Both@example.net")
    entered(bench, "Ann too", "ANN@example.org")
    due_tomorrow(bench)
    run_command()
    run_command()
    assert sorted(message.to[0] for message in mail.outbox) == ["Both@example.net", "ann@example.org"]
    assert "Una, Max" in mail.outbox[1].body


def test_captain_and_player_each_get_the_letter_once():
    bench = opened()
    Event.objects.update(is_team=True)
    bench.event.refresh_from_db()
    team = create_team(bench.event, bench.people["sue"], "Reeds")
    una = entered(bench, "Una", "una@example.net", team=team)
    own = entered(bench, "Sue herself", "SUE@example.org", team=team)
    for player in (una, own):
        hand_in(bench, player)
    run_command()
    assert sorted(message.to[0] for message in mail.outbox) == ["sue@example.org", "sue@example.org", "una@example.net"]
    assert EventMail.objects.filter(by_address=True).get().participant == una


def test_an_address_refuses_mail_by_the_link_of_a_letter():
    bench = opened()
    una = entered(bench, "Una", "Una@example.net")
    hand_in(bench, una)
    run_command()
    link = re.search(r"/events/mail/\?who=\S+", mail.outbox[0].body)
    assert link
    client = bench.client()
    page = client.get(link[0]).content.decode()
    assert "Una@example.net" in page
    assert 'name="zone"' not in page
    assert client.post(link[0], {}).status_code == 303
    due_tomorrow(bench)
    hand_in(bench, una, TWO_CUTTERS)
    run_command()
    assert len(mail.outbox) == 1
    client.post(link[0], {"wanted": "on"})
    hand_in(bench, una)
    run_command()
    assert len(mail.outbox) == 2


def test_an_account_that_wants_no_mail_gets_none_at_its_address_either():
    bench = opened()
    MailChoice.objects.create(user=bench.people["sue"], is_wanted=False)
    hand_in(bench, entered(bench, "Sue", "Sue@example.org"))
    run_command()
    assert (mail.outbox, EventMail.objects.count()) == ([], 0)


def test_what_is_shown_later_is_told_once_at_its_own_moment():
    bench = opened("ann")
    bench.pass_deadline()
    now = timezone.now()
    entered(bench, "Una", "", is_reserve=True)
    Event.objects.update(reveal_faction=now - timedelta(minutes=3), reveal_roster=now, reveal_reserves=now)
    run_command()
    run_command()
    assert [message.subject.rpartition(": ")[2] for message in mail.outbox] == ["factions revealed", "lists revealed"]
    assert "can now see the reserves of" in mail.outbox[1].body
    # Factions are no news once lists are shown.
    Event.objects.update(reveal_faction=now)
    run_command()
    assert len(mail.outbox) == 2


def test_a_reveal_that_was_moved_is_not_told_at_the_moment_it_had():
    bench = opened("ann")
    bench.pass_deadline()
    Event.objects.update(reveal_roster=timezone.now())
    verbs.plan_due_mail()
    Event.objects.update(reveal_roster=timezone.now() + timedelta(days=1))
    assert send_waiting_mail() == 0


# ---- never twice -----------------------------------------------------------------------------------------------------


def waiting_letter(bench: Bench) -> EventMail:
    bench.submit("ann")
    return EventMail.objects.get()


def test_a_letter_is_sent_once_however_often_it_is_tried():
    letter = waiting_letter(opened("ann"))
    assert [send_mails([letter.pk]), send_mails([letter.pk]), send_waiting_mail()] == [1, 0, 0]
    assert len(mail.outbox) == 1


def test_a_process_that_dies_between_note_and_letter_loses_it_and_never_sends_twice(monkeypatch):
    letter = waiting_letter(opened("ann"))

    def die(*args: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(verbs, "build_message", die)
        with pytest.raises(SystemExit):
            send_mails([letter.pk])
    assert (send_waiting_mail(), mail.outbox) == (0, [])


def test_letters_wait_while_the_mail_server_is_away(monkeypatch):
    waiting_letter(opened("ann"))
    refuse = "django.core.mail.backends.locmem.EmailBackend.open"

    def raise_away(self: object) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr(refuse, raise_away)
        assert send_waiting_mail() == 0
    assert send_waiting_mail() == 1


def test_a_letter_that_the_server_refuses_stops_no_other(monkeypatch):
    bench = opened("ann", "bob")
    bench.submit("ann")
    bench.submit("bob")
    sent = "django.core.mail.backends.locmem.EmailBackend.send_messages"
    with monkeypatch.context() as patch:
        patch.setattr(sent, lambda self, messages: (_ for _ in ()).throw(OSError("no such mailbox")))
        assert send_waiting_mail() == 0
    assert send_waiting_mail() == 0, "each may have arrived all the same"


# ---- what it says ----------------------------------------------------------------------------------------------------


def test_moments_are_told_in_both_zones():
    bench = opened("ann")
    MailChoice.objects.create(user=bench.people["ann"], zone="America/New_York")
    Event.objects.update(deadline="2031-01-02T11:00:00Z")
    message = build_message(waiting_letter(bench), Recipient(email="ann@example.org", user=bench.people["ann"]))
    assert "2 Jan 2031, 12:00 (Europe/Berlin), 2 Jan 2031, 06:00 (America/New_York)" in message.body


def test_a_letter_speaks_the_language_of_its_reader():
    from roster.services.accounts import set_language

    bench = opened("ann")
    set_language(bench.people["ann"], "de")
    waiting_letter(bench)
    send_waiting_mail()
    assert 'lang="de"' in mail.outbox[0].alternatives[0][0]


def test_names_are_text_in_both_forms_and_no_line_of_the_head():
    bench = opened("ann")
    Event.objects.update(name=f"Bcc: all@example.org {SCRIPT}")
    message = build_message(waiting_letter(bench), Recipient(email="ann@example.org", user=bench.people["ann"]))
    assert "\n" not in message.subject
    assert message.recipients() == ["ann@example.org"]
    assert SCRIPT not in message.alternatives[0][0]


# ---- who wants it ----------------------------------------------------------------------------------------------------


def test_mail_is_chosen_without_signing_in_by_the_link_of_a_letter():
    bench = opened("ann")
    message = build_message(waiting_letter(bench), Recipient(email="ann@example.org", user=bench.people["ann"]))
    link = re.search(r"/events/mail/\?who=\S+", message.body)
    assert link
    client = bench.client()
    assert "ann@example.org" in client.get(link[0]).content.decode()
    assert client.post(link[0], {"zone": "Europe/Paris"}).status_code == 303
    choice = MailChoice.objects.get()
    assert (choice.user, choice.is_wanted, choice.zone) == (bench.people["ann"], False, "Europe/Paris")


def test_a_bad_choice_is_refused_with_a_sentence():
    bench = opened("ann")
    address = reverse("events:mail")
    answer = bench.client("ann").post(address, {"wanted": "on", "zone": "Middle/Earth"})
    assert answer.status_code == 422
    assert "There is no time zone" in answer.content.decode()
    assert "Middle/Earth" in answer.content.decode()
    assert bench.client().get(address).status_code == 302
    assert bench.client().get(address, {"who": "forged"}).status_code == 404
    assert bench.client().post(f"{address}?who=forged").status_code == 404
    assert not MailChoice.objects.exists()


def test_the_zone_of_the_browser_is_kept_unless_one_was_chosen():
    bench = opened()
    join = reverse("events:join", args=[bench.event.token])
    bench.client("sue").post(join, {"zone": "Nowhere"})
    assert not MailChoice.objects.exists()
    bench.client("sue").post(join, {"zone": "Asia/Tokyo"})
    bench.client("sue").post(join, {"zone": "Europe/Paris"})
    assert MailChoice.objects.get().zone == "Asia/Tokyo"


def test_links_in_mails_outlive_a_change_of_the_servers_key(settings):
    user = User.objects.create_user("ada", "ada@example.org")
    recipient = Recipient(email=user.email, user=user)
    signed = sign_recipient(recipient)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the next one"
    assert find_signed_recipient(signed) == recipient
    settings.SECRET_KEY_FALLBACKS = []
    assert find_signed_recipient(signed) is None
