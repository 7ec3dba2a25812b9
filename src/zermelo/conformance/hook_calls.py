"""Calls of an author's hooks with validated answers; an invalid answer raises a ``ContractError``.

``Rules`` accepts some answers that are harmless in a solve. Here an answer must be exactly what the
contract says, so that it means the same when compiled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from operator import index
from pathlib import Path
from typing import Any

from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import Shape, call_text
from zermelo.conformance.timeouts import OverdueError, TimedCalls
from zermelo.errors import RulesError
from zermelo.game.chance import Face
from zermelo.game.contract import HOOKS
from zermelo.rules.faults import as_two_play
from zermelo.rules.hooks import MOST_MOVES, SMALLER_POINTS, Rules
from zermelo.values.outcomes import NOBODY, Outcome
from zermelo.values.scores import LARGEST_SCORE

#: The kind of problem if a hook's answer is not a list.
_LISTS = {
    "starts": ProblemKind.START,
    "moves": ProblemKind.MOVES,
    "chance": ProblemKind.CHANCE,
}
#: The arguments for which a hook may not raise an error, by the name of its first argument.
_ACCEPTED_BY_ARGUMENT = {"position": "every position that can be reached", "move": "every move"}


@dataclass(slots=True)
class VisitedPosition:
    """A position with all answers of the rules.

    Attributes:
        position: the position.
        owner: the player to move, 0 or 1; always 0 without ``turn``.
        ending: the outcome that the rules give it, or None; a lack of moves does not count here.
        moves: the moves in the position, empty if the rules give it an outcome; where chance
            decides, its results, each a ``Face``.
        children: the child of each move.
        gains: the points of each move, zeros without ``gain``; or the weight of each result.
        score: the final score of a terminal position in a score game, else 0.
        endless: in a score game, the value of endless play for the player to move.
    """

    position: Any
    owner: int
    ending: Outcome | None
    moves: list[Any]
    children: list[Any]
    gains: list[int]
    score: int
    endless: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the position is terminal."""
        return self.ending is not None or not self.moves

    @property
    def by_chance(self) -> bool:
        """Whether chance decides."""
        return bool(self.moves) and isinstance(self.moves[0], Face)


def call_hook(timer: TimedCalls, game: Any, hook: str, *arguments: Any) -> Any:
    """Return the answer of a hook.

    Raises:
        ContractError: it raised an error, or did not return.
    """
    return _call_watched(timer, game, hook, arguments, getattr(game, hook), *arguments)


def list_hook_items(
    timer: TimedCalls, game: Any, hook: str, item: str, *arguments: Any
) -> list[Any]:
    """Return a list of the items that a hook yields or returns.

    Raises:
        ContractError: its answer is not iterable, or does not end.
    """
    position = arguments[0] if arguments else None
    answer = call_hook(timer, game, hook, *arguments)
    if not isinstance(answer, Iterable) or isinstance(answer, str | bytes | dict):
        message = (
            f"{call_text(hook, *arguments)} returned {answer!r}; yield each {item}, or return a "
            "list of them"
        )
        raise ContractError(_LISTS.get(hook, ProblemKind.CONTRACT), message, position)

    def items() -> list[Any]:
        return list(islice(answer, MOST_MOVES + 1))

    found_items: list[Any] = _call_watched(timer, game, hook, arguments, items)
    if len(found_items) > MOST_MOVES:
        message = (
            f"{call_text(hook, *arguments)} yields more than {MOST_MOVES:,} {item}s; check that "
            "its loops end"
        )
        raise ContractError(ProblemKind.ENDLESS, message, position)
    return found_items


def describe_error(error: Exception, game: Any, hook: str) -> str:
    """Return an error's type and message, and the line of the author's code that raised it."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    kind = game if isinstance(game, type) else type(game)
    code = getattr(getattr(kind, hook, None), "__code__", None)
    line = None
    traceback = error.__traceback__
    while traceback is not None:
        if code is not None and traceback.tb_frame.f_code.co_filename == code.co_filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    if line is None or code is None:
        return text
    return f"{text} (line {line} of {Path(code.co_filename).name})"


def _call_watched(
    timer: TimedCalls,
    game: Any,
    hook: str,
    originals: tuple[object, ...],
    function: Any,
    *arguments: Any,
) -> Any:
    argument = HOOKS[hook][0] if HOOKS[hook] else ""
    position = originals[0] if argument == "position" else None
    try:
        return timer.call(function, *arguments)
    except OverdueError as overdue:
        message = (
            f"{call_text(hook, *originals)} has not returned after {overdue.seconds:g} seconds; "
            "check that its loops end"
        )
        raise ContractError(ProblemKind.ENDLESS, message, position) from None
    except Exception as error:  # noqa: BLE001  # a rule may raise anything
        remedy = (
            f"let {hook}() accept {_ACCEPTED_BY_ARGUMENT[argument]}"
            if argument in _ACCEPTED_BY_ARGUMENT
            else "correct it"
        )
        message = (
            f"{call_text(hook, *originals)} raised {describe_error(error, game, hook)}; {remedy}"
        )
        raise ContractError(ProblemKind.RAISES, message, position, subject=hook) from None


class CheckedHooks:
    """The hooks of one game, called one at a time with validated answers.

    Attributes:
        rules: Zermelo's view of the hooks.
        game: the game of the hooks.
        shape: the shape of its positions.
        timer: interrupts hooks that do not return.
    """

    def __init__(self, rules: Rules, shape: Shape, timer: TimedCalls, game: Any = None) -> None:
        """Store the game, by default the one of the rules."""
        self.rules = rules
        self.game = rules.game if game is None else game
        self.shape = shape
        self.timer = timer

    def call(self, hook: str, *arguments: Any) -> Any:
        """Return the answer of a hook; see the function ``call_hook``."""
        return call_hook(self.timer, self.game, hook, *arguments)

    def visit(self, position: Any) -> VisitedPosition:
        """Return all answers of the rules for a position.

        Raises:
            ContractError: the first breach of the contract.
        """
        owner = self.player_to_move(position)
        ending = self.outcome(position, owner)
        faces = self.faces(position) if ending is None else []
        moves: list[Any]
        if faces:
            total = sum(weight for weight, _ in faces)
            moves = [Face(n, weight, total) for n, (weight, _) in enumerate(faces)]
            gains = [weight for weight, _ in faces]
            children = [
                self.shape.read(after, ("chance", position), position) for _, after in faces
            ]
        else:
            moves = self.moves(position) if ending is None else []
            children = [self.child(position, move) for move in moves]
            gains = [self.gain(position, move) for move in moves]
        is_over = ending is not None or not moves
        score = self.score(position) if is_over else 0
        endless = self.endless_value(position, owner)
        return VisitedPosition(position, owner, ending, moves, children, gains, score, endless)

    def player_to_move(self, position: Any) -> int:
        """Return the player to move, 0 or 1."""
        if not self.rules.has_hook("turn"):
            return 0
        owner = self.call("turn", position)
        if as_integer(owner) not in (0, 1):
            message = f"{call_text('turn', position)} returned {owner!r}; return 0 or 1"
            message += as_two_play(owner)
            raise ContractError(ProblemKind.TURN, message, position)
        return index(owner)

    def outcome(self, position: Any, owner: int) -> Outcome | None:
        """Return the outcome that the rules give a position, or None while the game goes on."""
        if self.rules.has_hook("outcome"):
            outcome = self.call("outcome", position)
            if outcome is None:
                return None
            if isinstance(outcome, bool) or as_integer(outcome) not in (-1, 0, 1):
                message = (
                    f"{call_text('outcome', position)} returned {outcome!r}; return WIN, DRAW or "
                    "LOSS for the player to move, or None while the game goes on"
                )
                raise ContractError(ProblemKind.OUTCOME, message, position)
            return Outcome(index(outcome))
        if self.rules.has_hook("winner"):
            winner = self.call("winner", position)
            if winner is None:
                return None
            if isinstance(winner, bool) or as_integer(winner) not in (0, 1, NOBODY):
                message = (
                    f"{call_text('winner', position)} returned {winner!r}; return 0, 1 or NOBODY, "
                    f"or None while the game goes on{as_two_play(winner)}"
                )
                raise ContractError(ProblemKind.WINNER, message, position)
            if winner == NOBODY:
                return Outcome.DRAW
            return Outcome.WIN if winner == owner else Outcome.LOSS
        return None

    def faces(self, position: Any) -> list[tuple[int, Any]]:
        """Return the results of chance at a position; see ``Rules.faces``."""
        if not self.rules.has_chance:
            return []
        items = self.items("chance", "result", position)
        try:
            faces = self.rules.faces(position)
        except RulesError as error:
            message = str(error).removeprefix(f"{self.rules.name}.")
            raise ContractError(ProblemKind.CHANCE, message, position) from None
        if len(items) != len(faces):
            message = f"{call_text('chance', position)} gives other results each time"
            raise ContractError(ProblemKind.CHANGES, message, position)
        try:
            has_moves = bool(faces) and bool(self.items("moves", "move", position))
        except ContractError:
            has_moves = False  # which nobody asks for where chance decides
        if has_moves:
            message = (
                f"{position!r} has results of chance, and moves() yields moves there, which nobody "
                "would make; yield from one of them"
            )
            raise ContractError(ProblemKind.CHANCE, message, position)
        return faces

    def moves(self, position: Any) -> list[Any]:
        """Return the items that ``moves`` yields, also in a terminal position."""
        moves = self.items("moves", "move", position)
        for move in moves:
            if not _is_move(move):
                message = (
                    f"{call_text('moves', position)} yields {move!r}, a {type(move).__name__}; "
                    "make each move a whole number, or a tuple of them"
                )
                raise ContractError(ProblemKind.MOVES, message, position)
        return moves

    def items(self, hook: str, item: str, *arguments: Any) -> list[Any]:
        """Return a list of the items that a hook yields or returns."""
        return list_hook_items(self.timer, self.game, hook, item, *arguments)

    def child(self, position: Any, move: Any) -> Any:
        """Return the position after a move."""
        try:
            position_after = self.call("play", position, move)
        except ContractError as fault:
            if fault.problem.kind != ProblemKind.RAISES:
                raise
            message = (
                f"{call_text('moves', position)} yields {move!r}, which play() cannot take: "
                f"{fault.statement}; yield only what play() can take"
            )
            raise ContractError(ProblemKind.PLAY, message, position) from None
        if position_after is None:
            message = (
                f"{call_text('play', position, move)} returned None; return the position after the "
                "move"
            )
            raise ContractError(ProblemKind.POSITION, message, position)
        return self.shape.read(position_after, ("play", position, move), position)

    def gain(self, position: Any, move: Any) -> int:
        """Return the points of a move, 0 without the hook."""
        if not self.rules.has_hook("gain"):
            return 0
        return self._points(position, "gain", position, move)

    def score(self, position: Any) -> int:
        """Return the final score of a position, 0 without the hook."""
        if not self.rules.has_hook("score"):
            return 0
        return self._points(position, "score", position)

    def endless_value(self, position: Any, owner: int) -> int:
        """Return the value of endless play in a position, 0 if the game does not give one."""
        if self.rules.has_hook("endless"):
            return self._points(position, "endless", position)
        worth = self.rules.worth_of_endless
        return -worth if owner else worth

    def _points(self, position: Any, hook: str, *arguments: object) -> int:
        points = self.call(hook, *arguments)
        number = as_integer(points)
        if number is None or abs(number) > LARGEST_SCORE:
            remedy = "return a whole number of points" if number is None else SMALLER_POINTS
            message = f"{call_text(hook, *arguments)} returned {points!r}; {remedy}"
            raise ContractError(ProblemKind.POINTS, message, position)
        return number


def as_integer(value: Any) -> int | None:
    """Return a value as an integer, or None if it is not one."""
    try:
        return index(value)
    except TypeError:
        return None


def _is_move(move: Any) -> bool:
    if isinstance(move, tuple):
        return all(_is_move(part) for part in move)
    return as_integer(move) is not None
