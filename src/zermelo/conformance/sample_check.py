"""The look that ``solve`` takes at rules before it believes them: some positions, both ways.

Most mistakes that make compiled rules differ from Python show on almost every position that they
touch, and so does a symmetry that is none. A few hundred positions, spread over a game and its
ends, cost up to a tenth of a second once for a class and for parameters of another size; what
passed is remembered beside the compiled rules, so that other processes do not look again.
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

from zermelo.conformance.checks.compiled import compare, ensure_compiled
from zermelo.conformance.equivalence import check_equivalence
from zermelo.conformance.examiner import Examiner
from zermelo.conformance.hook_calls import CheckedHooks
from zermelo.conformance.report import ContractError, Findings, ProblemKind
from zermelo.conformance.shape import Shape
from zermelo.conformance.timeouts import TimedCalls
from zermelo.conformance.walk import WalkLimits
from zermelo.errors import RulesError
from zermelo.game.contract import HOOKS, parameter_names
from zermelo.game.parameters import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.game.contract import Game

#: How many positions are looked at, and for how many seconds in Python: of this thread's, so that
#: what is remembered was looked at as well on a machine that had other work.
_POSITIONS, _SECONDS = 300, 0.07
#: The same where rules passed with other parameters of the same sizes.
_AGAIN, _AGAIN_SECONDS = 60, 0.02
#: Seconds for looking at positions that a solve has found.
_FOUND_SECONDS = 0.03
#: Seconds after which a rule at one position is said not to return.
_PATIENCE = 5.0


def check_sample(compiled: CompiledRules, *, folded: bool, searched: bool = False) -> Any:
    """See that rules that are about to be used keep the contract in a sample of positions.

    Positions are found from the starts breadth first, and in games at random to their ends. Rules
    that passed with parameters of this size, and with these symmetries, are not looked at again.

    Args:
        compiled: the compiled rules, not folded.
        folded: whether positions that the game declares equal are to count as one.
        searched: whether this is for a search, which finds no positions for ``check_found``.

    Returns:
        What is remembered of rules that passed now, for ``check_found`` and for
        ``CompiledRules.remember_compared``; None if they had before.

    Raises:
        RulesError: they do not, in Python or compiled.
        CompileError: they cannot be compiled.
    """
    game, findings = compiled.rules.game, Findings()
    group = compiled.rules.group if folded else None
    symmetries = None if group is None else group.generators
    alike = (_looks(), _sizes(game), int(compiled.rules.no_moves), folded, symmetries)
    # Whether positions are one depends on what the parameters are, and not on their sizes alone.
    passed = (*alike, _values(game) if folded else None, searched)
    if compiled.was_compared(passed) or (searched and compiled.was_compared((*passed[:-1], False))):
        return None
    again = (*alike, None, searched) in compiled.compared
    positions, seconds = (_AGAIN, _AGAIN_SECONDS) if again else (_POSITIONS, _SECONDS)
    ensure_compiled(compiled)
    with _gc_disabled(), TimedCalls(_PATIENCE) as watch:
        examiner = Examiner(game, watch, findings, Random(0))  # noqa: S311  # not for secrets
        try:
            limits = WalkLimits(positions, seconds, thread_time)
            examiner.sample(compiled.rules, limits, folded=folded)
        except ContractError as fault:
            findings.add(fault)
    _raise_first(findings, compiled)
    places = list(examiner.walk.places.values())
    if places and not again:
        compare(compiled, places, _PATIENCE, findings)
        _raise_first(findings, compiled)
    compiled.compared.update((passed, (*alike, None, searched)))
    return passed


def check_found(compiled: CompiledRules, packed: Iterable[Any], passed: Any) -> None:
    """See that rules mean the same in Python and compiled at positions that a solve has found.

    Args:
        compiled: the compiled rules, not folded.
        packed: packed positions.
        passed: what ``check_sample`` returned, which is forgotten if they do not.

    Raises:
        RulesError: they do not.
    """
    compiled.compared.discard(passed)
    rules, findings = compiled.rules, Findings()
    limits, places = WalkLimits(_POSITIONS, _FOUND_SECONDS, thread_time), []
    with _gc_disabled(), TimedCalls(_PATIENCE) as watch:
        asked = CheckedHooks(rules, Shape(rules.layout, None), watch)
        for words in packed:
            if limits.late:
                break
            try:
                places.append(asked.place(rules.layout.unpack(words)))
            except ContractError as fault:
                findings.add(fault)
                break
    _raise_first(findings, compiled)
    if places:
        compare(compiled, places, _PATIENCE, findings)
        _raise_first(findings, compiled)
    compiled.compared.add(passed)


def check_alike(compiled: CompiledRules, table: Table, passed: Any, *, valued: bool) -> None:
    """See that what a game says is one is, at positions that a solve has found.

    Args:
        compiled: the rules, folded if the table is.
        table: the positions and their values.
        passed: what ``check_sample`` returned, which is forgotten if they are not.
        valued: whether the values are those that moves make of each other.

    Raises:
        RulesError: they are not.
    """
    compiled.compared.discard(passed)
    rules, findings = compiled.rules, Findings()
    limits = WalkLimits(_POSITIONS, _AGAIN_SECONDS, thread_time)
    with _gc_disabled(), TimedCalls(_PATIENCE) as watch:
        try:
            asked = CheckedHooks(rules, Shape(rules.layout, None), watch)
            check_equivalence(compiled, table, asked, limits, valued=valued)
        except ContractError as fault:
            findings.add(fault)
    _raise_first(findings, compiled)
    compiled.compared.add(passed)


@contextmanager
def _gc_disabled() -> Iterator[None]:
    """Let Python not look for garbage, which may take longer than there is for positions."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _raise_first(findings: Findings, compiled: CompiledRules) -> None:
    """Raise the first problem, where there is one."""
    if not findings.broken:
        return
    problem = findings.problems[0]
    if problem.position is not None and problem.kind != ProblemKind.ENDLESS:
        raised = compiled.error_at(problem.position)
        if raised is not None:
            raise raised
    begins_with_a_hook = problem.message.partition("(")[0] in HOOKS
    separator = "." if begins_with_a_hook else ": "
    message = f"{compiled.rules.name}{separator}{problem.message}"
    raise RulesError(message)


def _values(game: Game) -> str:
    """Return something that tells the parameters of games apart, the same in all processes."""
    values = [identity(getattr(game, name)) for name in parameter_names(game)]
    return hashlib.sha256(repr(values).encode()).hexdigest()


def _sizes(game: Game) -> tuple[Any, ...]:
    """Return how large the parameters of a game are, to a power of two."""
    return tuple(_size(getattr(game, name)) for name in parameter_names(game))


@functools.cache
def _looks() -> str:
    """Return a checksum of what looks: what passed where less was seen is looked at again."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _size(value: Any) -> tuple[int, ...]:
    if isinstance(value, np.ndarray):
        return *(side.bit_length() for side in value.shape), _greatest(value)
    if isinstance(value, tuple):
        rows = [len(end) for end in _ends(value) if isinstance(end, tuple)]
        return len(value).bit_length(), max(rows, default=0).bit_length(), _greatest(value)
    return () if value is None else (_greatest(value),)


def _greatest(value: Any) -> int:
    """Return how many bits the greatest number has; of rows, at their ends alone."""
    if isinstance(value, np.ndarray):
        return int(np.abs(value).max()).bit_length() if value.size else 0
    if isinstance(value, tuple):
        return max(map(_greatest, _ends(value)), default=0)
    if isinstance(value, int):
        return value.bit_length()
    return len(value).bit_length() if isinstance(value, str) else 0


def _ends(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[:1] + row[-1:]
