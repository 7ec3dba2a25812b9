"""Workers in the process of the test: quick to start, and lost whenever the test says so.

No public call has workers that are no processes, or another patience.
"""

from __future__ import annotations

import random
from collections import deque
from contextlib import contextmanager
from unittest import mock

import zermelo
from zermelo._cluster import connect, pool
from zermelo._cluster.transport import LOST, Transport
from zermelo._cluster.worker import Server
from zermelo._methods.cluster_rounds import driver as rounds
from zermelo._methods.dense.cluster import driver as spaces
from zermelo._methods.retrograde.cluster import driver as retrograde


class Pretended(Transport):
    """Workers in this process, any of which may be lost at any unit, before or after it is done.

    ``draw`` is called with each unit, and says whether the worker is lost: True, or "after".
    """

    engine_name = "pretended"

    def __init__(self, size, draw=None, *, replaces=True):
        self.size, self.draw, self.replaces = size, draw, replaces
        self.servers = [Server() for _ in range(size)]
        self.waiting = deque()
        self.names = []
        self.ended = set()

    def send(self, worker, message):
        if worker in self.ended:
            return
        if message[0] == "unit":
            self.names.append(message[3])
            lost = self.draw(message[2]) if self.draw else False
            if lost == "after":  # what it was to do is done, and nobody is told
                self.servers[worker].answer(message)
            if lost:
                self.ended.add(worker)
                self.waiting = deque(each for each in self.waiting if each[0] != worker)
                self.waiting.append((worker, LOST))
                return
        self.waiting.append((worker, self.servers[worker].answer(message)))

    def receive(self, seconds):
        if self.waiting:
            self.waiting.rotate(random.randrange(len(self.waiting)))
        return self.waiting.popleft() if self.waiting else None

    def replace(self, worker):
        if self.replaces:
            self.servers[worker] = Server()
            self.ended.discard(worker)
        return self.replaces

    def close(self):
        self.waiting.clear()


@contextmanager
def pretended(size, draw=None):
    """Run workers in this process, without pauses, whatever cluster is named."""
    with (
        mock.patch.object(connect, "_transport", side_effect=lambda _: Pretended(size, draw)),
        mock.patch.object(pool, "_PAUSE", 0.0),
    ):
        yield


def patience(seconds):
    """Give a unit to another worker when it takes longer than ``seconds``."""
    return mock.patch.object(pool, "_SLOW", seconds)


def small_rounds(few):
    """Make the driver finish after ``few`` small rounds."""
    return mock.patch.object(rounds, "_LEAST_ROUNDS", few)


def uneven_ranges(ratio):
    """Share ranges of slots if none has ``ratio`` times the mean number of positions."""
    return mock.patch.object(spaces, "_UNEVEN", ratio)


def interrupted_at_the_table():
    """Raise KeyboardInterrupt when all values are known, before the table is written."""
    return mock.patch.object(retrograde._GraphSteps, "result", side_effect=KeyboardInterrupt)


def bytes_of(game, path, **how):
    """Return the bytes of a table that one thread makes; nothing of the solve is left beside it."""
    how = {"threads": 1, "memory": "200MB", **how}
    zermelo.solve(game, table=path, overwrite=True, **how)
    assert not path.with_name(f"{path.name}.unfinished").exists()
    return path.read_bytes()
