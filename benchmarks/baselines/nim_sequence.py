"""The nim-sequence of an octal game in plain Python, with a set for each heap."""

from __future__ import annotations

from collections.abc import Sequence


def solve(digits: Sequence[int], heaps: int, *, unequal: bool) -> list[int]:
    """Return the nimbers of heaps 0 to ``heaps``, by all splits."""
    found: list[int] = []
    for heap in range(heaps + 1):
        there = set()
        for taken, digit in enumerate(digits[: heap + 1]):
            left = heap - taken
            if digit & 1 and not left and taken:
                there.add(0)
            if digit & 2 and left:
                there.add(found[left])
            if digit & 4:
                there |= {found[a] ^ found[left - a] for a in range(1, (left - unequal) // 2 + 1)}
        nimber = 0
        while nimber in there:
            nimber += 1
        found.append(nimber)
    return found
