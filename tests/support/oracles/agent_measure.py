"""An agent measured in plain Python: what ``zermelo.evaluate`` has to find, by counting.

It knows a game by its hooks and by the values of the oracle; it shares no code with the package.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from support.oracles import oracle

COLUMNS = ("moves", "decisions", "perfect", "keeping", "losing", "won", "throwing", "regret",
           "plies", "random")  # fmt: skip


class Brute:
    """A game with the values of its positions, by the oracle."""

    def __init__(self, game, *, scored=False):
        self.game, self.scored = game, scored
        self.graph = oracle.explore(game)
        self.table = oracle.solve_scores(game) if scored else oracle.solve(game)

    def worth(self, edge):
        """What a move is worth to whoever makes it."""
        if self.scored:
            return edge.gain + edge.sign * self.table[edge.child]
        return oracle.lift(self.table[edge.child], edge.sign)

    def sign(self, value):
        """Whether a value is won, drawn or lost."""
        number = value if self.scored else value[0]
        return (number > 0) - (number < 0)

    def best(self, position):
        """The edges that keep all that a position is worth."""
        value = self.table[position]
        return [edge for edge in self.graph.edges[position] if self.worth(edge) == value]

    def columns(self, position, edge):
        """What is counted of one move."""
        edges, best = self.graph.edges[position], self.best(position)
        value, worth = self.table[position], self.worth(edge)
        if self.scored:
            regret, plies = value - worth, 0
        else:
            regret, plies = value[0] - worth[0], 0
            if not regret and None not in (value[1], worth[1]):
                plies = abs(value[1] - worth[1])
        won, lost = self.sign(value) > 0, self.sign(value) < 0
        return (1, len(best) < len(edges), edge in best, regret == 0,
                self.sign(worth) < 0 and not lost, won, won and self.sign(worth) <= 0, regret,
                plies, len(best) / len(edges))  # fmt: skip


def shares(sums):
    """The shares that sums of the columns come to, by their names."""
    total = dict(zip(COLUMNS, sums, strict=True))
    result = {"moves": total["moves"]}
    for name in COLUMNS[1:]:
        denominator = {"throwing": "won", "plies": "keeping"}.get(name, "moves")
        result[name] = total[name] / total[denominator] if total[denominator] > 0 else None
    del result["won"]
    return result


def everywhere(brute, agent):
    """The shares over all positions, and by the least number of plies to each."""
    ply = dict.fromkeys(brute.graph.starts, 0)
    queue = list(ply)
    for position in queue:
        for edge in brute.graph.edges.get(position, ()):
            if edge.child not in ply:
                ply[edge.child] = ply[position] + 1
                queue.append(edge.child)
    sums, sums_by_ply = [0] * len(COLUMNS), defaultdict(lambda: [0] * len(COLUMNS))
    for position, edges in brute.graph.edges.items():
        edge = next(e for e in edges if e.move == agent(position))
        row = brute.columns(position, edge)
        sums = [a + b for a, b in zip(sums, row, strict=True)]
        sums_by_ply[ply[position]] = [
            a + b for a, b in zip(sums_by_ply[ply[position]], row, strict=True)
        ]
    return shares(sums), {distance: shares(row) for distance, row in sums_by_ply.items()}


def against(brute, agent, *, perfect, player, longest):
    """The shares over the agent's games, how they end, and how often value is given away."""
    game = brute.game
    starts = list(dict.fromkeys(brute.graph.starts))
    states = {(start, 0, False): 1 / len(starts) for start in starts}
    sums, ends = [0.0] * len(COLUMNS), Counter()
    for ply in range(longest):
        next_states = Counter()
        for (position, margin, has_lost_value), mass in states.items():
            turn = game.turn(position) if hasattr(game, "turn") else ply % 2
            mine = turn == player
            side = 1 if mine else -1
            if position in brute.graph.ends:
                result = brute.graph.ends[position] * side
                if brute.scored:
                    total = margin + side * brute.table[position]
                    result = (total > 0) - (total < 0)
                    ends["margin"] += mass * total
                ends[result] += mass
                ends["length"] += mass * ply
                ends["spoiled"] += mass * has_lost_value
                continue
            edges = brute.graph.edges[position]
            if mine:
                edge = next(e for e in edges if e.move == agent(position))
                row = brute.columns(position, edge)
                sums = [a + mass * b for a, b in zip(sums, row, strict=True)]
                worse = row[COLUMNS.index("regret")] > 0
                next_states[edge.child, margin + edge.gain, has_lost_value or worse] += mass
            else:
                edges_played = brute.best(position) if perfect else edges
                for edge in edges_played:
                    next_states[edge.child, margin - edge.gain, has_lost_value] += mass / len(
                        edges_played
                    )
        states = next_states
        if sum(states.values()) < 1e-13:
            break
    ends["unfinished"] = sum(states.values())
    ends["spoiled"] += sum(
        mass for (_, _, has_lost_value), mass in states.items() if has_lost_value
    )
    return shares(sums), ends
