"""The results of an analysis, with names and a JSON form."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from zermelo.errors import ParameterError
from zermelo.forms.columns import Columns, columns_of_rows, flat_cells, one_batch
from zermelo.forms.quantities import count_phrase
from zermelo.game.parameters import as_json
from zermelo.values.kind import Kind
from zermelo.values.outcomes import Outcome, Value
from zermelo.values.results import Counts

#: Fields of a result that data frames omit.
_UNTOLD = {"position", "kind"}
#: The metadata of fields that JSON omits: pictures, which are longer than all other fields.
_PICTURED = {"pictured": True}
#: Keys by which the document of a value is recognised.
_VALUE = {"outcome", "remoteness", "score", "nimber"}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with bounds.

    In an exact analysis the bounds are certain, and usually equal to the number. In a sampled one
    they are a confidence interval of 95 %.

    Attributes:
        value: the number.
        low: the lower bound.
        high: the upper bound.
    """

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        """Return the number."""
        return self.value


@dataclass(frozen=True, slots=True)
class Play:
    """The results of the game from its start if both players play in one way.

    In each position a player blunders with a probability of ``blunders`` percent, and then makes
    any legal move, good ones included, with equal probability. Otherwise the player makes one of
    the best moves, with equal probability. This is the model of ``Opponent``. So 0 is perfect play
    and 100 uniformly random play.

    Attributes:
        blunders: the percentage of moves that are made at random.
        exact: whether the numbers were computed; if not, they were sampled.
        win: the probability that the first player wins (in a score game: ends ahead; None, as
            those of a draw and of a loss, if there are too many margins to scan, or chance).
        draw: the probability that the game ends as a draw (in a score game: even).
        loss: the probability that the second player wins.
        endless: the probability that the game never ends (sampled: not within 2,000 plies).
        length: the mean number of plies of the games that end; None if no game ends. A decision of
            chance is a ply, too.
        margin: in a score game, the mean margin of the first player; None if games with chance last
            too long to know it.
        deviation: in a score game, the standard deviation of the margin.
        games: the number of sampled games, or None.
    """

    blunders: int
    exact: bool
    win: Estimate | None
    draw: Estimate | None
    loss: Estimate | None
    endless: Estimate | None
    length: Estimate | None
    margin: Estimate | None = None
    deviation: float | None = None
    games: int | None = None

    @property
    def advantage(self) -> float | None:
        """The first player's probability of winning minus the second player's."""
        return None if self.win is None or self.loss is None else self.win.value - self.loss.value

    @property
    def name(self) -> str:
        """The name of this way of playing."""
        names = {0: "perfect play", 100: "random play"}
        return names.get(self.blunders, f"{self.blunders} % blunders")


@dataclass(frozen=True, slots=True)
class Branching:
    """The number of moves in positions in which the game is not over.

    Attributes:
        mean: the mean number of moves.
        most: the greatest number of moves.
        forced: the number of positions with a single move.
        histogram: the number of positions by the number of their moves.
    """

    mean: float
    most: int
    forced: int
    histogram: dict[int, int]


@dataclass(frozen=True, slots=True)
class Saving:
    """The number of positions in which only one move keeps the value, among those with a choice.

    Attributes:
        won: the number of won positions with a choice (in a score game: of all positions with a
            choice).
        single_win: the number of these in which only one move wins (in a score game: is best).
        drawn: the number of drawn positions with a choice.
        single_draw: the number of these in which only one move does not lose.
        winning_share: the share of the moves in the won positions that win.
        drawing_share: the share of the moves in the drawn positions that do not lose.
    """

    won: int
    single_win: int
    drawn: int
    single_draw: int
    winning_share: float | None
    drawing_share: float | None


@dataclass(frozen=True, slots=True)
class Trap:
    """A move that looks even and loses; see ``Traps``.

    Attributes:
        position: the position that the move is made in.
        ply: the least number of moves from the start to this position.
        move: the move.
        name: the game's name for the move.
        before: the value of the position.
        value: the value of the move, for the player who makes it.
        expected_score: the expected score of that player under random play after the move: a win
            counts 1, a draw or endless play one half (in a score game: the points that it loses).
        text: the position as text.
        svg: the position as an ``<svg>`` element.
    """

    position: Any
    ply: int
    move: Any
    name: str
    before: Value
    value: Value
    expected_score: float
    text: str
    svg: str = field(repr=False, compare=False, metadata=_PICTURED)


@dataclass(frozen=True, slots=True)
class Traps:
    """Moves that look even, or better, and lose.

    A move is a trap if the position is not lost, the move loses against perfect play, and its
    expected score under uniformly random play is at least one half (a win counts 1, a draw or
    endless play one half). It is tempting if no move that does not lose has a greater expected
    score. In a score game, a trap is a move that is not best and gains immediately at least as many
    points as every best move, and it is tempting if it gains more.

    Attributes:
        positions: the number of positions with a trap.
        moves: the number of moves that are traps.
        tempting: the number of these that are tempting.
        examples: the traps nearest to the start, the greatest expected score first.
    """

    positions: int
    moves: int
    tempting: int
    examples: tuple[Trap, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """A first move, together with equivalent ones, which are usually symmetric.

    First moves are equivalent if the positions after them are equivalent by the game's symmetries,
    or if the games that follow are the same, move for move.

    Attributes:
        moves: the moves.
        names: the game's names for the moves.
        value: the value of the moves for the first player.
        expected_score: the expected score of the first player under random play: a win counts 1, a
            draw or endless play one half (in a score game: the mean margin); None if it was not
            computed.
    """

    moves: tuple[Any, ...]
    names: tuple[str, ...]
    value: Value
    expected_score: float | None


@dataclass(frozen=True, slots=True)
class Pie:
    """The effect of a pie rule: after the first move, the second player may change sides.

    Attributes:
        fair: whether perfect play is a draw under the rule.
        winner: the player who wins under the rule, or None.
        margin: in a score game, the margin by which the second player wins under the rule.
        opening: the names of the first moves that are best under the rule.
        sentence: a sentence with the result.
    """

    fair: bool
    winner: str | None
    margin: int | None
    opening: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Forced:
    """The longest forced win, against the longest resistance.

    Attributes:
        position: the position in which it begins.
        remoteness: the plies that it takes.
        names: the names of the moves of such a line; at most the first 200.
        text: the position as text.
        svg: the position as an ``<svg>`` element.
    """

    position: Any
    remoteness: int
    names: tuple[str, ...]
    text: str
    svg: str = field(repr=False, compare=False, metadata=_PICTURED)


@dataclass(frozen=True, slots=True)
class Ply:
    """The number of positions of each outcome that first arise after a number of moves.

    Attributes:
        ply: the number of moves.
        win: the number of positions that the first player wins (in a score game: with a margin
            above 0 from there on).
        draw: the number of drawn positions.
        loss: the number of positions that the second player wins.
    """

    ply: int
    win: int
    draw: int
    loss: int


@dataclass(frozen=True, slots=True)
class PlayLuck:
    """What chance changes, and what moves give away, in games played in one way.

    An amount is a probability of winning, a draw counting half; in a score game it is in points.
    Only games that end count. A number is None if no game ends, or if it is not known well enough.

    Attributes:
        blunders: the percentage of moves that are made at random; see ``Play``.
        rolls: the mean number of decisions of chance in a game.
        swing: the mean absolute change of the expectation by one of them.
        moves: the mean number of moves of both players in a game.
        lost: the mean amount that a move gives away.
        decisions: the mean number of moves in a game where another move would give something away.
    """

    blunders: int
    rolls: float | None
    swing: float | None
    moves: float | None
    lost: float | None
    decisions: float | None


@dataclass(frozen=True, slots=True)
class Luck:
    """How much luck and how much choice there is in a game with chance.

    Attributes:
        rolls: the number of positions in which chance decides.
        choices: the number of positions in which a player has two moves or more.
        decisions: the number of these in which some move gives something away.
        single: the number of these in which only one move may be best.
        plays: the luck of each way of playing, from perfect to random.
    """

    rolls: int
    choices: int
    decisions: int
    single: int
    plays: tuple[PlayLuck, ...]


class Results(list[Any], Columns):
    """A list of results of one kind, such as openings. As columns, a row is a result."""

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        rows = [dict(flat_cells("", _plain_document(as_document(item)))) for item in self]
        return one_batch(columns_of_rows(rows))


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Columns):
    """The balance, length, traps and openings of a solved game; made by ``Solution.analyse``.

    A notebook shows it as a report with plots. As columns (``to_pandas``, ``to_arrow``) it is one
    row of numbers, so that the analyses of several games make a table; ``rows`` returns its lists.

    Attributes:
        game: the name of the game's class.
        title: the game in words, with its size.
        parameters: the parameters of the game.
        players: the names of the players, beginning with the player who moves first.
        kind: the kind of value that positions have.
        value: the value of the start for the player who moves first.
        winner: the name of the player who wins under perfect play, or None; None in a game with
            chance.
        exact: whether all numbers were computed from the whole table; if not, some are sampled, as
            their own ``exact`` states, and those that need the whole table are None.
        positions: the number of positions.
        classes: the number of classes of equivalent positions; all further numbers except
            ``counts`` count classes.
        moves: the number of moves in all positions, or None.
        counts: the number of positions by outcome and remoteness, or by score.
        plays: the results of ways of playing, from perfect to random.
        branching: the number of moves in a position.
        saving: the number of positions in which only one move keeps the value.
        traps: moves that look even and lose, or None.
        openings: the first moves, best first.
        pie: the effect of a pie rule, or None if the rule does not apply.
        longest: the longest forced win, or None if there is none.
        plies: the positions by the number of moves after which they arise, or empty.
        samples: the number of sampled games, and the most sampled positions; None if nothing was
            sampled.
        seed: the seed of the samples.
        seconds: wall-clock seconds of the analysis.
        luck: how much luck there is in a game with chance; None in other games.
    """

    game: str
    title: str
    parameters: dict[str, Any]
    players: tuple[str, str]
    kind: Kind
    value: Value
    winner: str | None
    exact: bool
    positions: int
    classes: int
    moves: int | None
    counts: Counts
    plays: tuple[Play, ...]
    branching: Branching
    saving: Saving
    traps: Traps | None
    openings: tuple[Opening, ...]
    pie: Pie | None
    longest: Forced | None
    plies: tuple[Ply, ...]
    samples: int | None
    seed: int
    seconds: float
    luck: Luck | None = None

    @property
    def random(self) -> Play:
        """The results of uniformly random play."""
        return self.plays[-1]

    def play(self, blunders: int) -> Play:
        """Return the results of one of the ways of playing.

        Args:
            blunders: the percentage of random moves.

        Raises:
            KeyError: this percentage was not analysed.
        """
        for play in self.plays:
            if play.blunders == blunders:
                return play
        analysed = ", ".join(str(play.blunders) for play in self.plays)
        message = f"blunders={blunders!r} were not analysed; those that were are {analysed}"
        raise KeyError(message)

    def rows(self, name: str) -> Results:
        """Return one of the lists of the analysis, which can be converted to a data frame.

        Args:
            name: ``"plays"``, ``"openings"``, ``"plies"`` or ``"traps"`` (the examples).

        Raises:
            ParameterError: no list has this name.
        """
        lists: dict[str, Any] = {"plays": self.plays, "openings": self.openings,
                                 "plies": self.plies}  # fmt: skip
        lists["traps"] = () if self.traps is None else self.traps.examples
        if name not in lists:
            message = f"name={name!r} is not a list of an analysis; use one of {', '.join(lists)}"
            raise ParameterError(message)
        return Results(lists[name])

    def summary(self) -> dict[str, Any]:
        """Return the most important numbers as cells of one row."""
        document = _plain_document(as_document(self))
        random = {**document["plays"][-1], "name": None}
        nested = {
            name: document[name]
            for name in ("game", "parameters", "value", "winner", "exact", "positions", "classes",
                         "moves", "branching", "saving")
        }  # fmt: skip
        nested["counts"] = {n: document["counts"][n] for n in ("win", "tie", "endless", "loss")}
        nested["branching"] = {n: nested["branching"][n] for n in ("mean", "most", "forced")}
        names = ("win", "draw", "loss", "endless", "length", "margin")
        nested["random"] = {n: random[n] for n in names if random[n] is not None}
        for name, keys in (("traps", ("positions", "moves", "tempting")), ("pie", ("fair",)),
                           ("longest", ("remoteness",))):  # fmt: skip
            entry = document[name] or {}
            nested[name] = {key: entry.get(key) for key in keys}
        if self.luck is not None:
            best, random_luck = self.luck.plays[0], self.luck.plays[-1]
            nested["luck"] = {"rolls": best.rolls, "swing": best.swing}
            nested["luck"] |= {"decisions": best.decisions, "lost": random_luck.lost}
        nested["seconds"] = self.seconds
        return dict(flat_cells("", nested))

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(columns_of_rows([self.summary()]))

    def __repr__(self) -> str:
        """Return the game, its value and the number of positions."""
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        positions = count_phrase(self.positions, "positions")
        return f"<Analysis of {self.game}({arguments}): {self.value}; {positions}>"

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values: dictionaries, lists, strings and numbers."""
        document: dict[str, Any] = as_document(self)
        return document


def _plain_document(value: object) -> Any:
    """Return a document with the numbers of estimates, and only the names of moves."""
    if isinstance(value, dict):
        if value.keys() == {"value", "low", "high"}:
            return value["value"]
        entries = {name: each for name, each in value.items() if name not in _UNTOLD}
        if "names" in value:
            entries = {**entries, "names": ", ".join(value["names"])}
            entries.pop("moves", None)
        if value.keys() >= _VALUE:
            entries = {name: each for name, each in entries.items() if each is not None}
        return {name: _plain_document(each) for name, each in entries.items()}
    if isinstance(value, list):
        return [_plain_document(item) for item in value]
    return value


def as_document(value: Any) -> Any:
    """Return a result as JSON values: dictionaries, lists, strings and numbers."""
    if isinstance(value, Counts):
        counts = {name: getattr(value, name) for name in ("win", "draw", "loss", "tie", "endless")}
        remoteness_counts = [
            [str(o), remoteness, n] for (o, remoteness), n in value.by_remoteness.items()
        ]
        scores = [[score, n] for score, n in value.by_score.items()]
        nimbers = [[nimber, n] for nimber, n in value.by_nimber.items()]
        infinities = [[list(k), n] for k, n in value.by_infinity.items()]
        every = {"by_remoteness": remoteness_counts, "by_score": scores, "by_nimber": nimbers}
        return {**counts, **every, "by_infinity": infinities}
    if isinstance(value, Kind):
        return value.name
    if isinstance(value, Outcome):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value) if not field.metadata.get("pictured")]
        document = {name: as_document(getattr(value, name)) for name in names}
        if isinstance(value, Play):
            document["advantage"] = value.advantage
        return document
    if isinstance(value, dict):
        return {str(key): as_document(each) for key, each in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return [as_document(item) for item in value]
    return as_json(value)
