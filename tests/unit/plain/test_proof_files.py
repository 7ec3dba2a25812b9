"""Proofs of small games: their files, read without Numba; and hooks that help a search."""

from __future__ import annotations

from collections import Counter

import pytest

import zermelo
from support.faults.tampered_tables import Table, answers, forged_results, noticed
from support.games.symmetric import random_symmetric
from support.sizes import counts
from zermelo import WIN, limits
from zermelo.games import CatAndMouse, ConnectFour, Domineering, TakeAway
from zermelo.values.proof_values import FAR

GRAPH = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


@counts(10, None, 200)
def test_proofs_of_games_with_symmetries_are_read(count, tmp_path):
    """A small game is solved without its symmetries, as the file says."""
    for game in (ConnectFour(3, 3, 3), Domineering(2, 3), *random_symmetric(4, count)):
        proof = zermelo.prove(game)
        read = zermelo.open(proof.save(tmp_path / "x.proof", overwrite=True), game)
        assert read.value.bounds == proof.value.bounds
        assert read.verify(), game


@pytest.mark.slow
@pytest.mark.compiled
def test_proofs_of_positions_without_symmetries_are_read(tmp_path):
    """A search from a position on one side of the board uses no reflection."""
    game = ConnectFour(4, 4, 3)  # which other tests of proofs search as well
    for column in (0, 1):
        position = game.play(game.start(), column)
        proof = zermelo.prove(game, position=position)
        path = proof.save(tmp_path / "x.proof", overwrite=True)
        for seconds in (0.0, 2.0):
            with limits.using(plain_seconds=seconds):
                assert zermelo.open(path, game).verify(), (column, seconds)


@pytest.mark.parametrize("game", [TakeAway(21, 3), CatAndMouse(GRAPH)], ids=repr)
@counts(40, None, 1_000)
def test_forged_proofs_are_noticed(count, game, tmp_path):
    """Whoever can make checksums changes a header or a block: the check finds each wrong claim."""
    path = zermelo.prove(game).save(tmp_path / "x.proof")
    found = forged_results(path, tmp_path / "forged", game, count)
    assert found["refused"]


def test_claims_of_distances_decide_no_outcome_by_themselves(tmp_path):
    """Not to lose within so many plies is true of a draw too."""
    game = CatAndMouse(GRAPH)
    path, other = zermelo.prove(game).save(tmp_path / "x.proof"), tmp_path / "forged"
    table, truth = Table.of(path), answers(zermelo.open(path))
    found = Counter()
    for number in range(len(table.header["table"]["strategies"])):
        for least in (-FAR, -3, -1, 0, 1, 3, FAR):
            wrong = table.copy()
            wrong.header["table"]["strategies"][number] |= {"far": True, "least": least}
            other.write_bytes(wrong.data())
            found[noticed(other, game, truth)] += 1
    assert found["right"]
    assert found["false"]


class Misled(TakeAway):
    """A heap whose ``bounds`` says that every position is lost."""

    def bounds(self, stones):
        return zermelo.LOSS, zermelo.LOSS


def test_wrong_bounds_mislead_no_proof_of_a_small_game():
    """It is solved, and not searched, so that hints neither help nor hurt."""
    proof = zermelo.prove(Misled(21, 3))
    assert proof.value.outcome is WIN
    assert proof.verify()
