"""Small random parity games, some of which are of reachability, as PGSolver writes them."""

from __future__ import annotations

import networkx as nx


def written(game, rng):
    """Return a game as text, with blanks, names and an order of its own."""

    def blank(least):
        return "".join(rng.choice(" \t\n\r") for _ in range(rng.randint(least, 2)))

    lines = []
    for v, (priority, owner, to) in game.items():
        name = rng.choice(["", f'"v;{v}, é"'])
        commas = f"{blank(0)},{blank(0)}".join(map(str, to))
        parts = [f"{v}{blank(1)}{priority}{blank(1)}{owner}{blank(1)}{commas}{blank(0)}{name}"]
        lines.append(f"{blank(0)}{parts[0]}{blank(0)};{blank(0)}")
    rng.shuffle(lines)
    head = rng.choice(["", f"parity {max(game)};\n", f"parity {max(game)};start {min(game)};\n"])
    return (head + "".join(lines)).encode()


def random_parity(rng):
    """Return a small parity game by vertex: priority, owner, successors; few are of parity."""
    n = rng.randint(1, 8)
    names = list(range(n)) if rng.random() < 0.5 else rng.sample(range(30), n)
    main = rng.randint(0, 1)
    return {
        v: (
            2 * rng.randint(0, 2) + (main ^ (rng.random() < 0.2)),
            rng.randint(0, 1),
            [v] if rng.random() < 0.2 else [rng.choice(names) for _ in range(rng.randint(1, 3))],
        )
        for v in names
    }


def means_parity(game):
    """Return whether a game is not one of reachability, by its components."""
    graph = nx.DiGraph((v, w) for v, (_, _, to) in game.items() for w in to)
    left = set()
    for part in nx.strongly_connected_components(graph):
        if not graph.subgraph(part).edges:
            continue
        ways = {game[v][0] % 2 for v in part}
        if len(ways) == 2:
            return True
        if any(w not in part for v in part for w in graph[v]):
            left |= ways
    return len(left) == 2
