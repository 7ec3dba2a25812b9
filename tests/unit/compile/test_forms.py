"""What rules may be written in: each form does compiled what it does in Python.

The games here are walks of a few steps that mix numbers up; ``mix`` is where the forms are tried.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any, NamedTuple, cast

import pytest
from numba.core import event

from support.games.forms import Digest, Mixed
from support.oracles.equivalence import check
from support.sizes import some


class Arithmetic(Mixed):
    def mix(self, p, n):
        s = p.seed - 400
        mixed = s // n + s % n + -s // (n + 1) + -s % -(n + 4) + divmod(s, -n)[0] - divmod(-s, n)[1]
        mixed += s**2 + 2**n + pow(n, 3) + abs(s) + min(s, n, 7) + max(s, n) + round(s)
        mixed ^= s & 0xF0 | n << 3 | ~s
        mixed += (s >> 70) + (s >> 100 * n) + (1 << 60 + n & 63) + (-s >> 1)
        mixed <<= n
        mixed >>= p.step % 3
        mixed += (s > 3) + (s < n) * 5 - (not s) + (s != n) + int(s >= 0) + bool(s)
        mixed += (1 < n <= 3 < abs(s)) * 11 + (s and n) + (p.step or 9)
        mixed += s.bit_count() + s.bit_length() + (n - 1).bit_length() + (12).bit_count()
        mixed += math.isqrt(abs(s)) + math.gcd(s, 12) + math.floor(7) + int(math.sqrt(n * n))
        mixed -= 1 if s > 0 else 2 if s < -3 else 4
        mixed //= 3
        mixed %= 100_003
        mixed |= 1
        mixed &= 0xFFFFF
        return mixed


class Piece(IntEnum):
    PAWN = 1
    KING = 2
    LOST = -3


class Flow(Mixed):
    def mix(self, p, n):
        if n > 2:
            early = 3
        total = unused = 0
        while total < p.seed:
            total += 7 * n
            if total % 5 == 4:
                break
        else:
            total += 1000
        for i in range(10, -10, -n):
            if i == p.step:
                continue
            if i == -p.step:
                total += 3
                break
            total += i
        else:
            total -= 17
        a, (b, c) = p.seed, (n, p.step)
        a, b = b, a
        for x in p.row:
            for y in (x, n, c):
                if y < 0:
                    break
                total += x * y
            last = x
        match n:
            case Piece.PAWN:
                total += 1
            case 2 | 5:
                total += 20
            case m if m > 100:
                total += m
            case _:
                total += 300
        match p.row[1]:
            case Piece.LOST | -1:
                total *= 2
            case other:
                total += other
        if n > 2:
            total += early
        assert total < 10**9, "never so much"
        if total < -(10**9):
            raise ValueError(f"{total} is too little")
        return total + a * b + c + last + unused + self.first_over(p, n)

    def first_over(self, p, n):
        """Return early out of a loop."""
        for i, x in enumerate(p.row, start=n):
            if x * i > 4:
                return i
        return -1


class Walrus(Mixed):
    def mix(self, p, n):
        if (double := 2 * n) > 3:
            total = double
        elif (triple := double + n) > 2 and (more := triple + 1):
            total = more
        else:
            total = 0
        if n > 1 and (k := p.seed % 5) > 2 and k < 4:
            total += k
        i = 0
        while (left := p.seed % 17 - i) > 0:
            i += 3
            total += left
        total += n + (n := n + 1) * n + max(p.step, (j := n % 4)) + j
        total += (q := p.step) if p.step > 1 else (q := 77)
        found = (u := n > 2) or (u := p.seed > 3)
        return total + left + q + found + u + self.last(p, (w := total % 9)) - w

    def last(self, p, w):
        return w * p.row[2]


ROW = (4, -2, 9)
x = 1000


class Comprehensions(Mixed):
    def mix(self, p, n):
        total = sum(x * n for x in p.row) + x
        total += any(v > 3 for v in p.row) + 2 * all(v < 9 for v in p.row)
        total += 4 * any(a == b + n for a in p.row for b in ROW if b != a)
        total += 8 * all(any(a + b > c for b in p.row if b != n) for a in ROW for c in range(n))
        total += min(abs(v) for v in p.row) - max(v * n for v in ROW)
        total += min((v for v in p.row if v > 90), default=-7)
        total += max([v for v in p.row if v > n], default=n)
        total += sum((v for v in p.row if v % 2), start=5) + sum((v for v in ROW), n)
        total += sum(sum(a * b for b in range(a)) for a in range(n + 2))
        squares = [v * v for v in range(n + 3) if v != p.step]
        pairs = [(v, w) for v in range(3) for w in range(v)]
        total += (
            sum(squares) + len(pairs) + pairs[1][0] + squares[-1] + sum([v + w for v, w in pairs])
        )
        total += sorted(v % 5 for v in squares)[1]
        total += sum(p.row) + min(p.row) + max(squares) + min(n, 2) + sum(list(v for v in ROW))
        total += any([n == 2, p.step == 1]) + all((n, p.step)) + any(p.row)
        for v in (w + 1 for w in p.row):
            total += v
        for v in reversed(p.row):
            total = total * 3 + v
        for v in reversed(range(1, 12, n + 1)):
            total = (total * 3 + v) % 100_003
        total += sum(n for n in range(n)) + n
        total += sum(1 for i in range(5) if not p.seed >> i & 1)
        return total + (n in ROW) + 2 * (n in {1, 3}) + 4 * (n not in [2, 3]) + (n in range(2, 9))


class Tuples(Mixed):
    def mix(self, p, n):
        i = n - 1
        row = (0,) * 2 + p.row + (n, p.step)
        at = row[i] + row[-n] * 3 + p[1] + p[2][i] + p.row[-1] + p.row[i - 3]
        count = len(row) + len(p) + p.row.count(n) + row.index(n)
        same = (p.row == (3, -1, 4)) + 2 * ((n, i) < (2, p.step)) + 4 * (p.row != ROW)
        dx, dy = STEPS[i]
        for up, down in STEPS:
            at += up * n - down
        for j, (v, w) in enumerate(zip(p.row, ROW, strict=True)):
            at += v * j - w
        changed = p._replace(step=9, row=(n, n, n))
        other = Pair(right=n, left=i)._replace(left=50)
        same += (changed == Digest(9, p.seed, (n, n, n))) + (other == Pair(50, n))
        inner: int = changed.row[0] + changed.seed + other.left - Pair(n).right
        return at + count * 5 + same * 7 + dx - dy + inner + cast("int", n)


STEPS = ((0, 1), (1, 0), (-1, 5))


class Pair(NamedTuple):
    left: int
    right: int = 33


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    some([Arithmetic, Flow, Walrus, Comprehensions, Tuples], 5),
)
def test_a_form_does_compiled_what_it_does_in_python(kind: Any) -> None:
    """Children, values and owners are the same at every position that can be reached."""
    check(kind(), least=100)


@pytest.mark.slow
def test_lists_of_numbers_are_sorted_without_compiling_what_sorts_anything(monkeypatch, tmp_path):
    """Numba's own sorting takes three seconds to compile; a changed rule should not wait for it."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))  # what was kept is not compiled

    class Sorting(Mixed):
        def score(self, p):
            several = [(p.seed * k) % 13 - 6 for k in range(p.seed % 9)]
            backwards = sorted(several, reverse=True)
            several = sorted(several)
            other = sorted(x % 5 for x in several)
            total = 0
            for n, number in enumerate(several):
                total += (n + 1) * (number - 3 * backwards[n] + 7 * other[n])
            rows = sorted(p.row)
            other = sorted(other, reverse=p.seed % 2 == 0)
            return total + rows[0] - 5 * rows[2] + (other[0] if other else 0)

    with event.install_recorder("numba:compile") as recorder:
        check(Sorting(), least=100)
    compiled = [told.data["dispatcher"].py_func for _, told in recorder.buffer]
    assert compiled
    assert not [
        function
        for function in compiled
        if "sort" in function.__module__.split(".")[-1] and function.__module__.startswith("numba.")
    ]
