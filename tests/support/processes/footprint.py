"""What a solve really takes: measured in a process of its own, as a program.

``python footprint.py CASE SIZE THREADS MEMORY...`` solves a case within each amount of memory,
once to have all kernels loaded and once to be measured, and prints a JSON list with, for each
amount: the most bytes resident beyond what the process held before, a digest of the table, the
choice, and the solve's own reckoning; or what the refusal said. A process that had to compile is
begun anew: compiling leaves free memory in small pieces, and a solve then touches some of each.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import zermelo
import zermelo.graph
from zermelo import Game, put
from zermelo._engine.core.compiling.dispatchers import cache_directory
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.survey import chances as working_out
from zermelo.games import CatAndMouse, ConnectFour, StoneGame

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")


class Tokens(NamedTuple):
    """Three tokens on a ring, and whose turn it is."""

    runner: int
    left: int
    right: int
    player: int


@dataclass(frozen=True)
class Ring(Game):
    """A runner on a ring is caught where both others meet it; moves lead in cycles."""

    size: int = 40

    def start(self):
        return Tokens(0, self.size // 3, self.size // 2, 0)

    def space(self):
        place = range(self.size)
        return Tokens(place, place, place, range(2))

    def turn(self, tokens):
        return tokens.player

    def winner(self, tokens):
        if tokens.runner == tokens.left == tokens.right:
            return 1
        if tokens.runner == self.size - 1 != tokens.left:
            return 0

    def moves(self, tokens):
        yield 1
        yield self.size - 1
        if tokens.player == 1:
            yield self.size + 1
            yield 2 * self.size - 1

    def play(self, tokens, step):
        if tokens.player == 0:
            return Tokens((tokens.runner + step) % self.size, tokens.left, tokens.right, 1)
        if step < self.size:
            return Tokens(tokens.runner, (tokens.left + step) % self.size, tokens.right, 0)
        return Tokens(tokens.runner, tokens.left, (tokens.right + step) % self.size, 0)


class Heaps(NamedTuple):
    """Three heaps."""

    a: int
    b: int
    c: int


@dataclass(frozen=True)
class Shrinking(Game):
    """Heaps shrink for points; some moves take two, so that not all lead to later numbers."""

    size: int = 20

    def start(self):
        return Heaps(self.size, self.size, self.size)

    def moves(self, heaps):
        if heaps.a > 1:
            yield 2
        if heaps.a > 0:
            yield 1
        if heaps.b > 1:
            yield 4
        if heaps.b > 0:
            yield 3
        if heaps.c > 0:
            yield 5

    def play(self, heaps, move):
        if move <= 2:
            return Heaps(heaps.a - move, heaps.b, heaps.c)
        if move <= 4:
            return Heaps(heaps.a, heaps.b - move + 2, heaps.c)
        return Heaps(heaps.a, heaps.b, heaps.c - 1)

    def gain(self, heaps, move):
        return (7 * heaps.a + 3 * heaps.b + 5 * heaps.c + move) % 13


class Untaken(Shrinking):
    """The same heaps without points, whose nimbers are asked for."""

    gain = None


class Levelled(Shrinking):
    """The same heaps for the last counter, with what is gone from them as the level."""

    gain = None

    def level(self, heaps):
        return 3 * self.size - heaps.a - heaps.b - heaps.c


class Rows(NamedTuple):
    """Six heaps."""

    heaps: tuple[int, int, int, int, int, int]


@dataclass(frozen=True)
class Numbered(Game):
    """Six heaps from which one or two are taken: a number for each position, and levels."""

    size: int = 5

    def start(self):
        return Rows((self.size,) * 6)

    def space(self):
        return Rows((range(self.size + 1),) * 6)

    def level(self, rows):
        return 6 * self.size - sum(rows.heaps)

    def moves(self, rows):
        for heap in range(6):
            for count in range(1, min(rows.heaps[heap], 2) + 1):
                yield 2 * heap + count - 1

    def play(self, rows, move):
        heap = move // 2
        return Rows(put(rows.heaps, heap, rows.heaps[heap] - move % 2 - 1))


def solved_by(game: Any, method: str) -> Any:
    """Return the solve of a game as a function of memory and threads."""
    return lambda **options: zermelo.solve(game, method=method, **options)


def kept_by(game: Any, method: str) -> Any:
    """Return the same with the solution kept in a file, from which it answers then."""

    def run(**options: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            return zermelo.solve(game, method=method, table=Path(folder) / "x.table", **options)

    return run


def asked(game: Any, method: str, ask: Any, *, opened: bool = True) -> Any:
    """Return what asks a solution, opened from a file or held in memory, as such a function.

    Args:
        game: the game.
        method: how it is solved, the first time, when nobody looks.
        ask: is given the solution, a folder for files, and the memory; returns what makes a digest.
        opened: whether it is opened from a file each time.
    """
    folder = tempfile.TemporaryDirectory()
    path, cached = Path(folder.name) / "x.table", {}

    def run(*, threads: int, memory: str | None) -> Any:
        if not cached:
            cached["solution"] = zermelo.solve(game, method=method)
            if opened:
                cached["solution"].save(path)
                cached["solution"] = None
        solution = zermelo.open(path, game) if opened else cached["solution"]
        solution.threads = threads
        solution.told = ask(solution, Path(folder.name), memory)
        return solution

    return run


def verified(solution: Any, _: Path, memory: str | None) -> Any:
    """Verify a solution."""
    check = solution.verify(memory=memory)
    return lambda: repr(check.moves * check.ok)


def saved(solution: Any, folder: Path, memory: str | None) -> Any:
    """Save a solution."""
    path = solution.save(folder / "saved.table", memory=memory, overwrite=True)
    return lambda: rows_of(path)


def analysed(solution: Any, _: Path, memory: str | None) -> Any:
    """Analyse a solution, exactly or by samples, whatever the memory is enough for."""
    with cut_short():
        analysis = solution.analyse(memory=memory, samples=2_000)
    return lambda: repr(analysis.counts)


def exported(form: str) -> Any:
    """Return what exports a solution in a format."""

    def ask(solution: Any, folder: Path, memory: str | None) -> Any:
        path = solution.export(folder / f"x.{form}", memory=memory, overwrite=True)
        return lambda: rows_of(path)

    return ask


#: What may be asked of a solution, by the word before the amount of memory.
ASKS = {"verify": verified, "save": saved, "export": exported("npz"), "analyse": analysed}


def afterwards(solve: Any, game: Any = None) -> Any:
    """Return what asks a solution in one of several ways, as such a function.

    The memory begins with which way, as in ``verify:5MB``. A solution is opened from a file but
    for ``save``, as what is saved was in memory.

    Args:
        solve: solves, the first time, when nobody looks.
        game: what is solved, where a file is not enough to open it.
    """
    folder = tempfile.TemporaryDirectory()
    path, cached = Path(folder.name) / "x.table", {}

    def run(*, threads: int, memory: str) -> Any:
        if not cached:
            cached["solution"] = solve()
            cached["solution"].save(path)
        ask, _, amount = memory.partition(":")
        solution = cached["solution"] if ask == "save" else zermelo.open(path, game)
        solution.threads = threads
        with noted() as ledgers:
            solution.told = ASKS[ask](
                solution, Path(folder.name), None if amount == "all" else amount
            )
        solution.peak_bytes = max(ledger.peak for ledger in ledgers)
        return solution

    return run


def after(game: Any, **options: Any) -> Any:
    """Return the same for a game that is solved in some way."""
    return afterwards(partial(zermelo.solve, game, **options), game)


@contextlib.contextmanager
def noted() -> Iterator[list[Ledger]]:
    """Yield the ledgers that are opened meanwhile, which say what was estimated."""
    ledgers, open_ledger = [], Ledger.for_budget.__func__

    def of(cls: type[Ledger], memory: int | None) -> Ledger:
        ledgers.append(open_ledger(cls, memory))
        return ledgers[-1]

    with mock.patch.object(Ledger, "for_budget", classmethod(of)):
        yield ledgers


@contextlib.contextmanager
def cut_short() -> Iterator[None]:
    """Limit the passes over chances in cycles, as further passes take no more memory."""
    with mock.patch.object(working_out, "_MOST_PASSES", 10):
        yield


def arrays(size: int) -> Any:
    """Return a random explicit graph of so many thousand vertices: its rows, and their ends."""
    rng = np.random.default_rng(size)
    indptr = np.concatenate([[0], np.cumsum(rng.poisson(4.7, 1000 * size))]).astype(np.int32)
    return indptr, rng.integers(0, 1000 * size, indptr[-1]).astype(np.int32)


def graph(size: int) -> Any:
    """Return the solve of a random explicit graph of so many thousand vertices."""
    indptr, indices = arrays(size)
    return lambda **options: zermelo.graph.solve(indptr, indices, **options)


def chase(size: int) -> Any:
    """Return the solve of a pursuit on a random graph of so many nodes."""
    rng = np.random.default_rng(size)
    arrays = (np.arange(0, 10 * size + 1, 10), rng.integers(0, size, 10 * size).astype(np.int32))
    return lambda **options: zermelo.pursuit(arrays, may_stay=True, **options)


def cat(size: int) -> CatAndMouse:
    """Return Cat and Mouse on a random graph of so many nodes."""
    rows = np.random.default_rng(size).integers(0, size, (size, 10))
    return CatAndMouse(rows.tolist(), directed=True)


CASES = {
    "retrograde": lambda size: solved_by(Ring(size), "retrograde"),
    "horizon": lambda size: solved_by(Ring(size), "horizon"),
    "sweep": lambda size: solved_by(ConnectFour(size, 4), "retrograde"),
    "whole levels": lambda size: solved_by(Levelled(size), "retrograde"),
    "levels": lambda size: solved_by(ConnectFour(size, 4), "levels"),
    "kept levels": lambda size: kept_by(ConnectFour(size, 4), "levels"),
    "kept graph": lambda size: kept_by(Ring(size), "retrograde"),
    "kept scores": lambda size: kept_by(Shrinking(size), "score"),
    "kept placement": lambda size: kept_by(ConnectFour(size, 5), "placement"),
    "kept pursuit": lambda size: kept_by(cat(size), "pursuit"),
    "verified levels": lambda size: asked(ConnectFour(size, 4), "levels", verified),
    "verified dense": lambda size: asked(Numbered(size), "dense", verified),
    "verified placement": lambda size: asked(ConnectFour(size, 4), "placement", verified),
    "verified pursuit": lambda size: asked(cat(size), "pursuit", verified),
    "saved levels": lambda size: asked(ConnectFour(size, 4), "levels", saved, opened=False),
    "saved graph": lambda size: asked(Ring(size), "retrograde", saved, opened=False),
    "saved scores": lambda size: asked(Shrinking(size), "score", saved, opened=False),
    "copied table": lambda size: asked(ConnectFour(size, 4), "levels", saved),
    "analysed levels": lambda size: asked(ConnectFour(size, 4), "levels", analysed, opened=False),
    "csv": lambda size: asked(ConnectFour(size, 4), "levels", exported("csv")),
    "npz": lambda size: asked(ConnectFour(size, 4), "placement", exported("npz")),
    "parquet": lambda size: asked(ConnectFour(size, 4), "levels", exported("parquet")),
    "parquet of slots": lambda size: asked(Ring(size), "dense", exported("parquet")),
    "csv of scores": lambda size: asked(Shrinking(size), "score", exported("csv")),
    "dense": lambda size: solved_by(Numbered(size), "dense"),
    "dense rounds": lambda size: solved_by(Ring(size), "dense"),
    "placement": lambda size: solved_by(ConnectFour(size, 5), "placement"),
    "scores": lambda size: solved_by(Shrinking(size), "score"),
    "swept scores": lambda size: solved_by(StoneGame(piles=tuple(range(1, size))), "score"),
    "after levels": lambda size: after(ConnectFour(size, 4), method="levels"),
    "after retrograde": lambda size: after(Ring(size), method="retrograde"),
    "after scores": lambda size: after(Shrinking(size), method="score"),
    "after nimbers": lambda size: after(Untaken(size), value="nimber"),
    "after graph": lambda size: afterwards(partial(zermelo.graph.solve, *arrays(size), start=0)),
    "graph": graph,
    "pursuit": chase,
}


def held(field: str) -> int:
    """Return bytes of the process: VmRSS for what is resident, VmHWM for the most that was."""
    lines = STATUS.read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def digest(solution: Any) -> str:
    """Return a digest of a table that does not depend on the order of its positions.

    Of one by placement, which has tens of millions of positions, always at the same places, only
    some pages are read: to list a position takes far longer than to solve it.
    """
    if getattr(solution, "method", "") == "pursuit" and not hasattr(solution.rules, "game"):
        marks = [
            array.tobytes()
            for array in (solution._solved.marks(t) for t in range(solution.arrays.turns))
        ]
        return hashlib.sha256(b"".join(marks)).hexdigest()
    if hasattr(solution, "told"):
        return str(solution.told())
    if solution.method == "explicit":
        pair = solution.arrays.outcome.tobytes() + solution.arrays.remoteness.tobytes()
        return hashlib.sha256(pair).hexdigest()
    table = solution._solved.table
    rows = []
    for places in islice(table.pages(), 0, None, 32 if solution.method == "placement" else 1):
        words = table.packed(places).reshape(len(places), -1)
        rows.append(np.column_stack([words, table.values(places).astype(np.int64).view(np.uint64)]))
    all_rows = np.concatenate(rows)
    sorted_rows = all_rows[np.lexsort(all_rows.T[::-1])]
    return hashlib.sha256(np.ascontiguousarray(sorted_rows).tobytes()).hexdigest()


def rows_of(path: Path) -> str:
    """Return a digest of an exported file; of a Parquet file, of its rows, however grouped."""
    if path.suffix != ".parquet":
        return hashlib.sha256(path.read_bytes()).hexdigest()
    from pyarrow import parquet

    whole = hashlib.sha256()
    for column in parquet.read_table(path).columns:
        whole.update(repr(column.to_pylist()).encode())
    return whole.hexdigest()


def measured(run: Any, threads: int, memory: str | None) -> dict[str, Any]:
    """Solve once and say what it took."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    RESET.write_text("5")
    held_before = held("VmRSS")
    try:
        solution = run(threads=threads, memory=memory)
    except zermelo.BudgetError as error:
        bytes_taken = held("VmHWM") - held_before
        return {"taken": bytes_taken, "refusal": str(error), "needed": error.needed}
    bytes_taken = held("VmHWM") - held_before
    choice = getattr(solution, "choice", "")
    estimate = solution.peak_bytes
    return {
        "taken": bytes_taken,
        "digest": digest(solution),
        "choice": choice,
        "reckoned": estimate,
    }


def compiled() -> int:
    """Return how many files of compiled kernels there are."""
    return sum(len(files) for *_, files in os.walk(cache_directory() or ""))


def main() -> None:
    """Do what the command line says."""
    case, size, threads, *amounts = sys.argv[1:]
    run = CASES[case](int(size))
    memories = [None if amount == "all" else amount for amount in amounts]
    known = compiled()
    for memory in memories:  # once without looking, so that everything is loaded
        with contextlib.suppress(zermelo.BudgetError):
            run(threads=int(threads), memory=memory)
    if compiled() > known:
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606  # this program again
    print(json.dumps([measured(run, int(threads), memory) for memory in memories]))  # noqa: T201


if __name__ == "__main__":
    main()
