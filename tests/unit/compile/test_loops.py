"""``itertools``, ``key=``, ``next``, queues and the like do compiled what they do in Python."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import deque
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest

from support.games.forms import Mixed
from support.oracles.equivalence import check
from support.sizes import some

ROW = (4, -2, 9, 1)
WORTH = {0: 3, 1: 1, 2: 2, 3: 9}


class Products(Mixed):
    def moves(self, p):
        if p.step < 4:
            yield from (a + 2 * b for a, b in product(range(2), repeat=2) if a or b)

    def mix(self, p, n):
        total = 0
        for a, b in itertools.product(range(n), p.row):
            if a == b:
                continue
            total = total * 3 + a * b
        for a, b in product(range(4), range(3)):
            if a * b > n:
                total += 1000 * a + b
                break
        else:
            total -= 1
        for a, b in combinations(range(5), 2):
            total = (total * 5 + a * b - n) % 100_003
        for a, b, c in itertools.permutations(p.row, 3):
            total = (total * 7 + a + 2 * b + 3 * c) % 100_003
        for a, b in itertools.combinations_with_replacement(ROW, 2):
            total = (total * 3 + a - b) % 100_003
        for a, b in pairwise(p.row):
            total += a * b
        for a in itertools.chain(p.row, range(n), [7, 8]):
            total = (total * 3 + a) % 100_003
        for a in itertools.chain.from_iterable(((1, n), (2, 3))):
            total = (total * 3 + a) % 100_003
        for a, b in zip(itertools.repeat(n, 3), p.row):
            total += a * b
        for i, a in zip(itertools.count(2), p.row):
            total += i * a
        for i in itertools.count(n):
            if i * i > 30:
                total += i
                break
        for a in itertools.islice(p.row, n):
            total = (total * 3 + a) % 100_003
        for a, b in itertools.islice(product(ROW, p.row), 2, 12, 3):
            total = (total * 3 + a * b) % 100_003
        for a in itertools.islice(itertools.count(n), 1, 4):
            total = (total * 3 + a) % 100_003
        total += sum(itertools.islice((v * n for v in ROW), 1, n + 2))
        pairs = list(product(p.row, (1, 2)))
        total += len(pairs) + pairs[3][0] + sum(a * b for a, b in pairwise(ROW))
        total += any(a + b == n for a, b in combinations(p.row, 2))
        total += max(abs(a - b) for a, b in itertools.permutations(ROW, 2))
        for a in map(lambda v: v * n, p.row):
            total += a
        for a in filter(lambda v: v > n, ROW):
            total += a * 2
        total += sum(map(abs, p.row)) + max(map(lambda a, b: a * b, p.row, ROW))
        total += any(map(self.odd, p.row)) + 2 * all(filter(None, p.row))
        return total + sum(itertools.starmap(lambda a, b: a * b, pairwise(p.row)))

    def odd(self, v):
        return v % 2 == 1


class Keys(Mixed):
    def mix(self, p, n):
        rows = [(v, i) for i, v in enumerate(p.row)]
        total = min(rows)[1] + max(rows, key=lambda r: r[0] * n)[1]
        total += min(p.row, key=abs) + 3 * max(ROW, key=lambda v: v % 5)
        total += min(range(5), key=lambda v: (v - n) ** 2) + max(n, 2, p.step, key=self.worth)
        total += max(WORTH, key=WORTH.get) + min(p.row, default=3)
        total += max((v for v in p.row if v > 100), default=-1, key=abs)
        for v in sorted(p.row, key=lambda v: v % 3):
            total = total * 3 + v
        for v, w in sorted(rows, key=operator.itemgetter(0), reverse=True):
            total = (total * 3 + v * w) % 100_003
        for v in sorted(ROW, key=self.worth):
            total = (total * 3 + v) % 100_003
        total += next((v for v in p.row if v > 2), -5) + next(v for v in ROW if v > n)
        total += next(iter(p.row)) + next((i for i, v in enumerate(p.row) if v == n), n)
        found = next((v for v in p.row if v == 2), None)
        if found is not None:
            total += found * 1000
        total += functools.reduce(lambda a, b: a * 3 + b, p.row)
        total += functools.reduce(operator.xor, p.row, n) + functools.reduce(max, ROW)
        total += min((sum(v * w for w in p.row) for v in range(n)), key=lambda t: -t)
        total += math.prod(v or 1 for v in p.row) + math.prod(ROW)
        return total + min((self.worth(v), v) for v in ROW)[1]

    def worth(self, v):
        return (v * 7) % 5


class Queues(Mixed):
    def mix(self, p, n):
        waiting, seen, total = deque([n]), [False] * 12, 0
        seen[n] = True
        while waiting:
            here = waiting.popleft()
            total = total * 3 + here
            for there in ((here * 2) % 12, (here + 5) % 12):
                if not seen[there]:
                    seen[there] = True
                    waiting.append(there)
        other = deque()
        other.append(4)
        other.appendleft(n)
        other.extend(p.row)
        total += other[0] * 100 + other.pop() + len(other) + (3 if other else 4)
        for v in deque(p.row):
            total += v
        row = list(p.row)
        row.insert(1, n)
        row.reverse()
        total += row.pop() + row.pop(0) + row.index(n) + row.count(n) + 2 * (n in row)
        row.extend([1, 2])
        row.remove(2)
        row += [5]
        total += sum(row) + len(row[1:]) + row[-1] + row.copy()[0]
        row.clear()
        return total % 1_000_003 + len(row) + self.numbers(p, n)

    def numbers(self, p, n):
        total = math.comb(n + 5, n) + math.gcd(p.seed, 12) + math.isqrt(p.seed) + math.perm(5, n)
        total += pow(p.seed, 5, 13) + math.factorial(n) + divmod(p.seed, n)[1] + math.lcm(n, 4)
        ones, full, eye = np.ones(4, np.int64), np.full(3, n), np.eye(3, dtype=np.int64)
        ones[n] += 4
        total += ones.sum() + full[1] + eye[n - 1, 1] + np.zeros((2, 2), int)[0, 1]
        flags = np.zeros(5, bool)
        flags[n] = True
        total += flags.sum() + 2 * flags[n] + np.arange(n).sum() + np.ones((2, 3), dtype=int)[1, 2]
        total += np.full((2, 2), 7)[0, 0] + int(np.array([1, 2, n]).max())
        i = 0
        while i < n:
            i += 1
            if i * p.step > 6:
                break
        else:
            total += 50
        return total + i


@pytest.mark.slow
@pytest.mark.parametrize("kind", some([Keys, Products, Queues], 3))
def test_what_goes_over_many_things_does_as_in_python(kind: Any) -> None:
    """Children and values are the same at every position that can be reached."""
    check(kind(), least=100)
