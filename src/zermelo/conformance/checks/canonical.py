"""The check of ``canonical``: one position for each class of equivalent ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from zermelo.conformance.brute_force import Solver
from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import Walk, WalkLimits

if TYPE_CHECKING:
    from zermelo.values.kind import Kind

#: Plies to search if a game is too large to be solved.
_PLIES = 4


def check_canonical(
    hooks: CheckedHooks, walk: Walk, visits: list[VisitedPosition], limits: WalkLimits
) -> None:
    """Check that ``canonical`` is idempotent, keeps values, and loses no position.

    Raises:
        ContractError: it does not.
    """
    if not hooks.rules.has_hook("canonical"):
        return
    pairs = []
    for visit in visits:
        position = visit.position
        image = _canonical(hooks, position)
        second_image = _canonical(hooks, image)
        if second_image != image:
            message = (
                f"{call_text('canonical', position)} is {image!r}, and canonical() makes that "
                f"{second_image!r}; let it leave its own results as they are"
            )
            raise ContractError(ProblemKind.CANONICAL, message, position)
        if image != position:
            pairs.append((position, image))
    solver = Solver(hooks, walk.visits, limits)
    try:
        is_solved = solver.solve(position for pair in pairs for position in pair)
        # The shortest search comes first: it is cheap, and near the ends it finds much.
        for plies in (0,) if is_solved else range(1, _PLIES + 1):
            _compare(solver, pairs, plies, limits)
    except ContractError as fault:
        if fault.problem.kind == ProblemKind.CANONICAL:
            raise
        raise _unplayable(fault, pairs) from None
    if walk.complete:
        _check_none_lost(hooks, walk, solver, limits)


def check_kept(
    hooks: CheckedHooks,
    positions: Iterable[Any],
    value: Callable[[Any], int | None],
    kind: Kind,
    limits: WalkLimits,
) -> None:
    """Check that positions that ``canonical`` replaces have the value of their canonical form.

    Args:
        hooks: the hooks.
        positions: positions that a solve has found; their children are checked, as the solve has
            not examined those.
        value: returns the code of a position's canonical form, or None if there is none.
        kind: the kind of these codes.
        limits: the limits of the check.

    Raises:
        ContractError: one has another value.
    """
    solver, checked = Solver(hooks, {}, limits, kind), set()
    for position in positions:
        for visited in (position, *solver.visit(position).children):
            if limits.is_late:
                return
            image = _canonical(hooks, visited)
            if image == visited or visited in checked:
                continue
            checked.add(visited)
            visit = solver.visit(visited)
            child_codes = {child: value(child) for child in visit.children}
            image_code, known_codes = (
                value(visited),
                {
                    child_position: code
                    for child_position, code in child_codes.items()
                    if code is not None
                },
            )
            if image_code is None or len(known_codes) < len(child_codes):
                continue
            decided = kind.decode(solver.decided_code(visit, known_codes))
            stored = kind.decode(image_code)
            if not kind.is_equally_good(decided, stored):
                raise _value_difference(visited, image, (str(decided), str(stored)))


def _check_none_lost(hooks: CheckedHooks, walk: Walk, solver: Solver, limits: WalkLimits) -> None:
    """Check that play from canonical positions alone reaches all canonical positions."""
    stack = [_canonical(hooks, start) for start in walk.starts]
    reached = set(stack)
    while stack and not limits.is_late:
        children = solver.visit(stack.pop()).children
        new = {_canonical(hooks, child) for child in children} - reached
        reached |= new
        stack += new
    for position in walk.visits:
        if limits.is_late:
            return
        image = _canonical(hooks, position)
        if image not in reached:
            message = (
                f"{call_text('canonical', position)} is {image!r}, to which no moves from "
                "canonical positions lead; let it change only what does not matter"
            )
            raise ContractError(ProblemKind.CANONICAL, message, position)


def _compare(solver: Solver, pairs: list[tuple[Any, Any]], plies: int, limits: WalkLimits) -> None:
    for position, image in pairs:
        if limits.is_late:
            return
        values = solver.difference(position, image, plies)
        if values is not None:
            raise _value_difference(position, image, values)


def _value_difference(position: Any, image: object, values: tuple[str, str]) -> ContractError:
    message = (
        f"{call_text('canonical', position)} is {image!r}, but the value of the first is "
        f"{values[0]} and that of the second {values[1]}; let it change only what does not "
        "matter"
    )
    return ContractError(ProblemKind.CANONICAL, message, position)


def _canonical(hooks: CheckedHooks, position: Any) -> Any:
    return hooks.shape.read(hooks.call("canonical", position), ("canonical", position), position)


def _unplayable(fault: ContractError, pairs: list[tuple[Any, Any]]) -> ContractError:
    position, image = next((pair for pair in pairs if pair[1] == fault.problem.position), pairs[0])
    statement = fault.statement
    message = (
        f"{call_text('canonical', position)} is {image!r}, from where the rules fail: {statement}; "
        "let it return positions that the rules accept"
    )
    return ContractError(ProblemKind.CANONICAL, message, position)
