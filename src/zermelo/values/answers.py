"""What a solution answers with: named results in place of bare numbers and tuples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.values.outcomes import Outcome, Value


@dataclass(frozen=True, slots=True)
class Option:
    """One move with what it leads to.

    Attributes:
        move: the move.
        name: what the game calls it.
        position: the position after it.
        value: what the move is worth to the player who makes it, so that the best option's value
            is the position's. Remoteness is counted from the position before the move.
    """

    move: Any
    name: str
    position: Any
    value: Value


@dataclass(slots=True)
class Line:
    """A line of perfect play.

    Attributes:
        start: the position it begins in.
        moves: the moves, in order.
        positions: the position after each move.
        ends: ``"terminal"`` where the game ends; ``"repeats"`` where the last position has come
            before, so that perfect play goes round for ever; ``"cut"`` where the line was cut.
    """

    start: Any
    moves: list[Any]
    positions: list[Any]
    ends: str

    def __len__(self) -> int:
        """Return how many moves there are."""
        return len(self.moves)

    def __iter__(self) -> Iterator[Any]:
        """Go through the moves."""
        return iter(self.moves)


def followed(start: Any, options: Callable[[Any], Sequence[Option]], longest: int) -> Line:
    """Return the line of play that follows the first option each time.

    Args:
        start: where it begins.
        options: what there is to do in a position, best first; nothing where the game is over.
        longest: moves after which it is cut.
    """
    line = Line(start, [], [], "terminal")
    here, seen = start, {start}
    while len(line.moves) < longest:
        found = options(here)
        if not found:
            return line
        here = found[0].position
        line.moves.append(found[0].move)
        line.positions.append(here)
        if here in seen:
            line.ends = "repeats"
            return line
        seen.add(here)
    line.ends = "cut"
    return line


@dataclass(frozen=True, slots=True)
class Probes:
    """The values of many positions, an array each.

    Attributes:
        found: whether each can be reached, shape (n,), bool.
        outcome: 1, 0 or -1 (WIN, DRAW, LOSS) for the player to move, int8; 0 where not found.
        remoteness: plies to the end, int64; -1 where there is none.
        score: margins for the player to move, int64, in a score game; else None.
        nimber: nimbers, int64, where those were asked for; else None. Where play need not end and a
            position is worth no nimber, it is -1.
        infinity: where nimbers were asked for, the nimbers that the moves of a position lead to
            that is worth none, as the bits of an int64: 5 for 0 and 2. It is -1 where there is a
            nimber, or the position was not found; None where nimbers were not asked for.
    """

    found: npt.NDArray[np.bool_]
    outcome: npt.NDArray[np.int8]
    remoteness: npt.NDArray[np.int64]
    score: npt.NDArray[np.int64] | None
    nimber: npt.NDArray[np.int64] | None = None
    infinity: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        """Return how many positions were asked about."""
        return len(self.found)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many positions there are of each value.

    Attributes:
        win: positions won for the player to move (score games: with a margin above 0).
        draw: positions drawn, ``tie`` and ``endless`` together (score games: margin 0).
        loss: positions lost for the player to move (score games: margin below 0).
        tie: draws that the rules declare.
        endless: draws because neither side can force an end.
        by_remoteness: positions by (outcome, remoteness), best first; empty where values have none.
        by_score: positions by score, for a score game; else empty.
        by_score_and_plies: positions by (score, plies), where plies were found, too; else empty.
        by_nimber: positions by nimber, where those were asked for; else empty.
        by_infinity: where nimbers were asked for, positions that are worth none, by the nimbers
            that their moves lead to; else empty.
    """

    win: int
    draw: int
    loss: int
    tie: int = 0
    endless: int = 0
    by_remoteness: dict[tuple[Outcome, int | None], int] = field(default_factory=dict)
    by_score: dict[int, int] = field(default_factory=dict)
    by_nimber: dict[int, int] = field(default_factory=dict)
    by_infinity: dict[tuple[int, ...], int] = field(default_factory=dict)
    by_score_and_plies: dict[tuple[int, int | None], int] = field(default_factory=dict)

    @property
    def positions(self) -> int:
        """How many positions there are in all."""
        return self.win + self.draw + self.loss

    @property
    def by_outcome(self) -> dict[str, int]:
        """How many positions there are of each outcome, by its name."""
        return {"win": self.win, "draw": self.draw, "loss": self.loss}


@dataclass(frozen=True, slots=True)
class Verification:
    """What the certificate found; true where every value is right.

    Attributes:
        ok: whether every value is right.
        positions: positions in the table.
        moves: moves that were followed.
        problem: a sentence on the first thing that is wrong, or None.
        seconds: wall seconds it took.
        position: the position that is wrong, or None.
    """

    ok: bool
    positions: int
    moves: int
    problem: str | None
    seconds: float
    position: Any = None

    def __bool__(self) -> bool:
        """Whether every value is right."""
        return self.ok


def html_table(rows: Iterable[tuple[str, str]]) -> str:
    """Return names and texts as a small table."""
    body = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f"<table>{body}</table>"
