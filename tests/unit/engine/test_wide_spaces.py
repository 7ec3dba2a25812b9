"""A wide space of which little is reached is not numbered, and little of a small one is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import zermelo
from zermelo import Game

#: As many slots as make a space a wide one.
WIDE = 1 << 24


@dataclass(frozen=True)
class Ring(Game):
    """Go one or three steps round a ring of cells, but not to cell 0; cell 1 wins.

    Attributes:
        cells: how many cells the ring has.
        declared: how many ``space`` allows.
    """

    cells: int
    declared: int

    def start(self) -> int:
        """Return the middle of the space."""
        return self.cells // 2

    def outcome(self, cell: int) -> zermelo.Outcome | None:
        """Whoever comes to cell 1 has won."""
        return zermelo.LOSS if cell == 1 else None

    def moves(self, cell: int) -> Iterator[int]:
        """Go forward or back."""
        for step in (-3, -1, 1, 3):
            if (cell + step) % self.cells:
                yield (cell + step) % self.cells

    def play(self, cell: int, there: int) -> int:
        """Stand there."""
        return there

    def space(self) -> range:
        """Allow more cells than there are."""
        return range(self.declared)


def test_few_positions_of_a_wide_space_are_solved_by_their_graph() -> None:
    """What is reached decides, and not what ``space`` allows; a method asked for is kept to."""
    game = Ring(50, WIDE)
    solution = zermelo.solve(game)
    assert solution.method == "retrograde"
    assert solution.choice.endswith(
        "few of the 16,777,216 positions that space() allows are reached"
    )
    asked = zermelo.solve(game, method="dense")
    assert asked.method == "dense"
    assert dict(asked.items()) == dict(solution.items())
    assert solution.peak_bytes < asked.peak_bytes


@pytest.mark.slow
def test_many_positions_of_a_wide_space_are_numbered(tmp_path: Path) -> None:
    """Exploring is given up where more than a few are reached, also into a table."""
    game = Ring(40_000, WIDE)
    solution = zermelo.solve(game)
    assert solution.method == "dense"
    assert solution.value == zermelo.solve(game, table=tmp_path / "ring.zml").value
