"""Canonical forms by compiled code: the same forms as in Python, and the limits of the arrays.

A solve gives Python what does not fit the arrays, so its values do not show which code found them.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from support.option_lists import random_lists
from zermelo._engine.partizan.position_values import OptionLists
from zermelo._methods.partizan.solver import ArrayForms, PythonForms

pytestmark = pytest.mark.slow  # compiles the code of all forms


def nim_lists(heap):
    """Return the options of heaps of Nim, each for both players."""
    first = np.cumsum([0, *range(heap + 1)])
    children = np.array([child for size in range(heap + 1) for child in range(size)])
    return OptionLists(first, children, np.empty(0, np.bool_), np.arange(heap + 1))


def integer_lists(largest):
    """Return the options of integers: one move of Left, to the integer before."""
    lengths = np.zeros(2 * (largest + 1), np.int64)
    lengths[2::2] = 1
    return OptionLists(
        np.concatenate([[0], np.cumsum(lengths)]),
        2 * np.arange(largest) + 1,
        np.empty(0, np.bool_),
        np.arange(2 * (largest + 1)) ^ 1,
    )


def solved(solver, lists, order):
    """Return the forms of all positions, by their options, and their numbers; None if refused."""
    codes = np.full(len(lists.after_pass), -1, np.int64)
    if not solver.decide(lists, order, codes):
        return None
    found = solver.forms_of(codes)
    return found.forms, found.codes


def check_equal_forms(lists, order):
    """Compare what compiled code and Python find, and all that the forms say of themselves."""
    (forms, numbers), (python, expected) = (
        solved(solver, lists, order) for solver in (ArrayForms(), PythonForms())
    )
    assert np.array_equal(numbers, expected)
    assert (forms.left, forms.right) == (python.left, python.right)
    for form in range(len(forms)):
        for question in ("birthday", "number_of", "left_stop", "right_stop", "nim_heap_of"):
            assert getattr(forms, question)(form) == getattr(python, question)(form)
    # The forms can be computed with as any others.
    a, b = numbers[-2], numbers[-4]
    assert len(forms) == len(python)
    assert forms.negative(int(a)) == python.negative(int(a))
    assert forms.is_at_most(int(a), int(b)) == python.is_at_most(int(a), int(b))
    assert forms.sum(int(a), int(b)) == python.sum(int(a), int(b))
    return forms, numbers


@pytest.mark.parametrize("is_split", [False, True])
def test_compiled_code_finds_the_forms_of_python(is_split):
    """On thousands of random games, whole or sums of earlier ones."""
    random = Random(is_split)
    for depth, most in ((5, 2),) * 3 if is_split else ((6, 2), (20, 3), (60, 5)):
        for _ in range(6):
            pairs = 30 if is_split else 200
            lists = random_lists(random, pairs, depth=depth, most=most, is_split=is_split)
            check_equal_forms(lists, np.arange(0, 2 * pairs, 2))


def test_forms_of_a_collection_can_be_loaded():
    """Each form of a collection gets a number in the arrays, and means the same there."""
    lists = random_lists(Random(7), 150, depth=30, most=4, is_split=False)
    forms, _ = solved(PythonForms(), lists, np.arange(0, 300, 2))
    solver = ArrayForms()
    loaded = solver.numbers_of(forms)
    again, places, *_ = solver.forms_of(loaded)
    assert (again.left, again.right) == (forms.left, forms.right)
    assert places.tolist() == list(range(len(forms)))


def test_nimbers_and_integers_are_found():
    """Heaps of Nim are nimbers, and chains of moves are integers."""
    forms, numbers = check_equal_forms(nim_lists(40), np.arange(41))
    assert [forms.nim_heap_of(int(number)) for number in numbers] == list(range(41))
    forms, numbers = check_equal_forms(integer_lists(50), np.arange(0, 102, 2))
    assert [forms.number_of(int(number)) for number in numbers[::2]] == list(range(51))


def test_numbers_that_do_not_fit_are_refused():
    """A fraction with more binary digits than the arrays hold is left to Python."""
    # Position 2i + 2 is {0 | position 2i}: 1, 1/2, 1/4, …
    halvings = 45
    first, children = [0, 0, 0, 1, 1], [1]
    for pair in range(2, halvings):
        children += [1, 2 * (pair - 1)]
        first += [first[-1] + 1, first[-1] + 2]
    lists = OptionLists(
        np.array(first),
        np.array(children),
        np.empty(0, np.bool_),
        np.arange(2 * halvings) ^ 1,
    )
    order = np.arange(0, 2 * halvings, 2)
    assert solved(ArrayForms(), lists, order) is None
    forms, numbers = solved(PythonForms(), lists, order)
    assert forms.number_of(int(numbers[-2])).denominator == 2 ** (halvings - 2)
