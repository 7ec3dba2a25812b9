"""Narrow layers are expanded together, with the results of one layer at a time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import zermelo
from zermelo import Game, RulesError


@dataclass(frozen=True)
class Countdown(Game):
    """Take one or, from multiples of seven, two; a wrong rule may stand anywhere.

    A position is the number left, or the number taken.
    """

    top: int
    wrong: int = -1
    counts_taken: bool = False

    def start(self) -> int:
        """Return the whole heap."""
        return 0 if self.counts_taken else self.top

    def moves(self, number: int):
        """Yield the numbers to take."""
        left = self.top - number if self.counts_taken else number
        if left:
            yield 1
        if left > 1 and left % 7 == 0:
            yield 2

    def play(self, number: int, taken: int) -> int:
        """Return the rest of the heap, or all that was taken."""
        return number + taken if self.counts_taken else number - taken

    def outcome(self, number: int):
        """Return an invalid outcome at one position."""
        return 5 if number == self.wrong else None


def values_of(top: int) -> list[tuple[int, int]]:
    """Return outcome and remoteness of each number up to the top, by backward induction."""
    values = [(-1, 0)]
    for left in range(1, top + 1):
        children = [values[left - 1], *([values[left - 2]] if left % 7 == 0 else [])]
        lost = [plies for outcome, plies in children if outcome < 0]
        values.append((1, 1 + min(lost)) if lost else (-1, 1 + max(n for _, n in children)))
    return values


@pytest.mark.slow
def test_a_long_chain_is_right_in_memory_and_in_a_file(tmp_path: Path) -> None:
    """It has more layers than one call takes; the certificate of the file counts all moves."""
    solution = zermelo.solve(Countdown(3_000))
    values = values_of(3_000)
    assert {left: (int(v.outcome), v.remoteness) for left, v in solution.items()} == dict(
        enumerate(values)
    )
    opened = zermelo.open(solution.save(tmp_path / "chain.table"), solution.game)
    verification = opened.verify()
    assert verification
    assert verification.moves == solution.verify().moves == 3_000 + 3_000 // 7


@pytest.mark.slow
def test_a_chain_is_the_same_with_little_memory() -> None:
    """The memory limits the positions that a call expands."""
    solution = zermelo.solve(Countdown(30_000), memory="1.2MB")
    assert solution.peak_bytes <= 1_200_000
    assert [(int(solution[n].outcome), solution[n].remoteness) for n in (7, 29_999, 30_000)] == [
        values_of(30_000)[n] for n in (7, 29_999, 30_000)
    ]


@pytest.mark.slow
def test_a_chain_is_the_same_with_growing_numbers() -> None:
    """The index is rebuilt whenever numbers get a bit more, in the middle of a call."""
    solution = zermelo.solve(Countdown(30_000, counts_taken=True))
    values = values_of(30_000)
    for left in (0, 7, 16_383, 29_998, 30_000):
        value = solution[30_000 - left]
        assert (int(value.outcome), value.remoteness) == values[left]
    assert len(solution) == 30_001


def test_a_wrong_rule_in_a_chain_is_named() -> None:
    """The kernel stops before the position, and the expansion of its layer alone names it."""
    with pytest.raises(RulesError, match=r"outcome\(77\) is 5; use WIN"):
        zermelo.solve(Countdown(5_000, wrong=77))
