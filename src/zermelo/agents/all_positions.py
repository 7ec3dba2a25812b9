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

#: Positions in a batch.
_BATCH = 1 << 16


def ask_all_positions(
    source: PositionSource, queries: AgentQueries, tally: AgentTally, report: Reporter
) -> None:
    """Ask an agent about every position, in the order of the plies at which positions first arise.

    Positions that play cannot reach come last; only tables of all legal positions contain such.

    Args:
        source: the positions.
        queries: the agent.
        tally: the sums that the agent's moves are added to.
        report: receives the number of positions done.
    """
    table = source.table
    is_seen = np.zeros(table.span, np.bool_)
    layer = np.unique(source.places(source.starts()))
    is_seen[layer] = True
    count = ply = 0
    with report.phase("all positions", len(table)):
        while len(layer):
            new_places: list[Numbers] = []
            for begin in range(0, len(layer), _BATCH):
                places = layer[begin : begin + _BATCH]
                children = _add_moves(source, queries, tally, places, ply)
                unseen = np.unique(children[~is_seen[children]])
                is_seen[unseen] = True
                new_places.append(unseen)
                count += len(places)
                report.advance(count)
            layer = np.sort(np.concatenate(new_places))
            ply += 1
        if count < len(table):
            for page in table.pages():
                unreached = page[~is_seen[page]]
                for begin in range(0, len(unreached), _BATCH):
                    _add_moves(source, queries, tally, unreached[begin : begin + _BATCH], -1)
                count += len(unreached)
                report.advance(count)


def _add_moves(
    source: PositionSource, queries: AgentQueries, tally: AgentTally, places: Numbers, ply: int
) -> Numbers:
    """Add the agent's moves in the positions at ``places``; return the places of all children."""
    keys = source.keys(places)
    moves = tally.book.read(source.expand(keys)).without_chance()
    chosen = queries.choose(keys, moves)
    tally.add(keys, moves, chosen, np.ones(len(keys)), ply)
    return moves.raw.places


def ask_sampled_positions(
    source: PositionSource,
    queries: AgentQueries,
    tally: AgentTally,
    samples: int,
    seed: int,
    report: Reporter,
) -> npt.NDArray[np.float64]:
    """Ask an agent about positions chosen at random, each with the same probability.

    Args:
        source: the positions.
        queries: the agent.
        tally: the sums that the agent's moves are added to.
        samples: the number of positions.
        seed: the seed of the choice.
        report: receives the number of positions done.

    Returns:
        The columns of each position.
    """
    table = source.table
    generator = np.random.default_rng([seed, 0])
    chosen = np.sort(generator.integers(0, len(table), samples))
    rows = np.zeros((samples, COLUMNS))
    count = sampled = 0
    with report.phase("some positions", samples):
        for page in table.pages():
            end = int(np.searchsorted(chosen, count + len(page)))
            for begin in range(sampled, end, _BATCH):
                batch = slice(begin, min(begin + _BATCH, end))
                keys = source.keys(page[chosen[batch] - count])
                moves = tally.book.read(source.expand(keys)).without_chance()
                choices = queries.choose(keys, moves)
                weight = np.full(len(keys), 1 / samples)
                rows[batch] = tally.add(keys, moves, choices, weight, -1)[0]
            count, sampled = count + len(page), end
            report.advance(sampled)
    return rows
