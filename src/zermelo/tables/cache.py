"""The cache of solved games: a folder of the tables of solves that took long.

A table's file name contains a checksum of everything that its values depend on, so a table of
earlier rules is never found.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo import limits
from zermelo.errors import ParameterError, TableWriteError, ZermeloError
from zermelo.game.contract import Game, parameter_names
from zermelo.game.parameters import as_json
from zermelo.methods import VALUES
from zermelo.progress import Reporter
from zermelo.resources import memory_bytes
from zermelo.rules.hooks import Rules
from zermelo.solving import solve
from zermelo.tables.open import describe_table, open_table, zoo_game
from zermelo.values.outcomes import Value

if TYPE_CHECKING:
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

#: The default size of all cached tables together, and the divisor of it for one table.
_LIMIT, _SHARE = "10GB", 4
#: An upper estimate of the bytes of a position in a file.
_STORED = 3
_END = ".table"


def cache_folder() -> Path:
    """Return the folder of cached tables: ``$ZERMELO_HOME/tables``, or the user's data folder's."""
    import platformdirs

    home = os.environ.get("ZERMELO_HOME")
    folder = Path(home) if home else platformdirs.user_data_path("zermelo", appauthor=False)
    return folder / "tables"


def cache_limit() -> int:
    """Return the most bytes of all cached tables together.

    Raises:
        ParameterError: ``$ZERMELO_TABLES_LIMIT`` is not an amount.
    """
    chosen = os.environ.get("ZERMELO_TABLES_LIMIT") or _LIMIT
    try:
        return memory_bytes(chosen) or 0
    except ParameterError:
        message = f"$ZERMELO_TABLES_LIMIT is {chosen!r}, not an amount; set it to one, such as 2GB"
        raise ParameterError(message) from None


def solve_cached(
    game: Game,
    *,
    fresh: bool = False,
    value: str | None = None,
    misere: bool = False,
    symmetry: bool = True,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> Solution:
    """Return the solution of a game: from its cached table, or by solving it.

    A solution is cached if the solve took more than two seconds, it has at least 100,000 positions
    and there is room (``zermelo tables`` lists the cached tables and their folder). A table is used
    only for the same class name, parameters and rules, and the same ``value``, ``misere`` and
    ``symmetry``.

    Args:
        game: the game.
        fresh: whether to solve the game even if it is cached, and cache the result.
        value: as for ``solve``.
        misere: as for ``solve``.
        symmetry: as for ``solve``.
        memory: as for ``solve``.
        threads: as for ``solve``.
        progress: as for ``solve``.

    Returns:
        The solution.

    Raises:
        RulesError: as ``solve`` does.
        CompileError: as ``solve`` does.
        ParameterError: as ``solve`` does.
        BudgetError: as ``solve`` does.

    Warns:
        UserWarning: the solution could not be cached.
    """
    if not fresh:
        cached = find_cached(game, value=value, misere=misere, symmetry=symmetry, threads=threads)
        if cached is not None:
            return cached
    solution = solve(
        game,
        value=value,
        misere=misere,
        symmetry=symmetry,
        memory=memory,
        threads=threads,
        progress=progress,
    )
    try:
        store_solution(
            solution,
            value=value,
            symmetry=symmetry,
            memory=memory_bytes(memory),
            progress=progress,
        )
    except TableWriteError as error:
        warnings.warn(f"the solution is not cached: {error}", stacklevel=2)
    return solution


def find_cached(
    game: Game,
    *,
    value: str | None = None,
    misere: bool = False,
    symmetry: bool = True,
    threads: int | None = None,
) -> Solution | None:
    """Return the solution from the cached table of a game, or None if there is no such table.

    Raises:
        ParameterError: ``$ZERMELO_TABLES_LIMIT`` is not an amount.
    """
    if not cache_limit() or not _has_table_of(type(game)):
        return None
    path = path_for(game, value=value, misere=misere, symmetry=symmetry)
    if path is None or not path.is_file():
        return None
    began = time.perf_counter()
    try:
        notes = describe_table(path)["cached"]
        solution = open_table(path, game, threads=threads)
        if "counts" in notes:
            counts = solution.kind.counts({int(code): int(n) for code, n in notes["counts"]})
            solution._cached_counts = counts  # noqa: SLF001  # the counts in the file
        solution.phases.append(("open", time.perf_counter() - began))
    except (ZermeloError, KeyError, TypeError, ValueError):
        return None  # damaged, or of a newer Zermelo: the game is solved again
    with contextlib.suppress(OSError):
        os.utime(path)  # the time of the last use; not every system records reading
    return solution


def store_solution(
    solution: Solution,
    *,
    value: str | None = None,
    symmetry: bool = True,
    memory: int | None = None,
    progress: Listener | None = None,
) -> Path | None:
    """Cache the table of a solution, if the solve took long and there is room.

    Args:
        solution: the result of ``solve``.
        value: the argument of ``solve``.
        symmetry: the argument of ``solve``.
        memory: the most bytes to use for saving; by default most of the system's free memory.
        progress: called with an ``Event`` now and then.

    Returns:
        The path of the file, or None if the solution is not cached.

    Raises:
        TableWriteError: it cannot be written.
    """
    seconds = max(0.0, solution.seconds - solution.compile_seconds)
    thresholds = limits.current()
    if seconds < thresholds.cached_seconds or len(solution) < thresholds.cached_positions:
        return None
    solved = solution._solved  # noqa: SLF001  # its save() takes notes

    import shutil

    from zermelo._engine.core.cache_eviction import evict_oldest
    from zermelo._engine.core.ledger import Ledger
    from zermelo._store.save_options import SaveOptions

    limit = cache_limit()
    if len(solution) * _STORED > limit // _SHARE:
        return None
    table_bytes = 0 if memory is None else solved.table.bytes
    rules: Any = solution.rules  # of a game
    path = path_for(solution.game, value=value, misere=rules.misere, symmetry=symmetry)
    if path is None:
        return None
    notes: dict[str, Any] = {"seconds": seconds, "made": time.time()}
    counts = solution._cached_counts  # noqa: SLF001  # counting takes longer than some solves
    if counts is not None:
        with contextlib.suppress(ValueError):  # of parts of a range
            notes["counts"] = list(solution.kind.tally(counts).items())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(path.parent).free < 2 * _STORED * len(solution):
            return None
        options = SaveOptions(
            method=solution.method,
            choice=solution.choice,
            overwrite=True,
            report=Reporter(progress),
            threads=solution.threads,
            ledger=Ledger(max(0, Ledger.for_budget(memory).allowed - table_bytes)),
            strict=False,
            notes={"cached": notes},
        )
        solved.save(path, options)
    except TableWriteError:
        raise
    except OSError as error:
        message = f"{str(path)!r} cannot be written: {error.strerror}; set ZERMELO_HOME"
        raise TableWriteError(message) from None
    evict_oldest(_files(), limit, path)
    return path


def path_for(
    game: Game, *, value: str | None = None, misere: bool = False, symmetry: bool = True
) -> Path | None:
    """Return the path of a game's cached table, or None if the text of its rules cannot be read."""
    from zermelo._compile.read.rules_digest import digest
    from zermelo._engine.file.format import CONVENTIONS, FORMAT

    rules = digest(Rules(game, misere=misere))  # the digest includes no_moves
    if not rules:
        return None
    parameters = {name: as_json(getattr(game, name)) for name in parameter_names(game)}
    parts = [type(game).__name__, parameters, rules, FORMAT, CONVENTIONS, value, symmetry]
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
    return cache_folder() / f"{type(game).__name__}-{key}{_END}"


@dataclass(frozen=True)
class CachedTable:
    """A cached table, in the user's folder of tables.

    Attributes:
        path: the file.
        game: the name of the game's class.
        parameters: the parameters of the game.
        value: the value of the start; None if the file cannot be read.
        positions: the number of positions in the table.
        bytes: the size of the file.
        seconds: wall-clock seconds of the solve.
        made: the time when the file was written, in seconds since 1970.
        used: the time when the file was last opened, in seconds since 1970.
        stale: whether the table is useless because the rules have changed or the file is damaged;
            None if this is not known because the game is not in the zoo.
        problem: why the file cannot be read, or None.
        misere: whether the game was solved under misère play.
        module: the module of the game's class; "" if the file cannot be read.
    """

    path: Path
    game: str
    parameters: dict[str, Any]
    value: Value | None
    positions: int
    bytes: int
    seconds: float
    made: float
    used: float
    stale: bool | None
    problem: str | None = None
    misere: bool = False
    module: str = ""

    def remove(self) -> None:
        """Delete the file.

        Raises:
            TableWriteError: it cannot be deleted.
        """
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            message = f"{str(self.path)!r} cannot be deleted: {error.strerror}; delete it yourself"
            raise TableWriteError(message) from None


def cached_tables() -> list[CachedTable]:
    """Return the cached tables, the most recently used first."""
    described = [table for path in _files() if (table := _describe_file(path)) is not None]
    return sorted(described, key=lambda table: (-table.used, table.path.name))


def _describe_file(path: Path) -> CachedTable | None:
    size, last_used = 0, 0.0
    try:
        status = path.stat()
        size, last_used = status.st_size, status.st_mtime
        header = describe_table(path)
        return CachedTable(
            path,
            header["game"],
            header["parameters"],
            Value.from_json(header["value"]),
            int(header["table"]["positions"]),
            size,
            float(header["cached"]["seconds"]),
            float(header["cached"]["made"]),
            last_used,
            _is_stale(path, header),
            misere=header["misere"],
            module=header["module"],
        )
    except FileNotFoundError:  # another process has deleted it
        return None
    except (OSError, ZermeloError, KeyError, TypeError, ValueError) as error:
        name = path.name.rpartition("-")[0]
        return CachedTable(
            path, name, {}, None, 0, size, 0.0, last_used, last_used, stale=True, problem=str(error)
        )


def _is_stale(path: Path, header: dict[str, Any]) -> bool | None:
    """Return whether no call can find a table any more; None if the game is not in the zoo."""
    try:
        game = zoo_game(path, header)
    except ParameterError:
        return None
    try:
        options = itertools.product((None, *VALUES), (True, False))
        paths = (
            path_for(game, value=value, misere=header["misere"], symmetry=symmetry)
            for value, symmetry in options
        )
        return path.name not in {each.name for each in paths if each is not None}
    except ZermeloError:
        return True


def _files() -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(path for path in cache_folder().iterdir() if path.suffix == _END)


def _has_table_of(game_class: type[Game]) -> bool:
    """Return whether a file's name begins with that of a class, without reading its rules."""
    return any(path.name.startswith(f"{game_class.__name__}-") for path in _files())
