"""A chess ending as an engine: the commands of the Universal Chess Interface that boards need.

The protocol is Stefan Meyer-Kahlen's of 2006, as engines and boards of today speak it. This engine
reads lines and returns lines; the caller transfers them. As it looks positions up and does not
search, limits of time, depth and nodes have no effect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError, PositionError, ZermeloError
from zermelo.games import ChessEnding, RacingKings
from zermelo.values.outcomes import LOSS, WIN

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Option

__all__ = ["UciEngine"]

#: The most moves of a line that is shown, and the most lines that a board may request.
_LONGEST_LINE, _MOST_LINES = 100, 256


class UciEngine:
    """An engine that plays an ending by its solution: the quickest win, or the slowest loss.

    Attributes:
        running: whether the engine has not received ``quit``.
    """

    def __init__(self, name: str, game: object, solve: Callable[[], Solution]) -> None:
        """Set up an engine.

        Args:
            name: the name of the ending for the board.
            game: the ending.
            solve: returns its solution; it is called once, when an answer needs it.

        Raises:
            ParameterError: the game is not an ending of chess or of racing kings.
        """
        if not isinstance(game, ChessEnding):
            message = (
                f"{name} is not a chess ending; give a game such as chess-ending --men KQK, or "
                "its table"
            )
            raise ParameterError(message)
        self.running = True
        self._name, self._game, self._solve = name, game, solve
        self._solution: Solution | None = None
        self._position: Any = game.start()
        self._fault = ""  # why there is no position
        self._lines = 1
        self._delayed_lines: list[str] = []  # until a search without end is stopped

    def answer(self, line: str) -> list[str]:
        """Return the engine's answer to a line; nothing to an unknown command."""
        command, *words = line.split() or [""]
        match command:
            case "uci":
                return self._introduction()
            case "isready":
                self._solved()
                return ["readyok"]
            case "setoption":
                return self._set(words)
            case "position":
                self._place(words)
                return [f"info string {self._fault}"] if self._fault else []
            case "go":
                return self._go(words)
            case "stop" | "ponderhit":
                lines, self._delayed_lines = self._delayed_lines, []
                return lines
            case "quit":
                self.running = False
        return []

    def _solved(self) -> Solution:
        if self._solution is None:
            self._solution = self._solve()
        return self._solution

    def _introduction(self) -> list[str]:
        """Return the engine's name and options."""
        options = [f"option name MultiPV type spin default 1 min 1 max {_MOST_LINES}"]
        if isinstance(self._game, RacingKings):
            variant = "type combo default racingkings var racingkings"
            options.append(f"option name UCI_Variant {variant}")
        names = [f"id name Zermelo, {self._name}", "id author the authors of Zermelo"]
        return [*names, *options, "uciok"]

    def _set(self, words: list[str]) -> list[str]:
        """Set an option; the variant can only be the current one."""
        match [word.lower() for word in words]:
            case ["name", "multipv", "value", number] if number.isdigit():
                self._lines = min(max(int(number), 1), _MOST_LINES)
                return []
            case ["name", "uci_variant", "value", "racingkings"]:
                return []
        return [f"info string there is no option {' '.join(words)!r}; MultiPV is one"]

    def _place(self, words: list[str]) -> None:
        """Set up a position, and play moves from there."""
        start_words, moves = words, list[str]()
        if "moves" in words:
            moves_index = words.index("moves")
            start_words, moves = words[:moves_index], words[moves_index + 1 :]
        self._fault = ""
        try:
            if start_words[:1] != ["fen"]:
                message = f"{' '.join(words)!r} is not a position of an ending; give position fen"
                raise PositionError(message)
            position = self._game.parse(" ".join(start_words[1:]))
            for name in moves:
                position = self._game.play(position, self._move(position, name))
        except ZermeloError as error:
            self._fault = str(error)
        else:
            self._position = position

    def _move(self, position: Any, name: str) -> tuple[int, int, int]:
        for move in self._game.moves(position):
            if self._game.name(move) == name:
                return move
        message = f"{name!r} is not a legal move in {self._game.show(position)!r}"
        raise PositionError(message)

    def _go(self, words: list[str]) -> list[str]:
        """Return the best moves, each with its line, and the move to play."""
        self._delayed_lines = []
        if self._fault:
            return [f"info string {self._fault}", "bestmove 0000"]
        try:
            options = list(self._solved().options(self._position))
        except PositionError as error:
            return [f"info string {error}", "bestmove 0000"]
        if "searchmoves" in words:
            wanted_names = words[words.index("searchmoves") + 1 :]
            options = [option for option in options if option.name in wanted_names] or options
        if not options:
            value = self._solved()[self._position]
            answers = [f"info depth 0 score {self._score(value)}", "bestmove (none)"]
        else:
            listed_options = enumerate(options[: self._lines], 1)
            answers = [
                *(self._option_text(n, option) for n, option in listed_options),
                self._move_text(options[0]),
            ]
        if "infinite" in words or "ponder" in words:
            self._delayed_lines = answers[-1:]
            return answers[:-1]
        return answers

    def _option_text(self, number: int, option: Option) -> str:
        names = [option.name, *self._solved().line(option.position, longest=_LONGEST_LINE).names]
        depth = option.value.remoteness or len(names)
        score = self._score(option.value)
        return f"info depth {depth} multipv {number} score {score} nodes 1 pv {' '.join(names)}"

    def _move_text(self, option: Option) -> str:
        names = self._solved().line(option.position, longest=1).names
        return " ".join(["bestmove", option.name, *(["ponder", *names] if names else [])])

    @staticmethod
    def _score(value: Value) -> str:
        """Return a value as boards show it: mate in a number of the winner's moves, or a draw."""
        plies = value.remoteness or 0
        if value.outcome is WIN:
            return f"mate {(plies + 1) // 2}"
        return f"mate {-(plies // 2)}" if value.outcome is LOSS else "cp 0"
