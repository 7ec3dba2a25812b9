"""Units of work are handed out, and handed out again where a worker is lost.

Jobs are the test's own: those of a solve do not stop, fail or fall silent when a test needs it.
"""

from __future__ import annotations

import random
from unittest import mock

import pytest

import zermelo
from support.processes.fake_workers import Pretended, patience
from support.processes.progress import every_event
from support.sizes import counts
from zermelo._cluster import pool as handing
from zermelo._cluster.pool import WorkerPool
from zermelo._cluster.transport import LOST
from zermelo._cluster.worker import facts
from zermelo.progress import Reporter


class Doubling:
    """A job that doubles numbers."""

    def __init__(self, allowed, threads):
        self.given = allowed, threads

    def do_unit(self, unit, name):
        if unit == "refused":
            raise zermelo.BudgetError("a unit needs more", 7, 5)
        if unit == "full":
            raise OSError(28, "No space left on device", "x.part")
        if unit == "fault":
            raise ZeroDivisionError
        return 2 * unit


def begun(transport, folder):
    """Return workers that have a job."""
    workers = WorkerPool(transport, 1 << 20, 4)
    workers.begin(folder, Doubling, ())
    return workers


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """Make this module importable by its name, as a worker imports a job."""
    monkeypatch.setattr(handing, "_PAUSE", 0.0)
    import sys

    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or __import__(__name__))
    sys.modules[__name__].Doubling = Doubling


@counts(20, None, 1000)
def test_every_unit_is_done_once_whoever_is_lost(count, tmp_path):
    """Workers are lost at random, those that cannot be replaced too, until one is left."""
    rng = random.Random(1)
    for _ in range(count):
        size = rng.randrange(1, 6)
        left = rng.randrange(size) if rng.random() < 0.5 else 10
        replaces = left == 10
        seen = set()

        def draw(unit, left=[left], seen=seen, rng=rng):  # noqa: B006  # a counter
            if left[0] and unit not in seen and rng.random() < 0.3:
                left[0] -= 1
                seen.add(unit)
                return True
            return False

        transport = Pretended(size, draw, replaces=replaces)
        workers = begun(transport, tmp_path)
        for _ in range(3):
            units = list(range(rng.randrange(30)))
            found = list(workers.run(units))
            assert sorted(found) == [(n, 2 * n) for n in units]
        assert len(set(transport.names)) == len(transport.names)


def test_the_driver_does_units_itself_with_its_own_job(tmp_path):
    """In order, under names of their own, and without a word to the workers."""
    published, names = [], []

    class Named(Doubling):
        def do_unit(self, unit, name):
            names.append(name)
            return super().do_unit(unit, name)

    transport = Pretended(2)
    workers = WorkerPool(transport, 1 << 20, 4)
    workers.begin(tmp_path, Doubling, (), lambda: published.append(1))
    own = Named(1, 1)
    found = [pair for _ in range(2) for pair in workers.run([4, 5], [0, 1], own)]
    assert found == [(0, 8), (1, 10)] * 2
    assert len(set(names)) == 4
    assert (transport.names, published) == ([], [])
    assert sorted(workers.run([4, 5], [0, 1])) == [(0, 8), (1, 10)]
    assert (len(transport.names), published) == (2, [1])


def test_memory_and_threads_are_of_the_host(tmp_path):
    """Workers share the threads, and memory with the driver, which is on the same host."""
    transport = Pretended(3)
    begun(transport, tmp_path)
    assert {server._job.given for server in transport.servers} == {((1 << 20) // 4, 1)}


def test_a_unit_that_ends_every_worker_is_given_up(tmp_path):
    """With a sentence on what to do."""
    workers = begun(Pretended(2, lambda unit: unit == 3), tmp_path)
    with pytest.raises(zermelo.ClusterError, match=r"ended at the same unit.* to resume"):
        list(workers.run(range(5)))


def test_nobody_is_left(tmp_path):
    """Where an engine replaces nobody, the last one lost ends the solve."""
    workers = begun(Pretended(2, lambda unit: True, replaces=False), tmp_path)
    with pytest.raises(zermelo.ClusterError, match="all workers of 'pretended' are lost"):
        list(workers.run(range(5)))


def test_a_slow_worker_does_not_hold_up_the_others(tmp_path):
    """Its unit is given to another, and what it says later is ignored."""
    transport = Pretended(2)
    workers = begun(transport, tmp_path)
    held = []
    send = transport.send

    def slow(worker, message):
        if worker == 0 and message[0] == "unit" and not held:
            held.append((worker, transport.servers[worker].answer(message)))
            return
        send(worker, message)

    with patience(0.0), mock.patch.object(transport, "send", slow):
        assert sorted(workers.run(range(4))) == [(n, 2 * n) for n in range(4)]
        transport.waiting.extend(held)
        assert sorted(workers.run(range(4))) == [(n, 2 * n) for n in range(4)]


def test_what_workers_do_is_told(tmp_path):
    """Each by itself, also while one takes long and nothing is finished."""
    transport = Pretended(2)
    workers = begun(transport, tmp_path)
    told, held, send = [], [], transport.send

    def slow(worker, message):
        if worker == 0 and message[0] == "unit" and not held:
            held.append((worker, transport.servers[worker].answer(message)))
            return
        send(worker, message)

    report = Reporter(told.append)
    workers.report_to(report)
    with (
        patience(0.0),
        every_event(),
        mock.patch.object(transport, "send", slow),
        report.phase("sweep", 4),
    ):
        assert len(list(workers.run(range(4)))) == 4
    each = [event.workers for event in told]
    assert {len(some) for some in each} == {2}
    assert any(first.late and first.units == 0 for first, _ in each)
    assert sum(worker.units for worker in each[-1]) == 4
    assert {worker.host for worker in each[-1]} == {facts()["host"]}


@pytest.mark.parametrize(
    ("unit", "error", "said"),
    [
        ("refused", zermelo.BudgetError, "a unit needs more"),
        ("full", zermelo.ClusterError, "No space left on device: 'x.part'; check that the shared"),
        ("fault", zermelo.ClusterError, "ZeroDivisionError"),
    ],
)
def test_a_unit_that_fails(tmp_path, unit, error, said):
    """The driver raises what the worker says."""
    workers = begun(Pretended(2), tmp_path)
    with pytest.raises(error, match=said):
        list(workers.run([1, unit]))


def test_a_folder_that_is_not_shared(tmp_path):
    """A worker that reads another probe than the driver wrote is told of."""
    transport = Pretended(2)
    answer = transport.servers[1].answer
    transport.servers[1].answer = lambda message: (*answer(message)[:2], "")
    with pytest.raises(zermelo.ClusterError, match=r"does not see the folder .* one path"):
        begun(transport, tmp_path)
    assert not list(tmp_path.glob("*"))


def test_versions_that_differ(tmp_path):
    """Nobody mixes tables of two versions."""
    transport = Pretended(2)
    other = facts()
    other["versions"]["numpy"] = "1.0"
    transport.servers[1].answer = lambda message: ("hello", other, "")
    with pytest.raises(zermelo.ClusterError, match=r"has numpy '1\.0', and the driver .*equal"):
        begun(transport, tmp_path)


def test_a_worker_that_never_begins(tmp_path, monkeypatch):
    """One that ends at once, and one that says nothing."""
    transport = Pretended(1)
    transport.servers[0].answer = lambda message: LOST
    with pytest.raises(zermelo.ClusterError, match="ended before it had anything to do"):
        begun(transport, tmp_path)
    monkeypatch.setattr(handing, "_BEGINNING", 0.0)
    transport = Pretended(1)
    transport.send = lambda worker, message: None
    with pytest.raises(zermelo.ClusterError, match="did not answer within 0 seconds"):
        begun(transport, tmp_path)
