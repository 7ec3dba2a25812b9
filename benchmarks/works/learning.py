"""Agents measured against a solution, and positions with their labels: at once, and one by one."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.works.common import Answer, Prepared, game_of


class Middle:
    """An agent that drops a man as near to the middle as there is room."""

    def __init__(self, width: int, height: int) -> None:
        """Learn the board."""
        self.height = height
        self.columns = sorted(range(width), key=lambda c: (abs(2 * c - width + 1), c))
        self.tops = np.array([(c + 1) * (height + 1) - 2 for c in self.columns])

    def __call__(self, board: Any) -> int:
        """Return its move in a position."""
        taken = board.mine | board.theirs
        for column, top in zip(self.columns, self.tops.tolist(), strict=True):
            if not taken >> top & 1:
                return column
        raise AssertionError

    def batch(self, boards: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return its moves in many."""
        taken = boards[:, 0] | boards[:, 1]
        free = ~taken[:, np.newaxis] >> self.tops & 1
        return np.array(self.columns)[np.argmax(free, axis=1)]


def evaluate(size: list[int], smaller: list[int]) -> Prepared:
    """Measure an agent in all positions of Connect Four, and in its games."""
    import zermelo

    solution = zermelo.solve(game_of("connect-four", size))
    agent: Any = Middle(*size)
    zermelo.evaluate(agent, solution, exact_up_to=10, samples=10)  # compiles

    def tell(found: Any) -> Answer:
        asked = sum(each.asked for each in found.measured)
        solution = zermelo.solve(game_of("connect-four", smaller))
        every = zermelo.evaluate(Middle(*smaller), solution).everywhere  # type: ignore[arg-type]
        best = round(every.rates.perfect.value * every.asked)
        return {"asked": every.asked, "best": best, "extra": {"in all": asked}}

    return lambda: zermelo.evaluate(agent, solution), tell


def evaluate_plain(size: list[int]) -> Prepared:
    """Ask it in all positions one after the other, and look its moves up in their options."""
    import zermelo

    solution = zermelo.solve(game_of("connect-four", size))
    agent = Middle(*size)

    def run() -> tuple[int, int]:
        asked = best = 0
        for position in solution:
            options = solution.options(position)
            if options:
                asked += 1
                move = agent(position)
                worth = {option.move: option.value for option in options}
                best += worth[move] == options[0].value
        return asked, best

    return run, lambda found: {"asked": found[0], "best": found[1]}


def dataset(size: list[int], some: int) -> Prepared:
    """Stream all positions of Connect Four with their labels."""
    import zermelo

    solution = zermelo.solve(game_of("connect-four", size))
    next(solution.dataset().batches())  # compiles

    def run() -> tuple[int, list[int]]:
        rows, sums = 0, np.zeros(3, np.int64)
        for batch in solution.dataset().batches():
            if rows < some:
                first = slice(some - rows)
                sums += [int(batch[name][first].sum()) for name in ("outcome", "legal", "best")]
            rows += len(batch["outcome"])
        return rows, sums.tolist()

    return run, lambda found: {"rows": found[0], "sums": found[1]}


def dataset_plain(size: list[int], some: int) -> Prepared:
    """Probe some positions and their moves, one after the other."""
    import zermelo

    solution = zermelo.solve(game_of("connect-four", size))
    moves = list(range(size[0]))

    def run() -> list[int]:
        sums = [0, 0, 0]
        for position in islice(solution, some):
            value = solution[position]
            options = solution.options(position)
            legal = {option.move for option in options}
            best = {option.move for option in options if option.value == options[0].value}
            sums[0] += int(value.outcome)
            sums[1] += sum(move in legal for move in moves)
            sums[2] += sum(move in best for move in moves)
        return sums

    return run, lambda found: {"sums": found}
