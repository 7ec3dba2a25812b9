"""An agent's moves in every position of a solution, or in a random sample of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo.agents.tally import COLUMNS, AgentTally

if TYPE_CHECKING:
    from zermelo.agents.agent_queries import AgentQueries
    from zermelo.progress import Reporter
    from zermelo.solution.dataset.moves import Numbers, PositionSource

#: Positions that are processed at once.
_AT_ONCE = 1 << 16


def ask_all_positions(
    source: PositionSource, asked: AgentQueries, tally: AgentTally, report: Reporter
) -> None:
    """Ask an agent about every position, in the order of the plies at which positions first arise.

    A position that play cannot reach comes last. Only a table of all legal positions has such.

    Args:
        source: the positions.
        asked: the agent.
        tally: the sums that the agent's moves are added to.
        report: receives the number of positions done.
    """
    table = source.table
    seen = np.zeros(table.span, np.bool_)
    waiting = np.unique(source.places(source.starts()))
    seen[waiting] = True
    done = ply = 0
    with report.phase("all positions", len(table)):
        while len(waiting):
            fresh: list[Numbers] = []
            for begin in range(0, len(waiting), _AT_ONCE):
                places = waiting[begin : begin + _AT_ONCE]
                after = _add_moves(source, asked, tally, places, ply)
                new = np.unique(after[~seen[after]])
                seen[new] = True
                fresh.append(new)
                done += len(places)
                report.advance(done)
            waiting = np.sort(np.concatenate(fresh))
            ply += 1
        if done < len(table):
            for page in table.pages():
                left = page[~seen[page]]
                for begin in range(0, len(left), _AT_ONCE):
                    _add_moves(source, asked, tally, left[begin : begin + _AT_ONCE], -1)
                done += len(left)
                report.advance(done)


def _add_moves(
    source: PositionSource, asked: AgentQueries, tally: AgentTally, places: Numbers, ply: int
) -> Numbers:
    """Add the agent's moves in the positions at ``places``; return the places of all children."""
    keys = source.keys(places)
    moves = tally.book.read(source.expand(keys))
    chosen = asked.choose(keys, moves)
    tally.add(keys, moves, chosen, np.ones(len(keys)), ply)
    return moves.raw.places


def ask_sampled_positions(
    source: PositionSource,
    asked: AgentQueries,
    tally: AgentTally,
    samples: int,
    seed: int,
    report: Reporter,
) -> npt.NDArray[np.float64]:
    """Ask an agent about positions chosen at random, each with the same probability.

    Args:
        source: the positions.
        asked: the agent.
        tally: the sums that the agent's moves are added to.
        samples: the number of positions.
        seed: the seed of the choice.
        report: receives the number of positions done.

    Returns:
        The columns of each position.
    """
    table = source.table
    chance = np.random.default_rng([seed, 0])
    chosen = np.sort(chance.integers(0, len(table), samples))
    rows = np.zeros((samples, COLUMNS))
    done = at = 0
    with report.phase("some positions", samples):
        for page in table.pages():
            end = int(np.searchsorted(chosen, done + len(page)))
            for begin in range(at, end, _AT_ONCE):
                some = slice(begin, min(begin + _AT_ONCE, end))
                keys = source.keys(page[chosen[some] - done])
                moves = tally.book.read(source.expand(keys))
                made = asked.choose(keys, moves)
                weight = np.full(len(keys), 1 / samples)
                rows[some] = tally.add(keys, moves, made, weight, -1)[0]
            done, at = done + len(page), end
            report.advance(at)
    return rows
