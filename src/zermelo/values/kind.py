"""The base of kinds of value: codes, the operations on them, and the class of their words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo.errors import UnknownKindError
from zermelo.values.outcomes import NOBODY, OUTCOMES, Outcome, Value
from zermelo.values.results import Counts, Option, Probes
from zermelo.values.words import Words

Codes: TypeAlias = npt.NDArray[Any]
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Answer:
    """A column of an export with numbers of values, or with their texts.

    Attributes:
        name: the name of the column.
        dtype: the type of its numbers; None for texts.
        nullable: whether some values lack the number.
    """

    name: str
    dtype: type[np.int32 | np.int64 | np.float64] | None
    nullable: bool = False


class Kind(ABC):
    """A kind of value, such as win, draw or loss with remoteness, or a score.

    A value is represented by an integer, its code. A position's code follows from the values of its
    moves (``of_moves``), and the value of a move from the code of the successor (``of_move``), or
    the rules give it (``terminal``).

    Compiled code agrees with these methods. It is chosen by the kind at the call of a kernel, and
    never passed to one, as Numba does not cache functions with functions as arguments.

    Attributes:
        name: its name in files and for ``zermelo.solve``.
        section_types: the types of the arrays that codes refer to, by name; see ``sections``.
        dtype: the type of arrays of codes.
        unknown: the code of a value that is not known.
        gains: whether moves make points.
        gain_dtype: the type of arrays of these points in graphs.
        needs_potential: whether values prove themselves only in some order, so that the certificate
            needs a number for each position that decreases along the moves that prove it.
        descends: whether those are all moves, so that there is no cycle.
        outcomes_alone: whether a value is an outcome, perhaps with remoteness, and nothing else.
        timed: whether a value has the plies to the end of the game, if it ends.
        impartial: whether the values are of games in which both players have the same moves.
        adds: whether the value of a sum of positions follows from their values.
        adds_points: whether numbers for the certificate have a stage that moves with points lower.
        limit: the greatest number of points of a code, which solvers check; None if no code can
            be too great.
        method: the method of ``zermelo.solve`` that finds such values of any game that has them.
        converted: whether the codes of a game's rules are converted to it on request.
        partial: whether only bounds of some values are known, as along a proof.
        stages: whether that number stays the same along moves that make no points.
        answers: the columns of an export, after the outcome.
        endless: whether play may be endless.
        favours: the player, 0 or 1, for whom endless play is a win, or NOBODY.
        words_class: the class of its words.
    """

    name: ClassVar[str]
    dtype: ClassVar[type[np.int32 | np.int64]]
    unknown: ClassVar[int]
    gains: ClassVar[bool] = False
    gain_dtype: ClassVar[type[np.uint8 | np.int64]] = np.int64
    needs_potential: ClassVar[bool] = False
    descends: ClassVar[bool] = True
    stages: ClassVar[bool] = False
    adds_points: bool = False
    outcomes_alone: ClassVar[bool] = False
    timed: ClassVar[bool] = False
    impartial: ClassVar[bool] = False
    adds: ClassVar[bool] = False
    limit: ClassVar[int | None] = None
    method: ClassVar[str] = "retrograde"
    converted: ClassVar[bool] = False
    partial: ClassVar[bool] = False
    answers: ClassVar[tuple[Answer, ...]]
    endless: ClassVar[bool] = False
    favours: ClassVar[int] = NOBODY
    words_class: ClassVar[type[Words]] = Words
    section_types: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    @cached_property
    def words(self) -> Words:
        """Its words, which solvers and the engine do not use."""
        return self.words_class(self)

    @property
    def algebra(self) -> str:
        """The name of the operations on codes, by which code is chosen; by default the kind's own.

        Kinds of one algebra have the same codes, and the same code finds and checks them.
        """
        return self.name

    @property
    def has_close_codes(self) -> bool:
        """Whether the codes of a table often fill a range, such as margins."""
        return self.gains

    @property
    def needs_endless(self) -> bool:
        """Whether the certificate needs what endless play is worth, in points."""
        return self.stages

    @property
    def noun(self) -> str:
        """The word for one of its values."""
        return self.name

    @property
    def clause(self) -> str:
        """A relative clause on games with such values, which follows the game's name."""
        return f"which has values of {self.name!r}"

    @property
    def width(self) -> int:
        """The number of bytes of a code."""
        return np.dtype(self.dtype).itemsize

    def __repr__(self) -> str:
        """Return a text with its name."""
        return f"<kind of value {self.name!r}>"

    # -- codes --------------------------------------------------------------------------------

    @abstractmethod
    def encode(self, value: Value) -> int:
        """Return the code of a value."""

    @abstractmethod
    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""

    def has(self, value: Value) -> bool:
        """Return whether a value is of this kind."""
        try:
            return self.decode(self.encode(value)) == value
        except ValueError:
            return False

    def are_codes(self, numbers: Codes) -> bool:  # noqa: ARG002  # most kinds use every number
        """Return whether numbers from a file may be codes of this kind."""
        return True

    @abstractmethod
    def terminal(self, outcome: int, score: int = 0) -> int:
        """Return the code of a terminal position with an outcome (1, 0, -1), or a final score.

        Raises:
            ValueError: this kind has no value for it.
        """

    def of_rules(self, codes: Codes) -> Codes:
        """Return codes of this kind for codes of rules that were compiled for another one.

        Args:
            codes: codes of terminal positions, and unknown for others; may be changed.

        Raises:
            ValueError: this kind has no value for one of them.
        """
        return codes

    def at_turn(self, code: int, owner: int) -> int:  # noqa: ARG002  # most look alike to both
        """Return the code of a position for a known player to move.

        Args:
            code: the code if endless play is a draw: 0, a tie, a win or a loss.
            owner: the player to move.
        """
        return code

    def at_turns(self, codes: Codes, owners: Codes) -> Codes:  # noqa: ARG002  # see above
        """Return the same for many positions."""
        return codes

    def turnless(self, code: int) -> int:
        """Return the code from which ``at_turn`` gives this one."""
        return code

    # -- files --------------------------------------------------------------------------------

    def sections(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return the arrays that codes refer to, by name, for a file; empty for most kinds."""
        return {}

    def with_sections(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Kind:  # noqa: ARG002  # see above
        """Return the kind with the arrays of a file.

        Raises:
            ValueError: the arrays are invalid.
        """
        return self

    # -- moves --------------------------------------------------------------------------------

    @abstractmethod
    def of_move(self, code: int, *, same_mover: bool, gain: int = 0, endless: int = 0) -> int:
        """Return the value of a move for the player who makes it, as a code.

        Args:
            code: the code of the successor.
            same_mover: whether the same player is to move there.
            gain: the points that the move makes.
            endless: the points of endless play for the player who makes the move.
        """

    def of_moves(self, worths: Iterable[int]) -> int:
        """Return the code of a position from the values of its moves."""
        return max(worths)

    def sum(self, codes: Iterable[int]) -> int:
        """Return the code of a sum of positions, from their codes, for a kind that ``adds``.

        Raises:
            ValueError: the sum has no code.
        """
        raise NotImplementedError

    def move_value(self, code: int) -> Value:
        """Return the value of a move from its code."""
        return self.decode(code)

    def preference(self, code: int) -> int:
        """Return a number that is greater for a better move."""
        return code

    def order_key(self, code: int, tiebreak: int, *, is_won: bool, endless: int) -> tuple[int, ...]:  # noqa: ARG002  # for chance
        """Return a key that is smaller for a better move.

        Args:
            code: the value of the move.
            tiebreak: a number that is smaller nearer to the end.
            is_won: whether the move wins.
            endless: the points of endless play for the player who makes the move.
        """
        return -self.preference(code), tiebreak if is_won else 0

    def is_equally_good(self, value: Value, other: Value) -> bool:
        """Return whether two moves with these values are equally good."""
        return value == other

    def best(self, options: Sequence[Option]) -> list[Option]:
        """Return the best of moves that are sorted, best first."""
        return [
            option for option in options if self.is_equally_good(option.value, options[0].value)
        ]

    @property
    def played(self) -> Kind:
        """The kind of value by which players choose moves; this one for most kinds."""
        return self

    def to_played(self, codes: Codes) -> Codes:
        """Return codes as codes of the kind ``played``."""
        return codes

    # -- many codes ---------------------------------------------------------------------------

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN, DRAW or LOSS (1, 0, -1) for each code."""
        return np.sign(codes).astype(np.int8)

    @abstractmethod
    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the numbers of each of the ``answers``, and which values have one (None: all).

        Those of an answer in texts are indices of ``texts``.
        """

    def texts(self, codes: Codes) -> Sequence[str]:  # noqa: ARG002  # most answers are numbers
        """Return the different texts of values, for the answers that are texts."""
        return ()

    @abstractmethod
    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays.

        Args:
            is_found: whether each position was found.
            codes: the codes of those that were.
        """

    def new_tally(self) -> ValueTally:
        """Return an empty tally, to which codes are added in batches."""
        return ValueTally(self)

    @abstractmethod
    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each value, from the number of each code."""

    @abstractmethod
    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of each code, the inverse of ``counts``."""

    def sorted_counts(self, counts: Counts) -> list[tuple[Value, int]]:
        """Return the number of positions of each value, best first."""
        return [(self.decode(code), count) for code, count in self.tally(counts).items()]

    # -- comparisons --------------------------------------------------------------------------

    def resistance(self, value: Value) -> int:
        """Return a number that is greater for a better defence of a lost position."""
        return value.remoteness or 0

    def lost_part(self, best: Value, value: Value) -> str | None:
        """Return the lost part of a value: ``outcome``, ``points`` or ``plies``; or None.

        Args:
            best: the value of a best move.
            value: the value of the move.
        """
        if self.is_equally_good(best, value):
            return None
        return "plies" if value.outcome is best.outcome else "outcome"

    def regret(self, best: Value, value: Value) -> tuple[int, int]:
        """Return the regret of a move, 0 for a best one.

        Args:
            best: the value of a best move.
            value: the value of the move.

        Returns:
            The loss of value: 1 for each of a win and a draw, or points. And if that is 0, the
            plies by which it delays a win or a tie, or hastens a loss; 0 if play is endless.
        """
        return int(best.outcome or 0) - int(value.outcome or 0), self._plies(best, value)

    def _plies(self, best: Value, value: Value) -> int:
        if best.outcome is not value.outcome or None in (best.remoteness, value.remoteness):
            return 0
        return abs((best.remoteness or 0) - (value.remoteness or 0))


class ValueTally:
    """The number of positions of each value, as far as they have been counted.

    Attributes:
        kind: the kind of the values.
    """

    def __init__(self, kind: Kind) -> None:
        """Start without positions."""
        self.kind = kind
        self._numbers: dict[int, int] = {}

    def add(self, codes: Codes, numbers: npt.NDArray[np.int64]) -> None:
        """Add positions.

        Args:
            codes: different codes.
            numbers: the number of positions of each.
        """
        for code, number in zip(codes.tolist(), numbers.tolist(), strict=True):
            self._numbers[code] = self._numbers.get(code, 0) + number

    def counts(self) -> Counts:
        """Return the number of positions of each value, as far as they were counted."""
        return self.kind.counts(self._numbers)


def check_known(kind: Kind, algebras: Collection[str], code_name: str) -> None:
    """Check that code knows a kind of value.

    Args:
        kind: the kind.
        algebras: the algebras that the code knows.
        code_name: the code, such as ``the certificate``.

    Raises:
        UnknownKindError: it does not.
    """
    if kind.algebra not in algebras:
        message = (
            f"{code_name} does not know values of {kind.name!r}, only those of "
            f"{', '.join(map(repr, algebras))}; define their algebra {kind.algebra!r} there first"
        )
        raise UnknownKindError(message)


def entry_of(kind: Kind, entries: Mapping[str, Entry], code_name: str) -> Entry:
    """Return the entry for a kind of value in a mapping by algebra; see ``check_known``.

    Raises:
        UnknownKindError: there is no such entry.
    """
    check_known(kind, entries, code_name)
    return entries[kind.algebra]


def spread(is_found: npt.NDArray[np.bool_], codes: Codes, dtype: type[Any]) -> npt.NDArray[Any]:
    """Return codes of the positions that were found, and 0 for the others."""
    all_codes = np.zeros(len(is_found), dtype)
    all_codes[is_found] = codes
    return all_codes


def outcome_totals(pairs: Iterable[tuple[int, int]]) -> dict[Outcome, int]:
    """Return the number of positions of each outcome, from pairs of an outcome and a number."""
    total = dict.fromkeys(Outcome, 0)
    for outcome, count in pairs:
        total[OUTCOMES[outcome]] += count
    return total
