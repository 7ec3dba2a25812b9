"""Games with symmetries, folded and not: the same values, counts and moves."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from support.games.symmetric import (
    ColouringGame,
    MirrorGame,
    Pair,
    PairGame,
    SowingGame,
    WheelGame,
    random_permutation,
    random_symmetric,
)
from support.oracles import oracle
from support.sizes import counts, some
from zermelo import LOSS, Game, RulesError, limits
from zermelo.conformance import sample_check
from zermelo.rules.hooks import Rules


def assert_same(game: Any, method: str | None = None) -> tuple[Any, list[Any]]:
    """Compare all that a folded solution says with the oracle; return it and the positions."""
    folded = zermelo.solve(game, method=method, threads=1)
    plain = zermelo.solve(game, method=method, threads=1, symmetry=False)
    expected = oracle.solve(game)
    found = {p: (int(v.outcome), v.remoteness) for p, v in plain.items()}
    assert found == expected, game
    values = {p: folded[p] for p in expected}
    assert {p: (int(v.outcome), v.remoteness) for p, v in values.items()} == expected, game
    assert folded.counts() == plain.counts(), game
    assert folded.start == plain.start
    assert folded.starts == plain.starts
    verification = folded.verify()
    assert verification, (game, verification.problem)
    return folded, list(expected)


@counts(None, 30, 250)
def test_random_games_with_symmetries_agree_with_the_oracle(count: int) -> None:
    """Each position, canonical or not, has its value; all are counted; the certificate holds."""
    choices: Counter[str] = Counter()
    kinds = (WheelGame, MirrorGame) if count < 50 else (object,)  # each is compiled
    for game in random_symmetric(11, count):
        if not isinstance(game, kinds):
            continue
        folded, positions = assert_same(game)
        group = Rules(game).group
        assert group is not None
        if len(folded._solved.compiled.elements) == len(group):
            assert set(folded) == {group.canonical(p) for p in positions}, game
            assert len(folded) == folded.counts(folded=True).positions
        else:
            assert isinstance(game, MirrorGame)
            assert "are used, as a player may move twice" in folded.choice
        choices[folded.choice.partition(";")[0]] += 1
    assert len(choices) == 2  # the sweep and the queue were both used


@pytest.mark.slow
@pytest.mark.parametrize("method", some(["horizon", "levels"], 2))
def test_the_other_methods_fold_too(method: str) -> None:
    """Positions are one in every method that runs the rules."""
    games = [g for g in random_symmetric(12, 50) if isinstance(g, ColouringGame)]
    for game in games:
        assert_same(game, method)


@pytest.mark.slow
def test_moves_and_lines_are_those_of_the_real_positions() -> None:
    """Options are moves of the position that was asked about, and lead to real positions."""
    for game in random_symmetric(13, 40):
        folded = zermelo.solve(game, threads=1)
        table = oracle.solve(game)
        for position in table:
            best = oracle.best(game, table, position)
            assert sorted(folded.best(position)) == sorted(best), game
            for option in folded.options(position):
                assert option.position == game.play(position, option.move)
        line = folded.line()
        assert all(position in table for position in line.positions)
        if folded.value.remoteness is not None:
            assert (line.ends, len(line)) == ("terminal", folded.value.remoteness)


@pytest.mark.slow
def test_scores_are_the_same_folded() -> None:
    """Margins and counts of a score game are those of the oracle, in rows and several words."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        pits = tuple(rng.integers(0, 5, 5).tolist())
        game = SowingGame(pits, int(rng.integers(1, 6)))
        expected = oracle.solve_scores(game)
        folded = zermelo.solve(game, threads=1)
        assert {p: folded[p].score for p in expected} == expected, game
        assert folded.counts() == zermelo.solve(game, symmetry=False).counts()
        assert folded.verify(), game


@pytest.mark.slow
def test_many_positions_are_probed_at_once_canonical_or_not() -> None:
    """Arrays of positions get what each gets alone."""
    for game in random_symmetric(14, 20):
        folded = zermelo.solve(game, threads=1)
        positions = list(oracle.solve(game))
        probes = folded.probe_many(positions)
        assert probes.outcome.tolist() == [int(folded[p].outcome) for p in positions]
        remote = [-1 if folded[p].remoteness is None else folded[p].remoteness for p in positions]
        assert probes.remoteness.tolist() == remote


@pytest.mark.slow
def test_any_number_of_threads_gives_the_same_table() -> None:
    """Folded tables are bit-identical for one, two and three threads."""
    rows = tuple(((i + 1) % 16, (i - 1) % 16) for i in range(16))
    half_turn = tuple((i + 8) % 16 for i in range(16))
    game = ColouringGame(rows, (half_turn,), (0, 0), -1)
    tables = [zermelo.solve(game, threads=n)._solved.table for n in (1, 2, 3)]
    assert len({(t.index.keys.tobytes(), t.column.stored.tobytes()) for t in tables}) == 1
    assert len(tables[0]) > 100_000


@pytest.mark.slow
def test_a_changed_value_of_a_folded_table_is_caught() -> None:
    """The certificate of a folded table accepts no other value anywhere."""
    rng = np.random.default_rng(3)
    caught = 0
    for game in random_symmetric(15, 80):
        solution = zermelo.solve(game, threads=1)
        stored = solution._solved.table.column.stored
        place = int(rng.integers(0, len(stored)))
        before = int(stored[place])
        stored[place] = before - 1 if before else 7
        assert not solution.verify(), game
        stored[place] = before
        caught += 1
    assert caught == 80


def lies(seed: int, count: int) -> Iterator[Any]:
    """Yield games some of whose declared symmetries are none, most of them nearly one."""
    rng = np.random.default_rng(seed)
    for game in random_symmetric(seed, count):
        name = "mirror" if isinstance(game, MirrorGame) else "perms"
        perm = list(game.mirror if name == "mirror" else game.perms[0])
        a, b = rng.integers(0, len(perm), 2)
        perm[a], perm[b] = perm[b], perm[a]
        if rng.random() < 0.3:
            perm = list(random_permutation(rng, len(perm)))
        changed: Any = tuple(perm) if name == "mirror" else (tuple(perm),)
        yield dataclasses.replace(game, **{name: changed})


def differs(folded: Any, real: Any) -> bool:
    """Whether a solution lacks a position, or has another value for it than it has."""
    values = {position: folded.get(position) for position in real}
    return any(
        value is None or (int(value.outcome), value.remoteness) != real[position]
        for position, value in values.items()
    )


@counts(None, 35, 500)
def test_symmetries_that_are_none_are_refused_or_caught(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would give a wrong value is refused by solve, and by check, and else by verify."""
    wrong = refused = 0
    for game in lies(17, count):
        with monkeypatch.context() as patched:  # there is no other way to a wrong table
            patched.setattr(sample_check, "check_sample", lambda *_, **__: None)
            try:
                folded = zermelo.solve(game, threads=1)
            except RulesError:  # an image that the rules do not accept
                continue
        if differs(folded, oracle.solve(game)):
            wrong += 1
            verification = folded.verify()
            assert not verification, game
            assert "symmetries()" in verification.problem
            assert not zermelo.check(game), game
            plain = zermelo.solve(game, threads=1, symmetry=False)  # which ignores them
            assert not differs(plain, oracle.solve(game))
            with suppress(RulesError):
                zermelo.solve(game, threads=1)
                refused -= 1
            refused += 1
    assert wrong > count / 5
    assert refused > 0.9 * wrong  # the others are believed, as a game of their size was right


@dataclass(frozen=True)
class TidyGame(PairGame):
    """A game whose rules put its two tokens in order, so that images lead to images in another."""

    def play(self, pair: Any, move: Any) -> Any:
        after = super().play(pair, move)
        return Pair(min(after.left, after.right), max(after.left, after.right), after.shared)


@pytest.mark.slow
def test_rules_that_put_pieces_in_order_are_believed_until_they_lie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Moves of an image need not be the images of the moves, if they lead to the same classes."""
    wrong = 0
    for game in random_symmetric(5, 48):
        if not isinstance(game, PairGame):
            continue
        tidy = TidyGame(game.rows, game.endings, game.perms, game.roots)
        folded = zermelo.solve(tidy, threads=1)
        assert not differs(folded, oracle.solve(tidy)), tidy
        assert folded.verify(), tidy
        endings = (game.endings[0] % 3 - 1, *game.endings[1:])
        lie = dataclasses.replace(tidy, endings=endings)
        with monkeypatch.context() as patched:
            patched.setattr(sample_check, "check_sample", lambda *_, **__: None)
            folded = zermelo.solve(lie, threads=1)
        if differs(folded, oracle.solve(lie)):
            wrong += 1
            assert not folded.verify(), lie
    assert wrong


class Leant(NamedTuple):
    vertex: int
    other: int


@dataclass(frozen=True)
class LeastGame(Game):
    """A token on a graph, and beside it what ``canonical`` reads off a table, as it stands."""

    rows: tuple[tuple[int, ...], ...]
    endings: tuple[int, ...]
    least: tuple[int, ...]

    def start(self) -> Any:
        return Leant(0, 0)

    def outcome(self, p: Any) -> Any:
        return LOSS if self.endings[p.vertex] == 1 else None

    def moves(self, p: Any) -> Any:
        yield from range(len(self.rows[p.vertex]))

    def play(self, p: Any, edge: Any) -> Any:
        return Leant(self.rows[p.vertex][edge], p.vertex)

    def canonical(self, p: Any) -> Any:
        return Leant(self.least[p.vertex], 0)

    def space(self) -> Any:
        return Leant(range(32), range(32))


def least_games(seed: int, count: int) -> Iterator[LeastGame]:
    """Yield games whose ``canonical`` makes a few vertices one, by chance mostly unlike ones."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        size = int(rng.integers(5, 13))
        rows = tuple(tuple(rng.integers(0, size, rng.integers(0, 4)).tolist()) for _ in range(size))
        least = np.arange(size)
        for _ in range(int(rng.integers(0, 3))):
            one, other = sorted(rng.integers(0, size, 2).tolist())
            least[other] = least[one]
        endings = (rng.random(size) < 0.1).astype(int).tolist()
        yield LeastGame(rows, tuple(endings), tuple(least.tolist()))


@pytest.mark.slow
def test_a_canonical_that_lies_is_proved_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """What gives a wrong value, and nothing else, is answered with no, at the position it lies."""
    monkeypatch.setattr(sample_check, "check_sample", lambda *_, **__: None)
    wrong = right = 0
    for game in least_games(3, 150):
        real = oracle.solve(game)
        folded = zermelo.solve(game, threads=1)
        with limits.using(at_once=1 << 13 if right % 2 else 3):
            verification = folded.verify()
        if differs(folded, real):
            wrong += 1
            assert not verification, game
            assert "canonical() takes" in str(verification.problem)
            assert not zermelo.check(game, max_positions=200), game
        else:
            right += 1
            assert verification, (game, verification.problem)
    assert wrong > 20
    assert right > 75
