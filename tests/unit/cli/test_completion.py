"""Completion in shells: what comes next, and the scripts that ask."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from zermelo.cli import main


def completed(*words):
    """Return what the last of the words after ``zermelo`` may be completed to."""
    shell = ShellComplete(main, {}, "zermelo", "_ZERMELO_COMPLETE")
    return [each.value for each in shell.get_completions(list(words[:-1]), words[-1])]


def test_commands_are_completed():
    """By their names, one way of spelling each."""
    assert completed("ex") == ["explain", "explore", "export"]
    assert completed("analy") == ["analyse"]


@pytest.mark.parametrize(
    "command", ["solve", "probe", "explain", "play", "check", "analyse", "verify"]
)
def test_games_are_completed(command):
    """A built-in game by its name; what begins like none may be a file."""
    assert completed(command, "conn") == ["connect-four"]
    shell = ShellComplete(main, {}, "zermelo", "_ZERMELO_COMPLETE")
    assert [each.type for each in shell.get_completions([command], "./my")] == ["file"]


def test_options_are_completed():
    """Those of the command, and those of the game once it is known, with their choices."""
    assert completed("solve", "--thr") == ["--threads"]
    assert completed("solve", "connect-four", "--w") == ["--width"]
    assert "--width" not in completed("solve", "--")
    assert completed("solve", "connect-four", "--method", "ret") == ["retrograde"]
    assert completed("completion", "f") == ["fish"]


#: What Bash asks with, and then whether that imported NumPy or Numba.
ASKING = """
import sys
from zermelo.cli import main
try:
    main(prog_name="zermelo")
finally:
    print(*{"numpy", "numba", "rich"}.intersection(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("zermelo sol", ["plain,solve"]),
        ("zermelo --ver", ["plain,--version"]),
        ("zermelo solve tic", ["plain,tic-tac-chec", "plain,tic-tac-toe"]),
        ("zermelo solve --meth", ["plain,--method"]),
        ("zermelo solve tic-tac-toe --method ret", ["plain,retrograde"]),
        ("zermelo solve connect-four --wid", ["plain,--width"]),
    ],
)
def test_completion_imports_neither_numpy_nor_numba(line, offered):
    """Tab answers at once: names of commands and games, and options of either, need no numbers."""
    asked = {"_ZERMELO_COMPLETE": "bash_complete", "COMP_WORDS": line}
    done = subprocess.run(
        [sys.executable, "-c", ASKING],
        env={**os.environ, **asked, "COMP_CWORD": str(line.count(" "))},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (done.stdout.split(), done.stderr.split()) == (offered, [])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_name_the_command(run, shell):
    """Each is for its shell, and calls ``zermelo``."""
    script = run("completion", shell)
    assert script.exit_code == 0
    assert "zermelo" in script.stdout
    assert f"_ZERMELO_COMPLETE={shell}_complete" in script.stdout
    if shutil.which(shell) is not None:
        read = subprocess.run([shell, "-n"], input=script.stdout, text=True, check=False)
        assert read.returncode == 0


def test_no_other_shell(run):
    """What there is none for is said with what there is."""
    result = run("completion", "tcsh")
    assert result.exit_code == 2
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in result.stderr


#: What each shell does at the tabulator: with the script read, it asks for what may come next. What
#: Zsh would offer while lines are edited, it writes here.
ASKED = {
    "bash": """
        eval "$(zermelo completion bash)"
        COMP_WORDS=(zermelo solve tic-tac-to); COMP_CWORD=2
        _zermelo_completion zermelo
        echo "${COMPREPLY[@]}"
    """,
    "zsh": """
        compdef() { asked_by=$1 }
        compadd() { print -rl -- $completions }
        _describe() { print -rl -- $completions_with_descriptions }
        eval "$(zermelo completion zsh)"
        words=(zermelo solve tic-tac-to); CURRENT=3
        $asked_by
    """,
    "fish": """
        zermelo completion fish | source
        complete --do-complete "zermelo solve tic-tac-to"
    """,
}


@pytest.mark.parametrize(
    "shell",
    [
        pytest.param(
            shell,
            marks=[
                pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell}"),
                *([] if shell == "bash" else [pytest.mark.slow]),
            ],
        )
        for shell in ASKED
    ],
)
def test_a_shell_completes(command, tmp_path, shell):
    """The shell itself, with the script read, offers the game."""
    folder = command.rpartition("/")[0]
    done = subprocess.run(
        [shell, "-c", ASKED[shell]],
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path)},
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert re.split(r"[:\t]", done.stdout.strip())[0] == "tic-tac-toe", done
    assert "\n" not in done.stdout.strip()
