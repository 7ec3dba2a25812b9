"""Tables of games with chance: equal however they come about, saved, opened and resumed."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from support.faults.tampered_tables import Table
from support.games.chance_games import (
    HARD_CASES,
    DiceNim,
    OwnedScoreChanceGame,
    gamblers_ruin,
    random_chance_game,
    random_chance_games,
    stakes,
)
from support.oracles import expectations
from support.processes.kills import Killed, dying, eager
from support.sizes import counts
from support.small_blocks import short_palettes
from zermelo import BudgetError, CorruptTableError, Face, ParameterError, TableExistsError
from zermelo.games import Pig

GAME = HARD_CASES["coin decides who may leave a cycle"].game
#: Points are made before and after cycles, and chance decides between.
SCORED = random_chance_game(50, kind=OwnedScoreChanceGame, forward=False)


@counts(8, 35, 5_000)
def test_tables_in_plain_python_and_compiled_are_equal(tmp_path, count):
    """A table by plain Python is that by compiled rules, byte for byte."""
    for game in random_chance_games(21_000_000, count):
        files = [
            zermelo.solve(game, method=method).save(tmp_path / method, overwrite=True)
            for method in ("plain", "chance")
        ]
        assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 4])
def test_tables_do_not_depend_on_the_number_of_threads(tmp_path, threads):
    """The table of a long walk is the same, byte for byte, for any number of threads."""
    game = DiceNim(50_000)
    one, more = (
        zermelo.solve(game, method="chance", threads=number).save(tmp_path / str(number))
        for number in (1, threads)
    )
    assert one.read_bytes() == more.read_bytes()


@pytest.mark.parametrize("game", [GAME, SCORED], ids=["result", "score"])
def test_a_saved_solution_is_opened_with_its_game(tmp_path, game):
    """A table opened with its game has the values, counts and certificate of the solution."""
    solution = zermelo.solve(game)
    path = solution.save(tmp_path / "saved.table")
    with zermelo.open(path, game) as opened:
        assert dict(opened.items()) == dict(solution.items())
        assert opened.counts() == solution.counts()
        assert opened.kind is solution.kind
        assert opened.value == solution.value
        assert opened.verify()


def count_by_parts(patch):
    """Count by few parts of the range wherever more than two expectations differ."""
    patch.setattr("zermelo.values.expectations._MOST_COUNTED", 2)
    patch.setattr("zermelo.values.expectations._MOST_PARTS", 3)


@counts(10, None, 1_000)
def test_many_expectations_are_saved_as_a_range(tmp_path, count):
    """A table with more expectations than a header lists has the same values and certificate."""
    path, ranges = tmp_path / "range.table", 0
    for game in random_chance_games(26_000_000, count):
        solution = zermelo.solve(game, method="chance")
        with short_palettes(2):
            solution.save(path, overwrite=True)
        ranges += isinstance(Table.of(path).header["table"]["palette"], dict)
        with zermelo.open(path, game) as opened:
            assert dict(opened.items()) == dict(solution.items())
            assert all(opened[position] == solution[position] for position in solution)
            assert opened.counts() == solution.counts()
            assert opened.verify()
    assert ranges


@counts(5, 50, 500)
def test_many_expectations_are_counted_by_parts_of_their_range(monkeypatch, count):
    """The parts contain the middles of bounds counted there; each sign has as many as before."""
    for game in random_chance_games(27_000_000, count):
        solution = zermelo.solve(game, method="chance")
        exact = solution.counts()
        with monkeypatch.context() as patch:
            count_by_parts(patch)
            parts = zermelo.solve(game, method="chance").counts()
        assert parts.by_outcome == exact.by_outcome
        if len(exact.by_bounds) <= 2:
            continue
        zeros = exact.by_bounds.get((0, 0), 0)
        assert parts.by_bounds.pop((0, 0), 0) == zeros
        middles = [(sum(bounds) / 2, number) for bounds, number in exact.by_bounds.items()]
        for (lower, upper), number in parts.by_bounds.items():
            inside = sum(n for middle, n in middles if lower <= middle < upper)
            assert number == inside - (zeros if lower <= 0 < upper else 0)


def test_a_saved_solution_is_opened_without_its_game(tmp_path):
    """A table of a game of the zoo is opened by its path alone, with the same values."""
    solution = zermelo.solve(Pig(goal=8))
    path = solution.save(tmp_path / "saved.table")
    with zermelo.open(path) as opened:
        assert dict(opened.items()) == dict(solution.items())
        assert opened.verify()


def test_a_table_is_refused_for_other_weights(tmp_path):
    """A table is not that of a game whose weights differ."""
    path = zermelo.solve(gamblers_ruin(5, 2, 3).game).save(tmp_path / "saved.table")
    with pytest.raises(ParameterError, match=r"with weights = .* not .*; give the same game"):
        zermelo.open(path, gamblers_ruin(5, 3, 2).game)


def test_solving_into_a_table_gives_the_saved_table(tmp_path):
    """A solve with table= writes the file that save() writes."""
    saved = zermelo.solve(GAME).save(tmp_path / "saved.table")
    zermelo.solve(GAME, table=tmp_path / "direct.table")
    assert saved.read_bytes() == (tmp_path / "direct.table").read_bytes()
    with pytest.raises(TableExistsError):
        zermelo.solve(GAME, table=tmp_path / "direct.table")


@pytest.mark.compiled
def test_a_killed_solve_of_another_precision_is_not_resumed(tmp_path):
    """What a killed solve has found is used again only for the same precision."""
    path = tmp_path / "killed.table"
    with eager():
        for precision in (1e-3, 1e-9, 1e-9):
            with pytest.raises(Killed), dying(1, "after"):
                zermelo.solve(GAME, method="chance", table=path, precision=precision)
        rough = zermelo.solve(GAME, method="chance", table=path, precision=1e-9)
    assert dict(rough.items()) == dict(zermelo.solve(GAME, method="chance").items())


@pytest.mark.compiled
def test_a_solve_that_does_not_fit_in_memory_is_refused():
    """With too little memory the error says how much is needed."""
    game = DiceNim(60)
    with pytest.raises(BudgetError, match="needs at least"):
        zermelo.solve(game, memory="20kB")
    assert zermelo.solve(game, memory="20MB").verify()


def test_values_in_a_header_have_bounds(tmp_path):
    """The header of a table has the bounds and the probability of the start."""
    path = zermelo.solve(HARD_CASES["Russian roulette"].game).save(tmp_path / "saved.table")
    header = Table.of(path).header
    for lower, exact, upper in (
        (header["value"]["bounds"][0], Fraction(-1, 11), header["value"]["bounds"][1]),
        (header["value"]["probability"][0], Fraction(5, 11), header["value"]["probability"][1]),
    ):
        assert lower <= exact <= upper
    assert header["table"]["value_kind"] == "expected-result/2^-45"


@pytest.mark.parametrize(
    "value_kind",
    ["expected-result", "expected-result/2^-46", "expected-result/2^-44", "expected-score/2^-45"],
)
def test_a_table_of_another_kind_or_unit_is_refused(tmp_path, value_kind):
    """A table whose values have no unit, another unit, or another kind is refused."""
    path = zermelo.solve(GAME).save(tmp_path / "saved.table")
    pieces = Table.of(path)
    pieces.header["table"]["value_kind"] = value_kind
    path.write_bytes(pieces.data())
    with pytest.raises(CorruptTableError, match="its header is wrong"):
        zermelo.open(path, GAME)


def test_faces_stand_in_the_place_of_moves():
    """At a position of chance moves are faces, which play takes, and each keeps the turn."""
    solution = zermelo.solve(HARD_CASES["Russian roulette"].game)
    rules = solution.rules
    faces = rules.moves(1)
    assert faces == [Face(0, 1, 6), Face(1, 5, 6)]
    assert [rules.play(1, face) for face in faces] == [2, 0]
    assert all(rules.keeps_turn(1, face, rules.play(1, face)) for face in faces)
    assert [str(face) for face in faces] == ["1 (1/6)", "2 (5/6)"]
    assert faces[1].probability == pytest.approx(5 / 6)
    assert rules.is_chance(1)
    assert not rules.is_chance(0)


def test_a_value_is_an_enclosure():
    """A value has bounds, a probability, an expectation and an outcome."""
    game, values = stakes(2, 3)
    solution = zermelo.solve(game)
    value = solution.value
    exact = values[0]
    assert value.bounds[0] <= exact <= value.bounds[1]
    assert value.probability[0] <= (1 + exact) / 2 <= value.probability[1]
    assert value.bounds[0] <= value.expectation <= value.bounds[1]
    assert value.outcome is zermelo.LOSS
    assert value.remoteness is None


def test_a_value_of_a_score_game_has_no_probability():
    """The value of a score game encloses the expected margin, and is no probability."""
    value = zermelo.solve(HARD_CASES["die rolled twice"].game).value
    assert value.probability is None
    assert value.bounds[0] <= Fraction(17, 4) <= value.bounds[1]


def test_exact_values_of_saved_random_games_are_enclosed(tmp_path):
    """Bounds read from a file enclose the values of the oracle."""
    for game in random_chance_games(22_000_000, 10):
        path = zermelo.solve(game).save(tmp_path / "saved.table", overwrite=True)
        with zermelo.open(path, game) as opened:
            bounds = {position: value.bounds for position, value in opened.items()}
        assert expectations.problem(expectations.solve(game), bounds, 10**6) is None
