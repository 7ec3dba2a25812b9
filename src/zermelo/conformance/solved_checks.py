"""Checks after a solve: the rules at positions that it has found, and its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.array_types import Uint64Array
from zermelo.conformance.margins import check_margins
from zermelo.conformance.sample_check import check_declared_equivalences, check_found
from zermelo.rules.impartiality import check_impartial

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table

#: If a solve of new rules finds more positions than the first number, a sample of them, of the
#: size of the second, is compared with Python.
_LARGE_SOLVE, _SAMPLE_SIZE = 50_000, 300


def check_solved(compiled: CompiledRules, table: Table, check_key: Any, *, follows: bool) -> None:
    """Check the positions and the values that a solve has found.

    Args:
        compiled: the rules, canonicalising if the table does.
        table: positions and values.
        check_key: the result of ``check_sample``; None if these rules had passed before.
        follows: whether each value of the table follows from the values of the moves.

    Raises:
        ParameterError: the values are nimbers, and the players have different moves.
        RulesError: rules differ in Python and compiled, a declared symmetry is false, or a margin
            is too large.
    """
    if check_key is not None:
        _check_new_rules(compiled, table, check_key, follows=follows)
    if table.kind.limit is not None:
        check_margins(compiled, table)
    if table.kind.impartial:
        rules = compiled.rules
        check_impartial(rules, (rules.layout.unpack(row) for row in _position_sample(table)))


def _check_new_rules(
    compiled: CompiledRules, table: Table, check_key: object, *, follows: bool
) -> None:
    """Check rules for the first time at positions that a solve has found."""
    legal = table.reachability_evidence == "legal"
    if compiled.is_folded or legal:
        kind = table.kind
        follows_from_moves = follows and not (kind.adds and compiled.rules.has_hook("split"))
        by_moves = follows_from_moves and not (kind.partial or kind.stages or kind.impartial)
        check_declared_equivalences(compiled.with_kind(kind), table, check_key, by_moves=by_moves)
    if len(table) > (_SAMPLE_SIZE if legal else _LARGE_SOLVE):
        # With the rules as compiled, before any conversion of their values.
        plain = compiled.without_symmetries().with_kind(compiled.rules.kind)
        check_found(plain, _position_sample(table), check_key)
    compiled.save_agreement(check_key)


def _position_sample(table: Table) -> Uint64Array:
    """Return some packed positions of a table, evenly spaced."""
    count = min(len(table), _SAMPLE_SIZE)
    places = np.linspace(0, len(table) - 1, count).astype(np.int64)
    return table.packed(places).reshape(count, -1)
