"""``zermelo new``."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_files_work_as_they_stand(run, folder, command):
    """What is written passes its check and its tests at once, in an empty folder."""
    result = run("new", "my_game")
    assert (result.exit_code, result.stderr) == (0, "")
    first, *commands = result.stdout.splitlines()
    assert first == "wrote my_game.py and test_my_game.py; now try"
    assert sorted(path.name for path in folder.iterdir()) == ["my_game.py", "test_my_game.py"]
    path = os.pathsep.join([str(Path(command).parent), os.environ["PATH"]])
    for line in commands:
        words = shlex.split(line)
        if words[0] == "pytest":
            words[:1] = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        done = subprocess.run(
            words, env={**os.environ, "PATH": path}, capture_output=True, check=False, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        if words[1] == "check":
            assert "hint" not in done.stdout
            assert "MyGame keeps the contract" in done.stdout


def test_what_the_comments_say_of_the_contract(run, folder):
    """The file names the hooks that an author is most likely to look for."""
    run("new", "kayles")
    text = (folder / "kayles.py").read_text()
    for hook in ("outcome", "winner", "turn", "players", "no_moves", "gain", "score", "space"):
        assert f"{hook}" in text
    assert "class Kayles(Game):" in text
    assert "$" not in text + (folder / "test_kayles.py").read_text()


def test_a_folder_of_their_own(run, folder):
    """``--directory`` is made if need be, and stands in the commands to type next."""
    result = run("new", "kayles", "--directory", "a b/c", "--json")
    document = json.loads(result.stdout)
    assert document["files"] == ["a b/c/kayles.py", "a b/c/test_kayles.py"]
    assert document["game"] == "a b/c/kayles.py:Kayles"
    assert document["next"][0] == "zermelo check 'a b/c/kayles.py'"
    assert run("check", document["game"]).exit_code == 0
    assert run("new", "nim", "--directory", "a b", "--quiet").stdout == ""


@pytest.mark.parametrize("there", ["nim.py", "test_nim.py"])
def test_nothing_is_overwritten(run, folder, there):
    """Where one of the files exists, neither is written."""
    (folder / there).write_text("mine")
    result = run("new", "nim")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error: {there} already exists; give another name, or move it away\n"
    assert [path.read_text() for path in folder.iterdir()] == ["mine"]


def test_dangling_links_are_not_followed(run, folder):
    """A link that leads nowhere takes the name too."""
    (folder / "test_nim.py").symlink_to("nowhere.py")
    result = run("new", "nim")
    assert (result.exit_code, [path.name for path in folder.iterdir()]) == (2, ["test_nim.py"])
    assert "test_nim.py already exists" in result.stderr


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("my-game", "try my_game"),
        ("2048", "use letters, digits and _"),
        ("class", "use letters, digits and _"),
        ("", "use letters, digits and _"),
        ("../nim", "try nim"),
        ("_", "use letters, digits and _"),
        ("random", "there is a Python module 'random' already"),
        ("numpy", "there is a Python module 'numpy' already"),
    ],
)
def test_names_that_will_not_do(run, folder, name, says):
    """A name has to be one that Python can import, and not taken."""
    result = run("new", name)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(folder.iterdir())


def test_a_folder_that_cannot_be_written(run, folder):
    """A folder that cannot be made is a sentence."""
    (folder / "file").write_text("")
    result = run("new", "nim", "--directory", "file/games")
    assert result.exit_code == 2
    assert result.stderr == "error: cannot write to 'file/games': Not a directory\n"
