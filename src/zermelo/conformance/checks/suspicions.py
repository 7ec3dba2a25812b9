"""Hints about games that break no rule and are probably unintended, such as one winner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import Findings, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import Walk
from zermelo.values.outcomes import Outcome

#: With fewer positions, positions with moves, or ends, the suspicious property may be chance.
_LEAST_POSITIONS, _LEAST_MOVERS, _LEAST_ENDS = 12, 7, 2
#: The fewest positions, and ends, that are conclusive if a walk did not reach all positions.
_MANY_POSITIONS, _MANY_ENDS = 1000, 12
#: The fields of a board (a mask for each player, or cells and the turn), and the marks of a cell.
_BOARD_FIELDS, _MOST_MARKS = 2, 2


def check_suspicions(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Search for mistakes that leave a valid game: each is only a hint."""
    if findings.has(ProblemKind.OVER):
        return
    if _starts_over(hooks, walk, findings):
        return
    if walk.complete or len(walk) >= _MANY_POSITIONS:
        _check_choice(walk, findings)
        _check_hook(hooks, walk, findings)
    if walk.complete and not findings.has(ProblemKind.ONE_MOVE):
        _check_winner(hooks, walk, findings)
    _check_taken_cells(walk, findings)


def _starts_over(hooks: CheckedHooks, walk: Walk, findings: Findings) -> bool:
    """Report that no start has moves; return whether it is so."""
    visits = [walk.visits[start] for start in walk.starts if start in walk.visits]
    if not visits or not all(visit.is_over for visit in visits):
        return False
    first = visits[0]
    hook = "outcome" if hooks.rules.has_hook("outcome") else "winner"
    if first.ending is None:
        message = (
            f"{call_text('moves', first.position)} yields no move at the start, so the game is "
            "over before it begins; let it yield the first moves"
        )
    else:
        message = (
            f"{call_text(hook, first.position)} gives {first.ending.name} at the start, so the "
            "game is over before it begins; return None while the game goes on"
        )
    findings.hint(ProblemKind.OVER, message, first.position)
    return True


def _check_choice(walk: Walk, findings: Findings) -> None:
    """Report that no position has two moves."""
    movers = [visit for visit in walk.visits.values() if not visit.is_over]
    if findings.has(ProblemKind.REPEATED) or len(movers) < _LEAST_MOVERS:
        return
    if any(len(set(visit.moves)) > 1 for visit in movers):
        return
    first = movers[0]
    message = (
        f"no position of {len(walk.visits):,} has two moves, so there is nothing to choose: "
        f"{call_text('moves', first.position)} gives {first.moves[0]!r} alone; if it should give "
        "more, look for a return inside its loop"
    )
    findings.hint(ProblemKind.ONE_MOVE, message, first.position)


def _check_hook(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Report that ``outcome`` or ``winner`` ends no game, though games end."""
    hook = next((hook for hook in ("outcome", "winner") if hooks.rules.has_hook(hook)), None)
    ends = [visit for visit in walk.visits.values() if visit.is_over]
    has_enough_ends = len(ends) >= (_LEAST_ENDS if walk.complete else _MANY_ENDS)
    if hook is None or not has_enough_ends or len(walk) < _LEAST_POSITIONS:
        return
    if any(visit.ending is not None for visit in ends):
        return
    message = (
        f"{hook}() is None at all {len(walk.visits):,} positions that were checked, so that games "
        f"end only where there are no moves, such as {ends[0].position!r}; see whether what "
        f"{hook}() looks for can be, or leave it out"
    )
    findings.hint(ProblemKind.UNUSED, message, ends[0].position)


def _check_winner(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Report that one player wins every game, for any moves."""
    rules = hooks.rules
    movers = sum(not visit.is_over for visit in walk.visits.values())
    if rules.kind.gains or movers < _LEAST_MOVERS:
        return
    turns = _turns(hooks, walk)
    if turns is None:
        return
    ends = [visit for visit in walk.visits.values() if visit.is_over]
    winners = {_winner(hooks, visit, turns[visit.position]) for visit in ends}
    if len(ends) < _LEAST_ENDS or len(winners) != 1 or None in winners:
        return
    (winner,) = winners
    assert winner is not None  # noqa: S101  # as of the lines above
    first = ends[0]
    message = (
        f"every game is won by the {('first', 'second')[winner]} player, whatever the moves: so it "
        f"is at all {len(ends):,} ends, such as {first.position!r}; see whether the rules know "
        "both players' wins"
    )
    findings.hint(ProblemKind.ONE_WINNER, message, first.position)


def _winner(hooks: CheckedHooks, visit: VisitedPosition, player: int) -> int | None:
    """Return the winner of a terminal position, or None for a draw."""
    ending = hooks.rules.no_moves if visit.ending is None else visit.ending
    if ending is Outcome.DRAW:
        return None
    return player if ending is Outcome.WIN else 1 - player


def _turns(hooks: CheckedHooks, walk: Walk) -> dict[Any, int] | None:
    """Return the player to move at each position; None if unknown, or if play need not end.

    Without ``turn`` it follows from the number of moves from the start, which may be ambiguous.
    """
    if len(walk.starts) > 1 and hooks.rules.alternate:
        return None
    if _is_cyclic(walk):
        return None
    if not hooks.rules.alternate:
        return {visit.position: visit.owner for visit in walk.visits.values()}
    turns = {walk.starts[0]: 0}
    stack = [walk.starts[0]]
    while stack:
        position = stack.pop()
        for child in walk.visits[position].children:
            if child not in turns:
                turns[child] = 1 - turns[position]
                stack.append(child)
            elif turns[child] == turns[position]:
                return None
    return turns


def _is_cyclic(walk: Walk) -> bool:
    """Return whether a complete walk has a cycle, by A. B. Kahn's method."""
    parent_counts = dict.fromkeys(walk.visits, 0)
    for _, _, child in walk.moves():
        parent_counts[child] += 1
    without_parents = [position for position, count in parent_counts.items() if not count]
    for position in without_parents:  # grows
        for child in walk.visits[position].children:
            parent_counts[child] -= 1
            if not parent_counts[child]:
                without_parents.append(child)
    return len(without_parents) < len(parent_counts)


def _check_taken_cells(walk: Walk, findings: Findings) -> None:
    """Report that a mark is put on a marked cell, in a game in which marks are put and stay."""
    start = walk.starts[0]
    if not isinstance(start, tuple) or len(start) > _BOARD_FIELDS:
        return
    rows = [n for n, field in enumerate(start) if isinstance(field, tuple)]
    if len(rows) == 1 and not any(start[rows[0]]):
        first = _first_taken(walk, lambda before, after: _row_taken(rows[0], before, after))
    elif len(start) == _BOARD_FIELDS and not any(start):
        first = _first_taken(walk, _mask_taken)
    else:
        return
    if first is not None:
        visit, move, child = first
        message = (
            f"each move puts a mark on the board, and {call_text('play', visit.position, move)} "
            f"puts it where one is, which gives {child!r}; let moves() yield free cells alone, "
            "unless you mean that"
        )
        findings.hint(ProblemKind.TAKEN, message, visit.position)


def _first_taken(
    walk: Walk, is_taken: Callable[[Any, Any], bool | None]
) -> tuple[VisitedPosition, Any, Any] | None:
    """Return the first move onto a mark; None without one, or if a move is of another kind."""
    first = None
    for visit, move, child in walk.moves():
        is_on_mark = is_taken(visit.position, child)
        if is_on_mark is None:
            return None
        if is_on_mark and first is None:
            first = visit, move, child
    return first


def _mask_taken(position: Any, child: Any) -> bool | None:
    """Return whether the bit that a move sets is in one of two masks; None if it sets none."""
    for masks in (position, tuple(reversed(position))):
        pairs = list(zip(masks, child, strict=True))
        if all(old & new == old for old, new in pairs):
            added_bits = sum((new & ~old).bit_count() for old, new in pairs)
            overlap = (child[0] & child[1]).bit_count() > (masks[0] & masks[1]).bit_count()
            return None if added_bits > 1 else overlap or not added_bits
    return None


def _row_taken(n: int, position: Any, child: Any) -> bool | None:
    """Return whether a move marks a marked cell in a row; None if it does not mark a cell."""
    row, new = position[n], child[n]
    other_fields = [field for field in child if field is not new]
    changes = [(old, mark) for old, mark in zip(row, new, strict=True) if old != mark]
    marks = all(0 < mark <= _MOST_MARKS for _, mark in changes)
    if len(changes) > 1 or not marks or any(number not in (0, 1) for number in other_fields):
        return None
    return not changes or changes[0][0] != 0
