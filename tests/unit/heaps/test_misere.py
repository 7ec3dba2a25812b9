"""Misère quotients: against brute force, against what is published, proved, forged and refused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from facts import rows
from support.oracles import oracle
from support.sizes import counts
from zermelo import LOSS, WIN, BudgetError, ParameterError
from zermelo.heaps import (
    DAWSONS_CHESS,
    DAWSONS_KAYLES,
    GRUNDYS_GAME,
    KAYLES,
    LASKERS_NIM,
    NIM,
    AllBut,
    HeapGame,
    MiserePeriod,
    MisereQuotient,
    Subtraction,
    TakeAndBreak,
    misere_quotient,
)

#: Games, how large their heaps are, and how many elements the quotient has.
GAMES = [
    (TakeAndBreak("0.123"), 12, 20),
    (KAYLES, 10, 18),
    (DAWSONS_KAYLES, 12, 12),
    (DAWSONS_CHESS, 11, 12),
    (TakeAndBreak("0.75"), 12, 8),
    (TakeAndBreak("4.7"), 7, 8),
    (TakeAndBreak("0.144"), 10, 10),
    (TakeAndBreak("0.3F"), 6, 12),
    (GRUNDYS_GAME, 11, 6),
    (LASKERS_NIM, 6, 10),
    (NIM, 7, 10),
    (Subtraction({2, 3, 5}), 12, 6),
    (AllBut({1, 2}), 10, 6),
]


@cache
def quotient(game: HeapGame, to: int) -> MisereQuotient:
    """Return a quotient, found once for all tests."""
    return misere_quotient(game, to)


@counts(120, None, 10_000)
@pytest.mark.parametrize(("game", "to", "_order"), GAMES, ids=repr)
def test_sums_have_the_outcomes_of_brute_force(
    game: HeapGame, to: int, _order: int, count: int
) -> None:
    """Random sums of up to four heaps, and what the winning moves are of some of them."""
    rng = np.random.default_rng(7)
    found, known = quotient(game, to), {}
    options = cache(lambda heap: tuple(game.options(heap)))
    most = to if count > 1000 else min(to, 9)
    for n in range(count):
        heaps = tuple(rng.integers(0, most + 1, rng.integers(0, 5)).tolist())
        lost = oracle.losing_sum(options, heaps, known)
        assert found.outcome(heaps) is (LOSS if lost else WIN), heaps
        if n % 10 == 0:
            winning = {
                (heap, left)
                for place, heap in enumerate(heaps)
                for left in options(heap)
                if oracle.losing_sum(options, heaps[:place] + heaps[place + 1 :] + left, known)
            }
            assert set(found.winning_moves(heaps)) == winning, heaps


@pytest.mark.parametrize(("game", "to", "order"), GAMES, ids=repr)
def test_quotients_are_proved(game: HeapGame, to: int, order: int) -> None:
    """By verify(), which takes nothing from the search; sizes are even, but for a game of no moves.

    Plambeck and Siegel 2008: a misère quotient that is not trivial has an even number of elements.
    """
    found = quotient(game, to)
    assert found.verify()
    assert found.order == len(found) == len(found.elements) == order
    assert order % 2 == 0


@counts(15, None, 400)
def test_random_codes_have_quotients_that_brute_force_agrees_with(count: int) -> None:
    """Also codes that split heaps in three, that take for ever, and that are too large to find."""
    rng = np.random.default_rng(11)
    found = 0
    for _ in range(count):
        digits = "".join(f"{digit:X}" for digit in rng.integers(0, 12, rng.integers(1, 4)))
        game = TakeAndBreak(f"{rng.choice([0, 0, 4])}.{digits}{rng.choice(['', '', '...'])}")
        options = cache(lambda heap, game=game: tuple(game.options(heap)))
        try:
            made = misere_quotient(game, 7, max_elements=60, max_sums=20_000)
        except BudgetError:
            continue
        assert made.verify(), game
        known: dict[tuple[int, ...], bool] = {}
        for _ in range(30):
            heaps = tuple(rng.integers(0, 8, rng.integers(0, 5)).tolist())
            lost = oracle.losing_sum(options, heaps, known)
            assert made.outcome(heaps) is (LOSS if lost else WIN), (game, heaps)
        found += 1
    assert found > count / 2


@pytest.mark.parametrize("row", rows("misere_quotients"), ids=lambda row: row["code"])
def test_quotients_are_as_published(row: dict[str, str]) -> None:
    """So many elements, and after how many tokens heaps repeat for ever."""
    found = quotient(TakeAndBreak(row["code"]), 25)
    assert found.order == int(row["order"])
    assert found.period() is not None
    assert found.period().period == int(row["period"])


def test_periods_are_those_of_larger_quotients() -> None:
    """Heaps that are asked for beyond the quotient are like those of one that has them."""
    found = quotient(TakeAndBreak("0.123"), 25)
    assert (found.period(), len(found.lost)) == (MiserePeriod(5, 5), 5)
    assert quotient(TakeAndBreak("0.123"), 12).period() is None
    for heap in range(40, 60):
        assert found.element([heap]) == found.elements[found.pretending[5 + heap % 5]]
    larger = quotient(TakeAndBreak("0.123"), 60)
    assert all(larger.element([heap]) == found.element([heap]) for heap in range(61))


@pytest.mark.huge
def test_all_of_kayles_has_40_elements() -> None:
    """As computed here and proved; elements repeat after 12 from a heap of 71 on, as nimbers do."""
    found = misere_quotient(KAYLES, 170)
    assert (found.order, len(found.lost), found.period()) == (40, 9, MiserePeriod(12, 71))
    assert found.verify()
    assert not replace(found, lost=found.lost[1:]).verify()


def test_heaps_of_nim_are_as_bouton_says() -> None:
    """Bouton 1902: misère Nim is normal Nim, but for sums of heaps of 1."""
    found = quotient(NIM, 7)
    rng = np.random.default_rng(3)
    for _ in range(500):
        heaps = rng.integers(0, 8, rng.integers(1, 7)).tolist()
        nimber = int(np.bitwise_xor.reduce(heaps))
        lost = nimber == 0 if max(heaps) > 1 else nimber == 1
        assert found.outcome(heaps) is (LOSS if lost else WIN)


def test_names_and_relations_say_the_whole_monoid() -> None:
    """Every product of names is again a name, by the relations alone."""
    found = quotient(KAYLES, 10)
    assert found.elements[:4] == ("1", "a", "b", "c")
    assert found.generators == {"a": 1, "b": 2, "c": 5, "d": 9}
    assert found.presentation.startswith("<a, b, c, d | a^2 = 1, ")
    assert [found.element([n]) for n in range(5)] == ["1", "a", "b", "ab", "a"]
    assert found.element([1, 1]) == found.element([]) == "1"
    assert repr(found) == (
        "<misère quotient of TakeAndBreak('0.77') to heaps of 10: 18 elements, 6 lost>"
    )
    assert "elements  18: 1 a b" in str(found)
    assert found.period() is None
    document = found.to_json()
    assert json.loads(json.dumps(document)) == document
    assert (document["order"], document["pretending"][5]) == (18, "c")


def test_games_without_moves_have_one_element() -> None:
    """Whose turn it is has won."""
    found = misere_quotient(TakeAndBreak("0.0"), 4)
    assert (found.order, found.lost, found.outcome([3, 4])) == (1, (), WIN)
    assert found.verify()
    assert misere_quotient(KAYLES, 0).outcome([]) is WIN


def forgeries(found: MisereQuotient) -> Any:
    """Yield quotients that are wrong in one number."""
    for element in range(found.order):
        lost = set(found.lost) ^ {element}
        yield replace(found, lost=tuple(sorted(lost)))
    for heap in range(found.heaps + 1):
        other = (found.pretending[heap] + 1) % found.order
        changed = (*found.pretending[:heap], other, *found.pretending[heap + 1 :])
        yield replace(found, pretending=changed)
    for a in range(found.order):
        for b in range(a, found.order):
            products = found.products.copy()
            products[a, b] = products[b, a] = (products[a, b] + 1) % found.order
            yield replace(found, products=products)


def test_forged_quotients_are_caught() -> None:
    """A lost element, an element of a heap, and every product, each changed alone."""
    found = quotient(KAYLES, 10)
    for forged in forgeries(found):
        assert not forged.verify(), forged
    twice = np.block([[found.products, found.products + 18], [found.products + 18, found.products]])
    double = replace(
        found,
        products=twice,
        elements=found.elements * 2,
        lost=(*found.lost, *(n + 18 for n in found.lost)),
    )
    assert "is that of no sum" in str(double.verify().problem)


def test_what_is_too_large_is_refused() -> None:
    """With what to ask for instead."""
    with pytest.raises(BudgetError, match=r"more than 10 elements; ask for smaller heaps"):
        misere_quotient(KAYLES, 10, max_elements=10)
    with pytest.raises(BudgetError, match=r"more than 50 sums are to be .* max_sums="):
        misere_quotient(KAYLES, 10, max_sums=50)


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: misere_quotient("0.77", 10), r"give TakeAndBreak\('0.77'\)"),
        (lambda: misere_quotient(KAYLES, -1), "-1 is not the size of a heap"),
        (
            lambda: misere_quotient(KAYLES, 10, max_elements=0),
            "elements must be a whole number of at least 1, not 0",
        ),
        (lambda: quotient(KAYLES, 10).outcome([11]), r"misere_quotient\(.*, 11\)"),
        (lambda: quotient(KAYLES, 10).outcome("33"), r"'33' is not a sum of heaps"),
        (lambda: quotient(KAYLES, 10).outcome([1.5]), "1.5 is not the size of a heap"),
    ],
)
def test_mistakes_are_told_with_a_remedy(call: Any, why: str) -> None:
    """Each in a sentence."""
    with pytest.raises(ParameterError, match=why):
        call()
