"""Tables: solving, saving and verifying, and asking a table in memory or in a file."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.works.common import Answer, Prepared, load


def solve(game: str, size: list[int], method: str, *, remoteness: bool = True) -> Prepared:
    """Solve a game, to compare saving and verifying with it."""
    import zermelo

    small, made = _game(game, None), _game(game, size)
    asked: dict[str, Any] = {"method": method, "remoteness": remoteness}
    zermelo.solve(small, **asked)
    if method in ("levels", "retrograde"):  # others would not be refused
        load(made, method)
    return lambda: zermelo.solve(made, **asked), _size_told


def verify(game: str, size: list[int], *, remoteness: bool, from_file: bool) -> Prepared:
    """Verify a table of a placement game, solved just now or from a file."""
    import zermelo

    folder = tempfile.TemporaryDirectory()

    def table(made: Any) -> Any:
        solution = zermelo.solve(made, method="placement", remoteness=remoteness)
        if from_file:
            path = solution.save(Path(folder.name) / "x.table", overwrite=True)
            return zermelo.open(path)
        return solution

    for small in ([4, 3], [5, 4]):  # the one is looked at one by one, the other is not
        table(_game(game, small)).verify()
    solution = table(_game(game, size))

    def tell(found: Any) -> Answer:
        folder.cleanup()
        return {"positions": found.positions if found.ok else 0}

    return solution.verify, tell


def save(game: str, size: list[int], method: str) -> Prepared:
    """Save a solution; how large the file is belongs to the answer."""
    import zermelo

    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "x.table"
    zermelo.solve(_game(game, None), method=method).save(path)
    solution = zermelo.solve(_game(game, size), method=method)

    def run() -> Any:
        solution.save(path, overwrite=True)
        return solution

    def tell(found: Any) -> Answer:
        answer = {**_size_told(found), "bytes": path.stat().st_size}
        folder.cleanup()
        return answer

    return run, tell


def probe(
    game: str, size: list[int], method: str, count: int, where: str, *, many: bool
) -> Prepared:
    """Ask about positions taken at random.

    Args:
        game: the game.
        size: its size.
        method: how it is solved.
        count: how many positions.
        where: "memory", "file", which has been asked everything before, or "first", a file that
            has not been asked anything.
        many: whether to ask about all at once.
    """
    import numpy as np

    import zermelo

    solution = zermelo.solve(_game(game, size), method=method)
    places = np.array(sorted(Random(1).choices(range(len(solution)), k=count)))
    layout = solution._compiled.rules.layout  # noqa: SLF001
    rows = layout.unpack_many(solution._table.packed(places))  # noqa: SLF001
    if not many:
        rows = np.random.default_rng(1).permutation(rows)
    # Those of a great many are not made one by one, as that would take longer than all the rest.
    wanted = [layout.build(row) for row in rows[: 1 if many else None].tolist()]
    if where != "memory":
        folder = tempfile.TemporaryDirectory()
        path = solution.save(Path(folder.name) / "x.table")
        zermelo.open(path)[wanted[0]]
        zermelo.open(path).probe_many(rows[:100])
        solution = zermelo.open(path)
        folder.cleanup()  # what is mapped stays

    def run() -> Any:
        if many:
            return solution.probe_many(rows)
        return [solution[position] for position in wanted]

    if where != "first":
        run()

    def tell(found: Any) -> Answer:
        if many:
            return {str(n): int((found.outcome == n).sum()) for n in (-1, 0, 1)}
        counts = Counter(int(value.outcome) for value in found)
        return {str(n): counts[n] for n in (-1, 0, 1)}

    return run, tell


def _game(name: str, size: list[int] | None) -> Any:
    from zermelo.games import ConnectFour, Quixo

    if name == "quixo":
        return Quixo(*(size or [3]))
    return ConnectFour(*(size or [4, 3]))


def _size_told(solution: Any) -> Answer:
    # Of a space that is dense all slots count, as that is what a table of it stands for.
    ranking = getattr(solution._table, "ranking", None)  # noqa: SLF001
    slots = len(solution) if ranking is None else ranking.slots
    return {"positions": len(solution), "slots": slots}
