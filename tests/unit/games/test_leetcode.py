"""The games of the page on LeetCode's problems, each against a brute force from its statement."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

import zermelo
from facts import example, rows
from support.oracles import oracle
from support.sizes import counts
from zermelo import LOSS, WIN
from zermelo.games.aliases import ALIASES

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to"


@pytest.fixture(scope="module")
def leetcode():
    """The file that the page quotes, as a reader imports it."""
    spec = spec_from_file_location("leetcode", HOW_TO / "leetcode.py")
    module = module_from_spec(spec)
    sys.modules["leetcode"] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_quotes_the_whole_file():
    """Its Python blocks, one after another, are the file that it offers."""
    blocks = [b.partition("\n```")[0] for b in page().split("```python\n")[1:]]
    assert "\n\n\n".join(blocks) + "\n" == (HOW_TO / "leetcode.py").read_text()


def test_every_problem_of_the_facts_is_there():
    """So are the problems whose games are built in."""
    known = {row["id"] for row in rows("leetcode_games")}
    built_in = {alias for alias in ALIASES if alias.isdecimal()}
    assert all(f"| {number} " in page() for number in known | built_in)


def page():
    """Return the text of the page."""
    return (HOW_TO / "leetcode.md").read_text()


def margin(game):
    """Return what the oracle says the first player comes out ahead by."""
    return oracle.solve_scores(game)[game.start()]


def wins(game):
    """Return whether the oracle says that the first player wins."""
    return oracle.solve(game)[game.start()][0] == WIN


# -- what the statements say, as recursions ---------------------------------------------------


def ends(row):
    """486, 877: the greatest margin of who begins with a row, by trying both ends."""
    return max(row[0] - ends(row[1:]), row[-1] - ends(row[:-1])) if row else 0


def piles_from_the_front(piles, most=1):
    """1140: the most stones that whoever begins can get."""
    if not piles:
        return 0
    return max(
        sum(piles) - piles_from_the_front(piles[x:], max(most, x))
        for x in range(1, min(2 * most, len(piles)) + 1)
    )


def three(values):
    """1406: the greatest margin."""
    if not values:
        return 0
    return max(sum(values[:x]) - three(values[x:]) for x in (1, 2, 3) if x <= len(values))


@cache
def squares(n):
    """1510: whether the player to move wins."""
    return any(not squares(n - r * r) for r in range(1, n + 1) if r * r <= n)


def poorer(values):
    """1563: what Alice can score with a row."""
    best = 0
    for cut in range(1, len(values)):
        left, right = values[:cut], values[cut:]
        if sum(left) <= sum(right):
            best = max(best, sum(left) + poorer(left))
        if sum(right) <= sum(left):
            best = max(best, sum(right) + poorer(right))
    return best


def two_values(alice, bob, left, player=0):
    """1686: Alice's margin, the stones in ``left`` being there."""
    if not left:
        return 0
    after = [(i, two_values(alice, bob, left - {i}, 1 - player)) for i in left]
    if player == 0:
        return max(alice[i] + rest for i, rest in after)
    return min(rest - bob[i] for i, rest in after)


def rest_counts(row):
    """1690: the greatest margin, where what is left counts."""
    if not row:
        return 0
    return max(sum(rest) - rest_counts(rest) for rest in (row[1:], row[:-1]))


def melt(row):
    """1872: the greatest margin, a row of one stone being the end."""
    if len(row) == 1:
        return 0
    return max(sum(row[:x]) - melt([sum(row[:x]), *row[x:]]) for x in range(2, len(row) + 1))


def thirds(stones, taken=0, player=0):
    """2029: whether Alice wins."""
    if not stones:
        return False
    results = []
    for i, stone in enumerate(stones):
        if (taken + stone) % 3 == 0:
            results.append(player == 1)
        else:
            results.append(thirds(stones[:i] + stones[i + 1 :], taken + stone, 1 - player))
    return any(results) if player == 0 else all(results)


@cache
def flips(state):
    """294: whether the player to move wins."""
    return any(
        not flips(state[:i] + "--" + state[i + 2 :])
        for i in range(len(state) - 1)
        if state[i : i + 2] == "++"
    )


@cache
def guesses(low, high):
    """375: the money that is sure to be enough."""
    if low >= high:
        return 0
    return min(g + max(guesses(low, g - 1), guesses(g + 1, high)) for g in range(low, high + 1))


@cache
def reaches(left, total):
    """464: 1 if the player to move wins, -1 if the other does, 0 if nobody gets there."""
    return max((1 if n >= total else -reaches(left - {n}, total - n) for n in left), default=0)


@cache
def divides(n):
    """1025: whether the player to move wins."""
    return any(not divides(n - x) for x in range(1, n) if n % x == 0)


@cache
def nim(heaps):
    """1908: whether the player to move wins, heaps in order."""
    return any(
        not nim(tuple(sorted((*heaps[:i], left, *heaps[i + 1 :]))))
        for i, heap in enumerate(heaps)
        for left in range(heap)
    )


# -- the games of the page against them -------------------------------------------------------


@counts(15, None, 400)
def test_rows_of_numbers(leetcode, count):
    """486, 877, 1140, 1406, 1563, 1690 and 1872 on random rows."""
    random = Random(1)
    for _ in range(count):
        row = [random.randint(1, 9) for _ in range(random.randint(1, 7))]
        signed = [number * random.choice((-1, 1)) for number in row]
        assert margin(leetcode.PredictTheWinner(row)) == ends(row)
        assert margin(leetcode.PredictTheWinner(signed)) == ends(signed)
        most = piles_from_the_front(row)
        assert sum(row) + margin(leetcode.StoneGameII(row)) == 2 * most
        assert margin(leetcode.StoneGameIII(signed)) == three(signed)
        assert margin(leetcode.StoneGameV(row)) == poorer(row)
        assert margin(leetcode.StoneGameVII(row)) == rest_counts(row)
        if len(row) > 1:
            assert margin(leetcode.StoneGameVIII(signed)) == melt(signed)


def test_examples_of_the_statements(leetcode):
    """1510, 1872 and 2029: no other game of the zoo has their rules."""
    rules = {1510: leetcode.StoneGameIV, 1872: leetcode.StoneGameVIII, 2029: leetcode.StoneGameIX}
    for number, kind in rules.items():
        given, answer = example(number)
        assert (margin if number == 1872 else wins)(kind(given)) == answer, number


@counts(6, 100)
def test_stones_of_either_player(leetcode, count):
    """1686 and 2029 on random stones; in 1686 the sign is what a greedy player gets."""
    random = Random(2)
    for _ in range(count):
        n = random.randint(1, 5)
        alice, bob = ([random.randint(1, 9) for _ in range(n)] for _ in range(2))
        score = margin(leetcode.StoneGameVI(alice, bob))
        assert score == two_values(alice, bob, frozenset(range(n)))
        order = sorted(range(n), key=lambda i: alice[i] + bob[i], reverse=True)
        greedy = sum(alice[i] for i in order[::2]) - sum(bob[i] for i in order[1::2])
        assert score == greedy
        assert wins(leetcode.StoneGameIX(alice + bob[:1])) == thirds(alice + bob[:1])


@counts(9, 25)
def test_numbers(leetcode, count):
    """1510, 1025, 375 and 464 for every number up to some."""
    for n in range(1, count + 1):
        assert wins(leetcode.StoneGameIV(n)) == squares(n)
        assert wins(leetcode.DivisorGame(n)) == divides(n)
        assert -margin(leetcode.GuessNumber(n)) == guesses(1, n)
    for largest in range(1, 6):
        for total in range(largest * (largest + 1) // 2 + 3):
            game = leetcode.CanIWin(largest, total)
            numbers = frozenset(range(1, largest + 1))
            assert wins(game) == (total <= 0 or reaches(numbers, total) == WIN)


@counts(5, 50)
def test_signs_and_heaps(leetcode, count):
    """294 and 1908 on random rows and heaps."""
    random = Random(3)
    for _ in range(count):
        state = "".join(random.choice("+++-") for _ in range(random.randint(1, 9)))
        assert wins(leetcode.FlipGameII(state)) == flips(state)
        heaps = tuple(random.randint(0, 3) for _ in range(random.randint(1, 4)))
        assert wins(leetcode.GameOfNim(heaps)) == nim(tuple(sorted(heaps)))


def games(leetcode):
    """Return one game of each class."""
    return [
        leetcode.PredictTheWinner([1, 5, 233, 7]),
        leetcode.StoneGameII([2, 7, 9, 4, 4]),
        leetcode.StoneGameIII([1, 2, 3, -9]),
        leetcode.StoneGameIV(9),
        leetcode.StoneGameV([6, 2, 3, 4, 5, 5]),
        leetcode.StoneGameVI([2, 4, 3], [1, 6, 7]),
        leetcode.StoneGameVII([5, 3, 1, 4, 2]),
        leetcode.StoneGameVIII([-1, 2, -3, 4, -5]),
        leetcode.StoneGameIX([5, 1, 2, 4, 3]),
        leetcode.FlipGameII("++++"),
        leetcode.GuessNumber(6),
        leetcode.CanIWin(5, 9),
        leetcode.DivisorGame(9),
        leetcode.GameOfNim([1, 2, 3]),
    ]


@pytest.mark.slow
def test_the_engine_agrees_and_proves_it(leetcode):
    """Each class keeps the contract, and its solution is the oracle's, with a certificate."""
    for game in games(leetcode):
        report = zermelo.check(game, time=2)
        assert report, str(report)
        solution = zermelo.solve(game)
        assert solution.verify()
        if solution.value.score is not None:
            expected = oracle.solve_scores(game)
            assert {p: v.score for p, v in solution.items()} == expected
        else:
            expected = oracle.solve(game)
            assert {p: (v.outcome, v.remoteness) for p, v in solution.items()} == expected


def test_losses_are_where_they_are_known(leetcode):
    """294 on a row of pluses is Dawson's Kayles, 0.07 in octal, which is lost at these lengths."""
    lost = [n for n in range(1, 16) if not wins(leetcode.FlipGameII("+" * n))]
    assert lost == [1, 5, 9, 15]
    assert oracle.solve(leetcode.StoneGameIV(5))[5][0] == LOSS
