"""A program of somebody else's, which is checked against the types that the package ships."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import zermelo
from zermelo import DRAW, LOSS, Game, Option, Outcome, Solution, Value
from zermelo.games import ConnectFour, TicTacToe


@dataclass(frozen=True)
class Countdown(Game):
    """Two players count down by one or two, and whoever cannot loses."""

    top: int = 5

    def start(self) -> int:
        """Return where they begin."""
        return self.top

    def moves(self, position: int) -> list[int]:
        """Return the steps down."""
        return [1, 2] if position > 1 else [1][:position]

    def play(self, position: int, move: int) -> int:
        """Return what is left."""
        return position - move


def told(solution: Solution) -> str:
    """Return what a solution says of its start."""
    value: Value = solution.value
    outcome: Outcome | None = value.outcome  # None is what a proof does not know
    plies: int | None = value.remoteness
    best: list[Option] = [option for option in solution.options() if option.value == value]
    return f"{outcome} {plies} {len(best)} {outcome in (DRAW, LOSS)} {solution.winner or 'nobody'}"


def kept(path: Path) -> Solution:
    """Save a solution and open it again."""
    saved: Path = zermelo.solve(TicTacToe()).save(path, overwrite=True)
    opened: Solution = zermelo.open(saved)
    if not opened.verify():
        raise SystemExit(str(opened.verify()))
    return opened


if __name__ == "__main__":
    solutions = zermelo.solve(Countdown(6), progress=None), kept(Path("tic-tac-toe.table"))
    width: int = ConnectFour(width=5, height=4).width
    sys.stdout.write("\n".join([*map(told, solutions), f"{width}\n"]))
