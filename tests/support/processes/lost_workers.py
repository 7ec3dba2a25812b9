"""Ways to kill the processes of a solve on ``local`` workers, whatever the method.

Only what sends units knows when one is sent.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import psutil

from zermelo._cluster import sections
from zermelo._cluster.local import LocalTransport
from zermelo._cluster.shared_files import SharedFileReader

DRIVER = """
import json
import os
import random
import signal
import sys
import time
import zermelo
from zermelo import games, limits
from zermelo._cluster.local import LocalTransport

path, word, left, both, method = sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:6]
name, *parameters = json.loads(sys.argv[6])
send = LocalTransport.send

def last(self, worker, message):
    global left
    send(self, worker, message)
    left -= message[0] == "unit"
    if left == 0:
        for process in self.processes:
            print(process.pid)
        sys.stdout.flush()
        time.sleep(random.choice((0, 0.001, 0.01)))
        if both == "both":
            os.kill(self.processes[worker].pid, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

LocalTransport.send = last
always = {"checkpoint_seconds": 0, "checkpoint_share": (1e9, 1e9)}
with limits.using(sharing=0, at_once=2000, **always):
    how = {"memory": "100MB", "threads": 1, "cluster": word}
    zermelo.solve(getattr(games, name)(*parameters), method=method, table=path, **how)
"""


#: Text of a program in which something happens at each unit that is sent to an actor of Ray.
AT_RAY_UNITS = """
from zermelo._cluster.on_ray import RayTransport

def at_units(before=None, after=None):
    send, sent = RayTransport.send, 0

    def noted(self, worker, message):
        nonlocal sent
        is_unit = message[0] == "unit"
        sent += is_unit
        number = sent
        if before and is_unit:
            before(number)
        send(self, worker, message)
        if after and is_unit:
            after(number, lambda: self._ray.kill(self.actors[worker]))

    RayTransport.send = noted
"""


@contextlib.contextmanager
def at_units(before=None, after=None):
    """Call functions before each unit is sent to a worker, and after it.

    They are given the processes of the workers, the number of the worker, that of the unit, from 1,
    and the unit.
    """
    send, sent = LocalTransport.send, 0

    def noted(self, worker, message):
        nonlocal sent
        is_unit = message[0] == "unit"
        sent += is_unit
        number = sent
        if before and is_unit:
            before(self.processes, worker, number, message[2])
        send(self, worker, message)
        if after and is_unit:
            after(self.processes, worker, number, message[2])

    with mock.patch.object(LocalTransport, "send", noted):
        yield


@contextlib.contextmanager
def awake_at_the_end():
    """Wake workers that were stopped when the cluster is closed, which waits for them."""
    close = LocalTransport.close

    def closed(self):
        for process in self.processes:
            os.kill(process.pid, signal.SIGCONT)
        close(self)

    with mock.patch.object(LocalTransport, "close", closed):
        yield


@contextlib.contextmanager
def damaged_part():
    """Change each file of a worker before it is read."""
    begin = SharedFileReader.__init__

    def damaged(self, folder, part):
        _flip(folder / part.name)
        begin(self, folder, part)

    with mock.patch.object(SharedFileReader, "__init__", damaged):
        yield


@contextlib.contextmanager
def damaged_section(number: int, method: str = "read"):
    """Change the ``number``-th section of workers' files that is read, before it is read."""
    read, left = getattr(sections.Sections, method), number

    def damaged(self, folder, n, *out):
        nonlocal left
        left -= 1
        if left == 0:
            row = self.rows[n]
            _flip(folder / self.names[row[sections.FILE]], row[sections.OFFSET])
        return read(self, folder, n, *out)

    with mock.patch.object(sections.Sections, method, damaged):
        yield


def _flip(path: Path, place: int | None = None) -> None:
    held = bytearray(path.read_bytes())
    held[len(held) // 2 if place is None else place] ^= 1
    path.write_bytes(held)


def killing(moments: set[int]):
    """Kill workers with -9 just after they were sent these units."""

    def last(processes, worker, number, _):
        if number in moments:
            time.sleep(random.choice((0, 0.001, 0.01)))
            os.kill(processes[worker].pid, signal.SIGKILL)

    return at_units(after=last)


def solve_by_killed_drivers(
    path: Path,
    rng: random.Random,
    method: str,
    first: int,
    moments: range,
    *,
    often: bool,
    game: Sequence[str | int] = ("ConnectFour", 4, 4),
) -> int:
    """Solve a game by drivers that are killed with -9, until the table is there.

    Args:
        path: the table.
        rng: says when, and whether a worker is killed with it.
        method: the method.
        first: the first driver has this many workers; each next one has another number, up to 3.
        moments: how many units a driver may hand out.
        often: whether the second driver is killed too, and those after it.
        game: its class in the zoo, and what this is given.

    Returns:
        How many drivers there were.
    """
    for attempt in range(100):
        word = f"local[{1 + (first + attempt) % 3}]"
        moment = rng.choice(moments) if often or not attempt else 1 << 30
        how = [path, word, str(moment), rng.choice(("alone", "both")), method, json.dumps(game)]
        driver = subprocess.run(
            [sys.executable, "-c", DRIVER, *how], check=False, capture_output=True, text=True
        )
        for number in map(int, driver.stdout.split()):
            with contextlib.suppress(psutil.NoSuchProcess):
                psutil.Process(number).wait(60)
        if path.exists():
            return attempt + 1
        assert driver.returncode == -signal.SIGKILL, driver.stderr
    raise AssertionError(path)
