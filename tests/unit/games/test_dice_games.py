"""Games of dice: their rules against programs written from the descriptions of the games."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from support.sizes import some
from zermelo.errors import ParameterError, PositionError
from zermelo.games import BackgammonBearOff, EinsteinWuerfeltNicht, Hog, Pig, RoyalGameOfUr

SMALL = 1e-13
GAMES = [
    Pig(10),
    Hog(12, dice=3),
    BackgammonBearOff(men=2, points=4),
    BackgammonBearOff(first=(6, 5), second=(1,)),
    EinsteinWuerfeltNicht(3, 2, second=(2, 1)),
    EinsteinWuerfeltNicht(4, 1),
    RoyalGameOfUr(1),
    RoyalGameOfUr(1, "masters"),
    RoyalGameOfUr(1, "blitz"),
]
every_game = pytest.mark.parametrize("game", GAMES, ids=repr)


# -- the rules as the classes have them ------------------------------------------------------------


def result(game, position):
    """Return the result for the player to move if the rules give it: 1, 0 or -1, else None."""
    if hasattr(game, "winner"):
        winner = game.winner(position)
        return None if winner is None else 1 if winner == game.turn(position) else -1
    outcome = game.outcome(position)
    return None if outcome is None else int(outcome)


def edges(game, position):
    """Return the weighted successors by chance, and those by moves; each with its sign.

    The sign is 1 if the same player is to move in the successor, and otherwise -1.
    """
    if result(game, position) is not None:
        return [], []
    has_turn = hasattr(game, "turn")

    def sign(child, *, by_chance):
        if not has_turn:
            return 1 if by_chance else -1
        return 1 if game.turn(child) == game.turn(position) else -1

    faces = [(w, sign(c, by_chance=True), c) for w, c in game.chance(position)]
    children = [game.play(position, move) for move in game.moves(position)]
    return faces, [(sign(c, by_chance=False), c) for c in children]


def reachable(game, start=None):
    """Return the edges of all positions that can be reached."""
    found, todo = {}, [game.start() if start is None else start]
    while todo:
        position = todo.pop()
        if position not in found:
            found[position] = edges(game, position)
            faces, choices = found[position]
            todo += [c for *_, c in faces] + [c for _, c in choices]
    return found


def probability(game, start=None):
    """Return the probability that the player to move wins, by value iteration over the hooks."""
    start = game.start() if start is None else start
    graph = reachable(game, start)
    values = {p: result(game, p) or 0.0 for p in graph}
    order = sorted(graph, key=game.level, reverse=True)
    groups = {}
    for position in order:
        groups.setdefault(game.level(position), []).append(position)
    for group in groups.values():
        change = 1.0
        while change > SMALL:
            change = 0.0
            for position in group:
                faces, choices = graph[position]
                if faces:
                    total = sum(w for w, *_ in faces)
                    value = sum(w * sign * values[c] for w, sign, c in faces) / total
                elif choices:
                    value = max(sign * values[c] for sign, c in choices)
                else:
                    continue
                change = max(change, abs(value - values[position]))
                values[position] = value
    return (1 + values[start]) / 2


# -- the games as their descriptions have them -----------------------------------------------------


def pig_by_description(goal):
    """Return the probability that the first player wins Pig, by value iteration.

    The equations are those of Neller and Presser, with the scores of both and the turn total.
    """
    scores = [(i, j) for i in range(goal) for j in range(goal)]
    win = {(i, j, k): 0.5 for i, j in scores for k in range(goal - i)}

    def chance_of(i, j, k):
        return 1.0 if i + k >= goal else win[i, j, k]

    change = 1.0
    while change > SMALL:
        change = 0.0
        for (i, j, k), last in win.items():
            roll = (1 - win[j, i, 0]) / 6 + sum(chance_of(i, j, k + r) for r in range(2, 7)) / 6
            hold = 1 - win[j, i + k, 0]
            value = max(roll, hold)
            change, win[i, j, k] = max(change, abs(value - last)), value
    return win[0, 0, 0]


def hog_by_description(goal, sides, most):
    """Return the probability that the first player wins Hog, from whole throws of dice."""
    throws = []
    for count in range(1, most + 1):
        points = {}
        for dice in product(range(1, sides + 1), repeat=count):
            score = 1 if 1 in dice else sum(dice)
            points[score] = points.get(score, 0) + Fraction(1, sides**count)
        throws.append(points)

    @cache
    def win(mine, theirs):
        return max(
            sum(w * (1 if mine + s >= goal else 1 - win(theirs, mine + s)) for s, w in t.items())
            for t in throws
        )

    return win(0, 0)


@cache
def bear_offs(men, dice):
    """Return the boards to which dice lead in this order; a board is the sorted points of men."""
    if not dice or not men:
        return {men}
    die, boards = dice[0], set()
    for n, point in enumerate(men):
        rest = men[:n] + men[n + 1 :]
        if point > die:
            boards |= bear_offs(tuple(sorted((*rest, point - die))), dice[1:])
        elif point == die or point == max(men):
            boards |= bear_offs(rest, dice[1:])
    return boards


@cache
def bear_off_by_description(mine, theirs):
    """Return the probability that the player to throw wins, by plays of whole throws."""
    total = Fraction(0)
    for a, b in product(range(1, 7), repeat=2):
        orders = [(a,) * 4] if a == b else [(a, b), (b, a)]
        boards = set().union(*(bear_offs(mine, order) for order in orders))
        total += max(1 if not board else 1 - bear_off_by_description(theirs, board)
                     for board in boards)  # fmt: skip
    return total / 36


def einstein_by_description(size, first, second, sides):
    """Return the probability that the player to move wins, by plain expectiminimax.

    Args:
        size: the cells of a row.
        first: the cells of the player to move by the numbers of the stones, as (row, column), who
            goes down and right.
        second: those of the other player, who goes up and left, on the same board.
        sides: the sides of the die.
    """

    def turned(stones):
        return frozenset((n, (size - 1 - r, size - 1 - c)) for n, (r, c) in stones)

    @cache
    def win(mine, theirs):
        numbers = sorted(n for n, _ in mine)
        total = Fraction(0)
        for die in range(1, sides + 1):
            lower = [n for n in numbers if n <= die][-1:]
            higher = [n for n in numbers if n >= die][:1]
            allowed = [die] if die in numbers else lower + higher
            best = Fraction(-1)
            for number, (r, c) in mine:
                if number in allowed:
                    for target in ((r + 1, c), (r, c + 1), (r + 1, c + 1)):
                        if max(target) < size:
                            kept = {s for s in mine if s[0] != number and s[1] != target}
                            left = frozenset(s for s in theirs if s[1] != target)
                            if target == (size - 1, size - 1) or not left:
                                value = Fraction(1)
                            else:
                                value = 1 - win(turned(left), turned(kept | {(number, target)}))
                            best = max(best, value)
            total += best
        return total / sides

    return win(frozenset(first.items()), frozenset(second.items()))


#: The paths of light over the named squares of the board: letters for rows, as in pictures of it.
ENTRY = ["A4", "A3", "A2", "A1", "B1", "B2", "B3", "B4", "B5", "B6", "B7"]
SHORT = [*ENTRY, "B8", "A8", "A7"]
LONG = [*ENTRY, "C7", "C8", "B8", "A8", "A7"]
STARS = {"A1", "C1", "B4", "A7", "C7"}


class UrByDescription:
    """Ur on a board of named squares, from the view of the player to throw.

    A position is the names of the squares with that player's pieces and with the other's, and the
    pieces of each that are waiting.

    Attributes:
        path: the names of the squares that light passes; dark passes those with A and C exchanged.
        throws: the probability of each number of squares.
        is_safe: whether a rosette protects.
        is_again: whether a player who takes a piece throws again.
    """

    def __init__(self, path, throws, *, is_safe, is_again):
        self.path, self.throws, self.is_safe, self.is_again = path, throws, is_safe, is_again

    def flipped(self, position):
        """Return the position from the other player's view."""
        mine, theirs, waiting, their_waiting = position
        exchange = str.maketrans("AC", "CA")
        sides = (frozenset(s.translate(exchange) for s in side) for side in (theirs, mine))
        return (*sides, their_waiting, waiting)

    def plays(self, position, throw):
        """Yield the position after each play, and whether the player throws again."""
        mine, theirs, waiting, others = position
        for source in [None, *self.path] if throw else ():
            place = throw - 1 if source is None else self.path.index(source) + throw
            if place > len(self.path) or not (waiting if source is None else source in mine):
                continue
            left, rest = mine - {source}, waiting - (source is None)
            square = "home" if place == len(self.path) else self.path[place]
            if square == "home":
                yield (left, theirs, rest, others), False
            elif square in theirs and not (self.is_safe and square in STARS):
                again = square in STARS or self.is_again
                yield (left | {square}, theirs - {square}, rest, others + 1), again
            elif square not in mine | theirs:
                yield (left | {square}, theirs, rest, others), square in STARS

    def turns(self, start):
        """Return the plays of each throw for all positions that can follow a start."""
        turns, todo = {}, [start]
        while todo:
            position = todo.pop()
            if position not in turns:
                turns[position] = [(w, list(self.plays(position, n))) for n, w in
                                   self.throws.items()]  # fmt: skip
                todo.append(self.flipped(position))
                for _, options in turns[position]:
                    todo += [p if a else self.flipped(p) for p, a in options if p[0] or p[2]]
        return turns

    def probability(self, pieces):
        """Return the probability that the first player wins, by value iteration."""
        start = (frozenset(), frozenset(), pieces, pieces)
        turns, change = self.turns(start), 1.0
        win = dict.fromkeys(turns, 0.5)

        def worth(after, again):
            if not after[0] and not after[2]:
                return 1.0
            return win[after] if again else 1 - win[self.flipped(after)]

        while change > SMALL:
            change = 0.0
            for position, throws in turns.items():
                value = sum(
                    w * max([worth(*o) for o in options] or [1 - win[self.flipped(position)]])
                    for w, options in throws
                )
                change, win[position] = max(change, abs(value - win[position])), value
        return win[start]


FOUR_DICE = {n: count / 16 for n, count in enumerate((1, 4, 6, 4, 1))}
THREE_DICE = {4: 1 / 8, 1: 3 / 8, 2: 3 / 8, 3: 1 / 8}
UR = {
    "finkel": (SHORT, FOUR_DICE, {"is_safe": True, "is_again": False}),
    "masters": (LONG, THREE_DICE, {"is_safe": False, "is_again": False}),
    "blitz": (LONG, FOUR_DICE, {"is_safe": False, "is_again": True}),
}


# -- tests -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("goal", "first"), [(2, 6 / 7), (10, 0.709424322598)])
def test_pig_has_the_value_of_the_equations_of_neller_and_presser(goal, first):
    """The rules with two kinds of positions give what three indices do."""
    assert pig_by_description(goal) == pytest.approx(first, abs=1e-11)
    assert probability(Pig(goal)) == pytest.approx(first, abs=1e-11)


@pytest.mark.parametrize(
    ("goal", "sides", "dice"), some([(10, 6, 3), (2, 6, 1), (20, 6, 5), (15, 4, 4)], 4)
)
def test_hog_throws_its_dice_as_if_they_fell_at_once(goal, sides, dice):
    """The dice fall one by one in the rules, and together in the description."""
    described = hog_by_description(goal, sides, dice)
    assert probability(Hog(goal, sides, dice)) == pytest.approx(float(described), abs=1e-11)


@pytest.mark.parametrize(
    ("first", "second"),
    some([((5, 2), (1,)), ((6,), (6,)), ((6, 6), (6, 6)), ((4, 4, 1), (3, 3, 2))], 4),
)
def test_bear_offs_by_steps_are_those_by_whole_throws(first, second):
    """The rules use the dice one by one, and the description plays each throw as a whole."""
    described = bear_off_by_description(tuple(sorted(first)), tuple(sorted(second)))
    game = BackgammonBearOff(first=first, second=second)
    assert probability(game) == pytest.approx(float(described), abs=1e-11)


def test_bear_offs_from_the_first_point_are_those_of_peelle():
    """Eight men against six, and nine against nine (Backgammon Tools in J, Vector 24)."""
    game = BackgammonBearOff(points=1, first=(1,) * 8, second=(1,) * 6)
    assert round(probability(game), 6) == 0.301055
    assert round(probability(BackgammonBearOff(men=9, points=1)), 2) == 0.72


@pytest.mark.slow
@pytest.mark.parametrize("rules", some(UR, 3))
def test_ur_with_one_piece_is_that_of_the_named_squares(rules):
    """Paths of bits give what paths of named squares do, for each of the rules."""
    path, throws, options = UR[rules]
    described = UrByDescription(path, throws, **options).probability(1)
    assert probability(RoyalGameOfUr(1, rules)) == pytest.approx(described, abs=1e-10)


def test_ur_at_the_last_squares_has_the_values_of_heled():
    """They are 4/7 on the last square both, and 116/161 on the last but one against the last."""
    game = RoyalGameOfUr(1)
    last, last_but_one = 1 << 13, 1 << 12
    position = game.start()._replace(mine=last, theirs=last)
    assert probability(game, position) == pytest.approx(4 / 7, abs=1e-11)
    position = game.start()._replace(mine=last_but_one, theirs=last)
    assert probability(game, position) == pytest.approx(116 / 161, abs=1e-11)


@pytest.mark.parametrize(
    ("size", "stones", "second"),
    [
        (3, 1, ()),
        (3, 2, ()),
        (3, 2, (2, 1)),
        pytest.param(3, 3, (2, 1, 3), marks=pytest.mark.slow),
        pytest.param(4, 2, (), marks=pytest.mark.slow),
    ],
)
def test_einstein_has_the_value_of_plain_expectiminimax(size, stones, second):
    """Numbers of cells, and absent stones, give what sets of numbered cells do."""
    diagonals = [(row, s - row) for s in range(size) for row in range(s + 1)]
    order = range(1, stones + 1)
    first = dict(zip(order, diagonals, strict=False))
    theirs = {
        n: (size - 1 - r, size - 1 - c)
        for n, (r, c) in zip(second or order, diagonals, strict=False)
    }
    described = einstein_by_description(size, first, theirs, stones)
    game = EinsteinWuerfeltNicht(size, stones, second=second)
    assert probability(game) == pytest.approx(float(described), abs=1e-11)


@every_game
def test_a_position_has_either_a_throw_or_moves(game):
    """A position that is not at an end has chance or moves, and never both."""
    for position, (faces, choices) in reachable(game).items():
        is_end = result(game, position) is not None
        assert bool(faces) + bool(choices) == (not is_end), position
        assert 0 <= sum(weight for weight, *_ in faces) <= 65_536


@every_game
def test_no_throw_and_no_move_lowers_the_level(game):
    """The level of a successor is at least that of the position."""
    for position, (faces, choices) in reachable(game).items():
        for *_, child in [*faces, *choices]:
            assert game.level(child) >= game.level(position)


@every_game
def test_every_position_lies_in_the_declared_ranges(game):
    """Each number of a position is in the range of its field."""
    for position in reachable(game):
        for name, range_ in game.space()._asdict().items():
            value = getattr(position, name)
            numbers = value if isinstance(value, tuple) else (value,)
            assert all(number in range_ for number in numbers), (name, value)


@every_game
def test_the_text_of_a_position_is_read_again(game):
    """``parse`` reads what ``show`` writes, also in one line, and ``svg`` draws all of them."""
    positions = sorted(reachable(game))
    for position in Random(1).sample(positions, min(300, len(positions))):
        text = game.show(position)
        assert game.parse(text.replace("\n", " / ")) == game.parse(text) == position
        assert game.svg(position).startswith("<svg")


@every_game
def test_the_names_of_moves_differ(game):
    """No two moves of a position have one name."""
    for position in reachable(game):
        if result(game, position) is None:
            names = [game.name(move) for move in game.moves(position)]
            assert len(set(names)) == len(names)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_text_of_another_kind_is_refused(game):
    """The error says what to write."""
    with pytest.raises(PositionError, match="write"):
        game.parse("rien ne va plus")


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (Pig, {"goal": 0}),
        (Pig, {"sides": 1}),
        (Hog, {"dice": 11}),
        (BackgammonBearOff, {"points": 7}),
        (BackgammonBearOff, {"first": (7,)}),
        (EinsteinWuerfeltNicht, {"size": 3, "stones": 4}),
        (EinsteinWuerfeltNicht, {"stones": 2, "first": (1, 1)}),
        (RoyalGameOfUr, {"pieces": 8}),
        (RoyalGameOfUr, {"rules": "murray"}),
    ],
)
def test_parameters_that_make_no_game_are_refused(kind, parameters):
    """A ParameterError names the parameter."""
    with pytest.raises(ParameterError, match=next(reversed(parameters))):
        kind(**parameters)
