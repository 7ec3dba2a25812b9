"""The games of LeetCode, each in a few lines, to be solved by Zermelo."""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from zermelo import DRAW, LOSS, WIN, Game, bag


class Row(NamedTuple):
    left: int
    right: int


@dataclass(frozen=True)
class PredictTheWinner(Game):
    """486 and 877: take the first or the last of a row of numbers."""

    nums: tuple[int, ...]

    def start(self):
        return Row(0, len(self.nums))

    def moves(self, row):
        if row.left < row.right:
            yield 0
            yield 1

    def play(self, row, end):
        if end == 0:
            return Row(row.left + 1, row.right)
        return Row(row.left, row.right - 1)

    def gain(self, row, end):
        return self.nums[row.left] if end == 0 else self.nums[row.right - 1]


class Front(NamedTuple):
    taken: int
    most: int


@dataclass(frozen=True)
class StoneGameII(Game):
    """1140: take up to twice as many piles from the front as anybody took before."""

    piles: tuple[int, ...]

    @cached_property
    def sums(self):
        return list(accumulate(self.piles, initial=0))

    def start(self):
        return Front(0, 1)

    def moves(self, front):
        for number in range(1, min(2 * front.most, len(self.piles) - front.taken) + 1):
            yield number

    def play(self, front, number):
        return Front(front.taken + number, max(front.most, number))

    def gain(self, front, number):
        return self.sums[front.taken + number] - self.sums[front.taken]


@dataclass(frozen=True)
class StoneGameIII(Game):
    """1406: take one, two or three stones from the front; some cost points."""

    values: tuple[int, ...]

    @cached_property
    def sums(self):
        return list(accumulate(self.values, initial=0))

    def start(self):
        return 0

    def moves(self, taken):
        for number in range(1, min(3, len(self.values) - taken) + 1):
            yield number

    def play(self, taken, number):
        return taken + number

    def gain(self, taken, number):
        return self.sums[taken + number] - self.sums[taken]


@dataclass(frozen=True)
class StoneGameIV(Game):
    """1510: take a square number of stones; a player who cannot has lost."""

    n: int

    def start(self):
        return self.n

    def moves(self, stones):
        root = 1
        while root * root <= stones:
            yield root * root
            root += 1

    def play(self, stones, square):
        return stones - square


class Cut(NamedTuple):
    left: int
    right: int
    cut: int  # where the row is cut, or 0 while it is not


@dataclass(frozen=True)
class StoneGameV(Game):
    """1563: Alice cuts the row, Bob throws the richer part away, and she gets what is left."""

    values: tuple[int, ...]

    players = ("Alice", "Bob")

    @cached_property
    def sums(self):
        return list(accumulate(self.values, initial=0))

    def start(self):
        return Cut(0, len(self.values), 0)

    def lean(self, row):
        """Return by how much the part on the right is richer."""
        return self.sums[row.right] - 2 * self.sums[row.cut] + self.sums[row.left]

    def turn(self, row):
        return 1 if row.cut and self.lean(row) else 0  # of equal parts Alice says which to keep

    def moves(self, row):
        if not row.cut:
            for cut in range(row.left + 1, row.right):
                yield cut
        else:
            if self.lean(row) >= 0:
                yield 0
            if self.lean(row) <= 0:
                yield 1

    def play(self, row, move):
        if not row.cut:
            return Cut(row.left, row.right, move)
        if move == 0:
            return Cut(row.left, row.cut, 0)
        return Cut(row.cut, row.right, 0)

    def gain(self, row, move):
        if not row.cut:
            return 0
        low, high = (row.left, row.cut) if move == 0 else (row.cut, row.right)
        kept = self.sums[high] - self.sums[low]
        return -kept if self.turn(row) else kept


@dataclass(frozen=True)
class StoneGameVI(Game):
    """1686: take any stone, which is worth something else to either player."""

    alice: tuple[int, ...]
    bob: tuple[int, ...]

    players = ("Alice", "Bob")

    def start(self):
        return 0

    def turn(self, taken):
        return taken.bit_count() % 2

    def moves(self, taken):
        for stone in range(len(self.alice)):
            if not taken >> stone & 1:
                yield stone

    def play(self, taken, stone):
        return taken | 1 << stone

    def gain(self, taken, stone):
        return self.bob[stone] if self.turn(taken) else self.alice[stone]


@dataclass(frozen=True)
class StoneGameVII(PredictTheWinner):
    """1690: take the first or the last stone, and score what the others are worth together."""

    @cached_property
    def sums(self):
        return list(accumulate(self.nums, initial=0))

    def gain(self, row, end):
        rest = self.play(row, end)
        return self.sums[rest.right] - self.sums[rest.left]


@dataclass(frozen=True)
class StoneGameVIII(Game):
    """1872: melt two stones or more from the left into one, and score what it is worth."""

    stones: tuple[int, ...]

    @cached_property
    def sums(self):
        return list(accumulate(self.stones, initial=0))

    def start(self):
        return 1

    def moves(self, melted):
        for more in range(melted + 1, len(self.stones) + 1):
            yield more

    def play(self, melted, more):
        return more

    def gain(self, melted, more):
        return self.sums[more]


class Remainders(NamedTuple):
    left: tuple[int, ...]  # stones worth 0, 1 and 2 modulo 3
    taken: int  # what was taken, modulo 3
    player: int


@dataclass(frozen=True)
class StoneGameIX(Game):
    """2029: take any stone, but do not make what was taken a multiple of three."""

    stones: tuple[int, ...]

    players = ("Alice", "Bob")

    def start(self):
        rests = [stone % 3 for stone in self.stones]
        return Remainders((rests.count(0), rests.count(1), rests.count(2)), 0, 0)

    def turn(self, p):
        return p.player

    def winner(self, p):
        left = sum(p.left)
        if p.taken == 0 and left < len(self.stones):
            return p.player  # the other player has just done it
        if left == 0:
            return 1

    def moves(self, p):
        for rest in range(3):
            if p.left[rest]:
                yield rest

    def play(self, p, rest):
        zeros, ones, twos = p.left
        left = (zeros - (rest == 0), ones - (rest == 1), twos - (rest == 2))
        return Remainders(left, (p.taken + rest) % 3, 1 - p.player)


@dataclass(frozen=True)
class FlipGameII(Game):
    """294: flip ``++`` to ``--``; a player who cannot has lost."""

    state: str

    def start(self):
        return sum(1 << place for place, sign in enumerate(self.state) if sign == "+")

    def moves(self, plus):
        for place in range(plus.bit_length() - 1):
            if plus >> place & 3 == 3:
                yield place

    def play(self, plus, place):
        return plus & ~(3 << place)


class Guess(NamedTuple):
    low: int
    high: int
    guess: int  # or 0 where one is to be made


@dataclass(frozen=True)
class GuessNumber(Game):
    """375: guess a number and pay each wrong guess; the other player says higher or lower."""

    n: int

    players = ("guesser", "chooser")

    def start(self):
        return Guess(1, self.n, 0)

    def turn(self, p):
        return 1 if p.guess else 0

    def moves(self, p):
        if p.guess:
            if p.low < p.guess:
                yield -1
            if p.guess < p.high:
                yield 1
        elif p.low < p.high:
            for guess in range(p.low, p.high + 1):
                yield guess

    def play(self, p, move):
        if not p.guess:
            return Guess(p.low, p.high, move)
        if move < 0:
            return Guess(p.low, p.guess - 1, 0)
        return Guess(p.guess + 1, p.high, 0)

    def gain(self, p, move):
        return p.guess


@dataclass(frozen=True)
class CanIWin(Game):
    """464: take a number nobody has taken; who brings their sum to the total has won."""

    largest: int
    total: int

    no_moves = DRAW

    def start(self):
        return 0

    def outcome(self, taken):
        if taken == 0 and self.total <= 0:
            return WIN
        if sum(n for n in range(1, self.largest + 1) if taken >> n & 1) >= self.total:
            return LOSS

    def moves(self, taken):
        for number in range(1, self.largest + 1):
            if not taken >> number & 1:
                yield number

    def play(self, taken, number):
        return taken | 1 << number


@dataclass(frozen=True)
class DivisorGame(Game):
    """1025: take a divisor of the number, smaller than it, away; a player who cannot has lost."""

    n: int

    def start(self):
        return self.n

    def moves(self, number):
        for divisor in range(1, number):
            if number % divisor == 0:
                yield divisor

    def play(self, number, divisor):
        return number - divisor


class Heaps(NamedTuple):
    heaps: tuple[int, ...]


@dataclass(frozen=True)
class GameOfNim(Game):
    """1908: take any number of stones from one heap; a player who cannot has lost."""

    piles: tuple[int, ...]

    def start(self):
        return Heaps(bag(self.piles, len(self.piles)))

    def moves(self, p):
        for heap, stones in enumerate(p.heaps):
            for number in range(1, stones + 1):
                yield heap, number

    def play(self, p, move):
        heap, number = move
        others = p.heaps[:heap] + p.heaps[heap + 1 :]
        return Heaps(bag((*others, p.heaps[heap] - number), len(p.heaps)))
