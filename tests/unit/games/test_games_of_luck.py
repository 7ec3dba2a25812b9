"""2048, Snakes and Ladders and Can't Stop against programs with other representations."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from support.sizes import some
from zermelo import ParameterError, PositionError
from zermelo.games import CantStop, SnakesAndLadders, TwoThousandFortyEight
from zermelo.games.luck.cant_stop import Climb
from zermelo.games.luck.snakes_and_ladders import Race
from zermelo.games.luck.two_thousand_forty_eight import Tiles

#: The change of values between two sweeps at which a value iteration ends.
SMALL = 1e-14

#: Each fact on a board of 2048 that is solved here; the largest by the slow tests.
BOARDS = [
    pytest.param(fact, marks=pytest.mark.slow if fact.parameters["rows"] == 3 else ())
    for fact in TwoThousandFortyEight.facts
    if fact.checked
]
#: Boards of Can't Stop: sides, length, columns and most.
COLUMNS = [
    (1, 2, 1, 1),
    (2, 1, 1, 3),
    pytest.param(2, 1, 2, 2, marks=pytest.mark.slow),
    pytest.param(2, 1, 2, 1, marks=pytest.mark.slow),
    pytest.param(2, 1, 2, 3, marks=pytest.mark.slow),
]


def successors_by_position(game):
    """Return the successors of each reachable position, in the order of discovery.

    They are an outcome, or the weights and positions that chance leads to, or the positions that
    moves lead to, with the weight None. A position of the other player has the sign -1.
    """
    found = {game.start(): None}
    for position in (order := list(found)):  # the loop appends to the list
        outcome = game.outcome(position)
        if outcome is not None:
            found[position] = int(outcome)
            continue
        faces, moves = list(game.chance(position)), list(game.moves(position))
        assert bool(faces) != bool(moves)
        children = faces or [(None, game.play(position, move)) for move in moves]
        found[position] = []
        for weight, child in children:
            passes = not faces
            if hasattr(game, "turn"):
                passes = game.turn(child) != game.turn(position)
            found[position].append((weight, -1 if passes else 1, child))
            if child not in found:
                found[child] = None
                order.append(child)
    return found


def chance_to_win(game):
    """Return the probability that the first player wins, by value iteration on the game's rules."""
    after = successors_by_position(game)
    values = dict.fromkeys(after, 0.0)
    change = 1.0
    while change > SMALL:
        change = 0.0
        for position, children in reversed(after.items()):
            value = children
            if isinstance(children, list):
                results = [sign * values[child] for _, sign, child in children]
                weights = [weight for weight, _, _ in children]
                value = max(results)
                if weights[0] is not None:
                    value = sum(w * r for w, r in zip(weights, results, strict=True)) / sum(weights)
            change = max(change, abs(value - values[position]))
            values[position] = value
    return (1 + values[game.start()]) / 2


# -- 2048 ---------------------------------------------------------------------------------------


def score_by_rules(game):
    """Return the expected score of 2048 from the start, by the game's rules, as a fraction."""

    @cache
    def score_of(position):
        faces, moves = list(game.chance(position)), list(game.moves(position))
        assert not (faces and moves)
        if faces:
            total = sum(weight for weight, _ in faces)
            return sum(Fraction(weight, total) * score_of(child) for weight, child in faces)
        scores = [game.gain(position, move) + score_of(game.play(position, move)) for move in moves]
        return max(scores, default=Fraction(0))

    return score_of(game.start())


def slid(row):
    """Return a row of tiles pushed to the left, and the sum of the merged tiles."""
    tiles, pushed, points = [tile for tile in row if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
            points += tile
        pushed.append(tile)
    return (*pushed, *[0] * (len(row) - len(pushed))), points


def expectimax(rows, columns):
    """Return the expected score of 2048 from the start, on boards that are tuples of rows."""

    @cache
    def player(board):
        best = Fraction(0)
        for _ in range(4):
            board = tuple(zip(*board[::-1], strict=True))  # a quarter turn
            pushed = [slid(row) for row in board]
            after = tuple(row for row, _ in pushed)
            if after != board:
                best = max(best, sum(points for _, points in pushed) + nature(after, 1))
        return best

    @cache
    def nature(board, due):
        if not due:
            return player(board)
        empty = [(r, c) for r, row in enumerate(board) for c, tile in enumerate(row) if not tile]
        total = Fraction(0)
        for (r, c), tile in product(empty, (2, 4)):
            row = (*board[r][:c], tile, *board[r][c + 1 :])
            share = Fraction(9, 10) if tile == 2 else Fraction(1, 10)
            total += share * nature((*board[:r], row, *board[r + 1 :]), due - 1)
        return total / len(empty)

    return nature(((0,) * columns,) * rows, 2)


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (1, 4), (2, 2)])
def test_the_score_of_2048_is_that_of_an_expectimax_on_rows_of_tiles(rows, columns):
    """Both are fractions, and equal."""
    game = TwoThousandFortyEight(rows, columns)
    assert score_by_rules(game) == expectimax(rows, columns)


@pytest.mark.parametrize("fact", BOARDS)
def test_facts_of_2048_are_the_rounded_scores_of_the_expectimax(fact):
    """Five digits after the point are given."""
    score = expectimax(fact.parameters["rows"], fact.parameters["columns"])
    assert f"{float(score):.5f}" == fact.expectation


@pytest.mark.parametrize(
    ("before", "direction", "after", "points"),
    [
        ("2 2 2 .", 0, "4 2 . .", 4),
        ("2 2 2 .", 1, ". . 2 4", 4),
        ("2 2 4 .", 0, "4 4 . .", 4),
        ("2 2 2 2", 0, "4 4 . .", 8),
        ("4 . 4 8", 0, "8 8 . .", 8),
    ],
)
def test_a_merged_tile_does_not_merge_again(before, direction, after, points):
    """The two tiles nearest to the side merge first."""
    game = TwoThousandFortyEight(1, 4)
    board = game.parse(before)
    assert game.play(board, direction) == game.parse(f"{after} / 1 tile due")
    assert game.gain(board, direction) == points


def test_a_move_of_2048_changes_the_board():
    """Tiles that lie at a side already do not slide there."""
    game = TwoThousandFortyEight()
    board = game.parse("2 . / 4 .")
    assert [game.name(move) for move in game.moves(board)] == ["right"]


def test_levels_of_2048_rise():
    """No position of the game repeats."""
    game = TwoThousandFortyEight(2, 2)
    game_over = {}
    queue = [game.start()]
    for position in queue:  # the loop appends to the list
        children = [child for _, child in game.chance(position)]
        children += [game.play(position, move) for move in game.moves(position)]
        assert all(game.level(child) > game.level(position) for child in children)
        queue += [child for child in children if child not in game_over]
        game_over.update(dict.fromkeys(children))


# -- Snakes and Ladders -------------------------------------------------------------------------


def race(squares, dice, jumps):
    """Return the probability that the first player wins, by value iteration on pairs of squares."""

    def run(square, roll):
        target = square + roll
        return square if target > squares else jumps.get(target, target)

    ahead = [[0.5] * squares for _ in range(squares)]
    change = 1.0
    while change > SMALL:
        change = 0.0
        for mine, theirs in product(reversed(range(squares)), repeat=2):
            chances = []
            for die in dice:
                after = [run(mine, roll) for roll in range(1, die + 1)]
                won = [1 if s == squares else 1 - ahead[theirs][s] for s in after]
                chances.append(sum(won) / die)
            change = max(change, abs(max(chances) - ahead[mine][theirs]))
            ahead[mine][theirs] = max(chances)
    return ahead[0][0]


@pytest.mark.parametrize(
    "fact", some(SnakesAndLadders.facts, 3), ids=lambda fact: str(fact.parameters)
)
def test_snakes_and_ladders_agrees_with_a_value_iteration_on_squares(fact):
    """So do the facts, which have six digits after the point."""
    game = SnakesAndLadders(**fact.parameters)
    expected = race(game.squares, game.dice, dict([*game.ladders, *game.snakes]))
    assert chance_to_win(game) == pytest.approx(expected, abs=1e-12)
    assert f"{expected:.6f}" == fact.probability


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ladders": [[9, 3]]}, "does not lead up"),
        ({"snakes": [[3, 9]]}, "does not lead down"),
        ({"snakes": [[24, 9]]}, "from a square before the last"),
        ({"ladders": [[3, 9], [9, 12]], "snakes": []}, "meet on square 9"),
        ({"ladders": [[3, 9]], "snakes": [[3, 1]]}, "meet on square 3"),
        ({"ladders": 3}, "must be pairs of squares"),
        ({"ladders": [[3, 9, 10]]}, "must be a list of 2 numbers"),
    ],
)
def test_wrong_ladders_and_snakes_are_refused_in_a_sentence(given, sentence):
    """The message says which ladder or snake is wrong."""
    with pytest.raises(ParameterError, match=sentence):
        SnakesAndLadders(**given)


# -- Can't Stop ---------------------------------------------------------------------------------


class Climbers:
    """Can't Stop by value iteration; a player's steps are pairs of a sum and a number of steps.

    Attributes:
        values: the probability of winning for the player who rolls next, by the safe steps of that
            player and of the other.
    """

    def __init__(self, sides, length, needed, most):
        self.tops = {s: length + 2 * min(s - 2, 2 * sides - s) for s in range(2, 2 * sides + 1)}
        self.rolls = list(product(range(1, sides + 1), repeat=4))
        self.needed, self.most = needed, most
        self.values = {(frozenset(), frozenset()): 0.5}

    def chance_to_win(self):
        """Return the probability that the first player wins."""
        change, known = 1.0, 0
        while change > SMALL or len(self.values) > known:
            change, known = 0.0, len(self.values)
            for (safe, other), old in list(self.values.items()):
                value = self.before_roll(safe, other, frozenset(), {})
                change = max(change, abs(value - old))
                self.values[safe, other] = value
        return self.values[frozenset(), frozenset()]

    def owned(self, safe):
        """Return the columns of which a player has reached the top."""
        return {s for s, n in safe if n == self.tops[s]}

    def climbed(self, safe, closed, turn, sums):
        """Return the steps of the turn after a step in each column of some sums, or None."""
        after = dict(turn)
        for s in sums:
            after[s] = after.get(s, 0) + 1
            is_above = dict(safe).get(s, 0) + after[s] > self.tops[s]
            if s in closed or is_above or len(after) > self.most:
                return None
        return frozenset(after.items())

    def choices(self, safe, closed, turn, roll):
        """Return what the steps of the turn may be after a roll."""
        found = set()
        for i in (1, 2, 3):
            pair = roll[0] + roll[i], sum(roll) - roll[0] - roll[i]
            both = self.climbed(safe, closed, turn, pair)
            ones = [self.climbed(safe, closed, turn, (s,)) for s in pair]
            found.update([both] if both is not None else ones)
        return found - {None}

    def after_stop(self, safe, other, turn):
        """Return the value of ending the turn with its steps made safe."""
        total = dict(safe)
        for s, n in turn:
            total[s] = total.get(s, 0) + n
        mine = frozenset(total.items())
        if len(self.owned(mine)) >= self.needed:
            return 1.0
        left = frozenset((s, n) for s, n in other if s not in self.owned(mine))
        return 1 - self.values.setdefault((left, mine), 0.5)

    def before_roll(self, safe, other, turn, memory):
        """Return the value before a roll, when the steps of the turn can still be lost."""
        if turn not in memory:
            total = 0.0
            for roll in self.rolls:
                results = [1 - self.values.setdefault((other, safe), 0.5)]
                options = self.choices(safe, self.owned(other), turn, roll)
                if options:
                    results = [self.after_stop(safe, other, after) for after in options]
                    results += [self.before_roll(safe, other, after, memory) for after in options]
                total += max(results)
            memory[turn] = total / len(self.rolls)
        return memory[turn]


@pytest.mark.parametrize(("sides", "length", "columns", "most"), COLUMNS)
def test_cant_stop_agrees_with_a_value_iteration_on_sets_of_steps(sides, length, columns, most):
    """The first player wins as often by the rules of both programs."""
    expected = Climbers(sides, length, columns, most).chance_to_win()
    game = CantStop(sides, length, columns, most)
    assert chance_to_win(game) == pytest.approx(expected, abs=1e-12)


def marks_of_fact(fact, n):
    """Return the mark of a fact of Can't Stop: all but the first take seconds or minutes."""
    if fact.parameters["length"] > 1:
        return pytest.mark.huge
    return pytest.mark.slow if n else ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "fact",
    [
        pytest.param(f, marks=marks_of_fact(f, n))
        for n, f in enumerate(sorted(CantStop.facts, key=lambda f: f.parameters["length"]))
    ],
)
def test_facts_of_cant_stop_are_the_rounded_values_of_the_iteration(fact):
    """Six digits after the point are given."""
    names = ("sides", "length", "columns", "most")
    expected = Climbers(*(fact.parameters[name] for name in names)).chance_to_win()
    assert f"{expected:.6f}" == fact.probability


@pytest.mark.parametrize(("sides", "length", "most"), [(3, 1, 2), (6, 3, 3)])
def test_choices_with_more_columns_are_those_of_sets_of_steps(sides, length, most):
    """After random rolls in random positions, the steps of the turn can become the same."""
    random = Random(7)
    game, other_rules = CantStop(sides, length, 2, most), Climbers(sides, length, 2, most)
    for _ in range(2000):
        safe, other = ([random.randint(0, top) for top in game.tops] for _ in range(2))
        runners = [0] * len(game.tops)
        for column in random.sample(range(len(runners)), random.randint(0, most)):
            if other[column] < game.tops[column]:
                runners[column] = random.randint(0, game.tops[column] - safe[column])
        dice = tuple(sorted(random.choices(range(1, sides + 1), k=4)))
        position = Climb(tuple(safe), tuple(other), tuple(runners), dice, 0)
        after = {game.play(position, move) for move in game.moves(position) if not move[2]}
        closed = other_rules.owned(step_pairs(other))
        expected = other_rules.choices(step_pairs(safe), closed, step_pairs(runners), dice)
        assert {step_pairs(child.runners) for child in after} == expected


def step_pairs(steps):
    """Return the pairs of a sum and a number of steps that are not 0."""
    return frozenset((column + 2, n) for column, n in enumerate(steps) if n)


@pytest.mark.parametrize(
    ("runners", "dice", "names"),
    [
        ((0, 0, 0, 0, 0), (1, 1, 1, 2), {"2-3"}),
        ((0, 0, 0, 0, 0), (1, 1, 3, 3), {"2-6", "4-4"}),
        ((1, 0, 1, 0, 0), (1, 2, 3, 3), {"3", "6", "4-5"}),
        ((1, 0, 0, 0, 1), (1, 1, 3, 3), {"4-4"}),
        ((1, 1, 0, 0, 1), (1, 1, 3, 3), {"lost"}),
    ],
)
def test_the_sums_that_can_be_climbed_follow_from_the_dice(runners, dice, names):
    """Both sums of a pairing, or either of them if one runner is left, or none."""
    game = CantStop(3, 1, 2, 3)
    none = (0,) * 5
    position = Climb(none, none, runners, dice, 0)
    found = {game.name(move) for move in game.moves(position)}
    assert {name.removesuffix("-roll").removesuffix("-stop") for name in found} == names


def test_the_column_of_an_owner_is_closed():
    """A player who stops at the top of a column owns it, without steps of the other player."""
    game = CantStop(2, 1, 2)
    before = Climb((0, 2, 0), (0, 1, 1), (0, 0, 0), (1, 2, 1, 2), 0)
    after = game.play(before._replace(dice=(1, 1, 2, 2)), (3, 0, 1))
    assert after == Climb((0, 0, 1), (0, 3, 0), (0, 0, 0), (0, 0, 0, 0), 1)
    rolled = after._replace(dice=(1, 1, 2, 2))
    assert [game.name(move) for move in game.moves(rolled)] == ["2-roll", "2-stop"]


# -- texts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "position"),
    [
        (TwoThousandFortyEight(), "2 4 / . 32", Tiles((1, 2, 0, 5), 0)),
        (TwoThousandFortyEight(), "2 4 / . 8 / 1 tile due", Tiles((1, 2, 0, 3), 1)),
        (SnakesAndLadders(), "3 against 20", Race(3, 20, 0)),
        (SnakesAndLadders(), "3 against 20, the other rolls d6", Race(3, 20, 6)),
        (
            CantStop(),
            "first 0 1 0 / second 1 0 0 / turn 0 2 0 / second has 1 1 1 2",
            Climb((1, 0, 0), (0, 1, 0), (0, 2, 0), (1, 1, 1, 2), 1),
        ),
    ],
)
def test_positions_are_read_as_they_are_shown(game, text, position):
    """A text without all of the words of ``show`` is read, too."""
    assert game.parse(text) == position
    assert game.parse(game.show(position)) == position


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TwoThousandFortyEight(), "2 4 / . 64"),
        (TwoThousandFortyEight(), "2 4 ."),
        (SnakesAndLadders(), "3 against 25"),
        (SnakesAndLadders(), "3 against 20, the other rolls d8"),
        (CantStop(), "first 0 1 / second 1 0 / turn 0 2 / second to roll"),
        (CantStop(), "first 0 4 0 / second 0 0 0 / turn 0 0 0 / first to roll"),
        (CantStop(), "first 0 0 0 / second 0 0 0 / turn 0 0 0 / first has 2 1 1 1"),
    ],
)
def test_other_texts_are_refused(game, text):
    """The message says what to write."""
    with pytest.raises(PositionError, match="write one such as"):
        game.parse(text)
