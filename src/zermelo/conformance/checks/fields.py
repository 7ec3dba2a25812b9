"""Checks of the fields of positions.

Whether they change at all, and whether they grow without end.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks
from zermelo.conformance.report import Findings, ProblemKind
from zermelo.conformance.walk import Walk

#: In fewer positions, a field may be constant by chance.
_LEAST_POSITIONS = 12
#: The positions that show that a game does not end soon; and the ratio of positions with and
#: without a field that shows that the field distinguishes otherwise equal ones.
_MANY_POSITIONS, _LEAST_RATIO = 1000, 50


def check_fields(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Check whether fields change, and whether numbers that every move raises have a bound."""
    if len(walk.visits) < _LEAST_POSITIONS or findings.has(ProblemKind.OVER):
        return
    # A declared space bounds the fields in the rest of a large game.
    is_unfinished = (
        len(walk.visits) >= _MANY_POSITIONS
        and not walk.complete
        and not hooks.rules.has_hook("space")
    )
    if (walk.complete or is_unfinished) and not findings.has(ProblemKind.ALTERNATION):
        _check_constant(hooks, walk, findings)
    if is_unfinished:
        _check_growing(hooks, walk, findings)


def _check_constant(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Find a field that is constant, though space() does not say so."""
    layout = hooks.rules.layout
    if layout.kind is None:
        return
    first = next(iter(walk.visits))
    fields_with_bits = {slot.field for slot in layout.slots if slot.bits}
    for n, (name, _) in enumerate(layout.fields):
        value = getattr(first, name)
        if n in fields_with_bits and all(
            getattr(position, name) == value for position in walk.visits
        ):
            message = (
                f"the field {name} is {value!r} at all {len(walk.visits):,} positions that were "
                "checked; let play() change it, or keep it out of positions: a parameter, say"
            )
            findings.hint(ProblemKind.CONSTANT, message, first)
            return


def _check_growing(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Find a number that every move raises, if no end is found or nothing else changes."""
    layout = hooks.rules.layout
    if layout.kind is None:
        _report_growth("the position", int, 1, walk, findings)
        return
    for n, (name, length) in enumerate(layout.fields):
        if length is None:
            other_fields = {(*position[:n], *position[n + 1 :]) for position in walk.visits}
            _report_growth(name, itemgetter(n), len(other_fields), walk, findings)


def _report_growth(
    name: str, number: Callable[[Any], int], other_count: int, walk: Walk, findings: Findings
) -> None:
    visits = walk.visits
    distinguishes = other_count > 1 and len(visits) >= _LEAST_RATIO * other_count
    has_no_end = not any(visit.is_over for visit in visits.values())
    if not (distinguishes or has_no_end):
        return
    if any(number(child) <= number(visit.position) for visit, _, child in walk.moves()):
        return
    numbers = [number(position) for position in visits]
    message = (
        f"every move raises {name}, from {min(numbers)} to {max(numbers):,} in the {len(visits):,} "
        "positions that were checked, and none of them is an end; check that games end, or "
        "give its range in space()"
    )
    if not has_no_end:
        message = (
            f"every move raises {name}, so that no position comes again: {len(visits):,} were "
            f"checked, and without it there are {other_count:,}; leave it out, or give its range "
            "in space() if it has an end"
        )
    findings.hint(ProblemKind.GROWING, message, max(visits, key=number))
