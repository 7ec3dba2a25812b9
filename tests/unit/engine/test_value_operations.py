"""The algebra in kernels is that of the kinds of value, and the certificate's copy is the same.

A solve that goes wrong in both copies in the same way would show nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zermelo._engine.backward.folds import NEVER, expanded_fold, graph_fold, ready_fold
from zermelo._engine.certificate import algebra
from zermelo._engine.certificate.kernels import NOTHING, TOO_LARGE, _check_score
from zermelo._engine.column.value_operations import MARGINS, OUTCOMES, operations_of
from zermelo._engine.core.compiling.dispatchers import cached_identity
from zermelo._engine.core.compiling.versions import is_tested
from zermelo.values.endless import ENDLESS_WINS
from zermelo.values.kind import Kind
from zermelo.values.outcomes import DRAW, LOSS, WIN, Value
from zermelo.values.score_and_plies import TIMED_SCORES, code_of
from zermelo.values.scores import LARGEST_SCORE, SCORES, UNKNOWN_SCORE
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

#: The game of the tests of folds: positions, and moves of each.
POSITIONS, MOVES = 60, 4


def codes_of(kind: Kind, rng: np.random.Generator) -> list[int]:
    """Return some codes of a kind, those of all outcomes among them."""
    plies = [0, 1, 2, *rng.integers(3, 1000, 5).tolist()]
    if kind is TIMED_SCORES:
        margins = rng.integers(-9, 9, 20).tolist()
        return [code_of(margin, n, level) for margin in margins for n in plies for level in (0, 2)]
    if kind is SCORES:
        return rng.integers(-1000, 1000, 30).tolist()
    values = [Value(DRAW, n) for n in plies]
    if kind is OUTCOME_ALONE:
        return [kind.encode(value) for value in (*values, Value(WIN), Value(LOSS), Value(DRAW))]
    values += [Value(outcome, n) for outcome in (WIN, LOSS) for n in plies] + [Value(DRAW)]
    return [kind.at_turn(WIN_DRAW_LOSS.encode(v), owner) for v in values for owner in (0, 1)]


@pytest.mark.parametrize(
    "kind", [WIN_DRAW_LOSS, OUTCOME_ALONE, *ENDLESS_WINS, SCORES, TIMED_SCORES], ids=repr
)
def test_a_move_is_worth_in_kernels_what_its_kind_says(kind: Kind) -> None:
    """By the code of the child, whose turn it is, the points and what endless play is worth."""
    rng = np.random.default_rng(3)
    operations: Any = operations_of(kind)
    for code in codes_of(kind, rng):
        for same in (False, True):
            gain, endless = (int(n) for n in rng.integers(-3, 4, 2)) if kind.gains else (0, 0)
            expected = kind.of_move(code, same_mover=same, gain=gain, endless=endless)
            worth = operations.of_child.interpreted(np.int64(code), same, gain, endless)
            assert worth == expected
            assert operations.better(worth, operations.least) == worth
            assert operations.preference.interpreted(worth, code, same, gain) > operations.bar


@pytest.mark.parametrize("kind", [WIN_DRAW_LOSS, *ENDLESS_WINS, TIMED_SCORES], ids=repr)
def test_the_copy_of_the_certificate_says_the_same(kind: Kind) -> None:
    """It is written again, so that a slip in one is seen by the other."""
    rng = np.random.default_rng(4)
    operations: Any = operations_of(kind)
    copy: Any = {
        WIN_DRAW_LOSS: lambda code, same, *_: algebra.one_ply_earlier.interpreted(code, same),
        TIMED_SCORES: algebra.margin_one_ply_earlier.interpreted,
    }.get(kind, lambda code, same, *_: algebra.one_ply_earlier_or_never.interpreted(code, same))
    for code in map(np.int64, codes_of(kind, rng)):
        for same in (False, True):
            given = (code, same, int(rng.integers(-3, 4)), int(rng.integers(-3, 4)))
            assert copy(*given) == operations.of_child.interpreted(*given)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [False, True], ids=["alternate", "turns"])
@pytest.mark.parametrize("kind", [WIN_DRAW_LOSS, SCORES], ids=repr)
def test_folds_take_the_best_move_compiled_and_as_python(kind: Kind, *, turns: bool) -> None:
    """A kernel that is made for an algebra does what the kind does, however it is run."""
    rng = np.random.default_rng(5)
    first = np.arange(0, MOVES * POSITIONS + 1, MOVES)
    first[-6:] = first[-6]  # the last five have no moves
    parents = np.repeat(np.arange(POSITIONS), np.diff(first))
    edges = np.minimum(parents + rng.integers(1, 9, len(parents)), POSITIONS - 1).astype(np.uint32)
    gains = rng.integers(-3, 4, len(edges) if kind.gains else 0)
    owners = rng.integers(0, 2, POSITIONS if turns else 0).astype(np.uint8)
    ended = [kind.terminal(int(n), int(n)) for n in rng.integers(-1, 2, 5)]
    begun = np.array([kind.unknown] * (POSITIONS - 5) + ended, kind.dtype)

    expected = begun.tolist()
    for i in range(POSITIONS - 6, -1, -1):
        worths = []
        for e in range(first[i], first[i + 1]):
            same = turns and bool(owners[i] == owners[edges[e]])
            gain = int(gains[e]) if kind.gains else 0
            worths.append(kind.of_move(expected[edges[e]], same_mover=same, gain=gain))
        expected[i] = kind.of_moves(worths)

    operations, numbers = operations_of(kind), edges.astype(np.int64)
    for form in ("__call__", "interpreted"):
        values = begun.copy()
        fold = getattr(graph_fold(operations), form)
        fold(first, edges, owners, gains, values, 0, POSITIONS)
        assert values.tolist() == expected
        values = begun.copy()
        fold = getattr(expanded_fold(operations), form)
        fold(0, POSITIONS, first[1:], numbers, owners, gains, values)
        assert values.tolist() == expected
        values, count = begun.copy(), POSITIONS - 5
        ranks = np.where(begun == kind.unknown, NEVER, 0).astype(np.uint32)
        fold = getattr(ready_fold(operations), form)
        which = np.arange(count)
        rank = fold(which, count, first[1:], numbers, owners, gains, values, ranks, 1)
        assert (values.tolist(), rank) == (expected, count + 1)
        assert ranks[:count].tolist() == list(range(count, 0, -1))


@pytest.mark.skipif(not is_tested(), reason="code of an untested Numba is not kept on disk")
def test_kernels_for_two_algebras_are_two_files_on_disk() -> None:
    """What a kernel is made for is part of its identity, or one would be loaded for the other."""
    made = [cached_identity(graph_fold(each).compiled) for each in (OUTCOMES, MARGINS)]
    assert graph_fold(OUTCOMES) is graph_fold(OUTCOMES)
    assert None not in made
    assert made[0] != made[1]


@pytest.mark.parametrize(
    ("stored", "gain", "fault"),
    [
        (LARGEST_SCORE, LARGEST_SCORE, NOTHING),
        (LARGEST_SCORE + 1, LARGEST_SCORE + 1, TOO_LARGE),
        (-(1 << 63), -(1 << 63), TOO_LARGE),
        (5, 1 << 62, TOO_LARGE),
    ],
)
def test_the_certificate_has_limits_of_its_own(stored, gain, fault):
    """It adds a gain to a margin, and accepts no sum that may have wrapped around.

    The solver refuses such margins, so that no solution shows them to it.
    """
    proving = True
    nothing, margins = np.empty(0, np.uint8), np.array([stored])
    ends, open_ = np.array([1], np.int32), np.array([UNKNOWN_SCORE])
    zero, gains = np.array([0]), np.array([gain])
    found = _check_score(ends, open_, margins, nothing, zero, nothing, gains, proving, -1)
    assert found[0] == fault
