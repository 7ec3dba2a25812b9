"""The package as people install it: a wheel and an sdist, in empty environments, without extras."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.timing

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
VERSIONS = ("3.11", "3.12", "3.13")


def python_of(versions):
    """Return an interpreter of the first version that is here, on the path or of pyenv, or skip."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    for wanted in versions:
        found = [shutil.which(f"python{wanted}"), sys.executable]
        found += sorted(map(str, (pyenv / "versions").glob(f"{wanted}.*/bin/python")))
        for python in filter(None, found):
            said = subprocess.run(
                [python, "-c", program], capture_output=True, check=False, text=True
            )
            if said.stdout.strip() == wanted:
                return python
    pytest.skip(f"Python {versions[0]} is not on this machine, so Zermelo is not installed there")


def outside(folder):
    """Return an environment that knows nothing of this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    home = {"ZERMELO_HOME": str(folder / "home"), "ZERMELO_CACHE_DIR": str(folder / "cache")}
    return {**kept, **home}


def run(folder, *words):
    """Run a command in a folder and return what it writes."""
    done = subprocess.run(
        list(map(str, words)),
        cwd=folder,
        env=outside(folder),
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the sdist, and the wheel from it."""
    folder = tmp_path_factory.mktemp("built")
    run(folder, sys.executable, "-m", "venv", "tools")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    run(folder, "tools/bin/pip", "install", "-q", "build>=1.2", *declared["requires"])
    # The environment has what is declared and nothing else, so that build need not make two more.
    run(folder, "tools/bin/python", "-m", "build", "--no-isolation", "-o", folder / "dist", ROOT)
    (wheel,) = (folder / "dist").glob("zermelo-*-py3-none-any.whl")
    (sdist,) = (folder / "dist").glob("zermelo-*.tar.gz")
    return wheel, sdist


@pytest.mark.slow
@pytest.mark.parametrize(
    "versions",
    [
        pytest.param(VERSIONS[::-1], id="newest"),
        *(pytest.param((each,), marks=pytest.mark.huge, id=each) for each in VERSIONS),
    ],
)
def test_wheel_and_sdist_work_in_an_empty_environment(built, tmp_path, versions):
    """Each solves, saves, checks and exports; types are tried with one Python.

    The wheel was built from the sdist, which huge tests install as it is.
    """
    python, (wheel, sdist) = python_of(versions), built
    run(tmp_path, python, "-m", "venv", "empty")
    pip = tmp_path / "empty" / "bin" / "pip"
    python = tmp_path / "empty" / "bin" / "python"
    run(tmp_path, pip, "install", "-q", "--no-compile", wheel)
    run(tmp_path, pip, "check")
    assert run(tmp_path, python, HERE / "smoke.py") == "done\n"
    if len(versions) > 1:
        check_types(tmp_path, python)
    else:
        for name in ("heap.table", "heap.csv", "zermelo_reader.c", "zermelo_reader.js"):
            (tmp_path / name).unlink()
        run(tmp_path, pip, "install", "-q", "--force-reinstall", "--no-deps", sdist)
        assert run(tmp_path, python, HERE / "smoke.py") == "done\n"


def test_the_versions_that_are_tested_are_those_that_are_declared():
    """The package says that it is for these interpreters, and for none that nobody tries."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = "Programming Language :: Python :: "
    found = [name.removeprefix(python) for name in project["classifiers"] if python in name]
    assert tuple(version for version in found if re.fullmatch(r"3\.\d+", version)) == VERSIONS
    assert project["requires-python"] == f">={VERSIONS[0]}"


@pytest.mark.slow
def test_it_runs_from_a_wheel_without_being_installed(built, tmp_path):
    """As the page on installation says, with what it needs at hand; the program is asked little."""
    tools, (wheel, _) = built[0].parents[1] / "tools" / "bin", built
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    line = re.search(r"^\$ (uvx --from) \. (zermelo) solve tic-tac-toe$", page, re.MULTILINE)
    run(tmp_path, tools / "pip", "install", "-q", "uv>=0.5")
    run(tmp_path, tools / "pip", "download", "-q", "-d", "wheels", wheel)
    uvx, option = line[1].split()
    offline = ["--no-index", "--find-links", "wheels", "--no-config", "--python", sys.executable]
    cache = ["--cache-dir", tmp_path / "uv"]
    said = run(tmp_path, tools / uvx, *offline, *cache, option, wheel, line[2], "--version")
    assert re.search(r"\d+\.\d+\.\d+$", said.strip())


def check_types(folder, python):
    """Check a program against the types of the installed package, and one that is wrong."""
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    mypy += ["--config-file", os.devnull, "--cache-dir", str(folder / "types")]
    shutil.copy(HERE / "client.py", folder)
    assert "Success" in run(folder, *mypy, "client.py")
    said = run(folder, python, "client.py").splitlines()
    assert said == ["loss 4 2 True second", "draw 9 9 True nobody", "5"]
    (folder / "wrong.py").write_text(
        "import zermelo\n"
        "from zermelo.games import TicTacToe\n"
        "solution = zermelo.solve(TicTacToe(), threads='two')\n"
        "remoteness: int = solution.value.remoteness\n"
        "solution.save('x.table', replace=True)\n"
    )
    done = subprocess.run(
        [*mypy, "wrong.py"],
        cwd=folder,
        env=outside(folder),
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 1
    assert 'Argument "threads" to "solve" has incompatible type "str"' in done.stdout
    assert 'expression has type "int | None", variable has type "int"' in done.stdout
    assert 'Unexpected keyword argument "replace"' in done.stdout
