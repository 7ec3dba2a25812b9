"""What a solved graph answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.answers import Counts, Line, Option, Verification
from zermelo.errors import ParameterError, PositionError
from zermelo.progress import Listener, Reporter
from zermelo.values import NOBODY, Outcome, Value

if TYPE_CHECKING:
    from zermelo._engine.codes import Scale
    from zermelo._engine.explicit import Arrays

#: A line of play is cut after so many moves.
_LONGEST_LINE = 100_000


class GraphSolution:
    """A solved graph. Made by ``zermelo.graph.solve``.

    ``solution[vertex]`` is the value of a vertex for the player to move there. Arrays have an
    entry for each vertex, in order of number.

    Attributes:
        nodes: the names of the vertices, where the graph came from networkx; else their numbers.
        choice: a sentence on how the solve went about it and why.
        phases: (name, wall seconds) of each phase of the solve.
        peak_bytes: the most memory the solve's arrays took at once, by its own reckoning.
        threads: threads the solve could use.
    """

    def __init__(
        self,
        graph: Arrays,
        stored: npt.NDArray[Any],
        scale: Scale,
        *,
        choice: str,
        phases: list[tuple[str, float]],
        peak_bytes: int,
        threads: int,
    ) -> None:
        """Keep what the engine found."""
        self._graph = graph
        self._stored = stored
        self._scale = scale
        self.nodes: Sequence[Hashable] = range(graph.vertices)
        self.choice = choice
        self.phases = phases
        self.peak_bytes = peak_bytes
        self.threads = threads

    # -- arrays -----------------------------------------------------------------------------------

    @property
    def outcome(self) -> npt.NDArray[np.int8]:
        """WIN, DRAW or LOSS (1, 0, -1) for the player to move at each vertex, int8."""
        return self._split[0]

    @property
    def remoteness(self) -> npt.NDArray[np.int32]:
        """Moves to the end under perfect play from each vertex, int32; -1 for an endless draw."""
        return self._split[1]

    @cached_property
    def best_edge(self) -> npt.NDArray[np.int64]:
        """The place in ``indices`` of each vertex's first best edge, int64; -1 at an end.

        A best edge keeps the outcome and its remoteness: the quickest win, the slowest loss, the
        shortest way to a tie. So whoever follows these edges gets what the outcome says.
        """
        from zermelo._engine.explicit import strategy

        return strategy(self._graph, self._stored, self._scale, self.threads)

    @cached_property
    def best(self) -> npt.NDArray[np.int64]:
        """The vertex that each vertex's first best edge leads to, int64; -1 at an end."""
        edges = self._graph.edges
        if not len(edges):
            return np.full(len(self), -1, np.int64)
        return np.where(self.best_edge < 0, -1, edges[self.best_edge].astype(np.int64))

    @cached_property
    def winner(self) -> npt.NDArray[np.int8]:
        """The player who wins from each vertex, 0 or 1, int8; NOBODY (-1) where it is a draw.

        Raises:
            ParameterError: vertices have no owners, so that there are no first and second player.
        """
        owners = self._graph.owners
        if len(owners) != len(self):
            message = "there is no winner where vertices have no owner; give owner= to solve"
            raise ParameterError(message)
        winner = np.where(self.outcome > 0, owners, 1 - owners).astype(np.int8)
        winner[self.outcome == 0] = NOBODY
        return winner

    # -- one vertex -------------------------------------------------------------------------------

    def __getitem__(self, vertex: Any) -> Value:
        """Return the value of a vertex for the player to move there.

        Raises:
            PositionError: there is no such vertex. ``get`` returns a default instead.
        """
        return self._value(int(self._stored[self._place(vertex)]))

    def get(self, vertex: Any, default: Value | None = None) -> Value | None:
        """Return the value of a vertex, or ``default`` where there is no such vertex."""
        try:
            return self[vertex]
        except PositionError:
            return default

    def __contains__(self, vertex: Any) -> bool:
        """Whether there is such a vertex."""
        return self.get(vertex) is not None

    def options(self, vertex: Any) -> list[Option]:
        """Return every edge from a vertex with what it is worth to the mover, best first.

        Edges of equal worth stay in their order. A move is the vertex it leads to.

        Raises:
            PositionError: there is no such vertex.
        """
        from zermelo._engine import codes

        place = self._place(vertex)
        graph = self._graph
        if graph.outcome[place] in (-1, 0, 1):
            return []
        options = []
        for target in graph.edges[int(graph.first[place]) : int(graph.first[place + 1])].tolist():
            same = bool(len(graph.owners)) and graph.owners[place] == graph.owners[target]
            value = self._value(int(self._stored[target]))
            seen = codes.seen_before(value.outcome, value.remoteness, same_mover=bool(same))
            node = self.nodes[target]
            found = Value(Outcome(seen[0]), seen[1])
            options.append((codes.encode(*seen), Option(node, str(node), node, found)))
        options.sort(key=lambda option: -option[0])
        return [option for _, option in options]

    def line(self, vertex: Any, *, longest: int = _LONGEST_LINE) -> Line:
        """Return a line of perfect play: the first best edge each time.

        Args:
            vertex: where to begin.
            longest: moves after which the line is cut.

        Raises:
            PositionError: there is no such vertex.
        """
        line = Line(vertex, [], [], "terminal")
        self._place(vertex)
        seen = {vertex}
        while len(line.moves) < longest:
            options = self.options(vertex)
            if not options:
                return line
            vertex = options[0].position
            line.moves.append(vertex)
            line.positions.append(vertex)
            if vertex in seen:
                line.ends = "repeats"
                return line
            seen.add(vertex)
        line.ends = "cut"
        return line

    # -- the whole of it --------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many vertices there are."""
        return len(self._stored)

    def __iter__(self) -> Iterator[Any]:
        """Go through the vertices."""
        return iter(self.nodes)

    def items(self) -> Iterator[tuple[Any, Value]]:
        """Go through the vertices with their values."""
        for node, code in zip(self.nodes, self._stored.tolist(), strict=True):
            yield node, self._value(code)

    def counts(self) -> Counts:
        """Return how many vertices there are of each outcome and remoteness."""
        from zermelo._engine.explicit import tally

        return Counts.of_codes(tally(self._stored, self._scale))

    def verify(self, *, progress: Listener | None = None) -> Verification:
        """Check the certificate: that every value follows from its successors' values.

        One pass along the edges as they were given, which uses nothing of the solver and accepts
        exactly the right values.

        Args:
            progress: called with an ``Event`` now and then.
        """
        from zermelo._engine.explicit import certify

        report = Reporter(progress)
        fault = certify(self._graph, self._stored, self._scale, self.threads, report)
        problem = None
        if fault is not None:
            place, code = fault
            name, stored = self.nodes[place], self._value(int(self._stored[place]))
            problem = f"{name!r} is called {stored}, and its edges make it {self._value(code)}"
        return Verification(
            ok=fault is None,
            positions=len(self),
            moves=len(self._graph.edges),
            problem=problem,
            seconds=report.phases[-1][1],
        )

    @property
    def seconds(self) -> float:
        """Wall seconds the solve took."""
        return sum(seconds for _, seconds in self.phases)

    def __repr__(self) -> str:
        """Return a line with the size of the graph and the counts."""
        counts = self.counts()
        return (
            f"<GraphSolution of {len(self):,} vertices and {len(self._graph.edges):,} edges: "
            f"{counts.win:,} win, {counts.draw:,} draw, {counts.loss:,} loss>"
        )

    # -- numbers and values -----------------------------------------------------------------------

    @cached_property
    def _split(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
        from zermelo._engine.explicit import split

        outcome, remoteness = split(self._stored, self._scale)
        return outcome, remoteness

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {node: i for i, node in enumerate(self.nodes)}

    def _place(self, vertex: Any) -> int:
        """Return the number of a vertex.

        Raises:
            PositionError: there is no such vertex.
        """
        if isinstance(self.nodes, range):
            try:
                place = index(vertex)
            except TypeError:
                place = -1
            if 0 <= place < len(self):
                return place
            expected = f"give a number from 0 to {len(self) - 1}"
        else:
            try:
                return self._numbers[vertex]
            except (KeyError, TypeError):
                expected = "give a node of the graph"
        message = f"{vertex!r} is not a vertex; {expected}"
        raise PositionError(message)

    def _value(self, code: int) -> Value:
        from zermelo._engine import codes
        from zermelo._engine.explicit import wide_code

        outcome, remoteness = codes.decode(wide_code(code, self._scale))
        return Value(Outcome(outcome), remoteness)
