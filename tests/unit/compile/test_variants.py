"""Natural and wrong Python in rules: each variant is solved, as in Python, or refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from support.games.written.bodies import BODIES
from support.games.written.games import GAMES
from support.games.written.remedies import GAME_REMEDIES, REMEDIES
from support.games.written.table import Said, said_of_bodies, said_of_game

#: Bodies that solve and share a class, so that what they have in common is compiled once.
_GAMES_PER_GROUP = 12
#: A few of the table, which are asked every time.
SAMPLE = (
    "sum and product",
    "a list as a stack",
    "walrus",
    "true division",
    "try",
    "a negative shift",
    "constants past 64 bits on the way",
    "masked bits past 64",
    "signs of truth",
    "~ of an IntFlag",
    "members of one Enum",
    "~ of truth",
    "members of different Enums",
)

_NUMBERS = {name: number for number, name in enumerate(BODIES)}
_SOLVED = [name for name, (_, said) in BODIES.items() if not said]


def every_third(names: list[str]) -> list[Any]:
    """Return names to parametrise by: every third group that shares a class is slow.

    The others are huge: they repeat that Python is compiled as it stands, or refused.
    """
    marks = pytest.mark.slow, pytest.mark.huge, pytest.mark.huge
    return [
        pytest.param(name, marks=marks[n // _GAMES_PER_GROUP % 3]) for n, name in enumerate(names)
    ]


def asked(said: Said, wanted: str) -> None:
    """Check that the result of a variant is that of the table."""
    assert said.how == ("refused" if wanted else "same"), said
    assert wanted in said.words, said
    assert not said.words.startswith("("), said


def said_of(names: tuple[str, ...], folder: Path) -> dict[int, Said]:
    """Tell of some bodies in one game."""
    return said_of_bodies({_NUMBERS[name]: BODIES[name][0] for name in names}, folder)


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory):
    """What tells of a body that solves: along with others, which are asked once."""

    @cache
    def said_of_group(group: int) -> dict[int, Said]:
        names = tuple(_SOLVED[group * _GAMES_PER_GROUP : (group + 1) * _GAMES_PER_GROUP])
        return said_of(names, tmp_path_factory.mktemp("bodies"))

    return lambda name: said_of_group(_SOLVED.index(name) // _GAMES_PER_GROUP)[_NUMBERS[name]]


def test_there_are_variants_enough() -> None:
    """As many as the first authors came upon, and more."""
    assert len(BODIES) + len(GAMES) >= 246
    assert sum(1 for _, said in [*BODIES.values(), *GAMES.values()] if said) >= 80


@pytest.mark.slow
def test_a_few_variants_are_solved_or_refused(tmp_path: Path) -> None:
    """Those of the table that stand for most of it."""
    solved = tuple(name for name in SAMPLE if not BODIES[name][1])
    refused = [(name,) for name in SAMPLE if BODIES[name][1]]
    for names in (solved, *refused):
        for number, said in said_of(names, tmp_path).items():
            asked(said, BODIES[list(BODIES)[number]][1])


@pytest.mark.parametrize("name", every_third(_SOLVED))
def test_natural_python_is_solved_as_python_has_it(name: str, together) -> None:
    """Every position has the value that backward induction in plain Python gives it."""
    asked(together(name), "")


@pytest.mark.parametrize("name", every_third([name for name in BODIES if name not in _SOLVED]))
def test_other_python_is_refused_with_a_remedy(name: str, tmp_path: Path) -> None:
    """One sentence with the author's line that says what to write, and nothing of Numba's."""
    said = said_of((name,), tmp_path)[_NUMBERS[name]]
    asked(said, BODIES[name][1])
    assert REMEDIES.get(name, ("",))[0] in said.words


@pytest.mark.parametrize("name", every_third(list(GAMES)))
def test_a_game_is_solved_or_refused(name: str, tmp_path: Path) -> None:
    """However its positions, moves, hooks and parameters are written."""
    text, wanted = GAMES[name]
    said = said_of_game(text, tmp_path)
    asked(said, wanted)
    assert GAME_REMEDIES.get(name, ("",))[0] in said.words
