"""What a notebook shows: every answer has a short ``repr`` and an HTML form, and all is escaped."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

import pytest

import zermelo
from zermelo import DRAW, LOSS, WIN, Game, Genus, Value
from zermelo.games import CatAndMouse, StoneGame, TicTacToe
from zermelo.heaps import DAWSONS_CHESS, Subtraction

VOID = {"circle", "line", "path", "polygon", "rect", "br"}


class Balanced(HTMLParser):
    """Reads a form, sees that its elements close in order, and gathers its text."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.texts: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.opened.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag

    def handle_data(self, data):
        if "style" not in self.opened:
            self.texts.append(data)


def read(answer):
    """Return the text of an answer's form, and which elements it has."""
    reader = Balanced()
    reader.feed(answer._repr_html_())
    reader.close()
    assert reader.opened == []
    return " ".join(" ".join(reader.texts).split()), reader.tags


@pytest.fixture(scope="module")
def chance():
    """A position in which X wins with three moves of seven."""
    return TicTacToe().parse("X../O../...")


def test_a_value():
    """In words, with the sign of its outcome."""
    assert repr(Value(WIN, 5)) == "Value(WIN, remoteness=5)"
    assert repr(Value(DRAW)) == "Value(DRAW)"
    assert read(Value(LOSS, 4))[0] == "\N{MINUS SIGN} loss in 4"


def test_options(noughts, chance):
    """The board has a mark on each of the cells, and the best have a ring."""
    options = noughts.options(chance)
    assert options == list(options)
    assert repr(options[:2]) == "[<Option b3: win in 5>, <Option c3: win in 5>]"
    assert [each.name for each in options.best_options] == ["b3", "c3", "b2"]
    text, tags = read(options)
    assert "b3 + win in 5" in text
    assert "svg" in tags
    html = options._repr_html_()
    assert html.count('r="7.0"') == 7
    assert html.count('stroke="currentColor" stroke-width="2"/><text') == 3
    assert read(options[0])[0] == "b3 + win in 5"


def test_options_where_there_are_none(noughts):
    """Of a game that is over there is the board."""
    over = TicTacToe().parse("XXX/OO./...")
    assert repr(noughts.options(over)) == "[]"
    assert "svg" in read(noughts.options(over))[1]
    assert "loss in 0, and the game is over" in read(noughts.show(over))[0]


def test_moves_from_square_to_square_get_arrows():
    """Only the best of them: more would hide the board."""
    graph = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]
    assert "svg" in read(zermelo.solve(CatAndMouse(graph)).options())[1]
    board = (
        '<svg><rect data-move="a1" x="0" y="0" width="40" height="40"/>'
        '<rect data-move="b2" x="40" y="40" width="40" height="40"/></svg>'
    )
    from zermelo.forms.move_overlay import mark_moves

    drawn = mark_moves(board, [("a1-b2", "win", "win in 3", True), ("b2-a1", "loss", "l", False)])
    assert drawn.count("<line ") == 1
    assert "a1-b2: win in 3" in drawn
    assert mark_moves("<svg></svg>", [("a1", "win", "", True)]) == "<svg></svg>"


def test_a_line_is_a_film(noughts, chance):
    """A board for each position, with the move that led to it."""
    line = noughts.line(chance)
    assert repr(line) == "<Line of 5 moves: b3, c3, b2, c2, b1; then the game is over>"
    text, _ = read(line)
    assert "start" in text
    assert "5. b1" in text
    assert line._repr_html_().count("<figure>") == 6


def test_an_explanation(noughts, chance):
    """The board, and the reasons; those of one move in a list."""
    explanation = noughts.explain(chance)
    assert repr(explanation) == "<Explanation: The player to move wins in 5 plies with b3.>"
    text, tags = read(explanation)
    assert {"svg", "ul", "li"} <= tags
    assert "After b3 every reply loses:" in text


def test_counts_probes_and_the_solution(noughts):
    """As bars."""
    told = "5,478 positions: 2,836 win, 1,068 tie, 1,574 loss"
    assert repr(noughts.counts()) == f"<Counts of {told}>"
    text, _ = read(noughts.counts())
    assert "+ win in 1 1,832" in text or "win in 1" in text
    assert "tie 1,068" in text
    assert "draw" not in text
    probes = noughts.get_many([noughts.start, (1, 1)])
    assert repr(probes) == "<Probes of 2 positions, 1 found>"
    assert "1 not found" in read(probes)[0]
    text, tags = read(noughts)
    assert "method placement" in text or "method" in text
    assert "svg" in tags


def test_a_certificate(noughts):
    """Yes, or which position is wrong."""
    found = noughts.verify()
    assert str(found) == "all 5,478 positions are right: checked along 16,167 moves"
    assert repr(found).startswith("<Verification: all 5,478 positions are right")
    assert "\N{CHECK MARK} all 5,478 positions are right" in read(found)[0]
    wrong = zermelo.Verification(ok=False, positions=1, moves=0, problem="0 is <b>", seconds=0.1)
    assert read(wrong)[0] == "\N{BALLOT X} not every value is right: 0 is <b>"


def test_a_check():
    """The verdict and what is wrong."""
    report = zermelo.check(TicTacToe())
    told = "TicTacToe keeps the contract: all 5,478 positions checked, in Python and compiled"
    assert repr(report) == f"<Report: {told}>"
    assert told in read(report)[0]


def test_a_match(noughts):
    """The board, whose turn it is, and the mistakes."""
    match = zermelo.Match(noughts)
    for move in ("b2", "b3"):
        match.play(move)
    assert repr(match) == "<Match of TicTacToe(): 2 moves; X wins in 5 plies>"
    text, _ = read(match)
    assert "X to move" in text
    assert "mistake; best: a3, c3, a1, c1" in text


def test_scores_have_forms():
    """Of points as of plies."""
    solution = zermelo.solve(StoneGame(piles=(5, 3, 4, 5)))
    assert "score +1" in read(solution)[0]
    assert "score" in read(solution.counts())[0]
    assert "left" in read(solution.line())[0]


def test_heaps():
    """Nimbers of small heaps, and periods."""
    game = Subtraction({1, 2, 3})
    assert read(game)[0].startswith("Subtraction game, take 1, 2, 3 heap +0")
    assert "period 34" in read(DAWSONS_CHESS.period())[0]
    assert "normal play" in read(Genus(3, (1, 4, 3, 1)))[0]


def test_facts():
    """What is said, by whom."""
    fact = TicTacToe.facts[0]
    assert fact.source in read(fact)[0]
    checked = zermelo.CheckedFact(TicTacToe(), fact, ("outcome loss, not tie",))
    assert "does not agree" in read(checked)[0]


@dataclass(frozen=True)
class Rude(Game):
    """Its texts are full of what HTML is made of."""

    def start(self):
        return 2

    def moves(self, left):
        yield 1

    def play(self, left, move):
        return left - 1

    def outcome(self, left):
        return LOSS if left == 0 else None

    def name(self, move):
        return "<script>alert('&')</script>"

    def show(self, left):
        return "<script>" * left


def test_everything_is_escaped():
    """Names and boards of a game come out as text."""
    solution = zermelo.solve(Rude())
    match = zermelo.Match(solution)
    match.play(1)
    answers = [
        solution, solution.options(), solution.options()[0], solution.show(), solution.line(),
        solution.explain(), match,
    ]  # fmt: skip
    for answer in answers:
        text, tags = read(answer)
        assert "script" not in tags
        assert "<script>" in text or answer is solution
