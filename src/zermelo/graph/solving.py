"""Solving a game on a graph that is given as arrays."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.forms.quantities import count_phrase
from zermelo.graph.parity import Convention, ParityGame, ParitySolution
from zermelo.values.endless import ENDLESS_WINS
from zermelo.values.outcomes import LOSS, NOBODY
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    import os

    from zermelo._methods.explicit.graph_source import Arrays
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution
    from zermelo.values.kind import Kind

#: The value in ``outcome`` for a vertex where the game goes on.
NONE: Final = 2

_MOST_VERTICES = (1 << 32) - 2
_OUTCOMES = (-1, 0, 1)


@overload
def solve(
    indptr: npt.ArrayLike,
    indices: npt.ArrayLike,
    outcome: npt.ArrayLike | None = None,
    owner: npt.ArrayLike | None = None,
    *,
    no_moves: int = LOSS,
    endless: int = NOBODY,
    priorities: None = None,
    start: Any = None,
    vertex_names: Sequence[Hashable] | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    table: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Listener | None = None,
) -> Solution: ...


@overload
def solve(
    indptr: npt.ArrayLike,
    indices: npt.ArrayLike,
    *,
    owner: npt.ArrayLike,
    priorities: npt.ArrayLike,
    parity: Convention = "max even",
    start: Any = None,
    vertex_names: Sequence[Hashable] | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> ParitySolution: ...


def solve(
    indptr: npt.ArrayLike,
    indices: npt.ArrayLike,
    outcome: npt.ArrayLike | None = None,
    owner: npt.ArrayLike | None = None,
    *,
    no_moves: int = LOSS,
    endless: int = NOBODY,
    priorities: npt.ArrayLike | None = None,
    parity: Convention = "max even",
    start: Any = None,
    vertex_names: Sequence[Hashable] | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    table: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Listener | None = None,
) -> Solution | ParitySolution:
    """Solve a game on a directed graph given by the successors of each vertex.

    The successors of vertex ``v`` are ``indices[indptr[v]:indptr[v + 1]]``, as in a sparse matrix
    by rows. Loops and repeated edges are allowed. Arrays of 32 and 64 bits are not copied; do not
    change them while the solution is in use.

    With ``priorities`` it is a parity game, which ``solve_parity`` solves, also on graphs in other
    forms: the answer is a ``ParitySolution``, without distances and without a table.

    Args:
        indptr: n + 1 indices into ``indices``, ascending from 0; int32, uint32 or int64.
        indices: the target of each edge; int32, uint32 or int64.
        outcome: for each vertex WIN, DRAW or LOSS for the player to move there, if the game ends
            there, or ``NONE``; by default it ends only at vertices without edges. The edges of a
            vertex where it ends are ignored.
        owner: for each vertex the player to move there, 0 or 1; by default the players strictly
            alternate, and the value of a vertex is the same for either.
        no_moves: the outcome of a vertex without edges and without an entry in ``outcome``: LOSS is
            normal play, WIN misère, DRAW stalemate.
        endless: the player, 0 or 1, for whom play without end is a win, if vertices have owners; by
            default it is a draw.
        priorities: for each vertex its priority, a whole number from 0, which makes a parity game:
            the greatest that recurs for ever decides. It needs ``owner``, and allows none of
            ``outcome``, ``no_moves``, ``endless`` and ``table``.
        parity: the convention of the priorities; see ``solve_parity``.
        start: the vertex where the game starts, or None; answers that name no vertex, such as
            ``solution.value``, are then about this one.
        vertex_names: the names of the vertices in the solution, or None for their numbers.
        memory: the memory that the solve may use in addition to its arguments, in bytes or as
            ``"2GB"``; by default most of the system's free memory.
        threads: threads to use; by default as many as there are cores. The answer does not depend
            on it.
        table: the path of a file to save the solution to, which then answers from the file. It is
            the file that ``solution.save`` writes.
        overwrite: whether an existing file may be replaced, once the new one is complete.
        progress: called with an ``Event`` now and then, from this thread.

    Returns:
        The solution; ``solution[vertex]`` is the value of a vertex, and ``solution.arrays`` has all
        values (see ``GraphArrays``).

    Raises:
        ParameterError: the arrays are not a graph; the message names the entry. Or an argument
            does not go with ``priorities``.
        PositionError: the start is not a vertex.
        BudgetError: the graph needs more memory than is allowed.
        TableExistsError: there is a file at ``table``, and ``overwrite`` is False.
        TableBusyError: another process is solving into ``table``.
        TableWriteError: ``table`` cannot be written. If the solution was found, the error's
            ``solution`` has it.
    """
    if priorities is not None:
        arguments = {
            "outcome": outcome is not None,
            "no_moves": no_moves != LOSS,
            "endless": endless != NOBODY,
            "table": table is not None,
        }
        _check_unused(arguments)
        owners: Any = owner  # None is refused with the game's other faults
        game = ParityGame(
            np.asarray(indptr),
            np.asarray(indices),
            np.asarray(priorities),
            owners,
            parity,
            start,
            vertex_names,
        )
        return game.solve(memory=memory, threads=threads, progress=progress)
    # Imported here because the engine imports Numba, which takes long.
    from zermelo._cluster.connect import check_places
    from zermelo.graph.graph_job import GraphJob
    from zermelo.solution.solve_job import Resources

    resources = Resources.of_arguments(memory, threads, progress)
    check_places(table, None, overwrite=overwrite)
    graph = _arrays(indptr, indices, outcome, owner, no_moves)
    kind: Kind = WIN_DRAW_LOSS
    if endless != NOBODY or isinstance(endless, bool):
        if endless not in (0, 1) or isinstance(endless, bool) or owner is None:
            hint = "" if owner is not None else "; give owner, too"
            message = f"endless={endless!r} is not a player who may win; use 0, 1 or NOBODY"
            raise ParameterError(message + hint)
        kind = ENDLESS_WINS[endless]
    pairs = ((graph.first, indptr), (graph.edges, indices), (graph.outcome, outcome))
    copied_bytes = sum(
        array.nbytes
        for array, argument in (*pairs, (graph.owners, owner))
        if not _share_memory(array, argument)
    )
    job = GraphJob(graph, kind, vertex_names, start, copied_bytes, resources)
    if table is None:
        return job.solution()
    return job.solution_in_table(Path(table), overwrite=overwrite)


def _check_unused(arguments: Mapping[str, bool]) -> None:
    """Check that no argument is given that a parity game does not have.

    Args:
        arguments: whether each argument is given, by its name.

    Raises:
        ParameterError: one is given.
    """
    for name, is_given in arguments.items():
        if is_given:
            message = (
                f"{name} does not go with priorities, as a parity game has neither outcomes nor a "
                f"table; leave out {name} or priorities"
            )
            raise ParameterError(message)


def _arrays(
    indptr: npt.ArrayLike,
    indices: npt.ArrayLike,
    outcome: npt.ArrayLike | None,
    owner: npt.ArrayLike | None,
    no_moves: int,
) -> Arrays:
    """Return the arrays in the form that the engine reads, without copies if possible.

    Raises:
        ParameterError: they are not a graph. Faults that only a pass over all of ``indptr`` and
            ``outcome`` would find are left to the engine.
    """
    from zermelo._methods.explicit.graph_source import Arrays

    first = _integer_row("indptr", indptr)
    edges = _integer_row("indices", indices)
    if not len(first):
        message = "indptr is empty; give n + 1 places for n vertices, from 0"
        raise ParameterError(message)
    n = len(first) - 1
    if n > _MOST_VERTICES:
        message = f"there are {n:,} vertices, and 4,294,967,294 can be numbered; give fewer"
        raise ParameterError(message)
    if int(first[0]) != 0 or int(first[-1]) != len(edges):
        message = (
            f"indptr goes from {first[0]} to {first[-1]}; it must go from 0 to "
            f"{len(edges)}, the number of edges in indices"
        )
        raise ParameterError(message)
    lowest, highest = (int(edges.min()), int(edges.max())) if len(edges) else (0, -1)
    if lowest < 0 or highest >= n:
        place = int(np.argmin(edges) if lowest < 0 else np.argmax(edges))
        message = f"indices[{place}] is {edges[place]}; give vertices from 0 to {n - 1}"
        raise ParameterError(message)
    outcomes = _small_integer_row(
        "outcome", np.full(n, NONE, np.int8) if outcome is None else outcome, n, np.int8
    )
    owners = np.empty(0, np.uint8)
    if owner is not None:
        owners = _small_integer_row("owner", owner, n, np.uint8)
        if n and int(owners.max()) > 1:
            place = int(np.argmax(owners))
            message = f"owner[{place}] is {np.asarray(owner)[place]}; use 0 or 1"
            raise ParameterError(message)
    if isinstance(no_moves, bool) or no_moves not in _OUTCOMES:
        message = f"no_moves={no_moves!r} is not an outcome; use WIN, DRAW or LOSS"
        raise ParameterError(message)
    first, edges = (a.view(np.uint32) if a.dtype == np.int32 else a for a in (first, edges))
    return Arrays(first, edges, outcomes, owners, int(no_moves))


def _share_memory(array: npt.NDArray[Any], argument: object) -> bool:
    """Return whether an array may share memory with an argument of the caller."""
    return isinstance(argument, np.ndarray) and np.may_share_memory(array, argument)


def _integer_row(name: str, argument: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return a row of whole numbers as int32, uint32 or int64.

    Raises:
        ParameterError: it is not a row of whole numbers.
    """
    array = _as_row(name, argument)
    if array.dtype not in (np.int32, np.uint32, np.int64) or not array.dtype.isnative:
        if array.dtype == np.uint64 and array.size and int(array.max()) >= 1 << 63:
            message = f"{name} holds {array.max()}, past 63 bits; use smaller numbers"
            raise ParameterError(message)
        array = array.astype(np.int64)
    return np.ascontiguousarray(array)


def _small_integer_row(
    name: str, argument: npt.ArrayLike, n: int, dtype: npt.DTypeLike
) -> npt.NDArray[Any]:
    """Return a row with one small number per vertex.

    Raises:
        ParameterError: it has another length, or a number that is not small.
    """
    array = _as_row(name, argument)
    if len(array) != n:
        entries, vertices = count_phrase(len(array), "entries"), count_phrase(n, "vertices")
        message = f"{name} has {entries} for {vertices}; give one for each vertex"
        raise ParameterError(message)
    if array.dtype != dtype:
        limits = np.iinfo(dtype)
        outside = (array < limits.min) | (array > limits.max) if array.dtype != np.bool_ else None
        if outside is not None and outside.any():
            place = int(np.argmax(outside))
            message = (
                f"{name}[{place}] is {array[place]}, which is not allowed; see zermelo.graph.solve"
            )
            raise ParameterError(message)
        array = array.astype(dtype)
    return np.ascontiguousarray(array)


def _as_row(name: str, argument: npt.ArrayLike) -> npt.NDArray[Any]:
    try:
        array = np.asarray(argument)
    except ValueError:
        array = np.empty((0, 0))
    if array.size == 0 and array.ndim == 1:
        return array.astype(np.int64) if array.dtype.kind not in "iub" else array
    if array.ndim != 1 or array.dtype.kind not in "iub":
        form = f"an array of {array.dtype} with shape {array.shape}"
        message = f"{name} is {form}; give one row of whole numbers"
        raise ParameterError(message)
    return array
