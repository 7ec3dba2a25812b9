"""Choice and run of a method for a solve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.file.destination import check_place, folder_of
from zermelo.errors import BudgetError, ParameterError, TableWriteError
from zermelo.methods import METHODS
from zermelo.plain.solve import PLAIN, small_solution
from zermelo.progress import Listener, Reporter
from zermelo.resources import memory_bytes, thread_count
from zermelo.rules.hooks import Rules
from zermelo.rules.impartiality import check_impartial
from zermelo.rules.misere import describe_misere
from zermelo.rules.symmetry_clause import describe_folding
from zermelo.rules.value_check import check_suited, check_value
from zermelo.values.nimbers import NIMBERS
from zermelo.values.registry import requested_kind
from zermelo.values.win_draw_loss import OUTCOME_ALONE

if TYPE_CHECKING:
    import os

    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.core.ledger import Ledger
    from zermelo._methods.task import Method, Result, Task
    from zermelo.game.contract import Game
    from zermelo.solution.solution import Solution

#: Methods that store one position of each class if a game has symmetries.
_FOLDING = frozenset({"dense", "levels", "retrograde", "horizon", "score", "nimber"})

#: Methods that use a game's declarations, and not its rules.
_DECLARED = frozenset({"placement", "pursuit"})
#: The most estimated positions of a solve; and the positions that are solved in a second.
_HOPELESS, _A_SECOND = 100_000_000_000, 5_000_000
#: If a solve of new rules finds more positions than the first number, a sample of them, of the
#: size of the second, is compared with Python.
_MANY, _FOUND = 50_000, 300


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
            its successors, as ``infinity``. ``"score-and-plies"`` also computes in how many plies a
            score is settled, which is always done if a score game has cycles.
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
        TableExistsError: there is a file at ``table``, and ``overwrite`` is False.
        TableBusyError: another process is solving into ``table``.
        TableWriteError: ``table`` cannot be written. If the solution was found, the error's
            ``solution`` has it.
    """
    others = {"horizon": horizon, "cluster": cluster}
    given = next((name for name, option in others.items() if option is not None), None)
    if method == PLAIN and given is not None:
        message = f"method={method!r} does not go with {given}={others[given]!r}; leave one out"
        raise ParameterError(message)
    if method == PLAIN or (
        method is None and given is None and _has_same_table(game, value, table)
    ):
        if table is not None:
            check_place(table, overwrite=overwrite)
        _check_misere(misere)
        check_value(value)
        small = small_solution(
            game,
            partial(solve, game, misere=misere),
            forced=method == PLAIN,
            value=value,
            misere=misere,
            symmetry=symmetry,
            memory=memory_bytes(memory),
            threads=thread_count(threads),
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
        progress=progress,
    )


def _has_same_table(game: Game, value: str | None, table: str | os.PathLike[str] | None) -> bool:
    """Whether the table of a small game is the same, whether or not its rules are compiled.

    It is where the compiled method has positions in the order in which they are found. What there
    is of an unfinished table is finished as it was begun.
    """
    if table is None or value is not None:
        return table is None
    return not folder_of(table).exists() and _first_suited(Rules(game)) in ("retrograde", "score")


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
    progress: Listener | None,
) -> Solution:
    """Solve a game by compiled rules; see ``solve``."""
    # Numba is imported with the engine, and so only for a larger game.
    from zermelo._cluster.connect import check_places, is_worker
    from zermelo._compile.rules import compile_rules
    from zermelo._engine.core.checkpoint import NO_CHECKPOINT
    from zermelo._engine.core.ledger import Ledger
    from zermelo.conformance.sample_check import check_sample

    given = memory_bytes(memory)
    job = _Job(
        Ledger.for_budget(given),
        thread_count(threads),
        Reporter(progress),
        horizon,
        value != OUTCOME_ALONE.name,
        method is not None,
        cluster,
        given,
        threads,
    )
    check_places(table, cluster, overwrite=overwrite)
    _check_misere(misere)
    compiled = compile_rules(game, misere=misere, folding=getattr(game, "folded_tables", True))
    if is_worker(cluster):
        return _driver_solution(compiled, table, job)
    chosen = _method(compiled.rules, method, value, horizon)
    if cluster is not None:
        _check_clusters(chosen, compiled.rules)
    if method is None:
        _check_size(compiled.rules, chosen)
    folded = symmetry and chosen in _FOLDING and compiled.rules.foldable
    if chosen not in _DECLARED:
        job.passed = check_sample(compiled, folded=folded)
    asked = chosen if chosen == NIMBERS.name else value
    compiled = compiled.with_kind(requested_kind(compiled.rules.kind, asked))
    if compiled.kind.impartial:
        check_impartial(compiled.rules)
    if folded:
        compiled = compiled.with_symmetries()
    if folded and compiled.rules.favours_a_player:  # an image favours the other player
        compiled = compiled.keeping_players()
    if table is None:
        return _solution(*job.run(compiled, chosen, NO_CHECKPOINT), job)
    how = {
        "method": chosen,
        "asked": job.asked,
        "horizon": horizon,
        "value": value,
        "misere": misere,
        "symmetry": symmetry,
        "memory": given,
        **({"cluster": True} if cluster is not None else {}),
    }
    return _solve_to_table(compiled, chosen, job, how, Path(table), overwrite=overwrite)


@dataclass
class _Job:
    """A solve, except the game and the method."""

    ledger: Ledger
    threads: int
    report: Reporter
    horizon: int | None
    remoteness: bool
    asked: bool
    cluster: str | None = None
    memory: int | None = None  # of each machine of a cluster, as given
    given_threads: int | None = None  # the same
    workers: WorkerPool | None = None
    passed: Any = None  # the check of new rules, which is repeated on the positions of the solve
    compile_seconds: float = 0.0

    def run(
        self, compiled: CompiledRules, chosen: str, checkpoint: Checkpoint
    ) -> tuple[CompiledRules, Result, str]:
        """Solve; return also the rules with their final folding, and the method."""
        from zermelo._compile.rules import TurnKeptError
        from zermelo._engine.core.kernel import compile_seconds

        before = compile_seconds()
        solver = _load(chosen)
        if checkpoint.has(_KEEPS_TURN):
            compiled = compiled.keeping_players()
        try:
            result = solver.run(self._task(compiled, checkpoint))
        except TurnKeptError:
            checkpoint.drop(*checkpoint.names())
            checkpoint.put(_KEEPS_TURN)
            self.report = Reporter(self.report.listener)
            compiled = compiled.keeping_players()
            result = solver.run(self._task(compiled, checkpoint))
        if self.workers is not None:
            self.workers.release()
        if self.passed is not None:
            from zermelo.conformance.sample_check import check_alike, check_found

            legal = result.table.reachability_evidence == "legal"
            if compiled.is_folded or legal:
                kind = result.table.kind
                by_moves = chosen != "horizon" and not compiled.rules.has_hook("split")
                valued = by_moves and not (kind.partial or kind.stages or kind.impartial)
                check_alike(compiled.with_kind(kind), result.table, self.passed, valued=valued)
            if len(result.table) > (_FOUND if legal else _MANY):
                places = np.linspace(0, len(result.table) - 1, _FOUND).astype(np.int64)
                packed = result.table.packed(places).reshape(len(places), -1)
                # With the rules as compiled, before any conversion of their values.
                plain = compiled.without_symmetries().with_kind(compiled.rules.kind)
                check_found(plain, packed, self.passed)
            compiled.save_agreement(self.passed)
        if result.table.kind.limit is not None:
            from zermelo.conformance.margins import check_margins

            check_margins(compiled, result.table)
        if result.table.kind.impartial:
            rules, table = compiled.rules, result.table
            places = np.linspace(0, len(table) - 1, min(len(table), _FOUND)).astype(np.int64)
            rows = table.packed(places).reshape(len(places), -1)
            check_impartial(rules, (rules.layout.unpack(row) for row in rows))
        self.compile_seconds = compile_seconds() - before
        return compiled, result, result.method or chosen

    def _task(self, compiled: CompiledRules, checkpoint: Checkpoint) -> Task:
        from zermelo._methods.task import Task

        return Task(
            compiled,
            self.ledger,
            self.threads,
            self.report,
            self.horizon,
            self.remoteness,
            self.asked,
            checkpoint,
            self.workers,
        )


#: The stage of a checkpoint that marks that a player may move twice, which excludes symmetries.
_KEEPS_TURN = "keeps-turn"


def _solution(compiled: CompiledRules, result: Result, method: str, job: _Job) -> Solution:
    """Return the solution that a method has found."""
    from zermelo.solution.solution import Solution
    from zermelo.solution.split import solved_game

    return Solution(
        solved_game(compiled, result.table),
        method=method,
        choice=result.choice
        + describe_folding(compiled.rules, compiled.elements, folded=compiled.is_folded)
        + describe_misere(result.table.kind, result.table.tally(), misere=compiled.rules.misere),
        phases=job.report.phases,
        compile_seconds=job.compile_seconds,
        peak_bytes=job.ledger.peak,
        threads=job.threads,
        resumed="; ".join(job.report.resumed),
    )


def _solve_to_table(
    compiled: CompiledRules,
    chosen: str,
    job: _Job,
    how: dict[str, Any],
    target: Path,
    *,
    overwrite: bool,
) -> Solution:
    """Solve into a table, or resume an unfinished one; return a solution that answers from it."""
    from zermelo._cluster.connect import worker_pool
    from zermelo._store import resumable_table
    from zermelo._store.save_table import save_table

    given, report = how["memory"], job.report

    def solved() -> resumable_table.UnsavedTable:
        nonlocal compiled
        compiled, result, method = job.run(compiled, chosen, checkpoint)
        solution = _solution(compiled, result, method, job)
        save = partial(save_table, compiled, result.table)
        return resumable_table.UnsavedTable(
            solution, result.table, save, solution.method, solution.choice
        )

    said = resumable_table.identity(compiled, how)
    with (
        resumable_table.begin(target, said, given, job.ledger, report) as checkpoint,
        worker_pool(job.cluster, job.memory, job.given_threads, report) as job.workers,
    ):
        rest: dict[str, Any] = {"threads": job.threads, "report": report, "ledger": job.ledger}
        made = resumable_table.complete(checkpoint, target, solved, overwrite=overwrite, **rest)
    return _open_result(compiled, target, job, made.solution.peak_bytes if made else 0)


def _open_result(compiled: CompiledRules, target: Path, job: _Job, peak: int) -> Solution:
    """Return a solution that answers from a table."""
    from zermelo._engine.file.reader import Reader
    from zermelo._store.load_table import open_table
    from zermelo.solution.solution import Solution
    from zermelo.solution.split import solved_game

    reader = Reader(target)
    if len(compiled.elements) != reader.header["symmetries"]:
        compiled = compiled.keeping_players()
    return Solution(
        solved_game(compiled, open_table(reader, compiled)),
        method=reader.header["method"],
        choice=reader.header["choice"],
        phases=job.report.phases,
        peak_bytes=peak,
        threads=job.threads,
        resumed="; ".join(job.report.resumed),
    )


def _driver_solution(compiled: CompiledRules, table: Any, job: _Job) -> Solution:
    """Return the solution of the driver of an MPI job, in a worker.

    Raises:
        ClusterError: the driver has no solution.
    """
    from zermelo._cluster.connect import check_table_written

    check_table_written(table)
    return _open_result(compiled, Path(table), job, 0)


def _method(rules: Rules, method: str | None, value: str | None, horizon: int | None) -> str:
    """Return the method to use: the requested one, or the first that suits.

    Raises:
        ParameterError: the value or the method is not known, or does not suit.
    """
    check_value(value)
    if method is not None and method not in METHODS:
        message = f"method={method!r} is not known; use one of {', '.join(METHODS)}"
        raise ParameterError(message)
    _check_horizon(method, horizon)
    if NIMBERS.name in (method, value):
        if {method, value} - {None, NIMBERS.name}:
            message = f"value={value!r} does not go with method={method!r}; leave method out"
            raise ParameterError(message)
        method = value = NIMBERS.name
    check_suited(rules, value)
    if method is None:
        return _first_suited(rules)
    why = _load(method).unsuited(rules)
    if why is not None:
        suited = _first_suited(rules)
        message = f"method={method!r} does not suit {rules.name}, {why}; use method={suited!r}"
        raise ParameterError(message)
    return method


def _check_size(rules: Rules, chosen: str) -> None:
    """Check that a solve would not take far too long, if that can be estimated.

    Raises:
        BudgetError: it is a placement game with too many positions, by an estimate.
    """
    from zermelo.game.placement import PlacementGame

    if chosen in _DECLARED or not isinstance(rules.game, PlacementGame):
        return
    from zermelo._engine.core.ledger import readable
    from zermelo._methods.placement.estimate import estimated_positions

    count = estimated_positions(rules.game)
    if count is None or count <= _HOPELESS:
        return
    days = max(1, round(count / _A_SECOND / 86_400))
    message = (
        f"{rules.description} has about {count:.0e} positions, estimated from a sample; solving it "
        f"would take about {days:,} day{'s' * (days != 1)} and {readable(count)} at least; choose "
        "a smaller board, prove one position with zermelo.prove, or name a method to try anyway"
    )
    raise BudgetError(message, count, _HOPELESS)


def _check_misere(misere: Any) -> None:
    """Raise ParameterError unless it is True or False."""
    if not isinstance(misere, bool):
        message = f"misere={misere!r} is neither True nor False; give one of them"
        raise ParameterError(message)


def _check_clusters(chosen: str, rules: Rules) -> None:
    """Raise ParameterError if a method does not run on a cluster."""
    compiled = (name for name in METHODS if name != PLAIN)
    able = [name for name in compiled if getattr(_load(name), "clusters", False)]
    if chosen not in able:
        suited = [f"give method={name!r}" for name in able if _suits(name, rules)]
        message = (
            f"method={chosen!r}, which suits {rules.name}, does not run on a cluster; "
            f"{', '.join(able[:-1])} and {able[-1]} do; "
            f"{' or '.join([*suited, 'leave cluster out'])}"
        )
        raise ParameterError(message)


def _check_horizon(method: str | None, horizon: int | None) -> None:
    """Raise ParameterError for a horizon that makes no sense."""
    if horizon is not None and method != "horizon":
        message = f"horizon={horizon!r} needs method='horizon'"
        raise ParameterError(message)
    whole = isinstance(horizon, int) and not isinstance(horizon, bool)
    if horizon is not None and not (whole and horizon >= 0):
        message = f"horizon must be a whole number of at least 0, not {horizon!r}"
        raise ParameterError(message)


def _first_suited(rules: Rules) -> str:
    """Return the first method that suits, among those chosen by default."""
    asked = (NIMBERS.name, PLAIN)
    return next(name for name in METHODS if name not in asked and _suits(name, rules))


def _suits(name: str, rules: Rules) -> bool:
    """Return whether a method may be chosen by default for a game."""
    method = _load(name)
    if method.unsuited(rules) is not None:
        return False
    # A method that can solve a game need not be the best, for example for a small game.
    return not getattr(method, "is_passed_over", lambda _: False)(rules)


@cache
def _load(name: str) -> Method:
    """Import a method at its first use."""
    module = import_module(f"zermelo._methods.{name}.method")
    method: Method = getattr(module, f"{name.title()}Method")()
    return method
