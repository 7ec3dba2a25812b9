"""Declared symmetries: groups of cells, what they act on, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest

import zermelo
from support.compiled_rules import compile_rules, kernel_of
from zermelo import LOSS, Game, RulesError, Symmetry
from zermelo.games import Dao, Quixo, TicTacToe
from zermelo.rules.hooks import Rules
from zermelo.rules.layout import layout_of
from zermelo.rules.orbits import Group
from zermelo.symmetry import cycle, graph, grid, torus


class Piece(NamedTuple):
    mask: int
    square: int
    row: tuple[int, int, int, int]
    other: int
    turn: int


@dataclass(frozen=True)
class Shape(Game):
    """A game of no moves, with a field of each kind."""

    declared: int = 0

    def start(self):
        return Piece(0b0011, 1, (5, 6, 7, 8), 3, 0)

    def space(self):
        return Piece(range(16), range(5), range(9), range(16), range(2))

    def moves(self, piece):
        return range(0)

    def play(self, piece, move):
        return piece

    def symmetries(self):
        return DECLARED[self.declared]


DECLARED: list[Any] = [()]


def group_of(*declared: Any) -> Group:
    """Return the group that a game of this shape would have."""
    return Group("Shape", layout_of(Shape())[0], declared)


def size(permutations: Any) -> int:
    """Return how many permutations some generate."""
    cells = len(permutations[0])

    class Mask(NamedTuple):
        cells: int

    @dataclass(frozen=True)
    class Masks(Shape):
        def start(self):
            return Mask(0)

        def space(self):
            return Mask(range(1 << cells))

    return len(Group("Masks", layout_of(Masks())[0], Symmetry(permutations, masks=("cells",))))


@pytest.mark.parametrize(
    ("permutations", "expected"),
    [
        (grid(4, 4), 8),
        (grid(4, 3), 4),
        (grid(3, 3, "turns"), 4),
        (grid(5, 2, "turns"), 2),
        (grid(3, 3, "mirrors"), 4),
        (grid(7, 6, "columns"), 2),
        (grid(7, 6, "rows"), 2),
        (grid(3, 3, "half-turn"), 2),
        (torus(3, 3), 72),
        (torus(4, 3), 48),
        (cycle(6), 12),
        (cycle(6, mirror=False), 6),
    ],
)
def test_groups_of_cells_have_the_sizes_of_geometry(permutations: Any, expected: int) -> None:
    """The dihedral groups, and those times the shifts of a torus."""
    assert size(permutations) == expected


def test_the_mirror_of_columns_exchanges_left_and_right() -> None:
    """Cells are numbered row by row; a mirrored board keeps its rows."""
    assert grid(3, 2, "columns") == ((2, 1, 0, 5, 4, 3),)
    assert grid(3, 2, "rows") == ((3, 4, 5, 0, 1, 2),)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (nx.petersen_graph(), 120),
        (nx.cycle_graph(7), 14),
        (nx.complete_graph(5), 120),
        (nx.path_graph(6), 2),
        (nx.convert_node_labels_to_integers(nx.hypercube_graph(3)), 48),
        (nx.random_regular_graph(3, 40, seed=4), None),
        (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), 72),
        (nx.DiGraph([(0, 1), (1, 2), (2, 0)]), 3),
    ],
    ids=["Petersen", "C7", "K5", "P6", "cube", "cubic", "two triangles", "directed C3"],
)
def test_the_symmetries_of_a_graph_are_all_there_are(given: Any, expected: int | None) -> None:
    """Their number is known, or counted by networkx; each keeps the edges."""
    rows = [sorted(given[node]) for node in range(len(given))]
    found = graph(rows)
    if expected is None:
        matcher = nx.isomorphism.GraphMatcher(given, given)
        expected = sum(1 for _ in matcher.isomorphisms_iter())
    assert len(set(found)) == len(found) == expected
    for image in found:
        assert all(sorted(image[b] for b in rows[a]) == rows[image[a]] for a in range(len(rows)))


def test_random_graphs_have_the_symmetries_that_networkx_finds() -> None:
    """On a hundred small graphs, directed and coloured, the permutations are the same."""
    rng = np.random.default_rng(8)
    for _ in range(100):
        n = int(rng.integers(1, 7))
        given = nx.gnp_random_graph(n, 0.4, seed=int(rng.integers(1 << 30)), directed=True)
        colours = rng.integers(0, 2, n).tolist()
        nx.set_node_attributes(given, dict(enumerate(colours)), "colour")
        same = nx.isomorphism.categorical_node_match("colour", 0)
        matcher = nx.isomorphism.DiGraphMatcher(given, given, node_match=same)
        wanted = {tuple(m[node] for node in range(n)) for m in matcher.isomorphisms_iter()}
        assert set(graph([sorted(given[node]) for node in range(n)], colours)) == wanted


def test_each_kind_of_field_is_acted_on_in_its_way() -> None:
    """Bits and items go where cells go, numbers of cells change, and others stay."""
    turn = (1, 2, 3, 0)
    group = group_of(Symmetry((turn,), masks=("mask",), squares=("square",), rows=("row",)))
    images = group.images(Shape().start())
    assert len(images) == 4
    assert Piece(0b0110, 2, (8, 5, 6, 7), 3, 0) in images
    off_board = group.images(Piece(0b0001, 4, (1, 0, 0, 0), 9, 1))
    assert Piece(0b0010, 4, (0, 1, 0, 0), 9, 1) in off_board


def test_sides_are_swapped_in_one_step_alone_or_together_with_cells() -> None:
    """A swap exchanges all its fields at once; together=True joins it to the cells."""
    swap = Symmetry(swap=(("mask", "other"),), flip=("turn",))
    assert Piece(3, 1, (5, 6, 7, 8), 3, 1) in group_of(swap).images(Shape().start())
    joined = Symmetry(
        ((3, 2, 1, 0),),
        masks=("mask", "other"),
        swap=(("mask", "other"),),
        flip=("turn",),
        together=True,
    )
    group = group_of(joined)
    assert len(group) == 2
    assert group.images(Piece(0b0011, 1, (0, 0, 0, 0), 0b0001, 0))[1] == Piece(
        0b1000, 1, (0, 0, 0, 0), 0b1100, 1
    )


def test_items_may_be_relabelled_and_pieces_alike() -> None:
    """Relabelling maps the numbers in a row; alike lets fields stand in any order."""
    group = group_of(Symmetry(relabel=(("row", (0, 2, 1)),)))
    assert group.images(Piece(0, 0, (0, 1, 2, 3), 0, 0))[1].row == (0, 2, 1, 3)
    group = group_of(Symmetry(alike=(("mask", "other"),)))
    assert group.canonical(Piece(2, 0, (0, 0, 0, 0), 9, 0)) == group.canonical(
        Piece(9, 0, (0, 0, 0, 0), 2, 0)
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Symmetry(((0, 0, 1),), masks=("x",)), r"not a permutation; give a tuple"),
        (lambda: Symmetry(((0, 1), (0, 1, 2)), masks=("x",)), r"2 and 3 cells; use one number"),
        (lambda: Symmetry(grid(2, 2), masks=("x", "x")), r"names the field 'x' twice"),
        (lambda: Symmetry(grid(2, 2), masks=("x",), rows=("x",)), r"names the field 'x' twice"),
        (lambda: Symmetry(swap=(("x", "o"),), flip=("x",)), r"names the field 'x' twice"),
        (lambda: Symmetry(grid(2, 2)), r"lacks the fields they act on"),
        (lambda: Symmetry(masks=("x",)), r"lacks cells; give both"),
        (lambda: Symmetry(grid(2, 2), masks="xo"), r"must be names of fields"),
        (lambda: Symmetry(swap=("x", "o")), r"must hold groups of fields"),
        (lambda: Symmetry(swap=(("x", "o", "y"),)), r"must hold pairs of fields"),
        (lambda: Symmetry(4, masks=("x",)), r"must be permutations of cells"),
        (lambda: Symmetry(grid(2, 2), masks=("x",), together=True), r"nothing to join"),
        (lambda: grid(3, 3, "diagonal"), r"no kind 'diagonal'; use one of 'all'"),
        (lambda: grid(0, 3), r"is not a board"),
        (lambda: cycle(0), r"has no cells"),
        (lambda: graph([[1], [2]]), r"nodes outside 0 to 1"),
        (lambda: graph([[1], [0]], colours=[1]), r"1 colours for 2 nodes"),
        (lambda: graph([[b for b in range(9) if b != a] for a in range(9)]), r"more than 1,024"),
    ],
    ids=range(18),
)
def test_a_wrong_declaration_is_refused_when_it_is_made(make: Any, message: str) -> None:
    """Each mistake is one sentence that says what to write."""
    with pytest.raises(RulesError, match=message):
        make()


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (Symmetry(grid(2, 2), masks=("board",)), r"names 'board', which is not a field of Piece"),
        (Symmetry(grid(3, 3), masks=("mask",)), r"takes mask for a mask of 9 cells, and it holds"),
        (Symmetry(cycle(4), squares=("turn",)), r"makes turn = 1 into 2, outside 0 to 1; widen"),
        (Symmetry(cycle(5), rows=("row",)), r"the row 'row' has 4 items; give it one item for"),
        (Symmetry(cycle(5), rows=("mask",)), r"the row 'mask' is not a tuple"),
        (Symmetry(swap=(("mask", "turn"),)), r"numbers of mask and turn that have different"),
        (Symmetry(swap=(("mask", "row"),)), r"'mask' and 'row', which are not of one shape"),
        ("columns", r"returned 'columns'; return a Symmetry or a tuple of them"),
        (
            (Symmetry(cycle(4), masks=("mask",)), Symmetry(flip=("mask",))),
            r"takes mask for a mask of 4 and for a number of 2; declare one of them",
        ),
    ],
)
def test_a_declaration_that_does_not_fit_the_positions_is_refused(
    declared: Any, message: str
) -> None:
    """Solving and checking say in a sentence which field does not fit."""
    DECLARED.append(declared)
    game = Shape(len(DECLARED) - 1)
    with pytest.raises(RulesError, match=message):
        zermelo.solve(game)
    report = zermelo.check(game)
    assert [p.kind for p in report.problems if p.severity == "error"] == ["symmetries"]


def test_an_image_outside_the_declared_space_is_found_by_check() -> None:
    """A field may have more bits than its range needs, so only check sees it."""
    DECLARED.append(Symmetry(grid(3, 2), masks=("mask",)))
    report = zermelo.check(Shape(len(DECLARED) - 1))
    (problem,) = [p for p in report.problems if p.severity == "error"]
    assert problem.kind == "symmetries"
    assert "outside range(0, 16)" in problem.message


def test_too_many_symmetries_are_refused() -> None:
    """The group is listed, so there is a most."""

    class Seven(NamedTuple):
        cells: int

    @dataclass(frozen=True)
    class Many(Shape):
        def start(self):
            return Seven(0)

        def space(self):
            return Seven(range(1 << 7))

        def symmetries(self):
            swapped = (1, 0, 2, 3, 4, 5, 6)
            return Symmetry((*cycle(7, mirror=False), swapped), masks=("cells",))

    with pytest.raises(RulesError, match=r"more than 1,024 symmetries; declare fewer"):
        zermelo.solve(Many())


def test_numbers_of_cells_need_a_range() -> None:
    """Without space() a number has too many bits for a table."""

    class Bare(NamedTuple):
        square: int

    @dataclass(frozen=True)
    class Wide(Game):
        def start(self):
            return Bare(0)

        def moves(self, bare):
            return range(0)

        def play(self, bare, move):
            return bare

        def symmetries(self):
            return Symmetry(cycle(4), squares=("square",))

    with pytest.raises(RulesError, match=r"it has 64 bits; let space\(\) give it a range"):
        zermelo.solve(Wide())


class Turned(TicTacToe):
    """Tic-tac-toe with its eight symmetries."""

    def symmetries(self):
        return Symmetry(grid(3, 3), masks=("mine", "theirs"))


@pytest.mark.slow
def test_tic_tac_toe_has_765_classes_of_its_5478_positions() -> None:
    """OEIS A008907 and the enumeration; each position has the value it has unfolded."""
    folded, plain = zermelo.solve(Turned()), zermelo.solve(TicTacToe())
    assert len(folded) == folded.counts(folded=True).positions == 765
    assert folded.counts() == plain.counts()
    assert folded.counts().positions == 5478
    assert all(folded[board] == value for board, value in plain.items())
    assert "765 classes of positions" in repr(folded)


@pytest.mark.slow
@pytest.mark.compiled
def test_compiled_rules_with_symmetries_say_which_and_verify_every_image() -> None:
    """The images of a position are each looked at; a game for proofs alone has none in tables."""
    folded = zermelo.solve(Turned())
    assert len(folded) == 765
    assert "8 declared symmetries" in folded.choice
    events: list[zermelo.Event] = []
    assert folded.verify(progress=events.append)
    (looked,) = (event for event in events if event.phase == "images" and event.finished)
    assert looked.done == looked.total == 7 * 765


class OnlyProofs(Turned):
    """The same for proofs alone."""

    folded_tables = False


def test_symmetries_may_be_for_proofs_alone() -> None:
    """A solution then holds every position."""
    solution = zermelo.solve(OnlyProofs())
    assert len(solution) == 5478
    assert solution.verify()


@pytest.mark.slow
@pytest.mark.compiled
def test_proofs_use_the_symmetries_that_tables_do_without(tmp_path: Path) -> None:
    """The strategy has one position of each class; a table holds all, in a file too."""
    solution = zermelo.solve(OnlyProofs())
    opened = zermelo.open(solution.save(tmp_path / "whole.table"), OnlyProofs())
    assert len(solution) == len(opened) == 5478
    assert solution.verify()
    assert opened.verify()
    strategy = zermelo.prove(OnlyProofs()).strategy("other")
    assert len(strategy) == len(zermelo.prove(Turned()).strategy("other"))


class ByHand(TicTacToe):
    """Tic-tac-toe with a canonical() of its own: the mirror image with the lower number."""

    def canonical(self, board):
        mine, theirs = mirrored(board.mine), mirrored(board.theirs)
        if mine < board.mine or (mine == board.mine and theirs < board.theirs):
            return board._replace(mine=mine, theirs=theirs)
        return board


def mirrored(cells):
    """Exchange left and right."""
    return (cells & 0o111) << 2 | cells & 0o222 | (cells & 0o444) >> 2


@pytest.mark.slow
def test_a_canonical_position_written_by_hand_is_used() -> None:
    """Probes, options and lines are of real positions; counts are of classes."""
    folded, plain = zermelo.solve(ByHand()), zermelo.solve(TicTacToe())
    classes = {ByHand().canonical(board) for board in plain}
    assert set(folded) == classes
    assert folded.counts() == folded.counts(folded=True)
    assert all(folded[board] == value for board, value in plain.items())
    assert folded.best() == plain.best()
    assert folded.verify()
    assert len(zermelo.solve(ByHand(), symmetry=False)) == len(plain)


@pytest.mark.slow
@pytest.mark.compiled
def test_compiled_rules_use_a_canonical_position_written_by_hand() -> None:
    """The choice says so, and the rules are checked with it."""
    folded = zermelo.solve(ByHand())
    assert "canonical()" in folded.choice
    assert len(folded) == len({ByHand().canonical(board) for board in zermelo.solve(TicTacToe())})
    assert folded.verify()
    assert zermelo.check(ByHand())


class Stumbling(ByHand):
    """The same with a canonical() that fails on one position."""

    def canonical(self, board):
        if board.theirs == 0b100:
            raise ValueError("lost")
        return board


def test_an_error_of_canonical_names_the_position() -> None:
    """It is found again in Python, at the position that was being made canonical."""
    with pytest.raises(RulesError, match=r"canonical\(\) raised ValueError: lost at Board\(mine=0"):
        zermelo.solve(Stumbling())


class TurnsOver(Quixo):
    """Quixo with a canonical() that passes the turn on, which it must not."""

    symmetries = None

    def canonical(self, cubes):
        return cubes._replace(player=0)


@pytest.mark.slow
def test_a_canonical_that_changes_the_turn_is_refused() -> None:
    """Whose turn it is matters to the method; symmetries() can say so, canonical() cannot."""
    with pytest.raises(RulesError, match=r"where it is the other player's turn; declare symm"):
        zermelo.solve(TurnsOver(3))


def drawn(rng: np.random.Generator, slot: Any) -> int:
    """Return a number that a slot may hold."""
    return int(rng.integers(slot.low, slot.high, endpoint=True))


class Both(Turned):
    """Tic-tac-toe with both hooks."""

    def canonical(self, board):
        return board


def test_only_one_of_the_hooks_may_be_there() -> None:
    """A class with both says so, solved or checked."""
    with pytest.raises(RulesError, match=r"has both canonical\(\) and symmetries\(\)"):
        zermelo.solve(Both())
    assert [p.kind for p in zermelo.check(Both()).problems] == ["clash"]


class Lopsided(TicTacToe):
    """Tic-tac-toe with two columns for lines, declared to have a mirror all the same."""

    def outcome(self, board):
        if board.theirs & 0o444 == 0o444 or board.theirs & 0o222 == 0o222:
            return LOSS

    def symmetries(self):
        return Symmetry(grid(3, 3, "columns"), masks=("mine", "theirs"))


def test_check_finds_a_symmetry_that_is_none() -> None:
    """It names two positions and what is not the same."""
    report = zermelo.check(Lopsided())
    (problem,) = [p for p in report.problems if p.severity == "error"]
    assert problem.kind == "symmetries"
    assert "symmetries() makes Board(" in problem.message
    assert "the outcome of the first is" in problem.message
    assert problem.message.endswith("declare only what changes nothing")


def test_a_group_changes_nothing_that_is_compiled() -> None:
    """Other permutations of the same fields are handed over: the rules are compiled once.

    No answer shows what was compiled for it.
    """

    class Cells(NamedTuple):
        cells: int

    @dataclass(frozen=True)
    class OnCircle(Game):
        neighbours: tuple[tuple[int, ...], ...]

        def start(self):
            return Cells(0)

        def space(self):
            return Cells(range(1 << 8))

        def moves(self, position):
            for cell in range(len(self.neighbours)):
                if not position.cells >> cell & 1:
                    yield cell

        def play(self, position, cell):
            return Cells(position.cells | 1 << cell)

        def symmetries(self):
            return Symmetry(graph(self.neighbours), masks=("cells",))

    circle = OnCircle(tuple(((i + 1) % 8, (i - 1) % 8) for i in range(8)))
    path = OnCircle(((1,), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6,)))
    assert kernel_of(circle) is kernel_of(path)
    assert len(zermelo.solve(circle)) < len(zermelo.solve(path)) < 256


class Odd(NamedTuple):
    men: tuple[int, int, int]
    colours: tuple[int, int, int, int, int]
    far: int
    near: int
    sides: tuple[int, int]


@dataclass(frozen=True)
class OddShape(Game):
    """Cells in a row, numbers below zero, small ones that change, and a pair that swaps."""

    def start(self):
        return Odd((0, 1, -1), (0, 0, 0, 0, 0), 7, -7, (0, 1))

    def space(self):
        return Odd(range(-1, 5), range(3), range(-40, 9), range(-40, 9), range(2))

    def moves(self, odd):
        return range(0)

    def play(self, odd, move):
        return odd

    def symmetries(self):
        board = Symmetry(cycle(5), squares=("men",), rows=("colours",))
        sides = Symmetry(
            swap=(("far", "near"),), flip=("sides",), relabel=(("colours", (0, 2, 1)),)
        )
        return board, sides


class Wide(NamedTuple):
    purses: tuple[int, int, int, int, int]
    far: int
    near: int


@dataclass(frozen=True)
class WideShape(Game):
    """Wide numbers in a circle, and two that swap, whose bits change besides if they are masks."""

    masks: bool

    def start(self):
        return Wide((0, 1, -1, 3000, 0), 7, 8)

    def space(self):
        return Wide(range(-5, 5000), range(1 << 11), range(1 << 11))

    def moves(self, wide):
        return range(0)

    def play(self, wide, move):
        return wide

    def symmetries(self):
        masks = ("far", "near") if self.masks else ()
        return Symmetry(cycle(5), rows=("purses",), masks=masks, swap=(("far", "near"),))


@dataclass(frozen=True)
class Number(Game):
    """Cells in a circle, as a plain number."""

    def start(self):
        return 0b0000_0001

    def moves(self, cells):
        for cell in range(8):
            if not cells >> cell & 1:
                yield cell

    def play(self, cells, cell):
        return cells | 1 << cell

    def symmetries(self):
        return Symmetry(cycle(8), masks=("position",))


def test_a_plain_number_has_a_field_called_position() -> None:
    """Necklaces of eight beads with a black one: 29, all but the white one (OEIS A000029)."""
    folded = zermelo.solve(Number())
    assert len(folded) == 29
    assert folded.counts().positions == 128
    assert all(
        folded[cells] == value for cells, value in zermelo.solve(Number(), symmetry=False).items()
    )


@pytest.mark.slow
def test_packed_images_are_those_of_the_numbers() -> None:
    """Tables of images do to words what elements do to numbers, in one word and in several.

    A solve reaches few of these positions.
    """
    rng = np.random.default_rng(2)
    wide = WideShape(masks=False), WideShape(masks=True)
    for game in (Turned(), Quixo(3), Quixo(6), OddShape(), *wide):
        rules = Rules(game)
        compiled = compile_rules(game).with_symmetries()
        assert rules.group is not None
        assert bool(rules.group.shifted_slots) == (game in wide)
        for _ in range(50):
            position = rules.layout.build([drawn(rng, slot) for slot in rules.layout.slots])
            packed = np.array(rules.layout.pack(position), np.uint64)
            least = compiled.canonical(packed, 1)
            assert rules.layout.unpack(least) == rules.group.canonical(position)
            orbit = set(rules.group.images(position))
            assert compiled.orbits(least, 1).tolist() == [len(orbit)]


@pytest.mark.slow
def test_what_is_declared_of_a_game_changes_no_count():
    """As the page on writing a game says of Dao, of which nothing need be declared."""

    @dataclass(frozen=True)
    class PlainDao(Dao):
        space = None
        symmetries = None

    assert zermelo.solve(PlainDao()).counts() == zermelo.solve(Dao()).counts()
