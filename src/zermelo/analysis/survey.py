"""The positions that an analysis scans, by number, with their values and moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.file.cache_limits import LEAST_CACHE, PARTS
from zermelo._engine.survey.move_graph import (
    MoveGraph,
    gather_moves,
    sample_moves,
    stored_move_graph,
    stored_move_graph_bytes,
)
from zermelo._engine.survey.playouts import Games, play_out

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules
    from zermelo.rules.view import RulesView


class Survey(Protocol):
    """Positions with their values, and the moves of all of them or of some."""

    @property
    def rules(self) -> RulesView:
        """The rules."""

    @property
    def table(self) -> Table:
        """The values, by place."""

    def place(self, position: Any) -> int:
        """Return the place of a position that is here."""

    def position(self, place: int) -> Any:
        """Return the position at a place."""

    def sort_key(self, place: int) -> Any:
        """Return the sort key of a position, which does not depend on places."""

    @property
    def table_bytes(self) -> int:
        """Bytes that the table takes of the memory, once it is loaded."""

    def load(self, report: Reporter, ledger: Ledger | None = None) -> None:
        """Load the table, so that positions are looked up quickly in any order.

        Args:
            report: receives the phase of loading.
            ledger: the memory budget, if it is limited: a larger table is read in parts.
        """

    def moves(self, ledger: Ledger, threads: int, report: Reporter) -> MoveGraph:
        """Return all moves.

        Raises:
            GraphTooLargeError: they do not fit into this many bytes, and games can be sampled.
            BudgetError: they do not fit, and nothing can be sampled.
        """

    def random_games(
        self, errs: float, count: int, seed: int, report: Reporter, name: str
    ) -> Games:
        """Return games played at random with a share ``errs`` of random moves."""

    def sample_moves(self, count: int, seed: int, report: Reporter) -> MoveGraph:
        """Return the moves of some positions."""


class ListedPositions(Protocol):
    """The positions of a solved graph, pursuit or sum, by place."""

    table: Table

    @property
    def rules(self) -> RulesView:
        """The rules."""

    def place(self, position: Any) -> int:
        """Return the place of a position."""

    def position(self, place: int) -> Any:
        """Return the position at a place."""

    def positions(self, places: npt.NDArray[np.int64]) -> Sequence[Any]:
        """Return the positions at places."""


@dataclass
class GameSurvey:
    """A solved game, by its compiled rules and its table; see ``Survey``."""

    compiled: CompiledRules
    table: Table
    table_bytes: int = 0

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.compiled.rules

    def place(self, position: Any) -> int:
        """Return the place of a position that is here."""
        place = np.empty(1, np.int64)
        packed = np.array(self.rules.layout.pack(position), np.uint64)
        self.table.places(self.compiled.canonical(packed, 1), 1, place)
        return int(place[0])

    def position(self, place: int) -> Any:
        """Return the position at a place."""
        return self.rules.layout.unpack(self.table.packed(np.array([place])))

    def sort_key(self, place: int) -> Any:
        """Return the packed position."""
        return self.table.packed(np.array([place])).tolist()

    def load(self, report: Reporter, ledger: Ledger | None = None) -> None:
        """Load a table from a file; see ``Survey``."""
        if self.table.file is None:
            return
        self.table_bytes = self.table.loaded_bytes
        if ledger is not None and not ledger.fits(self.table_bytes):
            self.table_bytes = max(ledger.allowed // PARTS, LEAST_CACHE)
            self.table.limit_cache(self.table_bytes)
            return
        with report.phase("load"):
            self.table = self.table.loaded()

    def moves(self, ledger: Ledger, threads: int, report: Reporter) -> MoveGraph:
        """Return all moves; see ``Survey``."""
        return gather_moves(self.compiled, self.table, ledger, threads, report, self.table_bytes)

    def random_games(
        self, errs: float, count: int, seed: int, report: Reporter, name: str
    ) -> Games:
        """Return games played at random; see ``Survey``."""
        return play_out(self.compiled, self.table, errs, count, seed, report, name)

    def sample_moves(self, count: int, seed: int, report: Reporter) -> MoveGraph:
        """Return the moves of some positions."""
        return sample_moves(self.compiled, self.table, count, seed, report)


@dataclass
class ListedSurvey:
    """A solved graph, pursuit or sum, whose moves are listed in one array; see ``Survey``.

    Attributes:
        solved: the rules and the values.
        count: an upper bound of the number of moves.
        list_moves: returns the moves: ``first``, ``edges`` and ``owners`` of a ``MoveGraph``.
    """

    solved: ListedPositions
    count: int
    list_moves: Callable[
        [], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint8]]
    ]
    table_bytes: int = 0

    @property
    def rules(self) -> RulesView:
        """The rules."""
        return self.solved.rules

    @property
    def table(self) -> Table:
        """The values, by place."""
        return self.solved.table

    def place(self, position: Any) -> int:
        """Return the place of a position."""
        return self.solved.place(position)

    def position(self, place: int) -> Any:
        """Return the position at a place."""
        return self.solved.position(place)

    def sort_key(self, place: int) -> Any:
        """Return the place, which depends on nothing else."""
        return place

    def load(self, report: Reporter, ledger: Ledger | None = None) -> None:
        """Do nothing: values are read as they are needed."""

    def moves(self, ledger: Ledger, threads: int, report: Reporter) -> MoveGraph:
        """Return all moves; see ``Survey``."""
        needed_bytes = stored_move_graph_bytes(len(self.table), self.count)
        ledger.reserve(needed_bytes, f"analysing {self.rules.description}")
        with report.phase("moves"):
            first, edges, owners = self.list_moves()
            values, start = self.table.values(np.arange(len(self.table))), self.table.starts[0]
        return stored_move_graph(first, edges, values, owners, int(start), threads, report)

    def random_games(
        self, errs: float, count: int, seed: int, report: Reporter, name: str
    ) -> Games:
        """Not asked: all moves fit, or it is refused."""
        raise NotImplementedError

    def sample_moves(self, count: int, seed: int, report: Reporter) -> MoveGraph:
        """Not asked: all moves fit, or it is refused."""
        raise NotImplementedError
