"""Connect Four: solving it several ways, checking and probing what was found."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.works.common import Answer, Prepared, load, told


def solve(
    width: int, height: int, method: str = "retrograde", threads: int | None = None
) -> Prepared:
    """Solve Connect Four from its ordinary rules."""
    import zermelo
    from zermelo.games import ConnectFour, TicTacToe

    game = ConnectFour(width=width, height=height)
    small = TicTacToe() if method == "retrograde" else ConnectFour(4, 3)
    zermelo.solve(small, method=method)
    load(game, method)
    return lambda: zermelo.solve(game, method=method, threads=threads), told


def bit_sliced(width: int, height: int, *, remoteness: bool, threads: int) -> Prepared:
    """Solve it as cells and lines, and count the outcomes."""
    import zermelo
    from zermelo.games import ConnectFour

    game = ConnectFour(width=width, height=height)
    value = None if remoteness else "outcome"

    def run() -> Any:
        solution = zermelo.solve(game, value=value, threads=threads)
        return solution, solution.counts()

    def tell(found: Any) -> Answer:
        solution, counts = found
        outcome = int(solution.value.outcome)
        outcomes = {"win": counts.win, "draw": counts.draw, "loss": counts.loss}
        return {"positions": len(solution), **outcomes, "start": outcome}

    zermelo.solve(ConnectFour(3, 3, 3), value=value, threads=threads).counts()
    return run, tell


def by_hand(width: int, height: int) -> Prepared:
    """Solve it with a bitboard and a dictionary."""
    from benchmarks.baselines import connect_four as hand

    def tell(table: dict[int, int]) -> Answer:
        return {"positions": len(table), "tally": hand.tally(table, width, height)}

    return lambda: hand.solve(width, height), tell


def by_oracle(width: int, height: int) -> Prepared:
    """Solve the very same class with the plain-Python oracle of the tests."""
    from zermelo.games import ConnectFour

    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
    from support.oracles import oracle  # type: ignore[import-not-found]  # found by the path just given

    def tell(table: dict[Any, tuple[int, int]]) -> Answer:
        counts = Counter(f"{outcome}:{plies}" for outcome, plies in table.values())
        return {"positions": len(table), "tally": dict(counts)}

    return lambda: oracle.solve(ConnectFour(width=width, height=height)), tell


def probe(width: int, height: int, count: int, *, rival: bool, many: bool) -> Prepared:
    """Look up ``count`` positions, with a solution or in a dictionary."""
    import numpy as np

    import zermelo
    from zermelo.games import ConnectFour

    solution = zermelo.solve(ConnectFour(width=width, height=height), method="retrograde")
    # Going through all positions would take many times as long as what is measured.
    places = np.array(sorted(Random(1).sample(range(len(solution)), min(count, len(solution)))))
    layout = solution._solved.compiled.rules.layout  # noqa: SLF001
    rows = layout.unpack_many(solution._solved.table.packed(places))  # noqa: SLF001
    rows = np.random.default_rng(1).permutation(rows)
    solution.probe_many(rows[:1])
    if many and not rival:
        return lambda: solution.probe_many(rows), _probes_told
    wanted = [layout.build(row) for row in rows.tolist()]
    if rival:
        table = {position: solution[position] for position in wanted}
        return lambda: [table[position] for position in wanted], _values_told
    return lambda: [solution[position] for position in wanted], _values_told


def _values_told(values: list[Any]) -> Answer:
    counts = Counter(int(value.outcome) for value in values)
    return {
        "outcomes": {str(outcome): counts[outcome] for outcome in (-1, 0, 1)},
        "plies": sum(value.remoteness for value in values),
    }


def _probes_told(probes: Any) -> Answer:
    outcomes = {str(outcome): int((probes.outcome == outcome).sum()) for outcome in (-1, 0, 1)}
    return {"outcomes": outcomes, "plies": int(probes.remoteness.sum())}
