"""Tables of pursuits on the command line."""

from __future__ import annotations

import json

import pytest

import zermelo


@pytest.fixture
def path(folder):
    """The table of two who chase one along a path."""
    chase = zermelo.pursuit([[1], [0, 2], [1, 3], [2]], pursuers=2, together=False)
    return chase.save(folder / "chase.table")


def test_a_pursuit_is_described_verified_and_probed(run, path):
    """As the table of a game is; a position is JSON."""
    assert "a pursuit of 2 on 4 nodes" in run("info", path).stdout
    assert run("verify", path).stdout.startswith("the certificate holds: 192 positions and")
    probed = run("probe", path, "[0, [2, 3], 1]")
    assert probed.stdout.splitlines()[-3:] == [
        "win in 3 for the player to move",
        "  1  + win in 3",
        "  3  + win in 5",
    ]
    found = json.loads(run("probe", path, "[0, [2, 3], 1]", "--json").stdout)
    assert found["moves"][0]["position"] == {"evader": 0, "pursuers": [1, 3], "turn": 2}
    again = json.dumps(found["moves"][0]["position"])
    assert run("probe", path, again, "--quiet").stdout == "win in 2\n"


def test_what_cannot_be_asked_is_told_in_a_sentence(run, path):
    """A start there is not, a position that is none, and options for games alone."""
    for words, said in (
        (("probe", path), "there is no start; give a position"),
        (("probe", path, "[0, [2, 9], 1]"), "has a node 9; use 0 to 3"),
        (
            ("probe", path, "here"),
            "'here' is not a position of a pursuit; give (evader, (pursuer, pursuer)",
        ),
        (
            ("verify", path, "--ignore-rules"),
            "holds a pursuit of 2 on 4 nodes; leave out --game and --ignore-rules",
        ),
        (("play", path), "there is no start; give a position"),
        (("explore", path), "there is no start, which zermelo explore needs; look at positions"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert said in result.stderr


def test_a_wrong_value_fails_the_certificate(run, folder):
    """With the position in words, and exit code 1."""
    chase = zermelo.pursuit([[1], [0, 2], [1]])
    chase._solved.table.column.marks[0][0, 2] = 1
    result = run("verify", chase.save(folder / "wrong.table"))
    assert result.exit_code == 1
    assert "PursuitPosition(evader=0, pursuers=(2,), turn=0) is stored as win in 0" in result.stdout


@pytest.mark.slow
def test_a_pursuit_with_a_start_is_probed_played_and_analysed(run, folder):
    """The commands begin there, as with a game."""
    chase = zermelo.pursuit([[1], [0, 2], [1, 3], [2]], safe=[0], start=(1, (3,), 1))
    path = chase.save(folder / "start.table")
    assert run("probe", path).stdout == (
        "evader 1, pursuer 3, pursuers to move\n\n"
        "loss in 2 for the player to move\n  2  - loss in 2\n"
    )
    played = run("play", path, "--side", "neither")
    assert played.exit_code == 0
    assert "evader wins" in played.stdout
    assert run("analyse", path, "--quiet").stdout.startswith("The evader, who moves second, wins")
