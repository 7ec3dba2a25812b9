"""Tables: solving, saving and verifying."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.works.common import Answer, Prepared, game_of, load


def solve(game: str, size: list[int], method: str, *, remoteness: bool = True) -> Prepared:
    """Solve a game, to compare saving and verifying with it."""
    import zermelo

    small, made = game_of(game, []), game_of(game, size)
    asked: dict[str, Any] = {"method": method, "value": None if remoteness else "outcome"}
    zermelo.solve(small, **asked)
    if method in ("levels", "retrograde"):  # others would not be refused
        load(made, method)
    return lambda: zermelo.solve(made, **asked), _size_told


def verify(
    game: str,
    size: list[int],
    method: str,
    first: list[int],
    *,
    remoteness: bool,
    from_file: bool,
) -> Prepared:
    """Verify a table that was solved just now, or one in a file."""
    import zermelo

    folder = tempfile.TemporaryDirectory()

    def table(size: list[int]) -> Any:
        value = None if remoteness else "outcome"
        solution = zermelo.solve(game_of(game, size), method=method, value=value)
        if from_file:
            path = solution.save(Path(folder.name) / "x.table", overwrite=True)
            return zermelo.open(path)
        return solution

    for small in ([], first):  # the least is looked at one by one, whatever the method
        table(small).verify()
    solution = table(size)

    def tell(found: Any) -> Answer:
        folder.cleanup()
        return {"positions": found.positions if found.ok else 0}

    return solution.verify, tell


def save(game: str, size: list[int], method: str) -> Prepared:
    """Save a solution; how large the file is belongs to the answer."""
    import zermelo

    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "x.table"
    zermelo.solve(game_of(game, []), method=method).save(path)
    solution = zermelo.solve(game_of(game, size), method=method)

    def run() -> Any:
        solution.save(path, overwrite=True)
        return solution

    def tell(found: Any) -> Answer:
        answer = {**_size_told(found), "bytes": path.stat().st_size}
        folder.cleanup()
        return answer

    return run, tell


def _size_told(solution: Any) -> Answer:
    # Of a space that is dense all slots count, as that is what a table of it stands for.
    ranking = getattr(solution._solved.table.index, "ranking", None)  # noqa: SLF001
    slots = len(solution) if ranking is None else ranking.slots
    return {"positions": len(solution), "slots": slots}
