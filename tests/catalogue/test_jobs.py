"""Background jobs: run by a worker or step by step by their page; failures are reported."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from catalogue.models import GameSystem, Job
from catalogue.models.jobs import JobState
from catalogue.services import jobs
from catalogue.services.jobs import Step, advance_job, is_left_alone, start_job
from roster.events.services import mail
from tests.catalogue.bad_files import BAD
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.markup import markup

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def user() -> User:
    user = User.objects.create_user("organiser", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_packversion"))
    return user


@pytest.fixture
def staff(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "run_job", jobs.run_job.using(backend="nobody"))


def send(staff: Client, data: bytes, name: str = "ducks.zip") -> Any:
    return staff.post("/games/import/", {"file": SimpleUploadedFile(name, data)})


def wait_too_long(job: Job) -> None:
    """Make a job look untouched for a minute."""
    Job.objects.filter(pk=job.pk).update(touched=timezone.now() - timedelta(minutes=1))


def test_an_upload_waits_on_a_page_of_its_own(staff: Client, no_worker: None) -> None:
    answer = send(staff, packed(game_files(unit())))
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/jobs/{job.public_id}/")
    page = markup(staff.get(answer["Location"]))
    assert 'hx-get="/jobs/' in page
    assert "<progress" in page
    assert "No worker" not in page
    assert not GameSystem.objects.exists()


def test_where_no_worker_answers_the_page_does_the_steps(staff: Client, no_worker: None) -> None:
    address = send(staff, packed(game_files(unit())))["Location"]
    job = Job.objects.get()
    staff.post(address, headers=HTMX)
    job.refresh_from_db()
    assert job.state == JobState.WAITING, "a worker may still come"
    wait_too_long(job)
    page = markup(staff.get(address))
    assert "No worker is running on this server" in page
    assert 'hx-post="/jobs/' in page
    first = staff.post(address, headers=HTMX)
    assert "<html" not in first.content.decode()
    assert 'value="50"' in markup(first)
    last = staff.post(address, headers=HTMX)
    assert (last.status_code, last["HX-Redirect"]) == (204, "/games/ducks-and-drakes/#imported")
    assert "is imported, with 0 findings" in markup(staff.get("/games/ducks-and-drakes/"))
    assert bytes(Job.objects.get().payload) == b""


def test_without_script_a_button_does_a_step(staff: Client, no_worker: None) -> None:
    address = send(staff, packed(game_files(unit())))["Location"]
    wait_too_long(Job.objects.get())
    for _step in range(2):
        answer = staff.post(address)
        assert (answer.status_code, answer["Location"]) == (303, address)
    assert staff.get(address)["Location"] == "/games/ducks-and-drakes/#imported"


def test_the_worker_of_the_database_does_all_steps(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "run_job", jobs.run_job.using(backend="database"))
    # The test's transaction is in the connection that a worker would close.
    monkeypatch.setattr("django_tasks_db.management.commands.db_worker.close_old_connections", lambda: None)
    address = send(staff, packed(game_files(unit())))["Location"]
    call_command("db_worker", "--batch", "--no-startup-delay", "--no-reload", "--backend=database", verbosity=0)
    assert staff.get(address)["Location"] == "/games/ducks-and-drakes/#imported"
    assert Job.objects.get().has_worker


def test_each_kind_of_work_has_its_queue_and_turns_stay_in_it(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_to_worker(monkeypatch)
    monkeypatch.setattr(jobs, "_KINDS", dict.fromkeys(jobs._KINDS, f"{__name__}.do_two_steps"))
    kinds = {
        "import": "imports",
        "install": "imports",
        "impact": "judging",
        "event-upload": "judging",
        "print": "prints",
    }
    for kind in kinds:
        start_job(user, kind, kind, {})
    assert set(DBTaskResult.objects.values_list("queue_name", flat=True)) == set(kinds.values())
    # Workers of some queues leave the others alone.
    work_all("--queue-name=prints")
    assert list(Job.objects.filter(state=JobState.DONE).values_list("kind", flat=True)) == ["print"]
    work_all("--queue-name=imports,judging")
    assert Job.objects.filter(state=JobState.DONE).count() == len(kinds)
    assert DBTaskResult.objects.exclude(queue_name__in=kinds.values()).count() == 0


def do_two_steps(job: Job, seconds: float) -> Step:
    return Step(job.done + 1, 2, is_last=job.done == 1)


def hand_to_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tasks in the database until `work_all` is called; each job gets one step a turn."""
    monkeypatch.setattr(jobs, "run_job", jobs.run_job.using(backend="database"))
    monkeypatch.setattr(jobs, "TURN_SECONDS", 0)
    monkeypatch.setattr("django_tasks_db.management.commands.db_worker.close_old_connections", lambda: None)


def work_all(*options: str) -> None:
    call_command(
        "db_worker", "--batch", "--no-startup-delay", "--no-reload", "--backend=database", *options, verbosity=0
    )


done: list[str] = []


def note_step(job: Job, seconds: float) -> Step:
    """Do one of three steps; the first step of the first job submits a list, which causes a letter."""
    if not done:
        mail.send_in_background.using(backend="database").enqueue(7)
    done.append(f"{job.name} {job.done + 1}")
    return Step(job.done + 1, 3, is_last=job.done == 2)


def test_letters_overtake_jobs_and_jobs_take_turns(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker without options serves all queues."""
    hand_to_worker(monkeypatch)
    monkeypatch.setitem(jobs._KINDS, "note", f"{__name__}.note_step")
    monkeypatch.setattr(mail, "send_mails", lambda ids: done.extend(f"letter {one}" for one in ids))
    done.clear()
    for name in ("booklet", "sheets"):
        start_job(user, "note", name, {})
    work_all()
    assert done == ["booklet 1", "letter 7", "sheets 1", "booklet 2", "sheets 2", "booklet 3", "sheets 3"]
    assert {job.state for job in Job.objects.all()} == {JobState.DONE}


def test_a_worker_of_letters_leaves_jobs_alone(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_to_worker(monkeypatch)
    monkeypatch.setitem(jobs._KINDS, "note", f"{__name__}.note_step")
    monkeypatch.setattr(mail, "send_mails", lambda ids: done.extend(f"letter {one}" for one in ids))
    done.clear()
    start_job(user, "note", "booklet", {})
    mail.send_in_background.using(backend="database").enqueue(8)
    work_all("--queue-name=letters")
    assert done == ["letter 8"]
    work_all("--queue-name=default")
    assert done == ["letter 8", "booklet 1", "booklet 2", "booklet 3"]


def begin_task(minutes_ago: float) -> None:
    """Make a worker look busy with a task."""
    jobs.run_job.using(backend="database").enqueue(0)
    began = timezone.now() - timedelta(minutes=minutes_ago)
    DBTaskResult.objects.update(status=TaskResultStatus.RUNNING, started_at=began)


def test_a_job_that_waits_says_what_for(staff: Client, user: User, no_worker: None) -> None:
    """A worker is printing a booklet, so the page of another job does not take over."""
    other = User.objects.create_user("other")
    booklet = start_job(other, "event-booklet", "Secret muster", {})
    held = timezone.now() + timedelta(minutes=4)
    Job.objects.filter(pk=booklet.pk).update(
        state=JobState.RUNNING, has_worker=True, held_until=held, done=61, total=100
    )
    begin_task(minutes_ago=1)
    waiting = start_job(user, "import", "ducks.zip", {"name": "ducks.zip", "hold": False})
    wait_too_long(waiting)
    page = staff.get(f"/jobs/{waiting.public_id}/")
    assert not page.context["left_alone"]
    assert page.context["ahead"] == booklet
    assert "61 %" in markup(page)
    assert "No worker" not in markup(page)
    assert "Secret muster" not in markup(page)
    Job.objects.filter(pk=booklet.pk).update(user=user)
    assert "Secret muster" in markup(staff.get(f"/jobs/{waiting.public_id}/"))
    # The page's own steps wait while a worker is busy.
    staff.post(f"/jobs/{waiting.public_id}/", headers=HTMX)
    waiting.refresh_from_db()
    assert waiting.state == JobState.WAITING


@pytest.mark.parametrize(("minutes_ago", "is_alone"), [(4, False), (6, True), (-60, True)])
def test_a_worker_that_died_is_not_waited_for(user: User, no_worker: None, minutes_ago: float, is_alone: bool) -> None:
    waiting = start_job(user, "import", "ducks.zip", {})
    wait_too_long(waiting)
    waiting.refresh_from_db()
    assert is_left_alone(waiting)
    begin_task(minutes_ago)
    assert is_left_alone(waiting) is is_alone
    DBTaskResult.objects.update(status=TaskResultStatus.SUCCESSFUL)
    assert is_left_alone(waiting)


def test_refused_data_is_told_with_its_places(staff: Client, no_worker: None) -> None:
    bad = next(iter(BAD.values()))
    address = send(staff, bad.data, bad.name)["Location"]
    wait_too_long(Job.objects.get())
    staff.post(address)
    answer = staff.get(address)
    assert answer.status_code == 422
    assert f'<code class="soft">{bad.place}' in markup(answer)


def fail(job: Job, seconds: float) -> Step:
    raise RuntimeError("out of luck")


def count(job: Job, seconds: float) -> Step:
    return Step(job.done + 1, 3, is_last=job.done == 2)


def test_a_step_that_fails_is_told_and_ends_the_job(staff: Client, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jobs._KINDS, "fail", f"{__name__}.fail")
    job = start_job(user, "fail", "Bad luck", {}, b"anything")
    assert (job.state, bytes(job.payload)) == (JobState.FAILED, b"")
    page = markup(staff.get(f"/jobs/{job.public_id}/"))
    assert "went wrong on the server" in page
    assert "out of luck" not in page
    assert not advance_job(job)


def test_a_step_on_a_full_disk_is_named(staff: Client, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(job: Job, seconds: float) -> Step:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(jobs._KINDS, "fail", f"{__name__}.fail")
    monkeypatch.setattr(f"{__name__}.fail", fill)
    job = start_job(user, "fail", "Bad luck", {})
    assert job.state == JobState.FAILED
    assert "The server has no space left. Nothing was stored." in markup(staff.get(f"/jobs/{job.public_id}/"))


def test_work_that_only_a_newer_node_knows_is_left_to_it(user: User, no_worker: None) -> None:
    job = start_job(user, "of-the-next-version", "New", {})
    assert not advance_job(job)
    job.refresh_from_db()
    assert job.state == JobState.WAITING
    Job.objects.update(created=timezone.now() - jobs.UPGRADE)
    job.refresh_from_db()
    assert advance_job(job), "no node of the site knows it"
    assert job.state == JobState.FAILED


def test_two_never_do_one_step_and_a_dead_one_is_taken_up(
    user: User, no_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(jobs._KINDS, "count", f"{__name__}.count")
    job = start_job(user, "count", "Counting", {})
    Job.objects.update(held_until=timezone.now() + jobs.HOLD, state=JobState.RUNNING)
    job.refresh_from_db()
    assert not is_left_alone(job)
    assert not advance_job(job)
    Job.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    job.refresh_from_db()
    assert is_left_alone(job)
    assert advance_job(job)
    assert Job.objects.get().done == 1


def test_a_step_begun_by_a_clock_that_was_ahead_is_taken_up(
    user: User, no_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(jobs._KINDS, "count", f"{__name__}.count")
    job = start_job(user, "count", "Counting", {})
    ahead = timezone.now() + timedelta(days=300)
    Job.objects.update(held_until=ahead + jobs.HOLD, touched=ahead, state=JobState.RUNNING, has_worker=True)
    job.refresh_from_db()
    assert is_left_alone(job)
    assert advance_job(job)
    assert Job.objects.get().touched < ahead


def test_who_may_see_a_job(client: Client, user: User, no_worker: None) -> None:
    job = start_job(user, "import", "ducks.zip", {"name": "ducks.zip", "hold": False})
    address = f"/jobs/{job.public_id}/"
    assert client.get(address).status_code == 404
    client.force_login(User.objects.create_user("other", is_staff=True, is_superuser=True))
    assert client.get(address).status_code == 404
    client.force_login(user)
    assert client.get("/jobs/nothing/").status_code == 404
    answer = client.put(address)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, POST, HEAD")


def test_old_jobs_go(user: User, no_worker: None) -> None:
    old = start_job(user, "import", "old.zip", {})
    Job.objects.filter(pk=old.pk).update(created=timezone.now() - jobs.KEEP - timedelta(hours=1))
    start_job(user, "import", "new.zip", {})
    assert [job.name for job in Job.objects.all()] == ["new.zip"]
