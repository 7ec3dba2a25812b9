"""What ``zermelo check`` and solves say of wrong rules with ``chance``."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import zermelo
from support.games.chance_games import HARD_CASES, DiceNim, Heap
from support.sizes import but
from zermelo import CompileError, RulesError

PAIRS = "yield pairs of a weight and a position, or nothing where a player is to move"
SUM = "gives weights whose sum is more than 65,536; divide them by a common factor, or let chance"


@dataclass(frozen=True)
class ZeroWeight(DiceNim):
    """Dice Nim with a weight of 0."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield 1, Heap(heap.left, 1)
            yield 0, Heap(heap.left, 2)


@dataclass(frozen=True)
class NegativeWeight(DiceNim):
    """Dice Nim with a negative weight."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield 2, Heap(heap.left, 1)
            yield -1, Heap(heap.left, 2)


@dataclass(frozen=True)
class FractionalWeight(DiceNim):
    """Dice Nim with probabilities in the place of weights."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield Fraction(1, 2), Heap(heap.left, 1)
            yield Fraction(1, 2), Heap(heap.left, 2)


@dataclass(frozen=True)
class FloatWeight(DiceNim):
    """Dice Nim with floats in the place of weights."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield 0.5, Heap(heap.left, 1)
            yield 0.5, Heap(heap.left, 2)


@dataclass(frozen=True)
class TruthWeight(DiceNim):
    """Dice Nim with a weight of True."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield True, Heap(heap.left, 1)


@dataclass(frozen=True)
class GreatWeights(DiceNim):
    """Dice Nim with two weights whose sum is given."""

    total: int = 1 << 16

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield self.total - 1, Heap(heap.left, 1)
            yield 1, Heap(heap.left, 2)


@dataclass(frozen=True)
class NoneForPairs(DiceNim):
    """Dice Nim whose chance() returns None."""

    def chance(self, heap: Heap) -> Any:
        return None


@dataclass(frozen=True)
class PositionForPair(DiceNim):
    """Dice Nim whose chance() yields positions, which have two fields, without weights."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield Heap(heap.left, 1)


@dataclass(frozen=True)
class ListForPair(DiceNim):
    """Dice Nim whose chance() returns lists in the place of pairs."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            return [[1, Heap(heap.left, 1)]]
        return []


@dataclass(frozen=True)
class SwappedPair(DiceNim):
    """Dice Nim whose chance() yields the position first."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield Heap(heap.left, 1), 1


@dataclass(frozen=True)
class NumberForPosition(DiceNim):
    """Dice Nim whose chance() yields numbers in the place of positions."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield 1, 7


@dataclass(frozen=True)
class EndlessChance(DiceNim):
    """Dice Nim whose chance() never ends."""

    def chance(self, heap: Heap) -> Any:
        while heap.pips == 0 and heap.left > 0:
            yield 1, Heap(heap.left, 1)


@dataclass(frozen=True)
class FailingChance(DiceNim):
    """Dice Nim whose chance() divides by zero."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield 1, Heap(heap.left, 1 // (self.sides - 3))


@dataclass(frozen=True)
class ChanceAndMoves(DiceNim):
    """Dice Nim in which one may take before rolling, too."""

    def moves(self, heap: Heap) -> Any:
        for take in range(1, heap.left + 1):
            yield take


@dataclass(frozen=True)
class NarrowSpace(DiceNim):
    """Dice Nim whose space() leaves out most numbers of the die."""

    def space(self) -> Heap:
        return Heap(range(self.stones + 1), range(2))


@dataclass(frozen=True)
class RandomChance(DiceNim):
    """Dice Nim that rolls its own die."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield 1, Heap(heap.left, random.randint(1, 3))


@dataclass(frozen=True)
class WideChance(DiceNim):
    """Dice Nim that computes a number past 64 bits, which Python can and compiled rules cannot."""

    def chance(self, heap: Heap) -> Any:
        if heap.pips == 0 and heap.left > 0:
            yield 1, Heap(heap.left, (heap.left << 62) // (1 << 62))


def errors_of(game):
    """Return the kinds of the errors that a check reports, and their messages."""
    report = zermelo.check(game)
    errors = [problem for problem in report.problems if problem.severity == "error"]
    return {error.kind for error in errors}, "\n".join(error.message for error in errors)


START = "chance(Heap(left=3, pips=0))"
#: Wrong rules, with the kind of the error and what the message says.
WRONG = [
    (ZeroWeight, "chance", f"{START} gives the weight 0; give a whole number from 1 on"),
    (NegativeWeight, "chance", f"{START} gives the weight -1; give a whole number from 1 on"),
    (FractionalWeight, "chance", f"{START} gives the weight Fraction(1, 2); give a whole number"),
    (FloatWeight, "chance", f"{START} gives the weight 0.5; give a whole number from 1 on"),
    (TruthWeight, "chance", f"{START} gives the weight True; give a whole number from 1 on"),
    (NoneForPairs, "chance", f"{START} returned None; yield each result"),
    (PositionForPair, "chance", f"{START} gives Heap(left=3, pips=1); {PAIRS}"),
    (ListForPair, "chance", f"{START} gives [1, Heap(left=3, pips=1)]; {PAIRS}"),
    (SwappedPair, "chance", f"{START} gives the weight Heap(left=3, pips=1); give a whole number"),
    (NumberForPosition, "position", f"{START} returned 7"),
    (EndlessChance, "endless", f"{START} yields more than 1,048,576 results; check that its loops"),
    (FailingChance, "raises", f"{START} raised ZeroDivisionError"),
    (NarrowSpace, "space", f"{START} gives pips = 2, outside range(0, 2)"),
    (ChanceAndMoves, "chance", "has results of chance, and moves() yields moves there"),
    (RandomChance, "changes", "when asked again; let rules depend on the position"),
    (WideChance, "compiled", "computes heap.left << 62, which is past 64 bits"),
]


@pytest.mark.parametrize(
    ("kind", "problem", "message"), WRONG, ids=lambda x: getattr(x, "__name__", "")
)
def test_check_reports_wrong_chance(kind, problem, message):
    """A check says in a sentence what is wrong about ``chance``, and at which position."""
    kinds, text = errors_of(kind(3))
    assert message in text
    assert problem in kinds


@pytest.mark.parametrize("method", ["plain", "chance"])
@pytest.mark.parametrize("kind", [ZeroWeight, NegativeWeight, TruthWeight, PositionForPair])
def test_solves_refuse_wrong_weights(kind, method):
    """Neither plain nor compiled rules are solved with wrong weights."""
    with pytest.raises((RulesError, CompileError)):
        zermelo.solve(kind(3), method=method)


@pytest.mark.parametrize("method", but(["plain", "chance"], "chance"))
def test_weights_may_have_a_sum_of_65536_and_no_more(method):
    """Weights with a sum of 65,536 are solved exactly, and greater ones are refused."""
    value = zermelo.solve(GreatWeights(2), method=method).value
    # With two stones left, a 2 wins at once, and a 1 leaves one stone to the other player.
    exact = Fraction(1, 1 << 16) - Fraction((1 << 16) - 1, 1 << 16)
    assert value.bounds[0] <= exact <= value.bounds[1]
    for total in ((1 << 16) + 1, 1 << 17, (1 << 62) + 2):
        game = GreatWeights(2, total=total)
        with pytest.raises(RulesError, match=re.escape(SUM)):
            zermelo.solve(game, method=method)
        assert SUM in errors_of(game)[1]


@pytest.mark.compiled
def test_numbers_past_64_bits_are_refused():
    """Compiled rules that would compute another result than Python are not used."""
    with pytest.raises(RulesError, match="past 64 bits"):
        zermelo.solve(WideChance(3))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coin decides who may leave a cycle", "die until it is kept"])
def test_check_accepts_right_rules(name):
    """Right rules keep the contract, and are compared with compiled ones."""
    report = zermelo.check(HARD_CASES[name].game)
    assert report
    assert "in Python and compiled" in str(report)


def test_chance_is_not_asked_at_an_end():
    """Where the game is over, neither check nor solve asks ``chance``."""

    @dataclass(frozen=True)
    class Guarded(DiceNim):
        def outcome(self, heap: Heap) -> Any:
            return zermelo.LOSS if heap.left == 0 else None

        def chance(self, heap: Heap) -> Any:
            if heap.left == 0:
                raise AssertionError
            yield from super().chance(heap)

    solution = zermelo.solve(Guarded(3), method="plain")
    assert solution.value == zermelo.solve(DiceNim(3)).value
