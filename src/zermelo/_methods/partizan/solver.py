"""Values of all positions of a partizan game, from those of their options, by definition."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from zermelo._engine.partizan.form_arrays import ONE
from zermelo._engine.partizan.pair_order import pair_order
from zermelo._engine.partizan.position_values import CompiledForms, OptionLists, ranges
from zermelo.values.combinatorial.canonical_forms import CanonicalForms

if TYPE_CHECKING:
    from zermelo._methods.partizan.turn_graph import Numbers, TurnGraph
    from zermelo.progress import Reporter

#: Positions whose values are found before progress is reported.
_REPORTED = 1 << 12
#: The fewest positions whose values are found by compiled code: to load that takes as long as
#: about these do in Python.
COMPILED_FROM = 1 << 11

Options = tuple[int, ...]


class RepeatedPositionError(Exception):
    """Moves can lead back to a position.

    Attributes:
        numbers: the numbers of positions from each of which a move leads to the next, with either
            player to move, and from the last to the first.
    """

    def __init__(self, numbers: list[int]) -> None:
        """Store the numbers."""
        super().__init__(numbers)
        self.numbers = numbers


class FoundValues(NamedTuple):
    """The values of positions.

    Attributes:
        forms: the canonical forms that they are, with their followers.
        codes: the number of each position's form.
        solver: the solver that found them.
        numbers: the number in the solver of each form.
    """

    forms: CanonicalForms
    codes: Numbers
    solver: FormSolver
    numbers: Numbers


class FormSolver(Protocol):
    """Canonical forms, and the values of positions as numbers of these."""

    def decide(
        self,
        lists: OptionLists,
        order: Numbers,
        codes: Numbers,
        advance: Callable[[int], object] = ...,
    ) -> bool:
        """Find the values of positions, and return whether all have been found.

        Args:
            lists: the options of all positions.
            order: one position of each pair that differs in the turn alone, options first.
            codes: receives the form of each position in the order, and of its pair.
            advance: receives the number of pairs decided.
        """

    def forms_of(self, codes: Numbers) -> FoundValues:
        """Return only the given forms with their followers, and the codes as numbers of these."""


class PythonForms:
    """Canonical forms in Python: the definition, for small games and for values of any size."""

    def __init__(self, forms: CanonicalForms | None = None) -> None:
        """Store the forms; by default only 0."""
        self.forms = CanonicalForms() if forms is None else forms

    def decide(
        self,
        lists: OptionLists,
        order: Numbers,
        codes: Numbers,
        advance: Callable[[int], object] = lambda _: None,
    ) -> bool:
        """Find the values of positions; see ``FormSolver``."""
        forms, known = self.forms, codes.tolist()
        first, children, is_last, after_pass = (part.tolist() for part in lists)

        def values_after_moves(number: int) -> set[int]:
            """Return the values of the positions after each move, for the player who moves then."""
            begin, end = first[number], first[number + 1]
            if not is_last:
                return {known[child] for child in children[begin:end]}
            values, total = set(), 0
            for child, ends in zip(children[begin:end], is_last[begin:end], strict=True):
                total = forms.sum(total, known[child])
                if ends:
                    values.add(total)
                    total = 0
            return values

        for done, number in enumerate(order.tolist()):
            passed, own = after_pass[number], values_after_moves(number)
            if passed < 0:
                (known[number],) = own
                continue
            left = set(map(forms.negative, own))
            code = known[number] = forms.of_options(left, values_after_moves(passed))
            known[passed] = forms.negative(code)
            if not done % _REPORTED:
                advance(done)
        codes[:] = known
        return True

    def forms_of(self, codes: Numbers) -> FoundValues:
        """Return only the given forms with their followers; see ``FormSolver``."""
        forms, used = self.forms, set[int]()
        for code in np.unique(codes).tolist():
            if code not in used:
                used.update(forms.followers(code))
        listed = sorted(used | {0})
        place = {form: number for number, form in enumerate(listed)}

        def starts_and_options(side: list[Options]) -> tuple[Numbers, Numbers]:
            options = [side[form] for form in listed]
            starts = np.cumsum([0, *map(len, options)])
            return starts, np.array([place[x] for each in options for x in each], np.int64)

        birthdays = np.array([forms.birthday(form) for form in listed])
        keys, numbers = _by_birthday(
            *starts_and_options(forms.left), *starts_and_options(forms.right), birthdays
        )
        own = CanonicalForms()
        for left, right in keys:
            own.of_canonical_options(left, right)
        codes = numbers[np.searchsorted(listed, codes)]
        return FoundValues(own, codes, self, np.array(listed)[np.argsort(numbers)])


class ArrayForms(CompiledForms):
    """Canonical forms in arrays, whose values are found by compiled code.

    ``decide`` returns False if the numbers or nimbers among the values are too large for that.
    """

    def numbers_of(self, forms: CanonicalForms) -> Numbers | None:
        """Return the number here of each of some forms; None if they do not suit the arrays."""
        left_starts, left, right_starts, right = forms.arrays()
        count = len(left_starts) - 1
        # Position 2i is worth form i, and position 2i + 1 is the same with the turn passed.
        lengths = np.empty(2 * count, np.int64)
        lengths[::2], lengths[1::2] = np.diff(left_starts), np.diff(right_starts)
        first = np.concatenate([[0], np.cumsum(lengths)])
        children = np.empty(len(left) + len(right), np.int64)
        children[ranges(first[:-1:2], first[1::2])] = 2 * left + 1
        children[ranges(first[1:-1:2], first[2::2])] = 2 * right
        lists = OptionLists(
            first,
            children,
            np.empty(0, np.bool_),
            np.arange(2 * count).reshape(-1, 2)[:, ::-1].ravel(),
        )
        codes = np.zeros(2 * count, np.int64)
        return codes[::2] if self.decide(lists, np.arange(0, 2 * count, 2), codes) else None

    def forms_of(self, codes: Numbers) -> FoundValues:
        """Return only the given forms with their followers; see ``FormSolver``."""
        listed, columns = self.followers(codes)
        keys, numbers = _by_birthday(*columns[:5])
        order = np.argsort(numbers)
        own = CanonicalForms.of_columns(
            keys,
            columns.birthdays[order].tolist(),
            columns.high[order].tolist(),
            columns.low[order].tolist(),
            columns.is_number[order].tolist(),
            ONE,
        )
        codes = numbers[np.searchsorted(listed, codes)]
        return FoundValues(own, codes, self, listed[order])


def find_values(graph: TurnGraph, report: Reporter, *, compiled: bool) -> FoundValues:
    """Return the value of each position, a canonical form.

    A position is worth {left options | right options} with the player to move as Left. Its left
    options are the negatives of the positions after the moves, its right options the positions
    after the moves of the other player. A position that is split is worth the sum of its
    components.

    Args:
        graph: the positions.
        report: receives the number of positions decided.
        compiled: whether compiled code may be used, where that takes less time.

    Raises:
        RepeatedPositionError: moves can lead back to a position.
    """
    order, cycle = pair_order(graph.first, graph.children, graph.after_pass)
    if cycle:
        raise RepeatedPositionError(cycle)
    lists = OptionLists(graph.first, graph.children, graph.is_last, graph.after_pass)
    codes = np.full(len(graph), -1, np.int64)

    def advance(pairs: int) -> None:
        report.advance(min(2 * pairs, len(graph)))

    solver: FormSolver = ArrayForms() if compiled and len(graph) >= COMPILED_FROM else PythonForms()
    if not solver.decide(lists, order, codes, advance):
        solver = PythonForms()
        solver.decide(lists, order, codes, advance)
    return solver.forms_of(codes)


def _by_birthday(
    left_starts: Numbers,
    left: Numbers,
    right_starts: Numbers,
    right: Numbers,
    birthdays: Numbers,
) -> tuple[list[tuple[Options, Options]], Numbers]:
    """Number forms by their birthdays, and those of one day by their options.

    So the numbers depend on nothing but the set of forms.

    Args:
        left_starts: where the left options of each form begin in ``left``, and the end of the last.
        left: the left options of all forms.
        right_starts: the same for the right options.
        right: the right options of all forms.
        birthdays: the birthday of each form.

    Returns:
        The options of the forms by their new numbers, and the new number of each form.
    """
    keys: list[tuple[Options, Options]] = []
    numbers = np.zeros(len(birthdays), np.int64)
    for day in range(int(birthdays.max()) + 1):
        forms = np.flatnonzero(birthdays == day)
        sides = [
            _sorted_options(numbers, starts, options, forms)
            for starts, options in ((left_starts, left), (right_starts, right))
        ]
        columns = np.concatenate([matrix for matrix, _ in sides], axis=1)
        order = np.lexsort(columns.T[::-1]) if columns.size else np.arange(len(forms))
        numbers[forms[order]] = len(keys) + np.arange(len(forms))
        lefts, rights = (
            [
                tuple(row[:length])
                for row, length in zip(matrix[order].tolist(), lengths[order].tolist(), strict=True)
            ]
            for matrix, lengths in sides
        )
        keys += zip(lefts, rights, strict=True)
    return keys, numbers


def _sorted_options(
    numbers: Numbers, starts: Numbers, options: Numbers, forms: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the new numbers of some forms' options, a row for each form, and their count.

    A row is ascending, and -1 at its end.
    """
    begins, ends = starts[forms], starts[forms + 1]
    lengths = ends - begins
    is_option = np.arange(lengths.max()) < lengths[:, None]
    matrix = np.full(is_option.shape, len(numbers))
    matrix[is_option] = numbers[options[ranges(begins, ends)]]
    matrix.sort(axis=1)
    matrix[~is_option] = -1
    return matrix, lengths
