"""The status array: one number for each position while positions are being decided.

The number of a decided position is its code. The number of an undecided one is minus the count of
its moves that do not lose yet, which is not a code; or 0, if moves are not counted. In one byte a
remoteness is at most 62, and moves are at most 63; then the numbers take two bytes, and then four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.tie_preference import LIKED, NO_TIES
from zermelo._engine.column.codes import NARROW, WIDE, Scale
from zermelo._engine.core.array_types import IntArray
from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Arrays, Checkpoint
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import zeros
from zermelo.progress import Reporter

#: The codes of one byte: remoteness up to 62. And all scales.
TINY = Scale((1 << 7) - 1, 1 << 6, np.int8)
SCALES = (TINY, NARROW, WIDE)
#: The checkpoint stage with the status array.
SPREAD = "spread"
#: Results of initialising the status array: success, and three problems.
READY, TOO_MANY_MOVES, DESCENDS, STRANGE_OUTCOME = range(4)


class TerminalCodes(NamedTuple):
    """The codes in the array of terminal positions, and the outcome of a position without moves.

    If that outcome is ``open``, the status number of such a position is 0.
    """

    open: int
    win: int
    draw: int
    loss: int
    no_moves: int


@kernel
def _begin(
    first: IntArray, terminal: IntArray, terms: TerminalCodes, state: IntArray, last: int, ties: int
) -> tuple[int, int, int, int]:
    """Initialise ``state``.

    Returns:
        READY, the number of terminal wins and losses, the number of terminal ties, and 0; or a
        problem, whose position is the last entry.
    """
    decided = 0
    tied = 0
    for i in range(state.size):
        value: Any = np.int64(terminal[i])
        moves = np.int64(1)  # if moves are not counted
        if first.size == state.size:
            moves = np.int64(first[i])
        elif first.size:
            moves = np.int64(first[i + 1]) - np.int64(first[i])
        if moves < 0:
            return DESCENDS, decided, tied, i
        if value == terms.open:
            if 0 < moves < ties:
                state[i] = -moves if first.size else 0
                continue
            if moves > 0:
                return TOO_MANY_MOVES, decided, tied, i
            value = terms.no_moves
        if value == terms.win:
            state[i] = last
            decided += 1
        elif value == terms.loss:
            state[i] = -last
            decided += 1
        elif value == terms.draw:
            state[i] = ties
            tied += 1
        elif value == terms.open:
            state[i] = 0
        else:
            return STRANGE_OUTCOME, decided, tied, i
    return READY, decided, tied, 0


@kernel
def _translate(
    state: IntArray,
    values: IntArray,
    last: int,
    ties: int,
    new_last: int,
    new_ties: int,
    finished: bool,
) -> None:
    """Convert status numbers to another scale.

    Once ``finished``, undecided means an endless draw.
    """
    for i in range(state.size):
        number = np.int64(state[i])
        if number > ties:
            values[i] = number + (new_last - last)
        elif number > 0:
            values[i] = number + (new_ties - ties)
        elif number <= -ties:
            values[i] = number - (new_last - last)
        elif finished:
            values[i] = 0
        else:
            values[i] = number


@kernel
def _replace_zeros(state: Any, code: int) -> Any:
    """Replace status numbers of 0 by a code; return their number."""
    count: Any = np.int64(0)
    for i in range(state.size):
        if state[i] == 0:
            state[i] = code
            count += 1
    return count


def begin(
    first: IntArray,
    terminal: IntArray,
    terms: TerminalCodes,
    state: IntArray,
    scale: Scale,
) -> tuple[int, int, int, int]:
    """Initialise the status array before the first round; return the result of ``_begin``.

    Args:
        first: index of each position's first move, and one entry more; or the number of moves of
            each position; or empty.
        terminal: the terminal code of each position.
        terms: the codes used in ``terminal``.
        state: receives the status numbers.
        scale: the scale of their codes.
    """
    found = _begin(first, terminal, terms, state, scale.last, scale.ties)
    return tuple(map(int, found))  # type: ignore[return-value]  # four of them


def translate(
    state: IntArray,
    scale: Scale,
    values: IntArray,
    new_scale: Scale,
    *,
    finished: bool,
) -> None:
    """Write status numbers in codes of another scale; once ``finished``, as values."""
    _translate(state, values, scale.last, scale.ties, new_scale.last, new_scale.ties, finished)


class PropagationMethod(Protocol):
    """A propagation method: ``Spreading`` or ``Rounds``.

    Attributes:
        rounds: the number of scans over all moves.
    """

    rounds: int

    def run(
        self, state: npt.NDArray[Any], scale: Scale, level: int, count: int, *, tie: int = NO_TIES
    ) -> Iterator[tuple[int, int, int]]:
        """Propagate wins and losses, or ties; see ``Spreading``."""


def narrow_scale() -> Scale:
    """Return the scale of 16-bit codes, limited by ``limits.narrow``."""
    most = limits.current().narrow
    return NARROW if most > NARROW.longest else Scale(3 * most + 1, 2 * most, np.int16)


def code_of(scale: Scale, tie: int, level: int) -> int:
    """Return the code of a win, or a tie, of this remoteness; 0 if the scale has none."""
    best, least = (scale.ties, 1) if tie else (scale.last, scale.ties + 1)
    return best - level if best - level >= least else 0


def scale_for(moves: int) -> Scale:
    """Return the narrowest scale on which this many moves can be counted."""
    return next(scale for scale in SCALES if moves < scale.ties)


class StatusArray:
    """The status array of all positions, of few bits as long as these suffice.

    Attributes:
        scale: the scale of its codes.
        state: the status numbers.
        decided: the number of wins and losses decided before the first round.
        level: the greatest remoteness of these.
        frontier: the number of those that have it.
        tied: the number of terminal ties.
        won: the number of wins in one move that were decided before the first round.
        problem: READY, or the problem of the initialisation.
        place: the position that has the problem.
        ties: the tie preference; see ``tie_preference``.
        unseen: whether terminal positions are decided only by the first round.
        beside: further arrays that are saved with the status numbers.
    """

    unseen = False

    def __init__(
        self,
        state: IntArray,
        scale: Scale,
        wider: Callable[[Scale], npt.NDArray[Any]],
        ties: int = LIKED,
    ) -> None:
        """Store the array.

        Args:
            state: the status numbers.
            scale: the scale of their codes.
            wider: creates the array for the codes of a wider scale that replaces it if needed, or
                raises BudgetError.
            ties: the tie preference; see ``tie_preference``.
        """
        self.state, self.scale, self.ties = state, scale, ties
        self.decided = self.level = self.frontier = self.tied = self.won = self.place = 0
        self.problem = READY
        self.beside: Arrays = {}
        self._wider = wider

    @classmethod
    def within(
        cls, state: IntArray, scale: Scale, check: Callable[[int], None], ties: int = LIKED
    ) -> Self:
        """Return a status array whose wider arrays are new ones.

        Args:
            state: the status numbers.
            scale: the scale of their codes.
            check: raises BudgetError if the given number of additional bytes exceeds the budget.
            ties: the tie preference; see ``tie_preference``.
        """
        count = len(state)

        def wider(scale: Scale) -> npt.NDArray[Any]:
            check(count * np.dtype(scale.dtype).itemsize)
            return zeros(count, scale.dtype)

        return cls(state, scale, wider, ties)

    @classmethod
    def of_terminals(
        cls,
        first: IntArray,
        terminal: IntArray,
        terms: TerminalCodes,
        wide: Callable[[], npt.NDArray[Any]],
        *,
        narrow: bool = True,
        ties: int = LIKED,
    ) -> Self:
        """Return the status array before the first round.

        Args:
            first: index of each position's first move, and one entry more; or the number of moves
                of each position; or empty, if moves are not counted.
            terminal: the terminal code of each position.
            terms: the codes used in ``terminal``.
            wide: creates the 32-bit array that replaces the 16-bit one if needed.
            narrow: whether to start with 16 bits.
            ties: the tie preference; see ``tie_preference``.
        """
        scale = narrow_scale() if narrow else WIDE
        state = zeros(len(terminal), np.int16) if narrow else wide()
        status = cls(state, scale, lambda _: wide(), ties)
        status._set(first, terminal, terms)
        if status.problem == TOO_MANY_MOVES and narrow:
            status.scale, status.state = WIDE, wide()
            status._set(first, terminal, terms)
        return status

    def _set(self, first: IntArray, terminal: IntArray, terms: TerminalCodes) -> None:
        found = begin(first, terminal, terms, self.state, self.scale)
        self.problem, self.decided, self.tied, self.place = found
        self.frontier = self.decided

    def decide_wins_in_one(self) -> None:
        """Decide positions whose status number is 0 as wins in one move."""
        self.won = int(_replace_zeros(self.state, self.code_for(NO_TIES, 1)))

    def widen(self) -> None:
        """Convert the status numbers to the next width."""
        width = np.dtype(self.scale.dtype).itemsize
        scale = next(scale for scale in SCALES if np.dtype(scale.dtype).itemsize > width)
        values = self._wider(scale)
        self.write(values, scale, finished=False)
        self.scale, self.state = scale, values

    def code_for(self, tie: int, level: int) -> int:
        """Return the code of a win, or a tie, of a remoteness; widen the array if necessary."""
        while not (code := code_of(self.scale, tie, level)):
            self.widen()
        return code

    def write(self, values: IntArray, scale: Scale, *, finished: bool = True) -> None:
        """Write the status numbers in codes of ``scale``; once ``finished``, as values."""
        translate(self.state, self.scale, values, scale, finished=finished)

    def decide(
        self, method: PropagationMethod, report: Reporter, checkpoint: Checkpoint = NO_CHECKPOINT
    ) -> None:
        """Decide all positions by a propagation method, from where an earlier process stopped.

        Args:
            method: the propagation method.
            report: receives the number of decided positions.
            checkpoint: where to save the status array from time to time.
        """
        if begun := self.restore(checkpoint):
            report.resume("some values were known")
        for done in self.spread(method, checkpoint, begun=begun):
            report.advance(done)

    def spread(
        self,
        way: PropagationMethod,
        checkpoint: Checkpoint = NO_CHECKPOINT,
        stage: str = SPREAD,
        *,
        said: Sequence[int] = (),
        begun: Sequence[int] = (),
    ) -> Iterator[int]:
        """Decide all positions by a propagation method; yield the number of positions done.

        Args:
            way: the propagation method.
            checkpoint: where to save the status array from time to time.
            stage: the name of the checkpoint stage.
            said: numbers that precede the state of the solve in the stage's note.
            begun: the state to resume from: the result of ``restore`` without ``said``. It consists
                of whether ties are being decided, the last level decided, whether another level
                follows, the number of positions done, and the rounds.
        """
        first, *at, done, way.rounds = begun or (
            0,
            self.level,
            self.frontier,
            self.decided,
            self.level,
        )
        for tie in (NO_TIES, self.ties)[first:]:
            if tie and not first:
                at, done = [0, self.tied or self.unseen], done + self.tied
            while at[1]:
                for decided, *now in way.run(self.state, self.scale, *at, tie=tie):
                    at, done = now, done + decided
                    yield done
                    self.save(checkpoint, stage, [*said, bool(tie), *at, done, way.rounds])
                if at[1]:
                    self.widen()

    def save(self, checkpoint: Checkpoint, stage: str, note: Sequence[int]) -> None:
        """Save the status numbers, and the arrays ``beside``, if that takes little time."""
        width = self.state.itemsize
        checkpoint.save(stage, [width, *note], state=self.state, **self.beside)

    def restore(self, checkpoint: Checkpoint, stage: str = SPREAD) -> list[int]:
        """Restore the saved status numbers.

        Return the note, or an empty list if none were saved.
        """
        width, *note = checkpoint.note(stage) or [0]
        while self.state.itemsize < width:
            self.widen()
        if self.state.itemsize != width:
            return []
        checkpoint.read(stage, state=self.state, **self.beside)
        return note
