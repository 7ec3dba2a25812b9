"""Workers in the process of the test: quick to start, and lost whenever the test says so."""

from __future__ import annotations

import random
from collections import deque

import zermelo
from zermelo._cluster.transport import LOST, Transport
from zermelo._cluster.worker import Server


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


def bytes_of(game, path, **how):
    """Return the bytes of a table that one thread makes; nothing of the solve is left beside it."""
    how = {"threads": 1, "memory": "200MB", **how}
    zermelo.solve(game, table=path, overwrite=True, **how)
    assert not path.with_name(f"{path.name}.unfinished").exists()
    return path.read_bytes()
