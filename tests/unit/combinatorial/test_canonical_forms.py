"""Canonical forms: games by their definitions, all small games, laws, limits, and arrays."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from threading import Thread

import numpy as np
import pytest

from support.oracles import short_games
from support.sizes import counts
from zermelo import CombinatorialValueError
from zermelo.values.combinatorial import canonical_forms
from zermelo.values.combinatorial.canonical_forms import CanonicalForms, copy_of
from zermelo.values.combinatorial.simplest_number import simplest_number
from zermelo.values.combinatorial.value_parser import ups


def random_trees(seed, count, *, most=3):
    """Return games as trees of the oracle, whose options are earlier ones, mostly the first."""
    random = Random(seed)
    trees = [short_games.ZERO]
    while len(trees) < count:
        last = min(len(trees), random.choice((4, 12, 30, 60)))
        sides = (random.choices(trees[:last], k=random.randint(0, most)) for _ in range(2))
        tree = short_games.tree(*sides)
        if tree not in trees:
            trees.append(tree)
    return trees


def forms_of(forms, trees):
    """Return the canonical form of each tree."""

    @cache
    def form(tree):
        return forms.of_options(
            map(form, short_games.left_of(tree)), map(form, short_games.right_of(tree))
        )

    return [form(tree) for tree in trees]


def tree_of(forms, number):
    """Return a form as a tree of the oracle."""
    return short_games.tree(
        [tree_of(forms, x) for x in forms.left[number]],
        [tree_of(forms, x) for x in forms.right[number]],
    )


def antichains(forms, numbers):
    """Return the sets of forms of which none is at most another."""
    found = [()]
    for x in numbers:
        found += [
            (*chosen, x)
            for chosen in found
            if not any(forms.is_at_most(x, y) or forms.is_at_most(y, x) for y in chosen)
        ]
    return found


def born_by_day(forms, days):
    """Return the forms of the games born by a day.

    Dominated options change nothing, so that sets of options without such are enough.
    """
    numbers = [0]
    for _ in range(days):
        sides = antichains(forms, numbers)
        numbers = sorted({forms.of_options(*pair) for pair in product(sides, repeat=2)})
    return numbers


@pytest.mark.parametrize(("day", "count"), [(0, 1), (1, 4), (2, 22), (3, 1474)])
def test_as_many_games_are_born_by_each_day_as_published(day, count):
    """1, 4, 22 and 1,474 (Siegel, Combinatorial Game Theory, 2013, chapter III; recalled)."""
    forms = CanonicalForms()
    numbers = born_by_day(forms, day)
    assert len(numbers) == count
    assert max(map(forms.birthday, numbers)) == day


def test_the_order_is_that_of_the_definition():
    """On thousands of pairs of random games; games are equal exactly if their forms are."""
    forms = CanonicalForms()
    trees = random_trees(1, 90)
    numbers = forms_of(forms, trees)
    for (g, a), (h, b) in product(zip(trees, numbers, strict=True), repeat=2):
        assert forms.is_at_most(a, b) == short_games.at_most(g, h)
        assert (a == b) == short_games.equal(g, h)


def test_forms_are_canonical():
    """Each form is the oracle's canonical form of the game: nothing in it can be left out."""
    forms = CanonicalForms()
    trees = random_trees(2, 400)
    for tree, number in zip(trees, forms_of(forms, trees), strict=True):
        assert tree_of(forms, number) == short_games.simplest(tree)


def test_sums_and_negatives_are_those_of_the_definition():
    """A sum is the game in which a move is one in either part."""
    forms = CanonicalForms()
    trees = random_trees(3, 25, most=2)

    @cache
    def total(g, h):
        sides = (
            [total(x, h) for x in side(g)] + [total(g, x) for x in side(h)]
            for side in (short_games.left_of, short_games.right_of)
        )
        return forms.of_options(*sides)

    numbers = forms_of(forms, trees)
    for (g, a), (h, b) in product(zip(trees, numbers, strict=True), repeat=2):
        assert forms.sum(a, b) == total(g, h)
    for tree, number in zip(trees, numbers, strict=True):
        assert tree_of(forms, forms.negative(number)) == short_games.simplest(
            short_games.negative(tree)
        )


@counts(100, None, 700)
def test_games_are_a_partially_ordered_group(count):
    """Sums commute, associate, have negatives, and keep the order, on random games."""
    forms = CanonicalForms()
    random = Random(4)
    numbers = random.sample(born_by_day(forms, 3), 60) + forms_of(forms, random_trees(4, 40))
    for _ in range(count):
        a, b, c = random.choices(numbers, k=3)
        both = forms.sum(a, b)
        assert both == forms.sum(b, a)
        assert forms.sum(both, c) == forms.sum(a, forms.sum(b, c))
        assert forms.sum(a, 0) == a
        assert forms.sum(a, forms.negative(a)) == 0
        assert forms.negative(both) == forms.sum(forms.negative(a), forms.negative(b))
        is_at_most = forms.is_at_most(a, b)
        assert is_at_most == forms.is_at_most(forms.sum(a, c), forms.sum(b, c))
        assert is_at_most == forms.is_at_most(forms.sum(a, forms.negative(b)), 0)
        assert is_at_most == forms.is_at_most(forms.negative(b), forms.negative(a))
        assert not (is_at_most and forms.is_at_most(b, a)) or a == b
        assert not (is_at_most and forms.is_at_most(b, c)) or forms.is_at_most(a, c)


def test_options_that_do_not_matter_change_no_form():
    """Dominated options, and others that the opponent answers, may be added to any game."""
    forms = CanonicalForms()
    random = Random(5)
    numbers = born_by_day(forms, 3)
    for game in random.sample(numbers, 300):
        left, right = set(forms.left[game]), set(forms.right[game])
        for x in random.sample(numbers, 40):
            if any(forms.is_at_most(x, y) for y in left) and random.random() < 0.5:
                left.add(x)
            if any(forms.is_at_most(y, x) for y in right) and random.random() < 0.5:
                right.add(x)
            if not forms.is_at_most(game, x):  # a gift horse
                left.add(x)
            if not forms.is_at_most(x, game):
                right.add(x)
        assert forms.of_options(left, right) == game


def test_multiples_are_sums_of_copies():
    """Of the negative, if the number is negative."""
    forms = CanonicalForms()
    for game in Random(6).sample(born_by_day(forms, 2), 12):
        total = 0
        for count in range(6):
            assert forms.multiple(game, count) == total
            assert forms.multiple(game, -count) == forms.negative(total)
            total = forms.sum(total, game)


def test_numbers_are_the_simplest_between_their_options():
    """Sums of numbers are those of fractions, and other options lead to the simplest number."""
    forms = CanonicalForms()
    values = [Fraction(n, 16) for n in range(-70, 71)]
    for value in values:
        number = forms.number(value)
        assert forms.number_of(number) == value
        assert forms.left_stop(number) == forms.right_stop(number) == value
        assert tree_of(forms, number) == short_games.simplest(short_games.number(value))
    random = Random(7)
    for _ in range(500):
        low, high = sorted(random.sample(values, 2))
        assert forms.sum(forms.number(low), forms.number(high)) == forms.number(low + high)
        between = forms.of_options([forms.number(low)], [forms.number(high)])
        found = forms.number_of(between)
        assert low < found < high
        assert found == min(
            (x for x in (Fraction(n, 32) for n in range(-160, 161)) if low < x < high),
            key=lambda x: forms.birthday(forms.number(x)),
        )


def test_a_bound_itself_can_be_the_simplest_number():
    """As in {*|}, which is 0, in contrast to {0|}."""
    for bounds in ((None, None), (Fraction(-1), None), (None, Fraction(1, 2))):
        assert simplest_number(*bounds, has_lower=False, has_upper=False) == 0
    half = Fraction(1, 2)
    assert simplest_number(half, None, has_lower=True, has_upper=False) == 1
    assert simplest_number(half, half, has_lower=True, has_upper=True) == half
    assert simplest_number(-half, Fraction(0), has_lower=True, has_upper=False) == -half
    assert simplest_number(-half, Fraction(0), has_lower=False, has_upper=False) == Fraction(-1, 4)
    forms = CanonicalForms()
    star = forms.nimber(1)
    assert forms.of_options([star], []) == 0
    assert forms.of_options([forms.sum(forms.number(3), star)], []) == forms.number(3)
    assert forms.of_options([forms.number(3)], []) == forms.number(4)
    assert forms.of_options([star], [star]) == 0


def test_nimbers_add_without_carry():
    """Heaps of Nim add as binary numbers without carry, and other options are left out."""
    forms = CanonicalForms()
    for a, b in product(range(16), repeat=2):
        assert forms.sum(forms.nimber(a), forms.nimber(b)) == forms.nimber(a ^ b)
        assert forms.nim_heap_of(forms.nimber(a)) == a
    heaps = [forms.nimber(n) for n in (0, 1, 2, 4, 5)]
    assert forms.of_options(heaps, heaps) == forms.nimber(3)
    assert forms.nim_heap_of(forms.number(1)) is None


def test_stops_are_those_of_play_until_a_number():
    """Left stops at the greatest number that Left can reach if both play for it."""
    forms = CanonicalForms()

    @cache
    def stops(game):
        value = forms.number_of(game)
        if value is not None:
            return value, value
        return (
            max(stops(x)[1] for x in forms.left[game]),
            min(stops(x)[0] for x in forms.right[game]),
        )

    for game in born_by_day(forms, 3):
        assert (forms.left_stop(game), forms.right_stop(game)) == stops(game)


def test_followers_and_birthdays_are_those_of_the_form():
    """Options come before a form."""
    forms = CanonicalForms()
    for game in born_by_day(forms, 3):
        options = forms.left[game] + forms.right[game]
        followers = forms.followers(game)
        assert followers[-1] == game
        assert set(options) <= set(followers[:-1])
        assert forms.birthday(game) == 1 + max(map(forms.birthday, options), default=-1)
        assert all(x < game for x in options)


@pytest.mark.slow
def test_deep_games_take_no_recursion():
    """Large numbers, many ups, and long chains of threats have no limit of depth but memory."""
    forms = CanonicalForms()
    large = forms.number(100_000)
    assert forms.sum(large, forms.number(-1)) == forms.number(99_999)
    assert forms.number_of(forms.number(Fraction(1, 1 << 2000))) == Fraction(1, 1 << 2000)
    plain = ups(forms, 3000)
    assert forms.birthday(plain) == 3001
    assert forms.is_at_most(0, plain)
    assert forms.negative(forms.negative(plain)) == plain
    shifted = forms.sum(plain, forms.number(1))
    assert forms.left_stop(shifted) == 1
    assert forms.sum(shifted, forms.number(-1)) == plain
    threat = forms.nimber(1)
    for n in range(1000):
        threat = forms.of_options([threat], [forms.number(-n)])
    assert forms.sum(threat, forms.negative(threat)) == 0
    assert len(forms.followers(plain)) == 3002


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (Fraction(1, 3), "'1/3' is not the value of a short game; give a fraction"),
        (1 << 20, "'1048576' is too large to be held as a game; give one of at most 131072"),
        (Fraction(1, 1 << 5000), "too large to be held"),
    ],
)
def test_numbers_that_are_no_short_games_are_refused(value, fault):
    """Other denominators than powers of two, and very large numbers."""
    with pytest.raises(CombinatorialValueError, match=fault):
        CanonicalForms().number(value)


@pytest.mark.parametrize("heap", [-1, 1 << 20])
def test_heaps_of_other_sizes_are_refused(heap):
    """A heap of n has n options for each player, and they are all held."""
    with pytest.raises(CombinatorialValueError, match=f"a heap of {heap} is not held; give a size"):
        CanonicalForms().nimber(heap)


def test_results_do_not_depend_on_what_is_remembered(monkeypatch):
    """If the memory of comparisons, sums and options is full, it is found again."""
    trees = random_trees(8, 150)
    plenty = CanonicalForms()
    wanted = forms_of(plenty, trees)
    sums = [plenty.sum(a, b) for a, b in product(wanted[:30], repeat=2)]
    monkeypatch.setattr(canonical_forms, "_MOST_REMEMBERED", 20)
    forms = CanonicalForms()
    assert forms_of(forms, trees) == wanted
    found = [forms.sum(a, b) for a, b in product(wanted[:30], repeat=2)]
    copies = {}
    assert [copy_of(forms, x, plenty, copies) for x in found] == sums
    assert forms_of(forms, trees) == wanted


def test_forms_are_written_and_read_as_arrays():
    """With their numbers; a copy of a form in another collection is the form there."""
    forms = CanonicalForms()
    numbers = forms_of(forms, random_trees(9, 200))
    read = CanonicalForms.of_arrays(*forms.arrays())
    assert (read.left, read.right) == (forms.left, forms.right)
    pickled = pickle.loads(pickle.dumps(forms))  # noqa: S301  # what this test wrote
    for other in (read, pickled):
        for x, y in product(numbers[-20:], repeat=2):
            assert other.is_at_most(x, y) == forms.is_at_most(x, y)
        assert [other.number_of(x) for x in numbers] == [forms.number_of(x) for x in numbers]
        assert [other.nim_heap_of(x) for x in numbers] == [forms.nim_heap_of(x) for x in numbers]
        assert [other.left_stop(x) for x in numbers] == [forms.left_stop(x) for x in numbers]
    backwards = CanonicalForms()
    copies = {}
    for x in reversed(numbers):
        copy_of(forms, x, backwards, copies)
    assert all(tree_of(forms, x) == tree_of(backwards, copies[x]) for x in numbers)


def flat(*forms):
    """Return arrays of forms, each a pair of lists of options."""
    arrays = []
    for side in zip(*forms, strict=True):
        arrays += [np.cumsum([0, *map(len, side)]), np.array([x for xs in side for x in xs], int)]
    return arrays


@pytest.mark.parametrize(
    ("arrays", "fault"),
    [
        (flat(([], []), ([1], [])), "form 1 has options that do not come before it in order"),
        (flat(([], []), ([0, 0], [])), "form 1 has options that do not come before it in order"),
        (flat(([], []), ([-1], [])), "form 1 has options that do not come before it in order"),
        (flat(([], []), ([0], []), ([0], [])), "form 2 occurs twice"),
        (flat(([], []), ([], [])), "form 1 occurs twice"),
        (flat(([0], [])), "no form for zero"),
        ([[0], [], [0], []], "no form for zero"),
        ([[0, 2], [], [0, 0], []], "the starts of the options do not ascend"),
        ([[], [], [], []], "the starts of the options do not ascend"),
        ([[0, 1, 0, 1], [0], [0, 0, 0, 0], []], "the starts of the options do not ascend"),
        (flat(([], []), ([0], []), ([1], []), ([], [2])), "form 3 is not in canonical form"),
        (flat(([], []), ([0], []), ([0, 1], [])), "form 2 is not in canonical form"),
        (flat(([], []), ([0], []), ([1], []), ([0], [2])), "form 3 is not in canonical form"),
    ],
)
def test_arrays_of_other_things_are_refused(arrays, fault):
    """A file can be damaged, also where its checksum is right."""
    with pytest.raises(ValueError, match=fault):
        CanonicalForms.of_arrays(*arrays)


def test_threads_share_a_collection():
    """Forms that several threads make at a time are those that one makes."""
    forms, alone = CanonicalForms(), CanonicalForms()
    trees = random_trees(10, 300)
    found = {}

    def work(thread):
        found[thread] = forms_of(forms, Random(thread).sample(trees, len(trees)))
        found[thread] = forms_of(forms, trees)

    threads = [Thread(target=work, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = forms_of(alone, trees)
    assert len({tuple(numbers) for numbers in found.values()}) == 1
    copies = {}
    assert [copy_of(forms, x, alone, copies) for x in found[0]] == wanted
    assert len(forms) == len(alone)
