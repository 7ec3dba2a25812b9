"""The certificate of bounds: false tables are refused, by compiled rules and in plain Python."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil, floor
from random import Random

import numpy as np
import pytest

import zermelo
from support.faults.tampered_tables import Table, change_blocks, change_header
from support.games.chance_games import (
    HARD_CASES,
    L,
    W,
    first,
    hard_case,
    lottery,
    random_chance_games,
    roll,
    second,
)
from support.oracles import expectations
from support.oracles.bounds_certificate import Claim, accepts
from support.sizes import but, counts
from support.small_blocks import short_palettes
from zermelo import ZermeloError
from zermelo.values.expectations import MOST_UNITS

METHODS = ("plain", "chance")


class Forgery:
    """A solved game whose bounds and ranks a test may change."""

    def __init__(self, game, method):
        """Solve a game."""
        self.solution = zermelo.solve(game, method=method)
        solved = self.solution._solved
        self.kind = self.solution.kind
        self.positions = [solved.position(place) for place in range(len(self.solution))]
        self.codes = solved.table.column.stored
        self.ranks = solved.table.index.ranks
        self.right = self.codes.copy(), None if self.ranks is None else self.ranks.copy()

    def reset(self):
        """Restore what the solve has found."""
        self.codes[:] = self.right[0]
        if self.ranks is not None:
            self.ranks[:] = self.right[1]

    def bounds(self, place):
        """Return the bounds of a position, in units."""
        return self.kind.bounds_of(int(self.codes[place]))

    def claim(self, place, lower, upper):
        """Set the bounds of a position in the table to two numbers of units."""
        self.codes[place] = self.kind.code_of(lower, upper)

    def claims(self):
        """Return what the table says of all positions, for the oracle."""
        unit = Fraction(self.kind.unit)
        table = {}
        for place, position in enumerate(self.positions):
            lower, upper = self.bounds(place)
            # Where no ranks are stored, every move leads to a later place.
            rank = len(self.positions) - place if self.ranks is None else int(self.ranks[place])
            table[position] = Claim(lower * unit, upper * unit, rank)
        return table

    def is_accepted(self):
        """Return whether the certificate accepts the table."""
        return bool(self.solution.verify())


def table_of(game, method, values, ranks=None):
    """Return a forgery that claims exact values, by position, for the player to move.

    Without ranks they are as small as those of the solve.
    """
    forgery = Forgery(game, method)
    for place, position in enumerate(forgery.positions):
        if position in values:
            units = int(Fraction(values[position]) / Fraction(forgery.kind.unit))
            forgery.claim(place, units, units)
        if ranks is not None:
            forgery.ranks[place] = ranks[position]
    return forgery


#: The wrong tables that a check of bounds alone accepts: a game, false values of its first
#: vertices for the player to move, and the right values.
WRONG_TABLES = {
    "cycle of the first player": (hard_case(first(1, L), first(0)), [1, 1], [0, 0]),
    "cycle of the second player": (hard_case(second(1, W), second(0)), [-1, -1], [0, 0]),
    "cycle through chance that is never left": (
        hard_case(roll((1, 1), (1, 2)), first(0, L), first(0)),
        [1, 1, 1],
        [0, 0, 0],
    ),
    "endless play between the bounds": (
        hard_case(first(1, L), second(0, W)),
        ["1/2", "-1/2"],
        [0, 0],
    ),
    "endless play between the bounds, seen from the other side": (
        hard_case(first(1, L), second(0, W)),
        ["-1/2", "1/2"],
        [0, 0],
    ),
    "number from nowhere": (
        hard_case(first(1, 2), first(0), lottery(1, 2)),
        ["3/4", "3/4", "1/2"],
        ["1/2", "1/2", "1/2"],
    ),
}


@pytest.mark.parametrize("method", but(METHODS, "chance"))
@pytest.mark.parametrize("name", WRONG_TABLES)
def test_wrong_tables_of_the_proof_are_refused_with_any_ranks(name, method):
    """A table in which positions vouch for each other is refused, whatever ranks it has."""
    hard, wrong, right = WRONG_TABLES[name]
    forgery = table_of(hard.game, method, dict(enumerate(wrong)))
    draw, count = Random(1), len(wrong)
    for _ in range(8):
        forgery.ranks[:] = [draw.randrange(count + 2) for _ in forgery.positions]
        verification = forgery.solution.verify()
        assert not verification
        assert "play" in verification.problem or "is stored as" in verification.problem
    truth = table_of(hard.game, method, dict(enumerate(right)))
    assert truth.is_accepted()


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_a_result_of_chance_that_leaves_a_cycle_proves_a_win(method):
    """A cycle that chance leaves at one of 1,000 rolls is a win, and the table is accepted."""
    hard = hard_case(roll((999, 1), (1, W)), first(0), values=[1, 1])
    forgery = table_of(hard.game, method, {0: 1, 1: 1}, {0: 1, 1: 2, 2: 0, 3: 0})
    assert forgery.is_accepted()
    forgery.ranks[:] = 0
    assert not forgery.is_accepted()


@pytest.mark.parametrize("method", but(METHODS, "chance"))
@pytest.mark.parametrize("name", HARD_CASES)
def test_each_bound_beyond_the_value_is_refused(name, method):
    """A bound that is moved past the exact value by less than a unit is refused."""
    hard = HARD_CASES[name]
    truth = expectations.solve(hard.game)
    forgery = Forgery(hard.game, method)
    for place, position in list(enumerate(forgery.positions))[:8]:
        exact = truth[position] / Fraction(forgery.kind.unit)
        lower, upper = forgery.bounds(place)
        for false in (
            (floor(exact) + 1, max(upper, floor(exact) + 1)),
            (min(lower, ceil(exact) - 1), ceil(exact) - 1),
        ):
            forgery.claim(place, *false)
            assert not forgery.is_accepted(), (position, false)
        forgery.reset()
    assert forgery.is_accepted()


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_all_bounds_moved_together_are_refused(method):
    """Claims that each value is a little better, or a little worse, are refused."""
    for name in ("Russian roulette", "fair walk of 20 steps", "stakes of a gambler"):
        for shift in (-1000, 1000):
            forgery = Forgery(HARD_CASES[name].game, method)
            forgery.codes += shift << forgery.kind.shift
            assert not forgery.is_accepted()


def forge(forgery, draw):
    """Change one claim, or those of several positions together, and perhaps their ranks."""
    count = len(forgery.positions)
    unit = int(1 / forgery.kind.unit)
    places = draw.sample(range(count), draw.choice([1, 1, 1, min(2, count), min(4, count)]))
    how = draw.randrange(6)
    if how == 0:
        shift = draw.choice([-1, 1, 2, -3, 100, unit // 2])
        for place in places:
            lower, upper = forgery.bounds(place)
            moves_lower = draw.random() < 0.5
            lower, upper = lower + shift * moves_lower, upper + shift * (not moves_lower)
            if lower <= upper <= lower + (1 << 16) and lower >= -MOST_UNITS and upper <= MOST_UNITS:
                forgery.claim(place, lower, upper)
    elif how < 4:
        # Claims that several positions have one number: another's bound, 0, or about as much.
        level = draw.choice([*forgery.bounds(draw.randrange(count)), 0, unit, -unit, unit // 2])
        level += draw.choice([0, 0, 0, 1, -1])
        width = draw.choice([0, 0, 1, 5])
        for place in places:
            lower = max(-MOST_UNITS, min(draw.choice([1, 1, -1]) * level, MOST_UNITS - width))
            forgery.claim(place, lower, lower + width)
    elif how == 4 and forgery.ranks is not None:
        forgery.ranks[:] = draw.choice(
            [np.zeros(count), np.arange(count), np.arange(count)[::-1], forgery.right[1][::-1]]
        )
    if forgery.ranks is not None and draw.random() < 0.6:
        for place in places:
            rank = int(forgery.ranks[place]) + draw.choice([-1, 1, 1, 2, 1 << 16, -1 << 16])
            forgery.ranks[place] = max(0, rank)


@counts(None, 20, 5_000)
def test_forged_tables_are_accepted_only_where_the_proof_is(count):
    """Random forgeries are accepted exactly where the oracle's certificate holds; then all is true.

    The tables in plain Python and compiled are forged alike.
    """
    accepted = refused = 0
    for number, game in enumerate(random_chance_games(31_000_000, count, vertices=7)):
        graph, truth = expectations.explore(game), expectations.solve(game)
        forgeries = [Forgery(game, method) for method in METHODS]
        for attempt in range(25):
            for forgery in forgeries:
                forgery.reset()
                forge(forgery, Random(f"{number} {attempt}"))
            claims = forgeries[0].claims()
            assert claims == forgeries[1].claims()
            is_proved = accepts(graph, claims, has_stages=forgeries[0].kind.adds_points)
            verdicts = [forgery.is_accepted() for forgery in forgeries]
            assert verdicts == [is_proved, is_proved], (number, attempt, claims)
            if is_proved:
                accepted += 1
                assert all(c.lower <= truth[p] <= c.upper for p, c in claims.items())
            refused += not is_proved
    assert accepted > count
    assert refused > 5 * count


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_forged_stages_are_refused(method):
    """Stages that do not fall where points are made, or that rise, are refused with a reason."""
    game = HARD_CASES["die until it is kept"].game
    forgery = Forgery(game, method)
    assert forgery.kind.adds_points
    forgery.ranks[:] &= 0xFFFF
    assert "makes points" in forgery.solution.verify().problem
    forgery.reset()
    forgery.ranks[7] += 2 << 16
    assert "lead in a cycle" in forgery.solution.verify().problem
    forgery.reset()
    assert forgery.is_accepted()


def test_the_oracle_accepts_what_solves_find():
    """The oracle's certificate accepts the tables of solves, of each kind of game."""
    for game in random_chance_games(32_000_000, 24):
        forgery = Forgery(game, "plain")
        graph = expectations.explore(game)
        assert accepts(graph, forgery.claims(), has_stages=forgery.kind.adds_points)


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_an_end_with_other_bounds_is_refused(method):
    """A loss that is stored as a little more is refused, with both bounds in the sentence."""
    forgery = Forgery(hard_case(first(W, L)).game, method)
    assert forgery.positions[2] == 2
    forgery.claim(2, 1 - MOST_UNITS, 1 - MOST_UNITS)
    problem = forgery.solution.verify().problem
    assert problem == (
        "2 is stored as probability 0, from -0.9999999999999716 to -0.9999999999999716, but the "
        "rules make it probability 0, from -1.0 to -1.0"
    )


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_wider_bounds_that_follow_are_accepted(method):
    """Bounds that say less are right as well, where they follow from those after them."""
    forgery = Forgery(HARD_CASES["coin decides who may leave a cycle"].game, method)
    place = forgery.positions.index(0)
    lower, upper = forgery.bounds(place)
    forgery.claim(place, lower, upper + 5)
    graph = expectations.explore(forgery.solution.game)
    assert forgery.is_accepted() == accepts(graph, forgery.claims(), has_stages=False)


def change_palette(table, draw):
    """Move a bound of a value in a table's palette, or exchange two values."""
    palette = table.header["table"]["palette"]
    if isinstance(palette, dict):  # a range
        palette[draw.choice(["least", "greatest"])] += draw.choice([-1, 1, 1 << 17, -1 << 40])
        return
    place = draw.randrange(len(palette))
    if draw.random() < 0.3:
        other = draw.randrange(len(palette))
        palette[place], palette[other] = palette[other], palette[place]
    else:
        palette[place] += draw.choice([-1, 1, 5, 1 << 17, -1 << 17, 1 << 40])


def verdict(path, game):
    """Return whether a file is refused in a sentence, false or right, and what bounds it has."""
    try:
        with zermelo.open(path, game) as opened:
            is_right = bool(opened.verify())
            bounds = {position: value.bounds for position, value in opened.items()}
    except ZermeloError as error:
        return "refused" if str(path) in str(error) else str(error), {}
    return "right" if is_right else "false", bounds


@pytest.mark.parametrize("listed", [1 << 16, 2], ids=["listed", "range"])
@counts(8, 100, 6_000)
def test_forged_files_are_refused_or_right(tmp_path, count, listed):
    """A file with right checksums and changed contents is refused, or its bounds are right."""
    ends = Counter()
    games = list(random_chance_games(33_000_000, 12))
    truths = [expectations.solve(game) for game in games]
    for number in range(count):
        game, draw = games[number % len(games)], Random(number)
        truth = truths[number % len(games)]
        with short_palettes(listed):
            path = zermelo.solve(game).save(tmp_path / "forged.table", overwrite=True)
        table = Table.of(path)
        change = draw.choice([change_blocks, change_palette, None])
        if change is None:
            change_header(table.header, draw)
        else:
            change(table, draw)
        path.write_bytes(table.data())
        outcome, bounds = verdict(path, game)
        ends[outcome] += 1
        if outcome == "right":
            assert expectations.problem(truth, bounds, 10**6) is None
    assert ends["refused"] > count / 10
    assert ends["false"] > count / 10
    assert set(ends) <= {"refused", "false", "right"}
