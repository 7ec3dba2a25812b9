"""Nim-sequences by their definition, one heap after another."""

from __future__ import annotations

import random
from functools import reduce
from operator import xor

from zermelo.heaps import Code


def nim_sequence(options, count):
    """Return the nimbers of heaps 0 to ``count - 1`` of a game, given what moves leave."""
    found = []
    for heap in range(count):
        there = {reduce(xor, (found[part] for part in left), 0) for left in options(heap)}
        found.append(next(n for n in range(len(there) + 1) if n not in there))
    return found


def some_code(choose: random.Random, *, parts: int) -> Code:
    """Return a random code: heaps left as up to so many parts, with or without an end."""
    top = 2 << parts
    first = choose.choice([0, 0, *([4] if parts > 1 else []), *([8, 12] if parts > 2 else [])])
    digits = (first, *(choose.randrange(top) for _ in range(choose.randrange(6))))
    rest = choose.choice([0, 0, choose.randrange(top)])
    return Code(digits, rest, unequal=parts == 2 and choose.random() < 0.2)
