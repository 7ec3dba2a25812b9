"""The common part of both kinds of sums, and the indices of their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from zermelo._engine.index.index import Index
from zermelo.errors import ParameterError, PositionError
from zermelo.rules.layout import MisfitError
from zermelo.solution.solved_base import Solved
from zermelo.sums.layout import labels, layout_of, position_kind

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from zermelo._store.save_options import SaveOptions
    from zermelo.rules.hooks import Rules
    from zermelo.solution.solved_base import Decode
    from zermelo.sums.rules import SumRules
    from zermelo.values.outcomes import Value


class SolvedSum(Solved):
    """A sum of games with the values of its positions.

    Attributes:
        rules: the rules of the parts.
        kind: the class of positions.
    """

    rules: SumRules

    def __init__(self, rules: SumRules) -> None:
        """Store the rules of the parts."""
        self.rules = rules
        self.layout = layout_of([part.layout for part in rules.parts])
        self.kind = position_kind(len(rules.parts))

    # -- positions --------------------------------------------------------------------------------

    def places(self, positions: Any) -> npt.NDArray[Any]:
        """Return the indices of many positions; see ``Solved``."""
        return self.places_of(self._columns(positions))

    def places_of(self, columns: list[Any]) -> npt.NDArray[Any]:
        """Return the indices of many positions, given those of each part; -1 for no position."""
        raise NotImplementedError

    def _columns(self, positions: Any) -> list[Any]:
        """Return many positions as positions of each part."""
        parts = self.rules.parts
        if isinstance(positions, np.ndarray):
            width = len(self.layout.slots)
            if positions.ndim != 2 or positions.shape[1] != width:  # noqa: PLR2004  # rows
                message = (
                    f"not positions of {self.rules.description}: expected an array of shape (n, "
                    f"{width}), not {positions.shape}"
                )
                raise PositionError(message)
            ends = np.cumsum([len(part.layout.slots) for part in parts])
            return np.split(positions, ends[:-1], axis=1)
        rows = [self.rules.check_position(position) for position in self.position_list(positions)]
        return [[row[i] for row in rows] for i in range(len(parts))]

    def check_turns(self, position: Sequence[Any], movers: Sequence[int | None]) -> None:
        """Check that one player is to move in all parts.

        Args:
            position: the position, for the message.
            movers: the player to move in each part; None for a part that does not show it.

        Raises:
            PositionError: the players differ.
        """
        if len({mover for mover in movers if mover is not None}) > 1:
            first, second = movers.index(0), movers.index(1)
            names = labels(len(movers))
            message = (
                f"in {position!r}, it is the turn of player 0 in part {names[first]} and of player "
                f"1 in part {names[second]}; give positions with the same player to move"
            )
            raise PositionError(message)

    def keys_of(self, part: Rules, positions: Any) -> tuple[Any, npt.NDArray[np.bool_]]:
        """Return packed positions of a part, shape (n, words), and which of them can be packed.

        Raises:
            PositionError: they are not positions of this part.
        """
        try:
            return part.layout.pack_many(positions)
        except MisfitError as error:
            expected = part.layout.describe()
            message = f"not positions of {part.description}: {error}; give {expected}"
            raise PositionError(message) from None

    def rules_position(self, position: Any) -> Any:
        """Return a position of this sum in the form of the rules."""
        return self.layout.build(self.layout.flatten(position))

    def prober(self, decode: Decode) -> Callable[[Any], Value | None] | None:  # noqa: ARG002  # none
        """Return None: only the parts have faster look-ups."""
        return None

    def pages(self) -> Iterator[npt.NDArray[Any]]:
        """Yield all indices in ascending order, in pages."""
        raise NotImplementedError

    # -- files, which only the parts have ---------------------------------------------------------

    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> NoReturn:  # noqa: ARG002  # there is no such file
        """Raise an error, as a sum is not a table.

        Raises:
            ParameterError: always.
        """
        message = (
            f"{self.rules.description} is a sum, which is not saved; save the solutions of its "
            "parts and pass these to zermelo.sum()"
        )
        raise ParameterError(message)

    def rows(self, *, moves: bool) -> NoReturn:  # noqa: ARG002  # there are none
        """Raise an error, as a sum has too many positions to export.

        Raises:
            ParameterError: always.
        """
        message = (
            f"{self.rules.description} is a sum, which is not exported; export the solutions of "
            "its parts"
        )
        raise ParameterError(message)


class SumIndex(Index):
    """The index of a sum's positions, from the indices of their parts."""

    def __init__(self, solved: SolvedSum, span: int) -> None:
        """Store the sum; its indices are below ``span``."""
        self._solved = solved
        self.words = solved.layout.words
        self.span = span

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[Any]) -> int:
        """Find packed positions; see ``Index``."""
        rows = self._solved.layout.unpack_many(packed[: count * self.words])
        out[:count] = self._solved.places(rows)
        return int(np.count_nonzero(out[:count] >= 0))

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that finds the index of one packed position; see ``Index``."""
        place = np.empty(1, object)

        def find() -> int:
            self.places(packed, 1, place)
            return int(place[0])

        return find

    def packed(self, places: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at indices."""
        return self._solved.layout.pack_many(self._solved.positions(places))[0].reshape(-1)

    def pages(self) -> Iterator[npt.NDArray[Any]]:
        """Yield all indices in ascending order, in pages."""
        return self._solved.pages()


def strides_of(sizes: Sequence[int]) -> list[int]:
    """Return the strides of each part in an index; the last part varies fastest."""
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.append(strides[-1] * size)
    return strides[::-1]
