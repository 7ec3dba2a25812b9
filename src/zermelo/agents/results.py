"""The results of an evaluation of an agent, as classes with a JSON form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zermelo.analysis.results import Estimate, as_document
from zermelo.forms.columns import Columns, columns_of_rows, one_batch
from zermelo.values.kind import Kind
from zermelo.values.outcomes import Value


@dataclass(frozen=True, slots=True)
class Rates:
    """How an agent chooses among the moves of some positions.

    If the numbers are exact, an estimate's bounds equal its value; if positions or games were
    sampled, they are a 95 % confidence interval. None stands for a share of nothing. In a game with
    chance ``losing``, ``throwing`` and ``plies`` are None, as nothing is won or lost for sure.

    Attributes:
        moves: the number of moves; of games, the average number per game.
        decisions: the share of positions in which not all moves are equally good.
        perfect: the share of best moves: those that keep the value and the distance to the end.
        keeping: the share of moves that keep the value (win, draw or loss, or the score), though
            perhaps not the distance.
        losing: the share of moves that turn a position that is not lost into a lost one.
        throwing: of the moves in won positions, the share that throws the win away.
        regret: the average value that a move gives away: 2 from a win to a loss, 1 from a win to a
            draw or from a draw to a loss; in a score game, points. In a game with chance it is at
            least this much of the probability of winning (a draw counting half), or of the expected
            points.
        plies: of moves that keep the value, the average number of plies by which a move delays a
            win or a tie, or hastens a loss.
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
        ply: the number of moves made before, from the start; for all positions, the smallest number
            possible.
        rates: how the agent chooses.
    """

    ply: int
    rates: Rates


@dataclass(frozen=True, slots=True)
class ValueRates:
    """How an agent chooses in positions of one value.

    Attributes:
        value: the value of the positions for the agent.
        rates: how the agent chooses there.
    """

    value: Value
    rates: Rates


@dataclass(frozen=True, slots=True)
class Slip:
    """A move of an agent that is not a best one.

    Attributes:
        position: the position that the move is made in.
        ply: the number of moves made before; None if it is not known.
        move: the move.
        name: the move's name.
        best_names: the names of the best moves.
        before: the value that a best move keeps.
        value: the value after the move.
        mistake: the effect of the move, such as ``turned a win in 5 into a draw``.
        chance: the average number of times it is made in a game; None for all positions.
        text: the position as text.
        svg: the position as an ``<svg>`` element.
    """

    position: Any
    ply: int | None
    move: Any
    name: str
    best_names: tuple[str, ...]
    before: Value
    value: Value
    mistake: str
    chance: float | None
    text: str
    svg: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class GameResult:
    """How an agent's games against one player end.

    Attributes:
        opponent: ``"perfect"``, who chooses among the best moves, or ``"random"``, who chooses
            among all moves, each with the same probability.
        player: the name of the player that the agent is.
        win: the probability that the agent wins (in a score game: ends ahead).
        draw: the probability of a draw.
        loss: the probability that the agent loses.
        unfinished: the probability that a game goes on for more than 1,000 plies.
        spoiled: the probability that the agent gives value away somewhere in a game.
        length: the average number of plies of games that end; a decision of chance is one, too.
        margin: in a score game, the average number of points that the agent is ahead.
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
        name: ``all positions``, or a name such as ``against random play, as X``.
        exact: whether the numbers are exact; if not, they were sampled.
        asked: the number of positions in which the agent chose a move.
        samples: the number of positions or games that were sampled; None if all were measured.
        rates: how the agent chooses.
        plies: the rates by ply, if plies are known.
        values: the rates by the value of the position, best first; in a game with chance the bounds
            of the value are those of a group: a sixteenth of the results, or a power of two.
        worst: the worst moves that are not best ones, one for each class of equivalent positions;
            in games, weighted by how often they are made.
        result: how the games end; None for all positions.
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
    """How an agent plays, measured against perfect play; returned by ``zermelo.evaluate``.

    As columns (``to_pandas``, ``to_arrow``), each row is one of ``measured``. A notebook shows the
    report, and ``zermelo.agents.report.write`` writes it as a page.

    Attributes:
        agent: the name of the agent.
        game: the name of the game's class, ``graph`` or ``pursuit``.
        title: the game in words.
        parameters: the game's parameters.
        players: the names of the players, the first one first.
        kind: the kind of value.
        positions: the number of positions in the solution, one of each class of equivalent ones.
        everywhere: how the agent chooses in all positions of the solution.
        games: how the agent chooses in its own games: against perfect play and against random play,
            as the first player and as the second.
        seed: the seed of the samples.
        seconds: the wall-clock time that the evaluation took, in seconds.
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
        """The results over all positions, and then those over games."""
        return (self.everywhere, *self.games)

    @property
    def throws_wins(self) -> bool:
        """Whether the agent throws away a win in some position that was measured."""
        shares = (measured.rates.throwing for measured in self.measured)
        return any(share is not None and share.value > 0 for share in shares)

    @property
    def is_perfect(self) -> bool:
        """Whether the agent makes a best move in every position that was measured."""
        shares = (measured.rates.perfect for measured in self.measured)
        return all(share is None or share.value >= 1 for share in shares)

    def against(self, opponent: str, player: str | int = 0) -> Measured:
        """Return the measures of the agent in its games against one player.

        Args:
            opponent: ``"perfect"`` or ``"random"``.
            player: the player that the agent is, by number or name.

        Raises:
            KeyError: there are no such games.
        """
        name = self.players[player] if isinstance(player, int) and player in (0, 1) else player
        for measured in self.games:
            if measured.result is not None and (
                measured.result.opponent,
                measured.result.player,
            ) == (
                opponent,
                name,
            ):
                return measured
        message = (
            f"there are no games against {opponent!r} as {player!r}; use 'perfect' or 'random', "
            f"and 0, 1 or one of {', '.join(self.players)}"
        )
        raise KeyError(message)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values: dictionaries, lists, strings and numbers."""
        document: dict[str, Any] = as_document(self)
        document["throws_wins"] = self.throws_wins
        document["perfect"] = self.is_perfect
        return document

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        return one_batch(columns_of_rows(evaluation_rows(self)))

    def __repr__(self) -> str:
        """Return the agent, the game and the share of perfect moves."""
        share = self.everywhere.rates.perfect
        share_text = "no moves" if share is None else f"{100 * share.value:.2f} % perfect"
        return f"<Evaluation of {self.agent} on {self.title}: {share_text} in all positions>"


def evaluation_rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the numbers of ``measured``, as one dictionary of cells per thing measured."""
    return [_cells(evaluation, measured) for measured in evaluation.measured]


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
