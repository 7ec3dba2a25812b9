"""What compiled code on disk is named after: all that it is made of, wherever that is written.

No public call says under which name code is kept, so this asks what gives the names.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo._compile.support import runtime
from zermelo._engine.core.compiling import kernel_digest as identities
from zermelo._engine.core.compiling.kernel_digest import identity

#: A package whose kernel calls what stands in folders below it, and reads what they read elsewhere.
PACKAGE = {
    "__init__.py": "",
    "kernels.py": """
from numba import njit

from . import figures
from .deep.callee import stepped
from .deep.down.machine import same


@njit(nogil=True)
def run(n):
    \"\"\"Return a number.\"\"\"
    return stepped(n) + same(n) + figures.MOST * figures.table.WIDTH
""",
    "figures.py": """
from .deep.constants import LIMIT
from .deep import table

MOST = LIMIT + 1
OTHER = 5
""",
    "deep/__init__.py": "",
    "deep/constants.py": "LIMIT = 7\n",
    "deep/relay.py": "from .constants import LIMIT\n",
    "deep/table.py": "WIDTH = 3\n",
    "deep/callee.py": """
import numpy as np
from numba import njit

from .relay import LIMIT

ROW = np.arange(3)


def bounded(n, most=10):
    return min(n, most) + ROW[1]


jitted = njit(bounded)


@njit
def stepped(n):
    # one more
    return jitted(n) + LIMIT
""",
    "deep/down/__init__.py": "",
    "deep/down/machine.py": """
from numba import types
from numba.extending import intrinsic

BITS = 64


@intrinsic
def same(typingctx, n):
    def codegen(context, builder, signature, arguments):
        return arguments[0] if BITS else builder.neg(arguments[0])

    return types.int64(types.int64), codegen
""",
}


@pytest.fixture
def identity_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return what writes the package under a new name, with edits, and gives its identity."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made = []

    def measured(**edits: tuple[str, str]) -> str:
        name = f"identity_sample_{len(made)}"
        made.append(name)
        for path, text in PACKAGE.items():
            old, new = edits.get(Path(path).stem, ("", ""))
            assert old in text
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
        importlib.invalidate_caches()
        return identity(importlib.import_module(f"{name}.kernels").run)

    yield measured
    for name in [name for name in sys.modules if name.partition(".")[0] in made]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "edits",
    [
        {"kernels": ("stepped(n) +", "stepped(n) -")},
        {"callee": ("jitted(n) + LIMIT", "jitted(n) - LIMIT")},
        {"callee": ("min(n, most)", "max(n, most)")},
        {"callee": ("most=10", "most=11")},
        {"callee": ("np.arange(3)", "np.arange(4)")},
        {"callee": ("jitted = njit(bounded)", "jitted = njit(error_model='numpy')(bounded)")},
        {"constants": ("7", "8")},
        {"figures": ("LIMIT + 1", "LIMIT + 2")},
        {"table": ("3", "4")},
        {"machine": ("BITS = 64", "BITS = 32")},
        {"machine": ("if BITS else builder.neg", "if not BITS else builder.neg")},
        {"kernels": ("nogil=True", "nogil=False")},
    ],
    ids=[
        "the kernel",
        "a callee in a folder",
        "a function that is jitted elsewhere",
        "a default",
        "an array",
        "a callee's options",
        "a constant read through two modules",
        "a constant of a module that is read as one",
        "a constant of a module of a module",
        "a constant of an intrinsic",
        "an intrinsic",
        "the kernel's options",
    ],
)
def test_an_edit_that_could_matter_gives_another_identity(identity_of, edits) -> None:
    """Wherever it is made: what is on disk is not believed any more."""
    assert identity_of(**edits) != identity_of()


@pytest.mark.parametrize(
    "edits",
    [
        {},
        {"callee": ("# one more", "# one more step\n    #\n")},
        {"figures": ("OTHER = 5", "OTHER = 6")},
        {"kernels": ("from numba import njit", "import os\n\nfrom numba import njit\n\n\n\n")},
    ],
    ids=["moved", "a comment", "a constant it does not read", "lines elsewhere"],
)
def test_an_edit_that_cannot_matter_gives_the_same(identity_of, edits) -> None:
    """Neither comments nor where a file stands are compiled."""
    assert identity_of(**edits) == identity_of()


def test_rules_depend_on_all_that_numba_finds_by_type(tmp_path, monkeypatch, identity_of) -> None:
    """Where the folder of overloads is edited, so is all that rules compile to, named or not."""
    here = Path(runtime.__file__).parent
    for source in here.glob("*.py"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    kernel = importlib.import_module("zermelo._engine.core.bits").ones
    before = identity(kernel), identity(kernel, runtime)
    (tmp_path / "rows.py").write_text((tmp_path / "rows.py").read_text() + "\nMORE = 1\n")
    monkeypatch.setattr(runtime, "__file__", str(tmp_path / "runtime.py"))
    identities._sources.cache_clear()
    after = identity(kernel), identity(kernel, runtime)
    identities._sources.cache_clear()
    assert after[0] == before[0]
    assert after[1] != before[1]


EVERY = """
import importlib, json, pkgutil, sys
from numba.core.dispatcher import Dispatcher

sys.pycache_prefix = sys.argv[1] or None
import zermelo
from zermelo._engine.core.compiling.kernel_digest import identity
from zermelo._engine.core.kernel import Kernel

found = {}
for module in pkgutil.walk_packages(zermelo.__path__, "zermelo."):
    if module.name.startswith(("zermelo._engine", "zermelo._methods", "zermelo._compile")):
        made = importlib.import_module(module.name)
        for name, value in vars(made).items():
            if isinstance(value, Dispatcher | Kernel) and value.py_func.__module__ == module.name:
                found[f"{module.name}.{name}"] = identity(value)
print(json.dumps(found))
"""


@pytest.mark.slow
def test_every_kernel_has_one_identity_in_all_processes(tmp_path: Path) -> None:
    """Read from source or from bytecode, whatever hashes of strings are: the same, and no two."""
    found = []
    for bytecode in (str(tmp_path), ""):
        out = subprocess.run(
            [sys.executable, "-c", EVERY, bytecode],
            env={**os.environ, "PYTHONHASHSEED": str(len(found))},
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(json.loads(out.stdout))
    assert found[0] == found[1]
    assert len(found[0]) > 100
    assert len(set(found[0].values())) == len(found[0])
