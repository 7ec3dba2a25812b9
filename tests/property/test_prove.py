"""Proofs of random games against the oracle: every bound, every strategy, ask by ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import zermelo
from support.games.strategies import (
    SCORE_GAMES,
    OwnedGame,
    StalemateVertexGame,
    WinnerGame,
    random_games,
    random_score_games,
)
from support.oracles import oracle
from support.sizes import counts
from zermelo import DRAW, ParameterError, Value, limits

ASKS = ("value", "win", "draw")
#: With positions that are one whoever moves, with turns told, and with extra turns.
KINDS = (StalemateVertexGame, OwnedGame, WinnerGame)


@pytest.fixture(autouse=True)
def _together():
    """Start all threads of a search immediately."""
    with limits.using(sharing=0.0):
        yield


def forward(game: Any) -> Any:
    """Return a graph game without the edges that could lead in a cycle."""
    rows = tuple(tuple(t for t in row if t > v) for v, row in enumerate(game.rows))
    return replace(game, rows=rows)


def check(game: Any, position: Any, outcome: int, ask: str, **how: Any) -> zermelo.Proof:
    """Check that a proof agrees with the oracle, and that its strategies hold."""
    proof = zermelo.prove(game, position=position, ask=ask, memory="100MB", **how)
    wanted = 0 if ask == "draw" else 1
    assert proof.is_complete
    assert proof.answer == (outcome >= wanted)
    low, high = proof.value.bounds
    assert low <= outcome <= high
    if ask == "value":
        assert proof.value.outcome == outcome
    assert proof.verify()
    return proof


@counts(None, 65, 2_000)
def test_proofs_of_games_that_end_agree_with_the_oracle(count):
    """From random positions, whatever is asked, with extra turns and without."""
    rng = np.random.default_rng(5)
    kinds = KINDS[:2] if count > 50 else (OwnedGame,)
    for n, drawn in enumerate(random_games(11, count, kinds=kinds)):
        game = forward(drawn)
        table = oracle.solve(game)
        positions = list(table)
        position = positions[int(rng.integers(len(positions)))]
        outcome, remoteness = table[position]
        ask = ASKS[n // 2 % 3]
        check(game, position, outcome, ask, threads=1 + n % 2)
        proof = check(game, position, outcome, "value", remoteness=True, threads=2 - n % 2)
        assert proof.value.remoteness == remoteness  # of ties, too; of endless draws there is none


@counts(2, 20, 2000)
def test_proofs_of_games_that_go_round_agree_with_the_oracle(count):
    """From every position, whatever is asked: in cycles a value depends on no way to it."""
    many = count > 50
    kinds = KINDS if many else (OwnedGame,)  # each is compiled for both searches
    for n, game in enumerate(random_games(7, count, vertices=14, kinds=kinds)):
        table = oracle.solve(game)
        for position, (outcome, remoteness) in list(table.items())[: 14 if many else 4]:
            for ask in ASKS:
                check(game, position, outcome, ask, threads=1 + n % 2)
            if n % (4 if outcome else 20) == 0:
                proof = check(game, position, outcome, "value", remoteness=True)
                assert proof.value.remoteness == remoteness
                if not outcome:
                    assert str(proof) == str(Value(DRAW, remoteness))


@counts(None, 20, 400)
def test_either_search_that_is_asked_for_agrees_with_the_oracle(count):
    """Of games that end, and of cycles: there alpha-beta is right, or refuses."""
    names = {"alpha-beta": "alpha-beta with a table", "proof-number": "proof-number search"}
    refused = 0
    kinds = KINDS[:2] if count > 50 else (OwnedGame,)  # each is compiled for both searches
    for n, game in enumerate(random_games(13, count, vertices=14, kinds=kinds)):
        for each, cycles in ((forward(game), False), (game, True)):
            table = oracle.solve(each)
            position = each.start()
            for asked, name in names.items():
                how = {"search": asked, "remoteness": n % 4 == 0}
                proof, said = None, ""
                try:
                    proof = check(each, position, table[position][0], ASKS[n % 3], **how)
                except ParameterError as error:
                    said = str(error)
                if proof is None:
                    assert (cycles, asked) == (True, "alpha-beta")
                    assert "search='alpha-beta' does not suit" in said
                    refused += 1
                    continue
                assert proof.choice in (f"{name}, as was asked for", "the game is over there")
    assert 0 < refused < count  # some never come to a cycle


@counts(None, 50, 1_000)
def test_proofs_of_scores_agree_with_the_oracle(count):
    """So do margins, by the player to move, with extra turns and without."""
    kinds = SCORE_GAMES if count > 50 else SCORE_GAMES[1:]  # each is compiled
    games = (g for g in random_score_games(3, 10 * count, kinds=kinds) if _small(g))
    for n, game in enumerate(games):
        if n == count:
            return
        table = oracle.solve_scores(game)
        margin = table[game.start()]
        proof = zermelo.prove(game, memory="100MB")
        assert proof.value.score == margin
        assert proof.verify()
        assert zermelo.prove(game, ask="draw", memory="100MB").answer == (margin >= 0)


@counts(None, 25, 1500)
def test_tables_of_later_parts_change_no_value(count):
    """Whatever part of a game is given as a table, proofs say the same, and their strategies hold.

    The table is of the same graph from another root. Its positions are in cycles or not.
    """
    rng = np.random.default_rng(8)
    kinds = KINDS if count > 50 else (OwnedGame,)
    for n, drawn in enumerate(random_games(9, count, vertices=14, kinds=kinds)):
        game = forward(drawn) if n % 2 and not isinstance(drawn, WinnerGame) else drawn
        table = oracle.solve(game)
        root, position = (list(table)[int(rng.integers(len(table)))] for _ in range(2))
        outcome, remoteness = table[position]
        later = replace(game, roots=(getattr(root, "vertex", root),))
        tables = [zermelo.solve(later)]
        check(game, position, outcome, ASKS[n % 3], tables=tables, threads=1 + n % 2)
        proof = check(game, position, outcome, "value", remoteness=True, tables=tables)
        assert proof.value.remoteness == remoteness  # of ties, too; of endless draws there is none
        assert remoteness is None or len(proof.line()) == remoteness


@counts(None, 60, 300)
def test_tables_of_later_parts_change_no_score(count):
    """The same of margins, with extra turns and without."""
    kinds = SCORE_GAMES if count > 50 else SCORE_GAMES[1:]  # each is compiled
    games = (g for g in random_score_games(4, 10 * count, kinds=kinds) if _small(g))
    for n, game in enumerate(games):
        if n == count:
            return
        later = replace(game, roots=game.rows[game.roots[0]][:1] or game.roots)
        proof = zermelo.prove(game, memory="100MB", tables=[zermelo.solve(later)])
        assert proof.value.score == oracle.solve_scores(game)[game.start()]
        assert proof.verify()


def _small(game: Any) -> bool:
    return max(map(abs, game.margins)) <= 100
