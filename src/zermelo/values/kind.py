"""What a kind of value is: all that solvers, the certificate, files and words ask about values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.values.answers import Counts, Option, Probes
from zermelo.values.outcomes import OUTCOMES, Outcome, Value

Codes: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """A column of an export that says something of values.

    Attributes:
        name: the name of the column.
        dtype: the type of its numbers.
        nullable: whether some values have none.
    """

    name: str
    dtype: type[np.int32 | np.int64]
    nullable: bool = False


class Kind(ABC):
    """One kind of value: win, draw or loss with remoteness, say, or a score.

    A value is held as one whole number, its code. A position's code follows from the worths of its
    moves (``of_moves``), and the worth of a move from the code of the position that it leads to
    (``of_move``), or the rules give it (``terminal``).

    Compiled code says the same as these methods. It is chosen by the kind where a kernel is called,
    and never handed to one, as Numba does not cache what takes functions.

    Attributes:
        name: what files and ``zermelo.solve`` call it.
        dtype: the type of arrays of codes.
        unknown: stands for a value that is not known.
        gains: whether moves make points.
        needs_potential: whether values prove themselves only where moves never lead in a circle,
            so that the certificate needs a number for each position that shrinks along every move.
        answers: the columns of an export, after the outcome.
    """

    name: ClassVar[str]
    dtype: ClassVar[type[np.int32 | np.int64]]
    unknown: ClassVar[int]
    gains: ClassVar[bool] = False
    needs_potential: ClassVar[bool] = False
    answers: ClassVar[tuple[Answer, ...]]

    @property
    def width(self) -> int:
        """The bytes of a code."""
        return np.dtype(self.dtype).itemsize

    def __repr__(self) -> str:
        """Return its name."""
        return f"<kind of value {self.name!r}>"

    # -- codes --------------------------------------------------------------------------------

    @abstractmethod
    def encode(self, value: Value) -> int:
        """Return the code of a value."""

    @abstractmethod
    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""

    def has(self, value: Value) -> bool:
        """Whether a value is of this kind."""
        try:
            return self.decode(self.encode(value)) == value
        except ValueError:
            return False

    @abstractmethod
    def terminal(self, outcome: int) -> int:
        """Return the code of a terminal position of some outcome (1, 0, -1).

        Raises:
            ValueError: this kind has no value for it.
        """

    # -- moves --------------------------------------------------------------------------------

    @abstractmethod
    def of_move(self, code: int, *, same_mover: bool, gain: int = 0) -> int:
        """Return the worth of a move to the player who makes it, as a code.

        Args:
            code: that of the position it leads to.
            same_mover: whether it is the same player's turn there.
            gain: the points that the move makes.
        """

    def of_moves(self, worths: Iterable[int]) -> int:
        """Return the code of a position, of which there is the worth of each move."""
        return max(worths)

    def worth(self, code: int) -> Value:
        """Return the worth of a move as a value."""
        return self.decode(code)

    def preference(self, worth: int) -> int:
        """Return a number that is greater for moves that players prefer."""
        return worth

    def as_good(self, worth: Value, other: Value) -> bool:
        """Whether players are as glad of one move as of another, by what the moves are worth."""
        return worth == other

    def best(self, options: Sequence[Option]) -> list[Option]:
        """Return the best of moves that stand in order, best first."""
        return [option for option in options if self.as_good(option.value, options[0].value)]

    @property
    def played(self) -> Kind:
        """The kind of value by which players choose moves, which is this one for most."""
        return self

    def as_played(self, codes: Codes) -> Codes:
        """Return codes as those of the kind ``played``."""
        return codes

    # -- many codes ---------------------------------------------------------------------------

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN, DRAW or LOSS (1, 0, -1) for each code."""
        return np.sign(codes).astype(np.int8)

    @abstractmethod
    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the numbers of each of the ``answers``, and where there are any (None: all)."""

    @abstractmethod
    def probes(self, found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays.

        Args:
            found: whether each position is there.
            codes: the codes of those that are.
        """

    @abstractmethod
    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return how many positions there are of each value, of how often each code occurs."""

    @abstractmethod
    def tally(self, counts: Counts) -> dict[int, int]:
        """Return how often each code occurs, of what ``counts`` made of it."""

    # -- words --------------------------------------------------------------------------------

    def counted(self, counts: Counts) -> list[tuple[str, int]]:
        """Return how many positions there are of each outcome, with words for people."""
        return [("win", counts.win), ("loss", counts.loss)]


def spread(found: npt.NDArray[np.bool_], codes: Codes, dtype: type[Any]) -> npt.NDArray[Any]:
    """Return codes where positions were found, and 0 elsewhere."""
    every = np.zeros(len(found), dtype)
    every[found] = codes
    return every


def added_up(by: Iterable[tuple[int, int]]) -> dict[Outcome, int]:
    """Return how many positions there are of each outcome, of pairs of one and some."""
    total = dict.fromkeys(Outcome, 0)
    for outcome, count in by:
        total[OUTCOMES[outcome]] += count
    return total
