"""Endless play as a win for one player: every way of solving, against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zermelo
from support.games.dense import (
    SPACED,
    OwnedLevelGame,
    fixed_bytes,
    levelled_games,
    spaced,
    table_of,
)
from support.games.strategies import OwnedGame, owned_games, random_endless_games, winner_games
from support.oracles import oracle
from support.sizes import but, counts, some
from zermelo import limits
from zermelo.games import CatAndMouse
from zermelo.games.pursuit.cat_and_mouse import Position
from zermelo.values.endless import ENDLESS_WINS


def check_all(game: Any, **how: Any) -> Any:
    """Solve a game, and compare every value and best move with the oracle's."""
    solution = zermelo.solve(game, **how)
    right = oracle.solve(game)
    assert table_of(solution) == right, game
    assert solution.verify(), game
    return solution


@pytest.mark.parametrize("seed", some([1, 2], 2), ids=["seed 1", "seed 2"])
def test_random_games_with_endless_wins_agree_with_the_oracle(seed: int) -> None:
    """Loops, duplicate edges, dead ends, extra turns, several starts and ties come out right."""
    seen: Counter[tuple[int, bool]] = Counter()
    for game in random_endless_games(seed, 150):
        solution = check_all(game, threads=1)
        right = oracle.solve(game)
        seen.update((outcome, plies is None) for outcome, plies in right.values())
        for position in right:
            assert sorted(solution.best(position)) == sorted(oracle.best(game, right, position))
    assert min(seen[kind] for kind in [(1, True), (-1, True), (0, False)]) > 50
    assert not seen[0, True]


@counts(None, None, 3_000)
def test_more_games_with_endless_wins_agree_with_the_oracle(count: int) -> None:
    """The same for many more."""
    for game in random_endless_games(3, count):
        check_all(game, threads=1)


def test_the_oracle_agrees_with_play_that_is_cut_off() -> None:
    """After as many plies as there are positions, whoever wins by endless play has won by then."""
    for game in random_endless_games(4, 300):
        right = oracle.solve(game)
        assert oracle.problem(game, right) is None
        cut = oracle.within(game, len(right) + 1)
        assert cut == {position: outcome for position, (outcome, _) in right.items()}, game


@pytest.mark.slow
@given(st.one_of(owned_games(), winner_games()), st.integers(0, 1))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_random_game_with_endless_wins_agrees_with_the_oracle(game: Any, player: int) -> None:
    """Hypothesis finds no small graph on which the solver and the oracle differ."""
    check_all(replace(game, endless=player), threads=1)


#: Ways that few games need.
RARE = ("not transposed", "not kept", "not narrow")


@pytest.fixture(params=but(["in parts", *RARE], *RARE))
def short(request) -> Iterator[str]:
    """Transpose moves in parts or not at all, do not store them, or limit the plies of a code."""
    changed: dict[str, Any] = {
        "in parts": {"transposed": 0.34, "at_once": 1},
        "not transposed": {"transposed": 0},
        "not kept": {"in_memory": False},
        "not narrow": {"narrow": 3, "sharing": 0},
    }[request.param]
    with limits.using(**changed):
        yield request.param


def test_endless_wins_are_found_however_little_memory_there_is(short: str) -> None:
    """Values and certificate do not depend on the way."""
    for game in random_endless_games(5, 80):
        check_all(game, threads=2)


@pytest.mark.slow
def test_dense_spaces_have_endless_wins() -> None:
    """The values are the oracle's, with the moves of all positions or of none."""
    for game in spaced(random_endless_games(6, 150)):
        right = len(check_all(game, method="dense", threads=1))
        tight = fixed_bytes(game) + 4 * right
        few = zermelo.solve(game, method="dense", threads=1, memory=tight)
        assert "rounds" in few.choice
        assert table_of(few) == oracle.solve(game), game


@pytest.mark.slow
@pytest.mark.parametrize("held", some(["all", "a level", "nothing"], 3))
def test_dense_levels_have_endless_wins(held: str) -> None:
    """Tier by tier, in tiers by rounds and as a whole, the values are the oracle's."""
    ways: set[str] = set()
    for i, like in enumerate(levelled_games(7, 100, OwnedLevelGame, most=90)):
        game = replace(like, endless=i % 2)
        fixed = fixed_bytes(game)
        whole = zermelo.solve(game, method="dense", threads=1).peak_bytes - fixed
        share = {"all": whole, "a level": whole * 3 // 5, "nothing": 10 * len(oracle.solve(game))}
        solution = zermelo.solve(game, method="dense", threads=1, memory=fixed + share[held])
        assert table_of(solution) == oracle.solve(game), (game, solution.choice)
        assert solution.verify()
        ways |= {way for way in ("reversed moves", "tiers", "rounds") if way in solution.choice}
    assert {"all": "reversed moves", "a level": "tiers", "nothing": "rounds"}[held] in ways


@pytest.mark.slow
def test_long_dense_games_have_endless_wins() -> None:
    """Remoteness past what a byte holds makes codes wider, and endless play keeps its own."""
    n = 400
    rows = (*((v + 1, v) if v % 3 == 0 else (v + 1,) for v in range(n - 1)), ())
    for ending in (oracle.DRAW, oracle.LOSS):
        for player in (0, 1):
            game = SPACED[OwnedGame](
                rows=rows,
                endings=(2,) * (n - 1) + (ending,),
                owners=tuple(int(v % 3 == 0) if v > 200 else 0 for v in range(n)),
                roots=(0,),
                endless=player,
            )
            check_all(game, method="dense", threads=1)


@dataclass(frozen=True)
class Hunt(CatAndMouse):
    """Cat and Mouse in which one of the two wins if the mouse is neither caught nor safe."""

    endless: int = 0


class ListedHunt(Hunt):
    """The same with its starts as the oracle wants them."""

    def starts(self) -> Any:
        """Return all positions."""
        return [Position(*row) for row in super().starts().tolist()]


@pytest.mark.slow
def test_declared_pursuits_have_endless_wins() -> None:
    """By rows of bits, and by retrograde analysis, the values are the oracle's."""
    random = Random(9)
    for player in [0, 1] * 15:
        n = random.randint(3, 7)
        rows: list[set[int]] = [{1}, {0}, *(set() for _ in range(n - 2))]
        for _ in range(random.randint(n, 2 * n)):
            rows[random.randrange(n)].add(random.randrange(n))
        given: Any = [sorted(row) for row in rows]
        game = Hunt(given, directed=True, endless=player)
        right = oracle.solve(ListedHunt(given, directed=True, endless=player))
        for method in ("pursuit", "retrograde"):
            solution = zermelo.solve(game, method=method, threads=1)
            assert table_of(solution) == right, game
            assert solution.verify()


def as_graph(game: Any) -> Any:
    """Return the arrays of a graph game whose vertices have owners."""
    indptr = np.cumsum([0, *map(len, game.rows)])
    indices = [target for row in game.rows for target in row]
    return indptr, indices, game.endings, game.owners


@pytest.mark.slow
@pytest.mark.parametrize("narrow", but([3, 1 << 15], 3))
def test_graphs_have_endless_wins(narrow: int, tmp_path: Path) -> None:
    """Every vertex has the oracle's value, as an array, alone, and from a file."""
    path = tmp_path / "graph.table"
    with limits.using(narrow=narrow):
        for like in random_endless_games(10, 200):
            if not isinstance(like, OwnedGame):
                continue
            game = replace(like, roots=tuple(range(len(like.rows))))
            right = oracle.solve(game)
            solution = zermelo.graph.solve(*as_graph(game), endless=game.endless, threads=1)
            assert table_of(solution) == right, game
            assert solution.verify()
            outcomes, plies = solution.arrays.outcome.tolist(), solution.arrays.remoteness.tolist()
            assert [right[v][0] for v in range(len(right))] == outcomes
            assert [-1 if right[v][1] is None else right[v][1] for v in range(len(right))] == plies
            for v in right:
                best = oracle.best(game, right, v)
                assert {*solution.best(v)} == {game.rows[v][edge] for edge in best}
            solution.save(path, overwrite=True)
            with zermelo.open(path) as opened:
                assert table_of(opened) == right
                assert opened.counts() == solution.counts()
                assert opened.verify()


@pytest.mark.slow
def test_a_graph_refuses_values_that_do_not_follow() -> None:
    """Endless play that is called a tie or a win, and a tie that is called endless, are found."""
    for like in random_endless_games(11, 60, vertices=8):
        if not isinstance(like, OwnedGame):
            continue
        solution = zermelo.graph.solve(*as_graph(like), endless=like.endless, threads=1)
        stored: Any = solution._solved.table.column.stored
        for v in range(len(stored)):
            before = stored[v]
            for wrong in {0, 16384, 16383, 16380, 32767, 32766, -32767, -32766} - {int(before)}:
                stored[v] = wrong
                assert not solution.verify(), (like, v, wrong)
            stored[v] = before
        assert solution.verify()


@pytest.mark.slow
def test_no_values_but_the_right_ones_follow_from_each_other() -> None:
    """The certificate refuses whatever else follows from its successors' values, as cycles may.

    Values are made up, put right again and again by those of their successors, and verified.
    """
    random, settled, refused = Random(8), 0, 0  # not for secrets
    for game in random_endless_games(8, 150, vertices=9):
        solution, kind = zermelo.solve(game, threads=1), ENDLESS_WINS[game.endless]
        stored: Any = solution._solved.table.column
        places = {p: solution._solved.place(p) for p in solution}
        right, graph = stored.stored.copy(), oracle.explore(game)
        made_up = [kind.encode(zermelo.Value(zermelo.WIN, n)) for n in (None, 0, 3)]
        made_up += [0, kind.encode(zermelo.Value(zermelo.DRAW, 0))]
        made_up += [kind.at_turn(made_up[-1], owner) for owner in (0, 1)]
        made_up += [-code for code in made_up]
        for _ in range(6):
            for position in graph.edges:
                stored.stored[places[position]] = random.choice(made_up)
            for _ in range(60):
                before = stored.stored.copy()
                for position, edges in graph.edges.items():
                    worths = [
                        kind.of_move(int(before[places[e.child]]), same_mover=e.sign > 0)
                        for e in edges
                    ]
                    stored.stored[places[position]] = max(worths)
                if (before == stored.stored).all():
                    settled += 1
                    break
            verified = bool(solution.verify())
            assert verified == (stored.stored == right).all(), game
            refused += not verified
    assert min(settled, refused) > 100
