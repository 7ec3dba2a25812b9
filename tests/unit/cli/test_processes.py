"""The command as a process of its own."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pty
import re
import signal
import subprocess
import sys

import psutil
import pytest

from support.processes.conditions import wait_until
from support.processes.interrupts import heeding
from support.sizes import some
from zermelo.cli import main
from zermelo.cli.errors import replace_closed_streams

pytestmark = pytest.mark.timing

#: A board that takes minutes, and a rule that compiled code never comes back from.
LONG = """
from dataclasses import dataclass
from pathlib import Path

from zermelo import Game
from zermelo.games import ConnectFour


@dataclass(frozen=True)
class Large(ConnectFour):
    width: int = 6
    height: int = 5

    def validate(self):
        Path("ready").touch()


@dataclass(frozen=True)
class Endless(Game):
    until: tuple[int, ...] = (0,)

    def start(self):
        return 1

    def moves(self, n):
        k = 0
        while k != self.until[0]:
            k = (k * 5 + 2) % 1000003
        for step in range(n):
            yield step

    def play(self, n, step):
        return n - 1

    def validate(self):
        Path("ready").touch()
"""


#: An interrupt that is lost in a call from C, as happens while LLVM compiles, and what comes of it.
LOST = """
import ctypes
import signal

from zermelo.games import TicTacToe


class Lost(TicTacToe):
    def validate(self):
        @ctypes.CFUNCTYPE(None)
        def called_back():
            signal.raise_signal(signal.SIGINT)
            for _ in range(1000):
                pass

        called_back()
        raise RuntimeError("half done")
"""


def finished(command, *words, **options):
    """Run the command to its end."""
    return subprocess.run(
        [command, *words], capture_output=True, check=False, text=True, timeout=120, **options
    )


def interrupted(command, folder, *words):
    """Run the command, and send it Ctrl-C when it has computed for a while with the game."""
    process = subprocess.Popen(
        heeding(command, *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def has(condition):
        assert process.poll() is None
        return condition

    def computed():
        times = psutil.Process(process.pid).cpu_times()
        return times.user + times.system

    wait_until(lambda: has((folder / "ready").exists()))
    begun = computed()
    wait_until(lambda: has(computed() > begun + 0.5))
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)
    return process.returncode, stdout, stderr


def written_until(stream, pattern):
    """Read what a process writes until a pattern is there; return what was read."""
    os.set_blocking(stream, False)
    shown = b""

    def there():
        nonlocal shown
        with contextlib.suppress(BlockingIOError):
            shown += os.read(stream, 65536)
        return re.search(pattern, shown)

    wait_until(there)
    return shown


def test_ctrl_c_that_is_lost_on_the_way(command, folder):
    """Where C calls back, Python takes no notice of the exception; the command does."""
    (folder / "lost.py").write_text(LOST)
    done = finished(*heeding(command, "solve", "lost.py"))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


#: Presses Ctrl-C as soon as a module of the package is looked for.
EARLY = """
import os, signal, sys

class Presses:
    def find_spec(self, name, *_):
        if name == "zermelo.{module}":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Presses())
"""
#: Such modules, and whether ``python -m zermelo`` imports them or the command.
EARLY_MODULES = [
    *(("errors", False), ("errors", True)),
    *(("cli", True), ("cli", False)),
    *(("cli.group", False), ("cli.group", True)),
]


@pytest.mark.parametrize(("module", "as_module"), some(EARLY_MODULES, 2))
def test_ctrl_c_during_imports_leaves_no_traceback(command, folder, module, as_module):
    """The system ends the process, as long as there is nothing yet that could say a word."""
    (folder / "sitecustomize.py").write_text(EARLY.replace("{module}", module))
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    words = [sys.executable, "-m", "zermelo"] if as_module else [command]
    done = finished(*heeding(*words, "games"), env=os.environ | {"PYTHONPATH": ":".join(paths)})
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_ctrl_c_while_a_command_is_imported(command, folder):
    """A command is imported when it is called, and Ctrl-C then ends it as ever."""
    text = EARLY.replace("{module}", "cli.commands.games.games")
    (folder / "sitecustomize.py").write_text(text)
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = finished(*heeding(command, "games"), env=os.environ | {"PYTHONPATH": ":".join(paths)})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_library_keeps_its_handler_of_ctrl_c():
    """A program that imports the package still gets KeyboardInterrupt."""
    program = "import signal, zermelo; print(signal.getsignal(signal.SIGINT).__name__)"
    assert finished(*heeding(sys.executable, "-c", program)).stdout == "default_int_handler\n"


@pytest.mark.slow
def test_exit_codes(command, countdown):
    """The codes are those of the design: done, no, bad input, too large."""
    countdown.write_text(countdown.read_text().replace("n - step", "n + step"))
    assert finished(command, "solve", "take-away", "--stones", "4").returncode == 0
    assert finished(command, "check", "countdown.py").returncode == 1
    assert finished(command, "solve", "nosuch").returncode == 2
    assert finished(command, "solve", "connect-four", "--memory", "100kB").returncode == 3


def test_the_package_is_the_command():
    """Where the command is not on the path, ``python -m zermelo`` does the same."""
    done = finished(sys.executable, "-m", "zermelo", "solve")
    assert done.returncode == 2
    assert done.stderr == "error: missing argument 'GAME'; see zermelo solve --help\n"


def test_json_is_alone_on_standard_output(command):
    """One document, one line, and nothing on standard error."""
    done = finished(command, "solve", "tic-tac-toe", "--json")
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    assert json.loads(done.stdout)["value"]["outcome"] == "draw"


def test_mistakes_show_no_traceback(command, folder):
    """A mistake is one line on standard error in a real process too."""
    done = finished(command, "solve", "cat-and-mouse", "--graph", "[[1")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.slow
def test_text_that_the_terminal_cannot_write(command):
    """Where the terminal knows no such characters, others stand for them."""
    done = finished(command, "games", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "connect-four" in done.stdout


@pytest.mark.parametrize(
    ("typed", "code", "says"),
    [
        ("games | true", 141, ""),
        pytest.param("--help | true", 141, "", marks=pytest.mark.slow),
        ("games > /dev/full", 2, "error: the system refuses what this command writes: No space"),
    ],
)
def test_output_that_cannot_be_written(command, typed, code, says):
    """A reader who has read enough and a disk that is full are no fault, and no "no" either."""
    piped = f"unset PYTHONUNBUFFERED; {command} {typed}; exit ${{PIPESTATUS[0]}}"
    done = finished("bash", "-c", piped)
    assert done.returncode == code
    assert done.stderr.startswith(says)
    assert "Traceback" not in done.stderr


def test_streams_that_are_closed(monkeypatch):
    """What the caller has closed, and Python therefore leaves out, is empty or goes nowhere."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    replace_closed_streams()
    assert not sys.stdin.isatty()
    assert sys.stdin.read() == ""
    assert sys.stdout.write("nobody reads this")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()


def test_ctrl_c_while_solving(command, folder):
    """A large game can be interrupted at any time: code 130 and one word."""
    (folder / "long.py").write_text(LONG)
    result = interrupted(command, folder, "solve", "long.py:Large", "--method", "retrograde")
    assert result == (130, "", "interrupted\n")


@pytest.mark.slow
def test_ctrl_c_while_analysing(command, folder):
    """An analysis can be interrupted too, and leaves no page behind."""
    (folder / "long.py").write_text(LONG)
    words = ("analyse", "long.py:Large", "--width", "5", "--height", "5", "--html", "page.html")
    assert interrupted(command, folder, *words) == (130, "", "interrupted\n")
    assert not list(folder.glob("*page.html*"))


@pytest.mark.slow
def test_ctrl_c_while_proving_says_what_is_known(command, folder):
    """The line that looks best so far stands there, and the code is that of the answer no."""
    (folder / "long.py").write_text(LONG)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        heeding(command, "prove", "long.py:Large", "--width", "7", "--height", "6"),
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "ZERMELO_PROGRESS": "", "TERM": "xterm", "COLUMNS": "120"},
    )
    written_until(ours, rb"ply \d+, table \d+% of .*, [a-g]")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=120)
    os.close(theirs)
    os.close(ours)
    assert process.returncode == 1
    assert re.search(r"best so far +[a-g], [a-g]", stdout)
    assert "stopped as it was interrupted" in " ".join(stdout.split())


@pytest.mark.slow
def test_what_is_known_at_ctrl_c_is_written_however_long_that_takes(folder):
    """The command does not end before, says so, and ends at once when asked again."""
    program = """
import os, signal, sys, threading
from zermelo.cli import errors as ending, main
from zermelo.proving import prove
ending._GRACE = 0.01
again, warned, echo = sys.argv[1] == "again", threading.Event(), ending.click.echo
pauses = [0.3]  # while one thread says so, another would too, or would end the process

def said(*words, **how):
    if words == ("interrupted",) and pauses:
        threading.Event().wait(pauses.pop())
    echo(*words, **how)
    warned.set()

def slowly(*_, **__):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(60)
    except KeyboardInterrupt:
        ending.click.echo = said
        warned.wait(60)
        if again:
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait(60)
    print("written", flush=True)
    os._exit(1)

prove.prove = slowly
main(["prove", "take-away", "--stones", "4"])
"""
    once = finished(*heeding(sys.executable, "-c", program, "once"))
    said = "preparing a partial answer; press Ctrl-C again to quit now\n"
    assert (once.returncode, once.stderr) == (1, f"{said}written\n")
    twice = finished(*heeding(sys.executable, "-c", program, "again"))
    assert (twice.returncode, twice.stderr) == (130, f"{said}interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("terminal", some([True, False], 2))
def test_progress_is_shown_on_a_terminal_and_in_a_pipe(command, folder, terminal):
    """On a terminal a bar comes and goes; in a pipe there are lines without control characters."""
    (folder / "long.py").write_text(LONG)
    ours, theirs = pty.openpty() if terminal else os.pipe()
    process = subprocess.Popen(
        heeding(command, "solve", "long.py:Large", "--method", "retrograde"),
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "ZERMELO_PROGRESS": "", "TERM": "xterm", "COLUMNS": "120"},
    )
    shown = written_until(ours, b"/s")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=120) == 130
    shown += os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    text = shown.decode()
    assert "interrupted" in text
    assert re.search(r"explore.*/s.*[MG]B", text)
    assert ("\x1b[" in text) is terminal


@pytest.mark.slow
def test_ctrl_c_while_compiled_rules_do_not_return(command, folder):
    """Even a rule that goes round for ever, compiled, does not keep the process."""
    (folder / "long.py").write_text(LONG)
    done = finished(command, "solve", "long.py:Endless", "--quiet")  # so that it is compiled
    assert done.stdout == "win in 1\n"
    (folder / "ready").unlink()
    result = interrupted(command, folder, "solve", "long.py:Endless", "--until", "[1000003]")
    assert result == (130, "", "interrupted\n")


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["--help"], ["rich", "numpy", "numba"]),
        *(
            pytest.param(words, ["rich", "numpy", "numba"], marks=pytest.mark.slow)
            for words in (["--version"], ["solve", "--help"], ["solve", "tic-tac-toe", "--help"])
        ),
        (["solve", "tic-tac-toe", "--json"], ["rich", "numba"]),
        (["new", "nim"], ["rich", "numpy", "numba"]),
        (["games"], ["numba"]),
    ],
    ids=" ".join,
)
def test_only_what_is_needed_is_imported(folder, words, unwanted):
    """Rich is imported for tables, NumPy for solving, and Numba for what has to be compiled."""
    program = (
        "import sys; from zermelo.cli import main\n"
        f"main.main({words!r}, standalone_mode=False)\n"
        f"print(*(name for name in {unwanted!r} if name in sys.modules), file=sys.stderr)"
    )
    done = finished(sys.executable, "-c", program)
    assert done.stderr.split() == []


def test_no_command_imports_numpy_before_it_runs():
    """Help and completion of its options need its module and no more."""
    program = (
        "import sys, click; from zermelo.cli import main\n"
        "for name in main.catalogue: assert main.get_command(click.Context(main), name)\n"
        "print(*(name for name in ('numpy', 'numba', 'rich') if name in sys.modules))"
    )
    done = finished(sys.executable, "-c", program)
    assert (done.returncode, done.stdout.split()) == (0, [])


def test_a_terminal_gets_colour_and_no_leftovers(command):
    """On a terminal counts have bars in colour, and no bar of progress stays behind."""
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [command, "solve", "take-away", "--stones", "4"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "60", "NO_COLOR": ""},
        start_new_session=True,
    )
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(terminal, 4096):
            written += chunk
    except OSError:  # how a terminal says that nobody writes to it any more
        pass
    finally:
        os.close(terminal)
    assert process.wait(timeout=60) == 0
    text = written.decode()
    assert "loss in 2" in text
    assert re.search("win .*\x1b\\[32m█", text)
    assert re.search("loss .*\x1b\\[31m█", text)
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")


def test_a_fault_of_our_own(monkeypatch, capsys):
    """What Zermelo does wrong shows its traceback, and is not taken for the answer "no"."""
    fault = functools.partial(json.loads, "{")
    monkeypatch.setattr("zermelo.checking.check", fault)
    with pytest.raises(SystemExit) as ended:
        main(["check", "take-away", "--stones", "3"])
    assert ended.value.code == 70
    assert "Traceback" in capsys.readouterr().err
