"""``zermelo.evaluate``: measures an agent against a solution."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.agents import tally as columns
from zermelo.agents.agent_games import (
    AgentGames,
    AgentSide,
    GameEndings,
    TooManyPositionsError,
)
from zermelo.agents.agent_queries import Agent, AgentQueries
from zermelo.agents.all_positions import ask_all_positions, ask_sampled_positions
from zermelo.agents.notebook import EvaluationReport
from zermelo.agents.results import Evaluation, GameResult, Measured, PlyRates, Slip, ValueRates
from zermelo.agents.tally import (
    DIGITS,
    AgentTally,
    exact_estimate,
    is_scored,
    rates,
    ratio_estimate,
)
from zermelo.analysis.results import Estimate
from zermelo.errors import ParameterError
from zermelo.progress import Listener, Reporter
from zermelo.solution.dataset.expected_values import move_values_of
from zermelo.solution.dataset.moves import PositionSource, source_of
from zermelo.values.expectations import Expectations

if TYPE_CHECKING:
    import numpy.typing as npt

    from zermelo.solution.solution import Solution

#: The opponents that an agent is measured against.
_OPPONENTS = ("perfect", "random")


def evaluate(
    agent: Agent,
    solution: Solution,
    *,
    name: str | None = None,
    exact_up_to: int = 10_000_000,
    samples: int = 20_000,
    seed: int = 0,
    progress: Listener | None = None,
) -> Evaluation:
    """Measure how an agent plays: how often it errs, where, and what its errors cost.

    It is measured in all positions of the solution, and in the positions that its own games pass
    through: against a perfect player, who chooses among the best moves, and against a random
    player, who chooses among all moves; as the first player and as the second. The shares are
    exact: in games, the probability of every position is calculated, not sampled.

    The agent is asked about each position as the solution iterates over them; if symmetries are
    used, about one position of each class of equivalent ones. In its games it is asked about the
    positions as they arise. Its answer must be the same whenever it is asked about a position; this
    is checked on up to 500 positions. If it answers with probabilities, every number is the exact
    expectation over its moves. In a game with chance its errors cost probability of winning, or
    points on average; all results of chance are counted with their probabilities, and drawn by the
    seed in samples.

    Takes time proportional to the number of positions, most of it for the agent's answers.

    Args:
        agent: a function ``agent(position)`` that returns a move, as the game defines it or by its
            name, or the probabilities of moves: a dictionary, or a list or array of floating-point
            numbers, one for each legal move in its order; or an object with ``batch(positions)``,
            which returns any of these for each row of an array (see ``zermelo.agents.BatchAgent``).
        solution: the solved game, pursuit or graph; it needs a start. For an agent that plays by
            values of partizan games, such as ``zermelo.agents.Hotstrat``, give the solution without
            these, as they are often known of components and sums alone.
        name: the name of the agent; by default its ``__name__``, or its class's.
        exact_up_to: the largest number of positions that the agent is asked about for exact
            numbers. If there are more, in the solution or in its games, ``samples`` of them are
            drawn at random, and the numbers have 95 % confidence intervals.
        samples: the number of positions, and of games of each sort, that are drawn then.
        seed: the seed of these draws.
        progress: called with an ``Event`` now and then.

    Raises:
        ParameterError: the agent is not one, or answers differently when it is asked again; an
            argument is out of range; or the solution is a sum by values or has components only, so
            that it lists no positions.
        PositionError: the solution has no start.
        MoveError: the agent makes a move that is not legal, or its probabilities are negative or
            do not sum to 1.
    """
    for label, number, least in (
        ("exact_up_to", exact_up_to, 0), ("samples", samples, 1), ("seed", seed, 0)
    ):  # fmt: skip
        argument: object = number
        if isinstance(argument, bool) or not isinstance(argument, int) or argument < least:
            message = f"{label}={number!r} is not a whole number from {least}; give one"
            raise ParameterError(message)
    with solution._solved.kernels():  # noqa: SLF001  # one house
        evaluator = _Evaluator(agent, solution, name, Reporter(progress))
        return evaluator.measure(exact_up_to, samples, seed)


class _Evaluator:
    """The measurement of one agent: the solution, the agent's queries and the values of moves."""

    def __init__(
        self, agent: Agent, solution: Solution, name: str | None, report: Reporter
    ) -> None:
        self.start_time = time.perf_counter()
        self.solution, self.report = solution, report
        solution.start  # noqa: B018  # raises PositionError without one
        AgentQueries(agent, None, solution.rules, name)  # type: ignore[arg-type]  # raises early
        self.source: PositionSource = source_of(solution._solved.survey())  # noqa: SLF001  # one house
        self.source.load(report)
        self.book = move_values_of(solution.kind)
        self.has_chance = isinstance(solution.kind, Expectations)
        self.queries = AgentQueries(agent, self.source, solution.rules, name)

    def measure(self, limit: int, samples: int, seed: int) -> Evaluation:
        """Measure the agent in all positions and in its games."""
        rules = self.solution.rules
        all_positions = self.measure_positions(limit, samples, seed)
        games = [
            self.measure_games(opponent, player, limit, samples, seed)
            for opponent in _OPPONENTS
            for player in (0, 1)
        ]
        return EvaluationReport(
            agent=self.queries.name,
            game=rules.name,
            title=rules.title,
            parameters=rules.parameters,
            players=rules.players,
            kind=self.solution.kind,
            positions=len(self.solution),
            everywhere=all_positions,
            games=tuple(games),
            seed=seed,
            seconds=time.perf_counter() - self.start_time,
        )

    def measure_positions(self, limit: int, samples: int, seed: int) -> Measured:
        """Measure the agent in all positions, or in a sample of them."""
        tally, queried_before = AgentTally(self.book), self.queries.count
        rows = None
        if len(self.solution) <= limit:
            ask_all_positions(self.source, self.queries, tally, self.report)
        else:
            rows = ask_sampled_positions(
                self.source, self.queries, tally, samples, seed, self.report
            )
        return self.measurement("all positions", tally, queried_before, rows, in_games=False)

    def measure_games(
        self, opponent: str, player: int, limit: int, samples: int, seed: int
    ) -> Measured:
        """Measure the agent's games against one player."""
        players = self.solution.rules.players
        side = AgentSide(perfect=opponent == "perfect", player=player)
        name = f"against {opponent} play, as {players[player]}"
        tally, queried_before, rows = AgentTally(self.book), self.queries.count, None
        games = AgentGames(self.source, self.queries, tally, side)
        with self.report.phase(name):
            try:
                ends = games.calculate_ends(limit, self.report)
            except TooManyPositionsError:
                queried_before = self.queries.count
                tally = games.tally = AgentTally(self.book)
                ends, rows = games.sample_ends(samples, seed, self.report)
        result = self.game_result(opponent, players[player], ends)
        return self.measurement(name, tally, queried_before, rows, in_games=True, result=result)

    def game_result(self, opponent: str, player: str, ends: GameEndings) -> GameResult:
        """Return the ends of games as a ``GameResult``."""
        loss, draw, win = ends.outcomes.tolist()
        finished = loss + draw + win
        games, scored = ends.games, is_scored(self.book.kind)

        def share(value: float, column: int) -> Estimate:
            if games is None:
                return exact_estimate(min(1.0, value))
            return ratio_estimate(games[:, column], np.ones(len(games)), share=True)

        margin = None
        if scored and finished > 0:
            margin = exact_estimate(ends.margin / finished)
            if games is not None:
                margin = _mean(games[games[:, 3] == 0, 4])
        return GameResult(
            opponent,
            player,
            win=share(win, 2),
            draw=share(draw, 1),
            loss=share(loss, 0),
            unfinished=share(ends.unfinished, 3),
            spoiled=share(ends.spoiled, 5),
            length=round(ends.length / finished, DIGITS) if finished > 0 else None,
            margin=margin,
        )

    def measurement(
        self,
        name: str,
        tally: AgentTally,
        queried_before: int,
        rows: npt.NDArray[np.float64] | None,
        *,
        in_games: bool,
        result: GameResult | None = None,
    ) -> Measured:
        """Return the sums of a tally as a ``Measured``."""
        book, exact = self.book, rows is None
        stands_for = 1.0 if exact or in_games else float(len(self.solution))
        groups = sorted(tally.by_value, key=lambda group: -book.preference(group))
        rates_of = partial(rates, has_chance=self.has_chance)
        return Measured(
            name,
            exact,
            self.queries.count - queried_before,
            None if rows is None else len(rows),
            rates_of(tally.total, rows, stands_for),
            tuple(
                PlyRates(ply, rates_of(tally.by_ply[ply], stands_for=stands_for))
                for ply in sorted(tally.by_ply)
                if ply >= 0
            ),
            tuple(
                ValueRates(
                    book.group_value(group), rates_of(tally.by_value[group], stands_for=stands_for)
                )
                for group in groups
            ),
            tuple(self.worst_mistakes(tally.slips, in_games=in_games)),
            result,
        )

    def worst_mistakes(self, slips: list[columns.WorstMove], *, in_games: bool) -> list[Slip]:
        """Return the worst mistakes, one for each class of equivalent positions."""
        worst: dict[Any, Slip] = {}
        for slip in slips:
            position = self.source.positions(slip.key[np.newaxis])[0]
            canonical = self.solution.rules.canonical(position)
            if canonical not in worst:
                worst[canonical] = self.mistake(slip, position, in_games=in_games)
            if len(worst) == columns.SHOWN:
                break
        return list(worst.values())

    def mistake(self, slip: columns.WorstMove, position: Any, *, in_games: bool) -> Slip:
        """Return a mistake with its position, values and names."""
        rules, kind = self.solution.rules, self.solution.kind
        move = rules.moves(position)[slip.move]
        options = self.solution.options(position)
        chosen = next(option for option in options if option.move == move)
        best = options[0].value
        return Slip(
            position,
            slip.ply if slip.ply >= 0 else None,
            move,
            chosen.name,
            tuple(option.name for option in kind.best(options)),
            best,
            chosen.value,
            kind.words.mistake(best, chosen.value),
            slip.chance if in_games else None,
            rules.position_text(position),
            rules.position_svg(position),
        )


def _mean(numbers: npt.NDArray[np.float64]) -> Estimate | None:
    """Return a mean with its 95 % interval by the normal distribution."""
    if not len(numbers):
        return None
    mean = float(np.mean(numbers))
    half_width = 1.959964 * float(np.std(numbers)) / float(np.sqrt(len(numbers)))
    return Estimate(mean, mean - half_width, mean + half_width)
