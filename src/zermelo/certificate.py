"""The certificate in words: what verifying a solution says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine import certify
from zermelo._engine.alike import first_unlike
from zermelo.answers import Verification
from zermelo.values import Value

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter

#: Images that are looked at, at the most, to see that symmetries are some.
_IMAGES = 1 << 20


def verified(
    compiled: CompiledRules,
    table: Table,
    threads: int,
    report: Reporter,
    decoded: Callable[[int], Value],
) -> Verification:
    """Check a table.

    Args:
        compiled: the rules that the table was made with.
        table: positions and values.
        threads: threads to use.
        report: is told how many positions are checked.
        decoded: what a stored value means.
    """
    if hasattr(table, "loaded"):  # every position will be looked up, from everywhere
        with report.phase("load"):
            table = table.loaded()
    finding = certify.certify(compiled, compiled.start_words(), table, threads, report)
    problem = None
    if finding.fault != certify.NOTHING:
        problem = _problem(compiled, table, finding, decoded)
    elif compiled.elements:
        with report.phase("images"):
            problem = _unlike(compiled, table)
    return Verification(
        ok=problem is None,
        positions=finding.positions,
        moves=finding.moves,
        problem=problem,
        seconds=sum(seconds for _, seconds in report.phases),
    )


def _problem(
    compiled: CompiledRules,
    table: Table,
    finding: certify.Finding,
    decoded: Callable[[int], Value],
) -> str:
    if finding.fault == certify.MISSING_START:
        return f"start {finding.place} of the game is not in the table"
    position = _position(compiled, table, finding.place)
    if finding.fault == certify.WRONG_VALUE:
        stored = int(table.values(np.array([finding.place]))[0])
        right = decoded(finding.expected)
        return f"{position!r} is called {decoded(stored)}, and its successors make it {right}"
    legal = table.reach == "legal"
    return {
        certify.STRANGE_CHILD: f"a move from {position!r} leads out of the table",
        certify.WRONG_OWNER: f"it is not the turn at {position!r} that the table says",
        certify.BACKWARD: f"the moves from {position!r} lead in a circle",
        certify.UNREACHED: f"{position!r} "
        + ("is not legal" if legal else "cannot be reached from the start"),
    }[finding.fault]


def _unlike(compiled: CompiledRules, table: Table) -> str | None:
    steps = [compiled.folded([element]) for element in compiled.elements[1:]]
    found = first_unlike(compiled, steps, table, _IMAGES)
    if found is None:
        return None
    place, step = found
    position = _position(compiled, table, place)
    layout = compiled.rules.layout
    image = layout.build(compiled.elements[step + 1].of(layout.flatten(position)))
    return (
        f"{position!r} and {image!r}, which symmetries() makes one, have other ends or moves; "
        "run zermelo check"
    )


def _position(compiled: CompiledRules, table: Table, place: int) -> Any:
    return compiled.rules.layout.unpack(table.packed(np.array([place])))
