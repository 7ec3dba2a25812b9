"""What is swapped inside Numba while kernels compile, and put back.

No public call shows whether Numba is left as it was, so this asks what compiles kernels.
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
from numba.core import event
from numba.core.base import BaseContext
from numba.core.cgutils import ValueStructProxy
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.runtime import _nrt_python
from numba.core.runtime.nrt import rtsys
from numba.core.types.functions import BaseFunction
from numba.extending import overload
from numba.np import arrayobj

from support import solve_games
from zermelo._compile.read.source_map import SourceMap
from zermelo._compile.run.numba_errors import translate
from zermelo._engine.core.compiling import versions
from zermelo._engine.core.compiling.dispatchers import cached, entry, part
from zermelo._engine.core.compiling.swapped.numba_patches import numba_patched
from zermelo.games import TakeAway
from zermelo.progress import Reporter

_SWAPPED = (
    (BaseFunction, "get_call_type"),
    (BaseContext, "refresh"),
    (event, "start_event"),
    (event, "end_event"),
    (PostProcessor, "run"),
    (Lower, "storevar"),
    (ValueStructProxy, "__init__"),
    (arrayobj, "make_array"),
)


def test_what_is_swapped_is_put_back():
    """Numba is as it was, also after an error."""
    before = [getattr(place, name) for place, name in _SWAPPED]
    with numba_patched():
        assert all(
            getattr(place, name) is not old
            for (place, name), old in zip(_SWAPPED, before, strict=True)
        )
    with pytest.raises(ValueError, match="meanwhile"), numba_patched(), numba_patched():
        raise ValueError("meanwhile")
    assert [getattr(place, name) for place, name in _SWAPPED] == before


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


@mock.patch.object(versions, "TESTED", (*versions.TESTED, "0.99"))
def test_an_older_numba_is_compiled_with_as_it_is():
    """Of a version whose code nobody has read, only the pipeline is changed."""
    before = [getattr(place, name) for place, name in _SWAPPED]
    with numba_patched():
        assert [getattr(place, name) for place, name in _SWAPPED] == before
    compiled = entry()(total)
    assert compiled._compiler.pipeline_class.__module__.partition(".")[0] == "zermelo"
    assert compiled(np.arange(5)) == 10


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


def test_what_is_declared_between_two_kernels_is_found():
    """A function that Numba is taught after a kernel was compiled is known to the next one."""

    def taught(number):
        raise NotImplementedError

    @entry()
    def before(number):
        return number + 1

    assert before(1) == 2

    @overload(taught)
    def _(number):
        return lambda number: number + 2

    @entry()
    def after(number):
        return taught(number) + 1

    assert after(1) == 4


#: Compiles with and without what Numba has of its own, and prints whether it was read.
_ASIDE = """
import sys
import numba
import numpy as np
from numba.core.runtime import _nrt_python
from numba.core.runtime.nrt import rtsys

from zermelo._engine.core.compiling.dispatchers import entry, part

def read():
    return "numba.typed.typeddict" in sys.modules

@entry()
def plain(number):
    return number + 1

@part()
def inner(number):
    np.random.seed(number)
    known = numba.typed.Dict.empty(numba.int64, numba.int64)
    known[number] = 7
    return known[number] + np.random.randint(0, 1)

@entry()
def outer(number):
    return inner(number) + 1

@numba.njit
def elsewhere(number):
    found = numba.typed.List.empty_list(numba.int64)
    found.append(number)
    return found

print(plain(1), read(), outer(1), read(), list(elsewhere(3)))
"""


@pytest.mark.slow
def test_what_almost_no_kernel_uses_is_read_when_one_does():
    """Numba's own tables are not read for plain kernels, and work in those that have them."""
    command = [sys.executable, "-c", _ASIDE]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "2 False 8 True [3]"


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
