"""Memory, interruption and progress: what a solve does besides being right.

What the system has left is not the test's to change, so it is replaced.
"""

from __future__ import annotations

import math
import re
import resource
import signal
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import psutil
import pytest

import zermelo
from support.processes.interrupts import heeding
from support.sizes import but
from zermelo import BudgetError, Game, ParameterError, graph
from zermelo._engine.core import ledger as budget
from zermelo._engine.core.ledger import left_in_group
from zermelo._engine.core.memory import zeros
from zermelo.games import ConnectFour, StoneGame, TicTacToe
from zermelo.resources import memory_bytes

pytestmark = pytest.mark.timing


class Pair(NamedTuple):
    """Two counters."""

    a: int
    b: int


@dataclass(frozen=True)
class Endless(Game):
    """Two counters that grow for ever."""

    def start(self):
        return Pair(0, 0)

    def moves(self, pair):
        yield 0
        yield 1

    def play(self, pair, which):
        if which:
            return Pair(pair.a, pair.b + 1)
        return Pair(pair.a + 1, pair.b)


@pytest.mark.slow
def test_a_game_that_never_ends_growing_is_refused_within_its_budget() -> None:
    """The refusal says how much is needed, how much is allowed, and what to do."""
    with pytest.raises(
        BudgetError, match=r"solving the [\d,]+ positions found so far needs .* MB"
    ) as info:
        zermelo.solve(Endless(), memory="30MB")
    assert info.value.allowed == 30_000_000  # as given
    assert info.value.needed > info.value.allowed
    assert isinstance(info.value, MemoryError)


@pytest.mark.parametrize(
    "method", but(["placement", "retrograde", "levels"], "levels", "retrograde")
)
def test_a_game_fits_the_budget_it_is_reckoned_to_need(method) -> None:
    """A solve succeeds with just what it reckons."""
    game = ConnectFour(4, 3)
    needed = zermelo.solve(game, method=method).peak_bytes
    assert zermelo.solve(game, method=method, memory=needed).peak_bytes <= needed


@pytest.mark.slow
def test_a_placement_game_is_refused_where_not_even_a_few_tiers_fit() -> None:
    """What does not fit as a whole goes to disk, and what cannot be done so is not begun."""
    needed = zermelo.solve(ConnectFour(4, 3)).peak_bytes
    assert "on disk" in zermelo.solve(ConnectFour(4, 3), memory=needed - 1).choice
    with pytest.raises(BudgetError, match="leave out remoteness"):
        zermelo.solve(ConnectFour(4, 3), memory=needed // 20)


@pytest.mark.parametrize(
    ("names", "limit", "left"),
    [
        (("memory.max", "memory.current", "memory.stat"), "1000000", 700_000),
        (("memory.max", "memory.current", "memory.stat"), "max", math.inf),
        (
            (
                "memory/memory.limit_in_bytes",
                "memory/memory.usage_in_bytes",
                "memory/memory.stat",
            ),
            "1000000",
            700_000,
        ),
        ((), "", math.inf),
    ],
    ids=["group", "group without a limit", "group of old", "no groups"],
)
def test_what_is_left_to_a_container_is_not_what_its_host_has(tmp_path, names, limit, left):
    """The limit of the control group counts, less what is used but for pages of files."""
    for name, text in zip(names, (limit, "400000", "anon 5\ninactive_file 100000"), strict=False):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert left_in_group(tmp_path) == left


def test_what_the_system_has_left_is_read_again_when_that_was_a_while_ago(monkeypatch):
    """Solving many small games reads it once, and a game that comes later has what is left then."""
    clock, left = [50.0], [1000]
    monkeypatch.setattr(budget.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=left[0]))
    monkeypatch.setattr(budget, "left_in_group", lambda _: math.inf)
    monkeypatch.setattr(budget, "_LEFT", budget._Left())
    assert budget.Ledger.for_budget(None).allowed == 850
    left[0] = 100
    clock[0] += 0.01
    assert budget.Ledger.for_budget(None).allowed == 850
    clock[0] += 0.02
    assert budget.Ledger.for_budget(None).allowed == 85
    assert budget.Ledger.for_budget(7).allowed == 7


def test_limit_of_the_address_space_is_memory_too(monkeypatch):
    """Under ``ulimit -v`` a solve plans with what the process may still map."""
    used = psutil.Process().memory_info().vms
    limit = (used + 10**7, resource.RLIM_INFINITY)
    monkeypatch.setattr(budget.resource, "getrlimit", lambda _: limit)
    monkeypatch.setattr(budget, "_LEFT", budget._Left())
    # One reading, as memory of earlier tests may be returned to the system at any time.
    monkeypatch.setattr(budget, "_FRESH", float("inf"))
    assert budget.Ledger.for_budget(None).allowed < 10**7
    with pytest.raises(BudgetError, match=r"but only .* may be used"):
        graph.solve_edges([0], [1], 10**7)


def test_memory_that_the_system_refuses_is_no_bare_error():
    """What is mapped and not there to be had is told like any other lack of memory."""
    with pytest.raises(BudgetError, match=r"the system has no 1.15 EB of memory left; set"):
        zeros(1 << 60, np.uint8)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("2GB", 2 * 10**9),
        ("500M", 5 * 10**8),
        ("1.5GiB", 3 * 2**29),
        ("64", 64),
        (7, 7),
        ("9" * 20 + ".5GB", 10**29 - 5 * 10**8),
        (None, None),
    ],
    ids=str,
)
def test_amounts_of_memory_are_read_as_people_write_them(text, amount) -> None:
    """Decimal and binary units, with or without the B."""
    assert memory_bytes(text) == amount


def test_amounts_of_any_length_are_read() -> None:
    """No number of digits is too large for a limit."""
    assert memory_bytes("9" * 400) == int("9" * 400)


@pytest.mark.parametrize(
    "arguments",
    [
        {"memory": "lots"},
        {"memory": True},
        {"memory": -1},
        {"threads": 0},
        {"threads": 1.5},
        {"method": "magic"},
        {"method": "score"},
        {"horizon": 3},
        {"method": "horizon", "horizon": -1},
    ],
    ids=str,
)
def test_arguments_that_make_no_sense_are_refused_in_a_sentence(arguments) -> None:
    """The offending value is in the message, and nothing is solved."""
    with pytest.raises(ParameterError):
        zermelo.solve(TicTacToe(), **arguments)


def test_a_score_game_refuses_methods_that_have_no_scores() -> None:
    """Retrograde analysis of a score game would be another game's answer."""
    with pytest.raises(ParameterError, match="score game"):
        zermelo.solve(StoneGame(piles=(1, 2)), method="retrograde")


def test_progress_is_reported_in_order_and_ends_each_phase() -> None:
    """Every phase has a first and a last event, and what is done never shrinks."""
    events: list[zermelo.Event] = []
    solution = zermelo.solve(ConnectFour(4, 3), method="retrograde", progress=events.append)
    names = list(dict.fromkeys(event.phase for event in events))
    assert names == [name for name, _ in solution.phases] == ["compile", "explore", "sweep"]
    for name in names:
        phase = [event for event in events if event.phase == name]
        assert phase[-1].finished
        assert [e.done for e in phase] == sorted(e.done for e in phase)
    assert phase[-1].total == len(solution)


def test_a_listener_that_raises_stops_the_solve() -> None:
    """An exception from the listener comes out of solve as it is, and leaves no threads behind."""

    def stop(event: zermelo.Event) -> None:
        raise KeyError(event.phase)

    with pytest.raises(KeyError, match="compile"):
        zermelo.solve(TicTacToe(), progress=stop)


@pytest.mark.slow
def test_an_interrupt_leaves_at_once_and_cleanly() -> None:
    """Ctrl-C in the middle of a large solve raises KeyboardInterrupt."""
    program = textwrap.dedent(
        """
        import sys, time, zermelo
        from zermelo.games import ConnectFour
        zermelo.solve(ConnectFour(4, 3), method="retrograde")
        def say(event):
            if event.done > 300_000:
                print("running", flush=True)
        try:
            zermelo.solve(ConnectFour(6, 5), method="retrograde", progress=say)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        """
    )
    process = subprocess.Popen(
        heeding(sys.executable, "-c", program),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert output.splitlines()[-1] == "stopped"
    assert process.returncode == 0


@pytest.mark.parametrize("vertices", [1_000, 1_001, 999_999, 1_234_567])
def test_memory_that_a_refusal_names_is_enough(vertices) -> None:
    """The two amounts differ, and the first one, allowed as it is written, is not refused."""
    from_first, to_last = [0], [vertices - 1]
    with pytest.raises(BudgetError) as first:
        graph.solve_edges(from_first, to_last, vertices, memory=1)
    needed = first.value.needed
    with pytest.raises(BudgetError) as second:
        graph.solve_edges(from_first, to_last, vertices, memory=needed - 1)
    said = re.search(r"at least (\S+ \S+), but only (\S+ \S+) may", str(second.value))
    assert said is not None
    assert memory_bytes(said[2]) < needed <= memory_bytes(said[1])


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "1 byte"), (999, "999 bytes"), (999_499, "999 kB"), (999_500, "1 MB"), (2**63, "9.22 EB")],
)
def test_bytes_are_written_without_exponents(count, text) -> None:
    """Numbers that round up to a thousand get the next unit."""
    assert budget.readable(count) == text
