"""``zermelo.evaluate``: agents of every form, on every kind of solution."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

import zermelo
from zermelo import MoveError, ParameterError, Symmetry
from zermelo.agents import Comparison, SkilledAgent, report
from zermelo.games import CatAndMouse, Nim, StoneGame, TakeAway, TicTacToe
from zermelo.games.lines.tic_tac_toe import Board
from zermelo.symmetry import grid

CHASE = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


def lowest(board):
    """The first free cell."""
    return next(cell for cell in range(9) if not (board.mine | board.theirs) >> cell & 1)


class Lowest:
    """The same, for many boards at once."""

    def batch(self, boards):
        """Return the first free cell of each row."""
        taken = boards[:, 0] | boards[:, 1]
        return np.argmin(taken[:, np.newaxis] >> np.arange(9) & 1, axis=1)


@pytest.fixture(scope="module")
def found(noughts):
    """The agent that takes the first free cell, measured."""
    return zermelo.evaluate(lowest, noughts)


@dataclass(frozen=True)
class Late(TicTacToe):
    """Tic-tac-toe after three moves, so that it has few positions."""

    def start(self):
        return Board(0b000010000, 0b100000001)


@pytest.fixture(scope="module")
def late():
    """Tic-tac-toe after three moves."""
    return zermelo.solve(Late())


@pytest.fixture(scope="module")
def measured(late):
    """The agent that takes the first free cell, measured after three moves."""
    return zermelo.evaluate(lowest, late)


def told(evaluation):
    """Everything that an evaluation says, but for how it was made."""
    document = evaluation.to_json()
    for name in ("agent", "seconds"):
        del document[name]
    return document


def test_one_by_one_and_in_batches_are_the_same(late, measured):
    """However an agent is asked, and whatever numbers it answers with."""
    assert told(zermelo.evaluate(Lowest(), late)) == told(measured)

    class Listed(Lowest):
        def batch(self, boards):
            return super().batch(boards).tolist()

    class Column(Lowest):
        def batch(self, boards):
            return super().batch(boards).astype(np.uint8)[:, np.newaxis]

    assert told(zermelo.evaluate(Listed(), late)) == told(measured)
    assert told(zermelo.evaluate(Column(), late)) == told(measured)
    names = zermelo.evaluate(lambda board: late.rules.move_name(lowest(board)), late)
    assert told(names) == told(measured)
    assert zermelo.evaluate(lambda b: np.int64(lowest(b)), late, name="n").agent == "n"


def free(board):
    """Return the free cells."""
    return [cell for cell in range(9) if not (board.mine | board.theirs) >> cell & 1]


def uniform(board):
    """Every free cell is as likely as the next."""
    return dict.fromkeys(free(board), 1 / len(free(board)))


def test_probabilities_give_exact_expectations(late):
    """An agent that plays at random is measured as random play, without a sample."""
    found = zermelo.evaluate(uniform, late)
    rates = found.everywhere.rates
    assert found.everywhere.exact
    assert rates.perfect.value == pytest.approx(rates.random.value)
    result = found.against("random", "X").result
    analysed = late.analyse().random
    assert result.win.value == pytest.approx(analysed.win.value)
    assert result.loss.value == pytest.approx(analysed.loss.value)
    worst = found.everywhere.worst[0]
    assert (worst.before.outcome, worst.value.outcome) == (zermelo.WIN, zermelo.LOSS)


def test_probabilities_come_in_many_forms(late, measured):
    """Dictionaries, one number for each legal move, and rows of an array say the same."""
    uniform_found = told(zermelo.evaluate(uniform, late))

    class Rows:
        def batch(self, boards):
            taken = (boards[:, 0] | boards[:, 1])[:, np.newaxis] >> np.arange(9) & 1
            many = 9 - taken.sum(axis=1, keepdims=True)
            return np.where(np.arange(9) < many, 1 / many, 0.0)

    def aligned(board):
        return [1 / len(free(board))] * len(free(board))

    def named(board):
        return {late.rules.move_name(c): 1 / len(free(board)) for c in free(board)}

    for agent in (aligned, named, Rows(), lambda b: np.array(aligned(b), np.float32)):
        evaluation = zermelo.evaluate(agent, late)
        rates = evaluation.everywhere.rates
        assert rates.perfect.value == pytest.approx(
            uniform_found["everywhere"]["rates"]["perfect"]["value"]
        )
    assert told(zermelo.evaluate(lambda board: {lowest(board): 1}, late)) == told(measured)


def test_mixture_is_between_its_moves(late, measured):
    """Half of one agent and half of another is worth the mean of both, in every position."""

    def highest(board):
        return free(board)[-1]

    def half(board):
        moves = {lowest(board): 0.0, highest(board): 0.0}
        for move in (lowest(board), highest(board)):
            moves[move] += 0.5
        return moves

    other, mixed = zermelo.evaluate(highest, late), zermelo.evaluate(half, late)
    for name in ("perfect", "keeping", "losing", "regret"):
        one, two = (getattr(e.everywhere.rates, name).value for e in (measured, other))
        assert getattr(mixed.everywhere.rates, name).value == pytest.approx((one + two) / 2)
    some = zermelo.evaluate(half, late, exact_up_to=20, samples=2000)
    exact, drawn = (e.against("random", "X").result.win for e in (mixed, some))
    assert drawn.low - 0.02 < exact.value < drawn.high + 0.02


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({0: 0.5, 1: 0.4}, "gives probabilities that sum to 0.9 at .*; divide them by their sum"),
        ({0: 1.5, 1: -0.5}, "gives a3 the probability 1.5 at .*; probabilities are numbers from"),
        ({0: float("nan")}, "gives a3 the probability nan"),
        ({0: "all"}, "gives a3 the probability 'all'"),
        ({9: 1.0}, "plays 9 at .*, which is not a move there"),
        ({}, "gives probabilities that sum to 0 at"),
        ([0.5, 0.5], "gives 2 probabilities at .*, where there are 9 moves; give one for each"),
    ],
)
def test_wrong_probabilities_are_refused(noughts, given, says):
    """Each mistake is a sentence with the position and what to do."""
    with pytest.raises(MoveError, match=says):
        zermelo.evaluate(lambda board: given, noughts)


def test_probabilities_stay_the_same(noughts):
    """An agent whose probabilities change is refused like one whose move does."""
    dice = Random(1)

    def restless(board):
        share = dice.random() / 2
        moves = free(board)
        return {moves[0]: 1.0} if len(moves) == 1 else {moves[0]: 1 - share, moves[1]: share}

    with pytest.raises(ParameterError, match="with another probability when asked again"):
        zermelo.evaluate(restless, noughts)


def test_what_it_says_of_an_agent_that_errs(noughts, found):
    """The worst move is the one that gives most away; symmetric ones are shown once."""
    assert found.throws_wins
    assert not found.is_perfect
    assert found.everywhere.asked == 4520
    worst = found.everywhere.worst[0]
    assert (worst.before.outcome, worst.value.outcome) == (zermelo.WIN, zermelo.LOSS)
    assert worst.name == noughts.rules.move_name(lowest(worst.position))
    assert set(worst.best_names) == {
        option.name for option in noughts.options(worst.position) if option.value == worst.before
    }
    assert worst.svg.startswith("<svg")
    assert worst.text == noughts.rules.position_text(worst.position)
    assert found.against("random", "O").result.player == "O"
    assert found.against("perfect", 1).result.loss.value == pytest.approx(1)
    with pytest.raises(KeyError, match="no games against 'weak'"):
        found.against("weak")


def test_perfect_and_random_agents(noughts):
    """The ones that come with Zermelo are as good as they say."""
    perfect = zermelo.evaluate(SkilledAgent(noughts), noughts)
    assert (perfect.agent, perfect.is_perfect, perfect.throws_wins) == ("perfect", True, False)
    assert perfect.everywhere.worst == ()
    assert "perfect makes a best move in every position." in str(perfect)
    random = zermelo.evaluate(SkilledAgent(noughts, 0), noughts)
    chance = random.everywhere.rates
    assert chance.perfect.value == pytest.approx(chance.random.value, abs=0.03)
    assert SkilledAgent(noughts, 40).__name__ == "skill 40"
    with pytest.raises(ParameterError, match="skill=101"):
        SkilledAgent(noughts, 101)


@pytest.mark.slow
def test_sampled_numbers_come_with_intervals_that_hold_the_exact_ones(noughts, found):
    """Where the agent may not be asked about everything, positions and games are drawn."""
    wide = inside = 0
    for seed in range(5):
        some = zermelo.evaluate(Lowest(), noughts, exact_up_to=20, samples=400, seed=seed)
        assert not some.everywhere.exact
        assert some.everywhere.samples == 400
        for mine, exact in zip(some.measured, found.measured, strict=True):
            for name in ("perfect", "keeping", "losing", "regret", "decisions"):
                estimate = getattr(mine.rates, name)
                assert estimate.low <= estimate.value <= estimate.high
                wide += 1
                inside += (
                    estimate.low - 1e-9 <= getattr(exact.rates, name).value <= estimate.high + 1e-9
                )
        assert some.everywhere.rates.moves == pytest.approx(4520, rel=0.15)
    assert inside > 0.88 * wide
    again = zermelo.evaluate(Lowest(), noughts, exact_up_to=20, samples=400, seed=4)
    assert told(again) == told(some)
    assert "sampled, 400 each (seed 4)" in str(again)


def test_mistakes_are_told_in_a_sentence(noughts):
    """What is not an agent, and what is not a move."""
    with pytest.raises(MoveError, match=r"plays 9 at Board\(mine=0, theirs=0\).*one of 0, 1"):
        zermelo.evaluate(lambda board: 9, noughts)
    with pytest.raises(MoveError, match="plays None at"):
        zermelo.evaluate(lambda board: None, noughts)
    with pytest.raises(ParameterError, match="Lowest is a class; give an object of it"):
        zermelo.evaluate(Lowest, noughts)
    with pytest.raises(ParameterError, match="agent=7 is not an agent"):
        zermelo.evaluate(7, noughts)
    for wrong in ({"exact_up_to": -1}, {"samples": 0}, {"seed": 1.5}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            zermelo.evaluate(lowest, noughts, **wrong)

    class Short:
        def batch(self, boards):
            return boards[1:, 0]

    class Wrong:
        def batch(self, boards):
            return np.full(len(boards), 9)

    with pytest.raises(MoveError, match=r"Short returned 0 for 1 position"):
        zermelo.evaluate(Short(), noughts)
    with pytest.raises(MoveError, match="Wrong plays 9 at Board"):
        zermelo.evaluate(Wrong(), noughts)
    with pytest.raises(KeyError) as caught:
        zermelo.evaluate(lambda board: {}[board], noughts)
    assert caught.value.__notes__ == [
        "the agent agent was asked for its move at Board(mine=0, theirs=0)"
    ]


def test_an_agent_that_rolls_dice_is_refused(noughts):
    """It is asked about some positions again, one by one or many at once."""
    dice = np.random.default_rng(1)

    def rarely(board):
        free = [cell for cell in range(9) if not (board.mine | board.theirs) >> cell & 1]
        return free[int(dice.integers(len(free))) if dice.random() < 0.02 else 0]

    class Dice:
        def batch(self, boards):
            taken = boards[:, 0] | boards[:, 1]
            free = ~taken[:, np.newaxis] >> np.arange(9) & 1
            return np.argmax(free * dice.random(free.shape), axis=1)

    class Unsteady(Lowest):
        """One whose rounding depends on how many it is given: not dice."""

        def batch(self, boards):
            made = super().batch(boards)
            taken = boards[:, 0] | boards[:, 1]
            return (
                made
                if len(boards) % 2
                else 8 - np.argmax(~taken[:, None] >> (8 - np.arange(9)) & 1, axis=1)
            )

    with pytest.raises(
        ParameterError, match=r"the agent rarely plays \d at Board.* and \d when asked"
    ):
        zermelo.evaluate(rarely, noughts)
    with pytest.raises(
        ParameterError, match=r"the agent Dice plays \d at Board.* and \d when asked"
    ):
        zermelo.evaluate(Dice(), noughts)
    assert zermelo.evaluate(Unsteady(), noughts).everywhere.asked == 4520


def test_scores_and_nimbers():
    """Regret is in points; of nimbers, every winning move is as good as another."""
    stones = zermelo.solve(StoneGame([5, 3, 4, 5]))
    greedy = zermelo.evaluate(lambda row: stones.rules.moves(row)[0], stones)
    rates = greedy.everywhere.rates
    assert rates.regret.value > 0
    assert greedy.against("perfect").result.margin is not None
    heap = zermelo.solve(TakeAway(9, 3), value="nimber")
    assert zermelo.evaluate(SkilledAgent(heap), heap).is_perfect
    assert not zermelo.evaluate(SkilledAgent(heap, 0), heap).is_perfect
    with pytest.raises(ParameterError, match="no whole positions to scan"):
        zermelo.evaluate(lowest, zermelo.solve(Nim([1, 2]), value="nimber"))


@pytest.mark.slow
def test_a_pursuit_and_a_graph():
    """Without a class the agent gets the positions that the solution has."""
    chase = zermelo.solve(CatAndMouse(CHASE))
    assert zermelo.evaluate(SkilledAgent(chase), chase).is_perfect
    hunt = zermelo.pursuit(CHASE, start=(1, (2,), 0))
    assert zermelo.evaluate(SkilledAgent(hunt), hunt).is_perfect
    graph = zermelo.graph.solve([0, 2, 3, 5, 5], [1, 2, 3, 3, 2], start=0)
    assert zermelo.evaluate(SkilledAgent(graph), graph).is_perfect

    class First:
        def batch(self, positions):
            return [graph.rules.moves(each)[0] for each in positions]

    assert zermelo.evaluate(First(), graph).everywhere.asked == 3


@dataclass(frozen=True)
class Folded(TicTacToe):
    """Tic-tac-toe with its symmetries."""

    def symmetries(self):
        return Symmetry(grid(3, 3), masks=("mine", "theirs"))


@pytest.mark.slow
def test_symmetries_do_not_change_an_agents_games(noughts, found):
    """Only one position of each class is noughts, but games pass through all of them."""
    folded = zermelo.solve(Folded())
    assert len(folded) < len(noughts)
    mine = zermelo.evaluate(lowest, folded)
    assert mine.everywhere.asked < found.everywhere.asked
    for ours, theirs in zip(mine.games, found.games, strict=True):
        assert ours.rates.perfect.value == pytest.approx(theirs.rates.perfect.value)
        assert ours.result.win.value == pytest.approx(theirs.result.win.value)
        assert ours.asked == theirs.asked


@pytest.mark.slow
def test_a_notebook_shows_the_report(found):
    """Of one evaluation and of several."""
    for each in (found, Comparison([found])):
        assert 'class="zermelo-report"' in each._repr_html_()
    assert "no evaluations" in Comparison()._repr_html_()


def test_a_table_from_a_file_says_the_same(noughts, found, tmp_path):
    """An opened table is loaded."""
    path = noughts.save(tmp_path / "x.table")
    with zermelo.open(path) as opened:
        assert told(zermelo.evaluate(lowest, opened)) == told(found)


@pytest.mark.slow
def test_side_by_side(noughts, found, tmp_path):
    """Evaluations are a table, columns and a page."""
    both = Comparison([found, zermelo.evaluate(SkilledAgent(noughts), noughts)])
    text = str(both)
    assert text.index("lowest makes a best move in") < text.index("perfect makes a best move")
    frame = both.to_pandas()
    assert len(frame) == 10
    assert frame["perfect"][5] == 1
    assert found.to_arrow().num_rows == 5
    page = report.write(both, tmp_path / "x.html").read_text()
    assert page.count("<svg") == page.count("</svg>")
    assert "<title>lowest and perfect on Tic-tac-toe</title>" in page
    assert "Worst moves of lowest: all positions" in page
    json.dumps(found.to_json())
    with pytest.raises(ParameterError, match="are none; give a list"):
        report.page([])
    heap = zermelo.solve(TakeAway(5, 2))
    with pytest.raises(ParameterError, match="several games"):
        report.page([found, zermelo.evaluate(SkilledAgent(heap), heap)])
