"""A solved pursuit: its graphs as rules, and the values of its positions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray
from zermelo._store import graph_tables
from zermelo.errors import PositionError
from zermelo.pursuits import file
from zermelo.pursuits.arrays import PursuitArrays
from zermelo.pursuits.definition import PursuitPosition
from zermelo.pursuits.position_batch import MoveTable
from zermelo.rules.layout import MisfitError
from zermelo.solution.solved_base import Solved

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.table import Table
    from zermelo._store.save_options import SaveOptions
    from zermelo.analysis.survey import ListedSurvey
    from zermelo.progress import Reporter
    from zermelo.pursuits.definition import PursuitDefinition
    from zermelo.pursuits.rows import PursuitRows


class SolvedPursuit(Solved):
    """A pursuit with the values of its positions.

    Attributes:
        rules: the definition of the pursuit.
        rounds: plies of the longest pursuit that is decided.
    """

    def __init__(self, definition: PursuitDefinition, table: Table, rounds: int) -> None:
        """Store the definition and the table."""
        self.rules: PursuitDefinition = definition
        self.table = table
        self.layout = definition.layout
        self.rounds = rounds

    @classmethod
    def read(cls, reader: Reader) -> SolvedPursuit:
        """Return the solved pursuit of a file.

        Raises:
            CorruptTableError: the contents contradict the header.
        """
        return cls(*file.read(reader))

    def marks(self, turn: int) -> IntArray:
        """Return the marks of a turn; see ``PursuitColumn``."""
        column: Any = self.table.column
        if self.table.file is not None:
            file_marks: npt.NDArray[Any] = column.marks(turn)
            return file_marks
        memory_marks: npt.NDArray[Any] = column.marks[turn]
        return memory_marks

    def arrays(self, threads: int) -> PursuitArrays:  # noqa: ARG002  # copying takes one
        """Return the winners and the plies, as arrays by node."""
        return PursuitArrays(self.rules, self.marks, self.rounds)

    # -- positions and places ---------------------------------------------------------------------

    def place(self, position: PursuitPosition) -> int:
        """Return the place of a position; see ``Solved``."""
        evader, pursuers, turn = self.rules.check_position(position)
        return int(self.rules.index.place(turn, evader, pursuers))

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the places of many positions, -1 for an invalid one."""
        if not isinstance(positions, np.ndarray) or positions.ndim < 2:  # noqa: PLR2004  # rows
            return super().places(positions)
        try:
            packed, fits = self.layout.pack_many(positions)
        except MisfitError as error:
            message = f"not positions of a pursuit: {error}; give {self.layout.describe()}"
            raise PositionError(message) from None
        places = np.empty(len(packed), np.int64)
        self.table.places(packed.reshape(-1), len(packed), places)
        places[~fits] = -1
        return places

    def missing_error(self, position: Any) -> PositionError:
        """Return the error for an invalid position."""
        if isinstance(position, tuple) and all(isinstance(item, int) for item in position):
            position = position[0], position[1:-1], position[-1]  # a row of numbers
        return super().missing_error(position)

    # -- the whole table --------------------------------------------------------------------------

    def expected_header(self, counts: dict[str, int]) -> dict[str, Any]:
        """Return the entries of its file's header; see ``Solved``."""
        values = map(self.table.kind.decode, self.table.tally())
        rounds = max((value.remoteness or 0 for value in values), default=0)
        return graph_tables.implied_header(self.rules, self.table, counts, rounds=rounds)

    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check the certificate in one pass along the given graphs; see ``Solved``."""
        from zermelo.pursuits.certificate import check_pursuit

        return check_pursuit(self.rules, self.table, threads, ledger, report)

    @property
    def has_cluster_check(self) -> bool:
        """Whether workers can share the check; see ``Solved``."""
        return self.table.file is not None

    def check_on_cluster(
        self, workers: WorkerPool, threads: int, ledger: Ledger, report: Reporter
    ) -> Finding:
        """Check the certificate on a cluster; see ``Solved``."""
        from zermelo.pursuits.certificate import check_pursuit

        return check_pursuit(self.rules, self.table, threads, ledger, report, workers)

    def survey(self) -> ListedSurvey:
        """Return the positions and their moves; see ``Solved``."""
        from zermelo.analysis.survey import ListedSurvey

        steps = MoveTable(self.rules)
        return ListedSurvey(self, steps.count, steps.list_moves)

    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> Path:
        """Write the graphs and the values to a file; see ``Solved``."""
        write = partial(file.write, self.rules, self.table, self.rounds)
        return graph_tables.save(path, self.rules, self.table, write, options)

    def rows(self, *, moves: bool) -> PursuitRows:
        """Return every position with its value as rows of columns; see ``Solved``."""
        from zermelo.pursuits.rows import PursuitRows

        return PursuitRows(self.rules, self.table, moves=moves)
