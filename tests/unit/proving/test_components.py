"""Proofs by components: of impartial games that fall apart, by the nimbers of their parts."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import zermelo
from support.games import component_games
from support.games.component_games import (
    CUT,
    FORGETS,
    LEAVES_OUT,
    LOST,
    FalseKayles,
    Splitting,
    WholeKayles,
    heaps,
    random_tokens,
)
from support.oracles import oracle
from support.oracles.nimbers import nimbers_of
from support.sizes import counts
from zermelo import DRAW, LOSS, WIN, CorruptTableError, ParameterError, PositionError
from zermelo.cli import main
from zermelo.games import Cram
from zermelo.proving.proof import Proof
from zermelo.proving.strategies.replies import nimber_claim

# Small games are proved by searching; in plain Python, all their positions would be solved.
pytestmark = pytest.mark.compiled


@dataclass(frozen=True)
class BoundlessCram(Cram):
    """Cram of which nothing is known but the rules."""

    bounds = None  # type: ignore[assignment]


#: Two heaps of Nim, the first of which is worth more than a word has bits for.
HEAPS = heaps(100, 73)


@pytest.fixture(scope="module")
def rows() -> dict[int, Any]:
    """Return what rows of ten places for pins are worth, by rules that do not divide them."""
    return oracle.solve(WholeKayles(10))


def boards(cells: int) -> list[tuple[int, int]]:
    """Return the sizes of all boards of so many cells at most."""
    return [(r, c) for c in range(1, 11) for r in range(1, c + 1) if 1 < r * c <= cells]


def won_against_all(proof: Proof, tries: int, seed: int = 0) -> None:
    """Check that the strategy wins games against random moves, by the rules in Python."""
    game, random, strategy = proof.game, Random(seed), proof.strategy()
    for _ in range(tries):
        position, own = proof.position, proof.value.outcome == WIN
        while moves := list(game.moves(position)):
            move = strategy[position] if own else random.choice(moves)
            assert move in moves
            position, own = game.play(position, move), not own
        assert not own


@counts(None, 7, 3_000)
def test_random_sums_are_worth_what_the_oracle_says(count: int) -> None:
    """Of games that go round and others; where components come again, it searches whole ones."""
    random, searched = Random(5), set()
    for _ in range(count):
        game = random_tokens(random)
        expected = oracle.solve(game)
        for position in random.sample(sorted(expected), min(3, len(expected))):
            proof = zermelo.prove(game, position=position, threads=1)
            assert proof.value.outcome == expected[position][0], (game, position)
            assert proof.verify(), (game, position)
            searched.add(proof.choice.partition(",")[0])
            if proof.value.outcome and proof.strategy().in_components:
                won_against_all(proof, 3)
    assert "search by components" in searched
    assert len(searched) > 1


#: A token on 5 moves to nimber 0, to nimber 1, and to node 3 or 4, between which play never ends.
#: So it has no nimber, though no component with one move can have the nimber 2.
ENDLESS = Splitting(((), (0,), (0, 1), (4,), (3,), (0, 1, 3)), (5, 2))


@pytest.mark.slow
def test_a_number_of_moves_bounds_no_nimber_where_play_is_endless() -> None:
    """The nimbers of 5 and 2 seem to be 2, so that the sum seems lost; it is drawn."""
    assert oracle.solve(ENDLESS)[ENDLESS.start()][0] == DRAW
    with pytest.raises(ParameterError, match="components can repeat"):
        zermelo.prove(ENDLESS, search="components")


@pytest.mark.slow  # it compiles the other searches
@pytest.mark.parametrize(
    ("rows", "roots"),
    [
        (((), (4, 4), (0, 3, 1), (2, 4), ()), (1, 2)),
        (((), (0, 6, 0, 0), (4, 1, 0), (3, 4), (2,), (0, 3), (4, 6), (3, 5)), (2, 4)),
    ],
)
def test_a_win_where_components_come_again_is_played_to_its_end(
    rows: tuple[tuple[int, ...], ...], roots: tuple[int, int]
) -> None:
    """Moves by nimbers alone could come back to a position; those of the strategy do not."""
    game = Splitting(rows, roots)
    proof = zermelo.prove(game)
    assert proof.value.outcome == WIN
    assert proof.verify()
    assert proof.strategy()[proof.position] == proof.best_move
    assert zermelo.prove(game).line().ends == "terminal"


@pytest.mark.parametrize(
    ("sizes", "kinds"),
    [
        pytest.param([(3, 4)], [Cram, BoundlessCram], marks=pytest.mark.slow),
        pytest.param(boards(15), [Cram, BoundlessCram], marks=pytest.mark.huge),
    ],
    ids=["one", "all"],
)
def test_boards_of_cram_agree_with_the_oracle(
    sizes: list[tuple[int, int]], kinds: list[type[Cram]]
) -> None:
    """With bounds and without them; every strategy is verified."""
    for rows, columns in sizes:
        for kind in kinds:
            game = kind(rows=rows, columns=columns)
            proof = zermelo.prove(game)
            assert proof.value.outcome == oracle.solve(game)[proof.position][0], (rows, columns)
            assert proof.choice.startswith("search by components"), (rows, columns)
            assert proof.verify(), (rows, columns)


@counts(None, 65, 1_000)
def test_positions_in_the_middle_are_worth_what_the_oracle_says(
    count: int, rows: dict[int, Any]
) -> None:
    """Rows of pins that have fallen apart, the same ones among them."""
    random = Random(2)
    for _ in range(count):
        row = random.randrange(1 << 10)
        proof = zermelo.prove(FalseKayles(14), position=row)
        assert proof.value.outcome == rows[row][0]
        assert proof.verify(), bin(row)
        won_against_all(proof, 1)
        if proof.value.outcome == WIN:
            assert rows[row & ~proof.best_move][0] == LOSS, bin(row)


@pytest.mark.slow
def test_the_strategy_wins_against_any_play() -> None:
    """It has a move in each position that comes up, and says which positions are lost."""
    proof = zermelo.prove(FalseKayles(14))
    strategy = proof.strategy()
    assert repr(strategy) == f"<strategy of the mover by {len(strategy):,} components>"
    assert strategy[proof.position] == proof.best_move
    assert all(component in {*strategy} for component in itertools.islice(strategy, 5))
    won_against_all(proof, 50)
    after = proof.game.play(proof.position, proof.best_move)
    assert proof[after].outcome == LOSS
    assert proof.options()[0].value.outcome == WIN
    assert proof.line().ends == "terminal"
    assert len(proof.line().moves) % 2 == 1
    with pytest.raises(PositionError, match="is not in the strategy"):
        strategy[after]


@pytest.mark.slow
def test_a_proof_is_saved_and_opened(tmp_path: Path) -> None:
    """With its strategy, which is verified, plays, and is gone on from."""
    proof = zermelo.prove(FalseKayles(14))
    path = proof.save(tmp_path / "kayles.proof")
    opened = zermelo.open(path, FalseKayles)
    assert (opened.value.outcome, opened.best_move, opened.choice) == (
        WIN,
        proof.best_move,
        proof.choice,
    )
    assert opened.verify()
    won_against_all(opened, 20)
    assert opened.line().ends == "terminal"
    outside = 0b1011
    assert opened.prove(outside).value.outcome == (WIN if 1 ^ 2 else LOSS)
    assert opened[outside].outcome == WIN


@counts(4, 100)
def test_the_nimber_of_a_position_is_proved(count: int, tmp_path: Path) -> None:
    """The oracle knows the nimbers of all rows; a file of the proof has the nimber, too."""
    random, nimbers = Random(3), nimbers_of(WholeKayles(10))
    for row in [0, 0b11111, *(random.randrange(1 << 10) for _ in range(count))]:
        proof = zermelo.prove(FalseKayles(14), position=row, ask="nimber")
        assert proof.is_complete
        assert proof.value.nimber == nimbers[row], bin(row)
        assert proof.verify(), bin(row)
        path = proof.save(tmp_path / "nimber.proof", overwrite=True)
        opened = zermelo.open(path, FalseKayles)
        assert opened.value == opened[row] == proof.value
        assert opened.verify()
        for option in opened.options():
            if option.value.nimber is not None:
                assert option.value.nimber == nimbers[option.position]
            assert option.value.outcome in (None, LOSS if nimbers[option.position] else WIN)


def test_a_limit_may_leave_the_outcome_without_the_nimber() -> None:
    """The search goes on from there; a question for the value can become one for the nimber."""
    game = FalseKayles(14)
    proof, seen, nodes = zermelo.prove(game, ask="nimber", nodes=3), set(), 3
    while not proof.is_complete:
        seen.add(str(proof.value))
        assert proof.value.nimber is None
        nodes += 1  # too few would never get beyond a component
        proof.resume(nodes=nodes)
    assert "win" in seen
    nimber = zermelo.solve(game, value="nimber").value.nimber
    assert proof.value.nimber == nimber
    asked_later = zermelo.prove(game)
    assert asked_later.resume(ask="nimber").value.nimber == nimber
    assert asked_later.verify()


def test_a_nimber_needs_components() -> None:
    """Other searches, and games without components, have no nimbers to prove."""
    with pytest.raises(ParameterError, match=r"has no split\(\)"):
        zermelo.prove(zermelo.games.TakeAway(stones=9), ask="nimber")
    with pytest.raises(ParameterError, match="needs search='components'"):
        zermelo.prove(FalseKayles(14), ask="nimber", search="alpha-beta")


def test_a_forged_nimber_is_noticed(tmp_path: Path) -> None:
    """A strategy proves one nimber of the root and no other."""
    path = zermelo.prove(FalseKayles(14), ask="nimber").save(tmp_path / "right.proof")
    proof = zermelo.open(path, FalseKayles)
    strategy, right = proof.strategy(), proof.value.nimber
    assert right
    for wrong in (1, 3, 4):
        strategy.claim = nimber_claim(wrong)
        assert not proof.verify()
        path = proof.save(tmp_path / "wrong.proof", overwrite=True)
        assert not zermelo.open(path, FalseKayles).verify()
    for claim in (nimber_claim(0), replace(nimber_claim(right), mover=False)):
        strategy.claim = claim
        path = proof.save(tmp_path / "wrong.proof", overwrite=True)
        with pytest.raises(CorruptTableError):
            zermelo.open(path, FalseKayles)


def test_a_forged_claim_is_noticed() -> None:
    """Whatever is claimed of a component, and whatever its rank is, it must follow."""
    game = FalseKayles(14)
    won = zermelo.prove(game)
    lost = zermelo.prove(game, position=game.play(won.position, won.best_move))
    for proof in (won, lost):
        strategy = proof.strategy()
        assert proof.verify()
        for at in range(len(strategy)):
            right = strategy.least[at]
            for wrong in {0, 1, 2, 3, right + 1} - {right}:
                if right < 0 and not -1 - right >> wrong & 1:
                    continue  # more may be known than was claimed, and be true
                strategy.least[at] = wrong
                assert not proof.verify(), (proof, at, right, wrong)
            strategy.least[at] = right
        ranks = strategy.ranks
        strategy.ranks = np.zeros_like(ranks)
        assert not proof.verify()
        strategy.ranks = ranks
        keep = np.arange(len(strategy)) != int(strategy.ranks.argmin())
        strategy.keys = np.ascontiguousarray(strategy.rows[keep]).reshape(-1)
        strategy.moves, strategy.least = strategy.moves[keep], strategy.least[keep]
        strategy.ranks = strategy.ranks[keep]
        assert not proof.verify()


def test_claims_that_miss_a_move_are_noticed(tmp_path: Path) -> None:
    """Claims may be right by all moves but one that was left out, as if it equalled another."""
    game, nimbers = FalseKayles(14), nimbers_of(WholeKayles(10))
    for row in (0b111, 0b1111, 0b10111000):
        false = zermelo.prove(FalseKayles(14, (LEAVES_OUT,)), position=row, ask="nimber")
        assert false.verify(), bin(row)
        assert false.value.nimber not in (0, nimbers[row])
        right = zermelo.prove(game, position=row, ask="nimber")
        proof = zermelo.open(right.save(tmp_path / f"{row}.proof"), FalseKayles)
        strategy, wrong = proof.strategy(), false.strategy()
        assert proof.verify()
        strategy.claim = wrong.claim
        strategy.keys, strategy.moves = wrong.keys, wrong.moves
        strategy.least, strategy.ranks = wrong.least, wrong.ranks
        assert not proof.verify(), bin(row)


def test_a_forged_file_is_noticed(tmp_path: Path) -> None:
    """A file that says that a lost position is won is refused, or its check fails."""
    proof = zermelo.prove(FalseKayles(14), position=0b1011011100)
    assert proof.value.outcome == LOSS
    strategy = proof.strategy()
    path = proof.save(tmp_path / "right.proof")
    assert zermelo.open(path, FalseKayles).verify()
    strategy.least[:] = 5
    wrong = proof.save(tmp_path / "wrong.proof")
    assert not zermelo.open(wrong, FalseKayles).verify()
    strategy.ranks = strategy.ranks[:0]
    short = proof.save(tmp_path / "short.proof")
    with pytest.raises(CorruptTableError):
        zermelo.open(short, FalseKayles)


@pytest.mark.parametrize("lie", [CUT, FORGETS])
def test_a_split_that_lies_is_noticed(lie: int, rows: dict[int, Any]) -> None:
    """The value may be wrong, but the check says so."""
    noticed = 0
    for row in Random(lie).sample(sorted(rows), 20):
        proof = zermelo.prove(FalseKayles(14, (lie,)), position=row)
        found = proof.verify()
        assert not found or proof.value.outcome == rows[row][0], bin(row)
        noticed += not found
    assert noticed


def test_bounds_that_lie_are_noticed() -> None:
    """When the strategy is put together, at the latest."""
    with pytest.raises(zermelo.UnprovedError, match=r"bounds\(\)"):
        zermelo.prove(FalseKayles(14, (LOST,)), position=0b1111).strategy()


def test_limits_stop_it_and_it_goes_on() -> None:
    """With nodes, time and a small memory; nothing is claimed before it is known."""
    game = FalseKayles(14)
    proof = zermelo.prove(game, nodes=5)
    assert (proof.value.outcome, proof.is_complete, proof.answer) == (None, False, None)
    assert proof.value.bounds == (LOSS, WIN)
    assert proof.choice.endswith("; stopped as the nodes are used up")
    assert (proof.line().ends, proof.line().moves) == ("unproved", [])
    with pytest.raises(zermelo.UnprovedError):
        proof.strategy()
    before = proof.nodes
    assert 5 <= before < 10
    while not proof.is_complete:
        proof.resume(nodes=4)
    assert proof.value.outcome == WIN
    assert proof.nodes > before
    assert zermelo.prove(game, time=1e-9).value.outcome is None
    small = zermelo.prove(game, memory="1MB")
    assert small.value.outcome == WIN
    assert small.verify()


def test_another_process_goes_on_from_its_folder(tmp_path: Path) -> None:
    """The table of components is kept, and the answer."""
    game = FalseKayles(14)
    alone = zermelo.prove(game).nodes
    first = zermelo.prove(game, checkpoint=tmp_path / "search", nodes=alone // 2)
    assert first.value.outcome is None
    second = zermelo.prove(game, checkpoint=tmp_path / "search")
    assert second.value.outcome == WIN
    assert second.nodes < 1.5 * alone
    again = zermelo.prove(game, checkpoint=tmp_path / "search")
    assert (again.value.outcome, again.nodes) == (WIN, second.nodes)
    assert again.verify()


def test_it_is_interrupted() -> None:
    """Ctrl-C leaves a proof that says so and can be resumed."""

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    proof = zermelo.prove(FalseKayles(14), progress=interrupt)
    assert proof.choice.endswith("; stopped as it was interrupted")
    assert proof.resume().value.outcome == WIN


@pytest.mark.slow
def test_great_nimbers_are_found() -> None:
    """Heaps of Nim are worth their sizes, also those beyond what a word has bits for."""
    proof = zermelo.prove(HEAPS)
    assert proof.value.outcome == WIN
    after = HEAPS.play(proof.position, proof.best_move)
    assert np.bitwise_xor.reduce(after.on) == 0
    assert proof.verify()
    assert zermelo.prove(HEAPS, position=after).value.outcome == LOSS


@pytest.mark.slow
def test_searches_are_chosen_by_game_and_question() -> None:
    """Components where only the winner is asked for; each can be asked for by its name."""
    game = HEAPS
    by_components = "search by components, as split() gives them"
    assert zermelo.prove(game).choice.startswith(by_components)
    assert "assumed to be impartial" in zermelo.prove(game).choice
    asked = zermelo.prove(game, search="components")
    assert asked.choice == "search by components, as was asked for"
    assert zermelo.prove(game, ask="draw").answer is True
    assert "components" not in zermelo.prove(game, remoteness=True).choice
    assert zermelo.prove(game, search="alpha-beta").choice.startswith("alpha-beta")
    with pytest.raises(ParameterError, match="remoteness=True; leave one of them out"):
        zermelo.prove(game, search="components", remoteness=True)
    with pytest.raises(ParameterError, match=r"has no split\(\)"):
        zermelo.prove(zermelo.games.TakeAway(stones=9), search="components")


@pytest.mark.slow
def test_components_that_come_again_are_left_to_other_searches() -> None:
    """Play there need not end, so that nimbers alone do not say who wins."""
    game = Splitting(((), (1,), (1,)), (2, 0))  # a token may stay on 1
    proof = zermelo.prove(game)
    assert "components" not in proof.choice
    assert proof.value.outcome == oracle.solve(game)[proof.position][0]
    with pytest.raises(ParameterError, match="components can repeat"):
        zermelo.prove(game, search="components")
    with pytest.raises(ParameterError, match=r"components can repeat; solve the game with value="):
        zermelo.prove(game, ask="nimber")


def test_the_command_says_which_search_it_was() -> None:
    """And takes its name."""
    game = f"{Path(component_games.__file__)}:FalseKayles"
    command = ["prove", game, "--pins", "14", "--search", "components"]
    result = CliRunner().invoke(main, [*command, "--verify", "--json"])
    document = json.loads(result.stdout)
    assert (document["value"]["outcome"], document["verified"]) == ("win", True)
    assert document["choice"] == "search by components, as was asked for"


@pytest.mark.huge
def test_cram_on_five_by_seven_is_won() -> None:
    """Its nimber is 1 (beling/impartial-games); the strategy is verified."""
    proof = zermelo.prove(Cram(rows=5, columns=7))
    assert proof.value.outcome == WIN
    assert proof.verify()


@pytest.mark.huge
def test_the_nimber_of_a_board_with_45_cells() -> None:
    """The strategy makes more than half a million claims, and each follows from others."""
    proof = zermelo.prove(Cram(rows=5, columns=9), ask="nimber")
    assert proof.value.nimber == 1
    assert proof.verify()
