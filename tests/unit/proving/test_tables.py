"""Tables that a search is given: what they save, which are refused, and that none is believed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

import zermelo
from support.faults.tampered_tables import forged
from support.games.strategies import guided
from support.games.symmetric import ColouringGame, random_symmetric
from support.oracles import oracle
from zermelo import BudgetError, ParameterError, UnprovedError
from zermelo.cli import main
from zermelo.games import ConnectFour, TakeAway

#: Two cycles: from 0 and 1 the token comes to 2, where the rest of the game begins.
ROUND = guided([(1, 2), (0, 2), (3, 4), (2, 5), (4,), ()])


def proved(game, *tables, **how):
    """Prove with little memory."""
    return zermelo.prove(game, tables=tables, memory="50MB", **how)


def test_a_search_stops_at_a_table(tmp_path):
    """It visits less, says the same, and its proof holds without the table, also from a file."""
    game = TakeAway(stones=101, limit=3)
    path = tmp_path / "fifty.table"
    zermelo.solve(TakeAway(stones=50, limit=3), table=path)
    alone, proof = proved(game, remoteness=True), proved(game, path, remoteness=True)
    assert str(proof) == str(alone) == "win in 51"
    assert proof.nodes < alone.nodes
    assert proof.best_move == alone.best_move
    assert len(proof.line()) == 51
    assert proof.verify()
    assert zermelo.open(proof.save(tmp_path / "hundred.proof")).verify()
    inside = proved(game, path, position=41)
    assert (str(inside), inside.best_move) == ("win", 1)
    assert inside.nodes == 1
    assert str(inside.solution[40]) == "loss in 20"


def test_play_that_goes_round_ends_in_a_table():
    """Within a table moves are made by remoteness, so that a win there does not go round."""
    solution = zermelo.solve(replace(ROUND, roots=(2,)))
    table = oracle.solve(ROUND)
    for position, (outcome, _) in table.items():
        proof = proved(ROUND, solution, position=position)
        assert proof.value.outcome == outcome
        assert proof.verify()


@pytest.mark.slow
def test_symmetries_of_a_table_are_those_of_the_search():
    """A solution may count positions as one in which the sides are exchanged; a search does not."""
    games = [each for each in random_symmetric(3, 5) if isinstance(each, ColouringGame)]
    for game in games:
        solution = zermelo.solve(game)
        proof = proved(game, solution)
        assert proof.value.outcome == solution.value.outcome
        assert proof.nodes <= 2  # the first position, in each test
        assert proof.verify()


@pytest.mark.slow
def test_tables_of_other_rules_are_refused(tmp_path):
    """By what is other about them."""
    four = zermelo.solve(TakeAway(stones=50, limit=4))
    for game, tables, said in (
        (TakeAway(stones=60), [four], r"limit=4\), whose rules are not those of .* at"),
        (ROUND, [four], "give a table of the same class"),
        (TakeAway(stones=60), [3], "3 is not a table; give a Solution, or the path"),
        (TakeAway(stones=60), 3, "tables=3 is not a list"),
    ):
        with pytest.raises(ParameterError, match=said):
            zermelo.prove(game, tables=tables, memory="50MB")
    misere = zermelo.solve(TakeAway(stones=50, limit=3), misere=True)
    with pytest.raises(ParameterError, match="is of misère play"):
        proved(TakeAway(stones=60, limit=3), misere)
    with pytest.raises(zermelo.MissingTableError):
        proved(TakeAway(stones=60, limit=3), tmp_path / "none.table")
    path = proved(TakeAway(stones=9, limit=3)).save(tmp_path / "nine.proof")
    with pytest.raises(ParameterError, match="is a proof of one position; give a table"):
        proved(TakeAway(stones=60, limit=3), path)
    rows = ConnectFour(4, 4, 3)
    outcomes = zermelo.solve(rows, value="outcome")
    assert proved(rows, outcomes).verify()
    with pytest.raises(ParameterError, match="does not say how far away wins are"):
        proved(rows, outcomes, remoteness=True)


def test_a_table_must_fit():
    """Half of the memory is for its positions."""
    with pytest.raises(BudgetError, match=r"positions of the tables take .* allow more memory"):
        zermelo.prove(
            TakeAway(stones=60), tables=[zermelo.solve(TakeAway(stones=50))], memory="1kB"
        )


@pytest.mark.slow
def test_a_wrong_table_does_not_pass(tmp_path):
    """What it says is followed by the rules: a forged value fails where the game ends."""
    path = tmp_path / "twenty.table"
    zermelo.solve(TakeAway(stones=20, limit=3), table=path)

    def change(header, parts):
        (values,) = parts["values"]  # places in a palette, from the nearest loss to the nearest win
        values[:] = bytes(max(values) - value for value in values)

    proof = proved(TakeAway(stones=30, limit=3), forged(path, change))
    with pytest.raises(UnprovedError, match="the search is wrong about"):
        proof.verify()


def test_the_command_takes_tables(tmp_path):
    """As files, any number of them; a wrong one ends with a sentence."""
    path = tmp_path / "a.table"
    zermelo.solve(TakeAway(stones=20, limit=3), table=path)
    given = ["prove", "take-away", "--stones", "41", "--with-table", str(path), "--verify"]
    result = CliRunner().invoke(main, [*given, "--quiet"])
    assert (result.exit_code, result.stdout) == (0, "win\n")
    result = CliRunner().invoke(main, [*given, "--limit", "4"])
    assert result.exit_code == 2
    assert "whose rules are not those of" in result.stderr
