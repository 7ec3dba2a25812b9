"""What a search says while it runs, and the line that looks best when a limit ends it."""

from __future__ import annotations

import re

import pytest

import zermelo
from support.processes.progress import every_event
from zermelo.games import CatAndMouse, ConnectFour, TicTacToe

#: A chase in which alpha-beta soon meets a position again.
_CHASE = CatAndMouse([[(node + step) % 24 for step in (5, 7, 17, 19)] for node in range(24)])


def told(game, **how):
    """Return what is said in detail while a game is proved, at every pause of the search.

    Otherwise nothing is said of searches that are over in a tenth of a second.
    """
    events = []
    with every_event():
        zermelo.prove(game, memory="50MB", threads=1, progress=events.append, **how)
    return [event.detail for event in events if event.detail]


def legal(proof):
    """Whether each move of a proof's line leads where the line goes on."""
    here = proof.position
    for move, position in zip(proof.line().moves, proof.line().positions, strict=True):
        if move not in list(proof.game.moves(here)) or proof.game.play(here, move) != position:
            return False
        here = position
    return True


def test_progress_says_where_a_search_is():
    """It tells the depth, how full the table is, and the first moves of the line looked at."""
    said = told(ConnectFour(width=5, height=4), nodes=20_000)
    form = r"ply (\d+), table \d+% of [\d.]+ [kM]B((, [a-e])*)(, …)?"
    parts = [re.fullmatch(form, each) for each in said]
    assert all(parts), said
    deepest = max(parts, key=lambda part: int(part[1]))
    assert int(deepest[1]) > 8
    assert (len(deepest[2].split(", ")) - 1, deepest[4]) == (8, ", …")
    for part in parts:
        assert len(part[2].split(", ")) - 1 == min(int(part[1]), 8)


@pytest.mark.slow
def test_progress_says_the_numbers_of_a_proof_number_search():
    """They are those of the first position: neither is 0 before the end, and one is then."""
    before = told(_CHASE, nodes=200)[-1]
    found = re.match(r"proof ([\d,]+), disproof ([\d,]+), table \d+% of ", before)
    assert found, before
    assert min(int(number.replace(",", "")) for number in found.groups()) > 0
    assert told(_CHASE)[-1].startswith("proof 0, disproof infinite, ")


def test_the_line_so_far_begins_with_a_move_that_is_proved():
    """Half of a question has a best move, and the line that is not proved goes that way."""
    proof = zermelo.prove(TicTacToe(), ask="draw", memory="50MB", threads=1)
    assert (proof.value.outcome, proof.line().ends) == (None, "unproved")
    assert proof.line().moves[0] == proof.best_move
    assert legal(proof)


@pytest.mark.parametrize("nodes", [1, 70, 700, 7_000])
def test_a_limit_leaves_the_line_that_looks_best(nodes):
    """It is made of legal moves, as far as the search has gone, and says that it is not proved."""
    proof = zermelo.prove(ConnectFour(width=5, height=4), nodes=nodes, memory="50MB", threads=1)
    line = proof.line()
    assert (proof.value.outcome, line.ends) == (None, "unproved")
    assert legal(proof)
    assert len(line) >= (0 if nodes == 1 else 3)


@pytest.mark.slow
def test_a_limit_leaves_a_line_where_play_goes_round():
    """The line that a proof-number search looks at is made of legal moves, too."""
    proof = zermelo.prove(_CHASE, nodes=200, memory="50MB", threads=1)
    assert (proof.value.outcome, proof.line().ends, len(proof.line()) > 0) == (
        None,
        "unproved",
        True,
    )
    assert legal(proof)
