"""Rules that make nothing to be freed are compiled without counting; all others with it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import zermelo
from support.oracles.equivalence import check
from zermelo import Game
from zermelo._compile.rules import compile_rules
from zermelo.games import Quixo, TicTacToe


@dataclass(frozen=True)
class Walk(Game):
    """A token on a graph, by rules that only read rows."""

    rows: Any = ((1, 2), (2,), ())

    def start(self):
        return 0

    def moves(self, node):
        for other in self.rows[node]:
            yield other

    def play(self, node, other):
        return other


class Listing(Walk):
    """The same by a list."""

    def moves(self, node):
        found = [other for other in self.rows[node] if other > node]
        return sorted(found)


class Handing(Walk):
    """The same by a helper that returns a row, which shows only when it is compiled."""

    def neighbours(self, node):
        return self.rows[node]

    def moves(self, node):
        for other in self.neighbours(node):
            yield other


class Failing(Walk):
    """The same with a check of its own."""

    def play(self, node, other):
        if other > 1:
            raise ValueError("too far")
        return other


def on_heap(game: Game) -> bool:
    """Whether the rules of a game were compiled with counting, once they have run."""
    compiled = compile_rules(game)
    zermelo.solve(game)
    return compiled._entry.module.heap


@pytest.mark.parametrize("game", [Walk(), Quixo(3), TicTacToe()], ids=lambda g: type(g).__name__)
def test_numbers_tuples_and_rows_need_no_counting(game: Game) -> None:
    """Most games make nothing that would have to be freed."""
    assert not on_heap(game)


@pytest.mark.parametrize("kind", [Listing, Handing])
def test_lists_and_handed_out_rows_are_counted(kind: Any) -> None:
    """Where something must be freed, it is: the rules show it, or Numba says so of them."""
    game = kind()
    assert on_heap(game)
    check(game, 3)


def test_the_rules_give_the_same_either_way() -> None:
    """All forms of the rules are one game."""
    values = [dict(zermelo.solve(kind()).items()) for kind in (Walk, Listing, Handing)]
    assert values[0] == values[1] == values[2]


def test_errors_of_rules_without_counting_are_told_as_ever() -> None:
    """A rule may raise; the message names the rule and the position."""
    with pytest.raises(zermelo.RulesError, match=r"play\(\) raised ValueError: too far at 0"):
        zermelo.solve(Failing())


@pytest.mark.slow
def test_a_second_process_knows_that_rules_must_be_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first found out by compiling in vain, the next reads off the cache folder."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    script = tmp_path / "play.py"
    source = Path(__file__).read_text(encoding="utf-8")
    rules = source[source.index("@dataclass") : source.index("class Failing")]
    script.write_text(
        "from dataclasses import dataclass\nfrom typing import Any\n"
        "import zermelo\nfrom zermelo import Game\n"
        "from zermelo._compile.rules import compile_rules\n\n"
        f"{rules}\n\ngame = Handing()\nprint(compile_rules(game)._entry.loaded.__name__)\n"
        "print(zermelo.solve(game, method='retrograde').value)\n"
        "print(compile_rules(game)._entry.loaded.__name__)\n"
    )
    runs = [
        subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    first, second = (run.stdout.splitlines() for run in runs)
    assert first[1] == second[1] == "win in 1"
    assert first[0] != first[2]
    assert second[0] == second[2] == first[2]
