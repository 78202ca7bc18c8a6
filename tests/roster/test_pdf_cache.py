"""The cache of printed files: its keys, and which process may make the next file."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connections
from pytest_django import Settings

from roster.pdf import render_lock
from roster.pdf.cache import PdfCache
from roster.pdf.print_job import ROOT, SOURCES, PrintJob
from roster.pdf.render_lock import (
    RendererBusy,
    TooSlowError,
    hold_render_slot,
    join_line,
    leave_line,
    report_layout,
    take_turn,
)

pytestmark = pytest.mark.slow

KEY = "ab" + "0" * 62
PDF = b"%PDF-1.7 something\n%%EOF\n"


@pytest.fixture
def cache(tmp_path: Path) -> PdfCache:
    return PdfCache(tmp_path, 1_000_000)


def test_a_stored_file_is_found(cache: PdfCache) -> None:
    assert cache.get(KEY) is None
    cache.put(KEY, PDF)
    assert cache.get(KEY) == PDF


def test_a_file_cut_short_counts_as_none(cache: PdfCache) -> None:
    cache.put(KEY, PDF[:10])
    assert cache.get(KEY) is None


def test_nothing_half_written_is_left_behind(cache: PdfCache) -> None:
    cache.put(KEY, PDF)
    assert [path.name for path in cache.folder.rglob("*") if path.is_file()] == [f"{KEY}.pdf"]


def test_the_sheets_used_longest_ago_go_first(tmp_path: Path) -> None:
    cache = PdfCache(tmp_path, 10_000)
    for number in range(4):
        cache.put(f"{number:02}" * 32, PDF + b" " * (30 - len(PDF)))
        os.utime(cache._find_path(f"{number:02}" * 32), (number, number))
    assert cache.get("00" * 32) is not None  # used just now
    PdfCache(tmp_path, 100).shrink()
    assert [cache.get(f"{number:02}" * 32) is not None for number in range(4)] == [True, False, True, True]


def test_the_folder_stays_within_its_size(tmp_path: Path) -> None:
    cache = PdfCache(tmp_path, 1000)
    for number in range(100):
        cache.put(f"{number:02}" * 32, b"x" * 100)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.pdf")) <= 1200


def test_a_disk_that_takes_nothing_is_no_failure(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way")
    PdfCache(tmp_path / "file", 1000).put(KEY, PDF)
    assert "could not be kept" in caplog.text


@pytest.mark.parametrize(("folder", "pattern"), SOURCES)
def test_the_version_of_the_renderer_counts_files_that_exist(folder: str, pattern: str) -> None:
    # A checkout without compiled translations has no message catalogues.
    assert pattern == "*.mo" or list((ROOT / folder).rglob(pattern))


# ---- the render lock ---------------------------------------------------------------------------------------------


def test_a_second_layout_in_one_process_waits_and_then_gives_up(tmp_path: Path) -> None:
    with hold_render_slot(tmp_path, 2):
        refused = _in_thread(lambda: _take(tmp_path, wait=0.05))
    assert isinstance(refused, RendererBusy)
    assert _in_thread(lambda: _take(tmp_path, wait=0.05)) is None


def test_a_waiting_layout_is_next(tmp_path: Path) -> None:
    done: list[Exception | None] = []
    with hold_render_slot(tmp_path, 2):
        waiting = threading.Thread(target=lambda: done.append(_take(tmp_path, wait=5)))
        waiting.start()
        time.sleep(0.05)
        assert done == []
    waiting.join()
    assert done == [None]


def test_others_are_sent_away_where_many_wait_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_lock, "_waiting", threading.BoundedSemaphore(2))
    with hold_render_slot(tmp_path, 2):
        waiting = [threading.Thread(target=_take, args=(tmp_path, 2, name)) for name in "ab"]
        for thread in waiting:
            thread.start()
        time.sleep(0.2)
        begin = time.monotonic()
        refused = _take(tmp_path, 2, "c")
        assert isinstance(refused, RendererBusy)
        assert (refused.ahead, refused.done) == (2, 0)
        assert time.monotonic() - begin < 0.5
    for thread in waiting:
        thread.join()
    # It has kept its place meanwhile, and the page says how far the line has moved.
    with hold_render_slot(tmp_path, 2):
        again = _take(tmp_path, 0, "c")
    assert isinstance(again, RendererBusy)
    assert (again.ahead, again.done) == (0, 2)


def test_a_machine_makes_so_many_at_once(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; import django; django.setup()\n"
        "from roster.pdf.render_lock import hold_render_slot\n"
        "with hold_render_slot(Path(sys.argv[1]), 2): print('in', flush=True); sys.stdin.read()"
    )
    with _Other(program, tmp_path), _Other(program, tmp_path):
        assert isinstance(_take(tmp_path, wait=0.1), RendererBusy)
    assert _take(tmp_path, wait=1) is None


def test_a_place_is_free_again_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), take_turn(tmp_path, "a", 1, 1, lambda: False):
        _ = 1 / 0
    assert _take(tmp_path, wait=0.1) is None
    assert join_line(tmp_path, "b").ahead == 0


# ---- the line before it ------------------------------------------------------------------------------------------


def test_ten_at_once_are_served_in_order_in_the_sum_of_their_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render_lock, "_waiting", threading.BoundedSemaphore(10))
    served: list[int] = []

    def make(number: int) -> None:
        with take_turn(tmp_path, f"{number}", 1, 30, lambda: False) as is_held:
            assert is_held
            time.sleep(0.1)
            served.append(number)

    for number in range(10):
        join_line(tmp_path, f"{number}")
    # The last to join look first.
    threads = [threading.Thread(target=make, args=(number,)) for number in reversed(range(10))]
    with hold_render_slot(tmp_path, 1):
        for thread in threads:
            thread.start()
        time.sleep(0.3)
    for thread in threads:
        thread.join()
    assert served == list(range(10))


def test_the_same_file_is_made_once(tmp_path: Path) -> None:
    made: list[bool] = []

    def make() -> None:
        with take_turn(tmp_path, "same", 2, 30, lambda: bool(made)) as is_held:
            if is_held:
                time.sleep(0.1)
                made.append(True)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [True]
    assert join_line(tmp_path, "next").ahead == 0


def test_a_file_that_was_finished_while_its_slot_was_taken_is_not_made_again(tmp_path: Path) -> None:
    answers = iter((False, True))
    with take_turn(tmp_path, "same", 2, 30, lambda: next(answers)) as is_held:
        assert is_held is None
    # The slot is free, and nobody waits.
    with take_turn(tmp_path, "other", 2, 0, lambda: False) as is_held:
        assert is_held


def test_the_first_come_are_the_first_served(tmp_path: Path) -> None:
    assert [join_line(tmp_path, key).ahead for key in "abcd"] == [0, 1, 2, 3]
    assert [join_line(tmp_path, key).ahead for key in "dcab"] == [3, 2, 0, 1]
    leave_line(tmp_path, "a")
    assert [join_line(tmp_path, key).ahead for key in "dcb"] == [2, 1, 0]
    assert join_line(tmp_path, "d").joined_behind == 3


def test_a_browser_that_will_ask_again_holds_nobody_up(tmp_path: Path) -> None:
    assert join_line(tmp_path, "away").ahead == 0
    assert join_line(tmp_path, "here", render_lock._WAITING).may_begin(1)
    # When it is back, it is first again.
    assert join_line(tmp_path, "away", render_lock._WAITING).may_begin(1)
    assert not join_line(tmp_path, "here", render_lock._WAITING).may_begin(1)


def test_a_clock_that_was_ahead_holds_nobody_up_in_line(tmp_path, monkeypatch):
    clock = time.time()
    monkeypatch.setattr(render_lock.time, "time", lambda: clock + 86_400)
    assert [join_line(tmp_path, key).ahead for key in "abc"] == [0, 1, 2]
    monkeypatch.setattr(render_lock.time, "time", lambda: clock)
    assert [join_line(tmp_path, key).ahead for key in "dc"] == [0, 1]


def test_who_asks_no_more_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    assert join_line(tmp_path, "a", render_lock._PRINTING, 30).ahead == 0
    assert [join_line(tmp_path, key).ahead for key in "bc"] == [1, 2]
    # Longer than the polling interval, but too short for a layout to be abandoned.
    monkeypatch.setattr(render_lock.time, "time", lambda: now + render_lock.SOONEST + render_lock.GRACE + 1)
    assert join_line(tmp_path, "c").ahead == 1
    monkeypatch.setattr(render_lock.time, "time", lambda: now + 300)
    assert join_line(tmp_path, "d").ahead == 0


def test_a_print_that_failed_is_ahead_of_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_lock, "LONGEST_LINE", 2)
    for key, is_slow in {"broken": False, "slow": True}.items():
        join_line(tmp_path, key, render_lock._PRINTING, 30)
        render_lock.report_failure(tmp_path, key, too_slow=is_slow)
    places = [join_line(tmp_path, key) for key in "abc"]
    assert [(place.ahead, place.joined_behind) for place in places] == [(0, 0), (1, 1), (2, 2)]
    assert join_line(tmp_path, "slow").was_too_slow


def test_a_line_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_lock, "LONGEST_LINE", 2)
    assert [join_line(tmp_path, key).ahead for key in "abcd"] == [0, 1, 2, 2]
    leave_line(tmp_path, "a")
    assert join_line(tmp_path, "d").ahead == 1


@pytest.mark.parametrize("left", ["", "{", "[1]", "7", '{"b": 3}', '{"b": [1, "x"]}'])
def test_a_line_that_was_written_half_way_begins_anew(tmp_path: Path, left: str) -> None:
    (tmp_path / "line.json").write_text(left)
    assert join_line(tmp_path, "a").ahead == 0


def _take(folder: Path, wait: float, key: str = "a") -> Exception | None:
    try:
        with take_turn(folder, key, 2, wait, lambda: False):
            return None
    except RendererBusy as busy:
        return busy


def _in_thread(act) -> object:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(act()))
    thread.start()
    thread.join()
    return found[0]


class _Other:
    """Another process that holds a slot until the block ends."""

    def __init__(self, program: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"in\n"

    def __exit__(self, *_: object) -> None:
        self.process.communicate()


# ---- the line of several machines --------------------------------------------------------------------------------


@pytest.fixture
def shared_line(settings: Settings, transactional_db: None) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PRINT_LINE_IN_DATABASE": True}


@pytest.mark.postgres
@pytest.mark.usefixtures("shared_line")
def test_a_browser_keeps_its_place_when_another_machine_answers(tmp_path: Path) -> None:
    here, there = tmp_path / "a", tmp_path / "b"
    assert [join_line(here, key).ahead for key in "abc"] == [0, 1, 2]
    assert [join_line(there, key).ahead for key in "cba"] == [2, 1, 0]
    leave_line(here, "a")
    assert join_line(there, "c").ahead == 1
    assert join_line(there, "c").joined_behind == 2
    assert not list(tmp_path.iterdir()), "nothing is on the disk"


@pytest.mark.postgres
@pytest.mark.usefixtures("shared_line")
def test_a_machine_does_not_wait_for_the_turns_of_another(tmp_path: Path) -> None:
    here, there = tmp_path / "a", tmp_path / "b"
    join_line(here, "a", render_lock._PRINTING, 30)
    assert not join_line(here, "b", render_lock._WAITING).may_begin(1)
    assert join_line(there, "c", render_lock._WAITING).may_begin(1)


@pytest.mark.postgres
@pytest.mark.usefixtures("shared_line")
def test_a_file_that_one_machine_prints_is_awaited_by_the_others(tmp_path: Path) -> None:
    here, there = tmp_path / "a", tmp_path / "b"
    with take_turn(here, "same", 2, 0, lambda: False) as held:
        assert held
        report_layout(here, "same", 3, 14)
        with pytest.raises(RendererBusy) as busy, take_turn(there, "same", 2, 0, lambda: False):
            raise AssertionError
        assert (busy.value.is_printing, busy.value.laid_out, busy.value.pages) == (True, 3, 14)
    with take_turn(there, "same", 2, 0, lambda: True) as held:
        assert held is None


@pytest.mark.postgres
@pytest.mark.usefixtures("shared_line")
def test_a_print_of_a_dead_machine_is_made_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = tmp_path / "a", tmp_path / "b"
    now = time.time()
    join_line(here, "same", render_lock._PRINTING, render_lock.LEASE)
    assert not join_line(there, "same").may_begin(1)
    monkeypatch.setattr(render_lock.time, "time", lambda: now + render_lock.LEASE + render_lock.GRACE + 1)
    with take_turn(there, "same", 1, 0, lambda: False) as held:
        assert held


@pytest.mark.postgres
@pytest.mark.usefixtures("shared_line")
def test_many_threads_of_two_machines_make_each_file_once(tmp_path: Path) -> None:
    made: list[str] = []

    def make(folder: Path, key: str) -> None:
        try:
            with take_turn(folder, key, 2, 30, lambda: key in made) as held:
                if held:
                    time.sleep(0.1)
                    made.append(key)
        finally:
            connections.close_all()

    threads = [
        threading.Thread(target=make, args=(tmp_path / machine, key)) for key in ("x", "y") for machine in ("a", "b")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == ["x", "y"]
    assert join_line(tmp_path / "a", "next").ahead == 0


# ---- layouts that take long --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeldJob(PrintJob):
    """A print whose layout waits for `gate`, then fails if it is `failing`."""

    name: str
    gate: threading.Event
    failing: bool = False

    @property
    def content(self) -> tuple[object, ...]:
        return (self.name,)

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.name,)

    def make_pdf(self) -> bytes:
        assert self.gate.wait(10)
        if self.failing:
            raise TooSlowError("Page 7")
        return PDF


@pytest.fixture
def kept_files(tmp_path: Path, settings: Settings) -> Path:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "PDF_CACHE_DIR": tmp_path}
    return tmp_path


def test_a_long_layout_goes_on_without_its_request_and_says_how_far_it_is(kept_files: Path) -> None:
    charged: list[float] = []
    job = HeldJob("long", threading.Event())
    with pytest.raises(RendererBusy) as first:
        job.render(patience=0, charge=charged.append)
    assert first.value.is_printing
    assert not first.value.too_slow
    report_layout(kept_files, job.key, 3, 14)
    # Another request does not lay the same file out again.
    with pytest.raises(RendererBusy) as second, take_turn(kept_files, job.key, 2, 0, lambda: job.is_finished):
        raise AssertionError
    assert (second.value.is_printing, second.value.laid_out, second.value.pages) == (True, 3, 14)
    job.gate.set()
    assert job.render(patience=5) == PDF
    # The thread charges after it has stored the file.
    for _ in range(100):
        if charged:
            break
        time.sleep(0.05)
    assert len(charged) == 1


def test_who_asks_again_is_told_once_that_a_long_layout_failed(
    kept_files: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = HeldJob("slow", threading.Event(), failing=True)
    with pytest.raises(RendererBusy):
        job.render(patience=0)
    job.gate.set()
    with pytest.raises(RendererBusy) as told:
        job.render(patience=5)
    assert (told.value.too_slow, told.value.is_broken) == (True, False)
    # It is told of the layout before, and begins none of its own.
    assert str(told.value) == "the layout failed"
    assert "failed" in caplog.text
    # The next try begins anew.
    mended = HeldJob("slow", job.gate)
    assert mended.key == job.key
    assert mended.render(patience=5) == PDF


def test_an_error_within_the_wait_is_the_errors_own(kept_files: Path) -> None:
    gate = threading.Event()
    gate.set()
    with pytest.raises(RendererBusy) as busy:
        HeldJob("quick", gate, failing=True).render(patience=5)
    assert busy.value.too_slow
    assert join_line(kept_files, "another").ahead == 0
