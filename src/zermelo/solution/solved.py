"""What a solution answers from: rules, and a table of the values of their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo.values.kind import Kind

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from zermelo._engine.certificate.kernels import Finding
    from zermelo.analysis import Analysis
    from zermelo.analysis.run import Wanted
    from zermelo.errors import PositionError
    from zermelo.progress import Reporter
    from zermelo.rules.view import RulesView
    from zermelo.values.answers import Counts
    from zermelo.values.outcomes import Value

    Decode = Callable[[int], Value]


class Values(Protocol):
    """The part of a ``Table`` that a solution asks: values by place, a whole number from 0."""

    starts: npt.NDArray[np.int64]

    @property
    def kind(self) -> Kind:
        """The kind of value that positions have."""

    def __len__(self) -> int:
        """Return how many positions there are."""

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the codes at places."""

    def value(self, place: int) -> int:
        """Return the code at one place."""

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all places in ascending order, some at once."""

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""


class Solved(Protocol):
    """Rules, and the values of their positions: a game, a pursuit or a graph that was solved."""

    @property
    def rules(self) -> RulesView:
        """The rules."""

    @property
    def table(self) -> Values:
        """The values."""

    @property
    def folded(self) -> bool:
        """Whether one position stands for all that symmetries make one."""

    def arrays(self, threads: int) -> Any:
        """Return what it comes to as arrays."""

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once; none where there is no start."""

    def place(self, position: Any) -> int:
        """Return the place of a position.

        Raises:
            PositionError: there is no such position.
        """

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the places of many positions, -1 where there is no such position.

        Raises:
            PositionError: the argument is not positions at all.
        """

    def missing(self, position: Any) -> PositionError:
        """Return the error that says that a position is not here."""

    def position(self, place: int) -> Any:
        """Return the position at a place."""

    def positions(self, places: npt.NDArray[np.int64]) -> Sequence[Any]:
        """Return the positions at places."""

    def plain(self, position: Any) -> Any:
        """Return a position that is here as the rules write it, of plain integers."""

    def prober(self, decode: Decode) -> Callable[[Any], Value | None] | None:
        """Return what tells one position's value quickly, or None of it where it takes longer."""

    def counts(self, threads: int, report: Reporter, *, folded: bool) -> Counts:
        """Return how many positions there are of each value."""

    def checked(self, threads: int, allowed: int, report: Reporter) -> Finding:
        """Check that each value follows from its successors', within this many bytes.

        Raises:
            BudgetError: they are too few.
            CorruptTableError: a file is damaged.
        """

    def analysed(self, solution: Any, counts: Counts, wanted: Wanted, report: Reporter) -> Analysis:
        """Work out what it is like to play."""

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        method: str,
        choice: str,
        overwrite: bool,
        threads: int,
        allowed: int,
        report: Reporter,
    ) -> Path:
        """Write it to a file."""

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        form: str | None,
        moves: bool,
        method: str,
        choice: str,
        overwrite: bool,
        threads: int,
        memory: int | None,
        report: Reporter,
    ) -> Path:
        """Write every position with its value as rows of columns."""

    def close(self) -> None:
        """Close the file that it answers from, if there is one."""
