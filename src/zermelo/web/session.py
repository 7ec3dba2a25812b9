"""The explored solution, or a running solve; and its answers, as JSON."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError, ZermeloError
from zermelo.game.parameters import as_json
from zermelo.play.match import Match, Opponent
from zermelo.progress import Event, Listener
from zermelo.values.outcomes import ExpectedValue, Outcome, Value
from zermelo.values.player_names import player_phrase
from zermelo.values.rolls import roll
from zermelo.web import models
from zermelo.web.chance import (
    chart_place,
    has_chance,
    is_scored,
    prospects_of,
)
from zermelo.web.partizan import game_value_document
from zermelo.web.position_codes import code_of, position_of, read
from zermelo.web.puzzles import StartingPoint, TurnResolver, puzzle, random_position

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.values.results import Option, Options

#: The most moves of a position, replies to a move, moves of a line and values that are listed.
MOST_MOVES, MOST_BRANCHES, MOST_REPLIES, LONGEST_LINE, MOST_VALUES = 2000, 60, 40, 200, 2000

#: Seconds of the search for a value that is not known along a proof.
PATIENCE = 10.0

Solver = Callable[[Listener], "Solution"]


class NotReadyError(Exception):
    """The game is not solved yet, or cannot be solved; the message says which."""


class ExplorerSession:
    """One game, with answers about it. Questions are answered one after another.

    Attributes:
        name: the name of the game on the command line.
        title: the name of the game on the page.
        failure: the error that ended its solve, or None.
    """

    def __init__(self, name: str, title: str | None = None) -> None:
        """Create a room without a solution; the default title is that of its game."""
        self.name = name
        self.title = title or ""
        self.failure: Exception | None = None
        self._solution: Solution | None = None
        self._movers: TurnResolver
        self._event: Event | None = None
        self._lock = threading.Lock()

    def show(self, solution: Solution) -> None:
        """Store the solution that answers questions.

        Raises:
            PositionError: it has no start, which the page needs.
            ParameterError: its positions do not consist of numbers, which addresses need.
        """
        start = solution.start
        try:
            code_of(start)
        except ValueError:
            message = (
                f"{start!r} is not made of numbers, which the page needs; number the nodes, as "
                "networkx.convert_node_labels_to_integers does"
            )
            raise ParameterError(message) from None
        self.title = self.title or solution.rules.title
        self._movers = TurnResolver(solution)
        self._solution = solution

    def solve(self, solver: Solver, afterwards: Callable[[], None]) -> None:
        """Solve a game in a separate thread.

        Args:
            solver: solves it, and reports its progress to a listener.
            afterwards: called if it fails.
        """

        def work() -> None:
            try:
                self.show(solver(self._listen))
            except Exception as error:  # noqa: BLE001  # the page shows any error
                self.failure = error
                afterwards()

        threading.Thread(target=work, daemon=True).start()

    def status(self) -> models.StatusDocument:
        """Return whether questions about the game can be answered yet."""
        event, failure = self._event, self.failure
        return models.StatusDocument(
            state="failed" if failure else "solving" if self._solution is None else "ready",
            game=self.name,
            title=self.title or self.name,
            phase=None if event is None else event.phase,
            done=0 if event is None else event.done,
            total=None if event is None else event.total,
            seconds=0.0 if event is None else event.seconds,
            problem=None if failure is None else _error_text(failure),
        )

    def _listen(self, event: Event) -> None:
        self._event = event

    @property
    def solution(self) -> Solution:
        """The solution.

        Raises:
            NotReadyError: there is none yet.
        """
        if self._solution is None:
            why = (
                _error_text(self.failure) if self.failure else f"{self.name} is still being solved"
            )
            raise NotReadyError(why)
        return self._solution

    # -- the whole game ---------------------------------------------------------------------------

    def game(self) -> models.GameDocument:
        """Return a description of the game, with the value of its start."""
        solution = self.solution
        with self._lock:
            rules, value = solution.rules, solution.value
            return models.GameDocument(
                game=self.name,
                title=self.title,
                about=rules.summary,
                instructions=rules.instructions,
                parameters=rules.parameters,
                players=rules.players,
                called=(player_phrase(rules.players[0]), player_phrase(rules.players[1])),
                words={
                    str(outcome): word for outcome, word in solution.kind.words.outcomes.items()
                },
                by=solution.kind.words.unit,
                alternate=rules.alternate,
                chance=has_chance(solution.kind),
                start=code_of(solution.start),
                value=_value_document(value),
                winner=solution.winner,
                positions=len(solution),
                method=solution.method,
                choice=solution.choice,
                seconds=solution.seconds,
            )

    def statistics(self) -> models.StatisticsDocument:
        """Return the number of positions of each value."""
        solution = self.solution
        with self._lock:
            counts, kind = solution.counts(), solution.kind
        rows = [
            models.NumberDocument(
                outcome=_outcome_word(value.outcome),
                at=chart_place(kind.words.coordinate(value), value),
                positions=count,
                game=value.game_text,
            )
            for value, count in kind.sorted_counts(counts)
        ]
        places = sorted({row.at for row in rows if row.at is not None})
        gaps = (after - before for before, after in pairwise(places))
        return models.StatisticsDocument(
            positions=counts.positions,
            win=counts.win,
            draw=counts.draw,
            loss=counts.loss,
            tie=counts.tie,
            endless=counts.endless,
            title=kind.words.title,
            by_value=rows[:MOST_VALUES],
            step=min(gaps, default=1) if has_chance(kind) else 1,
            more=max(0, len(rows) - MOST_VALUES),
        )

    # -- a position -------------------------------------------------------------------------------

    def read(self, text: str) -> models.PositionDocument:
        """Return the position that a text stands for."""
        solution = self.solution
        with self._lock:
            return _position(solution, self._movers, read(text, solution))

    def position(self, code: str) -> models.PositionDocument:
        """Return a position with its value and its moves."""
        solution = self.solution
        with self._lock:
            return _position(solution, self._movers, position_of(code, solution))

    def settle(self, code: str) -> models.PositionDocument:
        """Return a position after a search for its value, if that is not known."""
        solution = self.solution
        with self._lock:
            position = position_of(code, solution)
            solution.settle(position, time=PATIENCE)
            return _position(solution, self._movers, position)

    def tree(self, code: str) -> models.TreeDocument:
        """Return the moves in a position, each with the replies to it."""
        solution = self.solution
        with self._lock:
            position, rules = position_of(code, solution), solution.rules
            options = solution.options(position)
            branches = []
            for move, option in zip(_moves(options)[:MOST_BRANCHES], options, strict=False):
                replies = solution.options(option.position)
                shown_replies, more = (
                    _moves(replies)[:MOST_REPLIES],
                    max(0, len(replies) - MOST_REPLIES),
                )
                branch = models.BranchDocument(
                    **move.model_dump(),
                    again=rules.keeps_turn(position, option.move, option.position),
                    points=rules.gain(position, option.move) if is_scored(solution) else 0,
                    replies=shown_replies,
                    more=more,
                )
                branches.append(branch)
            more = max(0, len(options) - MOST_BRANCHES)
            return models.TreeDocument(position=code, moves=branches, more=more)

    def line(self, code: str) -> models.LineDocument:
        """Return a line of perfect play."""
        solution = self.solution
        with self._lock:
            line = solution.line(position_of(code, solution), longest=LONGEST_LINE)
            keys, previous = [], line.start
            for move, position in zip(line.moves, line.positions, strict=True):
                options = solution.options(previous)
                place = next(i for i, option in enumerate(options) if option.move == move)
                keys.append(_keys(options)[place])
                previous = position
            codes = [code_of(position) for position in line.positions]
            ends: Any = line.ends
            return models.LineDocument(
                position=code, moves=list(line.names), keys=keys, positions=codes, ends=ends
            )

    def explain(self, code: str) -> models.ExplanationDocument:
        """Return the explanation of a position's value."""
        solution = self.solution
        with self._lock:
            explained = solution.explain(position_of(code, solution))
            return models.ExplanationDocument(position=code, sentences=list(explained.sentences))

    def random(self, seed: int) -> models.PlaceDocument:
        """Return a random position."""
        solution = self.solution
        with self._lock:
            return _place(random_position(solution, seed))

    def puzzle(self, seed: int) -> models.PuzzleDocument | None:
        """Return a position with only one right move, or None if none was found."""
        solution = self.solution
        with self._lock:
            single_move_puzzle = puzzle(solution, seed)
        if single_move_puzzle is None:
            return None
        return models.PuzzleDocument(
            **_place(single_move_puzzle.place).model_dump(), goal=single_move_puzzle.goal
        )

    def answer(self, code: str, skill: int, seed: int) -> models.MoveDocument | None:
        """Return the move of an opponent, or None if the game is over or chance decides."""
        solution = self.solution
        with self._lock:
            match = Match(solution, position_of(code, solution))
            if match.is_over or match.is_chance:
                return None
            if match.value.outcome is None:
                match.settle(time=PATIENCE)
            chosen = Opponent(skill, seed).choose(match)
            return _moves(match.options)[match.options.index(chosen)]

    def roll(self, code: str, seed: int) -> models.MoveDocument | None:
        """Return a result of chance at random, or None if chance does not decide."""
        solution = self.solution
        with self._lock:
            options = solution.options(position_of(code, solution))
            if not options.by_chance:
                return None
            result = roll(options, random.Random(seed))  # noqa: S311  # play, not secrets
            return _moves(options)[options.index(result)]

    # -- a match ----------------------------------------------------------------------------------

    def match(
        self, start: str | None, keys: list[str], mover: int | None = None
    ) -> models.MatchDocument:
        """Return a match, with the loss by each move.

        Args:
            start: the code of the first position; by default the game's start.
            keys: the moves.
            mover: the player who moves first, 0 or 1, if positions do not show it. With None it is
                the one that follows from the position, or the first player.

        Raises:
            PositionError: the solution does not contain the start.
            MoveError: one of the moves does not exist.
        """
        solution = self.solution
        with self._lock:
            first_position = solution.start if start is None else position_of(start, solution)
            course, plies = [], []
            first = self._movers.player_to_move(first_position) if mover is None else mover
            turned = bool(first) and solution.rules.alternate
            match = (_SecondPlayersMatch if turned else Match)(solution, first_position)
            for key in keys:
                course.append(_standing_document(match, turned=turned))
                option = match.find(key)
                own_key = _keys(match.options)[match.options.index(option)]
                played = match.play(option)
                player: Any = played.player ^ turned
                lost: Any = played.lost
                plies.append(
                    models.PlayedDocument(
                        ply=played.ply,
                        player=player,
                        name=option.name,
                        key=own_key,
                        position=code_of(played.position),
                        lost=lost,
                        mistake=played.mistake,
                        best=list(played.best_names),
                        odds=_odds_document(option),
                    )
                )
            standing = _standing_document(match, turned=turned)
            course.append(standing)
            player_to_move: Any = match.player ^ turned
            winner = None if standing.favours is None else solution.rules.players[standing.favours]
            return models.MatchDocument(
                start=code_of(first_position),
                mover=plies[0].player if plies else player_to_move,
                mover_known=first is not None,
                players=solution.rules.players,
                plies=plies,
                course=course,
                player=player_to_move,
                points=_points(match, turned=turned) if is_scored(solution) else None,
                over=match.is_over,
                winner=winner if match.is_over else None,
                prospects=standing.text,
                position=_position(solution, self._movers, match.position),
            )


class _SecondPlayersMatch(Match):
    """A match of a game whose players strictly alternate, in which the second one began."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of the players, beginning with the one who moved first."""
        first, second = super().players
        return second, first


def _error_text(error: Exception) -> str:
    return str(error) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}"


def _position(solution: Solution, movers: TurnResolver, position: Any) -> models.PositionDocument:
    view = solution.show(position)
    moves = _moves(view.options)
    mover: Any = movers.player_to_move(position)
    return models.PositionDocument(
        position=code_of(view.position),
        fields=as_json(view.position),
        mover=mover,
        text=view.text,
        svg=view.svg,
        over=not view.options,
        chance=view.options.by_chance,
        value=_value_document(view.value),
        moves=moves[:MOST_MOVES],
        more=max(0, len(moves) - MOST_MOVES),
        partizan=game_value_document(view.value),
    )


def _moves(options: Options) -> list[models.MoveDocument]:
    return [
        models.MoveDocument(
            name=option.name,
            key=key,
            move=as_json(option.move),
            position=code_of(option.position),
            value=_value_document(option.value),
            odds=_odds_document(option),
            note=note,
        )
        for option, key, note in zip(options, _keys(options), options.notes, strict=True)
    ]


def _keys(options: Sequence[Option]) -> list[str]:
    """Return the keys of moves for a match: their names, unless two moves share one."""
    name_counts = Counter(option.name.casefold() for option in options)
    return [
        option.name
        if name_counts[option.name.casefold()] == 1
        else json.dumps(as_json(option.move))
        for option in options
    ]


def _odds_document(option: Option) -> models.OddsDocument | None:
    if option.odds is None:
        return None
    weight, total = option.odds
    return models.OddsDocument(weight=weight, total=total)


def _value_document(value: Value) -> models.ValueDocument:
    return _known_document(value, value.outcome)


@lru_cache(maxsize=1 << 12)
def _known_document(value: Value, outcome: Outcome | None) -> models.ValueDocument:  # noqa: ARG001
    """Return the document of a value; games are equal whatever their outcomes are."""
    document = value.to_json()
    if not isinstance(value, ExpectedValue):
        document.pop("bounds", None)  # outcomes or scores, in part unknown, along a proof
    return models.ValueDocument(**document, text=str(value))


def _outcome_word(outcome: Outcome | None) -> Any:
    return str(outcome)


def _place(place: StartingPoint) -> models.PlaceDocument:
    mover: Any = place.mover
    return models.PlaceDocument(position=code_of(place.position), mover=mover)


def _points(match: Match, *, turned: bool) -> tuple[int, int]:
    """Return the points of each player in a match, including those at the end."""
    rules = match.solution.rules
    points = [0, 0]
    for played in match.played:
        points[played.player] += rules.gain(played.position, played.option.move)
    final = rules.final_score(match.position) if match.is_over else 0
    points[match.player if final > 0 else 1 - match.player] += abs(final)
    first, second = points[::-1] if turned else points
    return first, second


def _standing_document(match: Match, *, turned: bool) -> models.StandingDocument:
    value, player = match.value, match.player ^ turned
    ply, code = len(match.played), code_of(match.position)
    if isinstance(value, ExpectedValue):
        players, over = match.solution.rules.players, match.is_over
        prospects = prospects_of(value, match.points, player, players, over=over)
        return models.StandingDocument(
            ply=ply, position=code, remoteness=None, **prospects._asdict()
        )
    margin = None
    if value.score is not None:
        margin = match.solution.kind.words.final_margin(value, match.points)
        margin = margin if player == 0 else -margin
    favours: Any = None if match.favours is None else match.favours ^ turned
    return models.StandingDocument(
        ply=ply,
        position=code,
        favours=favours,
        remoteness=value.remoteness,
        margin=margin,
        text=match.prospects,
    )
