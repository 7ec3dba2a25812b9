"""Counts of all positions from a table with one position of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.expand.orbit_counts import OrbitParts, tally, tally_parts

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.actions import Element
    from zermelo.rules.orbits import Group
    from zermelo.values.kind import ValueTally
    from zermelo.values.results import Counts


def count_positions(
    compiled: CompiledRules, table: Table, threads: int, report: Reporter
) -> Counts:
    """Return the number of positions of each value that the starts can reach.

    Args:
        compiled: the rules that the table was made with, folded by declared symmetries.
        table: one position of each class.
        threads: threads to use at most.
        report: receives the number of classes done.
    """
    with report.phase("count", len(table)):
        return _tally(compiled, table, threads, report).counts()


def _tally(compiled: CompiledRules, table: Table, threads: int, report: Reporter) -> ValueTally:
    if table.reachability_evidence == "legal":  # the table has all of them, so all of each class
        return tally(compiled, table, threads, report)
    starts = compiled.rules.start_words()
    fixing = _start_stabiliser(compiled, starts)
    if len(fixing) == len(compiled.elements):
        return tally(compiled, table, threads, report)
    group = compiled.rules.group
    assert group is not None  # noqa: S101  # else there would be no elements
    steps, kinds = _coset_representatives(group, compiled.elements, fixing)
    # If the side of a step on which they come makes no difference, they need no distinction.
    plain = all(
        kinds[group.product(step, inner)] == n for n, step in enumerate(steps) for inner in fixing
    )
    core, products = (fixing, steps) if plain else (compiled.elements[:1], compiled.elements)
    parts_after = [[kinds[group.product(step, product)] for product in products] for step in steps]
    parts = OrbitParts(
        whole=compiled,
        part=compiled.with_symmetries(fixing),
        plain=compiled.without_symmetries(),
        steps=[compiled.with_symmetries([element]) for element in steps],
        core=compiled.with_symmetries(core),
        symmetries=[compiled.with_symmetries([element]) for element in products],
        part_after=np.array(parts_after, np.int64),
    )
    return tally_parts(parts, table, starts, threads, report)


def _start_stabiliser(compiled: CompiledRules, starts: np.ndarray) -> tuple[Element, ...]:
    """Return the symmetries that map the set of starts to itself."""
    distinct_starts = np.unique(starts, axis=0)
    fixing = []
    for element in compiled.elements:
        images = compiled.with_symmetries([element]).canonical(
            distinct_starts.reshape(-1), len(distinct_starts)
        )
        if np.array_equal(
            np.unique(images.reshape(distinct_starts.shape), axis=0), distinct_starts
        ):
            fixing.append(element)
    return tuple(fixing)


def _coset_representatives(
    group: Group, elements: tuple[Element, ...], fixing: tuple[Element, ...]
) -> tuple[list[Element], dict[Element, int]]:
    """Return one symmetry of each coset of ``fixing``, the identity first.

    Returns:
        These, and the number of the coset of each symmetry.
    """
    steps: list[Element] = []
    kinds: dict[Element, int] = {}
    for element in elements:
        if element not in kinds:
            kinds.update((group.product(inner, element), len(steps)) for inner in fixing)
            steps.append(element)
    return steps, kinds
