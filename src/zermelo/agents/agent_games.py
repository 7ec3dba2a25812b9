"""An agent's games against a perfect or a random player, calculated exactly or sampled.

In an exact calculation, the probability of each position is carried from ply to ply: along the
agent's move, or split among its moves by their probabilities. In the other player's turns it is
split evenly among the best moves, or among all moves. A roll of
dice, or another decision of chance, splits it by the weights of the results, and counts as a ply.
Lines of play that lead to the same position are merged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.agents.tally import COLUMNS, AgentTally, is_scored
from zermelo.values.expectations import Expectations

if TYPE_CHECKING:
    from zermelo.agents.agent_queries import AgentQueries, Choice
    from zermelo.progress import Reporter
    from zermelo.solution.dataset.moves import (
        Keys,
        MoveValues,
        Numbers,
        PositionSource,
        ValuedMoves,
    )
    from zermelo.values.kind import Kind

Floats = npt.NDArray[np.float64]

#: Plies after which a game is broken off.
LONGEST = 1_000
#: Positions of a batch.
_POSITIONS_PER_BATCH = 1 << 16
#: The total probability of unfinished games below which they are no longer followed.
_NOTHING = 1e-12
#: The number of sets of positions whose moves are cached, as play in cycles returns to them, and
#: the largest size of such a set.
_SETS, _SET = 64, 1 << 12


class TooManyPositionsError(Exception):
    """The games pass through more positions than the agent may be asked about."""


@dataclass
class AgentSide:
    """The agent's side in its games, and how the other player plays.

    Attributes:
        perfect: whether the other player chooses among the best moves, rather than among all.
        player: the number of the player that the agent is.
    """

    perfect: bool
    player: int


@dataclass
class GameEndings:
    """How games end for the agent.

    Attributes:
        outcomes: the probabilities of a loss, a draw and a win.
        unfinished: the probability that a game is broken off, or never ends.
        margin: in a score game, the average number of points that the agent is ahead.
        spoiled: the probability that the agent gives away value somewhere in a game.
        length: the sum over games that end of their plies times their probability.
        games: of sampled games, a row for each: whether lost, drawn, won, unfinished; the margin;
            whether value was given away; the length.
    """

    outcomes: Floats = field(default_factory=lambda: np.zeros(3))
    unfinished: float = 0.0
    margin: float = 0.0
    spoiled: float = 0.0
    length: float = 0.0
    games: Floats | None = None


@dataclass
class _State:
    """Positions that games have reached after the same number of plies.

    Attributes:
        keys: the keys of the positions.
        mine: whether it is the agent's turn, unless positions say whose turn it is.
        margin: the points that the agent is ahead; 0 if moves score none.
        mass: the probability of each position: of games in which the agent gave nothing away, and
            of the others.
    """

    keys: Keys
    mine: npt.NDArray[np.bool_]
    margin: Numbers
    mass: Floats

    def merge_equal(self) -> _State:
        """Return the state with equal positions merged into one."""
        columns = [self.keys]
        if self.mine.any() and not self.mine.all():  # chance kept the turn in some games
            columns.append(self.mine.astype(np.uint64).reshape(-1, 1))
        if self.margin.any():
            columns.append(self.margin.view(np.uint64).reshape(-1, 1))
        rows = np.ascontiguousarray(np.hstack(columns))
        records = rows.reshape(-1) if rows.shape[1] == 1 else _as_records(rows)
        _, firsts, inverse = np.unique(records, return_index=True, return_inverse=True)
        inverse = inverse.reshape(-1)
        mass: Floats = np.zeros((len(firsts), 2))
        for column, part in enumerate(self.mass.T):
            mass[:, column] = np.bincount(inverse, part, len(firsts))
        return _State(self.keys[firsts], self.mine[firsts], self.margin[firsts], mass)


def _as_records(rows: Keys) -> npt.NDArray[Any]:
    return rows.view([(f"f{n}", np.uint64) for n in range(rows.shape[1])]).reshape(-1)


class AgentGames:
    """The games of an agent against one player."""

    def __init__(
        self, source: PositionSource, queries: AgentQueries, tally: AgentTally, side: AgentSide
    ) -> None:
        """Store the agent, the positions and the other player.

        Args:
            source: the positions.
            queries: the agent.
            tally: the sums that the agent's moves are added to.
            side: the agent's side, and how the other player plays.
        """
        self.source, self.queries, self.tally, self.side = source, queries, tally, side
        self.book: MoveValues = tally.book
        self.is_scored = is_scored(self.book.kind)
        self._cached_moves: dict[bytes, tuple[ValuedMoves, dict[bytes, Choice]]] = {}

    def _is_agents_turn(
        self, moves: ValuedMoves, mine: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Return whether it is the agent's turn, for each position; see ``_State``."""
        if self.source.alternate:
            return mine
        owned: npt.NDArray[np.bool_] = moves.raw.owners == self.side.player
        return owned

    @staticmethod
    def _next_turns(
        moves: ValuedMoves, edges: Numbers, mine: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Return whether it is the agent's turn after moves."""
        after: npt.NDArray[np.bool_] = mine[moves.parent[edges]] == moves.raw.same_player[edges]
        return after

    def _choices(self, moves: ValuedMoves) -> npt.NDArray[np.bool_]:
        """Return a mask of the moves among which the other player chooses."""
        if self.side.perfect:
            return moves.best
        choices: npt.NDArray[np.bool_] = ~moves.by_chance[moves.parent]
        return choices

    def _results(
        self, keys: Keys, mine: npt.NDArray[np.bool_], margin: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Return the outcomes of finished games for the agent, and the margins."""
        kind: Kind = self.book.kind
        codes = self.source.table.values(self.source.places(keys))
        sign: Numbers = np.where(mine, np.int64(1), np.int64(-1))
        if not self.is_scored:
            outcomes: Numbers = kind.outcomes(codes).astype(np.int64) * sign
            return outcomes, np.zeros(len(keys), np.int64)
        if isinstance(kind, Expectations):
            final = np.rint(kind.lowers(codes) * kind.unit).astype(np.int64)
        else:
            final = np.array([kind.decode(code).score or 0 for code in codes.tolist()], np.int64)
        total: Numbers = margin + sign * final
        return np.where(total > 0, 1, np.where(total < 0, -1, 0)).astype(np.int64), total

    def _gained_points(
        self, moves: ValuedMoves, edges: Numbers, mine: npt.NDArray[np.bool_]
    ) -> Numbers:
        """Return the points that moves add to the agent's margin."""
        if not self.is_scored:
            return np.zeros(len(edges), np.int64)
        sign = np.where(mine[moves.parent[edges]], np.int64(1), np.int64(-1))
        sign[moves.by_chance[moves.parent[edges]]] = 0  # weights, which are no points
        return sign * moves.raw.gains[edges]

    # -- exact ------------------------------------------------------------------------------------

    def calculate_ends(self, limit: int, report: Reporter) -> GameEndings:
        """Calculate how games end, by the probabilities of all positions.

        Args:
            limit: the largest number of positions that the agent may be asked about.
            report: receives the current ply.

        Raises:
            TooManyPositionsError: the games pass through more positions.
        """
        ends, queried_before = GameEndings(), self.queries.count
        starts = np.unique(self.source.starts(), axis=0)
        mass = np.zeros((len(starts), 2))
        mass[:, 0] = 1 / len(starts)
        margin = np.zeros(len(starts), np.int64)
        state = _State(starts, np.full(len(starts), self.side.player == 0), margin, mass)
        for ply in range(LONGEST):
            report.advance(ply)
            if self.queries.count - queried_before + len(state.keys) > limit:
                raise TooManyPositionsError
            parts = [
                self._step(state, slice(begin, begin + _POSITIONS_PER_BATCH), ply, ends)
                for begin in range(0, len(state.keys), _POSITIONS_PER_BATCH)
            ]
            state = _State(
                *(np.concatenate(arrays) for arrays in zip(*parts, strict=True))
            ).merge_equal()
            if state.mass.sum() <= _NOTHING:
                break
        ends.unfinished = float(state.mass.sum()) if state.mass.sum() > _NOTHING else 0.0
        ends.spoiled += float(state.mass[:, 1].sum())
        return ends

    def _step(
        self, state: _State, batch: slice, ply: int, ends: GameEndings
    ) -> tuple[Keys, npt.NDArray[np.bool_], Numbers, Floats]:
        """Make all moves in some positions; return the columns of the next ``_State``."""
        keys, mass = state.keys[batch], state.mass[batch]
        margin = state.margin[batch]
        moves, chosen = self._read_moves(keys)
        is_agents = self._is_agents_turn(moves, state.mine[batch])
        is_over, by_chance = moves.move_counts == 0, moves.by_chance
        if is_over.any():
            result, total = self._results(
                keys[is_over], is_agents[is_over], margin[is_over] if self.is_scored else margin
            )
            probability = mass[is_over].sum(1)
            ends.outcomes += np.bincount(result + 1, probability, 3)
            ends.margin += float(np.sum(total * probability))
            ends.spoiled += float(mass[is_over, 1].sum())
            ends.length += ply * float(probability.sum())
        agent_rows = np.flatnonzero(is_agents & ~is_over & ~by_chance)
        parts: list[tuple[Numbers, Floats]] = []
        if len(agent_rows):
            part, choice, edges = self._ask_agent(moves, keys, agent_rows, chosen)
            _, regret = self.tally.add(keys[agent_rows], part, choice, mass[agent_rows].sum(1), ply)
            agent_mass = mass[agent_rows][choice.rows] * choice.chances[:, np.newaxis]
            spoils = regret > 0
            agent_mass[spoils, 1] += agent_mass[spoils, 0]
            agent_mass[spoils, 0] = 0.0
            parts.append((edges, agent_mass))
        other_edges = np.flatnonzero(self._choices(moves) & ~is_agents[moves.parent])
        if len(other_edges):
            parent = moves.parent[other_edges]
            split = np.bincount(parent, minlength=len(keys))[parent]
            parts.append((other_edges, mass[parent] / split[:, np.newaxis]))
        chance_edges = np.flatnonzero(by_chance[moves.parent])
        if len(chance_edges):
            shares = _probabilities(moves)[chance_edges]
            mass_before = mass[moves.parent[chance_edges]]
            parts.append((chance_edges, mass_before * shares[:, np.newaxis]))
        if not parts:
            no_margins = np.empty(0, np.int64)
            return keys[:0], is_agents[:0], no_margins, mass[:0]
        edges = np.concatenate([each[0] for each in parts])
        margins = margin[moves.parent[edges]] + self._gained_points(moves, edges, is_agents)
        turns = self._next_turns(moves, edges, is_agents)
        probabilities = np.concatenate([each[1] for each in parts])
        return moves.raw.children[edges], turns, margins, probabilities

    def _read_moves(self, keys: Keys) -> tuple[ValuedMoves, dict[bytes, Choice]]:
        """Return the moves of positions, and the agent's choices that are already known there."""
        if len(keys) > _SET:
            return self.book.read(self.source.expand(keys)), {}
        key = keys.tobytes()
        entry = self._cached_moves.pop(key, None)
        if entry is None:
            entry = self.book.read(self.source.expand(keys)), {}
        self._cached_moves[key] = entry  # the last one used comes last
        if len(self._cached_moves) > _SETS:
            del self._cached_moves[next(iter(self._cached_moves))]
        return entry

    def _ask_agent(
        self, moves: ValuedMoves, keys: Keys, rows: Numbers, choices: dict[bytes, Choice]
    ) -> tuple[ValuedMoves, Choice, Numbers]:
        """Ask the agent for its moves in some positions.

        Returns:
            The moves of these positions, the agent's choice among them with probabilities, and the
            numbers of the chosen moves among all moves.
        """
        part, key = moves.select(rows), rows.tobytes()
        chosen = choices.get(key)
        if chosen is None:
            chosen = choices[key] = self.queries.choose(keys[rows], part)
        shifts = moves.first[rows] - part.first[:-1]
        return part, chosen, chosen.moves + shifts[chosen.rows]

    # -- sampled ---------------------------------------------------------------------------------

    def sample_ends(self, games: int, seed: int, report: Reporter) -> tuple[GameEndings, Floats]:
        """Play games with moves drawn at random.

        Args:
            games: the number of games.
            seed: the seed of the draws.
            report: receives the number of games that are over.

        Returns:
            How the games end, and for each game the sums of its moves' columns.
        """
        generator = np.random.default_rng([seed, 1 + self.side.perfect, self.side.player])
        starts = np.unique(self.source.starts(), axis=0)
        keys = starts[generator.integers(0, len(starts), games)]
        unfinished, margin = np.arange(games), np.zeros(games, np.int64)
        results, rows = np.zeros((games, 7)), np.zeros((games, COLUMNS))
        mine = np.full(games, self.side.player == 0)
        for ply in range(LONGEST):
            if not len(unfinished):
                break
            report.advance(games - len(unfinished))
            states = np.hstack([keys, mine.astype(np.uint64).reshape(-1, 1)])
            _, firsts, inverse = np.unique(states, axis=0, return_index=True, return_inverse=True)
            different, inverse = keys[firsts], inverse.reshape(-1)
            moves = self.book.read(self.source.expand(different))
            is_agents = self._is_agents_turn(moves, mine[firsts])
            is_over, by_chance = moves.move_counts == 0, moves.by_chance
            chosen = self._random_moves(moves, inverse, generator)
            agent_rows = np.flatnonzero(is_agents & ~is_over & ~by_chance)
            if len(agent_rows):
                part, agents_choice, edges = self._ask_agent(moves, different, agent_rows, {})
                weight = np.bincount(inverse, minlength=len(different))[agent_rows] / games
                columns, regret = self.tally.add(
                    different[agent_rows], part, agents_choice, weight, ply
                )
                place = np.full(len(different), -1, np.int64)
                place[agent_rows] = np.arange(len(agent_rows))
                agent_places = place[inverse]
                turn = np.flatnonzero(agent_places >= 0)
                rows[unfinished[turn]] += columns[agent_places[turn]]
                choice = agent_places[turn]
                if agents_choice.is_mixed:
                    choice = agents_choice.draw(choice, generator.random(len(turn)))
                chosen[turn] = edges[choice]
                results[unfinished[turn], 5] = np.maximum(
                    results[unfinished[turn], 5], regret[choice] > 0
                )
            has_ended = is_over[inverse]
            if has_ended.any():
                ended_games = unfinished[has_ended]
                result, total = self._results(
                    keys[has_ended], is_agents[inverse[has_ended]], margin[ended_games]
                )
                results[ended_games, result + 1] = 1
                results[ended_games, 4] = total
                results[ended_games, 6] = ply
            continues = ~has_ended
            unfinished, chosen = unfinished[continues], chosen[continues]
            margin[unfinished] += self._gained_points(moves, chosen, is_agents)
            mine = self._next_turns(moves, chosen, is_agents)
            keys = moves.raw.children[chosen]
        results[unfinished, 3] = 1
        mean = results.mean(0)
        ends = GameEndings(
            mean[:3], float(mean[3]), float(mean[4]), float(mean[5]), float(mean[6]), results
        )
        return ends, rows

    def _random_moves(
        self, moves: ValuedMoves, rows: Numbers, generator: np.random.Generator
    ) -> Numbers:
        """Return a random move of the other player, or of chance, for each of some positions."""
        choices = np.flatnonzero(self._choices(moves))
        counts = np.bincount(moves.parent[choices], minlength=len(moves.first) - 1)
        first = np.cumsum(counts) - counts
        numbers_drawn = generator.random(len(rows))
        draws = (numbers_drawn * counts[rows]).astype(np.int64)
        numbers = np.minimum(first[rows] + draws, len(choices) - 1)
        drawn: Numbers = choices[numbers] if len(choices) else np.full(len(rows), -1, np.int64)
        rolls = np.flatnonzero(moves.by_chance[rows])
        if len(rolls):
            positions = rows[rolls]
            ends = np.cumsum(np.where(moves.by_chance[moves.parent], moves.raw.gains, 0))
            begins, last = moves.first[positions], moves.first[positions + 1] - 1
            before = ends[begins] - moves.raw.gains[begins]
            weights = (numbers_drawn[rolls] * (ends[last] - before)).astype(np.int64)
            drawn[rolls] = np.searchsorted(ends, before + weights, "right")
        return drawn


def _probabilities(moves: ValuedMoves) -> Floats:
    """Return the probability of each result of chance; the other moves have any number."""
    weights = moves.raw.gains.astype(np.float64)
    totals = np.bincount(moves.parent, weights, len(moves.value))
    probabilities: Floats = weights / np.where(totals == 0.0, 1.0, totals)[moves.parent]
    return probabilities
