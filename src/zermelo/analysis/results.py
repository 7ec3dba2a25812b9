"""What an analysis finds, as named results with a JSON form."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from typing import Any

from zermelo.errors import ParameterError
from zermelo.forms.columns import Columns, flat, gathered, one_batch
from zermelo.forms.quantities import counted
from zermelo.game.parameters import plain
from zermelo.values.kind import Kind
from zermelo.values.outcomes import Outcome, Value
from zermelo.values.results import Counts

#: What data frames leave out of a result.
_UNTOLD = {"position", "kind"}
#: Fields that documents leave out: pictures, which are longer than all the rest.
_PICTURED = {"pictured": True}
#: What tells that a document is that of a value.
_VALUE = {"outcome", "remoteness", "score", "nimber"}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and between which bounds it lies.

    Where the analysis is exact, the bounds are certain, and as a rule the number itself. Where it
    is sampled, they are an interval of 95 % confidence.

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
    """What the game comes to, from its start, if both players play in one way.

    In each position a player blunders with a probability of ``blunders`` percent, and then makes
    any move at all, each as likely as the next, a good one perhaps. Otherwise the move is one of
    the best, each as likely as the next. This is the model of ``Opponent``. So 0 is perfect play
    and 100 uniformly random play.

    Attributes:
        blunders: how many moves in a hundred are made at random.
        exact: whether this was worked out; if not, it was sampled.
        win: the probability that the first player wins (in a score game: ends ahead; None, as
            those of a draw and of a loss, where there are too many margins to scan).
        draw: the probability that the game ends as a draw (in a score game: even).
        loss: the probability that the second player wins.
        endless: the probability that the game never ends (sampled: not within 2,000 plies).
        length: plies to the end on average, over the games that end; None if none does.
        margin: in a score game, the first player's margin on average.
        deviation: in a score game, the margin's standard deviation.
        games: how many games were sampled, or None.
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
        """The first player's probability of winning, less the second player's."""
        return None if self.win is None or self.loss is None else self.win.value - self.loss.value

    @property
    def name(self) -> str:
        """What this way of playing is called."""
        names = {0: "perfect play", 100: "random play"}
        return names.get(self.blunders, f"{self.blunders} % blunders")


@dataclass(frozen=True, slots=True)
class Branching:
    """How many moves positions have, those excepted in which the game is over.

    Attributes:
        mean: moves on average.
        most: the most moves.
        forced: positions with a single move.
        histogram: positions by how many moves they have.
    """

    mean: float
    most: int
    forced: int
    histogram: dict[int, int]


@dataclass(frozen=True, slots=True)
class Saving:
    """How often one move alone keeps what a position is worth, of positions with a choice.

    Attributes:
        won: won positions with a choice (in a score game: all positions with a choice).
        single_win: of these, those where one move alone wins (score games: is best).
        drawn: drawn positions with a choice.
        single_draw: of these, those where one move alone does not lose.
        winning_share: of the moves in the won positions, the share that wins.
        drawing_share: of the moves in the drawn positions, the share that does not lose.
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
        position: where it is made.
        ply: after how many moves from the start this can arise.
        move: the move.
        name: what the game calls it.
        before: what the position is worth.
        value: what the move is worth to the player who makes it.
        looks: under random play, the chance of a win after it and half of that of no decision (in
            a score game: what the move loses).
        text: the position as text.
        svg: the position as an ``<svg>`` element.
    """

    position: Any
    ply: int
    move: Any
    name: str
    before: Value
    value: Value
    looks: float
    text: str
    svg: str = field(repr=False, compare=False, metadata=_PICTURED)


@dataclass(frozen=True, slots=True)
class Traps:
    """Moves that look even, or better, and lose.

    A move is a trap where the position is not lost, the move loses against perfect play, and
    uniformly random play after it gives the player who made it at least one half, a win counted as
    one and a game that nobody wins as one half. It is tempting where every move that does not lose
    looks no better by that measure. In a score game, a trap is a move that is not best and gains at
    least as many points at once as every best move, and it is tempting where it gains more.

    Attributes:
        positions: positions with a trap.
        moves: how many moves are traps.
        tempting: how many of these are tempting.
        examples: the traps nearest to the start, those that look best first.
    """

    positions: int
    moves: int
    tempting: int
    examples: tuple[Trap, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """A first move, with those that come to the same: symmetric ones, as a rule.

    Moves are the same where the game's symmetries make the positions after them one, or where the
    game ahead is the same, move for move.

    Attributes:
        moves: the moves.
        names: what the game calls them.
        value: what they are worth to the first player.
        random: what they are worth to the first player under random play: the chance of a win and
            half of that of no decision (in a score game: the margin on average); None if not
            worked out.
    """

    moves: tuple[Any, ...]
    names: tuple[str, ...]
    value: Value
    random: float | None


@dataclass(frozen=True, slots=True)
class Pie:
    """What a pie rule would do: after the first move, the second player may change sides.

    Attributes:
        fair: whether perfect play is a draw under the rule.
        winner: the player who wins under the rule, or None.
        margin: in a score game, by how much the second player wins under the rule.
        opening: the names of the first moves that are best under the rule.
        sentence: the same in words.
    """

    fair: bool
    winner: str | None
    margin: int | None
    opening: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Forced:
    """The longest forced win there is, against the longest resistance.

    Attributes:
        position: where it begins.
        remoteness: how many plies it takes.
        names: the moves of one such line, by name; cut after the first 200.
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
    """The positions that first arise after this many moves, by what they are worth.

    Attributes:
        ply: the number of moves.
        win: positions won for the first player (score games: ahead from there on).
        draw: positions drawn.
        loss: positions won for the second player.
    """

    ply: int
    win: int
    draw: int
    loss: int


class Results(list[Any], Columns):
    """Results of one kind, such as openings, that are also flat columns: a row each."""

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        rows = [dict(flat("", _told(as_document(each)))) for each in self]
        return one_batch(gathered(rows))


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Columns):
    """What a solved game is like to play. ``Solution.analyse`` makes it.

    A notebook shows it as a report with plots. As columns (``to_pandas``, ``to_arrow``) it is one
    row of numbers, so that those of several games make a table; ``rows`` has the lists in it.

    Attributes:
        game: the name of the game's class.
        title: the game in words, with its size.
        parameters: its parameters.
        players: the names of the players; the one who begins is the first here.
        kind: the kind of value that positions have.
        value: what the start is worth to the player who begins.
        winner: who wins under perfect play, or None.
        exact: whether everything was worked out from the whole table; if not, what is sampled
            says so, and what needs the whole table is None.
        positions: how many positions there are.
        classes: how many of them are held, those that symmetries make one counted once; all that
            follows counts classes, ``counts`` excepted.
        moves: how many moves there are in all, or None.
        counts: positions by outcome and remoteness, or by score.
        plays: ways of playing, from perfect to random.
        branching: how many moves positions have.
        saving: how often one move alone keeps the value.
        traps: moves that look even and lose, or None.
        openings: the first moves, best first.
        pie: what a pie rule would do, or None where it makes no sense.
        longest: the longest forced win, or None where there is none.
        plies: positions by the move at which they arise, or empty.
        samples: how many games, and how many positions at most, were sampled; None where none were.
        seed: the seed of what was sampled.
        seconds: wall seconds the analysis took.
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

    @property
    def random(self) -> Play:
        """What random play comes to."""
        return self.plays[-1]

    def play(self, blunders: int) -> Play:
        """Return what one of the ways of playing comes to.

        Args:
            blunders: the blunders in a hundred moves.

        Raises:
            KeyError: it was not asked for.
        """
        for play in self.plays:
            if play.blunders == blunders:
                return play
        asked = ", ".join(str(play.blunders) for play in self.plays)
        message = f"blunders={blunders!r} were not analysed; those that were are {asked}"
        raise KeyError(message)

    def rows(self, name: str) -> Results:
        """Return one of the lists in it with the means to make a data frame of it.

        Args:
            name: ``"plays"``, ``"openings"``, ``"plies"`` or ``"traps"`` (the examples).

        Raises:
            ParameterError: it has no such list.
        """
        lists: dict[str, Any] = {"plays": self.plays, "openings": self.openings,
                                 "plies": self.plies}  # fmt: skip
        lists["traps"] = () if self.traps is None else self.traps.examples
        if name not in lists:
            message = f"name={name!r} is not a list of an analysis; use one of {', '.join(lists)}"
            raise ParameterError(message)
        return Results(lists[name])

    def summary(self) -> dict[str, Any]:
        """Return the numbers that say most of the game, as cells of one row."""
        document = _told(as_document(self))
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
            found = document[name] or {}
            nested[name] = {key: found.get(key) for key in keys}
        nested["seconds"] = self.seconds
        return dict(flat("", nested))

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(gathered([self.summary()]))

    def __repr__(self) -> str:
        """Return the game, its value and how many positions there are."""
        made = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        positions = counted(self.positions, "positions")
        return f"<Analysis of {self.game}({made}): {self.value}; {positions}>"

    def _repr_html_(self) -> str:
        """Return the report, for notebooks; without plots, if what draws them is missing."""
        # By name, as the report knows this class.
        forms = import_module("zermelo.analysis.notebook")
        text: str = forms.shown(self)
        return text

    def to_json(self) -> dict[str, Any]:
        """Return everything as what JSON can hold: dictionaries, lists, texts and numbers."""
        document: dict[str, Any] = as_document(self)
        return document


def _told(value: Any) -> Any:
    """Return a document with estimates as their numbers, and moves by their names alone."""
    if isinstance(value, dict):
        if value.keys() == {"value", "low", "high"}:
            return value["value"]
        shown = {name: each for name, each in value.items() if name not in _UNTOLD}
        if "names" in value:
            shown = {**shown, "names": ", ".join(value["names"])}
            shown.pop("moves", None)
        if value.keys() >= _VALUE:
            shown = {name: each for name, each in shown.items() if each is not None}
        return {name: _told(each) for name, each in shown.items()}
    if isinstance(value, list):
        return [_told(each) for each in value]
    return value


def as_document(value: Any) -> Any:
    """Return a result as what JSON can hold: dictionaries, lists, texts and numbers."""
    if isinstance(value, Counts):
        counts = {name: getattr(value, name) for name in ("win", "draw", "loss", "tie", "endless")}
        by = [[str(o), remoteness, n] for (o, remoteness), n in value.by_remoteness.items()]
        scores = [[score, n] for score, n in value.by_score.items()]
        nimbers = [[nimber, n] for nimber, n in value.by_nimber.items()]
        infinities = [[list(k), n] for k, n in value.by_infinity.items()]
        every = {"by_remoteness": by, "by_score": scores, "by_nimber": nimbers}
        return {**counts, **every, "by_infinity": infinities}
    if isinstance(value, Kind):
        return value.name
    if isinstance(value, Outcome):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        told = [each.name for each in fields(value) if not each.metadata.get("pictured")]
        document = {name: as_document(getattr(value, name)) for name in told}
        if isinstance(value, Play):
            document["advantage"] = value.advantage
        return document
    if isinstance(value, dict):
        return {str(key): as_document(each) for key, each in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return [as_document(each) for each in value]
    return plain(value)
