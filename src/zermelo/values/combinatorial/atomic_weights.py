"""Atomic weights of all-small games: how many ups a game is worth beside a large heap of Nim.

(Conway, On Numbers and Games, chapter 16; Berlekamp, Conway and Guy, Winning Ways, chapter 8;
Siegel, Combinatorial Game Theory, chapter II.7.)
"""

from __future__ import annotations

from math import ceil, floor

from zermelo.values.combinatorial.canonical_forms import CanonicalForms, options_first


class AtomicWeights:
    """Atomic weights of forms, each computed once."""

    def __init__(self, forms: CanonicalForms) -> None:
        """Create an empty collection for the given forms."""
        self._forms = forms
        # The weight of each form, None if it is not all-small.
        self._weights: dict[int, int | None] = {0: 0}
        # The largest heap of Nim among the followers of each form.
        self._heaps: dict[int, int] = {0: 0}

    def atomic_weight(self, form: int) -> int | None:
        """Return the form of the atomic weight of a form, None if the form is not all-small.

        Args:
            form: the number of the form.
        """
        weights = self._weights
        left, right = self._forms.left, self._forms.right

        def options_of(x: int) -> tuple[int, ...]:
            decided = self._forms.nim_heap_of(x) is not None or not left[x] or not right[x]
            return () if decided else self._forms.options(x)

        for number in options_first(form, weights.__contains__, options_of):
            heap, options = self._forms.nim_heap_of(number), options_of(number)
            if heap is not None:
                weights[number], self._heaps[number] = 0, heap
            elif not options or any(weights[x] is None for x in options):
                weights[number] = None
            else:
                self._heaps[number] = max([self._heaps[x] for x in options])
                weights[number] = self._weight(number)
        return weights[form]

    def _weight(self, form: int) -> int:
        """Return the atomic weight of a form from those of its options.

        It is {weights of left options - 2 | weights of right options + 2}, unless that is an
        integer. Then the far star decides which integer between the options it is: a heap of Nim
        that is larger than all of those that the form contains.
        """
        forms = self._forms
        two = forms.number(2)
        left = [forms.sum(self._weight_of(x), forms.negative(two)) for x in forms.left[form]]
        right = [forms.sum(self._weight_of(x), two) for x in forms.right[form]]
        weight = forms.of_options(left, right)
        number = forms.number_of(weight)
        if number is None or number.denominator > 1:
            return weight
        star = forms.nimber(self._heaps[form] + 1)
        if forms.is_at_most(star, form):
            return forms.number(min(self._greatest_below(x) for x in right))
        if forms.is_at_most(form, star):
            return forms.number(max(self._least_above(x) for x in left))
        return 0

    def _weight_of(self, form: int) -> int:
        """Return the atomic weight of an option."""
        weight = self._weights[form]
        assert weight is not None  # noqa: S101  # as the options are all-small
        return weight

    def _greatest_below(self, form: int) -> int:
        """Return the greatest integer that is not at least a form."""
        integer = ceil(self._forms.left_stop(form))
        return integer - self._forms.is_at_most(form, self._forms.number(integer))

    def _least_above(self, form: int) -> int:
        """Return the least integer that is not at most a form."""
        integer = floor(self._forms.right_stop(form))
        return integer + self._forms.is_at_most(self._forms.number(integer), form)
