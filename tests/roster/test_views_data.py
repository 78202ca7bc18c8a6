"""The page of a list's data version: effects of another version, moving, legality on a day."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import GameSystem
from roster.models import Roster
from tests.markup import markup
from tests.roster.small_game_update import later, new_ids, without_marsh
from tests.roster.views_cast import HTMX, SCRIPT, Owner, have, parts_of, started, swapped

pytestmark = pytest.mark.django_db


def built(name: str = "Low water") -> Owner:
    owner = started(name=name)
    for unit in ("warden", "cutters", "crew"):
        owner.unit(unit)
    return owner


def test_works():
    owner = built()
    page = owner.client.get(owner.url("data"))
    assert page.status_code == 200
    assert b'id="would"' not in page.content


def test_builder_says_when_there_is_other_data():
    owner = built()
    assert markup(owner.page()).count(owner.url("data")) == 1
    later()
    assert markup(owner.page()).count(owner.url("data")) == 2


def test_what_the_new_version_would_do():
    owner = built()
    later()
    page = markup(owner.client.get(owner.url("data")))
    assert "Crew renamed to Punt Crew" in page
    assert "Punt Crew: 9 instead of 4 points" in page
    assert "+5" in page


def test_a_new_name_is_said_once_however_many_have_it():
    owner = built()
    owner.unit("crew")
    later()
    page = markup(owner.client.get(owner.url("data")))
    assert page.count("Crew renamed to Punt Crew") == 2, "among the differences, and on one line"


def test_what_the_new_data_does_not_have_is_said_before_the_move_and_between_the_steps_after_it():
    owner = built()
    owner.unit("giants")
    new, head = later(), owner.roster.head
    said = "Giants is not in this data and stays as a placeholder"
    assert said in markup(owner.client.get(owner.url("data")))
    owner.client.post(owner.url("data"), {"to": new.short_hash, "revision": str(head)})
    steps = {"a": str(head), "b": str(head + 1)}
    assert said in markup(owner.client.get(owner.url("compare"), steps))
    owner.done(do="remove", node=owner.roster.tree.forces[0].selections[0].id)
    steps = {"a": str(head + 1), "b": str(head + 2)}
    assert said not in markup(owner.client.get(owner.url("compare"), steps))


def test_what_has_another_id_is_taken_by_its_name_in_one_click():
    owner = built()
    new = new_ids()
    page = markup(owner.client.get(owner.url("data")))
    assert 'name="mend"' in page
    assert "CREW: Sailor" in page
    owner.client.post(owner.url("data"), {"to": new.short_hash, "revision": str(owner.roster.head), "mend": "1"})
    assert (owner.roster.verdict, owner.roster.version) == ("legal", new)


def test_no_name_is_offered_where_everything_is_known():
    owner = built()
    later()
    assert 'name="mend"' not in markup(owner.client.get(owner.url("data")))


def test_moving_and_back():
    owner = built()
    new, head = later(), owner.roster.head
    form = {"to": new.short_hash, "revision": str(head)}
    assert owner.client.post(owner.url("data"), form)["Location"] == owner.url()
    assert (owner.roster.version, owner.roster.head) == (new, head + 1)
    owner.done(do="undo")
    assert owner.roster.version.label == "1.0"


def test_undo_of_a_move_is_seen_on_the_page():
    owner = built()
    new, head = later(), owner.roster.head
    owner.client.post(owner.url("data"), {"to": new.short_hash, "revision": str(head)})
    page = parts_of(owner.page())
    answer = owner.edit(HTMX, do="undo", have=have(page))
    assert {"notices"} <= swapped(answer)
    assert page | parts_of(answer) == parts_of(owner.page())


def test_legal_on_a_day():
    owner = built()
    today, before = (
        owner.client.get(owner.url("data"), {"on": timezone.localdate().isoformat()}),
        owner.client.get(owner.url("data"), {"on": "2001-01-01"}),
    )
    assert b'class="mark legal"' in today.content
    assert before.status_code == 200
    assert b'class="mark' not in before.content


@pytest.mark.parametrize("day", ["x", "21.3.2026", "9999-12-31", "2199-01-01", "0001-01-01", "2026-02-30", "1" * 500])
def test_a_day_that_is_none(day):
    owner = built()
    answer = owner.client.get(owner.url("data"), {"on": day})
    assert (answer.status_code, b'class="message error"' in answer.content) == (400, True)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({"to": "nothing", "revision": "5"}, 400),
        ({"to": "NEW", "revision": "x"}, 400),
        ({"to": "NEW"}, 400),
        ({"to": "OLD", "revision": "5"}, 422),
        ({"to": "NEW", "revision": "1"}, 409),
        ({"to": "HELD", "revision": "5"}, 400),
    ],
)
def test_tampered_form(form, status):
    owner = built()
    hashes = {"OLD": owner.roster.version.short_hash, "NEW": later().short_hash}
    game = GameSystem.objects.get()
    assert game.current is not None
    before = Roster.objects.values().get()
    form = form | {"to": hashes.get(form.get("to", ""), form.get("to", ""))}
    assert owner.client.post(owner.url("data"), form).status_code == status
    assert Roster.objects.values().get() == before


def test_version_without_the_faction():
    owner = built()
    new = without_marsh()
    form = {"to": new.short_hash, "revision": str(owner.roster.head)}
    answer = owner.client.post(owner.url("data"), form)
    assert (answer.status_code, b'class="message error"' in answer.content) == (422, True)
    assert owner.client.get(owner.url("data"), {"to": new.short_hash}).status_code == 200


def test_unknown_version():
    owner = built()
    assert owner.client.get(owner.url("data"), {"to": SCRIPT}).status_code == 400
    assert owner.client.get(owner.url("data"), {"to": later(hold=True).short_hash}).status_code == 400


@pytest.mark.parametrize("method", ["get", "post"])
def test_stranger_gets_404(method):
    owner = built()
    new = later()
    form = {"to": new.short_hash, "revision": str(owner.roster.head)}
    assert getattr(Client(), method)(owner.url("data"), form).status_code == 404
    assert owner.roster.version != new


def test_wrong_method_and_bad_id(client):
    owner = built()
    assert owner.client.put(owner.url("data")).status_code == 405
    assert client.get(f"/rosters/{'a' * 22}/data/").status_code == 404


def test_asks_the_same_at_one_and_three_versions(django_assert_num_queries):
    owner = built()
    later()
    owner.client.get(owner.url("data"))
    for _ in range(2):
        with django_assert_num_queries(4):  # session, list, the current version, versions
            owner.client.get(owner.url("data"))
        without_marsh()
        owner.client.get(owner.url("data"))  # compiles what is new


def test_text_of_users_is_never_markup():
    owner = built(name=SCRIPT)
    later()
    assert "<script>" not in markup(owner.client.get(owner.url("data")))


def test_form_without_proof_of_origin():
    owner = built()
    owner.client.handler.enforce_csrf_checks = True
    assert owner.client.post(owner.url("data"), {"to": "x"}).status_code == 403


def test_a_list_is_started_by_an_older_version():
    owner = built()
    old, new = owner.roster.version, later()
    address = reverse("roster:new")
    page = markup(owner.client.get(address, {"game": "fenland", "version": old.short_hash}))
    assert f'name="version" value="{old.short_hash}"' in page
    form = {"game": "fenland", "faction": "marsh", "name": "Older"}
    owner.client.post(address, form | {"version": old.short_hash})
    owner.client.post(address, form | {"version": ""})
    versions = [r.version for r in Roster.objects.filter(name="Older").order_by("pk")]
    assert versions == [old, new]


@pytest.mark.parametrize("version", ["nothing", SCRIPT, "HELD"])
def test_no_list_is_started_by_a_version_that_is_not_published(version):
    owner = built()
    version = later(hold=True).short_hash if version == "HELD" else version
    address = reverse("roster:new")
    form = {"game": "fenland", "faction": "marsh", "version": version}
    assert owner.client.post(address, form).status_code == 422
    assert owner.client.get(address, form).status_code == 200
    assert Roster.objects.count() == 1
