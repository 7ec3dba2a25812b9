"""The base of solutions: rules, and a table of the values of their positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo.errors import PositionError
from zermelo.solution.fast_probe import FastProber

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo._store.column_files import Cells, Cost, SheetColumn
    from zermelo._store.save_options import SaveOptions
    from zermelo.analysis import Analysis
    from zermelo.analysis.run import AnalysisOptions
    from zermelo.analysis.survey import Survey
    from zermelo.progress import Reporter
    from zermelo.rules.layout import Layout
    from zermelo.rules.view import Answering, RulesView
    from zermelo.values.kind import Codes
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Counts, Verification

    Decode = Callable[[int], Value]


class SolutionRows(Protocol):
    """The rows of a solution, with their columns."""

    columns: list[SheetColumn]

    def __len__(self) -> int:
        """Return the number of rows."""

    def description(self, method: str, choice: str) -> dict[str, Any]:
        """Return the description that the file contains."""

    def prepare(
        self, cost: Cost, threads: int, ledger: Ledger, report: Reporter
    ) -> AbstractContextManager[int]:
        """Prepare the table for reading, and give the number of threads that compute rows.

        Args:
            cost: the memory that writing takes.
            threads: the available threads.
            ledger: the memory budget.
            report: receives the progress of loading.

        Raises:
            BudgetError: the memory is too little.
        """

    def chunks(self) -> Iterator[Any]:
        """Yield chunks that represent all rows, many rows each."""

    def compute(self, chunk: Any) -> Any:
        """Compute rows; threads may do so at the same time."""

    def cells(self, computed: Any) -> Iterable[list[Cells]]:
        """Return these rows as the cells of each column, in one or more groups.

        One thread calls this.
        """


class Solved(ABC):
    """Rules, and the values of their positions: a game, a pursuit or a graph that was solved.

    Attributes:
        rules: the rules.
        table: the values.
        layout: how positions are packed.
        folded: whether equivalent positions are stored as one canonical position.
        counted_as: the noun for the positions in counts, if not positions or classes of them.
        summands: the summands of a sum with their names, if each is checked by itself.
    """

    rules: RulesView
    table: Table
    layout: Layout
    folded = False
    counted_as = ""
    summands: Sequence[tuple[str, Solved]] = ()

    @abstractmethod
    def arrays(self, threads: int) -> Any:
        """Return the values as arrays."""

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once; () if there is no start."""
        return tuple(self.positions(np.asarray(self.table.starts, np.int64)))

    def start(self) -> Any:
        """Return the start.

        Raises:
            PositionError: there is none.
        """
        return self.position(self._start_place())

    def start_code(self) -> int:
        """Return the code of the start.

        Raises:
            PositionError: there is none.
        """
        return self.table.value(self._start_place())

    def _start_place(self) -> int:
        if not len(self.table.starts):
            message = "there is no start; give a position"
            raise PositionError(message)
        return int(self.table.starts[0])

    # -- unknown values, as along a proof -------------------------------------------------------

    def settle(self, position: Any, seconds: float | None, report: Reporter) -> None:  # noqa: B027  # tables know
        """Determine the value of a position, if it is not known.

        Args:
            position: the position.
            seconds: the time limit; None for no limit.
            report: receives the progress.
        """

    # -- positions and places ---------------------------------------------------------------------

    @abstractmethod
    def place(self, position: Any) -> int:
        """Return the index of a position.

        Raises:
            PositionError: there is no such position.
        """

    def code_and_tiebreak(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and an order among winning moves with equal codes.

        The order decreases along moves that come nearer to the end, if codes do not show that;
        otherwise it is 0.

        Raises:
            PositionError: there is no such position.
        """
        place = self.place(position)
        code = self.table.value(place)
        if self.table.kind.descends:
            return code, 0
        # A file of the table contains steps, and not potentials.
        return code, int(self.table.steps(np.array([place]))[0])

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the indices of many positions, -1 if there is no such position.

        Raises:
            PositionError: the argument is not positions at all.
        """
        return np.array(
            [self._place_or_none(position) for position in self.position_list(positions)], np.int64
        )

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], Codes]:
        """Return a mask of the positions that have a value here, and the codes of those.

        Raises:
            PositionError: the argument is not positions at all.
        """
        places = self.places(positions)
        has_value = places >= 0
        return has_value, self.table.values(places[has_value])

    def _place_or_none(self, position: Any) -> int:
        try:
            return self.place(position)
        except PositionError:
            return -1

    def position_list(self, positions: Any) -> Iterable[Any]:
        """Return an argument that should be many positions.

        Raises:
            PositionError: it is not.
        """
        if isinstance(positions, Iterable) and not isinstance(positions, str):
            return positions
        message = f"expected many positions of {self.rules.name}, not {positions!r}; give a list"
        raise PositionError(message)

    def missing_error(self, position: Any) -> PositionError:
        """Return the error that says that a position is not here."""
        try:
            self.place(position)
        except PositionError as error:
            return error
        return PositionError(f"{position!r} is not here; verify the table")

    def position(self, place: int) -> Any:
        """Return the position at an index."""
        return self.positions(np.array([place]))[0]

    def positions(self, places: npt.NDArray[np.int64]) -> Sequence[Any]:
        """Return the positions at indices."""
        rows = self.layout.unpack_many(self.table.packed(places))
        return [self.layout.build(flat) for flat in rows.tolist()]

    def rules_position(self, position: Any) -> Any:
        """Return a position of this solution in the form of the rules, with plain integers."""
        return self.position(self.place(position))

    def places_after_pass(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the indices of the same positions with the other player to move, -1 for none.

        Raises:
            RulesError: the rules have no ``pass_turn``.
        """
        return self.places([self.rules.pass_turn(position) for position in self.positions(places)])

    def reasons(self, position: Any) -> Iterable[str]:  # noqa: ARG002  # most have none
        """Return sentences on why a position has its value, beyond what its moves say."""
        return ()

    def prober(self, decode: Decode) -> Callable[[Any], Value | None] | None:
        """Return a function for quick look-ups of single positions, or None without one."""
        return FastProber(self.layout, self.table, decode)

    # -- the whole of it --------------------------------------------------------------------------

    def kernels(self) -> AbstractContextManager[None]:
        """Return a context in which kernels scan all positions."""
        return nullcontext()

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # one counts
        """Return the number of positions of each value, classes of them unfolded."""
        return self.table.counts()

    def with_summand(self, summand: int, position: Any) -> Any:
        """Return the start with another position of one of the ``summands``."""
        raise NotImplementedError

    def expected_header(self, counts: dict[str, int]) -> dict[str, Any]:
        """Return the header that its file should have, as follows from its rules and its values.

        Args:
            counts: the number of positions of each outcome.

        Returns:
            Part of the header: of the table's description, only the entries that could be wrong.
        """
        raise NotImplementedError  # a sum has no file

    def with_compiled_rules(self) -> Solved:
        """Return this solution for a check by compiled rules."""
        return self

    def own_verification(self, report: Reporter) -> Verification | None:  # noqa: ARG002  # most are tables
        """Return the result of its own check, or None if ``check_values`` compares every value."""
        return None

    @abstractmethod
    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check that each value follows from those of its successors, within a memory budget.

        Raises:
            BudgetError: the memory is too little.
            CorruptTableError: a file is damaged.
        """

    @property
    def has_cluster_check(self) -> bool:
        """Whether workers can share in the check, by ``check_on_cluster``."""
        return False

    def check_on_cluster(
        self,
        workers: WorkerPool,  # noqa: ARG002  # see games
        threads: int,
        ledger: Ledger,
        report: Reporter,
    ) -> Finding:
        """Check it as ``check_values`` does, with the help of workers.

        Raises:
            BudgetError: the memory is too little.
            ClusterError: workers cannot be used, or are lost.
            CorruptTableError: a file is damaged.
        """
        return self.check_values(threads, ledger, report)

    @abstractmethod
    def survey(self) -> Survey:
        """Return its positions, with their values and moves, for a scan of all of them.

        Raises:
            ParameterError: positions are not played.
        """

    def analyse(
        self, solution: Answering, counts: Counts, options: AnalysisOptions, report: Reporter
    ) -> Analysis:
        """Return the analysis of how the game plays."""
        from zermelo.analysis.run import run_analysis

        with self.kernels():
            return run_analysis(solution, self.survey(), counts, options, report)

    @abstractmethod
    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> Path:
        """Write it to a file."""

    @abstractmethod
    def rows(self, *, moves: bool) -> SolutionRows:
        """Return every position with its value as rows of columns, with best moves or without."""

    def close(self) -> None:
        """Close the file that it answers from, if there is one."""
        self.table.close()
