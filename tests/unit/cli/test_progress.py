"""The progress bar."""

from __future__ import annotations

import io
import re
import threading
import time

import pytest
from click.testing import CliRunner
from rich.console import Console

import zermelo
from support.processes.conditions import wait_until
from support.processes.progress import every_event
from zermelo.cli import main, progress_bar
from zermelo.cli.progress_bar import ProgressBar, compact_number, duration_text, event_text
from zermelo.games import CatAndMouse, TakeAway
from zermelo.progress import Event, Reporter, WorkerProgress, tell_compiling

pytestmark = pytest.mark.timing


@pytest.fixture
def screen():
    """A terminal that keeps what is written to it."""
    return Console(file=io.StringIO(), force_terminal=True, width=120)


def written(screen):
    """Return what was written, without empty pieces."""
    return screen.file.getvalue()


def test_nothing_is_shown_for_what_is_soon_done(screen):
    """A watch that is over before the time leaves the screen untouched."""
    with ProgressBar(quiet=False, console=screen) as watch:
        watch(Event("explore", 5, None, 0.1))
    assert written(screen) == ""


def test_a_long_solve_is_shown(screen):
    """After a while the phase, what is done, the rate and what is left stand there, then go."""
    with ProgressBar(quiet=False, console=screen) as watch:
        watch(Event("retrograde", 2_500, 10_000, 5.0))
        wait_until(lambda: "left" in written(screen))
    text = written(screen)
    for part in ("retrograde", "2,500 of 10,000", "500/s", "15.0 s left"):
        assert part in text
    assert text.endswith("\x1b[2K")


def test_what_is_said_in_detail_has_a_line_of_its_own():
    """It stands under the bar, is cut where the terminal ends, and its brackets are no markup."""
    narrow = Console(file=io.StringIO(), force_terminal=True, width=60)
    with ProgressBar(quiet=False, console=narrow) as watch:
        watch(Event("is it won?", 2_500, None, 5.0, detail="ply 7, [a], " + "b, " * 50))
        wait_until(lambda: "ply" in written(narrow))
    assert "\n  ply 7, [a], b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, …" in written(narrow)
    assert event_text(Event("resume", 0, None, 0.0, finished=True, detail="at 5"))["detail"] == ""


def test_lower_bound_of_time_left_is_shown():
    """Where a sample says how many positions there are at least, so does the bar of the time."""
    says = event_text(Event("explore", 1_000, None, 10.0, least=5_000))
    assert (says["done"], says["left"]) == ("1,000 of at least 5,000", "at least 40.0 s left")
    says = event_text(Event("explore", 6_000, None, 10.0, least=5_000))
    assert (says["done"], says["left"]) == ("6,000", "")


def test_workers_are_shown():
    """Where they are, what they exchange, and who is late; nothing without a cluster."""
    fast = WorkerProgress(0, "one", 5, 2.0, 3_000_000, None, None, late=False)
    slow = WorkerProgress(1, "two", 3, 2.0, 1_000_000, 17, 41.0, late=True)
    assert fast.rate == 1_500_000
    assert event_text(Event("sweep", 1, 4, 1.0, workers=(fast, slow)))["description"] == (
        "sweep, level 17, 1 of 2 workers busy, 4.0 MB exchanged at 1.0 MB/s each, "
        "worker 1 on 'two' has been busy for 41.0 s, longer than expected"
    )
    assert event_text(Event("sweep", 1, 4, 1.0))["description"] == "sweep"


def test_compiling_is_shown(screen):
    """Rules that take long to compile are told before there is any event."""
    with ProgressBar(quiet=False, console=screen):
        wait_until(lambda: "compiling" in written(screen))


@pytest.mark.parametrize("console", [True, False])
def test_quiet(screen, console):
    """A quiet watch, or one without a terminal where that is not wanted, starts no thread."""
    before = threading.active_count()
    with ProgressBar(quiet=console, console=screen if console else None) as watch:
        watch(Event("explore", 5, None, 0.1))
        assert threading.active_count() == before


def test_what_an_event_says():
    """Where the total is not known there is no time left to tell."""
    says = event_text(Event("explore", 1_234_567, None, 2.0))
    assert (says["done"], says["rate"], says["left"]) == ("1,234,567", "617k/s", "")
    says = event_text(Event("sweep", 0, 10, 0.0))
    assert (says["done"], says["rate"], says["left"]) == ("", "", "")


def test_what_is_left_is_not_estimated_from_the_time_a_kernel_took_to_compile(monkeypatch):
    """A phase that waits for Zermelo's own kernels says so, and then goes on as if it had not.

    The clock is the test's.
    """
    events, now = [], 0.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    report = Reporter(events.append)
    with report.phase("sweep", 2_640):
        tell_compiling(begins=True)
        now = 1000.0
        tell_compiling(begins=False)
        now = 1000.5
        report.advance(1_320)
    first, waits, resumed, half, last = events
    assert [event.compiling for event in events] == [False, True, False, False, False]
    assert event_text(waits)["description"].startswith("compiling Zermelo's kernels")
    assert event_text(waits)["left"] == ""
    assert event_text(resumed)["description"] == "sweep"
    assert (first.seconds, half.seconds, half.left) == (0.0, 0.5, 0.5)
    assert last.finished
    assert report.phases == [("sweep", 1000.5)]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0001, "<1 ms"),
        (0.0032, "3.2 ms"),
        (0.25, "250 ms"),
        (0.9999, "1.0 s"),
        (2.46, "2.5 s"),
        (99.99, "1 min 40 s"),
        (250, "4 min 10 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations(seconds, text):
    """Times are told as people say them."""
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("number", "text"), [(950, "950"), (12_345, "12.3k"), (4.56e6, "4.56M"), (3.2e9, "3.2G")]
)
def test_rates(number, text):
    """Large numbers are told in three digits."""
    assert compact_number(number) == text


def lines(capsys, watch, count):
    """Return the lines written until there are so many."""
    text = ""

    def enough():
        nonlocal text
        text += capsys.readouterr().err
        return text.count("\n") >= count

    with watch:
        wait_until(enough)
    return text.splitlines()


def test_where_there_is_no_terminal_there_are_plain_lines(capsys, monkeypatch):
    """A line now and then says the phase, what is done, the rate, what is left and the memory.

    The first comes after some seconds, which nothing but this test wants to be fewer.
    """
    monkeypatch.setenv("ZERMELO_PROGRESS", "")
    monkeypatch.setattr(progress_bar, "_FIRST_LINE", 0.01)
    monkeypatch.setattr(progress_bar, "_NEXT_LINE", 0.01)
    watch = ProgressBar(quiet=False)
    assert lines(capsys, watch, 1)[0].startswith("compiling the rules, once for this game: ")
    watch = ProgressBar(quiet=False)
    watch.about = "width 3"
    watch(Event("retrograde", 2_500, 10_000, 5.0))
    first, *_ = lines(capsys, watch, 2)
    says, _, memory = first.rpartition(", ")
    assert says == "width 3: retrograde: 2,500 of 10,000, 500/s, 15.0 s left"
    assert memory.split()[1] in {"MB", "GB"}
    assert "\x1b" not in first


@pytest.mark.parametrize(("where", "shown"), [("", True), ("terminal", False), ("never", False)])
def test_the_environment_says_where_progress_is_shown(monkeypatch, where, shown):
    """Lines can be turned off, for those who keep what is written to standard error."""
    monkeypatch.setenv("ZERMELO_PROGRESS", where)
    assert ProgressBar(quiet=False).is_shown is shown
    assert not ProgressBar(quiet=True).is_shown


def test_never_also_holds_on_a_terminal(screen, monkeypatch):
    """ZERMELO_PROGRESS=never shows no bar, and anything but that does."""
    assert ProgressBar(quiet=False, console=screen).is_shown
    monkeypatch.setenv("ZERMELO_PROGRESS", "never")
    assert not ProgressBar(quiet=False, console=screen).is_shown


def test_the_bar_tells_how_much_memory_is_held(screen):
    """Beside the rate stands what the process holds."""
    with ProgressBar(quiet=False, console=screen) as watch:
        watch(Event("explore", 5, None, 0.1))
        wait_until(lambda: re.search(r"\d [MG]B", written(screen)))


@pytest.mark.slow
def test_a_bound_is_no_estimate():
    """Passes until something settles have no total, so that nobody is told of hours left."""
    events = []
    solution = zermelo.solve(CatAndMouse())
    with every_event():
        solution.analyse(progress=events.append)
    passes = [e for e in events if e.phase == "random play" and not e.finished and e.done]
    assert passes
    assert {event.total for event in passes} <= {None, len(solution)}
    assert any(event.total is None and event_text(event)["left"] == "" for event in passes)


@pytest.mark.parametrize(("options", "shown"), [([], True), (["--quiet"], False)])
def test_finding_the_positions_of_another_librarys_game_is_shown(monkeypatch, options, shown):
    """Which may take minutes before anything is solved; not where little is to be written."""
    monkeypatch.setenv("ZERMELO_PROGRESS", "")
    bars = []

    def found(_, progress):
        bars.append(progress)
        return TakeAway(3)

    monkeypatch.setattr("zermelo.adapters.named", found)
    assert CliRunner().invoke(main, ["solve", "pgx:any", *options]).exit_code == 0
    assert [bar.is_shown for bar in bars] == [shown]
