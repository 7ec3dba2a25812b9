"""The widget of a board, which keeps a match and answers the browser's questions."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from zermelo.errors import ParameterError, ZermeloError
from zermelo.notebook.bundle import bundle_module
from zermelo.play.match import Match, Opponent, Played
from zermelo.web.position_codes import code_of
from zermelo.web.session import ExplorerSession

_HERE = Path(__file__).parent
_EXPLORER = _HERE.parent / "web" / "static"


@cache
def _front_end() -> str:
    text = (_HERE / "widget.js").read_text(encoding="utf-8")
    return bundle_module("widget.js", text, _EXPLORER)


@cache
def _style() -> str:
    ours = (_HERE / "widget.css").read_text(encoding="utf-8")
    board = (_EXPLORER / "board" / "board.css").read_text(encoding="utf-8")
    return f"{ours}\n.zermelo-board {{\n{board}\n}}\n"


class BoardWidget(anywidget.AnyWidget):
    """A board to play and explore on; made by ``zermelo.board``.

    Attributes:
        solution: the solved game.
        moves: the moves of the match in the explorer's notation, shared by the board and Python.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    _start = traitlets.Unicode().tag(sync=True)
    _rolls = traitlets.Int(0).tag(sync=True)
    _answers = traitlets.Int(-1).tag(sync=True)
    _document = traitlets.Dict().tag(sync=True)
    _problem = traitlets.Unicode("").tag(sync=True)
    skill = traitlets.Int(None, allow_none=True).tag(sync=True)
    show_values = traitlets.Bool(default_value=True).tag(sync=True)
    moves = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(
        self,
        solution: Any,
        position: Any = None,
        *,
        skill: int | None = None,
        player: str | int | None = None,
        show_values: bool = True,
    ) -> None:
        """Create the widget; see ``zermelo.board``."""
        room = ExplorerSession(solution.rules.name)
        room.show(solution)
        first_position = solution.start if position is None else position
        solution[first_position]  # raises an error if there is no such position
        players = solution.rules.players
        if skill is not None:
            Opponent(skill)  # raises an error if there is no such skill
        if player not in (None, 0, 1, *players) or isinstance(player, bool):
            message = f"player={player!r} is not a player; give {players[0]!r} or {players[1]!r}"
            raise ParameterError(message)
        plays = (
            players.index(player) if isinstance(player, str) else 1 if player is None else player
        )
        self.solution = solution
        self._room = room
        self._first_position = first_position
        super().__init__(
            _esm=_front_end(),
            _css=_style(),
            _start=code_of(first_position),
            _answers=plays,
            skill=skill,
            show_values=show_values,
        )
        self._show([])
        self.observe(self._update_match, "moves")
        self._reply()
        self.observe(lambda _: self.roll(), "_rolls")

    # -- the state of the board -------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match on the board, with its mistakes."""
        match = Match(self.solution, self._first_position)
        for key in self.moves:
            match.play(key)
        return match

    @property
    def position(self) -> Any:
        """The position on the board."""
        return self.match.position

    def play(self, move: Any) -> Played:
        """Make a move on the board; the opponent, if there is one, answers it.

        Args:
            move: see ``Match.play``.

        Raises:
            MoveError: it is not a move here.
        """
        match = self.match
        played = match.play(move)
        keys = self._keys(match)
        self.moves = keys
        return played

    def roll(self, seed: int | None = None) -> None:
        """Choose a result of chance at random, if chance decides; an opponent then plays its turn.

        Args:
            seed: the seed of the result; by default it differs each time.
        """
        code = self._document["position"]["position"]
        seed = random.randrange(1 << 32) if seed is None else seed  # noqa: S311  # play, not secrets
        result = self._room.roll(code, seed)
        if result is not None:
            self.moves = [*self.moves, result.key]

    def undo(self) -> None:
        """Take the last move back; with an opponent, return to the move before its answer.

        Raises:
            MoveError: there is no move.
        """
        match = self.match
        match.undo()
        while self.skill is not None and match.played and match.player == self._answers:
            match.undo()
        self.moves = self._keys(match)

    def restart(self) -> None:
        """Take all moves back."""
        self.moves = []

    # -- within -----------------------------------------------------------------------------------

    def _keys(self, match: Match) -> list[str]:
        """Return the key of each move of a match.

        Its name, or the move itself if two share a name.
        """
        document = self._room.match(self._start, [], None)
        keys: list[str] = []
        for played in match.played:
            name, position = played.option.name, code_of(played.option.position)
            moves = document.position.moves
            key = next(m.key for m in moves if m.name == name and m.position == position)
            keys.append(key)
            document = self._room.match(self._start, keys, None)
        return keys

    def _update_match(self, change: Any) -> None:
        """Update the match after the board or Python has changed its moves."""
        try:
            self._show(list(change["new"]))
        except ZermeloError as error:
            self.moves = list(change["old"])
            self._problem = str(error)
            return
        self._problem = ""
        self._reply()

    def _show(self, keys: list[str]) -> None:
        self._document = self._room.match(self._start, keys, None).model_dump(mode="json")

    def _reply(self) -> None:
        """Play and roll for the opponent, as long as it is its turn."""
        document = self._document
        if self.skill is None or document["over"] or document["player"] != self._answers:
            return
        if document["position"]["chance"]:
            self.roll()
            return
        seed = len(self.moves)
        code = document["position"]["position"]
        move = self._room.answer(code, self.skill, seed)
        if move is not None:
            self.moves = [*self.moves, move.key]
