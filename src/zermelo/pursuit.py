"""Pursuit on graphs without writing a game: who catches whom, in how many plies, from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from zermelo.adjacency import Adjacency, adjacency, components, is_symmetric, restricted
from zermelo.amounts import memory_bytes, thread_count
from zermelo.errors import ParameterError, PositionError
from zermelo.progress import Listener, Reporter
from zermelo.values import DRAW, LOSS, WIN, Value

if TYPE_CHECKING:
    from zermelo._engine.pursuit_board import Board

#: The most pursuers: places for them multiply.
MOST_PURSUERS = 3


@dataclass(frozen=True, repr=False)
class Chase:
    """What ``zermelo.pursuit`` found: for every placement, who wins and in how many plies.

    A placement is the evader's node and each pursuer's, with a turn: 0 when the evader moves
    next, 1 when the pursuers do, or where they move one after another the first of them, then 2
    and 3 for the others. Arrays have one axis for the evader and one for each pursuer, in this
    order.

    Attributes:
        nodes: nodes of the graph.
        pursuers: how many pursuers there are.
        turns: how many turns there are: 2 where all pursuers move together.
        forbidden: whether each node is one where no pursuer may be; nobody wins at a placement
            that has one there, as it does not exist.
        rounds: plies of the longest chase that is decided.
        choice: how it was solved, and what was done where there was little memory.
        peak_bytes: the most memory the solve's arrays took, by its own reckoning.
        phases: (name, wall seconds) of each phase of the solve.
    """

    nodes: int
    pursuers: int
    turns: int
    forbidden: npt.NDArray[np.bool_]
    rounds: int
    choice: str
    peak_bytes: int
    phases: list[tuple[str, float]]
    _marks: tuple[npt.NDArray[Any], ...]

    def winners(self, turn: int = 0) -> npt.NDArray[np.int8]:
        """Return who wins from every placement: 1 the evader, -1 the pursuers, 0 nobody.

        Args:
            turn: whose turn it is; see the class.
        """
        signs: npt.NDArray[np.int8] = np.sign(self._placed(turn)).astype(np.int8)
        return signs if turn == 0 else -signs

    def plies(self, turn: int = 0) -> npt.NDArray[np.int32]:
        """Return the plies to the end from every placement, -1 where there is none.

        The winner hurries and the loser delays.

        Args:
            turn: whose turn it is; see the class.
        """
        marks = self._placed(turn)
        return np.abs(marks.astype(np.int32)) - 1

    def value(self, evader: int, *pursuers: int, turn: int = 0) -> Value:
        """Return the value of one placement for the player to move.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see the class.

        Raises:
            PositionError: there is no such placement.
        """
        marks = self._placed(turn)
        placement = (evader, *pursuers)
        if len(pursuers) != self.pursuers:
            message = f"placement {placement!r} has {len(pursuers)} pursuers; name {self.pursuers}"
            raise PositionError(message)
        for node in placement:
            if not 0 <= node < self.nodes:
                message = f"placement {placement!r} has a node {node!r}; use 0 to {self.nodes - 1}"
                raise PositionError(message)
        if self.forbidden[list(pursuers)].any():
            message = f"placement {placement!r} has a pursuer where none may be; move it"
            raise PositionError(message)
        mark = int(marks[placement])
        if mark == 0:
            return Value(DRAW)
        return Value(WIN if mark > 0 else LOSS, abs(mark) - 1)

    def winner(self, evader: int, *pursuers: int, turn: int = 0) -> str | None:
        """Return who wins from one placement: ``"evader"``, ``"pursuers"`` or None.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see the class.

        Raises:
            PositionError: there is no such placement.
        """
        outcome = self.value(evader, *pursuers, turn=turn).outcome
        if outcome is DRAW:
            return None
        return "evader" if (outcome is WIN) == (turn == 0) else "pursuers"

    def __repr__(self) -> str:
        """Return a line with the size of the pursuit and how long its chases get."""
        return (
            f"<Chase of {self.pursuers} on {self.nodes:,} nodes: "
            f"decided in at most {self.rounds:,} plies>"
        )

    def _placed(self, turn: int) -> npt.NDArray[Any]:
        """Return the marks of a turn with the evader's axis first."""
        if not 0 <= turn < self.turns:
            message = f"turn={turn!r} is none of this chase; use 0 to {self.turns - 1}"
            raise ParameterError(message)
        marks = self._marks[turn]
        if turn == 0:
            return marks.reshape((self.nodes,) * (1 + self.pursuers))
        return np.moveaxis(marks.reshape((self.nodes,) * (self.pursuers + 1)), -1, 0)


def pursuit(
    evader_graph: Any,
    pursuer_graph: Any = None,
    *,
    pursuers: int | Sequence[Any] = 1,
    safe: Iterable[int] = (),
    forbidden: Iterable[int] = (),
    together: bool = True,
    may_stay: bool | Literal["evader", "pursuers"] = False,
    stuck: Literal["stay", "lose"] = "stay",
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> Chase:
    """Solve a pursuit on a graph for every placement, whoever moves next.

    An evader and one to three pursuers stand on nodes. The sides move in turn, each along the
    edges of its own graph. The evader has won on a safe node; if it is not on one, the pursuers
    have won when one of them is on its node, whoever moved there.

    Args:
        evader_graph: where the evader can go: a list of lists of nodes, a networkx graph, a scipy
            sparse matrix, or the arrays ``(indptr, indices)``. Edges may be directed, and a loop
            is a move that stays.
        pursuer_graph: the same for the pursuers; by default the evader's.
        pursuers: how many there are, or a list of their graphs, one each.
        safe: nodes where the evader has won.
        forbidden: nodes that no pursuer may enter.
        together: whether all pursuers move in one turn; otherwise one after another, each in a
            turn of its own, and then the evader.
        may_stay: whether staying is a move everywhere: for both sides, for one, or for none.
        stuck: what one without a move does: ``"stay"``, or ``"lose"`` (for pursuers who move
            together, if one of them has none).
        memory: what the solve may take, in bytes or as ``"2GB"``; by default most of what the
            system has left. Where the times do not fit, they go to disk.
        threads: threads to use; by default as many as there are cores.
        progress: called with an ``Event`` now and then.

    Raises:
        ParameterError: an argument makes no sense.
        BudgetError: it needs more memory than is allowed.
    """
    graphs = _graphs(evader_graph, pursuer_graph, pursuers)
    if may_stay not in (False, True, "evader", "pursuers") or stuck not in ("stay", "lose"):
        message = f"may_stay={may_stay!r} with stuck={stuck!r}; use True, False, 'evader' or "
        raise ParameterError(message + "'pursuers' with 'stay' or 'lose'")
    from zermelo._engine.pursuit_board import Board, flags, moves

    size = len(graphs[0][0]) - 1
    barred = flags(_nodes("forbidden", forbidden, size), size)
    waits = [may_stay is True or may_stay == side for side in ("evader", "pursuers")]
    stays = stuck == "stay"
    evader = moves(*graphs[0], waits=waits[0], stays_if_stuck=stays)
    alike = waits[0] == waits[1] and not barred.any()
    made: dict[int, Any] = {id(graphs[0]): evader} if alike else {}
    for graph in graphs[1:]:
        if id(graph) not in made:
            made[id(graph)] = moves(*graph, barred, waits=waits[1], stays_if_stuck=stays)
    board = Board(
        evader,
        tuple(made[id(graph)] for graph in graphs[1:]),
        flags(_nodes("safe", safe, size), size),
        barred,
        together or len(graphs) == 2,  # noqa: PLR2004  # the evader's and one more
    )
    del graphs  # copied, where they came in another form than the engine's
    return _chase(board, memory, threads, progress)


def cop_number(graph: Any, *, memory: int | str | None = None, threads: int | None = None) -> int:
    """Return how many cops it takes to catch a robber on a graph, if up to three do.

    The game is Cops and Robbers as in A. Bonato and R. J. Nowakowski, "The Game of Cops and
    Robbers on Graphs" (American Mathematical Society, 2011): edges have no direction; the cops
    choose their nodes, then the robber; the cops move first; each may stay or follow an edge; and
    cops may share a node. On a graph in parts, each part needs its own.

    Args:
        graph: a graph in any form that ``pursuit`` takes, each edge listed at both its ends.
        memory: what the solve may take.
        threads: threads to use.

    Raises:
        ParameterError: the graph is none, or some part of it needs more than three cops.
        BudgetError: it needs more memory than is allowed.
    """
    whole = _undirected(graph)
    label = components(whole)
    total = 0
    for root in np.unique(label):
        part = restricted(whole, np.flatnonzero(label == root))
        for cops in range(1, MOST_PURSUERS + 1):
            if _capture(part, cops, memory, threads) is not None:
                total += cops
                break
        else:
            message = f"a part of the graph, with node {int(root)}, needs more than "
            message += f"{MOST_PURSUERS} cops; no more than these are tried"
            raise ParameterError(message)
    return total


def capture_time(
    graph: Any, cops: int = 1, *, memory: int | str | None = None, threads: int | None = None
) -> int | None:
    """Return in how many of their moves cops catch a robber who delays, or None if they cannot.

    The game is that of ``cop_number``. The cops choose the places that serve them best, the
    robber then the one that serves it best, and the capture time is the number of rounds after
    that, each a move of the cops and (but for the last) one of the robber: A. Bonato,
    P. Golovach, G. Hahn and J. Kratochvíl, "The capture time of a graph", Discrete Mathematics
    309 (2009).

    Args:
        graph: a graph in any form that ``pursuit`` takes, each edge listed at both its ends.
        cops: how many there are, one to three.
        memory: what the solve may take.
        threads: threads to use.

    Raises:
        ParameterError: the graph is none, or the number of cops is not one to three.
        BudgetError: it needs more memory than is allowed.
    """
    return _capture(_undirected(graph), cops, memory, threads)


def _capture(
    graph: Adjacency, cops: int, memory: int | str | None, threads: int | None
) -> int | None:
    chase = pursuit(graph, pursuers=cops, may_stay=True, memory=memory, threads=threads)
    marks = chase._marks[1]  # noqa: SLF001  # by team of cops, then by the robber's node
    caught = marks.min(axis=1) > 0
    if not caught.any():
        return None
    # Remoteness is odd, or 0 where the robber begins on a cop; a mark is one more.
    return int(marks.max(axis=1)[caught].min()) // 2


def _undirected(graph: Any) -> Adjacency:
    arrays = adjacency("graph", graph)
    if not is_symmetric(arrays):
        message = "graph has an edge that is listed at one of its ends only; list it at both"
        raise ParameterError(message)
    return arrays


def _graphs(
    evader_graph: Any, pursuer_graph: Any, pursuers: int | Sequence[Any]
) -> list[Adjacency]:
    """Return the evader's graph and each pursuer's, the same object where they are the same."""
    evader = adjacency("evader_graph", evader_graph)
    if isinstance(pursuers, Sequence) and not isinstance(pursuers, str):
        if pursuer_graph is not None:
            message = "pursuers are given as graphs, and so is pursuer_graph; leave out one of them"
            raise ParameterError(message)
        theirs = [adjacency(f"pursuers[{i}]", graph) for i, graph in enumerate(pursuers)]
    else:
        given: Any = pursuers
        if isinstance(given, bool) or not isinstance(given, int):
            message = f"pursuers={given!r} is no number; use 1 to {MOST_PURSUERS}"
            raise ParameterError(message)
        shared = evader if pursuer_graph is None else adjacency("pursuer_graph", pursuer_graph)
        theirs = [shared] * given
    if not 1 <= len(theirs) <= MOST_PURSUERS:
        message = f"pursuers={pursuers!r} is not 1 to {MOST_PURSUERS} of them; use that many"
        raise ParameterError(message)
    for graph in theirs:
        if len(graph[0]) != len(evader[0]):
            message = (
                f"graphs of {len(evader[0]) - 1} and {len(graph[0]) - 1} nodes; give the evader "
                "and the pursuers the same nodes"
            )
            raise ParameterError(message)
    return [evader, *theirs]


def _nodes(name: str, nodes: Iterable[int], size: int) -> list[int]:
    listed = []
    for node in nodes:
        try:
            number = index(node)
        except TypeError:
            number = -1
        if not 0 <= number < size:
            message = f"{name} names {node!r}, which is no node; use 0 to {size - 1}"
            raise ParameterError(message)
        listed.append(number)
    return listed


def _chase(
    board: Board, memory: int | str | None, threads: int | None, progress: Listener | None
) -> Chase:
    from zermelo._engine.budget import allowed_bytes
    from zermelo._engine.pursuit import solve

    report = Reporter(progress)
    allowed = allowed_bytes(memory_bytes(memory))
    found = solve(board, allowed, thread_count(threads), report)
    how = f"by rows of bits: {found.rounds} rounds" + (f", {found.how}" if found.how else "")
    return Chase(
        board.size,
        len(board.pursuers),
        board.turns,
        board.forbidden,
        found.rounds,
        how,
        found.peak,
        report.phases,
        tuple(found.marks),
    )
