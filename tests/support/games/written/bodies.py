"""Bodies of a rule in natural and in wrong Python, each with a part of its error message.

Each is the body of ``value(self, p, n)`` in the game that ``table.py`` writes, and returns a whole
number. ``p.x`` is below 6, ``p.row`` three numbers below 5, ``n`` 1 or 2. An empty text means
that the game solves, as in plain Python; any other is a part of the error message.
"""

from __future__ import annotations

# ruff: noqa: E501  # a table has a line for each variant

#: The top of the module.
HEADER = """
import collections
import enum
import functools
import itertools
import math
import operator
import random
from collections import Counter, deque
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, pairwise, permutations, product
from typing import Any, NamedTuple
import numpy as np
import zermelo
from zermelo import DRAW, LOSS, NOBODY, WIN, Game, put

SIZE = 6
LIMIT: int = 9
STEPS = (1, -1, 3)
MOVES = [4, 2, 7]
PAIRS = ((0, 1), (2, 3), (4, 5))
LISTED = [(0, 1), (2, 3), (4, 5)]
RAGGED = ((1, 2), (0,), (2, 0, 1))
MASKS = tuple(1 << i for i in range(6))
TABLE = np.array([[1, 2, 3], [4, 5, 6]])
FLAGS = np.array([True, False, True])
EMPTY = ()
JUMPS = {0: 3, 1: 5, 2: 1}
WORDS = {"a": 1, "b": 2}
REACH = {(0, 1): 4, (1, 2): 6}
LANES = {1: (0, 1), 2: (2, 3, 4)}
PRIMES = {2, 3, 5}
CORNERS = frozenset((0, 5))
GRID = ("#..", ".#.", "..#")
TITLE = "abc"
HALF = 0.5
HUGE = 1 << 70
NOTHING = None
TRUE = True


NARROW = np.array([200, 100], np.uint8)
SMALL = np.int8(100)


class Shape(enum.Enum):
    ROUND = 1
    FLAT = 2


class Piece(enum.IntEnum):
    NONE = 0
    MAN = 1
    KING = 4


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Side(enum.IntFlag):
    LEFT = 1
    RIGHT = 2


class Step(NamedTuple):
    dx: int
    dy: int = 2

    def length(self):
        return abs(self.dx) + abs(self.dy)


WAYS = (Step(1, 0), Step(0, 1), Step(-1, 3))
WAY_LIST = [Step(1, 0), Step(0, 1)]


@dataclass(frozen=True)
class Point:
    x: int
    y: int


ORIGIN = Point(2, 3)


def double(v):
    return 2 * v


def clamp(v, low=0, high=5):
    if v < low:
        return low
    if v > high:
        return high
    return v


def both(v):
    return v, v + 1


def middle(a, b, c):
    return a + b + c - min(a, b, c) - max(a, b, c)


def weighed(by, a, b, c):
    return by * a + 2 * b + c


def add_both(a, b):
    return a + b


def evens(limit):
    for i in range(limit):
        if i % 2 == 0:
            yield i


def factorial(v):
    return 1 if v <= 1 else v * factorial(v - 1)


def is_even(v):
    return v == 0 or is_odd(v - 1)


def is_odd(v):
    return v != 0 and is_even(v - 1)


def swapped(row, i, j):
    first = row[i]
    return put(put(row, i, row[j]), j, first)


def reached(game, v):
    return game.twice(v) + game.size


def add_all(*values):
    return sum(values)


def maybe(v):
    if v > 2:
        return v


@functools.lru_cache
def cached(v):
    return v * v


@functools.cache
def cached_too(v):
    return v * v + 1


def logged(function):
    @functools.wraps(function)
    def inner(v):
        return function(v)
    return inner


@logged
def wrapped(v):
    return v + 1


triple = lambda v: 3 * v
half = functools.partial(clamp, high=3)
"""

#: Name, body, and a part of the message.
ARITHMETIC: dict[str, tuple[str, str]] = {
    "sum and product": ("return p.x * 3 + n - 1", ""),
    "floor division": ("return (p.x - 4) // 3", ""),
    "floor division by a negative": ("return (p.x + 7) // -2", ""),
    "remainder of a negative": ("return (p.x - 9) % 4 + (p.x - 9) % -4", ""),
    "divmod": ("a, b = divmod(p.x - 3, n + 1)\nreturn 3 * a + b", ""),
    "power": ("return (p.x - 2) ** 3 + n ** 2", ""),
    "power of a variable": ("return 2 ** p.x + (-3) ** n", ""),
    "power with a modulus": ("return pow(p.x + 2, 5, 7)", ""),
    "pow of two": ("return pow(p.x, 2)", ""),
    "shift left": ("return 1 << p.x", ""),
    "shift right of a negative": ("return (p.x - 9) >> n", ""),
    "shift by sixty-four": ("return (p.x + 1) >> 64", ""),
    "bit and, or, xor": ("return (p.x & 6 | n) ^ 3", ""),
    "complement": ("return ~p.x & 7", ""),
    "bit count": ("return (p.x * 7).bit_count()", ""),
    "bit count of a negative": ("return (p.x - 5).bit_count()", ""),
    "bit length": ("return (p.x + n).bit_length()", ""),
    "bin and count": ("return bin(p.x).count('1')", "bin"),
    "lowest bit": ("m = p.x + 1\nreturn (m & -m).bit_length() - 1", ""),
    "bits of a mask": (
        "m, t = p.x | 8, 0\nwhile m:\n    t += m & -m\n    m &= m - 1\nreturn t",
        "",
    ),
    "abs": ("return abs(p.x - 4)", ""),
    "min and max": ("return min(p.x, n, 3) + max(p.x, n)", ""),
    "round": ("return round(p.x)", ""),
    "int of a comparison": ("return int(p.x > n) + int(p.x)", ""),
    "truth values added": ("return (p.x > 1) + (n == 2) * 2", ""),
    "a sign": ("return (p.x > 3) - (p.x < 3)", ""),
    "bool": ("return bool(p.x) + 1", ""),
    "numeric literals": ("return 0b101 + 0o17 + 0xF + 1_000 * n", ""),
    "augmented assignments": (
        "a = p.x\na += 3\na *= n\na -= 1\na //= 2\na %= 5\na |= 8\na ^= 1\na <<= 1\nreturn a",
        "",
    ),
    "augmented power": ("a = n\na **= 3\nreturn a", ""),
    "chained assignment": ("a = b = p.x\nb += 1\nreturn a * b", ""),
    "exchange": ("a, b = p.x, n\na, b = b, a\nreturn a - b", ""),
    "nested unpacking": ("a, (b, c) = n, (p.x, 3)\nreturn a * b + c", ""),
    "starred unpacking": ("first, *rest = p.row\nreturn first + len(rest)", ""),
    "an annotation": ("total: int = p.x\nreturn total + n", ""),
    "walrus": ("if (d := p.x - n) > 1:\n    return d\nreturn 0", ""),
    "math.gcd": ("return math.gcd(p.x, 4)", ""),
    "math.comb": ("return math.comb(p.x, 2)", ""),
    "math.factorial": ("return math.factorial(p.x)", ""),
    "math.isqrt": ("return math.isqrt(p.x)", ""),
    "math.floor of a fraction": ("return math.floor(p.x / 2)", "//"),
    "math.inf": (
        "best = math.inf\nfor v in p.row:\n    best = min(best, v)\nreturn int(best)",
        "inf",
    ),
    "operator.add": ("return operator.add(p.x, n)", ""),
    "functools.reduce": ("return functools.reduce(operator.xor, p.row)", ""),
    "np.sign": ("return int(np.sign(p.x - 2))", ""),
    "np.int64": ("return np.int64(p.x) + 1", ""),
    "np.int16": ("return int(np.int16(p.x) + np.int16(1))", "wrap around in Python only"),
    "a fraction": ("return int(p.x * 1.5)", "1.5"),
    "true division": ("return int(p.x / 2)", "//"),
    "true division in place": ("a = p.x\na /= 2\nreturn int(a)", "//="),
    "a fraction of the module": ("return int(HALF * p.x)", "0.5"),
    "float()": ("return int(float(p.x))", "float"),
    "a negative power": ("return int(2 ** -n)", "which is a fraction"),
    "a square root": ("return int(math.sqrt(p.x))", ""),
    "a complex number": ("return p.x + 1j", "1j"),
    "matrix product": ("return (TABLE @ TABLE)[0, 0]", "dot()"),
}

CONTROL: dict[str, tuple[str, str]] = {
    "if, elif, else": (
        "if p.x > 3:\n    return 1\nelif p.x > 1:\n    return 2\nelse:\n    return 3",
        "",
    ),
    "a conditional expression": ("return 1 if p.x > n else 2 if p.x else 3", ""),
    "chained comparison": ("return 2 if 0 < p.x <= 4 > n else 1", ""),
    "and, or, not": ("return 1 if p.x and not n > 1 or p.x == 5 else 0", ""),
    "or gives a value": ("return p.x or 7", ""),
    "and gives a value": ("return p.x and n", ""),
    "truth of a number": ("if p.x - 2:\n    return 3\nreturn 0", ""),
    "truth of a tuple": ("if p.row:\n    return 3\nreturn 0", ""),
    "truth of an empty list": (
        "found = [v for v in p.row if v > 3]\nif found:\n    return found[0]\nreturn 9",
        "",
    ),
    "not of a list": ("found = [v for v in p.row if v > 3]\nreturn 4 if not found else 5", ""),
    "for over range": ("t = 0\nfor i in range(p.x):\n    t += i * n\nreturn t", ""),
    "range with a step": ("t = 0\nfor i in range(1, 10, n):\n    t += i\nreturn t", ""),
    "range downwards": ("t = 0\nfor i in range(p.x, -1, -1):\n    t = 2 * t + i\nreturn t", ""),
    "for over a tuple": ("t = 0\nfor v in p.row:\n    t = 3 * t + v\nreturn t", ""),
    "for over a constant": ("t = 0\nfor v in STEPS:\n    t += v * n\nreturn t", ""),
    "for over a list of the module": ("t = 0\nfor v in MOVES:\n    t += v\nreturn t + p.x", ""),
    "for over pairs": ("t = 0\nfor a, b in PAIRS:\n    t += a * b\nreturn t + n", ""),
    "for over a list of pairs": ("t = 0\nfor a, b in LISTED:\n    t += a * b\nreturn t + n", ""),
    "for over written pairs": (
        "t = 0\nfor a, b in ((1, 2), (3, n)):\n    t += a * b\nreturn t",
        "",
    ),
    "for over rows of unlike length": (
        "t = 0\nfor v in RAGGED[p.x % 3]:\n    t += v\nreturn t",
        "",
    ),
    "enumerate": ("t = 0\nfor i, v in enumerate(p.row):\n    t += i * v\nreturn t", ""),
    "enumerate from one": ("t = 0\nfor i, v in enumerate(p.row, 1):\n    t += i * v\nreturn t", ""),
    "enumerate with start=": (
        "t = 0\nfor i, v in enumerate(p.row, start=2):\n    t += i * v\nreturn t",
        "",
    ),
    "zip": ("t = 0\nfor a, b in zip(p.row, STEPS):\n    t += a * b\nreturn t", ""),
    "zip of three": (
        "t = 0\nfor a, b, c in zip(p.row, STEPS, MOVES):\n    t += a * b - c\nreturn t",
        "",
    ),
    "zip, strict": (
        "t = 0\nfor a, b in zip(p.row, STEPS, strict=True):\n    t += a * b\nreturn t",
        "",
    ),
    "zip with a shifted row": (
        "t = 0\nfor a, b in zip(p.row, p.row[1:]):\n    t += a < b\nreturn t",
        "",
    ),
    "enumerate of zip": (
        "t = 0\nfor i, (a, b) in enumerate(zip(p.row, STEPS)):\n    t += i * a - b\nreturn t",
        "",
    ),
    "reversed": ("t = 0\nfor v in reversed(p.row):\n    t = 5 * t + v\nreturn t", ""),
    "reversed range": ("t = 0\nfor i in reversed(range(p.x)):\n    t = 3 * t + i\nreturn t", ""),
    "sorted": ("t = 0\nfor v in sorted(p.row):\n    t = 5 * t + v\nreturn t", ""),
    "sorted downwards": ("return sorted(p.row, reverse=True)[0]", ""),
    "sorted by a key": ("return sorted(p.row, key=double)[0]", ""),
    "sorted by a lambda": ("return sorted(p.row, key=lambda v: -v)[0]", ""),
    "map": ("return sum(map(double, p.row))", ""),
    "filter": ("return len(list(filter(is_odd, p.row)))", ""),
    "while": ("i = p.x\nwhile i > 2:\n    i -= n\nreturn i", ""),
    "while True with break": (
        "i = 0\nwhile True:\n    i += n\n    if i > p.x:\n        break\nreturn i",
        "",
    ),
    "while with else": ("i = 0\nwhile i < p.x:\n    i += 2\nelse:\n    i += 10\nreturn i", ""),
    "continue": (
        "t = 0\nfor v in p.row:\n    if v == 2:\n        continue\n    t += v\nreturn t",
        "",
    ),
    "for with else": (
        "for v in p.row:\n    if v > 3:\n        break\nelse:\n    return 7\nreturn 1",
        "",
    ),
    "nested loops": (
        "t = 0\nfor i in range(3):\n    for j in range(i):\n        t += i * j\nreturn t + n",
        "",
    ),
    "return from a loop": (
        "for i, v in enumerate(p.row):\n    if v:\n        return i\nreturn 5",
        "",
    ),
    "the loop variable afterwards": (
        "for i in range(3):\n    if p.row[i] > 2:\n        break\nreturn i",
        "",
    ),
    "match on numbers": (
        "match p.x:\n    case 0:\n        return 5\n    case 1 | 2:\n        return 6\n    case _:\n        return 7",
        "",
    ),
    "match on members": (
        "match p.x:\n    case Piece.MAN:\n        return 5\n    case Piece.KING:\n        return 6\nreturn 7",
        "",
    ),
    "match with a guard": ("match p.x:\n    case v if v > n:\n        return v\nreturn 0", ""),
    "match on a tuple": (
        "match (p.x, n):\n    case (0, 1):\n        return 2\nreturn 3",
        "",
    ),
    "match on a class": ("match p:\n    case Spot(x=0):\n        return 2\nreturn 3", "pattern"),
    "pass and ellipsis": ("if p.x:\n    pass\nelse:\n    ...\nreturn n", ""),
    "a docstring": ('"""Say what it does."""\nreturn p.x', ""),
    "assert": ("assert p.x < 10, 'too far'\nreturn p.x", ""),
    "raise that never happens": ("if p.x > 99:\n    raise ValueError('no')\nreturn n", ""),
    "raise that happens": ("if p.x == 4:\n    raise ValueError('no')\nreturn n", "ValueError: no"),
    "assert that fails": ("assert p.x != 4, 'four'\nreturn n", "AssertionError: four"),
    "try": ("try:\n    return 6 // p.x\nexcept ZeroDivisionError:\n    return 0", "try"),
    "with": ("with open('x') as f:\n    return n", "with"),
    "global": ("global SIZE\nreturn SIZE", "global"),
    "del": ("a = p.x\ndel a\nreturn n", "del"),
    "import inside": ("import math\nreturn math.gcd(p.x, 2)", "at the top"),
    "lambda": ("f = lambda v: v + n\nreturn f(p.x)", "lambda"),
    "a function inside": ("def f(v):\n    return v + n\nreturn f(p.x)", "inside a function"),
    "a class inside": ("class A:\n    pass\nreturn n", "class inside"),
    "a yield in a rule": ("return n if p.x else (yield)", "a return may be missing"),
    "print": ("print(p)\nreturn n", "print"),
    "exec": ("exec('n = 3')\nreturn n", "exec"),
    "input": ("return int(input())", "input"),
    "isinstance": ("return 2 if isinstance(p, Spot) else 3", "isinstance"),
    "getattr": ("return getattr(p, 'x')", "getattr"),
    "type()": ("return 1 if type(p.x) is int else 2", "type"),
    "hash": ("return hash(p.row) % 7", "hash"),
    "id": ("return id(p) % 2", "id"),
    "random": ("return random.randint(0, 3)", "random"),
    "an unknown name": ("return p.x + sise", "sise"),
    "an unknown attribute of the position": ("return p.y", ".y"),
    "an unknown attribute of the game": ("return self.sise", "self.sise"),
    "an unknown attribute of a module": ("return math.gdc(p.x, 2)", "math.gdc"),
    "a variable without a value on one path": (
        "if p.x > 2:\n    a = 1\nreturn a",
        "UnboundLocalError",
    ),
    "no return": ("a = p.x + n", "a return may be missing on some path"),
    "return of None on one path": ("if p.x > 2:\n    return 1", "NoneType"),
    "a string returned": ("return 'one'", "'one'"),
    "two kinds returned": ("if p.x > 2:\n    return 1\nreturn (1, 2)", "return one kind"),
    "a variable of two kinds": (
        "a = 1\nif p.x > 2:\n    a = (1, 2)\nreturn n if a else 2",
        "one kind",
    ),
    "None first, a number later": (
        "best = None\nfor v in p.row:\n    if best is None or v > best:\n        best = v\nreturn best",
        "",
    ),
    "is None": ("return 1 if NOTHING is None else 2", ""),
    "equal to None": ("return 1 if p.x == None else 2", ""),
}

ROWS: dict[str, tuple[str, str]] = {
    "an item": ("return p.row[p.x % 3]", ""),
    "an item from the end": ("return p.row[-1] * 5 + p.row[-n]", ""),
    "a field by number": ("return p[0] + p[1] + p[2][0]", ""),
    "len": ("return len(p.row) + len(p)", ""),
    "sum of a row": ("return sum(p.row)", ""),
    "sum with a start": ("return sum(p.row, n)", ""),
    "min and max of a row": ("return min(p.row) * 5 + max(p.row)", ""),
    "min with a default": ("return min((v for v in p.row if v > 2), default=9)", ""),
    "min by a key": ("return min(p.row, key=double)", ""),
    "max by a lambda": ("return max(range(3), key=lambda i: p.row[i])", ""),
    "max of pairs": (
        "return max((v, i) for i, v in enumerate(p.row))[1]",
        "",
    ),
    "any": ("return 2 if any(v > 3 for v in p.row) else 1", ""),
    "all": ("return 2 if all(v < 3 for v in p.row) else 1", ""),
    "any of a row": ("return 2 if any(p.row) else 1", ""),
    "nested any and all": ("return 1 if any(all(v <= w for w in p.row) for v in STEPS) else 2", ""),
    "sum of tests": ("return sum(v > 1 for v in p.row)", ""),
    "sum of ones": ("return sum(1 for v in p.row if v == n)", ""),
    "sum over two loops": ("return sum(a * b for a in p.row for b in STEPS if a != b)", ""),
    "count": ("return p.row.count(n)", ""),
    "index": ("return STEPS.index(3) + p.x", ""),
    "index of what is not there": ("return p.row.index(77)", "ValueError"),
    "in a row": ("return 1 if n in p.row else 2", ""),
    "not in a row": ("return 1 if p.x not in STEPS else 2", ""),
    "in a written tuple": ("return 1 if p.x in (1, 3, 5) else 2", ""),
    "in a written set": ("return 1 if p.x in {1, 3, 5} else 2", ""),
    "in a range": ("return 1 if p.x in range(1, 6, 2) else 2", ""),
    "in a list": ("return 1 if p.x in [v + 1 for v in p.row] else 2", ""),
    "in a generator": ("return 1 if p.x in (v + 1 for v in p.row) else 2", ""),
    "a pair in pairs": ("return 1 if (p.x, p.x + 1) in PAIRS else 2", ""),
    "rows compared": ("return (p.row == (1, 2, 3)) + 2 * (p.row < (2, 2, 2))", ""),
    "put": ("return put(p.row, 1, 9)[1] + put(p.row, n, 7)[n]", ""),
    "put outside": ("return put(p.row, p.x, 1)[0]", "IndexError"),
    "_replace": ("return p._replace(x=n).x + p._replace(row=(1, 2, n)).row[2]", ""),
    "_replace with an unknown field": ("return p._replace(y=n).x", "_replace"),
    "_replace by stars": ("return p._replace(**{'x': 1}).x", "_replace"),
    "a slice": ("return sum(p.row[1:])", ""),
    "a slice to the end but one": ("return sum(p.row[:-1])", ""),
    "a slice with a step": ("return sum(p.row[::2])", ""),
    "a row backwards": ("return p.row[::-1][0]", ""),
    "a slice by a variable": ("return sum(p.row[:n])", ""),
    "rows joined": ("return sum(p.row + (n,))", ""),
    "a row repeated": ("return sum((n,) * 3) + len((0,) * 5)", ""),
    "a row repeated by a parameter": ("return sum((n,) * self.size)", ""),
    "a row rebuilt by slices": (
        "i = p.x % 3\nreturn sum(p.row[:i] + (9,) + p.row[i + 1:])",
        "",
    ),
    "tuple of a generator": ("return sum(tuple(v + 1 for v in p.row))", ""),
    "tuple of a list": ("cells = list(p.row)\ncells[0] = 7\nreturn tuple(cells)[0]", ""),
    "tuple of sorted": ("return tuple(sorted(p.row))[0]", ""),
    "tuple of a row": ("return tuple(p.row)[0]", ""),
    "a row with a star": ("return sum((*p.row, n))", ""),
    "a list with a star": ("return sum([*p.row, n])", ""),
    "a list": ("a = [p.x, n]\na.append(4)\nreturn sum(a) + len(a)", ""),
    "a list changed": ("a = list(p.row)\na[1] += 5\na[-1] = n\nreturn a[1] * 3 + a[2]", ""),
    "a list from empty": (
        "a = []\nfor v in p.row:\n    if v:\n        a.append(v)\nreturn len(a)",
        "",
    ),
    "an empty list that stays so": ("a = []\nreturn len(a) + n", "list"),
    "append and pop": ("a = [n, 2]\na.append(p.x)\nb = a.pop()\nreturn b + a.pop(0)", ""),
    "a list as a stack": (
        "stack, seen = [p.x], 0\nwhile stack:\n    c = stack.pop()\n    seen |= 1 << c\n    for d in self.near[c % 3]:\n        if not seen >> d & 1:\n            stack.append(d)\nreturn seen",
        "",
    ),
    "insert and remove": ("a = [1, 2]\na.insert(0, p.x)\na.remove(2)\nreturn sum(a)", ""),
    "extend": ("a = [n]\na.extend(p.row)\nreturn len(a) + a[-1]", ""),
    "extend in place": ("a = [n]\na += [p.x, 1]\nreturn sum(a)", ""),
    "sort": ("a = list(p.row)\na.sort()\nreturn a[0] * 5 + a[2]", ""),
    "reverse": ("a = list(p.row)\na.reverse()\nreturn a[0]", ""),
    "a list copied": ("a = list(p.row)\nb = a[:]\nb[0] = 9\nreturn a[0]", ""),
    "a list aliased": ("a = [1, 2]\nb = a\nb[0] = p.x\nreturn a[0]", ""),
    "a list of zeros": ("a = [0] * 6\na[p.x] = 1\nreturn a.index(1)", ""),
    "a list of lists": (
        "g = [[0] * 3 for _ in range(2)]\ng[1][2] = p.x\nreturn g[1][2] + g[0][2]",
        "",
    ),
    "a list of pairs": ("a = [(v, i) for i, v in enumerate(p.row)]\nreturn a[1][0]", ""),
    "a list of mixed types": ("a = [1, (2, 3)]\nreturn n + len(a)", ""),
    "a comprehension": ("return sum([v * n for v in p.row if v != 1])", ""),
    "a comprehension of two loops": ("return len([1 for a in range(p.x) for b in range(a)])", ""),
    "sum of lists": ("return len(sum([[1], [2]], []))", "list"),
    "del of an item": ("a = [1, 2, n]\ndel a[0]\nreturn a[0]", "del"),
    "a generator kept": ("g = (v for v in p.row)\nreturn sum(g)", ""),
    "next of a generator": ("return next(v for v in (*p.row, 9) if v)", ""),
    "next with a default": ("return next((v for v in p.row if v > 2), 9)", ""),
    "a changed tuple": ("p.row[0] = 3\nreturn n", "put("),
    "a changed position": ("p.x = 3\nreturn n", "_replace"),
    "an index too large": ("return p.row[p.x]", "IndexError"),
    "an index of a constant too large": ("return STEPS[p.x]", "IndexError"),
    "an index of an array too large": ("return TABLE[p.x, 0]", "IndexError"),
    "an index by a truth value": ("return p.row[p.x > 2]", "looks up a place in a tuple"),
    "a nested constant": ("return PAIRS[p.x % 3][n - 1]", ""),
    "a row of unlike length": ("return len(RAGGED[p.x % 3]) + RAGGED[2][n]", ""),
    "a computed constant": ("return MASKS[p.x]", ""),
    "an array": ("return TABLE[n - 1, p.x % 3] + TABLE[0][1]", ""),
    "an array of truth values": ("return 1 if FLAGS[p.x % 3] else 2", ""),
    "a slice of an array": ("return TABLE[1, :2].sum()", ""),
    "a row of an array": ("t = 0\nfor v in TABLE[n - 1]:\n    t += v\nreturn t", ""),
    "the shape of an array": ("return TABLE.shape[1] + p.x", ""),
    "np.zeros": ("a = np.zeros(6, np.int64)\na[p.x] = 3\nreturn a.sum()", ""),
    "np.array of a row": ("return np.array(p.row).sum()", ""),
    "np.arange": ("return np.arange(p.x + 1).sum()", ""),
    "a write into a constant": ("MOVES[0] = 3\nreturn n", "changes"),
    "a write into an array of the module": ("TABLE[0, 0] = 3\nreturn n", "changes an array"),
    "a write outside an array": ("a = np.zeros(3, np.int64)\na[p.x] = 1\nreturn n", "IndexError"),
    "a deque": (
        "q, t = deque([p.x]), 0\nwhile q:\n    t += q.popleft()\n    if t < 4:\n        q.append(2)\nreturn t",
        "",
    ),
    "a set that grows": ("seen = set()\nseen.add(p.x)\nreturn len(seen)", "set"),
    "a set of a row": ("return len(set(p.row))", "set"),
    "a set comprehension": ("return len({v for v in p.row})", "set"),
    "a dict": ("d = {0: 3}\nreturn d.get(p.x, 1)", ""),
    "a dict comprehension": ("d = {v: 1 for v in p.row}\nreturn len(d)", "a dict"),
    "a counter": ("return Counter(p.row)[n]", "Counter"),
    "a string": ("s = 'ab'\nreturn len(s) + n", ""),
    "an f-string": ("s = f'{p.x}'\nreturn n", "f-string"),
    "str()": ("return len(str(p.x))", "str"),
    "itertools.product": ("return sum(a * b for a, b in product(range(2), range(n)))", ""),
    "itertools.combinations": (
        "return sum(a * b for a, b in combinations(p.row, 2))",
        "",
    ),
    "itertools.permutations": ("return len(list(permutations(p.row)))", "permutations"),
    "itertools.chain": ("return sum(chain(p.row, STEPS))", ""),
    "itertools.pairwise": ("return sum(a < b for a, b in pairwise(p.row))", ""),
    "itertools.count": (
        "for i in itertools.count(p.x):\n    if i % 4 == 0:\n        return i\nreturn 0",
        "",
    ),
    "itertools.accumulate": ("return sum(itertools.accumulate(p.row))", "accumulate"),
    "itertools.islice": ("return sum(itertools.islice(p.row, 2))", ""),
    "itertools.islice from there on": (
        "return sum(itertools.islice(p.row, 1, None))",
        "islice() without numbers to begin and stop at",
    ),
}

NAMES: dict[str, tuple[str, str]] = {
    "a constant": ("return SIZE * n + LIMIT", ""),
    "a member of IntEnum": ("return Piece.KING + p.x", ""),
    "a member's value": ("return Piece.KING.value + p.x", ""),
    "comparison with a member": ("return 1 if p.x == Piece.KING else 2", ""),
    "a member of Enum": ("return 1 if Colour.RED == Colour.BLUE else 2", ""),
    "a member of Enum's value": ("return Colour.BLUE.value + p.x", ""),
    "a member of IntFlag": ("return Side.LEFT | Side.RIGHT | p.x", ""),
    "the members of an enumeration": ("return sum(v for v in Piece)", ""),
    "a member looked up": ("return Piece(p.x % 2) + 1", ""),
    "a dict with numbers": ("return JUMPS[p.x % 3]", ""),
    "a dict, in": ("return 1 if p.x in JUMPS else 2", ""),
    "a dict, get": ("return JUMPS.get(p.x, 0)", ""),
    "a dict with pairs": ("return REACH.get((p.x, p.x + 1), 0)", ""),
    "a dict of rows": ("return sum(LANES[n])", ""),
    "a dict's items": ("return sum(k * v for k, v in JUMPS.items())", ""),
    "a dict with words": ("return WORDS['a']", ""),
    "in a set of the module": ("return 1 if p.x in PRIMES else 2", ""),
    "in a frozenset of the module": ("return 1 if p.x in CORNERS else 2", ""),
    "a loop over a set": ("t = 0\nfor v in PRIMES:\n    t += v\nreturn t", ""),
    "a character of a string": ("return 1 if GRID[p.x % 3][n] == '#' else 2", ""),
    "the length of a string": ("return len(TITLE) + p.x", ""),
    "a parameter that is a string": ("return 1 if self.rule == 'normal' else 2", ""),
    "a number past 64 bits": ("return p.x + HUGE", "64 bits"),
    "a written number past 64 bits": ("return p.x + 99999999999999999999", "64 bits"),
    "None": ("return 1 if NOTHING is None else p.x", ""),
    "a truth value of the module": ("return 1 if TRUE else p.x", ""),
    "an empty tuple": ("t = p.x\nfor v in EMPTY:\n    t += v\nreturn t", ""),
    "a constant of the class": ("return self.CELLS + Walk.CELLS", ""),
    "a table of the class": ("return self.LINES[p.x % 2][n]", ""),
    "a parameter": ("return self.size * p.x + n", ""),
    "a row of parameters": ("return self.steps[n] + len(self.steps)", ""),
    "rows of parameters": ("return sum(self.near[p.x % 3])", ""),
    "a node among its neighbours": ("return 1 if p.x in self.near[n] else 2", ""),
    "an array as a parameter": ("return self.board[p.x % 2, n]", ""),
    "a property": ("return self.area + p.x", ""),
    "a cached property": ("return self.lines[n][p.x % 2]", ""),
    "a method": ("return self.twice(p.x) + n", ""),
    "a method with a default": ("return self.between(p.x, high=3)", ""),
    "a method with a name of ours": ("return min(self.best(v) for v in p.row)", ""),
    "a static method": ("return self.apart(p.x, n)", ""),
    "a static method by its class": ("return Walk.apart(p.x, n)", ""),
    "a class method": ("return self.counted(p.x)", "classmethod"),
    "a method of the position": ("return p.total() + n", ""),
    "a property of the position": ("return p.first + n", ""),
    "a helper": ("return double(p.x) + n", ""),
    "a helper with keywords": ("return clamp(p.x + n, low=2) + clamp(high=4, v=p.x)", ""),
    "a helper that returns two": ("a, b = both(p.x)\nreturn a * b", ""),
    "a helper that returns a row": ("return swapped(p.row, 0, 2)[0]", ""),
    "a helper that yields": ("t = 0\nfor v in evens(p.x):\n    t += v\nreturn t", ""),
    "a list of what a helper yields": ("return len(list(evens(p.x)))", ""),
    "sum of what a helper yields": ("return sum(evens(p.x))", ""),
    "a recursive helper": ("return factorial(p.x)", ""),
    "helpers that call each other": ("return 1 if is_even(p.x) else 2", ""),
    "a helper without a return on one path": (
        "return maybe(p.x) or 0",
        "a return may be missing on some path",
    ),
    "a helper with a star": ("return add_all(p.x, n)", "* or **"),
    "a call with a star": ("return weighed(n, *p.row)", ""),
    "a position with a star": ("pair = (p.x, n)\nreturn Point(*pair).y + middle(*p.row)", ""),
    "a call with a star and a name": ("pair = (p.x, 4)\nreturn middle(*pair, c=n)", ""),
    "a star and a default": ("return clamp(*p.row)", "it need not be given all"),
    "a star before the last": ("return middle(*p.row[:2], n)", "as the last of them"),
    "a star of a call": ("return add_both(*both(p.x))", "give the row a name first"),
    "a star of another length": (
        "pair = (p.x, n)\nreturn middle(*pair) if p.x > 99 else 1",
        "gives middle() the values of a tuple of 2; give it a row of 3: a, b, c",
    ),
    "a call with two stars": ("return clamp(p.x, **{'low': 1})", "** in a call"),
    "too many arguments": ("return double(p.x, n)", "double()"),
    "an unknown keyword": ("return clamp(p.x, most=3)", "most="),
    "a cached helper": ("return cached(p.x)", ""),
    "a cached helper of another kind": ("return cached_too(p.x)", ""),
    "a decorated helper": ("return wrapped(p.x)", ""),
    "a lambda of the module": ("return triple(p.x)", ""),
    "a partial": ("return half(p.x + n)", "half"),
    "a function handed on": ("f = double\nreturn f(p.x)", "double"),
    "a NamedTuple made": ("s = Step(p.x, n)\nreturn s.dx * 3 + s.dy", ""),
    "a NamedTuple's default": ("return Step(p.x).dy", ""),
    "a NamedTuple by name": ("return Step(dy=p.x, dx=n).dx", ""),
    "a NamedTuple's method": ("return Step(p.x, -n).length()", ""),
    "a row of NamedTuples": ("return WAYS[p.x % 3].dx + WAYS[1].dy", ""),
    "a loop over NamedTuples": (
        "t = 0\nfor w in WAYS:\n    t += w.dx * n + w.dy\nreturn t",
        "",
    ),
    "NamedTuples unpacked": ("t = 0\nfor dx, dy in WAYS:\n    t += dx * n + dy\nreturn t", ""),
    "a list of NamedTuples": ("return WAY_LIST[n - 1].dx + p.x", ""),
    "a dataclass": ("return ORIGIN.x + p.x", ""),
    "a dataclass made": ("return Point(p.x, n).y", ""),
    "self handed to a function": ("return reached(self, p.x)", ""),
    "a function that there is not": ("return helped(self, p.x)", "helped"),
    "in a comprehension": ("return 1 if p.x in (v + n for v in p.row if v > 1) else 2", ""),
    "None compared": ("return 2 if maybe(p.x) == 5 else n", "ask first, as in x is not None"),
    "a hook called": ("return sum(self.moves(p))", ""),
    "whether there are moves": ("return 1 if any(True for m in self.moves(p)) else 2", ""),
    "any of the moves": ("return 1 if any(self.moves(p)) else 2", ""),
    "the moves listed": ("return len(list(self.moves(p)))", ""),
    "play called": ("return self.play(p, n).x if p.turns > 9 else n", ""),
    "super()": ("return super().twice(p.x)", ""),
    "self.__class__": ("return self.__class__.CELLS", "__class__"),
    "self assigned": ("self.last = p.x\nreturn n", "self.last"),
    "a record as a dict": ("return p._asdict()['x']", "read its fields by name"),
    "np.ones of a type": ("return np.ones(3, np.int64)[n % 3] + p.x", ""),
    "np.full": ("return np.full(3, n)[0] + p.x", ""),
    "typing.cast": ("return zermelo.put(p.row, 0, p.x)[0]", ""),
    "an outcome as a number": ("return WIN + 2 * LOSS + p.x", ""),
}

#: Numbers past 64 bits and other things that differ only when they run.
WRONG: dict[str, tuple[str, str]] = {
    "a product past 64 bits": ("return ((p.x + 1) << 40) * (1 << 40) % 7", "past 64 bits"),
    "a sum past 64 bits": (
        "return ((p.x + 1) * (1 << 62) + (1 << 62)) // (1 << 60)",
        "past 64 bits",
    ),
    "a mask of 80 cells": ("return (n << 75 >> 70) % 5 + p.x", "past 64 bits"),
    "a power past 64 bits": ("return 10 ** (p.x + 18) % 7", "past 64 bits"),
    "a negative shift": ("return 1 << (p.x - 3)", "negative shift count"),
    "division by zero": ("return 6 // p.x", "ZeroDivisionError"),
    "remainder by zero": ("return 6 % p.x", "ZeroDivisionError"),
    "min of nothing": ("return min(v for v in p.row if v > 3)", "empty"),
    "pop of nothing": ("a = [v for v in p.row if v > 3]\nreturn a.pop()", "pop from empty"),
    "recursion without an end": ("return self.forever(p.x)", "RecursionError"),
    "a loop without an end": ("while p.x < 9:\n    n += 1\nreturn n", "not returned"),
    "more memory than there is": ("return np.zeros(1 << 50, np.int64)[p.x]", "MemoryError"),
    "another answer each time": ("return id(object()) % 1000", "id"),
    "a change of what is handed over": (
        "a = self.board\na[0, 0] = 1\nreturn n",
        "changes an array",
    ),
}

#: Rare expressions whose compiled results easily differ.
EDGES: dict[str, tuple[str, str]] = {
    "constants past 64 bits on the way": ("return ((1 << 70) >> 70) + (3 ** 50 % 7) * n", ""),
    "a constant past 64 bits": ("return p.x + (1 << 70)", "computes 1 << 70, which is past 64"),
    "masked bits past 64": (
        "return ((1 << 60 + p.x) + (p.x << 62) * 3 - (n << 90)) & 63 ^ (p.x << 63) % 16",
        "",
    ),
    "the lowest bit of the sign": ("m = -1 << 63\nreturn (m & -m).bit_length() + p.x", ""),
    "a difference past 64 bits": ("return (-p.x << 61) - (1 << 62) + (1 << 62)", "p.x << 61"),
    "a sign past 64 bits": ("m = (-1 << 63) + p.x\nreturn -m >> 60", "computes -m"),
    "abs past 64 bits": ("return abs((-1 << 63) + p.x) >> 60", "computes abs("),
    "a quotient past 64 bits": ("return ((-1 << 63) + p.x) // -n >> 60", "// -n"),
    "divmod past 64 bits": ("return divmod((-1 << 63) + p.x, -n)[0] >> 60", "divmod("),
    "the least number divided": ("return ((-1 << 63) + p.x) % -n + ((-1 << 63) + p.x) // 2", ""),
    "sum past 64 bits": ("return sum([p.x << 60, 1 << 62, 1 << 62]) >> 60", "computes sum("),
    "sum of a generator past 64 bits": ("return sum(v << 61 for v in p.row) >> 60", "computes"),
    "math.prod past 64 bits": ("return math.prod((p.x, 1 << 61, 5)) >> 60", "computes math.prod("),
    "a sum in place past 64 bits": ("a = 1 << 62\na += p.x << 60\nreturn a >> 60", "a += p.x"),
    "an item past 64 bits": ("a = [1 << 62]\na[0] *= p.x\nreturn a[0] >> 60", "a[0] *= p.x"),
    "pow past 64 bits": ("return pow(p.x, 40) % 7", "computes p.x ** 40"),
    "operator.mul past 64 bits": ("return operator.mul(p.x, 1 << 61) >> 60", "past 64 bits"),
    "reduce past 64 bits": (
        "return functools.reduce(operator.mul, (p.x, 1 << 61), 1) >> 60",
        "past 64 bits",
    ),
    "math.comb past 64 bits": ("return math.comb(80, 35 + p.x) % 7", "past 64 bits"),
    "a large power of a small number": ("return (-1) ** (p.x + 1000) + 0**p.x + 2**62 % 5", ""),
    "far shifts": ("return (p.x >> 64) + (-p.x >> 200) + (0 << 99) + (p.x << 0)", ""),
    "a negative right shift": ("return p.x >> (2 - p.x)", "negative shift count"),
    "a shift in place": ("a = p.x\na >>= 70\na <<= n\nreturn a + p.x", ""),
    "negative division": ("return -p.x // 4 + -p.x % 4 + p.x // -4 + p.x % -4 + -7 // 2", ""),
    "divmod of negatives": (
        "a, b = divmod(-p.x, 3)\nc, d = divmod(p.x, -3)\nreturn a + b * c - d",
        "",
    ),
    "pow with a modulus": ("return pow(p.x, 5, 7) + pow(-p.x, 3, 5)", ""),
    "signs of truth": ("t = p.x > 2\nreturn +t - -t + abs(t) + t * t + t // 1 + t % 2", ""),
    "truth in bits": ("t, u = p.x > 2, n > 1\nreturn (t & u) + (t | u) * 2 + (t ^ u) * 3", ""),
    "shifted truth": ("t = p.x > 2\nreturn (t << 2) + (1 << t) + (t >> 1)", ""),
    "~ of truth": ("t = p.x > 2\nreturn ~t + 2", "uses ~ on True or False"),
    "~ of a comparison": ("return (~(p.x > 2)) & 7", "uses ~ on True or False"),
    "~ of a number": ("return ~p.x & 15 ^ ~n", ""),
    "~ of an IntFlag": ("return (p.x & ~Side.LEFT) + int(~Side.RIGHT)", ""),
    "~ of an IntFlag's number": ("return (p.x & ~int(Side.LEFT)) + (7 & ~Side.LEFT.value)", ""),
    "~ of a variable IntFlag": (
        "s = Side.LEFT\nreturn int(~s) + p.x",
        "the other members of an IntFlag",
    ),
    "members of different Enums": (
        "c = Colour.RED\nfor s in Shape:\n    if s == c:\n        return 1\nreturn p.x",
        "which are never equal",
    ),
    "members of one Enum": (
        "t = 0\nfor s in Shape:\n    t += 2 * (s == Shape.FLAT) + (s != Shape.ROUND)\nreturn t + p.x",
        "",
    ),
    "members of an Enum in order": (
        "for s in Shape:\n    if s < Shape.FLAT:\n        return 1\nreturn p.x",
        "which have no order",
    ),
    "a member of an Enum and a number": (
        "for s in Shape:\n    if s == p.x:\n        return 1\nreturn p.x",
        "uses == on a Shape",
    ),
    "truth of a member": ("t = 0\nfor s in Shape:\n    if s:\n        t += 1\nreturn t + p.x", ""),
    "is of members": (
        "t = 0\nfor s in Shape:\n    if s is Shape.FLAT:\n        t += p.x\nreturn t",
        "",
    ),
    "IntEnums of two kinds": (
        "return (Piece.MAN == Side.LEFT) + (Piece.KING > Side.LEFT) + p.x",
        "",
    ),
    "truth of an IntEnum": ("return (5 if Piece.NONE else 3) + (not Piece.KING) + p.x", ""),
    "islice of a negative count": (
        "return sum(itertools.islice(p.row, p.x - 2))",
        "ValueError",
    ),
    "islice to an end": ("return sum(itertools.islice(p.row, n, n + p.x))", ""),
    "a narrow array of the module": ("return NARROW[0] * 2 % 7 + p.x", "wrap around in Python"),
    "a narrow number of the module": ("return SMALL + p.x", "wraps around in Python"),
    "an array of narrow numbers": ("return int(np.zeros(3, np.int8)[n]) + p.x", "wrap around in"),
    "a range without a step": ("return len(range(0, 9, p.x))", "must not be zero"),
    "ranges backwards": (
        "return sum(range(p.x, -3, -n)) + len(range(5, p.x)) + len(range(p.x, 5, -1))",
        "",
    ),
    "negative places": ("return p.row[-1] * 5 + p.row[-n] + p.row[-1 - p.x % 3]", ""),
    "slices out of range": ("return len(p.row[p.x:99]) + sum(p.row[-9:2]) + len(p.row[2:1])", ""),
    "slices of a list": (
        "a = [p.x, n, 3]\nreturn len(a[-2:]) + sum(a[5:]) + sum(a[:-n]) + a[::-1][0]",
        "",
    ),
    "a place too far below": ("return p.row[-p.x - 1]", "IndexError"),
    "max of nothing": ("return max([v for v in p.row if v > 3])", "empty"),
    "in a tuple of truth and numbers": (
        "return (p.x in (True, 3)) + ((p.x > 2) in (0, 5)) * 2",
        "uses in on a tuple",
    ),
    "is of numbers": ("return 1 if (p.x > 2) is True else 2", ""),
    "not of rows": ("return (not p.row) + (not p.row[3:]) * 2 + (not (p.x, n)) + p.x", ""),
    "rows compared": (
        "return (p.row < (2, 2, 2)) + (p.row[:2] <= (1, 2)) * 2 + (p.row != (1, 2))",
        "",
    ),
    "rows of unlike length compared": ("return (p.row == (1, 2)) + ((1, 2) < p.row) * 2 + p.x", ""),
    "truth and numbers compared": (
        "return ((p.x > 2) == 1) + ((p.x > 2) < n) * 2 + (True == n)",
        "",
    ),
    "a chain with one middle": ("return (1 < p.x < 4) + (5 > p.x != n) * 2 + (n == n == 2)", ""),
    "bits of negatives": (
        "return (-p.x).bit_count() + (-p.x - 8).bit_length() + (p.x - 9).bit_count()",
        "",
    ),
    "round to tens": ("return round(p.x * 7, -1)", "for tens"),
    "int of text": ("return int('12') + p.x", "on a string"),
    "characters compared": ("return (GRID[p.x % 3][0] < GRID[1][1]) + (TITLE[n] > 'a') * 2", ""),
    "sorted by a key": (
        "return sorted(p.row, key=lambda v: (-v % 3, v))[n] + sorted(p.row, reverse=True)[0]",
        "",
    ),
    "the first of equals": (
        "return min(range(6), key=lambda v: v // 2 == p.x) + max(range(6), key=lambda v: v % 2)",
        "",
    ),
    "counters": (
        "i, t = 0, 0\nwhile i < p.x:\n    i += 1\n    t += i > 2\n    t -= 1\nreturn t",
        "",
    ),
}

BODIES = ARITHMETIC | CONTROL | ROWS | NAMES | WRONG | EDGES
