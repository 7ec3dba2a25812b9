"""A match: a game played move by move, with the values of its solution.

A match records the value of each move, so that it can list the mistakes and their costs; and there
is an opponent that never errs, or errs as often as you like.
"""

from __future__ import annotations

import difflib
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.atomic_write import write_text
from zermelo.errors import MoveError, ParameterError
from zermelo.forms.quantities import count_phrase
from zermelo.game.parameters import as_json, position_of
from zermelo.values.outcomes import ExpectedValue, Value
from zermelo.values.rolls import roll

if TYPE_CHECKING:
    import os

    from zermelo.rules.view import Answering
    from zermelo.values.results import Option
    from zermelo.values.words import Words

#: The version of the documents of ``to_json``.
RECORD_VERSION = 1
#: The most names that a message lists; the rest are only counted.
_MOST_NAMES = 12
#: The most characters of a game or its parameters that a message shows.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Played:
    """One move of a match, with its value.

    Attributes:
        ply: its number in the match, from 1.
        player: the number of the player who made it, 0 or 1; of a result of chance, the number of
            the player whose turn it was.
        option: the move, with its name, the position after it and its value for the mover.
        position: the position in which it was made.
        value: the value of that position for the mover, which is the value of a best move.
        best_names: the names of the best moves; () of a result of chance, which is no mistake.
        lost: what the move lost, ``"outcome"``, ``"points"`` or ``"plies"``, or None. Plies are
            lost by a slower win or tie and by a quicker loss.
        mistake: the effect of the move, such as ``turned a win in 5 into a draw`` or ``lost 2 plies
            sooner than necessary``; "" for a best move.
    """

    ply: int
    player: int
    option: Option
    position: Any
    value: Value
    best_names: tuple[str, ...]
    lost: str | None
    mistake: str


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer opponent that knows the solution and errs as often as you like.

    With probability ``skill / 100`` it chooses uniformly among the best moves, which hurry a win
    and delay a loss; in a game with chance it takes the first of them, as the others are only
    known to be as good within their bounds. Otherwise it chooses uniformly among all moves, good
    ones included.

    Attributes:
        skill: from 0, which plays at random, to 100, which never errs.
        seed: the seed of the choices, which also depend on the number of moves made.
    """

    skill: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the skill.

        Raises:
            ParameterError: it is not an integer from 0 to 100.
        """
        if isinstance(self.skill, bool) or self.skill not in range(101):
            message = f"skill={self.skill!r} is not a whole number from 0 to 100; 100 never errs"
            raise ParameterError(message)

    def choose(self, match: Match) -> Option:
        """Return a move in a match, which must not be over.

        Raises:
            MoveError: chance decides, and no player.
        """
        if match.is_chance:
            message = "chance decides here, and no player; call match.roll()"
            raise MoveError(message)
        chance = self.chance(len(match.played))
        if self.errs(chance):
            return chance.choice(match.options)
        if isinstance(match.options[0].value, ExpectedValue):
            return match.options[0]
        return chance.choice(match.solution.kind.best(match.options))

    def chance(self, key: object) -> random.Random:
        """Return the random generator for a move; the same each time for the same key."""
        return random.Random(f"{self.seed}/{key}")  # noqa: S311  # play, not secrets

    def errs(self, chance: random.Random) -> bool:
        """Return whether the next move is random, which is drawn by lot."""
        return chance.random() * 100 >= self.skill


class Match:
    """A game in progress, with moves, undone moves and mistakes.

    Where chance decides (``is_chance``), ``roll`` draws a result, and ``play`` takes one that has
    been rolled elsewhere. Results are in ``played`` like moves.

    Attributes:
        solution: the solved game.
        start: the position the match began in.
        played: the moves so far.
        position: the current position.
        options: the legal moves, best first, or the results of chance; empty when it is over.
    """

    def __init__(self, solution: Answering, start: Any = None) -> None:
        """Create a match.

        Args:
            solution: the solved game.
            start: the first position; by default the game's start. The player to move there is the
                first one, unless the game itself has ``turn``.

        Raises:
            PositionError: the solution does not contain the start.
        """
        self.solution = solution
        self._rules = solution.rules
        self.start = solution.start if start is None else start
        self.played: list[Played] = []
        self.position = self.start
        self.options = solution.options(self.start)

    # -- state ----------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether there is no legal move."""
        return not self.options

    @property
    def is_chance(self) -> bool:
        """Whether chance decides here, and no player."""
        return self.options.by_chance

    @property
    def player(self) -> int:
        """The number of the player to move, 0 or 1; where chance decides, the one who rolls."""
        if self._rules.alternate:
            return sum(played.option.odds is None for played in self.played) % 2
        return self._rules.owner(self.position)

    @property
    def value(self) -> Value:
        """The value of the position for the player to move."""
        return self.solution[self.position]

    @property
    def margin(self) -> int:
        """In a score game, the points of player 0 minus those of player 1 so far."""
        final = self._rules.final_score(self.position) if self.is_over else 0
        return self._points_made + (final if self.player == 0 else -final)

    @property
    def winner(self) -> str | None:
        """The name of the player who has won, or None for a draw or while it goes on."""
        return self._favoured if self.is_over else None

    @property
    def players(self) -> tuple[str, str]:
        """The names of the players, player 0 first."""
        return self._rules.players

    @property
    def prospects(self) -> str:
        """The result of perfect play from here, in words that name the players."""
        per_move, value, words = self._rules.plies_per_move, self.value, self.solution.kind.words
        if self.is_over and isinstance(value, ExpectedValue):  # what was expected has come
            value, words = _final_value(value)
        return words.ending(value, self._favoured, self.points, per_move)

    @property
    def favours(self) -> int | None:
        """The number of the player who wins under perfect play, or None.

        In a game with chance it is the player who is ahead: who wins with a probability above one
        half, or expects a margin above 0.
        """
        margin = self.solution.kind.words.final_margin(self.value, self.points)
        return None if margin == 0 else self.player if margin > 0 else 1 - self.player

    @property
    def _favoured(self) -> str | None:
        return None if self.favours is None else self.players[self.favours]

    @property
    def points(self) -> int:
        """The margin of the player to move so far."""
        return self._points_made if self.player == 0 else -self._points_made

    @property
    def _points_made(self) -> int:
        """The points made by moves, those of player 0 minus those of player 1."""
        gains = ((self._rules.gain(e.position, e.option.move), e.player) for e in self.played)
        return sum(-gain if player else gain for gain, player in gains)

    @property
    def text(self) -> str:
        """The position as text."""
        return self._rules.position_text(self.position)

    # -- moving ---------------------------------------------------------------------------------

    def find(self, text: str) -> Option:
        """Return the move that a text stands for.

        Args:
            text: its name, or the move itself in JSON or Python; the beginning of a name is enough
                if it is unique. A result of chance has a number, counted from 1.

        Raises:
            MoveError: no move has this name, or several do; the message lists the legal moves.
        """
        query = " ".join(text.split()).casefold()
        for spellings in (
            lambda option: (option.name,),
            lambda option: (*_numbers(option), str(option.move), json.dumps(as_json(option.move))),
        ):
            exact = [o for o in self.options if query in (_fold_text(w) for w in spellings(o))]
            if len(exact) == 1:
                return exact[0]
        candidates = [o for o in self.options if query and _fold_text(o.name).startswith(query)]
        if len(candidates) == 1:
            return candidates[0]
        if self.is_over:
            message = f"{text!r} cannot be played: the game is over; take a move back"
        elif candidates:
            message = f"{text!r} could be {self._move_list(candidates)}; type more of it"
        else:
            message = f"{self._refusal(text)} {self._move_list(self.options)}"
            message += self._suggestion(query)
        raise MoveError(message)

    def play(self, move: Any) -> Played:
        """Make a move.

        Args:
            move: one of ``options``, the text of one (see ``find``), or a move of the game.

        Raises:
            MoveError: it is not a legal move; nothing has changed.
        """
        matches = (each for each in self.options if move in (each, each.move))
        option = self.find(move) if isinstance(move, str) else next(matches, None)
        if option is None:
            name = getattr(move, "name", move)
            message = f"{self._refusal(name)} {self._move_list(self.options)}"
            if self.is_over:
                message = f"{name!r} cannot be played: the game is over; take a move back"
            raise MoveError(message)
        if self.is_chance:
            return self._record(Played(*self._turn(option), self.value, (), None, ""))
        value, kind = self.options[0].value, self.solution.kind
        played = Played(
            *self._turn(option),
            value,
            best_names=tuple(each.name for each in kind.best(self.options)),
            lost=kind.lost_part(value, option.value),
            mistake=kind.words.mistake(value, option.value),
        )
        return self._record(played)

    def roll(self, *, seed: int | None = None) -> Played:
        """Draw a result of chance, make it, and return it.

        Args:
            seed: the seed of the result, which also depends on the number of moves made; by default
                it is different each time.

        Raises:
            MoveError: a player is to move, or the game is over.
        """
        if not self.is_chance:
            reason = "the game is over" if self.is_over else "a player is to move"
            message = f"there is nothing to roll: {reason}; see match.options"
            raise MoveError(message)
        key = None if seed is None else f"{seed}/{len(self.played)}"
        return self.play(roll(self.options, random.Random(key)))  # noqa: S311  # play, not secrets

    def settle(self, *, time: float | None = None) -> Value:
        """Return the value of the position, after a search if a proof does not give it.

        Args:
            time: seconds that the search may take; by default unlimited.
        """
        value = self.solution.settle(self.position, time=time)
        self._goto(self.position)
        return value

    def undo(self) -> Played:
        """Take back the last move and return it.

        Raises:
            MoveError: there is no move.
        """
        if not self.played:
            message = "there is no move to take back; play one first"
            raise MoveError(message)
        played = self.played.pop()
        self._goto(played.position)
        return played

    def mistakes(self) -> list[Played]:
        """Return the mistakes so far, in order."""
        return [played for played in self.played if played.lost is not None]

    def __repr__(self) -> str:
        """Return a text with the state of the match."""
        moves = count_phrase(len(self.played), "moves")
        return f"<Match of {self._rules.description}: {moves}; {self.prospects}>"

    def _repr_html_(self) -> str:
        """Return the board, the state and the moves, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.match(self)

    # -- records --------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the match as a dictionary for JSON, from which ``from_json`` recreates it.

        It contains the game's class and parameters, the start, and each move with its name.
        """
        return {
            "record": RECORD_VERSION,
            "game": self._rules.name,
            "parameters": self._rules.parameters,
            "players": list(self.players),
            "start": as_json(self.start),
            "moves": [
                {
                    "player": played.player,
                    "name": played.option.name,
                    "move": as_json(played.option.move),
                }
                for played in self.played
            ],
            "winner": self.winner,
            "over": self.is_over,
        }

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the result of ``to_json`` to a file, atomically; an existing file is replaced.

        Args:
            path: the path of the file.

        Returns:
            The path.

        Raises:
            TableWriteError: it cannot be written.
        """
        target = Path(path)
        write_text(target, json.dumps(self.to_json(), indent=1) + "\n")
        return target

    @classmethod
    def from_json(cls, solution: Answering, record: Any) -> Match:
        """Return the match of a record, played on the same game.

        Args:
            solution: the solved game.
            record: the result of ``to_json``.

        Raises:
            ParameterError: it is not a record, or one of another game.
            MoveError: it has an illegal move; the game's rules have changed since.
            PositionError: it begins in a position that the solution does not contain.
        """
        _check_record(record)
        match = cls(solution)
        ours = match.to_json()
        for key in ("game", "parameters"):
            if record[key] != ours[key]:
                message = (
                    f"the record is of {key} {_short(record[key])}, not {_short(ours[key])}; give "
                    "the same game"
                )
                raise ParameterError(message)
        if record["start"] != ours["start"]:
            match = cls(solution, position_of(type(solution.start), record["start"]))
        for number, entry in enumerate(record["moves"], 1):
            moves = [option for option in match.options if as_json(option.move) == entry["move"]]
            if not moves:
                message = (
                    f"move {number} of the record, {entry['name']!r}, cannot be played: the rules "
                    "or the record has changed; shorten it, or start a new match"
                )
                raise MoveError(message)
            match.play(moves[0])
        return match

    # -- within ---------------------------------------------------------------------------------

    def _turn(self, option: Option) -> tuple[int, int, Option, Any]:
        """Return the number of the next move, its player, the move and the position."""
        return len(self.played) + 1, self.player, option, self.position

    def _record(self, played: Played) -> Played:
        """Make a move that has been described."""
        self.played.append(played)
        self._goto(played.option.position)
        return played

    def _refusal(self, move: object) -> str:
        """Return the beginning of a sentence on what cannot be played, which a list follows."""
        if self.is_chance:
            return f"{move!r} is not a result of chance here; give"
        return f"{move!r} is not a move here; play"

    def _goto(self, position: Any) -> None:
        self.position = position
        self.options = self.solution.options(position)

    def _suggestion(self, query: str) -> str:
        """Return a suggestion of one of many moves with a similar name, or ""."""
        names = {_fold_text(option.name): option.name for option in self.options}
        names_near = difflib.get_close_matches(query, names, 1) if len(names) > _MOST_NAMES else []
        return f"; did you mean {names[names_near[0]]}?" if names_near else ""

    def _move_list(self, options: list[Option]) -> str:
        """Return names of moves in the game's order, which does not reveal their values."""
        order = [self._rules.move_name(move) for move in self._rules.moves(self.position)]
        names = sorted((option.name for option in options), key=order.index)
        hidden = len(names) - _MOST_NAMES
        if hidden > 0:
            return f"{', '.join(names[:_MOST_NAMES])} or one of {hidden} more"
        return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _numbers(option: Option) -> tuple[str, ...]:
    """Return the number of a result of chance as text; () for a move."""
    return (option.name.partition(" ")[0],) if option.odds is not None else ()


def _final_value(value: ExpectedValue) -> tuple[Value, Words]:
    """Return the value of a game that is over as one without chance, with the words for it."""
    # These import NumPy, which the help of ``play`` does not need.
    from zermelo.values.scores import SCORES
    from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

    if value.is_scored:
        return Value(value.outcome, score=int(value.expectation)), SCORES.words
    return Value(value.outcome, remoteness=0), WIN_DRAW_LOSS.words


def _fold_text(text: str) -> str:
    return " ".join(text.split()).casefold()


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _check_record(record: object) -> None:
    """Raise ParameterError unless this is a record that ``from_json`` can read."""
    problem = ""
    if not isinstance(record, dict) or "record" not in record:
        problem = "is not the record of a match"
    elif record["record"] != RECORD_VERSION:
        problem = f"has the version {record['record']!r}, and this Zermelo reads {RECORD_VERSION}"
    elif not {"game", "parameters", "start", "moves"} <= record.keys():
        problem = "is incomplete"
    elif not isinstance(record["moves"], list) or not all(
        isinstance(entry, dict) and {"move", "name"} <= entry.keys() for entry in record["moves"]
    ):
        problem = "has entries that are not moves"
    if problem:
        message = f"the record {problem}; give a file that a match was saved to"
        raise ParameterError(message)
