"""How kernels are compiled by Numba: by pipelines of our own in tested versions, as is in others.

No public call shows with what options a kernel is compiled, so this asks what compiles kernels.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python
from numba.core.runtime.nrt import rtsys

from support import solve_games
from zermelo._compile.read.source_map import SourceMap
from zermelo._compile.run.numba_errors import translate
from zermelo._engine.core.compiling import versions
from zermelo._engine.core.compiling.dispatchers import cached, entry, part
from zermelo.games import TakeAway
from zermelo.progress import Reporter


def test_what_is_counted_is_freed_once():
    """Arrays that are made, kept in tuples and replaced in a loop are all freed again."""

    @part()
    def other(row, number):
        return row[number:], number + 1

    @entry()
    def replace(count):
        kept = (np.arange(count), 0)
        total = 0
        for number in range(count):
            row = np.arange(number + 1)
            kept = other(row, number)
            total += kept[0][-1] + kept[1] + len(kept[0])
        return total

    replace(3)
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        assert replace(100) == sum(range(2, 202, 2))
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 100


@mock.patch.object(versions, "TESTED", ("0.1",))
def test_an_untested_numba_gets_documented_options_and_no_cache():
    """Whatever else Zermelo changes in Numba could have moved in that version."""
    for options in ({}, {"heap": False}, {"of_engine": True, "error_model": "numpy"}):
        compiled = cached(entry(**options)(total), "total")
        assert type(compiled._cache).__module__.partition(".")[0] == "numba"
        assert compiled._compiler.pipeline_class.__module__.partition(".")[0] == "numba"
        assert compiled.targetoptions.keys() <= {"nopython", "nogil", "error_model", "boundscheck"}
        assert compiled(np.arange(5)) == 10
    spliced = part(heap=False, is_spliced=True, boundscheck=True)(total)
    assert spliced.targetoptions.keys() == {"nopython", "boundscheck"}


def test_an_untested_numba_that_refuses_rules_may_be_at_fault():
    """An author does not look for a mistake that is not in the rules."""
    error = numba.core.errors.NumbaError("something has moved")
    remedies = []
    for tested in (versions.TESTED, ("0.1", "0.2")):
        with mock.patch.object(versions, "TESTED", tested):
            remedies.append(str(translate(error, TakeAway(), SourceMap())).partition("; ")[2])
    plain = "keep to whole numbers and tuples of them"
    install = "install Numba 0.1 to 0.2, with which Zermelo is tested"
    assert remedies == [plain, f"{plain}, or {install}"]


def total(numbers):
    """Return the sum of numbers."""
    found = 0
    for number in numbers:
        found += number
    return found


#: Solves games as with another version of Numba, and shows one as a user sees it.
_UNTESTED = """
import runpy
import sys
from contextlib import suppress

from zermelo import limits
from zermelo._engine.core.compiling import versions
from zermelo.cli import main

versions.TESTED = ("0.1",)
arguments = sys.argv[1:]
sys.argv = ["zermelo", "solve", "chomp", "--rows", "2", "-v", "--fresh"]
with limits.using(plain_seconds=0.0), suppress(SystemExit):
    main()
sys.argv = arguments
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["ConnectFour"], id="bit-parallel", marks=pytest.mark.slow),
        pytest.param(["CatAndMouse", "Fanorona", "Kalah"], id="others", marks=pytest.mark.huge),
    ],
)
def test_an_untested_numba_solves_right_and_is_named(names, tmp_path):
    """Rules, searches in tables and bit-parallel kernels compile, and ``solve -v`` says so."""
    path = Path(solve_games.__file__)
    for name in names:
        solve_games.write(tmp_path, name)
    home = {"ZERMELO_HOME": str(tmp_path / "home"), "ZERMELO_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", _UNTESTED, str(path), str(tmp_path), *names]
    done = subprocess.run(
        command, env={**os.environ, **home}, capture_output=True, text=True, check=True
    )
    shown, found = done.stdout.rsplit("\n", 1)
    assert json.loads(found)["games"] == {name: solve_games.SAMPLES[name].result for name in names}
    assert f"Numba {numba.__version__}, with which Zermelo is not tested" in " ".join(shown.split())
    assert list((tmp_path / "cache").rglob("*.nbc")) == []


def test_a_listener_may_stop_a_phase_that_waits_for_a_kernel():
    """What it raises comes out as it is, not as if the kernel could not be compiled.

    The kernel is the test's, as those of the engine may have been compiled before.
    """

    def stop(event):
        if event.compiling:
            raise KeyError(event.phase)

    report = Reporter(stop)
    with pytest.raises(KeyError, match="sweep"), report.phase("sweep", 10):  # noqa: PT012  # in a phase
        entry()(lambda n: n + 2)(1)
        report.advance(5)
