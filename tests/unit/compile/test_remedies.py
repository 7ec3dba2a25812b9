"""What a sentence recommends in place of what it refuses is not refused in turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.games.written.bodies import BODIES
from support.games.written.games import GAMES
from support.games.written.remedies import GAME_REMEDIES, REMEDIES, WRAPPED
from support.games.written.table import said_of_bodies, said_of_game
from support.sizes import some


def test_every_refused_body_has_a_remedy() -> None:
    """A new sentence comes with what its author would write after it."""
    refused = {name for name, (_, said) in BODIES.items() if said}
    assert refused - WRAPPED == REMEDIES.keys()


@pytest.mark.parametrize("name", some(REMEDIES, 60, slow=100))
def test_a_mistake_is_answered_with_its_remedy(name: str, tmp_path: Path) -> None:
    """The sentence has the words that the table goes by."""
    said = said_of_bodies({0: BODIES[name][0]}, tmp_path)[0]
    assert said.how == "refused"
    assert REMEDIES[name][0] in said.words


def test_every_refused_class_has_a_remedy() -> None:
    """What follows it is a class that the tests of variants solve."""
    assert GAME_REMEDIES.keys() == {name for name, (_, said) in GAMES.items() if said}
    assert not any(GAMES[follows][1] for _, follows in GAME_REMEDIES.values())


@pytest.mark.parametrize("name", some(GAME_REMEDIES, 12, slow=100))
def test_a_refused_class_is_answered_with_its_remedy(name: str, tmp_path: Path) -> None:
    """The sentence has the words that the table goes by."""
    said = said_of_game(GAMES[name][0], tmp_path)
    assert said.how == "refused"
    assert GAME_REMEDIES[name][0] in said.words


@pytest.mark.slow
def test_remedies_work(tmp_path: Path) -> None:
    """They compile, and mean what they do in Python."""
    told = said_of_bodies({n: body for n, (_, body) in enumerate(REMEDIES.values())}, tmp_path)
    assert [(name, told[n]) for n, name in enumerate(REMEDIES) if told[n].how != "same"] == []
