"""How levels hold values, and decide positions by them: one object for each kind of value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.expand.expander import Buffers
from zermelo._methods.levels.index import MEANING
from zermelo._methods.levels.kernels import settle, settle_margins
from zermelo.values.kind import Kind
from zermelo.values.scores import SCORES

#: With at most this many levels a remoteness fits a byte.
_NARROW = 60


class WideValueError(Exception):
    """A value does not fit the type that values are held in."""


class HeldValues(ABC):
    """How levels hold values of a kind.

    Attributes:
        in_slots: whether a slot has room for them, beside the position.
    """

    in_slots: ClassVar[bool]

    def widen(self) -> None:
        """Take a wider type from now on, as a value did not fit."""
        raise NotImplementedError

    @abstractmethod
    def dtype(self, levels: int) -> np.dtype[Any]:
        """Return the type that values are held in, where there are this many levels."""

    @abstractmethod
    def meaning(self, dtype: np.dtype[Any]) -> npt.NDArray[np.int32] | None:
        """Return the codes of what is held; None where codes are."""

    @abstractmethod
    def settle(
        self,
        done: int,
        buffers: Buffers,
        numbers: npt.NDArray[np.int64],
        turns: npt.NDArray[np.uint8],
        above: npt.NDArray[Any],
        out: npt.NDArray[Any],
        *,
        first: bool,
    ) -> None:
        """Raise the values of expanded positions to what their children of this part make them.

        Args:
            done: how many positions.
            buffers: what they were expanded into.
            numbers: where each child is in ``above``, -1 for one that is not in this part.
            turns: whose turn it is there, or empty where the players strictly alternate.
            above: values of the levels above.
            out: the values.
            first: whether ``out`` is to be begun.

        Raises:
            WideValueError: a value does not fit ``out``.
        """


class HeldOutcomes(HeldValues):
    """Win, draw or loss and remoteness: a byte, or codes where there are many levels."""

    in_slots = True

    def dtype(self, levels: int) -> np.dtype[Any]:
        """Return the type that values are held in; see ``HeldValues``."""
        return np.dtype(np.uint8 if levels <= _NARROW else np.int32)

    def meaning(self, dtype: np.dtype[Any]) -> npt.NDArray[np.int32] | None:
        """Return the codes of bytes."""
        return MEANING if dtype == np.uint8 else None

    def settle(
        self,
        done: int,
        buffers: Buffers,
        numbers: npt.NDArray[np.int64],
        turns: npt.NDArray[np.uint8],
        above: npt.NDArray[Any],
        out: npt.NDArray[Any],
        *,
        first: bool,
    ) -> None:
        """Raise values to the best of children; see ``HeldValues``."""
        made = (buffers.ends, buffers.values, buffers.owners)
        settle(done, *made, numbers, turns, above, out, first)


class HeldMargins(HeldValues):
    """Margins: two bytes, as they are, or eight once one does not fit."""

    in_slots = False

    def __init__(self) -> None:
        """Begin with two bytes."""
        self._dtype: np.dtype[Any] = np.dtype(np.int16)

    def widen(self) -> None:
        """Take eight bytes from now on."""
        self._dtype = np.dtype(np.int64)

    def dtype(self, levels: int) -> np.dtype[Any]:  # noqa: ARG002  # margins do not count plies
        """Return the type that values are held in; see ``HeldValues``."""
        return self._dtype

    def meaning(self, dtype: np.dtype[Any]) -> None:
        """Return None, as margins are held as they are."""

    def settle(
        self,
        done: int,
        buffers: Buffers,
        numbers: npt.NDArray[np.int64],
        turns: npt.NDArray[np.uint8],
        above: npt.NDArray[Any],
        out: npt.NDArray[Any],
        *,
        first: bool,
    ) -> None:
        """Raise margins to the best of what moves gain and lead to; see ``HeldValues``."""
        made = (buffers.ends, buffers.values, buffers.owners, buffers.gains)
        nothing = int(np.iinfo(out.dtype).min)
        if not settle_margins(done, *made, numbers, turns, above, out, first, nothing):
            raise WideValueError


def held_values(kind: Kind) -> HeldValues:
    """Return how levels hold values of a kind."""
    return HeldMargins() if kind is SCORES else HeldOutcomes()
