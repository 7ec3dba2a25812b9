"""Uniform access to a game's hooks, run as ordinary Python.

``Rules`` finds the hooks by name, supplies the defaults and describes breaches of the contract. It
is what a solution uses for single positions, and what compiled rules are checked against; the
solver itself never calls it in a loop.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import drawing
from zermelo.drawing.sanitize import sanitize_svg
from zermelo.errors import PositionError, RulesError, RulesWarning, ZermeloError
from zermelo.game.chance import MOST_WEIGHT, Face
from zermelo.game.contract import HOOKS, Game, brief_expression, declared_starts, parameter_names
from zermelo.game.parameters import as_json, position_of
from zermelo.game.placement import PlacementGame
from zermelo.game.placement_check import check_placement
from zermelo.game.position_text import read_literal, read_position
from zermelo.game.records import parts_of
from zermelo.game.spaces import Part
from zermelo.game.titles import instructions_of, title_of
from zermelo.rules.actions import Element
from zermelo.rules.faults import (
    EXCLUSIVE,
    as_two_play,
    fault_of_endless_in,
    fault_of_form,
    fault_of_players,
    fault_of_signature,
    says_endless,
)
from zermelo.rules.layout import Layout, MisfitError, layout_of, space_parts_of
from zermelo.rules.misere import check_misere
from zermelo.rules.misspellings import Doubt, missing_hooks, misspellings_of
from zermelo.rules.orbits import Group
from zermelo.rules.turn_field import turn_index
from zermelo.values.endless import ENDLESS_WINS
from zermelo.values.expectations import (
    CONTINUES,
    OPPOSED,
    RULES_POINTS,
    RULES_RESULTS,
    RULES_SCORES,
)
from zermelo.values.kind import Kind
from zermelo.values.outcomes import NOBODY, WIN, Outcome, Value
from zermelo.values.scores import LARGEST_SCORE, SCORES
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: The most characters of a start that is shown as an example of a position.
_LONGEST_EXAMPLE = 100
#: The most moves of a position; with more, ``moves`` is assumed never to end.
MOST_MOVES = 1 << 20
#: The advice if points are too large.
SMALLER_POINTS = (
    f"points and margins are within ±{LARGEST_SCORE:,}, so divide all points by a common factor"
)
#: Hooks for the appearance of a game, and for other questions, that do not change its rules.
_APPEARANCE_HOOKS = ("space", "pass_turn", "show", "svg", "name", "parse")
#: The hooks that are called in Python only, so that no compiler checks their declarations.
_PYTHON_HOOKS = (
    *("start", "starts", "space", "symmetries", "pursuit", "pass_turn"),
    *("show", "svg", "name", "parse"),
)


class Rules:
    """The hooks of one game, with defaults.

    Attributes:
        game: the game itself.
        written: the game, without a type: ``Game`` does not declare the optional hooks
            (``has_hook``).
        name: the name of its class.
        layout: the layout of its positions.
        used: the bits of a packed position that may differ from 0, if it is one word.
        alternate: whether the players strictly alternate, that is, there is no ``turn``.
        kind: the kind of value of positions: scores, if there is ``gain`` or ``score``; and with
            ``chance`` expected results or scores, as yet without a unit.
        is_scored: whether there is ``gain`` or ``score``.
        endless: the player for whom endless play is a win, or NOBODY.
        endless_points: in a score game, the points that the first player makes by endless play,
            unless a hook gives them.
        no_moves: the outcome of a position without moves that has none by rule.
        misere: whether ``no_moves`` is WIN where the class says LOSS.
    """

    def __init__(self, game: Game, *, misere: bool = False, folding: bool = True) -> None:
        """Read the hooks of ``game``.

        Args:
            game: an instance of a subclass of Game.
            misere: whether a player who cannot move wins, though the class says that this player
                loses.
            folding: whether positions that the class declares equivalent may count as one.

        Raises:
            RulesError: the class or its start breaks the contract.
            ParameterError: the game has no misère play.
        """
        if not isinstance(game, Game):
            argument = f"the class {game.__name__}" if isinstance(game, type) else repr(game)
            hint = "an instance, such as TicTacToe()"
            if not isinstance(game, type):
                hint = "a Game, such as zermelo.games.TicTacToe()"
            message = f"expected {hint}, not {argument}"
            raise RulesError(message)
        self.game = game
        self.folding = folding
        self.written: Any = game
        self.name = type(game).__name__
        self.hooks = hooks_of(type(game))
        self.alternate = "turn" not in self.hooks
        self.is_scored = scored = "gain" in self.hooks or "score" in self.hooks
        self.kind: Kind = SCORES if scored else WIN_DRAW_LOSS
        if self.has_chance:
            self.kind = RULES_SCORES if scored else RULES_RESULTS
            self.kind = RULES_POINTS if "gain" in self.hooks else self.kind
        self.endless, self.endless_points = NOBODY, 0
        self._check_endless()
        if scored and "endless" not in self.hooks and says_endless(game):
            self.endless_points = int(game.endless)
            if abs(self.endless_points) > LARGEST_SCORE:
                message = f"{self.name}.endless is {game.endless!r}; {SMALLER_POINTS}"
                raise RulesError(message)
        elif not scored and game.endless != NOBODY:
            self.endless = int(game.endless)
            self.kind = self.kind if self.has_chance else ENDLESS_WINS[self.endless]
        self._check_hooks()
        self.layout: Layout
        self.layout, self.used = layout_of(game)
        if isinstance(game, PlacementGame):
            check_placement(game)
        self.no_moves = self._outcome("no_moves", game.no_moves)
        self.misere = misere
        if misere:
            check_misere(game, self.no_moves, scored=scored, chance=self.has_chance)
            self.no_moves = WIN

    @property
    def players(self) -> tuple[str, str]:
        """The names of the players, the first one first."""
        return self.game.players

    @property
    def plies_per_move(self) -> int:
        """The number of plies that the players count as one move."""
        return self.game.plies_per_move

    @property
    def parameters(self) -> dict[str, Any]:
        """The game's parameters, in JSON's types; under misère play with ``no_moves``."""
        game = self.game
        written = {name: as_json(getattr(game, name)) for name in parameter_names(game)}
        return written | {"no_moves": int(WIN)} if self.misere else written

    @property
    def summary(self) -> str:
        """The first line of the class's docstring, and whether it is misère play."""
        line = (type(self.game).__doc__ or "").strip().partition("\n")[0]
        return (
            f"{line} Misère play: a player who cannot move wins.".strip() if self.misere else line
        )

    @property
    def title(self) -> str:
        """The name of the game, with its size; see ``title_of``."""
        return title_of(self.game) + (", misère" if self.misere else "")

    @property
    def instructions(self) -> list[str]:
        """The rules in the class's docstring, with a note on misère play."""
        paragraphs = instructions_of(type(self.game))
        return (
            [*paragraphs, "Misère play: a player who cannot move wins."]
            if self.misere
            else paragraphs
        )

    @property
    def description(self) -> str:
        """The Python expression of the game, with long parameters abbreviated."""
        return brief_expression(self.game) + (" under misère play" if self.misere else "")

    @property
    def has_chance(self) -> bool:
        """Whether chance decides at some positions."""
        return "chance" in self.hooks

    def has_hook(self, hook: str) -> bool:
        """Return whether the game has this hook."""
        return hook in self.hooks

    @property
    def changed_since_pursuit(self) -> str | None:
        """A rule that is newer than the hook ``pursuit``, which may not describe it; or None."""
        if self.misere:
            return "no_moves"
        classes = type(self.game).__mro__

        def depth(hook: str) -> int:
            return next(depth for depth, kind in enumerate(classes) if hook in kind.__dict__)

        pursuit_depth = depth("pursuit")
        for hook in (*sorted(self.hooks), "no_moves"):
            if hook not in _APPEARANCE_HOOKS and depth(hook) < pursuit_depth:
                return hook
        return None

    @property
    def favours_a_player(self) -> bool:
        """Whether endless play is better for one of the players."""
        return self.endless != NOBODY or self.endless_points != 0

    @property
    def foldable(self) -> bool:
        """Whether some positions may be equivalent."""
        return self.folding and (self.has_hook("canonical") or self.has_hook("symmetries"))

    @cached_property
    def group(self) -> Group | None:
        """The declared symmetries and all that follow from them, or None without any.

        Raises:
            RulesError: they do not fit the positions.
        """
        if not self.has_hook("symmetries"):
            return None
        return Group(self.name, self.layout, self.written.symmetries())

    def turns_over(self, element: Element) -> bool:
        """Return whether a symmetry exchanges the players, and with them the turn."""
        if self.alternate:
            return False
        start = self.game.start()
        image = self.layout.build(element.image_of(self.layout.flatten(start)))
        return self.owner(start) != self.owner(image)

    def start_words(self) -> npt.NDArray[np.uint64]:
        """Return the packed starting positions, shape (k, words), the game's own start first.

        Raises:
            RulesError: there is no start, or one is not a position of this game.
        """
        if not self.has_hook("starts"):
            return np.array([self.packed(self.game.start(), "start")], np.uint64)
        starts = declared_starts(self.game)
        if not isinstance(starts, np.ndarray):
            packed = [self.packed(start, "starts") for start in starts]
            starts = np.array(packed, np.uint64).reshape(-1, self.layout.words)
        else:
            try:
                starts, fits = self.layout.pack_many(starts)
            except MisfitError as error:
                message = f"{self.name}.starts() returned an array that does not fit: {error}"
                raise RulesError(message) from None
            if not fits.all():
                row = int(np.argmin(fits))
                message = (
                    f"{self.name}.starts() has a field past its range in row {row}; widen space()"
                )
                raise RulesError(message)
        packed_starts: npt.NDArray[np.uint64] = starts
        if not len(packed_starts):
            message = f"{self.name}.starts() returned no position; return at least one"
            raise RulesError(message)
        return packed_starts

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once, in the order they are declared.

        Raises:
            RulesError: there is no start, or one is not a position of this game.
        """
        packed = dict.fromkeys(tuple(words) for words in self.start_words().tolist())
        return tuple(self.layout.unpack(words) for words in packed)

    def packed(self, position: Any, hook: str) -> tuple[int, ...]:
        """Return the words of a position that ``hook`` returned.

        Raises:
            RulesError: it is not a position.
        """
        try:
            return self.layout.pack(position)
        except MisfitError as error:
            message = f"{self.name}.{hook}() returned {position!r}: {error}; {self._remedy(error)}"
            raise RulesError(message) from None

    def owner(self, position: Any) -> int:
        """Return the player to move, 0 or 1; always 0 if the players strictly alternate."""
        if self.alternate:
            return 0
        owner = self.written.turn(position)
        if owner not in (0, 1):
            message = f"{self.name}.turn({position!r}) returned {owner!r}; return 0 or 1"
            message += as_two_play(owner)
            raise RulesError(message)
        return int(owner)

    @cached_property
    def turn_index(self) -> int | None:
        """The index of the number of a position that is its ``turn``, or None without one."""
        return None if self.alternate else turn_index(self.game, self.layout)

    @property
    def passes(self) -> bool:
        """Whether the turn can be passed, by ``pass_turn`` or by a field."""
        return self.has_hook("pass_turn") or self.turn_index is not None

    def pass_turn(self, position: Any) -> Any:
        """Return the same position with the other player to move.

        The hook gives it, or the field with the turn is changed.

        Raises:
            RulesError: neither exists, or the hook did not return a position.
        """
        if self.has_hook("pass_turn"):
            image = self.written.pass_turn(position)
            return self.layout.unpack(self.packed(image, "pass_turn"))
        if self.turn_index is None:
            message = (
                f"{self.name} does not say what {position!r} is with the other player to move; "
                "write pass_turn(), which returns that position"
            )
            raise RulesError(message)
        flat = self.layout.flatten(position)
        flat[self.turn_index] = 1 - flat[self.turn_index]
        return self.layout.build(flat)

    def terminal(self, position: Any) -> Outcome | None:
        """Return the outcome that the rules give a position, or None while the game goes on.

        A position without moves is terminal too; this does not check the moves.
        """
        if self.has_hook("outcome"):
            outcome = self.written.outcome(position)
            return None if outcome is None else self._outcome(f"outcome({position!r})", outcome)
        if self.has_hook("winner"):
            winner = self.written.winner(position)
            if winner is None:
                return None
            if winner not in (0, 1, NOBODY) or isinstance(winner, bool):
                message = (
                    f"{self.name}.winner({position!r}) returned {winner!r}; return 0, 1, NOBODY, "
                    f"or None while the game goes on{as_two_play(winner)}"
                )
                raise RulesError(message)
            if winner == NOBODY:
                return Outcome.DRAW
            return Outcome.WIN if winner == self.owner(position) else Outcome.LOSS
        return None

    def terminal_outcome(self, position: Any) -> Outcome | None:
        """Return the outcome of a terminal position, or None while the game goes on."""
        outcome = self.terminal(position)
        if outcome is not None or self.faces(position):
            return outcome
        if next(iter(self.game.moves(position)), None) is None:
            return self.no_moves
        return outcome

    def winning_child(self, position: Any) -> Any | None:
        """Return a successor in which the player to move here has won, or None."""
        for move in self.moves(position):
            child = self.play(position, move)
            outcome = self.terminal_outcome(child)
            keeps_turn = not self.alternate and self.owner(child) == self.owner(position)
            if outcome is not None and (outcome if keeps_turn else -outcome) > 0:
                return child
        return None

    def moves(self, position: Any) -> list[Any]:
        """Return the moves in a position, [] if the rules give it an outcome."""
        if self.terminal(position) is not None:
            return []
        return self.listed_moves(position)

    def listed_moves(self, position: Any) -> list[Any]:
        """Return the moves that ``moves`` yields, whether or not the position is terminal.

        At a position of chance these are its results, each a ``Face``.

        Raises:
            RulesError: it is not iterable, or never ends.
        """
        faces = self.faces(position)
        if faces:
            total = sum(weight for weight, _ in faces)
            return [Face(n, weight, total) for n, (weight, _) in enumerate(faces)]
        iterable = self.game.moves(position)
        if not isinstance(iterable, Iterable):
            message = (
                f"{self.name}.moves({position!r}) returned nothing to iterate over; yield each "
                "move, or return a list of them"
            )
            raise RulesError(message)
        moves = list(islice(iterable, MOST_MOVES + 1))
        if len(moves) > MOST_MOVES:
            message = (
                f"{self.name}.moves({position!r}) yields more than {MOST_MOVES} moves; check that "
                "its loop ends"
            )
            raise RulesError(message)
        return moves

    def faces(self, position: Any) -> list[tuple[int, Any]]:
        """Return the results of chance at a position: pairs of a weight and a position.

        The list is empty where a player is to move. The caller must know that the rules give the
        position no outcome.

        Raises:
            RulesError: ``chance`` does not yield such pairs, or a weight is not a positive whole
                number, or the weights are too great.
        """
        if not self.has_chance:
            return []
        iterable = self.written.chance(position)
        claim = f"{self.name}.chance({position!r})"
        advice = "yield pairs of a weight and a position, or nothing where a player is to move"
        if not isinstance(iterable, Iterable):
            message = f"{claim} returned {iterable!r}; {advice}"
            raise RulesError(message)
        faces, total = [], 0
        for item in islice(iterable, MOST_WEIGHT + 1):
            # A position with two fields is a tuple as well.
            if type(item) is not tuple or len(item) != 2:  # noqa: PLR2004  # a pair
                message = f"{claim} gives {item!r}; {advice}"
                raise RulesError(message)
            try:
                weight = index(item[0])
            except TypeError:
                weight = 0
            if weight <= 0 or isinstance(item[0], bool):
                message = f"{claim} gives the weight {item[0]!r}; give a whole number from 1 on"
                raise RulesError(message)
            total += weight
            faces.append((weight, item[1]))
        if total > MOST_WEIGHT:
            message = (
                f"{claim} gives weights whose sum is more than {MOST_WEIGHT:,}; divide them by a "
                "common factor, or let chance decide in two steps"
            )
            raise RulesError(message)
        return faces

    def is_kept(self, position: Any) -> bool:
        """Return whether a result of chance is stored: by ``kept``, or as no player moves there."""
        if not self.has_hook("kept") or self.written.kept(position):
            return True
        moves = self.moves(position)
        return not moves or isinstance(moves[0], Face)

    def successors(self, position: Any, moves: Iterable[Any]) -> Iterator[tuple[int, Any, bool]]:
        """Yield the stored successors of a position.

        A result of chance that is not kept has the successors of its moves instead.

        Args:
            position: the position.
            moves: its moves, or its results of chance.

        Yields:
            The label: the points of a move, or the weight of a result with its flags, except those
            for turns that are not stored (see ``zermelo.values.expectations``); the successor,
            unchecked; and whether the same player is to move there.
        """
        for move in moves:
            child = self.follow(position, move)
            if not isinstance(move, Face):
                yield self.gain(position, move), child, self.keeps_turn(position, move, child)
            elif self.is_kept(child):
                yield move.weight, child, self.keeps_turn(position, move, child)
            else:
                is_opposed = not self.keeps_turn(position, move, child)
                label = move.weight | OPPOSED * is_opposed
                for reply in self.moves(child):
                    after = self.follow(child, reply)
                    keeps_turn = self.keeps_turn(child, reply, after) != is_opposed
                    yield label, after, keeps_turn
                    label = CONTINUES

    def is_chance(self, position: Any) -> bool:
        """Return whether chance decides at a position."""
        return self.has_chance and self.terminal(position) is None and bool(self.faces(position))

    def follow(self, position: Any, move: Any) -> Any:
        """Return the position after a move, or a result of chance, unchecked."""
        if isinstance(move, Face):
            return self.faces(position)[move.number][1]
        return self.game.play(position, move)

    def keeps_turn(self, position: Any, move: Any, child: Any) -> bool:
        """Return whether the same player is to move after a move, or a result of chance."""
        if self.alternate:
            return isinstance(move, Face)
        return self.owner(child) == self.owner(position)

    def play(self, position: Any, move: Any) -> Any:
        """Return the position after a move, after checking that it is one.

        Raises:
            RulesError: ``play`` returned something else.
        """
        if isinstance(move, Face):
            child = self.follow(position, move)
            return self.layout.unpack(self.packed(child, "chance"))
        return self.layout.unpack(self.packed(self.game.play(position, move), "play"))

    def gain(self, position: Any, move: Any) -> int:
        """Return the points the mover gets by a move; 0 without the hook."""
        if isinstance(move, Face):
            return 0  # chance makes no points
        return self._points("gain", position, move) if self.has_hook("gain") else 0

    def final_score(self, position: Any) -> int:
        """Return the margin for the player to move at a terminal position; 0 without the hook."""
        return self._points("score", position) if self.has_hook("score") else 0

    def endless_worth(self, position: Any) -> int:
        """Return the points that the player to move makes by endless play; a win is 1."""
        if self.has_hook("endless"):
            return self._points("endless", position)
        points = self.worth_of_endless
        return -points if points and self.owner(position) else points

    @property
    def worth_of_endless(self) -> int:
        """The points that the first player makes by endless play, if no hook gives them."""
        if self.is_scored:
            return self.endless_points
        return {NOBODY: 0, 0: 1, 1: -1}[self.endless]

    def cycle_points_fault(self, position: Any, move: Any) -> str:
        """Return a sentence on a forbidden move of a score game that can be part of a cycle.

        The points of the move are not balanced by the change of the value of endless play.
        """
        gain = self.gain(position, move)
        points_clause = f"makes {gain:,} point{'s' * (abs(gain) != 1)}"
        if gain and not self.has_hook("endless"):
            return (
                f"move {move!r} from {position!r} {points_clause} and can be part of a cycle, so "
                "that points could be made for ever; put the points into the position, and give "
                "them with score() where the game ends; or, if every cycle takes as many points "
                "as it makes, write endless(position), which says what endless play is still worth "
                "there"
            )
        child = self.play(position, move)
        keeps_turn = not self.alternate and self.owner(position) == self.owner(child)
        claim = (
            f"endless({position!r}) is {self.endless_worth(position)}, and endless({child!r}), "
            f"where {'the same' if keeps_turn else 'the other'} player moves, is "
            f"{self.endless_worth(child)}, though the one can follow the other for ever"
        )
        if gain:
            expected = self.endless_worth(position) - gain
            return (
                f"{claim}, by move {move!r}, which {points_clause}; let endless() be worth as many "
                "points less after a move as it makes, so that it is "
                f"{expected if keeps_turn else -expected} there; or put the points into the "
                "position, and give them with score() where the game ends"
            )
        return (
            f"{claim}; let it be "
            "the same for each player all along a cycle: return the points that the player to "
            "move makes, the negative of what the other makes"
        )

    def level(self, position: Any) -> int:
        """Return the level of a position; the game must have the hook."""
        return self._number("level", position)

    def legal(self, position: Any) -> bool:
        """Return whether a position is to be solved; the game must have the hook."""
        return bool(self.written.legal(position))

    def space_parts(self) -> list[Part]:
        """Return the parts of the game's space; the game must have the hook."""
        return space_parts_of(self.game, self.layout)

    def split(self, position: Any) -> list[Any]:
        """Return the components of a position: the position itself if it has no others.

        Raises:
            RulesError: ``split`` does not yield positions, or never ends.
        """
        if not self.has_hook("split"):
            return [position]
        iterable = self.written.split(position)
        if not isinstance(iterable, Iterable) or isinstance(iterable, self.layout.kind or str):
            message = (
                f"{self.name}.split({position!r}) returned {iterable!r}; yield each component, or "
                "return a list of them"
            )
            raise RulesError(message)
        parts = list(islice(iterable, MOST_MOVES + 1))
        if len(parts) > MOST_MOVES:
            message = f"{self.name}.split({position!r}) yields more than {MOST_MOVES}; end its loop"
            raise RulesError(message)
        try:
            components = [self.layout.unpack(self.layout.pack(part)) for part in parts]
        except MisfitError as error:
            fault, remedy = str(error), self._remedy(error)
            message = f"{self.name}.split({position!r}) gives {parts!r}: {fault}; {remedy}"
            raise RulesError(message) from None
        return components or [position]

    def split_fault(self, position: Any, value: Value | None, correct_value: Value | None) -> str:
        """Return a sentence on a position whose value is not that of its components together.

        Args:
            position: the position.
            value: the value of its components; None if one of them does not arise from those of the
                starts.
            correct_value: the value by its moves; None if one leads to such a component.
        """
        claim = f"{self.name}.split({position!r}) gives {self.split(position)!r}"
        if value is None:
            return (
                f"{claim}, of which not all arise from components of the start; let the components "
                "of a component be what it is split into after a move"
            )
        sentence = f"{claim}, together worth {value}"
        if correct_value is None:
            return f"{sentence}, but a move there leads to components that do not arise from theirs"
        return (
            f"{sentence}, but the moves there make it {correct_value}; put what one move can "
            "change or prevent into one component"
        )

    def canonical(self, position: Any) -> Any:
        """Return the canonical position, by the author's ``canonical`` or by declared symmetries.

        Raises:
            RulesError: ``canonical`` did not return a position, or changed the turn.
        """
        if self.group is not None:
            return self.group.canonical(position)
        if not self.has_hook("canonical"):
            return position
        image = self.written.canonical(position)
        image = self.layout.unpack(self.packed(image, "canonical"))
        if self.owner(image) != self.owner(position):
            message = (
                f"{self.name}.canonical({position!r}) returned {image!r}, where it is the other "
                "player's turn; declare symmetries() that exchange the players instead"
            )
            raise RulesError(message)
        return image

    def refusal(self, position: Any, error: MisfitError) -> str:
        """Return the error message for an argument that is not a position.

        See ``Layout.refusal``.
        """
        start = repr(self.game.start())
        example = f"one such as {start}" if len(start) <= _LONGEST_EXAMPLE else ""
        return self.layout.refusal(
            position, self.name, error, reads=self.has_hook("parse"), example=example
        )

    def move_name(self, move: Any) -> str:
        """Return the game's name of a move, or the probability of a result of chance."""
        if isinstance(move, Face):
            return str(move)
        return str(self.written.name(move)) if self.has_hook("name") else str(move)

    def position_text(self, position: Any) -> str:
        """Return a position as text."""
        return str(self.written.show(position)) if self.has_hook("show") else repr(position)

    def terminal_text(self, position: Any) -> str:
        """Return the text of a position for a terminal, by the game's ``sketch`` or ``show``."""
        if self.has_hook("sketch"):
            return str(self.written.sketch(position))
        return self.position_text(position)

    def position_svg(self, position: Any) -> str:
        """Return a position as one ``<svg>`` element: the game's own, its text, or its fields."""
        if self.has_hook("svg"):
            return sanitize_svg(str(self.written.svg(position)))
        if self.has_hook("show"):
            return drawing.letters(self.position_text(position), title=self.position_text(position))
        names = [name for name, _ in self.layout.fields]
        values = (position,) if self.layout.kind is None else (parts_of(position) or ())
        return drawing.fields(zip(names, values, strict=True), title=self.position_text(position))

    def parse(self, text: str) -> Any:
        """Return the position that a text stands for, by the game's ``parse`` or as printed.

        A text that the game's ``parse`` cannot read may be the position in JSON or in Python, such
        as ``Position(mouse=1, cat=2, turn=0)`` or ``(1, 2, 0)``.

        Raises:
            PositionError: it is no such text.
        """
        kind, field_types = self.layout.kind, self.layout.holds
        if not self.has_hook("parse"):
            try:
                return position_of(kind, read_literal(text), field_types)
            except ValueError:
                example = json.dumps(as_json(self.game.start()))
                reason = (
                    f"{self.name} has no parse() that reads it; " if self.has_hook("show") else ""
                )
                message = (
                    f"{text!r} is not a position; {reason}write it as JSON, such as '{example}'"
                )
                raise PositionError(message) from None
        try:
            position = self.written.parse(text)
        except Exception as error:
            if not self._parses_numbers:
                with suppress(ZermeloError, ValueError):
                    return read_position(kind, text, field_types)
            if isinstance(error, ValueError) and not isinstance(error, ZermeloError):
                message = f"{text!r} is not a position: {error}"
                raise PositionError(message) from None
            raise
        return position_of(kind, position, field_types)

    @cached_property
    def _parses_numbers(self) -> bool:
        """Whether positions are numbers and ``parse`` reads them, so that it may reject one."""
        if self.layout.kind is not None:
            return False
        start = self.game.start()
        try:
            return bool(self.written.parse(repr(start)) == start)
        except Exception:  # noqa: BLE001  # a hook may raise anything
            return False

    def _number(self, hook: str, *arguments: object) -> int:
        """Return the integer that a hook returns.

        Raises:
            RulesError: it returns something else.
        """
        number = getattr(self.written, hook)(*arguments)
        try:
            return index(number)
        except TypeError:
            argument_text = ", ".join(map(repr, arguments))
            message = (
                f"{self.name}.{hook}({argument_text}) returned {number!r}; return a whole number"
            )
            raise RulesError(message) from None

    def _points(self, hook: str, *arguments: object) -> int:
        """Return the points that a hook returns.

        Raises:
            RulesError: it returns something else, or a number that is too large.
        """
        points = self._number(hook, *arguments)
        if abs(points) > LARGEST_SCORE:
            call = f"{hook}({', '.join(map(repr, arguments))})"
            message = f"{self.name}.{call} returned {points!r}; {SMALLER_POINTS}"
            raise RulesError(message)
        return points

    def _outcome(self, name: str, value: object) -> Outcome:
        if isinstance(value, bool) or value not in (-1, 0, 1):
            message = (
                f"{self.name}.{name} is {value!r}; use WIN, DRAW, LOSS, or None while it goes on"
            )
            raise RulesError(message)
        return Outcome(value)

    def _check_endless(self) -> None:
        fault = fault_of_endless_in(self.game, self.hooks)
        if fault is not None:
            message = f"{self.name}.{fault}"
            raise RulesError(message)

    def _remedy(self, error: MisfitError) -> str:
        if "outside" in str(error) and self.has_hook("space"):
            return "widen space()"
        if "outside" in str(error):
            return "declare space(), one range per field, to give it more bits"
        if "64 bits" in str(error):
            return "split it over two fields"
        return "return a position"

    def _check_hooks(self) -> None:
        kind = type(self.game)
        for fault in filter(None, (fault_of_form(kind, hook) for hook in HOOKS)):
            message = f"{self.name}.{fault}"
            raise RulesError(message)
        for hook, fault in missing_hooks(kind, self.hooks).items():
            message = f"{self.name} has no {hook}(); {fault}"
            raise RulesError(message)
        for pair, advice in EXCLUSIVE.items():
            if self.hooks.issuperset(pair):
                message = f"{self.name} has both {pair[0]}() and {pair[1]}(); {advice}"
                raise RulesError(message)
        if "winner" in self.hooks and "turn" not in self.hooks:
            message = f"{self.name} has winner() but no turn(); write turn(), which returns 0 or 1"
            raise RulesError(message)
        faults = [fault_of_players(self.game)]
        faults += [fault_of_signature(kind, h) for h in _PYTHON_HOOKS if self.has_hook(h)]
        for fault in filter(None, faults):
            message = f"{self.name}.{fault}"
            raise RulesError(message)
        for misspelling in misspellings_of(kind, self.hooks):
            message = f"{self.name}: {misspelling.message}"
            if misspelling.doubt is Doubt.CERTAIN:
                raise RulesError(message)
            if misspelling.doubt is Doubt.LIKELY:
                warnings.warn(message, RulesWarning, stacklevel=_depth_of_caller())


def _depth_of_caller() -> int:
    """Return the number of calls between the caller of this and the first one outside Zermelo."""
    depth, frame = 1, sys._getframe(1)  # noqa: SLF001  # warnings takes a number of calls instead
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("zermelo."):
        depth, frame = depth + 1, frame.f_back
    return depth


#: Each hook with the attribute of ``Game`` itself.
_DEFAULTS = [(name, getattr(Game, name, None)) for name in HOOKS]


def hooks_of(kind: type[Game]) -> frozenset[str]:
    """Return the names of the hooks that a class, or one of its base classes, defines."""
    return frozenset(
        [
            name
            for name, default in _DEFAULTS
            if (attribute := getattr(kind, name, None)) is not default and callable(attribute)
        ]
    )
