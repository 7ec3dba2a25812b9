"""Asking solutions about positions taken at random: in memory, and in a file."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

from benchmarks.works.common import Prepared, game_of

#: How often each question is put; the quickest counts.
_ROUNDS = 3


def ask(game: str, size: list[int], method: str, few: int, many: int) -> Prepared:
    """Ask about positions one by one, and about more of them at once, wherever they may be.

    What each takes is told beside the answer, in CPU seconds: by "few" or "many", and by "memory",
    "first", which is a file that was not asked anything before, or "file", one asked just that.

    Args:
        game: the game.
        size: its size.
        method: how it is solved.
        few: how many positions are asked about one by one.
        many: how many at once.
    """
    import numpy as np

    import zermelo

    solution = zermelo.solve(game_of(game, size), method=method)
    layout, table = solution._solved.compiled.rules.layout, solution._solved.table  # noqa: SLF001
    every = np.concatenate(list(table.pages()))

    def rows_of(count: int) -> Any:
        places = np.sort(np.random.default_rng(1).choice(every, count))
        return layout.unpack_many(table.packed(places))

    shuffled = np.random.default_rng(1).permutation(rows_of(few))
    wanted = [layout.build(row) for row in shuffled.tolist()]
    rows = rows_of(many)
    folder = tempfile.TemporaryDirectory()
    path = solution.save(Path(folder.name) / "x.table")
    for kind in (solution, zermelo.open(path)):  # has all compiled that is needed
        _one_by_one(kind, wanted[:1])
        kind.probe_many(rows[:100])

    def run() -> dict[str, Any]:
        timed = _Timed()
        for _ in range(_ROUNDS):
            for kind, question in (
                ("few", lambda asked: _one_by_one(asked, wanted)),
                ("many", lambda asked: asked.probe_many(rows)),
            ):
                opened = zermelo.open(path)
                for where, asked in (("memory", solution), ("first", opened), ("file", opened)):
                    timed.ask(kind, where, partial(question, asked))
        return {**timed.answers, "extra": timed.least}

    def tell(found: dict[str, Any]) -> dict[str, Any]:
        folder.cleanup()
        return found

    return run, tell


class _Timed:
    """What was answered, and how quickly at best."""

    def __init__(self) -> None:
        self.answers: dict[str, int] = {}
        self.least: dict[str, float] = {}

    def ask(self, kind: str, where: str, question: Callable[[], Any]) -> None:
        """Put a question; the answers must be the same wherever the positions are."""
        before = time.process_time()
        found = question()
        took = time.process_time() - before
        name = f"{kind} {where}"
        self.least[name] = min(took, self.least.get(name, took))
        told = crc32(", ".join(map(str, found)).encode()) if kind == "few" else _told(found)
        if self.answers.setdefault(kind, told) != told:
            message = f"{name}: the answers are not what they are elsewhere"
            raise ValueError(message)


def _one_by_one(solution: Any, wanted: list[Any]) -> list[Any]:
    return [solution[position] for position in wanted]


def _told(probes: Any) -> int:
    """Return a number that stands for many answers."""
    said = b"".join(
        each.tobytes()
        for each in (probes.outcome, probes.remoteness, probes.score)
        if each is not None
    )
    return crc32(said)
