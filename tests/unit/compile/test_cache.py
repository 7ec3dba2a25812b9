"""Compiled code on disk: what survives a process, and what must never be believed.

Each test starts processes of its own, on a cache folder of its own.
"""

from __future__ import annotations

import gc
import importlib.util
import itertools
import json
import linecache
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import event

import zermelo

TESTS = Path(__file__).parents[2]

RULES = """
from dataclasses import dataclass
from typing import Any

from helpers import limit
from zermelo import Game


@dataclass(frozen=True)
class Take(Game):
    stones: int = 20
    extra: Any = ((1,), (2, 3))

    def start(self):
        return self.stones

    def moves(self, n):
        for k in range(1, limit(n) + 1):
            yield k

    def play(self, n, k):
        return n - k - 0 * len(self.extra)
"""

HELPERS = """
def limit(n):
    return min(n, 3)
"""

MAIN = """
import json

from numba.core import event

import zermelo
from rules import Take

if __name__ == "__main__":
    with event.install_recorder("numba:compile") as recorder:
        solution = zermelo.solve(Take(), method="retrograde")
    names = {told.data["dispatcher"].py_func.__name__ for _, told in recorder.buffer}
    value = str(solution.value)
    print(json.dumps({"value": value, "n": len(solution), "compiled": "expand" in names}))
"""

SPAWN = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import zermelo
from rules import Take


def solved(stones):
    return str(zermelo.solve(Take(stones), method="retrograde", threads=1).value)


if __name__ == "__main__":
    before = [solved(20), solved(21)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(solved, [20, 21])) == before == ["loss in 10", "win in 11"]
    print("{}")
"""


LEVEL = """
    def level(self, n):
        return -n
"""

LEVELS = """
import json

import numpy as np

from rules import Take
from support.compiled_rules import compile_rules

rules, out = compile_rules(Take()), np.zeros(1, np.int64)
rules.levels(np.array([5], np.uint64), 1, out)
kernel = rules._entry.loaded.levels
print(json.dumps([int(out[0]), sum(kernel.stats.cache_hits.values())]))
"""

#: Solves while compiled code may take no more than so many bytes on disk.
WITHIN = """
import json
import sys

import zermelo
from rules import Take
from zermelo import limits

with limits.using(compiled=BYTES):
    print(json.dumps(str(zermelo.solve(Take(), method="retrograde").value)))
"""

#: Counts how often Python plays a move while a game is solved.
PLAYED = """
import json
import sys

import zermelo
from rules import Take

played = []
sys.setprofile(lambda frame, *_: played.append(1) if frame.f_code.co_name == "play" else None)
zermelo.solve(Take(), method="retrograde")
sys.setprofile(None)
print(json.dumps(len(played)))
"""

#: Presses Ctrl-C once, while LLVM asks for code that was read from disk.
LOST = """
import json
import signal

from numba.core.codegen import CPUCodeLibrary

import zermelo
from rules import Take

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
asked, pressed = CPUCodeLibrary._object_getbuffer_hook, []


def interrupting(module):
    code = asked(module)
    if code is not None and not pressed:
        pressed.append(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    return code


CPUCodeLibrary._object_getbuffer_hook = interrupting
try:
    zermelo.solve(Take(), method="retrograde")
    print("not interrupted")
except KeyboardInterrupt:
    print(json.dumps(str(zermelo.solve(Take(), method="retrograde").value)))
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache that holds the engine's own kernels, and no rules."""
    folder = tmp_path_factory.mktemp("engine")
    project(folder)
    run(folder, folder / "cache")
    for rules in (folder / "cache").glob("*/rules"):
        shutil.rmtree(rules)
    return folder / "cache"


def project(folder: Path, helpers: str = HELPERS) -> None:
    """Write the rules, in two files, and a program that solves them."""
    texts = {"rules": RULES, "helpers": helpers, "main": MAIN, "spawn": SPAWN}
    texts |= {"levels": LEVELS, "played": PLAYED, "lost": LOST}
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def started(folder: Path, cache: Path, program: str = "main") -> subprocess.Popen[str]:
    """Start a process that solves the rules in a folder."""
    environment = {**os.environ, "ZERMELO_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, f"{program}.py"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> Any:
    """Return what a process printed; it may have nothing to complain of."""
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    return json.loads(out)


def run(folder: Path, cache: Path, program: str = "main") -> Any:
    """Run a process and return what it printed."""
    return finished(started(folder, cache, program))


def files(cache: Path) -> list[Path]:
    """Return the files in a cache."""
    return sorted(path for path in cache.rglob("*") if path.is_file())


@pytest.fixture
def cache(tmp_path: Path, engine: Path) -> Path:
    """Return a cache of the test's own, and write the rules beside it."""
    project(tmp_path)
    return Path(shutil.copytree(engine, tmp_path / "cache"))


@pytest.mark.slow
def test_an_edited_helper_in_another_file_gives_the_new_answer(tmp_path: Path, cache: Path) -> None:
    """What a process finds on disk was compiled from the same text, helpers included."""
    assert run(tmp_path, cache) == {"value": "loss in 10", "n": 21, "compiled": True}
    project(tmp_path, HELPERS.replace("3", "4"))
    assert run(tmp_path, cache) == {"value": "loss in 8", "n": 21, "compiled": True}
    project(tmp_path)
    assert run(tmp_path, cache)["value"] == "loss in 10"


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    """It takes the kernel from disk, adds no file, and leaves the author's folder as it was."""
    project(tmp_path)
    cache = tmp_path / "cache"
    run(tmp_path, cache)
    before, beside = files(cache), sorted(tmp_path.iterdir())
    assert run(tmp_path, cache) == {"value": "loss in 10", "n": 21, "compiled": False}
    assert files(cache) == before
    assert sorted(tmp_path.iterdir()) == beside


@pytest.mark.slow
def test_code_not_used_for_longest_goes_once_a_day_where_there_is_too_much(
    tmp_path: Path, cache: Path
) -> None:
    """And nothing else that lies in the folder goes."""
    project(tmp_path)
    run(tmp_path, cache)
    used = sum(path.stat().st_size for path in files(cache))
    within = WITHIN.replace("BYTES", str(used + 3_000_000))
    (tmp_path / "within.py").write_text(within, encoding="utf-8")
    other, (stamp,) = cache / ("0" * 20), cache.glob("*/room-was-made")
    long_ago = time.time() - 1e7
    for path in (other / "old.nbc", other / "new.nbc", other / "a.txt", cache / "old.nbc"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(2_000_000))
        if path.name != "new.nbc":
            os.utime(path, (long_ago, long_ago))
    code = [path for path in cache.rglob("*/*.nbc") if path.parent != other]
    for path in code:
        os.utime(path, (long_ago + 1, long_ago + 1))

    assert run(tmp_path, cache, "within") == "loss in 10"
    assert (other / "old.nbc").exists()  # as the first process had looked
    os.utime(stamp, (long_ago, long_ago))
    assert run(tmp_path, cache, "within") == "loss in 10"
    assert not (other / "old.nbc").exists()
    left = [other / "new.nbc", other / "a.txt", cache / "old.nbc"]
    assert all(path.exists() for path in left)
    again = [path for path in code if path.exists() and path.stat().st_mtime > long_ago + 2]
    assert {path.parent.name == "rules" for path in again} == {True, False}  # noted as used


@pytest.mark.slow
def test_code_is_kept_where_nobody_may_note_that_room_was_made(tmp_path: Path, cache: Path) -> None:
    """As in a folder of several users, of whom another one was first."""
    project(tmp_path)
    (stamp,) = cache.glob("*/room-was-made")
    stamp.unlink()
    stamp.symlink_to(tmp_path / "nowhere" / "file")
    run(tmp_path, cache)
    assert not run(tmp_path, cache)["compiled"]


@pytest.mark.slow
def test_a_changed_rule_leaves_alone_what_does_not_call_it(tmp_path: Path, cache: Path) -> None:
    """A kernel is found on disk if its own rules are as they were, whatever others do."""
    answers = []
    for text in (RULES, RULES.replace("n - k", "n - k + 0 * n")):
        (tmp_path / "rules.py").write_text(text + LEVEL, encoding="utf-8")
        answers.append(run(tmp_path, cache, "levels"))
    (tmp_path / "rules.py").write_text(RULES + LEVEL.replace("-n", "1 - n"), encoding="utf-8")
    assert [*answers, run(tmp_path, cache, "levels")] == [[-5, 0], [-5, 1], [-4, 0]]


@pytest.mark.slow
def test_the_second_process_does_not_compare_again(tmp_path: Path, cache: Path) -> None:
    """Rules that were seen to mean the same in Python are believed, until they are edited."""
    assert run(tmp_path, cache, "played") > 0
    assert run(tmp_path, cache, "played") == 0
    project(tmp_path, HELPERS.replace("3", "4"))
    assert run(tmp_path, cache, "played") > 0


@pytest.mark.slow
def test_rules_are_compared_again_once_zermelo_looks_at_more(tmp_path: Path, cache: Path) -> None:
    """An edit of what looks is as good as a new version of it."""
    assert run(tmp_path, cache, "played") > 0
    package = Path(zermelo.__file__).parent
    shutil.copytree(package, tmp_path / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(tmp_path, cache, "played") == 0
    with (tmp_path / "zermelo" / "conformance" / "equivalence.py").open(
        "a", encoding="utf-8"
    ) as file:
        file.write("# more\n")
    assert run(tmp_path, cache, "played") > 0


def played(folder: Path, text: str, stones: int = 20) -> int:
    """Solve by a class that is new to this process; return how often Python played a move."""
    path = folder / "take.py"
    path.write_text(text, encoding="utf-8")
    linecache.checkcache()
    spec = importlib.util.spec_from_file_location("take", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patched:
        # Python takes a file for the last one if both are as long and of the same second.
        patched.setattr(sys, "dont_write_bytecode", True)
        spec.loader.exec_module(module)
    calls = []
    sys.setprofile(lambda frame, *_: calls.append(1) if frame.f_code.co_name == "play" else None)
    try:
        assert zermelo.solve(module.Take(stones), method="retrograde").value.remoteness
    finally:
        sys.setprofile(None)
    return len(calls)


@pytest.mark.slow
def test_rules_are_compared_again_when_anything_is_edited_or_larger(tmp_path: Path) -> None:
    """What passed is found on disk by the very same files with parameters of the same size."""
    rules = RULES.replace("from helpers import limit", HELPERS)
    text = f"{rules}\n# {tmp_path} {time.time_ns()}\n"  # nobody has compared it yet
    assert played(tmp_path, text) > 0
    assert played(tmp_path, text) == 0
    assert played(tmp_path, text, 21) == 0
    assert played(tmp_path, text, 2_000) > 0
    for old, new in [("n - k -", "n - k +"), ("Any =", "Any=")]:
        edited = text.replace(old, new)
        assert edited != text
        assert played(tmp_path, edited) > 0
        assert played(tmp_path, edited) == 0
    assert played(tmp_path, text) == 0


@pytest.mark.slow
def test_what_stands_where_a_comparison_is_remembered_is_no_comparison(
    tmp_path: Path, cache: Path
) -> None:
    """A folder, or a name that was cut short, makes nobody believe rules."""
    assert run(tmp_path, cache, "played") > 0
    (made,) = cache.rglob("*Take*.compared")
    made.rename(made.with_suffix(""))
    assert run(tmp_path, cache, "played") > 0
    made.unlink()
    made.mkdir()
    assert run(tmp_path, cache, "played") > 0


@pytest.mark.slow
def test_processes_may_compile_the_same_rules_at_once(tmp_path: Path, cache: Path) -> None:
    """Four find no rules; all are right, nothing half-written stays, and a fifth finds it."""
    processes = [started(tmp_path, cache) for _ in range(4)]
    assert [finished(process)["value"] for process in processes] == ["loss in 10"] * 4
    assert {".nbc", ".compared"} == {path.suffix for path in files(cache)} - {""}
    assert not run(tmp_path, cache)["compiled"]


@pytest.mark.slow
@pytest.mark.parametrize("where", ["below a file", "rules is a file"])
def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, cache: Path, where: str
) -> None:
    """Where no folder can be made, rules are compiled in memory, and nothing is said."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    if where == "rules is a file":
        for folder in cache.iterdir():
            (folder / "rules").write_text("in the way", encoding="utf-8")
    else:
        cache = tmp_path / "file" / "cache"
    assert run(tmp_path, cache) == {"value": "loss in 10", "n": 21, "compiled": True}


SCRIBBLE = b"cos\nsystem\n(S'false'\ntR."
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut short": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "flipped": lambda data: data[:-900] + bytes([data[-900] ^ 1]) + data[-899:],
    "scribbled over": lambda data: SCRIBBLE * 99,
}


@pytest.mark.slow
def test_damaged_files_are_compiled_again(tmp_path: Path, cache: Path) -> None:
    """A user sees the right answer, and the next process finds whole files again."""
    right = run(tmp_path, cache)
    whole = files(cache)
    compiled = [path for path in whole if path.suffix == ".nbc"]
    for path, damage in zip(compiled, itertools.cycle(DAMAGES.values())):
        path.write_bytes(damage(path.read_bytes()))
    assert run(tmp_path, cache) == right
    assert files(cache) == whole
    # Another kernel's whole file is not taken either.
    (rules,) = [path for path in compiled if path.parent.name == "rules"]
    other = min(set(compiled) - {rules}, key=lambda path: path.stat().st_size)
    swapped = rules.read_bytes(), other.read_bytes()
    for path, data in zip((other, rules), swapped, strict=True):
        path.write_bytes(data)
    assert run(tmp_path, cache) == right
    assert not run(tmp_path, cache)["compiled"]


@pytest.mark.slow
def test_rules_that_call_each_other_in_a_cycle_work_in_the_second_process(
    tmp_path: Path, cache: Path
) -> None:
    """Numba's code for them cannot be read back, and would crash: it is not kept."""
    cycle = """
def limit(n):
    return min(n, 3) + 0 * even(n)

def even(n):
    return 1 if n == 0 else odd(n - 1)

def odd(n):
    return 0 if n == 0 else even(n - 1)
"""
    project(tmp_path, cycle)
    first = run(tmp_path, cache)
    assert run(tmp_path, cache) == first == {"value": "loss in 10", "n": 21, "compiled": True}


@pytest.mark.slow
def test_ctrl_c_while_code_is_read_is_passed_on(tmp_path: Path, cache: Path) -> None:
    """Numba would write to address 0; and the same process solves the game when asked again."""
    expected = run(tmp_path, cache)["value"]
    out, errors = started(tmp_path, cache, "lost").communicate(timeout=120)
    assert out == f"{json.dumps(expected)}\n", errors
    assert "Exception ignored on calling ctypes callback" in errors


@pytest.mark.slow
def test_processes_may_be_spawned_after_a_solve(tmp_path: Path, cache: Path) -> None:
    """Workers of a pool solve games of a class that their parent has compiled."""
    run(tmp_path, cache, "spawn")


def test_importing_zermelo_does_not_import_numba() -> None:
    """Numba comes with the first solve, so that help and errors are quick."""
    program = "import sys, zermelo, zermelo.games; print('numba' in sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert out.stdout == "False\n"


class _Watch(event.Listener):
    """Notes whether Python collects garbage when Numba begins to compile."""

    def __init__(self) -> None:
        self.seen: list[bool] = []

    def on_start(self, event: Any) -> None:  # Numba's signature
        self.seen.append(gc.isenabled())

    def on_end(self, event: Any) -> None:
        pass


@pytest.mark.parametrize("before", [True, False], ids=["on", "off"])
def test_python_collects_garbage_after_compiling_as_it_did_before(*, before: bool) -> None:
    """It rests meanwhile; a program that has turned that off finds it turned off."""
    wanted, watch = gc.isenabled(), _Watch()
    try:
        (gc.enable if before else gc.disable)()
        with event.install_listener("numba:compile", watch):
            assert numba.njit(lambda number: number + 1)(1) == 2
        assert watch.seen == [False]
        assert gc.isenabled() == before
    finally:
        (gc.enable if wanted else gc.disable)()
