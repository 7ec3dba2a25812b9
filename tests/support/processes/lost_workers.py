"""Ways to kill the processes of a solve on ``local`` workers, whatever the method."""

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

from zermelo._cluster.local import LocalTransport

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


def killing(moments: set[int]):
    """Kill workers with -9 just after they were sent these units."""
    send, sent = LocalTransport.send, [0]

    def last(self, worker, message):
        send(self, worker, message)
        if message[0] == "unit":
            sent[0] += 1
            if sent[0] in moments:
                time.sleep(random.choice((0, 0.001, 0.01)))
                os.kill(self.processes[worker].pid, signal.SIGKILL)

    return mock.patch.object(LocalTransport, "send", last)


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
                psutil.Process(number).wait(30)
        if path.exists():
            return attempt + 1
        assert driver.returncode == -signal.SIGKILL, driver.stderr
    raise AssertionError(path)
