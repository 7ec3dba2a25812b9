"""What goes wrong around a solve on a cluster: nothing is lost, and the same call resumes."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import subprocess
import threading

import pytest

import zermelo
from support.processes.fake_workers import patience
from support.processes.lost_workers import at_units
from zermelo.games import ConnectFour

pytestmark = pytest.mark.timing

GAME = ConnectFour(4, 4)


def solved(path, **how):
    """Return the bytes of a table."""
    zermelo.solve(GAME, table=path, threads=1, memory="100MB", **how)
    assert not path.with_name(f"{path.name}.unfinished").exists()
    return path.read_bytes()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The bytes of the table that one process makes."""
    return solved(tmp_path_factory.mktemp("alone") / "alone.table")


def at_unit(number, happens):
    """Call a function with the processes of the workers before a unit is sent."""
    return at_units(lambda processes, _, n, __: happens(processes) if n == number else None)


@pytest.mark.slow
def test_a_disk_of_a_worker_that_is_full(alone, tmp_path, shared):
    """The error is the worker's, and says where; once there is room, the same call resumes."""
    path = tmp_path / "game.table"

    def full(processes):
        for process in processes:  # a file may have no more than this
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100, 100))

    said = (
        r"a worker on .* stopped: File too large.*check that the shared folder .* free space; run"
    )
    with at_unit(25, full), pytest.raises(zermelo.ClusterError, match=said):
        solved(path, cluster="local[2]")
    told = []
    assert solved(path, cluster="local[1]", progress=told.append) == alone
    assert [event for event in told if event.phase == "resume"]


@pytest.mark.slow
def test_a_shared_folder_that_goes_away(alone, tmp_path, shared):
    """Driver and workers find nothing there; when it is back, the same call resumes."""
    path = tmp_path / "game.table"
    folder, gone = path.with_name("game.table.unfinished"), tmp_path / "gone"
    with (
        at_unit(25, lambda *_: folder.rename(gone)),
        pytest.raises(zermelo.ZermeloError, match="run the same command again to resume"),
    ):
        solved(path, cluster="local[2]")
    if folder.exists():  # made again by the driver as it ended
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()
    gone.rename(folder)
    assert solved(path, cluster="local[2]") == alone


@pytest.mark.slow
def test_a_slow_node(alone, tmp_path, shared):
    """A worker that gets a tenth of the time holds up nobody for long."""
    done = threading.Event()

    def slowed(processes):
        def hinder():
            while not done.wait(0.01):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(processes[0].pid, signal.SIGSTOP)
                done.wait(0.09)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(processes[0].pid, signal.SIGCONT)

        threading.Thread(target=hinder, daemon=True).start()

    try:
        with patience(0.3), at_unit(5, slowed):
            assert solved(tmp_path / "game.table", cluster="local[2]") == alone
    finally:
        done.set()


@pytest.mark.slow
def test_a_full_disk_that_all_share(tmp_path, alone, shared):
    """A file system of a few kilobytes: a sentence, and the table once there is more room."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", disk]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        for size in ("120k", "100m"):
            with pytest.raises(zermelo.ZermeloError, match=r"space.* run the same command again"):
                solved(disk / "game.table", cluster="local[2]")
            subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)
        assert solved(disk / "game.table", cluster="local[2]") == alone
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.slow
def test_random_kills(tmp_path, alone, shared):
    """Workers, several at once, at random moments and not only as they are given a unit."""
    rng = random.Random(7)
    left = int(os.environ.get("ZERMELO_KILLS", "5"))
    kills = 0
    while kills < left:
        path, processes, done = tmp_path / "game.table", [], threading.Event()
        path.unlink(missing_ok=True)

        def noted(all_of_them, *_, processes=processes):
            processes[:] = all_of_them

        def kill(processes=processes, done=done):
            nonlocal kills
            while not done.wait(rng.uniform(0.3, 1.0)):
                for worker in processes[: rng.randrange(1, 3)]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker.pid, signal.SIGKILL)
                        kills += 1

        killer = threading.Thread(target=kill, daemon=True)
        with at_units(noted):
            killer.start()
            try:
                right = solved(path, cluster="local[2]") == alone
            except zermelo.ClusterError:
                right = True  # too many ended in a row; the next call resumes
            finally:
                done.set()
                killer.join()
        assert right
