"""Along a proof: what is known is told, what is not is not in the proof, and a search goes on."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import zermelo
from support.faults.tampered_tables import Table
from support.games.strategies import OwnedGame, OwnedScoreGame, random_games, random_score_games
from support.oracles import oracle
from support.sizes import counts
from zermelo import DRAW, WIN, CorruptTableError, ParameterError, PositionError
from zermelo.cli import main
from zermelo.games import ConnectFour, TakeAway, ThreeMensMorris, TicTacToe
from zermelo.play.match import Match, Opponent

pytestmark = pytest.mark.slow  # compiles a search of each game

#: Three in a row on a small board, which the player who begins wins.
GAME = ConnectFour(width=4, height=4, length=3)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Return the file of a proof that the first player wins."""
    path = tmp_path_factory.mktemp("proofs") / "rows.proof"
    return zermelo.prove(GAME, memory="50MB").save(path)


def other_move(proof):
    """Return a move that the proof says nothing of, and the position that it leads to."""
    option = next(each for each in proof.options() if each.value.is_unknown)
    return option.move, option.position


def test_what_is_known_is_told_and_the_rest_is_not_in_the_proof(saved):
    """The winner's move and its mirror image, and each reply to it, are known; others are not."""
    proof = zermelo.open(saved)
    solution = proof.solution
    assert str(solution.value) == "win"
    assert (solution.value.outcome, solution.value.remoteness) == (WIN, None)
    assert solution.winner == "X"
    best, image, *others = solution.options()
    assert (best.move, str(best.value)) == (proof.best_move, "win")
    assert (image.move, str(image.value)) == (3 - proof.best_move, "win")
    assert {str(each.value) for each in others} == {"unknown"}
    assert sorted(solution.best()) == sorted([proof.best_move, image.move])
    for reply in solution.options(best.position):
        assert str(reply.value) == "loss"
        assert str(solution[reply.position]) == "win"
    _, outside = other_move(proof)
    value = solution[outside]
    assert (value.outcome, value.word, value.is_unknown) == (None, "unknown", True)
    assert "are unknown" in str(solution.explain())
    assert "unknown" in str(solution.explain(outside))
    assert solution.line(outside).ends == "unknown"
    assert solution.line().ends == "terminal"
    assert "unknown" in solution.show()._repr_html_()
    assert "win" in solution._repr_html_()
    assert solution.verify()


def test_a_proof_answers_itself(saved):
    """It has the questions that are asked most."""
    proof = zermelo.open(saved)
    assert proof[proof.position].outcome is WIN
    assert proof.options()[0].move == proof.best_move
    assert "win" in str(proof.explain())
    assert "unknown" in proof._repr_html_()
    assert "strategy of the mover" in proof.strategy()._repr_html_()
    with pytest.raises(PositionError, match="'x' is not a position"):
        proof["x"]


def test_a_search_goes_on_where_the_proof_ends(saved):
    """A position outside is proved, and known from then on."""
    table = zermelo.solve(GAME)
    proof = zermelo.open(saved)
    _, outside = other_move(proof)
    other = proof.prove(outside)
    assert other.value.outcome == proof[outside].outcome == table[outside].outcome
    assert other.verify()
    assert proof.verify()
    solution = zermelo.open(saved).solution
    assert solution.settle(outside).outcome is table[outside].outcome
    assert solution[outside].outcome is table[outside].outcome
    assert table.settle(outside) == table[outside]


@counts(None, 150, 1_500)
def test_nothing_that_is_told_is_wrong(count):
    """Of random games, with cycles and extra turns, the oracle agrees with every bound."""
    for game in random_games(77, count, kinds=(OwnedGame,)):
        table = oracle.solve(game)
        root = next(iter(table))
        proof = zermelo.prove(game, position=root, memory="20MB")
        proof.verify()
        solution = proof.solution
        for position, (outcome, _) in table.items():
            low, high = solution[position].bounds
            assert low <= outcome <= high
        for option in solution.options(root):
            low, high = option.value.bounds
            same = game.turn(option.position) == game.turn(root)
            worth = table[option.position][0]
            assert low <= (worth if same else -worth) <= high


@counts(None, 65, 1_000)
def test_scores_along_a_proof_are_right(count):
    """Bounds of margins hold the margin that the oracle finds."""
    for game in random_score_games(78, count, kinds=(OwnedScoreGame,)):
        table = oracle.solve_scores(game)
        if max(map(abs, table.values())) > 100_000:  # more than a search can hold
            continue
        proof = zermelo.prove(game, memory="20MB")
        proof.verify()
        for position, score in table.items():
            low, high = proof[position].bounds
            assert low is None or low <= score
            assert high is None or score <= high


def test_remoteness_along_a_proof():
    """A win is told with the plies within which it comes."""
    game = TakeAway(stones=21, limit=3)
    proof = zermelo.prove(game, remoteness=True, memory="50MB")
    proof.verify()
    table = zermelo.solve(game)
    assert str(proof[21]) == "win in 11"
    for left in range(21):
        value = proof[left]
        if value.outcome is not None:
            assert value.outcome is table[left].outcome
            assert value.remoteness in (None, table[left].remoteness)
            assert value.within is None or value.within >= table[left].remoteness


def test_a_match_along_a_proof(saved):
    """The opponent follows the proof, and what is not known is no mistake."""
    proof = zermelo.open(saved)
    match = Match(proof.solution)
    assert match.prospects == "X wins"
    while not match.is_over:
        match.play(Opponent().choose(match) if match.player == 0 else match.options[-1])
    assert match.winner == "X"
    assert match.mistakes() == []
    wrong = Match(zermelo.open(saved).solution)
    wrong.play(other_move(proof)[0])
    assert wrong.prospects == "unknown"
    assert wrong.settle(time=5).outcome is not None
    assert wrong.prospects != "unknown"


def test_what_needs_every_position_is_refused(saved, tmp_path):
    """It is said what to do instead."""
    solution = zermelo.open(saved).solution
    for ask in (solution.analyse, lambda: solution.export(tmp_path / "a.csv")):
        with pytest.raises(ParameterError, match="solve the game"):
            ask()


def test_commands_take_the_file_of_a_proof(saved):
    """``verify``, ``probe`` and ``play`` read it as a table's."""

    def run(*words, **how):
        result = CliRunner().invoke(main, list(words), **how)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "the proof holds" in run("verify", str(saved))
    assert json.loads(run("verify", str(saved), "--json"))["ok"] is True
    shown = run("probe", str(saved))
    assert "unknown" in shown
    told = json.loads(run("probe", str(saved), "--json"))
    assert told["value"]["outcome"] == "win"
    assert told["moves"][-1]["value"]["bounds"] == ["loss", "win"]
    move, _ = other_move(zermelo.open(saved))
    name = zermelo.open(saved).solution.rules.move_name(move)
    played = run("play", str(saved), input=f"{name}\nprove\nquit\n")
    assert "this position is unknown; searching for 10 seconds" in played
    assert "searched: " in played


def test_a_draw_is_a_draw():
    """A proof does not tell ties from endless draws, and says neither."""
    proof = zermelo.prove(TicTacToe(), memory="50MB")
    assert str(proof[proof.position]) == "draw"
    assert proof[proof.position].outcome is DRAW
    assert not proof[proof.position].is_endless
    assert Match(proof.solution).prospects == "a draw"


def test_a_proof_of_half_the_question_goes_on_from_its_file(tmp_path):
    """What the file vouches for is not searched again, and both strategies hold in the end."""
    path = zermelo.prove(TicTacToe(), ask="draw", memory="50MB").save(tmp_path / "half.proof")
    opened = zermelo.open(path)
    assert str(opened) == "draw or win"
    before = opened.nodes
    opened.resume(ask="value", nodes=10)
    assert (opened.value.outcome, opened.nodes) == (None, before + 10)
    assert opened.resume().value.outcome == DRAW
    assert opened.verify()
    again = zermelo.open(opened.save(tmp_path / "whole.proof"))
    assert str(again) == "draw"
    assert again.verify()
    with pytest.raises(ParameterError, match="ask='tie' is not known"):
        opened.resume(ask="tie")


def test_verify_refuses_a_forged_file(tmp_path):
    """A file whose strategy moves elsewhere opens, and does not hold."""
    proof = zermelo.prove(GAME, memory="50MB")
    strategy = proof.strategy()
    strategy.moves[len(strategy) // 2] ^= 1
    path = proof.save(tmp_path / "forged.proof")
    result = CliRunner().invoke(main, ["verify", str(path)])
    assert result.exit_code == 1, result.output
    assert "the proof fails: at Stones" in result.stdout


def test_a_file_needs_a_number_for_each_position_where_play_can_go_round(tmp_path):
    """It falls with every move, so play ends; a file with one is refused, with none is false."""
    proof = zermelo.prove(ThreeMensMorris(), ask="win", memory="50MB")
    table = Table.of(proof.save(tmp_path / "morris.proof"))
    said, path = table.header["table"]["strategies"][0], tmp_path / "forged.proof"
    assert said["ranks"] == said["positions"] > 1

    def keep(count):
        said["ranks"] = table.arrays["ranks0"]["length"] = count
        table.parts["ranks0"] = [block[: 4 * count] for block in table.parts["ranks0"][:count]]
        path.write_bytes(table.data())
        return path

    with pytest.raises(CorruptTableError):
        zermelo.open(keep(1))
    assert not zermelo.open(keep(0)).verify()
