"""What a solved graph answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.amounts import memory_bytes
from zermelo.errors import ParameterError, PositionError
from zermelo.graph.whole import Whole
from zermelo.progress import Listener, Reporter
from zermelo.values.answers import Line, Option, Verification, followed
from zermelo.values.outcomes import NOBODY, Outcome, Value

if TYPE_CHECKING:
    from zermelo._methods.explicit.parts import Source

#: A line of play is cut after so many moves.
_LONGEST_LINE = 100_000
_OUTCOMES = (-1, 0, 1)
#: Values that are kept to be given again.
_KEPT = 1 << 16


class GraphSolution(Whole):
    """A solved graph. Made by ``zermelo.graph.solve``, or opened by ``zermelo.graph.open``.

    ``solution[vertex]`` is the value of a vertex for the player to move there. Arrays have an
    entry for each vertex, in order of number.

    Attributes:
        choice: a sentence on how the solve went about it and why.
        phases: (name, wall seconds) of each phase of the solve.
        peak_bytes: the most memory the solve's arrays took at once, by its own reckoning.
        threads: threads the solve could use.
    """

    def __init__(
        self,
        source: Source,
        *,
        choice: str,
        phases: list[tuple[str, float]],
        peak_bytes: int,
        threads: int,
        names: Callable[[], Sequence[Hashable]] | None = None,
    ) -> None:
        """Keep what the engine found, or what reads it."""
        self._source = source
        self.choice = choice
        self.phases = phases
        self.peak_bytes = peak_bytes
        self.threads = threads
        self._names = names
        self._values: dict[int, Value] = {}  # those that have come up, by code

    # -- arrays -----------------------------------------------------------------------------------

    @property
    def outcome(self) -> npt.NDArray[np.int8]:
        """WIN, DRAW or LOSS (1, 0, -1) for the player to move at each vertex, int8."""
        return self._split[0]

    @property
    def remoteness(self) -> npt.NDArray[np.int32]:
        """Moves to the end under perfect play from each vertex, int32; -1 for an endless draw."""
        return self._split[1]

    @property
    def best_edge(self) -> npt.NDArray[np.int64]:
        """The place in ``indices`` of each vertex's first best edge, int64; -1 at an end.

        A best edge keeps the outcome and its remoteness: the quickest win, the slowest loss, the
        shortest way to a tie. So whoever follows these edges gets what the outcome says.
        """
        return self._strategy[0]

    @property
    def best(self) -> npt.NDArray[np.int64]:
        """The vertex that each vertex's first best edge leads to, int64; -1 at an end."""
        return self._strategy[1]

    @cached_property
    def winner(self) -> npt.NDArray[np.int8]:
        """The player who wins from each vertex, 0 or 1, int8; NOBODY (-1) where it is a draw.

        Raises:
            ParameterError: vertices have no owners, so that there are no first and second player.
        """
        owners = self._source.owners
        if not self._source.owned and len(self):
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
        return self._value(self._source.code(self._place(vertex)))

    def parse(self, text: str) -> Any:
        """Return the vertex that a text names: by its name, by that as JSON, or by its number.

        Args:
            text: such as ``"west door"``, ``"[0, 1]"`` for the name ``(0, 1)``, or ``"7"``.

        Raises:
            PositionError: there is no such vertex.
        """
        from zermelo.graph.names import meant

        for vertex in meant(text, self.nodes):
            if vertex in self:
                return vertex
        return self.nodes[self._place(text)]

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
        from zermelo._engine.column import codes

        place, source = self._place(vertex), self._source
        if source.outcomes(place, place + 1).item(0) in _OUTCOMES:
            return []
        begin, end = source.first(place, place + 1).tolist()
        options = []
        for target in source.targets(begin, end).tolist():
            same = source.owned and source.owner(place) == source.owner(target)
            value = self._value(source.code(target))
            seen = codes.seen_before(value.outcome, value.remoteness, same_mover=same)
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
        self._place(vertex)
        return followed(vertex, self.options, longest)

    # -- the whole of it --------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many vertices there are."""
        return self._source.vertices

    def __iter__(self) -> Iterator[Any]:
        """Go through the vertices."""
        return iter(self.nodes)

    def items(self) -> Iterator[tuple[Any, Value]]:
        """Go through the vertices with their values."""
        for node, code in zip(self.nodes, self._source.stored.tolist(), strict=True):
            yield node, self._value(code)

    def verify(
        self, *, memory: int | str | None = None, progress: Listener | None = None
    ) -> Verification:
        """Check the certificate: that every value follows from its successors' values.

        One pass along the edges as they were given, which uses nothing of the solver and accepts
        exactly the right values. Of a table that was opened, every block is compared with its
        checksum first; then the values are unpacked, and the edges part by part.

        Args:
            memory: what may be taken beside the solution, as for ``solve``. From a table it takes
                two bytes a vertex at the least (four where remoteness passes 16,382, and one more
                where vertices have owners), and some megabytes.
            progress: called with an ``Event`` now and then.

        Returns:
            What was found; true where every value is right, and if not, a sentence on the first
            vertex that is wrong, and the vertex.

        Raises:
            CorruptTableError: the file of the table is damaged.
            BudgetError: the memory is too little.
        """
        from zermelo._engine.core.ledger import allowed_bytes
        from zermelo._methods.explicit.driver import certify

        report, source = Reporter(progress), self._source
        room = source.room(self.threads, allowed_bytes(memory_bytes(memory)))
        with report.phase("checksums"):
            source.check()
        fault = certify(source, room.threads, report, room.batch)
        problem = node = None
        if fault is not None:
            place, code = fault
            node, stored = self.nodes[place], self._value(source.code(place))
            problem = f"{node!r} is called {stored}, and its edges make it {self._value(code)}"
        return Verification(
            ok=fault is None,
            positions=len(self),
            moves=source.edges,
            problem=problem,
            seconds=sum(seconds for _, seconds in report.phases),
            position=node,
        )

    @property
    def seconds(self) -> float:
        """Wall seconds the solve took."""
        return sum(seconds for _, seconds in self.phases)

    def __repr__(self) -> str:
        """Return a line with the size of the graph and the counts."""
        counts = self.counts()
        return (
            f"<GraphSolution of {len(self):,} vertices and {self._source.edges:,} edges: "
            f"{counts.win:,} win, {counts.draw:,} draw, {counts.loss:,} loss>"
        )

    # -- numbers and values -----------------------------------------------------------------------

    @cached_property
    def _strategy(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        from zermelo._methods.explicit.driver import strategy

        return strategy(self._source, self.threads)

    @cached_property
    def _split(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
        from zermelo._methods.explicit.driver import split

        outcome, remoteness = split(self._source.stored, self._source.scale)
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
        known = self._values.get(code)
        if known is None:
            from zermelo._engine.column import codes
            from zermelo._methods.explicit.driver import wide_code

            outcome, remoteness = codes.decode(wide_code(code, self._source.scale))
            known = Value(Outcome(outcome), remoteness)
            if len(self._values) < _KEPT:
                self._values[code] = known
        return known
