"""Solving a game: in plain Python if it is small, otherwise by compiled rules."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo._engine.file.destination import check_place, folder_of
from zermelo._methods.choice import first_suited, method_of
from zermelo.errors import ParameterError, TableWriteError
from zermelo.methods import PLAIN
from zermelo.plain.solve import small_solution
from zermelo.resources import memory_bytes, thread_count
from zermelo.rules.hooks import Rules
from zermelo.rules.value_check import check_value

if TYPE_CHECKING:
    import os

    from zermelo.game.contract import Game
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution


def solve(
    game: Game,
    *,
    method: str | None = None,
    value: str | None = None,
    misere: bool = False,
    horizon: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    symmetry: bool = True,
    table: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    cluster: str | None = None,
    precision: float | None = None,
    progress: Listener | None = None,
) -> Solution:
    """Solve a game exactly: every position that can be reached from its start.

    Args:
        game: the game, an instance of the author's class.
        method: one of ``zermelo.METHODS``; by default the first of them that suits the game. The
            solution's ``choice`` says what was chosen and why.
        value: what to compute. By default the score, for a game with ``gain`` or ``score``, and for
            all others win, draw or loss, with remoteness. ``"outcome"`` computes only the outcome;
            with ``method="placement"`` this is several times faster and smaller, and other methods
            compute the remoteness anyway. ``"nimber"`` computes the nimber of each position, for an
            impartial game under normal play: both players have the same moves, and a player who
            cannot move loses. The first is checked if the game has ``turn`` or ``pass_turn``, and
            otherwise assumed. If play need not end, a position without a nimber has the nimbers of
            its successors, as ``infinity``. ``"partizan"`` computes the game in canonical form that
            each position is worth under normal play, a ``CombinatorialValue``, with the player to
            move as Left; play must end, and the rules must be able to pass the turn (by
            ``pass_turn``, or by a field that ``turn`` returns). ``"score-and-plies"`` also computes
            in how many plies a score is settled, which is always done if a score game has cycles.
        misere: True solves a game of normal play under misère play: a player who cannot move wins.
            A position to which ``outcome`` or ``winner`` gives a result keeps it; if every position
            without moves has one, nothing changes, and ``choice`` says so.
        horizon: for ``method="horizon"``, the plies to look ahead; by default the number of
            positions, which is always enough.
        memory: the most memory to use, besides what the process has already, in bytes or as
            ``"2GB"`` or ``"500MiB"``; by default most of the free memory. The solve keeps to it
            within 5 % (and half a megabyte). If the fastest way does not fit, it uses one that
            takes less: moves are not transposed, or not even stored, or the game is solved level by
            level, or data goes to disk, in the folder ``ZERMELO_SCRATCH`` or the system's folder
            for large temporary files, or with ``table`` beside the table. The values are the same,
            and ``choice`` says what was done.
        threads: the number of threads; by default one per core. It does not change the answer.
        symmetry: False ignores ``symmetries`` and ``canonical``, for comparison.
        table: the path of a file to save the solution to; that of a larger game then answers from
            the file. A long solve saves checkpoints in a folder, ``table`` + ``.unfinished``: if
            the process ends early, the same call resumes from them, and makes the same file byte
            for byte. A call with another game or other arguments restarts.
        overwrite: whether an existing file may be replaced, once the new one is complete.
        cluster: workers to solve with: ``"local[2]"`` for two processes of this machine, or another
            number; ``"ray"``, or ``"ray://head:10001"``, for one on each node of a Ray cluster;
            ``"mpi"`` for all processes but the first that ``mpirun`` has started, each of which
            makes this call and returns the solution. Workers find each other's results in the
            folder of ``table``, which has to be given; the table is the same, byte for byte, as
            without them. ``memory`` and ``threads`` are then those of each machine. If a worker is
            lost, another does its work. The methods ``placement``, ``pursuit``, ``dense``,
            ``retrograde`` and ``levels`` run on a cluster.
        precision: for a game with chance, the greatest distance between the bounds of a value: of
            the probability of a win, or in a score game as a share of the greatest margin. The
            default is ``1e-9``.
        progress: a function that is called with an ``Event`` from time to time, in this thread.

    Returns:
        The solution, which has the value of every position.

    Raises:
        RulesError: the class breaks the contract; ``zermelo.check`` reports how.
        CompileError: a rule uses something that cannot be compiled.
        ParameterError: an argument is invalid.
        BudgetError: the game needs more memory than is allowed, or more disk than is free; or a
            solve would take far too long.
        ClusterError: workers cannot be used together, or are lost; the same call resumes.
        PrecisionError: the values of a game with chance cannot be found as precisely.
        TableExistsError: there is a file at ``table``, and ``overwrite`` is False.
        TableBusyError: another process is solving into ``table``.
        TableWriteError: ``table`` cannot be written. If the solution was found, the error's
            ``solution`` has it.
    """
    engine_options = {"horizon": horizon, "cluster": cluster}
    option = next((name for name, choice in engine_options.items() if choice is not None), None)
    if method == PLAIN and option is not None:
        pair = f"{option}={engine_options[option]!r}"
        message = f"method={method!r} does not go with {pair}; leave one out"
        raise ParameterError(message)
    if method == PLAIN or (
        method is None and option is None and _has_same_table(game, value, table)
    ):
        if table is not None:
            check_place(table, overwrite=overwrite)
        _check_misere(misere)
        check_value(value)
        _check_precision(precision)
        small = small_solution(
            game,
            partial(solve, game, misere=misere),
            is_required=method == PLAIN,
            value=value,
            misere=misere,
            symmetry=symmetry,
            memory=memory_bytes(memory),
            threads=thread_count(threads),
            precision=precision,
            progress=progress,
        )
        if small is not None:
            return (
                small
                if table is None
                else _save_solution(small, table, overwrite, memory, progress)
            )
    return _compiled_solution(
        game,
        method=method,
        value=value,
        misere=misere,
        horizon=horizon,
        memory=memory,
        threads=threads,
        symmetry=symmetry,
        table=table,
        overwrite=overwrite,
        cluster=cluster,
        precision=precision,
        progress=progress,
    )


def _has_same_table(game: Game, value: str | None, table: str | os.PathLike[str] | None) -> bool:
    """Return whether the table of a small game is the same, whether or not its rules are compiled.

    It is where the compiled method has positions in the order in which they are found. What there
    is of an unfinished table is finished as it was begun.
    """
    if table is None or value is not None:
        return table is None
    if folder_of(table).exists():
        return False
    return method_of(first_suited(Rules(game))).in_found_order


def _save_solution(
    solution: Solution,
    table: str | os.PathLike[str],
    overwrite: bool,  # noqa: FBT001  # the options of ``solve``
    memory: int | str | None,
    progress: Listener | None,
) -> Solution:
    """Return a solution once its table is written.

    Raises:
        TableWriteError: it cannot be written; the error has the solution.
    """
    try:
        solution.save(table, overwrite=overwrite, memory=memory, progress=progress)
    except TableWriteError as error:
        error.solution = solution
        raise
    return solution


def _compiled_solution(  # the options of ``solve``
    game: Game,
    *,
    method: str | None,
    value: str | None,
    misere: bool,
    horizon: int | None,
    memory: int | str | None,
    threads: int | None,
    symmetry: bool,
    table: str | os.PathLike[str] | None,
    overwrite: bool,
    cluster: str | None,
    precision: float | None,
    progress: Listener | None,
) -> Solution:
    """Solve a game by compiled rules; see ``solve``."""
    # Numba is imported with the engine, and so only for a larger game.
    from zermelo._cluster.connect import check_places, is_worker
    from zermelo._compile.rules import compile_rules
    from zermelo.game_job import GameJob, GameOptions
    from zermelo.solution.solve_job import Resources

    resources = Resources.of_arguments(memory, threads, progress, cluster)
    check_places(table, cluster, overwrite=overwrite)
    _check_misere(misere)
    _check_precision(precision)
    compiled = compile_rules(game, misere=misere, folding=getattr(game, "folded_tables", True))
    options = GameOptions(method, value, horizon, symmetry=symmetry, precision=precision)
    if is_worker(cluster):
        return GameJob(compiled, options, resources).solution_of_driver(Path(str(table)))
    job = GameJob.prepared(compiled, options, resources)
    if table is None:
        return job.solution()
    return job.solution_in_table(Path(table), overwrite=overwrite)


def _check_misere(misere: object) -> None:
    """Raise ParameterError unless it is True or False."""
    if not isinstance(misere, bool):
        message = f"misere={misere!r} is neither True nor False; give one of them"
        raise ParameterError(message)


def _check_precision(precision: Any) -> None:
    """Raise ParameterError unless it is None or a number between 0 and 1."""
    is_number = isinstance(precision, int | float) and not isinstance(precision, bool)
    if precision is not None and not (is_number and 0 < precision <= 1):
        message = f"precision={precision!r} is not between 0 and 1; give a number such as 1e-6"
        raise ParameterError(message)
