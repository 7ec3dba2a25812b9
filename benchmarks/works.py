"""The measured works: each prepares, is timed, and tells what it found.

``benchmarks.measure`` runs ``python -m benchmarks.works NAME ORDERS`` for each measurement.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import inputs

Answer = dict[str, Any]
#: What is measured, and what makes an answer of its result afterwards.
Prepared = tuple[Callable[[], Any], Callable[[Any], Answer]]


# -- Connect Four ---------------------------------------------------------------------------------


def connect_four(width: int, height: int, threads: int | None = None) -> Prepared:
    """Solve Connect Four from its ordinary rules."""
    import zermelo
    from zermelo.games import ConnectFour, TicTacToe

    game = ConnectFour(width=width, height=height)
    zermelo.solve(TicTacToe())
    _load(game)
    return lambda: zermelo.solve(game, method="retrograde", threads=threads), _told


def connect_four_by_hand(width: int, height: int) -> Prepared:
    """Solve it with a bitboard and a dictionary."""
    from benchmarks.baselines.connect_four import solve, tally

    def tell(table: dict[int, int]) -> Answer:
        return {"positions": len(table), "tally": tally(table, width, height)}

    return lambda: solve(width, height), tell


def connect_four_by_oracle(width: int, height: int) -> Prepared:
    """Solve the very same class with the plain-Python oracle of the tests."""
    from zermelo.games import ConnectFour

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    import oracle  # type: ignore[import-not-found]  # found by the path just given

    def tell(table: dict[Any, tuple[int, int]]) -> Answer:
        counts = Counter(f"{outcome}:{plies}" for outcome, plies in table.values())
        return {"positions": len(table), "tally": dict(counts)}

    return lambda: oracle.solve(ConnectFour(width=width, height=height)), tell


def verify(width: int, height: int) -> Prepared:
    """Check the certificate of Connect Four."""
    import zermelo
    from zermelo.games import ConnectFour, TicTacToe

    zermelo.solve(TicTacToe()).verify()
    solution = zermelo.solve(ConnectFour(width=width, height=height), method="retrograde")

    def tell(verification: Any) -> Answer:
        return {"ok": verification.ok, "positions": verification.positions}

    return solution.verify, tell


def probe(width: int, height: int, count: int, *, rival: bool, many: bool) -> Prepared:
    """Look up ``count`` positions, with a solution or in a dictionary."""
    import numpy as np

    import zermelo
    from zermelo.games import ConnectFour

    solution = zermelo.solve(ConnectFour(width=width, height=height), method="retrograde")
    wanted = list(islice(solution, 0, None, max(1, len(solution) // count)))[:count]
    Random(1).shuffle(wanted)
    asked = np.array(wanted)
    solution.probe_many(asked[:1])
    if rival:
        table = {position: solution[position] for position in wanted}
        return lambda: [table[position] for position in wanted], _values_told
    if many:
        return lambda: solution.probe_many(asked), _probes_told
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


# -- Cat and Mouse --------------------------------------------------------------------------------


def pursuit(graph: str, nodes: int, method: str = "retrograde") -> Prepared:
    """Solve Cat and Mouse on a graph of ``benchmarks.inputs``."""
    import zermelo
    from zermelo.games import CatAndMouse

    rows = getattr(inputs, graph)(nodes)
    for way in ("retrograde", "horizon"):
        zermelo.solve(CatAndMouse(inputs.path(nodes)), method=way)

    def tell(solution: Any) -> Answer:
        own = [seconds for name, seconds in solution.phases if name != "explore"]
        return {**_told(solution), "extra": {"method seconds": sum(own)}}

    return lambda: zermelo.solve(CatAndMouse(rows), method=method), tell


def pursuit_by_textbook(graph: str, nodes: int) -> Prepared:
    """Solve it with a dictionary, a queue and counters."""
    from benchmarks.baselines.cat_and_mouse import solve

    rows = getattr(inputs, graph)(nodes)
    return lambda: solve(rows), lambda table: _pursuit_told(table, nodes)


def _pursuit_told(table: dict[tuple[int, int, int], tuple[int, int]], nodes: int) -> Answer:
    """Put who wins as the outcome for the player to move; what nobody wins is an endless draw."""
    counts = Counter(
        f"{1 if winner == turn else -1}:{plies}" for (_, _, turn), (winner, plies) in table.items()
    )
    positions = 2 * nodes * (nodes - 1)
    if positions > len(table):
        counts["0:None"] = positions - len(table)
    return {"positions": positions, "tally": dict(counts)}


def small_games(count: int) -> Prepared:
    """Solve Cat and Mouse on many small graphs, one after another."""
    import zermelo
    from zermelo.games import CatAndMouse

    graphs = inputs.small_graphs(count)
    zermelo.solve(CatAndMouse(graphs[0]))
    cache = Path(os.environ["ZERMELO_CACHE_DIR"])
    before = _files(cache)

    def tell(solutions: list[Any]) -> Answer:
        games = [_told(solution) for solution in solutions]
        compiled = {"files": before, "files after": _files(cache)}
        return {"games": games, "extra": compiled}

    return lambda: [zermelo.solve(CatAndMouse(graph)) for graph in graphs], tell


def small_games_by_textbook(count: int) -> Prepared:
    """Solve the same with dictionaries."""
    from benchmarks.baselines.cat_and_mouse import solve

    graphs = inputs.small_graphs(count)

    def tell(tables: list[Any]) -> Answer:
        pairs = zip(tables, graphs, strict=True)
        return {"games": [_pursuit_told(table, len(graph)) for table, graph in pairs]}

    return lambda: [solve(graph) for graph in graphs], tell


def _files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


# -- Piles and strips -----------------------------------------------------------------------------


def stone_game(count: int) -> Prepared:
    """Solve the stone game."""
    import zermelo
    from zermelo.games import StoneGame

    row = inputs.piles(count)
    zermelo.solve(StoneGame(row))

    def tell(solution: Any) -> Answer:
        scores = solution.counts().by_score
        total = sum(score * times for score, times in scores.items())
        return {"positions": len(solution), "score": solution.value.score, "sum": total}

    return lambda: zermelo.solve(StoneGame(row)), tell


def stone_game_by_lists(count: int) -> Prepared:
    """Solve it by dynamic programming on lists."""
    from benchmarks.baselines.stone_game import solve

    row = inputs.piles(count)

    def tell(margins: list[list[int]]) -> Answer:
        # Zermelo can reach the empty stretch at each place but the two outside the row.
        margins[0] = margins[0][: count or 1]
        return {
            "positions": sum(len(line) for line in margins),
            "score": margins[count][0],
            "sum": sum(sum(line) for line in margins),
        }

    return lambda: solve(row), tell


def ellys_checkers(board: str) -> Prepared:
    """Solve Elly's checkers."""
    import zermelo
    from zermelo.games import EllysCheckers

    zermelo.solve(EllysCheckers(board))
    return lambda: zermelo.solve(EllysCheckers(board)), _told


def ellys_checkers_by_memo(board: str) -> Prepared:
    """Solve it by a search that remembers."""
    from benchmarks.baselines.ellys_checkers import solve

    pieces = int(board.replace("o", "1").replace(".", "0"), 2)

    def tell(table: dict[int, int]) -> Answer:
        counts = Counter(f"{1 if plies % 2 else -1}:{plies}" for plies in table.values())
        return {"positions": len(table), "tally": dict(counts)}

    return lambda: solve(pieces), tell


# -- what they share ------------------------------------------------------------------------------


def _load(game: Any) -> None:
    """Have a game's rules compiled and loaded by a solve that is soon refused for its memory."""
    import zermelo

    with suppress(zermelo.BudgetError):
        zermelo.solve(game, memory="300kB")


def _told(solution: Any) -> Answer:
    counts = solution.counts().by_remoteness
    tally = {f"{int(outcome)}:{plies}": times for (outcome, plies), times in counts.items()}
    return {"positions": len(solution), "tally": tally}


def _memory(field: str) -> int:
    """Return bytes resident now (``VmRSS``) or at the most so far (``VmHWM``)."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def _touch(count: int) -> None:
    """Have the system find so much memory, and forget that it did.

    A virtual machine may hand free memory back to its host, and finding it again costs up to two
    seconds a gigabyte, which would fall on whoever happens to come first.
    """
    if count:
        with mmap.mmap(-1, count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as block:
            if hasattr(mmap, "MADV_HUGEPAGE"):
                block.madvise(mmap.MADV_HUGEPAGE)
            for at in range(0, count, 4096):
                block[at] = 1
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # the peak so far, too


def main(name: str, orders: dict[str, Any]) -> None:
    """Do one work and print what it took and what it found, as JSON."""
    run, tell = globals()[name](**orders["arguments"])
    if orders.get("rehearse"):
        return
    gc.collect()
    _touch(orders["touch"])
    footprint = _memory("VmRSS")
    system = resource.getrusage(resource.RUSAGE_SELF).ru_stime
    cpu, wall = time.process_time(), time.perf_counter()
    result = run()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    sample: dict[str, Any] = {
        "cpu": cpu,
        "system": resource.getrusage(resource.RUSAGE_SELF).ru_stime - system,
        "wall": wall,
        "peak": max(0, _memory("VmHWM") - footprint),
    }
    answer = tell(result)
    sample["extra"] = answer.pop("extra", {})
    sample["answer"] = answer
    print(json.dumps(sample))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
