"""What is known of each position while it is being decided: one number a position.

Decided, it is the position's code; until then it is minus the moves that do not lose yet, which no
code can be; or 0, where nobody counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.tie_preference import LIKED, NO_TIES
from zermelo._engine.column.codes import NARROW, WIDE, Scale
from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Arrays, Checkpoint
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import zeros

#: The stage that says what is decided so far.
SPREAD = "spread"
#: What may keep numbers from being set.
READY, TOO_MANY_MOVES, DESCENDS, STRANGE_OUTCOME = range(4)


@dataclass(frozen=True)
class TerminalCodes:
    """What stands for what in the array of terminal positions, and the outcome of a dead end."""

    open: int
    win: int
    draw: int
    loss: int
    no_moves: int


@kernel
def _begin(
    first: Any,
    terminal: Any,
    state: Any,
    none: int,
    win: int,
    draw: int,
    loss: int,
    no_moves: int,
    last: int,
    ties: int,
) -> tuple[Any, Any, Any, Any]:
    """Set the numbers of ``state``.

    Returns:
        READY, how many positions end in a win or a loss, how many in a tie, and 0; or what is in
        the way, with the position it is the matter with in the last place.
    """
    decided: Any = 0
    tied: Any = 0
    for i in range(state.size):
        value: Any = np.int64(terminal[i])
        moves: Any = np.int64(1)  # where nobody counts them
        if first.size:
            moves = np.int64(first[i + 1]) - np.int64(first[i])
        if moves < 0:
            return DESCENDS, decided, tied, i
        if value == none:
            if 0 < moves < ties:
                state[i] = -moves
                continue
            if moves > 0:
                return TOO_MANY_MOVES, decided, tied, i
            value = no_moves
        if value == win:
            state[i] = last
            decided += 1
        elif value == loss:
            state[i] = -last
            decided += 1
        elif value == draw:
            state[i] = ties
            tied += 1
        else:
            return STRANGE_OUTCOME, decided, tied, i
    return READY, decided, tied, 0


@kernel
def _translate(
    state: Any,
    values: Any,
    last: int,
    ties: int,
    new_last: int,
    new_ties: int,
    finished: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Write numbers in other codes; once ``finished``, what is not decided is an endless draw."""
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


def begin(
    first: npt.NDArray[Any],
    terminal: npt.NDArray[Any],
    terms: TerminalCodes,
    state: npt.NDArray[Any],
    scale: Scale,
) -> tuple[int, int, int, int]:
    """Set numbers as they are before the first round; return what ``_begin`` does.

    Args:
        first: place of each position's first move, and one number more; or empty.
        terminal: what is known of each position.
        terms: the terms in which it is.
        state: receives the numbers.
        scale: their codes.
    """
    meant = terms.open, terms.win, terms.draw, terms.loss, terms.no_moves
    found = _begin(first, terminal, state, *meant, scale.last, scale.ties)
    return tuple(map(int, found))  # type: ignore[return-value]  # four of them


class PropagationMethod(Protocol):
    """How one level is decided from another: ``Spreading`` or ``Rounds``.

    Attributes:
        rounds: how many times all moves were scanned.
    """

    rounds: int

    def run(
        self, state: npt.NDArray[Any], scale: Scale, level: int, count: int, *, tie: int = NO_TIES
    ) -> Iterator[tuple[int, int, int]]:
        """Spread wins and losses, or ties; see ``Spreading``."""


def narrow_scale() -> Scale:
    """Return the codes of 16 bits, as far as they are used."""
    most = limits.current().narrow
    return NARROW if most > NARROW.longest else Scale(3 * most + 1, 2 * most, np.int16)


class StatusArray:
    """The numbers of all positions, of 16 bits for as long as that is enough.

    Attributes:
        scale: their codes.
        state: the numbers.
        decided: positions whose outcome is a win or a loss from the beginning.
        tied: positions that are a tie from the beginning.
        problem: READY, or what is in the way of them.
        place: the position it is the matter with.
        ties: who likes ties; see ``tie_preference``.
        unseen: whether what has ended is decided only by the first round.
        beside: what else is known of each position, and kept with its number.
    """

    unseen = False
    ties = LIKED

    def __init__(
        self,
        first: npt.NDArray[Any],
        terminal: npt.NDArray[Any],
        terms: TerminalCodes,
        wide: Callable[[], npt.NDArray[Any]],
        *,
        narrow: bool = True,
        ties: int = LIKED,
    ) -> None:
        """Set them.

        Args:
            first: place of each position's first move, and one number more; or empty, where moves
                are not counted.
            terminal: what is known of each position.
            terms: the terms in which it is.
            wide: makes the array of 32 bits that they are moved to when they need it.
            narrow: False has them of 32 bits from the beginning.
            ties: who likes ties; see ``tie_preference``.
        """
        self.make_wide = wide
        self.ties = ties
        self.beside: Arrays = {}
        self.scale = narrow_scale() if narrow else WIDE
        self.state: npt.NDArray[Any] = zeros(len(terminal), np.int16) if narrow else wide()
        self._set(first, terminal, terms)
        if self.problem == TOO_MANY_MOVES and narrow:
            self.scale, self.state = WIDE, wide()
            self._set(first, terminal, terms)

    def _set(
        self, first: npt.NDArray[Any], terminal: npt.NDArray[Any], terms: TerminalCodes
    ) -> None:
        found = begin(first, terminal, terms, self.state, self.scale)
        self.problem, self.decided, self.tied, self.place = found

    def widen(self) -> None:
        """Go over to 32 bits."""
        values = self.make_wide()
        self.write(values, WIDE, finished=False)
        self.scale, self.state = WIDE, values

    def write(self, values: npt.NDArray[Any], scale: Scale, *, finished: bool = True) -> None:
        """Write the numbers in the codes of ``scale``, as values where the work is finished."""
        codes = (self.scale.last, self.scale.ties, scale.last, scale.ties)
        _translate(self.state, values, *codes, finished)

    def spread(
        self,
        way: PropagationMethod,
        checkpoint: Checkpoint = NO_CHECKPOINT,
        stage: str = SPREAD,
        *,
        said: Sequence[int] = (),
        begun: Sequence[int] = (),
    ) -> Iterator[int]:
        """Decide all positions, one way or another; yields how many are done.

        Args:
            way: how.
            checkpoint: where to keep, now and then, what is decided by then.
            stage: what that is called.
            said: what is to be noted before where the solve is.
            begun: where it resumes: what ``resumed`` has returned, behind ``said``. That is whether
                ties are being decided, the level that was decided last and whether another follows,
                how many positions are done, and the rounds.
        """
        first, *at, done, way.rounds = begun or (0, 0, self.decided, self.decided, 0)
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
        """Keep the numbers and what goes with them, if that is worth it."""
        width = self.state.itemsize
        checkpoint.save(stage, [width, *note], state=self.state, **self.beside)

    def resumed(self, checkpoint: Checkpoint, stage: str = SPREAD) -> list[int]:
        """Put back what was kept, if anything was; return its note, or nothing."""
        width, *note = checkpoint.note(stage) or [0]
        while self.state.itemsize < width:
            self.widen()
        if self.state.itemsize != width:
            return []
        checkpoint.read(stage, state=self.state, **self.beside)
        return note
