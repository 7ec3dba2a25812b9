"""Partizan games of the zoo: published values, by definition, and components that add up."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import zermelo
from facts import rows
from support.compiled_rules import compile_rules
from support.oracles.short_games import (
    ZERO,
    add,
    at_most,
    left_of,
    negative,
    nimber,
    number,
    parse,
    right_of,
    simplest,
    tree,
    values_of,
)
from support.sizes import some
from zermelo import ParameterError
from zermelo.fact_checks import check_fact
from zermelo.games import (
    Amazons,
    Clobber,
    Col,
    Cutcake,
    Domineering,
    Hackenbush,
    Konane,
    Nogo,
    PartizanEuclid,
    Snort,
    ToadsAndFrogs,
    zoo,
)
from zermelo.games.blocking.cutcake import Cuts
from zermelo.games.strips.toads_and_frogs import Strip
from zermelo.rules.hooks import Rules

VALUES = rows("partizan_values")
#: Those whose game takes seconds and whose kind has smaller ones.
LONG = [
    row
    for row in VALUES
    if json.loads(row["parameters"])
    in (
        {"rows": 2, "columns": 13},
        {"rows": 11, "columns": 2},
        {"strip": "TTTTT...FFF"},
        {"strip": "TTTTTT...FFF"},
    )
]
#: Games whose trees are too large for the oracle, by parameters.
LARGE = (
    {"rows": 2, "columns": 13},
    {"rows": 11, "columns": 2},
    {"strip": "TTTTT..FFFFF"},
    *({"rows": 8, "columns": columns} for columns in range(2, 8)),
)

#: Games that fall apart, each with the number of random games whose positions are compared.
SPLIT = [
    (Domineering(3, 3), 10),
    (Domineering(2, 6), 10),
    (Clobber(3, 3), 10),
    (Clobber(2, 4), 10),
    (Snort(1, 9), 10),
    (Snort(3, 3), 10),
    (Snort(2, 5), 5),
    (Col(1, 9), 10),
    (Col(3, 3), 10),
    (Col(2, 5), 5),
    (Konane(3, 5), 10),
    (Konane(6, 2), 10),
    (Konane(7, 1), 10),
    (Amazons(2, 3), 5),
    (Amazons(1, 8, first=("b1", "d1"), second=("g1",)), 5),
    (ToadsAndFrogs("TT..FF"), 10),
    (ToadsAndFrogs(".T.TF.FTF."), 10),
    (Cutcake(3, 4), 10),
    (Hackenbush("B(R)(B(G)R)G BR BR"), 10),
]
#: Larger ones, whose components are compared in Python and compiled.
LARGER = [
    Domineering(4, 5),
    Domineering(5, 5),
    Clobber(4, 4),
    Snort(4, 4),
    Col(3, 5),
    Konane(5, 5),
    Amazons(3, 4),
    ToadsAndFrogs("TTTT...FFFF"),
    Cutcake(5, 5),
    Hackenbush("B(R(GB)R)(B(G)R)G BRB BRB GGR"),
]


@pytest.fixture(autouse=True)
def _deep():
    """Follow long games by recursion, as definitions do."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize(
    "row",
    some([row for row in VALUES if json.loads(row["parameters"]) not in LARGE], 3, slow=2),
    ids=lambda row: f"{row['game']} {row['parameters']}",
)
def test_published_values_are_right_by_definition(row: dict[str, str]) -> None:
    """The tree of all moves, with either player to move, is worth what others have published."""
    game = zoo()[row["game"]](**json.loads(row["parameters"]))
    assert values_of(game)(game.start()) == parse(row["value"])


def random_positions(game: Any, games: int) -> list[Any]:
    """Return the positions of random games, in which a player may also pass."""
    rules, random = Rules(game), Random(repr(game))
    found = {game.start(): None}
    for _ in range(games):
        position = game.start()
        while moves := list(rules.moves(position)):
            position = rules.play(position, random.choice(moves))
            if random.random() < 0.25:
                position = rules.pass_turn(position)
            found.setdefault(position)
    return list(found)


def parts_of(game: Any, position: Any) -> list[Any]:
    """Return the components; a position that has none is its own."""
    return list(game.split(position)) or [position]


@pytest.mark.parametrize(("game", "games"), some(SPLIT, 3, slow=2), ids=lambda game: str(game)[:40])
def test_components_add_up(game: Any, games: int) -> None:
    """A position is worth the sum of its components, which have the same player to move."""
    value, rules = values_of(game), Rules(game)
    for position in reversed(random_positions(game, games)):
        total = ZERO
        for part in parts_of(game, position):
            assert part.player == position.player
            assert parts_of(game, part) == [part]
            stored = rules.canonical(part)
            (again,) = parts_of(game, stored)
            # A part that is its own negative may be stored with the other player to move.
            others = (again, rules.pass_turn(again))
            assert stored in {rules.canonical(other) for other in others}
            total = add(total, value(part))
        assert total == value(position), position


@pytest.mark.slow
@pytest.mark.parametrize("game", some(LARGER, 1000, slow=2), ids=lambda game: str(game)[:40])
def test_components_are_the_same_compiled(game: Any) -> None:
    """Compiled, ``split`` yields what it yields in Python."""
    positions = random_positions(game, 30)
    compiled = compile_rules(game, folding=False)
    layout = compiled.rules.layout
    packed = np.array([layout.pack(position) for position in positions], np.uint64).reshape(-1)
    out, ends = np.empty(40 * len(packed), np.uint64), np.empty(len(positions), np.int32)
    done, count, _ = compiled.split(packed, 0, len(positions), out, ends)
    assert done == len(positions)
    found = [layout.unpack(row.tolist()) for row in out[: count * layout.words].reshape(count, -1)]
    begins = [0, *ends.tolist()]
    for position, begin, end in zip(positions, begins, begins[1:], strict=False):
        assert (found[begin:end] or [position]) == parts_of(game, position)


@pytest.mark.parametrize(
    "game",
    some([Col(1, n) for n in range(1, 10)] + [Col(2, 2), Col(2, 3), Col(2, 4), Col(3, 3)], 6),
    ids=str,
)
def test_positions_of_col_are_numbers_or_numbers_and_star(game: Col) -> None:
    """Winning Ways: no position of Col is hot."""
    value = values_of(game)
    for position in random_positions(game, 20):
        worth = value(position)
        assert is_number(worth) or is_number(add(worth, nimber(1))), position


@pytest.mark.parametrize("columns", some(range(1, 13), 4))
def test_paths_of_snort_are_won_as_their_values_say(columns: int) -> None:
    """With up to twelve cells: the certificate holds, and who wins is what a whole solve finds."""
    game = Snort(1, columns)
    solution = zermelo.solve(game, value="partizan")
    assert solution.verify()
    assert solution.value.outcome == zermelo.solve(game).value.outcome
    if columns < 9:
        assert values_of(game)(game.start()) == parse(str(solution.value))


def is_number(game: int) -> bool:
    """Return whether a canonical form is a number: Left's options are below Right's."""
    options = [*left_of(game), *right_of(game)]
    return all(map(is_number, options)) and not any(
        at_most(right, left) for left in left_of(game) for right in right_of(game)
    )


@pytest.mark.parametrize("game", [Clobber(3, 3), Clobber(1, 8), PartizanEuclid([89, 55])], ids=str)
def test_all_small_games_give_both_players_moves_or_neither(game: Any) -> None:
    """So every value is infinitesimal."""
    rules = Rules(game)
    for position in random_positions(game, 20):
        moves, others = (list(rules.moves(p)) for p in (position, rules.pass_turn(position)))
        assert bool(moves) == bool(others)


def test_strings_of_hackenbush_follow_berlekamps_rule() -> None:
    """Edges of the lowest colour count 1, the first of another colour and all above it halves."""
    for length in range(1, 8):
        for mask in range(1 << length):
            string = "".join("BR"[mask >> edge & 1] for edge in range(length))
            game = Hackenbush(string)
            assert values_of(game)(game.start()) == simplest(number(berlekamp(string))), string


def berlekamp(string: str) -> Fraction:
    """Return the value of a string of blue and red edges, read from the ground."""
    value, step = Fraction(0), Fraction(1)
    for colour in string:
        if colour != string[0] or step < 1:
            step /= 2
        value += step if colour == "B" else -step
    return value


@cache
def cake(height: int, width: int) -> int:
    """Return the value of a piece of cake, by its cuts."""
    left = [add(cake(height, cut), cake(height, width - cut)) for cut in range(1, width)]
    right = [add(cake(cut, width), cake(height - cut, width)) for cut in range(1, height)]
    return simplest(tree(left, right))


def test_cakes_are_worth_what_winning_ways_says() -> None:
    """The longer side, divided by the power of two within the shorter, gives moves but one."""
    for height in range(1, 9):
        for width in range(1, 9):
            tall, broad = height.bit_length() - 1, width.bit_length() - 1
            moves = (width >> tall) - 1 if broad >= tall else 1 - (height >> broad)
            assert cake(height, width) == simplest(number(moves)), (height, width)
    for height, width in ((2, 3), (3, 2), (3, 4), (1, 6)):
        game = Cutcake(height, width)
        assert values_of(game)(game.start()) == cake(height, width)


def test_a_game_and_its_negative_are_nothing() -> None:
    """The oracle itself: what is passed to the other player cancels out."""
    for game in (Domineering(2, 4), Clobber(2, 3), Konane(3, 4)):
        value, rules = values_of(game), Rules(game)
        for position in random_positions(game, 5):
            assert value(rules.pass_turn(position)) == simplest(negative(value(position)))
            assert add(value(position), negative(value(position))) == ZERO


@pytest.mark.parametrize(
    "row",
    [
        *some([row for row in VALUES if row not in LONG], 8, slow=3),
        *(pytest.param(row, marks=pytest.mark.huge) for row in LONG),
    ],
    ids=lambda row: f"{row['game']} {row['parameters']}",
)
def test_published_values_are_found(row: dict[str, str]) -> None:
    """By solving for them, by components where the game falls apart."""
    game = zoo()[row["game"]](**json.loads(row["parameters"]))
    value = zermelo.solve(game, value="partizan").value
    assert value == zermelo.CombinatorialValue.parse(row["value"])


def test_a_fact_states_a_combinatorial_value() -> None:
    """It is solved for beside the outcome, and compared as a game, however it is written."""
    fact = zermelo.Fact({"rows": 2, "columns": 2}, "win", partizan="{1|-1}", source="a test")
    assert str(fact) == "win, value {1|-1}"
    assert check_fact(Domineering, fact)
    wrong = check_fact(Domineering, replace(fact, partizan="{1|*}"))
    assert wrong.differences == ("value ±1, not {1|*}",)


class Torn(ToadsAndFrogs):
    """A strip that is cut in the middle, whatever stands there."""

    facts = ()

    def split(self, strip: Strip) -> Any:
        """Yield both halves."""
        left = (1 << len(self.strip) // 2) - 1
        right = (1 << len(self.strip)) - 1 & ~left
        yield Strip(strip.toads & left | right, strip.frogs & left, strip.player)
        yield Strip(strip.toads & right, strip.frogs & right | left, strip.player)


class Handed(Cutcake):
    """A cake whose pieces go to the other player."""

    def split(self, p: Cuts) -> Any:
        """Yield the pieces with the wrong turn."""
        for piece in Cutcake.split(self, p):
            yield Cuts(piece.upright, piece.across, 1 - piece.player)


def test_a_wrong_split_of_a_partizan_game_is_refused() -> None:
    """By ``check``, which compares combinatorial values, and whose turn it is."""
    report = str(zermelo.check(Torn("TT..FF")))
    assert "together worth" in report
    assert "put what one move can change or prevent into one component" in report
    assert "where the other player moves; keep the turn" in str(zermelo.check(Handed(2, 3)))


@pytest.mark.parametrize(
    ("kind", "setup"),
    [
        (Domineering, "#../.#."),
        (Clobber, "XOX/OX."),
        (Snort, "X../#.."),
        (Col, "X../#.."),
        (Konane, "XO./.XO"),
        (Nogo, "X../..O"),
        (Amazons, "X.#/..O"),
        (Cutcake, ".|./..."),
    ],
)
def test_boards_are_set_up_by_text(kind: Any, setup: str) -> None:
    """With the first player to move, or the other if the text says so; another size is refused."""
    game = kind(2, 3, setup=setup)
    assert game.show(game.start()).startswith(" ".join(setup.partition("/")[0]))
    assert game.start().player == 0
    other = kind(2, 3, setup=f"{setup}, {kind.players[1]} to move")
    assert other.start() == Rules(game).pass_turn(game.start())
    with pytest.raises(ParameterError, match=r"setup: .* is not 2 rows of 2 cells"):
        kind(2, 2, setup=setup)
    with pytest.raises(ParameterError, match="setup must be a text, not 3"):
        kind(2, 2, setup=3)
