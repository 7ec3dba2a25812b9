"""Placement games, bit-sliced: every position as the ordinary rules have it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from support.games.boards import (
    Blocking,
    Breaker,
    FallingApart,
    FallingMisere,
    FallingWild,
    InARow,
    Maker,
    Misere,
    Notakto,
    OneSidedRows,
    Order,
    Sim,
    Wild,
)
from support.oracles import oracle
from support.sizes import some
from zermelo import DRAW, LOSS, WIN, PlacementGame
from zermelo.game.placement import Stones
from zermelo.games import ConnectFour, TicTacToe

GAMES = [
    *(ConnectFour(*size) for size in [(3, 3, 3), (3, 2, 2), (2, 5, 3), (5, 1, 3), (1, 1, 1)]),
    *(ConnectFour(*size) for size in [(3, 3, 4), (4, 3, 3), (3, 4, 4), (4, 4, 3), (5, 3, 4)]),
    *(kind(*size) for kind in (InARow, Misere, Maker, Breaker) for size in [(3, 3, 3), (4, 2, 3)]),
    *(kind(1, 1, 1) for kind in (InARow, Misere, Maker, Breaker, Notakto, Wild)),
    *(kind(1, 1, 2) for kind in (InARow, Misere, Maker, Breaker, Notakto, Wild)),
    *(kind(*size) for kind in (FallingMisere, FallingWild) for size in [(3, 3, 3), (2, 4, 3)]),
    *(kind(*size) for kind in (Notakto, Wild) for size in [(3, 3, 3), (2, 3, 2), (3, 2, 3)]),
    InARow(4, 3, 3),
    *(Blocking(*size) for size in [(3, 3, 3), (3, 3, 3, 1), (1, 1, 1), (4, 3, 3, 1)]),
    *(kind(*size) for kind in (OneSidedRows, Order) for size in [(3, 3, 3), (4, 2, 3), (1, 1, 2)]),
    *(FallingApart(*size) for size in [(3, 3, 3), (2, 4, 3), (1, 1, 1), (4, 3, 2)]),
]


def by_both(game):
    """Return a game's solution by this method, and by the one for ordinary rules."""
    solution = zermelo.solve(game)
    assert solution.method == "placement"
    return solution, zermelo.solve(game, method="retrograde")


@pytest.mark.parametrize("game", some(GAMES, 96, slow=4), ids=repr)
def test_every_position_is_as_the_ordinary_rules_have_it(game):
    """Positions, values, counts and starts are the same, and the certificate holds."""
    solution, ordinary = by_both(game)
    assert dict(solution.items()) == dict(ordinary.items())
    assert len(solution) == len(ordinary)
    assert solution.counts() == ordinary.counts()
    assert solution.starts == ordinary.starts
    assert solution.verify(), solution.verify()


@pytest.mark.parametrize(
    "game",
    some(
        [InARow(), Misere(), Notakto(), Order(), ConnectFour(3, 3, 3), Blocking(), FallingApart()],
        6,
    ),
    ids=repr,
)
def test_the_oracle_agrees(game):
    """So does a solver that shares no code with the engine."""
    found = {p: (int(v.outcome), v.remoteness) for p, v in zermelo.solve(game).items()}
    assert found == oracle.solve(game)


@pytest.mark.slow
@pytest.mark.parametrize("size", some(["4 4 4", "5 4 4", "5 4 3"], 3, slow=2))
def test_larger_boards_agree_too(size):
    """Where patterns pass a word, a block and a section, each position is still the same."""
    solution, ordinary = by_both(ConnectFour(*map(int, size.split())))
    assert solution.counts() == ordinary.counts()
    for places in islice(ordinary._solved.table.pages(), 0, None, 7):
        packed = ordinary._solved.table.packed(places)
        found = np.empty(len(places), np.int64)
        assert solution._solved.table.places(packed, len(places), found) == len(places)
        assert (solution._solved.table.values(found) == ordinary._solved.table.values(places)).all()
        assert (solution._solved.table.packed(found) == packed).all()


def test_tic_tac_toe_is_three_in_a_row():
    """The declaration and the rules written out give one game."""
    ours, written = zermelo.solve(InARow()), zermelo.solve(TicTacToe())
    assert written.method == "retrograde"
    assert {tuple(p): v for p, v in ours.items()} == {tuple(p): v for p, v in written.items()}


@pytest.mark.slow
def test_sim_is_won_by_the_second_player():
    """As has long been known, who goes second can avoid a triangle."""
    solution = zermelo.solve(Sim())
    assert solution.method == "placement"
    assert (solution.value.outcome, solution.winner) == (LOSS, "O")


@pytest.mark.slow
def test_sixteen_cells_without_gravity():
    """Four in a row on a four by four board is a tie, won by nobody."""
    assert zermelo.solve(InARow(4, 4, 4)).value == zermelo.Value(DRAW, 16)


@pytest.mark.parametrize("threads", [2, 3])
def test_the_table_does_not_depend_on_threads(threads):
    """All that is kept is the same bit by bit."""
    one, several = (zermelo.solve(ConnectFour(5, 4), threads=n)._solved.table for n in (1, threads))
    assert (one.index.stored == several.index.stored).all()
    assert (one.column.stored == several.column.stored).all()
    for name in ("present", "first", "rank", "place", "word", "value"):
        assert (getattr(one.index.directory, name) == getattr(several.index.directory, name)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    some([ConnectFour(3, 3, 3), ConnectFour(4, 3), Misere(), Notakto(), Breaker()], 5),
    ids=repr,
)
def test_remoteness_can_be_left_out(game):
    """Outcomes stay as they are; a win and a loss have no remoteness, and a tie has its own."""
    timed, bare = zermelo.solve(game), zermelo.solve(game, value="outcome")
    for position, value in timed.items():
        assert bare[position].outcome == value.outcome
        assert bare[position].remoteness == (value.remoteness if value.is_tie else None)
    assert bare.verify(), bare.verify()
    assert (bare.counts().win, bare.counts().loss) == (timed.counts().win, timed.counts().loss)
    assert bare.options()[0].value == bare.value
    line = bare.line()
    assert line.ends == "terminal"
    probes = bare.probe_many(line.positions)
    assert (probes.remoteness[probes.outcome != 0] == -1).all()


@pytest.mark.slow
def test_a_wrong_outcome_without_remoteness_is_caught():
    """The certificate holds for tables that say only who wins."""
    solution = zermelo.solve(ConnectFour(3, 3, 3), value="outcome")
    values = solution._solved.table.column.stored
    caught = 0
    for i in range(len(values)):
        for bit in (0, 9, 30):
            values[i] ^= np.uint64(1 << bit)
            caught += not solution.verify()
            values[i] ^= np.uint64(1 << bit)
    assert caught > len(values) // 2  # the other bits are of no position
    assert solution.verify()


def test_a_wrong_bit_is_caught():
    """A changed plane of a position that exists is a wrong value, and the certificate says so."""
    solution = zermelo.solve(ConnectFour(3, 3, 3))
    table = solution._solved.table
    right = table.values(np.arange(len(table)))
    for i in range(0, len(table.column.stored), 3):
        table.column.stored[i] ^= np.uint64(1)
        if (table.values(np.arange(len(table))) != right).any():
            assert not solution.verify()
        table.column.stored[i] ^= np.uint64(1)


def test_positions_that_cannot_arise_are_not_found():
    """Floating stones, too many of them, two on a square, and play after a row are refused."""
    solution = zermelo.solve(ConnectFour(3, 3, 3))
    for position in [(0b10, 0), (0b11, 0), (1, 1), (0b1000, 0), (0, 0b111), (0b111, 1 << 4)]:
        assert position not in solution
        assert not solution.get_many([position]).found[0]
    with pytest.raises(zermelo.PositionError, match="cannot be reached"):
        solution[0b11, 0]


@pytest.mark.slow
def test_a_class_with_rules_of_its_own_is_solved_from_them():
    """A declaration that is not all there is to a game does not decide it."""

    @dataclass(frozen=True)
    class Corner(InARow):
        def moves(self, board):
            for cell in range(9):
                if not (board.mine | board.theirs) >> cell & 1 and cell != 4:
                    yield cell

        full_board = DRAW
        no_moves = DRAW

    assert zermelo.solve(Corner()).method == "retrograde"
    with pytest.raises(zermelo.ParameterError, match=r"which has moves\(\) of its own"):
        zermelo.solve(Corner(), method="placement")
    with pytest.raises(zermelo.ParameterError, match="not a PlacementGame"):
        zermelo.solve(TicTacToe(), method="placement")
    with pytest.raises(zermelo.ParameterError, match="which has a line without a cell"):
        zermelo.solve(Blocking(1, 1, 2), method="placement")
    assert zermelo.solve(Blocking(1, 1, 2)).method == "retrograde"


def test_lines_of_a_player_and_has_line_do_not_go_together():
    """``has_line`` is not told whose stones it sees."""
    with pytest.raises(zermelo.RulesError, match=r"write has_line_of\(player, stones\)"):

        class Unsure(Blocking):
            def has_line(self, stones):
                return False


def test_marks_have_no_owner_whose_lines_could_differ():
    """Who wins by a line can be said of shared marks, but not whose line it is."""
    with pytest.raises(zermelo.RulesError, match="marks of a MarkingGame belong to nobody"):

        class Whose(Notakto):
            def lines(self, player):
                return ()


@pytest.mark.slow
def test_boards_with_too_many_patterns_are_left_to_other_methods():
    """A tall board has few positions for its patterns, if games are short."""
    solution = zermelo.solve(ConnectFour(1, 50))
    assert solution.method == "retrograde"
    assert len(solution) == 51


class Sides(NamedTuple):
    maker: int
    breaker: int
    turn: int


@dataclass(frozen=True)
class WrittenOut(zermelo.Game):
    """The Maker-Breaker game of rows of three, with the rules written out."""

    columns: int = 3
    rows: int = 3

    @cached_property
    def lines(self):
        return InARow(self.columns, self.rows, 3).line_masks

    def start(self):
        return Sides(0, 0, 0)

    def turn(self, sides):
        return sides.turn

    def winner(self, sides):
        stopped = True
        for line in self.lines:
            if sides.maker & line == line:
                return 0
            stopped = stopped and sides.breaker & line != 0
        return 1 if stopped else None

    def moves(self, sides):
        for cell in range(self.columns * self.rows):
            if not (sides.maker | sides.breaker) >> cell & 1:
                yield cell

    def play(self, sides, cell):
        if sides.turn == 0:
            return Sides(sides.maker | 1 << cell, sides.breaker, 1)
        return Sides(sides.maker, sides.breaker | 1 << cell, 0)


@pytest.mark.slow
def test_a_goal_of_one_side_is_what_the_rules_written_out_say():
    """Breaker's lines, which are made of Maker's, end the game where no row is left to Maker."""
    written = zermelo.solve(WrittenOut())
    declared = dict(zermelo.solve(Blocking(3, 3, 3)).items())
    assert len(written) == len(declared)
    for sides, value in written.items():
        mine, theirs = (sides.breaker, sides.maker) if sides.turn else sides[:2]
        assert declared[Stones(mine, theirs)] == value


@dataclass(frozen=True)
class Rhombus(PlacementGame):
    """Hex: one player joins top and bottom, the other left and right."""

    width: int
    height: int

    def lines(self, player):
        chains = [c for column in range(self.width) for c in self.chains([(0, column)])]
        return zermelo.transversals(chains) if player else chains

    def chains(self, cells):
        """Yield each way on to the bottom that touches no cell twice."""
        if cells[-1][0] == self.height - 1:
            yield [self.bit(column, row) for row, column in cells]
            return
        for cell in self.near(cells[-1]):
            if cell[0] and cell not in cells and not set(self.near(cell)) & set(cells[:-1]):
                yield from self.chains([*cells, cell])

    def near(self, cell):
        row, column = cell
        steps = [(0, -1), (0, 1), (-1, 0), (1, 0), (1, -1), (-1, 1)]
        near = [(row + down, column + right) for down, right in steps]
        return [(r, c) for r, c in near if 0 <= r < self.height and 0 <= c < self.width]


@pytest.mark.parametrize(
    ("width", "height", "value", "counts"),
    some(
        [
            (3, 2, zermelo.Value(WIN, 3), (106, 115)),
            (4, 3, zermelo.Value(WIN, 5), (69_666, 56_337)),
            (3, 4, zermelo.Value(LOSS, 8), (78_194, 52_650)),
        ],
        3,
    ),
)
def test_hex_has_a_line_of_one_player_or_of_the_other(width, height, value, counts):
    """A chain across is what meets all chains down; counts by an enumeration in plain Python."""
    solution = zermelo.solve(Rhombus(width, height))
    found = solution.counts()
    assert (solution.value, (found.win, found.loss), found.draw) == (value, counts, 0)
