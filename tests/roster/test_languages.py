"""The language that readers or their browsers choose is used wherever an answer is made."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, override

from catalogue.models import Job
from catalogue.services import jobs
from catalogue.services.jobs import Step, register_job, start_job
from roster.models import AbuseReport, ChosenLanguage, Roster
from roster.pdf.pages import compose_document
from roster.pdf.sheet_job import create_sheet_job
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.services.exchange import RosterFormat, export_list
from roster.services.owners import tell_hidden
from tests.catalogues import compile_catalogues
from tests.markup import markup
from tests.roster.accounts_cast import account, sign_in
from tests.roster.small_game import installed
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db

LOOK, GAMES = reverse("roster:look"), reverse("catalogue:games")
TITLES = {"en": "Games", "de": "Spiele", "es": "Juegos", "fr": "Jeux", "pl": "Gry"}
WORDS = {"word", "sentence", "text"}
"""Fields of API answers with sentences."""


@pytest.fixture(autouse=True, scope="module")
def catalogues() -> None:
    compile_catalogues()


def read_title(client, **headers: str) -> str:
    page = client.get(GAMES, headers=headers).content.decode()
    return page.partition('<h1 class="grow">')[2].partition("</h1>")[0]


def test_each_language_is_offered_by_its_name(client):
    page = client.get(GAMES).content.decode()
    assert len(settings.LANGUAGES) >= len(TITLES)
    for code, name in settings.LANGUAGES:
        assert f'value="{code}"' in page
        assert name in page


@pytest.mark.parametrize(
    ("asked", "language"),
    [("de-AT,en;q=0.5", "de"), ("fr", "fr"), ("ja,de;q=0.5", "de"), ("tlh", "en"), ("*;;q=", "en"), ("", "en")],
)
def test_the_browser_chooses(client, asked, language):
    answer = client.get(GAMES, headers={"Accept-Language": asked})
    assert f'lang="{language}"' in answer.content.decode()
    assert answer["Content-Language"] == language
    assert read_title(client, **{"Accept-Language": asked}) == TITLES[language]


def test_a_choice_outweighs_the_browser(client):
    answer = client.post(LOOK, {"language": "fr", "back": GAMES}, headers={"Accept-Language": "de"})
    assert (answer.status_code, answer["Location"]) == (303, GAMES)
    assert read_title(client, **{"Accept-Language": "de"}) == TITLES["fr"]


@pytest.mark.parametrize("chosen", ["xx", "", "DE", "de'; --", "../de"])
def test_no_language_of_ours(client, chosen):
    assert not client.post(LOOK, {"language": chosen}).cookies
    client.cookies["language"] = chosen
    assert read_title(client) in TITLES.values()
    assert not ChosenLanguage.objects.exists()


@pytest.mark.parametrize("address", ["/", "/manifest.webmanifest", "/nowhere/"])
def test_caches_keep_languages_apart(client, address):
    varies = {part.strip() for part in client.get(address)["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= varies


@pytest.mark.parametrize("address", [GAMES, "/api/v1/games/"])
def test_languages_of_public_answers_have_tags_of_their_own(client, address):
    english = client.get(address)
    assert (english["Cache-Control"], "Cookie" in english["Vary"]) == ("public, no-cache", False)
    german = client.get(address, headers={"accept-language": "de", "if-none-match": english["ETag"]})
    assert german.status_code == (200 if address == GAMES else 304)


def test_an_account_takes_its_choice_along(client):
    user = account()
    sign_in(client)
    client.post(LOOK, {"language": "de"})
    client.post(LOOK, {"language": "fr"})
    client.post(LOOK, {"language": "xx"})
    assert user.chosen_language.code == "fr"
    # Another browser: signing in restores the choice.
    client.logout()
    client.cookies.clear()
    assert sign_in(client).cookies["language"].value == "fr"
    assert read_title(client) == TITLES["fr"]


def test_labels_of_other_packages_are_in_sentence_case_in_english_alone(client):
    client.force_login(account("ann@example.org"))
    address = reverse("account_change_password")
    assert "New password</label>" in markup(client.get(address))
    german = markup(client.get(address, headers={"accept-language": "de"}))
    assert "Neues Passwort</label>" in german


def test_a_language_that_is_offered_no_more(client):
    user = account()
    ChosenLanguage.objects.create(user=user, code="tlh")
    assert "language" not in sign_in(client).cookies


def test_words_of_the_data_are_marked_where_the_page_speaks_another_language():
    context = {"abilities": [{"name": "Oath", "text": "Rerolls ones."}]}
    assert "<p >Rerolls" in render_to_string("catalogue/parts/abilities.html", context)
    with override("fr"):
        assert '<p lang="en">Rerolls' in render_to_string("catalogue/parts/abilities.html", context)


@pytest.mark.parametrize("form", list(RosterFormat))
def test_files_for_others_speak_no_language(client, form):
    roster = started(client).roster
    roster.name = "Flut"
    with override("en"):
        written = export_list(roster, form)
    with override("de"):
        assert export_list(roster, form) == written


def test_answers_for_programs_keep_their_codes(client):
    link = f"/api/v1/rosters/{started(client).roster.link_id}/"
    english, german = (client.get(link, headers={"Accept-Language": code}).json() for code in ("en", "de"))
    assert english["violations"]
    assert english != german
    assert strip_words(german) == strip_words(english)


def strip_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: strip_words(inner) for key, inner in value.items() if key not in WORDS}
    return [strip_words(one) for one in value] if isinstance(value, list) else value


def test_paper_speaks_the_language_of_who_prints_it(client):
    roster = started(client).roster
    with override("en"):
        english = create_sheet_job(roster)
        key = english.key
    with override("de"):
        german = create_sheet_job(roster)
        assert german.key != key
        sheet = german.build_sheet()
        pages = build_sheet_pages(sheet, german.options, make_look(sheet, german.options))
        document = compose_document(pages, "Flut")
    assert document.startswith('<html lang="de">')
    assert "Unfertig" in document


def do_step(job: Job, seconds: float) -> Step:
    return Step(1, 1, {"message": gettext("Nothing has been taken yet.")}, is_last=True)


@pytest.fixture
def job_kind() -> Iterator[str]:
    register_job("speak", f"{__name__}.do_step")
    yield "speak"
    del jobs._KINDS["speak"]


def test_background_work_speaks_the_language_of_who_asked(job_kind, settings):
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    user = User.objects.create_user("ann")
    with override("de"):
        job = start_job(user, job_kind, "A word", {})
    jobs.advance_job(job)
    job.refresh_from_db()
    assert job.result == {"message": "Noch ist nichts aufgenommen."}


def test_a_letter_speaks_the_language_of_who_reads_it():
    version = installed()
    user = User.objects.create_user("ann", "ann@example.org")
    ChosenLanguage.objects.create(user=user, code="de")
    roster = Roster.objects.create(version=version, owner=user, name="Flut", document="{}")
    AbuseReport.objects.create(thing=roster, reason="offensive")
    with override("fr"):
        tell_hidden(roster)
    assert "verborgen" in mail.outbox[0].subject
    assert "beleidigend" in mail.outbox[0].body
