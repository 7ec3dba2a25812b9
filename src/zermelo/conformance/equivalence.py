"""Declared equivalences, checked at solved positions.

In Python there is time for a few hundred positions. Compiled, and once a solve has found all
positions, some thousand images cost no more; and these include positions that a few games do not
reach. A difference is then examined in Python, which words the message.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array
from zermelo.conformance.checks.canonical import check_kept
from zermelo.conformance.checks.spaces import legal_mismatch, packed_sample
from zermelo.conformance.checks.symmetries import ImageCheck
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.conformance.hook_calls import CheckedHooks
    from zermelo.conformance.walk import WalkLimits

#: Images that are compared; and positions, if reading one may be slow or they are checked in
#: Python.
_IMAGES, _FEW_POSITIONS = 10_000, 300
#: Positions whose children are compared with their canonical forms, and moves of each.
_PARENTS, _MOVES = 2_000, 12
#: The number of positions from which on they may be on disk.
_LARGE_TABLE = 1 << 21
#: Symmetries that are checked, the declared ones first.
_SYMMETRIES = 8
#: Positions of a space at which ``legal`` is called compiled, and in Python.
_SLOTS, _CALLS = 50_000, 1_000


def check_equivalence(
    compiled: CompiledRules,
    table: Table,
    hooks: CheckedHooks,
    limits: WalkLimits,
    *,
    by_moves: bool,
) -> None:
    """Check a sample of positions that a game declares equivalent.

    Args:
        compiled: the rules with which a table was made.
        table: the positions of the game.
        hooks: the hooks in Python.
        limits: the limits of the check in Python.
        by_moves: whether the values of the table follow from each other by moves.

    Raises:
        ContractError: two are not equivalent.
        RulesError: the rules fail at one of them.
    """
    if len(compiled.elements) > 1:
        _compare_images(compiled, table, hooks)
    elif compiled.is_folded and not compiled.elements and by_moves:
        rows = table.packed(_spaced_places(table, _FEW_POSITIONS)).reshape(-1, table.words)
        rows = np.concatenate([_changed_children(compiled, table), rows])
        positions = (compiled.rules.layout.unpack(row) for row in rows)
        check_kept(hooks, positions, lambda p: _value(compiled, table, p), table.kind, limits)
    if table.reachability_evidence == "legal":
        _check_legal(compiled, hooks, limits)


def _compare_images(compiled: CompiledRules, table: Table, hooks: CheckedHooks) -> None:
    """Compare positions with their images, compiled."""
    from zermelo._engine.certificate.symmetry import first_asymmetry

    group = compiled.rules.group
    assert group is not None  # noqa: S101  # else there would be no elements
    further = dict.fromkeys((*group.generators, *compiled.elements[1:]))
    elements = [candidate for candidate in further if candidate in set(compiled.elements[1:])][
        :_SYMMETRIES
    ]
    steps = [compiled.with_symmetries([element]) for element in elements]
    count = _FEW_POSITIONS * len(steps) if len(table) > _LARGE_TABLE else _IMAGES
    asymmetry = first_asymmetry(compiled, compiled.without_symmetries(), steps, table, count)
    if asymmetry is None:
        return
    place, n = asymmetry
    position = compiled.rules.layout.unpack(table.packed(np.array([place])))
    ImageCheck(hooks, group).compare_image(hooks.visit(position), elements[n])
    image = group.layout.build(elements[n].image_of(group.layout.flatten(position)))
    message = (
        f"symmetries() makes {position!r} and {image!r} one, but compiled, their ends or their "
        "moves differ; run zermelo check"
    )
    raise ContractError(ProblemKind.SYMMETRIES, message, position)


def _changed_children(compiled: CompiledRules, table: Table) -> npt.NDArray[np.uint64]:
    """Return packed positions whose canonical form has other ends or moves.

    Their values may differ; those of positions with equal ends and moves cannot.
    """
    from zermelo._engine.certificate.symmetry import differing_mask, distinct_rows
    from zermelo._engine.expand.expander import expanded

    places = _spaced_places(table, _FEW_POSITIONS if len(table) > _LARGE_TABLE else _PARENTS)
    keys, count = table.packed(places), len(places)
    plain = compiled.without_symmetries()
    children = distinct_rows([expanded(plain, keys, count).children])
    children = children[:: max(1, len(children) // _IMAGES)]
    images = compiled.canonical(children.reshape(-1), len(children)).reshape(children.shape)
    is_changed = (images != children).any(axis=1)
    children, images = children[is_changed], images[is_changed]
    suspects: npt.NDArray[np.uint64] = children[differing_mask(compiled, children, images)]
    return suspects


def _check_legal(compiled: CompiledRules, hooks: CheckedHooks, limits: WalkLimits) -> None:
    """Check that ``legal`` gives equal results compiled, and for equivalent positions."""
    rules = compiled.rules
    rows = packed_sample(rules, Random(0), _SLOTS)  # noqa: S311  # not for secrets
    keys, count = rows.reshape(-1), len(rows)
    images = compiled.canonical(keys, count) if compiled.is_folded else keys
    is_legal, is_image_legal = (np.empty(count, np.uint8) for _ in range(2))
    compiled.legal(keys, count, is_legal)
    compiled.legal(images, count, is_image_legal)
    mismatches = np.flatnonzero(is_legal != is_image_legal)
    if len(mismatches):
        row = int(mismatches[0])
        position, image = map(rules.layout.unpack, (rows[row], images.reshape(count, -1)[row]))
        raise legal_mismatch(rules, position, image, accepted=bool(is_legal[row]))
    for row in range(0, count, max(1, count // _CALLS)):
        if limits.is_late:
            return
        position, answer = rules.layout.unpack(rows[row]), is_legal[row]
        if bool(hooks.call("legal", position)) != bool(answer):
            call = f"{call_text('legal', position)} is {not answer} in Python and {bool(answer)}"
            message = f"{call} compiled; compiled numbers have 64 bits, so keep within them"
            raise ContractError(ProblemKind.COMPILED, message, position)


def _spaced_places(table: Table, most: int) -> Int64Array:
    """Return the places of at most about ``most`` positions at regular distances."""
    from zermelo._engine.certificate.symmetry import spaced_places

    return np.concatenate(list(spaced_places(table, max(1, -(-len(table) // max(1, most))))))


def _value(compiled: CompiledRules, table: Table, position: Any) -> int | None:
    """Return the code of a position's canonical form; None if the table does not have it."""
    packed = np.array([compiled.rules.layout.pack(position)], np.uint64).reshape(-1)
    place = np.empty(1, np.int64)
    is_known = table.places(compiled.canonical(packed, 1), 1, place)
    return table.value(int(place[0])) if is_known else None
