"""The history page: view, name, restore, compare, resolve conflicts between devices."""

import pytest
from django.test import Client

from roster.models import RevisionName, Roster
from tests.markup import markup
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def steps(owner: Owner, *units: str) -> Owner:
    for unit in units:
        owner.unit(unit)
    return owner


def forked() -> Owner:
    """A list in conflict: step 3 is the list, step 4 is a stale page's version."""
    owner = started()
    head = owner.roster.head
    owner.unit("warden")
    answer = owner.edit(do="add-unit", node=owner.detachment(), entry="crew", revision=str(head))
    assert answer.status_code == 409
    assert owner.roster.aside == 4
    return owner


PAGES = ["history", "compare", "choose"]


@pytest.mark.parametrize("page", PAGES)
def test_works(page):
    owner = forked()
    assert owner.client.get(owner.url(page)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_stranger_gets_404(page, method):
    owner = forked()
    before = Roster.objects.values().get()
    answer = getattr(Client(), method)(owner.url(page), {"do": "take", "number": "4", "revision": "3"})
    assert answer.status_code == (405 if (page, method) == ("compare", "post") else 404)
    assert Roster.objects.values().get() == before


@pytest.mark.parametrize("page", PAGES)
def test_wrong_method(page):
    owner = started()
    assert owner.client.put(owner.url(page)).status_code == 405


@pytest.mark.parametrize("page", PAGES)
def test_bad_id(page, client):
    assert client.get(f"/rosters/{'a' * 22}/{page}/").status_code == 404
    assert client.get(f"/rosters/x/{page}/").status_code == 404


def test_history_asks_the_same_at_one_and_many_steps(django_assert_num_queries):
    owner = started(detachment=False)
    owner.client.get(owner.url("history"))  # caches the faction's colours
    with django_assert_num_queries(4):
        owner.client.get(owner.url("history"))
    owner.done(do="add-detachment", entry="column")
    steps(owner, "warden", "cutters", "crew")
    owner.client.post(owner.url("history"), {"do": "name", "number": "2", "name": "Named"})
    owner.client.get(owner.url("history"))  # shows the message
    with django_assert_num_queries(4):
        owner.client.get(owner.url("history"))


def test_compare_and_choose_ask_the_same_at_few_and_many_steps(django_assert_num_queries):
    owner = forked()
    owner.client.get(owner.url("choose"))  # caches the faction's colours
    for _ in range(2):
        with django_assert_num_queries(5):  # session, list, two revisions, the base of one
            owner.client.get(owner.url("compare"), {"a": "1", "b": "2"})
        # Session, list, the conflicting revision and its base, other conflicts.
        with django_assert_num_queries(5):
            owner.client.get(owner.url("choose"))
        steps(owner, "cutters", "crew")


def test_steps_come_in_pages():
    owner = started()
    for number in range(45):
        owner.done(do="rename", node="", text=f"Name {number}")
    first, last = (markup(owner.client.get(owner.url("history"), {"page": page})) for page in ("1", "2"))
    assert first.count('class="step num"') == 40
    assert last.count('class="step num"') == 7
    for wrong in ("0", "-1", "x", "9" * 30):
        assert owner.client.get(owner.url("history"), {"page": wrong}).status_code == 200


def test_a_step_gets_a_name_another_and_none():
    owner = steps(started(), "warden")
    for name in ("For Sunday", "For Monday"):
        answer = owner.client.post(owner.url("history"), {"do": "name", "number": "2", "name": name})
        assert answer.status_code == 303
        assert RevisionName.objects.get().name == name
    named = markup(owner.client.get(owner.url("history"), {"named": "1"}))
    assert named.count('class="step num"') == 1
    owner.client.post(owner.url("history"), {"do": "name", "number": "2", "name": " "})
    assert not RevisionName.objects.exists()
    assert owner.client.get(owner.url("history"), {"named": "1"}).status_code == 200


def test_going_back_is_a_step_of_its_own():
    owner = steps(started(), "warden", "crew")
    form = {"do": "restore", "number": "3", "revision": str(owner.roster.head)}
    assert owner.client.post(owner.url("history"), form)["Location"] == owner.url()
    assert (owner.roster.head, len(owner.units())) == (5, 1)
    owner.done(do="undo")
    assert len(owner.units()) == 2


def test_going_back_on_a_stale_page_is_a_conflict():
    owner = steps(started(), "warden", "crew")
    answer = owner.client.post(owner.url("history"), {"do": "restore", "number": "1", "revision": "2"})
    assert answer.status_code == 409
    assert owner.roster.head == 4


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({"do": "explode", "number": "1"}, 400),
        ({"do": "name", "name": "x"}, 400),
        ({"do": "name", "name": "x", "number": "-1"}, 400),
        ({"do": "name", "name": "x", "number": "²"}, 400),
        ({"do": "name", "name": "x", "number": "99"}, 422),
        ({"do": "name", "name": "x" * 101, "number": "1"}, 422),
        ({"do": "restore", "number": "1"}, 400),
        ({"do": "restore", "number": "1", "revision": "x"}, 400),
        ({"do": "restore", "number": "99", "revision": "2"}, 422),
        ({"do": "restore", "number": "9" * 30, "revision": "2"}, 400),
    ],
)
def test_tampered_form(form, status):
    owner = started()
    before = Roster.objects.values().get()
    answer = owner.client.post(owner.url("history"), form)
    assert (answer.status_code, b'class="message error"' in answer.content) == (status, True)
    assert Roster.objects.values().get() == before
    assert not RevisionName.objects.exists()


def test_two_steps_side_by_side():
    owner = steps(started(), "warden", "cutters")
    page = markup(owner.client.get(owner.url("compare"), {"a": "2", "b": "4"}))
    assert '<li class="added">+1 Wärden</li><li class="added">+1 Cutters</li>' in page
    assert "+30 points" in page
    assert "now legal" in page
    back = markup(owner.client.get(owner.url("compare"), {"a": "4", "b": "2"}))
    assert '<li class="removed">−1 Wärden</li>' in back
    same = markup(owner.client.get(owner.url("compare"), {"a": "4"}))
    assert "no difference" in same


@pytest.mark.parametrize("wrong", ["0", "99", "x", "-1", "9" * 30, "²"])
def test_comparing_steps_that_are_not_there(wrong):
    owner = started()
    assert owner.client.get(owner.url("compare"), {"a": wrong}).status_code == 404
    assert owner.client.get(owner.url("compare"), {"a": "1", "b": wrong}).status_code == 404


def test_builder_says_that_two_versions_wait():
    owner = forked()
    assert "See both and choose" in markup(owner.page())
    owner.client.post(owner.url("choose"), {"do": "keep", "number": "4", "revision": "3"})
    assert "See both and choose" not in markup(owner.page())


def test_keeping_the_list_leaves_the_other_version_in_the_history():
    owner = forked()
    answer = owner.client.post(owner.url("choose"), {"do": "keep", "number": "4", "revision": "3"})
    assert answer["Location"] == owner.url()
    assert (owner.roster.head, owner.roster.aside) == (3, 0)
    assert owner.roster.revisions.count() == 4
    assert owner.client.get(owner.url("choose"))["Location"] == owner.url("history")


def test_taking_the_other_version_keeps_the_list_below_it():
    owner = forked()
    before = owner.roster.document
    owner.client.post(owner.url("choose"), {"do": "take", "number": "4", "revision": "3"})
    roster = owner.roster
    assert (roster.head, roster.aside) == (5, 0)
    assert [unit.name for unit in roster.tree.forces[0].selections] == ["Crew"]
    owner.done(do="undo")
    assert owner.roster.document == before


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "take"},
        {"do": "take", "number": "1", "revision": "3"},
        {"do": "take", "number": "4", "revision": "x"},
        {"do": "keep", "number": "0", "revision": "3"},
        {"do": "explode", "number": "4", "revision": "3"},
    ],
)
def test_tampered_choice(form):
    owner = forked()
    before = Roster.objects.values().get()
    assert owner.client.post(owner.url("choose"), form).status_code == 303
    assert Roster.objects.values().get() == before


def test_what_else_was_made_aside_is_named():
    owner = forked()
    one = owner.client.get(owner.url("choose"))
    assert one.context["more"] == []
    parent = owner.roster.revisions.get(number=owner.roster.aside).parent
    owner.edit(do="add-unit", node=owner.detachment(), entry="cutters", revision=str(parent))
    two = owner.client.get(owner.url("choose"))
    assert [number for number, _ in two.context["more"]] == [4]
    assert f"{owner.url('history')}#step-4" in markup(two)


def test_choice_on_a_stale_page_is_a_conflict():
    owner = forked()
    owner.unit("cutters")
    answer = owner.client.post(owner.url("choose"), {"do": "take", "number": "4", "revision": "3"})
    assert answer.status_code == 409
    assert owner.roster.aside == 4


def test_text_of_users_is_never_markup():
    owner = started(name=SCRIPT)
    head = owner.roster.head
    owner.done(do="rename", node="", text=SCRIPT + "2")
    owner.edit(do="rename", node=owner.detachment(), text=SCRIPT, revision=str(head))
    owner.client.post(owner.url("history"), {"do": "name", "number": "1", "name": SCRIPT})
    for page in PAGES:
        text = markup(owner.client.get(owner.url(page), {"a": "1"}))
        assert "&lt;script&gt;alert" in text
        assert "<script>" not in text


def test_forms_without_proof_of_origin():
    owner = forked()
    owner.client.handler.enforce_csrf_checks = True
    for page in ("history", "choose"):
        assert owner.client.post(owner.url(page), {"do": "keep"}).status_code == 403
