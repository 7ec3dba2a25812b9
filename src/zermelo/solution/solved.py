"""What a solution answers from: rules, and a table of the values of their positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo.errors import PositionError
from zermelo.solution.fast_probe import FastProber

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo._store.column_files import Cells, Cost, SheetColumn
    from zermelo.analysis import Analysis
    from zermelo.analysis.run import AnalysisOptions
    from zermelo.analysis.survey import Survey
    from zermelo.progress import Reporter
    from zermelo.rules.layout import Layout
    from zermelo.rules.view import RulesView
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Counts, Verification

    Decode = Callable[[int], Value]


class SolutionRows(Protocol):
    """What rows are made from, and of what columns they are."""

    columns: list[SheetColumn]

    def __len__(self) -> int:
        """Return how many there are."""

    def about(self, method: str, choice: str) -> dict[str, Any]:
        """Return what the file says of itself."""

    def planned(
        self, cost: Cost, threads: int, ledger: Ledger, report: Reporter
    ) -> AbstractContextManager[int]:
        """Have what is read ready meanwhile, and tell how many threads work rows out.

        Args:
            cost: what writing takes.
            threads: threads there are.
            ledger: what may be taken.
            report: is told what is loaded.

        Raises:
            BudgetError: these are too few.
        """

    def chunks(self) -> Iterator[Any]:
        """Scan what stands for all rows, many at once."""

    def work(self, chunk: Any) -> Any:
        """Work rows out; threads may do so at the same time."""

    def cells(self, worked: Any) -> Iterable[list[Cells]]:
        """Return these rows as the cells of each column, once or several times; one thread asks."""


class Solved(ABC):
    """Rules, and the values of their positions: a game, a pursuit or a graph that was solved.

    Attributes:
        rules: the rules.
        table: the values.
        layout: how positions are packed.
        folded: whether one position stands for all that symmetries make one.
        counted_as: what is counted, where it is not positions or classes of them.
        summands: what it is a sum of, with their names, where each is checked by itself.
    """

    rules: RulesView
    table: Table
    layout: Layout
    folded = False
    counted_as = ""
    summands: Sequence[tuple[str, Solved]] = ()

    @abstractmethod
    def arrays(self, threads: int) -> Any:
        """Return what it comes to as arrays."""

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once; none where there is no start."""
        return tuple(self.positions(np.asarray(self.table.starts, np.int64)))

    def start(self) -> Any:
        """Return the position it begins in.

        Raises:
            PositionError: there is none.
        """
        return self.position(self._start_place())

    def start_code(self) -> int:
        """Return the code of that position.

        Raises:
            PositionError: there is none.
        """
        return self.table.value(self._start_place())

    def _start_place(self) -> int:
        if not len(self.table.starts):
            message = "there is no start; give a position"
            raise PositionError(message)
        return int(self.table.starts[0])

    # -- what is not known yet, as along a proof ------------------------------------------------

    def settle(self, position: Any, seconds: float | None, report: Reporter) -> None:  # noqa: B027  # tables know
        """Find out what a position is worth, if that is not known.

        Args:
            position: the position.
            seconds: the most that it may take; None for as many as it takes.
            report: is told how far it is.
        """

    # -- positions and places ---------------------------------------------------------------------

    @abstractmethod
    def place(self, position: Any) -> int:
        """Return the place of a position.

        Raises:
            PositionError: there is no such position.
        """

    def found(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and what tells winning moves to equal codes apart.

        That is something that shrinks along the moves that come nearer to the end, where codes do
        not tell which those are; else 0.

        Raises:
            PositionError: there is no such position.
        """
        place = self.place(position)
        code = self.table.value(place)
        if self.table.kind.descends:
            return code, 0
        # Steps, and not potentials, are what a file of the table has.
        return code, int(self.table.steps(np.array([place]))[0])

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the places of many positions, -1 where there is no such position.

        Raises:
            PositionError: the argument is not positions at all.
        """
        return np.array([self._place_or_none(each) for each in self.many(positions)], np.int64)

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]:
        """Return which of many positions have a value here, and the codes of those.

        Raises:
            PositionError: the argument is not positions at all.
        """
        places = self.places(positions)
        found = places >= 0
        return found, self.table.values(places[found])

    def _place_or_none(self, position: Any) -> int:
        try:
            return self.place(position)
        except PositionError:
            return -1

    def many(self, positions: Any) -> Iterable[Any]:
        """Return what is to be many positions.

        Raises:
            PositionError: it is not.
        """
        if isinstance(positions, Iterable) and not isinstance(positions, str):
            return positions
        message = f"expected many positions of {self.rules.name}, not {positions!r}; give a list"
        raise PositionError(message)

    def missing(self, position: Any) -> PositionError:
        """Return the error that says that a position is not here."""
        try:
            self.place(position)
        except PositionError as error:
            return error
        return PositionError(f"{position!r} is not here; verify the table")

    def position(self, place: int) -> Any:
        """Return the position at a place."""
        return self.positions(np.array([place]))[0]

    def positions(self, places: npt.NDArray[np.int64]) -> Sequence[Any]:
        """Return the positions at places."""
        rows = self.layout.unpack_many(self.table.packed(places))
        return [self.layout.build(flat) for flat in rows.tolist()]

    def plain(self, position: Any) -> Any:
        """Return a position that is here as the rules write it, of plain integers."""
        return self.position(self.place(position))

    def passed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the places of the same positions with the other player to move, -1 for none.

        Raises:
            RulesError: the rules do not say which these are.
        """
        return self.places([self.rules.pass_turn(each) for each in self.positions(places)])

    def reasons(self, position: Any) -> Iterable[str]:  # noqa: ARG002  # most have none
        """Return sentences on why a position has its value, beyond what its moves say."""
        return ()

    def prober(self, decode: Decode) -> Callable[[Any], Value | None] | None:
        """Return what tells one position's value quickly, or None of it where it takes longer."""
        return FastProber(self.layout, self.table, decode)

    # -- the whole of it --------------------------------------------------------------------------

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # one counts
        """Return how many positions there are of each value, classes of them unfolded."""
        return self.table.kind.counts(self.table.tally())

    def with_summand(self, summand: int, position: Any) -> Any:
        """Return the start with another position of one of the ``summands``."""
        raise NotImplementedError

    def confirmed(self, counts: dict[str, int]) -> dict[str, Any]:
        """Return what its file has to say of it, as that follows from its rules and its values.

        Args:
            counts: how many positions there are of each outcome.

        Returns:
            Part of the header: of what it says of the table, only what could be otherwise.
        """
        raise NotImplementedError  # a sum has no file

    def verified(self, report: Reporter) -> Verification | None:  # noqa: ARG002  # most are tables
        """Return what a check of its own finds, or None where ``checked`` compares every value."""
        return None

    @abstractmethod
    def checked(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check that each value follows from its successors', within the memory of a ledger.

        Raises:
            BudgetError: they are too few.
            CorruptTableError: a file is damaged.
        """

    @property
    def clusters(self) -> bool:
        """Whether workers can share in the check, by ``checked_by``."""
        return False

    def checked_by(
        self,
        workers: WorkerPool,  # noqa: ARG002  # see games
        threads: int,
        ledger: Ledger,
        report: Reporter,
    ) -> Finding:
        """Check it as ``checked`` does, with the help of workers.

        Raises:
            BudgetError: the memory is too little.
            ClusterError: workers cannot be used, or are lost.
            CorruptTableError: a file is damaged.
        """
        return self.checked(threads, ledger, report)

    @abstractmethod
    def survey(self) -> Survey:
        """Return its positions, with their values and moves, to scan all of them.

        Raises:
            ParameterError: these are not positions that are played.
        """

    def analysed(
        self, solution: Any, counts: Counts, wanted: AnalysisOptions, report: Reporter
    ) -> Analysis:
        """Work out what it is like to play."""
        from zermelo.analysis.run import analysed

        return analysed(solution, self.survey(), counts, wanted, report)

    @abstractmethod
    def save(
        self,
        path: str | os.PathLike[str],
        *,
        portable: bool,
        method: str,
        choice: str,
        overwrite: bool,
        threads: int,
        ledger: Ledger,
        report: Reporter,
    ) -> Path:
        """Write it to a file."""

    @abstractmethod
    def rows(self, *, moves: bool) -> SolutionRows:
        """Return every position with its value as rows of columns, with best moves or without."""

    def close(self) -> None:
        """Close the file that it answers from, if there is one."""
        self.table.close()
