"""``Solution.dataset``: labels that counting confirms, batches, files, and splits without twins."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from support.games.strategies import random_games, random_score_games
from support.oracles import oracle
from support.sizes import counts
from zermelo import LOSS, Game, ParameterError, PlacementGame, RulesError, Symmetry
from zermelo.games import ConnectFour, StoneGame, TakeAway
from zermelo.symmetry import grid

SQUARE = Symmetry(grid(3, 3), masks=("mine", "theirs"))


@pytest.fixture(scope="module")
def data(noughts):
    """Its positions."""
    return noughts.dataset(board_shape=(3, 3))


def joined(batches):
    """Concatenate batches."""
    parts = list(batches)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@pytest.mark.slow
def test_every_move_has_its_value(noughts, tmp_path):
    """The columns say what ``options`` says, and files have them as ``dataset`` does."""
    data = noughts.dataset(move_values=True)
    rows = joined(data.batches(1000))
    layout = noughts.rules.layout
    for n in range(0, len(data), 97):
        options = {o.move: o.value for o in noughts.options(layout.build(rows["positions"][n]))}
        for move, outcome, remoteness in zip(
            data.moves, rows["move_outcome"][n], rows["move_remoteness"][n], strict=True
        ):
            value = options.get(move)
            told = (-2, -1) if value is None else (value.outcome, value.remoteness)
            assert (outcome, remoteness) == told
    arrays = np.load(noughts.export(tmp_path / "moves.npz", move_values=True))
    assert (arrays["move_outcome"] == rows["move_outcome"]).all()
    text = noughts.export(tmp_path / "moves.csv", move_values=True).read_text()
    assert "move_outcome[a3],move_outcome[b3]" in text.splitlines()[0]
    assert "move_outcome" not in joined(noughts.dataset().batches())
    with pytest.raises(ParameterError, match=r"moves=\(\) leaves out all columns of moves"):
        noughts.dataset(moves=(), move_values=True)


def test_move_values_of_a_score_game():
    """What a move is worth there is a margin, the points that it makes included; or a nimber."""
    stones = zermelo.solve(StoneGame(piles=(5, 3, 4, 5)))
    data = stones.dataset(move_values=True)
    rows = joined(data.batches())
    layout = stones.rules.layout
    for n in range(len(data)):
        options = stones.options(layout.build(rows["positions"][n]))
        scores = {option.move: option.value.score for option in options}
        told = dict(zip(data.moves, rows["move_score"][n].tolist(), strict=True))
        assert {move: told[move] for move in scores} == scores
    heaps = zermelo.solve(TakeAway(stones=6), value="nimber")
    rows = joined(heaps.dataset(move_values=True).batches())
    assert rows["positions"][0].tolist() == [6]
    nimbers = {option.move: option.value.nimber for option in heaps.options(6)}
    assert rows["move_nimber"][0].tolist() == [nimbers[take] for take in (1, 2, 3)]


def checked(game, rows, data, table, *, scored=False):
    """Compare rows with the oracle."""
    graph = oracle.explore(game)
    layout = zermelo.solve(game).rules.layout
    seen = set()
    for n, numbers in enumerate(rows["positions"].tolist()):
        position = layout.build(numbers)
        seen.add(position)
        edges = graph.edges.get(position, [])
        value = table[position]
        if scored:
            assert rows["score"][n] == value
            best = {e.move for e in edges if e.gain + e.sign * table[e.child] == value}
        else:
            assert (rows["outcome"][n], rows["remoteness"][n]) == (
                value[0],
                -1 if value[1] is None else value[1],
            )
            best = {e.move for e in edges if oracle.lift(table[e.child], e.sign) == value}
        if "player" in rows:
            assert rows["player"][n] == game.turn(position)
        if not data.moves:  # and so no masks
            assert not edges
            continue
        assert {m for m, on in zip(data.moves, rows["legal"][n], strict=True) if on} == {
            edge.move for edge in edges
        }
        assert {m for m, on in zip(data.moves, rows["best"][n], strict=True) if on} == best
    assert seen == set(graph)


@counts(6, 200)
def test_labels_of_random_games_are_those_of_the_oracle(count):
    """Values, legal moves and best moves, with cycles, double edges and extra turns."""
    for game in random_games(28, count, vertices=12):
        data = zermelo.solve(game).dataset()
        checked(game, joined(data.batches(5)), data, oracle.solve(game))


@counts(4, 100)
def test_labels_of_score_games(count):
    """Best moves are those that gain most in all."""
    for game in random_score_games(28, count, vertices=10):
        data = zermelo.solve(game).dataset()
        rows = joined(data.batches(5))
        checked(game, rows, data, oracle.solve_scores(game), scored=True)


@pytest.mark.slow
def test_batches_planes_and_masks(noughts, data):
    """Batches have one size; planes are the board from its top row."""
    batches = list(data.batches(1000))
    assert [len(batch["outcome"]) for batch in batches] == [1000] * 5 + [478]
    rows = joined(batches)
    assert len(data) == len(rows["outcome"]) == 5478
    probes = noughts.probe_many(rows["positions"])
    assert (probes.outcome == rows["outcome"]).all()
    assert (probes.remoteness == rows["remoteness"]).all()
    assert data.planes == (2, 3, 3)
    bits = rows["planes"].reshape(-1, 2, 9) << np.arange(9)
    assert (bits.sum(2) == rows["positions"]).all()
    assert data.names[0] == "a3"
    shuffled = joined(data.batches(700, shuffle=1))
    assert not (shuffled["outcome"] == rows["outcome"]).all()
    order = [np.lexsort(each["positions"].T) for each in (rows, shuffled)]
    for name, array in rows.items():
        assert (array[order[0]] == shuffled[name][order[1]]).all()
    again = joined(data.batches(700, shuffle=1))
    assert all((array == again[name]).all() for name, array in shuffled.items())


@pytest.mark.slow
def test_a_split_shares_no_position_and_no_twin(data):
    """Every position is in one part, and all its rotations and reflections with it."""
    train, rest = data.split(0.8, symmetries=SQUARE)
    test, hidden = rest.split(0.5)
    places = {}
    for n, part in enumerate((train, test, hidden)):
        assert len(part) == sum(len(batch["outcome"]) for batch in part.batches(500))
        for row in joined(part.batches())["positions"].tolist():
            places[tuple(row)] = n
    assert len(places) == 5478 == len(train) + len(test) + len(hidden)
    assert 0.7 < len(train) / 5478 < 0.9
    assert 0.03 < len(test) / 5478 < 0.17
    turn = grid(3, 3)
    for (mine, theirs), n in places.items():
        for cells in turn:
            assert places[moved(mine, cells), moved(theirs, cells)] == n
    other = data.split(0.8, seed=1, symmetries=SQUARE)[0]
    assert {tuple(row) for row in joined(other.batches())["positions"].tolist()} != {
        row for row, n in places.items() if n == 0
    }
    assert len(data.split(1.0)[0]) == 5478
    assert list(data.split(0.0)[0].batches()) == []


@pytest.mark.slow
def test_a_placement_game_knows_its_twins():
    """Connect Four has its mirror image, and a square board all eight that keep its lines."""
    four = zermelo.solve(ConnectFour(width=4, height=3)).dataset()
    assert four.planes == (2, 3, 4)
    train, test = four.split(0.5)
    seen = {tuple(row) for row in joined(train.batches())["positions"].tolist()}

    def mirrored(mask):
        return sum(
            1 << (3 - x) * 4 + y for x in range(4) for y in range(3) if mask >> x * 4 + y & 1
        )

    assert {tuple(map(mirrored, row)) for row in seen} == seen
    rows = joined(four.batches())
    top = rows["planes"][:, :, 0, :]
    assert (top[:, 0, 1] == rows["positions"][:, 0] >> (4 + 2) & 1).all()
    assert len(train) + len(test) == 12031


@dataclass(frozen=True)
class Odd(PlacementGame):
    """Three cells of a square whose only line is along the top: one reflection keeps it."""

    width: int = 2
    height: int = 2

    def lines(self):
        """One line."""
        return [(0, 1)]


def test_reflections_that_move_a_line_elsewhere_are_no_symmetries():
    """They would put positions together that are not alike."""
    data = zermelo.solve(Odd()).dataset()
    kept = set(permutations(range(4)))
    for seed in range(20):
        part = data.split(0.5, seed=seed)[0]
        rows = {tuple(row) for row in joined(part.batches())["positions"].tolist()}
        kept = {
            cells
            for cells in kept
            if all(tuple(moved(mask, cells) for mask in row) in rows for row in rows)
        }
    assert kept == {(0, 1, 2, 3), (1, 0, 3, 2)}


def moved(mask, cells):
    """Return a mask whose bits have gone where a permutation has them."""
    return sum(1 << to for at, to in enumerate(cells) if mask >> at & 1)


@pytest.mark.slow
def test_as_columns_and_in_files(noughts, data, tmp_path):
    """Each mask and plane is named; files are those of an export."""
    table = data.to_arrow()
    assert table.num_rows == 5478
    assert table.column_names[:5] == ["mine", "theirs", "outcome", "remoteness", "legal[a3]"]
    assert table.column_names[-1] == "planes[1][2][2]"
    (first,) = table.slice(0, 1).to_pylist()
    assert (first["outcome"], first["best[b2]"], first["legal[c1]"]) == ("draw", True, True)
    small = noughts.dataset(moves=())
    assert small.to_arrow().column_names == ["mine", "theirs", "outcome", "remoteness"]
    with np.load(data.save(tmp_path / "x.npz")) as arrays:
        rows = joined(data.batches())
        assert (arrays["best"] == rows["best"]).all()
        assert arrays["planes"].shape == (5478, 18)
    pyarrow = pytest.importorskip("pyarrow.parquet")
    part = data.split(0.5)[0]
    assert pyarrow.read_table(part.save(tmp_path / "x.parquet")).num_rows == len(part)
    assert "50 % of its classes" in repr(part)


class Spot(NamedTuple):
    """Where a token is."""

    row: int
    column: int


@dataclass(frozen=True)
class Walk(Game):
    """A token goes right or down by steps that are pairs; whoever cannot move loses."""

    size: int = 3
    worded: bool = False
    no_moves = LOSS

    def start(self):
        return Spot(0, 0)

    def moves(self, spot):
        if spot.row + 1 < self.size:
            yield (1, 0)
        if spot.column + 1 < self.size:
            yield (0, 1)

    def play(self, spot, step):
        return Spot(spot.row + step[0], spot.column + step[1])


def test_moves_that_are_pairs():
    """They are listed as the game has them, in ascending order."""
    data = zermelo.solve(Walk()).dataset()
    assert data.moves == ((0, 1), (1, 0))
    rows = joined(data.batches())
    start = (rows["positions"] == 0).all(axis=1)
    assert rows["legal"][start].tolist() == [[True, True]]
    ordered = zermelo.solve(Walk()).dataset(moves=[(1, 0), (0, 1)])
    edge = (joined(ordered.batches())["positions"] == [2, 0]).all(axis=1)
    assert joined(ordered.batches())["legal"][edge].tolist() == [[False, True]]


def test_mistakes_are_told_in_a_sentence(noughts, data):
    """What is not a size, a share, a board, or a list of all moves."""
    for size in (0, 1.5, True):
        with pytest.raises(ParameterError, match="size="):
            data.batches(size)
    for share in (-0.1, 1.5, "x"):
        with pytest.raises(ParameterError, match="share="):
            data.split(share)
    with pytest.raises(ParameterError, match="seed=-1"):
        data.split(0.5, seed=-1)
    with pytest.raises(ParameterError, match="part of a split already"):
        data.split(0.5)[0].split(0.5, seed=3)
    with pytest.raises(RulesError, match="nobodys"):
        data.split(0.5, symmetries=Symmetry(grid(3, 3), masks=("nobodys",)))
    with pytest.raises(ParameterError, match=r"board_shape=\(9, 9\) does not fit TicTacToe"):
        noughts.dataset(board_shape=(9, 9))
    with pytest.raises(ParameterError, match=r"board_shape=3 is not a shape"):
        noughts.dataset(board_shape=3)
    with pytest.raises(ParameterError, match="lacks 0, a move of Board"):
        list(noughts.dataset(moves=range(1, 9)).batches())
    with pytest.raises(ParameterError, match="has no class"):
        zermelo.pursuit([[1], [0]]).dataset()
    with pytest.raises(ParameterError, match="does not end with"):
        data.save("x.unknown")


@pytest.mark.slow
def test_tensors(data):
    """PyTorch gets the same batches, shared among the workers of a loader."""
    torch = pytest.importorskip("torch")
    rows = joined(data.batches())
    found = [batch["best"] for batch in data.torch(1000)]
    assert all(isinstance(each, torch.Tensor) for each in found)
    assert (torch.cat(found).numpy() == rows["best"]).all()
    stream = data.torch(1000, shuffle=1)
    first, second = (torch.cat([b["outcome"] for b in stream]) for _ in range(2))
    assert not (first == second).all()
    assert sorted(first.tolist()) == sorted(second.tolist())


def test_stone_games_have_lists_of_moves_too():
    """A game whose moves are few."""
    data = zermelo.solve(StoneGame([5, 3, 4, 5])).dataset()
    assert data.names == ("left", "right")
    assert {"score", "best", "legal"} <= set(next(data.batches(2)))
