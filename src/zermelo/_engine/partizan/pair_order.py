"""An order of positions with either player to move in which options come first, or a cycle."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import kernel
from zermelo._engine.core.kernel import python_function

Numbers = npt.NDArray[np.int64]

#: The most moves among which the order is found in Python: to load compiled code takes as long.
_FEW_MOVES = 1 << 15
#: The index of the next move of a pair that was not visited yet, and of one that is in the order.
_NEW, _DONE = -1, -2


@kernel
def _order(first: Any, children: Any, after_pass: Any, order: Any, stack: Any, cursor: Any) -> Any:
    """Order pairs by a search in depth; return their number and 0, or 0 and a cycle's length.

    The cycle is at the end of the stack, whose height is returned in the place of the number.
    """
    count = 0
    for root in range(len(after_pass)):
        if after_pass[root] < root or cursor[root] != _NEW:
            continue
        stack[0], cursor[root], height = root, 0, 1
        while height:
            number = stack[height - 1]
            passed = after_pass[number]
            own = first[number + 1] - first[number]
            total = own + first[passed + 1] - first[passed]
            i, target = cursor[number], -1
            while i < total and target < 0:
                edge = first[number] + i if i < own else first[passed] + i - own
                child = min(children[edge], after_pass[children[edge]])
                i += 1
                if cursor[child] == _NEW:
                    target = child
                elif cursor[child] != _DONE:
                    length = 1
                    while stack[height - length] != child:
                        length += 1
                    return height, length
            cursor[number] = i
            if target >= 0:
                stack[height], cursor[target] = target, 0
                height += 1
            else:
                cursor[number] = _DONE
                order[count] = number
                count += 1
                height -= 1
    return count, 0


def pair_order(first: Numbers, children: Numbers, after_pass: Numbers) -> tuple[Numbers, list[int]]:
    """Return one position of each pair that differs in the turn alone, after all that they lead to.

    Args:
        first: the beginning of each position's moves in ``children``, and the end of the last.
        children: the positions after each move.
        after_pass: the same position with the other player to move.

    Returns:
        The order; and positions in a cycle of moves, none if there is an order.
    """
    count = len(after_pass)
    space = np.zeros(count, np.int64), np.zeros(count, np.int64), np.full(count, _NEW)
    arguments: Any = first, children, after_pass, *space
    run: Any = _order
    if len(children) <= _FEW_MOVES:
        run, arguments = python_function(_order), [each.tolist() for each in arguments]
    end, length = run(*arguments)
    order, stack, _ = arguments[3:]
    if length:
        return np.empty(0, np.int64), [int(number) for number in stack[end - length : end]]
    return np.asarray(order[:end], np.int64), []
