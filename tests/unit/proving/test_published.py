"""Published values of boards too large for a test to solve, proved from their start."""

from __future__ import annotations

import random

import pytest

import zermelo
from zermelo import WIN
from zermelo.games import ConnectFour, Cram, Domineering, DotsAndBoxes, Hex, Othello, Quixo, zoo

#: Games with the parameters of a fact, which they list with its source.
PROVED = [
    ("kalah", {"pits": 4, "seeds": 3}),
    ("connect-four", {"width": 4, "height": 7}),
    ("gobblet-gobblers", {"each": 2}),
    ("dots-and-boxes", {"rows": 3, "columns": 3}),
    ("clobber", {"rows": 3, "columns": 5}),
]
#: Rectangles of games of dominoes, rows by columns, whose facts name the winner.
RECTANGLES = [
    (Domineering, {(2, 9), (5, 5)}),
    (Cram, {(3, 6), (4, 5)}),
    pytest.param(Domineering, {(2, 8), (2, 13), (11, 2)}, marks=pytest.mark.huge),
    pytest.param(Cram, {(5, 5)}, marks=pytest.mark.huge),
]
#: Those that take long, or are of a game of which a smaller board is proved, as rectangles are.
LONG = [
    ("kalah", {"pits": 5, "seeds": 3}),
    ("kalah", {"pits": 6, "seeds": 2}),
    ("cram", {"rows": 5, "columns": 6}),
    ("cram", {"rows": 6, "columns": 6}),
    ("domineering", {"rows": 6, "columns": 6}),
    ("domineering", {"rows": 7, "columns": 7}),
    ("m-n-k", {"rows": 5, "columns": 5, "length": 4}),
    ("m-n-k", {"rows": 6, "columns": 6, "length": 4}),
    ("quixo", {"size": 4}),
    ("breakthrough", {"rows": 5, "columns": 5, "ranks": 2}),
    ("dots-and-boxes", {"rows": 2, "columns": 5}),
    ("dots-and-boxes", {"rows": 3, "columns": 4}),
    ("clobber", {"rows": 4, "columns": 4}),
    ("clobber", {"rows": 3, "columns": 6}),
    ("clobber", {"rows": 4, "columns": 5}),
    ("clobber", {"rows": 5, "columns": 5}),
]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [pytest.param(*each, marks=pytest.mark.slow) for each in PROVED]
    + [pytest.param(*each, marks=pytest.mark.huge) for each in LONG],
)
def test_the_proof_is_as_published(name, parameters):
    """The value is that of the fact, and so is the margin where there is one."""
    kind = zoo()[name]
    fact = next(fact for fact in kind.facts if dict(fact.parameters) == parameters)
    proof = zermelo.prove(kind(**parameters), memory="4GB")
    if fact.score is not None:
        assert proof.value.score == fact.score
    else:
        assert str(proof) == {"tie": "draw"}.get(fact.outcome, fact.outcome)


@pytest.mark.huge
def test_the_win_on_the_standard_board_is_a_file_that_verifies(tmp_path):
    """The strategy is built, saved, opened and followed to all ends: five CPU minutes, and 5 GB."""
    proof = zermelo.prove(ConnectFour(7, 6), memory="4GB")
    fact = next(f for f in ConnectFour.facts if dict(f.parameters) == {"width": 7, "height": 6})
    assert str(proof) == fact.outcome
    path = proof.save(tmp_path / "four.proof")
    assert path.stat().st_size < 100_000_000
    del proof
    opened = zermelo.open(path)
    assert str(opened) == fact.outcome
    assert opened.verify()


@pytest.mark.huge
def test_the_win_on_the_empty_board_of_connect_four_takes_41_plies():
    """The plies are those of the fact, 1.5 thousand million positions and twenty minutes later."""
    (fact,) = (f for f in ConnectFour.facts if dict(f.parameters) == {"width": 7, "height": 6})
    proof = zermelo.prove(ConnectFour(7, 6), remoteness=True, memory="6GB")
    assert (proof.value.outcome, proof.value.remoteness) == (WIN, 41) == (WIN, fact.remoteness)


@pytest.mark.huge
def test_four_by_four_boxes_are_a_tie():
    """Nobody's margin is at hand to compare it with; it takes ten CPU minutes."""
    assert zermelo.prove(DotsAndBoxes(4, 4), memory="4GB").value.score == 0


@pytest.mark.slow
def test_othello_on_four_by_four_squares_is_lost_by_eight():
    """The margin is that of the fact (eight discs fewer for the first player), and is proved."""
    fact = next(fact for fact in Othello.facts if not fact.parameters)
    proof = zermelo.prove(Othello(), memory="200MB")
    assert (proof.value.score, fact.score) == (-8, -8)
    assert proof.verify()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "sizes"), RECTANGLES)
def test_rectangles(kind, sizes):
    """Whoever begins, the winner is the published one, and the strategy shows it."""
    found = 0
    for fact in kind.facts:
        size = fact.parameters.get("rows"), fact.parameters.get("columns")
        if size in sizes and not fact.misere:
            proof = zermelo.prove(kind(**fact.parameters), memory="200MB")
            assert str(proof.value.outcome) == fact.outcome, fact.parameters
            assert proof.verify(), fact.parameters
            found += 1
    assert found >= len(sizes)


@pytest.mark.parametrize(
    ("size", "winning"),
    [
        pytest.param(4, 4, marks=pytest.mark.slow),
        pytest.param(5, 13, marks=pytest.mark.slow),
    ],
)
def test_every_opening_of_hex(size, winning):
    """As many win as OEIS A212188 says (Henderson, Arneson and Hayward 2009)."""
    game, found = Hex(size, size), []
    for cell in range(size * size):
        after, how = game.play(game.start(), cell), {"search": "proof-number", "memory": "500MB"}
        proof = zermelo.prove(game, position=after, ask="win", **how)
        found += [] if proof.answer else [cell]
    assert len(found) == winning
    assert sorted(size * size - 1 - cell for cell in found) == found


@pytest.mark.huge
def test_an_opening_of_six_by_six_hex_in_the_middle():
    """It is one of the 24 of OEIS A212188 that win: whoever answers it loses."""
    game = Hex(6, 6)
    after, how = game.parse("....../....../...X../....../....../......"), {"memory": "500MB"}
    proof = zermelo.prove(game, position=after, ask="win", search="proof-number", **how)
    assert proof.answer is False  # and there are no draws


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("size", "count"),
    [
        pytest.param(3, 40, marks=pytest.mark.slow),
        pytest.param(4, 1000, marks=pytest.mark.huge),
    ],
)
def test_quixo_agrees_with_its_table(size, count):
    """Play can go round, and proofs say of random positions what the table says.

    The table of 4 by 4 takes 20 CPU seconds, and the proofs of 1000 positions 160.
    """
    game = Quixo(size)
    solution = zermelo.solve(game)
    rng = random.Random(size)
    for _ in range(count):
        position = game.start()
        for _ in range(rng.randrange(2, 30)):
            moves = list(game.moves(position))
            after = game.play(position, rng.choice(moves))
            if game.outcome(after) is None:
                position = after
        proof = zermelo.prove(game, position=position, memory="500MB")
        assert proof.value.outcome == solution[position].outcome, game.show(position)
