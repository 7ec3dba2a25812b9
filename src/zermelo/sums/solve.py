"""``zermelo.sum``: choice of the method for a sum of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError
from zermelo.game.contract import Game
from zermelo.progress import Listener, Reporter
from zermelo.resources import memory_bytes, thread_count
from zermelo.rules.impartiality import taken_for_impartial
from zermelo.solving import solve
from zermelo.values.expectations import Expectations
from zermelo.values.nimbers import NIMBERS
from zermelo.values.outcomes import LOSS, NOBODY, WIN
from zermelo.values.partizan import PARTIZAN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from zermelo.rules.hooks import Rules
    from zermelo.solution.solution import Solution
    from zermelo.values.kind import Kind

#: The number of positions on which it is checked that passing changes nothing.
_LOOKED_AT = 300
#: The most positions that 32-bit numbers can represent.
_MOST = (1 << 32) - 2


def sum_of(
    *parts: Game | Solution,
    misere: bool = False,
    value: str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> Solution:
    """Solve a sum of games: the player to move chooses one of them and moves in it.

    A player who cannot move in any of them has lost. A position of the sum is a tuple of the
    positions of the parts, a ``SumPosition``, and any tuple of positions can be asked about; a move
    is a tuple of the number of a part, from 0, and a move in it. A sum among the parts counts as
    its parts.

    In impartial games, both players have the same moves. Each of these is solved for its nimbers,
    and the nimber of a sum is that of its parts, added bit by bit without carrying (Sprague 1935,
    Grundy 1939). The product is not listed, however large it is.

    If a part is not impartial, the product of the positions is solved, with either player to move:
    as many positions as the sizes of the parts multiplied, and twice that if a part has
    ``turn``. Each part must then be able to pass the turn (by ``pass_turn``, or by a field that
    ``turn`` returns). A sum of one such game is that game with either player to begin, which has
    outcome classes (``Solution.outcome_class``).

    With ``value="partizan"``, each part is solved for the games that its positions are worth, which
    add up, so that the product is not listed either. Play must end in each part.

    A game without ``turn`` and without ``pass_turn`` is assumed to be impartial.

    Args:
        parts: games, or solutions. A solution for nimbers, or for values of partizan games, is used
            as it is if all are of that kind; of any other, the game is solved again.
        value: ``"partizan"`` to add values of partizan games. By default these are added if all
            parts are solutions for them.
        misere: whether a player who cannot move wins instead; this takes the product even if all
            parts are impartial.
        memory: the most memory to use, as for ``zermelo.solve``.
        threads: threads to use, as for ``zermelo.solve``.
        progress: called with an ``Event`` from time to time.

    Returns:
        The solution, which has ``value``, ``winner``, ``best``, ``options``, ``line``, ``explain``
        and ``verify``. It cannot be saved; save its parts.

    Raises:
        ParameterError: there are no parts, or one is not a game, or a score game, or a graph.
        RulesError: a part ends while a player can move, a player may move twice in a row, or
            ``pass_turn`` is missing.
        BudgetError: the product needs more memory than is allowed.
    """
    # Numba is imported with the engine, and so only for a solve.
    from zermelo._engine.core.ledger import Ledger
    from zermelo.rules.hooks import Rules

    ledger = Ledger.for_budget(memory_bytes(memory))
    summands = [view for part in parts for view in _flatten(part, misere=misere)]
    if not summands:
        message = "a sum of no games was asked for; give at least one, as in zermelo.sum(a, b)"
        raise ParameterError(message)
    views: list[Any] = [
        Rules(part, misere=misere) if isinstance(part, Game) else part.rules for part in summands
    ]
    for view in views:
        _check_part(view, misere=misere, is_single=len(summands) == 1)
    if value not in (None, PARTIZAN.name):
        message = f"value={value!r} is not known; use 'partizan', or leave it out"
        raise ParameterError(message)
    kinds = {None if isinstance(part, Game) else part.kind.algebra for part in summands}
    is_partizan = value == PARTIZAN.name or kinds == {PARTIZAN.algebra}
    if is_partizan and misere:
        message = (
            "values of partizan games are of normal play, and misere=True is not; leave it out"
        )
        raise ParameterError(message)
    report, workers = Reporter(progress), thread_count(threads)
    options = {"memory": memory, "threads": threads, "progress": progress}
    if is_partizan:
        return _value_sum(PARTIZAN, summands, views, report, workers, options)
    if not misere and all(map(_impartial, summands, views)):
        return _value_sum(NIMBERS, summands, views, report, workers, options)
    from zermelo.solution.solution import Solution
    from zermelo.sums.partizan import solve_product

    games = [part if isinstance(part, Game) else part.game for part in summands]
    rules = [Rules(game, misere=misere) for game in games]
    solved, choice = solve_product(rules, WIN if misere else LOSS, workers, ledger, report)
    return Solution(
        solved,
        method="sum",
        choice=choice,
        phases=report.phases,
        peak_bytes=ledger.peak,
        threads=workers,
    )


#: How the values of each kind are added.
_CHOICES = {
    NIMBERS.algebra: "each part for its nimbers, which add up bit by bit",
    PARTIZAN.algebra: "each part for the games that its positions are worth, which add up",
}


def _value_sum(
    kind: Kind,
    summands: list[Any],
    views: list[Any],
    report: Reporter,
    threads: int,
    options: Any,
) -> Solution:
    """Return the sum of games with values of a kind, each of which is solved once."""
    from zermelo.solution.solution import Solution
    from zermelo.sums.added_values import ValueSum

    solutions: dict[Game, Solution] = {}
    with report.phase("parts"):
        parts = []
        for part in summands:
            if isinstance(part, Solution) and part.kind.algebra == kind.algebra:
                parts.append(part)
                continue
            game = part.game if isinstance(part, Solution) else part
            if game not in solutions:
                solutions[game] = solve(game, value=kind.name, **options)
            parts.append(solutions[game])
    return Solution(
        ValueSum(parts),
        method="sum",
        choice=_CHOICES[kind.algebra] + taken_for_impartial(*views),
        phases=report.phases,
        peak_bytes=max(part.peak_bytes for part in parts),
        threads=threads,
    )


def _flatten(part: object, *, misere: bool) -> list[Game | Solution]:
    """Return the parts of a sum, or [part] for a single game.

    Raises:
        ParameterError: it cannot be added.
    """
    from zermelo.solution.solution import Solution
    from zermelo.sums.rules import SumRules

    if isinstance(part, Game):
        return [part]
    if not isinstance(part, Solution):
        subject = f"the class {part.__name__}" if isinstance(part, type) else repr(part)
        hint = f", such as {part.__name__}(...)" if isinstance(part, type) else ""
        message = f"{subject} is not a game; give zermelo.sum() games{hint}, or solutions of games"
        raise ParameterError(message)
    solved = part._solved  # noqa: SLF001  # one package
    if isinstance(part.rules, SumRules):
        summands = getattr(solved, "parts", None) or [rules.game for rules in part.rules.parts]
        if not misere:
            _check_misere(part.rules.parts)
        return [each for one in summands for each in _flatten(one, misere=misere)]
    if part.kind.adds and not misere:
        return [part]
    if getattr(part.rules, "game", None) is None:
        message = f"{part.rules.description} has no class, which a sum needs; give games to add"
        raise ParameterError(message)
    if not misere:
        _check_misere([part.rules])
    return [part.game]


def _check_misere(parts: Iterable[Any]) -> None:
    """Check that no part was solved under misère play, for a sum of normal play.

    Raises:
        ParameterError: some part was.
    """
    for part in parts:
        if part.misere:
            _check_part(part, misere=False, is_single=False)


def _check_part(rules: Any, *, misere: bool, is_single: bool) -> None:
    """Check that a game can be added to others.

    Raises:
        ParameterError: it cannot.
    """
    if isinstance(rules.kind, Expectations):
        message = (
            f"{rules.description} has chance(), and expectations of a sum do not follow from those "
            "of its parts; add games without chance"
        )
        raise ParameterError(message)
    if rules.kind.gains:
        message = (
            f"{rules.description} is a score game, and margins of a sum do not follow from those "
            "of its parts; add games in which a player who cannot move loses"
        )
        raise ParameterError(message)
    if rules.kind.favours != NOBODY:
        message = (
            f"in {rules.description}, play that never ends is a win for player "
            f"{rules.kind.favours}, and in a sum it is a draw; add games without endless"
        )
        raise ParameterError(message)
    if rules.no_moves != (WIN if misere else LOSS) and not is_single:
        message = (
            f"in {rules.description}, a player who cannot move does not lose, and in a sum of "
            "games one who cannot move in any does; add a game with no_moves = LOSS, or use "
            "misere=True for all of it"
        )
        raise ParameterError(message)


def _impartial(part: Game | Solution, rules: Rules) -> bool:
    """Return whether both players have the same moves, as far as the rules say.

    With ``pass_turn``, passing must change nothing, which is checked on some positions.
    """
    if not isinstance(part, Game):  # a solution for values that add up
        return part.kind.impartial
    if not rules.alternate:
        return False
    if not rules.has_hook("pass_turn"):
        return True
    waiting = list(rules.starts()[:_LOOKED_AT])
    visited = set(waiting)
    for position in waiting:
        if rules.pass_turn(position) != position:
            return False
        for move in rules.moves(position):
            child = rules.play(position, move)
            if child not in visited and len(visited) < _LOOKED_AT:
                visited.add(child)
                waiting.append(child)
    return True
