"""Games and methods for tests that kill a solve into a table, and ways to kill it.

Only what writes stages and blocks knows when one of them is half written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import zermelo
import zermelo.graph
from support.games.chance_games import HARD_CASES
from support.games.dense import Ring, fixed_bytes
from support.games.strategies import OPEN, OwnedScoreGame, VertexGame
from support.games.symmetric import MirrorGame
from zermelo import Game, limits
from zermelo._engine.checkpoint.folder import CheckpointFolder
from zermelo.games import CatAndMouse, ConnectFour, StoneGame, TakeAway

WEB = [[(v + 1) % 12, (v - 1) % 12, (v * v) % 12] for v in range(12)]
#: A graph whose chases are short, and whose rows are longer than their trail.
TANGLE = [sorted({(v * k + k * k + 1) % 60 for k in range(1, 6)}) for v in range(60)]


class Heap(NamedTuple):
    """A heap of stones, and whose turn it is."""

    left: int
    whose: int


@dataclass(frozen=True)
class Again(Game):
    """Take up to three stones; who takes two moves again. Who cannot take has lost."""

    stones: int
    least: int = 1

    def start(self):
        return Heap(self.stones, 0)

    def space(self):
        return Heap(range(self.stones + 1), range(2))

    def turn(self, p):
        return p.whose

    def level(self, p):
        return self.stones - p.left

    def moves(self, p):
        for take in range(self.least, 4):
            if take <= p.left:
                yield take

    def play(self, p, take):
        return Heap(p.left - take, p.whose if take == 2 else 1 - p.whose)


class Killed(BaseException):
    """Stands for the end of the process."""


@contextmanager
def eager() -> Iterator[None]:
    """Write every stage, however little time it took."""
    with limits.using(checkpoint_seconds=0.0, checkpoint_share=(1e12, 1e12)):
        yield


@contextmanager
def dying(n: int, when: str) -> Iterator[None]:
    """End at the n-th stage that is written: before, during or after it."""
    write = CheckpointFolder.write
    left = n

    def last(self: CheckpointFolder, name: str, note: Any = (), **arrays: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0 and when == "during":
            (self.directory / f"{name}.part").write_bytes(b"ZERMELO-STAGE 0001 0000")
        if left == 0 and when != "after":
            raise Killed
        write(self, name, note, **arrays)
        if left == 0:
            raise Killed

    with mock.patch.object(CheckpointFolder, "write", last):
        yield


@contextmanager
def dying_at_the_end() -> Iterator[None]:
    """End when the table has its name, and the folder of its stages is not deleted yet."""

    def kill(self: CheckpointFolder) -> None:
        os.close(self._lock)  # as the system does
        self._lock = -1
        raise Killed

    with mock.patch.object(CheckpointFolder, "discard", kill):
        yield


@contextmanager
def stages() -> Iterator[list[str]]:
    """Yield the names of the stages that are written from now on."""
    names: list[str] = []
    write = CheckpointFolder.write

    def noted(self: CheckpointFolder, name: str, note: Any = (), **arrays: Any) -> None:
        names.append(name)
        write(self, name, note, **arrays)

    with mock.patch.object(CheckpointFolder, "write", noted):
        yield names


@dataclass
class Case:
    """A game and a method.

    Attributes:
        name: what to call it.
        game: the game.
        arguments: of ``zermelo.solve``.
        least: stages that are written at least.
        short: the limits that have memory short.
    """

    name: str
    game: Any
    arguments: dict[str, Any] = field(default_factory=dict)
    least: int = 2
    short: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the name, for pytest."""
        return self.name

    def solve(self, path: Path) -> zermelo.Solution:
        """Solve the game into a table, with memory short if it is to be."""
        with limits.using(**self.short):
            return zermelo.solve(self.game, table=path, threads=1, **self.arguments)


#: Moves are not transposed, or not held; levels are in files, of which two are read in parts.
NOT_TRANSPOSED, NOT_HELD = {"transposed": 0}, {"in_memory": False}
ON_DISK = {"in_memory": False, "windows": 2}

CAT, FAR = CatAndMouse(WEB, directed=True), CatAndMouse(TANGLE, directed=True)
STONES = StoneGame(piles=(3, 1, 2, 5, 3))
RING, WIDE = Ring(9, 2), Ring(13, 3)
#: Points from 0 to 1 and from 3 to the end, and cycles before and after.
ROUND = OwnedScoreGame(
    ((0, 1), (2,), (1, 3), (2, 4, 1), ()),
    ((0, 2), (0,), (0, 0), (0, -3, 0), ()),
    (0, 0, 0, 0, 4),
    (0, 1, 0, 1, 0),
    (0,),
)
#: A token that may go in cycles, where nimbers are infinities besides.
TOKEN = VertexGame(((1, 2), (0, 3), (3, 4), (5,), (5, 3), (), (6, 5, 4)), (OPEN,) * 7, roots=(0, 6))
#: A player may move twice, so that a symmetry that exchanges the players is not used.
MIRROR = MirrorGame(
    rows=((1, 2, 4), (0, 3, 5), (3, 0, 6), (2, 1, 4), (), (), ()),
    keeps=((1, 0, 0), (0, 1, 0), (0, 1, 0), (1, 0, 0), (), (), ()),
    winners=(OPEN, OPEN, OPEN, OPEN, -1, 0, 1),
    mirror=(3, 2, 1, 0, 4, 6, 5),
    roots=(0,),
)
#: A coin decides who may leave a cycle.
COIN = HARD_CASES["coin decides who may leave a cycle"].game
AGAIN, BOARD = Again(5), ConnectFour(2, 2, 2)

#: Cases by what they are called.
CASES = [
    Case("sweep", ConnectFour(3, 3), {"method": "retrograde"}),
    Case("retrograde", CAT, {"method": "retrograde"}, 4),
    Case("rounds", CAT, {"method": "retrograde", "memory": "64MB"}, 5, NOT_TRANSPOSED),
    Case("rerun", CAT, {"method": "retrograde", "memory": "64MB"}, 5, NOT_HELD),
    Case("horizon", CAT, {"method": "horizon"}, 5),
    Case("horizon rerun", CAT, {"method": "horizon", "memory": "64MB"}, 5, NOT_HELD),
    Case("score", STONES, {"method": "score"}),
    Case("score rerun", STONES, {"method": "score", "memory": "64MB"}, 2, NOT_HELD),
    Case("score in cycles", ROUND, {"method": "score"}, 3),
    Case("score and plies", ROUND, {"method": "score", "value": "score-and-plies"}),
    Case("levels", TakeAway(8), {"method": "levels"}, 12),
    Case("levels of turns", Again(9), {"method": "levels"}, 12),
    Case("pursuit", CAT, {"method": "pursuit"}, 5),
    Case("pursuit on disk", FAR, {"method": "pursuit", "memory": 81_000}, 8),
    Case("placement", BOARD, {"method": "placement"}, 9),
    Case("placement on disk", BOARD, {"method": "placement", "memory": 3800}, 9),
    # What can be reached is found in memory, which then does not hold the values besides.
    Case("placement half on disk", BOARD, {"method": "placement", "memory": 5900}, 9),
    Case("levels on disk", Again(7, 2), {"method": "levels", "memory": "64MB"}, 9, ON_DISK),
    Case("dense", RING, {"method": "dense"}, 3),
    Case("dense rounds", RING, {"method": "dense", "memory": fixed_bytes(RING) + 4000}, 3),
    Case("dense tiers", AGAIN, {"method": "dense", "memory": fixed_bytes(AGAIN) + 180}, 9),
    Case("symmetries dropped", MIRROR, {"method": "retrograde"}, 3),
    Case("nimber", TakeAway(60), {"value": "nimber"}, 2),
    Case("nimber in cycles", TOKEN, {"value": "nimber"}, 2),
    Case("chance", COIN, {"method": "chance"}),
    Case("packed moves", CAT, {"method": "retrograde"}, 4, {"at_once": 1}),
]

#: Larger ones, all but the first within less memory than they take if they have it.
LARGER = [
    Case("placement of 4x4", ConnectFour(4, 4), {"method": "placement"}),
    Case("placement of 4x4 on disk", ConnectFour(4, 4), {"method": "placement", "memory": "150kB"}),
    Case("levels of 4x4 on disk", ConnectFour(4, 4), {"method": "levels", "memory": "2MB"}),
    Case("dense within little", WIDE, {"method": "dense", "memory": fixed_bytes(WIDE) + 200_000}),
    Case("levels of 5x4 on disk", ConnectFour(5, 4), {"method": "levels", "memory": "8MB"}),
]


class GraphCase(Case):
    """A graph that is solved and then saved, as its solve takes no table."""

    def solve(self, path: Path) -> zermelo.Solution:
        """Solve the graph and save it."""
        solution = zermelo.graph.solve(*self.game, threads=1)
        solution.save(path)
        return solution


#: Rows of 2,000 vertices, as explicit graphs are given.
ROWS = np.arange(0, 6001, 3), np.random.default_rng(1).integers(0, 2000, 6000)
#: All that may be killed in a process of its own.
ALL = [*CASES, *LARGER, GraphCase("explicit", ROWS)]

#: A program that solves cases into tables, keeping every stage, in processes that it forks when all
#: is loaded. It reads the name of a case, the path of the table, and a number, between tabs. It
#: kills the process after so many seconds, by the signals that follow, or waits for it where the
#: number is below 0. Behind an @, it is how often blocks are added to the table, a few at a time,
#: until the process kills itself. It says whether the process had ended, and when.
SOLVER = """
import os, signal, sys, time
from pathlib import Path
from support.processes.kills import ALL, eager
from zermelo._engine.file.writer import Writer
from zermelo._engine.column import palette_writer as written
from zermelo._methods.placement.file import writer as writing
from zermelo._store import listed_writer as listing

written._VALUES_PER_BATCH, listing._POSITIONS_PER_PART = 1, 1024
writing._GROUPS_PER_BATCH, writing._VALUES_PER_BATCH = 1, 8192

def killed_after(left):
    add = Writer._add
    def last(self, several):
        nonlocal left
        add(self, several)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    Writer._add = last

signal.signal(signal.SIGINT, signal.default_int_handler)
cases, warm = {case.name: case for case in ALL}, set()
with eager():
    for line in sys.stdin:
        name, path, order = line.split("\t")
        case, path = cases[name], Path(path)
        if name not in warm:
            case.solve(path.with_name("warm.table"))
            warm.add(name)
        began, adds = time.monotonic(), order.startswith("@")
        pause, *names = [-1] if adds else order.split()
        pause = float(pause)
        child = os.fork()
        if child == 0:
            os.close(2)
            if adds:
                killed_after(int(order[1:]))
            case.solve(path)
            os._exit(0)
        if pause >= 0:
            time.sleep(pause)
            for name in names or ["KILL"]:
                os.kill(child, getattr(signal, f"SIG{name}"))
                time.sleep(0.01)
        _, status = os.waitpid(child, 0)
        print(int(status == 0), time.monotonic() - began, flush=True)
"""
