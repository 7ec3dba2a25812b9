"""Large games that say what counts as one, and lies about it from common to one position alone.

As in ``lying``, classes are few and parameters many. What a lie is about is a table of marks that
the rules read, so that it may be as rare as one likes: each game has some orbits of marked
positions, and a lie marks one position without its images, or takes its mark away.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

import zermelo
from support.games.symmetric import Row, Rows, kept_marks, kept_rows
from zermelo import DRAW, NOBODY, WIN, Game, RulesError, Symmetry
from zermelo.conformance import sample_check

Marks = npt.NDArray[np.uint8]


def _power_of_two(least: int) -> range:
    """Return a range of at least a length, the same for many games, so that little is compiled."""
    return range(1 << (least - 1).bit_length())


class Chase(NamedTuple):
    one: int
    other: int
    hare: int
    turn: int


@dataclass(frozen=True, eq=False)
class LargeHunt(Game):
    """Two hunters, one of whom steps, and a hare on a graph; where it is marked, it is a draw."""

    rows: Rows
    homes: Row
    marks: Marks
    perms: Rows

    def start(self) -> Any:
        return Chase(0, 1, 2, 0)

    def starts(self) -> Any:
        return [
            Chase(0, 1, 2, 0),
            Chase(3, 4, 5, 0),
            Chase(5, 6, 8, 1),
            Chase(6, 8, 3, 0),
        ]

    def turn(self, p: Any) -> Any:
        return p.turn

    def winner(self, p: Any) -> Any:
        if p.hare in (p.one, p.other):
            return 0
        if p.turn == 0 and self.homes[p.hare] == 1:
            return 1
        n = len(self.rows)
        if self.marks[((p.one * n + p.other) * n + p.hare) * 2 + p.turn]:
            return NOBODY

    def moves(self, p: Any) -> Any:
        if p.turn:
            for edge in range(len(self.rows[p.hare])):
                yield 2, edge
            return
        for edge in range(len(self.rows[p.one])):
            yield 0, edge
        for edge in range(len(self.rows[p.other])):
            yield 1, edge

    def play(self, p: Any, move: Any) -> Any:
        who, edge = move
        if who == 2:
            return Chase(p.one, p.other, self.rows[p.hare][edge], 0)
        if who == 0:
            return Chase(self.rows[p.one][edge], p.other, p.hare, 1)
        return Chase(p.one, self.rows[p.other][edge], p.hare, 1)

    def space(self) -> Any:
        vertices = _power_of_two(len(self.rows))
        return Chase(vertices, vertices, vertices, range(2))

    def symmetries(self) -> Any:
        board = Symmetry(self.perms, squares=("one", "other", "hare"))
        return board, Symmetry(alike=(("one", "other"),))


@dataclass(frozen=True, eq=False)
class LargeLegal(LargeHunt):
    """All legal positions; not legal is what is marked, which is where no move leads to."""

    starts = None

    def winner(self, p: Any) -> Any:
        if p.hare in (p.one, p.other):
            return 0
        if p.turn == 0 and self.homes[p.hare] == 1:
            return 1

    def legal(self, p: Any) -> Any:
        n = len(self.rows)
        if p.one >= n or p.other >= n or p.hare >= n:
            return False
        return self.marks[((p.one * n + p.other) * n + p.hare) * 2 + p.turn] == 0


class Walk(NamedTuple):
    vertex: int
    seen: int
    left: int


@dataclass(frozen=True, eq=False)
class LargeWalk(Game):
    """A token walks, and remembers a number, half of which counts; marks are points, or a win."""

    rows: Rows
    finals: Row
    marks: Marks
    last: int

    def start(self) -> Any:
        return Walk(0, 0, self.last)

    def outcome(self, p: Any) -> Any:
        if self.marks[p.vertex * 256 + p.seen]:
            return WIN
        if p.left == 0:
            return self.finals[p.vertex] % 3 - 1

    def moves(self, p: Any) -> Any:
        yield from range(len(self.rows[p.vertex]))

    def play(self, p: Any, edge: Any) -> Any:
        seen = (p.seen // 2 * 5 + p.vertex + edge) % 256
        return Walk(self.rows[p.vertex][edge], seen, p.left - 1)

    def canonical(self, p: Any) -> Any:
        return Walk(p.vertex, p.seen // 2 * 2, p.left)

    def space(self) -> Any:
        return Walk(_power_of_two(len(self.rows)), range(256), _power_of_two(self.last + 1))


@dataclass(frozen=True, eq=False)
class LargePoints(LargeWalk):
    """The same with points for a step from a marked place."""

    def outcome(self, p: Any) -> Any:
        return DRAW if p.left == 0 else None

    def gain(self, p: Any, edge: Any) -> Any:
        return int(self.marks[p.vertex * 256 + p.seen])

    def score(self, p: Any) -> Any:
        return self.finals[p.vertex]


#: How rare what a lie is about is: one mark in a number of positions, or in all.
RARE = {"1 of 100": 100, "1 of 1,000": 1_000, "1 of 10,000": 10_000, "one alone": 0}


class Lie(NamedTuple):
    """A game that lies.

    Attributes:
        game: the game.
        about: what the lie is about.
        rare: how rare that is; see ``RARE``.
    """

    game: Any
    about: str
    rare: str


def is_wrong(folded: Any, plain: Any) -> bool:
    """Whether a solution has another value for a position, lacks one, or counts otherwise."""
    right = plain.arrays
    answers = folded.get_many(right.positions)
    if not answers.found.all():
        return True
    if right.score is not None:
        unlike = answers.score != right.score
    else:
        unlike = (answers.outcome != right.outcome) | (answers.remoteness != right.remoteness)
    has_counts = folded.rules.has_hook("symmetries")
    return bool(unlike.any()) or (has_counts and folded.counts() != plain.counts())


def gives_wrong_values(
    game: Any, monkeypatch: pytest.MonkeyPatch, *, verified: bool = True
) -> bool:
    """Whether a game is solved wrong if nobody looks.

    Args:
        game: the game.
        monkeypatch: keeps the solve from looking.
        verified: whether ``verify`` must notice it, and nothing else.
    """
    with monkeypatch.context() as patch:  # there is no other way to a wrong table
        patch.setattr(sample_check, "check_sample", lambda *_, **__: None)
        try:
            folded = zermelo.solve(game, threads=1)
        except RulesError:  # whatever is sampled: a move leads to what is not legal, say
            return False
        try:
            plain = zermelo.solve(game, threads=1, symmetry=False)
        except RulesError:  # what is legal is not so for all that count as one
            return True
    wrong = is_wrong(folded, plain)
    assert not verified or bool(folded.verify()) != wrong
    return wrong


def is_refused(game: Any) -> bool:
    """Whether ``solve`` notices what a game lies about."""
    try:
        zermelo.solve(game, threads=1)
    except RulesError:
        return True
    return False


def found_of(lies: Iterable[Lie]) -> int:
    """Return of how many lies ``check`` finds fault; print that by kinds, with what is refused."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for lie in lies:
        kinds = ["lies"]
        if not zermelo.check(lie.game):
            kinds.append("checked")
        if is_refused(lie.game):
            kinds.append("refused")
        for kind in kinds:
            counts[lie.about, lie.rare, kind] += 1
            counts["all", "", kind] += 1
    for about, rare in sorted({key[:2] for key in counts}):
        phrases = [f"{counts[about, rare, kind]} {kind}" for kind in ("lies", "checked", "refused")]
        print(f"{about} {rare}: {', '.join(phrases)}")  # noqa: T201  # the figures of the docs
    return counts["all", "", "checked"]


def large_lies(seed: int, each: int, vertices: int = 48) -> Iterator[Lie]:
    """Yield lies of all kinds, ``each`` times every one."""
    rng = np.random.default_rng(seed)
    for _ in range(each):
        hunt = _hunt(rng, vertices)
        yield Lie(dataclasses.replace(hunt, perms=_exchanged(rng, hunt.perms)), "perms", "common")
        yield Lie(dataclasses.replace(hunt, homes=_another(rng, hunt)), "homes", "common")
        yield Lie(dataclasses.replace(hunt, rows=_longer(rng, hunt)), "edges", "common")
        legal = _legal(rng, vertices)
        walk, points = _walk(rng, LargeWalk, vertices), _walk(rng, LargePoints, vertices)
        for rare, apart in RARE.items():
            marks = _lied(rng, hunt.marks, apart)
            yield Lie(dataclasses.replace(hunt, marks=marks), "symmetries", rare)
            marks = _lied(rng, legal.marks, apart, places=_unmet(legal))
            yield Lie(dataclasses.replace(legal, marks=marks), "legal", rare)
            yield Lie(dataclasses.replace(walk, marks=_lied(rng, walk.marks, apart)), "walk", rare)
            marks = _lied(rng, points.marks, apart)
            yield Lie(dataclasses.replace(points, marks=marks), "points", rare)


def large_truths(seed: int, each: int, vertices: int = 48) -> Iterator[Any]:
    """Yield games of the same kinds that say what is so."""
    rng = np.random.default_rng(seed)
    for _ in range(each):
        yield _hunt(rng, vertices)
        yield _legal(rng, vertices)
        yield _walk(rng, LargeWalk, vertices)
        yield _walk(rng, LargePoints, vertices)


def _hunt(rng: np.random.Generator, n: int) -> LargeHunt:
    """Return a hunt whose graph two permutations keep, as they keep the marks."""
    half = tuple((v + n // 2) % n for v in range(n))
    back = tuple(n - 1 - v for v in range(n))
    perms = (half, back)
    rows = kept_rows(rng, n, perms, 2.5 / n)
    homes = kept_marks(rng, n, perms, (0, 0, 0, 0, 0, 0, 0, 1))
    marks = (rng.random(2 * n**3) < 0.002).astype(np.uint8)
    return LargeHunt(rows, homes, _closed(marks, perms), perms)


def _legal(rng: np.random.Generator, n: int) -> LargeLegal:
    """Return a hunt in which hunters do not begin at some of the vertices that no edge leads to."""
    game = _hunt(rng, n)
    sources = {0, n // 2, n // 2 - 1, n - 1}
    rows = tuple(tuple(b for b in row if b not in sources) for row in game.rows)
    game = dataclasses.replace(game, rows=rows)
    legal = LargeLegal(rows, game.homes, game.marks, game.perms)
    marks = np.zeros_like(game.marks)
    marks[_unmet(legal)] = rng.random(len(_unmet(legal))) < 0.1
    marks = _closed(marks, game.perms)
    marks[((0 * n + 1) * n + 2) * 2] = 0  # the start, of which nothing is said
    return dataclasses.replace(legal, marks=marks)


def _unmet(game: LargeHunt) -> npt.NDArray[np.int64]:
    """Return the numbers of positions to which no move leads: both hunters come from nowhere."""
    n = len(game.rows)
    targets = {b for row in game.rows for b in row}
    sources = [v for v in range(n) if v not in targets]
    first, second, hare = np.meshgrid(sources, sources, range(n), indexing="ij")
    return (((first * n + second) * n + hare) * 2 + 1).ravel()


def _walk(rng: np.random.Generator, kind: Any, n: int) -> Any:
    """Return a walk in which marks are for both numbers that count as one."""
    rows = tuple(tuple(rng.integers(0, n, 3).tolist()) for _ in range(n))
    finals = tuple(rng.integers(-1, 2, n).tolist())
    halves = (rng.random(n * 128) < 0.02).astype(np.uint8)
    halves[0] = 0  # the start
    return kind(rows, finals, np.repeat(halves, 2), 30 if n < 64 else 100)


def _closed(marks: Marks, perms: Rows) -> Marks:
    """Mark also the images of what is marked."""
    n = len(perms[0])
    marked = marks.reshape(n, n, n, 2) != 0
    while True:
        extended = marked | marked.swapaxes(0, 1)
        for perm in perms:
            indices = np.array(perm)
            extended = extended | extended[indices][:, indices][:, :, indices]
        if (extended == marked).all():
            return marked.ravel().astype(np.uint8)
        marked = extended


def _lied(
    rng: np.random.Generator,
    marks: Marks,
    apart: int,
    places: npt.NDArray[np.int64] | None = None,
) -> Marks:
    """Mark what is not, or the other way round, at one position of each ``apart``."""
    candidates = np.arange(len(marks)) if places is None else places
    count = max(1, len(marks) // apart) if apart else 1
    chosen = rng.choice(candidates, min(count, len(candidates) // 4), replace=False)
    new_marks = marks.copy()
    new_marks[chosen] ^= 1
    return new_marks


def _exchanged(rng: np.random.Generator, perms: Rows) -> Rows:
    perm = list(perms[0])
    a, b = rng.choice(len(perm), 2, replace=False)
    perm[a], perm[b] = perm[b], perm[a]
    return tuple(perm), *perms[1:]


def _another(rng: np.random.Generator, game: LargeHunt) -> Row:
    homes = list(game.homes)
    homes[int(rng.integers(0, len(homes)))] ^= 1
    return tuple(homes)


def _longer(rng: np.random.Generator, game: LargeHunt) -> Rows:
    rows = [list(row) for row in game.rows]
    a, b = rng.integers(0, len(rows), 2).tolist()
    rows[a] = [v for v in rows[a] if v != b] if b in rows[a] else [*rows[a], b]
    return tuple(map(tuple, rows))
