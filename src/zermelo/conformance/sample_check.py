"""The sample check before a solve: the rules at some positions, in Python and compiled.

Most mistakes that make compiled rules differ from Python show in almost every position that they
affect, and so does a false symmetry. A few hundred positions, spread over a game and its ends, cost
up to a tenth of a second once for a class and for each size of parameters. Success is stored with
the compiled rules, so that other processes skip the check.
"""

from __future__ import annotations

import functools
import gc
import hashlib
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import thread_time
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.conformance.checks.compiled import compare_compiled, ensure_compiled
from zermelo.conformance.equivalence import check_equivalence
from zermelo.conformance.examiner import Examiner
from zermelo.conformance.hook_calls import CheckedHooks
from zermelo.conformance.report import ContractError, Findings, ProblemKind
from zermelo.conformance.shape import Shape
from zermelo.conformance.timeouts import TimedCalls
from zermelo.conformance.walk import WalkLimits
from zermelo.errors import RulesError
from zermelo.game.contract import HOOKS, parameter_names
from zermelo.game.parameters import hashable_parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.game.contract import Game

#: The most positions, and the seconds in Python: of this thread's computing time, so that a busy
#: machine checks as many.
_POSITIONS, _SECONDS = 300, 0.07
#: The limits if the rules passed with other parameters of equal sizes.
_FEW_POSITIONS, _FEW_SECONDS = 60, 0.02
#: Seconds for checking positions that a solve has found.
_FOUND_SECONDS = 0.03
#: Seconds after which a rule counts as not returning.
_PATIENCE = 5.0


def check_sample(compiled: CompiledRules, *, folded: bool, searched: bool = False) -> Any:
    """Check that rules keep the contract in a sample of positions, before they are used.

    Positions are found from the starts breadth first, and in random games to their ends. Rules that
    passed with parameters of this size, and with these symmetries, are not checked again.

    Args:
        compiled: the compiled rules, without symmetries.
        folded: whether declared equivalences will be used.
        searched: whether this is for a search, which finds no positions for ``check_found``.

    Returns:
        A key of the check that passed now, for ``check_found`` and for
        ``CompiledRules.save_agreement``; None if it had passed before.

    Raises:
        RulesError: the rules break the contract, in Python or compiled.
        CompileError: they cannot be compiled.
    """
    game, findings = compiled.rules.game, Findings()
    group = compiled.rules.group if folded else None
    symmetries = None if group is None else group.generators
    common_key = (
        _checks_digest(),
        _parameter_sizes(game),
        int(compiled.rules.no_moves),
        folded,
        symmetries,
    )
    # Equivalence depends on the values of parameters, and not on their sizes alone.
    key = (*common_key, _parameters_hash(game) if folded else None, searched)
    if compiled.has_agreed(key) or (searched and compiled.has_agreed((*key[:-1], False))):
        return None
    has_similar = (*common_key, None, searched) in compiled.agreed_keys
    positions, seconds = (_FEW_POSITIONS, _FEW_SECONDS) if has_similar else (_POSITIONS, _SECONDS)
    ensure_compiled(compiled)
    with _gc_disabled(), TimedCalls(_PATIENCE) as timer:
        examiner = Examiner(game, timer, findings, Random(0))  # noqa: S311  # not for secrets
        try:
            limits = WalkLimits(positions, seconds, thread_time)
            examiner.sample(compiled.rules, limits, folded=folded)
        except ContractError as fault:
            findings.add(fault)
    _raise_first(findings, compiled)
    visits = list(examiner.walk.visits.values())
    if visits and not has_similar:
        compare_compiled(compiled, visits, _PATIENCE, findings)
        _raise_first(findings, compiled)
    compiled.agreed_keys.update((key, (*common_key, None, searched)))
    return key


def check_found(compiled: CompiledRules, packed: Iterable[Any], key: Any) -> None:
    """Check that rules agree in Python and compiled at positions that a solve has found.

    Args:
        compiled: the compiled rules, without symmetries.
        packed: packed positions.
        key: the result of ``check_sample``, which is forgotten if they differ.

    Raises:
        RulesError: they differ.
    """
    compiled.agreed_keys.discard(key)
    rules, findings = compiled.rules, Findings()
    limits, visits = WalkLimits(_POSITIONS, _FOUND_SECONDS, thread_time), []
    with _gc_disabled(), TimedCalls(_PATIENCE) as timer:
        hooks = CheckedHooks(rules, Shape(rules.layout, None), timer)
        for words in packed:
            if limits.is_late:
                break
            try:
                visits.append(hooks.visit(rules.layout.unpack(words)))
            except ContractError as fault:
                findings.add(fault)
                break
    _raise_first(findings, compiled)
    if visits:
        compare_compiled(compiled, visits, _PATIENCE, findings)
        _raise_first(findings, compiled)
    compiled.agreed_keys.add(key)


def check_declared_equivalences(
    compiled: CompiledRules, table: Table, key: Any, *, by_moves: bool
) -> None:
    """Check declared equivalences at positions that a solve has found.

    Args:
        compiled: the rules, canonicalising if the table does.
        table: the positions and their values.
        key: the result of ``check_sample``, which is forgotten if one is false.
        by_moves: whether the values follow from each other by moves.

    Raises:
        RulesError: one is false.
    """
    compiled.agreed_keys.discard(key)
    rules, findings = compiled.rules, Findings()
    limits = WalkLimits(_POSITIONS, _FEW_SECONDS, thread_time)
    with _gc_disabled(), TimedCalls(_PATIENCE) as timer:
        try:
            hooks = CheckedHooks(rules, Shape(rules.layout, None), timer)
            check_equivalence(compiled, table, hooks, limits, by_moves=by_moves)
        except ContractError as fault:
            findings.add(fault)
    _raise_first(findings, compiled)
    compiled.agreed_keys.add(key)


@contextmanager
def _gc_disabled() -> Iterator[None]:
    """Disable garbage collection, which may take longer than the time for positions."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _raise_first(findings: Findings, compiled: CompiledRules) -> None:
    """Raise the first problem, if there is one."""
    if not findings.broken:
        return
    problem = findings.problems[0]
    if problem.position is not None and problem.kind != ProblemKind.ENDLESS:
        error = compiled.error_at(problem.position)
        if error is not None:
            raise error
    begins_with_a_hook = problem.message.partition("(")[0] in HOOKS
    separator = "." if begins_with_a_hook else ": "
    message = f"{compiled.rules.name}{separator}{problem.message}"
    raise RulesError(message)


def _parameters_hash(game: Game) -> str:
    """Return a hash of the parameters of a game, equal in all processes."""
    values = [hashable_parameter(getattr(game, name)) for name in parameter_names(game)]
    return hashlib.sha256(repr(values).encode()).hexdigest()


def _parameter_sizes(game: Game) -> tuple[Any, ...]:
    """Return the sizes of the parameters of a game, to a power of two."""
    return tuple(_value_size(getattr(game, name)) for name in parameter_names(game))


@functools.cache
def _checks_digest() -> str:
    """Return a checksum of the checks; a new one runs them again."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _value_size(value: object) -> tuple[int, ...]:
    if isinstance(value, np.ndarray):
        return *(side.bit_length() for side in value.shape), _greatest_bits(value)
    if isinstance(value, tuple):
        rows = [len(end) for end in _row_ends(value) if isinstance(end, tuple)]
        return len(value).bit_length(), max(rows, default=0).bit_length(), _greatest_bits(value)
    return () if value is None else (_greatest_bits(value),)


def _greatest_bits(value: object) -> int:
    """Return the bit length of the greatest number; of rows, only at their ends."""
    if isinstance(value, np.ndarray):
        return int(np.abs(value).max()).bit_length() if value.size else 0
    if isinstance(value, tuple):
        return max(map(_greatest_bits, _row_ends(value)), default=0)
    if isinstance(value, int):
        return value.bit_length()
    return len(value).bit_length() if isinstance(value, str) else 0


def _row_ends(row: tuple[object, ...]) -> tuple[Any, ...]:
    return row[:1] + row[-1:]
