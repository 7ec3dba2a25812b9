"""A game with split positions: a table of components, which answers for any sum of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.nimbers import OUTSIDE
from zermelo._methods.components import Components, components_of
from zermelo.rules.layout import MisfitError
from zermelo.solution.game import (
    SolvedGame,
    has_moves,
    infinity_error,
    missing_component_error,
    no_whole_positions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo.analysis.survey import GameSurvey
    from zermelo.errors import PositionError
    from zermelo.progress import Reporter
    from zermelo.solution.export.rows import GameRows
    from zermelo.solution.solved_base import Decode
    from zermelo.values.kind import Codes
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Counts


class SolvedComponents(SolvedGame):
    """A game with the table of its components. Any sum of these has a value."""

    counted_as = "components"

    def __post_init__(self) -> None:
        """Prepare the splitting of positions, as in the solve."""
        super().__post_init__()
        self.components = Components(self.compiled, self.table.kind)

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once, in the order the game gives them."""
        return self.rules.starts()

    def start(self) -> Any:
        """Return the start."""
        return self.rules_position(self.rules.game.start())

    def start_code(self) -> int:
        """Return the code of the start."""
        return self.code_and_tiebreak(self.start())[0]

    def code_and_tiebreak(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and the potentials of its components; see ``Solved``.

        Of two sums of components, the one nearer to the end has the lesser row, the greatest
        potential first.
        """
        try:
            packed = np.array(self.layout.pack(position), np.uint64)
        except MisfitError:
            self.place(position)  # raises the error that says what is wrong
            raise
        has_value, codes = self.components.codes(self.table, packed, 1)
        if not has_value[0]:
            raise self.missing_error(position)
        if codes[0] == OUTSIDE:
            raise infinity_error(position)
        parts, _ = self.components.split(packed, 1)
        places = np.empty(len(parts) // self.table.words, np.int64)
        self.table.places(parts, len(places), places)
        steps: list[int] = []
        if self.table.kind.needs_potential:
            steps = self.table.steps(np.sort(places[places >= 0])).tolist()
        return int(codes[0]), sorted(steps, reverse=True)

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], Codes]:
        """Return a mask of the positions with a value here, and their codes; see ``Solved``."""
        packed, fits = self.pack_many(positions)
        has_value, codes = self.components.codes(self.table, packed.reshape(-1), len(packed))
        has_value &= fits & (codes != OUTSIDE)
        return has_value, codes[has_value].astype(self.table.kind.dtype)

    def prober(self, decode: Decode) -> Callable[[Any], Value | None]:  # noqa: ARG002
        """Return a function that always returns None, as positions must be split first."""
        return lambda _: None

    def missing_error(self, position: Any) -> PositionError:
        """Return the error that says that a position has a component that is not here."""
        keys = [self.layout.unpack(part) for part in self._parts(position)]
        absent = (k for k in keys if self._place_or_none(k) < 0 and has_moves(self, k))
        return missing_component_error(self, position, next(absent, position))

    def _parts(self, position: Any) -> list[npt.NDArray[np.uint64]]:
        packed = np.array(self.layout.pack(position), np.uint64)
        parts, _ = self.components.split(packed, 1)
        return list(parts.reshape(-1, self.table.words))

    def _place_or_none(self, position: Any) -> int:
        place = np.empty(1, np.int64)
        self.table.places(np.array(self.layout.pack(position), np.uint64), 1, place)
        return int(place[0])

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # see Solved
        """Return the number of components of each value."""
        return self.table.counts()

    @property
    def expander(self) -> Any:
        """The rules that expand many components."""
        return self.components

    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check the certificate; see ``Solved``."""
        from zermelo.solution.certificate import check_game_table

        return check_game_table(self.compiled, self.table, threads, ledger, report, self.components)

    def survey(self) -> GameSurvey:
        """Raise an error, as the table has only components.

        Raises:
            ParameterError: always.
        """
        raise no_whole_positions(self)

    def rows(self, *, moves: bool) -> GameRows:
        """Return every component with its value as rows of columns; see ``Solved``."""
        from zermelo.solution.export.rows import GameRows

        return GameRows(self.compiled, self.table, moves=moves, expand=self.components)


def solved_game(compiled: CompiledRules, table: Table) -> SolvedGame:
    """Return a solution of a game from its table, of positions or of components."""
    split = components_of(compiled, table) is not None
    return SolvedComponents(compiled, table) if split else SolvedGame(compiled, table)
