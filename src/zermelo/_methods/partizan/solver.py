"""Values of all positions of a partizan game, from those of their options, by definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo.values.combinatorial.canonical_forms import CanonicalForms, copy_of

if TYPE_CHECKING:
    from zermelo._methods.partizan.turn_graph import Numbers, TurnGraph
    from zermelo.progress import Reporter

#: Positions whose values are found before progress is reported.
_REPORTED = 1 << 12


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


def find_values(graph: TurnGraph, report: Reporter) -> tuple[CanonicalForms, npt.NDArray[np.int32]]:
    """Return the value of each position: canonical forms, and the number of each position's form.

    A position is worth {left options | right options} with the player to move as Left. Its left
    options are the negatives of the positions after the moves, its right options the positions
    after the moves of the other player. A position that is split is worth the sum of its
    components.

    Args:
        graph: the positions.
        report: receives the number of positions decided.

    Raises:
        RepeatedPositionError: moves can lead back to a position.
    """
    forms, codes = CanonicalForms(), [-1] * len(graph)
    first, children, after_pass = (
        graph.first.tolist(),
        graph.children.tolist(),
        graph.after_pass.tolist(),
    )
    is_last = graph.is_last.tolist()

    def values_after_moves(number: int) -> set[int]:
        """Return the values of the positions after each move, for the player who moves then."""
        begin, end = first[number], first[number + 1]
        if not is_last:
            return {codes[child] for child in children[begin:end]}
        values, total = set(), 0
        for child, ends in zip(children[begin:end], is_last[begin:end], strict=True):
            total = forms.sum(total, codes[child])
            if ends:
                values.add(total)
                total = 0
        return values

    for done, number in enumerate(_order(graph)):
        passed = after_pass[number]
        left = set(map(forms.negative, values_after_moves(number)))
        code = codes[number] = forms.of_options(left, values_after_moves(passed))
        codes[passed] = forms.negative(code)
        if not done % _REPORTED:
            report.advance(min(2 * done, len(graph)))
    return _reduced(forms, np.array(codes, np.int32))


def _reduced(
    forms: CanonicalForms, codes: npt.NDArray[np.int32]
) -> tuple[CanonicalForms, npt.NDArray[np.int32]]:
    """Return only the forms with these numbers and their followers, and their numbers there.

    The forms do not depend on what else was computed on the way.
    """
    used, copies = CanonicalForms(), {0: 0}
    distinct, inverse = np.unique(codes, return_inverse=True)
    numbers = [copy_of(forms, code, used, copies) for code in distinct.tolist()]
    return used, np.array(numbers, np.int32)[inverse.reshape(codes.shape)]


def _order(graph: TurnGraph) -> list[int]:
    """Return one position of each pair that differs in the turn alone, successors first.

    Raises:
        RepeatedPositionError: moves can lead back to a position.
    """
    count = len(graph)
    pair_of = np.minimum(np.arange(count), graph.after_pass)
    sources = np.repeat(pair_of, np.diff(graph.first))
    targets = pair_of[graph.children]
    # One number for two: sorting those takes a tenth of the time.
    numbers = np.sort(targets * count + sources)
    numbers = numbers[np.diff(numbers, prepend=-1) > 0]
    edges = np.stack(np.divmod(numbers, max(count, 1)), 1)
    undone = np.bincount(edges[:, 1], minlength=len(graph)).tolist()
    begins = np.searchsorted(edges[:, 0], np.arange(len(graph) + 1)).tolist()
    parents = edges[:, 1].tolist()
    pairs = np.unique(pair_of)
    order = [number for number in pairs.tolist() if not undone[number]]
    for number in order:  # the loop appends to the list
        for parent in parents[begins[number] : begins[number + 1]]:
            undone[parent] -= 1
            if not undone[parent]:
                order.append(parent)
    if len(order) < len(pairs):
        raise RepeatedPositionError(_circle(edges, undone))
    return order


def _circle(edges: Numbers, undone: list[int]) -> list[int]:
    """Return positions in a circle of moves, given those whose moves are not all decided."""
    successor = {source: target for target, source in edges.tolist() if undone[target]}
    path = [next(number for number, count in enumerate(undone) if count)]
    places = {path[0]: 0}
    while (number := successor[path[-1]]) not in places:
        places[number] = len(path)
        path.append(number)
    return path[places[number] :]
