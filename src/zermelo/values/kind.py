"""What a kind of value is: all that solvers, the certificate, files and words ask about values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.forms.quantities import counted
from zermelo.values.measure import Measure
from zermelo.values.outcomes import DRAW, LOSS, NOBODY, OUTCOMES, WIN, Outcome, Value
from zermelo.values.player_names import wins
from zermelo.values.results import Counts, Option, Probes

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
        needs_potential: whether values prove themselves only in some order, so that the certificate
            needs a number for each position that shrinks along the moves that prove it.
        descends: whether those are all moves, so that none may lead in a circle.
        partial: whether of some values only bounds are known, as along a proof.
        stages: whether that number stays the same along moves that make no points.
        answers: the columns of an export, after the outcome.
        measure: how positions look under random play.
        endless: whether play may go on for ever.
        favours: the player, 0 or 1, for whom endless play is a win, or NOBODY.
        words: what positions of an outcome are called.
        title: what a chart of all values is called.
        axis: what the axis of such a chart is called.
        unit: what a number beside an outcome counts.
        only_moves: in what sense one move alone may be good: a heading, and of which positions;
            won ones first, then drawn ones.
        traps: what a trap is.
    """

    name: ClassVar[str]
    dtype: ClassVar[type[np.int32 | np.int64]]
    unknown: ClassVar[int]
    gains: ClassVar[bool] = False
    needs_potential: ClassVar[bool] = False
    descends: ClassVar[bool] = True
    stages: ClassVar[bool] = False
    partial: ClassVar[bool] = False
    answers: ClassVar[tuple[Answer, ...]]
    measure: ClassVar[Measure] = Measure(
        "expected score under random play: a win is 100 %, a draw 50 %", 0.5, "expected score {}"
    )
    endless: ClassVar[bool] = False
    favours: ClassVar[int] = NOBODY
    words: ClassVar[Mapping[Outcome, str]] = {WIN: "won", DRAW: "tied", LOSS: "lost"}
    title: ClassVar[str] = "Positions by the distance to their end"
    axis: ClassVar[str] = "plies to the end, by the outcome for the player to move"
    unit: ClassVar[str] = "plies to the end, for the player to move"
    only_moves: ClassVar[tuple[tuple[str, str], ...]] = (
        ("one winning move", "won "),
        ("one saving move", "drawn "),
    )
    traps: ClassVar[str] = (
        "A trap is a move that loses although the position was not lost, and that looks good: the "
        "player who makes it has an expected score of at least 50 % under random play. It is "
        "tempting if no move that does not lose looks better."
    )

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

    def are_codes(self, numbers: Codes) -> bool:  # noqa: ARG002  # most kinds use every number
        """Whether numbers that a file has may be codes of this kind."""
        return True

    @abstractmethod
    def terminal(self, outcome: int, score: int = 0) -> int:
        """Return the code of a terminal position of some outcome (1, 0, -1), or final score.

        Raises:
            ValueError: this kind has no value for it.
        """

    def of_rules(self, codes: Codes) -> Codes:
        """Return codes of this kind, of those that rules compiled for another one give.

        Args:
            codes: codes of terminal positions, and what is unknown for others; may be changed.

        Raises:
            ValueError: this kind has no value for one of them.
        """
        return codes

    def at_turn(self, code: int, owner: int) -> int:  # noqa: ARG002  # most look alike to both
        """Return the code of a position, once it is known whose turn it is.

        Args:
            code: what it is where endless play is a draw: 0, a tie, a win or a loss.
            owner: whose turn it is.
        """
        return code

    def at_turns(self, codes: Codes, owners: Codes) -> Codes:  # noqa: ARG002  # see above
        """Return the same of many."""
        return codes

    def turnless(self, code: int) -> int:
        """Return the code that ``at_turn`` makes this one of."""
        return code

    # -- moves --------------------------------------------------------------------------------

    @abstractmethod
    def of_move(self, code: int, *, same_mover: bool, gain: int = 0, endless: int = 0) -> int:
        """Return the worth of a move to the player who makes it, as a code.

        Args:
            code: that of the position it leads to.
            same_mover: whether it is the same player's turn there.
            gain: the points that the move makes.
            endless: the points that endless play is worth to whoever makes it.
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

    def valued(self, counts: Counts) -> list[tuple[Value, int]]:
        """Return how many positions there are of each value, best first."""
        return [(self.decode(code), count) for code, count in self.tally(counts).items()]

    # -- words --------------------------------------------------------------------------------

    def counted(self, counts: Counts) -> list[tuple[str, int]]:
        """Return how many positions there are of each outcome, with words for people."""
        return [("win", counts.win), ("loss", counts.loss)]

    def place(self, value: Value) -> int | None:
        """Return where a value stands on the axis of a chart, or None where it stands nowhere."""
        return value.remoteness

    def ahead(self, value: Value, points: int) -> int:  # noqa: ARG002  # points are of scores
        """Return who wins in the end: more than 0 for the player to move, 0 for nobody.

        Args:
            value: the value of the position.
            points: the margin of the player to move until now.
        """
        return int(value.outcome or 0)

    def by(self, value: Value, ahead: int, plies_per_move: int = 1) -> str:  # noqa: ARG002  # for scores
        """Return in how many plies, or by how much, somebody wins, after a space; or nothing.

        Args:
            value: the value of the position.
            ahead: who wins, or by how much; see ``ahead``.
            plies_per_move: how many plies the game calls one move: 2 in chess.
        """
        if not value.remoteness:  # the game is over, or nobody knows
            return ""
        plies = counted(value.remoteness, "plies")
        if plies_per_move == 1:
            return f" in {plies}"
        moves = -(-value.remoteness // plies_per_move)
        return f" in {counted(moves, 'moves')} ({plies})"

    def resistance(self, value: Value) -> int:
        """Return a number that is greater the better a side does that has to lose."""
        return value.remoteness or 0

    def even(self, value: Value) -> str:
        """Return how nobody wins, in words."""
        if value.remoteness is None:
            return "a draw, as neither side can force an end"
        return f"a tie{self.by(value, 0)}"

    def known(self, value: Value) -> str:
        """Return what is known of a value, in words that follow "this is"."""
        return str(value)

    def ending(
        self, value: Value, winner: str | None, points: int = 0, plies_per_move: int = 1
    ) -> str:
        """Return in a few words how a game ends by perfect play.

        Args:
            value: the value of the position.
            winner: who wins, or None.
            points: the margin of the player to move until now.
            plies_per_move: how many plies the game calls one move: 2 in chess.
        """
        if winner is None:
            return self.even(value)
        return f"{wins(winner)}{self.by(value, self.ahead(value, points), plies_per_move)}"

    def lost(self, best: Value, worth: Value) -> str | None:
        """Return what a move loses, ``outcome``, ``points`` or ``plies``; or None.

        Args:
            best: what a best move is worth.
            worth: what the move is worth.
        """
        if self.as_good(best, worth):
            return None
        return "plies" if worth.outcome is best.outcome else "outcome"

    def regret(self, best: Value, worth: Value) -> tuple[int, int]:
        """Return how much a move gives away, 0 for a best one.

        Args:
            best: what a best move is worth.
            worth: what the move is worth.

        Returns:
            What it gives away of the value: 1 for each of a win and a draw, or points. And where
            that is nothing, the plies by which it delays a win or a tie, or hurries a loss; 0 where
            play is endless.
        """
        return int(best.outcome or 0) - int(worth.outcome or 0), self._plies(best, worth)

    def _plies(self, best: Value, worth: Value) -> int:
        if best.outcome is not worth.outcome or None in (best.remoteness, worth.remoteness):
            return 0
        return abs((best.remoteness or 0) - (worth.remoteness or 0))

    def mistake(self, best: Value, worth: Value) -> str:
        """Return what a move did that is not a best one, ``turned a draw into a loss in 8``.

        Args:
            best: what a best move is worth.
            worth: what the move is worth.

        Returns:
            The phrase, which follows the name of the player or the move; empty for a best move.
        """
        if self.as_good(best, worth):
            return ""
        if best.outcome is not worth.outcome or None in (best.remoteness, worth.remoteness):
            return f"turned {self._as_noun(best, worth)} into {self._as_noun(worth, best)}"
        plies = abs((best.remoteness or 0) - (worth.remoteness or 0))
        some = counted(plies, "plies")
        if best.outcome is WIN:
            return f"won {some} later than necessary"
        if best.outcome is LOSS:
            return f"lost {some} sooner than necessary"
        return f"put the tie off by {some}"

    def _as_noun(self, value: Value, other: Value) -> str:
        """Return a value with an article; a draw without its kind, unless the other is one too."""
        if value.outcome is DRAW and other.outcome is not DRAW:
            return "a draw"
        return f"{'an' if value.is_endless else 'a'} {value}"

    def because(self, value: Value, options: Sequence[Option]) -> Iterator[str]:  # noqa: ARG002
        """Give sentences that explain a value further, beyond who wins."""
        yield from ()


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
