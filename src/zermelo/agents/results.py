"""What an evaluation of an agent finds, as named results with a JSON form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from zermelo.analysis.results import Estimate, as_document
from zermelo.forms.columns import Columns, gathered, one_batch
from zermelo.values.kind import Kind
from zermelo.values.outcomes import Value


@dataclass(frozen=True, slots=True)
class Rates:
    """How an agent chooses among the moves of some positions.

    Where they are exact, an estimate's bounds are the number itself; where positions or games were
    sampled, they are an interval of 95 % confidence. None stands for a share of nothing.

    Attributes:
        moves: how many moves these are; of games, how many a game on average.
        decisions: the share of positions in which not all moves are equally good.
        perfect: the share of best moves: they keep the value, and the distance to the end.
        keeping: the share of moves that keep the value (win, draw or loss, or the score), though
            perhaps not the distance.
        losing: the share of moves that leave the agent lost where it was not.
        throwing: of the moves in won positions, the share that throws the win away.
        regret: the value that a move gives away on average: 2 from a win to a loss, 1 from a win to
            a draw or from a draw to a loss; in a score game, points.
        plies: of moves that keep the value, by how many plies one delays a win or a tie, or hurries
            a loss, on average.
        random: the share of best moves that random moves in the same positions would have.
    """

    moves: float
    decisions: Estimate | None
    perfect: Estimate | None
    keeping: Estimate | None
    losing: Estimate | None
    throwing: Estimate | None
    regret: Estimate | None
    plies: Estimate | None
    random: Estimate | None


@dataclass(frozen=True, slots=True)
class PlyRates:
    """How an agent chooses at one ply.

    Attributes:
        ply: moves made before, from the start; of all positions, as few as can be.
        rates: how it chooses.
    """

    ply: int
    rates: Rates


@dataclass(frozen=True, slots=True)
class ValueRates:
    """How an agent chooses in positions of one value.

    Attributes:
        value: what the positions are worth to the agent.
        rates: how it chooses there.
    """

    value: Value
    rates: Rates


@dataclass(frozen=True, slots=True)
class Slip:
    """A move of an agent that is not a best one.

    Attributes:
        position: where it is made.
        ply: moves made before; None where that is not known.
        move: the move.
        name: what the game calls it.
        best: the names of the best moves.
        before: what a best move is worth.
        value: what the move is worth.
        mistake: what it did, such as ``turned a win in 5 into a draw``.
        chance: how often it is made in a game; None of all positions.
        shown: the position as text.
        picture: the position as an ``<svg>`` element.
    """

    position: Any
    ply: int | None
    move: Any
    name: str
    best: tuple[str, ...]
    before: Value
    value: Value
    mistake: str
    chance: float | None
    shown: str
    picture: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class GameResult:
    """How an agent's games against one player end.

    Attributes:
        opponent: ``"perfect"``, who chooses among the best moves, or ``"random"``, who chooses
            among all, each as likely as the next.
        player: the name of the player that the agent is.
        win: the chance that the agent wins (in a score game: ends ahead).
        draw: the chance of a draw.
        loss: the chance that the agent loses.
        unfinished: the chance that a game goes on for more than 1,000 plies.
        spoiled: the chance that the agent gives value away somewhere in a game.
        length: plies of a game that ends, on average.
        margin: in a score game, the points that the agent is ahead on average.
    """

    opponent: str
    player: str
    win: Estimate
    draw: Estimate
    loss: Estimate
    unfinished: Estimate
    spoiled: Estimate
    length: float | None
    margin: Estimate | None


@dataclass(frozen=True, slots=True)
class Measured:
    """How an agent chooses in all positions, or in those that its games pass through.

    Attributes:
        name: ``all positions``, or such as ``against random play, as X``.
        exact: whether the numbers are exact; if not, they were sampled.
        asked: for how many positions the agent chose a move.
        samples: how many positions or games were sampled; None where all were measured.
        rates: how it chooses.
        plies: the same by ply, where plies are known.
        values: the same by the value of the position, best first.
        worst: the worst of the moves that are not best ones, one of those that symmetries make
            equal; in games, by how often they are made.
        result: how the games end; None of all positions.
    """

    name: str
    exact: bool
    asked: int
    samples: int | None
    rates: Rates
    plies: tuple[PlyRates, ...]
    values: tuple[ValueRates, ...]
    worst: tuple[Slip, ...]
    result: GameResult | None = None


@dataclass(frozen=True, repr=False)
class Evaluation(Columns):
    """How an agent plays, measured against perfect play; made by ``zermelo.evaluate``.

    As columns (``to_pandas``, ``to_arrow``) a row is one of ``measured``. A notebook shows the
    report, and ``zermelo.agents.report.write`` makes a page of it.

    Attributes:
        agent: the name of the agent.
        game: the name of the game's class, ``graph`` or ``pursuit``.
        title: the game in words.
        parameters: the game's parameters.
        players: the names of the players, the first one first.
        kind: the kind of value.
        positions: how many positions the solution has, one of each class of equivalent ones.
        everywhere: how the agent chooses in all positions of the solution.
        games: how it chooses in its own games: against perfect play and against random play, as
            the first player and as the second.
        seed: the seed of what was sampled.
        seconds: wall seconds it took.
    """

    agent: str
    game: str
    title: str
    parameters: dict[str, Any]
    players: tuple[str, str]
    kind: Kind
    positions: int
    everywhere: Measured
    games: tuple[Measured, ...]
    seed: int
    seconds: float

    @property
    def measured(self) -> tuple[Measured, ...]:
        """All positions, and the games."""
        return (self.everywhere, *self.games)

    @property
    def throws_wins(self) -> bool:
        """Whether the agent throws away a win in some position that was measured."""
        shares = (each.rates.throwing for each in self.measured)
        return any(share is not None and share.value > 0 for share in shares)

    @property
    def perfect(self) -> bool:
        """Whether the agent makes a best move in every position that was measured."""
        shares = (each.rates.perfect for each in self.measured)
        return all(share is None or share.value >= 1 for share in shares)

    def against(self, opponent: str, player: int | str = 0) -> Measured:
        """Return how the agent chooses in its games against one player.

        Args:
            opponent: ``"perfect"`` or ``"random"``.
            player: the player that the agent is, by number or name.

        Raises:
            KeyError: there are no such games.
        """
        name = self.players[player] if isinstance(player, int) and player in (0, 1) else player
        for each in self.games:
            if each.result is not None and (each.result.opponent, each.result.player) == (
                opponent,
                name,
            ):
                return each
        message = (
            f"there are no games against {opponent!r} as {player!r}; use 'perfect' or 'random', "
            f"and 0, 1 or one of {', '.join(self.players)}"
        )
        raise KeyError(message)

    def to_json(self) -> dict[str, Any]:
        """Return everything as what JSON can hold: dictionaries, lists, texts and numbers."""
        document: dict[str, Any] = as_document(self)
        document["throws_wins"] = self.throws_wins
        document["perfect"] = self.perfect
        return document

    def rows(self) -> list[dict[str, Any]]:
        """Return the numbers of ``measured``, a dictionary of cells for each."""
        return [_cells(self, each) for each in self.measured]

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(gathered(self.rows()))

    def __repr__(self) -> str:
        """Return the agent, the game and how often the agent is perfect."""
        share = self.everywhere.rates.perfect
        told = "no moves" if share is None else f"{100 * share.value:.2f} % perfect"
        return f"<Evaluation of {self.agent} on {self.title}: {told} in all positions>"

    def __str__(self) -> str:
        """Return the table of all that was measured, and the worst move."""
        # By name, as the words know this class.
        words = import_module("zermelo.agents.sentences")
        text: str = words.told([self])
        return text

    def _repr_html_(self) -> str:
        """Return the report, for notebooks; without plots, if what draws them is missing."""
        shown = import_module("zermelo.agents.notebook")
        text: str = shown.shown([self])
        return text


class Comparison(list[Evaluation], Columns):
    """Evaluations side by side, such as of two agents on one game.

    A notebook shows them as one report. As columns (``to_pandas``, ``to_arrow``) a row is one of
    the things measured of one agent; ``print`` writes a table of them.
    """

    def __init__(self, evaluations: Iterable[Evaluation] = ()) -> None:
        """Put evaluations side by side."""
        super().__init__(evaluations)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(gathered([row for each in self for row in each.rows()]))

    def __str__(self) -> str:
        """Return a table of all that was measured."""
        words = import_module("zermelo.agents.sentences")
        text: str = words.told(self)
        return text

    def _repr_html_(self) -> str:
        """Return the report, for notebooks."""
        shown = import_module("zermelo.agents.notebook")
        text: str = shown.shown(self)
        return text


def _cells(evaluation: Evaluation, measured: Measured) -> dict[str, Any]:
    """Return the numbers of one thing measured, without bounds."""
    cells: dict[str, Any] = {
        "agent": evaluation.agent, "measured": measured.name, "exact": measured.exact,
        "asked": measured.asked, "moves": measured.rates.moves,
    }  # fmt: skip
    for name in ("decisions", "perfect", "keeping", "losing", "throwing", "regret", "plies",
                 "random"):  # fmt: skip
        estimate = getattr(measured.rates, name)
        cells[name] = None if estimate is None else estimate.value
    for name in ("win", "draw", "loss", "unfinished", "spoiled", "margin"):
        estimate = None if measured.result is None else getattr(measured.result, name)
        cells[name] = None if estimate is None else estimate.value
    return cells
