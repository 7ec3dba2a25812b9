"""Checks of all positions of a walk together: turns, ends, cycles, levels."""

from __future__ import annotations

from dis import get_instructions
from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition, as_integer
from zermelo.conformance.report import ContractError, Findings, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import Walk
from zermelo.game.contract import Game
from zermelo.game.placement import PlacementGame, own_rule_clause
from zermelo.game.placement_check import fault_of_turns
from zermelo.values.outcomes import Outcome

#: Names of fields that contain the player to move, and names that may.
_TURN_FIELDS = {
    "current_player",
    "mover",
    "next_player",
    "player_to_move",
    "side_to_move",
    "to_move",
    "turn",
    "whose_turn",
}
_POSSIBLE_TURN_FIELDS = {"active", "current", "player", "side", "who"}
#: In fewer positions with moves, one player may have no turn by chance.
_LEAST_MOVERS = 3


def check_start(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Check that the start is not terminal."""
    visits = [walk.visits.get(start) for start in walk.starts]
    first = visits[0]
    if any(visit is None or visit.ending is None for visit in visits):
        return
    assert first is not None  # noqa: S101  # as of the line above
    assert first.ending is not None  # noqa: S101  # likewise
    try:
        moves = hooks.moves(first.position)
    except ContractError:
        return
    hook = "outcome" if hooks.rules.has_hook("outcome") else "winner"
    if moves:
        message = (
            f"{call_text(hook, first.position)} gives {first.ending.name} at the start, so the "
            f"game is over before it begins, though moves() yields {len(moves)} there; return None "
            "while the game goes on"
        )
        findings.error(ProblemKind.OVER, message, first.position)


def check_moves(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Check that moves are distinct, and are not positions."""
    kind = hooks.rules.layout.kind
    for visit in walk.visits.values():
        if len(set(visit.moves)) < len(visit.moves) and not findings.has(ProblemKind.REPEATED):
            repeated_move = next(move for move in visit.moves if visit.moves.count(move) > 1)
            message = (
                f"{call_text('moves', visit.position)} yields {repeated_move!r} more than once, "
                "which costs time and changes nothing; yield each move once"
            )
            findings.hint(ProblemKind.REPEATED, message, visit.position)
        if kind is not None and any(type(move) is kind for move in visit.moves):
            message = (
                f"{call_text('moves', visit.position)} yields positions; yield what the player "
                "chooses, so that moves can be named, and let play() make the position of it"
            )
            findings.hint(ProblemKind.POSITIONS, message, visit.position)


def check_turns(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Check that the turn passes from one player to the other."""
    if hooks.rules.alternate:
        for name, length in hooks.rules.layout.fields:
            if length is None and name in _TURN_FIELDS | _POSSIBLE_TURN_FIELDS:
                _check_turn_field(name, walk, findings)
        return
    movers = [visit for visit in walk.visits.values() if not visit.is_over]
    if len(movers) < _LEAST_MOVERS or len({visit.owner for visit in walk.visits.values()}) > 1:
        return
    first = movers[0]
    if not _reads_argument(getattr(hooks.game, "turn", None)):
        return  # intended: all moves belong to one player
    message = (
        f"turn() is {first.owner} at all {len(walk.visits):,} positions, so that one player never "
        f"moves: {call_text('play', first.position, first.moves[0])} gives {first.children[0]!r}; "
        f"let play() hand the turn over, or let turn() return {first.owner} alone if you mean that"
    )
    findings.hint(ProblemKind.ALTERNATION, message, first.position)


def check_sides(hooks: CheckedHooks, walk: Walk) -> None:
    """Check that ``PlacementGame.player_to_move`` follows the turn if lines depend on it.

    Raises:
        ContractError: it does not.
    """
    game = hooks.game
    if not isinstance(game, PlacementGame) or own_rule_clause(game) is None:
        return
    for visit in walk.visits.values():
        owner = None if hooks.rules.alternate else visit.owner
        message = fault_of_turns(game, visit.position, visit.children, owner)
        if message is not None:
            raise ContractError(ProblemKind.TURN, message, visit.position)


def _reads_argument(hook: object) -> bool:
    """Return whether a hook reads the position that it is given."""
    code = getattr(hook, "__code__", None)
    if code is None or not code.co_argcount:
        return True
    argument = code.co_varnames[code.co_argcount - 1]
    return any(step.argval == argument for step in get_instructions(code))


def _check_turn_field(name: str, walk: Walk, findings: Findings) -> None:
    values = {getattr(visit.position, name) for visit in walk.visits.values()}
    if len(values) > 2:  # noqa: PLR2004  # a field with more values than players counts something
        return
    for visit, move, child in walk.moves():
        child_visit = walk.visits.get(child)
        if (
            child_visit is None
            or visit.by_chance
            or child_visit.is_over
            or getattr(child, name) != getattr(visit.position, name)
        ):
            continue
        message = (
            f"{call_text('play', visit.position, move)} leaves {name} at {getattr(child, name)}, "
            f"but without turn() the players alternate strictly; write turn(), which says whose "
            f"turn it is, or let play() change {name}"
        )
        report = findings.error if name in _TURN_FIELDS else findings.hint
        report(ProblemKind.ALTERNATION, message, visit.position)
        return


def check_ends(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Check that the ends of games are what the author probably intends."""
    ends = [visit for visit in walk.visits.values() if visit.is_over]
    if hooks.rules.is_scored:
        if not hooks.rules.has_hook("gain"):  # with gain, a final score alone says little
            _check_scored_ends(ends, findings)
        return
    if walk.complete and not ends:
        first = next(iter(walk.visits.values()))
        message = (
            f"none of the positions that {first.position!r} leads to is an end, so every game goes "
            "on for ever; give some an outcome, or no moves"
        )
        findings.hint(ProblemKind.NO_END, message, first.position)
    hook = next((hook for hook in ("outcome", "winner") if hooks.rules.has_hook(hook)), None)
    is_declared = any(
        "no_moves" in vars(kind) for kind in type(hooks.game).__mro__ if kind is not Game
    )
    dead_end = next((visit for visit in ends if visit.ending is None), None)
    if hooks.rules.misere and dead_end is None:
        message = (
            f"misère play changes nothing at the {len(walk):,} positions checked, as each is "
            "without moves only where the rules say who wins; let those who cannot move have no "
            "outcome() or winner(), or check without misere"
        )
        findings.hint(ProblemKind.MISERE, message)
    elif hook is not None and dead_end is not None and not is_declared and not hooks.rules.misere:
        message = (
            f"{dead_end.position!r} has no moves and {hook}() returns None for it, so it is a loss "
            f"for the player to move; let {hook}() decide it, or write no_moves = LOSS in the "
            "class if you mean that"
        )
        findings.hint(ProblemKind.DEAD_END, message, dead_end.position)
    is_authors = hook == "outcome" and not _is_ours(type(hooks.game), hook)
    # An author who declares that a player without a move wins intends the last move to lose.
    is_intended = is_declared and hooks.game.no_moves is Outcome.WIN
    if is_authors and not is_intended and not findings.has(ProblemKind.OVER):
        _check_winners(hooks, walk, ends, findings)


def _is_ours(kind: type, hook: str) -> bool:
    """Return whether a hook is of Zermelo's own classes, which declare misère play differently."""
    module = getattr(getattr(kind, hook), "__module__", "")
    return module.startswith(f"{Game.__module__.rpartition('.')[0]}.")


#: The fewest ends that are conclusive if a walk did not reach all positions.
_CONCLUSIVE_ENDS = 12


def _check_winners(
    hooks: CheckedHooks, walk: Walk, ends: list[VisitedPosition], findings: Findings
) -> None:
    """Check whether each end that is no draw is a win for the player who did not move last."""
    decided_ends = {
        visit.position: visit for visit in ends if visit.ending not in (None, Outcome.DRAW)
    }
    if not decided_ends or any(visit.ending is not Outcome.WIN for visit in decided_ends.values()):
        return
    if not walk.complete and len(decided_ends) < _CONCLUSIVE_ENDS:
        return
    alternate = hooks.rules.alternate
    for visit, _, child in walk.moves():
        if child in decided_ends and not alternate and visit.owner == decided_ends[child].owner:
            return
    first = next(iter(decided_ends.values()))
    has_draws = any(visit.ending is Outcome.DRAW for visit in ends)
    but_draws = ", draws aside," if has_draws else ""
    message = (
        f"{call_text('outcome', first.position)} is WIN, as at every end{but_draws} that was "
        "found, so the last player to move loses; if the last move is meant to win, return LOSS: "
        "the outcome is that of the player to move; if you mean it to lose, write no_moves = WIN "
        "in the class"
    )
    findings.hint(ProblemKind.ALWAYS_WIN, message, first.position)


def _check_scored_ends(ends: list[VisitedPosition], findings: Findings) -> None:
    for visit in ends:
        sign = (visit.score > 0) - (visit.score < 0)
        if visit.ending is not None and int(visit.ending) != sign:
            message = (
                f"{visit.position!r} is a {visit.ending} by its outcome, but in a score game only "
                f"the score counts, and that is {visit.score} there; return the margin from "
                "score(), or drop gain() and score()"
            )
            findings.hint(ProblemKind.UNSCORED, message, visit.position)
            return


def check_cycles(hooks: CheckedHooks, walk: Walk, findings: Findings) -> None:
    """Check that endless play compensates all points that are made in a cycle of a score game."""
    rules = hooks.rules
    if rules.has_chance:
        return  # no cycle is allowed with points, which a solve sees
    if not rules.kind.gains or not {"gain", "endless"} & rules.hooks:
        return
    component_of = _cycles(walk)
    for visit in walk.visits.values():
        for move, child, gain in zip(visit.moves, visit.children, visit.gains, strict=True):
            if component_of.get(child) is not component_of[visit.position]:
                continue
            child_visit = walk.visits[child]
            same_mover = not rules.alternate and visit.owner == child_visit.owner
            if visit.endless != gain + (
                child_visit.endless if same_mover else -child_visit.endless
            ):
                message = rules.cycle_points_fault(visit.position, move)
                findings.error(ProblemKind.CYCLE, message, visit.position)
                return


def _cycles(walk: Walk) -> dict[Any, object]:
    """Return for each position an object that it shares with those in its strong component.

    S. R. Kosaraju's algorithm: reversed moves, from positions in decreasing order of finishing
    time.
    """
    parents: dict[Any, list[Any]] = {position: [] for position in walk.visits}
    for visit in walk.visits.values():
        for child in visit.children:
            if child in parents:
                parents[child].append(visit.position)
    component_of: dict[Any, object] = {}
    for root in reversed(_finished(walk)):
        component = object()
        stack = [root]
        while stack:
            position = stack.pop()
            if position not in component_of and position in parents:
                component_of[position] = component
                stack += parents[position]
    return component_of


def _finished(walk: Walk) -> list[Any]:
    """Return positions in the order in which a depth-first search finishes them."""
    finished: list[Any] = []
    visited: set[Any] = set()
    for root in walk.visits:
        stack = [(root, iter([root]))]
        while stack:
            position, children = stack[-1]
            child = next((candidate for candidate in children if candidate not in visited), None)
            if child is None:
                stack.pop()
                if stack:
                    finished.append(position)
            else:
                visited.add(child)
                stack.append((child, iter(_children(walk, child))))
    return finished


def _children(walk: Walk, position: Any) -> list[Any]:
    visit = walk.visits.get(position)
    return visit.children if visit else []


def check_levels(hooks: CheckedHooks, walk: Walk) -> None:
    """Check that ``level`` is a whole number that no move lowers.

    Raises:
        ContractError: it is not.
    """
    if not hooks.rules.has_hook("level"):
        return
    levels: dict[Any, int] = {}
    for visit, move, child in walk.moves():
        for position in (visit.position, child):
            if position in levels:
                continue
            level = hooks.call("level", position)
            number = as_integer(level)
            if number is None:
                message = (
                    f"{call_text('level', position)} returned {level!r}; return a whole number"
                )
                raise ContractError(ProblemKind.LEVEL, message, position)
            levels[position] = number
        if levels[child] < levels[visit.position]:
            message = (
                f"{call_text('play', visit.position, move)} gives {child!r}, which lowers level() "
                f"from {levels[visit.position]} to {levels[child]}; return a number that no move "
                "lowers, or drop level()"
            )
            raise ContractError(ProblemKind.LEVEL, message, visit.position)
